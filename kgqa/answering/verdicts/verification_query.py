"""A yes/no question with what its answer is looked up by: the links of its phrases, the edges between them, its proposition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, cached_property
from itertools import chain, islice, tee
from typing import NamedTuple

from graph.belief.curation import Curation, wrong_marks
from graph.cached_view import expect_names
from graph.model import Claim, Edge, Evidence, Path, Relation
from graph.protocols import GraphView, Topology
from graph.text.word_lists import word_list
from graph.topology import (
    ACTING_LINKS,
    BELIEVED_LINKS,
    DRIVING_LINKS,
    EDGE_KINDS,
    EdgeKind,
    Links,
    is_lessening,
    kind_code,
)
from kgqa.answer_model import Verdict
from kgqa.answering.evidence_kind import EvidenceKind, question_circumstances
from kgqa.answering.findings import count_decreases
from kgqa.answering.verdicts.causal_direction import MIN_ROLE_ODDS, ONE_WAY_PROBABILITIES, role_log_odds
from kgqa.answering.verdicts.evidence_weighing import ClaimRole, WeighedEvidence, weigh_evidence, witness_verdict
from kgqa.linking.concept_links import SURE_LINK, LinkPair
from kgqa.linking.linker import link_pairs
from kgqa.linking.mention import content_words
from kgqa.question import Slots
from kgqa.request import Request

_AFFECT_WORDS = re.compile(r"\b(?:affect|effect|influence|impact|alter|change|interact|interfere|play a)", re.IGNORECASE)
_POSSIBILITY_WORDS = re.compile(r"\b(?:can|could|may|might|possible|possibly|able)\b", re.IGNORECASE)
_TRUTH_WORDS = re.compile(r"\b(?:true|fact|correct|sure|case)\b(.*)", re.IGNORECASE)
_FALSITY_WORDS = re.compile(
    r"\b(?:false|untrue|wrong|incorrect|myth|lie|misconception"
    r"|it(?: is|['’]s) not (?:true|correct)|it isn['’]?t (?:true|correct))\b(.*)",
    re.IGNORECASE,
)
_NEGATION_WORDS = re.compile(r"\b(?:not|never|no|cannot|cant|(?:do|does|did|is|are|was|were|wo)nt)\b|n['’]t\b", re.IGNORECASE)
_EITHER_WAY = re.compile(
    r"\b(?:true|right|fact|correct)(?:,? or |/)(?:false|wrong|fiction|myth|incorrect)\b|\bor not\b"
    r"|,\s*\w+(?:n['’]t)? (?:it|they|that|this|he|she|one|we|you)\W*$",
    re.IGNORECASE,
)
"""What asks for either answer, before or behind a statement: "true or false", "or not", "isn't it?"."""


class Sense(Enum):
    """What the cause is said to do: make more of its effect, or less, change it either way, or only go along with it."""

    MORE = "more"
    LESS = "less"
    EITHER = "either"
    LINK = "link"


def _causing(links: Links) -> Links:
    return Links(frozenset(kind for kind in links.kinds if kind[0] is not Relation.IS_FOR), links.above)


CAUSING_LINKS = _causing(DRIVING_LINKS)
"""What makes more of its effect; what is only used for something does not."""
CHAIN_LINKS = {
    Sense.MORE: CAUSING_LINKS,
    Sense.LESS: _causing(ACTING_LINKS),
    Sense.EITHER: _causing(ACTING_LINKS),
    Sense.LINK: BELIEVED_LINKS,
}
"""What can be a step of a chain that answers a proposition; of one that makes less, an odd number of steps makes less."""


class Proposition(NamedTuple):
    """The statement that a question wants a verdict on; `may` where only its possibility counts, `denied` for its contrary."""

    sense: Sense
    may: bool = False
    denied: bool = False

    def role(self, kind: EdgeKind) -> ClaimRole | None:
        """Return the role of a claim of this kind towards the proposition; `None` for none.

        Whoever denies that two things go together denies that one causes the other.
        """
        linked = kind[0] is Relation.ASSOCIATED
        if kind[0] is Relation.IS_FOR and self.sense is not Sense.LINK:
            return None  # A medicine that is for fever does not cause it.
        if self.sense is Sense.LINK:
            return ClaimRole.SAYS if linked else ClaimRole.MORE
        if self.sense is Sense.LESS:
            return ClaimRole.SAYS if is_lessening(kind) else None if linked else ClaimRole.CONTRARY
        if linked:
            return ClaimRole.LESS
        if self.sense is Sense.EITHER:
            return ClaimRole.SAYS
        return ClaimRole.CONTRARY if is_lessening(kind) else ClaimRole.SAYS

    def judged(self, verdict: Verdict) -> Verdict:
        """Return the verdict on the question from that on the claim: the contrary where the proposition is denied."""
        if not self.denied or verdict not in (Verdict.YES, Verdict.NO):
            return verdict
        return Verdict.NO if verdict is Verdict.YES else Verdict.YES


def parse_proposition(question: str, slots: Slots) -> Proposition:
    """Return what a question asks whether it is so, from its relation and its words outside the slots.

    A question in the negative ("Doesn't smoking cause cancer?") puts up the same as without; only where it is asked whether
    something is false, or is true that it is not, does it put up the contrary.
    """
    words = question
    for phrase in sorted(filter(None, (slots.cause, slots.effect)), key=len, reverse=True):
        words = words.replace(phrase, " ", 1)
    sense = {Relation.PREVENTS: Sense.LESS, Relation.ASSOCIATED: Sense.LINK}.get(slots.relation, Sense.MORE)
    if sense is Sense.MORE and _AFFECT_WORDS.search(words):
        sense = Sense.EITHER
    return Proposition(sense, may=bool(_POSSIBILITY_WORDS.search(words)), denied=_is_denied(words))


def _is_denied(words: str) -> bool:
    """Return whether a question asks if something is false, or true that it is not; a denied falsehood is an assertion."""
    statement = _EITHER_WAY.sub(" true ", words, count=1) if _EITHER_WAY.match(words.lstrip()) else words
    statement = _EITHER_WAY.sub(" ", statement)
    false = _FALSITY_WORDS.search(statement)
    behind = false or _TRUTH_WORDS.search(statement)
    return behind is not None and bool(false) != bool(_NEGATION_WORDS.search(behind.group(1)))


class EdgeLookup:
    """What a view says between concepts: the arrows are walked by number, and only edges that are wanted are read."""

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self._rows: dict[int, dict[int, list[int]]] = {}

    @cached_property
    def _topology(self) -> Topology:
        return self._view.topology()

    @cached_property
    def _number(self) -> Callable[[str], int | None]:
        return cache(self._topology.number)

    def edges(self, causes: Iterable[str], effects: Iterable[str]) -> list[Edge]:
        """Return the edges from one of `causes` to one of `effects`."""
        causes, effects = list(causes), list(effects)
        expect_names(self._view, lambda: (*effects, *causes))
        targets = [(name, number) for name in effects if (number := self._number(name)) is not None]
        linking_edges: list[Edge] = []
        for name in causes if targets else ():
            number = self._number(name)
            row = self._row(number) if number is not None else {}
            claims = (Claim(name, target, *EDGE_KINDS[code]) for target, end in targets for code in row.get(end, ()))
            linking_edges += filter(None, map(self._view.edge, dict.fromkeys(claims)))
        return linking_edges

    def degree(self, names: Iterable[str]) -> int:
        """Return how many claims are about some concepts."""
        numbers = map(self._number, names)
        return sum(self._topology.degree(number) for number in numbers if number is not None)

    def _row(self, number: int) -> dict[int, list[int]]:
        row = self._rows.get(number)
        if row is None:
            self._topology.prepare([number], forward=True)
            ends, _, kinds, _ = self._topology.outgoing(number)
            row = self._rows[number] = {}
            for end, kind in zip(ends, kinds, strict=True):
                row.setdefault(end, []).append(kind)
        return row


def leads_in_two_steps(view: GraphView, causes: Sequence[str], effects: Sequence[str]) -> bool:
    """Return whether any two claims lead from a cause to an effect: things that do may well bring about one another."""
    from graph.algorithms.paths import best_paths

    return any(len(path.edges) > 1 for path in best_paths(view, causes, effects, 2, 2, CAUSING_LINKS))


NAMING_LINKS = ("exact", "alias", "same words", "acronym", "synonym")
"""The ways to read a phrase as another name of what it says."""

_LESSENING_NOUNS = (
    *("prevention of", "reduction of", "reduction in", "decrease in", "decrease of", "decline in", "decline of", "deterrence of"),
    *("drop in", "fall in", "control of", "elimination of", "suppression of", "relief of", "treatment of", "lower", "reduced"),
)
_PAIRS_LOOKED_AT = 40
_CHAIN_LENGTH = 3


class VerificationQuery:
    """A question and what the graph says between the concepts that its phrases are linked to.

    `sure` are the pairs of readings that mean what the phrases say; the other ones are read when they are asked for. `nearest` is
    a claim of phrases that are too general to answer from, with how they were read, where one was met.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.cause = request.kind.slots.cause or ""
        self.effect = request.kind.slots.effect or ""
        self.proposition = parse_proposition(request.question, request.kind.slots)
        self.circumstances = question_circumstances(request.kind.slots)
        self.between = EdgeLookup(request.view)
        self.sure: list[LinkPair] = []
        self.nearest: tuple[LinkPair, Edge] | None = None
        pairs = islice(link_pairs(self.cause, self.effect, request.view, request.link), _PAIRS_LOOKED_AT)
        unsure: list[LinkPair] = []
        for pair in pairs:
            if min(pair[0].score, pair[1].score) >= SURE_LINK:
                self.sure.append(pair)
            else:
                unsure.append(pair)
                if pair[0].score * pair[1].score < SURE_LINK * SURE_LINK:
                    break
        self._unsure: Iterator[LinkPair] = chain(unsure, pairs)
        # The concepts that the cause, and the effect, surely means.
        self.causes, self.effects = (
            tuple(dict.fromkeys(name for pair in self.sure for name in pair[side].concepts)) for side in (0, 1)
        )

    @cached_property
    def same_concept(self) -> str:
        """The concept that both phrases are a name of, where they name one thing; else empty."""
        readings = [next(iter(self.request.link(phrase, self.request.view)), None) for phrase in (self.cause, self.effect)]
        surely = [reading.concepts if reading is not None and reading.score >= SURE_LINK else () for reading in readings]
        shared = next((name for name in surely[0] if name in surely[1]), "")
        words = [content_words(phrase) for phrase in (self.cause, self.effect)]
        return shared or (self.effect if words[0] and words[0] == words[1] else "")

    @cached_property
    def synonymous(self) -> bool:
        """Whether the phrases have a name in common by which both may be called: "flu" and "influenza"."""
        names: list[set[str]] = [set(), set()]
        for pair in self.sure:
            for known, reading in zip(names, pair, strict=True):
                known.update(reading.concepts if reading.how in NAMING_LINKS else ())
        return not names[0].isdisjoint(names[1])

    def unsure_pairs(self) -> Iterator[LinkPair]:
        """Return the pairs with a reading that is not sure, surest first, each read when it is asked for."""
        self._unsure, pairs = tee(self._unsure)
        return pairs

    @cached_property
    def direct(self) -> WeighedEvidence:
        """What is said of the two themselves; whether they are linked has no direction."""
        edges = self._either_way if self.proposition.sense is Sense.LINK else self.between.edges(self.causes, self.effects)
        edges += self.between.edges(self.causes, self._reductions)
        own = self.weighed(edges)
        if own.count(EvidenceKind.TEXT) or not (denied := self._denied_of_kin(edges)):
            return own
        roles = {**self._roles(edges), **dict.fromkeys(denied, ClaimRole.LESS)}
        return weigh_evidence(self.request.view, roles, self.circumstances)

    @cached_property
    def marked_wrong(self) -> list[tuple[Edge, Evidence, Curation]]:
        """The marks of people for which claims of the two themselves do not count, each with its claim and its record."""
        unsupported = (edge for edge in self.between.edges(self.causes, self.effects) if not edge.support and not edge.hedged)
        return [
            (edge, record, curation)
            for edge in unsupported
            if self.role(edge) is not None
            for record, curation in wrong_marks(self.request.view.evidence(edge.claim))
        ]

    @cached_property
    def chains(self) -> list[tuple[float, Path]]:
        """The chains of two and three steps between the two with their validities, the most valid first."""
        from graph.algorithms.paths import best_paths
        from kgqa.answering.chains.chain_validity import rank_by_validity

        if not self.causes or not self.effects:
            return []
        view, limit = self.request.view, self.request.limit
        sense = self.proposition.sense
        paths = best_paths(view, self.causes, self.effects, _CHAIN_LENGTH, limit, CHAIN_LINKS[sense])
        fitting = (path for path in paths if sense is not Sense.LESS or count_decreases(path) % 2)
        return rank_by_validity([path for path in fitting if len(path.edges) > 1], view)

    @cached_property
    def common_cause(self) -> tuple[Edge, Edge] | None:
        """The best pair of believed edges from one concept to both cause and effect; "condition", which says nothing, is none."""
        from graph.algorithms.paths import common_causes

        if not self.causes or not self.effects:
            return None
        shared = common_causes(self.request.view, self.causes, self.effects, 1, 5, CAUSING_LINKS)
        pairs = (item.paths for item in shared if item.concept not in word_list("vague"))
        return next(((first.edges[0], second.edges[0]) for first, second in pairs), None)

    @cached_property
    def linked(self) -> list[Edge]:
        """The edges, either way, that only say that the two go together, which is less than the proposition."""
        return [edge for edge in self._either_way if edge.support and self.role(edge) is ClaimRole.LESS]

    @cached_property
    def aside(self) -> list[Edge]:
        """The edges that say something else of the two than the proposition: a use, or a prevention.

        What causes a penalty is beside the point where it is asked what the penalty prevents.
        """
        edges = self.between.edges(self.causes, self.effects) if self.proposition.sense is Sense.LESS else self._either_way
        return [edge for edge in edges if edge.support or edge.hedged]

    @cached_property
    def _reductions(self) -> frozenset[str]:
        """The names that say that there is less of the effect, where that is asked for: "deterrence of crime"."""
        if self.proposition.sense is not Sense.LESS:
            return frozenset()
        return frozenset(f"{noun} {name}" for noun in _LESSENING_NOUNS for name in self.effects)

    @cached_property
    def _either_way(self) -> list[Edge]:
        return [*self.between.edges(self.causes, self.effects), *self.between.edges(self.effects, self.causes)]

    def weighed(self, edges: list[Edge]) -> WeighedEvidence:
        """Weigh the evidence of some edges for and against the proposition."""
        return weigh_evidence(self.request.view, self._roles(edges), self.circumstances)

    def verdict(self, weighed: WeighedEvidence) -> Verdict:
        """Return the verdict on what is put up that some evidence makes."""
        return witness_verdict(weighed.witnesses, self.proposition.may)

    def _denied_of_kin(self, own: list[Edge]) -> list[Edge]:
        """Return the edges that are only denied, between names with the stems of the phrases: of "vaccination" for "vaccines"."""
        if not self.sure:
            return []
        view = self.request.view
        words = [content_words(phrase) for phrase in (self.cause, self.effect)]
        kin = [[name for name in view.search(phrase) if len(content_words(name)) == len(phrase)] for phrase in words]
        edges = self.between.edges((*self.causes, *kin[0]), (*self.effects, *kin[1]))
        return [
            edge
            for edge in edges
            if edge.against and not edge.support and self.role(edge) in (ClaimRole.SAYS, ClaimRole.LESS) and edge not in own
        ]

    @cached_property
    def reverse(self) -> WeighedEvidence:
        """The evidence for the reverse of the proposition."""
        if self.proposition.sense is Sense.LINK:
            return WeighedEvidence()
        edges = self.between.edges(self.effects, self.causes)
        return self.weighed([edge for edge in edges if edge.support and self.role(edge) is ClaimRole.SAYS])

    @cached_property
    def one_way_probability(self) -> float:
        """How probably the reverse alone is so, 0..1; 0 where nothing claims it, or each may well bring about the other.

        They may where a text speaks for the proposition, where two claims lead from cause to effect, or where the roles of
        the two rather tell the other direction. An entry that cannot be looked up does not outweigh several texts.
        """
        heard = {witness.speaks for witness in self.direct.witnesses} - {None}
        if self.reverse.count(EvidenceKind.TEXT) > 1:
            heard -= {EvidenceKind.BARE}
        if heard or not self.reverse.witnesses:
            return 0.0
        if self.proposition.sense is Sense.LESS:
            return ONE_WAY_PROBABILITIES[0]
        if leads_in_two_steps(self.request.view, self.causes, self.effects):
            return 0.0
        odds = role_log_odds(self.effects, self.causes, self.request.view)
        return ONE_WAY_PROBABILITIES[odds >= MIN_ROLE_ODDS] if odds >= 0.0 else 0.0

    def role(self, edge: Edge) -> ClaimRole | None:
        """Return the role of the claim of an edge towards the proposition."""
        if edge.effect in self._reductions:
            sense = Sense.LESS if is_lessening((edge.claim.relation, edge.claim.polarity)) else Sense.MORE
            role = Proposition(sense).role(EDGE_KINDS[kind_code(edge.claim)])
            return ClaimRole.CONTRARY if role is ClaimRole.SAYS and sense is Sense.LESS else role
        return self.proposition.role(EDGE_KINDS[kind_code(edge.claim)])

    def _roles(self, edges: list[Edge]) -> Mapping[Edge, ClaimRole]:
        return {edge: role for edge in edges if (role := self.role(edge)) is not None}
