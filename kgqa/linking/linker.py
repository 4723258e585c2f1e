"""The linker: from a phrase of a question to concepts of the graph, by steps from the surest to the least sure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import log10
from unicodedata import combining, normalize

from graph.protocols import GraphView
from graph.text.inflection import gerund_by_rule
from graph.text.normalise import concept_name, singular, surface_name
from graph.text.stems import base_forms
from graph.text.stop_words import STOP_WORDS
from graph.text.word_lists import kind_of_noun, word_list
from kgqa.linking.concept_links import BROADER, EVERYDAY, NARROWER, SURE_LINK, ConceptLink, LinkPair, pair_links
from kgqa.linking.lexical_relations import (
    abbreviates,
    ailment_names,
    changes_polarity,
    covers_words,
    has_opposite_words,
    is_known_word,
    is_related_form,
    ordinal_names,
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
    expect_phrases,
    is_plain_name,
    joined_names,
    narrower_names,
    respelled_names,
    without_occurrence,
    without_unimportant,
)
from kgqa.linking.spelling import link_misspelling

_BROADER_SCORE = 0.5
_EVERYDAY_SCORE = 0.87
_PLACING, _LONGEST_PLACE = (["in"], ["on"], ["at"]), 3
_MORE_OF = "increase of "
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
    key = words_key(_without_accents(" ".join(mention.words)))
    twins = [name for name in mention.holding if words_key(_without_accents(name)) == key and not changes_polarity(phrase, name)]
    if exact:
        yield ConceptLink(phrase, (*exact, *twins), 1.0, "exact")
    if alias:
        yield ConceptLink(phrase, (*alias, *twins), 1.0, "alias")
    words = () if exact or alias else mention.words
    joined, respelled = mention.known_concepts(joined_names(words)), mention.known_concepts(respelled_names(words))
    yield ConceptLink(phrase, tuple(dict.fromkeys((*twins, *joined, *respelled))), 0.95, "same words")


def _without_accents(name: str) -> str:
    """Return a name without the marks on its letters: "el nino" is "el niño"."""
    if name.isascii():
        return name
    return "".join(letter for letter in normalize("NFKD", name) if not combining(letter))


def _link_event(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield the event with a name of its own whose beginning a phrase names: what led to the outbreak of a war led to it."""
    words = mention.name.split()
    if len(words) < 3 or words[0] not in word_set("beginning") or words[1] != "of":
        return
    rest = " ".join(mention.phrase.split()[mention.phrase.lower().split().index("of") + 1 :])
    if any(word[:1].isupper() and _is_event(word.lower()) for word in rest.split()):
        concepts = _named_concepts((rest,), mention.view)
        if concepts:
            own = _named_concepts((mention.phrase,), mention.view)
            yield ConceptLink(mention.phrase, (*concepts, *own), 0.9, "occurrence")


def _is_event(word: str) -> bool:
    return kind_of_noun(word) in ("act", "event") or word in word_set("named events")


def _link_synonyms(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what is called by an abbreviation of the phrase, or the long form of it, and by a synonym."""
    forms = dict.fromkeys((mention.name, " ".join(mention.words), *mention.known_concepts((mention.name,))))
    if mention.name in STOP_WORDS["linking"]:
        return
    concepts = mention.known_concepts(synonym for form in forms for synonym in (*synonyms(form), *ordinal_names(form)))
    short = tuple(name for name in concepts if abbreviates(mention.name, name) or abbreviates(name, mention.name))
    yield ConceptLink(mention.phrase, short, 0.92, "acronym")
    yield ConceptLink(mention.phrase, tuple(name for name in concepts if name not in short), 0.9, "synonym")
    if not mention.is_named:
        yield ConceptLink(mention.phrase, mention.known_concepts(ailment_names(mention.name)), 0.88, "synonym")


def _link_same_stems(mention: ConceptMention) -> Iterator[ConceptLink]:
    if len(mention.words) == 1 and mention.name.endswith("ed"):
        # What somebody did is an act: "smoked" is smoking rather than smoke.
        acts = mention.known_concepts(gerund_by_rule(base) for base in base_forms(mention.name))
        yield ConceptLink(mention.phrase, acts, 0.86, "same stems")
    equal = (
        name
        for name in mention.holding
        if is_plain_name(name) and covers_words(mention.words, content_words(name)) and not changes_polarity(mention.phrase, name)
    )
    yield ConceptLink(mention.phrase, tuple(equal), 0.85, "same stems")


def _link_everyday(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what is meant by everyday words, each name by the ordinary steps; a phrase that is itself a name means that."""
    if mention.is_named:
        return
    from kgqa.linking.everyday_names import everyday_names

    concepts = _named_concepts(everyday_names(mention.phrase), mention.view)
    yield ConceptLink(mention.phrase, concepts, _EVERYDAY_SCORE, EVERYDAY)


def _link_everyday_part(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what is meant by everyday words with something said beside them, which makes it broader."""
    if mention.is_named:
        return
    from kgqa.linking.everyday_names import everyday_parts

    for names, left_out in everyday_parts(mention.phrase):
        yield ConceptLink(mention.phrase, _named_concepts(names, mention.view), _BROADER_SCORE, BROADER, left_out)


def _named_concepts(names: Iterable[str], view: GraphView) -> tuple[str, ...]:
    mentions = (ConceptMention(name, view) for name in names)
    return tuple(
        dict.fromkeys(
            name for mention in mentions for step in _NAMING_STEPS for reading in step(mention) for name in reading.concepts
        )
    )


def _link_clause(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what a clause is called with a noun: "the Roman Empire fell" is the fall of the Roman Empire, or its collapse."""
    if mention.is_named:
        return  # A phrase with the name of a concept is no clause.
    from kgqa.linking.nominal_phrases import nominal_phrases

    whole: dict[bool, list[str]] = {False: [], True: []}
    partial: list[ConceptLink] = []
    capitals = {word.lower(): word for word in mention.phrase.split() if word[:1].isupper()}
    nominals = list(nominal_phrases(mention.phrase))
    expect_phrases(mention.view, lambda: (nominal.text for nominal in nominals))
    for nominal in nominals:
        noun_mention = ConceptMention(" ".join(capitals.get(word, word) for word in nominal.text.split()), mention.view)
        concepts = [name for step in _NAMING_STEPS for reading in step(noun_mention) for name in reading.concepts]
        if nominal.left_out:
            partial.append(ConceptLink(mention.phrase, tuple(concepts), 0.55, BROADER, nominal.left_out))
        else:
            whole[nominal.near] += concepts
    yield ConceptLink(mention.phrase, tuple(whole[False]), SURE_LINK, "clause")
    yield ConceptLink(mention.phrase, tuple(whole[True]), 0.75, "clause")
    yield from partial
    if not any(whole.values()) and not mention.signs:
        # What goes up is more of itself.
        for nominal in nominals:
            if nominal.text.startswith(_MORE_OF):
                risen = mention.known_concepts((concept_name(nominal.text.removeprefix(_MORE_OF)),))
                score, how = (0.5, BROADER) if nominal.left_out else (0.7, "direction")
                yield ConceptLink(mention.phrase, risen, score, how, nominal.left_out)


def _link_core(mention: ConceptMention) -> Iterator[ConceptLink]:
    rest, dropped = without_unimportant(mention.phrase)
    if dropped and polarity_signs(rest) == mention.signs:
        yield from _link_rest(mention, rest, 0.8, "core", dropped)


def _link_direction(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield the names that give the same direction of the same thing in other words: "sleep deprivation" for "lack of sleep"."""
    groups = [group for group, _ in polarity_marks(mention.phrase)]
    empty = word_set("unimportant") | _AMOUNTS
    rest = [word for word in mention.words if not polarity_group(word) and word not in empty]
    directions = sum(bool(polarity_group(word)) for word in mention.words)
    if len(groups) != 1 or groups[0] == "end" or not rest or directions != 1:
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


def _link_full_name(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what has a person's given name that the phrase lacks, or lacks one that it has: "Nixon's resignation".

    A given name, or a title, stands before a name that no table knows. Names with several given names are none.
    """
    phrase_words = mention.phrase.split()
    surnames = {word.removesuffix("'s").lower() for word in phrase_words if word[:1].isupper() and not _is_word(word.lower())}
    ours = mention.words
    names: list[str] = []
    for name in mention.holding if not surnames.isdisjoint(ours) else ():
        theirs = content_words(name)
        given = [place for place, word in enumerate(theirs) if not any(is_related_form(word, own) for own in ours)]
        precede = all(place + 1 < len(theirs) and theirs[place + 1] in surnames for place in given)
        if len(given) == 1 and precede and len(theirs) == len(ours) + 1 and _is_given(theirs[given[0]]):
            names.append(name)
    if len({content_words(name) for name in names}) == 1:
        yield ConceptLink(mention.phrase, tuple(names), 0.75, "full name")
    short = [
        word
        for word, after in zip(phrase_words, [*phrase_words[1:], ""], strict=True)
        if not (word.lower() in surnames and after.removesuffix("'s").lower() in surnames)
    ]
    if len(short) < len(phrase_words):
        shorter = ConceptMention(" ".join(short), mention.view)
        concepts = (
            concept for step in (_link_exact, _link_same_stems) for reading in step(shorter) for concept in reading.concepts
        )
        yield ConceptLink(mention.phrase, tuple(concepts), 0.75, "full name")


def _is_given(word: str) -> bool:
    """Return whether a word may stand before a person's name: a name itself, or a title such as "archduke"."""
    return not _is_word(word) or kind_of_noun(word) == "person"


def _is_word(word: str) -> bool:
    word = word.removesuffix("'s")
    return is_known_word(word) or bool(kind_of_noun(word))


def _link_carrier(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield by what a thing does what is said of it: alcohol abuse for "alcohol", HIV infection for "HIV"."""
    names = (
        name
        for name in mention.holding
        if len(words := content_words(name)) == len(mention.words) + 1
        and any(
            word in word_set("carrier") and covers_words(mention.words, (*words[:place], *words[place + 1 :]))
            for place, word in enumerate(words)
        )
        and is_plain_name(name)
        and not changes_polarity(mention.phrase, name)
    )
    yield ConceptLink(mention.phrase, tuple(names), 0.65, NARROWER)


def _link_narrower(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield kinds of what the phrase names: the head is the same, and modified further."""
    if not _is_empty_name(mention.name):
        yield ConceptLink(mention.phrase, tuple(narrower_names(mention)), 0.6, "narrower")


def _clause_verb(mention: ConceptMention) -> str:
    if mention.is_named:
        return ""
    from kgqa.linking.nominal_phrases import clause_verb

    return clause_verb(mention.phrase)


def _link_broader(mention: ConceptMention) -> Iterator[ConceptLink]:
    """Yield what is left of the phrase without words behind its head, then without its first modifiers.

    A head that says nothing by itself ("problem") is nothing to fall back on, and the more claims are about what is left, the
    less sure it is.
    """
    verb = _clause_verb(mention)
    score = least = _OF_A_NAME if mention.is_named else _BROADER_SCORE
    for rest, dropped in broader_phrases(mention.phrase):
        name = concept_name(rest)
        if (
            polarity_signs(rest) != mention.signs
            or _is_empty_name(name)
            # What is left of a clause without its verb, or of the verb alone, is not what happens.
            or (verb and (" " not in name or verb not in rest.split()))
            or (" " not in name and kind_of_noun(name) not in _TELLING_KINDS and not _is_act_in_place(mention, name, dropped))
        ):
            continue
        concepts = mention.known_concepts((name,))
        if concepts and not has_opposite_words(rest, concepts[0]):
            least = max(_LEAST_SCORE, min(least, score / _hub_divisor(concepts[0], mention.view)))
            yield ConceptLink(mention.phrase, concepts, least, "broader", dropped)
        score = max(_LEAST_SCORE, score * 0.8)


def _is_act_in_place(mention: ConceptMention, name: str, dropped: str) -> bool:
    """Return whether what is left of a phrase is what is done, without a place that has no name: "crime in a city"."""
    words = dropped.split()
    placed = words[:1] in _PLACING and len(words) <= _LONGEST_PLACE and kind_of_noun(name) == "act"
    return placed and not any(word[:1].isupper() for word in mention.phrase.split()[1:])


_NAMING_STEPS = (_link_exact, _link_synonyms, _link_same_stems, _link_full_name)
_STEPS: tuple[Callable[[ConceptMention], Iterator[ConceptLink]], ...] = (
    *(
        _link_event,
        _link_exact,
        _link_synonyms,
        _link_everyday,
        _link_same_stems,
        _link_clause,
        _link_core,
        _link_full_name,
        _link_direction,
    ),
    *(_link_occurrence, _link_carrier, _link_narrower, _link_everyday_part, _link_broader),
)


def _link_misspelt(mention: ConceptMention) -> Iterator[ConceptLink]:
    return link_misspelling(
        mention, lambda right: chain.from_iterable(step(right) for step in (*_NAMING_STEPS, _link_everyday, _link_clause))
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
    expect_phrases(view, lambda: (without_unimportant(phrase)[0], without_occurrence(phrase)[0]))
    seen: set[str] = set()
    for step in (*_STEPS, _link_misspelt):
        if step is _link_misspelt and seen:
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
