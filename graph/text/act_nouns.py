"""Nouns that name acts and events: "production" for produce, "failure" for fail; the names of clauses are made of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from graph.text.inflection import gerund_by_rule
from graph.text.word_lists import LookupTable

_TABLE = Path(__file__).with_name("data") / "act_nouns.tsv"


@lru_cache(maxsize=1)
def _act_nouns() -> LookupTable:
    return LookupTable(_TABLE.read_bytes())


@lru_cache(maxsize=1 << 13)
def act_noun(verb: str) -> str:
    """Return the noun that names the act or the event of a verb, given in its base form; its gerund where there is no other."""
    return _act_nouns().get(verb) or gerund_by_rule(verb)
