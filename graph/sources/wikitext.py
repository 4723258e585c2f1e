"""From wikitext to plain text: links to what they show; no templates, tables, references, comments, files or tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from mwparserfromhell import parse
from mwparserfromhell.nodes import ExternalLink, Heading, HTMLEntity, Node, Tag, Template, Text, Wikilink
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

from graph.sources.article import Entry, EntryKind
from graph.sources.layout import HEADING, ITEM, MARKS, MEANING, Plain, clean, laid_out
from graph.sources.templates import LISTS, SHOWN

LONGEST_PAGE = 1 << 22
"""The longest page, in characters, that is taken apart; MediaWiki saves none of more than 2 MiB."""

MOST_TANGLED = 20_000_000
"""The largest product of a page's length and of what opens in it and never closes.

The parser goes back over the rest of the page for each of these, and took 8 seconds for the worst such page that was found.
"""

DEEPEST = 100
"""How deep the parser follows brackets and tags within each other."""

MOST_BARS = 100_000
"""The largest number of vertical bars outside of tables; the parser's time for a template grows with their square."""


class PageUnreadable(ValueError):
    """A page cannot be made plain; the message is the reason in a few words."""


_LEFT_OUT = frozenset(
    "ref references math chem ce gallery timeline score syntaxhighlight source pre table imagemap hiero graph mapframe maplink "
    "templatestyles templatedata indicator includeonly section style script inputbox categorytree".split()
)
_BLOCKS = frozenset("br p div blockquote center poem hr dl ul ol section h1 h2 h3 h4 h5 h6 tr td th".split())
_ITEMS = frozenset({"li", "dt", "dd"})
_HIDDEN_NAMESPACES = frozenset({"file", "image", "category", "media"})
_INTERLANGUAGE = re.compile(r"(?!doi:|rfc:|wmf:)(?:[a-z]{2,3}(?:-[a-z]+)*|simple):", re.ASCII)

_INFOBOX = "infobox"
_LONGEST_FIELD = 5_000
_MARKERS = re.compile(r"^([*#:;]{20})[*#:;]+", re.MULTILINE)
_TABLE = re.compile(r"^[ \t:*#;]*(?P<open>\{\|)|^[ \t]*(?P<close>\|\})(?!\})", re.MULTILINE)
_LINK = re.compile(r"(?P<open>\[\[)(?:(?P<space>[^\[\]|:\n]{1,40}):)?|(?P<close>\]\])")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<ref(?:\s[^<>]*)?/>|<ref(?:\s[^<>]*)?>(?:[^<]|<(?!/?ref\b))*</ref\s*>", re.IGNORECASE)
_OPENINGS = re.compile(
    r"(?P<brace>\{\{)|(?P<unbrace>\}\})|(?P<link>\[\[)|(?P<unlink>\]\])|(?P<table>\{\|)|(?P<untable>\|\})"
    r"|(?P<external>\[(?=https?:|ftp:|mailto:|//))|(?P<unexternal>\])|</(?P<untag>[a-z]+)|<(?P<tag>[a-z]+)(?P<whole>[^<>]*/?>)?",
    re.IGNORECASE,
)
_ALONE = frozenset("br hr wbr img meta link".split())


def plain_text(wikitext: str, hidden: frozenset[str] = _HIDDEN_NAMESPACES) -> Plain:
    """Return `wikitext` as plain text; links into the namespaces `hidden`, in lower case, show nothing.

    Raises `PageUnreadable` for a page that is too long, too tangled (see `MOST_TANGLED`) or breaks the parser.
    """
    if len(wikitext) > LONGEST_PAGE:
        raise PageUnreadable(f"longer than {LONGEST_PAGE:,} characters")
    hidden |= _HIDDEN_NAMESPACES
    source = _REFERENCE.sub("", _COMMENT.sub("", MARKS.sub("", wikitext)))
    source = _MARKERS.sub(r"\1", _without(source, _LINK, lambda link: (link["space"] or "").strip().lower() in hidden))
    source = _without(source, _TABLE, lambda _: True)
    if (unclosed := _unclosed(source)) * len(source) > MOST_TANGLED:
        raise PageUnreadable(f"too tangled: {unclosed:,} brackets and tags never close or lie too deep")
    if (bars := source.count("|")) > MOST_BARS:
        raise PageUnreadable(f"too tangled: {bars:,} vertical bars")
    try:
        page = _Page(hidden)
        shown = "".join(page.shown(parse(source, skip_style_tags=True)))
        fields = tuple(field for box in page.infoboxes for field in _fields(box, _Field(hidden)))
    except (ParserError, RecursionError, ValueError, LookupError) as error:
        raise PageUnreadable(f"the parser fails: {str(error) or type(error).__name__}") from None
    return laid_out(shown, fields)


def _without(source: str, marks: re.Pattern[str], unwanted: Callable[[re.Match[str]], bool]) -> str:
    """Return `source` without what lies between an opening mark that is `unwanted` and its closing mark, in one pass."""
    begun: list[tuple[int, bool]] = []
    spans: list[tuple[int, int]] = []
    for mark in marks.finditer(source):
        if mark["open"]:
            begun.append((mark.start("open"), unwanted(mark)))
        elif begun:
            start, goes = begun.pop()
            if goes:
                while spans and spans[-1][0] > start:
                    spans.pop()
                spans.append((start, mark.end()))
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(source)]
    return "".join(source[end:start] for end, start in zip(ends, starts, strict=True))


def _unclosed(source: str) -> int:
    """Count, in one pass, what opens and never closes; what lies too deep for the parser never closes for it."""
    still_open: Counter[str] = Counter()
    depth = deepest = broken = 0
    for match in _OPENINGS.finditer(source):
        kind = match.lastgroup or ""
        if kind in {"tag", "whole"}:
            name = match["tag"].lower()
            broken += match["whole"] is None
            step = int(match["whole"] is not None and name not in _ALONE and not match["whole"].endswith("/>"))
        else:
            name = match["untag"].lower() if kind == "untag" else kind.removeprefix("un")
            step = 1 if not kind.startswith("un") else -int(still_open[name] > 0)
        still_open[name] += step
        depth += step
        deepest = max(deepest, depth)
    return broken + depth + max(0, deepest - DEEPEST)


class _Page:
    """Turns the nodes of one page into the text that a reader would see; `infoboxes` are those that it came by."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self.infoboxes: list[Template] = []
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
            yield MARKS.sub("", node.normalize())
        elif isinstance(node, Heading):
            title = " ".join("".join(self.shown(node.title)).split())
            yield f"\n{HEADING}{node.level}{title}\n"
        elif isinstance(node, ExternalLink) and node.brackets:
            yield from self.shown(node.title)

    def _link(self, link: Wikilink) -> Iterator[str]:
        target = "".join(self.shown(link.title)).strip()
        namespace, colon, _ = target.partition(":")
        if colon and (namespace.strip().lower() in self._hidden or _INTERLANGUAGE.match(target)):
            return
        yield from [target.removeprefix(":")] if link.text is None else self.shown(link.text)

    def _tag(self, tag: Tag) -> Iterator[str]:
        name = str(tag.tag).strip().lower()
        if name in _LEFT_OUT:
            return
        if name in _ITEMS:
            mark = MEANING if name == "dd" else ITEM
            yield f"\n{mark}" if not tag.wiki_markup or name != "dd" else mark
        elif name in _BLOCKS:
            yield "\n\n"
        if name == "nowiki":
            yield str(tag.contents)
        elif not tag.self_closing:
            yield from self.shown(tag.contents)
        if name in _BLOCKS or (name in _ITEMS and not tag.wiki_markup):
            yield "\n\n"

    def _template(self, template: Template) -> str:
        name = _template_name(template)
        if name.startswith(_INFOBOX):
            self.infoboxes.append(template)
        shown = SHOWN.get(name)
        if shown is None:
            return ""
        return shown({str(given.name).strip(): "".join(self.shown(given.value)).strip() for given in template.params})


class _Field(_Page):
    """Turns the value of one field of an infobox into lines; templates that make lists show their items."""

    def _template(self, template: Template) -> str:
        if _template_name(template) not in LISTS:
            return super()._template(template)
        return "".join(f"\n{ITEM}{''.join(self.shown(item.value))}" for item in template.params if not item.showkey) + "\n\n"


def _template_name(template: Template) -> str:
    """Return the name of a template in lower case, with single spaces."""
    return " ".join(str(template.name).lower().replace("_", " ").split())


def _fields(box: Template, page: _Field) -> Iterator[Entry]:
    """Yield the fields of an infobox that hold words, each on one line, its values separated by semicolons."""
    name = _template_name(box).removeprefix(_INFOBOX).strip()
    for given in box.params:
        if given.showkey and len(str(given.value)) <= _LONGEST_FIELD:
            lines = "".join(page.shown(given.value)).split("\n")
            values = [text.strip(" ;,") for text in map(clean, lines) if any(map(str.isalnum, text))]
            if values:
                yield Entry(EntryKind.INFOBOX, (name, str(given.name).strip().lower()), "; ".join(values))
