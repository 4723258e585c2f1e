"""How probably two things stand in this order as cause and effect, by their places in the graph and their kinds; never evidence.

Some things are causes ("asteroid"), some are effects ("devastation"), most are neither ("envelope"): a selectional preference,
which says nothing of whether one does cause the other. It is told here from how often either thing is a cause and an effect among
the claims that can drive something, and from whether it is a thing that happens at all; claims that join the two are not asked
for, since they add next to nothing (docs/plausibility.md). The model is logistic, fitted on 1,384 pairs of nouns, half of them
cause and effect, the others mostly part and whole, content and container and the like. So it tells such pairs from causal ones,
and not a true claim from a false one: of real questions it says next to nothing.
"""

from __future__ import annotations

from itertools import chain, takewhile
from math import log1p
from typing import NamedTuple

from graph.protocols import GraphView
from graph.text.normalise import concept_name, head_place
from graph.text.word_lists import kind_of_noun
from kgqa.answering.verdicts.causal_direction import count_roles
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.linking.linker import link_phrase
from kgqa.request import Linker

CLAIMS_SCALE = 100_000
"""Claims are counted per so many of the whole graph, so that they mean about the same in a smaller or larger one."""

LEAST_CLAIMS = 4_000
"""A smaller graph counts as one of this size: in it every word is rare, and a single claim would tell too much."""

_SURE = 0.85
"""The least score of a reading whose concepts count as the phrase: other forms of its words, and better."""

HAPPENING_KINDS = frozenset(("act", "event", "feeling", "phenomenon", "process", "state"))
"""The kinds of nouns in WordNet that happen, or are the case for a while."""


class RoleCounts(NamedTuple):
    """In how many claims that can drive something a thing is the cause, in how many the effect, and whether it happens at all.

    What happens is what WordNet counts as an act, event, feeling, phenomenon, process or state: a storm, and no envelope.
    """

    as_cause: float
    as_effect: float
    happens: bool


class PlausibilityFeatures(NamedTuple):
    """The places of two things; the numbers of claims as log(1 + claims per `PER` claims of the graph), `happens` as 0 or 1."""

    cause_as_cause: float
    cause_as_effect: float
    cause_happens: float
    effect_as_cause: float
    effect_as_effect: float
    effect_happens: float


PLAUSIBILITY = "plausibility"
"""The name of the fitted model, which scripts/fit/fit_plausibility.py fits."""


def plausibility(cause: str, effect: str, view: GraphView, claims: int, link: Linker = link_phrase) -> float:
    """Return how probably two phrases are cause and effect, 0..1; `claims` is how many claims the graph has.

    A phrase that the graph does not know stands in no claim, and one that WordNet does not know is nothing that happens.
    """
    return features_plausibility(plausibility_features(role_counts(cause, view, link), role_counts(effect, view, link), claims))


def role_counts(phrase: str, view: GraphView, link: Linker = link_phrase) -> RoleCounts:
    """Return the place of a phrase: that of all concepts that it surely means."""
    sure = takewhile(lambda reading: reading.score >= _SURE, link(phrase, view))
    return RoleCounts(*count_roles((name for reading in sure for name in reading.concepts), view), is_happening(phrase))


def is_happening(phrase: str) -> bool:
    """Return whether a phrase names what happens, by the kind of its head."""
    words = concept_name(phrase).split()
    return bool(words) and kind_of_noun(words[head_place(words, "linking")]) in HAPPENING_KINDS


def plausibility_features(cause: RoleCounts, effect: RoleCounts, claims: int) -> PlausibilityFeatures:
    """Return what two places are in a graph of so many claims."""
    share = CLAIMS_SCALE / max(claims, LEAST_CLAIMS)
    numbers = (
        (log1p(counts.as_cause * share), log1p(counts.as_effect * share), float(counts.happens)) for counts in (cause, effect)
    )
    return PlausibilityFeatures(*chain.from_iterable(numbers))


def features_plausibility(features: PlausibilityFeatures) -> float:
    """Return how probably things with these places are cause and effect."""
    return load_fitted_model(PLAUSIBILITY).logistic().probability(features._asdict())
