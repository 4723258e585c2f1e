"""The catalogue of published files (`catalogue.toml`) with their addresses and licences, and the command that loads a file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from graph.errors import AddressInvalid, GraphError
from graph.sources.input_stream import open_input


@dataclass(frozen=True, slots=True)
class DownloadLocation:
    """The address of a file, and of its published checksums, or empty."""

    address: str
    sums: str = ""
    listed: str = ""  # a pattern for the name of the file in that list, which `{file}` and `{1}` in `address` stand for


@dataclass(frozen=True, slots=True)
class CatalogueOffer:
    """A published file; `next` is the command that loads it, with `{file}`, or empty where only the content decides it."""

    name: str
    places: tuple[DownloadLocation, ...]
    title: str = ""
    size: str = ""
    licence: str = ""
    home: str = ""
    next: str = ""


def catalogue_offers() -> Mapping[str, CatalogueOffer]:
    """Return the offers of the catalogue by name."""
    text = resources.files("graph.net").joinpath("catalogue.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["offer"]
    catalogue = [CatalogueOffer(places=tuple(DownloadLocation(**place) for place in row.pop("place")), **row) for row in rows]
    return {offer.name: offer for offer in catalogue}


def offer_of_address(name: str, address: str) -> CatalogueOffer:
    """Return the offer of a file at an address of the user; raise `AddressInvalid`."""
    return CatalogueOffer(name, (DownloadLocation(normalise_address(address)),))


def normalise_address(address: str) -> str:
    """Return an HTTP address in ASCII, other characters percent-encoded; raise `AddressInvalid` for anything else."""
    try:
        parts = urlsplit(address)
        port_is_sound = parts.port is None or parts.port >= 0
    except ValueError as error:
        raise AddressInvalid(address, str(error).lower()) from None
    if parts.scheme not in ("http", "https"):
        raise AddressInvalid(address, "an address begins with https:// or http://")
    if not parts.hostname or not port_is_sound:
        raise AddressInvalid(address, "it names no host")
    if re.search(r"[\0-\x20\x7f]", address):
        raise AddressInvalid(address, "it holds a space or a control character")
    return re.sub(r"[^!-~]", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace")), address)


def file_name_of_address(address: str) -> str:
    """Return the name of the file at an address, the last part of its path, or an empty text."""
    name = PurePosixPath(unquote(urlsplit(address).path)).name
    return "" if name in ("", ".", "..") or "\0" in name or "/" in name else name


_TABLE_SUFFIXES = (".csv", ".tsv")
_COMMAND_SIGNATURES = (
    (re.compile(rb'\s*\{\s*"causal_relation"'), "load causenet"),
    (re.compile(rb'\s*\{[^\n]*"cause"[^\n]*"effect"|\s*\{[^\n]*"effect"[^\n]*"cause"'), "load jsonl"),
    (re.compile(rb"/a/\[/r/"), "load conceptnet"),
)
_HEAD_LENGTH = 1 << 13


def loading_command(path: Path) -> str:
    """Return the command that loads a file, such as "load causenet", by its content; "mine" for texts and unknown content."""
    try:
        with open_input(str(path)) as stream:
            head, title = stream.peek(_HEAD_LENGTH), stream.title
    except GraphError:
        return "mine"
    if title.endswith(_TABLE_SUFFIXES):
        return "load csv"
    return next((command for sign, command in _COMMAND_SIGNATURES if sign.match(head)), "mine")
