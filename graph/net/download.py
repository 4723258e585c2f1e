"""A file downloaded: resumed after a cut, requested again after a transient failure, and verified."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Protocol

from graph.errors import ChecksumInvalid, FetchFailed, FetchWrong, InputUnreadable, OutputUnwritable
from graph.net.catalogue import CatalogueOffer, DownloadLocation, file_name_of_address
from graph.net.http import HttpClient, HttpResponse
from graph.net.partial_file import PartialFile
from graph.net.retry import Fault, HttpFailure, RetriesExhausted, RetryPolicy, TimeLimits
from graph.sources.compression import MAGIC_LENGTH, compression_of_name, decompress, detect_compression

AGENT = "kgqa (causal question answering; fetches what its user names)"
_WEB_PAGES = ("text/html", "application/xhtml+xml")
_PAGE_OPENINGS = (b"<!doctype html", b"<html")
_LONGEST_LIST = 1 << 23
_REDIRECTS = 10
_LIMITS = TimeLimits(connect=30.0, silence=30.0)
_METHOD_BY_LENGTH = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_LINE = re.compile(r"^([0-9a-fA-F]{32,128})[ \t]+\*?(\S.*?)[ \t\r]*$", re.MULTILINE)
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Checksum:
    """The hexadecimal digest of a file by a method (md5, sha1, sha256 or sha512); `origin` is "published" or "given"."""

    method: str
    digits: str
    origin: str = field(default="published", compare=False)

    def __str__(self) -> str:
        return f"{self.method}:{self.digits}"

    @classmethod
    def parse(cls, text: str) -> Checksum:
        """Return the checksum that is written "METHOD:HEX" or as digits alone; raise `ChecksumInvalid` for anything else."""
        method, _, digits = text.strip().rpartition(":")
        method = method.lower() or _METHOD_BY_LENGTH.get(len(digits), "")
        if not re.fullmatch(r"[0-9a-fA-F]+", digits) or _METHOD_BY_LENGTH.get(len(digits)) != method:
            raise ChecksumInvalid(text)
        return cls(method, digits.lower())


def parse_checksum_list(text: str) -> Mapping[str, Checksum]:
    """Return the checksums of a published list by the names of the files; empty for a text that is no such list."""
    pairs = [(name, digits) for digits, name in _LINE.findall(text)]
    if text.lstrip().startswith("{"):  # a record of Zenodo
        try:
            pairs = [(str(file["key"]), str(file["checksum"])) for file in json.loads(text)["files"]]
        except (ValueError, KeyError, TypeError):
            return {}
    checksums = {}
    for name, digits in pairs:
        with suppress(ChecksumInvalid):
            checksums[name] = Checksum.parse(digits)
    return checksums


def verify_file(path: Path, whole: int | None, checksum: Checksum | None, on_bytes: Callable[[int, int], None]) -> str:
    """Verify a file by its size, its checksum, or else its compressed data; return this in words, or raise `FetchWrong`."""
    size = path.stat().st_size
    if whole is not None and size != whole:
        raise FetchWrong(path, f"it has {size:,} bytes instead of {whole:,}", bare=True)
    if checksum is not None:
        digest = hashlib.new(checksum.method, usedforsecurity=False)
        for block in _read_blocks(path, lambda done: on_bytes(done, size)):
            digest.update(block)
        actual_checksum = Checksum(checksum.method, digest.hexdigest())
        if actual_checksum != checksum:
            raise FetchWrong(path, f"its checksum is {actual_checksum}, {checksum} was {checksum.origin}", bare=True)
        return f"{checksum.method} as {checksum.origin}"
    with path.open("rb") as file:
        compression = detect_compression(file.read(MAGIC_LENGTH))
    if compression is not None:
        try:
            for _ in decompress(_read_blocks(path, lambda done: on_bytes(done, size)), compression, path.name):
                pass
        except InputUnreadable as error:
            raise FetchWrong(path, str(error), bare=True) from error
        return f"no checksum is published; its {compression.name} data are whole"
    return "no checksum is published; its size is what the server said" if whole is not None else "nothing to verify it by"


def _read_blocks(path: Path, on_bytes: Callable[[int], None]) -> Iterator[bytes]:
    done = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            done += len(block)
            on_bytes(done)
            yield block


class DownloadProgress(Protocol):
    """Receives the progress of a download in bytes, present or verified, of `size` (`None`: unknown), and messages."""

    def at(self, done: int, size: int | None) -> None:
        """Receive the number of bytes present."""

    def checked(self, done: int, size: int) -> None:
        """Receive the number of bytes verified."""

    def note(self, text: str) -> None:
        """Receive a message for the user."""


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file that is present and verified: its size, the bytes of it that were present before, and the verification in words."""

    path: Path
    size: int
    resumed: int
    verified: str


def fetch_offer(
    offer: CatalogueOffer,
    out: str | None,
    checksum: Checksum | None,
    retry_policy: RetryPolicy,
    progress: DownloadProgress,
    limits: TimeLimits = _LIMITS,
) -> FetchedFile:
    """Download the file of an offer to `out`, a file or an existing folder, or verify it where it exists.

    `checksum` replaces the published one. Raises `FetchFailed` for a cut (another call continues `FILE.part`),
    `FetchWrong` where verification fails: the file is kept as `FILE.wrong`; `FetchBusy`, `DiskFull` or `OutputUnwritable`.
    """
    downloader = _Downloader(HttpClient(AGENT, limits), retry_policy, progress)
    given = checksum and replace(checksum, origin="given")
    for place in offer.places:
        target: Path | None = None
        try:
            address, published = downloader.resolve(place, needed=given is None)
            target = _target_path(offer, address, out)
            return downloader.verify_or_download(address, target, given or published)
        except FetchFailed as error:
            if place is offer.places[-1] or (target is not None and target.with_name(target.name + ".part").exists()):
                raise
            progress.note(f"{error}; trying the next place")
    raise AssertionError("an offer has a place")


def _target_path(offer: CatalogueOffer, address: str, out: str | None) -> Path:
    """Return the path for the file at an address; a file that is not of the catalogue takes the name of its offer."""
    served = file_name_of_address(address)
    if offer.home:
        name = served
    else:
        name = offer.name if "." in offer.name else offer.name + "".join(PurePosixPath(served).suffixes[-2:])
    if out is None:
        return Path(name)
    return Path(out) / name if out.endswith("/") or Path(out).is_dir() else Path(out)


@dataclass(frozen=True, slots=True)
class _Downloader:
    client: HttpClient
    retry_policy: RetryPolicy
    progress: DownloadProgress

    def resolve(self, place: DownloadLocation, *, needed: bool) -> tuple[str, Checksum | None]:
        """Return the address of a file and its published checksum; raise `FetchFailed` where the list fails that it needs."""
        if not place.sums or not (needed or place.listed):
            return place.address, None
        try:
            sums = parse_checksum_list(self._download_text(place.sums))
        except FetchFailed as error:
            if place.listed:
                raise
            self.progress.note(f"{error}; without the published checksum")
            return place.address, None
        if not place.listed:
            return place.address, sums.get(file_name_of_address(place.address))
        names = [match for name in sorted(sums) if (match := re.fullmatch(place.listed, name))]
        if not names:
            raise FetchFailed(place.sums, "the list of checksums does not name the file")
        return place.address.replace("{file}", names[-1][0]).replace("{1}", names[-1][1]), sums[names[-1][0]]

    def _download_text(self, address: str) -> str:
        def attempt() -> str:
            with self.client.send("GET", address, redirects=_REDIRECTS, longest=_LONGEST_LIST) as response:
                response.check()
                return response.read().decode("utf-8", "replace")

        try:
            return self.retry_policy.run(attempt)
        except HttpFailure as failure:
            raise FetchFailed(address, _failure_text(failure)) from failure

    def verify_or_download(self, address: str, target: Path, checksum: Checksum | None) -> FetchedFile:
        """Return the verified file at `target`, downloaded from `address` unless it exists."""
        if target.exists() and not target.is_file():
            raise OutputUnwritable(target, "it is a directory" if target.is_dir() else "it is not a plain file")
        if not target.parent.is_dir():
            raise OutputUnwritable(target, "no such folder")
        if not target.exists():
            return self._download(address, target, checksum)
        try:
            verified = verify_file(target, None, checksum, self.progress.checked)
        except FetchWrong as error:
            raise FetchWrong(target, f"{error}; it was there before: remove it, or name another file with --out") from error
        size = target.stat().st_size
        return FetchedFile(target, size, size, verified)

    def _download(self, address: str, target: Path, checksum: Checksum | None) -> FetchedFile:
        with PartialFile(target) as part:
            if part.size and part.address != address:
                self.progress.note(f"'{part.path}' is a part of another file; starting over")
                part.restart(address, "", None)
            most = part.size

            def has_advanced() -> bool:
                nonlocal most
                advanced, most = part.size > most, max(part.size, most)
                return advanced

            def note_wait(failure: HttpFailure, seconds: float) -> None:
                delay = f" in {seconds:,.0f} s" if seconds >= 1 else ""
                self.progress.note(f"{_failure_text(failure)}; trying again{delay}")

            try:
                self.retry_policy.run(lambda: self._receive_rest(part, address), note_wait, has_advanced=has_advanced)
            except HttpFailure as failure:
                raise FetchFailed(address, _failure_text(failure)) from failure
            try:
                verified = verify_file(part.path, part.whole, checksum, self.progress.checked)
            except FetchWrong as error:
                raise FetchWrong(target, f"{error}; what came is kept as '{part.put_aside()}'") from error
            part.finish()
            return FetchedFile(target, part.size, part.resumed_size, verified)

    def _receive_rest(self, part: PartialFile, address: str) -> None:
        while not part.size or part.size != part.whole:
            headers = {"Range": f"bytes={part.size}-", "If-Range": part.validator} if part.size else {}
            with self.client.send("GET", address, headers, redirects=_REDIRECTS) as response:
                if not part.size or response.status != 416:
                    response.check()
                    self._receive_body(part, address, response)
                    return
                if part.size == _total_size(response.headers.get("Content-Range", "")):
                    return
                part.restart(address, "", None)

    def _receive_body(self, part: PartialFile, address: str, response: HttpResponse) -> None:
        """Append the body of a response to a part, or begin the part again with it; raise `HttpFailure`."""
        start, size = _content_range(response)
        continues = bool(part.size) and start == part.size and size == part.whole
        if start and not continues:
            part.restart(address, "", None)
            raise _failure(Fault.MALFORMED, "the server sends another part than was asked for")
        # A weak ETag does not identify the bytes.
        etag = response.headers.get("ETag", "")
        validator = etag if etag.startswith('"') else response.headers.get("Last-Modified", "")
        for block in _located_blocks(response, start, size):
            if not continues:
                _check_head(block, response.media_type, part.target.name)
                if part.size:
                    reason = "the file has changed since" if validator != part.validator else "the server cannot go on"
                    self.progress.note(f"{reason}; starting over")
                part.restart(address, validator, size)
                continues = True
            part.add(block)
            self.progress.at(part.size, size)
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
    promised = compression_of_name(name)
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


def _content_range(response: HttpResponse) -> tuple[int, int | None]:
    """Return the offset of a response in the file and the size of the file; raise `HttpFailure` for a part without an offset."""
    length = _parse_size(response.headers.get("Content-Length", ""))
    if response.status != 206:
        return 0, length
    value = response.headers.get("Content-Range", "")
    unit, _, span = value.partition(" ")
    first = _parse_size(span.partition("-")[0])
    if unit != "bytes" or first is None:
        raise _failure(Fault.MALFORMED, f"the server sends a part that it does not describe ('{value}')")
    total = _total_size(value)
    return first, first + length if total is None and length is not None else total


def _total_size(content_range: str) -> int | None:
    return _parse_size(content_range.rpartition("/")[2])


def _parse_size(digits: str) -> int | None:
    """Return a number of bytes; `None` for a text that is no plausible size of a file."""
    return int(digits) if re.fullmatch("[0-9]{1,18}", digits) else None
