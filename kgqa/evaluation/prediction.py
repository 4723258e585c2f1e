"""What kgqa, and the plain baselines, say to a question of a data set: asking, and a line of `predictions.jsonl`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any, Self

from graph.protocols import GraphStore
from graph.sources.jsonl import RecordInvalid
from graph.text.normalise import concept_name
from kgqa.answer_model import Answer, PresuppositionStatus, Route, Verdict
from kgqa.evaluation import baselines
from kgqa.evaluation.answer_systems import AnswerSystem
from kgqa.evaluation.dataset_item import (
    CLAIM,
    FALSE_CLAIM,
    FALSE_PRESUPPOSITION,
    NO,
    NORMAL,
    PRESUPPOSITION,
    READING,
    REFUSAL,
    TRUE_CLAIM,
    UNDECIDED_CLAIM,
    VERDICT,
    WRITING,
    YES,
    DatasetItem,
)
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.plausibility import plausibility
from kgqa.evaluation.presupposition_systems import PresuppositionSystems
from kgqa.presuppositions.evidence_model import CONTRADICTS, SUPPORTS

EVIDENCE = "evidence"
"""The route of what is said of a claim."""
PLAUSIBILITY = "plausibility"
"""The route of what is said of a pair of words that there is no verdict on."""

CLAIMS_ALONE = "kgqa, claims alone"
"""The row of the verdicts of a set whose undecided pairs are told by their plausibility."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What kgqa and the plain baselines say to one question; nothing in it depends on the clock.

    `said` is a verdict, a label or the answer in its short form; `None` where there is none. `semantic`, `pragmatic`, `subtype`,
    `cause` and `effect` tell how the question was understood, `link` how surely its phrases were read, `found` which of the two
    concepts that the data set marks the graph has by their names. `baselines` are what plain methods say, by name. `rank` is the
    place of the first gold passage among those retrieved, 0 for none, and `edit` how a passage was edited for the answer. `guess`
    is what a reader finds likeliest, were it not allowed to say that there is no answer. `claims` has the number of evidence
    records of each causal claim that the answer rests on, `links` are the linked articles that were read, and `correction` goes
    with a false presupposition, the response; each is `None` where nobody tells. `false_chances` are the probabilities of
    "false" of other systems, by name.
    """

    id: str
    question: str
    response: str | None
    confidence: float
    route: str
    gold: tuple[str, ...]
    semantic: str = ""
    pragmatic: str = ""
    subtype: str = ""
    cause: str = ""
    effect: str = ""
    link: float = 0.0
    connection: str = ""
    names_found: tuple[bool, bool] | None = None
    baselines: Mapping[str, str | None] = field(default_factory=dict)
    rank: int | None = None
    edit: str = ""
    guess: str | None = None
    claims: tuple[int, ...] | None = None
    links: tuple[str, ...] | None = None
    correction: str | None = None
    false_chances: Mapping[str, float] | None = None

    @property
    def answered(self) -> bool:
        """Whether there is an answer: neither nothing nor "unknown"; a contested verdict takes no side and is none."""
        return self.response not in (None, "unknown", "contested")

    def record(self, *, verdict: bool) -> dict[str, Any]:
        """Return the prediction as it is written; the answer is called "verdict" in a set of yes and no."""
        names = {"response": "verdict" if verdict else "prediction", "names_found": "found"}
        unsaid = {name for name in ("links", "correction", "false_chances") if getattr(self, name) is None}
        return {names.get(name, name): value for name, value in asdict(self).items() if name not in unsaid}


def read_prediction(record: Mapping[str, Any]) -> Prediction:
    """Return the prediction that a line of `predictions.jsonl` holds; raise `RecordInvalid` where it holds none."""
    try:
        concept_pair = record["found"]
        return Prediction(
            id=record["id"],
            question=record["question"],
            response=record["verdict"] if "verdict" in record else record["prediction"],
            confidence=float(record["confidence"]),
            route=record["route"],
            gold=tuple(record["gold"]),
            semantic=record["semantic"],
            pragmatic=record["pragmatic"],
            subtype=record["subtype"],
            cause=record["cause"],
            effect=record["effect"],
            link=float(record["link"]),
            connection=record["connection"],
            names_found=None if concept_pair is None else (concept_pair[0], concept_pair[1]),
            baselines=dict(record["baselines"]),
            rank=record.get("rank"),
            edit=record.get("edit", ""),
            guess=record.get("guess"),
            claims=None if record.get("claims") is None else tuple(map(int, record["claims"])),
            links=None if record.get("links") is None else tuple(map(str, record["links"])),
            correction=record.get("correction"),
            false_chances=None if record.get("false_chances") is None else dict(record["false_chances"]),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RecordInvalid(f"no prediction: {type(error).__name__.lower()} {error}") from None


class Predictor:
    """Asks the items of one run; `items` are all of them, since BM25 searches the passages of the whole set."""

    def __init__(
        self,
        dataset: Dataset,
        items: Sequence[DatasetItem],
        store: GraphStore,
        respondent: AnswerSystem,
        systems: PresuppositionSystems | None = None,
    ) -> None:
        self._dataset = dataset
        self._systems = systems
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
        if self._dataset.task == CLAIM:
            return self._judge_claim(item, self._systems or PresuppositionSystems(CLAIM))
        if self._dataset.task == WRITING:
            return self._write_correction(item, self._systems or PresuppositionSystems(WRITING))
        began = time.perf_counter()
        answer, rank, guess, links = self._respondent.answer(item)
        answer = self._systems.checked(item, answer) if self._systems else answer
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
            claims=_evidence_counts(answer),
            links=links,
            false_chances=self._systems.probabilities(item) if self._systems else None,
        )
        return prediction, seconds

    def _write_correction(self, item: DatasetItem, systems: PresuppositionSystems) -> tuple[Prediction, float]:
        """Return what a question takes for granted, in words made by rules, and the sentence that contradicts it most."""
        began = time.perf_counter()
        correction = systems.correction(item)
        given = (item.id, item.question, systems.presupposition(item), 0.0, EVIDENCE, item.gold)
        return Prediction(*given, correction=correction), time.perf_counter() - began

    def _judge_claim(self, item: DatasetItem, systems: PresuppositionSystems) -> tuple[Prediction, float]:
        """Return what the evidence model says of a claim: with undecided ones by evidence alone, else by the claim itself too."""
        began = time.perf_counter()
        verdict = systems.verdict(item) if self._dataset.has_undecided else None
        if verdict is not None:
            response = {SUPPORTS: TRUE_CLAIM, CONTRADICTS: FALSE_CLAIM}.get(verdict.relation, UNDECIDED_CLAIM)
            confidence, chance = max(verdict.supports, verdict.contradicts, verdict.silent), verdict.contradicts
        else:
            chance = systems.falsehood(item)
            response, confidence = FALSE_CLAIM if chance >= 0.5 else TRUE_CLAIM, max(chance, 1 - chance)
        seconds = time.perf_counter() - began
        chances = {"kgqa": round(chance, 4), **systems.probabilities(item)}
        given = (item.id, item.question, response, round(confidence, 4), EVIDENCE, item.gold)
        return Prediction(*given, false_chances=chances), seconds

    @cached_property
    def _claims(self) -> int:
        return self._store.stats().claims

    def _found(self, item: DatasetItem) -> tuple[bool, bool] | None:
        """Return whether the graph has the marked cause and effect by their names."""
        if item.pair is None:
            return None
        cause, effect = (self._store.concept(concept_name(phrase)) is not None for phrase in item.pair)
        return cause, effect

    def _baselines(self, item: DatasetItem) -> dict[str, str | None]:
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


def _evidence_counts(answer: Answer) -> tuple[int, ...]:
    """Return for each claim that an answer rests on how many evidence records it shows for it."""
    claims = dict.fromkeys(edge.claim for finding in answer.findings for edge in finding.path.edges)
    return tuple(sum(citation.claim == claim for citation in (*answer.evidence, *answer.against)) for claim in claims)


def _response_of(task: str, answer: Answer) -> str | None:
    """Return what an answer says in the terms of a task."""
    if task == VERDICT:
        return answer.verdict or Verdict.UNKNOWN
    if task == PRESUPPOSITION:
        suspects = (item for item in answer.presuppositions if item.status is PresuppositionStatus.SUSPECT)
        suspected = any((item.probability or 0.0) >= 0.5 for item in suspects)
        return FALSE_PRESUPPOSITION if suspected or answer.route is Route.PRESUPPOSITION else NORMAL
    if task == REFUSAL and answer.verdict is not None:
        return answer.verdict
    return answer.answer
