"""What scripts/fit_edits.py fitted: the weights that choose a fact, and how far each mechanism is to be trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

EDIT_WEIGHTS_FILE = Path(__file__).with_name("data") / "weights.json"


@dataclass(frozen=True, slots=True)
class EditWeights:
    """The fitted numbers.

    `choice` has the weights of `choosing.FEATURES` for each family of plans, `calibration` those of
    `certainty.calibrated_signals` behind a constant for each rule on one fact, `precision` the share of right answers of every
    other rule (drawn towards a half by what is unknown). `slope` and `shift`, by rule, correct the log-odds of both by questions
    that neither the rules nor the choice were made on.
    """

    choice: Mapping[str, Sequence[float]]
    calibration: Mapping[str, Sequence[float]]
    precision: Mapping[str, float]
    slope: float = 1.0
    shift: Mapping[str, float] = field(default_factory=dict)


@cache
def edit_weights() -> EditWeights:
    """Return the fitted numbers, read once."""
    table = json.loads(EDIT_WEIGHTS_FILE.read_text("utf-8"))
    return EditWeights(table["choice"], table["calibration"], table["precision"], table.get("slope", 1.0), table.get("shift", {}))
