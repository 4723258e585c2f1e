"""The three queries for the passages of an "if" question: the whole, the main clause, and the fact that the "if" rests on."""

from __future__ import annotations

from typing import NamedTuple

from kgqa.intervention.passages.extremes import exposure_process
from kgqa.intervention.passages.rewriting import plain_main_clause, presupposed_fact
from kgqa.intervention.passages.supposition import parse_conditional_clauses


class ClauseQueries(NamedTuple):
    """What to search for: the whole question, its main clause, and its presupposition as a fact.

    Where the question supposes nothing, the others are the whole as well.
    """

    whole: str
    main: str
    fact: str


def clause_queries(question: str) -> ClauseQueries:
    """Return the queries of a question.

    A process that reaches the most exposed first is a question for the quality that decides: "which country is flooded first?"
    for the lowest-lying country.
    """
    whole = " ".join(question.split())
    conditional = parse_conditional_clauses(question)
    if conditional is None:
        return ClauseQueries(whole, whole, whole)
    process = exposure_process(conditional.clause, conditional.main)
    if process is not None:
        sort = next((word for word in conditional.main.split() if word.lower() not in ("which", "what", "of", "the")), "")
        return ClauseQueries(whole, plain_main_clause(conditional.main), f"{process.decides} {sort} in the world")
    return ClauseQueries(whole, plain_main_clause(conditional.main), presupposed_fact(question) or whole)
