"""The short way in: one question, one answer, as `kgqa ask` gives it.

What reads the phrases of a question, as the options of a command ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from graph.protocols import GraphStore, GraphView
from kgqa.answers import Answer
from kgqa.linking.linker import link_phrase
from kgqa.passages.passage_source import PassageSource
from kgqa.pipeline import Pipeline
from kgqa.request import Linker

if TYPE_CHECKING:
    from kgqa.interventions.graph_settings import GraphSetting


def answer(
    question: str,
    graph: str | GraphView | None = None,
    *,
    limit: int = 10,
    do: Sequence[str] = (),
    passage: str | None = None,
    risk: float | None = None,
    corpus: str | None = None,
    reader: str | None = None,
) -> Answer:
    """Return the answer to a causal question, or, from a text, to any question.

    `graph` is an open one, which stays open, or the address of one (by default what `KGQA_GRAPH` names, else the starter graph);
    `do` are settings such as "smoking=absent". `passage` is a text to answer from instead of a graph, `corpus` the path of an
    index (or of a text) to find passages in, and `reader` who reads them, "NAME" or "NAME:MODEL". At most `limit` findings are
    shown; with a `risk` of 0..1 there is an answer only where the expected error is at most that. Raises `KgqaError` or
    `GraphError`, whose message says what is wrong.
    """
    settings: tuple[GraphSetting, ...] = ()
    if do:
        from kgqa.interventions.graph_settings import parse_settings

        settings = parse_settings(do)
    shelf = PassageSource(reader, corpus)
    if passage is not None:
        from kgqa.passages.passage_graph import PassageGraph

        with closing(PassageGraph(passage, question)) as claims:
            texts = shelf.of_passage(passage, claims)
            return Pipeline(claims.store, limit, settings, risk=risk, texts=texts).answer(question)
    elif graph is None or isinstance(graph, str):
        from graph.stores import open_store
        from kgqa.settings import graph_url

        with closing(open_store(graph_url(graph))) as store:
            return shelf.extend_pipeline(store, Pipeline(store, limit, settings, risk=risk)).answer(question)
    corpus_texts = shelf.of_corpus() if corpus is not None else None
    return Pipeline(graph, limit, settings, risk=risk, texts=corpus_texts).answer(question)


def build_linker(store: GraphStore, embeddings: bool) -> Linker:
    """Return what reads phrases as concepts of a graph: with the embeddings of its names, or without.

    Raises what `NearestInMeaning` raises where there are none that can be used.
    """
    if not embeddings:
        return link_phrase
    from kgqa.linking.name_embeddings import EmbeddingLinker

    return EmbeddingLinker(store)
