"""The cues by which edits recognise what a question supposes and what a passage states."""

from __future__ import annotations

import re
from pathlib import Path

from graph.text.pattern_tables import read_pattern_table

CUES = {name: re.compile(pattern) for name, pattern, _ in read_pattern_table(Path(__file__).with_name("data") / "cues.tsv")}
"""The cues of data/cues.tsv by their names, each with an example there in which "_" is the place of a value."""
