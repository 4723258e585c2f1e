r"""Escapes for XML 1.0, which has no form for most control characters, unpaired surrogates, U+FFFE and U+FFFF.

Such a character becomes a backslash, `u` and four hexadecimal digits, as in JSON: NUL is `\u0000`. A backslash that already
stands before `u` and four such digits becomes `\u005C`, so that no two texts get one form; other backslashes are unchanged.
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
    """Return text in characters of XML 1.0; `unescape_xml_characters` restores any text."""
    return _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04X}", text)


def unescape_xml_characters(text: str) -> str:
    """Return the text from which `escape_xml_characters` made `text`."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def escape_markup(text: str) -> str:
    """Return text of XML characters in the form that it has between tags or in double quotes; white space is preserved."""
    return text.translate(_MARKUP)
