"""Asking the items of a data set: what kgqa says, and what the plain baselines say to the same item."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import cached_property
from types import TracebackType
from typing import Self

from graph.protocols import GraphStore
from graph.text.normalise import concept_name
from kgqa.answer_model import Answer, Route, Verdict
from kgqa.evaluation import baselines
from kgqa.evaluation.answer_systems import AnswerSystem
from kgqa.evaluation.dataset_item import (
    FALSE_PRESUPPOSITION,
    NO,
    NORMAL,
    PRESUPPOSITION,
    READING,
    REFUSAL,
    VERDICT,
    YES,
    DatasetItem,
)
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.plausibility import plausibility
from kgqa.evaluation.prediction import CLAIMS_ALONE, PLAUSIBILITY, Prediction


class Predictor:
    """Asks the items of one run; `items` are all of them, since BM25 searches the passages of the whole set."""

    def __init__(self, dataset: Dataset, items: Sequence[DatasetItem], store: GraphStore, respondent: AnswerSystem) -> None:
        self._dataset = dataset
        self._store = store
        self._held = ExitStack()
        self._respondent = self._held.enter_context(closing(respondent))
        self._of_graph = baselines.GraphSentences(store)
        self._of_passages: baselines.PassageSentences | None = None
        if any(item.passage for item in items):
            index = baselines.PassageSentences(item.passage for item in items)
            self._of_passages = self._held.enter_context(closing(index))

    def ask(self, item: DatasetItem) -> tuple[Prediction, float]:
        """Return what is said to an item, and the seconds that kgqa took to say it."""
        began = time.perf_counter()
        answer, rank, guess = self._respondent.answer(item)
        response, confidence, route = _response_of(self._dataset.task, answer), answer.confidence, str(answer.route)
        alone: dict[str, str | None] = {}
        if self._dataset.pairs and item.pair:
            alone = {CLAIMS_ALONE: response if response in (YES, NO) else None}
            if alone[CLAIMS_ALONE] is None:
                likely = plausibility(*item.pair, self._store, self._claims)
                response, confidence, route = YES if likely >= 0.5 else NO, max(likely, 1.0 - likely), PLAUSIBILITY
        seconds = time.perf_counter() - began
        kind, slots = answer.type, answer.type.slots
        prediction = Prediction(
            id=item.id,
            question=item.question,
            response=response,
            confidence=round(confidence, 4),
            route=route,
            gold=item.gold,
            semantic=kind.semantic or "",
            pragmatic=kind.intent or "",
            subtype=kind.pragmatic or "",
            cause=slots.cause or "",
            effect=slots.effect or "",
            link=round(answer.signals.link, 4),
            connection=answer.connection or "",
            names_found=self._found(item),
            baselines={**alone, **self._baselines(item)},
            rank=rank,
            edit=_edit_operations(answer),
            guess=guess,
        )
        return prediction, seconds

    @cached_property
    def _claims(self) -> int:
        """How many claims the graph has."""
        return self._store.stats().claims

    def _found(self, item: DatasetItem) -> tuple[bool, bool] | None:
        """Return whether the graph has the marked cause and effect by their names."""
        if item.pair is None:
            return None
        cause, effect = (self._store.concept(concept_name(phrase)) is not None for phrase in item.pair)
        return cause, effect

    def _baselines(self, item: DatasetItem) -> dict[str, str | None]:
        """Return what the plain baselines say to an item."""
        if self._dataset.task == PRESUPPOSITION:
            return {}
        first = self._of_passages.first(item.question) if self._of_passages and item.passage else None
        if self._dataset.task == READING:
            return {baselines.BM25_NAME: first if item.passage else self._of_graph.first(item.question)}
        if item.pair is None:
            return {baselines.BM25_NAME: baselines.sentence_verdict(first)} if item.passage else {}
        return {
            baselines.BM25_NAME: baselines.sentence_verdict(self._of_graph.with_both(item.pair)),
            **baselines.search_verdicts(self._store, item.pair),
        }

    def close(self) -> None:
        """Release what the run holds; its graph is not ours."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _edit_operations(answer: Answer) -> str:
    """Return the operations by which a passage was edited for an answer; empty where none was."""
    if answer.route is not Route.INTERVENTION_PASSAGE:
        return ""
    return ", ".join(dict.fromkeys(intervention.operation for intervention in answer.interventions))


def _response_of(task: str, answer: Answer) -> str | None:
    """Return what an answer says in the terms of a task."""
    if task == VERDICT:
        return answer.verdict or Verdict.UNKNOWN
    if task == PRESUPPOSITION:
        return FALSE_PRESUPPOSITION if answer.route is Route.PRESUPPOSITION else NORMAL
    if task == REFUSAL and answer.verdict is not None:
        return answer.verdict
    return answer.answer
