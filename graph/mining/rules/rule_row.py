"""One row of a table of rules: its checked fields, and their lines."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)

_RULE_HEADER = re.compile(r"""^[ \t]*\[\[[ \t]*(?:rule|"rule"|'rule')[ \t]*\]\]""", re.MULTILINE)


class FieldInvalid(ValueError):
    """A field of a row is invalid; `quoted` is the wrong text of the file if that is not the field itself."""

    def __init__(self, field: str, why: str, quoted: str = "") -> None:
        super().__init__(why)
        self.field = field
        self.quoted = quoted


class RuleRow:
    """The fields of one row; every method raises `FieldInvalid` for a value that it cannot return."""

    def __init__(self, values: Mapping[str, Any], known: Collection[str]) -> None:
        self._values = values
        for field in values:
            if field not in known:
                raise FieldInvalid(field, f"no field '{field}' in a rule; {near_names_hint(field, known)}")

    def text(self, field: str, default: str | None = None) -> str:
        """Return a text; one without a default is required and not empty."""
        if field not in self._values and default is not None:
            return default
        value = self._required(field)
        if not isinstance(value, str):
            raise FieldInvalid(field, f"'{field}' is {value!r}, a text is needed")
        if not value.strip() and default is None:
            raise FieldInvalid(field, f"'{field}' is empty")
        return value

    def has(self, field: str) -> bool:
        """Return whether the row has the field."""
        return field in self._values

    def flag(self, field: str, default: bool) -> bool:
        """Return true or false."""
        value = self._values.get(field, default)
        if not isinstance(value, bool):
            raise FieldInvalid(field, f"'{field}' is {value!r}, true or false is needed")
        return value

    def one_of(self, field: str, choices: Iterable[str], default: str | None = None) -> str:
        """Return a text that is one of some."""
        value, some = self.text(field, default), list(choices)
        if value not in some:
            raise FieldInvalid(field, f"no {field} '{value}'; one of: {', '.join(some)}")
        return value

    def member(self, field: str, kind: type[Choice], default: Choice) -> Choice:
        """Return a member of an enumeration, by its value."""
        return kind(self.one_of(field, (choice.value for choice in kind), default.value))

    def texts(self, field: str) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(check_texts(self._required(field), field))

    def pairs(self, field: str) -> tuple[tuple[str, str], ...]:
        """Return a list of lists of two texts, with at least one of them."""
        value = self._required(field)
        if not isinstance(value, list) or not value or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            form = '[["sentence", "cause -> effect"]]'
            raise FieldInvalid(field, f"'{field}' holds at least one sentence with its claims: {form}")
        return tuple((first, second) for first, second in (check_texts(pair, field) for pair in value))

    def _required(self, field: str) -> Any:
        if field not in self._values:
            raise FieldInvalid("rule", f"'{field}' is missing")
        return self._values[field]


def check_texts(value: object, field: str) -> list[str]:
    """Return a value that is a list of texts; raise `FieldInvalid` for another."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise FieldInvalid(field, f"'{field}' is {value!r}, a list of texts is needed")
    return value


def near_names_hint(name: str, known: Iterable[str]) -> str:
    """Return the alternatives to an unknown name: names with a similar spelling, else all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, 3, cutoff=0.75)
    return f"near: {', '.join(near)}" if near else f"there are: {', '.join(names)}"


def line_of_rule_field(text: str, number: int, field: str, quoted: str = "") -> int:
    """Return the line, from 1, of a field of the rule `number`, from 0, of a table; else the line of the rule.

    With `quoted`, the first line that holds this text, if there is one.
    """
    place = text.find(quoted) if quoted else -1
    if place < 0:
        headers = [header.start() for header in _RULE_HEADER.finditer(text)]
        begin = headers[number] if number < len(headers) else 0
        end = headers[number + 1] if number + 1 < len(headers) else len(text)
        key = re.compile(rf"^[ \t]*[\"']?{re.escape(field)}[\"']?[ \t]*=", re.MULTILINE).search(text, begin, end)
        place = key.start() if key and headers else begin
    return text.count("\n", 0, place + len(text[place:]) - len(text[place:].lstrip())) + 1
