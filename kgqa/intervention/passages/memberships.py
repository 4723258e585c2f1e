"""Members of a list that a passage tells name by name: how many there are with one more, or without one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.facts import stem_rarity
from kgqa.intervention.passages.names import content_word_stems, stem_overlap
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.supposition import ConditionalMood

_ITEM = r"(?:[^\W_][\w’'.\-]*)(?:\s[\w’'.&\-]+){0,5}?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s?,\s{_ITEM})+,?\s(?:and|or|as well as)\s{_ITEM}(?=[.,;:()]|\s(?:in|were|was|who|which|that|are)\b|$)"
)
_BREAK = re.compile(r"\s?,\s(?:and\s|or\s)?|\s(?:and|or|as well as)\s")
_HOW_MANY = re.compile(r"\b(?:how many|(?:number|total|count) of)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:join|add|includ|appoint|invit|becom|became)\w*", re.IGNORECASE)


def solve_member_count(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how many members a list has without the one that the "if" takes away, or with the one that it adds."""
    conditional = problem.conditional
    if (
        problem.answer_type is not AnswerType.NUMBER
        or conditional.changes
        or conditional.mood is ConditionalMood.OPEN
        or not _HOW_MANY.search(conditional.main)
    ):
        return
    clause_stems = content_word_stems(conditional.clause)
    weights = stem_rarity(problem.passages)
    best: tuple[float, EditSolution] | None = None
    for passage in problem.passages:
        for match in _LIST.finditer(passage.text):
            items = [item.strip() for item in _BREAK.split(match[0])]
            there = [item for item in items if _is_named_in_clause(item, clause_stems)]
            start = next((entry for entry, end in passage.sentences if entry <= match.start() < end), 0)
            near = sum(weights.get(entry, 0.0) for entry in clause_stems & content_word_stems(passage.text[start : match.end()]))
            if len(items) < 3:
                continue
            if conditional.negated and 0 < len(there) < len(items):
                count, operation, value = len(items) - len(there), EditOperation.REMOVE, ", ".join(there)
            elif not conditional.negated and not there and _JOINS.search(conditional.clause) and near:
                count, operation, value = len(items) + 1, EditOperation.ADD, conditional.clause
            else:
                continue
            edit = FactEdit(operation, f"members: {match[0]}", value, f"{len(items)} members")
            made = build_solution(
                str(count),
                passage,
                match.start(),
                match.end(),
                EditScript((edit,)),
                f"members: {operation.value}",
                (min(1.0, near / 2),),
                f"{len(items)} → {count}",
            )
            if best is None or near > best[0]:
                best = near, made
    if best is not None:
        yield best[1]


def _is_named_in_clause(item: str, clause_stems: frozenset[str]) -> bool:
    """Tell whether an item of a list is named in the "if"; the words before its name in the first item do not count."""
    own = content_word_stems(" ".join(item.split()[-2:]))
    return bool(own) and stem_overlap(own, clause_stems) == 1.0
