"""Names of one thing: which names of a graph differ only in number, form, spelling or order, and should be one node.

"Shortage of food" is food shortage, "survive" and "surviving" are survival, a tumour is a tumor. What says more or less of a
thing, denies it or numbers it keeps its own words, so that no merge can turn a name into its opposite.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from string import ascii_lowercase
from typing import NamedTuple

from graph.model import Statement
from graph.text.normalise import singular
from graph.text.word_lists import ACT_KINDS, kind_of_noun, place_names
from kgqa.linking.lexical_relations import act_verb, is_known_word, lookup_table

_SPELLINGS = tuple(
    (re.compile(british), american)
    for british, american in (
        (r"our(?=$|ed$|ing$|s$|able$|ful$|less$|ite$|al$|er$|ist$)", "or"),
        (r"is(?=(?:e|ed|es|ing|ation|ations|er|able)$)", "iz"),
        (r"ys(?=(?:e|ed|es|ing)$)", "yz"),
        (r"aem", "em"),
        (r"^oe(?=[sd])", "e"),
        (r"^ae(?=[st])", "e"),
        (r"paed", "ped"),
        (r"rrhoea", "rrhea"),
        (r"sulph", "sulf"),
        (r"(?<=[bt])re$", "er"),
        (r"(?<=[ef])ence$", "ense"),
        (r"gramme$", "gram"),
        (r"ll(?=(?:ed|ing|er)$)", "l"),
    )
)
_ACT_ENDINGS = ("tion", "sion", "ment", "al", "ing", "th")
_OF = " of "
_ORDERED_BY_OF = re.compile(r"\b(?:in|on|at|to|for|from|with|by|and|or|than|as|into|about|after|before|between|over|under)\b")
FORM, ABBREVIATION, TYPO = "form", "abbreviation", "typo"
_MAX_ABBREVIATION = 6
_MIN_TYPO_LENGTH, _MIN_RECORDS_MEANT, _MOST_MISSPELT = 4, 20, 2


class NameMerge(NamedTuple):
    """A name, the canonical name for it, and why: `FORM` of its words, `ABBREVIATION`, or `TYPO`."""

    name: str
    canonical: str
    reason: str


@lru_cache(maxsize=1 << 16)
def merge_key(name: str) -> str:
    """Return a key that two names of one thing share; of a name without letters the name itself."""
    words = name.replace("'s ", " ").replace("’s ", " ").replace("s' ", "s ").split()
    text = " ".join(words)
    if text.count(_OF) == 1 and not _ORDERED_BY_OF.search(text):
        what, _, whose = text.partition(_OF)
        words = [word for word in whose.split() if word not in ("the", "a", "an", "its", "their")] + what.split()
    if not words:
        return name
    *before, last = words
    return "".join([*(singular(american_spelling(word)) for word in before), _head_key(american_spelling(last))])


def _head_key(word: str) -> str:
    """Return the key of the head of a name: the verb of a noun that names its act, and of a form of the verb; else the noun."""
    verb = _verb_of(word)
    if verb:
        return f"<{verb}>"
    noun = singular(word)
    if noun.endswith(_ACT_ENDINGS) and kind_of_noun(noun) in ACT_KINDS:
        verb = act_verb(noun)
    return f"<{verb}>" if verb else noun


def _verb_of(word: str) -> str:
    """Return the verb of its base form or its gerund; empty for a word that is also a noun ("building")."""
    verbs = lookup_table("verbs")
    if verb := verbs.get(word):
        return verb
    stem = word.removesuffix("ing") if word.endswith("ing") and not kind_of_noun(word) else ""
    return next((verb for form in (stem, f"{stem}e") if stem and (verb := verbs.get(form))), "")


@lru_cache(maxsize=1 << 14)
def american_spelling(word: str) -> str:
    """Return the American spelling of a lower-case word, if a table of words knows it; else the word."""
    for british, american in _SPELLINGS:
        spelled = british.sub(american, word, count=1)
        if spelled != word and (kind_of_noun(singular(spelled)) or is_known_word(spelled)):
            return spelled
    return word


def merged_names(records: Mapping[str, int], abbreviations: Iterable[tuple[str, str]] = ()) -> Iterator[NameMerge]:
    """Yield the merges of names, given with the numbers of their records: each name into the one that most records use.

    `abbreviations` are pairs of a short and a long name that articles explain. A noun is canonical before a verb ("survival").
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in records:
        groups[merge_key(name)].append(name)
    canonical: dict[str, str] = {}
    for names in groups.values():
        best = max(names, key=lambda name: (not _is_verb(name), records[name], -len(name), name))
        for name in names:
            canonical[name] = best
            if name != best:
                yield NameMerge(name, best, FORM)
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    for short, long in [*abbreviations, *_known_abbreviations(canonical)]:
        if short in canonical and long in canonical and canonical[short] != canonical[long]:
            meanings[canonical[short]].add(canonical[long])
    long_names = {name for names in meanings.values() for name in names}
    for short, meant in meanings.items():
        if len(meant) == 1 and short not in long_names:
            yield NameMerge(short, meant.pop(), ABBREVIATION)


def count_names(statements: Iterable[Statement]) -> Counter[str]:
    """Return the number of records of each name."""
    return Counter(name for statement in statements for name in (statement.claim.cause, statement.claim.effect))


def doubtful_merges(records: Mapping[str, int]) -> Iterator[NameMerge]:
    """Yield names that may be misspelt, which are not merged: no table of words knows them, and a frequent noun is a letter off.

    Most of them are names of their own ("Boeing" is not being), so that somebody has to look.
    """
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
    return " " not in name and bool(_verb_of(name))


def _one_letter_off(word: str, names: Container[str]) -> set[str]:
    """Return the names that begin as a word does and differ from it by a letter more or less, or two that are swapped."""
    forms = {word[:at] + word[at + 1 :] for at in range(1, len(word))}
    forms |= {word[:at] + letter + word[at:] for at in range(1, len(word) + 1) for letter in ascii_lowercase}
    forms |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)}
    return {form for form in forms - {word} if form in names}
