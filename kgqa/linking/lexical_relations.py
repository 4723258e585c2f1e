"""Lexical relations: synonyms from WordNet's nouns and from articles, hyponyms among the names of a graph, and alike names.

Hyponyms have the same head and more modifiers. Alike names, such as "flood" and "flooding", are grouped, so that an answer
shows them once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from graph.protocols import GraphView
from graph.text.inflection import words_of_kind
from graph.text.normalise import concept_name, head_place, singular, surface_name
from graph.text.stop_words import DETERMINERS, STOP_WORDS
from graph.text.word_lists import kind_of_noun
from kgqa.linking.mention import ConceptMention, content_words, is_plain_name
from kgqa.linking.polarity import changes_polarity, polarity_group
from kgqa.linking.word_forms import act_verb, is_only_verb, is_related_form, lookup_table, word_set

_MOST_WORDS = 6
_AILMENTS = ("disease", "syndrome", "disorder", "problem", "condition", "issue", "trouble")


@lru_cache(maxsize=20_000)
def synonyms(name: str) -> tuple[str, ...]:
    """Return the names that say the same as a concept's name: its whole name, or else a part of it, said in another way.

    "car accident" is an "auto accident" as well. None turns a direction or a word into its opposite.
    """
    names = _table_synonyms(name) or _part_synonyms(name.split())
    return tuple(dict.fromkeys(synonym for synonym in names if synonym != name and not changes_polarity(name, synonym)))


def _table_synonyms(name: str) -> list[str]:
    return list(filter(None, lookup_table("synonyms").get(name).split("|")))


def _part_synonyms(words: list[str]) -> list[str]:
    for length in range(len(words) - 1, 0, -1) if len(words) <= _MOST_WORDS else ():
        for start in range(len(words) - length + 1):
            part = " ".join(words[start : start + length])
            if len(part) > 2 and (replacements := _table_synonyms(part)):
                return [" ".join((*words[:start], replacement, *words[start + length :])) for replacement in replacements]
    return []


def abbreviates(short: str, long: str) -> bool:
    """Return whether a name is made of the first letters of the words of another."""
    return " " not in short and len(short) >= 2 and short == "".join(word[0] for word in long.replace("-", " ").split())


def ailment_names(name: str) -> Iterator[str]:
    """Iterate over the other ways to name an ailment: "Crohn's disease" for "crohn's", "lung disease" for "lung problem"."""
    *front, head = name.split()
    if front and head in _AILMENTS[3:]:
        yield from (" ".join((*front, alternative)) for alternative in _AILMENTS if alternative != head)
    elif head.endswith("'s") or not kind_of_noun(head):
        stem = name.removesuffix("'s")
        for form in dict.fromkeys((f"{stem}'s", stem, f"{stem[:-1]}'s" if stem.endswith("s") else stem)):
            yield from (f"{form} {ailment}" for ailment in _AILMENTS[:3])


_MOST_NARROWER = 12
_MORE_WORDS = 3
_FEW_CLAIMS = 3


def narrower_names(mention: ConceptMention, most: int = _MOST_NARROWER) -> Iterator[str]:
    """Iterate over the names of kinds of what a phrase names, at most twelve or `most`, shortest first.

    The head is the same ("lung cancer" is a cancer, "cancer screening" is none), no direction comes in, and the name is no title.
    """
    names = (name for name in mention.holding if is_narrower_name(mention, name) and not _is_title(name, mention.view))
    return islice(names, most)


def is_narrower_name(mention: ConceptMention, name: str) -> bool:
    """Return whether a name is that of a kind of what a phrase names."""
    ours, theirs = mention.name.split(), name.replace("-", " ").split()
    if not len(ours) < len(theirs) <= len(ours) + _MORE_WORDS:
        return False
    head = head_place(theirs, "linking")
    if not is_related_form(theirs[head], ours[head_place(ours, "linking")]) or not is_plain_name(name):
        return False
    before = theirs[:head]
    if not DETERMINERS["before no head"].isdisjoint(before) or _is_verb(theirs[0]) or any(len(word) == 1 for word in before):
        return False
    own = [word for word in content_words(name) if not any(is_related_form(word, phrase_word) for phrase_word in mention.words)]
    no_kind = word_set("no kind") | word_set("occurrence")
    return bool(own) and no_kind.isdisjoint(own) and not changes_polarity(mention.phrase, name)


def _is_verb(word: str) -> bool:
    """Return whether a word that begins a name does so as a verb, whose object is what follows: "curb piracy", "bribe voters"."""
    if is_only_verb(word):
        return True
    return word not in word_set("modifying verbs") and (word in words_of_kind("verb") or word in words_of_kind("either"))


def _is_title(name: str, view: GraphView) -> bool:
    """Return whether a name of few claims is the title of a work or of a band: an article of that name has capitals inside."""
    edges = (*view.effects(name)[:_FEW_CLAIMS], *view.causes(name)[:_FEW_CLAIMS])
    titles = {record.source.title for edge in edges for record in view.evidence(edge.claim)} if len(edges) <= _FEW_CLAIMS else ()
    return any(surface_name(title.partition(" (")[0]) == name and title[1:] != title[1:].lower() for title in titles)


_SAME_SENSE = frozenset({"excess", "increase", "high", "lack", "decrease", "low"})


def group_alike_names(names: Sequence[str]) -> list[list[str]]:
    """Return the names in groups that say nearly the same, in the order of their first ones, which is the one to be shown.

    Two names are alike where their words are, in the same order or turned round an "of" ("loss of hearing", "hearing loss"), in
    other numbers and forms of one verb, or where one is a synonym of the other. Neither has a word that the other lacks, so that
    a broader name is never taken for a narrower one; nor do they differ in direction.
    """
    groups: list[list[str]] = []
    groups_of_key: dict[frozenset[str], list[str]] = {}
    for name in dict.fromkeys(names):
        keys = _name_keys(name)
        alike = (groups_of_key[key] for key in keys if key in groups_of_key)
        group = next((group for group in alike if not changes_polarity(group[0], name)), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(name)
        for key in keys:
            groups_of_key.setdefault(key, group)
    return groups


@lru_cache(maxsize=20_000)
def _name_keys(name: str) -> tuple[frozenset[str], ...]:
    plain = concept_name(name) or name
    return tuple(dict.fromkeys(_name_key(variant) for variant in (plain, *synonyms(plain))))


def _name_key(name: str) -> frozenset[str]:
    """Return what the words of a name come to: acts by their verb, directions by their group, other words in the singular."""
    words = [word for word in name.replace("-", " ").split() if word not in STOP_WORDS["names"]] or [name]
    groups = [polarity_group(word) if len(words) > 1 else "" for word in words]
    verbs = [f"to {act}" if (act := act_verb(word)) else singular(word) for word in words]
    return frozenset(f"<{group}>" if group in _SAME_SENSE else verb for group, verb in zip(groups, verbs, strict=True))
