"""Singling out: what is told with numbers and is largest, first, above a bound, or whose."""

from __future__ import annotations

from kgqa.quantities.arithmetic import compared
from kgqa.quantities.model import Sort
from kgqa.quantities.writing import written
from kgqa.reading.reckoning.asked import Asked
from kgqa.reading.reckoning.events import events, most, told_of
from kgqa.reading.reckoning.labels import Labelled, lists
from kgqa.reading.reckoning.operands import Numbers, stems
from kgqa.reading.reckoning.result import Reckoned, spoken


def choice_of_events(asked: Asked, numbers: Numbers) -> Reckoned | None:
    """Answer "who kicked more field goals" and "who threw the longer pass" of two names."""
    found = events(asked.noun, numbers)
    sides = [[one for one in found if told_of(one, phrase)] for phrase in (asked.first[0], asked.second[0])]
    if not any(sides):
        return None
    asked_of = asked.noun.split()
    if any(word in asked_of for word in ("more", "most", "fewer", "fewest", "less", "least")):
        first, second = (len(side) for side in sides)
    else:
        pick = min if asked.least else max
        if not all(sides):
            return None
        first, second = (int(pick(one.measure.value for one in side)) for side in sides)
    if first == second:
        return None
    chosen = asked.first[0] if (first > second) != asked.least else asked.second[0]
    step = f"{asked.first[0]} {first}, {asked.second[0]} {second}: {chosen}"
    return spoken(chosen, numbers.text, 0.5, (step,))


def filtered(asked: Asked, numbers: Numbers) -> Reckoned | None:
    """Answer "which groups are larger than 20%" out of numbers that stand in a list, each with its label."""
    bound = Numbers(asked.bound).quantities
    if not bound:
        return None
    listed = [group for group in lists(numbers) if group[0].quantity.sort is bound[0].sort]
    longest = max(listed, key=len, default=[])
    group = longest if bound[0].sort is Sort.PERCENT else [one for group in listed for one in group]
    if len(group) < 3:
        return None
    sign = "<" if asked.least else ">"
    chosen = [one for one in group if one.label and compared(one.quantity, bound[0]) == (-1 if asked.least else 1)]
    if not chosen or len(chosen) == len(group):
        return None
    steps = tuple(f"{one.quantity.text} {sign} {written(bound[0])}: {one.label}" for one in chosen)
    return Reckoned(", ".join(one.label for one in chosen), 0.5, steps, chosen[0].start, chosen[0].end)


def extreme(asked: Asked, numbers: Numbers) -> Reckoned | None:
    """Answer which is the largest, the longest, the most or the first: a number, a label of a list, or a name."""
    asks_number = asked.noun.startswith("how")
    phrase = " ".join(asked.first)
    if not asks_number and asked.bound not in _IN_TIME:
        listed = _extreme_of_list(asked, numbers, phrase)
        if listed is not None:
            return listed
    found = events(phrase, numbers)
    by_name = asked.noun in ("who", "which", "whose")
    if not found or (by_name and ("team" in phrase or " for the " in phrase)):
        return None
    if asked.bound in ("most", "fewest", "least"):
        chief = most(found, least=asked.least) if by_name and "point" not in phrase else None
        if chief is None or asked.rank > 1:
            return None
        steps: tuple[str, ...] = (
            f"counted: {', '.join(f'{one.measure.text} {one.name}' for one in found)}",
            f"{chief[1]} of {chief[0].name}",
        )
        return Reckoned(chief[0].name, 0.5, steps, chief[0].start, chief[0].end)
    if not by_name and not asks_number and asked.noun != "what":
        return None
    if asked.bound in _IN_TIME:
        ordered = found if asked.bound in ("first", "opening") else found[::-1]
    else:
        ordered = sorted(found, key=lambda one: (one.measure.value, -one.measure.start), reverse=not asked.least)
    if len(ordered) < asked.rank:
        return None
    chosen = ordered[asked.rank - 1]
    steps = (f"of {', '.join(one.measure.text for one in found[:12])}: {chosen.measure.text}",)
    if asks_number or asked.noun == "what":
        shown = chosen.measure.text if asked.noun != "how many yards" else written(chosen.measure, unit=False)
        return Reckoned(shown, 0.5, steps, chosen.measure.start, chosen.measure.end)
    return Reckoned(chosen.name, 0.4, (*steps, f"told of: {chosen.name}"), chosen.start, chosen.end) if chosen.name else None


_IN_TIME = ("first", "opening", "last", "final")


def _extreme_of_list(asked: Asked, numbers: Numbers, phrase: str) -> Reckoned | None:
    """Answer "which group is the largest" out of numbers that stand in a list, each with its label."""
    groups = [group for group in lists(numbers) if len(group) >= 3 and all(one.label for one in group)]
    aged = "age" in phrase.split() or "age" in asked.noun
    groups = [group for group in groups if not aged or any(character.isdigit() for character in group[0].label)]
    if not groups or not (
        {"group", "percent", "popul", "raci", "rac", "ancestry", "ancestri", "ethnic"} & set(stems(f"{asked.noun} {phrase}"))
    ):
        return None
    group: list[Labelled] = max(groups, key=len)
    ordered = sorted(group, key=lambda one: one.quantity.value, reverse=not asked.least)
    if len(ordered) < asked.rank:
        return None
    chosen = ordered[asked.rank - 1]
    steps = (f"of {', '.join(f'{one.quantity.text} {one.label}' for one in group[:8])}: {chosen.quantity.text}",)
    return Reckoned(chosen.label, 0.5, steps, chosen.start, chosen.end)


def count(asked: Asked, numbers: Numbers) -> Reckoned | None:
    """Answer how many things of one name are told with a measure."""
    phrase = f"{asked.unit} {' '.join(asked.first)}"
    chosen = [one for one in events(phrase, numbers) if told_of(one, phrase)]
    if not chosen:
        return None
    steps = (f"counted: {', '.join(one.measure.text for one in chosen)} = {len(chosen)}",)
    return Reckoned(str(len(chosen)), 0.3, steps, chosen[0].measure.start, chosen[0].measure.end)
