"""For whom, where, when, at what dose and on what condition a record says something: which of it narrows the claim down.

In whose voice a record speaks, and how much that weighs: a text of its own, an opinion, a tale, a bare entry, a hedge.
"""

from __future__ import annotations

import re
from contextlib import suppress
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.belief.belief import HEDGED_WEIGHT
from graph.belief.curation import CURATION, curator_of
from graph.model import Claim, Evidence, Source, Stance
from graph.text.normalise import singular
from graph.text.stop_words import NAME_PARTICLES, STOP_WORDS
from graph.text.word_lists import word_sets
from kgqa.question import Slots

CONTEXT_SLOTS = ("population", "place", "time", "dose", "condition")
"""The slots of a context that can narrow a claim down."""

Circumstances = tuple[tuple[str, str], ...]
"""The `(slot, phrase)` by which a question narrows its claim down."""


@cache
def answering_words(name: str) -> frozenset[str]:
    """Return one of the sets of words of data/words.tsv, where the meaning of each stands."""
    return word_sets(Path(__file__).with_name("data") / "words.tsv")[name]


def context_words(words: str) -> frozenset[str]:
    """Return the words of a phrase that say something, in the singular."""
    stop_words = STOP_WORDS["claim context"]
    return frozenset(singular(word) for word in words.lower().replace("-", " ").split() if word not in stop_words)


def narrows_claim(words: str) -> bool:
    """Return whether a phrase speaks of a narrower case: "in adults" does, "in humans" does not."""
    return bool(context_words(words) - answering_words("anybody"))


def narrowing_phrases(record: Evidence) -> tuple[str, ...]:
    """Return the phrases of a record that narrow down what it says."""
    return tuple(words for slot, words in record.context if slot in CONTEXT_SLOTS and narrows_claim(words))


def question_circumstances(slots: Slots) -> Circumstances:
    """Return the cases that a question narrows its claim down to; empty where it asks in general."""
    pairs = (("population", slots.population), ("place", slots.place), ("time", slots.time))
    return tuple((slot, phrase) for slot, phrase in pairs if phrase and narrows_claim(phrase))


def is_same_case(first: str, second: str) -> bool:
    """Return whether two phrases speak of one case: the words of one are among those of the other."""
    left, right = context_words(first), context_words(second)
    return bool(left and right) and (left <= right or right <= left)


def count_matching_cases(record: Evidence, circumstances: Circumstances) -> int:
    """Return how many of the circumstances of a question a record is about, in any slot of its context."""
    phrases = [words for slot, words in record.context if slot in CONTEXT_SLOTS]
    return sum(any(is_same_case(phrase, words) for words in phrases) for _, phrase in circumstances)


PROPER_TITLE_WEIGHT = 0.5
"""What a page about something with a name of its own weighs where it asserts a claim about something else.

What it denies is mostly of that one case, or a view of that one person, and weighs no more than a hedge.
"""


class EvidenceKind(Enum):
    """How a record speaks, the weightiest first. A mere link weighs nothing; all but it and a text weigh as much as a hedge."""

    TEXT = "text"
    BARE = "bare"
    OPINION = "opinion"
    HEDGE = "hedge"
    LINK = "link"


_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_QUALIFIER = re.compile(r"\(([^()]*)\)\s*$")


def evidence_kind(record: Evidence, claim: Claim) -> EvidenceKind:
    """Return in whose voice a record asserts, denies or hedges a claim."""
    title, voice = record.source.title, _title_voice(record.source.title)
    attributed = [words for slot, words in record.context if slot == "attribution"]
    words = {word for phrase in attributed for word in phrase.lower().replace("(", " ").split()}
    if attributed and words.isdisjoint(answering_words("research")) and not any(map(_ACRONYM.search, attributed)):
        return EvidenceKind.OPINION
    if voice.disputed or (voice.tale and not _is_about_claim(title, claim)):
        return EvidenceKind.OPINION
    if record.stance is Stance.HEDGED:
        return EvidenceKind.HEDGE
    return EvidenceKind.BARE if record.text is None and record.start is None else EvidenceKind.TEXT


def evidence_weight(record: Evidence, claim: Claim) -> float:
    """Return what a record weighs: 1 for a text, less on a page about something else that has a name, a quarter for the rest."""
    if evidence_kind(record, claim) is not EvidenceKind.TEXT:
        return HEDGED_WEIGHT
    title = record.source.title
    if not _title_voice(title).proper or _is_about_claim(title, claim):
        return 1.0
    return HEDGED_WEIGHT if record.stance is Stance.NEGATED else PROPER_TITLE_WEIGHT


def source_name(source: Source) -> str:
    """Return what a source is called: its title, the host of its page, or who collected it; "mark by Ada" for a person's mark."""
    if source.kind == CURATION:
        return f"mark by {curator_of(source)}"
    return source.title or source_host(source) or collection_name(source)


def collection_name(source: Source) -> str:
    """Return the name of the collection that a source is an entry of, else of its kind."""
    return {"causenet": "CauseNet", "conceptnet": "ConceptNet", "clueweb12": "CauseNet"}.get(source.kind, source.kind)


def source_host(source: Source) -> str:
    """Return the host of the page of a source, without "www."; empty where it has no valid address."""
    with suppress(ValueError):
        return (urlsplit(source.url).hostname or "").removeprefix("www.")
    return ""


def _is_about_claim(title: str, claim: Claim) -> bool:
    return not context_words(_QUALIFIER.sub("", title)).isdisjoint(context_words(claim.cause) | context_words(claim.effect))


class _TitleVoice(NamedTuple):
    """Whether a page is about a disputed view; about a work of fiction, an old belief or a view; or about one named thing."""

    disputed: bool
    tale: bool
    proper: bool


@lru_cache(maxsize=1 << 10)
def _title_voice(title: str) -> _TitleVoice:
    qualifier = _QUALIFIER.search(title)
    words = _QUALIFIER.sub("", title).split()
    of_tale = qualifier is not None and not answering_words("tale").isdisjoint(qualifier[1].lower().split())
    capitalised = [word for word in words if word.lower() not in NAME_PARTICLES["titles"]]
    return _TitleVoice(
        disputed=not answering_words("dispute").isdisjoint(title.lower().split()),
        tale=of_tale or (bool(words) and words[-1].lower() in answering_words("tale") | answering_words("view")),
        proper=len(capitalised) > 1 and not any(word[0].islower() for word in capitalised),
    )
