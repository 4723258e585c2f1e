"""A file brought over the network: resumed after a cut, tried again after a failure that may pass, and verified.

An offer brought here: from the first of its places that gives it, with the checksum that is published for it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Protocol

from graph.errors import FetchFailed, FetchWrong, InputUnreadable, OutputUnwritable
from graph.net.catalogue import CatalogueOffer, DownloadLocation, file_name_of_address
from graph.net.checksums import Checksum, file_checksum, parse_checksum_list
from graph.net.http_request import FileResponse, RangeUnsatisfiable, RequestRefused, TransientError, request_file
from graph.net.partial_file import PartialFile
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


_LONGEST_LIST = 1 << 23


@dataclass(frozen=True, slots=True)
class _ResolvedLocation:
    """A place looked up: the address of the file now, and its checksum where one is published."""

    address: str
    checksum: Checksum | None


def fetch_offer(
    offer: CatalogueOffer,
    out: str | None,
    checksum: Checksum | None,
    retry_policy: DownloadRetryPolicy,
    progress: DownloadProgress,
) -> FetchedFile:
    """Bring the file of an offer here: to `out`, a file or a folder that there is, else to the folder where we are.

    A file that is there already is verified. `checksum` goes before a published one. Raises `FetchFailed`, `FetchWrong`,
    `FetchBusy`, `DiskFull` or `OutputUnwritable`.
    """
    given = checksum and replace(checksum, origin="given")
    for place, is_last in zip(offer.places, [*[False] * (len(offer.places) - 1), True], strict=True):
        target: Path | None = None
        try:
            location = _resolve_location(place, retry_policy, progress, needed=given is None)
            target = target_path(offer, location.address, out)
            return _verify_or_download(location.address, target, given or location.checksum, retry_policy, progress)
        except FetchFailed as error:
            if is_last or (target is not None and target.with_name(target.name + ".part").exists()):
                raise
            progress.note(f"{error}; trying the next place")
    raise AssertionError("an offer has a place")


def target_path(offer: CatalogueOffer, address: str, out: str | None) -> Path:
    """Return where the file at an address goes: one of one's own is called by the name that it was given."""
    served = file_name_of_address(address)
    name = offer.name if not offer.home and "." in offer.name else ""
    if not name:
        name = served if offer.home else offer.name + "".join(PurePosixPath(served).suffixes[-2:])
    if out is None:
        return Path(name)
    return Path(out) / name if out.endswith("/") or Path(out).is_dir() else Path(out)


def _verify_or_download(
    address: str, target: Path, checksum: Checksum | None, retry_policy: DownloadRetryPolicy, progress: DownloadProgress
) -> FetchedFile:
    """Return the file at `target`, verified, brought from `address` unless it is there already."""
    if target.exists() and not target.is_file():
        raise OutputUnwritable(target, "it is a directory" if target.is_dir() else "it is not a plain file")
    if not target.parent.is_dir():
        raise OutputUnwritable(target, "no such folder")
    if not target.exists():
        return download(address, target, checksum, retry_policy, progress)
    try:
        verified = verify_file(target, target.name, None, checksum, progress.checked)
    except FetchWrong as error:
        raise FetchWrong(target, f"{error}; it was there before: remove it, or name another file with --out") from error
    size = target.stat().st_size
    return FetchedFile(target, size, size, verified)


def _resolve_location(
    place: DownloadLocation, retry_policy: DownloadRetryPolicy, progress: DownloadProgress, needed: bool
) -> _ResolvedLocation:
    """Return a place with the checksum that is published for its file; raise `FetchFailed` where the address depends on it."""
    if not place.sums or not (needed or place.listed):
        return _ResolvedLocation(place.address, None)
    try:
        sums = parse_checksum_list(_download_text(place.sums, retry_policy))
    except FetchFailed as error:
        if place.listed:
            raise
        progress.note(f"{error}; without the published checksum")
        return _ResolvedLocation(place.address, None)
    if not place.listed:
        return _ResolvedLocation(place.address, sums.get(file_name_of_address(place.address)))
    names = [match for name in sorted(sums) if (match := re.fullmatch(place.listed, name))]
    if not names:
        raise FetchFailed(place.sums, "the list of checksums does not name the file")
    address = place.address.replace("{file}", names[-1][0]).replace("{1}", names[-1][1])
    return _ResolvedLocation(address, sums[names[-1][0]])


def _download_text(address: str, retry_policy: DownloadRetryPolicy) -> str:
    """Return a short text at an address; raise `FetchFailed`."""
    for failed in range(1, retry_policy.tries + 1):
        try:
            reply = request_file(address, 0, "", retry_policy.timeout)
            try:
                data = b""
                for block in reply.blocks():
                    data += block
                    if len(data) > _LONGEST_LIST:
                        raise FetchFailed(address, "it is too long for a list of checksums")
                return data.decode("utf-8", "replace")
            finally:
                reply.close()
        except (RequestRefused, RangeUnsatisfiable) as error:
            raise FetchFailed(address, str(error)) from error
        except TransientError as error:
            if failed == retry_policy.tries:
                raise FetchFailed(address, str(error)) from error
            time.sleep(min(max(retry_policy.delay(failed), error.wait or 0.0), retry_policy.longest))
    raise AssertionError("at least one try")
