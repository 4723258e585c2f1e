"""Members of a list that a passage tells name by name: how many there are with one more, or without one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.facts import rarity
from kgqa.intervention.passages.names import alike, stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.supposition import Mood

_ITEM = r"(?:[^\W_][\w’'.\-]*)(?:\s[\w’'.&\-]+){0,5}?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s?,\s{_ITEM})+,?\s(?:and|or|as well as)\s{_ITEM}(?=[.,;:()]|\s(?:in|were|was|who|which|that|are)\b|$)"
)
_BREAK = re.compile(r"\s?,\s(?:and\s|or\s)?|\s(?:and|or|as well as)\s")
_HOW_MANY = re.compile(r"\b(?:how many|(?:number|total|count) of)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:join|add|includ|appoint|invit|becom|became)\w*", re.IGNORECASE)


def numbered(problem: Problem) -> Iterator[Solution]:
    """Yield how many members a list has without the one that the "if" takes away, or with the one that it adds."""
    asked = problem.asked
    if problem.sought is not Sought.NUMBER or asked.changes or asked.mood is Mood.OPEN or not _HOW_MANY.search(asked.main):
        return
    said = stems_of(asked.clause)
    weights = rarity(problem.passages)
    best: tuple[float, Solution] | None = None
    for passage in problem.passages:
        for found in _LIST.finditer(passage.text):
            items = [item.strip() for item in _BREAK.split(found[0])]
            there = [item for item in items if _is(item, said)]
            start = next((one for one, end in passage.sentences if one <= found.start() < end), 0)
            near = sum(weights.get(one, 0.0) for one in said & stems_of(passage.text[start : found.end()]))
            if len(items) < 3:
                continue
            if asked.negated and 0 < len(there) < len(items):
                count, operation, value = len(items) - len(there), Operation.REMOVE, ", ".join(there)
            elif not asked.negated and not there and _JOINS.search(asked.clause) and near:
                count, operation, value = len(items) + 1, Operation.ADD, asked.clause
            else:
                continue
            edit = Edit(operation, f"members: {found[0]}", value, f"{len(items)} members")
            made = solution(
                str(count),
                passage,
                found.start(),
                found.end(),
                Script((edit,)),
                f"members: {operation.value}",
                (min(1.0, near / 2),),
                f"{len(items)} → {count}",
            )
            if best is None or near > best[0]:
                best = near, made
    if best is not None:
        yield best[1]


def _is(item: str, said: frozenset[str]) -> bool:
    """Tell whether an item of a list is named in the "if"; the words before its name in the first item do not count."""
    own = stems_of(" ".join(item.split()[-2:]))
    return bool(own) and alike(own, said) == 1.0
