"""Judgements of mined claims, read from CSV files with a header.

A line has `hash` (of the evidence record: `Evidence.hash`), `rule`, and either `verdict`, the settled one, or one column a judge;
`weight` says how many claims of the graph the line stands for, where the sample was stratified. There are no sentences in them.
The verdicts:

- `right`: the sentence does with the claim what its record says, with that relation and direction, and both names are what a
  reader would underline, give or take a modifier;
- `span`: so, but a name has lost a word that matters, or has one too many;
- `direction`: the right pair, but the arrow turned;
- `stance`: the right pair and direction, but the sentence does something else with it (denies, doubts or asks);
- `wrong`: anything else.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

VERDICTS = ("right", "span", "direction", "stance", "wrong")
PAIR_RIGHT = frozenset({"right", "span"})
STRICTLY_RIGHT = frozenset({"right"})
_NO_JUDGE = frozenset({"hash", "rule", "stratum", "weight", "why", "stance", "verdict"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was judged of one record: the settled verdict, or those of the judges."""

    hash: str
    rule: str
    verdicts: tuple[str, ...]
    weight: float = 1.0

    def right(self, accepted: frozenset[str] = PAIR_RIGHT) -> float:
        """Return the share of the verdicts that are `accepted`, 0..1."""
        return sum(verdict in accepted for verdict in self.verdicts) / len(self.verdicts)


def read_judgements(paths: Iterable[Path]) -> list[Judgement]:
    """Return the judgements of some files by hash; of two on one record the last counts. Ends the program on bad input."""
    found: dict[str, Judgement] = {}
    for path in paths:
        try:
            with path.open(encoding="utf-8", newline="") as lines:
                for number, row in enumerate(csv.DictReader(lines), 2):
                    one = _judgement(row, f"{path}, line {number}")
                    found[one.hash] = one
        except OSError as error:
            sys.exit(f"{path}: {(error.strerror or str(error)).lower()}")
    return [found[key] for key in sorted(found)]


def _judgement(row: dict[str, str], place: str) -> Judgement:
    names = ["verdict"] if row.get("verdict") else [name for name in row if name not in _NO_JUDGE]
    verdicts = tuple((row[name] or "").strip() for name in names)
    wrong = [verdict for verdict in verdicts if verdict not in VERDICTS]
    if not row.get("hash") or not verdicts or wrong:
        sys.exit(f"{place}: {f'no verdict {wrong[0]!r}' if wrong else 'no hash or no verdict'}; known: {', '.join(VERDICTS)}")
    return Judgement(row["hash"], row.get("rule") or "", verdicts, float(row.get("weight") or 1))
