"""Which fact of a passage an "if" is about: how well each fits the question, by features whose weights are fitted.

Of a whole and its parts ("of the 60 riders who started, 21 finished"), the part with the verb of the question is the fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp

from graph.text.stop_words import AUXILIARIES
from kgqa.calibration.linear_model import load_fitted_model, softmax
from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.fact_table import ParsedPassage, PassageFact, counted_noun_stems, stem_rarity
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import Unit, unit_of
from kgqa.readers.numeric.passage_tokens import event_kinds_of, passage_stem, passage_tokens, verb_lemma
from kgqa.readers.reader import AnswerKind, Candidate

FACT_CHOICE = "fact_choice"
"""The name of the fitted model, which scripts/fit/fit_edits.py fits."""
FACT_FEATURES = tuple(
    "overlap near nearest event event_gap told noun noun_head sort fine day first place repeated read original planned until "
    "changed done range bracket one inherited verb alien unit named total".split()
)
"""The names of the features of a fact, in the order of the weights; `_fact_features` says what each is."""


@cache
def fact_weights(family: str) -> Sequence[float]:
    """Return the fitted weights of `FACT_FEATURES`, in their order, for a family of edits."""
    weights = load_fitted_model(FACT_CHOICE).weights[family]
    return [weights.get(name, 0.0) for name in FACT_FEATURES]


_WHOLE = re.compile(r"(?i)\b(?:of|out of|among|from)\s(?:(?:the|its|their|his|her|these|those|all|an?|about|some)\s)*$")
_PART = CUES["part"]
_RELATIVE = re.compile(r"\b(?:who|that|which|whom)(?:\s(?:were|was|had|have|are|been))*\s$")
_VERB = CUES["verb"]


def _counted_by_verbs(fact: PassageFact, passage: ParsedPassage, verbs: frozenset[str]) -> tuple[str, ...] | None:
    """Return the stems of what a number counts, of those that do what the verbs of the question say.

    A part with one of these verbs counts what the whole does; the whole is then `None`, for it counts others.
    """
    own = counted_noun_stems(fact, passage, 4)
    counts = [count for count in passage.facts if count.sentence == fact.sentence and _is_plain_count(count.value)]
    for whole in counts if verbs else ():
        nouns = counted_noun_stems(whole, passage, 4)
        parts = [part for part in counts if nouns and part is not whole and _is_part_of_whole(part, whole, passage, verbs)]
        if fact is whole and parts:
            return None
        if fact in parts:
            return nouns
    return own


def _is_plain_count(value: Quantity | Date) -> bool:
    return isinstance(value, Quantity) and value.sort is Sort.CARDINAL and not value.unit


def _is_part_of_whole(part: PassageFact, whole: PassageFact, passage: ParsedPassage, verbs: frozenset[str]) -> bool:
    """Return whether a number is one of a whole and its verb, right behind it or behind the whole, is one of these."""
    text = passage.text
    if whole.end <= part.start:
        behind = _PART.match(text, part.end)
        is_whole = _WHOLE.search(text, max(0, whole.start - 24), whole.start) is not None
        return is_whole and behind is not None and verb_lemma(behind["verb"]) in verbs
    if _WHOLE.fullmatch(text[part.end : whole.start].strip() + " ") is None:
        return False
    clause = re.split(r"[,;.:]", text[whole.end : passage.sentences[whole.sentence][1]], maxsplit=1)[0]
    return any(verb_lemma(word.text) in verbs and not _RELATIVE.search(clause[: word.start]) for word in passage_tokens(clause))


_FORMER = CUES["former"]
_PLANNED = CUES["planned"]
_CHANGED = CUES["changed"]
_DONE = CUES["done"]
_TOTAL = CUES["total"]
_NAMED = re.compile(r"[A-Z][\w’'\-]*[\s\-]$|[#/]$|[\"“][^\"“”]{0,30}$")
_LATTER = CUES["latter"]
_COUNTING = CUES["counting"]
_BEFORE_COUNT = re.compile(r"(?i)((?:[\w’'\-]+\s+){1,3})(?:count|total|tally|number)\b")
_NOT_COUNTED = frozenset(map(passage_stem, "the of a total new time in for and".split()))


@dataclass(frozen=True, slots=True)
class FactRequirements:
    """What a fact must fit: the stems of the question, what is counted, its kinds of event, its values, and its verbs."""

    answer_type: AnswerType
    stems: frozenset[str]
    nouns: frozenset[str]
    kinds: frozenset[str]
    stated_values: frozenset[object]
    units: frozenset[Unit]
    precise: bool
    verbs: frozenset[str]


def fact_requirements(
    clause: str, main: str, answer_type: AnswerType, unit: str = "", precise: bool = False, left_out: str = ""
) -> FactRequirements:
    """Return what a fact must fit for a question with these clauses; `unit` is what a change adds, `left_out` how it is said."""
    text = f"{clause.replace(left_out, ' ') if left_out else clause} . {main}"
    tokens = passage_tokens(text)
    nouns = {word.stem for word in passage_tokens(unit) if word.is_content_word}
    for match in (*_COUNTING.finditer(main), *_BEFORE_COUNT.finditer(main)):
        words = match[1].split()
        end = next((at for at, word in enumerate(words) if word.lower() in AUXILIARIES["counted nouns"]), len(words))
        nouns.update(map(passage_stem, words[:end]))
    stated_values: set[object] = set()
    for item in parse_quantities(text):
        if isinstance(item, Date):
            stated_values |= {item, item.year}
        elif isinstance(item, Quantity):
            stated_values.add(item.value)
    measures = (unit_of(word.text) for word in passage_tokens(main) if len(word.text) > 2)
    return FactRequirements(
        answer_type,
        frozenset(word.stem for word in tokens if word.is_content_word),
        frozenset(nouns) - _NOT_COUNTED,
        frozenset(kind for word in tokens for kind in event_kinds_of(word.stem)),
        frozenset(stated_values),
        frozenset(measure for measure in measures if measure is not None),
        precise,
        frozenset(verb_lemma(match["verb"]) for match in _VERB.finditer(f"{clause} . {main}")),
    )


def _fact_features(
    fact: PassageFact,
    passage: ParsedPassage,
    requirements: FactRequirements,
    rarity: dict[str, float],
    counts: tuple[int, int, float],
) -> tuple[float, ...]:
    """Return the features of a fact, in the order of `FACT_FEATURES`.

    `counts` are how often the value stands in the passages, the place of the fact among those that are considered, and the
    probability that a reader gives to it.
    """
    same, rank, share = counts
    value = fact.value
    words, centre = passage.words_around(fact)
    gaps: dict[str, int] = {}
    event_gaps: list[int] = []
    other_event_gaps: list[int] = []
    for at, word in enumerate(words):
        if word.stem in requirements.stems and not fact.start <= word.start < fact.end:
            gaps[word.stem] = min(gaps.get(word.stem, 999), abs(at - centre))
        if kinds := event_kinds_of(word.stem):
            (event_gaps if kinds & requirements.kinds else other_event_gaps).append(abs(at - centre))
    event_gap = min(event_gaps, default=99)
    near_words = words[max(0, centre - 8) : centre + 9]
    number = value if isinstance(value, Quantity) else None
    counted = _counted_by_verbs(fact, passage, requirements.verbs) or () if number is not None else ()
    unit = {passage_stem(word) for word in number.unit.split()} if number is not None else set()
    start = passage.sentences[fact.sentence][0]
    before, just = passage.text[start : fact.start], passage.text[max(start, fact.start - 40) : fact.start]
    stated = {value.value} if isinstance(value, Quantity) else {value, value.year}
    features = {
        # how much of what the question says stands in the sentence, how near to the fact, and how near the next such word
        "overlap": sum(rarity[stem] for stem in gaps) / (sum(rarity.get(stem, 0.0) for stem in requirements.stems) or 1.0),
        "near": sum(rarity[stem] * exp(-gap / 5) for stem, gap in gaps.items()),
        "nearest": exp(-min(gaps.values(), default=99) / 5),
        # a word of the same kind of event stands near, how far away it is, and whether one of another kind is nearer
        "event": event_gap <= 6,
        "event_gap": exp(-event_gap / 5),
        "alien": bool(other_event_gaps) and min(other_event_gaps) < event_gap,
        "verb": any(word.stem in requirements.stems and word.text.endswith(("ed", "ing")) for word in near_words),
        # the value stands in the question; the number counts what the question asks for, right behind the number
        "told": not stated.isdisjoint(requirements.stated_values),
        "noun": len((set(counted) | unit) & requirements.nouns) / max(1, len(requirements.nouns)),
        "noun_head": bool(({*counted[:2]} | unit) & requirements.nouns),
        "unit": fact.unit is not None and fact.unit in requirements.units,
        # the fact is of the sort that is asked for, as precise as the answer must be, has a day
        "sort": _has_sort_of_answer(value, requirements.answer_type),
        "fine": _is_precise_enough(value, requirements),
        "day": isinstance(value, Date) and value.day > 0,
        # its place among the facts, how often it is repeated, the probability that a reader gives to its place
        "first": rank == 0,
        "place": 1 / (1 + rank),
        "repeated": min(same, 4) / 4,
        "read": share,
        # words of a former state or plan before it, of a new state right before it, of a change behind it, of what happened
        "original": _FORMER.search(before) is not None,
        "planned": _PLANNED.search(before) is not None,
        "until": _LATTER.search(just) is not None,
        "changed": _CHANGED.search(passage.text[fact.end : fact.end + 100]) is not None,
        "done": _DONE.search(before) is not None,
        # the end of a range, in brackets, a fraction or one, with its year elsewhere, part of a name ("Route 51"), a total
        "range": fact.last,
        "bracket": "(" in just and ")" not in just[just.rfind("(") :],
        "one": number is not None and number.value <= 1,
        "inherited": fact.inherited,
        "named": number is not None and not unit and number.sort is Sort.CARDINAL and _NAMED.search(just) is not None,
        "total": number is not None and _TOTAL.search(just) is not None,
    }
    return tuple(float(features[name]) for name in FACT_FEATURES)


_SORTS = {
    AnswerType.MONEY: (Sort.MONEY,),
    AnswerType.PERCENT: (Sort.PERCENT,),
    AnswerType.RANK: (Sort.ORDINAL,),
    AnswerType.TIME: (Sort.TIME,),
    AnswerType.NUMBER: (Sort.CARDINAL, Sort.DURATION),
    AnswerType.AGE: (Sort.CARDINAL, Sort.DURATION),
}
"""The sorts of quantities that an answer of a type is of."""


def _has_sort_of_answer(value: Quantity | Date, answer_type: AnswerType) -> bool:
    return answer_type not in NUMBER_TYPES if isinstance(value, Date) else value.sort in _SORTS.get(answer_type, ())


def _is_precise_enough(value: Quantity | Date, requirements: FactRequirements) -> bool:
    if isinstance(value, Quantity):
        return bool(value.unit) or value.value > 12
    if requirements.precise or requirements.answer_type is AnswerType.WEEKDAY:
        return value.day > 0
    return value.month > 0 or requirements.answer_type not in (AnswerType.MONTH, AnswerType.DATE)


def is_eligible_value(value: Quantity | Date, answer_type: AnswerType) -> bool:
    """Return whether an answer of a type can be computed from a fact."""
    if isinstance(value, Date):
        return answer_type in DATE_TYPES and (value.month > 0 or answer_type is not AnswerType.MONTH)
    if answer_type is AnswerType.MONEY:
        return value.sort in (Sort.MONEY, Sort.CARDINAL)
    if answer_type in NUMBER_TYPES:
        return value.sort in (Sort.CARDINAL, Sort.ORDINAL, Sort.PERCENT, Sort.MONEY, Sort.DURATION)
    return answer_type is AnswerType.TIME and value.sort is Sort.TIME


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A fact with its passage, its features, and how likely it is the one that is meant among all that could be."""

    fact: PassageFact
    passage: ParsedPassage
    features: tuple[float, ...]
    probability: float = 0.0


def candidate_facts(
    passages: Sequence[ParsedPassage], requirements: FactRequirements, candidates: Sequence[Candidate] = ()
) -> tuple[FactCandidate, ...]:
    """Return the facts that an answer could be computed from, with their features, in the order in which they stand."""
    rarity = stem_rarity(passages)
    pairs = [
        (fact, passage)
        for passage in passages
        for fact in passage.facts
        if is_eligible_value(fact.value, requirements.answer_type)
        and _counted_by_verbs(fact, passage, requirements.verbs) is not None
    ]
    values = [_value_key(fact.value) for fact, _ in pairs]
    counts = [
        (values.count(value), rank, _reader_probability(fact, candidates))
        for rank, (value, (fact, _)) in enumerate(zip(values, pairs, strict=True))
    ]
    return tuple(
        FactCandidate(fact, passage, _fact_features(fact, passage, requirements, rarity, counts_of_fact))
        for (fact, passage), counts_of_fact in zip(pairs, counts, strict=True)
    )


def rank_facts(choices: Sequence[FactCandidate], weights: Sequence[float]) -> tuple[FactCandidate, ...]:
    """Return the choices with their probabilities, likeliest first; of facts with one value the likeliest with all."""
    if not choices:
        return ()
    shares = softmax([sum(weight * x for weight, x in zip(weights, choice.features, strict=True)) for choice in choices])
    of_value: dict[object, list[tuple[float, FactCandidate]]] = {}
    for choice, share in zip(choices, shares, strict=True):
        of_value.setdefault(_value_key(choice.fact.value), []).append((share, choice))
    ranked = [
        replace(max(group, key=lambda entry: entry[0])[1], probability=sum(share for share, _ in group))
        for group in of_value.values()
    ]
    return tuple(sorted(ranked, key=lambda candidate: -candidate.probability))


def _value_key(value: Quantity | Date) -> object:
    return (value.year, value.month, value.day) if isinstance(value, Date) else (value.value, value.sort is Sort.MONEY)


def _reader_probability(fact: PassageFact, candidates: Sequence[Candidate]) -> float:
    """Return the probability that readers give to the place of a fact: as the operand, or as the answer before the edit."""
    return sum(
        candidate.score
        for candidate in candidates
        if candidate.kind in (AnswerKind.NUMBER, AnswerKind.SPAN)
        and candidate.passage == fact.passage
        and (candidate.start is not None and candidate.start < fact.end)
        and (candidate.end is not None and fact.start < candidate.end)
    )
