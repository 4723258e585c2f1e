from __future__ import annotations

from dataclasses import replace
from importlib import resources

import pytest

from graph.model import Claim, Edge, Evidence, Path, Source, Stance
from kgqa.answer_model import Answer, CitedEvidence, Route, Verdict
from kgqa.answering.findings import edge_finding
from kgqa.question import Pragmatic, QuestionType, Semantic, Slots
from kgqa.wording.presentation import present_answer, source_authority

CLAIM = Claim("broccoli", "constipation")


def cited(title: str = "", url: str = "", kind: str = "wikipedia", stance: Stance = Stance.ASSERTED) -> CitedEvidence:
    return CitedEvidence(CLAIM, Evidence(Source(kind, title, page_id=title, url=url), stance))


def answered(
    pragmatic: Pragmatic | None,
    *evidence: CitedEvidence,
    against: tuple[CitedEvidence, ...] = (),
    semantic: Semantic | None = Semantic.CAUSE,
) -> Answer:
    """An answer with five findings, presented for a pragmatic type."""
    kind = QuestionType(semantic, Slots(effect="constipation"), pragmatic=pragmatic)
    findings = tuple(edge_finding(Edge(Claim(f"cause {number}", "constipation"), 0.9, 1)) for number in range(5))
    plain = Answer("q", kind, Route.GRAPH, "Causes of constipation: a.", "cause 0", None, findings, 0.9, evidence, against)
    return present_answer(plain, kind)


def test_without_a_pragmatic_type_nothing_is_added() -> None:
    answer = answered(None, cited("Tea"))
    assert (answer.notes, answer.sentence, len(answer.findings)) == ((), "Causes of constipation: a.", 5)


@pytest.mark.parametrize("pragmatic", [Pragmatic.PHYSICAL_WORLD, Pragmatic.PROBLEM_PRACTICAL, Pragmatic.LANGUAGE])
def test_types_that_ask_for_nothing_besides_leave_the_answer(pragmatic: Pragmatic) -> None:
    assert answered(pragmatic, cited("Tea")) == replace(answered(None, cited("Tea")), type=answered(pragmatic).type)


def test_what_is_not_causal_is_left_alone() -> None:
    assert answered(Pragmatic.IRRATIONAL_FUTURE, semantic=None).route is Route.GRAPH


@pytest.mark.parametrize("pragmatic", [Pragmatic.PROBLEM_MEDICAL, Pragmatic.PREVENTION_MEDICAL])
def test_medical_answers_name_authoritative_sources_first_and_end_with_advice(pragmatic: Pragmatic) -> None:
    some, own, health = cited("Film"), cited("Constipation"), cited(url="https://www.nhs.uk/x", kind="clueweb12")
    answer = answered(pragmatic, some, own, health)
    assert answer.evidence == (health, own, some)
    assert "doctor" in answer.notes[-1]


def test_medical_answers_show_both_sides() -> None:
    denial = cited("Broccoli", stance=Stance.NEGATED)
    answer = answered(Pragmatic.PROBLEM_MEDICAL, cited("Film"), cited("Soap"), against=(denial,))
    assert answer.against == (denial,)
    assert answer.notes[0] == "Sources disagree about 1 of the claims that this rests on."
    verdict = present_answer(replace(answer, remarks=(), verdict=Verdict.YES), answer.type)
    assert verdict.notes[0] == "Sources disagree: 2 sources for it and 1 source against it are shown."


@pytest.mark.parametrize(
    ("effect", "confidence", "noted"),
    [
        ("tiredness", 0.6, False),
        ("tiredness", 0.9, True),
        ("gout", 0.6, True),
        ("volcanoes", 0.9, False),
        ("acid rain", 0.9, False),
        ("blood clots", 0.9, True),
        ("kidney stones", 0.9, True),
        ("World War II", 0.9, False),
        ("global warming", 0.9, False),
        ("a heart attack", 0.6, True),
    ],
)
def test_advice_is_given_where_the_question_is_about_health(effect: str, confidence: float, noted: bool) -> None:
    slots = Slots(effect=effect)
    kind = QuestionType(Semantic.CAUSE, slots, pragmatic=Pragmatic.PROBLEM_MEDICAL, pragmatic_confidence=confidence)
    assert bool(present_answer(Answer("q", kind, Route.GRAPH, "Causes: a.", "a"), kind).notes) is noted


@pytest.mark.parametrize(
    ("cause", "effect", "noted"),
    [
        ("the Cold War", "World War II", False),
        ("burning fossil fuels", "global warming", False),
        ("a cold", "World War II", True),
        ("thalidomide", None, True),
        ("a nuclear explosion", None, False),
    ],
)
def test_a_word_of_a_name_and_an_article_are_no_illness(cause: str, effect: str | None, noted: bool) -> None:
    kind = QuestionType(
        Semantic.VERIFICATION, Slots(cause, effect), pragmatic=Pragmatic.PROBLEM_MEDICAL, pragmatic_confidence=0.6
    )
    assert bool(present_answer(Answer("q", kind, Route.GRAPH, "Yes.", "yes"), kind).notes) is noted


def test_a_medical_refusal_does_not_speak_of_sources() -> None:
    assert answered(Pragmatic.PROBLEM_MEDICAL).notes == (
        "kgqa gives no medical advice: ask a doctor or another professional about your own case.",
    )


def test_a_medical_answer_without_authority_says_so() -> None:
    assert "None of the sources is a health authority" in answered(Pragmatic.PROBLEM_MEDICAL, cited("Film")).notes[0]
    assert not any("None of the sources" in note for note in answered(Pragmatic.PROBLEM_MEDICAL, cited("Broccoli")).notes)


@pytest.mark.parametrize(("title", "kind"), [("Constipation (disorder)", "wikipedia"), ("The constipation", "text")])
def test_a_source_about_what_the_question_names_is_about_the_subject(title: str, kind: str) -> None:
    record = Evidence(Source(kind, title, page_id=title))
    answer = answered(Pragmatic.PROBLEM_MEDICAL, CitedEvidence(Claim("broccoli", "severe constipation"), record))
    assert not any("None of the sources" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("url", "rank"),
    [
        ("http://www.ncbi.nlm.nih.gov/pubmed/1", 3),
        ("http://www.ada.gov/", 2),
        ("http://med.stanford.edu/x", 2),
        ("http://notwho.int.example.com/", 0),
        ("http://mywho.int/", 0),
        ("http://[broken", 0),
        ("", 0),
    ],
)
def test_a_host_has_the_authority_of_the_longest_end_of_its_name(url: str, rank: int) -> None:
    assert source_authority(cited(url=url, kind="clueweb12")) == rank


def test_every_authority_has_a_reason() -> None:
    table = resources.files("kgqa.wording").joinpath("data/authorities.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith(("#", "what\t"))]
    assert rows
    assert all(why and rank in ("1", "2", "3") for _, _, rank, why in rows)


@pytest.mark.parametrize("pragmatic", [Pragmatic.COPING_MENTAL, Pragmatic.COPING_ANGER])
def test_coping_answers_tell_where_to_find_help(pragmatic: Pragmatic) -> None:
    assert "help" in answered(pragmatic).notes[-1]


@pytest.mark.parametrize("pragmatic", [Pragmatic.SOCIAL_ISSUES, Pragmatic.ENTERTAINMENT])
def test_opinions_are_attributed(pragmatic: Pragmatic) -> None:
    assert answered(pragmatic).sentence.startswith("Sources hold this: ")


def test_the_rational_future_is_conditional() -> None:
    answer = answered(Pragmatic.RATIONAL_FUTURE)
    assert answer.sentence.startswith("If it came about, this might follow: ")
    assert answer.findings


def test_the_irrational_future_gets_no_causal_claim() -> None:
    answer = answered(Pragmatic.IRRATIONAL_FUTURE, cited("Dream"), against=(cited("Omen"),))
    assert (answer.route, answer.answer, answer.findings, answer.evidence, answer.against) == (Route.NONE, None, (), (), ())
    assert answer.confidence == answer.signals.support == 0
    assert answer.sentence.startswith("No causal claim is made")


def test_an_omen_that_is_asked_whether_is_unknown() -> None:
    kind = QuestionType(Semantic.VERIFICATION, Slots("a black cat", "bad luck"), pragmatic=Pragmatic.IRRATIONAL_FUTURE)
    assert present_answer(Answer("q", kind, Route.GRAPH, "Yes.", "yes", Verdict.YES), kind).verdict is Verdict.UNKNOWN


def test_trivia_is_short() -> None:
    evidence = CitedEvidence(Claim("cause 0", "constipation"), Evidence(Source("text", "A")))
    other = CitedEvidence(Claim("cause 4", "constipation"), Evidence(Source("text", "B")))
    answer = answered(Pragmatic.TRIVIA, evidence, other)
    assert len(answer.findings) == 3
    assert answer.evidence == (evidence,)
    assert isinstance(answer.findings[0].path, Path)


@pytest.mark.parametrize("pragmatic", list(Pragmatic))
def test_a_refusal_is_never_turned_into_a_claim(pragmatic: Pragmatic) -> None:
    kind = QuestionType(Semantic.CAUSE, Slots(effect="x"), pragmatic=pragmatic)
    answer = present_answer(Answer("q", kind, Route.NONE, "Unknown: x."), kind)
    assert (answer.route, answer.answer, answer.findings) == (Route.NONE, None, ())
    assert answer.sentence.startswith(("Unknown: x.", "No causal claim"))
