"""Who is first after an edit: all values of one kind are ranked in the edited world ("which mountain would be the highest?")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.changes import MONEY_PATTERN, QuantityChange
from kgqa.intervention.passages.forms import ChangeKind
from kgqa.intervention.passages.holders import EntityValue, entity_values
from kgqa.intervention.passages.names import content_word_stems, stem_overlap
from kgqa.intervention.passages.orders import RequestedOrder, requested_order
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.words import passage_tokens
from kgqa.intervention.passages.world import convert_amount, plain_number_text
from kgqa.quantities.model import Quantity
from kgqa.quantities.reading import parse_quantities
from kgqa.quantities.units import unit_of

_GONE = re.compile(
    r"\b(?:vanish\w*|disappear\w*|collaps\w*|destroy\w*|demolish\w*|vapori[sz]\w*|withdr[ae]w\w*|disqualif\w*|dropped out|"
    r"ceas\w*|removed|excluded|gone)\b",
    re.IGNORECASE,
)


class EditedValue(NamedTuple):
    """What became of the value of one, by which edit; `value` is `None` for one that is gone."""

    value: Fraction | None
    edit: FactEdit


def solve_argmax(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the one that takes the place that is asked for, after the values of some were changed, set, or taken away."""
    order = requested_order(problem.conditional.main) if problem.answer_type is AnswerType.NAME else None
    if order is None:
        return
    question_stems = content_word_stems(problem.question) | order.stems
    wished = content_word_stems(problem.conditional.main) | order.stems
    best: tuple[tuple[int, int], EditSolution] | None = None
    for measure, there in entity_values(problem.passages, question_stems).items():
        if len(there) < 2 or not _is_requested_measure(measure, order, question_stems if problem.conditional.changes else wished):
            continue
        edited = dict(_value_edits(problem, measure, there))
        made = _solution_after_ranking(there, edited, order, measure) if edited else None
        key = (max(entity.fit for entity in edited), len(there)) if edited else (0, 0)
        if made is not None and (best is None or key > best[0]):
            best = key, made
    if best is not None:
        yield best[1]


def _is_requested_measure(measure: str, order: RequestedOrder, question_stems: frozenset[str]) -> bool:
    """Tell whether the order is one of this measure; what is counted must be said in the question."""
    sort, _, nouns = "percent percentage share vote".partition(" ") if measure == "percent" else measure.partition(" ")
    if order.row.measures and sort not in order.row.measures:
        return False
    return not nouns or bool(set(nouns.split()) & question_stems)


def _value_edits(problem: EditProblem, measure: str, there: Sequence[EntityValue]) -> Iterator[tuple[EntityValue, EditedValue]]:
    """Yield whose value the "if" changes, and to what."""
    conditional = problem.conditional
    changes = [candidate for candidate in conditional.changes if candidate.how in (ChangeKind.MORE, ChangeKind.TIMES)]
    for change in changes:
        before = max((candidate.end for candidate in conditional.changes if candidate.end <= change.start), default=0)
        candidate = _entity_named_in(there, conditional.clause[before : change.start])
        value = None if candidate is None else _changed_value(candidate, change, measure, conditional.clause)
        if candidate is not None and value is not None:
            scaled = change.how is ChangeKind.TIMES
            operation = EditOperation.SCALE if scaled else EditOperation.SHIFT
            edit = FactEdit(
                operation, f"{measure} of {candidate.name.text}", change.text, candidate.fact.text, change.amount, change.unit
            )
            yield candidate, EditedValue(value, edit)
    if conditional.changes:
        return
    candidate = _entity_named_in(there, conditional.clause)
    if candidate is None:
        return
    if conditional.negated or _GONE.search(conditional.clause):
        yield (
            candidate,
            EditedValue(None, FactEdit(EditOperation.REMOVE, f"{measure} of {candidate.name.text}", "", candidate.fact.text)),
        )
        return
    for quantity in parse_quantities(conditional.clause):
        value = (
            _stated_value(quantity, measure, conditional.clause)
            if isinstance(quantity, Quantity) and quantity.text not in candidate.name.text
            else None
        )
        if value is not None:
            yield (
                candidate,
                EditedValue(
                    value,
                    FactEdit(EditOperation.REPLACE, f"{measure} of {candidate.name.text}", quantity.text, candidate.fact.text),
                ),
            )


def _entity_named_in(there: Sequence[EntityValue], clause: str) -> EntityValue | None:
    """Return the one that a clause names."""
    subject = content_word_stems(clause)
    likeliest = max(there, key=lambda entity: (stem_overlap(entity.name.stems, subject), len(entity.name.stems & subject)))
    return likeliest if stem_overlap(likeliest.name.stems, subject) >= 0.5 else None


def _changed_value(entity: EntityValue, change: QuantityChange, measure: str, clause: str) -> Fraction | None:
    """Return a value after a change; `None` where the two do not measure the same."""
    if change.how is ChangeKind.TIMES:
        return entity.value * change.amount
    value = entity.fact.value
    assert isinstance(value, Quantity)
    if measure.startswith("count"):
        behind = {word.stem for word in passage_tokens(clause[change.start : change.end + 40])}
        return entity.value + change.amount if behind & set(measure.split()[1:]) else None
    unit = unit_of(change.unit) or unit_of(change.unit.split()[0]) if change.unit else None
    if measure not in ("money", "percent"):
        if unit is None or unit.measures != measure:
            return None
        slower = measure in ("time", "months") and re.search(r"\b(?:slower|faster)\b", change.text) is not None
        return entity.value + (-1 if slower else 1) * change.amount * unit.factor
    step = convert_amount(
        value, change.amount, "" if MONEY_PATTERN.search(clause) else change.unit, MONEY_PATTERN.search(clause) is not None
    )
    return None if step is None else entity.value + step


def _stated_value(quantity: Quantity, measure: str, clause: str) -> Fraction | None:
    """Return the value that an "if" gives, where it is of this measure."""
    if measure.startswith("count"):
        behind = {word.stem for word in passage_tokens(clause[quantity.end : quantity.end + 40])}
        return quantity.value if not quantity.unit and behind & set(measure.split()[1:]) else None
    unit = unit_of(quantity.unit) if quantity.unit else None
    if unit is None:
        return quantity.value if quantity.sort.value == measure else None
    return quantity.value * unit.factor if unit.measures == measure else None


def _solution_after_ranking(
    there: Sequence[EntityValue], edited: Mapping[EntityValue, EditedValue], order: RequestedOrder, measure: str
) -> EditSolution | None:
    """Return the one at the place that is asked for.

    `None` where there are too few, where another has the same value, or where one is taken away that was behind that place.
    """
    downwards = order.first_is_most(measure)
    before = sorted(there, key=lambda entity: entity.value, reverse=downwards)
    if any(made.value is None and before.index(entity) >= order.place for entity, made in edited.items()):
        return None
    values = [(edited[entity].value if entity in edited else entity.value, entity) for entity in there]
    left = [(value, entity) for value, entity in values if value is not None]
    left.sort(key=lambda pair: pair[0], reverse=downwards)
    if len(left) < order.place or sum(value == left[order.place - 1][0] for value, _ in left) > 1:
        return None
    first = left[order.place - 1][1]
    consequences = [
        f"{entity.name.text} {plain_number_text(entity.value / _unit_factor(entity))} → {_value_text(made.value, _unit_factor(entity))}"
        for entity, made in edited.items()
    ]
    consequences += [
        f"{entity.name.text} {_value_text(value, _unit_factor(entity))}"
        for value, entity in left[: order.place + 1]
        if entity not in edited
    ]
    sure = 0.9 if all(made.edit.operation is EditOperation.SHIFT for made in edited.values()) else 0.7
    script = EditScript(tuple(made.edit for made in edited.values()))
    return build_solution(
        first.name.text, first.passage, first.name.start, first.name.end, script, "compare", (sure,), ", ".join(consequences)
    )


def _unit_factor(entity: EntityValue) -> Fraction:
    """Return how many of the first unit of its measure the unit is in which a value is told."""
    value = entity.fact.value
    assert isinstance(value, Quantity)
    return entity.value / value.value if value.value else Fraction(1)


def _value_text(value: Fraction | None, factor: Fraction) -> str:
    return "gone" if value is None else plain_number_text(value / factor)
