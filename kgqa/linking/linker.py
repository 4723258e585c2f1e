"""How a phrase of a question can be read as concepts of the graph: surest reading first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from graph.normalize import concept_name
from graph.protocols import GraphView
from kgqa.linking import steps
from kgqa.linking.asked import ConceptMention
from kgqa.linking.pairs import LinkPairs, pair_links
from kgqa.linking.reading import ConceptLink

__all__ = ["ConceptLink", "LinkPairs", "link_pairs", "link_phrase", "similar_names"]


def link_phrase(phrase: str, view: GraphView) -> Iterator[ConceptLink]:
    """Yield the readings of `phrase`, surest first, each at its own price: later ones are looked up only when asked for.

    By the name of a concept (exact, 1), another name that the graph has (alias, 1), the same words in other forms (.95), an
    abbreviation either way (acronym, .92), a synonym (.9), the same stems ("floods", "flooding"; .85), without words that matter
    little (core, .8), the same direction in other words ("lack of sleep", "insufficient sleep"; .75), that it happens ("risk of
    cancer"; occurrence, .7), kinds of it (narrower, .6), its head alone or with fewer modifiers (broader, at most .5), and,
    where nothing else is found, other spellings (.2). None but the first two crosses a direction or turns a word
    into its opposite. None at all for a phrase without words.
    """
    mention = ConceptMention(phrase, view)
    if not mention.words:
        return
    seen: set[str] = set()
    for step in steps.LINK_STEPS:
        if step is steps.link_misspelling and seen:
            return
        for reading in step(mention):
            fresh = tuple(dict.fromkeys(name for name in reading.concepts if name not in seen))
            seen.update(fresh)
            if fresh:
                yield ConceptLink(phrase, fresh, reading.score, reading.how, reading.constraint, reading.alternatives)


def link_pairs(
    cause: str, effect: str, view: GraphView, link: Callable[[str, GraphView], Iterable[ConceptLink]] = link_phrase
) -> LinkPairs:
    """Return the readings of two phrases together, surest first, each looked up when asked for; none share a concept."""
    return pair_links(link, cause, effect, view)


def similar_names(phrase: str, view: GraphView) -> Sequence[str]:
    """Return names of concepts that are spelt like `phrase`, nearest first."""
    return view.similar(concept_name(phrase) or phrase)
