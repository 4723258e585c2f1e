"""Three queries for an "if" question: all of it, its main clause, and the fact that its condition rests on (IfQA §4.5).

A question's condition is contrary to what the passage tells, and its main clause often names nothing that the passage does; so
each is looked for alone as well.
"""

from __future__ import annotations

from typing import NamedTuple

from kgqa.intervention.passages import queries as suppositions


class QueryVariants(NamedTuple):
    """What to look for: `main` and `factual` are empty where a question supposes nothing."""

    whole: str
    main: str = ""
    factual: str = ""


def query_variants(question: str) -> QueryVariants:
    """Return what to look for to answer a question."""
    whole, main, fact = suppositions.clause_queries(question)
    return QueryVariants(whole, "" if main == whole else main, "" if fact == whole else fact)
