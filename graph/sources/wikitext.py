"""From wikitext to plain text: links to what they show; no templates, tables, references, comments, files or tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mwparserfromhell import parse
from mwparserfromhell.nodes import ExternalLink, Heading, HTMLEntity, Node, Tag, Template, Text, Wikilink
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

LONGEST_PAGE = 1 << 22
"""The longest page, in characters, that is taken apart; MediaWiki saves none of more than 2 MiB."""

MOST_TANGLED = 20_000_000
"""The largest product of a page's length and of what opens in it and never closes.

The parser goes back over the rest of the page for each of these, and took 8 seconds for the worst such page that was found.
"""


class PageUnreadable(ValueError):
    """A page cannot be made plain; the message is the reason in a few words."""


@dataclass(frozen=True, slots=True)
class Plain:
    """The plain text of a page, a paragraph or list item a line; `headings` are `(offset, title)` in that text."""

    text: str
    headings: tuple[tuple[int, str], ...]


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


SHOWN_TEMPLATES = (
    ShownTemplate("lang", _argument("2"), "the {{lang|fr|coup}}", "the coup"),
    ShownTemplate("transl", _argument("2"), "{{transl|ar|jihad}}", "jihad"),
    ShownTemplate("nowrap", _argument("1"), "{{nowrap|40 million}} people", "40 million people"),
    ShownTemplate("nobr", _argument("1"), "{{nobr|12 May}}", "12 May"),
    ShownTemplate("abbr", _argument("1"), "{{abbr|WHO|World Health Organization}}", "WHO"),
    ShownTemplate("smallcaps", _argument("1"), "{{smallcaps|Lord}}", "Lord"),
    ShownTemplate("convert", _measure, "{{convert|5|km|mi}} away", "5 km away"),
    ShownTemplate("cvt", _measure, "{{cvt|5|to|10|kg}}", "5 to 10 kg"),
    ShownTemplate("as of", lambda given: f"As of {given.get('1', '')}", "{{As of|2011}}, it", "As of 2011, it"),
    ShownTemplate("circa", lambda given: f"c. {given.get('1', '')}", "{{circa|1500}}", "c. 1500"),
    ShownTemplate("ndash", lambda _: " – ", "war{{ndash}}peace", "war – peace"),
    ShownTemplate("spaced ndash", lambda _: " – ", "war{{spaced ndash}}peace", "war – peace"),
    ShownTemplate("mdash", lambda _: "—", "war{{mdash}}peace", "war—peace"),
)
"""The templates that stand for words; all others are left out."""

_SHOWN = {template.name: template.shown for template in SHOWN_TEMPLATES}
_LEFT_OUT = frozenset(
    "ref references math chem ce gallery timeline score syntaxhighlight source pre table imagemap hiero graph mapframe maplink "
    "templatestyles templatedata indicator includeonly section style script inputbox categorytree".split()
)
_BLOCKS = frozenset("br p div blockquote center poem hr dl ul ol section h1 h2 h3 h4 h5 h6 tr td th".split())
_ITEMS = frozenset({"li", "dt", "dd"})
_HIDDEN_NAMESPACES = frozenset({"file", "image", "category", "media"})
_INTERLANGUAGE = re.compile(r"(?!doi:|rfc:|wmf:)(?:[a-z]{2,3}(?:-[a-z]+)*|simple):", re.ASCII)

_HEADING, _ITEM = "\0", "\1"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<ref(?:\s[^<>]*)?/>|<ref(?:\s[^<>]*)?>(?:[^<]|<(?!/?ref\b))*</ref\s*>", re.IGNORECASE)
_OPENINGS = re.compile(
    r"(?P<brace>\{\{)|(?P<unbrace>\}\})|(?P<link>\[\[)|(?P<unlink>\]\])|(?P<table>\{\|)|(?P<untable>\|\})"
    r"|(?P<external>\[(?=https?:|ftp:|mailto:|//))|(?P<unexternal>\])|</(?P<untag>[a-z]+)|<(?P<tag>[a-z]+)(?P<whole>[^<>]*/?>)?",
    re.IGNORECASE,
)
_ALONE = frozenset("br hr li dt dd tr td th wbr img".split())
_LEFTOVERS = re.compile(r"\{\{+|\}\}+|\[\[+|\]\]+|\{\||\|\}|''+|</?[a-zA-Z][^<>]*>?|<!--|-->|__[A-Z]+__|[\0\1]")
_EMPTY_BRACKETS = re.compile(r"[(\[][\s,;:/–-]*[)\]]")
_AFTER_BRACKET = re.compile(r"(?<=\()[\s,;:]+")
_SPACE_BEFORE = re.compile(r" +(?=[,;.)](?:\s|$))")


def plain_text(wikitext: str, hidden: frozenset[str] = _HIDDEN_NAMESPACES) -> Plain:
    """Return `wikitext` as plain text; links into the namespaces `hidden`, in lower case, show nothing.

    Raises `PageUnreadable` for a page that is too long, too tangled (see `MOST_TANGLED`) or breaks the parser.
    """
    if len(wikitext) > LONGEST_PAGE:
        raise PageUnreadable(f"longer than {LONGEST_PAGE:,} characters")
    source = _REFERENCE.sub("", _COMMENT.sub("", wikitext)).replace(_HEADING, "").replace(_ITEM, "")
    unclosed = _unclosed(source)
    if unclosed * len(source) > MOST_TANGLED:
        raise PageUnreadable(f"too tangled: {unclosed:,} brackets and tags are never closed")
    try:
        shown = "".join(_Page(hidden | _HIDDEN_NAMESPACES).shown(parse(source)))
    except (ParserError, RecursionError, ValueError, LookupError) as error:
        raise PageUnreadable(f"the parser fails: {str(error) or type(error).__name__}") from None
    return _assembled(shown)


def _unclosed(source: str) -> int:
    """Count the brackets and tags that open and never close, in one pass."""
    still_open: Counter[str] = Counter()
    broken = 0
    for match in _OPENINGS.finditer(source):
        kind = match.lastgroup or ""
        if kind in {"tag", "whole"}:
            name = match["tag"].lower()
            if match["whole"] is None:
                broken += 1
            elif name not in _ALONE and not match["whole"].endswith("/>"):
                still_open[name] += 1
        else:
            name = match["untag"].lower() if kind == "untag" else kind.removeprefix("un")
            if kind.startswith("un"):
                still_open[name] -= still_open[name] > 0
            else:
                still_open[name] += 1
    return broken + still_open.total()


class _Page:
    """Turns the nodes of one page into the text that a reader would see."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self._hidden = hidden

    def shown(self, code: Wikicode | None) -> Iterator[str]:
        """Yield the pieces of text that `code` shows, with marks before headings and list items."""
        for node in code.nodes if code is not None else ():
            yield from self._node(node)

    def _node(self, node: Node) -> Iterator[str]:
        if isinstance(node, Text):
            yield node.value
        elif isinstance(node, Wikilink):
            yield from self._link(node)
        elif isinstance(node, Tag):
            yield from self._tag(node)
        elif isinstance(node, Template):
            yield self._template(node)
        elif isinstance(node, HTMLEntity):
            yield node.normalize()
        elif isinstance(node, Heading):
            title = " ".join("".join(self.shown(node.title)).split())
            yield f"\n{_HEADING}{title}\n"
        elif isinstance(node, ExternalLink) and node.brackets:
            yield from self.shown(node.title)

    def _link(self, link: Wikilink) -> Iterator[str]:
        target = str(link.title).strip()
        namespace, colon, _ = target.partition(":")
        if colon and (namespace.strip().lower() in self._hidden or _INTERLANGUAGE.match(target)):
            return
        yield from [target.removeprefix(":")] if link.text is None else self.shown(link.text)

    def _tag(self, tag: Tag) -> Iterator[str]:
        name = str(tag.tag).strip().lower()
        if name in _LEFT_OUT:
            return
        if name in _ITEMS:
            yield f"\n{_ITEM}" if not tag.wiki_markup or name != "dd" else _ITEM
        elif name in _BLOCKS:
            yield "\n\n"
        if name == "nowiki":
            yield str(tag.contents)
        elif not tag.self_closing:
            yield from self.shown(tag.contents)
        if name in _BLOCKS or name in _ITEMS and not tag.wiki_markup:
            yield "\n\n"

    def _template(self, template: Template) -> str:
        shown = _SHOWN.get(str(template.name).strip().lower().replace("_", " "))
        if shown is None:
            return ""
        return shown({str(given.name).strip(): "".join(self.shown(given.value)).strip() for given in template.params})


def _assembled(shown: str) -> Plain:
    """Join the lines of paragraphs, as a browser does, and clean each; headings become offsets."""
    lines: list[str] = []
    headings: list[tuple[int, str]] = []
    offset = 0
    for block in _blocks(shown):
        text = _clean(block)
        if block.startswith(_HEADING):
            if text:
                headings.append((offset, text))
        elif text and not text.startswith(("|", "!")) and any(map(str.isalnum, text)):
            lines.append(text)
            offset += len(text) + 1
    return Plain("\n".join(lines), tuple(headings))


def _blocks(shown: str) -> Iterator[str]:
    """Yield each paragraph, list item and heading; a line that begins with a space stands alone, as wikitext has it."""
    paragraph: list[str] = []
    for line in shown.split("\n"):
        own = line.startswith((_HEADING, _ITEM, " "))
        if paragraph and (own or not line.strip()):
            yield " ".join(paragraph)
            paragraph = []
        if own:
            yield line.lstrip(_ITEM + " ")
        elif line.strip():
            paragraph.append(line)
    if paragraph:
        yield " ".join(paragraph)


def _clean(block: str) -> str:
    """Return `block` on one line, without markup that never closed and without the holes that templates leave."""
    text = _LEFTOVERS.sub("", block)
    text = _AFTER_BRACKET.sub("", _EMPTY_BRACKETS.sub("", text))
    return _SPACE_BEFORE.sub("", " ".join(text.split()))
