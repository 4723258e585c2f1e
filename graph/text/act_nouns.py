"""Nouns that name acts and events: "production" for produce, "failure" for fail; the names of clauses are made of them.

data/effects_on_things.tsv has the verbs of which the object is no effect, and what they do to it: light that damages the retina
causes damage to the retina.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from graph.text.inflection import gerund_by_rule, regular_inflections
from graph.text.word_lists import LookupTable, kind_of_noun

_REGULAR_ENDINGS = (("ate", "ation"), ("ify", "ification"), ("ise", "isation"), ("ize", "ization"))
_ENDINGS = (("", "ion"), ("e", "ion"), ("", "ation"), ("e", "ation"), ("e", "ition"))
_TABLE = Path(__file__).with_name("data") / "act_nouns.tsv"
_EFFECTS_TABLE = Path(__file__).with_name("data") / "effects_on_things.tsv"


class EffectOnThing(NamedTuple):
    """What a verb does to its object: a noun with its preposition ("damage to"), empty where no noun is a good name.

    Where `of_things`, an object that is no thing but something that happens is itself the effect: "impairs mobility".
    """

    phrase: str
    of_things: bool


@cache
def effects_on_things() -> Mapping[str, EffectOnThing]:
    """Return the effects of data/effects_on_things.tsv by the forms of their verbs, in lower case."""
    rows = (line.split("\t") for line in _EFFECTS_TABLE.read_text(encoding="utf-8").splitlines()[1:])
    effects = ((verb, EffectOnThing(phrase, of == "things")) for verb, of, phrase, *_ in rows)
    return {form: effect for verb, effect in effects for form in regular_inflections(verb, "V")}


@lru_cache(maxsize=1)
def _act_nouns() -> LookupTable:
    return LookupTable(_TABLE.read_bytes())


@lru_cache(maxsize=1 << 13)
def act_noun(verb: str) -> str:
    """Return the noun that names the act or the event of a verb, given in its base form; its gerund where there is no other."""
    return _act_nouns().get(verb) or _derived_noun(verb) or gerund_by_rule(verb)


_ACT_KINDS = frozenset({"act", "event", "process", "phenomenon", "cognition", "communication"})
_ACT_ENDINGS = ("tion", "sion", "ment", "ance", "ence", "ery", "age")


@lru_cache(maxsize=1 << 12)
def is_act_noun(noun: str) -> bool:
    """Return whether a noun names what is done to what stands behind its "of": "building", "invention", by ending and kind."""
    return noun.endswith("ing") or (noun.endswith(_ACT_ENDINGS) and kind_of_noun(noun) in _ACT_KINDS)


def _derived_noun(verb: str) -> str:
    """Return the noun in -ion of a verb: a known noun, or the regular one of a verb in -ate, -ify or -ize; empty without one."""
    nouns = (verb.removesuffix(cut) + ending for cut, ending in _ENDINGS if verb.endswith(cut) and len(verb) > 4)
    known = next((noun for noun in nouns if kind_of_noun(noun)), "")
    if known or kind_of_noun(verb):
        return known
    regular = (verb.removesuffix(cut) + ending for cut, ending in _REGULAR_ENDINGS if verb.endswith(cut) and len(verb) > 5)
    return next(regular, "")
