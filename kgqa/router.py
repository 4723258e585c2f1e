"""The router: which answerer and which readers a question gets.

The first row of `ANSWERERS` whose features a question has is taken, and its module then imported; no answerer imports the
router.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from graph.model import Relation
from kgqa.question import Attribute, QuestionType, Semantic
from kgqa.questions.preprocess import converse_questions

if TYPE_CHECKING:
    from kgqa.readers.reader import CascadeReader
    from kgqa.request import Answerer
    from kgqa.settings import Settings

_ANTECEDENTS = (Semantic.CAUSE, Semantic.GOAL, Semantic.PURPOSE, Semantic.ENABLEMENT)
_LEAST_SUPPOSED_MOOD = 0.5
"""Below this mood an "if" takes something for granted rather than supposes it."""
_EITHER_DIRECTION = re.compile(r"\bor (?:does|do|did|can|could|is|are|was|were|will|vice versa|the)\b", re.IGNORECASE)
_NEGATED_QUESTION = re.compile(r"\b(?:what|which)\b.*\b(?:not|never|cannot|\w+n['’]t)\b", re.IGNORECASE)

_BOTH_SIDES = frozenset(("telegraphic.x-causes-and-effects", "telegraphic.x-from-what-to-what"))
"""The rules of notes that ask for causes and effects alike."""
_REMEDY = frozenset(("remedy.what-to-do-so-not", "remedy.what-to-do-to-not"))
"""The rules of questions whose "not" says what is to be prevented."""


class AnswererRow(NamedTuple):
    """A kind of question, the features that it has, and its answerer: "MODULE:FUNCTION" below `kgqa.answering`.

    A `nested` answerer takes `route` besides.
    """

    name: str
    features: Set[str]
    answerer: str
    nested: bool = False


ANSWERERS = (
    AnswererRow("not causal", {"noncausal"}, "refusals:refuse_noncausal"),
    AnswererRow("if, taken for granted", {"assumed"}, "counterfactuals.counterfactual:answer_indicative", nested=True),
    AnswererRow("if A or B", {"if", "alternatives"}, "counterfactuals.counterfactual:answer_alternatives", nested=True),
    AnswererRow("if A, then B?", {"if", "effect"}, "counterfactuals.counterfactual:answer_supposed"),
    AnswererRow("if A, then what?", {"if"}, "counterfactuals.counterfactual:answer_supposed"),
    AnswererRow("A to B to C?", {"cause and effect", "steps"}, "verdicts.option_answers:answer_steps", nested=True),
    AnswererRow("A to B or B to A?", {"converse"}, "verdicts.option_answers:answer_converse"),
    AnswererRow("how A and B connected?", {"cause and effect", "connection"}, "chains.connections:answer_connection"),
    AnswererRow("A or B to C?", {"cause and effect", "choice"}, "verdicts.option_answers:answer_disjunction", nested=True),
    AnswererRow("how A to B?", {"cause and effect", "mechanism"}, "chains.chain_answer:answer_chain"),
    AnswererRow("A to B more than C?", {"cause and effect", "comparison"}, "verdicts.option_answers:compare_by_support"),
    AnswererRow("A to B?", {"cause and effect"}, "verdicts.verification:answer_verification"),
    AnswererRow("what not to A?", {"cause or effect", "negated"}, "refusals:refuse_negated"),
    AnswererRow("what to A and B?", {"cause or effect", "several"}, "lists.shared_causes:answer_shared_causes"),
    AnswererRow("A: causes and effects?", {"effect", "both sides"}, "lists.both_sides:answer_both_sides"),
    AnswererRow("why A?", {"effect", "why"}, "chains.chain_answer:answer_list_or_clause"),
    AnswererRow("why is there A?", {"cause or effect", "purpose"}, "chains.chain_answer:answer_causes_or_purposes"),
    AnswererRow("what to A?", {"cause or effect"}, "lists.listing:answer_listing"),
    AnswererRow("without a slot", set(), "refusals:refuse_without_slot"),
)


def _features(question: str, kind: QuestionType) -> set[str]:
    slots, condition, options = kind.slots, kind.slots.condition, kind.slots.options
    verification = kind.semantic is Semantic.VERIFICATION
    # Why something does *not* lead to another thing presupposes what a verdict must establish first.
    denied = Attribute.EXPECTATIONAL in kind.attributes
    topic = "cause" if slots.effect is None else "effect"
    features = {
        "noncausal": kind.semantic is None,
        "assumed": kind.mood is not None and kind.mood < _LEAST_SUPPOSED_MOOD and kind.semantic in _ANTECEDENTS,
        "if": condition is not None and Attribute.COUNTERFACTUAL in kind.attributes,
        "alternatives": condition is not None and condition.also and condition.joined == "or",
        "effect": slots.effect is not None,
        "cause and effect": slots.cause and slots.effect,
        "cause or effect": slots.cause or slots.effect,
        "converse": verification and _EITHER_DIRECTION.search(question) and converse_questions(question, kind),
        "choice": options is not None and not slots.comparison and (verification or options.joined == "or"),
        "steps": options is not None and options.joined == "then",
        "connection": kind.semantic is Semantic.CAUSE and slots.relation is Relation.ASSOCIATED,
        "mechanism": not verification and not denied,
        "comparison": slots.comparison,
        "negated": condition is None and _REMEDY.isdisjoint(kind.rules) and _NEGATED_QUESTION.match(question),
        "why": question.lower().startswith(("why", "how")),
        "purpose": kind.semantic is Semantic.PURPOSE and slots.cause and not slots.effect,
        "both sides": not _BOTH_SIDES.isdisjoint(kind.rules),
        "several": options is not None and options.slot == topic and len(options.phrases) > 1,
    }
    return {name for name, holds in features.items() if holds}


def answerer_row(question: str, kind: QuestionType) -> AnswererRow:
    """Return the row of a question: the first whose features it has."""
    features = _features(question, kind)
    return next(row for row in ANSWERERS if row.features <= features)


READERS = {"whether": "boolean", "computed": "numeric", "read": "extractive"}
"""The reader of a question by how it is answered: with yes or no, from numbers of the passage, or by words of it."""


def route(question: str, kind: QuestionType) -> Answerer:
    """Return the answerer of a question of this type."""
    row = answerer_row(question, kind)
    module, _, function = row.answerer.partition(":")
    answerer = getattr(import_module(f"kgqa.answering.{module}"), function)
    chosen: Answerer = partial(answerer, route=route) if row.nested else answerer
    return chosen


def route_reader(question: str) -> str:
    """Return the name of the reader that a cascade asks first, by the form of a question."""
    from kgqa.questions.question_form import QuestionForm, question_form_of
    from kgqa.readers.numeric.amount_question import parse_amount_question
    from kgqa.readers.numeric.numeric_question import parse_numeric_question
    from kgqa.readers.numeric.scoring_plays import parse_play_query

    if question_form_of(question) is QuestionForm.WHETHER:
        return READERS["whether"]
    parsers = parse_numeric_question, parse_amount_question, parse_play_query
    computed = any(parse(question) is not None for parse in parsers)
    return READERS["computed" if computed else "read"]


def make_cascade_reader(model: str | None = None, settings: Settings | None = None) -> CascadeReader:
    """Return a cascade over the readers of `READERS`, and behind them those that `model` names, with commas between.

    Raises `ReaderUnknown` for an unknown name, and what making the readers raises.
    """
    from kgqa.readers.reader import CascadeReader, load_reader

    readers = {name: load_reader(name, settings) for name in READERS.values()}
    return CascadeReader(route_reader, readers, [load_reader(name, settings) for name in (model or "").split(",") if name])
