"""A question whose "if" takes something for so ("How come dogs bark if they are not scared?"): answered as it stands."""

from __future__ import annotations

import re
from dataclasses import replace

from kgqa.model import Answer, Missing
from kgqa.request import Answerer, Request

_IF = re.compile(r"\bif\b([^,?]*)", re.IGNORECASE)


def taken_for_so(answerer: Answerer) -> Answerer:
    """Return what answers a question and says that nothing was set in it: its "if" is not one that only supposes.

    The mood is a prior: whether what the question takes for granted is so is another matter, which is not looked at here.
    """

    def answer(request: Request) -> Answer:
        found = answerer(request)
        found_if = _IF.search(request.question)
        said = found_if[1].strip() if found_if else request.question
        mood = f"{request.kind.mood:.2f}" if request.kind.mood is not None else "unknown"
        step = f"the 'if' takes something for so and does not only suppose it (mood {mood}): no world was set"
        gap = Missing(f"whether it is so, as the question takes for granted: {said}", "ask that by itself")
        return replace(found, trace=(step, *found.trace), missing=(*found.missing, gap))

    return answer
