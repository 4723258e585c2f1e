"""Numbers that follow from a whole and its parts: the rest, a fraction of a sum, those who did not, and all together.

"Four of them doctors" of six children leaves two who are none; "the remainder went to the hospital" is what the others left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from graph.text.segmentation import sentence_spans
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_format import format_digits, format_quantity
from kgqa.readers.numeric.labelled_numbers import with_shared_units
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import NumericAnswer, PassageNumbers
from kgqa.readers.numeric.passage_tokens import content_lemmas, name_mentions, verb_lemma

_FIT = 0.6
_LEAST_SHARE = 0.5
"""The least share of the words of a part, or of a question, that the other has to hold."""
_REST, _FRACTION, _MULTIPLE = NUMERIC_CUES["rest"], NUMERIC_CUES["fraction"], NUMERIC_CUES["multiple of before"]
_WHOLE_FIRST, _PART_FIRST = NUMERIC_CUES["whole before part"], NUMERIC_CUES["part of whole"]
_ALL, _MORE = NUMERIC_CUES["altogether"], NUMERIC_CUES["first and more"]
_LOSS, _KEPT = NUMERIC_CUES["loss"], NUMERIC_CUES["survival"]
_NEGATION = re.compile(r"\b(?:not|never|neither|no)\b|n['’]t\b", re.IGNORECASE)
_JOINT = re.compile(r"[;:]\s|,\s(?:and\s|but\s|with\s)?|\s(?:and|but)\s|^")
_CLAUSE_END = re.compile(r"[,;:](?!\d)|\.(?=\s|$)|\s(?:and|but)\s|$")
_OF_WHOLE = re.compile(r"\bof (?:them|whom|which|these)\s*$|\s(?:\w+\s)?of (?:them|whom|which|these)\b", re.IGNORECASE)
_LIGHT = frozenset(map(verb_lemma, "become became have had get take be been go went".split()))
_FRACTIONS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4), "fifth": Fraction(1, 5)}
_FRACTIONS |= {"tenth": Fraction(1, 10), "fourth": Fraction(1, 4)}
_TIMES = {"twice": 2, "double": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10}
_GROUPS = frozenset("men women boys girls children adults officers sailors soldiers nurses doctors civilians ladies".split())
_PEOPLE = frozenset(map(verb_lemma, "people persons workers employees inhabitants passengers members pupils students".split()))
_PLAIN = (Sort.CARDINAL, Sort.MONEY, Sort.PERCENT)


class _Part(NamedTuple):
    """A number of a whole, with both as quantities, the words of the sentence up to the part, and those that say what it is."""

    part: Quantity
    whole: Quantity
    before: str
    wording: str


def part_answer(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return the number that a whole and its parts give for what a phrase of a question names; `None` where they give none."""
    for derive in (_remainder, _fraction, _opposite_part, _multiple, _enumerated, _sum_of_groups):
        answer = derive(phrase, numbers)
        if answer is not None:
            return answer
    return None


def _plain_quantities(numbers: PassageNumbers) -> list[Quantity]:
    return [quantity for quantity in with_shared_units(numbers) if quantity.sort in _PLAIN]


def _label(text: str, start: int, end: int) -> frozenset[str]:
    """Return the content words of the clause that holds a span, without the span."""
    begin = max((match.end() for match in _JOINT.finditer(text[:start])), default=0)
    close = _CLAUSE_END.search(text, end)
    behind = text[end : close.start() if close else len(text)]
    return frozenset(content_lemmas(f"{text[begin:start]} {behind}"))


def _names_part(phrase: str, label: frozenset[str]) -> bool:
    stems = content_lemmas(phrase)
    own = label - set(stems[:1])  # what is counted says nothing of the part
    return bool(own) and len(own & set(stems)) >= _LEAST_SHARE * len(own)


def _counted(quantity: Quantity, text: str) -> str:
    """Return the stem of what a number counts: its unit, else the word behind it."""
    if quantity.unit:
        return quantity.unit
    behind = re.match(r"\s(?!of (?:them|whom|which)\b)(?:of (?:the|his|her|its|their) )?([a-z][\w-]+)", text[quantity.end :])
    return verb_lemma(behind[1]) if behind else ""


def _remainder(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    text = numbers.text
    spans = list(sentence_spans(text))
    quantities = _plain_quantities(numbers)
    for match in _REST.finditer(text):
        place = next((at for at, (begin, end) in enumerate(spans) if begin <= match.start() < end), None)
        if place is None:
            continue
        begin, end = spans[place]
        if not _names_part(phrase, _label(text[begin:end], match.start() - begin, match.end() - begin)):
            continue
        if match.start() - begin < 3 and place:
            begin = spans[place - 1][0]
        here = [quantity for quantity in quantities if begin <= quantity.start < match.start()]
        fractions = list(_FRACTION.finditer(text, begin, match.start()))
        before = [quantity for quantity in quantities if quantity.start < match.start()]
        answer = _left_of(here, before, fractions, text, match[0])
        if answer is not None:
            return answer
    return None


def _left_of(
    here: Sequence[Quantity], before: Sequence[Quantity], fractions: Sequence[re.Match[str]], text: str, rest: str
) -> NumericAnswer | None:
    percents = [quantity for quantity in here if quantity.sort is Sort.PERCENT]
    if percents:
        return _difference(Quantity(Fraction(100), Sort.PERCENT, "percent"), percents, percents[0], rest)
    if fractions:
        first = fractions[0].start()
        wholes = [quantity for quantity in before if quantity.end <= first]
        if not wholes:
            return None
        whole = wholes[-1]
        parts = [_scaled(whole, _fraction_value(match)) for match in fractions]
        return _difference(whole, parts, whole, rest)
    marked = [whole for whole in here if _OF_WHOLE.search(text[whole.end : whole.end + 40]) or text[whole.end :].startswith(":")]
    for whole in (*marked[:1], *(here[:1] if len(here) > 2 else ()), *reversed(before)):
        unit = _counted(whole, text)
        parts = [quantity for quantity in here if quantity.start > whole.start and quantity.value < whole.value]
        like = [part for part in parts if part.sort is whole.sort and _counted(part, text) in (unit, "")]
        parts = like or [part for part in parts if part.sort is whole.sort and whole in here and not part.unit]
        if parts and sum(part.value for part in parts) < whole.value:
            return _difference(whole, parts, whole, rest)
    return None


def _fraction_value(match: re.Match[str]) -> Fraction:
    return _FRACTIONS[(match["part"] or match["half"]).lower().rstrip("s")] * _TIMES.get((match["times"] or "").lower(), 1)


def _scaled(whole: Quantity, factor: Fraction) -> Quantity:
    return Quantity(whole.value * factor, whole.sort, whole.unit, text=format_digits(whole.value * factor))


def _difference(whole: Quantity, parts: Sequence[Quantity], like: Quantity, why: str) -> NumericAnswer | None:
    value = whole.value - sum(part.value for part in parts)
    counts = whole.sort is Sort.CARDINAL and not whole.unit
    if value < 0 or (counts and value.denominator != 1):
        return None
    made = Quantity(value, whole.sort, like.unit, like.scale)
    text = format_quantity(made, like)
    terms = " - ".join(part.text or format_digits(part.value) for part in (whole, *parts))
    return NumericAnswer(text, _FIT, (f"{why.strip()}: {terms} = {text}",))


def _fraction(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return the fraction of a sum that a clause gives to what a phrase names: "his daughter Inga a quarter"."""
    text = numbers.text
    for begin, end in sentence_spans(text):
        for match in _FRACTION.finditer(text, begin, end):
            label = _label(text[begin:end], match.start() - begin, match.end() - begin)
            wholes = [quantity for quantity in _plain_quantities(numbers) if quantity.end <= match.start()]
            if wholes and wholes[-1].sort is not Sort.PERCENT and _names_part(phrase, label):
                made = _scaled(wholes[-1], _fraction_value(match))
                if made.sort is Sort.CARDINAL and not made.unit and made.value.denominator != 1:
                    continue
                answer = format_quantity(made, wholes[-1])
                return NumericAnswer(answer, _FIT, (f"{match[0]} of {wholes[-1].text}: {answer}",))
    return None


def _parts(numbers: PassageNumbers) -> Iterator[_Part]:
    """Yield the parts that sentences state with their wholes: "four of them", "112 of his 150 men", "of the 75 people 46"."""
    quantities = [quantity for quantity in _plain_quantities(numbers) if quantity.sort is Sort.CARDINAL]
    for begin, end in sentence_spans(numbers.text):
        here = [quantity for quantity in quantities if begin <= quantity.start < end]
        for place, (first, second) in enumerate(pairwise(here)):
            until = here[place + 2].start if place + 2 < len(here) else end
            ahead, between = numbers.text[begin : first.start], numbers.text[first.end : second.start]
            behind = numbers.text[second.end : until]
            if _PART_FIRST.fullmatch(between) and first.value < second.value:
                yield _Part(first, second, "", numbers.text[begin:until])
            elif first.value > second.value and (
                _WHOLE_FIRST.search(ahead) or _OF_WHOLE.search(between) or _OF_WHOLE.match(behind)
            ):
                yield _Part(second, first, ahead + between, behind)


def _opposite_part(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return how many of a whole are not in the part that the passage states: those who did not, or who survived."""
    wanted = frozenset(content_lemmas(phrase)) - _LIGHT
    names = frozenset(stem for name in name_mentions(phrase) for stem in name.stems)
    negated = _NEGATION.search(phrase) is not None
    for part, whole, before, wording in _parts(numbers):
        query_stems = wanted - {_counted(whole, numbers.text), *content_lemmas(before)}
        query_stems = query_stems - names or query_stems
        own = frozenset(content_lemmas(wording))
        if negated and query_stems and 3 * len(own & query_stems) >= 2 * len(query_stems):
            return _difference(whole, (part,), whole, "those that are left")
        if not negated and _is_opposite(phrase, wording):
            return _difference(whole, (part,), whole, "those that are left")
    return None if negated else _survivors(phrase, numbers)


def _is_opposite(phrase: str, wording: str) -> bool:
    return bool((_LOSS.search(phrase) and _KEPT.search(wording)) or (_KEPT.search(phrase) and _LOSS.search(wording)))


def _survivors(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return how many of a company are left after the losses of the passage: "a garrison of 900 men", "lost 240 men"."""
    text = numbers.text
    wanted = frozenset(content_lemmas(phrase))
    if not _KEPT.search(phrase):
        return None
    counts = [quantity for quantity in _plain_quantities(numbers) if quantity.sort is Sort.CARDINAL]
    for begin, end in sentence_spans(text):
        for part in (quantity for quantity in counts if begin <= quantity.start < end):
            loss = _LOSS.search(text, max(begin, part.start - 25), part.start)
            if loss is None or re.search(r"[,;]", text[loss.end() : part.start]):
                continue
            for whole in (quantity for quantity in counts if quantity.start < begin and quantity.value > part.value):
                company = frozenset(content_lemmas(text[max(0, whole.start - 25) : whole.start]))
                if _counted(whole, text) == _counted(part, text) and company & wanted:
                    return _difference(whole, (part,), whole, loss[0])
    return None


def _multiple(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return a number that a sentence gives as a multiple of the one before: "12,000 in 1930 and four times as many in 1970"."""
    wanted = frozenset(content_lemmas(phrase))
    for match in _MULTIPLE.finditer(numbers.text):
        begin, _ = next(span for span in sentence_spans(numbers.text) if span[0] <= match.start() < span[1])
        base = [quantity for quantity in _plain_quantities(numbers) if begin <= quantity.start and quantity.end <= match.start()]
        label = frozenset(content_lemmas(match["label"]))
        if not base or not label or not label <= wanted:
            continue
        word = match["times"].lower().split()[0]
        factor = Fraction(1, 2) if word == "half" else Fraction(_TIMES.get(word, 0)) or Fraction(word if word.isdigit() else 0)
        if factor:
            made = Quantity(base[-1].value * factor, base[-1].sort, base[-1].unit, base[-1].scale)
            answer = format_quantity(made, base[-1])
            return NumericAnswer(answer, _FIT, (f"{base[-1].text}, {match[0].strip()}: {answer}",))
    return None


def _enumerated(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return the number of all things that a sentence counts in two steps: "her first comet in 1909 and two more"."""
    if not _ALL.search(phrase):
        return None
    wanted = frozenset(content_lemmas(_ALL.sub(" ", phrase)))
    best: tuple[int, NumericAnswer] | None = None
    for begin, end in sentence_spans(numbers.text):
        sentence = numbers.text[begin:end]
        here = [item for item in numbers.quantities if begin <= item.start < end and item.sort in (Sort.CARDINAL, Sort.ORDINAL)]
        counts = [item for item in here if item.sort is Sort.CARDINAL and not item.unit]
        first = next((item for item in here if item.sort is Sort.ORDINAL), None)
        more = _MORE.search(sentence)
        fit = len(wanted & frozenset(content_lemmas(sentence)))
        if first is not None and more is not None and counts and first.start < begin + more.start():
            terms = [first, counts[-1]]
        elif (
            len(counts) in (2, 3) and len(here) == len(counts) and _counted(counts[0], numbers.text) in content_lemmas(phrase)[:1]
        ):
            terms = counts
        else:
            continue
        total = sum((item.value for item in terms), Fraction(0))
        step = f"{' + '.join(item.text for item in terms)} = {format_digits(total)}"
        if fit * 2 >= len(wanted) and (best is None or fit > best[0]):
            best = fit, NumericAnswer(format_digits(total), _FIT, (step,), terms[0].start, terms[0].end)
    return best[1] if best else None


def _sum_of_groups(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return the number of people of a sentence that counts them by groups: "640 women and 310 men"."""
    stems = content_lemmas(phrase)
    if not stems or stems[0] not in _PEOPLE:
        return None
    wanted = frozenset(stems[1:])
    for begin, end in sentence_spans(numbers.text):
        here = [item for item in numbers.quantities if begin <= item.start < end and item.sort is Sort.CARDINAL]
        groups = [item for item in here if re.match(rf"\s(?:\w+\s)?(?:{'|'.join(_GROUPS)})\b", numbers.text[item.end :])]
        sentence = frozenset(content_lemmas(numbers.text[begin:end]))
        joined = len(groups) > 1 and re.search(r",|\band\b", numbers.text[groups[0].end : groups[1].start])
        if joined and len(wanted & sentence) >= _LEAST_SHARE * len(wanted) and len(here) == len(groups):
            total = sum((item.value for item in groups), Fraction(0))
            text = format_digits(total, commas=any("," in item.text for item in groups))
            step = f"{' + '.join(item.text for item in groups)} = {text}"
            return NumericAnswer(text, _FIT, (step,), groups[0].start, groups[0].end)
    return None
