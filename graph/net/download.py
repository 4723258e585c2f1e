"""A file downloaded: resumed after a cut, requested again after a transient failure, and verified.

An offer of the catalogue is downloaded from the first of its locations that succeeds, with the checksum published for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Protocol

from graph.errors import FetchFailed, FetchWrong, OutputUnwritable
from graph.net.catalogue import CatalogueOffer, DownloadLocation, file_name_of_address
from graph.net.checksums import Checksum, parse_checksum_list, verify_file
from graph.net.http import HttpClient, HttpResponse
from graph.net.partial_file import PartialFile
from graph.net.retry import Fault, HttpFailure, RetriesExhausted, RetryPolicy, TimeLimits
from graph.sources.compression import COMPRESSIONS, MAGIC_LENGTH, detect_compression

AGENT = "kgqa (causal question answering; fetches what its user names)"
_WEB_PAGES = ("text/html", "application/xhtml+xml")
_PAGE_OPENINGS = (b"<!doctype html", b"<html")
_LONGEST_LIST = 1 << 23
_REDIRECTS = 10
_LIMITS = TimeLimits(connect=30.0, silence=30.0)


class DownloadProgress(Protocol):
    """Receives the progress of a download."""

    def at(self, done: int, size: int | None) -> None:
        """Receive the number of bytes present, and of all, where it is known."""
        ...

    def checked(self, done: int, size: int) -> None:
        """Receive the number of bytes verified, and of all."""
        ...

    def note(self, text: str) -> None:
        """Receive a message for the user."""
        ...


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file that is present and verified: its size, the bytes of it that were present before, and the verification in words."""

    path: Path
    size: int
    resumed: int
    verified: str


def download(
    address: str,
    target: Path,
    checksum: Checksum | None,
    retry_policy: RetryPolicy,
    progress: DownloadProgress,
    client: HttpClient,
) -> FetchedFile:
    """Download the file at `address` to `target`, which does not exist; continue the part of an earlier call.

    Raises `FetchFailed` where the file is not received: `FILE.part` stays, and another call continues it. Raises `FetchWrong`
    where verification fails: the file is kept as `FILE.wrong`. A full disk raises `DiskFull`; the part stays.
    """
    with PartialFile(target) as part:
        if part.size and part.address != address:
            progress.note(f"'{part.path}' is a part of another file; starting over")
            part.restart(address, "", None)
        most = part.size

        def has_advanced() -> bool:
            nonlocal most
            advanced, most = part.size > most, max(part.size, most)
            return advanced

        def note_wait(failure: HttpFailure, seconds: float) -> None:
            delay = f" in {seconds:,.0f} s" if seconds >= 1 else ""
            progress.note(f"{_failure_text(failure)}; trying again{delay}")

        try:
            retry_policy.run(lambda: _receive_rest(part, address, client, progress), note_wait, has_advanced=has_advanced)
        except HttpFailure as failure:
            raise FetchFailed(address, _failure_text(failure)) from failure
        try:
            verified = verify_file(part.path, part.whole, checksum, progress.checked)
        except FetchWrong as error:
            aside = part.put_aside()
            raise FetchWrong(target, f"{error}; what came is kept as '{aside}'") from error
        part.finish()
        return FetchedFile(target, part.size, part.resumed_size, verified)


def _receive_rest(part: PartialFile, address: str, client: HttpClient, progress: DownloadProgress) -> None:
    while not part.size or part.size != part.whole:
        headers = {"Range": f"bytes={part.size}-", "If-Range": part.validator} if part.size else {}
        with client.send("GET", address, headers, redirects=_REDIRECTS) as response:
            if not part.size or response.status != 416:
                response.check()
                _receive_body(part, address, response, progress)
                return
            if part.size == _total_size(response.headers.get("Content-Range", "")):
                return
            part.restart(address, "", None)


def _receive_body(part: PartialFile, address: str, response: HttpResponse, progress: DownloadProgress) -> None:
    start, size = _content_range(response) if response.status == 206 else (0, _content_length(response))
    continues = bool(part.size) and start == part.size and size == part.whole
    if start and not continues:
        part.restart(address, "", None)
        raise _failure(Fault.MALFORMED, "the server sends another part than was asked for")
    validator = _validator(response)
    for block in _located_blocks(response, start, size):
        if not continues:
            _check_head(block, response.media_type, part.target.name)
            if part.size:
                changed = validator != part.validator
                progress.note(
                    "the file has changed since; starting over" if changed else "the server cannot go on; starting over"
                )
            part.restart(address, validator, size)
            continues = True
        part.add(block)
        progress.at(part.size, size)
    if not continues:
        raise _failure(Fault.CONTENT, "the file is empty")


def _located_blocks(response: HttpResponse, start: int, size: int | None) -> Iterator[bytes]:
    """Yield the body of a response; a failure names the byte of the file, which is of `size` bytes, where the body breaks off."""
    done = start
    try:
        for block in response.blocks():
            done += len(block)
            yield block
    except HttpFailure as failure:
        place = f"after byte {done:,}"
        if failure.fault is Fault.CUT and not failure.detail and size is not None:
            place += f" of {size:,}"
        raise _failure(Fault.CUT, f"{_failure_text(failure)} {place}") from failure


def _check_head(head: bytes, media_type: str, name: str) -> None:
    """Raise `HttpFailure` where a file begins as a web page does, or not with the compression that its name states."""
    promised = next((known for known in COMPRESSIONS if name.endswith(known.suffix)), None)
    if not name.endswith((".html", ".htm", ".xhtml")) and (
        head[:64].lstrip().lower().startswith(_PAGE_OPENINGS) or (media_type in _WEB_PAGES and promised is None)
    ):
        raise _failure(Fault.CONTENT, "the server sends a web page instead of the file (a login or an error page?)")
    if promised is not None and len(head) >= MAGIC_LENGTH and detect_compression(head) is not promised:
        raise _failure(Fault.CONTENT, f"what the server sends is no {promised.name} data")


def _failure(fault: Fault, text: str) -> HttpFailure:
    return HttpFailure(fault, text, text)


def _failure_text(failure: HttpFailure) -> str:
    match failure.fault:
        case Fault.STATUS:
            text = f"the server answers {failure.status} {failure.detail}".strip()
        case Fault.CERTIFICATE:
            text = f"the certificate of the server is not valid: {failure.detail}"
        case Fault.TIMEOUT:
            text = "the server does not answer in time"
        case Fault.REDIRECT:
            text = f"it {failure}"
        case Fault.TOO_LONG:
            text = "it is too long for a list of checksums"
        case _:
            text = failure.detail or "the connection was cut"
    if not isinstance(failure, RetriesExhausted):
        return text
    if not failure.tries:
        return f"{text}, and asks to wait {failure.wait:,.0f} seconds"
    return f"{text} ({failure.tries} tries)" if failure.tries > 1 else text


def _content_length(response: HttpResponse) -> int | None:
    return _parse_size(response.headers.get("Content-Length", ""))


def _content_range(response: HttpResponse) -> tuple[int, int | None]:
    """Return the offset of a partial response and the size of the file; raise `HttpFailure` where the offset is not stated."""
    value = response.headers.get("Content-Range", "")
    unit, _, span = value.partition(" ")
    first = _parse_size(span.partition("-")[0])
    if unit != "bytes" or first is None:
        raise _failure(Fault.MALFORMED, f"the server sends a part that it does not describe ('{value}')")
    length, total = _content_length(response), _total_size(value)
    return first, first + length if total is None and length is not None else total


def _total_size(value: str) -> int | None:
    return _parse_size(value.rpartition("/")[2])


def _parse_size(digits: str) -> int | None:
    """Return a number of bytes; `None` for a text that is no plausible size of a file."""
    return int(digits) if re.fullmatch("[0-9]{1,18}", digits) else None


def _validator(response: HttpResponse) -> str:
    """Return the strong ETag of a response, else its date, else nothing: a weak ETag does not identify the bytes."""
    etag = response.headers.get("ETag", "")
    return etag if etag.startswith('"') else response.headers.get("Last-Modified", "")


@dataclass(frozen=True, slots=True)
class _ResolvedLocation:
    address: str
    checksum: Checksum | None


def fetch_offer(
    offer: CatalogueOffer,
    out: str | None,
    checksum: Checksum | None,
    retry_policy: RetryPolicy,
    progress: DownloadProgress,
    limits: TimeLimits = _LIMITS,
) -> FetchedFile:
    """Download the file of an offer to `out`, a file or an existing folder, by default to the working directory.

    A file that exists is verified instead. `checksum` replaces the published one. Raises `FetchFailed`, `FetchWrong`,
    `FetchBusy`, `DiskFull` or `OutputUnwritable`.
    """
    client = HttpClient(AGENT, limits)
    given = checksum and replace(checksum, origin="given")
    for place, is_last in zip(offer.places, [*[False] * (len(offer.places) - 1), True], strict=True):
        target: Path | None = None
        try:
            location = _resolve_location(place, retry_policy, progress, client, needed=given is None)
            target = target_path(offer, location.address, out)
            return _verify_or_download(location.address, target, given or location.checksum, retry_policy, progress, client)
        except FetchFailed as error:
            if is_last or (target is not None and target.with_name(target.name + ".part").exists()):
                raise
            progress.note(f"{error}; trying the next place")
    raise AssertionError("an offer has a place")


def target_path(offer: CatalogueOffer, address: str, out: str | None) -> Path:
    """Return the path for the file at an address; a file that is not of the catalogue takes the name of its offer."""
    served = file_name_of_address(address)
    name = offer.name if not offer.home and "." in offer.name else ""
    if not name:
        name = served if offer.home else offer.name + "".join(PurePosixPath(served).suffixes[-2:])
    if out is None:
        return Path(name)
    return Path(out) / name if out.endswith("/") or Path(out).is_dir() else Path(out)


def _verify_or_download(
    address: str,
    target: Path,
    checksum: Checksum | None,
    retry_policy: RetryPolicy,
    progress: DownloadProgress,
    client: HttpClient,
) -> FetchedFile:
    if target.exists() and not target.is_file():
        raise OutputUnwritable(target, "it is a directory" if target.is_dir() else "it is not a plain file")
    if not target.parent.is_dir():
        raise OutputUnwritable(target, "no such folder")
    if not target.exists():
        return download(address, target, checksum, retry_policy, progress, client)
    try:
        verified = verify_file(target, None, checksum, progress.checked)
    except FetchWrong as error:
        raise FetchWrong(target, f"{error}; it was there before: remove it, or name another file with --out") from error
    size = target.stat().st_size
    return FetchedFile(target, size, size, verified)


def _resolve_location(
    place: DownloadLocation, retry_policy: RetryPolicy, progress: DownloadProgress, client: HttpClient, needed: bool
) -> _ResolvedLocation:
    """Return the address of the file at a location and its published checksum.

    Raises `FetchFailed` where the list of checksums is not received and the address depends on it.
    """
    if not place.sums or not (needed or place.listed):
        return _ResolvedLocation(place.address, None)
    try:
        sums = parse_checksum_list(_download_text(place.sums, retry_policy, client))
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


def _download_text(address: str, retry_policy: RetryPolicy, client: HttpClient) -> str:
    def attempt() -> str:
        with client.send("GET", address, redirects=_REDIRECTS, longest=_LONGEST_LIST) as response:
            response.check()
            return response.read().decode("utf-8", "replace")

    try:
        return retry_policy.run(attempt)
    except HttpFailure as failure:
        raise FetchFailed(address, _failure_text(failure)) from failure
