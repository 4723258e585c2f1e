"""How a claim that sources state comes about: the chains that are shown beside it, and the clauses that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, Verdict
from kgqa.pipeline import Pipeline


def said(cause: str, effect: str, pages: Iterable[str], relation: Relation = Relation.CAUSES) -> Iterator[Statement]:
    """Yield one record for each page."""
    for page in pages:
        source = Source("wikipedia", title=page, page_id=page)
        yield Statement(Claim(cause, effect, relation), Evidence(source, rule="test", text=f"{cause}, {effect}, {page}", start=0))


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
    assert beside.sentence == (
        "Malaria causes death; it can do so through anemia (malaria causes anemia and anemia causes death)."
    )
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


def test_a_long_chain_needs_claims_over_its_neighbours() -> None:
    steps = ("cholera", "diarrhea"), ("diarrhea", "dehydration"), ("dehydration", "death")
    claims = [said("cholera", "death", "xyz"), *(said(*step, "ab") for step in steps)]
    question = "How does cholera lead to death?"
    assert "not how" in answer_over(question, *claims).sentence
    claims = [said("cholera", "death", "xyz"), *(said(*step, "ab") for step in steps)]
    claims += [said("cholera", "dehydration", "ab"), said("diarrhea", "death", "ab")]
    assert "through" in answer_over(question, *claims).sentence


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
