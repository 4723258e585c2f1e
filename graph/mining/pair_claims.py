"""Claims between two phrases of a sentence: those of the rules, and those that no rule proposes, read by a judge of claims.

The judge learnt from what rules propose, so that what it says of other pairs is calibrated by labels of its own: how surely it
reads the claim and its reverse, and whether a rule points the one way or the other (`scripts/fit/fit_pairs.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from graph.mining.judge.claim_judge import ClaimJudge, weighted_chance
from graph.mining.miner import LEAST_RIGHT, MinedClaim, Miner, spans_overlap
from graph.mining.rules.rule_tables import Rule, loose_rules
from graph.mining.sentence.claim_arguments import phrase_arguments
from graph.mining.sentence.head_words import joining_word, tree_path
from graph.mining.sentence.noun_phrases import ClaimArgument
from graph.mining.stance.claim_context import context_slots
from graph.mining.stance.stance_detection import detect_stance, stance_of_pair
from graph.model import PAIR_RULE, Claim, Polarity, Relation, Stance
from graph.text.normalise import concept_name

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

PAIR_WEIGHTS = (-1.25, 0.93, -0.52, 0.71, 0.56)
"""The intercept, and what the log-odds of the claim, those of its reverse, a rule that points its way and a causal cue add."""
_READ_KINDS = ((Relation.CAUSES, Polarity.NONE), (Relation.CAUSES, Polarity.INCREASES), (Relation.ENABLES, Polarity.NONE))
"""The relations that were read rightly where no rule proposed them; uses, preventions and links were not."""
_CAUSING_FAMILIES = frozenset({"verbs", "nouns", "participles"})
_MODIFIERS = frozenset({"compound", "amod", "nmod", "npadvmod"})
_MOST_SPANS = 3
_LEAST_CHANCE = 0.02
Characters = tuple[int, int]


class PairSigns(NamedTuple):
    """What tells whether a sentence states a claim.

    The judgements of the claim and of its reverse, whether a rule points from the one end to the other, and whether the cue is
    one of a rule of plain causing.
    """

    right: float
    reverse: float
    ruled: bool
    causal: bool

    def chance(self) -> float:
        """Return the calibrated probability that the sentence states the claim."""
        base, own, turned, by_rule, by_cue = PAIR_WEIGHTS
        return weighted_chance(
            ((own, self.right), (turned, self.reverse)), base + by_rule * self.ruled + by_cue * self.causal, _LEAST_CHANCE
        )


@cache
def pair_rule() -> Rule:
    """Return the rule that stands for none; it has no cue, so that no sentence matches it."""
    return replace(loose_rules()[0], id=PAIR_RULE, cue=frozenset(), text="", patterns=(), matches=(), no_matches=())


class PairReader:
    """Reads what a sentence states between two phrases, either way, by the rules of a miner and its judge."""

    def __init__(self, miner: Miner, judge: ClaimJudge) -> None:
        self._miner = miner
        self._judge = judge
        self._cues = frozenset(word for rule in miner.rules for word in rule.cue)
        causing = (rule for rule in miner.rules if rule.relation is Relation.CAUSES and rule.family in _CAUSING_FAMILIES)
        self._causal_cues = frozenset(word for rule in causing for word in rule.cue)

    def claims(self, doc: Doc, first: Sequence[Characters], second: Sequence[Characters], title: str = "") -> list[MinedClaim]:
        """Return the claims between one of the `first` places of a sentence and one of the `second`, those the judge accepts."""
        proposed = self._miner.match(doc)
        ways = ((first, second), (second, first))
        own = [claim for claim in proposed if any(_joins(claim, *way) for way in ways)]
        claims = self._miner.judged_claims((claim for claim in own if not claim.points_back), doc.text, title)
        pairs = [pair for pair in product(first[:_MOST_SPANS], second[:_MOST_SPANS]) if not spans_overlap(*pair)]
        nearest = min(pairs, key=lambda pair: abs(pair[0][0] - pair[1][0]), default=None)
        if nearest is not None and not own:
            claims += self._unproposed(doc, nearest, proposed, title)
        return claims

    def _unproposed(
        self, doc: Doc, pair: tuple[Characters, Characters], proposed: Sequence[MinedClaim], title: str
    ) -> Iterator[MinedClaim]:
        for claim, signs in self.read_both_ways(doc, pair, proposed, title):
            chance, judgement = signs.chance(), claim.judgement
            if judgement is None or judgement.kind not in _READ_KINDS or judgement.stance is not Stance.ASSERTED:
                continue
            if chance >= LEAST_RIGHT:
                relation, polarity = judgement.kind
                names = judgement.names * chance / max(chance, judgement.right)
                yield replace(
                    claim,
                    claim=replace(claim.claim, relation=relation, polarity=polarity),
                    stance=judgement.stance,
                    judgement=judgement._replace(right=chance, names=names),
                )

    def read_both_ways(
        self, doc: Doc, pair: tuple[Characters, Characters], proposed: Sequence[MinedClaim], title: str
    ) -> Iterator[tuple[MinedClaim, PairSigns]]:
        """Yield the claim from the first place to the second and its reverse, judged, with the signs for it.

        Not the reverse of what a rule proposes: of such claims none was right.
        """
        ways = (pair, pair[::-1])
        claims = [pair_claim(doc, *way, self._cues, self._miner) for way in ways]
        read = [None if claim is None else self._judge.judge(claim.proposal(doc.text, title)) for claim in claims]
        ruled = [any(_points(doc, claim, *way) for claim in proposed) for way in ways]
        for claim, own, turned, is_ruled, is_turned in zip(claims, read, read[::-1], ruled, ruled[::-1], strict=True):
            if claim is not None and own is not None and turned is not None and not is_turned:
                cue = doc.text[slice(*claim.cue_span)].lower()
                yield replace(claim, judgement=own), PairSigns(own.right, turned.right, is_ruled, cue in self._causal_cues)


def _joins(claim: MinedClaim, causes: Iterable[Characters], effects: Iterable[Characters]) -> bool:
    return any(spans_overlap(claim.cause_span, place) for place in causes) and any(
        spans_overlap(claim.effect_span, place) for place in effects
    )


def _points(doc: Doc, claim: MinedClaim, cause: Characters, effect: Characters) -> bool:
    """Return whether a claim of a rule points from one place to another: each stands in, or below, that end of the claim."""
    return all(_holds(doc, span, place) for span, place in ((claim.cause_span, cause), (claim.effect_span, effect)))


def _holds(doc: Doc, span: Characters, place: Characters) -> bool:
    words = doc.char_span(*span, alignment_mode="expand")
    if words is None:
        return False
    first, last = words.root.left_edge, words.root.right_edge
    return spans_overlap(span, place) or spans_overlap((first.idx, last.idx + len(last)), place)


def pair_claim(doc: Doc, cause: Characters, effect: Characters, cues: frozenset[str], miner: Miner) -> MinedClaim | None:
    """Return the claim that one place of a sentence is the cause of another; `None` where no word joins the two.

    The cue is the highest of `cues` on the way between the two through the tree, else the word that joins them. An end is the
    phrase that its place is the head of, or a modifier in.
    """
    spans = [span for place in (cause, effect) if (span := doc.char_span(*place, alignment_mode="expand")) is not None]
    if len(spans) < 2:
        return None
    heads = [_phrase_head(span) for span in spans]
    cue = None if heads[0] == heads[1] else _cue_between(heads[0], heads[1], cues)
    if cue is None:
        return None
    matched = frozenset((cue.i,))
    first, second = (_argument(head, place, matched, miner) for head, place in zip(heads, (cause, effect), strict=True))
    if first.name == second.name or spans_overlap((first.start, first.end), (second.start, second.end)):
        return None
    ends = [doc.char_span(end.start, end.end, alignment_mode="expand") for end in (first, second)]
    known = [span for span in ends if span is not None]
    return MinedClaim(
        Claim(first.name, second.name),
        (first.start, first.end),
        (second.start, second.end),
        (cue.idx, cue.idx + len(cue)),
        stance_of_pair(detect_stance(cue, (cue, *heads)), known, cue),
        pair_rule(),
        tuple(sorted(context_slots(cue, (cue, *heads), known), key=lambda slot: slot[0])),
    )


def _phrase_head(span: Span) -> Token:
    """Return the head of the noun phrase that some words stand in: "cells", of "cancer" in "cancer cells"."""
    head = span.root
    while head.dep_ in _MODIFIERS and head.head.tag_.startswith("NN"):
        head = head.head
    return head


def _cue_between(first: Token, second: Token, cues: frozenset[str]) -> Token | None:
    path = tree_path(first, second)
    lower = [word if word.head == beside else beside for word, beside in pairwise(path)]
    if not lower or all(token.dep_ in ("conj", "appos") for token in lower):
        return None  # both stand in one list
    known = [token for token in path[1:-1] if token.lower_ in cues]
    return min(known, key=lambda token: sum(1 for _ in token.ancestors), default=None) or joining_word(path)


def _argument(head: Token, place: Characters, matched: frozenset[int], miner: Miner) -> ClaimArgument:
    """Return the phrase at a place of a sentence as a concept, or, where it is none, the words of the place."""
    for argument in phrase_arguments(head, miner.lemma, matched):
        if spans_overlap((argument.start, argument.end), place):
            return argument
    return ClaimArgument(concept_name(head.doc.text[place[0] : place[1]]), place[0], place[1], head.lower_)
