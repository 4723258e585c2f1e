"""The tables of questions by rule, as templates."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from made_questions.template_slots import compiled


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of question; `example` is a sentence that gives `question` with this answer."""

    source: str
    name: str
    cue: re.Pattern[str]
    pattern: re.Pattern[str]
    ifs: tuple[str, ...]
    asks: tuple[str, ...]
    example: str
    question: str
    answer: str
    shift: str = ""


TABLES = {"made-if": "suppositions.toml", "made-wh": "plain_questions.toml"}
"""The tables by the source of the rows that are made from them."""


@cache
def templates() -> tuple[Template, ...]:
    """Return all templates; those of plain questions suppose nothing."""
    return tuple(template for source, table in TABLES.items() for template in _read(source, Path(__file__).with_name(table)))


def _read(source: str, table: Path) -> Iterator[Template]:
    with table.open("rb") as stream:
        rows = tomllib.load(stream)["template"]
    for row in rows:
        yield Template(
            source,
            row["name"],
            re.compile(rf"(?<!\w)(?:{row['cue']})" if not row["cue"].startswith("^") else row["cue"]),
            compiled(row["pattern"]),
            tuple(row.get("if", ())),
            tuple(row["ask"]),
            row["example"],
            row["question"],
            row["answer"],
            row.get("shift", ""),
        )
