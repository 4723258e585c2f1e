"""Sentences that are hard in one way each must give the claims that stand in hard_sentences.txt, and no other."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graph.mining.miner import Miner

MINER = Miner()


@dataclass(slots=True)
class Case:
    """A sentence, the claims that it makes, and why the miner fails at it, if it is known to."""

    sentence: str
    claims: list[str] = field(default_factory=list)
    fails: str = ""


def read_cases() -> list[Case]:
    """Return the cases of the file beside this one."""
    cases: list[Case] = []
    for line in Path(__file__).with_name("hard_sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("+ "):
            cases[-1].claims.append(line[2:])
        elif line.startswith("! "):
            cases[-1].fails = line[2:]
        elif line and not line.startswith("#"):
            cases.append(Case(line))
    return cases


def marked(case: Case) -> object:
    """Return a case as a parameter; where it is known to fail, a success is an error too."""
    marks = [pytest.mark.xfail(reason=case.fails, strict=True)] if case.fails else []
    return pytest.param(case, id=case.sentence, marks=marks)


@pytest.mark.parametrize("case", [marked(case) for case in read_cases()])
def test_a_hard_sentence_gives_its_claims_and_no_other(case: Case) -> None:
    (found,) = MINER.mine([case.sentence])
    lines = [f"{one.claim.cause} -> {one.claim.effect} | {one.claim.relation} | {one.stance}" for one in found]
    assert sorted(lines) == sorted(case.claims)


def test_at_least_fifty_hard_sentences_are_read_as_they_should_be() -> None:
    cases = read_cases()
    assert len({case.sentence for case in cases}) == len(cases)
    assert sum(not case.fails for case in cases) >= 50
