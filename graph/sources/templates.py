"""The templates of Wikipedia that stand for words in a sentence, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RenderedTemplate:
    """A template whose place in the sentence is kept: what it shows of its arguments, and an example with its result."""

    name: str
    render: Callable[[Mapping[str, str]], str]
    example: str
    result: str


def _render_argument(name: str) -> Callable[[Mapping[str, str]], str]:
    return lambda arguments: arguments.get(name, "")


def _render_measure(arguments: Mapping[str, str]) -> str:
    """Return what {{convert}} shows first: a value or a range, and its unit."""
    parts = [arguments.get(str(place), "") for place in range(1, 5)]
    if parts[1] in {"-", "–", "to", "and", "or", "by", "x", "to(-)"}:
        return f"{parts[0]} {parts[1].removesuffix('(-)')} {parts[2]} {parts[3]}"
    return f"{parts[0]} {parts[1]}"


def _render_as_of(arguments: Mapping[str, str]) -> str:
    """Return what {{as of}} shows for a year: at the start of a sentence, unless it says otherwise."""
    return f"{'as' if arguments.get('lc') else 'As'} of {arguments.get('1', '')}"


RENDERED_TEMPLATES = (
    RenderedTemplate("lang", _render_argument("2"), "the {{lang|fr|coup}}", "the coup"),
    RenderedTemplate("transl", _render_argument("2"), "{{transl|ar|jihad}}", "jihad"),
    RenderedTemplate("nowrap", _render_argument("1"), "{{nowrap|40 million}} people", "40 million people"),
    RenderedTemplate("nobr", _render_argument("1"), "{{nobr|12 May}}", "12 May"),
    RenderedTemplate("abbr", _render_argument("1"), "{{abbr|WHO|World Health Organization}}", "WHO"),
    RenderedTemplate("smallcaps", _render_argument("1"), "{{smallcaps|Lord}}", "Lord"),
    RenderedTemplate("convert", _render_measure, "{{convert|5|km|mi}} away", "5 km away"),
    RenderedTemplate("cvt", _render_measure, "{{cvt|5|to|10|kg}}", "5 to 10 kg"),
    RenderedTemplate("as of", _render_as_of, "one in 68 {{as of|2014|lc=y}}", "one in 68 as of 2014"),
    RenderedTemplate("circa", lambda given: f"c. {given.get('1', '')}", "{{circa|1500}}", "c. 1500"),
    RenderedTemplate("ndash", lambda _: " – ", "war{{ndash}}peace", "war – peace"),
    RenderedTemplate("spaced ndash", lambda _: " – ", "war{{spaced ndash}}peace", "war – peace"),
    RenderedTemplate("mdash", lambda _: "—", "war{{mdash}}peace", "war—peace"),
)
"""The templates that stand for words; all others are left out."""

LIST_TEMPLATES = frozenset(
    (
        "plainlist|plain list|flatlist|flat list|hlist|ubl|ublist|ubt|unbulleted list|unordered list|ulist|bulleted list|blist|"
        "ordered list|olist|br separated entries|collapsible list|columns-list|cslist|comma separated entries"
    ).split("|")
)
"""The templates whose arguments without a name are the items of a list."""

TEMPLATE_RENDERERS = {template.name: template.render for template in RENDERED_TEMPLATES}
"""What each of these templates shows of its arguments."""
