"""Kinds of living things, by WordNet: whether a shark is a mammal.

data/taxa.tsv has the taxa, the wider taxon of each, and the nouns of each; scripts/build/build_taxa.py makes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graph.text.inflection import indefinite_article, plural_of
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun

SOURCE = "WordNet"
_CLAIM = re.compile(
    r"(?:all |most |some |the |an? )?(?P<thing>[a-z' -]+?) (?P<being>is|are|was|were)(?P<denied> not|n['’]t)?"
    r"(?: (?:all|actually|really|just|also|always|only|classified as|considered|called|examples of|kinds of|types of|types? of|"
    r"a (?:kind|type) of))* (?:an? |the )?(?P<taxon>[a-z]+)",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"(?:why|how) (?P<being>is|are|was|were)(?P<denied>n['’]t)? (?:an? |the )?(?P<thing>[a-z' -]+?)(?: (?P<not>not))?"
    r"(?: (?:all|actually|really|also|always|classified as|considered|called))* (?:an? )?(?P<taxon>[a-z]+)",
    re.IGNORECASE,
)
_LIKENESS = {"mollusc": "mollusk", "bug": "", "germ": ""}


class TaxonClaim(NamedTuple):
    """That a thing is of a taxon, or, where it is `denied`, is not."""

    thing: str
    taxon: str
    denied: bool = False


@cache
def _taxa() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the wider taxon of each taxon, and the taxon of each noun."""
    text = Path(__file__).with_name("data").joinpath("taxa.tsv").read_text(encoding="ascii")
    rows = [line.split("\t") for line in text.splitlines()]
    wider = {name: above for name, above, _ in rows}
    return wider, {noun.replace("_", " "): name for name, _, nouns in rows for noun in nouns.split()}


def read_taxon_claim(text: str) -> TaxonClaim | None:
    """Return what a clause ("sharks are mammals"), or a question of why it is so, says of a taxon; `None` for another text."""
    match = _CLAIM.fullmatch(text.strip(" .?")) or _INVERTED.fullmatch(text.strip(" .?"))
    if match is None:
        return None
    taxon = _named_taxon(match["taxon"])
    if taxon is None:
        return None
    denied = bool(match["denied"] or match.groupdict().get("not"))
    return TaxonClaim(match["thing"].strip().lower(), taxon, denied)


_RELATIVE = re.compile(
    r"(?P<before>.*?)(?<![a-z'-])(?P<thing>[a-z'-]++(?: [a-z'-]++)?), "
    r"(?P<words>(?:which|who) (?:is|are|was|were)(?P<denied> not|n['’]t)?"
    r" (?:an? |the )?(?P<taxon>[a-z]+))(?:,|(?=\W*$))(?P<behind>.*)",
    re.IGNORECASE,
)


def read_relative_clause(text: str) -> tuple[TaxonClaim, str, str] | None:
    """Return what a clause behind a comma says of a taxon (", which are fish,"), its words, and the question without it."""
    match = _RELATIVE.fullmatch(text)
    taxon = match and _named_taxon(match["taxon"])
    if match is None or taxon is None:
        return None
    words = match["thing"].lower().split()
    thing = next((name for name in (" ".join(words), words[-1]) if _taxon_by_name(name)), None)
    if thing is None:
        return None
    return TaxonClaim(thing, taxon, bool(match["denied"])), match["words"], f"{match['before']}{match['thing']}{match['behind']}"


def _named_taxon(word: str) -> str | None:
    name = singular(word.lower())
    name = {"fungi": "fungus", "bacteria": "bacterium"}.get(word.lower(), _LIKENESS.get(name, name))
    return name if name in _taxa()[0] else None


def taxon_of(thing: str) -> str | None:
    """Return the narrowest taxon of a thing by its name, or by the head of that; `None` for a name that is not known.

    The head tells nothing behind an artifact: a teddy bear is no bear.
    """
    *before, head = thing.split(" ")
    by_head = None if any(kind_of_noun(word) == "artifact" for word in before) else _taxon_by_name(head)
    return _taxon_by_name(thing) or by_head


def _taxon_by_name(name: str) -> str | None:
    nouns = _taxa()[1]
    first, space, last = name.rpartition(" ")
    return nouns.get(name) or nouns.get(f"{first}{space}{singular(last)}")


def is_of_taxon(thing: str, taxon: str) -> bool | None:
    """Return whether a thing is of a taxon; `None` where the table does not tell, for a thing of a wider taxon may be of it."""
    wider = _taxa()[0]
    narrowest = taxon_of(thing)
    if narrowest is None:
        return None
    if taxon in _lineage(narrowest, wider):
        return True
    return None if narrowest in _lineage(taxon, wider) else False


def _lineage(taxon: str, wider: Mapping[str, str]) -> list[str]:
    """Return a taxon and those that it is a part of."""
    lineage = [taxon]
    while (above := wider.get(lineage[-1], "-")) != "-":
        lineage.append(above)
    return lineage


def taxon_clause(thing: str, taxon: str, *, denied: bool = False) -> str:
    """Return that a thing is of a taxon, or not, in the number of its name: "sharks are not mammals"."""
    if singular(thing) != thing:
        return f"{thing} are {'not ' if denied else ''}{taxon if taxon == 'fish' else plural_of(taxon)}"
    return f"{indefinite_article(thing)} {thing} is {'not ' if denied else ''}{indefinite_article(taxon)} {taxon}"
