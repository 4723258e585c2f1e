from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "judge"))
sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "fit"))

import calibrate
import judgements
import sample_claims

from graph.belief.priors import ALL_RULES, posterior


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "verdicts", "stance", "right"),
    [
        ("hash,rule,verdict\n1,r,span\n", ("span",), "", 1.0),
        ("hash,rule,first,second\n1,r,right,wrong\n", ("right", "wrong"), "", 0.5),
        ("hash,rule,stratum,weight,verdict,stance\n1,r,x / y,3,right,ok\n", ("right",), "ok", 1.0),
        ("1,right,hedged,only a guess\n", ("right",), "hedged", 0.0),
        ("1,direction,ok\n", ("direction",), "", 0.0),
    ],
)
def test_every_form_of_judgement_is_read(tmp_path: Path, text: str, verdicts: tuple[str, ...], stance: str, right: float) -> None:
    (one,) = judgements.read_judgements([written(tmp_path / "a.csv", text)])
    assert (one.hash, one.verdicts, one.stance, one.right()) == ("1", verdicts, stance, right)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hash,rule,verdict\n1,r,perhaps\n", "line 2: no verdict 'perhaps'"),
        ("1\n", "line 1: no hash or no verdict"),
        ("hash\n1\n", "no"),
    ],
)
def test_a_broken_judgement_ends_the_program_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(SystemExit, match=why):
        judgements.read_judgements([written(tmp_path / "a.csv", text)])


def judged(rule: str, right: int, wrong: int) -> list[judgements.Judgement]:
    verdicts = ["right"] * right + ["wrong"] * wrong
    return [judgements.Judgement(f"{rule}{place}", rule, (verdict,)) for place, verdict in enumerate(verdicts)]


def test_rules_that_differ_are_told_apart_and_rules_that_do_not_are_not() -> None:
    differ = [*judged("cause.active", 30, 0), *judged("lead-to.active", 10, 20), *judged("result-in.active", 25, 5)]
    alike = [one for rule in ("cause.active", "lead-to.active", "result-in.active") for one in judged(rule, 24, 6)]
    spread = []
    for some in (differ, alike):
        priors = posterior(calibrate.table(some, judgements.PAIR_RIGHT))
        spread.append(priors.rules["cause.active"] - priors.rules["lead-to.active"])
    assert spread[0] > 0.4
    assert spread[1] == 0.0


def test_the_same_judgements_make_the_same_table_in_every_order(tmp_path: Path) -> None:
    some = [*judged("cause.active", 3, 1), *judged("no such rule any more", 1, 1)]
    tables = []
    for number, order in enumerate((some, some[::-1])):
        calibrate.update(order, judgements.PAIR_RIGHT, tmp_path / f"{number}.tsv")
        tables.append((tmp_path / f"{number}.tsv").read_bytes())
    assert tables[0] == tables[1]
    assert tables[0].decode().splitlines()[1].startswith(f"{ALL_RULES}\t\t")
    assert b"no such rule any more\t\t1\t1\n" in tables[0]


def test_calibration_is_perfect_where_beliefs_are_shares_and_ties_do_not_hide_errors() -> None:
    truth = [1.0, 1.0, 1.0, 0.0] * 25
    assert calibrate.MEASURES["ECE"]([0.75] * 100, truth) == pytest.approx(0.0)
    assert calibrate.MEASURES["ECE"]([0.9] * 100, truth) == pytest.approx(0.15)
    assert calibrate.auc([0.75] * 100, truth) == 0.5
    assert calibrate.auc([0.9, 0.1], [1.0, 0.0]) == 1.0


def test_a_sample_takes_something_of_every_stratum_and_all_that_is_asked_for() -> None:
    sizes = {("large",): 100_000, ("small",): 900, ("tiny",): 2}
    taken = sample_claims.shares(sizes, 400)
    assert sum(taken.values()) == 400
    assert taken["tiny",] == 2
    assert taken["large",] > taken["small",] > 50
    assert sample_claims.shares({("all",): 3}, 400) == {("all",): 3}


def test_a_weighted_share_stands_for_the_graph_and_not_for_the_sample() -> None:
    assert sample_claims.weighted_share([(True, 9.0), (False, 1.0)]).startswith("0.900 [")
