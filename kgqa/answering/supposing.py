"""An "if" over passages: what its edits come to and what a reader finds, in one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kgqa.model import Applied
from kgqa.reading.model import Candidate, Kind, Passage
from kgqa.reading.protocols import Charged, Reader
from kgqa.reading.tidying import compared

if TYPE_CHECKING:
    from kgqa.intervention.passages.problem import Solution

_SHOWN = 4


class Found(NamedTuple):
    """A candidate with the edits that lead to it; of a reader's there are none."""

    candidate: Candidate
    edits: tuple[Applied, ...] = ()
    rule: str = ""


def supposing(
    question: str, read: Sequence[Passage], candidates: Sequence[Candidate], reader: Reader | None, trace: list[str]
) -> list[Found]:
    """Return what the edits of an "if" come to and what the reader finds, each with how likely it is beside the others."""
    from kgqa.answering.competing import competed, is_settled
    from kgqa.intervention.passages.answering import worked_out
    from kgqa.intervention.passages.supposition import supposed

    outcome, asked = worked_out(question, read, candidates), supposed(question)
    if asked is None:
        trace.append(f"no edit of the passage: {outcome.why}")
        return []
    if outcome.solutions:
        told = listed([one.candidate for one in outcome.solutions])
        trace.append(f"the edits come to {told}; the first by {outcome.solutions[0].rule}")
    else:
        trace.append(f"no edit of the passage: {outcome.why}")
    if reader is None:
        return [Found(one.candidate, _applied(one), f"edit {one.rule}") for one in outcome.solutions]
    plain: Sequence[Candidate] = []
    if is_settled(asked, candidates, outcome.solutions):
        trace.append("not asked without its “if”: the edits are sure")
    elif not (outcome.solutions and isinstance(reader, Charged)):
        plain = _rewritten(question, read, reader, trace)
    there = {compared(one.text) for one in candidates}
    found = [Found(one, (), f"reader {reader.name}") for one in candidates if one.kind in (Kind.NULL, Kind.NUMBER)]
    for one in competed(asked, candidates, plain, outcome.solutions):
        if one.solution is not None:
            found.append(Found(one.candidate, _applied(one.solution), f"edit {one.solution.rule}"))
        else:
            without = "" if compared(one.candidate.text) in there else ", without the “if”"
            found.append(Found(one.candidate, (), f"reader {reader.name}{without}"))
    return found


def _applied(one: Solution) -> tuple[Applied, ...]:
    """Return the edits of a solution as an answer shows them."""
    return tuple(Applied(edit.operation, edit.target, edit.value, edit.former) for edit in one.script.edits)


def _rewritten(question: str, read: Sequence[Passage], reader: Reader, trace: list[str]) -> Sequence[Candidate]:
    """Return what the reader finds for the question without its "if"."""
    from kgqa.intervention.passages.rewriting import rewritten

    plain = rewritten(question)
    if not plain or compared(plain) == compared(question):
        return []
    candidates = reader.read(plain, read)
    trace.append(f"asked without its “if”, “{plain}”, the reader finds {listed(candidates) or 'no answer'}")
    return candidates


def listed(candidates: Sequence[Candidate]) -> str:
    """Return the candidates of a reader in a line."""
    return ", ".join(
        f"{'no answer' if one.kind is Kind.NULL else f'“{one.text}”'} ({one.score:.2f})" for one in candidates[:_SHOWN]
    )
