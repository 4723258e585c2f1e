"""The verification of files by their compressed data or by checksums, published as lines of "HEX  NAME" or as a Zenodo record."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graph.errors import ChecksumInvalid, FetchWrong, InputUnreadable
from graph.sources.compression import MAGIC_LENGTH, Compression, decompress, detect_compression

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
    pairs = _zenodo_checksums(text) if text.lstrip().startswith("{") else [(name, digits) for digits, name in _LINE.findall(text)]
    checksums = {}
    for name, digits in pairs:
        try:
            checksums[name] = Checksum.parse(digits)
        except ChecksumInvalid:
            continue
    return checksums


def _zenodo_checksums(text: str) -> Iterable[tuple[str, str]]:
    try:
        files = json.loads(text)["files"]
        return [(str(file["key"]), str(file["checksum"])) for file in files]
    except (ValueError, KeyError, TypeError):
        return []


def verify_file(path: Path, whole: int | None, checksum: Checksum | None, on_bytes: Callable[[int, int], None]) -> str:
    """Verify a file by its size, its checksum, or else its compressed data, and return the verification in words.

    `on_bytes` receives the numbers of bytes read and of all. Raises `FetchWrong`.
    """
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
        _verify_archive(path, compression, lambda done: on_bytes(done, size))
        return f"no checksum is published; its {compression.name} data are whole"
    return "no checksum is published; its size is what the server said" if whole is not None else "nothing to verify it by"


def _verify_archive(path: Path, compression: Compression, on_bytes: Callable[[int], None]) -> None:
    try:
        for _ in decompress(_read_blocks(path, on_bytes), compression, path.name):
            pass
    except InputUnreadable as error:
        raise FetchWrong(path, str(error), bare=True) from error


def _read_blocks(path: Path, on_bytes: Callable[[int], None]) -> Iterator[bytes]:
    """Yield a file in blocks; `on_bytes` receives the number of bytes read."""
    done = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            done += len(block)
            on_bytes(done)
            yield block
