"""Singling out: what is told with numbers and is largest, first, above a bound, or whose."""

from __future__ import annotations

from kgqa.quantities.arithmetic import compare_quantities
from kgqa.quantities.model import Sort
from kgqa.quantities.writing import format_quantity
from kgqa.reading.reckoning.asked import NumericQuestion
from kgqa.reading.reckoning.events import is_event_of, measured_events, most_frequent_event
from kgqa.reading.reckoning.labels import LabelledQuantity, labelled_lists
from kgqa.reading.reckoning.operands import PassageNumbers, operand_stems
from kgqa.reading.reckoning.result import NumericAnswer, answer_from_phrase


def choose_by_events(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer "who kicked more field goals" and "who threw the longer pass" of two names."""
    candidates = measured_events(question.noun, numbers)
    sides = [[event for event in candidates if is_event_of(event, phrase)] for phrase in (question.first[0], question.second[0])]
    if not any(sides):
        return None
    asked_of = question.noun.split()
    if any(word in asked_of for word in ("more", "most", "fewer", "fewest", "less", "least")):
        first, second = (len(side) for side in sides)
    else:
        pick = min if question.least else max
        if not all(sides):
            return None
        first, second = (int(pick(event.measure.value for event in side)) for side in sides)
    if first == second:
        return None
    chosen = question.first[0] if (first > second) != question.least else question.second[0]
    step = f"{question.first[0]} {first}, {question.second[0]} {second}: {chosen}"
    return answer_from_phrase(chosen, numbers.text, 0.5, (step,))


def filter_by_bound(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer "which groups are larger than 20%" out of numbers that stand in a list, each with its label."""
    bound = PassageNumbers(question.bound).quantities
    if not bound:
        return None
    listed = [group for group in labelled_lists(numbers) if group[0].quantity.sort is bound[0].sort]
    longest = max(listed, key=len, default=[])
    group = longest if bound[0].sort is Sort.PERCENT else [entry for group in listed for entry in group]
    if len(group) < 3:
        return None
    sign = "<" if question.least else ">"
    chosen = [
        entry for entry in group if entry.label and compare_quantities(entry.quantity, bound[0]) == (-1 if question.least else 1)
    ]
    if not chosen or len(chosen) == len(group):
        return None
    steps = tuple(f"{entry.quantity.text} {sign} {format_quantity(bound[0])}: {entry.label}" for entry in chosen)
    return NumericAnswer(", ".join(entry.label for entry in chosen), 0.5, steps, chosen[0].start, chosen[0].end)


def select_extreme(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer which is the largest, the longest, the most or the first: a number, a label of a list, or a name."""
    asks_number = question.noun.startswith("how")
    phrase = " ".join(question.first)
    if not asks_number and question.bound not in _ORDER_WORDS:
        listed = _select_extreme_of_list(question, numbers, phrase)
        if listed is not None:
            return listed
    candidates = measured_events(phrase, numbers)
    by_name = question.noun in ("who", "which", "whose")
    if not candidates or (by_name and ("team" in phrase or " for the " in phrase)):
        return None
    if question.bound in ("most", "fewest", "least"):
        chief = most_frequent_event(candidates, least=question.least) if by_name and "point" not in phrase else None
        if chief is None or question.rank > 1:
            return None
        steps: tuple[str, ...] = (
            f"counted: {', '.join(f'{event.measure.text} {event.name}' for event in candidates)}",
            f"{chief[1]} of {chief[0].name}",
        )
        return NumericAnswer(chief[0].name, 0.5, steps, chief[0].start, chief[0].end)
    if not by_name and not asks_number and question.noun != "what":
        return None
    if question.bound in _ORDER_WORDS:
        ordered = candidates if question.bound in ("first", "opening") else candidates[::-1]
    else:
        ordered = sorted(candidates, key=lambda event: (event.measure.value, -event.measure.start), reverse=not question.least)
    if len(ordered) < question.rank:
        return None
    chosen = ordered[question.rank - 1]
    steps = (f"of {', '.join(event.measure.text for event in candidates[:12])}: {chosen.measure.text}",)
    if asks_number or question.noun == "what":
        answer_text = chosen.measure.text if question.noun != "how many yards" else format_quantity(chosen.measure, unit=False)
        return NumericAnswer(answer_text, 0.5, steps, chosen.measure.start, chosen.measure.end)
    return NumericAnswer(chosen.name, 0.4, (*steps, f"told of: {chosen.name}"), chosen.start, chosen.end) if chosen.name else None


_ORDER_WORDS = ("first", "opening", "last", "final")


def _select_extreme_of_list(question: NumericQuestion, numbers: PassageNumbers, phrase: str) -> NumericAnswer | None:
    """Answer "which group is the largest" out of numbers that stand in a list, each with its label."""
    groups = [group for group in labelled_lists(numbers) if len(group) >= 3 and all(entry.label for entry in group)]
    aged = "age" in phrase.split() or "age" in question.noun
    groups = [group for group in groups if not aged or any(character.isdigit() for character in group[0].label)]
    if not groups or not (
        {"group", "percent", "popul", "raci", "rac", "ancestry", "ancestri", "ethnic"}
        & set(operand_stems(f"{question.noun} {phrase}"))
    ):
        return None
    group: list[LabelledQuantity] = max(groups, key=len)
    ordered = sorted(group, key=lambda entry: entry.quantity.value, reverse=not question.least)
    if len(ordered) < question.rank:
        return None
    chosen = ordered[question.rank - 1]
    steps = (f"of {', '.join(f'{entry.quantity.text} {entry.label}' for entry in group[:8])}: {chosen.quantity.text}",)
    return NumericAnswer(chosen.label, 0.5, steps, chosen.start, chosen.end)


def count_events(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer how many things of one name are told with a measure."""
    phrase = f"{question.unit} {' '.join(question.first)}"
    chosen = [event for event in measured_events(phrase, numbers) if is_event_of(event, phrase)]
    if not chosen:
        return None
    steps = (f"counted: {', '.join(event.measure.text for event in chosen)} = {len(chosen)}",)
    return NumericAnswer(str(len(chosen)), 0.3, steps, chosen[0].measure.start, chosen[0].measure.end)
