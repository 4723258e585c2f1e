"""Precision of evidence by rule, measured on judged claims, and by kind of source.

The precision of a rule is the mean of a Beta posterior. The prior of a rule has the mean of its family; the prior of a family
has the mean of all rules, or that of its own row "*". All priors weigh as much as the row "*" without a family, which
`scripts/fit/calibrate.py update` fits to the judgements by empirical Bayes. A rule without judgements has the mean of its
family, an unknown rule that of all rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graph.belief.curation import CURATION

ALL_RULES = "*"
LEAST_RANDOM = 0.005


@dataclass(frozen=True, slots=True)
class RuleJudgements:
    """The numbers of claims of a rule judged `right` and `wrong`; a row `ALL_RULES` has the Beta prior of a family or of all."""

    rule: str
    family: str
    right: float
    wrong: float


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """The error rates of a group of evidence: `systematic` is the same for any number of groups, `random` falls with each."""

    systematic: float
    random: float


# Fitted to the judged precision of CauseNet (Heindorf et al. 2020) by `scripts/fit/calibrate.py fit`.
SOURCES: Mapping[str, ErrorRates] = {
    "clueweb12": ErrorRates(0.004, 0.250),
    "wikipedia": ErrorRates(0.007, 0.201),
    "causenet:list": ErrorRates(0.007, 0.023),
    "causenet:infobox": ErrorRates(0.007, 0.033),
    # The share of read claims of which a second reader says something else.
    CURATION: ErrorRates(0.0, 0.03),
}
"""Error rates by kind of source, or by rule for a rule with a kind of its own."""
ANY_SOURCE = ErrorRates(0.006, 0.225)
LOADED = frozenset({"", "causenet", "conceptnet", "table"})
"""Rules of loaders, not of the miner: a loaded claim is as good as its source."""


@dataclass(frozen=True, slots=True)
class Priors:
    """The precision of every known rule, 0..1, and of `other` ones."""

    rules: Mapping[str, float]
    default_precision: float

    def errors(self, kind: str, rule: str) -> ErrorRates:
        """Return the error rates of evidence that `rule` found in a source of a kind.

        `rule` is that of a reading: the probability of a judge that stands behind it takes the place of the rule's precision.
        """
        rule, _, judged = rule.partition("\t")
        source = SOURCES.get(rule) or SOURCES.get(kind, ANY_SOURCE)
        if rule in LOADED or rule in SOURCES:
            return source
        precision = probability_of(judged) if judged else self.rules.get(rule, self.default_precision)
        return ErrorRates(source.systematic, max(LEAST_RANDOM, 1.0 - precision - source.systematic))


def probability_of(text: str) -> float:
    """Return the probability that a slot of a context holds, 0.5 for anything else."""
    try:
        value = float(text)
    except ValueError:
        return 0.5
    return value if 0 <= value <= 1 else 0.5


def posterior(rows: Iterable[RuleJudgements]) -> Priors:
    """Return the priors that the judgements of a table give; without a row `ALL_RULES` the mean of all rules is a half."""
    known = list(rows)
    priors = {row.family: row for row in known if row.rule == ALL_RULES}
    prior = priors.get("", RuleJudgements(ALL_RULES, "", 1.0, 1.0))
    judged = {row.rule: row for row in known if row.rule != ALL_RULES}
    weight = prior.right + prior.wrong
    right: defaultdict[str, float] = defaultdict(float)
    total: defaultdict[str, float] = defaultdict(float)
    for row in judged.values():
        right[row.family] += row.right
        total[row.family] += row.right + row.wrong
    family = {name: (right[name] + _share(priors.get(name, prior)) * weight) / (total[name] + weight) for name in total}
    means = {row.rule: (row.right + weight * family[row.family]) / (row.right + row.wrong + weight) for row in judged.values()}
    return Priors(means, prior.right / weight)


def _share(row: RuleJudgements) -> float:
    return row.right / (row.right + row.wrong)


def read_judgements(text: str) -> list[RuleJudgements]:
    """Return the rows of a table of tab-separated values whose first line names its columns."""
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return [RuleJudgements(rule, family, float(right), float(wrong)) for rule, family, right, wrong in rows]


@cache
def shipped_priors() -> Priors:
    """Return the priors of the table that ships with the package."""
    return posterior(read_judgements(Path(__file__).with_name("data").joinpath("priors.tsv").read_text(encoding="utf-8")))
