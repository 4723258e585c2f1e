"""What the command line does with input that is missing, broken, cut short, in the wrong encoding, or far too large."""

from __future__ import annotations

import bz2
import gzip
import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from running import KGQA, Run, clean_environment, kgqa

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store


def claim_lines(count: int) -> str:
    return "".join(json.dumps({"cause": f"cause {number}", "effect": f"effect {number % 50}"}) + "\n" for number in range(count))


def evidence_of(graph: Path) -> int:
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        return store.stats().evidence


# Every command that reads a file, with the file last; those that write get a graph that is not there yet.
READING = {
    "ask --passage": ("ask", "What causes floods?", "--passage"),
    "ask --batch": ("ask", "--batch"),
    "extract": ("extract",),
    "mine": ("mine", "--workers", "1", "-g", "NEW"),
    "load causenet": ("load", "-g", "NEW", "causenet"),
    "load conceptnet": ("load", "-g", "NEW", "conceptnet"),
    "load csv": ("load", "-g", "NEW", "csv"),
    "load jsonl": ("load", "-g", "NEW", "jsonl"),
}


def wide(folder: Path) -> Path:
    file = folder / "wide.txt"
    file.write_bytes("Rain causes floods.\n".encode("utf-16"))
    return file


def empty(folder: Path) -> Path:
    file = folder / "empty.txt"
    file.touch()
    return file


def latin(folder: Path) -> Path:
    file = folder / "latin.txt"
    file.write_bytes("Überschwemmungen verursachen Schäden.".encode("latin-1"))
    return file


def nul(folder: Path) -> Path:
    file = folder / "nul.txt"
    file.write_bytes(b"Rain causes\0 floods.")
    return file


UNREADABLE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "missing": (lambda folder: folder / "missing.txt", "no such file: '{}'"),
    "directory": (lambda folder: folder, "'{}' is a directory, a file is needed"),
    "empty": (empty, "'{}' is empty"),
    "UTF-16": (wide, "cannot read '{}': it is UTF-16 text; convert it with: iconv -f UTF-16 -t UTF-8"),
    "latin-1": (latin, "cannot read '{}': it is not UTF-8 text (not UTF-8: byte 0xdc at position 0)"),
    "NUL bytes": (nul, "cannot read '{}': it is not UTF-8 text (NUL byte at position 11)"),
}


@pytest.mark.parametrize("command", READING.values(), ids=READING)
@pytest.mark.parametrize(("made", "fact"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_one_line(
    here: Run, tmp_path: Path, command: tuple[str, ...], made: Callable[[Path], Path], fact: str
) -> None:
    file, new = made(tmp_path), tmp_path / "new.kgqa"
    ended = here(*(str(new) if word == "NEW" else word for word in command), file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"kgqa: {fact.format(file)}\n"
    assert not new.exists()


@pytest.mark.parametrize("command", [READING["ask --batch"], READING["load jsonl"], READING["mine"]])
def test_half_an_array_of_json_is_one_line(here: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    file, new = tmp_path / "half.json", tmp_path / "new.kgqa"
    file.write_text('[{"cause": "a", "effect": "b", "text": "Rain causes floods."}, {"cause": "c", "eff')
    ended = here(*(str(new) if word == "NEW" else word for word in command), file)
    assert (ended.code, ended.out) == (1, "")
    (line,) = ended.err.splitlines()
    assert line.startswith(f"kgqa: cannot read '{file}': broken or cut JSON array")
    assert not new.exists()


@pytest.mark.parametrize("command", [READING["ask --batch"], READING["load jsonl"], READING["load causenet"]])
def test_json_that_is_nested_without_end_is_one_line(here: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    ended = here(*(str(tmp_path / "new.kgqa") if word == "NEW" else word for word in command), file)
    assert (ended.code, ended.out) == (1, "")
    assert len(ended.err.splitlines()) == 1


CUT = {"bz2": lambda data: bz2.compress(data, 1), "gz": gzip.compress, "zst": zstandard.compress}


@pytest.mark.parametrize("suffix", CUT)
def test_what_is_readable_of_an_archive_that_is_cut_short_is_loaded(here: Run, tmp_path: Path, suffix: str) -> None:
    whole = CUT[suffix](claim_lines(20_000).encode())
    file, graph = tmp_path / f"claims.jsonl.{suffix}", tmp_path / "new.kgqa"
    file.write_bytes(whole[: len(whole) * 2 // 3])
    ended = here("load", "jsonl", file, "-g", graph, "--json")
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert line.startswith(f"kgqa: cannot read '{file}': its ")
    assert "is cut short after byte" in line
    loaded = json.loads(ended.out)["records"]
    assert 5_000 < loaded < 20_000
    assert evidence_of(graph) == loaded


def test_what_is_readable_of_a_dump_that_is_cut_short_is_mined(here: Run, tmp_path: Path) -> None:
    articles = "".join(f'{{"id": {number}, "text": "Rain causes flood number {number}."}}\n' for number in range(3_000))
    packed = bz2.compress(articles.encode(), 1)
    file, graph = tmp_path / "articles.jsonl.bz2", tmp_path / "new.kgqa"
    file.write_bytes(packed[: len(packed) * 2 // 3])
    ended = here("mine", file, "-g", graph, "--workers", "1", "--json")
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert "its bzip2 data is cut short" in line
    assert 0 < json.loads(ended.out)["articles"] < 3_000
    assert evidence_of(graph) == json.loads(ended.out)["claims_found"]


def test_what_is_readable_of_sentences_that_are_cut_short_is_extracted(here: Run, tmp_path: Path) -> None:
    packed = bz2.compress("".join(f"This is sentence number {number}.\n" for number in range(20_000)).encode(), 1)
    file = tmp_path / "sentences.txt.bz2"
    file.write_bytes(packed[: len(packed) * 2 // 3])
    ended = here("extract", "--json", file)
    assert ended.code == 1
    assert len(ended.err.splitlines()) == 1
    assert 0 < len(ended.out.splitlines()) < 20_000


def test_broken_lines_are_counted_and_the_rest_is_loaded(here: Run, tmp_path: Path) -> None:
    lines = claim_lines(12_000).encode().splitlines(keepends=True)
    broken = {777: b'{"cause": "x", broken\n', 5_000: b"[]\n", 9_000: b'{"cause": "\xff"}\n', 11_000: b'{"cause": "\0"}\n'}
    for number, line in broken.items():
        lines[number - 1] = line
    file, graph = tmp_path / "claims.jsonl", tmp_path / "new.kgqa"
    file.write_bytes(b"".join(lines))
    ended = here("load", "jsonl", file, "-g", graph)
    assert ended.code == 0
    assert [line.split(":")[1] for line in ended.err.splitlines()] == [f" line {number}" for number in broken]
    assert f"{file}: 11,996 records read, 4 skipped" in " ".join(ended.out.split())
    assert evidence_of(graph) == 11_996


def test_of_many_broken_lines_five_are_told(here: Run, tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text("broken\n" * 500 + claim_lines(1))
    ended = here("load", "jsonl", file, "-g", tmp_path / "new.kgqa")
    assert ended.code == 0
    assert len(ended.err.splitlines()) == 6
    assert ended.err.endswith("kgqa: 500 skipped in all\n")


def test_a_wrong_name_among_the_inputs_is_told_before_anything_is_mined(here: Run, tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("Rain causes floods.")
    ended = here("mine", good, tmp_path / "missing.txt", "-g", tmp_path / "new.kgqa", "--workers", "1")
    assert (ended.code, ended.err) == (1, f"kgqa: no such file: '{tmp_path}/missing.txt'\n")
    assert not (tmp_path / "new.kgqa").exists()


# Stores.


def other_version(file: Path) -> None:
    open_store(str(file), create=True).close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")


def other_application(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE things (name)")


BAD_STORES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a text": (lambda file: file.write_text("no store" * 1_000), "is damaged or not a kgqa graph: file is not a database"),
    "of another application": (other_application, "is damaged or not a kgqa graph: another application wrote it"),
    "of another version": (other_version, "has store version 99, this kgqa reads version 3; it needs a newer kgqa"),
    "missing": (lambda file: None, "no graph at"),
    "a directory": (lambda file: file.mkdir(), "is a directory, a file is needed"),
}
ASKING = {
    "ask": ("ask", "Why do floods happen?"),
    "causes": ("causes", "flood"),
    "path": ("path", "rain", "flood"),
    "stats": ("stats",),
    "check": ("check",),
}


@pytest.mark.parametrize("command", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize(("made", "fact"), BAD_STORES.values(), ids=BAD_STORES)
def test_what_is_no_store_is_a_fact(
    here: Run, tmp_path: Path, command: tuple[str, ...], made: Callable[[Path], object], fact: str
) -> None:
    graph = tmp_path / "bad.kgqa"
    made(graph)
    ended = here(*command, "-g", graph)
    assert (ended.code, ended.out) == (1, "")
    first, *rest = ended.err.splitlines()
    assert first.startswith("kgqa: ")
    assert fact in first
    assert str(graph) in first
    assert all(line.startswith("      try: kgqa ") for line in rest)


def test_checking_what_is_no_store_does_not_advise_to_check_it(here: Run, tmp_path: Path) -> None:
    graph = tmp_path / "bad.kgqa"
    graph.write_text("no store" * 1_000)
    assert "try: kgqa check" in here("stats", "-g", graph).err
    assert "try:" not in here("check", "-g", graph).err
    record = json.loads(here("check", "--json", "-g", graph).out)
    assert record["sound"] is False
    assert len(record["problems"]) == 1


def test_a_store_that_is_damaged_inside_fails_its_check(here: Run, tmp_path: Path) -> None:
    graph = tmp_path / "damaged.kgqa"
    claims = tmp_path / "claims.jsonl"
    claims.write_text(claim_lines(10))
    here("load", "jsonl", claims, "-g", graph)
    with closing(sqlite3.connect(graph)) as connection:
        connection.execute("UPDATE meta SET value = 'ff' || substr(value, 3) WHERE key = 'digest'")
        connection.commit()
    ended = here("check", "-g", graph)
    assert ended.code == 1
    assert ended.out.split()[-2:] == ["1", "problem"]


@pytest.mark.parametrize("command", [READING["load jsonl"], READING["mine"]])
def test_a_store_that_another_process_writes_is_told(here: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    file, graph = tmp_path / "claims.jsonl", tmp_path / "new.kgqa"
    file.write_text('{"cause": "a", "effect": "b", "text": "Rain causes floods."}\n')
    arguments = [str(graph) if word == "NEW" else word for word in command]
    with closing(open_store(str(graph), create=True)):
        ended = kgqa(*arguments, file)
        assert here("stats", "-g", graph).code == 0
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"kgqa: '{graph}' is being written by another process; wait until it has finished\n"
    assert kgqa(*arguments, file).code == 0


def test_a_store_that_may_only_be_read_is_read_and_not_written(here: Run, tmp_path: Path) -> None:
    file, text, graph = tmp_path / "claims.jsonl", tmp_path / "text.txt", tmp_path / "new.kgqa"
    file.write_text(claim_lines(10))
    text.write_text("Rain causes floods.")
    here("load", "jsonl", file, "-g", graph)
    before = graph.read_bytes()
    graph.chmod(0o444)
    assert here("causes", "effect 1", "-g", graph).code == 0
    for arguments in (("load", "jsonl", file), ("mine", text)):
        ended = here(*arguments, "-g", graph)
        assert ended.code == 1
        assert ended.err == f"kgqa: '{graph}' is read-only; name a graph that may be written with -g FILE.kgqa\n"
    assert graph.read_bytes() == before


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph whose concepts are too many to be sorted in memory."""
    path = tmp_path_factory.mktemp("wide") / "wide.kgqa"
    store = open_store(str(path), write=True, create=True)
    claims = (Claim(f"cause {number} of something", f"effect {number} of something") for number in range(160_000))
    store.add(Statement(claim, Evidence(Source("text", page_id="1"))) for claim in claims)
    store.close()
    return path


@pytest.mark.parametrize("kind", [("rdf", "full.nt"), ("graphml", "full.graphml"), ("csv", "full")])
def test_no_room_to_sort_what_is_only_read_is_told_of_the_temporary_folder(
    kind: tuple[str, str], wide: Path, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    small = subprocess.run(
        ["bash", "-c", 'ulimit -f 40; exec "$@"', "-", KGQA, "export", *kind, "-g", wide],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**clean_environment(), "SQLITE_TMPDIR": str(temporary)},
        check=False,
    )
    assert (small.returncode, small.stdout) == (1, "")
    assert f"no space left for temporary files in '{temporary}' while reading" in small.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["temporary"]


def test_a_full_disk_is_told_and_loses_nothing_that_was_stored(here: Run, tmp_path: Path) -> None:
    first, second, graph = tmp_path / "first.jsonl", tmp_path / "second.jsonl", tmp_path / "new.kgqa"
    first.write_text(claim_lines(100))
    second.write_text(claim_lines(20_000))
    here("load", "jsonl", first, "-g", graph)
    digest = json.loads(here("stats", "--json", "-g", graph).out)["digest"]
    kilobytes = graph.stat().st_size // 1024 + 100
    full = subprocess.run(
        ["bash", "-c", f'ulimit -f {kilobytes}; exec "$@"', "-", KGQA, "load", "jsonl", second, "-g", graph],
        capture_output=True,
        text=True,
        env=clean_environment(),
        check=False,
    )
    assert (full.returncode, full.stdout) == (1, "")
    assert full.stderr == f"kgqa: no space left while writing '{graph}'; free some space and run the command again\n"
    assert json.loads(here("stats", "--json", "-g", graph).out)["digest"] == digest
    assert here("check", "-g", graph).out == f"{graph}: sound\n"
    assert here("load", "jsonl", second, "-g", graph).code == 0
    assert evidence_of(graph) == 20_000


def test_a_graph_in_a_folder_that_is_not_there_is_told(here: Run, tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text(claim_lines(1))
    ended = here("load", "jsonl", file, "-g", tmp_path / "nowhere" / "new.kgqa")
    assert (ended.code, ended.err) == (1, f"kgqa: no such file: '{tmp_path}/nowhere'\n")


# Questions and names.


ODD = {
    "emoji": "👩‍🚀🎉",
    "bytes that are not UTF-8": "sm\udcffoking\udcfe",
    "control characters": "\x1b[31msmoking\x07",
    "quotes": 'O\'Brien "x" `$HOME`',
    "wildcards": "%' OR 1=1 --_*",
    "right to left": "\u202eгринок\u202c",
    "a long name": "smoking " * 500,
    "another script": "喫煙は肺癌の原因",
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_odd_names_are_answered_without_a_traceback(here: Run, name: str) -> None:
    for arguments in (("causes", name), ("effects", name), ("show", name), ("path", name, "death"), ("path", "smoking", name)):
        ended = here(*arguments)
        assert ended.code in (0, 1)
        assert ended.code == 0 or ended.err.startswith("kgqa: no concept '")
        assert len(ended.err.splitlines()) <= 2
    for question in (f"What causes {name}?", f"Does {name} cause cancer?", f"If {name} were absent, would there be lung cancer?"):
        for form in ((), ("--json",), ("--explain",)):
            ended = here("ask", question[:1_900], *form)
            assert (ended.code, ended.err) == (0, "")


def test_a_path_that_is_not_utf8_is_a_path(tmp_path: Path) -> None:
    name = bytes(tmp_path) + b"/\xff\xfe"
    missing = kgqa("stats", "-g", name + b".kgqa")
    assert missing.code == 1
    assert missing.err.startswith("kgqa: no graph at")
    assert kgqa("load", "csv", "-", "-g", name + b".kgqa", "--json", stdin="cause,effect\na,b\n").code == 0
    assert json.loads(kgqa("stats", "--json", "-g", name + b".kgqa").out)["claims"] == 1


def test_a_line_without_end_is_skipped(here: Run, tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text('{"cause": "' + "a" * (17 << 20) + '"}\n' + claim_lines(1))
    ended = here("load", "jsonl", file, "-g", tmp_path / "new.kgqa")
    assert (ended.code, ended.err) == (0, "kgqa: line 1: longer than 16 MiB; skipped\n")


def test_a_passage_that_is_far_longer_unpacked_is_refused_at_once(here: Run, tmp_path: Path) -> None:
    file = tmp_path / "passage.txt.gz"
    with gzip.open(file, "wb", 1) as packed:
        for _ in range(300):
            packed.write(b"Rain causes floods. " * (1 << 16))
    ended = here("ask", "What causes floods?", "--passage", file)
    assert (ended.code, ended.out) == (2, "")
    assert "its text is longer than 16 MiB" in ended.err


def test_a_sentence_without_end_is_skipped(here: Run, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("Smoking causes cancer and " * 1_000 + "death.\nRain causes floods.\n")
    mined = here("mine", file, "-g", tmp_path / "new.kgqa", "--workers", "1")
    assert (mined.code, mined.err) == (0, "kgqa: 1 sentence too long to parse; skipped\n")
    assert [len(json.loads(line)["claims"]) for line in here("extract", "--json", file).out.splitlines()] == [0, 1]
