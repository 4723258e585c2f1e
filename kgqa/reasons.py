"""What an answer says, why, and what it lacks, as data; `kgqa.wording` makes English of it.

Each kind of reason, gap and step is one of a fixed set of names; its facts are the concepts, phrases, edges, paths and numbers
that it is about, in the order in which the function of `kgqa.wording` that words the kind takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple


class Conclusion:
    """What an answer says, as data: each kind of answer has a subclass, a frozen dataclass."""

    __slots__ = ()

    @property
    def is_thin(self) -> bool:
        """Whether it says little: a claim without how, something wider, what an editor would hardly name."""
        return False


# fmt: off
Reason = Literal[
    "invalid_question", "not_said", "doubtful_chain", "negated_list", "no_causal_question", "no_slot", "rarest", "held_back",
    "same_thing", "shared_cause", "other_claim", "no_claim", "unfamiliar", "contradictory_settings", "unknown_claim",
    "same_ends", "nothing_left", "weak_setting", "no_passage", "foreign_text", "no_reader", "impossible_condition",
    "undecided_reader", "not_in_passage", "unsupported_reading", "none_of_kind", "near_claims", "claims_near",
    "other_consequences", "contrary_event", "little_known", "linked_elsewhere", "links_untold", "marked_wrong",
]
# fmt: on
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


@dataclass(frozen=True, slots=True)
class Respelling(Conclusion):
    """The conclusion for a question whose word `wrong`, which nothing knows, was read as `right`."""

    wrong: str
    right: str
    conclusion: Conclusion | str


# fmt: off
Need = Literal[
    "question", "causes", "effects", "aim", "purpose", "condition", "prevention", "prevented", "blocking", "linked_causes",
    "linked_effects", "causes_of_all", "effects_of_all", "common_cause", "common_effect", "referent", "chain", "valid_chain",
    "dependents", "dependence", "route", "possible_world", "premise", "option_evidence", "direction_evidence",
    "different_things", "concept", "claim", "source", "plain_evidence", "separation", "comparison", "frequency",
    "more_sources", "single_question", "other_questions", "causal_question", "slot", "passage", "english_text", "reader",
    "possible_condition", "deciding_sentence", "telling_passage", "calculation", "open_slot",
    "joining_claim",
]
# fmt: on
"""What is missing for an answer."""


# fmt: off
Remedy = Literal[
    "none", "no_concept", "wider_concept", "near_names", "no_such_claim", "texts_about_it", "texts_about_both",
    "texts_about_them", "both_texts", "texts_stating_it", "texts_claiming_it", "texts_with_context", "more_texts", "figures",
    "two_things", "possible_chain", "left_out", "one_supposition", "ask_separately", "other_causes", "ask_one_by_one",
    "example_claim", "example_list", "name_slot", "passage_with_words", "translation", "reader_option",
    "reason", "other_text", "no_rule", "claims_of_wider", "nearest_part", "larger_graph", "linked_article", "corpus_article",
    "broken_chain",
]
# fmt: on
"""Where what is missing may be found, or why the graph does not have it."""


class GapPlace(NamedTuple):
    """Where what is missing probably is: behind a link with its anchor, in an article, in a claim, or by a command.

    `text` is the title, the claim or the command; `offset` is that of the anchor in the passage, `sentence` its number from 1.
    """

    kind: Literal["link", "article", "claim", "command"]
    text: str
    probability: float | None = None
    anchor: str = ""
    offset: int | None = None
    sentence: int | None = None


class Missing(NamedTuple):
    """A gap: what an answer lacks (`need` of `names`), and where it may be found (`remedy` with its `details`).

    `slot` is the part of the question that is open, `type` what sort of thing would fill it, `places` where that probably is.
    """

    need: Need
    names: tuple[str, ...] = ()
    remedy: Remedy = "none"
    details: tuple[Any, ...] = ()
    slot: str = ""
    type: str = ""
    places: tuple[GapPlace, ...] = ()


# fmt: off
StepKind = Literal[
    "of_part", "verdict", "no_direct_claim", "same_thing", "no_claim_as_asked", "tier_size", "order", "shared", "chains",
    "chain_validity", "doubtful_chain", "opposite_chain", "presumed", "supposed", "kinds_removed", "causes_left", "lost",
    "gained", "follows", "route_validity", "driving_route", "hindering_route", "causes_before", "causes_after", "cause_changes",
    "remaining_causes", "closure", "indicative", "list_before", "list_after", "risk_kept", "held_back", "read",
    "reader_candidates", "chosen", "undecided_reader", "no_answer_likelier", "nothing_sure", "graph_refused",
    "sentences_read", "reader_refused", "both_answers", "agreement", "no_promise", "hypothetical", "reader_sure",
    "edit_candidates", "no_edit", "not_asked_again", "asked_again", "second_answer", "kept_sentence", "unsupported_reading",
    "supposed_verdict",
    "stated", "stated_verdict", "premise", "doubtful_premise", "contested_premise", "suspect_premise",
    "unchecked_premises", "unanswered_rest", "hop", "links_nowhere", "links_ambiguous", "links_forbidden", "links_unweighed",
    "namesakes", "broken_chain", "followed", "corpus_read", "claims_read", "marked_wrong",
]
# fmt: on
"""A kind of decision from the question to the answer."""


class Step(NamedTuple):
    """One decision, with its facts."""

    kind: StepKind
    facts: tuple[Any, ...] = ()
