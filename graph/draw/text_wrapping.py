"""Names as lines of text in a picture: what may be shown, how wide it is at most, and where it is broken.

No font is known when a picture is made, so widths are those of a wide one (DejaVu Sans): what fits here fits anywhere.
"""

from __future__ import annotations

import unicodedata
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
_ACCENTED_CAPITAL = 0.94
_MARK = 0.55
_IDEOGRAPH = 1.05
_EMOJI = 1.65
_OTHER = 1.1


def displayable_text(text: str) -> str:
    """Return text as a picture may show it: on one line, without what steers a terminal or turns its direction about."""
    return " ".join("".join(map(_displayable_character, text)).split())


def text_width(text: str, size: float) -> float:
    """Return how many pixels text in letters of `size` pixels takes at most."""
    return sum(map(_character_width, text)) * size


def has_known_width(text: str) -> bool:
    """Return whether `width` surely holds: for letters of some scripts the picture itself has to say how wide a line is."""
    return all(map(_character_width_is_known, text))


def wrap_lines(text: str, size: float, most: float, limit: int = 4) -> tuple[str, ...]:
    """Return text in lines of at most `most` pixels, at most `limit` of them; what is cut off ends in an ellipsis."""
    wrapped: list[str] = []
    line = ""
    for word in _pieces(displayable_text(text), size, most):
        longer = f"{line} {word.text}" if line and word.apart else line + word.text
        if line and text_width(longer, size) > most:
            wrapped.append(line)
            line = word.text
        else:
            line = longer
    wrapped.append(line or "\ufffd")
    if len(wrapped) <= limit:
        return tuple(wrapped)
    last = wrapped[limit - 1]
    while last and text_width(last + _ELLIPSIS, size) > most:
        last = last[:-1]
    return (*wrapped[: limit - 1], last.rstrip() + _ELLIPSIS)


class _Piece:
    """What is not broken: a word, or a part of one that is longer than a line; `apart` where a space stands before it."""

    def __init__(self, text: str, apart: bool) -> None:
        self.text = text
        self.apart = apart


def _pieces(text: str, size: float, most: float) -> list[_Piece]:
    """Return the pieces of a text, each no longer than a line; the first thousand characters are enough for any picture."""
    pieces = []
    for word in text[:1000].split(" "):
        part, apart = "", True
        for character in word:
            if part and text_width(part + character, size) > most and _character_width(character) and part[-1] not in _JOINERS:
                pieces.append(_Piece(part, apart))
                part, apart = "", False
            part += character
        pieces.append(_Piece(part, apart))
    return pieces


def _displayable_character(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if character.isspace() else "" if character == "\u00ad" else "\ufffd"


@lru_cache(maxsize=1 << 12)
def _character_width(character: str) -> float:
    """Return the width of a character in parts of the size of its letters."""
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
        return narrow  # what is written in letters without case is told its length
    return _OTHER if not plain.isascii() else _ACCENTED_CAPITAL if kind == "Lu" else narrow


def _character_width_is_known(character: str) -> bool:
    """Return whether usual fonts give a character no more than `_width`: Latin, Greek, Russian, ideographs and emoji do."""
    plain = unicodedata.normalize("NFD", character)[0]
    wide = unicodedata.east_asian_width(plain) in "WF" or unicodedata.category(plain) in ("So", "Cf")
    return plain.isascii() or "\xa0" <= plain < "\u01c4" or "\u0300" <= plain < "\u0460" or plain in "—…–’“”→" or wide
