"""From surface text to the name of a concept: one function, used when a graph is made and when it is asked."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

_EDGE = " \t\n\r.,;:!?\"'`()[]{}<>*_-–—…“”‘’«»/\\|"
_DETERMINERS = frozenset(
    "a an the this that these those its their his her our my your some any such both each every certain various many several "
    "numerous most much more other another".split()
)
_PREPOSITIONS = frozenset(
    "of in on at by for from to with without against among between during after before over under into through about "
    "within due caused induced".split()
)
_UNCHANGED_ENDINGS = ("ss", "us", "is", "ics", "news", "'s")


def surface_name(text: str) -> str:
    """Return `text` in NFKC and lower case, with underscores as spaces and nothing but single spaces between words."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("_", " ").replace("\0", " ").lower().split())


@lru_cache(maxsize=1 << 15)
def concept_name(text: str) -> str:
    """Return the name under which a phrase is kept: no determiners, no outer punctuation, its head in the singular.

    The head is the last word before the first preposition; hyphens become spaces. Empty for a phrase without letters.
    """
    words = re.sub(r"[-‐‑]+", " ", surface_name(text)).strip(_EDGE).split()
    words = [word for word in (word.strip(_EDGE) for word in words) if word]
    while len(words) > 1 and words[0] in _DETERMINERS:
        words = words[1:]
    if not any(character.isalnum() for word in words for character in word):
        return ""
    head = next((place for place, word in enumerate(words) if place and word in _PREPOSITIONS), len(words)) - 1
    words[head] = singular(words[head])
    return " ".join(words)


def singular(word: str) -> str:
    """Return the singular of a lower-case English noun, or the word itself where it is no plural."""
    return _exceptions().get(word) or singular_by_suffix(word)


def singular_by_suffix(word: str) -> str:
    """Return the singular by the suffix rules alone; graph/text/data/plurals.tsv lists the nouns they get wrong."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(_UNCHANGED_ENDINGS) or word[0].isdigit():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes", "uses")) and len(word) > 5:
        return word[:-2]
    return word[:-1]


@cache
def _exceptions() -> dict[str, str]:
    """Read the table of irregular plurals, once."""
    table = Path(__file__).with_name("data").joinpath("plurals.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t", 1) for line in table.splitlines())
