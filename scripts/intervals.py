"""Shares and scores with their 95 % intervals, for the scripts that measure."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


def wilson(count: float, total: float, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's score interval of a share; `z` is the normal quantile."""
    middle = count + z * z / 2
    spread = z * math.sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, (middle - spread) / (total + z * z)), min(1.0, (middle + spread) / (total + z * z))


def share(count: int, total: int) -> str:
    """Return a share with its interval and its counts: ".95 [.93, .97] (482/506)"."""
    if total == 0:
        return "no item"
    low, high = wilson(count, total)
    return f"{count / total:.3f} [{low:.3f}, {high:.3f}] ({count}/{total})"


@dataclass(frozen=True, slots=True)
class Table:
    """How often yes and no are said where the answer is yes and where it is no."""

    right: int
    wrong: int
    missed: int
    passed: int

    def score(self, name: str) -> float:
        """Return "F1", "MCC" (Matthews' correlation) or "balanced accuracy"; 0 where it is undefined."""
        yes, no = self.right + self.missed, self.wrong + self.passed
        if name == "F1":
            return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)
        if name == "balanced accuracy":
            return (self.right / max(1, yes) + self.passed / max(1, no)) / 2
        spread = math.sqrt((self.right + self.wrong) * (self.missed + self.passed) * yes * no)
        return (self.right * self.passed - self.wrong * self.missed) / spread if spread else 0.0


def resampled(table: Table, name: str, rounds: int = 1_000) -> str:
    """Return a score with its 95 % interval from a bootstrap over the counted items, the same in every run."""
    chance, cells = random.Random(0), (table.right, table.wrong, table.missed, table.passed)
    drawn = []
    for _ in range(rounds):
        draws = Counter(chance.choices(range(4), cells, k=sum(cells)))
        drawn.append(Table(*(draws[cell] for cell in range(4))).score(name))
    drawn.sort()
    return f"{table.score(name):.3f} [{drawn[rounds // 40]:.3f}, {drawn[-rounds // 40]:.3f}]"


def weighted_share(counts: Sequence[tuple[bool, float]]) -> str:
    """Return the share of weight that counts as true, with the interval for the effective size of the sample (Kish 1965)."""
    total = sum(weight for _, weight in counts)
    if total == 0:
        return "no item"
    found = sum(weight for true, weight in counts if true) / total
    effective = total**2 / sum(weight**2 for _, weight in counts)
    low, high = wilson(found * effective, effective)
    return f"{found:.3f} [{low:.3f}, {high:.3f}]"
