"""Pairs of cause and effect that a graph believes, and the sentences that name both ends of one."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from graph.model import Polarity, Relation, Stance, Statement
from graph.text.normalise import singular
from graph.text.tokens import text_tokens, token_pattern
from graph.text.word_lists import word_list

MAX_KNOWN_NAME_WORDS = 4
"""The longest name, in words, that is searched in sentences."""

CACHED_SINGULARS = 1 << 17
"""The size of the cache of singulars."""

ASSERTIONS_PER_DENIAL = 3
"""A claim is believed if the ratio of asserting to denying records is greater."""

_BEHIND_HEAD = re.compile(r" (?:of|in|on|at|by|for|from|to|with|without|against|between|during|due) ")


@dataclass(frozen=True, slots=True)
class PairMention:
    """A believed pair in a sentence: the character spans of cause and effect (end exclusive), and whether it prevents."""

    cause: tuple[int, int]
    effect: tuple[int, int]
    pair: tuple[str, str]
    prevents: bool


class KnownPairs:
    """Believed pairs of names, which cause or prevent."""

    def __init__(self, pairs: Iterable[tuple[str, str, bool]]) -> None:
        self._prevents: dict[tuple[str, str], bool] = {}
        self._heads: Counter[tuple[str, str]] = Counter()
        for cause, effect, prevents in pairs:
            pair = name_key(cause), name_key(effect)
            if pair[0] != pair[1] and all(map(_is_searchable, pair)):
                if pair not in self._prevents:
                    self._heads[_head_words(pair)] += 1
                self._prevents[pair] = prevents
        self._names = {name for pair in self._prevents for name in pair}
        self._first = {name.split()[0] for name in self._names}

    def __len__(self) -> int:
        return len(self._prevents)

    def mentions(self, sentence: str) -> Iterator[PairMention]:
        """Yield the pairs with both names in the sentence, in the singular or plural; of overlapping names the longest counts."""
        keys = [(match.start(), match.end(), _word_key(match[0])) for match in token_pattern().finditer(sentence)]
        occurrences: list[tuple[int, int, str]] = []
        place = 0
        while place < len(keys):
            length = self._longest(keys, place)
            if length:
                occurrences.append((keys[place][0], keys[place + length - 1][1], _joined_keys(keys[place : place + length])))
            place += max(length, 1)
        for cause, effect in itertools.permutations(occurrences, 2):
            prevents = self._prevents.get((cause[2], effect[2]))
            if prevents is not None:
                yield PairMention(cause[:2], effect[:2], (cause[2], effect[2]), prevents)

    def _longest(self, keys: list[tuple[int, int, str]], place: int) -> int:
        """Return the number of words of the longest name that begins at a place; 0 for none."""
        if keys[place][2] not in self._first:
            return 0
        lengths = range(min(MAX_KNOWN_NAME_WORDS, len(keys) - place), 0, -1)
        return next((length for length in lengths if _joined_keys(keys[place : place + length]) in self._names), 0)

    def relation_of(self, cause: str, effect: str) -> bool | None:
        """Return whether the pair is known to prevent, `None` for an unknown pair."""
        return self._prevents.get((name_key(cause), name_key(effect)))

    def is_like_another(self, cause: str, effect: str) -> bool:
        """Return whether another known pair has the same head words; the pair itself would only confirm itself."""
        pair = name_key(cause), name_key(effect)
        return self._heads[_head_words(pair)] > (pair in self._prevents)


def believed_pairs(statements: Iterable[Statement]) -> Iterator[tuple[str, str, bool]]:
    """Yield `(cause, effect, prevents)` of the believed claims of a graph; the records of one claim must be adjacent.

    Associations are left out: they have no direction.
    """
    for claim, group in itertools.groupby(statements, key=lambda statement: statement.claim):
        if claim.relation is Relation.ASSOCIATED:
            continue
        stances = Counter(statement.evidence.stance for statement in group)
        if stances[Stance.ASSERTED] > ASSERTIONS_PER_DENIAL * stances[Stance.NEGATED]:
            yield claim.cause, claim.effect, Polarity.DECREASES is claim.polarity or Relation.PREVENTS is claim.relation


def name_key(name: str) -> str:
    """Return the search key of a name: its words in lower case, each in the singular."""
    return " ".join(map(_word_key, text_tokens(name)))


def _is_searchable(name: str) -> bool:
    """Return whether a name is short and specific enough to be searched in sentences."""
    name_words = name.split()
    return 0 < len(name_words) <= MAX_KNOWN_NAME_WORDS and len(name) > 2 and not (len(name_words) == 1 and name in _vague_words())


@cache
def _vague_words() -> frozenset[str]:
    """Return the singulars of the words that name no concept by themselves."""
    return frozenset(map(_word_key, word_list("vague") | word_list("partitive") | word_list("empty") | word_list("measure")))


@lru_cache(CACHED_SINGULARS)
def _word_key(word: str) -> str:
    """Return a word in lower case and in the singular."""
    return singular(word.lower())


def _joined_keys(keys: Iterable[tuple[int, int, str]]) -> str:
    return " ".join(key for _, _, key in keys)


def head_word_of_name(name: str) -> str:
    """Return the head word of a name: the last before the first preposition; empty for an empty name."""
    return (_BEHIND_HEAD.split(name, maxsplit=1)[0].split() or [""])[-1]


def _head_words(pair: tuple[str, str]) -> tuple[str, str]:
    """Return the head words of two names."""
    return head_word_of_name(pair[0]), head_word_of_name(pair[1])
