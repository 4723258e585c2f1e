"""Draw claims of a mined graph for judging by reading, stratum by stratum, and score the judgements.

    python scripts/judge/sample_claims.py draw GRAPH.kgqa --number 400 --seed 7 --out FOLDER
    python scripts/judge/sample_claims.py score FOLDER/sample.jsonl JUDGE_A.csv JUDGE_B.csv [--settled SETTLED.csv] [--out
    VERDICTS.csv]

`draw` takes evidence records with a sentence, more of a stratum than is its share where it is small: what the record does with
the claim (asserted, negated, hedged), where it stands (prose, list, infobox), and, where it asserts, the claim's support (1, 2,
3 or more) and relation. The weight of a line is the number of records in the graph for each one drawn: weighted by it, a share is
an estimate for the whole graph. A line of the sample has the claim, its sentence, stance, stratum, weight, and the record's hash.

A judgement is a line `hash,verdict,stance,why` (see judgements.py). Where the judges disagree, SETTLED.csv says what
holds; what it leaves open is left out. `--out` writes the verdicts without sentences, for calibrate.py.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from judgements import PAIR_RIGHT, STANCE_FITS, STRICTLY_RIGHT, VERDICTS, Judgement, read_judgements
from share_text import share, weighted_share

from graph.belief.independence import independent_groups
from graph.model import Claim, Evidence, Stance
from graph.stores import open_store
from kgqa.evaluation.metrics.rater_statistics import cohen_kappa

Row = dict[str, Any]
POWER = 0.35
Stratum = TypeVar("Stratum", bound=tuple[str | bool, ...])


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of a sample with what holds of it; empty where that is open."""

    row: Row
    verdict: str
    stance: str

    @property
    def weight(self) -> float:
        """How many records of the graph the line stands for."""
        return float(self.row.get("weight", 1))


STANCES = {Stance.ASSERTED: "asserted", Stance.NEGATED: "negated", Stance.HEDGED: "hedged"}


def strata_of(claim: Claim, evidence: Evidence, support: int) -> tuple[str, str, str, str]:
    """Return the stratum of a record: its stance, where it stands, the support of its claim, and its relation."""
    family = evidence.rule.partition(".")[0]
    place = family if family in ("list", "infobox") else "prose"
    asserted = evidence.stance is Stance.ASSERTED
    groups = f"support {min(support, 3)}{'+' if support >= 3 else ''}" if asserted else "any support"
    return STANCES[evidence.stance], place, groups, claim.relation.value if asserted else "any relation"


def draw(path: str, number: int, seed: int, kind: str) -> list[Row]:
    """Return a stratified sample of the records with a sentence in sources of a kind."""
    strata: dict[tuple[str, ...], list[tuple[Claim, Evidence]]] = defaultdict(list)
    records: dict[Claim, list[Evidence]] = defaultdict(list)
    for statement in open_store(path).statements():
        records[statement.claim].append(statement.evidence)
    for claim, evidence in records.items():
        asserting = [one for one in evidence if one.stance is Stance.ASSERTED]
        support = len(independent_groups(asserting))
        for one in evidence:
            if one.text and one.stance in STANCES and one.source.kind == kind:
                strata[strata_of(claim, one, support)].append((claim, one))
    chance = random.Random(seed)
    rows: list[Row] = []
    for name, taken in sorted(shares({name: len(found) for name, found in strata.items()}, number).items()):
        found = sorted(strata[name], key=lambda pair: pair[1].hash(pair[0]))
        rows += [_row(*pair, name, len(found) / taken) for pair in chance.sample(found, taken)]
    chance.shuffle(rows)
    return rows


def shares(sizes: Mapping[Stratum, int], number: int, power: float = POWER) -> dict[Stratum, int]:
    """Return how many to draw from each stratum: in proportion to a power of its size (Bankier 1988).

    So small strata are seen well, and the large ones, on which the estimate for the whole graph rests, better.
    """
    taken: dict[Stratum, int] = {}
    left, powers = min(number, sum(sizes.values())), sum(size**power for size in sizes.values())
    for name, size in sorted(sizes.items(), key=lambda item: (item[1], item[0])):
        taken[name] = min(size, max(1, round(left * size**power / powers)))
        left, powers = left - taken[name], powers - size**power
    return taken


def _row(claim: Claim, evidence: Evidence, stratum: Sequence[str], weight: float) -> Row:
    return {
        "hash": evidence.hash(claim),
        "cause": claim.cause,
        "relation": claim.relation,
        "polarity": claim.polarity,
        "effect": claim.effect,
        "stance": evidence.stance,
        "rule": evidence.rule,
        "kind": stratum[1],
        "title": evidence.source.title,
        "section": evidence.section,
        "sentence": evidence.text,
        "stratum": " / ".join(stratum),
        "weight": round(weight, 4),
    }


def score(sample: Path, judges: list[Path], settled: Path | None, out: Path | None) -> None:
    """Print precision overall and by stratum, the shares of turned arrows and right stances, and the agreement of the judges."""
    rows = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    said = [{one.hash: one for one in read_judgements([path])} for path in judges]
    known = {one.hash: one for one in read_judgements([settled])} if settled else {}
    judged = [Judged(row, *_settled(row["hash"], said, known)) for row in rows]
    _agreements(rows, said)
    judged = [one for one in judged if one.verdict]
    print(f"{len(judged)} of {len(rows)} judged alike or settled: " + _counted(one.verdict for one in judged))
    if not judged:
        sys.exit("nothing to score")
    asserted = [one for one in judged if one.row.get("stance", "asserted") == "asserted"]
    for name, accepted in (("strict", STRICTLY_RIGHT), ("pair and direction", PAIR_RIGHT)):
        print(f"\nprecision of asserted records, {name}: {_share_of(asserted, accepted)}")
        for part, some in _parts(asserted):
            print(f"  {part}: {_share_of(some, accepted)}")
    print(f"\ndirection wrong: {_share_of(judged, frozenset({'direction'}))}")
    for stance in STANCES.values():
        fits = [(one.stance == STANCE_FITS, one.weight) for one in judged if one.row.get("stance") == stance and one.stance]
        print(f"stance right, where it is {stance}: {estimate(fits)}")
    wrong = Counter(one.row["rule"] for one in judged if one.verdict not in PAIR_RIGHT)
    total = Counter(one.row["rule"] for one in judged)
    print("wrong, by rule: " + ", ".join(f"{rule} {count} of {total[rule]}" for rule, count in wrong.most_common()))
    if out:
        _write(judged, out)


def _settled(key: str, said: Sequence[Mapping[str, Judgement]], known: Mapping[str, Judgement]) -> tuple[str, str]:
    """Return the verdict and the stance that hold of a record: those that are settled, else those that all judges share."""
    judgements = [judge[key] for judge in said if key in judge]
    verdicts, stances = {judgement.verdicts[0] for judgement in judgements}, {judgement.stance for judgement in judgements}
    last = known.get(key)
    verdict = last.verdicts[0] if last else verdicts.pop() if len(verdicts) == 1 else ""
    return verdict, last.stance if last and last.stance else stances.pop() if len(stances) == 1 else ""


def _agreements(rows: Sequence[Row], said: Sequence[Mapping[str, Judgement]]) -> None:
    """Print how far the first two judges agree."""
    both = [row["hash"] for row in rows if all(row["hash"] in judge for judge in said[:2])]
    if len(said) > 1 and both:
        for name, accepted in (("strict", STRICTLY_RIGHT), ("pair and direction", PAIR_RIGHT)):
            first, second = ([judge[key].verdicts[0] in accepted for key in both] for judge in said[:2])
            print(f"agreement of the first two judges and Cohen's kappa, {name}: {agreement(first, second)}")


def _parts(judged: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """Iterate over the parts of a stratified sample, by each thing that makes a stratum."""
    for place in range(4):
        parts: defaultdict[str, list[Judged]] = defaultdict(list)
        for one in judged:
            parts[(*one.row.get("stratum", "").split(" / "), "", "", "")[place]].append(one)
        if len(parts) > 1:
            yield from sorted(parts.items())


def _share_of(judged: Sequence[Judged], accepted: frozenset[str]) -> str:
    return estimate([(one.verdict in accepted, one.weight) for one in judged])


def estimate(counts: Sequence[tuple[bool, float]]) -> str:
    """Return a share with its 95 % interval, weighted by the records that each line stands for; then that of the sample."""
    plain = share(sum(right for right, _ in counts), len(counts))
    return f"{weighted_share(counts)}; in the sample {plain}" if len({weight for _, weight in counts}) > 1 else plain


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(names).most_common())


def _write(judged: Sequence[Judged], out: Path) -> None:
    """Write the settled verdicts, sorted by hash, without sentences."""
    with out.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["hash", "rule", "stratum", "weight", "verdict", "stance"])
        for one in sorted(judged, key=lambda one: str(one.row["hash"])):
            writer.writerow([one.row["hash"], one.row["rule"], one.row.get("stratum", ""), one.weight, one.verdict, one.stance])


def agreement(first: list[bool], second: list[bool]) -> str:
    """Return the share of equal verdicts, and how far it lies above chance (Cohen's kappa)."""
    if not first:
        return "no line that both judged"
    same = sum(one == other for one, other in zip(first, second, strict=True)) / len(first)
    kappa = cohen_kappa(first, second)
    return f"{same:.3f}, undefined" if kappa is None else f"{same:.3f}, {kappa:.2f}"


def main() -> None:
    """Read the arguments and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("graph")
    drawing.add_argument("--number", type=int, default=400)
    drawing.add_argument("--seed", type=int, default=7)
    drawing.add_argument("--kind", default="wikipedia", help="the kind of the sources to draw from")
    drawing.add_argument("--out", type=Path, required=True, help="a folder for sample.jsonl")
    scoring = commands.add_parser("score", description=f"Known verdicts: {', '.join(VERDICTS)}.")
    scoring.add_argument("sample", type=Path)
    scoring.add_argument("judges", type=Path, nargs="+")
    scoring.add_argument("--settled", type=Path)
    scoring.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "score":
        score(arguments.sample, arguments.judges, arguments.settled, arguments.out)
        return
    rows = draw(arguments.graph, arguments.number, arguments.seed, arguments.kind)
    arguments.out.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (arguments.out / "sample.jsonl").write_text("".join(lines), encoding="utf-8")
    for stratum, count in sorted(Counter(row["stratum"] for row in rows).items()):
        print(f"{count:4} {stratum}")


if __name__ == "__main__":
    main()
