"""Answers to questions with an "if", over small graphs: verdicts with what is left, several edits, directions, what cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.protocols import GraphStore, GraphView
from graph.stores import open_store
from kgqa.answer_model import Answer, Route, Verdict
from kgqa.answering.counterfactuals.effect_outlook import closure_probability
from kgqa.interventions.graph_settings import parse_settings
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_phrase
from kgqa.pipeline import Pipeline

LESS = {"relation": Relation.PREVENTS, "polarity": Polarity.DECREASES}


def said(cause: str, effect: str, pages: str, stance: Stance = Stance.ASSERTED, **claim: object) -> Iterator[Statement]:
    """Yield one record for each letter of `pages`, each on a page of its own."""
    for page in pages:
        source = Source("wikipedia", title=f"Page {page}", page_id=page)
        evidence = Evidence(source, stance, Strength.CAUSES, "test", f"{cause} / {effect} on {page}", start=0, end=9)
        yield Statement(Claim(cause, effect, **claim), evidence)  # type: ignore[arg-type]


def stored(*claims: Iterable[Statement]) -> Iterator[GraphStore]:
    """Yield a graph in memory that holds some claims, and close it."""
    store = open_store("memory:", write=True)
    for statements in claims:
        store.add(statements)
    yield store
    store.close()


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    yield from stored(
        said("smoking", "lung cancer", "abc"),
        said("cigarette smoking", "lung cancer", "d"),
        said("radon", "lung cancer", "ef"),
        said("asbestos", "lung cancer", "gh"),
        said("chickenpox virus", "chickenpox", "abcdefghij"),
        said("scratch", "cat scratch fever", "a"),
        said("vaccine", "measles", "abc", **LESS),
        said("measles virus", "measles", "ab"),
        said("stress", "insomnia", "ab"),
        said("noise", "stress", "abc"),
        said("tea", "insomnia", "abc"),
        said("rain", "mud", "abc"),
        said("mud", "rash", "a", Stance.HEDGED),
        said("soap", "rash", "abc"),
        said("hiv", "aids", "abcdef"),
        said("needle", "aids", "ab"),
        said("needle", "hiv", "ab"),
        said("transfusion", "hiv", "ab"),
    )


def ask(store: GraphView, question: str) -> Answer:
    return Pipeline(store, 5).answer(question)


def test_what_has_other_causes_still_happens_and_they_are_named_with_their_beliefs(store: GraphStore) -> None:
    answer = ask(store, "Would lung cancer still happen if smoking were gone?")
    assert (answer.verdict, answer.answer, answer.route) == (Verdict.YES, "yes", Route.INTERVENTION_GRAPH)
    assert "2 other causes of lung cancer would remain: asbestos (0.9" in answer.sentence
    assert [one.text for one in answer.findings] == ["yes", "radon"]
    assert 0.8 < answer.confidence <= 0.95


def test_kinds_of_what_is_gone_are_gone_as_well(store: GraphStore) -> None:
    answer = ask(store, "Would lung cancer still happen if smoking were gone?")
    assert answer.change is not None
    assert answer.change.surviving == ("asbestos → lung cancer", "radon → lung cancer")
    assert "absent with it, as kinds of it: cigarette smoking" in answer.trace


def test_what_is_a_kind_of_what_is_gone_is_gone(store: GraphStore) -> None:
    answer = ask(store, "If there were no smoking, would there be cigarette smoking?")
    assert (answer.verdict, answer.sentence) == (
        Verdict.NO,
        "No: cigarette smoking is a kind of smoking, which is supposed to be gone.",
    )


def test_what_loses_its_only_cause_does_not_happen_as_far_as_the_graph_knows(store: GraphStore) -> None:
    answer = ask(store, "If there were no chickenpox virus, would chickenpox still exist?")
    assert answer.verdict is Verdict.NO
    assert "its only known cause, chickenpox virus; that the graph knows of no other is no proof" in answer.sentence


def test_a_no_is_the_surer_the_oftener_the_same_causes_were_told(store: GraphStore) -> None:
    often = ask(store, "If there were no chickenpox virus, would chickenpox still exist?")
    once = ask(store, "If there were no scratches, would cat scratch fever still exist?")
    assert (often.verdict, once.verdict) == (Verdict.NO, Verdict.NO)
    assert once.confidence < 0.3 < 0.8 < often.confidence


def test_how_probably_all_causes_are_known_follows_good_and_turing(store: GraphStore) -> None:
    one = next(link_phrase("chickenpox", store))
    assert closure_probability(store, one) == 0.95  # 1 - 0.5 / 11, but never surer than that
    assert closure_probability(store, next(link_phrase("cat scratch fever", store))) == pytest.approx(1 - 1.5 / 2)


def test_all_of_what_is_supposed_is_so(store: GraphStore) -> None:
    answer = ask(store, "If there were no smoking and no radon and no asbestos, would there still be lung cancer?")
    assert answer.verdict is Verdict.NO
    assert [(one.target, one.value) for one in answer.interventions] == [
        (name, "absent") for name in ("smoking", "radon", "asbestos")
    ]
    assert "lose its 4 known causes" in answer.sentence


def test_one_supposition_that_pulls_the_other_way_is_told(store: GraphStore) -> None:
    answer = ask(store, "If tea were banned and noise increased, what would happen to insomnia?")
    assert answer.answer == "pulled either way"
    assert "less likely, since tea causes insomnia, and more likely, since noise causes stress and" in answer.sentence


def test_either_of_two_suppositions_is_a_world_of_its_own(store: GraphStore) -> None:
    answer = ask(store, "If smoking or radon disappeared, would lung cancer still exist?")
    assert answer.verdict is Verdict.YES
    assert answer.sentence.startswith("Either way, yes: if it is 'smoking' that is gone: yes, but less likely, since")
    differing = ask(store, "If chickenpox virus or tea disappeared, would chickenpox still exist?")
    assert (differing.verdict, differing.answer, differing.confidence) == (Verdict.UNKNOWN, None, 0.0)
    assert differing.sentence.startswith("It depends: ")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("If smoking increased, would lung cancer increase?", Verdict.YES),
        ("If smoking increased, would lung cancer become rarer?", Verdict.NO),
        ("If smoking decreased, would lung cancer become rarer?", Verdict.YES),
        ("If there were more vaccines, would measles decrease?", Verdict.YES),
        ("If there were fewer vaccines, would measles spread?", Verdict.YES),
        ("If there were no vaccines, would measles disappear?", Verdict.NO),
        ("If smoking disappeared, would lung cancer disappear?", Verdict.NO),
        ("If chickenpox virus disappeared, would chickenpox disappear?", Verdict.YES),
        ("If smoking disappeared, would lung cancer be affected?", Verdict.YES),
        ("If vaccines were available and measles virus disappeared, would there be fewer measles?", Verdict.YES),
    ],
)
def test_a_question_for_a_direction_is_answered_by_the_signs_of_the_claims(
    store: GraphStore, question: str, verdict: Verdict
) -> None:
    assert ask(store, question).verdict is verdict


def test_more_and_less_are_said_to_be_directions_only(store: GraphStore) -> None:
    answer = ask(store, "If smoking decreased, what would happen to lung cancer?")
    assert answer.answer == "less likely"
    assert answer.sentence.endswith("only the direction follows from what the claims say, not how much.")
    assert answer.change is not None
    assert (answer.change.lost, answer.change.chances) == ((), None)
    assert [(one.target, one.value) for one in answer.interventions] == [("smoking", "less")]


def test_a_claim_that_is_supposed_away_cuts_its_own_routes_only(store: GraphStore) -> None:
    answer = ask(store, "If smoking did not cause lung cancer, would lung cancer still exist?")
    assert answer.verdict is Verdict.YES
    assert answer.change is not None
    assert answer.change.lost == ("smoking → lung cancer",)
    assert "cigarette smoking → lung cancer" in answer.change.surviving


def test_a_claim_that_is_supposed_is_put_in(store: GraphStore) -> None:
    answer = ask(store, "If soap caused lung cancer, what would happen to lung cancer?")
    assert answer.answer == "more likely"
    assert answer.change is not None
    assert answer.change.gained == ("soap → lung cancer",)
    less = ask(store, "If soap prevented lung cancer, what would happen to lung cancer?")
    assert less.answer == "less likely"


def test_a_claim_that_nobody_makes_cannot_be_supposed_away(store: GraphStore) -> None:
    answer = ask(store, "If soap did not cause lung cancer, would lung cancer still exist?")
    assert (answer.verdict, answer.answer) == (Verdict.UNKNOWN, None)
    assert "nothing changes: no claim that 'soap' bears on 'lung cancer'" in answer.sentence


def test_what_is_only_believed_by_less_than_a_half_is_no_cause_that_is_left(store: GraphStore) -> None:
    answer = ask(store, "Would there be rashes without soap?")
    assert answer.verdict is not Verdict.YES
    assert "only doubtful causes would remain, such as mud (0." in answer.sentence


def test_a_cause_that_may_only_work_by_way_of_what_is_gone_keeps_nothing_up(store: GraphStore) -> None:
    answer = ask(store, "If there were no HIV, would AIDS still exist?")
    assert (answer.verdict, answer.answer) == (Verdict.UNKNOWN, None)
    assert "needle is left out, since said to cause HIV as well" in answer.sentence
    assert ask(store, "If there were no needles, would AIDS still exist?").verdict is Verdict.YES


def test_what_follows_from_what_is_looked_up(store: GraphStore) -> None:
    known = ask(store, "If noise stopped and, because of that, stress did not occur, would insomnia still happen?")
    assert known.verdict is Verdict.YES
    assert "that this follows from 'noise': the graph knows it, too (noise → stress)" in known.trace
    unknown = ask(store, "If tea stopped and, because of that, stress did not occur, would insomnia still happen?")
    assert any("the graph knows no way from tea to stress; it was supposed as it was said" in step for step in unknown.trace)


def test_without_a_route_it_is_unknown_with_the_causes_that_are_known(store: GraphStore) -> None:
    answer = ask(store, "Would lung cancer still happen if there were no tea?")
    assert (answer.verdict, answer.answer, answer.confidence) == (Verdict.UNKNOWN, None, 0.0)
    assert any("4 causes of 'lung cancer'" in one.where for one in answer.missing)


def test_a_supposition_of_what_the_graph_does_not_know_is_left_out_and_said_to_be(store: GraphStore) -> None:
    answer = ask(store, "If there were no smoking and no quokkas, would there still be lung cancer?")
    assert answer.verdict is Verdict.YES
    assert [one.what for one in answer.missing] == ["what depends on 'quokkas'"]
    alone = ask(store, "If there were no quokkas, would there still be lung cancer?")
    assert (alone.verdict, alone.answer) == (Verdict.UNKNOWN, None)


@pytest.mark.parametrize(
    "question",
    [
        "If smoking stopped and smoking increased, would there be lung cancer?",
        "If smoking stopped, would there be lung cancer if there were more smoking?",
        "If tea were gone and tea continued, would insomnia happen?",
        "If smoking caused lung cancer and smoking did not cause lung cancer, would lung cancer exist?",
    ],
)
def test_suppositions_that_contradict_one_another_decide_nothing(store: GraphStore, question: str) -> None:
    answer = ask(store, question)
    assert answer.answer is None
    assert answer.verdict in (None, Verdict.UNKNOWN)
    assert "cannot be" in answer.sentence or "both is and is not" in answer.sentence


def test_where_no_effect_is_named_all_that_depends_on_it_is_listed(store: GraphStore) -> None:
    answer = ask(store, "What if there was no noise and no tea?")
    assert "Less likely: " in answer.sentence
    assert {one.text for one in answer.findings} == {"stress", "insomnia"}
    assert answer.sentence == "Less likely: stress and insomnia."


def test_an_if_that_takes_something_for_so_sets_no_world_and_says_so(store: GraphStore) -> None:
    answer = ask(store, "How come smoking causes lung cancer if there is no radon?")
    assert answer.interventions == ()
    assert answer.trace[0] == "the 'if' takes something for so and does not only suppose it (mood 0.01): no world was set"
    assert answer.missing[-1].what == "whether it is so, as the question takes for granted: there is no radon"


def test_a_linker_of_ones_own_reads_the_phrases_of_every_world(store: GraphStore) -> None:
    def link(phrase: str, view: GraphView) -> Iterator[ConceptLink]:
        if phrase == "fags":
            yield ConceptLink(phrase, ("smoking",), 0.9, "own")
        else:
            yield from link_phrase(phrase, view)

    supposed = Pipeline(store, linker=link).answer("If there were no fags, would there still be lung cancer?")
    assert supposed.interventions[0].target == "smoking"
    from kgqa.interventions.graph_settings import parse_setting

    listed = Pipeline(store, linker=link, settings=[parse_setting("fags=absent")]).answer("What causes lung cancer?")
    assert listed.interventions[0].target == "smoking"
    effects = Pipeline(store, linker=link, settings=[parse_setting("lung cancer=absent")]).answer("What does fags cause?")
    assert effects.change is not None
    assert effects.change.lost == ("lung cancer",)


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("Does smoking cause lung cancer or does lung cancer cause smoking?", "smoking → lung cancer", "the other way round"),
        ("Does lung cancer cause smoking or vice versa?", "smoking → lung cancer", "the other way round"),
        ("Does lung cancer cause smoking or is it the other way around?", "smoking → lung cancer", "the other way round"),
        ("Does soap cause mud or does mud cause soap?", None, "neither"),
    ],
)
def test_a_question_for_either_direction_gets_both(store: GraphStore, question: str, answer: str | None, told: str) -> None:
    found = ask(store, question)
    assert found.answer == answer
    assert told in found.sentence.lower()
    assert found.sentence.count(" → ") >= 2


def test_a_second_question_about_something_else_is_no_converse(store: GraphStore) -> None:
    answer = ask(store, "Does smoking cause lung cancer or does tea cause insomnia?")
    assert answer.answer != "both"
    assert " → " not in answer.sentence


@pytest.fixture(scope="module")
def body() -> Iterator[GraphStore]:
    yield from stored(
        said("insulin", "glycogen synthesis", "ab"),
        said("insulin deficiency", "ketoacidosis", "abc"),
        said("cfc", "ozone depletion", "ab"),
        said("ozone depletion", "skin cancer", "ab"),
        said("bee", "pollination", "ab"),
        said("crop", "food", "ab"),
        said("alcohol", "violence", "ab"),
        said("alcohol consumption", "liver damage", "ab"),
        said("deforestation", "flood", "ab"),
        said("forest", "shade", "ab"),
        said("smoking", "lung cancer", "abc"),
        said("pipe smoking", "lung cancer", "ab"),
        said("radon", "lung cancer", "ab"),
    )


def test_the_lack_of_what_is_gone_is_there_and_comes_first(body: GraphStore) -> None:
    answer = ask(body, "What would happen if the pancreas stopped making insulin?")
    assert answer.sentence == "More likely: ketoacidosis; less likely: glycogen synthesis."
    assert [(one.target, one.value) for one in answer.interventions] == [
        ("insulin deficiency", "present"),
        ("insulin", "absent"),
    ]


def test_who_has_more_of_something_has_no_lack_of_it(body: GraphStore) -> None:
    answer = ask(body, "If people had more insulin, what would happen to ketoacidosis?")
    assert answer.answer in ("less likely", "no known cause left")


def test_what_names_something_of_the_effect_is_told_as_near(body: GraphStore) -> None:
    answer = ask(body, "If there were no CFCs, what would happen to the ozone layer?")
    nearest = "the graph names nothing nearer to 'the ozone layer'"
    assert answer.sentence == f"Less likely: ozone depletion; in turn less likely: skin cancer; {nearest}."


def test_where_the_effect_is_not_reached_what_follows_is_named_without_being_the_answer(body: GraphStore) -> None:
    answer = ask(body, "If bees disappeared, what would happen to our crops?")
    assert answer.answer is None
    assert "does say would follow: less likely: pollination" in answer.sentence


def test_how_something_is_taken_in_goes_with_it(body: GraphStore) -> None:
    answer = ask(body, "If people drank less alcohol, what would happen to liver damage?")
    assert answer.answer == "less likely"
    assert answer.sentence.startswith("Liver damage would become less likely, since alcohol consumption causes liver damage")


@pytest.mark.parametrize(
    "question",
    [
        "If there was a ban on smoking, what would happen to lung cancer?",
        "If smoking were made illegal, what would happen to lung cancer?",
        "If smoking were no longer allowed, what would happen to lung cancer?",
        "If nobody smoked any more, what would happen to lung cancer rates?",
        "What would become of lung cancer if people smoked less?",
        "What happens to lung cancer if you stop smoking?",
    ],
)
def test_what_is_supposed_is_read_in_any_wording(body: GraphStore, question: str) -> None:
    assert ask(body, question).answer == "less likely"


def test_a_forest_that_is_cut_down_is_deforestation(body: GraphStore) -> None:
    answer = ask(body, "If all forests were cut down, what would happen to floods?")
    assert answer.answer == "more likely"


def test_a_setting_by_hand_takes_kinds_away_as_an_if_does(body: GraphStore) -> None:
    pipeline = Pipeline(body, 5, settings=parse_settings(["smoking=absent"]))
    change = pipeline.answer("What causes lung cancer?").change
    assert change is not None
    assert {route.concepts[0] for route in change.removed} == {"smoking", "pipe smoking"}


def test_who_goes_without_a_thing_lacks_it_and_does_not_take_it_from_the_world() -> None:
    for store in stored(said("iron", "steel", "ab"), said("iron deficiency", "fatigue", "ab")):
        assert "fatigue" in ask(store, "What happens if you stop taking iron when you are pregnant?").sentence
        assert "steel" not in ask(store, "What happens if you don't get iron?").sentence
        assert "steel" in ask(store, "What would happen if there were no iron?").sentence


@pytest.fixture(scope="module")
def world() -> Iterator[GraphStore]:
    yield from stored(
        said("antidepressant", "nausea", "abc"),
        said("antidepressant", "depression", "abc", **LESS),
        said("antidepressant withdrawal", "dizziness", "abc"),
        said("antacid", "heartburn", "abc", **LESS),
        said("antacid", "constipation", "abc"),
        said("bee", "pollination", "abc"),
        said("bee", "allergic reaction", "a"),
        *[said(f"allergen {number}", "allergic reaction", "a") for number in range(16)],
        said("pollination", "fruit set", "abc"),
        said("extinction of bees", "crop failure", "ab"),
        said("world war ii", "cold war", "abc"),
        said("defeat of germany in world war ii", "division of germany", "abc"),
        said("oil price increase", "inflation", "abc"),
        said("oil price increase", "electrification of railway", "abc"),
        said("deforestation", "biodiversity", "abc", polarity=Polarity.DECREASES),
        said("fall of rome", "use of concrete in construction of small private houses", "a"),
    )


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What happens if you stop taking antidepressants suddenly?", "More likely: dizziness."),
        ("What happens if you stop taking antacids?", "More likely: heartburn."),
        ("What if there were no antacids?", "More likely: heartburn; less likely: constipation."),
        ("What would happen if bees went extinct?", "More likely: crop failures; less likely: pollination."),
        (
            "What if Germany had won World War II?",
            "Unknown: the graph does not say what would follow if Germany had won World War II; ",
        ),
        ("If the price of oil doubled, what would happen to the economy?", "More likely: inflation."),
        ("What if deforestation doubled?", "More likely: a fall in biodiversity; only the direction"),
        ("Suppose there were no bees. What then?", "More likely: crop failures; less likely: pollination."),
    ],
)
def test_what_follows_is_what_an_editor_would_name(world: GraphStore, question: str, sentence: str) -> None:
    assert ask(world, question).sentence.startswith(sentence)


def test_what_followed_from_an_outcome_that_there_was_is_told_of_a_contrary_one(world: GraphStore) -> None:
    answer = ask(world, "What would have happened if Germany had won World War II?")
    assert answer.answer is None
    assert answer.sentence.endswith("the defeat of Germany in World War II as it was: the Division of Germany.")


def test_what_no_editor_would_name_is_little_that_is_known(world: GraphStore) -> None:
    answer = ask(world, "What would happen if Rome fell?")
    assert answer.sentence.startswith("The graph knows little of it: perhaps more likely: ")
    assert answer.confidence < 0.5


def test_a_setting_by_hand_says_the_same_as_its_if(world: GraphStore) -> None:
    by_hand = Pipeline(world, 5, settings=parse_settings(["bees=absent"]))
    assert by_hand.answer("What would happen?").sentence == ask(world, "What would happen if there were no bees?").sentence
    supposed = ask(world, "If there were no bees, would pollination still happen?").sentence
    assert by_hand.answer("Would pollination still happen?").sentence == supposed


def test_a_setting_by_hand_leaves_other_questions_as_they_are(world: GraphStore) -> None:
    answer = Pipeline(world, 5, settings=parse_settings(["bees=absent"])).answer("What causes pollination?")
    assert answer.sentence.startswith("With bee absent: ")
