"""The forms of rating: for answers, corrections, paths and claims the aspects, and what each of their values says."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple


class RatingForm(NamedTuple):
    """What raters are asked of an output: the task, and of each aspect the question and the meaning of its values, 0..3.

    `right` is the least value of the first aspect at which a claim counts as right; `None` for what is no claim.
    """

    name: str
    task: str
    questions: Mapping[str, str]
    values: Mapping[str, Mapping[int, str]]
    right: int | None = None

    @property
    def aspects(self) -> tuple[str, ...]:
        """The names of the aspects."""
        return tuple(self.values)

    def rubric(self) -> str:
        """Return the form as text for raters, in Markdown."""
        lines = [f"# Rating {self.name}", "", self.task, "", "Rate each output by itself."]
        for aspect, meanings in self.values.items():
            lines += ["", f"## {aspect}: {self.questions[aspect]}", ""]
            lines += [f"- {value}: {meaning}" for value, meaning in meanings.items()]
        return "\n".join(lines) + "\n"


@cache
def rating_forms() -> Mapping[str, RatingForm]:
    """Return the forms by name."""
    table = tomllib.loads(Path(__file__).with_name("rating_forms.toml").read_text(encoding="utf-8"))
    return {name: _read_form(name, row) for name, row in table.items()}


def _read_form(name: str, row: Mapping[str, object]) -> RatingForm:
    aspects: Mapping[str, Mapping[str, object]] = row["aspects"]  # type: ignore[assignment]
    values: dict[str, Mapping[int, str]] = {}
    for aspect, content in aspects.items():
        meanings: Mapping[str, str] = content["values"]  # type: ignore[assignment]
        values[aspect] = {int(value): meaning for value, meaning in meanings.items()}
    right = row.get("right")
    questions = {aspect: str(content["question"]) for aspect, content in aspects.items()}
    return RatingForm(name, str(row["task"]), questions, values, int(right) if isinstance(right, int) else None)
