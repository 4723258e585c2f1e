"""Suppositions that cannot be so, and edits that make no sense: what is wrong with them, in words."""

from __future__ import annotations

import re
from itertools import pairwise

from kgqa.intervention.passages.forms import ChangeKind
from kgqa.intervention.passages.supposition import ConditionalClauses

_BOTH = re.compile(r"\bboth\s+(?P<one>[^,]+?)\s+and\s+(?P<other>[^,]+)", re.IGNORECASE)
_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in (
        "earlier/later before/after more/fewer more/less taller/shorter longer/shorter higher/lower "
        "heavier/lighter older/younger wider/narrower "
        "larger/smaller bigger/smaller faster/slower closer/further closer/farther doubled/halved "
        "increased/decreased increased/reduced won/lost "
        "alive/dead present/absent open/closed true/false on/off first/last postponed/advanced delayed/advanced"
    ).split()
)
_BY_ZERO = re.compile(
    r"\b(?:divid\w*|split)\b[^,]*\b(?:by|among|between|into)\s+(?:zero|0)\b|\b(?:one|a|1)\s?(?:/|over)\s?(?:zero|0)\b",
    re.IGNORECASE,
)
_NOTHING_LEFT = re.compile(r"\b(?:reduc|decreas|cut|lower|shrunk|shrink|shorten)\w*\b", re.IGNORECASE)


def conditional_contradiction(conditional: ConditionalClauses) -> str:
    """Return why the supposition of a question cannot be made, or nothing where it can."""
    clause = conditional.clause
    if _BY_ZERO.search(clause):
        return "it divides by zero"
    both = _BOTH.search(clause)
    if both is not None:
        sides = [set(re.findall(r"[\w’'\-]+", both[side].lower())) for side in ("one", "other")]
        for first_word, second_word in _OPPOSITES:
            if (first_word in sides[0] and second_word in sides[1]) or (second_word in sides[0] and first_word in sides[1]):
                return f"it supposes both “{first_word}” and “{second_word}”"
    for first, second in pairwise(conditional.changes):
        between = clause[min(first.end, second.end) : max(first.start, second.start)]
        if (
            first.how is second.how
            and conditional.joined != "or"
            and re.fullmatch(r"\s*(?:and|yet|but)(?:\s+(?:also|at the same time))?\s*", between, re.IGNORECASE)
        ):
            if (
                first.how in (ChangeKind.LATER, ChangeKind.MORE, ChangeKind.PLACES)
                and first.amount * second.amount < 0
                and first.unit == second.unit
            ):
                return f"it supposes both “{first.text}” and “{second.text}”"
            if first.how is ChangeKind.TIMES and (first.amount - 1) * (second.amount - 1) < 0:
                return f"it supposes both “{first.text}” and “{second.text}”"
    for change in conditional.changes:
        if change.how is ChangeKind.TIMES and change.amount < 0:
            return f"nothing can be made smaller by more than all of it: “{change.text}”"
        if change.how is ChangeKind.TIMES and change.amount == 0 and not _NOTHING_LEFT.search(change.text):
            return f"“{change.text}” leaves nothing to reckon with"
    return ""
