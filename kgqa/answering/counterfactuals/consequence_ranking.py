"""What would follow in a supposed world, in the order in which an editor would name it, and how much of it a sentence names.

The model of the order of lists gives the value of each consequence. Where something is gone, the value is less the more other
causes the graph knows, and less where the thing is a minor cause: what does not depend on it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import log2
from typing import NamedTuple

from graph.intervene import Presence
from graph.intervene.overlay import Overlay
from graph.model import Edge, Polarity, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, LESSENING_LINKS
from kgqa.answer_model import Finding
from kgqa.answering.contracts import RESULT, USE, TierKind
from kgqa.answering.counterfactuals.answer_changes import edges_between
from kgqa.answering.findings import edge_finding
from kgqa.answering.lists.list_ranking import ListedName, best_rating, count_supporters, is_single_event, list_value, topics_about
from kgqa.answering.lists.listing import build_listing
from kgqa.interventions.graph_settings import AppliedSetting, InterventionWorld
from kgqa.linking.concept_links import NARROWER, ConceptLink
from kgqa.linking.lexical_relations import group_alike_names
from kgqa.linking.mention import content_words
from kgqa.question import Condition

LEAST_VALUE = 1.0
"""The least value of what a sentence names without a reservation: log-odds that an editor would."""
_NEAR_BEST, _NEAR_BEHIND, _GOOD_VALUE = 1.75, 1.25, 2.5
"""How far below the best value that of what is named beside it may lie, and behind the first side, where that is full; from
`_GOOD_VALUE` on it is named on the first side in any case."""
_LED_BY = 1.5
"""By how much the best of what there is less of must exceed that of what there is more of to stand before it."""
_NAMED_FIRST, _NAMED_SECOND, _NAMED_DOUBTFUL = 3, 2, 2
"""How many consequences a sentence names of the side that stands first, of the other (one beside a full first side), and of each
where all are doubtful."""
_CANDIDATES = 40
"""So many consequences of each supposition are weighed, the first ones of its list."""
_OTHER_CAUSES, _OTHERS_OF_MAIN = -0.2, -0.1
"""What each doubling of the causes of an effect takes off where the cause that is gone is one of them, or rated a main one."""
_CAUSE_RATINGS = {"main": 0.0, "": 0.0, "repeat": 0.0, "minor": -2.0, "odd": -7.0}
"""What it adds how an editor rated the thing that is gone among the causes of the effect."""
_MANY_CAUSES = 14
"""From so many causes on, one that no editor rated is none of the main ones."""
_STATED_LACK, _SINGLE_EVENT, _NAMES_ITSELF = 1.0, -0.75, -4.0
"""What it adds that a claim is about the lack of the thing; is of one event or place where most are not; names the thing."""
_RELEVANT = 2.0
"""What it adds that the matcher takes a claim for an answer to the question."""
_KIND = -2.0
"""What it adds that a claim is of a kind of what is supposed."""
_SERVED = -0.5
"""What it adds that a thing is for it, and is not said to bring it about."""
_UNRATED_LIST = 1.0
"""What it adds that no editor saw the list: elsewhere what is not rated stands behind what is."""
_SURE_STEP = 0.9
"""The least belief in a claim that what follows from its effect is told of as well."""
_ONE_SIDED = 3.0
"""How many times the support of the other side has what is taken to go one way although some claim says the opposite."""


class Consequence(NamedTuple):
    """One thing that a supposed world makes more of, or less, with the log-odds that an editor would name it."""

    finding: Finding
    grows: bool
    value: float

    @property
    def name(self) -> str:
        """What there is more or less of."""
        return self.finding.text

    @property
    def measured(self) -> bool:
        """Whether the claim is of how much there is of it, and not of whether it happens: it rises, or falls."""
        claim = self.finding.path.edges[0].claim
        ways = (Polarity.DECREASES, Polarity.INCREASES) if self.grows else (Polarity.DECREASES,)
        return claim.relation is Relation.CAUSES and claim.polarity in ways


class Consequences(NamedTuple):
    """What a supposed world makes more of and less of, best first."""

    more: tuple[Consequence, ...] = ()
    less: tuple[Consequence, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.more or self.less)

    @property
    def less_first(self) -> bool:
        """Whether what there is less of stands first: its best is better, and clearly so where something was held back."""
        if not self.more or not self.less:
            return not self.more
        return self.less[0].value > self.more[0].value + (0.0 if self.more[0].measured else _LED_BY)

    @property
    def doubtful(self) -> bool:
        """Whether no editor would name any of it without a reservation."""
        return max((each.value for side in self for each in side), default=-99.0) < LEAST_VALUE

    @property
    def headline(self) -> Consequences:
        """What a sentence names."""
        if self.doubtful:
            return Consequences(self.more[:_NAMED_DOUBTFUL], self.less[:_NAMED_DOUBTFUL])
        best = max(each.value for side in self for each in side)
        least = max(LEAST_VALUE, min(best - _NEAR_BEST, _GOOD_VALUE))
        sides = self[::-1] if self.less_first else self
        first, second = (tuple(each for each in side if each.value >= least) for side in sides)
        if len(first) >= _NAMED_FIRST:
            second = tuple(each for each in second if each.value >= best - _NEAR_BEHIND)[:1]
        first, second = first[:_NAMED_FIRST], second[: _NAMED_SECOND if first else _NAMED_FIRST]
        return Consequences(second, first) if self.less_first else Consequences(first, second)

    @property
    def ordered(self) -> tuple[Consequence, ...]:
        """What a sentence names in its order, then the rest by value."""
        headline = self.headline
        leading = (*headline.less, *headline.more) if self.less_first else (*headline.more, *headline.less)
        rest = sorted((each for side in self for each in side if each not in leading), key=lambda each: -each.value)
        return (*leading, *rest)


class Selection(NamedTuple):
    """Which consequences are told, and the claims that are known to be to the point."""

    keeps: Callable[[Consequence], bool] = lambda each: True
    relevant: frozenset[Edge] = frozenset()

    def among(self, test: Callable[[str], bool]) -> Selection:
        """Return the selection of those of them whose names pass a test."""
        return self._replace(keeps=lambda each: self.keeps(each) and test(each.name))


def rank_consequences(view: GraphView, world: InterventionWorld, selection: Selection) -> Consequences:
    """Return what the suppositions of a world make more of, and less of; what they make both is left out."""
    own_words = [frozenset(content_words(name)) for part in world.parts if part.takes for name in part.reading.concepts]
    derived = (each for part in world.parts for each in _part_consequences(view, world, part, own_words))
    every = [
        each._replace(value=each.value + _RELEVANT) if each.finding.path.edges[0] in selection.relevant else each
        for each in filter(selection.keeps, derived)
    ]
    every.sort(key=lambda each: (-each.value, each.name))
    sides: dict[bool, list[Consequence]] = {True: [], False: []}
    spaced: dict[bool, list[str]] = {True: [], False: []}
    for each in every:
        name = f" {each.name} "
        # What only adds words to an earlier one, or is the kind of it, is left out: "scurvy in humans" behind "scurvy".
        if not any(earlier in name or earlier.endswith(name) for earlier in spaced[each.grows]):
            sides[each.grows].append(each)
            spaced[each.grows].append(name)
    both = {each.name for each in sides[True]} & {each.name for each in sides[False]}
    return Consequences(*(_fold_alike([each for each in sides[grows] if each.name not in both]) for grows in (True, False)))


def _fold_alike(side: Sequence[Consequence]) -> tuple[Consequence, ...]:
    """Return a side with one consequence, the best, of those whose names say nearly the same."""
    # A sea level that rises is a sea level rise.
    ways = {True: "rise in ", False: "fall in "}
    changes = [f"{ways[each.grows]}{each.name}" if each.measured else each.name for each in side[:_CANDIDATES]]
    first = {group[0] for group in group_alike_names(changes)}
    return tuple(each for each, change in zip_longest(side, changes) if change is None or change in first)


def onward_consequences(view: GraphView, consequence: Consequence) -> Consequences:
    """Return what follows in turn from the one sure consequence of a world: nothing where its claim is only hedged or unsure."""
    edge = consequence.finding.path.edges[0]
    if edge.belief < _SURE_STEP or not edge.support or consequence.value < _GOOD_VALUE:
        return Consequences()
    presence = Presence.PRESENT if consequence.grows else Presence.ABSENT
    return _alone(view, Condition(consequence.name, consequence.name, presence))


def general_consequences(view: GraphView, part: AppliedSetting) -> tuple[str, Consequences] | None:
    """Return the kind of what is supposed of one thing, with what follows from it in general: deforestation, of a forest's."""
    concept = part.reading.concepts[0]
    kind, of, _ = concept.partition(" of ")
    if not of or part.takes or view.concept(kind) is None:
        return None
    consequences = _alone(view, Condition(kind, kind, Presence.PRESENT))
    return (kind, consequences) if consequences and not consequences.doubtful else None


def _alone(view: GraphView, condition: Condition) -> Consequences:
    part = AppliedSetting(condition, ConceptLink(condition.target, (condition.target,), 1.0, "exact"))
    return rank_consequences(view, InterventionWorld(Overlay(view, []), (), (), (part,)), Selection())


def _part_consequences(
    view: GraphView, world: InterventionWorld, part: AppliedSetting, own_words: Sequence[frozenset[str]]
) -> list[Consequence]:
    """Return what one supposition makes more of, and less of: with what is taken away it is the other way round."""
    if part.effect is not None:
        between = edges_between(part.concepts, part.effect.concepts, view if part.takes else world.view)
        findings = [replace(edge_finding(edge), text=edge.effect) for edge in between if edge.belief > DRIVING_LINKS.above]
        return [
            Consequence(finding, DRIVING_LINKS.allow(finding.path.edges[0]) is not part.takes, LEAST_VALUE)
            for finding in findings
        ]
    listing = build_listing(view, part.reading, RESULT, limit=0)
    names = [name for tier in listing.parts for name in tier.listed_names][:_CANDIDATES] if listing is not None else []
    candidates = [directed for name in names if (directed := _one_way(name)) is not None]
    served = list(_served_uses(view, part)) if part.takes else []
    candidates += [(use, True) for use in served if all(use.name != name.name for name in names)]
    topology, topics = view.topology(), topics_about(part.reading.concepts)
    lack = not part.takes and any(part_beside.takes for part_beside in world.parts)
    single = {candidate.name for candidate, _ in candidates if " in " in candidate.name or is_single_event(candidate, view)}
    general = 2 * len(single) < len(candidates) - len(served)
    unrated = not any(best_rating(candidate, view) for candidate, _ in candidates)
    consequences = []
    for candidate, drives in candidates:
        value = list_value(candidate, topology, view, topics) + _STATED_LACK * lack + _UNRATED_LIST * unrated
        value += _SINGLE_EVENT * (general and candidate.name in single) + _SERVED * (candidate in served)
        value += _dependence(view, part, candidate) if part.takes else 0.0
        words = frozenset(content_words(candidate.name))
        value += _KIND * (part.reading.how == NARROWER)
        value += _NAMES_ITSELF * any(own and own <= words for own in own_words)
        finding = replace(
            edge_finding(candidate.best),
            text=candidate.name,
            confidence=candidate.best.belief * part.reading.score,
            support=count_supporters(candidate.edges, view),
            merged=candidate.merged_names,
        )
        consequences.append(Consequence(finding, drives is not part.takes, value))
    return consequences


def _served_uses(view: GraphView, part: AppliedSetting) -> Iterator[ListedName]:
    """Yield what something is for, which is lost with it."""
    listing = build_listing(view, part.reading, USE, limit=0)
    for tier in listing.parts if listing is not None else ():
        if tier.tier.kind is TierKind.USES:
            yield from tier.listed_names[:_CANDIDATES]


def _one_way(candidate: ListedName) -> tuple[ListedName, bool] | None:
    """Return a candidate with the edges of the way that its cause works, and whether that is more of it; `None` for either."""
    driving, lessening = (tuple(filter(links.allow, candidate.edges)) for links in (DRIVING_LINKS, LESSENING_LINKS))
    weights = _weight(driving), _weight(lessening)
    if min(weights) * _ONE_SIDED > max(weights) or not max(weights):
        return None
    drives = weights[0] > weights[1]
    return candidate._replace(edges=driving if drives else lessening), drives


def _weight(edges: Iterable[Edge]) -> float:
    return sum(edge.belief * (1 + edge.support) for edge in edges)


def _dependence(view: GraphView, part: AppliedSetting, candidate: ListedName) -> float:
    """Return how much less sure a change of an effect is for the other things that do the same to it, as the graph knows them."""
    drives = any(map(DRIVING_LINKS.allow, candidate.edges))
    links = DRIVING_LINKS if drives else LESSENING_LINKS
    causes = sum(1 for name in candidate.concepts for edge in view.causes(name) if links.allow(edge))
    # Editors rated what brings something about, and not what holds it back.
    cause = ListedName(part.reading.concepts[0], candidate.edges, part.reading.concepts)
    rating = (best_rating(cause, view) or ("minor" if causes > _MANY_CAUSES else "")) if drives else ""
    return _CAUSE_RATINGS[rating] + (_OTHERS_OF_MAIN if rating == "main" else _OTHER_CAUSES) * log2(max(1, causes))
