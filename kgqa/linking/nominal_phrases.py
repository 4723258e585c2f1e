"""Nominal phrases of clauses: the nouns by which a graph calls what a question says with a verb or an adjective.

"The Roman Empire fell" is the fall of the Roman Empire, "kill people" the death of people, "people get gout" gout, "children
hyperactive" hyperactivity in children. data/nominalizations.tsv has the verbs with their nouns, each with an example; what a
noun is of is the verb's subject, its object, whichever stands there ("either"), or the noun is the object itself ("none").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from graph.text.act_nouns import act_noun, is_act_noun
from graph.text.inflection import gerund_by_rule
from graph.text.normalise import singular, surface_name
from graph.text.stems import base_forms
from graph.text.word_lists import ACT_KINDS, kind_of_noun, table_rows
from kgqa.linking.lexical_relations import act_verb, is_only_verb, polarity_group, word_set

_LONGEST_VERB = 4
_LONGEST_CLAUSE = 12
_STATE_ENDINGS = tuple(
    pair.split(">")
    for pair in (
        "y>iness ed>ion ed>ation ed> ic>ia ile>ility able>ability ive>ivity ous>osity e>ity ent>ence ant>ance >ity >ness"
    ).split()
)
"""How the name of a state is made from its adjective; what the graph has no name for is no reading."""
_SHORTEST_ADJECTIVE = 4
_LONGEST_STATE = 4
_SUFFERED_KINDS = frozenset(("", "state", "feeling", "event", "phenomenon", "process", "act", "cognition"))
"""Kinds of what somebody gets or has as an effect: gout or headaches, and not whiskers."""
_OWN = frozenset(("their", "its", "his", "her"))
_SUFFERERS = frozenset(("person", "animal", "group", "body", ""))
"""Kinds of what a state may be named without: hyperactivity of children is hyperactivity, the white of reefs is no color."""
_ALL = ("all",)
_MARKS = '.,;:!?"()'


class Nominalization(NamedTuple):
    """The nouns of a verb, and what they are `of`: "subject", "object" or "either".

    Of a verb with "none" the noun is its object; a "fixed" phrase has nouns that are of nothing, and an adjective a "state".
    """

    of: str
    nouns: tuple[str, ...]


class NominalPhrase(NamedTuple):
    """A phrase that says with a noun what a clause says, and the words that it leaves out.

    What is `near` says nearly the same: the collapse of an empire for its fall. `verb` is the first word of a clause's verb.
    """

    text: str
    left_out: str = ""
    near: bool = False
    verb: str = ""


@cache
def nominalizations() -> Mapping[str, Nominalization]:
    """Return the row of each form of a verb, and of each adjective, of data/nominalizations.tsv."""
    rows = table_rows(Path(__file__).with_name("data").joinpath("nominalizations.tsv").read_text(encoding="utf-8"))
    return {form: Nominalization(row["of"], tuple(row["nouns"].split("|"))) for row in rows for form in row["verbs"].split("|")}


_NO_NOUN_ENDINGS = ("ly", "ed")
_NO_THING_KINDS = ACT_KINDS | {"group", "attribute", "quantity", "feeling", "time", "relation"}
"""Kinds of nouns that say what happens to a thing, or how much of it there is: "shrinking", "population"."""


def is_thing(word: str) -> bool:
    """Return whether a lower-case word names a thing rather than what happens to it, how much of it there is, or how it is."""
    if word.isdigit() or polarity_group(word) or word in nominalizations() or act_verb(word) or is_act_noun(word):
        return False
    kind = kind_of_noun(word)
    return kind not in _NO_THING_KINDS if kind else not (is_only_verb(word) or word.endswith(_NO_NOUN_ENDINGS))


@cache
def _like_nouns() -> Mapping[str, tuple[str, ...]]:
    """Return for each noun of a verb the other nouns of the verbs that have it."""
    like: dict[str, dict[str, None]] = {}
    for row in nominalizations().values():
        for noun in row.nouns if row.of != "state" else ():
            like.setdefault(noun, {}).update(
                dict.fromkeys(other_noun for other_noun in row.nouns if other_noun not in (noun, ""))
            )
    return {noun: tuple(alternatives) for noun, alternatives in like.items()}


@lru_cache(maxsize=1_000)
def clause_verb(phrase: str) -> str:
    """Return the first word of the verb of a phrase that is in the table and has something to be the noun of, else ""."""
    return next((nominal.verb for nominal in nominal_phrases(phrase)), "")


def nominal_phrases(phrase: str) -> Iterator[NominalPhrase]:
    """Yield the nominal phrases of a clause, those that leave nothing out first; none for a phrase without a verb of the table.

    Who it happens to is left out in silence where that is anybody ("people get gout"). A phrase that ends in an adjective, or is
    one, is read as the state.
    """
    words = [word for word in (word.strip(_MARKS).removesuffix("'s") for word in surface_name(phrase).split()) if word][
        :_LONGEST_CLAUSE
    ]
    # What causes a computer to overheat causes that it overheats; what keeps dough from rising prevents that it rises.
    words = [
        word for place, word in enumerate(words) if not (0 < place < len(words) - 1 and _is_clause_mark(word, words[place + 1]))
    ]
    rest = _plain(words)
    if len(rest) > 2 and rest[1] == "of" and rest[0] in _like_nouns():
        nouns = _like_nouns()[rest[0]]
        yield from (NominalPhrase(" ".join((noun, *rest[1:])), near=True, verb=rest[0]) for noun in nouns)
        return
    for start in range(len(words)):
        for end in range(min(start + _LONGEST_VERB, len(words)), start, -1):
            row = nominalizations().get(" ".join(words[start:end]))
            followed = row is not None and row.of == "none" and words[end : end + 1] and words[end] in nominalizations()
            if row is not None and row.of != "state" and not followed:
                if row.of == "subject" and words[end - 1] in word_set("adjunct"):
                    end -= 1  # "lost at": where it was lost is said beside the verb.
                # "The mammoths killed off", of a verb that has an object: it was done to them.
                undone = row.of == "object" and start > 0 and end == len(words) and words[start].endswith("ed")
                passive = undone or not word_set("passive").isdisjoint(words[:start])
                row = row._replace(of="either") if passive else row
                for phrase_of_verb in _of_verb(row, _plain(words[:start]), words[end:]):
                    yield phrase_of_verb._replace(verb=words[start])
                return
    for start in range(1, len(words)):
        nouns = _act_nouns(words[start])
        if nouns:
            for phrase_of_verb in _of_verb(Nominalization("either", nouns), _plain(words[:start]), words[start + 1 :]):
                yield phrase_of_verb._replace(verb=words[start])
            return
    if (
        0 < len(rest) <= _LONGEST_STATE
        and word_set("adjunct").isdisjoint(rest)
        and (rest[-1] in nominalizations() or not kind_of_noun(rest[-1]))
    ):
        yield from _of_state(rest[:-1], rest[-1])


def _is_clause_mark(word: str, following: str) -> bool:
    return (word == "to" and _is_verb(following)) or (word == "from" and following.endswith("ing") and bool(act_verb(following)))


def _is_verb(word: str) -> bool:
    return word in nominalizations() or bool(_act_nouns(word))


def _act_nouns(word: str) -> tuple[str, ...]:
    """Return the nouns of a verb that is no other kind of word, in a form that a clause has: "overheats"."""
    base = next((base for base in base_forms(word) if is_only_verb(base)), "")
    if not base or base in word_set("auxiliary") or word.endswith("ing"):
        return ()
    return tuple(dict.fromkeys((act_noun(base), gerund_by_rule(base))))


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in word_set("auxiliary")]


def _of_verb(row: Nominalization, subject: Sequence[str], behind: Sequence[str]) -> Iterator[NominalPhrase]:
    """Yield the phrases of a verb with the words before and behind it: with what follows the first preposition, and without."""
    cut = next((place for place, word in enumerate(behind) if word in word_set("adjunct")), len(behind))
    object_, adjunct = [word for word in behind[:cut] if word not in _ALL], list(behind[cut:])
    sufferer = [] if word_set("anybody").issuperset(subject) else list(subject)
    if row.of == "fixed":
        yield from (NominalPhrase(noun, " ".join((*sufferer, *behind))) for noun in row.nouns)
        return
    if row.of == "none":
        if object_ and object_[0] in _OWN:
            # "Storms get their strength": it is that of the storms, and nobody else's.
            owned = " ".join((*object_[1:], "of", *subject))
            yield NominalPhrase(" ".join((owned, *adjunct)))
            yield NominalPhrase(owned, " ".join(adjunct))
            return
        if object_ and (len(object_) > 1 or kind_of_noun(object_[-1]) in _SUFFERED_KINDS):
            yield NominalPhrase(" ".join((*object_, *adjunct, *sufferer)))
            yield NominalPhrase(" ".join(object_), " ".join((*sufferer, *adjunct)))
            if len(object_) == 1:
                yield from _of_state([*sufferer, *adjunct], object_[0])
        return
    core, agent = (object_, sufferer) if object_ and row.of != "subject" else (list(subject), object_)
    if not core and row.of != "state":
        core = ["people"]  # "Malaria kills", "to migrate": whoever it is.
    if not core or (row.of == "object" and core is not object_):
        return
    if word_set("anybody").issuperset(core):
        beside = [*agent, *adjunct]
        yield NominalPhrase(" ".join((row.nouns[0], *beside)))
        yield from [NominalPhrase(row.nouns[0], " ".join(beside))] if beside else []
        return
    whole = [*core, *agent, *adjunct]
    yield from (NominalPhrase(" ".join((noun, "of", *whole) if noun else whole)) for noun in row.nouns)
    if len(whole) == 1:
        yield from (NominalPhrase(f"{adjective} {noun}") for adjective in _related_adjectives(whole[0]) for noun in row.nouns)
    if adjunct or (agent and row.of == "either"):
        left_out = " ".join((*agent, *adjunct))
        yield from (NominalPhrase(" ".join((noun, "of", *core) if noun else core), left_out) for noun in row.nouns)


def _related_adjectives(noun: str) -> Iterator[str]:
    """Yield how an adjective that belongs to a noun may be spelt: "volcanic" of "volcanoes"."""
    base = singular(noun)
    yield from (f"{base[:-1]}{ending}" if base[-1] in "aeiouy" else f"{base}{ending}" for ending in ("ic", "al", "ical"))


def _of_state(subject: Sequence[str], adjective: str) -> Iterator[NominalPhrase]:
    """Yield the state that an adjective names, of its subject, and then without it."""
    row = nominalizations().get(adjective)
    names = row.nouns if row is not None and row.of == "state" else tuple(_state_names(adjective))
    sufferer = [word for word in subject if word not in word_set("turning")]
    sufferer = [] if word_set("anybody").issuperset(sufferer) else sufferer
    if sufferer:
        yield from (NominalPhrase(" ".join((name, "of", *sufferer))) for name in names)
    if not sufferer or kind_of_noun(sufferer[-1]) in _SUFFERERS:
        yield from (NominalPhrase(name, " ".join(sufferer)) for name in names)


def _state_names(adjective: str) -> Iterator[str]:
    if len(adjective) >= _SHORTEST_ADJECTIVE:
        for ending, state in _STATE_ENDINGS:
            if adjective.endswith(ending):
                yield adjective[: len(adjective) - len(ending)] + state
