"""The systems that answer a data set, by the name that `--reader` gives: the pipeline over a graph, or a reader of passages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from graph.protocols import GraphStore
from kgqa.answer_model import Answer
from kgqa.answering.refusals import refuse_question
from kgqa.errors import KgqaError, QuestionInvalid
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.hops.link_identifier import LinkRule
from kgqa.passages.passage_answer import PassageInput, PassageMethod, answer_passages
from kgqa.passages.passage_graph import PassageGraph, mine_passage
from kgqa.passages.passage_source import (
    PASSAGES_RANKED,
    PASSAGES_READ,
    CorpusQuery,
    PassageSource,
    corpus_query_text,
    open_retriever,
)
from kgqa.pipeline import Pipeline, check_question, graph_embeddings
from kgqa.question import QuestionType, Semantic, Slots
from kgqa.questions.classifier import classify
from kgqa.readers.reader import AnswerKind, Candidate, MeteredReader, Passage, Reader
from kgqa.settings import Settings


class ForcedAnswerReader:
    """The reader of a shelf on one question; `guess` is what it finds likeliest when it is first asked.

    "No answer" and a number that has yet to be reckoned are no guess. A reader that asks a server is not listened to.
    """

    def __init__(self, shelf: PassageSource) -> None:
        self._shelf = shelf
        self._asked = False
        self.guess: str | None = None

    def opened(self) -> Reader:
        """Return the reader, opened now; raises what opening it does."""
        reader = self._shelf.reader
        return reader if isinstance(reader, MeteredReader) else self

    @property
    def name(self) -> str:
        """The name of the reader."""
        return self._shelf.reader.name

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return what the reader finds."""
        candidates = self._shelf.reader.read(question, passages, best)
        if not self._asked:
            texts = (
                candidate.text.strip() for candidate in candidates if candidate.kind not in (AnswerKind.NULL, AnswerKind.NUMBER)
            )
            self.guess = next(filter(None, texts), None)
        self._asked = True
        return candidates


GRAPH = "graph"
"""The name of the pipeline over a graph, which asks no reader."""

_CACHED_GRAPHS = 4
"""How many graphs of passages are kept: questions on one passage stand together."""


class SystemAnswer(NamedTuple):
    """The answer to an item; `rank` is the place, from 1, of its first gold passage among those retrieved, 0 for none.

    `guess` is what is said in its place where "no answer" is not allowed; `None` where nobody read anything. `links` are the
    titles of the linked articles that are followed, where any may be.
    """

    answer: Answer
    rank: int | None = None
    guess: str | None = None
    links: tuple[str, ...] | None = None


class AnswerSystem(Protocol):
    """Answers the items of one run, in order."""

    @property
    def charged(self) -> MeteredReader | None:
        """The reader that asks a server, where one does."""
        ...

    def answer(self, item: DatasetItem) -> SystemAnswer:
        """Return the answer to an item; what cannot be asked is an answer that says so."""
        ...

    def close(self) -> None:
        """Release what is held."""
        ...


@dataclass(frozen=True, slots=True)
class SystemSettings:
    """How a reader is asked: what answers (`way`), from which passages, and by which queries those are found.

    Passages are those of the item, or, with a `corpus`, the `read` best of that, or, closed-book, none. `joined` asks the graph
    of the claims of a passage as well, as `kgqa ask` does. Where `links` says what chooses them, links of the paragraph of an
    item are followed into the index `articles`, by default those of the data.
    """

    reader: str = GRAPH
    way: PassageMethod = PassageMethod.BOTH
    corpus: str | None = None
    closed: bool = False
    queries: CorpusQuery = CorpusQuery.BEST
    read: int = PASSAGES_READ
    joined: bool = False
    links: LinkRule | None = None
    articles: str | None = None


class GraphSystem:
    """Asks the pipeline: over the graph of the item's passage where it has one, else over the graph of the run.

    With `pairs` the two slots of a question are those that the data set marks, and nothing is left to be made out. With a
    `corpus`, its claims join those of the graph of the run.
    """

    def __init__(self, store: GraphStore, *, pairs: bool = False, closed: bool = False, corpus: str | None = None) -> None:
        self._store = store
        self._embeddings = graph_embeddings(lambda: store)
        self._claims = PassageSource(corpus=corpus).claims
        self._pairs = pairs
        self._closed = closed
        self._passages: OrderedDict[str, GraphStore] = OrderedDict()

    @property
    def charged(self) -> None:
        """Nobody: the graph asks no server of a reader."""
        return

    def answer(self, item: DatasetItem) -> SystemAnswer:
        """Return the answer to an item."""
        given = item.passage and not self._closed
        of_graph = Pipeline(self._store, claims=self._claims, embeddings=self._embeddings)
        pipeline = Pipeline(self._passage(item.passage)) if given else of_graph
        if self._pairs and item.pair:
            kind = QuestionType(Semantic.VERIFICATION, Slots(*item.pair), confidence=1.0, rules=("slots as marked",))
            pipeline = Pipeline(self._store, classifier=lambda question: kind)
        try:
            return SystemAnswer(pipeline.answer(item.question))
        except KgqaError as error:
            return SystemAnswer(refuse_question(item.question, str(error)))

    def close(self) -> None:
        """Close the graphs of the passages; that of the run is not ours."""
        while self._passages:
            self._passages.popitem()[1].close()

    def _passage(self, text: str) -> GraphStore:
        """Return the graph of a passage, mined now unless one of the last questions was on it, too."""
        if text not in self._passages:
            if len(self._passages) >= _CACHED_GRAPHS:
                self._passages.popitem(last=False)[1].close()
            self._passages[text] = mine_passage(text)
        self._passages.move_to_end(text)
        return self._passages[text]


class ReaderSystem:
    """Reads passages, as `kgqa ask --passage` and `--corpus` do; unless joined with it, no graph is asked.

    An item without a passage is asked of the graph of the run, if none is retrieved for it.
    """

    def __init__(self, setting: SystemSettings, store: GraphStore, settings: Settings | None = None) -> None:
        self._setting = setting
        self._graph = GraphSystem(store)
        self._shelf = PassageSource(setting.reader, settings=settings)
        if setting.way is not PassageMethod.EDITS:
            self._shelf.reader.read("Is it there?", [Passage("It is there.")])
        self._corpus = open_retriever(setting.corpus, setting.queries) if setting.corpus else None

    @property
    def charged(self) -> MeteredReader | None:
        """The reader, where it asks a server."""
        return self._shelf.charged

    def answer(self, item: DatasetItem) -> SystemAnswer:
        """Return the answer to an item, which is refused where no text tells."""
        setting, rank = self._setting, None
        if not (item.passage or setting.closed or self._corpus):
            return self._graph.answer(item)
        passages: Sequence[Passage] = [Passage(item.passage)]
        listening_reader = ForcedAnswerReader(self._shelf)
        try:
            question = check_question(item.question)
            if self._corpus is not None:
                query = corpus_query_text(question, setting.queries)
                retrieved = self._corpus.retrieve(query, max(PASSAGES_RANKED, setting.read))
                rank, passages = gold_passage_rank(item, retrieved), retrieved[: setting.read]
            elif setting.closed:
                passages = []
            texts = PassageInput(
                lambda _: passages, listening_reader.opened, setting.way, closed=setting.closed, is_reader_named=True
            )
            if setting.joined and not setting.closed:
                with closing(PassageGraph("\n\n".join(passage.text for passage in passages), question)) as claims:
                    pipeline = Pipeline(claims.store, texts=replace(texts, promises=claims.promises))
                    answer = pipeline.answer(question)
                    return SystemAnswer(answer, rank, answer.answer or listening_reader.guess)
            answer = answer_passages(question, classify(question), texts)
            return SystemAnswer(answer, rank, answer.answer or listening_reader.guess)
        except QuestionInvalid as error:
            return SystemAnswer(refuse_question(item.question, str(error)), rank)

    def close(self) -> None:
        """Nothing is held that has to be released."""


def gold_passage_rank(item: DatasetItem, retrieved: Sequence[Passage]) -> int:
    """Return the place, from 1, of the first passage that is one of the item's paragraphs, 0 where none is; by words alone."""
    gold = {" ".join(part.lower().split()) for part in item.passage.split("\n\n")}
    return next((rank for rank, passage in enumerate(retrieved, 1) if " ".join(passage.text.lower().split()) in gold), 0)


def build_system(setting: SystemSettings, store: GraphStore, *, pairs: bool, settings: Settings | None = None) -> AnswerSystem:
    """Return who answers in a setting; raises the errors of `reader_of` and `open_corpus`."""
    if setting.reader != GRAPH:
        return ReaderSystem(setting, store, settings)
    return GraphSystem(store, pairs=pairs, closed=setting.closed, corpus=setting.corpus)
