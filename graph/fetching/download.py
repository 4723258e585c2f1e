"""A file brought over the network: resumed after a cut, tried again after a failure that may pass, and verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from graph.errors import FetchFailed, FetchWrong, InputUnreadable
from graph.fetching.part import PartialFile
from graph.fetching.request import FileResponse, RangeUnsatisfiable, RequestRefused, TransientError, request_file
from graph.fetching.sums import Checksum, file_checksum
from graph.sources.compression import COMPRESSIONS, MAGIC_LENGTH, Compression, decompress, detect_compression

_WEB_PAGES = ("text/html", "application/xhtml+xml")
_PAGE_OPENINGS = (b"<!doctype html", b"<html")
_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class DownloadRetryPolicy:
    """How long to wait for a server: seconds without a byte, tries without a byte more, and seconds between them, doubled.

    A server that asks for a longer rest than `longest` seconds gets it without us: the file is given up for now.
    """

    timeout: float = 30.0
    tries: int = 6
    pause: float = 1.0
    longest: float = 300.0

    def delay(self, failed: int) -> float:
        """Return how many seconds to wait after so many tries in a row have failed."""
        return min(self.pause * 2.0 ** (failed - 1), self.longest)


class DownloadProgress(Protocol):
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
class FetchedFile:
    """A file that has come: its size, the bytes of it that were there before, and how it was verified, in words."""

    path: Path
    size: int
    resumed: int
    verified: str


def download(
    address: str, target: Path, checksum: Checksum | None, retry_policy: DownloadRetryPolicy, progress: DownloadProgress
) -> FetchedFile:
    """Bring the file at `address` to `target`, where there is none, going on with what came of it before.

    Raises `FetchFailed` where it cannot be had: what has come stays as `FILE.part`, and another call goes on there. Raises
    `FetchWrong` where it is not what it should be: it is kept as `FILE.wrong`. A full disk raises `DiskFull`; the part stays.
    """
    with PartialFile(target) as part:
        if part.size and part.address != address:
            progress.note(f"'{part.path}' is a part of another file; starting over")
            part.restart(address, "", None)
        most, failed = part.size, 0
        while not part.size or part.size != part.whole:
            try:
                if _request_rest(part, address, retry_policy.timeout, progress):
                    break
            except RequestRefused as error:
                raise FetchFailed(address, str(error)) from error
            except TransientError as error:
                failed = 1 if part.size > most else failed + 1
                most = max(most, part.size)
                _wait_before_retry(address, error, failed, retry_policy, progress)
        try:
            verified = verify_file(part.path, target.name, part.whole, checksum, progress.checked)
        except FetchWrong as error:
            aside = part.put_aside()
            raise FetchWrong(target, f"{error}; what came is kept as '{aside}'") from error
        part.finish()
        return FetchedFile(target, part.size, part.resumed_size, verified)


def verify_file(path: Path, name: str, whole: int | None, checksum: Checksum | None, on_bytes: Callable[[int, int], None]) -> str:
    """Verify a file that will be called `name`, and return how, in words; raise `FetchWrong` with what is wrong."""
    size = path.stat().st_size
    if whole is not None and size != whole:
        raise FetchWrong(path, f"it has {size:,} bytes instead of {whole:,}", bare=True)
    if checksum is not None:
        actual_checksum = file_checksum(path, checksum.method, lambda done: on_bytes(done, size))
        if actual_checksum != checksum:
            raise FetchWrong(path, f"its checksum is {actual_checksum}, {checksum} was {checksum.origin}", bare=True)
        return f"{checksum.method} as {checksum.origin}"
    with path.open("rb") as file:
        compression = detect_compression(file.read(MAGIC_LENGTH))
    if compression is not None:
        _verify_archive(path, compression, size, on_bytes)
        return f"no checksum is published; its {compression.name} data are whole"
    return "no checksum is published; its size is what the server said" if whole is not None else "nothing to verify it by"


def _request_rest(part: PartialFile, address: str, timeout: float, progress: DownloadProgress) -> bool:
    """Ask for what is missing of a file and add it; return whether that was all. Raises `Refused` or `Hiccup`."""
    try:
        reply = request_file(address, part.size, part.validator, timeout)
    except RangeUnsatisfiable as error:
        if part.size == error.size:
            return True
        part.restart(address, "", None)
        return False
    try:
        _receive_blocks(part, address, reply, progress)
    finally:
        reply.close()
    return True


def _receive_blocks(part: PartialFile, address: str, reply: FileResponse, progress: DownloadProgress) -> None:
    """Add the bytes of a reply to a part, or begin it anew with them."""
    continues = bool(part.size) and reply.start == part.size and reply.size == part.whole
    if reply.start and not continues:
        part.restart(address, "", None)
        raise TransientError("the server sends another part than was asked for")
    for block in reply.blocks():
        if not continues:
            _check_head(block, reply.kind, part.target.name)
            if part.size:
                changed = reply.validator != part.validator
                progress.note(
                    "the file has changed since; starting over" if changed else "the server cannot go on; starting over"
                )
            part.restart(address, reply.validator, reply.size)
            continues = True
        part.add(block)
        progress.at(part.size, reply.size)
    if not continues:
        raise RequestRefused("the file is empty")


def _check_head(head: bytes, kind: str, name: str) -> None:
    """Raise `Refused` where a file begins as a web page does, or not as its name promises."""
    promised = next((known for known in COMPRESSIONS if name.endswith(known.suffix)), None)
    if not name.endswith((".html", ".htm", ".xhtml")) and (
        head[:64].lstrip().lower().startswith(_PAGE_OPENINGS) or (kind in _WEB_PAGES and promised is None)
    ):
        raise RequestRefused("the server sends a web page instead of the file (a login or an error page?)")
    if promised is not None and len(head) >= MAGIC_LENGTH and detect_compression(head) is not promised:
        raise RequestRefused(f"what the server sends is no {promised.name} data")


def _wait_before_retry(
    address: str, error: TransientError, failed: int, retry_policy: DownloadRetryPolicy, progress: DownloadProgress
) -> None:
    """Wait before the next try; raise `FetchFailed` where there have been enough."""
    if failed >= retry_policy.tries:
        tries = f" ({failed} tries)" if failed > 1 else ""
        raise FetchFailed(address, f"{error}{tries}") from error
    pause = max(retry_policy.delay(failed), error.wait or 0.0)
    if pause > retry_policy.longest:
        raise FetchFailed(address, f"{error}, and asks to wait {pause:,.0f} seconds") from error
    progress.note(f"{error}; trying again in {pause:,.0f} s" if pause >= 1 else f"{error}; trying again")
    time.sleep(pause)


def _verify_archive(path: Path, compression: Compression, size: int, on_bytes: Callable[[int, int], None]) -> None:
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
            for _ in decompress(blocks(), compression, path.name):
                pass
        except InputUnreadable as error:
            raise FetchWrong(path, str(error), bare=True) from error
