"""Text in a picture: displayable characters, upper bounds of widths, and line breaks.

The font of the viewer is not known, so widths are those of a wide one (DejaVu Sans).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_JOINERS = "\u200c\u200d"
_ELLIPSIS = "…"
_WIDTHS = {
    " ": 0.34,
    **dict.fromkeys("ijlI|'.,:;!", 0.41),
    **dict.fromkeys('frt()[]-/\\"`*', 0.5),
    **dict.fromkeys("mMwW@%—…&", 1.02),
}
_CLASSES = {"Ll": 0.66, "Lu": 0.8, "Nd": 0.66, "Lo": 0.66, "Ps": 0.66, "Pe": 0.66, "Cf": 0.0}
_ACCENTED_CAPITAL, _MARK, _IDEOGRAPH, _EMOJI, _OTHER = 0.94, 0.55, 1.05, 1.65, 1.1


def displayable_text(text: str) -> str:
    """Return text on one line, without control characters and marks of direction."""
    return " ".join("".join(map(_displayable_character, text)).split())


def text_width(text: str, size: float) -> float:
    """Return the greatest width in pixels of text in letters of `size` pixels."""
    return sum(map(_character_width, text)) * size


def has_known_width(text: str) -> bool:
    """Return whether `text_width` holds in usual fonts: it does for Latin, Greek, Russian, ideographs and emoji."""
    return all(map(_character_width_is_known, text))


def wrap_lines(text: str, size: float, most: float, limit: int = 4) -> tuple[str, ...]:
    """Return text in lines of at most `most` pixels, at most `limit` of them; a cut text ends in an ellipsis."""
    wrapped: list[str] = []
    line = ""
    for piece, begins_word in _pieces(displayable_text(text), size, most):
        longer = f"{line} {piece}" if line and begins_word else line + piece
        if line and text_width(longer, size) > most:
            wrapped.append(line)
            line = piece
        else:
            line = longer
    wrapped.append(line or "\ufffd")
    if len(wrapped) <= limit:
        return tuple(wrapped)
    last = wrapped[limit - 1]
    while last and text_width(last + _ELLIPSIS, size) > most:
        last = last[:-1]
    return (*wrapped[: limit - 1], last.rstrip() + _ELLIPSIS)


def _pieces(text: str, size: float, most: float) -> Iterator[tuple[str, bool]]:
    """Yield words, or parts of words, no longer than a line, and whether each begins a word; of the first 1,000 characters."""
    for word in text[:1000].split(" "):
        part, begins_word = "", True
        for character in word:
            if part and text_width(part + character, size) > most and _character_width(character) and part[-1] not in _JOINERS:
                yield part, begins_word
                part, begins_word = "", False
            part += character
        yield part, begins_word


def _displayable_character(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if character.isspace() else "" if character == "\u00ad" else "\ufffd"


@lru_cache(maxsize=1 << 12)
def _character_width(character: str) -> float:
    """Return the width of a character as a share of the size of its letters."""
    plain = unicodedata.normalize("NFD", character)[0]
    if plain in _WIDTHS:
        return _WIDTHS[plain]
    kind = unicodedata.category(plain)
    if kind == "So":
        return _EMOJI
    if unicodedata.east_asian_width(plain) in "WF":
        return _IDEOGRAPH
    if "\u0300" <= plain < "\u0370":
        return 0.0
    if kind in ("Mn", "Me"):
        return _MARK
    narrow = _CLASSES.get(kind, _OTHER)
    if kind in ("Cf", "Lo") or (plain == character and plain.isascii()):
        return narrow  # letters without case have their length in the picture
    return _OTHER if not plain.isascii() else _ACCENTED_CAPITAL if kind == "Lu" else narrow


def _character_width_is_known(character: str) -> bool:
    plain = unicodedata.normalize("NFD", character)[0]
    wide = unicodedata.east_asian_width(plain) in "WF" or unicodedata.category(plain) in ("So", "Cf")
    return plain.isascii() or "\xa0" <= plain < "\u01c4" or "\u0300" <= plain < "\u0460" or plain in "—…–’“”→" or wide
