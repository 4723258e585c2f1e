"""In whose voice a record speaks, and how much that weighs: a text of its own, an opinion, a tale, a bare entry, a hedge."""

from __future__ import annotations

import re
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from urllib.parse import urlsplit

from graph.belief import HEDGED_WEIGHT
from graph.model import Claim, Evidence, Source, Stance
from kgqa.answering.cases import content

NAMED_WEIGHT = 0.5
"""What a page about something with a name of its own weighs where it asserts a claim about something else.

What it denies is mostly of that one case, or a view of that one person, and weighs no more than a hedge.
"""


class Voice(Enum):
    """How a record speaks, the weightiest first. A mere link weighs nothing; all but it and a text weigh as much as a hedge."""

    TEXT = "text"
    BARE = "bare"
    OPINION = "opinion"
    HEDGE = "hedge"
    LINK = "link"


RESEARCH = frozenset(
    "study studies research researcher researchers review reviews trial trials evidence data analysis analyses meta- "
    "analysis meta-analyses experiment experiments survey surveys finding findings result results investigation "
    "investigations scientist scientists investigators measurement measurements simulation simulations test tests "
    "statistics consensus cochrane literature society association institute institutes institution organization "
    "organisation agency academy administration department centers commission council bodies board court nations laboratory "
    "physicians doctors epidemiologists report reports".split()
)
"""Words of an attribution that name who looked into it, and not somebody's opinion: "two recent studies"."""

TALES = frozenset(
    "film novel comics mythology game series band album song play book character musical opera legend folklore fiction "
    "paranormal astrology homeopathy alchemy trek episode manga anime magazine superstition mythical wrestler".split()
)
VIEWS = frozenset("hypothesis hypotheses theory theories skepticism scepticism debate ideology".split())
"""Last words of a title that name a view which people hold: what its page denies or asserts is that view."""

DISPUTED = frozenset(
    "controversy controversies denial denialism negationism pseudoscience conspiracy conspiracies hoax myth myths misconception "
    "misconceptions hesitancy".split()
)
"""Words of a title that name a view which is disputed: its page tells the view even where it is about the claim itself."""

_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_QUALIFIER = re.compile(r"\(([^()]*)\)\s*$")
_JOINING = frozenset("of the and in de von van for on la le du di a to".split())


def voice(record: Evidence, claim: Claim) -> Voice:
    """Return in whose voice a record asserts, denies or hedges a claim."""
    title = record.source.title
    attributed = [words for slot, words in record.context if slot == "attribution"]
    if attributed and not any(_looked_into_it(words) for words in attributed):
        return Voice.OPINION
    if _is_disputed(title) or (_is_tale(title) and not _is_about(title, claim)):
        return Voice.OPINION
    if record.stance is Stance.HEDGED:
        return Voice.HEDGE
    return Voice.BARE if record.text is None and record.start is None else Voice.TEXT


def weight(record: Evidence, claim: Claim) -> float:
    """Return what a record weighs: 1 for a text, less on a page about something else that has a name, a quarter for the rest."""
    if voice(record, claim) is not Voice.TEXT:
        return HEDGED_WEIGHT
    title = record.source.title
    if not _is_named(title) or _is_about(title, claim):
        return 1.0
    return HEDGED_WEIGHT if record.stance is Stance.NEGATED else NAMED_WEIGHT


def name_of(source: Source) -> str:
    """Return what a source is called: its title, the host of its page, or who collected it."""
    if source.title:
        return source.title
    host = ""
    with suppress(ValueError):
        host = (urlsplit(source.url).hostname or "").removeprefix("www.")
    return host or {"causenet": "CauseNet", "conceptnet": "ConceptNet", "clueweb12": "CauseNet"}.get(source.kind, source.kind)


def _looked_into_it(attribution: str) -> bool:
    """Return whether an attribution names research or a body, not one who holds an opinion."""
    return bool(_ACRONYM.search(attribution)) or not RESEARCH.isdisjoint(attribution.lower().replace("(", " ").split())


def _is_about(title: str, claim: Claim) -> bool:
    """Return whether the title of a page has a word of the cause or the effect."""
    return not content(_QUALIFIER.sub("", title)).isdisjoint(content(claim.cause) | content(claim.effect))


@lru_cache(maxsize=1 << 10)
def _is_disputed(title: str) -> bool:
    """Return whether a page is about a view that is disputed."""
    return not DISPUTED.isdisjoint(title.lower().split())


@lru_cache(maxsize=1 << 10)
def _is_tale(title: str) -> bool:
    """Return whether a page is about a work of fiction, an old belief, or a view that people hold."""
    found = _QUALIFIER.search(title)
    words = _QUALIFIER.sub("", title).lower().split()
    return bool(found and TALES.intersection(found[1].lower().split())) or not (TALES | VIEWS).isdisjoint(
        words[-1:] if words else ()
    )


@lru_cache(maxsize=1 << 10)
def _is_named(title: str) -> bool:
    """Return whether a page is about a person, a body, a place or an event: all words of its title have capitals."""
    words = [word for word in _QUALIFIER.sub("", title).split() if word.lower() not in _JOINING]
    return len(words) > 1 and all(not word[0].islower() for word in words)
