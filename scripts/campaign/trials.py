"""What every campaign shares: a trial and how it ends, commands in processes of their own, and claims to store.

A campaign is a module with `prepare(given)`, which fills a folder once, and `trial(chance, given, place)`, which draws everything
from `chance`, works in the empty folder `place`, leaves `given` as it is, returns what it tried in a few words, and raises
`NotHeld` where kgqa did not do what docs/reliability.md promises.
"""

from __future__ import annotations

import csv
import json
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0
CONTROLS = {*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)} - {0x0A}
ENDS = "rain,flood,crop loss,famine,unrest,smoking,lung cancer,death,stress,insomnia,fatigue,error,loss of trust,war,exile".split(
    ","
)


class NotHeld(Exception):
    """A trial whose outcome no promise allows; the message tells what was seen."""


class Campaign(Protocol):
    """A module of this folder."""

    def prepare(self, given: Path) -> None:
        """Make what all trials work on."""

    def trial(self, chance: random.Random, given: Path, place: Path) -> str:
        """Try once, and return what was tried."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended: its exit code (negative: the signal) and what it wrote."""

    code: int
    out: str
    err: str


def command(*arguments: object) -> list[str]:
    """Return the arguments of a process that runs a command of this checkout."""
    return [sys.executable, "-m", "kgqa", *map(str, arguments)]


def environment(**changes: str) -> dict[str, str]:
    """Return the environment without what changes how kgqa behaves."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KGQA_")}
    return {**kept, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), **changes}


def start(*arguments: object, limits: Mapping[int, int] | None = None, **changes: str) -> subprocess.Popen[bytes]:
    """Start a command, under limits of the system where some are given, without waiting for it."""

    def limited() -> None:
        for kind, most in (limits or {}).items():
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))

    return subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**changes),
        preexec_fn=limited if limits else None,
    )


def end(process: subprocess.Popen[bytes], given: bytes | None = None, within_s: float = PATIENCE_S) -> Ended:
    """Wait for a command; one that does not end within `within_s` seconds does not hold."""
    try:
        out, err = process.communicate(given, timeout=within_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise NotHeld(f"no end within {within_s:g} s") from None
    return Ended(process.returncode, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))


def run(*arguments: object, given: bytes | None = None, limits: Mapping[int, int] | None = None, **changes: str) -> Ended:
    """Run a command to its end, and hold it to the manners of every command: see `mannerly`."""
    return mannerly(end(start(*arguments, limits=limits, **changes), given))


def mannerly(ended: Ended, killed: bool = False) -> Ended:
    """Return how a command ended, if it ended as any must: exit code 0, 1 or 2, an error in words, no control character printed.

    Raises:
        NotHeld: a traceback, an internal error, another exit code or an error without a word.
    """
    for sign in ("Traceback (most recent call last)", "internal error", "Exception ignored"):
        if sign in ended.err or sign in ended.out:
            raise NotHeld(f"{sign}: {last_line(ended.err or ended.out)}")
    allowed = {0, 1, 2, *((-signal.SIGKILL, -signal.SIGABRT) if killed else ())}
    if ended.code not in allowed:
        raise NotHeld(f"exit code {ended.code}: {last_line(ended.err)}")
    if ended.code in (1, 2) and not (ended.err.strip() or ended.out.strip()):
        raise NotHeld(f"exit code {ended.code} without a word")
    if raw := {character for character in ended.out + ended.err if ord(character) in CONTROLS}:
        raise NotHeld(f"prints control characters raw: {sorted(map(ascii, raw))}")
    return ended


def last_line(text: str) -> str:
    """Return the last line of a text, cut."""
    return (text.strip().splitlines() or [""])[-1][:300]


def records(ended: Ended) -> list[dict[str, Any]]:
    """Return the JSON objects that a command printed, a line each, without the time it took."""
    try:
        lines = [json.loads(line) for line in ended.out.splitlines()]
    except ValueError as error:
        raise NotHeld(f"--json prints no JSON: {error}") from None
    return [{name: value for name, value in line.items() if name != "elapsed_ms"} for line in lines]


def digest(graph: object) -> str:
    """Return the digest of a graph, which `kgqa check` must find sound."""
    checked = run("check", "-g", graph)
    if checked.code:
        raise NotHeld(f"unsound: {last_line(checked.out + checked.err)}")
    return str(records(run("stats", "-g", graph, "--json"))[0]["digest"])


def write_claims(file: Path, rows: Iterable[Sequence[object]]) -> Path:
    """Write claims as `kgqa load csv` reads them: cause, effect, relation, stance, title, page_id, text."""
    with file.open("w", newline="", encoding="utf-8") as out:
        table = csv.writer(out)
        table.writerow(("cause", "effect", "relation", "stance", "title", "page_id", "text"))
        table.writerows(rows)
    return file


def drawn_claims(chance: random.Random, number: int) -> Iterable[tuple[object, ...]]:
    """Yield claims between everyday names and numbered ones, with a sentence each."""
    for place in range(number):
        cause, effect = chance.sample(ENDS, 2)
        if chance.random() < 0.9:
            cause, effect = f"{cause} {chance.randrange(number)}", f"{effect} {chance.randrange(number)}"
        stance = chance.choices(("asserted", "hedged", "negated"), (8, 1, 1))[0]
        relation = chance.choices(("causes", "prevents"), (9, 1))[0]
        yield cause, effect, relation, stance, f"Page {place % 97}", place % 97, f"{cause.capitalize()} causes {effect}."


def write_articles(file: Path, chance: random.Random, number: int) -> None:
    """Write articles of a dozen sentences each, as JSON lines."""
    with file.open("w", encoding="utf-8") as out:
        for page in range(number):
            text = " ".join(str(row[6]) for row in drawn_claims(chance, 12))
            out.write(json.dumps({"id": str(page), "title": f"Page {page}", "text": text}) + "\n")


def load_claims(graph: Path, rows: Iterable[Sequence[object]], table: Path) -> Path:
    """Make a graph of claims through the command; `table` is written on the way."""
    loaded = run("load", "csv", write_claims(table, rows), "-g", graph)
    if loaded.code:
        raise NotHeld(f"load: {last_line(loaded.err)}")
    return graph


def damaged(chance: random.Random, data: bytes) -> bytes:
    """Return bytes of which something was changed: bits, a run of them, a cut, a copy, or foreign bytes between them."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 3, 20))):
        place = chance.randrange(len(changed) + 1)
        length = chance.choice((1, 2, 8, 64, 512, 4096))
        kind = chance.choice(("bit", "zero", "cut", "remove", "copy", "junk", "fill"))
        if kind == "bit" and place < len(changed):
            changed[place] ^= 1 << chance.randrange(8)
        elif kind == "zero":
            changed[place : place + length] = bytes(len(changed[place : place + length]))
        elif kind == "cut":
            del changed[place:]
        elif kind == "remove":
            del changed[place : place + length]
        elif kind == "copy":
            other = chance.randrange(len(changed) + 1)
            changed[place : place + length] = changed[other : other + length]
        elif kind == "junk":
            changed[place:place] = chance.randbytes(length)
        else:
            changed[place:place] = chance.choice((b".", b"(", b"[[", b"{{", b"<", b'"', b"\xff", b"\n", b"\0")) * length
    return bytes(changed)
