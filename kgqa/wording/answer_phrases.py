"""The parts of answers that several kinds share: routes, changes, probabilities, and what a verdict rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kgqa.answer_model import LARGEST_FLIP, AnswerChange, ChangedRoute, ContextSplit, VerdictFlip
from kgqa.linking.concept_links import ConceptLink
from kgqa.wording.claim_clauses import count_noun, join_phrases

if TYPE_CHECKING:
    from graph.intervene.probability import Estimate


_NAMES_SHOWN = 5


def word_route(route: ChangedRoute) -> str:
    """Return a changed route in short: "vitamin c → scurvy (makes less of it)"."""
    return " → ".join(route.concepts) + (" (makes less of it)" if route.lessens else "")


def word_link(link: ConceptLink) -> str:
    """Return how a phrase was read: "'cigs' read as 'cigarette' (synonym)"."""
    return f"'{link.phrase}' read as {join_phrases([repr(name) for name in link.concepts[:4]])} ({link.how})"


_LINK_STEPS = {
    "exact": "",
    "alias": "another name for it",
    "same words": "the same words",
    "synonym": "another word for it",
    "same stems": "other forms of the words",
    "core": "'{}' matters little",
    "direction": "the same in other words",
    "occurrence": "that it happens",
    "narrower": "kinds of it",
    "broader": "in general, not only '{}'",
    "embedding": "nearest in meaning, a guess",
    "spelling": "taken for a slip of the pen",
}
"""What each step of the linker did, with the words that it left out."""


def describe_link(link: ConceptLink) -> str:
    """Return how a phrase was read, in a clause: "'severe migraines' read as 'migraine' ('severe' matters little)"."""
    names = [f"'{name}'" for name in link.concepts[:3]]
    more = len(link.concepts) - len(names)
    last = f"{more} more" if more else names.pop()
    listing = f"{', '.join(names)} and {last}" if names else last
    how = _LINK_STEPS.get(link.how, link.how).format(link.constraint)
    if link.how == "acronym":
        how = "what the letters stand for" if len(link.phrase) < len(link.concepts[0]) else "its abbreviation"
    suffix = f"; it could also mean {', '.join(link.alternatives)}" if link.alternatives else ""
    return f"'{link.phrase}' read as {listing}" + (f" ({how})" if how else "") + suffix


def word_change(change: AnswerChange) -> Iterator[str]:
    """Yield lines that describe a change."""
    same = change.chances is None or change.chances.before == change.chances.after
    if same and not change.lost and not change.gained and change.surviving:
        yield "nothing is lost or gained"
    for word, names in (("lost", change.lost), ("gained", change.gained), ("left", change.surviving)):
        if names:
            more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            names_text = ", ".join(names[:_NAMES_SHOWN]) if more else join_phrases(names)
            yield f"{word}: {names_text}{more}"
    if change.chances is not None:
        figures = f"{word_chance(change.chances.before)} as it is, {word_chance(change.chances.after)} with {change.world}"
        given = f"{join_phrases(change.given)} alone" if change.given else "nothing else"
        yield f"probability of {change.effect}, given {given}: {figures}"
        if not change.chances.complete:
            yield f"reckoned on the best routes, of {change.chances.concepts} concepts and up to {change.chances.length} steps"


def word_chance(estimate: Estimate) -> str:
    """Return a probability with its interval: "0.98 (0.97 to 0.99)"."""
    return f"{estimate.sampled:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


_COLLECTIONS = ("CauseNet", "ConceptNet")


def word_flips(flips: Sequence[VerdictFlip], sources: int) -> str:
    """Return what a verdict rests on, in words: "2 independent sources; without the page on Soil it becomes unknown".

    `sources` is the number of independent texts on its side.
    """
    rests = count_noun(sources, "independent source") if sources else "no sentence that could be looked up"
    if not flips:
        return f"{rests}; no {LARGEST_FLIP} of them alone decide it"
    flip = flips[0]
    which = _name_sources(flip.without)
    alternatives = ", or another such set," if len(flips) > 1 else ""
    return f"{rests}; without {which}{alternatives} it becomes {flip.becomes.value}"


def _name_sources(names: Sequence[str]) -> str:
    """Return how some sources are called in a sentence: "the pages on Frost and Rust and the entry of CauseNet"."""
    known = list(dict.fromkeys(names))
    entries = [f"the entry of {name}" for name in known if name in _COLLECTIONS]
    hosts = [f"the page at {name}" for name in known if name not in _COLLECTIONS and _is_host(name)]
    pages = [name for name in known if name not in _COLLECTIONS and not _is_host(name)]
    titled = [f"the page{'s' if len(pages) > 1 else ''} on {join_phrases(pages)}"] if pages else []
    return join_phrases([*titled, *hosts, *entries])


def _is_host(name: str) -> bool:
    return "." in name and " " not in name


def word_separation(separation: ContextSplit) -> str:
    """Return a separation in words: "in adults yes, in children no"."""
    return f"{' or '.join(separation.supporting[:2])} yes, {' or '.join(separation.denying[:2])} no"
