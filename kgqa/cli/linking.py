"""What reads the phrases of a question, as the options of a command ask for it."""

from __future__ import annotations

from graph.protocols import GraphStore
from kgqa.linking.linker import link_phrase
from kgqa.request import Linker


def build_linker(store: GraphStore, embeddings: bool) -> Linker:
    """Return what reads phrases as concepts of a graph: with the embeddings of its names, or without.

    Raises what `NearestInMeaning` raises where there are none that can be used.
    """
    if not embeddings:
        return link_phrase
    from kgqa.linking.embedding import EmbeddingLinker

    return EmbeddingLinker(store)
