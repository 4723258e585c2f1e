"""Measure how well beliefs are calibrated on judged claims, and update what they rest on.

    python scripts/fit/calibrate.py fit
    python scripts/fit/calibrate.py update JUDGEMENTS.csv ...
    python scripts/fit/calibrate.py report JUDGEMENTS.csv ... --graph GRAPH.kgqa

`fit` fits the errors of the kinds of sources to the judged precision of CauseNet and prints how well they fit. `update` writes
the table of rule priors anew from all the judgements that it is given: the same files give the same table. `report` compares the
beliefs in judged claims with the judgements, by ten folds: no belief rests on the judgement that it is compared with. For the
format of judgements see judgements.py.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from judgements import PAIR_RIGHT, STRICTLY_RIGHT, Judgement, read_judgements

from graph.belief.belief import belief
from graph.belief.independence import count_evidence
from graph.belief.priors import ALL_RULES, ANY_SOURCE, SOURCES, RuleJudgements, posterior
from graph.mining.article_lists import entry_rules
from graph.mining.rules.rule_tables import builtin_rules
from graph.model import Evidence, Ground, Stance
from graph.stores import open_store
from kgqa.evaluation.metrics.confidence_scores import auroc, brier, expected_calibration_error, reliability
from kgqa.evaluation.metrics.score_intervals import Interval, bootstrap

TABLE = Path(__file__).parents[2] / "graph" / "data" / "priors.tsv"
CAUSENET = {"clueweb12": (0.74, 0.95, 0.97), "wikipedia": (0.79, 0.96, 0.98)}
"""Judged precision of relations with 1, 2, 3 or more distinct patterns (Heindorf et al. 2020)."""
FOLDS = 10
BINS = 10
RESAMPLED = 2_000

Model = Callable[[Judgement], float]
Learner = Callable[[Sequence[Judgement]], Model]
Measure = Callable[[Sequence[float], Sequence[float]], float]


def fit() -> None:
    """Print the errors that fit CauseNet's judged precision best, a kind of source at a time and for both."""
    grid = [(systematic / 1000, chance / 1000) for systematic in range(60) for chance in range(100, 350)]
    squares = []
    for kind, judged in CAUSENET.items():
        systematic, chance = min(grid, key=lambda errors: _misfit(errors, judged))
        squares.append(_misfit((systematic, chance), judged))
        fitted = f"systematic {systematic:.3f}, random {chance:.3f}; RMSE {math.sqrt(squares[-1]):.4f}"
        print(f"{kind}: {fitted}; in force {SOURCES[kind]}")
    print(f"both: RMSE {math.sqrt(sum(squares) / len(squares)):.4f}")
    one = sum(_misfit((ANY_SOURCE.systematic, ANY_SOURCE.random), judged) for judged in CAUSENET.values()) / len(CAUSENET)
    print(f"one pair of errors for both ({ANY_SOURCE}): RMSE {math.sqrt(one):.4f}")


def _misfit(errors: tuple[float, float], judged: Sequence[float]) -> float:
    """Return the mean squared difference of INDRA's form from the judged precision of 1, 2, ... groups."""
    systematic, chance = errors
    return sum((1 - systematic - chance**number - right) ** 2 for number, right in enumerate(judged, 1)) / len(judged)


def families() -> dict[str, str]:
    """Return the family of every mining rule that ships with the package."""
    rules = {rule.id: rule.family for rule in builtin_rules()}
    return rules | {f"{kind}.{rule.id}": kind for rule in entry_rules().rules for kind in ("list", "infobox")}


def table(judgements: Iterable[Judgement], accepted: frozenset[str]) -> list[RuleJudgements]:
    """Return the rows of the table of priors that judgements make: the Beta prior first, then every rule by its id."""
    right: defaultdict[str, float] = defaultdict(float)
    total: defaultdict[str, int] = defaultdict(int)
    for one in judgements:
        right[one.rule] += one.right(accepted)
        total[one.rule] += 1
    mean, weight = _beta([(right[rule], total[rule] - right[rule]) for rule in sorted(total)])
    rows = [RuleJudgements(ALL_RULES, "", round(mean * weight, 4), round((1 - mean) * weight, 4))]
    for family in ("infobox", "list"):
        errors = SOURCES[f"causenet:{family}"]
        wrong = round((errors.systematic + errors.random) * weight, 4)
        rows.append(RuleJudgements(ALL_RULES, family, round(weight - wrong, 4), wrong))
    known = families()
    return rows + [
        RuleJudgements(rule, known.get(rule, ""), right[rule], total[rule] - right[rule]) for rule in sorted({*known, *total})
    ]


def _beta(counts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the mean and the weight of the Beta distribution of rules under which `counts` are likeliest (beta-binomial)."""
    alike = Counter(counts)

    def likelihood(prior: tuple[float, float]) -> float:
        right, wrong = prior[0] * prior[1], (1 - prior[0]) * prior[1]
        none = _log_beta(right, wrong)
        return sum(rules * (_log_beta(right + yes, wrong + no) - none) for (yes, no), rules in alike.items())

    weights = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
    return max(((mean / 100, weight) for weight in weights for mean in range(30, 100)), key=likelihood)


def _log_beta(first: float, second: float) -> float:
    return math.lgamma(first) + math.lgamma(second) - math.lgamma(first + second)


def update(judgements: Sequence[Judgement], accepted: frozenset[str], out: Path) -> None:
    """Write the table of priors anew and print what it rests on."""
    bare = next((one.hash for one in judgements if not one.rule), None)
    if bare is not None:
        sys.exit(f"the judgement of {bare} names no rule; `sample_claims.py score --out` writes verdicts that do")
    rows = table(judgements, accepted)
    lines = [f"{row.rule}\t{row.family}\t{row.right:g}\t{row.wrong:g}\n" for row in rows]
    out.write_text("rule\tfamily\tright\twrong\n" + "".join(lines), encoding="utf-8")
    judged = [row for row in rows if row.rule != ALL_RULES and row.right + row.wrong]
    others = sum(row.rule != ALL_RULES for row in rows) - len(judged)
    print(f"{len(judgements)} judgements of {len(judged)} rules, {others} rules without; prior of a rule {rows[0]}; wrote {out}")


def report(judgements: Sequence[Judgement], accepted: frozenset[str], graph: str) -> None:
    """Print Brier score and calibration error of beliefs, of the count of groups alone, and of the base rate; then the bins."""
    grounds = _grounds(graph, {one.hash for one in judgements})
    found = [one for one in judgements if one.hash in grounds]
    print(f"{len(found)} of {len(judgements)} judged records are in {graph}; the others are left out")

    def with_priors(others: Sequence[Judgement]) -> Model:
        priors = posterior(table(others, accepted))
        return lambda one: belief(grounds[one.hash], priors)

    def rule_alone(others: Sequence[Judgement]) -> Model:
        priors = posterior(table(others, accepted))
        return lambda one: belief([Ground(Stance.ASSERTED, (("wikipedia", one.rule),))], priors)

    def counts_only(others: Sequence[Judgement]) -> Model:
        return lambda one: belief([Ground(ground.stance, (("", ""),), ground.groups) for ground in grounds[one.hash]])

    def base_rate(others: Sequence[Judgement]) -> Model:
        rate = sum(other.right(accepted) for other in others) / len(others)
        return lambda one: rate

    models = {"belief": with_priors, "rule prior alone": rule_alone, "counts of groups": counts_only, "base rate": base_rate}
    truth = [one.right(accepted) for one in found]
    for name, learn in models.items():
        pairs = list(zip(_held_out(learn, judgements, found), truth, strict=True))
        print(f"{name}: " + ", ".join(f"{what} {_interval(measure, pairs)}" for what, measure in MEASURES.items()))
    print("\nbelief, in tenths of the claims: from, to, mean belief, judged right, claims")
    for one in reliability(_held_out(with_priors, judgements, found), truth, BINS):
        print(f"{one.low:.3f} {one.high:.3f}  {one.confidence:.3f}  {one.right.value:.3f}  {one.count}")


def _grounds(graph: str, wanted: set[str]) -> dict[str, tuple[Ground, ...]]:
    """Return the grounds of the claims that the wanted records bear on, by the hash of the record."""
    store = open_store(graph)
    records: dict[object, list[Evidence]] = defaultdict(list)
    claims: dict[str, object] = {}
    for one in store.statements():
        records[one.claim].append(one.evidence)
        identity = one.evidence.hash(one.claim)
        if identity in wanted:
            claims[identity] = one.claim
    return {identity: count_evidence(records[claim]).grounds for identity, claim in claims.items()}


def _held_out(learn: Learner, judgements: Sequence[Judgement], scored: Sequence[Judgement]) -> list[float]:
    """Return what a model says of each judged record, learnt from the other folds; the hash says which fold a record is in."""
    models = [learn([other for other in judgements if _fold(other) != fold]) for fold in range(FOLDS)]
    return [models[_fold(one)](one) for one in scored]


def _fold(one: Judgement) -> int:
    return int(one.hash, 16) % FOLDS


def auc(said: Sequence[float], truth: Sequence[float]) -> float:
    """Return the chance that a right claim is believed more than a wrong one; ties count half."""
    area = auroc(said, [one >= 0.5 for one in truth])
    return math.nan if area is None else area


def _interval(measure: Measure, pairs: Sequence[tuple[float, float]]) -> Interval:
    """Return a measure with its 95 % bootstrap interval, claims resampled with a fixed seed."""
    return bootstrap(pairs, lambda drawn: measure(*zip(*drawn, strict=True)), rounds=RESAMPLED, seed=7)


MEASURES: Mapping[str, Measure] = {"Brier": brier, "ECE": expected_calibration_error, "AUC": auc}


def main() -> None:
    """Read the arguments and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fit")
    updating, reporting = commands.add_parser("update"), commands.add_parser("report")
    for command in (updating, reporting):
        command.add_argument("judgements", type=Path, nargs="+")
        command.add_argument("--strict", action="store_true", help="a name with a word too many or too few is wrong")
    updating.add_argument("--out", type=Path, default=TABLE)
    reporting.add_argument("--graph", required=True)
    arguments = parser.parse_args()
    if arguments.command == "fit":
        fit()
        return
    judgements, accepted = read_judgements(arguments.judgements), STRICTLY_RIGHT if arguments.strict else PAIR_RIGHT
    if arguments.command == "update":
        update(judgements, accepted, arguments.out)
    else:
        report(judgements, accepted, arguments.graph)


if __name__ == "__main__":
    main()
