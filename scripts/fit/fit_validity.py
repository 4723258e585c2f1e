"""Fit and measure the model of which chains are valid (kgqa/answering/chains/chain_validity.py) on judged chains.

    python scripts/fit/fit_validity.py                          # fit, and cross-validate beside its baselines
    python scripts/fit/fit_validity.py --write                  # write kgqa/calibration/models/chain_validity.json, too
    python scripts/fit/fit_validity.py --graph GRAPH.kgqa       # look the features up again, in the graph the chains were
    drawn from

docs/judgements/paths-420.csv has the verdicts on chains drawn at random and on the best ones between what is asked for, by two
readers (a chain counts as valid where both say so), paths-300-development.csv those of one reader on chains that an earlier fit
would have shown; paths-150-shown.csv has those of one reader on chains that this fit shows, which it is not fitted on.
paths-junctions.csv beside them has the features of each junction of each chain, with the beliefs of its two
claims and the degree of its middle concept.

A chain is valid if its cause is passed on at every junction: the likelihood of a chain is the product of logistic models, one a
junction, all with the same weights. It is maximised by expectation-maximisation (whether a junction of a chain that is not valid
passes is not known), with a penalty on squared weights, features standardised. Cross-validation has ten parts, and no middle
concept in two of them (of a chain with two, the one that is met more often in the sample); six divisions are averaged.
"""

from __future__ import annotations

import argparse
import csv
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from share_text import share

from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY, Transitivity
from graph.model import Edge
from graph.stores import open_store
from kgqa.answering.chains.chain_validity import CHAIN_VALIDITY, Junction, junction_features
from kgqa.calibration.linear_model import fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.evaluation.metrics.score_intervals import wilson

FOLDER = Path(__file__).parents[2] / "docs/judgements"
JUDGED = [FOLDER / "paths-420.csv", FOLDER / "paths-300-development.csv"]
AFTERWARDS = FOLDER / "paths-150-shown.csv"
JUNCTIONS = FOLDER / "paths-junctions.csv"
DRAWN = ("asked", "random", "shown")
WANTED = 0.8
PENALTY = 5.0
PARTS, DIVISIONS = 10, 6
FEWEST = 20
_PLACE = ("id", "middle", "degree", "before", "after")


class Meeting(NamedTuple):
    """A junction of a judged chain: its middle concept, that one's degree, the beliefs before and after it, and its features."""

    middle: str
    degree: int
    before: float
    after: float
    features: Junction


class Chain(NamedTuple):
    """A judged chain."""

    drawn: str
    valid: bool
    meetings: tuple[Meeting, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the model and print its table, and how well it and others tell valid chains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judged", type=Path, nargs="+", default=JUDGED)
    parser.add_argument("--junctions", type=Path, default=JUNCTIONS)
    parser.add_argument("--graph", help="look the features up in this graph first")
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args(arguments)
    judged = [row for path in options.judged for row in rows_of(path)]
    if options.graph:
        look_up(judged + rows_of(AFTERWARDS), options.graph, options.junctions)
    chains = read(judged, options.junctions)
    valid = np.array([chain.valid for chain in chains], dtype=float)
    parts = [np.array([chain.drawn == drawn for chain in chains]) for drawn in DRAWN]
    print(f"{len(chains)} chains, {int(valid.sum())} valid\n")
    bias, *weights = fit(chains)
    print("".join(f"{name:12} {weight:.3f}\n" for name, weight in zip(Junction._fields, weights, strict=True)))
    print(f"bias         {bias:.3f}\n")
    print(f"| told by | AUC | {' | '.join(DRAWN)} | log loss | at precision .80 | recall | threshold |\n{'|---' * 9}|")
    scores = np.array([score(chain, DEFAULT_TRANSITIVITY) for chain in chains])
    beliefs = np.array([score(chain, Transitivity(1.0, 0.0, 1.0)) for chain in chains])
    hop, hub, unlike = fitted_factors(chains, valid)
    factors = np.array([score(chain, Transitivity(hop, hub, unlike)) for chain in chains])
    rate = np.full(len(chains), valid.mean())
    divided = [crossed(chains, seed) for seed in range(DIVISIONS)]
    rows: list[tuple[str, list[np.ndarray]]] = [
        ("always the same", [rate]), ("product of beliefs", [beliefs]), ("score of the path", [scores]),
        (f"score, factors fitted here ({hop}, {hub}, {unlike})", [factors]), ("validity, cross-validated", divided),
    ]  # fmt: skip
    for name, told in rows:
        print(line(name, told, valid, parts))
    print("\n| validity from | chains | mean | valid |\n|---|---|---|---|")
    mean = np.mean(divided, axis=0)
    if options.write:
        rounded = {name: round(float(weight), 3) for name, weight in zip(Junction._fields, weights, strict=True)}
        clipped = np.clip(divided, 1e-6, 1 - 1e-6)
        metrics = {
            "auc": round(float(np.mean([auc(scores, valid) for scores in divided])), 3),
            "log_loss": round(float(-(valid * np.log(clipped) + (1 - valid) * np.log(1 - clipped)).mean()), 3),
        }
        shipped = load_fitted_model(CHAIN_VALIDITY)
        made = shipped._replace(weights={"": rounded}, bias={"": round(float(bias), 3)}, metrics=metrics)
        write_fitted_model(fitted_model_path(CHAIN_VALIDITY), made)
    for low, high in pairwise((0.0, 0.1, 0.2, 0.4, 0.6, 1.01)):
        inside = (mean >= low) & (mean < high)
        count, total = int(valid[inside].sum()), int(inside.sum())
        least, most = wilson(count, total)
        print(f"| {low} | {total} | {mean[inside].mean():.2f} | {count / total:.2f} [{least:.2f}, {most:.2f}] |")
    print("\n| shown from | mean | valid, of chains judged after the fit |\n|---|---|---|")
    fresh = read(rows_of(AFTERWARDS), options.junctions)
    probabilities = predicted(fresh, shipped_weights())
    for threshold in (0.78, 0.8, 0.82, 0.86):
        count = sum(chain.valid for chain, probability in zip(fresh, probabilities, strict=True) if probability >= threshold)
        shown = probabilities[probabilities >= threshold]
        print(f"| {threshold} | {shown.mean():.2f} | {share(count, len(shown))} |")


def shipped_weights() -> np.ndarray:
    """Return the bias and the weights that are shipped, in the order of `Junction`."""
    model = load_fitted_model(CHAIN_VALIDITY).logistic()
    return np.array([model.bias, *(model.weights[name] for name in Junction._fields)])


def look_up(judged: Sequence[dict[str, str]], graph: str, kept: Path) -> None:
    """Write the features of the judged chains, looked up in a graph; ends the program where it lacks a claim."""
    chains = [row["id"].split("-") for row in judged]
    wanted = {claim for chain in chains for claim in chain}
    with open_store(graph) as store, kept.open("w", encoding="utf-8", newline="") as file:
        edges: dict[str, Edge] = {edge.claim.hash: edge for edge in store.edges() if edge.claim.hash in wanted}
        if wanted - edges.keys():
            raise SystemExit(f"{graph} lacks {len(wanted - edges.keys())} of {len(wanted)} claims of the judged chains")
        topology = store.topology()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*_PLACE, *Junction._fields))
        for chain in chains:
            for before, after in pairwise([edges[claim] for claim in chain]):
                number = topology.number(before.effect)
                degree = 0 if number is None else topology.degree(number)
                place = ("-".join(chain), before.effect, degree, f"{before.belief:.4f}", f"{after.belief:.4f}")
                writer.writerow((*place, *(f"{float(value):.4g}" for value in junction_features(before, after, topology))))


def read(judged: Sequence[dict[str, str]], kept: Path) -> list[Chain]:
    """Return the judged chains with their features."""
    meetings: dict[str, list[Meeting]] = defaultdict(list)
    for row in rows_of(kept):
        features = Junction(*(float(row[name]) for name in Junction._fields))
        numbers = int(row["degree"]), float(row["before"]), float(row["after"])
        meetings[row["id"]].append(Meeting(row["middle"], *numbers, features))
    said = [(row, {row["first"], row.get("second", row["first"])}) for row in judged]
    return [Chain(row["drawn"], verdicts == {"valid"}, tuple(meetings[row["id"]])) for row, verdicts in said]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fit(chains: Sequence[Chain]) -> np.ndarray:
    """Return the bias and the weights, for features as they are."""
    values = np.array([meeting.features for chain in chains for meeting in chain.meetings], dtype=float)
    owner = np.array([place for place, chain in enumerate(chains) for _ in chain.meetings])
    valid = np.array([chain.valid for chain in chains], dtype=float)
    middle, spread = values.mean(0), values.std(0) + 1e-9
    inputs = np.c_[np.ones(len(values)), (values - middle) / spread]
    penalty = np.full(inputs.shape[1], PENALTY)
    penalty[0] = 1e-3
    weights = np.zeros(inputs.shape[1])
    for _ in range(60):
        passed = logistic(inputs @ weights)
        whole = products(passed, owner, len(chains))
        expected = np.where(valid[owner] == 1, 1.0, (passed - whole[owner]) / np.maximum(1 - whole[owner], 1e-9))
        before = weights
        for _ in range(3):
            passed = logistic(inputs @ weights)
            slope = inputs.T @ (expected - passed) - penalty * weights
            curve = (inputs * (passed * (1 - passed))[:, None]).T @ inputs + np.diag(penalty)
            weights = weights + np.linalg.solve(curve, slope)
        if np.abs(weights - before).max() < 1e-5:
            break
    plain = weights[1:] / spread
    result: np.ndarray = np.r_[weights[0] - plain @ middle, plain]
    return result


def predicted(chains: Sequence[Chain], weights: np.ndarray) -> np.ndarray:
    """Return how probably each chain is valid."""
    values = np.array([meeting.features for chain in chains for meeting in chain.meetings], dtype=float)
    owner = np.array([place for place, chain in enumerate(chains) for _ in chain.meetings])
    return products(logistic(weights[0] + values @ weights[1:]), owner, len(chains))


def products(passed: np.ndarray, owner: np.ndarray, number: int) -> np.ndarray:
    """Return the product over the junctions of each of a number of chains."""
    logs = np.zeros(number)
    np.add.at(logs, owner, np.log(passed))
    return np.exp(logs)


def crossed(chains: Sequence[Chain], seed: int) -> np.ndarray:
    """Return how probably each chain is valid by a model that has seen no chain of its part."""
    met = Counter(meeting.middle for chain in chains for meeting in chain.meetings)
    middles = [max((meeting.middle for meeting in chain.meetings), key=lambda one: (met[one], one)) for chain in chains]
    sizes, loads, parts = Counter(middles), [0] * PARTS, {}
    for middle in sorted(sizes, key=lambda one: (-sizes[one], zlib.crc32(f"{seed}{one}".encode()))):
        parts[middle] = loads.index(min(loads))
        loads[parts[middle]] += sizes[middle]
    told = np.zeros(len(chains))
    for part in range(PARTS):
        outside = [chain for chain, middle in zip(chains, middles, strict=True) if parts[middle] != part]
        inside = [place for place, middle in enumerate(middles) if parts[middle] == part]
        told[inside] = predicted([chains[place] for place in inside], fit(outside))
    return told


def score(chain: Chain, transitivity: Transitivity) -> float:
    """Return the score that the search gives a chain."""
    found = chain.meetings[0].before
    for one in chain.meetings:
        found *= one.after * transitivity.of_degree(one.degree) * (transitivity.unlike if one.features.unlike else 1.0)
    return found


def fitted_factors(chains: Sequence[Chain], valid: np.ndarray) -> tuple[float, float, float]:
    """Return the factors of the score, of a grid, with which it tells valid chains best (AUC, on the very chains)."""
    grid = product((0.3, 0.5, 0.7, 0.85, 1.0), (0.0, 0.25, 0.5, 1.0), (0.1, 0.25, 0.5, 0.75, 1.0))
    return max(grid, key=lambda one: auc(np.array([score(chain, Transitivity(*one)) for chain in chains]), valid))


def line(name: str, told: Sequence[np.ndarray], valid: np.ndarray, parts: Sequence[np.ndarray]) -> str:
    """Return a row of the table: means over divisions, with a bootstrap interval for the AUC."""
    chance = np.random.default_rng(0)
    draws = [chance.integers(0, len(valid), len(valid)) for _ in range(1000)]
    low, high = np.quantile([auc(told[0][draw], valid[draw]) for draw in draws], (0.025, 0.975))
    areas = [np.mean([auc(one[part], valid[part]) for one in told]) for part in (np.ones(len(valid), dtype=bool), *parts)]
    sure = [np.clip(one, 1e-6, 1 - 1e-6) for one in told]
    loss = np.mean([-(valid * np.log(one) + (1 - valid) * np.log(1 - one)).mean() for one in sure])
    cuts = [cut(one, valid) for one in told]
    count, recall, least = np.mean(cuts, axis=0)
    shares = " | ".join(f"{area:.3f}" for area in areas[1:])
    at = f"{count:.0f} shown | {recall:.2f} | {least:.2f}" if min(one[0] for one in cuts) else "never | 0 | –"
    return f"| {name} | {areas[0]:.3f} [{low:.3f}, {high:.3f}] | {shares} | {loss:.3f} | {at} |"


def cut(told: np.ndarray, valid: np.ndarray) -> tuple[float, float, float]:
    """Return how many of the surest chains can be shown at the wanted precision, the recall then, and the threshold."""
    order = (-told).argsort(kind="stable")
    precision = np.cumsum(valid[order]) / np.arange(1, len(valid) + 1)
    good = np.flatnonzero((precision >= WANTED) & (np.arange(len(valid)) >= FEWEST - 1))
    if not len(good):
        return 0.0, 0.0, 1.0
    last = int(good[-1])
    return last + 1.0, float(valid[order][: last + 1].sum() / valid.sum()), float(told[order[last]])


def auc(told: np.ndarray, valid: np.ndarray) -> float:
    """Return the share of pairs of a valid and another chain in which the valid one is told more probable; ties count half."""
    _, places, counts = np.unique(told, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    right = valid.sum()
    return float((ranks[valid == 1].sum() - right * (right + 1) / 2) / (right * (len(valid) - right)))


def logistic(values: Iterable[float] | np.ndarray) -> np.ndarray:
    """Return probabilities from log-odds."""
    result: np.ndarray = 1 / (1 + np.exp(-np.asarray(values)))
    return result


if __name__ == "__main__":
    main()
