"""Judgements of mined claims, read from CSV files without sentences.

A line has `hash` (of the evidence record: `Evidence.hash`), `rule`, and either `verdict` or one column a judge; `stance` is "ok"
or the stance that the record should have; `weight` says how many records of the graph the line stands for, where the sample was
stratified. A file without a header has the columns `hash,verdict,why` or `hash,verdict,stance,why`. The verdicts:

- `right`: the sentence relates the two in this sense and direction, and both names are what a reader would underline, give or
  take a modifier;
- `span`: so, but a name has lost a word that matters, or has one too many;
- `direction`: the right pair, but the arrow turned;
- `wrong`: anything else.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

VERDICTS = ("right", "span", "direction", "wrong")
PAIR_RIGHT = frozenset({"right", "span"})
STRICTLY_RIGHT = frozenset({"right"})
STANCE_FITS = "ok"
_BARE = {3: ("hash", "verdict", "why"), 4: ("hash", "verdict", "stance", "why")}
_NO_JUDGE = frozenset({"hash", "rule", "stratum", "weight", "why", "stance", "verdict"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was judged of one record: the settled verdict, or those of the judges; and its stance, where that was judged."""

    hash: str
    rule: str
    verdicts: tuple[str, ...]
    stance: str = ""

    def right(self, accepted: frozenset[str] = PAIR_RIGHT) -> float:
        """Return the share of the verdicts that are `accepted`, 0..1; 0 where the sentence does something else with the claim."""
        if self.stance not in ("", STANCE_FITS):
            return 0.0
        return sum(verdict in accepted for verdict in self.verdicts) / len(self.verdicts)


def read_judgements(paths: Iterable[Path]) -> list[Judgement]:
    """Return the judgements of some files by hash; of two on one record the last counts. Ends the program on bad input."""
    found: dict[str, Judgement] = {}
    for path in paths:
        try:
            with path.open(encoding="utf-8", newline="") as lines:
                found.update((one.hash, one) for one in _judgements(csv.reader(lines), path))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            sys.exit(f"{path}: {str(error).lower()}")
    return [found[key] for key in sorted(found)]


def _judgements(rows: Iterable[list[str]], path: Path) -> Iterator[Judgement]:
    names: tuple[str, ...] = ()
    for number, row in enumerate(rows, 1):
        if not names and row and row[0] == "hash":
            names = tuple(row)
        elif row:
            columns = names or _BARE.get(len(row), _BARE[4])
            yield _judgement(dict(zip_longest(columns, map(str.strip, row), fillvalue="")), f"{path}, line {number}")


def _judgement(row: dict[str, str], place: str) -> Judgement:
    judges = ["verdict"] if row.get("verdict") else [name for name in row if name and name not in _NO_JUDGE]
    verdicts = tuple(row[name] for name in judges)
    wrong = [verdict for verdict in verdicts if verdict not in VERDICTS]
    if not row.get("hash") or not verdicts or wrong:
        sys.exit(f"{place}: {f'no verdict {wrong[0]!r}' if wrong else 'no hash or no verdict'}; known: {', '.join(VERDICTS)}")
    return Judgement(row["hash"], row.get("rule", ""), verdicts, row.get("stance", ""))
