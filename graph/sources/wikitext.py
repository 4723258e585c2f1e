"""Wikitext as plain text: what a reader sees, a paragraph or list item a line, with the offsets of headings and items.

Links show their words. Templates, tables, references, comments, files and tags show nothing, but for a few templates.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from mwparserfromhell import parse
from mwparserfromhell.nodes import ExternalLink, Heading, HTMLEntity, Node, Tag, Template, Text, Wikilink
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

from graph.sources.article import ArticleEntry, ArticleLink, EntryKind


@dataclass(frozen=True, slots=True)
class RenderedTemplate:
    """A template whose place in the sentence is kept: what it shows of its arguments, and an example with its result."""

    name: str
    render: Callable[[Mapping[str, str]], str]
    example: str
    result: str


def _render_measure(arguments: Mapping[str, str]) -> str:
    parts = [arguments[str(place)] for place in range(1, 5)]
    if parts[1] in {"-", "–", "to", "and", "or", "by", "x", "to(-)"}:
        return f"{parts[0]} {parts[1].removesuffix('(-)')} {parts[2]} {parts[3]}"
    return f"{parts[0]} {parts[1]}"


def _render_as_of(arguments: Mapping[str, str]) -> str:
    return f"{'as' if arguments.get('lc') else 'As'} of {arguments['1']}"


RENDERED_TEMPLATES = (
    RenderedTemplate("lang", itemgetter("2"), "the {{lang|fr|coup}}", "the coup"),
    RenderedTemplate("transl", itemgetter("2"), "{{transl|ar|jihad}}", "jihad"),
    RenderedTemplate("nowrap", itemgetter("1"), "{{nowrap|40 million}} people", "40 million people"),
    RenderedTemplate("nobr", itemgetter("1"), "{{nobr|12 May}}", "12 May"),
    RenderedTemplate("abbr", itemgetter("1"), "{{abbr|WHO|World Health Organization}}", "WHO"),
    RenderedTemplate("smallcaps", itemgetter("1"), "{{smallcaps|Lord}}", "Lord"),
    RenderedTemplate("convert", _render_measure, "{{convert|5|km|mi}} away", "5 km away"),
    RenderedTemplate("cvt", _render_measure, "{{cvt|5|to|10|kg}}", "5 to 10 kg"),
    RenderedTemplate("as of", _render_as_of, "one in 68 {{as of|2014|lc=y}}", "one in 68 as of 2014"),
    RenderedTemplate("circa", lambda given: f"c. {given['1']}", "{{circa|1500}}", "c. 1500"),
    RenderedTemplate("ndash", lambda _: " – ", "war{{ndash}}peace", "war – peace"),
    RenderedTemplate("spaced ndash", lambda _: " – ", "war{{spaced ndash}}peace", "war – peace"),
    RenderedTemplate("mdash", lambda _: "—", "war{{mdash}}peace", "war—peace"),
)
"""The templates that stand for words; all others are left out."""

_NAMES = tomllib.loads(Path(__file__).with_name("wikitext.toml").read_text(encoding="ascii"))

LIST_TEMPLATES = frozenset(_NAMES["list_templates"])
"""The templates whose arguments without a name are the items of a list."""

_RENDERERS = {template.name: template.render for template in RENDERED_TEMPLATES}

# The marks before a heading and its level, before a list item, and before the meaning of a term or an indented line.
HEADING_MARK, ITEM_MARK, MEANING_MARK = "\0", "\1", "\2"
# The marks around the target of a link, which comes before its anchor, and behind the anchor.
TARGET_MARK, ANCHOR_MARK, LINK_END_MARK = "\3", "\4", "\5"
BLOCK_MARKS = re.compile("[\0-\5]")  # any of the marks
_MARKED_LINK = re.compile(
    f"{TARGET_MARK}(?P<target>[^{ANCHOR_MARK}]*){ANCHOR_MARK}(?P<anchor>[^{TARGET_MARK}{LINK_END_MARK}]*){LINK_END_MARK}"
)
_LINK_MARKUP = re.compile(f"{TARGET_MARK}[^{ANCHOR_MARK}]*{ANCHOR_MARK}|{LINK_END_MARK}")
_LINK_TRAIL = re.compile("[a-z]*")
LONGEST_LEAD = 300  # how many characters are kept of the line or item that an item hangs on, the last ones

_TAGS = "|".join(_NAMES["tags"])
_LEFTOVER_MARKUP = re.compile(
    rf"\{{\{{+|\}}\}}+|\[\[+|\]\]+|\{{\||\|\}}|''+|</?(?:{_TAGS})(?:\s[^<>]*)?/?>|</?ref\b|<!--|-->|(?-i:__[A-Z]+__)|[\0\1\2]",
    re.IGNORECASE,
)
_NO_MARKUP = str.maketrans("", "", "{}[]<>|'_\0\1\2")
_TABLE_LINES = ("|", "{|")
_EMPTY_BRACKETS = re.compile(r"[(\[][\s,;:/–-]*[)\]]")
_AFTER_BRACKET = re.compile(r"(?<=\()[\s,;:]+")
_SPACE_BEFORE = re.compile(r" +(?=[,;.)](?:\s|$))")


@dataclass(frozen=True, slots=True)
class PlainPage:
    """The plain text of a page, its headings as `(offset, title)`, and its list items and then its infobox fields as entries."""

    text: str
    headings: tuple[tuple[int, str], ...]
    entries: tuple[ArticleEntry, ...] = ()
    links: tuple[ArticleLink, ...] = ()


def lay_out_page(marked_text: str, fields: tuple[ArticleEntry, ...]) -> PlainPage:
    """Join the lines of paragraphs, as a browser does, and clean each; headings and list items become offsets."""
    lines: list[str] = []
    headings: list[tuple[int, str]] = []
    items: list[ArticleEntry] = []
    links: list[ArticleLink] = []
    place: dict[int, str] = {}
    above: list[str] = [""]
    offset = 0
    for block in _marked_blocks(marked_text):
        text, block_links = linked_text(block.text)
        if block.level:
            place = {level: title for level, title in place.items() if level < block.level} | {block.level: text}
            above = [""]
            if text:
                headings.append((offset, text))
            continue
        if not any(map(str.isalnum, text)):
            continue
        if block.depth:
            term = linked_text(block.text.partition(MEANING_MARK)[0])[0] if MEANING_MARK in block.text else text
            if any(map(str.isalnum, term)) and text.startswith(term):
                above = [*above, *[""] * block.depth][: block.depth]
                items.append(ArticleEntry(EntryKind.LIST, tuple(place.values()), term, above[-1], block.depth, offset))
                above.append(term[-LONGEST_LEAD:])
        else:
            above = [text[-LONGEST_LEAD:] if text.endswith(":") else ""]
        lines.append(text)
        links += (ArticleLink(link.anchor, offset + link.offset, link.target) for link in block_links)
        offset += len(text) + 1
    return PlainPage("\n".join(lines), tuple(headings), (*items, *fields), tuple(links))


@dataclass(frozen=True, slots=True)
class _MarkedBlock:
    """A paragraph, an item that lies `depth` lists deep, or a heading of a `level`; both count from 1."""

    text: str
    depth: int = 0
    level: int = 0


def _marked_blocks(marked_text: str) -> Iterator[_MarkedBlock]:
    """Yield each paragraph, list item and heading; a line that begins with a space stands alone, as wikitext has it."""
    paragraph: list[str] = []
    depth = 0
    for line in marked_text.split("\n"):
        bare = line.lstrip(ITEM_MARK + MEANING_MARK + " ")
        own = line.startswith((HEADING_MARK, ITEM_MARK, MEANING_MARK, " "))
        nothing = not line.strip() or bare.startswith(_TABLE_LINES)
        if paragraph and (own or nothing):
            yield _MarkedBlock(" ".join(paragraph))
            paragraph = []
        if line.startswith(ITEM_MARK):
            depth += 1
        if line.startswith(HEADING_MARK):
            yield _MarkedBlock(line[2:], level=int(line[1]))
        elif own and not nothing and bare:
            marks = line[: len(line) - len(bare)]
            yield _MarkedBlock(bare, depth if ITEM_MARK in marks and MEANING_MARK not in marks else 0)
        elif not nothing and not own:
            paragraph.append(line)
        if bare or not line:
            depth = 0
    if paragraph:
        yield _MarkedBlock(" ".join(paragraph))


def clean_block(block: str) -> str:
    """Return `block` on one line, without markup that never closed and without the holes that templates leave."""
    text = _LEFTOVER_MARKUP.sub("", _LEFTOVER_MARKUP.sub("", block))
    if _LEFTOVER_MARKUP.search(text):
        text = text.translate(_NO_MARKUP)
    text = _AFTER_BRACKET.sub("", _EMPTY_BRACKETS.sub("", text))
    return _SPACE_BEFORE.sub("", " ".join(text.split()))


def linked_text(block: str) -> tuple[str, list[ArticleLink]]:
    """Return a block whose links are marked as `clean_block` makes it, and its links at their offsets there.

    A link whose words the cleaning changes or joins with others is left out.
    """
    if TARGET_MARK not in block:
        return clean_block(block), []
    text = clean_block(_LINK_MARKUP.sub("", block))
    links: list[ArticleLink] = []
    read = searched = 0
    for link in _MARKED_LINK.finditer(block):
        gap, anchor = block[read : link.start()], clean_block(link["anchor"])
        first = searched + len(clean_block(gap))
        place = text.find(anchor, first, first + len(gap) + len(anchor)) if anchor else -1
        read = link.end()
        if place >= 0:
            trail = _LINK_TRAIL.match(text, place + len(anchor))
            searched = place + len(anchor)
            links.append(ArticleLink(text[place : trail.end() if trail else searched], place, link["target"]))
    return text, links


LONGEST_PAGE = 1 << 22  # the longest page, in characters, that is taken apart; MediaWiki saves none of more than 2 MiB
# The largest product of a page's length and of the brackets and tags in it that never close: the parser goes back over the rest
# of the page for each of these, and took 8 seconds for the worst such page.
MOST_TANGLED = 20_000_000
DEEPEST = 100  # how deep the parser follows brackets and tags within each other
MOST_BARS = 100_000  # vertical bars outside of tables: the parser's time for a template grows with their square


class PageUnreadable(ValueError):
    """A page cannot be made plain; the message is the reason in a few words."""


_DROPPED_TAGS = frozenset(_NAMES["dropped_tags"])
_BLOCK_TAGS = frozenset(_NAMES["block_tags"])
_ITEM_TAGS = frozenset({"li", "dt", "dd"})
_HIDDEN_NAMESPACES = frozenset({"file", "image", "category", "media"})
_INTERLANGUAGE = re.compile(r"(?!doi:|rfc:|wmf:)(?:[a-z]{2,3}(?:-[a-z]+)*|simple):", re.ASCII)

_INFOBOX = "infobox"
_LONGEST_FIELD = 5_000
_LONG_LIST_MARKERS = re.compile(r"^([*#:;]{20})[*#:;]+", re.MULTILINE)
_TABLE = re.compile(r"^[ \t:*#;]*(?P<open>\{\|)|^[ \t]*(?P<close>\|\})(?!\})", re.MULTILINE)
_LINK = re.compile(r"(?P<open>\[\[)(?:(?P<space>[^\[\]|:\n]{1,40}):)?|(?P<close>\]\])")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<ref(?:\s[^<>]*)?/>|<ref(?:\s[^<>]*)?>(?:[^<]|<(?!/?ref\b))*</ref\s*>", re.IGNORECASE)
_OPENINGS = re.compile(
    r"(?P<brace>\{\{)|(?P<unbrace>\}\})|(?P<link>\[\[)|(?P<unlink>\]\])|(?P<table>\{\|)|(?P<untable>\|\})"
    r"|(?P<external>\[(?=https?:|ftp:|mailto:|//))|(?P<unexternal>\])|</(?P<untag>[a-z]+)|<(?P<tag>[a-z]+)(?P<whole>[^<>]*/?>)?",
    re.IGNORECASE,
)
_VOID_TAGS = frozenset("br hr wbr img meta link".split())


def wikitext_to_plain(wikitext: str, hidden: frozenset[str] = _HIDDEN_NAMESPACES) -> PlainPage:
    """Return wikitext as plain text, without links into the namespaces `hidden`; raise `PageUnreadable` for a tangled page."""
    if len(wikitext) > LONGEST_PAGE:
        raise PageUnreadable(f"longer than {LONGEST_PAGE:,} characters")
    hidden |= _HIDDEN_NAMESPACES
    source = _REFERENCE.sub("", _COMMENT.sub("", BLOCK_MARKS.sub("", wikitext)))
    source = _drop_enclosed(source, _LINK, lambda link: (link["space"] or "").strip().lower() in hidden)
    source = _LONG_LIST_MARKERS.sub(r"\1", source)
    source = _drop_enclosed(source, _TABLE, lambda _: True)
    if (unclosed := _count_unclosed(source)) * len(source) > MOST_TANGLED:
        raise PageUnreadable(f"too tangled: {unclosed:,} brackets and tags never close or lie too deep")
    if (bars := source.count("|")) > MOST_BARS:
        raise PageUnreadable(f"too tangled: {bars:,} vertical bars")
    try:
        page = _PageRenderer(hidden)
        marked_text = "".join(page.render(parse(source, skip_style_tags=True)))
        fields = tuple(field for box in page.infoboxes for field in _infobox_fields(box, _FieldRenderer(hidden)))
    except (ParserError, RecursionError, ValueError, LookupError) as error:
        raise PageUnreadable(f"the parser fails: {str(error) or type(error).__name__}") from None
    return lay_out_page(marked_text, fields)


def _drop_enclosed(source: str, marks: re.Pattern[str], unwanted: Callable[[re.Match[str]], bool]) -> str:
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


def _count_unclosed(source: str) -> int:
    """Count, in one pass, what opens and never closes; what lies too deep for the parser never closes for it."""
    still_open: Counter[str] = Counter()
    depth = deepest = broken = 0
    for match in _OPENINGS.finditer(source):
        kind = match.lastgroup or ""
        if kind in {"tag", "whole"}:
            name = match["tag"].lower()
            broken += match["whole"] is None
            step = int(match["whole"] is not None and name not in _VOID_TAGS and not match["whole"].endswith("/>"))
        else:
            name = match["untag"].lower() if kind == "untag" else kind.removeprefix("un")
            step = 1 if not kind.startswith("un") else -int(still_open[name] > 0)
        still_open[name] += step
        depth += step
        deepest = max(deepest, depth)
    return broken + depth + max(0, deepest - DEEPEST)


class _PageRenderer:
    """Turns the nodes of one page into the text that a reader would see; `infoboxes` are those that it came by."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self.infoboxes: list[Template] = []
        self._hidden = hidden

    def render(self, code: Wikicode | None) -> Iterator[str]:
        """Yield the pieces of text that `code` shows, with marks before headings and list items."""
        for node in code.nodes if code is not None else ():
            yield from self._render_node(node)

    def _render_node(self, node: Node) -> Iterator[str]:
        if isinstance(node, Text):
            yield node.value
        elif isinstance(node, Wikilink):
            yield from self._render_link(node)
        elif isinstance(node, Tag):
            yield from self._render_tag(node)
        elif isinstance(node, Template):
            yield self._render_template(node)
        elif isinstance(node, HTMLEntity):
            yield BLOCK_MARKS.sub("", node.normalize())
        elif isinstance(node, Heading):
            title = " ".join(_LINK_MARKUP.sub("", "".join(self.render(node.title))).split())
            yield f"\n{HEADING_MARK}{node.level}{title}\n"
        elif isinstance(node, ExternalLink) and node.brackets:
            yield from self.render(node.title)

    def _render_link(self, link: Wikilink) -> Iterator[str]:
        target = "".join(self.render(link.title)).strip()
        namespace, colon, _ = target.partition(":")
        if colon and (namespace.strip().lower() in self._hidden or _INTERLANGUAGE.match(target)):
            return
        target = target.removeprefix(":")
        title = BLOCK_MARKS.sub("", target).partition("#")[0].replace("_", " ").strip()
        if title:
            yield f"{TARGET_MARK}{title}{ANCHOR_MARK}"
        yield from [target] if link.text is None else self.render(link.text)
        if title:
            yield LINK_END_MARK

    def _render_tag(self, tag: Tag) -> Iterator[str]:
        name = str(tag.tag).strip().lower()
        if name in _DROPPED_TAGS:
            return
        if name in _ITEM_TAGS:
            mark = MEANING_MARK if name == "dd" else ITEM_MARK
            yield f"\n{mark}" if not tag.wiki_markup or name != "dd" else mark
        elif name in _BLOCK_TAGS:
            yield "\n\n"
        if name == "nowiki":
            yield str(tag.contents)
        elif not tag.self_closing:
            yield from self.render(tag.contents)
        if name in _BLOCK_TAGS or (name in _ITEM_TAGS and not tag.wiki_markup):
            yield "\n\n"

    def _render_template(self, template: Template) -> str:
        name = _template_name(template)
        if name.startswith(_INFOBOX):
            self.infoboxes.append(template)
        renderer = _RENDERERS.get(name)
        if renderer is None:
            return ""
        values = {str(given.name).strip(): "".join(self.render(given.value)).strip() for given in template.params}
        return renderer(defaultdict(str, values))


class _FieldRenderer(_PageRenderer):
    """Turns the value of one field of an infobox into lines; templates that make lists show their items."""

    def _render_template(self, template: Template) -> str:
        if _template_name(template) not in LIST_TEMPLATES:
            return super()._render_template(template)
        items = ("".join(self.render(item.value)) for item in template.params if not item.showkey)
        return "".join(f"\n{ITEM_MARK}{item}" for item in items) + "\n\n"


def _template_name(template: Template) -> str:
    return " ".join(str(template.name).lower().replace("_", " ").split())


def _infobox_fields(box: Template, page: _FieldRenderer) -> Iterator[ArticleEntry]:
    """Yield the fields of an infobox that hold words, each on one line, its values separated by semicolons."""
    name = _template_name(box).removeprefix(_INFOBOX).strip()
    for given in box.params:
        if given.showkey and len(str(given.value)) <= _LONGEST_FIELD:
            lines = "".join(page.render(given.value)).split("\n")
            values = [text.strip(" ;,") for text in (linked_text(line)[0] for line in lines) if any(map(str.isalnum, text))]
            if values:
                yield ArticleEntry(EntryKind.INFOBOX, (name, str(given.name).strip().lower()), "; ".join(values))
