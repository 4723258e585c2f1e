"""An offer brought here: from the first of its places that gives it, with the checksum that is published for it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from graph.errors import FetchFailed, FetchWrong, OutputUnwritable
from graph.fetching.catalogue import CatalogueOffer, DownloadLocation, file_name_of_address
from graph.fetching.download import DownloadProgress, DownloadRetryPolicy, FetchedFile, download, verify_file
from graph.fetching.request import RangeUnsatisfiable, RequestRefused, TransientError, request_file
from graph.fetching.sums import Checksum, parse_checksum_list

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
