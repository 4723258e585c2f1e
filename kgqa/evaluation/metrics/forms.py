"""The two forms of a metric: as its paper defines it, and as the code of its authors computes it."""

from __future__ import annotations

from typing import Literal, get_args

from kgqa.errors import MetricInvalid

MetricForm = Literal["strict", "released"]
METRIC_FORMS: tuple[MetricForm, ...] = get_args(MetricForm)


def is_released_form(form: str) -> bool:
    """Return whether the form is "released"; raise `MetricInvalid` where it is neither of the two."""
    if form not in METRIC_FORMS:
        raise MetricInvalid(f"no form '{form}' of a metric: it is strict or released")
    return form == "released"
