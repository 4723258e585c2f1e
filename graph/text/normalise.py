"""Normal forms of names: the one function from surface text to the name of a concept, the singular, and the head of a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from graph.text.stop_words import DETERMINERS, PREPOSITIONS

_EDGE = " \t\n\r.,;:!?\"'`()[]{}<>*_-–—…“”‘’«»/\\|"
_UNCHANGED_ENDINGS = ("ss", "us", "is", "ics", "news", "'s")


def surface_name(text: str) -> str:
    """Return `text` in NFKC and lower case, with underscores as spaces and single spaces between words."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("_", " ").replace("\0", " ").lower().split())


@lru_cache(maxsize=1 << 15)
def concept_name(text: str) -> str:
    """Return the name of the concept that a phrase means: without determiners and outer punctuation, its head in the singular.

    Hyphens become spaces. Empty for a phrase without letters and digits.
    """
    words = re.sub(r"[-‐‑]+", " ", surface_name(text)).strip(_EDGE).split()
    words = [word for word in (word.strip(_EDGE) for word in words) if word]
    words = without_determiners(words)
    if not any(character.isalnum() for word in words for character in word):
        return ""
    head = head_place(words)
    words[head] = singular(words[head])
    return " ".join(words)


def without_determiners(words: list[str]) -> list[str]:
    """Return the words of a phrase without the determiners at its beginning; the last word stays."""
    while len(words) > 1 and words[0] in DETERMINERS["names"]:
        words = words[1:]
    return words


def head_place(words: Sequence[str], prepositions: str = "names") -> int:
    """Return the place of a name's head, before its first preposition of a row of `PREPOSITIONS`; -1 for no words."""
    ends = PREPOSITIONS[prepositions]
    return next((place for place, word in enumerate(words) if place and word in ends), len(words)) - 1


def singular(word: str) -> str:
    """Return the singular of a lower-case English noun, and any other word unchanged."""
    return _exceptions().get(word) or singular_by_suffix(word)


def singular_by_suffix(word: str) -> str:
    """Return the singular by the suffix rules alone, without the exceptions of graph/text/data/plurals.tsv."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(_UNCHANGED_ENDINGS) or word[0].isdigit():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes", "uses")) and len(word) > 5:
        return word[:-2]
    return word[:-1]


@cache
def _exceptions() -> dict[str, str]:
    table = Path(__file__).with_name("data").joinpath("plurals.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t", 1) for line in table.splitlines())
