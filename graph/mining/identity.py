"""What a mining run comes to depends on, besides its inputs: the rules and the pipeline that parses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import metadata
from typing import Any

from graph.mining.rules import Rule
from graph.model import stable_hash


def rules_hash(rules: Sequence[Rule]) -> str:
    """Return 32 hexadecimal digits that depend on what the rules are, in order, and not on the file that they stood in."""
    return stable_hash(json.dumps(_json_value(rule)) for rule in rules)


def _json_value(value: Any) -> Any:
    """Return a rule, or a part of one, as JSON values, a set as its hash."""
    if is_dataclass(value):
        return [_json_value(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, frozenset):
        return _hash_of_set(value)
    return [_json_value(element) for element in value] if isinstance(value, tuple) else value


@cache
def _hash_of_set(values: frozenset[object]) -> str:
    """Return the hash of a set of words or of pairs of them; many rules have the same long lists of words."""
    return stable_hash(("\n".join(sorted(map(str, values))),))


def pipeline_version(name: str) -> str:
    """Return the name of an installed spaCy pipeline with its version, or the path of another as it is."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return name
