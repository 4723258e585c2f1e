"""What goes with a concept that is taken away: its kinds, for without smoking there is no cigarette smoking."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph.protocols import GraphView
from kgqa.linking.asked import Asked
from kgqa.linking.guards import crosses
from kgqa.linking.kinds import is_kind, kinds_of
from kgqa.linking.reading import Reading

_LINKS = ("of", "from", "in")

MOST = 200
"""So many kinds at most are taken away, those with the shortest names."""


def kinds(reading: Reading, view: GraphView, among: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the concepts that are named as kinds of what a phrase was read as: by its whole name behind other words.

    The names `among` which more are looked for can be any. There a single event ("2004 Indian Ocean earthquake"), what is "of" it
    ("attraction of the Moon") and a case of it ("earthquake of magnitude 9") go with it as well; a lack of it does not.
    """
    ends = tuple(f" {name}" for name in reading.concepts)
    found: dict[str, None] = {}
    for one in reading.concepts:
        asked = Asked(one, view)
        found.update((name, None) for name in kinds_of(asked, MOST) if name.endswith(ends))
        found.update((name, None) for name in among if name.endswith(ends) and (is_kind(asked, name) or _is_event(name)))
        found.update((name, None) for name in among if _belongs(one, name))
    return tuple(name for name in found if name not in reading.concepts)


def _is_event(name: str) -> bool:
    """Return whether a name begins with a year, as that of an event does."""
    return re.match(r"(?:1\d|20)\d\d ", name) is not None


def _belongs(concept: str, name: str) -> bool:
    """Return whether a name is that of something of a concept, or of a case of it, and turns nothing round."""
    if name == f"{concept} species" or name.startswith(tuple(f"{concept} {link} " for link in _LINKS)):
        return not crosses(concept, name)
    return name.endswith(tuple(f" {link} {the}{concept}" for link in _LINKS for the in ("", "the "))) and not crosses(
        concept, name
    )
