"""From text with marks before headings and list items to lines: paragraphs joined, holes closed, offsets kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph.sources.article import ArticleEntry, EntryKind

HEADING_MARK, ITEM_MARK, MEANING_MARK = "\0", "\1", "\2"
"""The marks before a heading and its level, before a list item, and before the meaning of a term or an indented line."""

BLOCK_MARKS = re.compile(f"[{HEADING_MARK}{ITEM_MARK}{MEANING_MARK}]")
"""Any of the marks."""

LONGEST_LEAD = 300
"""How many characters are kept of the line or item that an item hangs on, the last ones."""

_TAGS = (
    "abbr|b|bdi|bdo|big|blockquote|br|center|cite|code|dd|del|dfn|div|dl|dt|em|font|gallery|h[1-6]|hr|i|includeonly|ins|kbd|li|math|"
    "noinclude|nowiki|ol|onlyinclude|p|poem|pre|q|ref|references|rp|rt|ruby|s|samp|small|source|span|strike|strong|sub|sup|"
    "syntaxhighlight|table|td|th|tr|tt|u|ul|var|wbr"
)
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
    """The plain text of a page, a paragraph or list item a line; `headings` are `(offset, title)` in that text.

    `entries` are its list items, in order, and then the fields of its infoboxes.
    """

    text: str
    headings: tuple[tuple[int, str], ...]
    entries: tuple[ArticleEntry, ...] = ()


def lay_out_page(marked_text: str, fields: tuple[ArticleEntry, ...]) -> PlainPage:
    """Join the lines of paragraphs, as a browser does, and clean each; headings and list items become offsets."""
    lines: list[str] = []
    headings: list[tuple[int, str]] = []
    items: list[ArticleEntry] = []
    place: dict[int, str] = {}
    above: list[str] = [""]
    offset = 0
    for block in _marked_blocks(marked_text):
        text = clean_block(block.text)
        if block.level:
            place = {level: title for level, title in place.items() if level < block.level} | {block.level: text}
            above = [""]
            if text:
                headings.append((offset, text))
            continue
        if not any(map(str.isalnum, text)):
            continue
        if block.depth:
            term = clean_block(block.text.partition(MEANING_MARK)[0]) if MEANING_MARK in block.text else text
            if any(map(str.isalnum, term)) and text.startswith(term):
                above = [*above, *[""] * block.depth][: block.depth]
                items.append(ArticleEntry(EntryKind.LIST, tuple(place.values()), term, above[-1], block.depth, offset))
                above.append(term[-LONGEST_LEAD:])
        else:
            above = [text[-LONGEST_LEAD:] if text.endswith(":") else ""]
        lines.append(text)
        offset += len(text) + 1
    return PlainPage("\n".join(lines), tuple(headings), (*items, *fields))


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
