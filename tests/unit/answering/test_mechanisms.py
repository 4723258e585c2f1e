"""How a claim that sources state comes about: the chains that are shown beside it, and the clauses that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from graph.model import Claim, Evidence, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, Verdict
from kgqa.pipeline import Pipeline


def said(
    cause: str, effect: str, pages: Iterable[str], relation: Relation = Relation.CAUSES, stance: Stance = Stance.ASSERTED
) -> Iterator[Statement]:
    """Yield one record for each page."""
    for page in pages:
        source = Source("wikipedia", title=page, page_id=page)
        evidence = Evidence(source, stance, rule="test", text=f"{cause}, {effect}, {page}", start=0)
        yield Statement(Claim(cause, effect, relation), evidence)


def answer_over(question: str, *statements: Iterator[Statement]) -> Answer:
    store: GraphStore = open_store("memory:", write=True)
    with store:
        for some in statements:
            store.add(some)
        return Pipeline(store, 5).answer(question)


def test_a_chain_beside_a_claim_is_shown_though_it_is_too_doubtful_alone() -> None:
    steps = ("malaria", "anemia", "ab"), ("anemia", "death", "c")
    alone = answer_over("How does malaria lead to death?", *(said(*step) for step in steps))
    beside = answer_over("How does malaria kill people?", said("malaria", "death", "xyz"), *(said(*step) for step in steps))
    assert beside.sentence == ("Malaria causes death; it can do so because it causes anemia, which causes death.")
    assert [finding.text for finding in beside.findings] == ["malaria → anemia → death", "malaria → death"]
    assert beside.confidence > alone.confidence


def test_up_to_three_ways_are_shown_and_none_says_the_same_as_another() -> None:
    middles = ("stroke", "blood clot", "heart failure", "severe stroke")
    ways = (said(*ends, "ab") for middle in middles for ends in (("smoking", middle), (middle, "death")))
    answer = answer_over("How does smoking lead to death?", said("smoking", "death", "xyz"), *ways)
    assert len(answer.findings) == 4
    assert {"blood clot", "heart failure"} < {finding.path.concepts[1] for finding in answer.findings}


def test_what_says_no_more_than_an_end_is_no_way() -> None:
    answer = answer_over(
        "How does brain damage lead to epileptic seizures?",
        said("brain damage", "epileptic seizures", "xyz"),
        said("brain damage", "epilepsy", "ab"),
        said("epilepsy", "epileptic seizures", "ab"),
    )
    assert "the graph says that, but not how" in answer.sentence


def test_a_long_chain_needs_claims_over_its_neighbours_or_a_text_that_tells_it() -> None:
    steps = ("cholera", "diarrhea", "ab"), ("diarrhea", "dehydration", "cd"), ("dehydration", "death", "ef")
    question = "How does cholera lead to death?"
    assert "not how" in answer_over(question, said("cholera", "death", "xyz"), *(said(*step) for step in steps)).sentence
    claims = [said("cholera", "death", "xyz"), *(said(*step) for step in steps)]
    claims += [said("cholera", "dehydration", "gh"), said("diarrhea", "death", "gh")]
    assert "because" in answer_over(question, *claims).sentence
    told = answer_over(question, said("cholera", "death", "xyz"), *(said(*step[:2], "ab") for step in steps))
    assert told.sentence == (
        "Cholera causes death; it can do so because it causes diarrhea, which causes dehydration, which causes death."
    )


def test_a_prevention_comes_about_by_a_step_that_lessens() -> None:
    answer = answer_over(
        "How does aspirin prevent heart attacks?",
        said("aspirin", "heart attack", "xyz", Relation.PREVENTS),
        said("aspirin", "blood clot", "ab", Relation.PREVENTS),
        said("blood clot", "heart attack", "ab"),
        said("aspirin", "nausea", "ab"),
        said("nausea", "heart attack", "ab"),
    )
    assert answer.answer == "aspirin → blood clot → heart attack"
    assert "nausea" not in answer.sentence


def test_the_subject_of_a_clause_without_a_name_is_its_cause() -> None:
    for question in ("Why does salt raise thirst?", "How does salt make people thirsty?", "In what way does salt cause thirst?"):
        answer = answer_over(question, said("salt", "thirst", "abc"))
        assert answer.answer == "salt → thirst"


def test_why_somebody_did_something_is_not_answered_by_what_came_of_it() -> None:
    answer = answer_over("Why did Brutus kill Caesar?", said("brutus", "death of caesar", "abc"))
    assert answer.answer is None


def test_the_causes_of_an_effect_are_no_answer_where_the_subject_is_left_out() -> None:
    answer = answer_over("how come drinking makes people dizzy", said("nitrous oxide", "dizziness", "abc"))
    assert answer.answer is None


def test_what_makes_something_smaller_reduces_its_size() -> None:
    claim = said("transistor", "size of computers", "abc", Relation.PREVENTS)
    assert answer_over("How did the transistor make computers smaller?", claim).verdict is Verdict.YES


def test_a_claim_with_a_hedge_answers_how_with_its_hedge() -> None:
    question = "How do higher interest rates bring down inflation?"
    claim = ("higher interest rate", "inflation", "a", Relation.PREVENTS, Stance.HEDGED)
    alone = answer_over(question, said(*claim))
    assert alone.sentence == "Higher interest rates may prevent inflation; the graph says that, but not how."
    chain = said("higher interest rate", "borrowing", "bc", Relation.PREVENTS), said("borrowing", "inflation", "bc")
    through = answer_over(question, said(*claim), *chain)
    assert through.sentence == (
        "Higher interest rates can reduce or prevent inflation, through borrowing: higher interest rates prevent borrowing, "
        "which causes inflation; it is also said directly that higher interest rates may prevent inflation."
    )


def test_an_opinion_is_no_answer_to_how_and_is_told() -> None:
    source = Source("wikipedia", title="Joints", page_id="1")
    opinion = Evidence(source, Stance.HEDGED, rule="test", start=0, context=(("attribution", "a common claim"),))
    answer = answer_over(
        "How does knuckle cracking cause arthritis?", iter([Statement(Claim("knuckle cracking", "arthritis"), opinion)])
    )
    assert answer.answer is None
    assert "no source itself says that knuckle cracking causes arthritis; 1 source only reports that" in answer.sentence


def test_a_prevention_that_nothing_claims_comes_about_by_a_chain_whose_signs_multiply_to_less() -> None:
    answer = answer_over(
        "How does dancing prevent insomnia?",
        said("dancing", "stress", "abc", Relation.PREVENTS),
        said("stress", "insomnia", "abc"),
        said("dancing", "fatigue", "abc"),
        said("fatigue", "insomnia", "abc"),
    )
    assert (
        answer.sentence
        == "Dancing can reduce or prevent insomnia, through stress: dancing prevents stress, which causes insomnia."
    )


def test_a_chain_that_one_text_tells_comes_before_one_joined_from_two() -> None:
    answer = answer_over(
        "How does smoking lead to death?",
        said("smoking", "death", "xyz"),
        said("smoking", "lung disease", "ab"),
        said("lung disease", "death", "cd"),
        said("smoking", "heart attack", "ab"),
        said("heart attack", "death", "ab"),
    )
    assert answer.answer == "smoking → heart attack → death"


def test_a_device_does_what_it_is_named_after_does() -> None:
    claim = said("microwave", "heating of food", "abc")
    answer = answer_over("How does a microwave oven heat food?", claim, said("microwave oven", "burn", "a"))
    assert answer.sentence.startswith("Microwaves cause heating of food")
    assert "'a microwave oven' read as 'microwave' (what it works with)" in answer.sentence


@pytest.mark.parametrize("question", ["Why do we have seasons?", "Why do the seasons change?", "Why do seasons exist?"])
def test_why_there_is_a_thing_that_nobody_made_asks_for_its_causes(question: str) -> None:
    statements = (
        said("axial tilt", "season", "ab"),
        said("axial tilt", "change of seasons", "ab"),
        said("season", "migration", "ab"),
    )
    assert answer_over(question, *statements).answer == "axial tilt"


def test_why_there_is_a_thing_that_is_made_asks_for_its_purpose() -> None:
    statements = said("brake", "stopping of car", "ab", Relation.IS_FOR), said("engineer", "brake", "ab")
    assert answer_over("Why do we have brakes?", *statements).answer == "stopping of car"


def test_the_condition_of_a_why_is_its_cause_where_the_graph_knows_it_as_such_and_else_a_circumstance() -> None:
    answer = answer_over("Why does iron rust when there are acids?", said("acid", "rusting of iron", "abc"))
    assert answer.answer == "acid → rusting of iron"
    other = answer_over(
        "Why do house prices rise when there are lots of jobs?", said("shortage of houses", "rise in house price", "abc")
    )
    assert other.answer == "shortage of houses"
    assert "say nothing of 'when there are lots of jobs'" in other.sentence


def test_how_a_thing_forms_asks_for_the_causes_of_its_formation_as_well() -> None:
    statements = said("warm water", "hurricane", "abc"), said("low wind shear", "formation of hurricane", "abc")
    texts = {finding.text for finding in answer_over("How do hurricanes form?", *statements).findings}
    assert texts == {"warm water", "low wind shear"}


def test_where_nothing_tells_how_the_main_other_causes_of_the_effect_are_told() -> None:
    source = Source("wikipedia", title="Malaria", page_id="1")
    rated = Evidence(source, rule="test", text="...", start=0, context=(("as cause", "main"),))
    statements = said("mosquito", "malaria", "ab"), iter([Statement(Claim("plasmodium", "malaria"), rated)])
    answer = answer_over("How do mosquitoes cause malaria?", *statements)
    assert answer.sentence.endswith("but not how; it also knows plasmodium as a main cause of malaria.")


@pytest.mark.parametrize("whom", ["a child", "grown men", "the body over the years"])
def test_what_something_does_to_somebody_is_all_that_it_does_where_no_more_is_known(whom: str) -> None:
    answer = answer_over(f"What does bullying do to {whom}?", said("bullying", "depression", "abc"))
    assert answer.answer == "depression"
    assert answer.sentence.startswith(f"The sources say nothing of '{whom}' in particular; in general:")


def test_a_state_of_people_has_the_causes_of_the_state() -> None:
    answer = answer_over("Why did sailors get scurvy?", said("vitamin C deficiency", "scurvy", "abc"))
    assert (answer.answer, answer.type.slots.population) == ("vitamin c deficiency", "sailors")
    assert "nothing of 'sailors' in particular" in answer.sentence
    ill = answer_over("Why do people with anemia feel tired?", said("anemia", "fatigue", "abc"))
    assert ill.sentence.startswith("Anemia causes fatigue")


def test_people_with_a_name_are_not_left_out() -> None:
    assert answer_over("Why do Somali fishermen get scurvy?", said("vitamin C deficiency", "scurvy", "abc")).answer is None


@pytest.mark.parametrize(
    "question",
    ["Why is measles dangerous?", "Why is measles so bad for small children?", "Why was measles such an important event?"],
)
def test_why_something_is_dangerous_or_important_asks_for_its_effects(question: str) -> None:
    statements = said("measles virus", "measles", "abc"), said("measles", "encephalitis", "abc")
    answer = answer_over(question, *statements)
    assert (answer.answer, answer.type.slots.cause) == ("encephalitis", "measles")
    assert answer_over(question, said("measles", "encephalitis", "a", stance=Stance.HEDGED)).answer is None
