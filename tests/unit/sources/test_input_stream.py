from __future__ import annotations

import bz2
import gzip
import io
import os
import random
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from graph.errors import InputEmpty, InputIsDirectory, InputMissing, InputUnreadable
from graph.sources.article import Skipped
from graph.sources.input_stream import LONGEST, open_input, reason_not_text

pytestmark = pytest.mark.slow

TEXT = "Smoking causes cancer.\nDer Regen verursacht Überschwemmungen. 🌧\nالتدخين يسبب السرطان\n"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def incompressible(size: int) -> bytes:
    return random.Random(7).randbytes(size // 2).hex().encode()


def lines_of(path: Path | str, skipped: list[Skipped] | None = None) -> list[str]:
    with open_input(path) as stream:
        return [line for _, line in stream.lines((skipped if skipped is not None else []).append)]


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    return lambda content: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_the_lines_of_a_plain_file_come_with_their_numbers(tmp_path: Path) -> None:
    with open_input(written(tmp_path / "a.txt", b"one\r\n\ntwo")) as stream:
        assert list(stream.lines(pytest.fail)) == [(1, "one"), (2, ""), (3, "two")]


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", ["text{}", "text without suffix"])
def test_a_compressed_file_is_known_by_its_content(tmp_path: Path, suffix: str, name: str) -> None:
    path = written(tmp_path / name.format(suffix), PACKERS[suffix](TEXT.encode()))
    assert lines_of(path) == TEXT.splitlines()


@pytest.mark.parametrize("suffix", PACKERS)
def test_several_compressed_streams_in_a_row_are_one_text(tmp_path: Path, suffix: str) -> None:
    parts = (PACKERS[suffix](f"part {number}\n".encode()) for number in range(500))
    path = written(tmp_path / f"many{suffix}", b"".join(parts) + b"\0" * 512)
    assert lines_of(path) == [f"part {number}" for number in range(500)]


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_text_that_only_claims_to_be_compressed_is_read(tmp_path: Path, suffix: str) -> None:
    assert lines_of(written(tmp_path / f"plain{suffix}", TEXT.encode())) == TEXT.splitlines()


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_file_that_is_not_what_its_suffix_says_is_refused(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"noise{suffix}", b"\x01" + random.Random(1).randbytes(4000))
    with pytest.raises(InputUnreadable, match="whatever its name says"):
        open_input(path)


@pytest.mark.parametrize("suffix", PACKERS)
def test_cut_data_is_read_to_the_cut_and_then_reported(tmp_path: Path, suffix: str) -> None:
    content = incompressible(3_000_000).decode()
    lines = [content[place : place + 99] for place in range(0, len(content), 99)]
    packed = PACKERS[suffix]("\n".join(lines).encode())
    path = written(tmp_path / f"cut{suffix}", packed[: len(packed) // 2])
    read = []
    with open_input(path) as stream, pytest.raises(InputUnreadable, match=r"cut short after byte [\d,]+; [\d,]+ bytes before"):
        read.extend(line for _, line in stream.lines(pytest.fail))
    assert len(read) > len(lines) * 0.1
    assert read == lines[: len(read)]


@pytest.mark.parametrize("suffix", PACKERS)
def test_damaged_data_is_read_to_the_damage_and_then_reported(tmp_path: Path, suffix: str) -> None:
    content = b"\n".join(incompressible(99) for _ in range(2000))
    packed = PACKERS[suffix](content)
    path = written(tmp_path / f"damaged{suffix}", packed + b"rubbish behind the stream")
    read: list[bytes] = []
    with open_input(path) as stream, pytest.raises(InputUnreadable, match="is damaged near byte"):
        read.extend(stream.blocks())
    assert b"".join(read) == content


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_compressed_file_that_unpacks_to_nothing_is_empty(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputEmpty):
        open_input(written(tmp_path / f"nothing{suffix}", PACKERS[suffix](b"")))


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_small_file_that_unpacks_to_much_takes_little_memory(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"bomb{suffix}", PACKERS[suffix](b"a" * (150 << 20)))
    tracemalloc.start()
    with open_input(path) as stream:
        size = sum(map(len, stream.blocks()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == 150 << 20
    assert peak < 50 << 20


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputMissing, match=r"no such file: '.*nowhere.txt'"):
        open_input(tmp_path / "nowhere.txt")


def test_a_file_inside_of_a_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputMissing):
        open_input(written(tmp_path / "a.txt", b"text") / "b.txt")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputIsDirectory):
        open_input(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_a_file_without_content_is_empty(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputEmpty):
        open_input(written(tmp_path / "empty.txt", content))


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """Runs the test without the rights of root, which may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


def test_a_file_without_permission_is_unreadable(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = written(tmp_path / "secret.txt", b"text")
    path.chmod(0)
    tmp_path.chmod(0o755)
    request.getfixturevalue("ordinary_user")
    with pytest.raises(InputUnreadable, match="permission denied"):
        open_input(path)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs Linux's /proc")
def test_a_read_that_the_system_refuses_is_reported() -> None:
    with pytest.raises(InputUnreadable, match="input/output error after byte 0"):
        open_input("/proc/self/mem")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert lines_of(written(tmp_path / "marked.txt", b"\xef\xbb\xbfone\ntwo\n")) == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04" + b"\x14\0" * 50, "zip archive"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "7z archive"),
        (b"\xfd7zXZ\0\0", "xz data"),
        (b"notes.txt" + b"\0" * 91 + b"0000644\0" * 19 + b"00000" + b"ustar", "tar archive"),
        (b"%PDF-1.7\n1 0 obj\n", "PDF"),
        (b"SQLite format 3\0\x10\0", "SQLite"),
        ("text".encode("utf-16"), "UTF-16"),
        ("text".encode("utf-32"), "UTF-32"),
        ("Überschwemmung über Überschwemmung".encode("latin-1"), "not UTF-8: byte 0xdc at position 0"),
        ("text".encode("utf-16-le") * 40, "NUL byte at position 1"),
        (random.Random(3).randbytes(5000), "not UTF-8 text"),
    ],
)
def test_what_is_not_text_is_refused_with_the_reason(tmp_path: Path, content: bytes, why: str) -> None:
    with pytest.raises(InputUnreadable, match=why):
        open_input(written(tmp_path / "file", content))


def test_a_character_that_the_head_cuts_in_two_is_text() -> None:
    for size in range(1, 5):
        assert reason_not_text("🌧".encode()[:size]) == ""


def test_bad_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    good = b"a good line of text that is long enough\n" * 3
    skipped: list[Skipped] = []
    content = good + b"caf\xe9\n" + good + b"nul \0 here\n" + good
    assert len(lines_of(written(tmp_path / "mixed.txt", content), skipped)) == 9
    assert skipped == [
        Skipped("line 4", "not UTF-8: byte 0xe9 at position 3"),
        Skipped("line 8", "NUL byte at position 4"),
    ]


def test_a_line_of_five_megabytes_is_read(tmp_path: Path) -> None:
    line = "🌧️ rain causes floods. " * 200_000
    assert lines_of(written(tmp_path / "long.txt", f"first\n{line}\nlast".encode())) == ["first", line, "last"]


def test_a_line_beyond_the_limit_is_skipped_in_little_memory(tmp_path: Path) -> None:
    path = written(tmp_path / "endless.gz", gzip.compress(b"first\n" + b"x" * (5 * LONGEST) + b"\nlast\n"))
    skipped: list[Skipped] = []
    tracemalloc.start()
    lines = lines_of(path, skipped)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines == ["first", "last"]
    assert skipped == [Skipped("line 2", "longer than 16 MiB")]
    assert peak < 3 * LONGEST


def test_unusual_line_separators_do_not_end_a_line(tmp_path: Path) -> None:
    text = "one\u2028still one\x0band\x85one"
    assert lines_of(written(tmp_path / "a.txt", text.encode())) == [text]


def test_progress_is_counted_in_bytes_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a.bz2", bz2.compress(incompressible(4_000_000)))
    with open_input(path) as stream:
        begun = stream.bytes_read
        for _ in stream.blocks():
            pass
        assert 0 < begun < stream.bytes_read == stream.size == path.stat().st_size


def test_a_peek_takes_nothing_away(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gz", gzip.compress(TEXT.encode()))
    with open_input(path) as stream:
        assert stream.peek(7) == b"Smoking"
        assert stream.text() == TEXT


def test_the_title_of_a_file_is_its_name_unpacked(tmp_path: Path) -> None:
    with open_input(written(tmp_path / "notes.txt.gz", gzip.compress(b"text"))) as stream:
        assert stream.title == "notes.txt"


def test_a_whole_text_with_a_bad_byte_is_unreadable(tmp_path: Path) -> None:
    with open_input(written(tmp_path / "a.txt", b"good text\n" * 9 + b"\xe9")) as stream, pytest.raises(InputUnreadable):
        stream.text()


def test_standard_input_is_read_and_unpacked(standard_input: Callable[[bytes], None]) -> None:
    standard_input(gzip.compress(TEXT.encode()))
    with open_input("-") as stream:
        assert (stream.name, stream.title, stream.size) == ("stdin", "stdin", None)
        assert stream.text() == TEXT


def test_standard_input_opened_twice_loses_nothing(standard_input: Callable[[bytes], None]) -> None:
    standard_input(TEXT.encode())
    with open_input("-") as first:
        assert first.peek(7) == b"Smoking"
    assert lines_of("-") == TEXT.splitlines()
    with pytest.raises(InputEmpty, match="'stdin' is empty"):
        open_input("-")


def test_empty_standard_input_is_empty(standard_input: Callable[[bytes], None]) -> None:
    standard_input(b"")
    with pytest.raises(InputEmpty):
        open_input("-")


def test_a_closed_standard_input_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputUnreadable, match="closed"):
        open_input("-")


def test_a_pipe_is_read_as_it_comes(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"the first sentence\n")
    with open_input(f"/dev/fd/{reading}") as stream:
        lines = stream.lines(pytest.fail)
        os.write(writing, b"the second\n")
        os.close(writing)
        assert [line for _, line in lines] == ["the first sentence", "the second"]
        assert stream.size is None
    os.close(reading)


def test_a_text_that_unpacks_to_more_than_its_budget_is_refused_without_being_held(tmp_path: Path) -> None:
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"a" * (40 << 20)))

    tracemalloc.start()
    with open_input(path) as stream, pytest.raises(InputUnreadable, match="longer than 1 MiB; divide it"):
        stream.text(1 << 20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 24 << 20
