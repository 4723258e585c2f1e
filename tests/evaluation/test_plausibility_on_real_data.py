"""The weights of plausibility are those that its script fits, and tell pairs that it was not fitted on."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "fit"))

from fit_plausibility import fit, matrix, pairs_of, predicted

from graph.stores import open_store
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.evaluation.plausibility import (
    PLAUSIBILITY,
    PlausibilityFeatures,
    plausibility_features,
    role_counts,
)
from kgqa.settings import graph_url


def test_the_shipped_weights_are_those_of_the_fit(shared_data: Path) -> None:
    train, valid = (pairs_of("semeval-pairs", shared_data / "semeval_pairs" / f"{name}.csv") for name in ("train", "valid"))
    with open_store(graph_url(None)) as store:
        claims = store.stats().claims
        looked_up = cache(lambda phrase: role_counts(phrase, store))

        def counted(cause: str, effect: str) -> PlausibilityFeatures:
            return plausibility_features(looked_up(cause), looked_up(effect), claims)

        fitted = fit(matrix(train, counted), train.causal)
        told = predicted(matrix(valid, counted), fitted) >= 0.5
    model = load_fitted_model(PLAUSIBILITY).logistic()
    assert fitted.tolist() == pytest.approx([model.bias, *map(model.weights.get, PlausibilityFeatures._fields)], abs=0.03)
    assert (told == valid.causal).mean() >= 0.88
