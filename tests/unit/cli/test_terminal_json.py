"""JSON as it is printed: nothing in it steers a terminal, and it reads back the same."""

from __future__ import annotations

import json

from kgqa.cli.output.terminal import json_line


def test_controls_and_marks_of_direction_are_escaped_and_read_back() -> None:
    record = {"text": "rain\u009b31m \u202egnp\u202c \u2028 \u2066 \u200f \x7f \ufeff → é 🌧"}
    line = json_line(record)

    assert json.loads(line) == record
    assert line.isprintable()
    assert "→ é 🌧" in line
