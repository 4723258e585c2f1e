"""What an answer says, why, and what it lacks, as data; `kgqa.wording` makes English of it.

Each kind of reason, gap and step is a member of an enumeration; its facts are the concepts, phrases, edges, paths and numbers
that it is about, in the order in which the function of `kgqa.wording` that words the kind takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class Conclusion:
    """What an answer says, as data: each kind of answer has a subclass, a frozen dataclass."""

    __slots__ = ()


Reason = Enum(
    "Reason",
    """
    INVALID_QUESTION NOT_SAID DOUBTFUL_CHAIN NEGATED_LIST NO_CAUSAL_QUESTION NO_SLOT RAREST HELD_BACK SAME_THING
    SHARED_CAUSE OTHER_CLAIM NO_CLAIM UNFAMILIAR CONTRADICTORY_SETTINGS UNKNOWN_CLAIM SAME_ENDS NOTHING_LEFT
    WEAK_SETTING NO_PASSAGE FOREIGN_TEXT NO_READER IMPOSSIBLE_CONDITION UNDECIDED_READER NOT_IN_PASSAGE
    UNSUPPORTED_READING
    """,
)
"""Why a question has no answer."""


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


Need = Enum(
    "Need",
    """
    QUESTION CAUSES EFFECTS AIM PURPOSE CONDITION PREVENTION PREVENTED BLOCKING LINKED_CAUSES LINKED_EFFECTS
    CAUSES_OF_ALL EFFECTS_OF_ALL COMMON_CAUSE COMMON_EFFECT REFERENT CHAIN VALID_CHAIN DEPENDENTS DEPENDENCE ROUTE
    POSSIBLE_WORLD PREMISE OPTION_EVIDENCE DIRECTION_EVIDENCE DIFFERENT_THINGS CONCEPT CLAIM SOURCE PLAIN_EVIDENCE
    SEPARATION COMPARISON FREQUENCY MORE_SOURCES SINGLE_QUESTION OTHER_QUESTIONS CAUSAL_QUESTION SLOT PASSAGE
    ENGLISH_TEXT READER POSSIBLE_CONDITION DECIDING_SENTENCE TELLING_PASSAGE CALCULATION NUMERIC_READER
    """,
)
"""What is missing for an answer."""


Remedy = Enum(
    "Remedy",
    """
    NONE NO_CONCEPT WIDER_CONCEPT NEAR_NAMES NO_SUCH_CLAIM TEXTS_ABOUT_IT TEXTS_ABOUT_BOTH TEXTS_ABOUT_THEM BOTH_TEXTS
    TEXTS_STATING_IT TEXTS_CLAIMING_IT TEXTS_WITH_CONTEXT MORE_TEXTS FIGURES TWO_THINGS POSSIBLE_CHAIN LEFT_OUT
    ONE_SUPPOSITION ASK_SEPARATELY OTHER_CAUSES ASK_ONE_BY_ONE EXAMPLE_CLAIM EXAMPLE_LIST NAME_SLOT PASSAGE_WITH_WORDS
    TRANSLATION READER_OPTION CASCADE_OPTION REASON OTHER_TEXT NO_RULE
    """,
)
"""Where what is missing may be found, or why the graph does not have it."""


class Missing(NamedTuple):
    """A gap: what an answer lacks (`need` of `names`), and where it may be found (`remedy` with its `details`)."""

    need: Need
    names: tuple[str, ...] = ()
    remedy: Remedy = Remedy.NONE
    details: tuple[Any, ...] = ()


StepKind = Enum(
    "StepKind",
    """
    OF_PART VERDICT NO_DIRECT_CLAIM SAME_THING NO_CLAIM_AS_ASKED TIER_SIZE ORDER SHARED CHAINS CHAIN_VALIDITY
    DOUBTFUL_CHAIN OPPOSITE_CHAIN SUPPOSED KINDS_REMOVED CAUSES_LEFT LOST GAINED FOLLOWS ROUTE_VALIDITY DRIVING_ROUTE
    HINDERING_ROUTE CAUSES_BEFORE CAUSES_AFTER CAUSE_CHANGES REMAINING_CAUSES CLOSURE INDICATIVE LIST_BEFORE LIST_AFTER
    RISK_KEPT HELD_BACK READ READER_CANDIDATES CHOSEN UNDECIDED_READER NO_ANSWER_LIKELIER NOTHING_SURE GRAPH_REFUSED
    SENTENCES_READ READER_REFUSED BOTH_ANSWERS AGREEMENT NO_PROMISE HYPOTHETICAL READER_SURE EDIT_CANDIDATES NO_EDIT
    NOT_ASKED_AGAIN ASKED_AGAIN SECOND_ANSWER KEPT_SENTENCE UNSUPPORTED_READING
    """,
)
"""A kind of decision from the question to the answer."""


class Step(NamedTuple):
    """One decision, with its facts."""

    kind: StepKind
    facts: tuple[Any, ...] = ()
