"""A phrase to be linked: its content words, its head, its shorter forms, and the names of its kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from graph.cached_view import expect_names, expect_searches
from graph.protocols import GraphView
from graph.text.inflection import words_of_kind
from graph.text.normalise import concept_name, head_place, surface_name
from graph.text.stop_words import DETERMINERS, PREPOSITIONS, STOP_WORDS
from kgqa.linking.lexical_relations import (
    ailment_names,
    changes_polarity,
    is_only_verb,
    is_related_form,
    ordinal_names,
    polarity_signs,
    synonyms,
    word_set,
)
from kgqa.linking.name_keys import other_spellings

_STOP_WORDS, _PREPOSITIONS = STOP_WORDS["linking"], PREPOSITIONS["linking"]
_PLAIN_WORDS = _PREPOSITIONS | {"a", "an", "the", "its", "and"}
_EDGE_PREPOSITIONS = ("of", "to", "from", "in", "with")
_MOST_WORDS = 12


@lru_cache(maxsize=20_000)
def content_words(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase that say what it is about, at most twelve; all of them where nothing else is left."""
    words = [word.removesuffix("'s").removesuffix("’s").removesuffix("'") for word in concept_name(phrase).split()[:_MOST_WORDS]]
    content = [word for word in words if word not in _STOP_WORDS]
    # What ends with one letter is named by it: "vitamin a", "world war i".
    return tuple([*content, words[-1]] if content and words[-1] in ("a", "i") else content or words)


def is_plain_name(name: str) -> bool:
    """Return whether a name has no empty word but prepositions and articles, as "animal get" and "eruption on may" have."""
    return not any(word in _STOP_WORDS and word not in _PLAIN_WORDS for word in name.split())


def without_unimportant(phrase: str) -> tuple[str, str]:
    """Return a phrase without the words that matter little, and these; the words are empty where there are none of them."""
    words = surface_name(phrase).replace("-", " ").split()
    rest = [word for word in words if word not in word_set("unimportant") and word != "too"]
    if len(rest) == len(words) or not any(word not in _STOP_WORDS for word in rest):
        return phrase, ""
    while len(rest) > 1 and rest[0] in _EDGE_PREPOSITIONS:
        rest = rest[1:]
    while len(rest) > 1 and rest[-1] in _EDGE_PREPOSITIONS:
        rest = rest[:-1]
    return " ".join(rest), " ".join(word for word in words if word in word_set("unimportant"))


def without_occurrence(phrase: str) -> tuple[str, str]:
    """Return what "risk of", or "risk" or "start" behind it, is said of, and that word; it is empty where there is none."""
    heads, happening = word_set("occurrence"), word_set("happening")
    if (heads | happening).isdisjoint(phrase.lower().split()):
        return phrase, ""
    words = concept_name(phrase).split()
    if len(words) > 2 and words[0] in heads and words[1] in ("of", "for"):
        return " ".join(words[2:]), words[0]
    if len(words) > 1 and words[-1] in heads | happening and words[-2] not in _PREPOSITIONS:
        return " ".join(words[:-1]), words[-1]
    return phrase, ""


def broader_phrases(phrase: str) -> Iterator[tuple[str, str]]:
    """Iterate over what is left of a phrase as words are cut from it, and these words: those behind its head come first."""
    words = concept_name(phrase).split()[:_MOST_WORDS]
    if not words:
        return
    head = head_place(words, "linking")
    if head < len(words) - 1:
        yield " ".join(words[: head + 1]), " ".join(words[head + 1 :])
    for start in range(1, head + 1):
        rest = words[start : head + 1]
        if any(word not in _STOP_WORDS for word in rest):
            yield " ".join(rest), " ".join(word for word in (*words[:start], *words[head + 1 :]) if word not in _STOP_WORDS)


_NAMES_LOOKED_AT = 60
"""How many names, the shortest ones, are looked at that hold all words of a phrase."""


def joined_names(words: Sequence[str]) -> Iterator[str]:
    """Iterate over some words with one space less: "wild fire" is "wildfire"."""
    return (" ".join((*words[:at], words[at] + words[at + 1], *words[at + 2 :])) for at in range(len(words) - 1))


def respelled_names(words: Sequence[str]) -> Iterator[str]:
    """Iterate over some words with one of them in another spelling."""
    return (
        " ".join((*words[:at], spelled, *words[at + 1 :])) for at, word in enumerate(words) for spelled in other_spellings(word)
    )


def expect_phrases(view: GraphView, phrases: Callable[[], Iterable[str]]) -> None:
    """Tell a view by which names these phrases are probably linked, if it fetches many at once."""
    expect_names(view, lambda: (name for phrase in phrases() for name in _probable_names(phrase)))
    expect_searches(view, lambda: map(content_words, phrases()))


def _probable_names(phrase: str) -> Iterator[str]:
    name, words = concept_name(phrase), content_words(phrase)
    forms = dict.fromkeys((surface_name(phrase), name, " ".join(words)))
    yield from forms
    yield from (shorter for shorter, _ in broader_phrases(phrase))
    yield from joined_names(words)
    yield from respelled_names(words)
    for form in forms:
        yield from synonyms(form)
        yield from ordinal_names(form)
    if name:
        yield from ailment_names(name)


class ConceptMention:
    """A phrase and the view in which it is looked up."""

    def __init__(self, phrase: str, view: GraphView) -> None:
        self.phrase = phrase
        self.view = view
        self.name = concept_name(phrase)
        self.words = content_words(phrase)
        self.signs = polarity_signs(phrase)
        expect_phrases(view, lambda: (phrase,))

    @cached_property
    def holding(self) -> list[str]:
        """The shortest names that hold all words by stem."""
        return list(self.view.search(self.words, limit=_NAMES_LOOKED_AT))

    @cached_property
    def is_named(self) -> bool:
        """Whether there is a concept of this very name."""
        return self.view.concept(self.name) is not None

    def known_concepts(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of `names` that are concepts, by the concepts' names."""
        names = dict.fromkeys(names)
        expect_names(self.view, lambda: names)
        concepts = map(self.view.concept, names)
        return tuple(dict.fromkeys(concept.name for concept in concepts if concept is not None))


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
