"""The parts of a clause that "and", "or" and "but" join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kgqa.typology.vocabulary import lexicon
from kgqa.typology.words import COMMA, QuestionWord

MOST_CONJUNCTS = 5
"""So many parts at most are told apart."""

_JOINING = {"and": "and", "but": "and", "yet": "and", "while": "and", "whereas": "and", "or": "or", "nor": "or"}


class Conjunct(NamedTuple):
    """The words of one part, what joins it to the part before, and whether it is said to follow from that part."""

    words: Sequence[QuestionWord]
    joined: str = "and"
    follows: bool = False


def split_conjuncts(words: Sequence[QuestionWord]) -> list[Conjunct]:
    """Return the parts of a clause; the clause alone where nothing joins it, and where there are too many.

    A comma joins where there is an "and" or "or", too. What two words name together ("supply and demand") is one, and so is
    what stands behind "between".
    """
    places = [place for place, word in enumerate(words) if word.form in _JOINING and _joins(words, place)]
    if not places:
        return [Conjunct(words)]
    parts: list[Conjunct] = []
    start, joined = 0, "and"
    follows = False
    for place in (*(place for place, word in enumerate(words) if word.form == COMMA or place in places), len(words)):
        part = words[start:place]
        rest = _without_therefore(part)
        follows = follows or len(rest) < len(part)
        if rest:
            parts.append(Conjunct(rest, joined, follows))
            joined, follows = "", False
        start = place + 1
        if place < len(words) and words[place].form != COMMA:
            joined = _JOINING[words[place].form]
    last = parts[-1].joined if parts else "and"
    return (
        [conjunct._replace(joined=conjunct.joined or last) for conjunct in parts]
        if 0 < len(parts) <= MOST_CONJUNCTS
        else [Conjunct(words)]
    )


def _joins(words: Sequence[QuestionWord], place: int) -> bool:
    """Say whether the word at `place` joins parts that can be told apart."""
    forms = [word.form for word in words]
    if not 0 < place < len(words) - 1 or "between" in forms[:place] or _is_in_a_name(words, place):
        return False
    pairs = (" ".join(forms[start : place + 2]) for start in range(max(0, place - 2), place))
    return lexicon().plain["fixed pair"].isdisjoint(pairs)


def _is_in_a_name(words: Sequence[QuestionWord], place: int) -> bool:
    """Say whether names stand on either side, which may be one: "the Securities and Exchange Commission"."""
    after = words[place + 1 + (words[place + 1].form == "the" and place + 2 < len(words))]
    return words[place - 1].capital and after.capital


def _without_therefore(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    """Return words without what says, in front of them, that they follow from what stands before."""
    for length in (5, 4, 3, 2, 1):
        if len(words) >= length and " ".join(word.form for word in words[:length]) in lexicon().plain["therefore"]:
            return words[length:]
    return words
