"""The linker: from a phrase of a question to concepts of the graph, by steps from the surest to the least sure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log10

from graph.protocols import GraphView
from graph.text.normalise import concept_name, singular, surface_name
from graph.text.stop_words import STOP_WORDS
from graph.text.word_lists import kind_of_noun, word_list
from kgqa.linking.concept_links import ConceptLink, LinkPair, pair_links
from kgqa.linking.lexical_relations import (
    abbreviates,
    ailment_names,
    changes_polarity,
    covers_words,
    has_opposite_words,
    polarity_group,
    polarity_marks,
    polarity_signs,
    synonyms,
    word_set,
    words_key,
)
from kgqa.linking.mention import (
    ConceptMention,
    broader_phrases,
    content_words,
    is_plain_name,
    narrower_names,
    without_occurrence,
    without_unimportant,
)
from kgqa.linking.spelling import link_misspelling

_BROADER_SCORE = 0.5
_AMOUNTS = frozenset("too much many enough not".split())
_TELLING_KINDS = frozenset({"", "state", "feeling", "food", "animal", "plant", "person", "substance", "event"})
"""Kinds of nouns that say enough when they stand alone: "pain" does, "damage", "function" or "sensor" do not."""
_OF_A_NAME = 0.35
"""What is broader than a phrase that is itself a concept: its words belong together ("ear wax" is no wax)."""
_LEAST_SCORE = 0.25
_HUB_DEGREE = 50
"""So many claims about a concept are usual; what is read as a hub with more of them is likely to be about something else."""


def _link_exact(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what bears the phrase as its name, or as another name, and then what differs from it in number or a space alone."""
    phrase = mention.phrase
    exact: list[str] = []
    alias: list[str] = []
    for form in dict.fromkeys((surface_name(phrase), mention.name, " ".join(mention.words))):
        if form and polarity_signs(form) == mention.signs and (concept := mention.view.concept(form)) is not None:
            (exact if concept.name == form else alias).append(concept.name)
    key = words_key(" ".join(mention.words))
    twins = [name for name in mention.holding if words_key(name) == key and not changes_polarity(phrase, name)]
    if exact:
        yield ConceptLink(phrase, (*exact, *twins), 1.0, "exact")
    if alias:
        yield ConceptLink(phrase, (*alias, *twins), 1.0, "alias")
    words = () if exact or alias else mention.words
    # One space less: "wild fire" is "wildfire".
    joined = mention.known_concepts(
        " ".join((*words[:at], words[at] + words[at + 1], *words[at + 2 :])) for at in range(len(words) - 1)
    )
    yield ConceptLink(phrase, (*twins, *joined), 0.95, "same words")


def _link_synonyms(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what is called by an abbreviation of the phrase, or the long form of it, and by a synonym."""
    forms = dict.fromkeys((mention.name, " ".join(mention.words)))
    if mention.name in STOP_WORDS["linking"]:
        return
    concepts = mention.known_concepts(synonym for form in forms for synonym in synonyms(form))
    short = tuple(name for name in concepts if abbreviates(mention.name, name) or abbreviates(name, mention.name))
    yield ConceptLink(mention.phrase, short, 0.92, "acronym")
    yield ConceptLink(mention.phrase, tuple(name for name in concepts if name not in short), 0.9, "synonym")
    if not mention.is_named:
        yield ConceptLink(mention.phrase, mention.known_concepts(ailment_names(mention.name)), 0.88, "synonym")


def _link_same_stems(mention: ConceptMention) -> Iterator[ConceptLink]:
    equal = (
        name
        for name in mention.holding
        if is_plain_name(name) and covers_words(mention.words, content_words(name)) and not changes_polarity(mention.phrase, name)
    )
    yield ConceptLink(mention.phrase, tuple(equal), 0.85, "same stems")


def _link_core(mention: ConceptMention) -> Iterator[ConceptLink]:
    rest, dropped = without_unimportant(mention.phrase)
    if dropped and polarity_signs(rest) == mention.signs:
        yield from _link_rest(mention, rest, 0.8, "core", dropped)


def _link_direction(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield the names that give the same direction of the same thing in other words: "sleep deprivation" for "lack of sleep"."""
    groups = [group for group, _ in polarity_marks(mention.phrase)]
    empty = word_set("unimportant") | _AMOUNTS
    rest = [word for word in mention.words if not polarity_group(word) and word not in empty]
    if len(groups) != 1 or groups[0] == "end" or not rest or len(rest) == len(mention.words):
        return
    same: list[str] = []
    near: list[str] = []
    for name in mention.view.search(rest, limit=100):
        theirs = [word for word in content_words(name) if not polarity_group(word)]
        if polarity_signs(name) == mention.signs and covers_words(rest, theirs) and not has_opposite_words(mention.phrase, name):
            named_groups = [group for group, _ in polarity_marks(name)]
            if named_groups == groups:
                same.append(name)
            elif named_groups[0] != "end":
                near.append(name)
    yield ConceptLink(mention.phrase, tuple(same), 0.75, "direction")
    yield ConceptLink(mention.phrase, tuple(near), 0.7, "direction")


def _link_occurrence(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield the names that say that the thing happens, and the thing where the phrase says that it happens."""
    rest, dropped = without_occurrence(mention.phrase)
    if dropped and polarity_signs(rest) == mention.signs:
        yield from _link_rest(mention, rest, 0.7, "occurrence", dropped)
    if mention.words == ("health",):
        return  # a risk to it, not of it
    made = kind_of_noun(mention.words[-1]) in ("artifact", "person", "substance", "food")
    names = (
        name
        for name in mention.holding
        if not (made and "development" in name)
        and (shorter := without_occurrence(name))[1]
        and covers_words(mention.words, content_words(shorter[0]))
        and not changes_polarity(mention.phrase, name)
    )
    yield ConceptLink(mention.phrase, tuple(names), 0.7, "occurrence")


def _link_narrower(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield kinds of what the phrase names: the head is the same, and modified further."""
    if not _is_empty_name(mention.name):
        yield ConceptLink(mention.phrase, tuple(narrower_names(mention)), 0.6, "narrower")


def _link_broader(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what is left of the phrase without words behind its head, then without its first modifiers.

    A head that says nothing by itself ("problem") is nothing to fall back on, and the more claims are about what is left, the
    less sure it is.
    """
    score = least = _OF_A_NAME if mention.is_named else _BROADER_SCORE
    for rest, dropped in broader_phrases(mention.phrase):
        name = concept_name(rest)
        if (
            polarity_signs(rest) != mention.signs
            or _is_empty_name(name)
            or (" " not in name and kind_of_noun(name) not in _TELLING_KINDS)
        ):
            continue
        concepts = mention.known_concepts((name,))
        if concepts and not has_opposite_words(rest, concepts[0]):
            least = max(_LEAST_SCORE, min(least, score / _hub_divisor(concepts[0], mention.view)))
            yield ConceptLink(mention.phrase, concepts, least, "broader", dropped)
        score = max(_LEAST_SCORE, score * 0.8)


_STEPS: tuple[Callable[[ConceptMention], Iterator[ConceptLink]], ...] = (
    *(_link_exact, _link_synonyms, _link_same_stems, _link_core, _link_direction),
    *(_link_occurrence, _link_narrower, _link_broader, link_misspelling),
)


def _link_rest(mention: ConceptMention, rest: str, score: float, how: str, dropped: str) -> Iterator[ConceptLink]:
    left = ConceptMention(rest, mention.view)
    if not left.words or _is_empty_name(left.name):
        return
    links = (reading for step in (_link_exact, _link_synonyms) for reading in step(left) if reading.concepts)
    reading = next(links, None)
    if reading is not None:
        yield ConceptLink(mention.phrase, reading.concepts, score, how, dropped)


def _is_empty_name(name: str) -> bool:
    """Return whether a name by itself names no concept: "problem", "disease", "increase"."""
    words = content_words(name)
    return all(singular(word) in word_set("empty heads") or word in word_list("vague") or polarity_group(word) for word in words)


def _hub_divisor(name: str, view: GraphView) -> float:
    topology = view.topology()
    number = topology.number(name)
    degree = 0 if number is None else topology.degree(number)
    return 1.0 if degree <= _HUB_DEGREE else 1.0 + 0.25 * log10(degree / _HUB_DEGREE)


def link_phrase(phrase: str, view: GraphView) -> Iterator[ConceptLink]:
    """Yield the readings of `phrase`, surest first, each at its own price: later ones are looked up only when asked for.

    By the name of a concept (exact, 1), another name that the graph has (alias, 1), the same words in other forms (.95), an
    abbreviation either way (acronym, .92), a synonym (.9), the same stems ("floods", "flooding"; .85), without words that matter
    little (core, .8), the same direction in other words ("lack of sleep", "insufficient sleep"; .75), that it happens ("risk of
    cancer"; occurrence, .7), kinds of it (narrower, .6), its head alone or with fewer modifiers (broader, at most .5), and,
    where nothing else is found, other spellings (.2). None but the first two crosses a direction or turns a word
    into its opposite. None at all for a phrase without words.
    """
    mention = ConceptMention(phrase, view)
    if not mention.words:
        return
    seen: set[str] = set()
    for step in _STEPS:
        if step is link_misspelling and seen:
            return
        for reading in step(mention):
            fresh = tuple(dict.fromkeys(name for name in reading.concepts if name not in seen))
            seen.update(fresh)
            if fresh:
                yield ConceptLink(phrase, fresh, reading.score, reading.how, reading.constraint, reading.alternatives)


def link_pairs(
    cause: str, effect: str, view: GraphView, link: Callable[[str, GraphView], Iterable[ConceptLink]] = link_phrase
) -> Iterator[LinkPair]:
    """Yield the readings of two phrases together, surest first, each looked up when needed; none share a concept."""
    return pair_links(link(cause, view), link(effect, view))


def similar_names(phrase: str, view: GraphView) -> Sequence[str]:
    """Return names of concepts that are spelt like `phrase`, nearest first."""
    return view.similar(concept_name(phrase) or phrase)
