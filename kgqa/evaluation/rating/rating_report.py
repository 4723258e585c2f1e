"""What ratings come to: means by system with their intervals, how far raters agree, and the marks that rated claims are worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.human_ratings import HumanRating, item_means, rater_agreement, rubric_means
from kgqa.evaluation.metrics.metric_conventions import mean
from kgqa.evaluation.metrics.rater_statistics import cohen_kappa, krippendorff_alpha
from kgqa.evaluation.metrics.score_intervals import bootstrap_mean
from kgqa.evaluation.rating.rating_form import RatingForm
from kgqa.evaluation.rating.rating_sheet import RatingKey
from kgqa.evaluation.score_table import ScoreCell, ScoreTable

_TITLE = "Human ratings"
_NOTE = (
    "Means, 0 to 3, first over the raters of an item, then over items, with intervals over items. Order alike: how often two "
    "raters put two outputs of an item in the same order. Kappa is Cohen's, of each two raters, weighted by what both rated; "
    "alpha is Krippendorff's for ranks."
)


def human_rating_table(ratings: Sequence[HumanRating], form: RatingForm, title: str = _TITLE) -> ScoreTable:
    """Return the means of each system in each aspect, and the agreement of the raters."""
    means, values = rubric_means(ratings), item_means(ratings)
    cells = {place: replace(bootstrap_mean(values[place]), value=value) for place, value in means.items()}
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = [
        (system, tuple(cells.get((system, aspect)) for aspect in form.aspects)) for system in sorted({name for name, _ in means})
    ]
    measures: dict[str, Callable[[Sequence[HumanRating], str], ScoreCell]] = {
        "raters, order alike": _order_agreement,
        "raters, value alike": _value_agreement,
        "raters, kappa": _kappa,
        "raters, alpha": _alpha,
    }
    rows += [(name, tuple(measure(ratings, aspect) for aspect in form.aspects)) for name, measure in measures.items()]
    return ScoreTable(title, form.aspects, tuple(rows), _NOTE)


def _order_agreement(ratings: Sequence[HumanRating], aspect: str) -> ScoreCell:
    try:
        return rater_agreement(ratings, aspect)
    except MetricInvalid:
        return None


def _value_agreement(ratings: Sequence[HumanRating], aspect: str) -> ScoreCell:
    pairs = [pair for both in _rater_pairs(ratings, aspect) for pair in both]
    return mean([value == another for value, another in pairs]) if pairs else None


def _kappa(ratings: Sequence[HumanRating], aspect: str) -> ScoreCell:
    kappas = [(cohen_kappa(*zip(*both, strict=True)), len(both)) for both in _rater_pairs(ratings, aspect)]
    defined = [(kappa, weight) for kappa, weight in kappas if kappa is not None]
    return sum(kappa * weight for kappa, weight in defined) / sum(weight for _, weight in defined) if defined else None


def _alpha(ratings: Sequence[HumanRating], aspect: str) -> ScoreCell:
    units: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for rating in ratings:
        if rating.aspect == aspect:
            units[rating.item, rating.output].append(rating.value)
    return krippendorff_alpha(list(units.values()))


def _rater_pairs(ratings: Sequence[HumanRating], aspect: str) -> Iterator[list[tuple[int, int]]]:
    """Yield, for each two raters who rated an output in common, the values of both for each such output."""
    by_rater: defaultdict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for rating in ratings:
        if rating.aspect == aspect:
            by_rater[rating.rater][rating.item, rating.output] = rating.value
    for first, second in combinations(by_rater.values(), 2):
        if shared := sorted(first.keys() & second.keys()):
            yield [(first[output], second[output]) for output in shared]


def judged_claims(ratings: Sequence[HumanRating], key: RatingKey) -> Iterator[tuple[HumanRating, bool]]:
    """Yield what each rater says of each claim of a sheet, and whether that is that it is right; nothing for other sheets."""
    form = key.form
    for rating in ratings:
        if form.right is not None and rating.aspect == form.aspects[0] and rating.item in key.claims:
            yield rating, rating.value >= form.right
