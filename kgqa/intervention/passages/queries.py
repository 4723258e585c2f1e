"""The three queries for the passages of an "if" question: the whole, the main clause, and the fact that the "if" rests on."""

from __future__ import annotations

from typing import NamedTuple

from kgqa.intervention.passages.extremes import process_of
from kgqa.intervention.passages.rewriting import factual, plain_main
from kgqa.intervention.passages.supposition import supposed


class Queries(NamedTuple):
    """What to search for: the whole question, its main clause, and its presupposition as a fact.

    Where the question supposes nothing, the others are the whole as well.
    """

    whole: str
    main: str
    fact: str


def queries(question: str) -> Queries:
    """Return the queries of a question.

    A process that reaches the most exposed first is a question for the quality that decides: "which country is flooded first?"
    for the lowest-lying country.
    """
    whole = " ".join(question.split())
    asked = supposed(question)
    if asked is None:
        return Queries(whole, whole, whole)
    process = process_of(asked.clause, asked.main)
    if process is not None:
        sort = next((word for word in asked.main.split() if word.lower() not in ("which", "what", "of", "the")), "")
        return Queries(whole, plain_main(asked.main), f"{process.decides} {sort} in the world")
    return Queries(whole, plain_main(asked.main), factual(question) or whole)
