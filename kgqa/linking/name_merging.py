"""Merges of names: which names of a graph name one thing and should be one node, and which may."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from string import ascii_lowercase
from typing import NamedTuple

from graph.model import Statement
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun, place_names
from kgqa.linking.lexical_relations import act_verb, changes_polarity, is_known_word, lookup_table
from kgqa.linking.name_keys import PREPOSITIONS, american_spelling, merge_keys, own_keys, plain_words, same_things, verb_of

FORM, SAME_THING, ABBREVIATION, TYPO, STEMS = "form", "same thing", "abbreviation", "typo", "stems"
_MAX_ABBREVIATION = 6
_MIN_TYPO_LENGTH, _MIN_RECORDS_MEANT, _MOST_MISSPELT = 4, 20, 2


class NameMerge(NamedTuple):
    """A name, the canonical name for it, and why.

    `FORM` of its words, `SAME_THING` by the table, or `ABBREVIATION`; in doubt `TYPO`, or `STEMS` that are equal.
    """

    name: str
    canonical: str
    reason: str


def merged_names(records: Mapping[str, int], abbreviations: Iterable[tuple[str, str]] = ()) -> Iterator[NameMerge]:
    """Yield the merges of names, given with the numbers of their records: each name into the canonical one of its group.

    That is the name that data/same_things.tsv has for it, else the one that most records use, a noun before a verb ("survival").
    `abbreviations` are pairs of a short and a long name that articles explain.
    """
    canonical: dict[str, str] = {}
    things = frozenset(same_things().values())
    keys_of_things = frozenset(key for thing in things for key in own_keys(thing))
    for names in _groups_of_names(records):
        is_thing = {name: (name in things) + (not own_keys(name).isdisjoint(keys_of_things)) for name in names}
        best = max(names, key=lambda name: (is_thing[name], not _is_verb(name), records[name], -len(name), name))
        for name in names:
            canonical[name] = best
            if name != best:
                yield NameMerge(name, best, SAME_THING if own_keys(name).isdisjoint(own_keys(best)) else FORM)
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    for short, long in [*abbreviations, *_known_abbreviations(canonical)]:
        if short in canonical and long in canonical and canonical[short] != canonical[long]:
            meanings[canonical[short]].add(canonical[long])
    long_names = {name for names in meanings.values() for name in names}
    for short, meant in meanings.items():
        if len(meant) == 1 and short not in long_names:
            yield NameMerge(short, meant.pop(), ABBREVIATION)


def _groups_of_names(names: Iterable[str]) -> Iterable[list[str]]:
    """Return the names in groups that share a key, by their own words or by what the table of same things has for them."""
    parents: dict[str, str] = {}

    def root(key: str) -> str:
        while (parent := parents.setdefault(key, key)) != key:
            parents[key] = parents[parent]
            key = parent
        return key

    def join(keys: Iterable[str]) -> None:
        first, *others = map(root, keys)
        parents.update((root(key), first) for key in others)

    groups: defaultdict[str, list[str]] = defaultdict(list)
    keys_of_names = {name: merge_keys(name) for name in names}
    for keys in keys_of_names.values():
        join(keys)
    for name, keys in keys_of_names.items():
        groups[root(next(iter(keys)))].append(name)
    return groups.values()


def count_names(statements: Iterable[Statement]) -> Counter[str]:
    """Return the number of records of each name."""
    return Counter(name for statement in statements for name in (statement.claim.cause, statement.claim.effect))


def doubtful_merges(records: Mapping[str, int]) -> Iterator[NameMerge]:
    """Yield pairs of names that may be one, which are not merged, so that somebody has to look."""
    yield from _misspelt_names(records)
    yield from _names_of_equal_stems(records)


def _misspelt_names(records: Mapping[str, int]) -> Iterator[NameMerge]:
    """Yield names that no table of words knows, a letter off a frequent noun; many are good: "Boeing" is not being."""
    for name, number in sorted(records.items()):
        if number > _MOST_MISSPELT or " " in name or len(name) < _MIN_TYPO_LENGTH or not name.isalpha():
            continue
        if is_known_word(name) or kind_of_noun(name) or _is_verb(name) or name in place_names():
            continue
        near = [
            frequent
            for frequent in _one_letter_off(name, records)
            if records[frequent] >= _MIN_RECORDS_MEANT and kind_of_noun(frequent)
        ]
        if len(near) == 1:
            yield NameMerge(name, near[0], TYPO)


def _names_of_equal_stems(records: Mapping[str, int]) -> Iterator[NameMerge]:
    """Yield names whose words have the stems of a more frequent name, in any order. Many differ: a forest is not forestry."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(records, key=lambda name: (-records[name], name)):
        words = (american_spelling(word) for word in plain_words(name) if word not in PREPOSITIONS)
        groups[" ".join(sorted(act_verb(word) or verb_of(word) or singular(word) for word in words))].append(name)
    for best, *others in groups.values():
        for name in others:
            if merge_keys(name).isdisjoint(merge_keys(best)) and not changes_polarity(name, best):
                yield NameMerge(name, best, STEMS)


def _known_abbreviations(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the names that WordNet has as an abbreviation of another: of its initials, or a formula."""
    for name in names:
        is_short = " " not in name and 3 <= len(name) <= _MAX_ABBREVIATION
        if is_short and not kind_of_noun(name) and not lookup_table("verbs").get(name):
            for long in filter(None, lookup_table("synonyms").get(name).split("|")):
                if "".join(word[0] for word in long.split()) == name or (any(map(str.isdigit, name)) and name.isalnum()):
                    yield name, long


def _is_verb(name: str) -> bool:
    """Return whether a name of one word is a verb form: "survive", "treating"; the noun names the node."""
    return " " not in name and bool(verb_of(name))


def _one_letter_off(word: str, names: Container[str]) -> set[str]:
    """Return the names that begin as a word does and differ from it by a letter more or less, or two that are swapped."""
    forms = {word[:at] + word[at + 1 :] for at in range(1, len(word))}
    forms |= {word[:at] + letter + word[at:] for at in range(1, len(word) + 1) for letter in ascii_lowercase}
    forms |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)}
    return {form for form in forms - {word} if form in names}
