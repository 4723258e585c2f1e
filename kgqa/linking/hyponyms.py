"""Hyponyms among the names of a graph: names with the same head and more modifiers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from graph.protocols import GraphView
from graph.text.inflection import words_of_kind
from graph.text.normalise import head_place, surface_name
from graph.text.stop_words import DETERMINERS
from kgqa.linking.mention import OCCURRENCE_HEADS, ConceptMention, content_words, is_plain_name
from kgqa.linking.polarity import changes_polarity
from kgqa.linking.word_forms import is_only_verb, is_related_form

_MOST_NARROWER = 12
_MORE_WORDS = 3
_FEW_CLAIMS = 3
_NO_KIND = OCCURRENCE_HEADS | frozenset(
    "use have cause treat get make give take lead become fake suspected alleged fictional possible potential former future post "
    "pre own him set close become buy sell haul fill block measure control separate manufacture "
    "inject bind hunt kill stem combat end target bust pseudo mock simulated artificial quasi near but while as than no".split()
)

_MODIFIERS = frozenset("live drift rot weed travel support help call check guard guide complement associate retreat".split())
"""Verbs that as often tell what kind of thing the noun behind them names."""


def narrower_names(mention: ConceptMention, most: int = _MOST_NARROWER) -> Iterator[str]:
    """Iterate over the names of kinds of what a phrase names, at most twelve or `most`, shortest first.

    The head is the same ("lung cancer" is a cancer, "cancer screening" is none), no direction comes in, and the name is no title.
    """
    yield from islice(
        (name for name in mention.holding if is_narrower_name(mention, name) and not _is_title(name, mention.view)), most
    )


def is_narrower_name(mention: ConceptMention, name: str) -> bool:
    """Return whether a name is that of a kind of what a phrase names."""
    ours, theirs = mention.name.split(), name.replace("-", " ").split()
    if not len(ours) < len(theirs) <= len(ours) + _MORE_WORDS:
        return False
    if not is_related_form(theirs[head_place(theirs, "linking")], ours[head_place(ours, "linking")]):
        return False
    before = theirs[: head_place(theirs, "linking")]
    if (
        not is_plain_name(name)
        or not DETERMINERS["before no head"].isdisjoint(before)
        or _is_verb(theirs[0])
        or any(len(word) == 1 for word in before)
    ):
        return False
    own = [word for word in content_words(name) if not any(is_related_form(word, phrase_word) for phrase_word in mention.words)]
    return bool(own) and _NO_KIND.isdisjoint(own) and not changes_polarity(mention.phrase, name)


def _is_verb(word: str) -> bool:
    """Return whether a word that begins a name does so as a verb, whose object is what follows: "curb piracy", "bribe voters"."""
    return is_only_verb(word) or (word not in _MODIFIERS and (word in words_of_kind("verb") or word in words_of_kind("either")))


def _is_title(name: str, view: GraphView) -> bool:
    """Return whether a name of few claims is the title of a work or of a band: an article of that name has capitals inside."""
    edges = (*view.effects(name)[:_FEW_CLAIMS], *view.causes(name)[:_FEW_CLAIMS])
    if len(edges) > _FEW_CLAIMS:
        return False
    titles = {record.source.title for edge in edges for record in view.evidence(edge.claim)}
    return any(surface_name(title.partition(" (")[0]) == name and title[1:] != title[1:].lower() for title in titles)
