"""Fit and measure the order of lists (kgqa/answering/lists/list_ranking.py) on judged lists.

    python scripts/fit/fit_list_order.py [GRAPH]           # fit, and cross-validate beside the order by chance and by support
    python scripts/fit/fit_list_order.py [GRAPH] --write   # write kgqa/calibration/models/list_order.json, too

docs/judgements/list-items.tsv has the ratings of entries of lists of the starter graph, the default GRAPH: "main" is what an
encyclopedia would name. A logistic model of whether an entry is rated so is fitted by penalised likelihood and cross-validated in
ten parts with no concept in two of them; what is printed is how often an entry rated "main" stands before one of the same list
that is not.
"""

from __future__ import annotations

import argparse
import csv
import random
import zlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from fit_whether import fitted

from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.contracts import CAUSE, RESULT
from kgqa.answering.lists.list_ranking import LIST_ORDER, ListFeatures, list_features
from kgqa.answering.lists.listing import Listing, build_listing
from kgqa.calibration.linear_model import FittedModel, fitted_model_path, write_fitted_model
from kgqa.linking.concept_links import ConceptLink
from kgqa.settings import starter_graph

RATED = Path(__file__).parents[2] / "docs/judgements/list-items.tsv"
PARTS, PENALTY, SHOWN = 10, 1.0, 5
_CONTRACTS = {"causes": CAUSE, "effects": RESULT}

Ratings = dict[tuple[str, str], dict[str, str]]


def read_ratings() -> Ratings:
    """Return the rating of each entry of each list."""
    lists: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    with RATED.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            lists[row["side"], row["concept"]][row["entry"]] = row["rating"]
    return dict(lists)


def rated_listing(view: GraphView, side: str, concept: str) -> Listing | None:
    """Return the list of the causes or effects of a concept, as it was rated."""
    return build_listing(view, ConceptLink(concept, (concept,), 1.0, "exact"), _CONTRACTS[side], limit=100)


def features_of(graph: str, ratings: Ratings) -> tuple[np.ndarray, np.ndarray, list[tuple[str, str]]]:
    """Return the features of rated entries, whether each is rated "main", and the list that it stands in."""
    rows, main, lists = [], [], []
    with open_store(graph) as store:
        topology = store.topology()
        for (side, concept), rated in ratings.items():
            listing = rated_listing(store, side, concept)
            for part in listing.parts if listing else ():
                for name in part.listed_names:
                    if name.name in rated:
                        rows.append(list_features(name, topology, store, {concept}))
                        main.append(rated[name.name] == "main")
                        lists.append((side, concept))
    return np.array(rows, dtype=float), np.array(main, dtype=float), lists


def pairs_in_order(scores: np.ndarray, main: np.ndarray, lists: Sequence[tuple[str, str]]) -> tuple[float, float, float]:
    """Return the share of pairs of a list in the right order, of "main" among its first five, and of first entries."""
    members: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place, key in enumerate(lists):
        members[key].append(place)
    right = total = 0.0
    shown, first = [], []
    for places in members.values():
        good, other = (scores[[place for place in places if main[place] == value]] for value in (1, 0))
        right += float(((good[:, None] > other) + 0.5 * (good[:, None] == other)).sum())
        total += len(good) * len(other)
        if len(places) >= SHOWN:
            order = sorted(places, key=lambda place: -scores[place])
            shown.append(main[order[:SHOWN]].mean())
            first.append(main[order[0]])
    return right / total, float(np.mean(shown)), float(np.mean(first))


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the model, and print how well it and others order the lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", nargs="?", default=starter_graph())
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args(arguments)
    rows, rated, lists = features_of(options.graph, read_ratings())
    parts = np.array([zlib.crc32(concept.encode()) % PARTS for _, concept in lists])
    scores = np.zeros(len(rated))
    for part in range(PARTS):
        *weights, bias = fitted(rows[parts != part], rated[parts != part], PENALTY)
        scores[parts == part] = rows[parts == part] @ np.array(weights) + bias
    chance = random.Random(1)
    by_chance = np.array([chance.random() for _ in rated])
    print(f"{len(rated)} entries of {len(set(lists))} lists, {rated.mean():.3f} main\n")
    print("| order | pairs in order | main among the first five | first is main |\n|---|---|---|---|")
    named = [
        ("by chance", by_chance),
        ("by sources", rows[:, ListFeatures._fields.index("support")] + 0.01 * by_chance),
        ("fitted", scores),
    ]
    for name, values in named:
        print(f"| {name} | {' | '.join(f'{share:.3f}' for share in pairs_in_order(values, rated, lists))} |")
    *weights, bias = fitted(rows, rated, PENALTY)
    rounded = {name: round(float(weight), 3) for name, weight in zip(ListFeatures._fields, weights, strict=True)}
    print("".join(f"\n{name:12} {weight:+.3f}" for name, weight in rounded.items()))
    if options.write:
        metrics = {"pairs_in_order": round(pairs_in_order(scores, rated, lists)[0], 3)}
        facts = (
            "entries of lists of the starter graph: docs/judgements/list-items.tsv",
            "python scripts/fit/fit_list_order.py --write",
        )
        made = FittedModel(LIST_ORDER, {"": rounded}, {"": round(float(bias), 3)}, *facts, metrics)
        write_fitted_model(fitted_model_path(LIST_ORDER), made)


if __name__ == "__main__":
    main()
