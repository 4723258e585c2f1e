from __future__ import annotations

from dataclasses import replace

import pytest

from graph.belief.belief import belief
from graph.model import Claim, Edge, Evidence, Ground, Source, Stance
from kgqa.answer_model import CitedEvidence
from kgqa.cli.output.answer_text import print_citation
from kgqa.record import evidence_record
from kgqa.wording.explanation import belief_reasons

SMOKING = Claim("smoking", "lung cancer")
RECORD = Evidence(Source("wikipedia", "Smoking"), text="Smoking can cause lung cancer in adults.")


@pytest.mark.parametrize(
    ("stance", "context", "remark"),
    [
        (Stance.ASSERTED, (), "[1] Smoking\n"),
        (Stance.HEDGED, (), "[1] Smoking (hedged)\n"),
        (Stance.ASSERTED, (("capability", "can"), ("population", "in adults")), "[1] Smoking (capability: can; in adults)\n"),
        (Stance.NEGATED, (("time", "in 1953"), ("time", "in 1962")), "[1] Smoking (negated; in 1953; in 1962)\n"),
    ],
)
def test_a_source_is_shown_with_its_stance_and_context(
    capsys: pytest.CaptureFixture[str], stance: Stance, context: tuple[tuple[str, str], ...], remark: str
) -> None:
    print_citation(CitedEvidence(SMOKING, replace(RECORD, stance=stance, context=context)), "[1]", "")
    assert capsys.readouterr().out.startswith(remark)


def test_a_record_has_its_context_by_slot() -> None:
    context = (("population", "in adults"), ("time", "in 1953"), ("time", "in 1962"))
    found = evidence_record(CitedEvidence(SMOKING, replace(RECORD, context=context)))
    assert found["context"] == {"population": "in adults", "time": ["in 1953", "in 1962"]}
    assert evidence_record(CitedEvidence(SMOKING, RECORD))["context"] == {}


def test_a_belief_is_explained_by_its_grounds() -> None:
    grounds = (
        Ground(Stance.ASSERTED, (("clueweb12", "causenet"),), 2),
        Ground(Stance.NEGATED, (("text", "table"), ("wikipedia", "causenet"))),
    )
    said = belief_reasons(Edge(SMOKING, belief(grounds), 2, 1, grounds=grounds))
    assert said == (
        "belief 0.69 that smoking causes lung cancer: 2 sources assert it (clueweb12, causenet, right in 0.75); "
        "1 source denies it (text, table or wikipedia, causenet, right in 0.79)"
    )
    assert belief_reasons(Edge(SMOKING, 0.0)).endswith("nothing asserts or denies it")
