"""A short notation for dependency patterns, compiled to those of spaCy's DependencyMatcher.

A pattern is a list of arcs, separated by commas. `cue >dobj object` says that the token called `object` is a `dobj` child
of the token called `cue`; `cue <acl object` that `cue` is an `acl` child of `object`. Several labels are joined by `|`; a
name may be followed by fine-grained tags (`cue/VBG|VBN`) and by words in lower case (`by=by|through`). The first name is
the anchor, and each arc starts at a name that stands before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_NODE = r"(\w+)(?:/([A-Z$|]+))?(?:=([^\s,<>]+))?"
_ARC = re.compile(rf"\s*{_NODE}\s*([<>])([a-z|]+)\s+{_NODE}\s*")


class PatternInvalid(ValueError):
    """A pattern does not follow the notation; the message says where."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: the names of its nodes in match order, and what DependencyMatcher takes."""

    names: tuple[str, ...]
    nodes: tuple[dict[str, Any], ...]


def compile_pattern(text: str, cue: frozenset[str]) -> Pattern:
    """Return the pattern that `text` describes, its node `cue` being one of the lower-case words `cue`.

    Raises `PatternInvalid` where an arc cannot be read, starts at an unknown name or binds a name twice.
    """
    attributes: dict[str, dict[str, Any]] = {"cue": {"LOWER": {"IN": sorted(cue)}}}
    arcs: list[tuple[str, str, str]] = []
    for arc in text.split(","):
        found = _ARC.fullmatch(arc)
        if found is None:
            raise PatternInvalid(f"cannot read the arc '{arc.strip()}'")
        left, left_tags, left_words, direction, labels, right, right_tags, right_words = found.groups()
        bound = {name for first, _, second in arcs for name in (first, second)}
        if bound and left not in bound:
            raise PatternInvalid(f"the arc '{arc.strip()}' starts at '{left}', which no arc before it names")
        if right in bound:
            raise PatternInvalid(f"'{right}' is bound twice")
        for name, tags, words in ((left, left_tags, left_words), (right, right_tags, right_words)):
            wanted = attributes.setdefault(name, {})
            if tags:
                wanted["TAG"] = {"IN": tags.split("|")}
            if words:
                wanted["LOWER"] = {"IN": words.split("|")}
        attributes[right if direction == ">" else left]["DEP"] = {"IN": labels.split("|")}
        arcs.append((left, direction, right))
    anchor = arcs[0][0]
    nodes: list[dict[str, Any]] = [{"RIGHT_ID": anchor, "RIGHT_ATTRS": attributes[anchor]}]
    for left, direction, right in arcs:
        nodes.append({"LEFT_ID": left, "REL_OP": direction, "RIGHT_ID": right, "RIGHT_ATTRS": attributes[right]})
    return Pattern(tuple(node["RIGHT_ID"] for node in nodes), tuple(nodes))
