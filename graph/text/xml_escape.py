r"""Any text as XML 1.0, which cannot hold most control characters, halves of surrogate pairs, U+FFFE and U+FFFF.

Such a character is written as a backslash, `u` and four hexadecimal digits, as in JSON: NUL is `\u0000`. So that no two texts
become one, a backslash that already stands before `u` and four such digits is itself written so, as `\u005C`; every other
backslash stays as it is.
"""

from __future__ import annotations

import re

_NOT_IN_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|\\\\(?=u[0-9A-Fa-f]{4})")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;", "\x7f": "&#127;"}
    | {chr(code): f"&#{code};" for code in (*range(0x80, 0xA0), 0x2028, 0x2029)}
)


def escape_xml_characters(text: str) -> str:
    """Return text in characters that XML can hold; `unheld` gives the text back, whatever it is."""
    return _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04X}", text)


def unescape_xml_characters(text: str) -> str:
    """Return the text that `held` has turned into `text`."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def escape_markup(text: str) -> str:
    """Return text that XML can hold as it is written between tags or in double quotes; white space stays as it is."""
    return text.translate(_MARKUP)
