"""The licences of the sources that kgqa reads, and that of a graph made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Licence(NamedTuple):
    """A licence: its short name and its IRI."""

    name: str
    iri: str


_CC0 = Licence("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/")
_CC_BY = Licence("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/")
_CC_BY_SA_3 = Licence("CC BY-SA 3.0", "https://creativecommons.org/licenses/by-sa/3.0/")
_CC_BY_SA_4 = Licence("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/")

SOURCE_LICENCES: dict[str, tuple[str, Licence]] = {
    "wikipedia": ("English Wikipedia, by its editors", _CC_BY_SA_3),
    "causenet": ("CauseNet (Heindorf et al., CIKM 2020)", _CC_BY),
    "clueweb12": ("CauseNet, from pages of ClueWeb12", _CC_BY),
    "conceptnet": ("ConceptNet 5 (Speer et al., AAAI 2017)", _CC_BY_SA_4),
    "wikidata": ("Wikidata, by its editors", _CC0),
}
"""The name and the licence of a source, by the kind of its records."""


def licence_of_sources(kinds: Iterable[str]) -> Licence | None:
    """Return the licence of a graph of these kinds of sources; `None` where there is none, or a kind whose licence is not known.

    Where several meet, or for CC BY-SA 3.0, it is CC BY-SA 4.0, which each of them allows for what is made of its sources.
    """
    licences = {SOURCE_LICENCES[kind][1] if kind in SOURCE_LICENCES else None for kind in kinds}
    if not licences or None in licences:
        return None
    return licences.pop() if licences in ({_CC0}, {_CC_BY}) else _CC_BY_SA_4
