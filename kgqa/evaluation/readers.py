"""Who answers the questions of a data set, by the name that `--reader` gives: so far the pipeline over a graph."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Protocol

from graph.protocols import GraphStore
from kgqa.errors import KgqaError
from kgqa.evaluation.item import Item
from kgqa.model import Answer, QuestionType, Semantic, Slots
from kgqa.pipeline import Pipeline, unanswered
from kgqa.reading.passage import passage_graph

_KEPT = 4
"""How many graphs of passages are kept: questions on one passage stand together."""


class Reader(Protocol):
    """Answers the items of one run, in order."""

    def answer(self, item: Item) -> Answer:
        """Return the answer to an item; what cannot be asked is an answer that says so."""
        ...

    def close(self) -> None:
        """Release what is held."""
        ...


class GraphReader:
    """Asks the pipeline: over the graph of the item's passage where it has one, else over the graph of the run.

    With `pairs` the two slots of a question are those that the data set marks, and nothing is left to be made out.
    """

    def __init__(self, store: GraphStore, *, pairs: bool = False) -> None:
        self._store = store
        self._pairs = pairs
        self._passages: OrderedDict[str, GraphStore] = OrderedDict()

    def answer(self, item: Item) -> Answer:
        """Return the answer to an item."""
        pipeline = Pipeline(self._passage(item.passage) if item.passage else self._store)
        if self._pairs and item.pair:
            kind = QuestionType(Semantic.VERIFICATION, Slots(*item.pair), confidence=1.0, rules=("slots as marked",))
            pipeline = Pipeline(self._store, classifier=lambda question: kind)
        try:
            return pipeline.answer(item.question)
        except KgqaError as error:
            return unanswered(item.question, str(error))

    def close(self) -> None:
        """Close the graphs of the passages; that of the run is not ours."""
        while self._passages:
            self._passages.popitem()[1].close()

    def _passage(self, text: str) -> GraphStore:
        """Return the graph of a passage, mined now unless one of the last questions was on it, too."""
        if text not in self._passages:
            if len(self._passages) >= _KEPT:
                self._passages.popitem(last=False)[1].close()
            self._passages[text] = passage_graph(text)
        self._passages.move_to_end(text)
        return self._passages[text]


MakeReader = Callable[[GraphStore, bool], Reader]
"""Makes the reader of a run, from its graph and whether the slots are those that the data set marks."""

READERS: Mapping[str, MakeReader] = {"graph": lambda store, pairs: GraphReader(store, pairs=pairs)}
"""Every reader, by name."""
