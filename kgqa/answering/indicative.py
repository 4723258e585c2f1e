"""A question whose "if" takes something for so ("How come dogs bark if they are not scared?"): answered as it stands."""

from __future__ import annotations

import re
from dataclasses import replace

from kgqa.model import Answer, MissingInformation
from kgqa.request import Answerer, Request

_IF_CLAUSE = re.compile(r"\bif\b([^,?]*)", re.IGNORECASE)


def answer_indicative(answerer: Answerer) -> Answerer:
    """Return what answers a question and says that nothing was set in it: its "if" is not one that only supposes.

    The mood is a prior: whether what the question takes for granted is so is another matter, which is not looked at here.
    """

    def answer(request: Request) -> Answer:
        result = answerer(request)
        match = _IF_CLAUSE.search(request.question)
        condition = match[1].strip() if match else request.question
        mood = f"{request.kind.mood:.2f}" if request.kind.mood is not None else "unknown"
        step = f"the 'if' takes something for so and does not only suppose it (mood {mood}): no world was set"
        gap = MissingInformation(f"whether it is so, as the question takes for granted: {condition}", "ask that by itself")
        return replace(result, trace=(step, *result.trace), missing=(*result.missing, gap))

    return answer
