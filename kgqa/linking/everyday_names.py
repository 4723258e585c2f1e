"""Everyday names: how people say what a concept is, in other words than its name: "an underactive thyroid" is hypothyroidism.

data/everyday_names.tsv has a key a line, made of the phrase as `everyday_key` makes it, and the names that mean it. It is built
by scripts/build/build_everyday_names.py from scripts/build/everyday_phrases.tsv, where the phrases stand that people wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from unicodedata import normalize

from graph.text.normalise import singular, surface_name
from graph.text.stems import stem
from graph.text.stop_words import DETERMINERS, STOP_WORDS
from kgqa.linking.lexical_relations import act_verb, lookup_table, word_set

_MARKS = '.,;:!?"()“”'
_NOT = r"n['’]t\b|\bcannot\b"
_POSSESSIVE = r"['’]s?\b"
_AMERICAN_ENDINGS = (
    ("tre", "ter"),
    ("bre", "ber"),
    ("our", "or"),
    ("yse", "yze"),
    ("ise", "ize"),
    ("ogue", "og"),
    ("ence", "ense"),
)
_SHORTEST_BRITISH = 5
_LONGEST = 12
_GO = frozenset("go goes going went gone turn turns turned turning".split())


@lru_cache(maxsize=4096)
def everyday_key(phrase: str) -> str:
    """Return the key of a phrase: the stems of its words that say something, sorted.

    Order, articles, number, tense and spelling, British or American, do not matter, nor who it happens to at the beginning, where
    that is anybody. Negations and words of direction are words of the key. Empty for a phrase that says nothing.
    """
    text = normalize("NFKD", surface_name(phrase)).replace("-", " ").replace("/", " ")
    text = re.sub(_POSSESSIVE, "", re.sub(_NOT, " not", text))
    words = [word for word in (word.strip(_MARKS) for word in text.split()) if word][:_LONGEST]
    while len(words) > 1 and words[0] in word_set("anybody"):
        words = words[1:]
    telling = [
        word
        for word, after in zip_longest(words, words[1:], fillvalue="")
        if word not in STOP_WORDS["linking"]
        and word not in word_set("everyday filler")
        # What goes rusty is rusty; what goes out does something.
        and (word not in _GO or after in word_set("particles"))
    ]
    if telling and len(words) > 1 and words[-1] in ("a", "i"):
        telling.append(words[-1])  # "vitamin a", "world war i"
    if len(telling) == 1:
        return _american(singular(telling[0])).encode("ascii", "ignore").decode()
    return " ".join(sorted({_stem(word) for word in telling})).encode("ascii", "ignore").decode()


def _stem(word: str) -> str:
    base = singular(word)
    base = act_verb(word) or act_verb(base) or base
    return stem(_american(base), "everyday")


def _american(word: str) -> str:
    """Return a word, of five and more letters, as it is spelt in America: "tumor", "anemia", "mold"."""
    if len(word) < _SHORTEST_BRITISH:
        return word
    word = word.replace("mould", "mold").replace("sulph", "sulf").replace("aeroplane", "airplane").replace("plough", "plow")
    if len(word) > _SHORTEST_BRITISH:
        word = word.replace("ae", "e").replace("oe", "e")
    ending, american = next((pair for pair in _AMERICAN_ENDINGS if word.endswith(pair[0])), ("", ""))
    return word.removesuffix(ending) + american


def everyday_names(phrase: str) -> Sequence[str]:
    """Return the names of what a phrase says in everyday words; none where nobody wrote that phrase down."""
    first, *rest = phrase.lower().split() or [""]
    if first in word_set("adjective or verb") and rest and rest[0] in DETERMINERS["names"]:
        return []  # To thin the blood is not thin blood.
    key = everyday_key(phrase)
    return list(filter(None, lookup_table("everyday_names").get(key).split("|"))) if key else []


def everyday_parts(phrase: str) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the names of a phrase without what is said beside it at its end, and these words: "in autumn", "when it is cold".

    A name with a capital is not left out.
    """
    words = phrase.split()
    for cut in range(len(words) - 1, 1, -1):
        if words[cut][:1].isupper():
            return
        if words[cut].lower() in word_set("adjunct") and (names := everyday_names(" ".join(words[:cut]))):
            yield names, " ".join(words[cut:])
