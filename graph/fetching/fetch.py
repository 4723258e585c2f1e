"""An offer brought here: from the first of its places that gives it, with the checksum that is published for it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from graph.errors import FetchFailed, FetchWrong, OutputUnwritable
from graph.fetching.catalogue import Offer, Place, file_name
from graph.fetching.download import Fetched, Patience, Watch, download, verify
from graph.fetching.request import Hiccup, OutOfRange, Refused, ask
from graph.fetching.sums import Checksum, published

_LONGEST_LIST = 1 << 23


@dataclass(frozen=True, slots=True)
class _Found:
    """A place looked up: the address of the file now, and its checksum where one is published."""

    address: str
    checksum: Checksum | None


def fetch(offer: Offer, out: str | None, checksum: Checksum | None, patience: Patience, watch: Watch) -> Fetched:
    """Bring the file of an offer here: to `out`, a file or a folder that there is, else to the folder where we are.

    A file that is there already is verified. `checksum` goes before a published one. Raises `FetchFailed`, `FetchWrong`,
    `FetchBusy`, `DiskFull` or `OutputUnwritable`.
    """
    given = checksum and replace(checksum, origin="given")
    for place, is_last in zip(offer.places, [*[False] * (len(offer.places) - 1), True], strict=True):
        target: Path | None = None
        try:
            found = _look_up(place, patience, watch, needed=given is None)
            target = target_of(offer, found.address, out)
            return _brought(found.address, target, given or found.checksum, patience, watch)
        except FetchFailed as error:
            if is_last or (target is not None and target.with_name(target.name + ".part").exists()):
                raise
            watch.note(f"{error}; trying the next place")
    raise AssertionError("an offer has a place")


def target_of(offer: Offer, address: str, out: str | None) -> Path:
    """Return where the file at an address goes: one of one's own is called by the name that it was given."""
    served = file_name(address)
    name = offer.name if not offer.home and "." in offer.name else ""
    if not name:
        name = served if offer.home else offer.name + "".join(PurePosixPath(served).suffixes[-2:])
    if out is None:
        return Path(name)
    return Path(out) / name if out.endswith("/") or Path(out).is_dir() else Path(out)


def _brought(address: str, target: Path, checksum: Checksum | None, patience: Patience, watch: Watch) -> Fetched:
    """Return the file at `target`, verified, brought from `address` unless it is there already."""
    if target.exists() and not target.is_file():
        raise OutputUnwritable(target, "it is a directory" if target.is_dir() else "it is not a plain file")
    if not target.parent.is_dir():
        raise OutputUnwritable(target, "no such folder")
    if not target.exists():
        return download(address, target, checksum, patience, watch)
    try:
        verified = verify(target, target.name, None, checksum, watch.checked)
    except FetchWrong as error:
        raise FetchWrong(target, f"{error}; it was there before: remove it, or name another file with --out") from error
    size = target.stat().st_size
    return Fetched(target, size, size, verified)


def _look_up(place: Place, patience: Patience, watch: Watch, needed: bool) -> _Found:
    """Return a place with the checksum that is published for its file; raise `FetchFailed` where the address depends on it."""
    if not place.sums or not (needed or place.listed):
        return _Found(place.address, None)
    try:
        sums = published(_text(place.sums, patience))
    except FetchFailed as error:
        if place.listed:
            raise
        watch.note(f"{error}; without the published checksum")
        return _Found(place.address, None)
    if not place.listed:
        return _Found(place.address, sums.get(file_name(place.address)))
    names = [match for name in sorted(sums) if (match := re.fullmatch(place.listed, name))]
    if not names:
        raise FetchFailed(place.sums, "the list of checksums does not name the file")
    address = place.address.replace("{file}", names[-1][0]).replace("{1}", names[-1][1])
    return _Found(address, sums[names[-1][0]])


def _text(address: str, patience: Patience) -> str:
    """Return a short text at an address; raise `FetchFailed`."""
    for failed in range(1, patience.tries + 1):
        try:
            reply = ask(address, 0, "", patience.timeout)
            try:
                data = b""
                for block in reply.blocks():
                    data += block
                    if len(data) > _LONGEST_LIST:
                        raise FetchFailed(address, "it is too long for a list of checksums")
                return data.decode("utf-8", "replace")
            finally:
                reply.close()
        except (Refused, OutOfRange) as error:
            raise FetchFailed(address, str(error)) from error
        except Hiccup as error:
            if failed == patience.tries:
                raise FetchFailed(address, str(error)) from error
            time.sleep(min(max(patience.rest(failed), error.wait or 0.0), patience.longest))
    raise AssertionError("at least one try")
