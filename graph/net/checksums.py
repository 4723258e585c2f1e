"""Checksums as they are published beside files: lines of "HEX  NAME", or the JSON of a Zenodo record."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graph.errors import ChecksumInvalid

_METHOD_BY_LENGTH = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_LINE = re.compile(r"^([0-9a-fA-F]{32,128})[ \t]+\*?(\S.*?)[ \t\r]*$", re.MULTILINE)
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Checksum:
    """The digits, in hexadecimal, that a method (md5, sha1, sha256 or sha512) makes of a file's bytes.

    `origin` says whether it was published or given.
    """

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
    pairs = _zenodo_checksums(text) if text.lstrip().startswith("{") else [(name, digits) for digits, name in _LINE.findall(text)]
    checksums = {}
    for name, digits in pairs:
        try:
            checksums[name] = Checksum.parse(digits)
        except ChecksumInvalid:
            continue
    return checksums


def file_checksum(path: Path, method: str, on_bytes: Callable[[int], None] = lambda done: None) -> Checksum:
    """Return the checksum of a file; `on_bytes` is told how many bytes were read."""
    digest, done = hashlib.new(method, usedforsecurity=False), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            on_bytes(done)
    return Checksum(method, digest.hexdigest())


def _zenodo_checksums(text: str) -> Iterable[tuple[str, str]]:
    """Yield the names and checksums of a Zenodo record."""
    try:
        files = json.loads(text)["files"]
        return [(str(file["key"]), str(file["checksum"])) for file in files]
    except (ValueError, KeyError, TypeError):
        return []
