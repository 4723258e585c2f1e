"""The router: which answerer, which sources and which readers a question gets.

The first row of `ANSWERERS` whose test holds is taken, and its module then imported; no answerer imports the router.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from graph.model import Relation
from kgqa.question import Attribute, QuestionType, Semantic

if TYPE_CHECKING:
    from kgqa.readers.cascade import CascadeReader
    from kgqa.request import Answerer
    from kgqa.settings import Settings

_ANTECEDENTS = (Semantic.CAUSE, Semantic.GOAL, Semantic.PURPOSE, Semantic.ENABLEMENT)
_LEAST_SUPPOSED_MOOD = 0.5
"""Below this mood an "if" takes something for granted rather than supposes it."""
_EITHER_DIRECTION = re.compile(r"\bor (?:does|do|did|can|could|is|are|was|were|will|vice versa|the)\b", re.IGNORECASE)
_NEGATED_QUESTION = re.compile(r"\b(?:what|which)\b.*\b(?:not|never|cannot|\w+n['’]t)\b", re.IGNORECASE)


def _is_noncausal(question: str, kind: QuestionType) -> bool:
    return kind.semantic is None


def _has_assumed_if(question: str, kind: QuestionType) -> bool:
    return kind.mood is not None and kind.mood < _LEAST_SUPPOSED_MOOD and kind.semantic in _ANTECEDENTS


def _has_if(question: str, kind: QuestionType) -> bool:
    return Attribute.COUNTERFACTUAL in kind.attributes and kind.slots.condition is not None


def _has_if_or(question: str, kind: QuestionType) -> bool:
    condition = kind.slots.condition
    return _has_if(question, kind) and condition is not None and bool(condition.also) and condition.joined == "or"


def _has_if_and_effect(question: str, kind: QuestionType) -> bool:
    return _has_if(question, kind) and kind.slots.effect is not None


def _has_cause_and_effect(question: str, kind: QuestionType) -> bool:
    return bool(kind.slots.cause and kind.slots.effect)


def _asks_direction(question: str, kind: QuestionType) -> bool:
    if kind.semantic is not Semantic.VERIFICATION or not _EITHER_DIRECTION.search(question):
        return False
    from kgqa.questions.converse import converse_questions

    return converse_questions(question, kind) is not None


def _has_options(question: str, kind: QuestionType) -> bool:
    options, whether = kind.slots.options, kind.semantic is Semantic.VERIFICATION
    if options is None or kind.slots.comparison or not _has_cause_and_effect(question, kind):
        return False
    return whether or options.joined == "or"


def _asks_mechanism(question: str, kind: QuestionType) -> bool:
    # Why something does *not* lead to another thing presupposes what a verdict must establish first.
    denied = Attribute.EXPECTATIONAL in kind.attributes
    verdict = kind.semantic is Semantic.VERIFICATION or kind.slots.relation is Relation.PREVENTS
    return _has_cause_and_effect(question, kind) and not verdict and not denied


def _compares(question: str, kind: QuestionType) -> bool:
    return _has_cause_and_effect(question, kind) and bool(kind.slots.comparison)


def _has_cause_or_effect(question: str, kind: QuestionType) -> bool:
    return bool(kind.slots.cause or kind.slots.effect)


def _asks_negated_list(question: str, kind: QuestionType) -> bool:
    slots = kind.slots
    return bool(slots.cause or slots.effect) and slots.condition is None and _NEGATED_QUESTION.match(question) is not None


def _has_several_topics(question: str, kind: QuestionType) -> bool:
    slots, options = kind.slots, kind.slots.options
    topic = "cause" if slots.effect is None else "effect"
    return bool(slots.cause or slots.effect) and options is not None and options.slot == topic and len(options.phrases) > 1


def _is_any(question: str, kind: QuestionType) -> bool:
    return True


class AnswererRow(NamedTuple):
    """A kind of question with its answerer, "MODULE:FUNCTION" below `kgqa.answering`; a `nested` one is made with `route`."""

    name: str
    test: Callable[[str, QuestionType], bool]
    answerer: str
    nested: bool = False


ANSWERERS = (
    AnswererRow("not causal", _is_noncausal, "refusals:refuse_noncausal"),
    AnswererRow("if, taken for granted", _has_assumed_if, "counterfactuals.counterfactual:answer_indicative", nested=True),
    AnswererRow("if A or B", _has_if_or, "counterfactuals.counterfactual:answer_alternatives", nested=True),
    AnswererRow("if A, then B?", _has_if_and_effect, "counterfactuals.counterfactual:answer_supposed_effect"),
    AnswererRow("if A, then what?", _has_if, "counterfactuals.counterfactual:answer_supposed_consequences"),
    AnswererRow("A to B or B to A?", _asks_direction, "verdicts.option_answers:answer_converse"),
    AnswererRow("A or B to C?", _has_options, "verdicts.option_answers:answer_disjunction", nested=True),
    AnswererRow("how A to B?", _asks_mechanism, "chains.chain_answer:answer_chain"),
    AnswererRow("A to B more than C?", _compares, "verdicts.option_answers:compare_by_support"),
    AnswererRow("A to B?", _has_cause_and_effect, "verdicts.verification:answer_verification"),
    AnswererRow("what not to A?", _asks_negated_list, "refusals:refuse_negated"),
    AnswererRow("what to A and B?", _has_several_topics, "lists.shared_causes:answer_shared_causes"),
    AnswererRow("what to A?", _has_cause_or_effect, "lists.listing:answer_listing"),
    AnswererRow("without a slot", _is_any, "refusals:refuse_without_slot"),
)


class AnswerSource(StrEnum):
    """What a question is answered from."""

    PASSAGES_AND_GRAPH = "passages and graph"
    GRAPH_THEN_SENTENCES = "graph, then the sentences it keeps"
    GRAPH = "graph"


READERS = {"whether": ("boolean",), "amount": ("numeric", "extractive"), "other": ("extractive", "numeric")}
"""The readers that a cascade tries in turn, by `expected_answer`."""


def route(question: str, kind: QuestionType) -> Answerer:
    """Return the answerer of a question of this type."""
    row = next(row for row in ANSWERERS if row.test(question, kind))
    module, _, function = row.answerer.partition(":")
    answerer = getattr(import_module(f"kgqa.answering.{module}"), function)
    chosen: Answerer = answerer(route) if row.nested else answerer
    return chosen


def route_source(*, settings: bool, passages: bool, sentences: bool) -> AnswerSource:
    """Return what to answer from, given whether there are settings of another world, passages, and kept sentences."""
    if passages and not settings:
        return AnswerSource.PASSAGES_AND_GRAPH
    return AnswerSource.GRAPH_THEN_SENTENCES if sentences and not settings else AnswerSource.GRAPH


def route_readers(question: str) -> Sequence[str]:
    """Return the names of the readers that a cascade tries for a question, cheapest first."""
    from kgqa.questions.question_form import expected_answer

    return READERS[expected_answer(question)]


def make_cascade_reader(model: str | None = None, settings: Settings | None = None) -> CascadeReader:
    """Return a cascade over the readers of `READERS`, and behind them those that `model` names, with commas between.

    Raises `ReaderUnknown` for an unknown name, and what making the readers raises.
    """
    from kgqa.readers.cascade import CascadeReader
    from kgqa.readers.registry import load_reader

    readers = {name: load_reader(name, settings) for name in sorted({name for names in READERS.values() for name in names})}
    return CascadeReader(route_readers, readers, [load_reader(name, settings) for name in (model or "").split(",") if name])
