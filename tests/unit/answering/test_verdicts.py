from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, CausalConnection, ContextSplit, Verdict, VerdictFlip
from kgqa.answering.evidence_kind import EvidenceKind, evidence_kind, evidence_weight
from kgqa.answering.verdicts.option_answers import compare_by_support
from kgqa.answering.verdicts.verification import answer_verification
from kgqa.answering.verdicts.verification_query import Sense, parse_proposition
from kgqa.linking.linker import link_phrase
from kgqa.pipeline import Pipeline
from kgqa.question import QuestionType, Semantic, SlotOptions, Slots
from kgqa.request import Request
from kgqa.wording.verdict_sentences import word_flips, word_separation

ASSERTED, NEGATED, HEDGED = Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED
BARE = Evidence(Source("causenet"), rule="causenet")
LESS = {"relation": Relation.PREVENTS, "polarity": Polarity.DECREASES}
LINK = {"relation": Relation.ASSOCIATED}


def record(title: str, stance: Stance = ASSERTED, **context: str) -> Evidence:
    source = Source("wikipedia", title=title, page_id=title)
    strength = Strength.CAUSES
    return Evidence(
        source, stance, strength, "test", f"what the page on {title} says of it", start=0, end=9, context=tuple(context.items())
    )


def said(cause: str, effect: str, records: Iterable[Evidence], **claim: object) -> Iterator[Statement]:
    for one in records:
        yield Statement(Claim(cause, effect, **claim), one)  # type: ignore[arg-type]


@pytest.fixture
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    yield store
    store.close()


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store, 5).answer(question)


def asked(store: GraphStore, question: str, slots: Slots) -> Answer:
    """Answer a question whose slots are given, so that the test depends on nothing that types questions."""
    kind = QuestionType(Semantic.VERIFICATION, slots)
    return answer_verification(Request(question, kind, store, 5, link_phrase))


def test_both_sides_are_shown_with_a_yes(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record(f"Page {n}") for n in "abcd"] + [record("Page e", NEGATED)]))
    store.add(said("frost", "rust", [record("Page f")], **LINK))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.YES
    assert answer.connection is CausalConnection.DIRECT
    assert "1 source denies it" in answer.sentence
    assert len(answer.against) == 1
    assert [finding.text for finding in answer.findings] == ["yes"]
    assert (answer.signals.support, answer.signals.against, answer.signals.steps) == (4, 1, 1)


def test_a_denial_that_is_somebodys_opinion_does_not_make_it_contested(store: GraphStore) -> None:
    denials = [record("Page a", NEGATED, attribution="Peter Miller"), record("Page b", NEGATED, attribution="critics")]
    store.add(said("frost", "rust", [record("Page c"), record("Page d"), *denials]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.YES
    assert "2 sources only report that somebody denies it" in answer.sentence


def test_a_denial_by_studies_counts_in_full(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b", NEGATED, attribution="two recent studies")]))
    assert ask(store, "Does frost cause rust?").verdict is Verdict.CONTESTED


def test_an_opinion_alone_refutes_nothing_and_proves_nothing(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a", NEGATED, attribution="Peter Miller")]))
    store.add(said("drought", "fever", [record("Page a", ASSERTED, attribution="Peter Miller")]))
    assert ask(store, "Does frost cause rust?").verdict is Verdict.UNKNOWN
    answer = ask(store, "Does drought cause fever?")
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.sentence == (
        "Unknown: no source itself says that drought causes fever; 1 source only reports that others think so."
    )


def test_an_entry_without_a_sentence_and_a_hedge_together_are_a_probable_yes(store: GraphStore) -> None:
    store.add(said("frost", "rust", [BARE, record("Page a", HEDGED)]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.YES
    assert answer.confidence <= 0.6
    assert answer.sentence.startswith("Yes, probably: 1 source says no more than that frost may cause rust; CauseNet says that")


def test_an_entry_without_a_sentence_alone_is_less_likely_than_not(store: GraphStore) -> None:
    store.add(said("frost", "rust", [BARE]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.sentence.startswith("Yes, perhaps: only CauseNet says, without a sentence that could be looked up, that frost")
    assert answer.confidence < 0.5


def test_one_hedge_alone_is_no_yes(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a", HEDGED)]))
    assert ask(store, "Does frost cause rust?").verdict is Verdict.UNKNOWN


def test_an_entry_without_a_sentence_is_no_yes_where_texts_only_speak_of_a_link(store: GraphStore) -> None:
    store.add(said("frost", "rust", [BARE]))
    store.add(said("frost", "rust", [record("Page a")], **LINK))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.UNKNOWN
    assert "linked" in answer.sentence


def test_a_hedge_answers_whether_it_can_be(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a", HEDGED)]))
    assert ask(store, "Does frost cause rust?").verdict is Verdict.UNKNOWN
    answer = ask(store, "Can frost cause rust?")
    assert answer.verdict is Verdict.YES
    assert "may cause" in answer.sentence


def test_a_denial_for_a_narrower_case_qualifies_and_does_not_refute(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b", NEGATED, population="in adults")]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.YES
    assert "denied only in adults" in answer.sentence


def test_a_denial_for_a_narrower_case_alone_refutes_nothing(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page b", NEGATED, population="in adults")]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.sentence.endswith("is denied, but only in adults.")


def test_what_is_used_for_something_does_not_cause_it(store: GraphStore) -> None:
    store.add(said("willow bark", "fever", [record("Page a"), record("Page b")], relation=Relation.IS_FOR))
    assert ask(store, "Does willow bark cause fever?").verdict is Verdict.UNKNOWN


def test_a_denial_of_what_has_the_same_stem_counts_where_nobody_asserts_the_claim(store: GraphStore) -> None:
    store.add(said("vaccine", "autism", [BARE]))
    store.add(said("vaccination", "autism", [record("Page a", NEGATED)]))
    answer = ask(store, "Do vaccines cause autism?")
    assert answer.verdict is Verdict.NO
    assert {cited.claim.cause for cited in answer.against} == {"vaccination"}


def test_a_denial_for_humans_is_a_denial_for_everybody(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page b", NEGATED, population="in humans")]))
    assert ask(store, "Does frost cause rust?").verdict is Verdict.NO


def test_a_denial_about_a_narrower_concept_does_not_refute_the_general_claim(store: GraphStore) -> None:
    store.add(said("winter frost", "rust", [record("Page a", NEGATED), record("Page b", NEGATED)]))
    store.add(said("frost", "ice", [record("Page c")]))
    assert ask(store, "Does frost cause rust?").verdict is Verdict.UNKNOWN


def test_a_narrower_case_makes_a_yes_that_says_so(store: GraphStore) -> None:
    store.add(said("severe frost", "rust", [record("Page a"), record("Page b")]))
    store.add(said("frost", "ice", [record("Page c")]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.YES
    assert answer.sentence.startswith("Yes, in some cases: ")


def test_a_wider_concept_makes_a_probable_yes_that_says_so(store: GraphStore) -> None:
    store.add(said("frost", "back pain", [record("Page a"), record("Page b")]))
    answer = ask(store, "Does frost cause lower back pain?")
    assert answer.verdict is Verdict.YES
    assert "no source speaks of lower back pain in particular" in answer.sentence
    assert answer.signals.link < 0.6


def test_a_question_about_a_population_is_answered_for_it(store: GraphStore) -> None:
    records = [record("Page a", population="in adults"), record("Page b", population="in adults")]
    denials = [record("Page c", NEGATED, population="in children")]
    store.add(said("frost", "rust", [*records, *denials]))
    slots = Slots("frost", "rust", population="in children")
    answer = asked(store, "Does frost cause rust in children?", slots)
    assert answer.verdict is Verdict.NO
    assert answer.sentence.startswith("No in children: ")
    assert asked(store, "Does frost cause rust in adults?", Slots("frost", "rust", population="adults")).verdict is Verdict.YES


def test_a_population_that_no_source_speaks_of_is_said(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")]))
    answer = asked(store, "Does frost cause rust in children?", Slots("frost", "rust", population="children"))
    assert answer.verdict is Verdict.YES
    assert answer.sentence.endswith("; no source says it of 'children' in particular.")
    answer = asked(store, "Does frost cause rust in humans?", Slots("frost", "rust", population="humans"))
    assert "in particular" not in answer.sentence


def test_what_separates_the_sides_of_a_contested_claim_is_said(store: GraphStore) -> None:
    records = [record("Page a", place="in Japan", time="in 1990"), record("Page b", place="in Japan")]
    store.add(said("frost", "rust", [*records, record("Page c", NEGATED, place="in Peru", time="in 1990")]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.CONTESTED
    assert answer.separation == ContextSplit("place", ("in Japan",), ("in Peru",))
    assert answer.sentence.endswith("in Japan yes, in Peru no.")
    assert answer.missing == ()


def test_what_only_one_side_or_one_of_many_says_separates_nothing(store: GraphStore) -> None:
    general = [record("Page a"), record("Page b"), record("Page c", NEGATED), record("Page d", NEGATED)]
    store.add(said("frost", "rust", [*general, record("Page e", population="in adults")]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.CONTESTED
    assert answer.separation is None
    assert answer.missing


def test_a_separation_is_worded() -> None:
    assert word_separation(ContextSplit("population", ("in adults",), ("in children",))) == "in adults yes, in children no"


def test_the_sources_that_a_verdict_rests_on_are_named(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")]))
    answer = ask(store, "Does frost cause rust?")
    assert answer.flips == (VerdictFlip(("Page a", "Page b"), Verdict.UNKNOWN),)
    words = word_flips(answer.flips, answer.signals.support)
    assert words == "2 independent sources; without the pages on Page a and Page b it becomes unknown"
    bare = word_flips((VerdictFlip(("CauseNet", "health.example.org"), Verdict.UNKNOWN),), 0)
    without = "without the page at health.example.org and the entry of CauseNet it becomes unknown"
    assert bare == f"no sentence that could be looked up; {without}"
    several = word_flips((VerdictFlip(("Frost",), Verdict.NO), VerdictFlip(("Rust",), Verdict.NO)), 2)
    assert several == "2 independent sources; without the page on Frost, or another such set, it becomes no"
    assert word_flips((), 7) == "7 independent sources; no 3 of them alone decide it"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Does frost prevent rust?", Verdict.YES),
        ("Does frost reduce rust?", Verdict.YES),
        ("Does frost affect rust?", Verdict.YES),
        ("Doesn't frost prevent rust?", Verdict.YES),
        ("Does frost cause rust?", Verdict.NO),
        ("Does frost increase rust?", Verdict.NO),
        ("Does rust prevent frost?", Verdict.NO),
    ],
)
def test_the_polarity_of_the_question_counts(store: GraphStore, question: str, verdict: Verdict) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")], **LESS))
    answer = ask(store, question)
    assert answer.verdict is verdict
    if question.endswith("e rust?") and verdict is Verdict.NO:
        assert answer.connection is CausalConnection.OPPOSITE
        assert "the opposite" in answer.sentence


@pytest.mark.parametrize(
    ("question", "sense", "may", "denied"),
    [
        ("Does frost cause rust?", Sense.MORE, False, False),
        ("Can frost affect rust?", Sense.EITHER, True, False),
        ("Doesn't frost cause rust?", Sense.MORE, False, False),
        ("Is it not true that frost causes rust?", Sense.MORE, False, False),
        ("Is it true that frost does not cause rust?", Sense.MORE, False, True),
        ("Is it false that frost causes rust?", Sense.MORE, False, True),
    ],
)
def test_what_a_question_puts_up_is_read_from_its_words(question: str, sense: Sense, may: bool, denied: bool) -> None:
    found = parse_proposition(question, Slots("frost", "rust"))
    assert (found.sense, found.may, found.denied) == (sense, may, denied)


def test_whether_it_is_not_so_is_answered_the_other_way_round(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")]))
    answer = asked(store, "Is it true that frost does not cause rust?", Slots("frost", "rust"))
    assert answer.verdict is Verdict.NO
    assert answer.findings[0].text == "no"
    assert "2 sources say that" in answer.sentence
    assert (len(answer.evidence), len(answer.against)) == (0, 2)


def test_why_something_is_not_so_is_answered_by_whether_it_is(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")]))
    kind = QuestionType(Semantic.CAUSE, Slots("frost", "rust"))
    answer = answer_verification(Request("Why doesn't frost cause rust?", kind, store, 5, link_phrase))
    assert answer.sentence.startswith("It does, as far as the graph knows: 2 sources say ")


def test_the_reverse_alone_is_a_no_where_the_two_have_the_roles_of_effect_and_cause(store: GraphStore) -> None:
    store.add(said("lightning", "thunder", [record("Page a")]))
    for effect in ("fire", "death", "forest damage", "power outage"):
        store.add(said("lightning", effect, [record("Page b")]))
    for cause in ("storm", "thunderstorm"):
        store.add(said(cause, "thunder", [record("Page c")]))
    answer = ask(store, "Does thunder cause lightning?")
    assert answer.verdict is Verdict.NO
    assert (
        answer.sentence == "No, probably the other way round: 1 source says that lightning causes thunder, and none the reverse."
    )
    assert 0.5 < answer.confidence < 0.95


def test_the_reverse_alone_is_no_answer_where_each_may_bring_about_the_other(store: GraphStore) -> None:
    store.add(said("poverty", "crime", [record("Page a"), record("Page b")]))
    store.add(said("crime", "insecurity", [record("Page c")]))
    assert ask(store, "Does crime cause poverty?").verdict is Verdict.NO
    store.add(said("insecurity", "poverty", [record("Page d")]))
    assert ask(store, "Does crime cause poverty?").verdict is Verdict.UNKNOWN


def test_what_is_said_to_cause_less_of_something_is_said_to_reduce_it(store: GraphStore) -> None:
    store.add(said("penalty", "deterrence of crime", [record("Page a"), record("Page b")]))
    store.add(said("poverty", "crime", [record("Page c")]))
    answer = ask(store, "Does the penalty deter crime?")
    assert answer.verdict is Verdict.YES
    assert answer.sentence == "Yes: 2 sources say that penalties cause deterrence of crime."


def test_what_causes_a_penalty_is_beside_the_point_where_it_is_asked_what_it_deters(store: GraphStore) -> None:
    store.add(said("murder", "penalty", [record("Page a")]))
    answer = ask(store, "Does the penalty deter murder?")
    assert answer.verdict is Verdict.UNKNOWN
    assert "murder causes" not in answer.sentence


def test_two_steps_that_prevent_are_no_prevention(store: GraphStore) -> None:
    for page in ("Page a", "Page b", "Page c"):
        store.add(said("shade", "heat stress", [record(page)], **LESS))
        store.add(said("heat stress", "insomnia", [record(page)], **LESS))
    assert ask(store, "Does shade prevent insomnia?").verdict is Verdict.UNKNOWN


def test_only_the_reverse_is_named_and_is_a_no_where_it_is_well_supported(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")]))
    store.add(said("drought", "fever", [record("Page a")]))
    answer = ask(store, "Does rust cause frost?")
    assert (answer.verdict, answer.connection) == (Verdict.NO, CausalConnection.REVERSED)
    answer = ask(store, "Does fever cause drought?")
    assert (answer.verdict, answer.connection) == (Verdict.UNKNOWN, CausalConnection.REVERSED)


def test_a_link_has_no_direction(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a"), record("Page b")]))
    answer = ask(store, "Is rust linked to frost?")
    assert answer.verdict is Verdict.YES
    assert "frost causes rust" in answer.sentence.lower()


def test_a_common_cause_is_named(store: GraphStore) -> None:
    store.add(said("summer", "ice cream", [record("Page a"), record("Page b")]))
    store.add(said("summer", "drowning", [record("Page a"), record("Page b")]))
    answer = ask(store, "Does ice cream cause drowning?")
    assert (answer.verdict, answer.connection) == (Verdict.UNKNOWN, CausalConnection.COMMON_CAUSE)
    assert "summer" in answer.sentence.lower()
    assert {cited.claim.cause for cited in answer.evidence} == {"summer"}


def test_a_mere_link_is_named(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a")], **LINK))
    for question in ("Does frost cause rust?", "Does rust cause frost?"):
        answer = ask(store, question)
        assert (answer.verdict, answer.connection) == (Verdict.UNKNOWN, CausalConnection.ASSOCIATED)


def test_what_is_said_of_the_two_besides_is_not_passed_over(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record("Page a", HEDGED)], **LESS))
    answer = ask(store, "Does frost cause rust?")
    assert answer.verdict is Verdict.UNKNOWN
    assert "it is only said that frost may prevent rust" in answer.sentence


def test_that_nothing_joins_two_well_known_concepts_is_said(store: GraphStore) -> None:
    for number in range(12):
        store.add(said("frost", f"effect{number}", [record("Page a")]))
        store.add(said(f"cause{number}", "rust", [record("Page a")]))
    answer = ask(store, "Does frost cause rust?")
    assert (answer.verdict, answer.connection) == (Verdict.UNKNOWN, CausalConnection.NONE)
    assert "12 claims" in answer.sentence


def test_a_comparison_is_answered_by_support_and_says_so(store: GraphStore) -> None:
    store.add(said("frost", "rust", [record(f"Page {n}") for n in "abcd"]))
    store.add(said("rain", "rust", [record("Page e")]))
    options = SlotOptions("cause", ("frost", "rain"), "or")
    kind = QuestionType(Semantic.VERIFICATION, Slots("frost", "rust", comparison="more than", options=options))
    answer = compare_by_support(Request("Does frost cause rust more than rain?", kind, store))
    assert answer.verdict is Verdict.YES
    assert "by support alone" in answer.sentence
    assert (answer.answer, [finding.text for finding in answer.findings]) == ("yes", ["yes"])
    kind = QuestionType(Semantic.VERIFICATION, Slots("frost", "rust", comparison="more than"))
    assert compare_by_support(Request("Does frost cause rust more?", kind, store)).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Rust", EvidenceKind.TEXT),
        ("Frozen (film)", EvidenceKind.OPINION),
        ("Norse mythology", EvidenceKind.OPINION),
        ("Corrosion", EvidenceKind.TEXT),
    ],
)
def test_tales_speak_as_opinions(title: str, expected: EvidenceKind) -> None:
    assert evidence_kind(record(title), Claim("frost", "rust")) is expected


@pytest.mark.parametrize("title", ["Rust denialism", "Rust conspiracy theory", "Frost and rust controversy", "Rust hesitancy"])
def test_a_page_about_a_disputed_view_tells_the_view(title: str) -> None:
    assert evidence_kind(record(title, NEGATED), Claim("frost", "rust")) is EvidenceKind.OPINION


def test_a_theory_that_is_about_the_claim_is_no_mere_view() -> None:
    assert evidence_kind(record("Germ theory"), Claim("germ", "disease")) is EvidenceKind.TEXT


def test_what_a_page_about_somebody_denies_weighs_no_more_than_a_hedge() -> None:
    assert evidence_weight(record("Peter Miller", NEGATED), Claim("frost", "rust")) == 0.25
    assert evidence_weight(record("Heart failure", NEGATED), Claim("frost", "rust")) == 1.0


def test_a_page_about_somebody_weighs_half_and_a_page_about_the_thing_in_full() -> None:
    assert evidence_weight(record("Peter Miller"), Claim("frost", "rust")) == 0.5
    assert evidence_weight(record("Agent Orange"), Claim("agent orange", "birth defect")) == 1.0
    assert evidence_weight(record("Heart failure"), Claim("frost", "rust")) == 1.0


@pytest.mark.parametrize("question", ["Does frost cause frost?", "Does the frost cause frosts?", "Does frost prevent frost?"])
def test_whether_something_bears_on_itself_is_not_answered(store: GraphStore, question: str) -> None:
    store.add(said("frost", "frosts", [BARE]))
    store.add(said("frost", "frosting", [record("Page a"), record("Page b")]))
    answer = ask(store, question)
    assert (answer.verdict, answer.confidence) == (Verdict.UNKNOWN, 0.0)
    assert "name the same thing, frost" in answer.sentence.replace("frosts;", "frost;")


def test_two_names_of_one_thing_are_said_to_be_so_where_no_source_joins_them(store: GraphStore) -> None:
    store.add(said("frost", "flu", [record("Page a")]))
    store.add(said("frost", "influenza", [record("Page b")]))
    assert "are names of the same thing" in ask(store, "Does the flu cause influenza?").sentence


def test_an_opposite_that_is_disputed_refutes_nothing_and_its_denial_is_shown(store: GraphStore) -> None:
    store.add(said("coffee", "rust", [record("Page a"), record("Page b", NEGATED)]))
    assert ask(store, "Does coffee cause rust?").verdict is Verdict.CONTESTED
    answer = ask(store, "Does coffee prevent rust?")
    assert (answer.verdict, answer.confidence) == (Verdict.UNKNOWN, 0.0)
    assert "1 source says the opposite, that coffee causes rust, which 1 source denies" in answer.sentence
    assert [one.evidence.stance for one in (*answer.evidence, *answer.against)] == [NEGATED, ASSERTED]


def test_an_opposite_that_few_deny_refutes_no_more_than_it_is_believed(store: GraphStore) -> None:
    store.add(said("coffee", "rust", [*(record(f"Page {n}") for n in "abcdef"), record("Page g", NEGATED)]))
    answer = ask(store, "Does coffee prevent rust?")
    assert answer.verdict is Verdict.NO
    assert "which 1 source denies" in answer.sentence
    assert answer.confidence <= ask(store, "Does coffee cause rust?").confidence


def test_a_denial_does_not_take_over_the_hedge_of_others(store: GraphStore) -> None:
    store.add(said("tea", "rust", [record("Page a", HEDGED), record("Page b", NEGATED), record("Page c", NEGATED)]))
    answer = ask(store, "Does tea cause rust?")
    assert answer.verdict is Verdict.NO
    assert "2 sources deny that tea causes rust, although 1 source says so with a hedge" in answer.sentence
