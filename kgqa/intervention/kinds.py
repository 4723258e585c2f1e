"""What goes with a concept that is taken away: its kinds, for without smoking there is no cigarette smoking."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph.protocols import GraphView
from kgqa.linking.asked import ConceptMention
from kgqa.linking.guards import changes_polarity
from kgqa.linking.kinds import is_narrower_name, narrower_names
from kgqa.linking.reading import ConceptLink

_KIND_LINKS = ("of", "from", "in")

MAX_REMOVED_KINDS = 200
"""So many kinds at most are taken away, those with the shortest names."""


def kinds_removed_with(reading: ConceptLink, view: GraphView, among: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the concepts that are named as kinds of what a phrase was read as: by its whole name behind other words.

    The names `among` which more are looked for can be any. There a single event ("2004 Indian Ocean earthquake"), what is "of" it
    ("attraction of the Moon") and a case of it ("earthquake of magnitude 9") go with it as well; a lack of it does not.
    """
    ends = tuple(f" {name}" for name in reading.concepts)
    kind_names: dict[str, None] = {}
    for concept in reading.concepts:
        mention = ConceptMention(concept, view)
        kind_names.update((name, None) for name in narrower_names(mention, MAX_REMOVED_KINDS) if name.endswith(ends))
        kind_names.update(
            (name, None) for name in among if name.endswith(ends) and (is_narrower_name(mention, name) or _is_dated_event(name))
        )
        kind_names.update((name, None) for name in among if _belongs_to_concept(concept, name))
    return tuple(name for name in kind_names if name not in reading.concepts)


def _is_dated_event(name: str) -> bool:
    """Return whether a name begins with a year, as that of an event does."""
    return re.match(r"(?:1\d|20)\d\d ", name) is not None


def _belongs_to_concept(concept: str, name: str) -> bool:
    """Return whether a name is that of something of a concept, or of a case of it, and turns nothing round."""
    if name == f"{concept} species" or name.startswith(tuple(f"{concept} {link} " for link in _KIND_LINKS)):
        return not changes_polarity(concept, name)
    return name.endswith(
        tuple(f" {link} {the}{concept}" for link in _KIND_LINKS for the in ("", "the "))
    ) and not changes_polarity(concept, name)
