"""The two forms of a metric: as its paper defines it, and as the code of its authors computes it."""

from __future__ import annotations

from typing import Literal, get_args

from kgqa.errors import MetricInvalid

Form = Literal["strict", "released"]
FORMS: tuple[Form, ...] = get_args(Form)


def is_released(form: str) -> bool:
    """Return whether the form is "released"; raise `MetricInvalid` where it is neither of the two."""
    if form not in FORMS:
        raise MetricInvalid(f"no form '{form}' of a metric: it is strict or released")
    return form == "released"
