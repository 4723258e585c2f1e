"""What an answer says, why, and what it lacks, as data; `kgqa.wording` makes English of it.

Each kind of reason, gap and step is a member of an enumeration; its facts are the concepts, phrases, edges, paths and numbers
that it is about, in the order in which the function of `kgqa.wording` that words the kind takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple


class Conclusion:
    """What an answer says, as data: each kind of answer has a subclass, a frozen dataclass."""

    __slots__ = ()


class Reason(Enum):
    """Why a question has no answer."""

    INVALID_QUESTION = auto()
    NOT_SAID = auto()
    DOUBTFUL_CHAIN = auto()
    NEGATED_LIST = auto()
    NO_CAUSAL_QUESTION = auto()
    NO_SLOT = auto()
    RAREST = auto()
    HELD_BACK = auto()
    SAME_THING = auto()
    SHARED_CAUSE = auto()
    OTHER_CLAIM = auto()
    NO_CLAIM = auto()
    UNFAMILIAR = auto()
    CONTRADICTORY_SETTINGS = auto()
    UNKNOWN_CLAIM = auto()
    SAME_ENDS = auto()
    NOTHING_LEFT = auto()
    WEAK_SETTING = auto()
    NO_PASSAGE = auto()
    FOREIGN_TEXT = auto()
    NO_READER = auto()
    IMPOSSIBLE_CONDITION = auto()
    UNDECIDED_READER = auto()
    NOT_IN_PASSAGE = auto()
    UNSUPPORTED_READING = auto()


@dataclass(frozen=True, slots=True)
class Refusal(Conclusion):
    """That a question has no answer, with the reason and the facts of the reason."""

    reason: Reason
    facts: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class FirstOfSeveral(Conclusion):
    """The conclusion for the first causal question of a text that holds `number` questions."""

    number: int
    question: str
    conclusion: Conclusion | str


class Need(Enum):
    """What is missing for an answer."""

    QUESTION = auto()
    CAUSES = auto()
    EFFECTS = auto()
    AIM = auto()
    PURPOSE = auto()
    CONDITION = auto()
    PREVENTION = auto()
    PREVENTED = auto()
    BLOCKING = auto()
    LINKED_CAUSES = auto()
    LINKED_EFFECTS = auto()
    CAUSES_OF_ALL = auto()
    EFFECTS_OF_ALL = auto()
    COMMON_CAUSE = auto()
    COMMON_EFFECT = auto()
    REFERENT = auto()
    CHAIN = auto()
    VALID_CHAIN = auto()
    DEPENDENTS = auto()
    DEPENDENCE = auto()
    ROUTE = auto()
    POSSIBLE_WORLD = auto()
    PREMISE = auto()
    OPTION_EVIDENCE = auto()
    DIRECTION_EVIDENCE = auto()
    DIFFERENT_THINGS = auto()
    CONCEPT = auto()
    CLAIM = auto()
    SOURCE = auto()
    PLAIN_EVIDENCE = auto()
    SEPARATION = auto()
    COMPARISON = auto()
    FREQUENCY = auto()
    MORE_SOURCES = auto()
    SINGLE_QUESTION = auto()
    OTHER_QUESTIONS = auto()
    CAUSAL_QUESTION = auto()
    SLOT = auto()
    PASSAGE = auto()
    ENGLISH_TEXT = auto()
    READER = auto()
    POSSIBLE_CONDITION = auto()
    DECIDING_SENTENCE = auto()
    TELLING_PASSAGE = auto()
    CALCULATION = auto()
    NUMERIC_READER = auto()


class Remedy(Enum):
    """Where what is missing may be found, or why the graph does not have it."""

    NONE = auto()
    NO_CONCEPT = auto()
    WIDER_CONCEPT = auto()
    NEAR_NAMES = auto()
    NO_SUCH_CLAIM = auto()
    TEXTS_ABOUT_IT = auto()
    TEXTS_ABOUT_BOTH = auto()
    TEXTS_ABOUT_THEM = auto()
    BOTH_TEXTS = auto()
    TEXTS_STATING_IT = auto()
    TEXTS_CLAIMING_IT = auto()
    TEXTS_WITH_CONTEXT = auto()
    MORE_TEXTS = auto()
    FIGURES = auto()
    TWO_THINGS = auto()
    POSSIBLE_CHAIN = auto()
    LEFT_OUT = auto()
    ONE_SUPPOSITION = auto()
    ASK_SEPARATELY = auto()
    OTHER_CAUSES = auto()
    ASK_ONE_BY_ONE = auto()
    EXAMPLE_CLAIM = auto()
    EXAMPLE_LIST = auto()
    NAME_SLOT = auto()
    PASSAGE_WITH_WORDS = auto()
    TRANSLATION = auto()
    READER_OPTION = auto()
    CASCADE_OPTION = auto()
    REASON = auto()
    OTHER_TEXT = auto()
    NO_RULE = auto()


class Missing(NamedTuple):
    """A gap: what an answer lacks (`need` of `names`), and where it may be found (`remedy` with its `details`)."""

    need: Need
    names: tuple[str, ...] = ()
    remedy: Remedy = Remedy.NONE
    details: tuple[Any, ...] = ()


class StepKind(Enum):
    """A kind of decision from the question to the answer."""

    OF_PART = auto()
    VERDICT = auto()
    NO_DIRECT_CLAIM = auto()
    SAME_THING = auto()
    NO_CLAIM_AS_ASKED = auto()
    TIER_SIZE = auto()
    ORDER = auto()
    SHARED = auto()
    CHAINS = auto()
    CHAIN_VALIDITY = auto()
    DOUBTFUL_CHAIN = auto()
    OPPOSITE_CHAIN = auto()
    SUPPOSED = auto()
    KINDS_REMOVED = auto()
    CAUSES_LEFT = auto()
    LOST = auto()
    GAINED = auto()
    FOLLOWS = auto()
    ROUTE_VALIDITY = auto()
    DRIVING_ROUTE = auto()
    HINDERING_ROUTE = auto()
    CAUSES_BEFORE = auto()
    CAUSES_AFTER = auto()
    CAUSE_CHANGES = auto()
    REMAINING_CAUSES = auto()
    CLOSURE = auto()
    INDICATIVE = auto()
    LIST_BEFORE = auto()
    LIST_AFTER = auto()
    RISK_KEPT = auto()
    HELD_BACK = auto()
    READ = auto()
    READER_CANDIDATES = auto()
    CHOSEN = auto()
    UNDECIDED_READER = auto()
    NO_ANSWER_LIKELIER = auto()
    NOTHING_SURE = auto()
    GRAPH_REFUSED = auto()
    SENTENCES_READ = auto()
    READER_REFUSED = auto()
    BOTH_ANSWERS = auto()
    AGREEMENT = auto()
    NO_PROMISE = auto()
    HYPOTHETICAL = auto()
    READER_SURE = auto()
    EDIT_CANDIDATES = auto()
    NO_EDIT = auto()
    NOT_ASKED_AGAIN = auto()
    ASKED_AGAIN = auto()
    SECOND_ANSWER = auto()
    KEPT_SENTENCE = auto()
    UNSUPPORTED_READING = auto()


class Step(NamedTuple):
    """One decision, with its facts."""

    kind: StepKind
    facts: tuple[Any, ...] = ()
