"""What the sentences of a passage state on whether something is so."""

from __future__ import annotations

import pytest

from kgqa.answer_model import Verdict
from kgqa.passages.stated_verdict import stated_verdict
from kgqa.questions.classifier import classify
from kgqa.readers.reader import Passage

TOLL = (
    "The town of Vell brought in a road toll in 2012. In the following year traffic in the centre fell by a fifth, but takings "
    "in the shops rose. The noise at night did not change. The council rejected the claim that the toll had ruined the bakery."
)
DIET = "The rash was not caused by germs but by the diet. Cod oil had no effect on it. Salt slows the healing of the skin."
SIDES = (
    "Farmers around Orm say that the new dam has killed the trout of the river. The power company denies this and points to a "
    "hot summer. The dam was finished in 2015."
)


HALTED = (
    "All departures were halted after a digger had cut a cable. The thunderstorm of the same hour played no part. Export sales "
    "fell as the strong currency made the goods dearer. Herons take many frogs, but they are not the reason for the decline. "
    "Miss Lund asked if the rise was due to the new website. The secretary thought not."
)
PIE = (
    "In January 23 patients fell ill. The kitchen came under suspicion first, since many had eaten the fish pie, but samples of "
    "the pie were clean. Two panes burst. Hot sunshine was popularly held responsible, but tests have ruled it out."
)


@pytest.mark.parametrize(
    ("passage", "question", "verdict"),
    [
        (TOLL, "Did the toll increase traffic in the centre?", Verdict.NO),
        (TOLL, "Did takings in the shops rise in the following year?", Verdict.YES),
        (TOLL, "Did the noise at night change?", Verdict.NO),
        (TOLL, "Did the toll ruin the bakery?", Verdict.NO),
        (TOLL, "Did the mayor of the town resign?", Verdict.UNKNOWN),
        (HALTED, "Did the thunderstorm bring departures to a halt?", Verdict.NO),
        (HALTED, "Did the strong currency cause export sales to fall?", Verdict.YES),
        (HALTED, "Are herons the reason for the decline?", Verdict.NO),
        (HALTED, "Did the new website cause the rise?", Verdict.NO),
        (DIET, "Was the rash caused by germs?", Verdict.NO),
        (PIE, "Did the fish pie make the patients ill?", Verdict.NO),
        (PIE, "Was hot sunshine the reason why the panes burst?", Verdict.NO),
        (DIET, "Was the rash caused by the diet?", Verdict.YES),
        (DIET, "Did cod oil reduce the rash?", Verdict.NO),
        (DIET, "Does salt slow down the healing of the skin?", Verdict.YES),
        (SIDES, "Has the new dam killed the trout?", Verdict.CONTESTED),
        ("Otters have become more common in the Sila since 1978.", "Have otters become rarer in the Sila?", Verdict.NO),
        ("Dr Sand tested whether violin lessons improve arithmetic.", "Do violin lessons improve arithmetic?", None),
        ("Smoking causes lung cancer.", "Does lung cancer cause smoking?", None),
    ],
)
def test_a_verdict_is_what_the_passage_states(passage: str, question: str, verdict: Verdict | None) -> None:
    stated = stated_verdict(question, classify(question), [Passage(passage)])
    assert (stated.verdict if stated else None) == verdict


def test_a_dispute_has_the_sentences_of_both_sides() -> None:
    question = "Has the new dam killed the trout?"
    stated = stated_verdict(question, classify(question), [Passage(SIDES)])
    assert stated is not None
    assert [SIDES[start:end].split()[0] for _, start, end in stated.places] == ["Farmers", "The"]


def test_what_one_of_several_passages_states_counts() -> None:
    question = "Did cod oil reduce the rash?"
    stated = stated_verdict(question, classify(question), [Passage(TOLL), Passage(DIET)])
    assert stated is not None
    assert (stated.verdict, stated.places[0][0]) == (Verdict.NO, 1)


@pytest.mark.parametrize(
    ("passage", "question"),
    [
        ("Doctors long suspected damp of causing the fever, and later studies confirmed it.", "Did damp cause the fever?"),
        ("The newspapers blamed the frost for the ruined harvest.", "Did the frost ruin the harvest?"),
        ("The fire was blamed on a lamp. A report in May shows that the lamp had fallen.", "Did a lamp cause the fire?"),
    ],
)
def test_what_is_blamed_and_not_cleared_is_not_denied(passage: str, question: str) -> None:
    stated = stated_verdict(question, classify(question), [Passage(passage)])
    assert stated is None or stated.verdict is not Verdict.NO
