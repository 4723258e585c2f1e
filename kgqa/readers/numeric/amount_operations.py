"""The operations on amounts: each proposes derivations, results with their operands, for what a question asks.

Remainders, sums, gaps, shares and multiples, prices and doses times counts, times of the day, and series of years.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, permutations

from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.units import unit_of
from kgqa.readers.numeric.amount_question import (
    KIND_AGREEMENT,
    SENTENCE_AGREEMENT,
    AmountKind,
    AmountQuestion,
    is_same_kind,
    is_same_noun,
    opposite_words,
    share_of_words,
    word_agreement,
)
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable, minutes_between
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.passage_tokens import content_lemmas, verb_lemma, years_in


@dataclass(frozen=True, slots=True)
class Derivation:
    """A result with its operands and its step.

    `share` (0..1) is how sure the operation itself is, `labels` has the words of the question that it accounts for by itself.
    What is `exhaustive` leaves out nothing that the passage says of its whole.
    """

    result: Quantity
    operands: tuple[AmountRow, ...]
    step: str
    share: float = 1.0
    labels: frozenset[str] = frozenset()
    exhaustive: bool = False


def _fits(question: AmountQuestion, row: AmountRow) -> bool:
    """Return whether a row can be an operand of what is asked: of the same measure, or of the noun that is counted."""
    if question.kind in (AmountKind.SHARE, AmountKind.RATIO):
        return row.measure not in ("percent", "clock") and row.quantity.value >= 1
    if "points" in question.cues:
        return row.measure == "percent"
    if question.kind is AmountKind.MEASURE or (
        question.kind is AmountKind.DIFFERENCE and not question.nouns and not question.unit
    ):
        barred = ("percent", "clock") if "slower" in question.cues else ("percent", "clock", "time")
        return row.measure not in barred and row.quantity.value >= 1
    return row.measure == question.measure and (row.quantity.value >= 1 or bool(row.measure))


def _comparable(question: AmountQuestion, row: AmountRow) -> bool:
    """Return whether a row can be added to or taken from another: it is no rate, unless the question asks for that."""
    derived = row.step and row.measure != "time"
    return _fits(question, row) and not derived and (not row.rate or row.rate in question.lemmas or row.rate in _PERIODS)


_PERIODS = frozenset(map(verb_lemma, "day week month year time season".split()))


def _with_value(row: AmountRow, value: Fraction) -> Quantity:
    return replace(row.quantity, value=value)


def _stated(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what the rest, a fraction or the amount before a change comes to, where its own clause says what is asked for."""
    kinds = (AmountKind.COUNT, AmountKind.MONEY, AmountKind.MEASURE, AmountKind.DURATION)
    if question.kind not in kinds or "daily" in question.cues:
        return
    for row in table.rows:
        if "negation" in question.cues and NUMERIC_CUES["question negation"].search(row.wording) is None:
            continue
        before = verb_lemma("before") in row.clause
        if row.step and _fits(question, row) and before == ("before" in question.cues):
            own = set(question.lemmas) - row.nouns - question.nouns
            opposed = "left" not in question.cues and part_polarity(question, row) is False
            is_said = any(word_agreement(lemma, row, table) >= KIND_AGREEMENT for lemma in own)
            if (is_said and not opposed) or "all but" in row.step:
                yield Derivation(row.quantity, (row,), "", 1.0)


def part_polarity(question: AmountQuestion, part: AmountRow) -> bool | None:
    """Return whether the clause of a part says what is asked for (`True`) or the opposite (`False`); `None` for neither."""
    words = set(question.lemmas) - question.nouns - part.nouns
    bare = {verb_lemma(match[1]) for match in re.finditer(r"\bun(\w{4,})", question.text)}
    clause = part.clause - part.nouns
    same = bool((words | bare) & clause) or any(words & side and clause & side for sides in opposite_words() for side in sides)
    opposed = any(
        (words & side and clause & second_row) or (words & second_row and clause & side) for side, second_row in opposite_words()
    )
    opposed = opposed and not bare & clause
    if "left" in question.cues and any(clause & sides[1] for sides in opposite_words()[:2]):
        opposed = True
    denied = ("negation" in question.cues) != bool(re.search(r"\b(?:not|never|no)\b|n['’]t\b", part.wording))
    if not same and not opposed:
        return None
    return denied is opposed


def _remainders(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose a whole without its stated parts: those that did not, those that are left."""
    if question.kind not in (AmountKind.COUNT, AmountKind.MONEY, AmountKind.MEASURE) or "total" in question.cues:
        return
    stated = {item.value for item in question.counts} & {row.quantity.value for row in table.rows}
    for whole in table.rows:
        if stated and whole.quantity.value not in stated:
            continue
        parts = [part for part in table.parts_of(whole) if part.measure == whole.measure] if _fits(question, whole) else []
        for part in parts:
            if part_polarity(question, part) is False and (part.quantity.value < whole.quantity.value):
                like = [second_row for second_row in parts if second_row.at == part.at and second_row.clause == part.clause] or [
                    part
                ]
                by_name = [words - whole.nouns for words in _coordinated(question.text)]
                if len(by_name) > 1 and all(len(words) == 1 for words in by_name) and len(like) < len(by_name):
                    continue
                yield _less(whole, like, 1.0 if whole.whole is None else 0.8)
    yield from _named_remainders(question, table)


def _less(whole: AmountRow, parts: Sequence[AmountRow], share: float) -> Derivation:
    value = whole.quantity.value - sum(part.quantity.value for part in parts)
    terms = " - ".join(row.quantity.text for row in (whole, *parts))
    return Derivation(_with_value(whole, value), (whole, *parts), f"{terms} = ", share if value > 0 else 0.0)


_ONCE = re.compile(r"\b(?:once|after|when|if|without|that|which|does|do|is|are|was|were)\b", re.IGNORECASE)


def _named_remainders(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what is left of an amount after those that the question names, or after all that was spent of it."""
    negated = "negation" in question.cues and question.kind is not AmountKind.COUNT
    if not ("left" in question.cues or negated):
        return
    ahead, _, behind = _split(question.text, _ONCE)
    by_name = set(content_lemmas(behind)) - set(content_lemmas(ahead))
    for whole in table.rows:
        if not _fits(question, whole) or whole.rate in ("each",):
            continue
        later = [row for row in table.rows if row.start != whole.start and row.measure == whole.measure and not row.step]
        later = [row for row in later if row.quantity.value < whole.quantity.value and abs(row.at - whole.at) <= 2]
        parts = [row for row in later if by_name & (row.clause | row.nouns) - whole.clause]
        if parts and not by_name <= whole.clause:
            yield _less(whole, parts, 1.0)
        spent = [row for row in later if row.start > whole.start and row.at - whole.at <= 1 and _is_spent(row)]
        if spent and "left" in question.cues:
            yield _less(whole, spent, 0.95)


_SPENDING = frozenset(map(verb_lemma, "spend pay lose give cost".split()))


def _is_spent(row: AmountRow) -> bool:
    return bool(_SPENDING & (row.clause | row.sentence))


def _split(text: str, pattern: re.Pattern[str]) -> tuple[str, str, str]:
    match = pattern.search(text, 8)
    return (text, "", "") if match is None else (text[: match.start()], match[0], text[match.end() :])


def _joined_in(rows: Sequence[AmountRow]) -> bool:
    return len({row.at for row in rows}) == 1


def _sums(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the sum of the amounts that a question names, or of those that one sentence lists."""
    if question.kind not in (AmountKind.COUNT, AmountKind.MONEY, AmountKind.MEASURE, AmountKind.DURATION):
        return
    phrases = _coordinated(question.text)
    if "total" not in question.cues and len(phrases) < 2:
        return
    rows = [row for row in table.rows if _comparable(question, row)]
    if len(phrases) > 1:
        yield from _sums_of_phrases(question, phrases, rows, table)
    if len(phrases) > 2:
        for made in _sums_of_phrases(question, phrases[1:], rows, table):
            if all(max(word_agreement(word, row, table) for row in made.operands) >= KIND_AGREEMENT for word in phrases[0]):
                yield made
    if "total" not in question.cues or len(phrases) > 1:
        return
    yield from _listed_sums(question, rows, table)


def _listed_sums(question: AmountQuestion, rows: Sequence[AmountRow], table: AmountTable) -> Iterator[Derivation]:
    """Propose the sums of the amounts that a sentence lists: as many as the question counts, else all of what it asks for."""
    count = next((int(item.value) for item in question.counts if 2 <= item.value <= 6), 0)
    labels = {lemma for item in question.counts for lemma in content_lemmas(question.text[item.end : item.end + 25])[:1]}
    own = set(question.lemmas) - question.nouns
    for at in sorted({row.at for row in rows}):
        here = [row for row in rows if row.at == at]
        here = [row for row in here if row.whole is None or not any(second_row.start == row.whole for second_row in here)]
        alike = [
            row for row in here if not question.nouns or question.nouns & row.nouns or is_same_kind(question.nouns, row.nouns)
        ]
        joints = [table.text[first.quantity.end : second.start] for first, second in pairwise(alike)]
        if (
            not joints
            or not re.search(r"\band\b|;|\bwhile\b", joints[-1])
            or any(re.fullmatch(r"\s?to ", joint) for joint in joints)
        ):
            joints = []
        is_said = any(
            word_agreement(lemma, row, table) >= SENTENCE_AGREEMENT or row.measure == "money" for lemma in own for row in alike
        )
        if not (count or is_said) or len({row.quantity.value for row in alike}) < len(alike):
            continue
        if joints and (len(alike) == count if count else len(alike) < 5):
            yield _added(alike, 0.95, frozenset(labels))
        more = re.search(r"\b(?:two|three|four|five|six) (?:more|others?|further)\b", table.text[slice(*table.sentences[at])])
        if more is not None and len(alike) == 1:
            total = alike[0].quantity.value + 1
            yield Derivation(_with_value(alike[0], total), tuple(alike), f"1 + {alike[0].quantity.text} = ", 0.9)


def _added(rows: Sequence[AmountRow], share: float, labels: frozenset[str] = frozenset()) -> Derivation:
    rows = sorted(rows, key=lambda row: row.start)
    total = sum((row.quantity.value for row in rows), Fraction(0))
    like = max(rows, key=lambda row: (bool(row.quantity.unit), "," in row.quantity.text))
    ordered = (like, *(row for row in rows if row is not like))
    return Derivation(_with_value(like, total), ordered, f"{' + '.join(row.quantity.text for row in rows)} = ", share, labels)


_AND = re.compile(r",?\s(?:and|or)\s|,\s")


def _coordinated(text: str) -> list[frozenset[str]]:
    """Return the content words beside each "and" of a question: those nearest to it, one set for each of what is joined."""
    pieces = _AND.split(NUMERIC_CUES["cue words"].sub(" ", text))
    if len(pieces) < 2:
        return []
    sets = [content_lemmas(pieces[0])[-2:], *(content_lemmas(piece)[:2] for piece in pieces[1:])]
    return [frozenset(words) for words in sets if words]


def _sums_of_phrases(
    question: AmountQuestion, phrases: Sequence[frozenset[str]], rows: Sequence[AmountRow], table: AmountTable
) -> Iterator[Derivation]:
    chosen: list[AmountRow] = []
    for place, words in enumerate(phrases):
        others = frozenset().union(*phrases[:place], *phrases[place + 1 :])
        own = words - others - {verb_lemma("money")}
        fit = [(max((word_agreement(word, row, table) for word in own), default=0.0), row) for row in rows if row not in chosen]
        best = max((value for value, _ in fit), default=0.0)
        if best < KIND_AGREEMENT:
            return
        picked = [row for value, row in fit if value == best]
        if len(picked) > 1 and not (_joined_in(picked) and len({row.wording for row in picked}) == 1):
            return
        chosen += picked
    if len(chosen) > 1 and len({row.measure for row in chosen}) == 1:
        share = 1.0 if "total" in question.cues else 0.9
        yield _added(chosen, share)


_THAN = re.compile(r"\bthan\b|\bcompared (?:to|with)\b|\bexceed\w*\b|\boutnumber\w*\b|\band\b", re.IGNORECASE)


def _differences(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the gap of two amounts: of both sides of a "than", of the highest and the lowest, of two times, of a change."""
    if "total" in question.cues:
        return
    if question.kind is not AmountKind.DIFFERENCE and not (question.kind is AmountKind.COUNT and len(question.years) == 2):
        return
    rows = [row for row in table.rows if _comparable(question, row)]
    if _HIGHEST.search(question.text) and _LOWEST.search(question.text):
        yield from _ranges(rows)
        return
    left, joint, right = _split(question.text, _THAN)
    sides = set(content_lemmas(left)), set(content_lemmas(right))
    years = question.years
    for first, second in permutations(rows, 2):
        if not _are_alike(first, second) or first.quantity.value <= second.quantity.value:
            continue
        if len(years) == 2:
            if first.years & years and second.years & years and first.years & years != second.years & years:
                yield _gap(first, second, 1.0)
        elif joint:
            own = (sides[0] - sides[1]) & set(question.lemmas), sides[1] - sides[0]
            straight = share_of_words(own[0], first, table) + share_of_words(own[1], second, table)
            crossed = share_of_words(own[0], second, table) + share_of_words(own[1], first, table)
            flow = 0.5 if first.flow or second.flow else 1.0
            if abs(straight - crossed) > 0.1 or (first.at == second.at and max(straight, crossed) > 0.9):
                yield _gap(first, second, flow * (0.85 + min(0.15, abs(straight - crossed) / 5)))
        elif first.at == second.at and (_is_change(table, first, second) or _is_pair(question, table, first, second)):
            yield _gap(first, second, 0.85 if any(item.value > 2 for item in question.counts) else 1.0)


_HIGHEST = re.compile(r"\b(?:highest|largest|biggest|most|longest|oldest)\b")
_LOWEST = re.compile(r"\b(?:lowest|smallest|least|shortest|youngest|fewest)\b")
_EXTREMES = frozenset(map(verb_lemma, "highest largest biggest most longest lowest smallest least shortest exceed".split()))


def _ranges(rows: Sequence[AmountRow]) -> Iterator[Derivation]:
    """Propose the gap between the highest and the lowest amount of one unit in two sentences that follow each other."""
    for at in sorted({row.at for row in rows}):
        near = [row for row in rows if 0 <= row.at - at <= 1 and row.measure]
        if len(near) > 1 and len({row.quantity.unit for row in near}) == 1:
            ordered = sorted(near, key=lambda row: row.quantity.value)
            yield _gap(ordered[-1], ordered[0], min(1.0, 0.95 + 0.01 * len(near)), _EXTREMES)


def _are_alike(first: AmountRow, second: AmountRow) -> bool:
    """Return whether two amounts can be compared: of one measure, one currency, and not far apart."""
    currency = first.measure != "money" or first.quantity.unit == second.quantity.unit
    return first.measure == second.measure and currency and abs(first.at - second.at) <= 3


def _is_change(table: AmountTable, first: AmountRow, second: AmountRow) -> bool:
    before, after = sorted((first, second), key=lambda row: row.start)
    between = table.text[before.quantity.end : after.start]
    ahead = table.text[max(0, before.start - 12) : before.start]
    return re.fullmatch(r"(?:\s\w+){0,2}\s?to ", between) is not None and bool(re.search(r"\bfrom (?:about )?$", ahead))


def _is_pair(question: AmountQuestion, table: AmountTable, first: AmountRow, second: AmountRow) -> bool:
    """Return whether a question of a difference is of two numbers that stand together: "aged 28 and 43"."""
    before, after = sorted((first, second), key=lambda row: row.start)
    return "difference" in question.text and table.text[before.quantity.end : after.start] == " and "


def _gap(first: AmountRow, second: AmountRow, share: float, labels: frozenset[str] = frozenset()) -> Derivation:
    value = first.quantity.value - second.quantity.value
    unit = unit_of(first.quantity.unit) if first.quantity.unit else None
    other_unit = unit_of(second.quantity.unit) if second.quantity.unit else None
    if unit is not None and other_unit is not None and unit.measures == other_unit.measures:
        value = first.quantity.value - second.quantity.value * other_unit.factor / unit.factor
    return Derivation(
        _with_value(first, value),
        (first, second),
        f"{first.quantity.text} - {second.quantity.text} = ",
        share if value > 0 else 0.0,
        labels,
    )


def _shares(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the share of a part in a whole, and how many times as much a thing is as another."""
    if question.kind not in (AmountKind.SHARE, AmountKind.RATIO):
        return
    rows = [row for row in table.rows if _fits(question, row) and not row.step and not row.flow]
    match = re.search(
        r"\bof (?P<whole>.+?) (?P<part>(?:is|was|were|are|came|come|went|go|did|do|does|had|has|[a-z]+ed)\b.*)", question.text
    )
    for part, whole in permutations(rows, 2):
        if not _are_alike(part, whole) or part.quantity.value >= whole.quantity.value:
            continue
        kinds = part.nouns & whole.nouns or is_same_kind(part.nouns, whole.nouns) or is_same_kind(whole.nouns, part.nouns)
        if not (part.measure or kinds or part.whole == whole.start):
            continue
        ratio = part.quantity.value / whole.quantity.value
        if question.kind is AmountKind.RATIO:
            words = content_lemmas(question.text)
            if (2 / ratio).denominator == 1 and min(share_of_words(words, row, table) for row in (part, whole)) >= 0.2:
                yield Derivation(Quantity(1 / ratio), (whole, part), f"{whole.quantity.text} / {part.quantity.text} = ", 0.95)
        elif part.whole in (None, whole.start) and whole.whole is None and (ratio * 1000).denominator == 1:
            share = (
                _share_of_sides(question, part, whole, table)
                if match is None
                else _share_of_sides(question, part, whole, table, match["part"], match["whole"])
            )
            made = Quantity(ratio * 100, Sort.PERCENT, "%")
            yield Derivation(made, (part, whole), f"{part.quantity.text} / {whole.quantity.text} = ", share)


def _share_of_sides(
    question: AmountQuestion, part: AmountRow, whole: AmountRow, table: AmountTable, of_part: str = "", of_whole: str = ""
) -> float:
    """Return how sure a share is: by what the question says of the part and of the whole; 0 where the years are others."""
    years = question.years
    if len(years) == 2 and not (part.years & years and whole.years & years):
        return 0.0
    in_part, in_whole = set(content_lemmas(of_part)), set(content_lemmas(of_whole))
    if not in_whole:
        return 1.0
    return 0.6 + 0.2 * (share_of_words(in_whole - in_part, whole, table) + share_of_words(in_part - in_whole, part, table))


def _products(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the price or the content of as many as are asked for, of a day, or of the whole of what is counted."""
    if question.kind not in (AmountKind.COUNT, AmountKind.MONEY, AmountKind.MEASURE):
        return
    for row in table.rows:
        if row.step or not _fits(question, row):
            continue
        if row.rate:
            yield from _rate_products(question, row, table)
        if "daily" in question.cues:
            yield from _daily(question, row, table)
        yield from _scaled(question, row, table)


def count_noun(text: str, item: Quantity) -> str:
    """Return the stem of the noun behind a number of a question, empty without one."""
    behind = content_lemmas(text[item.end : item.end + 30])
    return behind[0] if behind else ""


def _rate_products(question: AmountQuestion, row: AmountRow, table: AmountTable) -> Iterator[Derivation]:
    for item in question.counts:
        noun = count_noun(question.text, item)
        fits = is_same_noun(noun, (row.rate,)) or (row.rate == "each" and (_near(noun, row, table)))
        if fits and item.value > 1 and not (question.nouns and not question.nouns & row.nouns):
            value = row.quantity.value * item.value
            yield Derivation(
                _with_value(row, value), (row,), f"{item.text.split()[0]} x {row.quantity.text} = ", 1.0, frozenset({noun})
            )
    others = [
        second_row
        for second_row in table.rows
        if not second_row.measure and not second_row.step and second_row.start != row.start
    ]
    for second_row in others:
        by_name = row.rate in second_row.nouns and set(question.lemmas) & second_row.clause - {row.rate} - row.clause
        each = row.rate == "each" and second_row.at == row.at and second_row.start < row.start and "total" in question.cues
        if (by_name or each) and not question.counts and abs(second_row.at - row.at) <= 1 and second_row.quantity.value > 1:
            value = row.quantity.value * second_row.quantity.value
            yield Derivation(
                _with_value(row, value), (row, second_row), f"{second_row.quantity.text} x {row.quantity.text} = ", 1.0
            )


_PAIRS = frozenset(map(verb_lemma, "nostril eye ear hand foot".split()))


def _near(noun: str, row: AmountRow, table: AmountTable) -> bool:
    return word_agreement(noun, row, table) > 0.0


def _daily(question: AmountQuestion, row: AmountRow, table: AmountTable) -> Iterator[Derivation]:
    """Propose the amount of a day: "two 5 ml spoonfuls four times a day"."""
    begin, end = table.sentences[row.at]
    times = NUMERIC_CUES["times a day"].search(table.text, row.quantity.end, end)
    if times is None or re.search(r"\d|;", table.text[row.quantity.end : times.start()]):
        return
    word = (times["n"] or "once").lower()
    number = {"once": 1, "twice": 2}.get(word) or next(
        (int(item.quantity.value) for item in table.rows if times.start() <= item.start < times.end()), 0
    )
    before = next((item for item in table.rows if item.quantity.end + 1 == row.start and not item.measure), None)
    several = before.quantity.value if before is not None else Fraction(1)
    pairs = 2 if row.rate in _PAIRS else 1
    label = table.text[begin : row.start]
    labels = frozenset(content_lemmas(label[: label.find(":")])) if ":" in label else frozenset()
    label_fit = 1.0 if not labels or labels & set(question.lemmas) else 0.7
    value = row.quantity.value * several * number * pairs
    terms = " x ".join(
        filter(None, (before.quantity.text if before else "", row.quantity.text, "2" if pairs == 2 else "", str(number)))
    )
    known = frozenset(map(verb_lemma, "day daily take use takes uses dose following leaflet".split()))
    yield Derivation(_with_value(row, value), (row, *([before] if before else [])), f"{terms} = ", label_fit, known)


def _scaled(question: AmountQuestion, row: AmountRow, table: AmountTable) -> Iterator[Derivation]:
    """Propose an amount for another number of things, or for one: "for two loaves 900 grams", "62 kilometres for €31 million"."""
    singular = re.search(r"\b(?:an?|one|each|every)(?: of the \w+)? (?P<thing>[a-z]+)", question.text[8:])
    wants = [(item.value, count_noun(question.text, item), item.text.split()[0]) for item in question.counts]
    if singular is not None:
        wants.append((Fraction(1), verb_lemma(singular["thing"]), "1"))
    for number, noun, text in wants:
        for base in table.rows:
            if base.at != row.at or base.start == row.start or not noun or base.step or base.quantity.value in (0, number):
                continue
            unit = verb_lemma(base.quantity.unit) if base.quantity.unit else ""
            made_for = re.search(r"\b[Ff]or (?:about )?$", table.text[max(0, base.start - 10) : base.start])
            costs = (
                re.search(r"\bcost\b", table.text[slice(*table.sentences[row.at])]) and row.measure == "money" and not row.rate
            )
            equal = re.search(r"\bequal\b", table.text[base.quantity.end : base.quantity.end + 8])
            if (noun == unit or is_same_noun(noun, base.nouns) or equal) and (made_for or (number == 1 and (costs or equal))):
                value = row.quantity.value * number / base.quantity.value
                step = f"{row.quantity.text} x {text} / {base.quantity.text} = "
                yield Derivation(_with_value(row, value), (row,), step, 1.0, frozenset({noun}))


def _times(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the time between two times of the day, and a time of the day so much earlier or later."""
    clocks = [row for row in table.rows if row.measure == "clock"]
    if question.kind is AmountKind.DURATION and question.unit in ("", "minutes", "hours"):
        for first, last in pairwise(clocks):
            if first.at == last.at or (last.at - first.at == 1 and "late" in question.cues):
                yield from _elapsed_clock(question, first, last, table)
    if question.kind is AmountKind.CLOCK:
        for row in table.rows:
            if row.measure == "time" and row.quantity.unit.rstrip("s") in ("minute", "hour"):
                yield from _shifted_clocks(question, row, [clock for clock in clocks if abs(clock.at - row.at) <= 1], table)


_LATE = re.compile(r"\b(?:until|late|waited|instead of|put back|postponed)\b")
_ENDS = re.compile(r"\b(?:out|end\w*|finish\w*|over|stop\w*|reach\w*|arriv\w*)\b")
_JOURNEYS = frozenset(map(verb_lemma, "journey trip whole delayed late train coach take last boat wait ride".split()))


def _minutes(row: AmountRow) -> Fraction:
    unit = unit_of(row.quantity.unit)
    return row.quantity.value * (unit.factor if unit is not None else 60) / 60


def _elapsed_clock(question: AmountQuestion, first: AmountRow, last: AmountRow, table: AmountTable) -> Iterator[Derivation]:
    """Propose the time between two times of a sentence that tells a journey, or a delay; without stops where that is asked."""
    wording = table.text[slice(*table.sentences[first.at])]
    late = _LATE.search(wording) is not None
    if ("late" in question.cues) != late or not (late or NUMERIC_CUES["from start to end"].search(wording)):
        return
    value = minutes_between(first, last)
    if "apart" in question.cues:
        value -= sum(_minutes(row) for row in table.rows if row.at == first.at and row.measure == "time")
    step = f"{last.quantity.text} - {first.quantity.text} = "
    yield Derivation(Quantity(value, Sort.DURATION, "minutes"), (first, last), step, 1.0, _JOURNEYS)


def _shifted_clocks(
    question: AmountQuestion, row: AmountRow, clocks: Sequence[AmountRow], table: AmountTable
) -> Iterator[Derivation]:
    """Propose when something was due that was so much late, and when something ended that took so long."""
    late = re.match(r"\s\w{0,3}\s?late\b", table.text[row.quantity.end :]) or table.text[row.quantity.end :].startswith(" late")
    for clock in clocks:
        if late and "late" in question.cues and row.at == clock.at:
            sign = -1
        elif not late and "late" not in question.cues and _ENDS.search(question.text):
            sign = 1
        else:
            continue
        value = clock.quantity.value + sign * _minutes(row)
        step = f"{clock.quantity.text} {'-' if sign < 0 else '+'} {row.quantity.text} = "
        yield Derivation(replace(clock.quantity, value=value), (clock, row), step, 1.0)


def _series(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the next year of a series, and the year so many years before an end that a clause gives."""
    if question.kind is AmountKind.YEAR or re.match(r"when (?:will|did|does|was)\b", question.text, re.IGNORECASE):
        yield from _next_of_series(question, table)
        for row in table.rows:
            years = row.quantity if row.measure == "time" and row.quantity.unit.startswith("year") else None
            if years is None:
                continue
            begin, end = table.sentences[row.at]
            sentence = table.text[begin:end]
            by_name = sorted(map(int, years_in(sentence)))
            if "next" in question.cues and by_name and re.search(r"\b(?:once (?:in|every)|every)\b", sentence):
                made = Quantity(by_name[-1] + years.value, Sort.YEAR)
                yield Derivation(made, (row,), f"{by_name[-1]} + {years.text} = ", 1.0, frozenset(map(str, by_name)))
            after = re.search(r"\b(?:finish\w*|complet\w*|opened|ended) in (\d{4}),? after $", sentence[: row.start - begin])
            if "begun" in question.cues and after is not None:
                made = Quantity(int(after[1]) - years.value, Sort.YEAR)
                yield Derivation(made, (row,), f"{after[1]} - {years.text} = ", 1.0, frozenset({verb_lemma("begun")}))


def _next_of_series(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the next year of what happens "every third year", from the last that the passage names."""
    for match in NUMERIC_CUES["every year"].finditer(table.text) if "next" in question.cues else ():
        at = next(place for place, (begin, end) in enumerate(table.sentences) if begin <= match.start() < end)
        begin, end = table.sentences[at]
        by_name = list(map(int, years_in(table.text[begin:end])))
        if by_name:
            word = match["n"].lower()
            step = 2 if word == "other" else int(BELOW_HUNDRED[ORDINALS[word]])
            words = frozenset(content_lemmas(table.text[begin:end]))
            made = Quantity(Fraction(by_name[-1] + step), Sort.YEAR)
            row = AmountRow(made, frozenset(), words, words, at, table.text[begin:end])
            yield Derivation(made, (replace(row, step=match[0]),), f"{by_name[-1]} + {step} = ", 1.0)


def _means(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the mean of what is counted, "60 catches for 1,010 yards", and the number of so many areas of a density."""
    if question.kind is not AmountKind.COUNT:
        return
    for count, total in pairwise(table.rows) if "mean" in question.cues else ():
        between = table.text[count.quantity.end : total.start]
        is_of_unit = bool(total.quantity.unit) and verb_lemma(total.quantity.unit) in content_lemmas(question.text)
        if is_of_unit and not count.measure and count.at == total.at and _FOR.fullmatch(between):
            value = round(total.quantity.value / (count.quantity.value or Fraction(1)), 2)
            step = f"{total.quantity.text} / {count.quantity.text} = "
            yield Derivation(
                replace(total.quantity, value=value, unit=""),
                (total, count),
                step,
                1.0,
                frozenset(content_lemmas(between)) | _MEAN,
            )
    for area in NUMERIC_CUES["asks area"].finditer(question.text):
        for row in table.rows:
            if not row.measure and _DENSITY.match(table.text, row.quantity.end):
                value = row.quantity.value * int(area["n"])
                step = f"{area['n']} x {row.quantity.text} = "
                yield Derivation(_with_value(row, value), (row,), step, 1.0, frozenset(content_lemmas(question.text)))


_FOR = re.compile(r"\s[a-z]+ for (?:a total of )?")
_DENSITY = re.compile(r"\s(?:\w+ )?per square (?:mile|kilomet(?:re|er))\b")
_MEAN = frozenset(map(verb_lemma, "average mean reception catch long decimal place yards".split()))


OPERATIONS: tuple[Callable[[AmountQuestion, AmountTable], Iterator[Derivation]], ...] = (
    _stated,
    _remainders,
    _sums,
    _differences,
    _shares,
    _products,
    _times,
    _series,
    _means,
)
"""The operations that propose derivations."""
