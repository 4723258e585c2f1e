"""What of a passage is shown where all of it does not fit: the pieces that share the rarest words with the question."""

from __future__ import annotations

import math
import re
from collections import Counter

from kgqa.reading.chat.tokens import estimate_tokens

_WORDS_PER_PIECE = 60
_GAP = " … "
_PIECE = re.compile(rf"(?:\S+\s*){{1,{_WORDS_PER_PIECE}}}")
_LONGEST_PIECE = 40 * _WORDS_PER_PIECE
_WORD = re.compile(r"\w+")


def excerpt_for(text: str, question: str, room: int) -> str:
    """Return a text that takes at most `room` tokens: all of it, or its best pieces in their order; empty where none fits."""
    if len(text) <= 4 * room and estimate_tokens(text) <= room:
        return text
    pieces = [piece for match in _PIECE.finditer(text) for piece in _split_long_piece(match.group().strip())]
    sets = [set(_WORD.findall(piece.casefold())) for piece in pieces]
    counts = Counter(word for words in sets for word in words)
    question_words = [word for word in set(_WORD.findall(question.casefold())) if word in counts]
    rarity = {word: math.log(1 + len(pieces) / counts[word]) for word in question_words}
    worth = [sum(rarity[word] for word in question_words if word in words) for words in sets]
    chosen: list[int] = []
    for place in sorted(range(len(pieces)), key=lambda place: (-worth[place], place)):
        size = estimate_tokens(pieces[place]) + 2
        if size > room:
            break
        room -= size
        chosen.append(place)
    chosen.sort()
    return "".join(
        (("" if not done else " " if chosen[done - 1] == place - 1 else _GAP) + pieces[place])
        for done, place in enumerate(chosen)
    )


def _split_long_piece(piece: str) -> list[str]:
    """Return a piece in parts that are no longer than words make them: a text may have no spaces."""
    return [piece[start : start + _LONGEST_PIECE] for start in range(0, len(piece), _LONGEST_PIECE)]
