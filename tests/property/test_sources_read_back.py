from __future__ import annotations

import bz2
import gzip
import io
import json
import re
from collections.abc import Callable
from contextlib import suppress

import pytest
import zstandard
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statement_lines import statement_json

from graph.errors import InputUnreadable
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.compression import COMPRESSIONS, Compression, decompress
from graph.sources.input_stream import InputStream
from graph.sources.jsonl import read_statements
from graph.sources.plaintext import read_wikiextractor
from graph.sources.wikitext import PageUnreadable, wikitext_to_plain

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "Zstandard": zstandard.ZstdCompressor().compress,
}
TEXT = st.text(st.characters(codec="utf-8"))
NAMES = st.text(st.characters(codec="utf-8"), min_size=1)
PLACES = st.tuples(st.integers(0, 10**9), st.integers(0, 10**6)).map(lambda place: (place[0], place[0] + place[1]))
STATEMENTS = st.builds(
    lambda claim, source, stance, strength, words, text, place, slots, sketch: Statement(
        claim,
        Evidence(
            *(source, stance, strength, words[0], text, words[1], *place),
            tuple((slot, one) for slot, several in slots.items() for one in several),
            sketch.hex(),
        ),
    ),
    st.builds(Claim, NAMES, NAMES, st.sampled_from(Relation), st.sampled_from(Polarity)),
    st.builds(Source, TEXT, TEXT, TEXT, TEXT, TEXT),
    st.sampled_from(Stance),
    st.sampled_from(Strength),
    st.tuples(TEXT, TEXT),
    st.none() | TEXT,
    st.just((None, None)) | PLACES,
    st.dictionaries(TEXT, st.lists(TEXT, min_size=1, max_size=3), max_size=3),
    st.binary(max_size=8),
)
LINES = st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r"))
TOKENS = "{{ }} [[ ]] {| |} | '' ''' <ref> </ref> <ref <div> </div> <nowiki> </nowiki> = == * : # ; &amp; &lt; <!-- [http://a ]"
MARKUP = st.lists(st.sampled_from([*TOKENS.split(), " ", "\n", "\n\n", "{", "[", "<", "a"]) | LINES, max_size=30).map("".join)


def stream_of(content: bytes) -> InputStream:
    return InputStream(io.BytesIO(content), "file", None)


@settings(deadline=None)
@given(st.lists(STATEMENTS, min_size=1, max_size=5))
def test_statements_are_read_back_equal(statements: list[Statement]) -> None:
    lines = "".join(json.dumps(statement_json(statement)) + "\n" for statement in statements)
    assert list(read_statements(stream_of(lines.encode()), pytest.fail)) == statements


@settings(deadline=None)
@given(st.lists(st.binary(), min_size=1, max_size=4), st.integers(1, 50), st.sampled_from(COMPRESSIONS))
def test_compressed_data_may_come_in_blocks_of_any_size(parts: list[bytes], size: int, compression: Compression) -> None:
    data = b"".join(map(PACKERS[compression.name], parts))
    blocks = (data[place : place + size] for place in range(0, len(data), size))
    assert b"".join(decompress(blocks, compression, "file")) == b"".join(parts)


@settings(deadline=None)
@given(st.lists(st.binary(min_size=1), min_size=1, max_size=4), st.integers(1), st.sampled_from(COMPRESSIONS))
def test_cut_data_never_gives_what_was_not_in_it(parts: list[bytes], cut: int, compression: Compression) -> None:
    data = b"".join(map(PACKERS[compression.name], parts))
    read: list[bytes] = []
    with suppress(InputUnreadable):
        read.extend(decompress([data[: cut % len(data)]], compression, "file"))
    assert b"".join(parts).startswith(b"".join(read))


@settings(deadline=None)
@given(st.lists(LINES, min_size=1))
def test_the_lines_of_a_text_are_its_lines(lines: list[str]) -> None:
    content = "\n".join(lines).removeprefix("\ufeff")
    assume(content)
    expected = content.split("\n")
    assert [line for _, line in stream_of(content.encode()).lines(pytest.fail)] == expected[: len(expected) - (not expected[-1])]


@settings(deadline=None)
@given(st.lists(st.lists(LINES).map("\n".join), min_size=1, max_size=4))
def test_articles_between_tags_are_read_back_equal(texts: list[str]) -> None:
    assume(not any("</doc>" in text or "<doc " in text for text in texts))
    content = "".join(f'<doc id="{n}" url="u" title="t">\n{text}\n</doc>\n' for n, text in enumerate(texts))
    assert [article.text for article in read_wikiextractor(stream_of(content.encode()), pytest.fail)] == texts


@settings(deadline=None)
@given(MARKUP)
def test_no_markup_is_left_in_plain_text(wikitext: str) -> None:
    try:
        plain = wikitext_to_plain(wikitext)
    except PageUnreadable:
        return
    assert not re.search(r"\{\{|\}\}|\[\[|\]\]|<ref\b|''", plain.text)
    offsets = [offset for offset, _ in plain.headings]
    assert offsets == sorted(offsets)
    assert all(0 <= offset <= len(plain.text) + 1 for offset in offsets)
    assert all(offset == 0 or plain.text[offset - 1 : offset] in {"\n", ""} for offset in offsets)
