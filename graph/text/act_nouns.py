"""Nouns that name acts and events: "production" for produce, "failure" for fail; the names of clauses are made of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from graph.text.inflection import gerund_by_rule
from graph.text.word_lists import LookupTable, kind_of_noun

_REGULAR_ENDINGS = (("ate", "ation"), ("ify", "ification"), ("ise", "isation"), ("ize", "ization"))
_ENDINGS = (("", "ion"), ("e", "ion"), ("", "ation"), ("e", "ation"), ("e", "ition"))
_TABLE = Path(__file__).with_name("data") / "act_nouns.tsv"


@lru_cache(maxsize=1)
def _act_nouns() -> LookupTable:
    return LookupTable(_TABLE.read_bytes())


@lru_cache(maxsize=1 << 13)
def act_noun(verb: str) -> str:
    """Return the noun that names the act or the event of a verb, given in its base form; its gerund where there is no other."""
    return _act_nouns().get(verb) or _derived_noun(verb) or gerund_by_rule(verb)


def _derived_noun(verb: str) -> str:
    """Return the noun in -ion of a verb: a known noun, or the regular one of a verb in -ate, -ify or -ize; empty without one."""
    nouns = (verb.removesuffix(cut) + ending for cut, ending in _ENDINGS if verb.endswith(cut) and len(verb) > 4)
    known = next((noun for noun in nouns if kind_of_noun(noun)), "")
    if known or kind_of_noun(verb):
        return known
    regular = (verb.removesuffix(cut) + ending for cut, ending in _REGULAR_ENDINGS if verb.endswith(cut) and len(verb) > 5)
    return next(regular, "")
