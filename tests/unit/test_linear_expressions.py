"""Every regular expression of the project, in lines that make an expression with two ways to match a run try them all."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache

import pytest

import graph
import kgqa
from kgqa.quantities.quantity_changes import change_patterns
from kgqa.questions.classifier import mood_cues

pytestmark = pytest.mark.slow

FILLS = (
    *(".", ". ", " ", "\n", "-", "_", "'", '"', "*", "=", "(", "[", "<", "a", "A", "1", "1,", "1.", "1 ", "a ", "Aa ", "a, "),
    *("because ", "the cause of ", "if he had been the ", "what does ", "January 1, ", "<ref>", "[[", "{{"),
)
LENGTHS = (500, 2_000)
"""A question has at most 2,000 characters; a sentence of a passage seldom has more."""
SECONDS = 2.0
GROWTH = 40
"""What four times the length may take: sixteen times as long for an expression that tries each start, not sixty-four."""


@cache
def expressions() -> Mapping[str, re.Pattern[str]]:
    patterns: dict[str, re.Pattern[str]] = {}
    for package in (graph, kgqa):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                for value in vars(importlib.import_module(module.name)).values():
                    patterns.update((pattern.pattern, pattern) for pattern in patterns_in(value))
    for table in (change_patterns(), mood_cues()):
        patterns.update((pattern.pattern, pattern) for pattern in patterns_in(table))
    return patterns


def patterns_in(value: object, depth: int = 5) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth and isinstance(value, Mapping):
        yield from patterns_in((*value.keys(), *value.values()), depth - 1)
    elif depth and isinstance(value, list | tuple | frozenset) and len(value) < 3_000:
        for item in value:
            yield from patterns_in(item, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        yield from patterns_in([getattr(value, field.name, None) for field in fields(value)], depth - 1)


def seconds(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    pattern.findall(text)
    pattern.fullmatch(text)
    return time.process_time() - start


def test_the_expressions_of_all_modules_are_looked_through() -> None:
    assert len(expressions()) > 450


@pytest.mark.parametrize("fill", FILLS)
def test_no_expression_takes_time_that_grows_with_the_cube_of_a_line(fill: str) -> None:
    short, long = (fill * (length // len(fill)) + " 12" for length in LENGTHS)
    slow = []
    for text, pattern in expressions().items():
        before = seconds(pattern, short)
        if before > SECONDS or (before > 0.002 and seconds(pattern, long) > max(0.1, GROWTH * before)):
            slow.append(text)

    assert slow == []
