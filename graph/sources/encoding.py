"""Whether bytes are text, and why not."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NotText:
    """A kind of file that is not text: how it begins and what to say of it."""

    begins: re.Pattern[bytes]
    why: str


_ARCHIVE = "it is a {} archive; unpack it first"
_UTF_TEXT = "it is UTF-{0} text; convert it with: iconv -f UTF-{0} -t UTF-8"
NOT_TEXT = (
    NotText(re.compile(rb"PK\x03\x04"), _ARCHIVE.format("zip")),
    NotText(re.compile(rb"7z\xbc\xaf\x27\x1c"), _ARCHIVE.format("7z")),
    NotText(re.compile(rb"\xfd7zXZ\x00"), "it is xz data; unpack it first, or compress it with gzip, bzip2 or Zstandard"),
    NotText(re.compile(rb"[^\0]{1,100}\0.{156,256}ustar", re.DOTALL), _ARCHIVE.format("tar")),
    NotText(re.compile(rb"%PDF-"), "it is a PDF; save it as text first"),
    NotText(re.compile(rb"SQLite format 3\0"), "it is an SQLite database"),
    NotText(re.compile(rb"PAR1[\x15\x00]"), "it is a Parquet file"),
    NotText(re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), _UTF_TEXT.format(32)),
    NotText(re.compile(rb"\xff\xfe|\xfe\xff"), _UTF_TEXT.format(16)),
)
"""Files that are often taken for text by mistake."""


def decode_utf8(line: bytes) -> str:
    """Return `line` as text; raise `ValueError` with the reason where it holds NUL bytes or is not UTF-8."""
    if b"\0" in line:
        raise ValueError(f"NUL byte at position {line.index(0)}")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte 0x{line[error.start]:02x} at position {error.start}") from None


def reason_not_text(head: bytes) -> str:
    """Return why a file that begins with `head` is not text, or an empty string where it is.

    Lines that cannot be decoded are each their own problem; where they make up more than half of `head`, the file is no text.
    """
    for kind in NOT_TEXT:
        if kind.begins.match(head):
            return kind.why
    bad, first, offset = 0, "", 0
    for line in _drop_cut_character(head).split(b"\n"):
        try:
            decode_utf8(line)
        except ValueError as error:
            bad += len(line)
            first = first or str(error)
        offset += len(line) + 1
    return f"it is not UTF-8 text ({first})" if bad * 2 > len(head) else ""


def _drop_cut_character(head: bytes) -> bytes:
    """Return `head` without a character that its end cuts in two."""
    for back in range(1, min(4, len(head)) + 1):
        byte = head[-back]
        if byte & 0xC0 != 0x80:
            width = 2 if byte >> 5 == 0b110 else 3 if byte >> 4 == 0b1110 else 4 if byte >> 3 == 0b11110 else 1
            return head[:-back] if width > back else head
    return head
