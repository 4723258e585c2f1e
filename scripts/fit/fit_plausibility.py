"""Fit and measure the model of which pairs of things look like cause and effect (kgqa/evaluation/plausibility.py).

    python scripts/fit/fit_plausibility.py PAIRS_TRAIN.CSV PAIRS_VALID.CSV       # fit, and compare with baselines
    python scripts/fit/fit_plausibility.py ... --write                           # write models/plausibility.json, too
    python scripts/fit/fit_plausibility.py ... -g GRAPH --other GRAPH            # fitted on one graph, asked of another
    python scripts/fit/fit_plausibility.py ... --questions MSMARCO_TRAIN.JSON    # what it says of real questions

The pairs are tables with the columns cause, effect and causal. The model is fitted on the first and never sees the second. A
training accuracy is cross-validated: ten parts, six divisions, means over them; intervals are bootstraps over pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fit_validity import auc, logistic

from graph.algorithms.paths import best_paths
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.text.word_lists import kind_of_noun, nouns_by_kind
from graph.topology import DRIVING_LINKS
from kgqa.calibration.linear_model import fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.evaluation.baselines import search_verdicts
from kgqa.evaluation.dataset_item import YES, DatasetItem
from kgqa.evaluation.datasets import DATASETS, read_set
from kgqa.evaluation.metrics.confidence_scores import expected_calibration_error
from kgqa.evaluation.metrics.score_intervals import bootstrap_mean
from kgqa.evaluation.plausibility import (
    PLAUSIBILITY,
    PlausibilityFeatures,
    RoleCounts,
    plausibility,
    plausibility_features,
    role_counts,
)
from kgqa.linking.linker import link_phrase
from kgqa.settings import graph_url

PENALTY = 3.0
PARTS, DIVISIONS = 10, 6
THINNED = (0.5, 0.2, 0.1, 0.03)
Features = Callable[[str, str], Sequence[float]]


class Pairs(NamedTuple):
    """Pairs of phrases, and for each whether it is said to be cause and effect (1) or not (0)."""

    phrases: list[tuple[str, str]]
    causal: np.ndarray


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the model and print its table, and how well it and others tell causal pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", type=Path)
    parser.add_argument("valid", type=Path)
    parser.add_argument("-g", "--graph", help="the graph to fit on; the starter graph unless given")
    parser.add_argument("--other", action="append", default=[], help="another graph, to ask what was fitted here")
    parser.add_argument("--write", action="store_true", help="write the weights that are fitted here")
    parser.add_argument("--questions", type=Path, help="causal yes/no questions of MS MARCO")
    options = parser.parse_args(arguments)
    train, valid = (pairs_of("semeval-pairs", path) for path in (options.train, options.valid))
    with open_store(graph_url(options.graph)) as store:
        claims = store.stats().claims
        looked_up = cache(lambda phrase: role_counts(phrase, store))

        def counted(cause: str, effect: str) -> PlausibilityFeatures:
            return plausibility_features(looked_up(cause), looked_up(effect), claims)

        weights = fit(matrix(train, counted), train.causal)
        print(f"{len(train.causal)} pairs, {int(train.causal.sum())} causal; {claims} claims\n\n{as_text(weights)}\n")
        if options.write:
            values = matrix(train, counted)
            write(weights, [crossed(values, train.causal, seed) for seed in range(DIVISIONS)], train.causal)
        compare(store, train, valid, counted)
        told = predicted(matrix(train, counted), weights)
        turned = predicted(matrix(train, lambda cause, effect: counted(effect, cause)), weights)
        right = [float(one) for one in (told > turned)[train.causal == 1]]
        print(f"\ncausal pairs of the first file that are more plausible as they are than turned round: {bootstrap_mean(right)}")
        print("\n| calibration, cross-validated: from | pairs | mean | causal |\n|---|---|---|---|")
        calibration(crossed(matrix(train, counted), train.causal, 0), train.causal)
        thinned(train, valid, looked_up, claims, weights)
        if options.questions:
            asked(pairs_of("msmarco-causal", options.questions), counted, weights)
    for other in options.other:
        with open_store(other) as store:
            claims = store.stats().claims
            print(f"\n| {Path(other).name}, {claims} claims | accuracy | AUC |\n|---|---|---|")
            for name, pairs in (("first file", train), ("second file", valid)):
                told = np.array([plausibility(*pair, store, claims) for pair in pairs.phrases])
                print(f"| {name}, the weights that ship | {accuracy(told, pairs.causal)} | {area(told, pairs.causal)} |")


def pairs_of(name: str, path: Path) -> Pairs:
    """Return the pairs that a data set marks."""
    items: list[DatasetItem] = read_set(DATASETS[name], (str(path),), lambda _: lambda *_: None)
    marked = [(item.pair, float(item.label == YES)) for item in items if item.pair]
    return Pairs([pair for pair, _ in marked], np.array([causal for _, causal in marked]))


def compare(store: GraphStore, train: Pairs, valid: Pairs, counted: Callable[[str, str], PlausibilityFeatures]) -> None:
    """Print how well the plausibility tells causal pairs, beside what is simpler and what is richer."""
    joined = cache(lambda cause, effect: tuple(by_paths(store, cause, effect)))
    models: dict[str, Features] = {
        "best paths of 1, 2, 3 steps, there and back (6)": joined,
        "how often a cause to how often an effect, of either (2)": lambda *pair: ratios(counted(*pair)),
        "how often the cause is a cause, the effect an effect (2)": lambda *pair: [counted(*pair)[0], counted(*pair)[4]],
        "how often either is a cause, an effect (4)": lambda *pair: without_kinds(counted(*pair)),
        "whether either happens, without any graph (2)": lambda *pair: [counted(*pair)[2], counted(*pair)[5]],
        "the kinds of the two in WordNet, without any graph (52)": lambda *pair: [*one_of(pair[0]), *one_of(pair[1])],
        "**plausibility**: how often, and whether it happens (6)": counted,
        "the same and the paths (12)": lambda *pair: [*counted(*pair), *joined(*pair)],
        "the same and the kinds (58)": lambda *pair: [*counted(*pair), *one_of(pair[0]), *one_of(pair[1])],
    }
    print("| told by (features) | accuracy, first file | AUC | ECE | accuracy, second file | AUC | ECE |")
    print("|---|---|---|---|---|---|---|")
    most = float(train.causal.mean() >= 0.5)
    rows: dict[str, tuple[list[np.ndarray], np.ndarray]] = {
        "always the majority": ([np.full(len(train.causal), most)], np.full(len(valid.causal), most))
    }
    walks = [[search_verdicts(store, pair) for pair in pairs.phrases] for pairs in (train, valid)]
    for name in walks[0][0]:
        found = [np.array([float(one[name] is not None) for one in pairs]) for pairs in walks]
        rows[name] = ([found[0]], found[1])
    for name, features in models.items():
        values = matrix(train, features)
        divided = [crossed(values, train.causal, seed) for seed in range(DIVISIONS)]
        rows[name] = (divided, predicted(matrix(valid, features), fit(values, train.causal)))
    for name, (divided, held) in rows.items():
        print(f"| {name} | {scores(divided, train.causal)} | {scores([held], valid.causal)} |")


def by_paths(store: GraphStore, cause: str, effect: str) -> list[float]:
    """Return the scores of the best paths of up to 1, 2 and 3 steps from cause to effect and back; 0 for none."""
    ends = [next((reading.concepts for reading in link_phrase(phrase, store)), ()) for phrase in (cause, effect)]
    found = []
    for sources, targets in (ends, ends[::-1]):
        for steps in (1, 2, 3):
            shared = set(sources) & set(targets)
            best = [] if shared else best_paths(store, sources, targets, steps, 1, DRIVING_LINKS)
            found.append(best[0].score if best else 0.0)
    return found


def ratios(features: PlausibilityFeatures) -> list[float]:
    """Return by how much either thing is more often a cause than an effect."""
    return [features.cause_as_cause - features.cause_as_effect, features.effect_as_cause - features.effect_as_effect]


def without_kinds(features: PlausibilityFeatures) -> list[float]:
    """Return only what the graph says."""
    return [features.cause_as_cause, features.cause_as_effect, features.effect_as_cause, features.effect_as_effect]


def one_of(noun: str) -> list[float]:
    """Return 1 for the kind of a noun and 0 for the others."""
    own = kind_of_noun(noun)
    return [float(kind == own) for kind in sorted(nouns_by_kind())]


def thinned(train: Pairs, valid: Pairs, looked_up: Callable[[str], RoleCounts], claims: int, weights: np.ndarray) -> None:
    """Print what the weights are worth where each claim was kept only with some chance: in a smaller graph of the same kind."""
    print("\n| claims kept | accuracy, first file | second | counts as they are: first | second | fitted anew: second |")
    print("|---|---|---|---|---|---|")
    phrases = sorted({phrase for pairs in (train, valid) for pair in pairs.phrases for phrase in pair})
    for share in THINNED:
        rows = []
        for seed in range(DIVISIONS):
            chance = np.random.default_rng(seed)
            left = {}
            for phrase in phrases:
                counts = looked_up(phrase)
                as_cause, as_effect = chance.binomial([int(counts.as_cause), int(counts.as_effect)], share).tolist()
                left[phrase] = RoleCounts(as_cause, as_effect, counts.happens)
            few = [matrix(pairs, within(left, int(claims * share))) for pairs in (train, valid)]
            same = [matrix(pairs, within(left, claims)) for pairs in (train, valid)]
            told = [predicted(values, weights) for values in (*few, *same)]
            told.append(predicted(few[1], fit(few[0], train.causal)))
            gold = (train, valid, train, valid, valid)
            rows.append([((one >= 0.5) == pairs.causal).mean() for one, pairs in zip(told, gold, strict=True)])
        print(f"| {share} | {' | '.join(f'{one:.3f}' for one in np.mean(rows, axis=0))} |")


def within(found: dict[str, RoleCounts], claims: int) -> Features:
    """Return what the features are where phrases have these places in a graph of so many claims."""
    return lambda cause, effect: plausibility_features(found[cause], found[effect], claims)


def asked(questions: Pairs, counted: Features, weights: np.ndarray) -> None:
    """Print what plausibility says of real questions: whether what is asked is so."""
    values, right = matrix(questions, counted), questions.causal
    print(f"\n{len(right)} questions, {right.mean():.3f} of them yes\n\n| told by | AUC | accuracy |\n|---|---|---|")
    print(f"| always yes | 0.500 | {accuracy(np.ones(len(right)), right)} |")
    rows = {"plausibility": predicted(values, weights), "fitted on them, cross-validated": crossed(values, right, 0)}
    for name, told in rows.items():
        print(f"| {name} | {area(told, right)} | {accuracy(told, right)} |")


def matrix(pairs: Pairs, features: Features) -> np.ndarray:
    """Return the features of pairs, a row each."""
    return np.array([features(*pair) for pair in pairs.phrases], dtype=float)


def fit(values: np.ndarray, causal: np.ndarray) -> np.ndarray:
    """Return the bias and the weights, for features as they are: ridge regression of the log-odds, by Newton's method."""
    middle, spread = values.mean(0), values.std(0) + 1e-9
    inputs = np.c_[np.ones(len(values)), (values - middle) / spread]
    penalty = np.full(inputs.shape[1], PENALTY)
    penalty[0] = 1e-3
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        likely = logistic(inputs @ weights)
        slope = inputs.T @ (causal - likely) - penalty * weights
        weights = weights + np.linalg.solve((inputs.T * (likely * (1 - likely))) @ inputs + np.diag(penalty), slope)
    plain = weights[1:] / spread
    result: np.ndarray = np.r_[weights[0] - plain @ middle, plain]
    return result


def predicted(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return how probably each pair is causal."""
    return logistic(weights[0] + values @ weights[1:])


def crossed(values: np.ndarray, causal: np.ndarray, seed: int) -> np.ndarray:
    """Return how probably each pair is causal by a model that has not seen it."""
    part = np.random.default_rng(seed).permutation(len(causal)) % PARTS
    told = np.zeros(len(causal))
    for one in range(PARTS):
        told[part == one] = predicted(values[part == one], fit(values[part != one], causal[part != one]))
    return told


def scores(divided: Sequence[np.ndarray], causal: np.ndarray) -> str:
    """Return accuracy and AUC with the intervals of the first division, and the calibration error: means over divisions."""
    hits = np.mean([(one >= 0.5) == causal for one in divided], axis=0)
    error = np.mean([expected_calibration_error(one.tolist(), causal.tolist()) for one in divided])
    return f"{bootstrap_mean(hits.tolist())} | {area(np.mean(divided, axis=0), causal)} | {error:.3f}"


def accuracy(told: np.ndarray, causal: np.ndarray) -> str:
    """Return the share of pairs that are told right, with its interval."""
    return str(bootstrap_mean(((told >= 0.5) == causal).astype(float).tolist()))


def area(told: np.ndarray, causal: np.ndarray) -> str:
    """Return the area under the ROC curve with its interval."""
    chance = np.random.default_rng(0)
    draws = [chance.integers(0, len(causal), len(causal)) for _ in range(1000)]
    low, high = np.quantile([auc(told[draw], causal[draw]) for draw in draws], (0.025, 0.975))
    return f"{auc(told, causal):.3f} [{low:.3f}, {high:.3f}]"


def calibration(told: np.ndarray, causal: np.ndarray) -> None:
    """Print for ranges of the probability how many pairs are causal."""
    for low in np.arange(0.0, 1.0, 0.2):
        inside = (told >= low) & (told < low + 0.2)
        print(f"| {low:.1f} | {int(inside.sum())} | {told[inside].mean():.2f} | {bootstrap_mean(causal[inside].tolist())} |")


def as_text(weights: np.ndarray) -> str:
    """Return the bias and the weights, a line each, and whether they are the shipped ones."""
    model = load_fitted_model(PLAUSIBILITY).logistic()
    shipped = np.array([model.bias, *(model.weights[name] for name in PlausibilityFeatures._fields)])
    lines = [f"{name:15} {weight:.3f}" for name, weight in zip(("bias", *PlausibilityFeatures._fields), weights, strict=True)]
    return "\n".join([*lines, *([] if np.abs(weights - shipped).max() < 0.002 else ["(the shipped weights are others)"])])


def write(weights: np.ndarray, divided: Sequence[np.ndarray], causal: np.ndarray) -> None:
    """Write the model with its cross-validated accuracy and AUC, means over the divisions."""
    bias, *rounded = (round(float(weight), 3) for weight in weights)
    metrics = {
        "accuracy": round(float(np.mean([(scores >= 0.5) == causal for scores in divided])), 3),
        "auc": round(auc(np.mean(divided, axis=0), causal), 3),
    }
    named = dict(zip(PlausibilityFeatures._fields, rounded, strict=True))
    made = load_fitted_model(PLAUSIBILITY)._replace(weights={"": named}, bias={"": bias}, metrics=metrics)
    write_fitted_model(fitted_model_path(PLAUSIBILITY), made)


if __name__ == "__main__":
    main()
