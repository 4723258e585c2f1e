"""A multinomial logistic model over named features, read from a small file of weights.

The files of data/ are made by scripts/train_typology.py. The first line of one is JSON: the classes and their constants; each
other line is a feature, a tab, and the number and weight (in hundredths) of each class for which it has one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from kgqa.typology.vocabulary import read_question_data

_UNIT = 100


class LinearClassifier(NamedTuple):
    """The classes, their constants, and the weights of the features as the file has them."""

    classes: tuple[str, ...]
    constants: tuple[int, ...]
    weights: Mapping[str, str]

    def probabilities(self, features: Collection[str]) -> dict[str, float]:
        """Return the probability of each class."""
        sums = list(self.constants)
        for feature in features:
            for place, weight in _class_weights(self.weights.get(feature, "")):
                sums[place] += weight
        largest = max(sums)
        powers = [math.exp((value - largest) / _UNIT) for value in sums]
        total = sum(powers)
        return {name: power / total for name, power in zip(self.classes, powers, strict=True)}

    def contributions(self, features: Collection[str], name: str, rival: str) -> list[tuple[str, float]]:
        """Return the features that speak for the class `name` rather than `other`, with their log-odds, strongest first."""
        places = self.classes.index(name), self.classes.index(rival)
        differences: list[tuple[str, float]] = []
        for feature in features:
            weights = dict(_class_weights(self.weights.get(feature, "")))
            differences.append((feature, (weights.get(places[0], 0) - weights.get(places[1], 0)) / _UNIT))
        return sorted((entry for entry in differences if entry[1] > 0), key=lambda entry: (-entry[1], entry[0]))


@cache
def linear_classifier(name: str) -> LinearClassifier:
    """Read the model `name`, "semantic" or "pragmatic", once."""
    return parse_classifier(read_question_data(f"{name}.tsv"))


def parse_classifier(text: str) -> LinearClassifier:
    """Return the model of a file."""
    header, *lines = text.splitlines()
    row = json.loads(header)
    return LinearClassifier(tuple(row["classes"]), tuple(row["constants"]), dict(line.split("\t", 1) for line in lines))


@lru_cache(maxsize=1 << 12)
def _class_weights(line: str) -> tuple[tuple[int, int], ...]:
    """Return the places of the classes and their weights."""
    return tuple((int(place), int(weight)) for place, _, weight in (part.partition(":") for part in line.split()))
