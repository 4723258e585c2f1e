"""A file brought over the network: resumed after a cut, tried again after a failure that may pass, and verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from graph.errors import FetchFailed, FetchWrong, InputUnreadable
from graph.fetching.part import Part
from graph.fetching.request import Hiccup, OutOfRange, Refused, Reply, ask
from graph.fetching.sums import Checksum, checksum_of
from graph.sources.compression import COMPRESSIONS, MAGIC_LENGTH, Compression, compression_of, decompressed

_WEB_PAGES = ("text/html", "application/xhtml+xml")
_PAGE_BEGINS = (b"<!doctype html", b"<html")
_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server: seconds without a byte, tries without a byte more, and seconds between them, doubled.

    A server that asks for a longer rest than `longest` seconds gets it without us: the file is given up for now.
    """

    timeout: float = 30.0
    tries: int = 6
    pause: float = 1.0
    longest: float = 300.0

    def rest(self, failed: int) -> float:
        """Return how many seconds to wait after so many tries in a row have failed."""
        return min(self.pause * 2.0 ** (failed - 1), self.longest)


class Watch(Protocol):
    """What is told how a file comes along."""

    def at(self, done: int, size: int | None) -> None:
        """Be told how many bytes have come, and how many there are where that is known."""
        ...

    def checked(self, done: int, size: int) -> None:
        """Be told how many bytes of the file have been verified."""
        ...

    def note(self, text: str) -> None:
        """Be told something that a person should know."""
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that has come: its size, the bytes of it that were there before, and how it was verified, in words."""

    path: Path
    size: int
    resumed: int
    verified: str


def download(address: str, target: Path, checksum: Checksum | None, patience: Patience, watch: Watch) -> Fetched:
    """Bring the file at `address` to `target`, where there is none, going on with what came of it before.

    Raises `FetchFailed` where it cannot be had: what has come stays as `FILE.part`, and another call goes on there. Raises
    `FetchWrong` where it is not what it should be: it is kept as `FILE.wrong`. A full disk raises `DiskFull`; the part stays.
    """
    with Part(target) as part:
        if part.size and part.address != address:
            watch.note(f"'{part.path}' is a part of another file; starting over")
            part.restart(address, "", None)
        most, failed = part.size, 0
        while not part.size or part.size != part.whole:
            try:
                if _bring(part, address, patience.timeout, watch):
                    break
            except Refused as error:
                raise FetchFailed(address, str(error)) from error
            except Hiccup as error:
                failed = 1 if part.size > most else failed + 1
                most = max(most, part.size)
                _rest(address, error, failed, patience, watch)
        try:
            verified = verify(part.path, target.name, part.whole, checksum, watch.checked)
        except FetchWrong as error:
            aside = part.put_aside()
            raise FetchWrong(target, f"{error}; what came is kept as '{aside}'") from error
        part.finish()
        return Fetched(target, part.size, part.kept, verified)


def verify(path: Path, name: str, whole: int | None, checksum: Checksum | None, on_bytes: Callable[[int, int], None]) -> str:
    """Verify a file that will be called `name`, and return how, in words; raise `FetchWrong` with what is wrong."""
    size = path.stat().st_size
    if whole is not None and size != whole:
        raise FetchWrong(path, f"it has {size:,} bytes instead of {whole:,}", bare=True)
    if checksum is not None:
        found = checksum_of(path, checksum.method, lambda done: on_bytes(done, size))
        if found != checksum:
            raise FetchWrong(path, f"its checksum is {found}, {checksum} was {checksum.origin}", bare=True)
        return f"{checksum.method} as {checksum.origin}"
    with path.open("rb") as file:
        compression = compression_of(file.read(MAGIC_LENGTH))
    if compression is not None:
        _read_through(path, compression, size, on_bytes)
        return f"no checksum is published; its {compression.name} data are whole"
    return "no checksum is published; its size is what the server said" if whole is not None else "nothing to verify it by"


def _bring(part: Part, address: str, timeout: float, watch: Watch) -> bool:
    """Ask for what is missing of a file and add it; return whether that was all. Raises `Refused` or `Hiccup`."""
    try:
        reply = ask(address, part.size, part.validator, timeout)
    except OutOfRange as error:
        if part.size == error.size:
            return True
        part.restart(address, "", None)
        return False
    try:
        _receive(part, address, reply, watch)
    finally:
        reply.close()
    return True


def _receive(part: Part, address: str, reply: Reply, watch: Watch) -> None:
    """Add the bytes of a reply to a part, or begin it anew with them."""
    continues = bool(part.size) and reply.start == part.size and reply.size == part.whole
    if reply.start and not continues:
        part.restart(address, "", None)
        raise Hiccup("the server sends another part than was asked for")
    for block in reply.blocks():
        if not continues:
            _look_at(block, reply.kind, part.target.name)
            if part.size:
                changed = reply.validator != part.validator
                watch.note("the file has changed since; starting over" if changed else "the server cannot go on; starting over")
            part.restart(address, reply.validator, reply.size)
            continues = True
        part.add(block)
        watch.at(part.size, reply.size)
    if not continues:
        raise Refused("the file is empty")


def _look_at(head: bytes, kind: str, name: str) -> None:
    """Raise `Refused` where a file begins as a web page does, or not as its name promises."""
    promised = next((known for known in COMPRESSIONS if name.endswith(known.suffix)), None)
    if not name.endswith((".html", ".htm", ".xhtml")) and (
        head[:64].lstrip().lower().startswith(_PAGE_BEGINS) or (kind in _WEB_PAGES and promised is None)
    ):
        raise Refused("the server sends a web page instead of the file (a login or an error page?)")
    if promised is not None and len(head) >= MAGIC_LENGTH and compression_of(head) is not promised:
        raise Refused(f"what the server sends is no {promised.name} data")


def _rest(address: str, error: Hiccup, failed: int, patience: Patience, watch: Watch) -> None:
    """Wait before the next try; raise `FetchFailed` where there have been enough."""
    if failed >= patience.tries:
        tries = f" ({failed} tries)" if failed > 1 else ""
        raise FetchFailed(address, f"{error}{tries}") from error
    pause = max(patience.rest(failed), error.wait or 0.0)
    if pause > patience.longest:
        raise FetchFailed(address, f"{error}, and asks to wait {pause:,.0f} seconds") from error
    watch.note(f"{error}; trying again in {pause:,.0f} s" if pause >= 1 else f"{error}; trying again")
    time.sleep(pause)


def _read_through(path: Path, compression: Compression, size: int, on_bytes: Callable[[int, int], None]) -> None:
    """Read an archive to its end; raise `FetchWrong` where it is damaged or cut."""
    done = 0
    with path.open("rb") as file:

        def blocks() -> Iterator[bytes]:
            nonlocal done
            while block := file.read(_BLOCK):
                done += len(block)
                on_bytes(done, size)
                yield block

        try:
            for _ in decompressed(blocks(), compression, path.name):
                pass
        except InputUnreadable as error:
            raise FetchWrong(path, str(error), bare=True) from error
