"""What an embedded store does when it is killed, filled up, locked, write-protected, cut off or damaged."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from graph.errors import (
    GraphError,
    InputIsDirectory,
    InputMissing,
    StoreAddressUnknown,
    StoreDamaged,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreVersion,
)
from graph.model import Alias, Claim, Evidence, Source, Stance, Statement
from graph.protocols import Added, GraphStore
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import compact_store

NOBODY = 65534
KILLS = int(os.environ.get("KGQA_TEST_KILLS", "8"))

# What children run first: the same statements by number, whoever makes them.
PRELUDE = """
import os, resource, sys
from graph.errors import *
from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.stores import open_store

def numbered(first, last):
    for number in range(first, last):
        source = Source("wikipedia", f"Page {number % 97}", str(number % 97))
        evidence = Evidence(source, Stance.ASSERTED, rule="rule", text=f"Sentence {number}.", start=number)
        yield Statement(Claim(f"cause {number % 1009}", f"effect {number * 7 % 2003}"), evidence)
"""


def numbered(first: int, last: int) -> Iterator[Statement]:
    for number in range(first, last):
        source = Source("wikipedia", f"Page {number % 97}", str(number % 97))
        evidence = Evidence(source, Stance.ASSERTED, rule="rule", text=f"Sentence {number}.", start=number)
        yield Statement(Claim(f"cause {number % 1009}", f"effect {number * 7 % 2003}"), evidence)


def child(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PRELUDE + textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def output_of(script: str, *arguments: object) -> list[str]:
    """Run a child to its end and return the lines it printed; fails where the child does."""
    process = child(script, *arguments)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return output.splitlines()


def filled(path: Path, count: int = 300) -> str:
    """Make a store with `count` statements and return its digest."""
    with closing(open_store(str(path), create=True)) as store:
        store.add(numbered(0, count), [Alias("the first", "cause 0")])
        return store.digest()


MEND = "mine or load the graph again into a new file"
REMAKE = "`kgqa check --mend` makes them anew"


def files_beside(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir() if file.name not in (path.name, f"{path.name}-index"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.kgqa"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user may read; pytest's own are for the user who runs it."""
    folder = Path(tempfile.mkdtemp(prefix="kgqa-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_killed_load_can_be_finished_to_the_same_digest(path: Path) -> None:
    adding = """
        with_step, path, total = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
        store = open_store(path, create=True)
        print("ready", flush=True)
        done = store.progress("load")
        while done < total:
            last = min(total, done + with_step)
            store.add(numbered(done, last), progress=("load", last))
            done = last
        store.close()
        """
    chance, total, reached = random.Random(11), 60_000, 0
    with closing(open_store("memory:")) as oracle:
        for _ in range(KILLS):
            process = child(adding, chance.choice([20, 150, 1000]), path, total)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0, 0.12))
            process.kill()
            process.communicate()

            with closing(open_store(str(path))) as store:
                done = store.progress("load")
                assert reached <= done < total
                oracle.add(numbered(reached, done))
                assert store.digest() == oracle.digest()
                assert next(store.statements(), None) == next(oracle.statements(), None)
                reached = done
        assert reached > 0
        with closing(open_store(str(path))) as store:
            assert list(store.check()) == []

        last = reached + 500
        with closing(open_store(str(path), write=True)) as store:
            store.add(numbered(reached, last), progress=("load", last))
            oracle.add(numbered(reached, last))
            assert store.digest() == oracle.digest()
            assert list(store.statements()) == list(oracle.statements())
        assert files_beside(path) == []


def test_a_store_that_is_killed_while_it_opens_or_closes_can_be_used(path: Path) -> None:
    cycling = """
        path = sys.argv[1]
        print("ready", flush=True)
        number = 0
        while True:
            store = open_store(path, create=True)
            number = store.progress("load")
            store.add(numbered(number, number + 1), progress=("load", number + 1))
            store.close()
        """
    chance = random.Random(12)
    for kill in range(KILLS):
        if kill % 4 == 0:
            for name in (path.name, *files_beside(path)):
                (path.parent / name).unlink(missing_ok=True)
        process = child(cycling, path)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.communicate()

        with closing(open_store(str(path), create=True)) as store, closing(open_store("memory:")) as oracle:
            oracle.add(numbered(0, store.progress("load")))
            assert store.digest() == oracle.digest()
            assert list(store.check()) == []
        assert files_beside(path) == []


def test_a_reader_rolls_back_what_a_killed_writer_left(path: Path) -> None:
    digest = filled(path)
    # A change in a rollback journal that is on disk but was never committed: what a kill while closing leaves behind.
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE concept SET name = 'changed ' || id")
        for name in (path.name, f"{path.name}-journal"):
            shutil.copy(path.parent / name, path.parent / f"torn-{name}")
        connection.execute("ROLLBACK")
    torn = path.parent / f"torn-{path.name}"
    with closing(open_store(str(torn))) as store:
        assert store.digest() == digest
        assert list(store.check()) == []


def test_a_full_disk_loses_nothing_that_was_stored(path: Path) -> None:
    digest = filled(path)
    lines = output_of(
        """
        store = open_store(sys.argv[1], write=True)
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        for limit in range(0, 4_000_000, 150_000):
            before = store.digest()
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
            try:
                store.add(numbered(300, 3300))
                print("added", store.digest())
                break
            except StoreFull as error:
                print("full", store.digest() == before, store.add([]) is not None)
        store.close()
        """,
        path,
    )
    assert lines.count("full True True") > 3
    assert lines[-1].startswith("added ")
    assert len(lines) == lines.count("full True True") + 1
    with closing(open_store(str(path))) as store, closing(open_store("memory:")) as oracle:
        oracle.add(numbered(0, 300), [Alias("the first", "cause 0")])
        assert oracle.digest() == digest
        oracle.add(numbered(300, 3300))
        assert store.digest() == oracle.digest() == lines[-1].split()[1]
        assert list(store.check()) == []


def test_a_store_is_full_before_it_is_made(path: Path) -> None:
    lines = output_of(
        """
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        for limit in (0, 100, 4096, 20_000, 40_000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
            try:
                open_store(sys.argv[1], create=True)
                print("made")
            except StoreFull as error:
                print("full", os.listdir(os.path.dirname(sys.argv[1])))
        """,
        path,
    )
    assert lines == ["full []"] * 5


def test_a_second_writer_is_refused_until_the_first_is_done(path: Path) -> None:
    with closing(open_store(str(path), create=True)):
        with pytest.raises(StoreLocked):
            open_store(str(path), write=True)
        refused = output_of("try: open_store(sys.argv[1], write=True)\nexcept StoreLocked as error: print(error)", path)
        assert refused == [f"'{path}' is being written by another process; wait until it has finished"]
        link = path.parent / "link.kgqa"
        link.symlink_to(path)
        with pytest.raises(StoreLocked):
            open_store(str(link), create=True)
        link.unlink()
    with closing(open_store(str(path), write=True)) as store:
        assert store.add(numbered(0, 1)).claims == 1
    assert files_beside(path) == []


def test_a_failed_opening_leaves_no_lock(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)
    for _ in range(2):
        with pytest.raises(StoreDamaged):
            open_store(str(path), write=True)
    assert files_beside(path) == []


def test_a_lock_that_a_killed_writer_left_keeps_nobody_out(path: Path) -> None:
    process = child("store = open_store(sys.argv[1], create=True); print(flush=True); input()", path)
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(StoreLocked):
        open_store(str(path), write=True)
    process.kill()
    process.communicate()
    assert f"{path.name}-lock" in files_beside(path)
    open_store(str(path), write=True).close()
    assert files_beside(path) == []


def test_a_reader_sees_the_last_committed_state_beside_a_writer(path: Path) -> None:
    filled(path)
    with closing(open_store(str(path))) as early, closing(open_store(str(path), write=True)) as writer:
        states = [writer.digest()]

        def watched() -> Iterator[Statement]:
            for statement in numbered(300, 25_000):
                yield statement
                if statement.evidence.start in (301, 15_000, 24_999):
                    with closing(open_store(str(path))) as late:
                        assert early.digest() == late.digest() == states[-1]
                        assert early.stats().evidence == late.stats().evidence == 300

        writer.add(watched())
        states.append(writer.digest())
        assert states[0] != states[1] == early.digest()
        assert early.stats().evidence == 25_000

        reading = early.statements()
        next(reading)
        writer.add(numbered(25_000, 26_000))
        assert sum(1 for _ in reading) == 24_999
        assert early.stats().evidence == 26_000
    with closing(open_store(str(path))) as store:
        assert store.stats().evidence == 26_000
        assert list(store.check()) == []


def test_a_reader_goes_on_when_the_writer_closes_and_another_comes(path: Path) -> None:
    filled(path)
    with closing(open_store(str(path))) as reader:
        for first in (300, 400):
            with closing(open_store(str(path), write=True)) as writer:
                writer.add(numbered(first, first + 100))
                assert reader.stats().evidence == first + 100
            assert reader.stats().evidence == first + 100
    open_store(str(path), write=True).close()
    assert files_beside(path) == []


def test_reading_leaves_nothing_beside_the_file(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    with closing(open_store(str(path))) as store:
        assert store.check() == []
        assert store.similar("cause 0")
        assert files_beside(path) == []
    assert path.read_bytes() == before


def test_a_store_that_is_opened_to_read_refuses_to_write(path: Path) -> None:
    digest = filled(path)
    with closing(open_store(str(path))) as store:
        with pytest.raises(StoreReadOnly):
            store.add(numbered(300, 301))
        assert store.digest() == digest


def test_a_file_without_write_permission_is_read_and_not_written(path: Path) -> None:
    digest = filled(path)
    path.chmod(0o444)
    with closing(open_store(str(path))) as store:
        assert store.digest() == digest
    with pytest.raises(StoreReadOnly):
        open_store(str(path), write=True)
    assert files_beside(path) == []


# Root may write anywhere, so as root the children become nobody first, whose permissions are checked.
AS_NOBODY = f"""
import graph.stores.sqlite.embedded_store, hashlib, importlib.resources
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
    os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
"""
READ_AND_TRY_TO_WRITE = (
    AS_NOBODY
    + """
store = open_store(sys.argv[1])
print(store.digest(), store.check(), len(list(store.statements())))
store.close()
for options in ({"write": True}, {"create": True}):
    try:
        open_store(sys.argv[1], **options)
    except StoreReadOnly as error:
        print("read-only")
try:
    open_store(os.path.join(os.path.dirname(sys.argv[1]), "new.kgqa"), create=True)
except OutputUnwritable as error:
    print(error)
"""
)


@pytest.mark.parametrize("left_with_log", [False, True])
def test_a_store_in_a_folder_without_write_permission_is_read_and_not_written(open_folder: Path, left_with_log: bool) -> None:
    path = open_folder / "graph.kgqa"
    digest = filled(path)
    if left_with_log:
        # As a copy of a file that is being written: its header promises a log that is not there.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    path.chmod(0o644)
    open_folder.chmod(0o555)
    no_new = f"cannot write '{open_folder / 'new.kgqa'}': the folder '{open_folder}' may not be written"
    assert output_of(READ_AND_TRY_TO_WRITE, path) == [f"{digest} [] 300", "read-only", "read-only", no_new]
    assert files_beside(path) == []


def test_a_log_that_cannot_be_folded_in_is_said(open_folder: Path) -> None:
    path = open_folder / "graph.kgqa"
    process = child("s = open_store(sys.argv[1], create=True); s.add(numbered(0, 9)); print(flush=True); input()", path)
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.communicate()
    (open_folder / f"{path.name}-shm").unlink()
    for file in open_folder.iterdir():
        file.chmod(0o644)
    open_folder.chmod(0o555)
    lines = output_of(AS_NOBODY + "\ntry: open_store(sys.argv[1])\nexcept InputUnreadable as error: print(error)\n", path)
    assert lines == [f"cannot read '{path}': a writer was killed beside it and left a log that may not be folded in here"]
    with closing(open_store(str(path))) as store:
        assert store.stats().evidence == 9


def test_a_file_that_may_not_be_read_is_said_to_be_unreadable(open_folder: Path) -> None:
    path = open_folder / "graph.kgqa"
    filled(path)
    path.chmod(0o000)
    script = AS_NOBODY + "\ntry: open_store(sys.argv[1])\nexcept InputUnreadable as error: print(error)\n"
    assert output_of(script, path) == [f"cannot read '{path}': permission denied"]


def test_another_version_is_refused(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for write in (False, True):
        with pytest.raises(StoreVersion, match="store version 99"):
            open_store(str(path), write=write)
    assert files_beside(path) == []


def test_a_database_of_another_application_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    for options in ({}, {"write": True}, {"create": True}):
        with pytest.raises(StoreDamaged, match="another application"):
            open_store(str(path), **options)
    assert path.read_bytes() == before
    assert files_beside(path) == []


@pytest.mark.parametrize("content", [b"", b"x", b"cause,effect\nrain,flood\n" * 100, b"SQLite format 3\0", bytes(9000)])
def test_a_file_that_is_no_store_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for write in (False, True):
        with pytest.raises(StoreDamaged):
            open_store(str(path), write=write)
    assert path.read_bytes() == content


def test_an_empty_file_may_become_a_store(path: Path) -> None:
    path.touch()
    with closing(open_store(str(path), create=True)) as store:
        assert store.add(numbered(0, 3)) == Added(6, 3, 3)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for options in ({}, {"write": True}, {"create": True}):
        with pytest.raises(InputIsDirectory):
            open_store(str(tmp_path), **options)
        with pytest.raises(StoreDamaged, match="no regular file"):
            open_store("/dev/null", **options)


def test_a_missing_store_is_made_only_where_asked(path: Path) -> None:
    for write in (False, True):
        with pytest.raises(StoreMissing):
            open_store(str(path), write=write)
    assert not path.exists()
    with pytest.raises(InputMissing):
        open_store(str(path.parent / "nowhere" / "graph.kgqa"), create=True)
    open_store(str(path), create=True).close()
    with closing(open_store(str(path))) as store:
        assert store.stats().claims == 0


@pytest.mark.parametrize("url", ["", "memory:x", "http://a/b.kgqa", "a:b", "a\0b"])
def test_an_address_of_another_kind_is_unknown(url: str) -> None:
    with pytest.raises(StoreAddressUnknown):
        open_store(url, create=True)


@pytest.mark.parametrize("name", ["with space.kgqa", "50% ?mode=memory#x.kgqa", "ü\U0001f600.db", "a:b", "'\";.kgqa"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    digest = filled(path)
    assert [file.name for file in tmp_path.iterdir()] == [name]
    with closing(open_store(str(path))) as store:
        assert store.digest() == digest
        assert store.url == str(path)


def asked(store: GraphStore) -> list[object]:
    """Ask everything that can be asked and return the answers."""
    statements = list(store.statements())
    names = sorted({statement.claim.cause for statement in statements} | {statement.claim.effect for statement in statements})
    claims = list(dict.fromkeys(statement.claim for statement in statements))
    return [
        statements,
        store.digest(),
        store.stats(),
        *((store.concept(name), store.causes(name), store.effects(name)) for name in [*names, "the first"]),
        *(store.search([word]) for word in ("cause", "effect", "7", "77")),
        *(store.evidence(claim) for claim in claims[:20]),
        store.similar("cuase 12"),
    ]


def test_a_cut_off_file_is_damaged(path: Path) -> None:
    filled(path)
    whole = path.read_bytes()
    for size in (1, 50, 99, 100, 1000, 4096, 5000, len(whole) // 2, len(whole) - 4096, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(StoreDamaged):
            open_store(str(path))


def test_a_flipped_byte_is_reported_or_harmless(path: Path) -> None:
    filled(path)
    whole = path.read_bytes()
    with closing(open_store(str(path))) as store:
        sound = asked(store)
    chance, reported = random.Random(13), 0
    for _ in range(50):
        place = chance.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :])
        try:
            store = open_store(str(path))
        except (StoreDamaged, StoreVersion):
            reported += 1
            continue
        with closing(store):
            problems = store.check()
            assert all(MEND in problem or REMAKE in problem for problem in problems)
            if problems:
                reported += 1
                with suppress(GraphError):
                    asked(store)
            else:
                assert asked(store) == sound, f"byte {place}"
    assert reported > 15


def _run(path: Path, *commands: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for command in commands:
            connection.execute(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("UPDATE meta SET value = '00000000000000000000000000000001'", "the digest is 00000000000000000000000000000001"),
        ("UPDATE meta SET value = 'nonsense'", "no digest"),
        ("UPDATE claim SET asserted = asserted + 1 WHERE id = 7", "the counts of 'cause 6' and 'effect 42'"),
        ("UPDATE evidence SET stance = 77 WHERE claim = 7", "77 is no stance"),
        ("UPDATE sentence SET text = 'Another.' WHERE id = 7", "the digest is"),
        ("UPDATE claim SET sense = sense + 1 WHERE id = 7", "the counts of 'cause 6' and 'effect 42'"),
        ("DELETE FROM sentence WHERE id = 7", "a row of the table 'evidence' names a sentence that is not there"),
        ("UPDATE evidence SET sentence = NULL WHERE claim = 7", "the digest is"),
        ("INSERT INTO sentence_words (sentence_words) VALUES ('delete-all')", "searching sentences"),
        ("UPDATE evidence SET start = 9999 WHERE claim = 7", "is not under its key"),
        ("UPDATE source SET title = x'FF' WHERE title = 'Page 7'", "bytes that are no text"),
        ("DELETE FROM rule", "a row of the table 'evidence' names a rule that is not there"),
        ("DELETE FROM evidence WHERE claim = 7", "the digest is"),
        ("DELETE FROM alias", "the digest is"),
        ("INSERT INTO concept_words (rowid, name) VALUES (999, 'more')", "searching by words"),
        ("INSERT INTO concept_words (concept_words) VALUES ('delete-all')", "searching by words"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(path: Path, command: str, expected: str) -> None:
    filled(path)
    _run(path, command)
    with closing(open_store(str(path))) as store:
        problems = store.check()
    assert any(expected in problem for problem in problems), problems
    assert all(problem.endswith((MEND, REMAKE)) for problem in problems)


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.effects("cause 6"),
        lambda store: store.evidence(Claim("cause 6", "effect 42")),
        lambda store: list(store.statements()),
        lambda store: store.add([Statement(Claim("cause 6", "effect 42"), Evidence(Source("x")))]),
    ],
)
def test_damage_that_is_met_in_an_answer_is_said(path: Path, ask: Callable[[GraphStore], object]) -> None:
    filled(path)
    _run(path, "UPDATE claim SET strength = 77", "UPDATE evidence SET strength = 77")
    with closing(open_store(str(path), write=True)) as store, pytest.raises(StoreDamaged, match="77 is no strength"):
        ask(store)


def test_a_compact_store_is_one_small_file_that_is_only_read(path: Path) -> None:
    with closing(open_store(str(path), create=True)) as store:
        for first in range(0, 2000, 50):
            store.add(numbered(first, first + 50))
        sound = asked(store)
    size = path.stat().st_size

    compact_store(path)

    assert path.stat().st_size < size
    assert path.stat().st_mode & 0o777 == 0o444
    assert files_beside(path) == []
    with closing(open_store(str(path))) as store:
        assert asked(store) == sound
        assert list(store.check()) == []
    with pytest.raises(StoreReadOnly):
        compact_store(path)
