"""The templates of Wikipedia that stand for words in a sentence, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShownTemplate:
    """A template whose place in the sentence is kept: what it shows of its arguments, and an example with its result."""

    name: str
    shown: Callable[[Mapping[str, str]], str]
    example: str
    result: str


def _argument(name: str) -> Callable[[Mapping[str, str]], str]:
    return lambda arguments: arguments.get(name, "")


def _measure(arguments: Mapping[str, str]) -> str:
    """Return what {{convert}} shows first: a value or a range, and its unit."""
    parts = [arguments.get(str(place), "") for place in range(1, 5)]
    if parts[1] in {"-", "–", "to", "and", "or", "by", "x", "to(-)"}:
        return f"{parts[0]} {parts[1].removesuffix('(-)')} {parts[2]} {parts[3]}"
    return f"{parts[0]} {parts[1]}"


def _as_of(arguments: Mapping[str, str]) -> str:
    """Return what {{as of}} shows for a year: at the start of a sentence, unless it says otherwise."""
    return f"{'as' if arguments.get('lc') else 'As'} of {arguments.get('1', '')}"


SHOWN_TEMPLATES = (
    ShownTemplate("lang", _argument("2"), "the {{lang|fr|coup}}", "the coup"),
    ShownTemplate("transl", _argument("2"), "{{transl|ar|jihad}}", "jihad"),
    ShownTemplate("nowrap", _argument("1"), "{{nowrap|40 million}} people", "40 million people"),
    ShownTemplate("nobr", _argument("1"), "{{nobr|12 May}}", "12 May"),
    ShownTemplate("abbr", _argument("1"), "{{abbr|WHO|World Health Organization}}", "WHO"),
    ShownTemplate("smallcaps", _argument("1"), "{{smallcaps|Lord}}", "Lord"),
    ShownTemplate("convert", _measure, "{{convert|5|km|mi}} away", "5 km away"),
    ShownTemplate("cvt", _measure, "{{cvt|5|to|10|kg}}", "5 to 10 kg"),
    ShownTemplate("as of", _as_of, "one in 68 {{as of|2014|lc=y}}", "one in 68 as of 2014"),
    ShownTemplate("circa", lambda given: f"c. {given.get('1', '')}", "{{circa|1500}}", "c. 1500"),
    ShownTemplate("ndash", lambda _: " – ", "war{{ndash}}peace", "war – peace"),
    ShownTemplate("spaced ndash", lambda _: " – ", "war{{spaced ndash}}peace", "war – peace"),
    ShownTemplate("mdash", lambda _: "—", "war{{mdash}}peace", "war—peace"),
)
"""The templates that stand for words; all others are left out."""

LISTS = frozenset(
    (
        "plainlist|plain list|flatlist|flat list|hlist|ubl|ublist|ubt|unbulleted list|unordered list|ulist|bulleted list|blist|"
        "ordered list|olist|br separated entries|collapsible list|columns-list|cslist|comma separated entries"
    ).split("|")
)
"""The templates whose arguments without a name are the items of a list."""

SHOWN = {template.name: template.shown for template in SHOWN_TEMPLATES}
"""What each of these templates shows of its arguments."""
