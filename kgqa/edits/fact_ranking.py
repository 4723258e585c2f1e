"""What scripts/fit/fit_edits.py fitted: the weights that choose a fact, and how far each mechanism is to be trusted.

Parts of a number of things: "of the 60 riders who started, 21 finished" tells that 21 riders finished, and not 60.

Which fact of a passage an "if" is about: how well each fits the question, by features whose weights are fitted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp

from graph.text.stop_words import AUXILIARIES
from kgqa.calibration.fitted_model import load_fitted_model
from kgqa.calibration.logistic import LogisticModel, softmax
from kgqa.edits.answer_type import NUMBER_TYPES, AnswerType
from kgqa.edits.fact_table import ParsedPassage, PassageFact, counted_noun_stems, stem_rarity
from kgqa.edits.passage_tokens import event_kinds_of, passage_stem, passage_tokens, verb_lemma
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import Unit, unit_of
from kgqa.readers.reader import AnswerKind, Candidate

FACT_CHOICE, EDIT_CONFIDENCE = "fact_choice", "edit_confidence"
"""The names of the fitted models, which scripts/fit/fit_edits.py fits."""


@dataclass(frozen=True, slots=True)
class EditWeights:
    """The fitted numbers.

    `choice` has the weights of `FACT_FEATURES`, in their order, for each family of edits; `calibration` the model of each rule on
    one fact, over the features of `edit_solver.calibration_features`; `precision` the smoothed share of right answers of every
    other rule. `slope` and `shift`, by rule, correct the log-odds of both on held-out questions.
    """

    choice: Mapping[str, Sequence[float]]
    calibration: Mapping[str, LogisticModel]
    precision: Mapping[str, float]
    slope: float = 1.0
    shift: Mapping[str, float] = field(default_factory=dict)


@cache
def edit_weights() -> EditWeights:
    """Return the fitted numbers, read once."""
    choice, confidence = load_fitted_model(FACT_CHOICE), load_fitted_model(EDIT_CONFIDENCE)
    return EditWeights(
        {family: [row.get(name, 0.0) for name in FACT_FEATURES] for family, row in choice.weights.items()},
        {rule: confidence.logistic(rule) for rule in confidence.weights},
        **confidence.parameters,
    )


_WHOLE = re.compile(
    r"\b(?:of|out of|among|from)\s(?:(?:the|its|their|his|her|these|those|all|an?|about|some)\s)*$", re.IGNORECASE
)
_PART = re.compile(
    r"(?:\s(?:of (?:them|these|those|which|whom)|were|was|had|have|did|are|been|also|only|later|even|\w+ly))*\s(?P<verb>[a-z]+)\b"
)
_RELATIVE = re.compile(r"\b(?:who|that|which|whom)(?:\s(?:were|was|had|have|are|been))*\s$")
_VERB = re.compile(
    r"\b(?:had|have|has|were|was|been|not|never)\s+(?:\w+ly\s+)?"
    r"(?!(?:had|have|has|were|was|been|not|never|to|the|an?|more|less|fewer|twice)\b)(?P<verb>[a-z]+)\b"
)


def question_verbs(clause: str, main: str) -> frozenset[str]:
    """Return the verbs of what is supposed and of what is asked, as `act` gives them: those behind "had" and "have"."""
    return frozenset(verb_lemma(match["verb"]) for match in _VERB.finditer(f"{clause} . {main}"))


def counted_by_verbs(fact: PassageFact, passage: ParsedPassage, verbs: frozenset[str], most: int = 4) -> tuple[str, ...] | None:
    """Return the stems of what a number counts, of those that do what the verbs tell.

    A part, whose verb is one of them, counts what the whole does; for the whole it is `None` then, for it tells of others.
    """
    own = counted_noun_stems(fact, passage, most)
    if not verbs:
        return own
    there = [number for number in passage.facts if number.sentence == fact.sentence and _is_plain_count(number.value)]
    for whole in there:
        nouns = counted_noun_stems(whole, passage, most)
        parts = [number for number in there if nouns and number is not whole and _is_part_of_whole(number, whole, passage, verbs)]
        if fact is whole and parts:
            return None
        if fact in parts:
            return nouns
    return own


def _is_plain_count(value: Quantity | Date) -> bool:
    return isinstance(value, Quantity) and value.sort is Sort.CARDINAL and not value.unit


def _is_part_of_whole(part: PassageFact, whole: PassageFact, passage: ParsedPassage, verbs: frozenset[str]) -> bool:
    """Tell whether a number is one of a whole and its verb, right behind it or behind the whole, is one of these."""
    text = passage.text
    if whole.end <= part.start:
        behind = _PART.match(text, part.end)
        whole_match = _WHOLE.search(text, max(0, whole.start - 24), whole.start)
        return whole_match is not None and behind is not None and verb_lemma(behind["verb"]) in verbs
    if _WHOLE.fullmatch(text[part.end : whole.start].strip() + " ") is None:
        return False
    clause = re.split(r"[,;.:]", text[whole.end : passage.sentences[whole.sentence][1]], maxsplit=1)[0]
    return any(verb_lemma(word.text) in verbs and not _RELATIVE.search(clause[: word.start]) for word in passage_tokens(clause))


FACT_FEATURES = (
    "overlap",  # how much of what the question says stands in the fact's sentence
    "near",  # how near to the fact it stands
    "nearest",  # how near the next word of the question stands
    "event",  # a word of the same kind of event stands near
    "event_gap",  # how far away that is
    "told",  # the value stands in the question
    "noun",  # the number counts what the question asks for
    "noun_head",  # ... right behind the number
    "sort",  # the fact is of the sort that is asked for
    "fine",  # the date is as precise as the answer must be
    "day",  # the date has a day
    "first",  # it is the first fact of its sort
    "place",  # how early it stands
    "repeated",  # how often the value stands in the passages
    "read",  # the probability that a reader gives the place
    "original",  # words of a former state or plan stand before it in its sentence
    "planned",  # such words stand near before it
    "until",  # words of a new state stand right before it
    "changed",  # a change of plan is told behind it
    "done",  # what happened then is told as done
    "range",  # it is an end of a range
    "bracket",  # it stands in brackets
    "one",  # the number is one, or a fraction
    "inherited",  # its year stands elsewhere
    "verb",  # a verb of the question stands near
    "alien",  # a word of another kind of event stands nearest
    "unit",  # the unit is one that the question names
    "named",  # the number is part of a name ("Route 51")
    "total",  # it is said to be all ("a total of 33")
)
"""The features in the order of the weights."""

_FORMER = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|first|former(?:ly)?|previously|at first|early|scheduled|"
    r"planned|intended|slated|supposed|"
    r"due|set|expected|expecting|anticipated|projected|proposed|was to|were to|meant|aimed|hoped|"
    r"announced|from|instead of|rather than|"
    r"prior to|before|tentatively|targeted)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|scheduled|planned|intended|slated|supposed|due|set|expected|"
    r"anticipated|projected|proposed|"
    r"was to|were to|meant|aimed|hoped|tentative(?:ly)?|targeted|instead of|rather than|from|estimated)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"^[^.;]{0,60}\b(?:but|however|before|postponed|delayed|rescheduled|moved|pushed|until|though|"
    r"although|to|changed|then|later|reduced|"
    r"extended|increased|cancelled|canceled|due to|because)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:was|were|finally|eventually|actually|later|been)\s+(?:\w+ly\s+)?(?:released|opened|"
    r"published|held|completed|launched|aired|played|inaugurated|"
    r"premiered|postponed|delayed|rescheduled|moved|pushed|announced|pushed back)\b[^.;]{0,40}$|"
    r"\b(?:opened|aired|premiered|debuted|launched|began)\s+(?:on|in)\s*$",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"\b(?:total(?:ing|led|ling)?(?: of)?|all|altogether|overall|consist\w*|compris\w*|contain\w*|"
    r"includ\w*|has|have|had|were|are)\s+(?:\w+\s)?$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Z][\w’'\-]*[\s\-]$|[#/]$|[\"“][^\"“”]{0,30}$")
_LATTER = re.compile(
    r"\b(?:to|until|till|postponed|delayed|rescheduled|moved|pushed|changed|actual(?:ly)?|"
    r"eventual(?:ly)?|finally|instead|now|later|"
    r"brought forward|extended|bumped|shifted|new|but|before being|however)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"\b(?:how\s+many|how\s+much|(?:number|count|total|tally|amount|sum)\s+(?:of|for))\s+((?:[\w’'\-]+\s*){1,5})", re.IGNORECASE
)
_BEFORE_COUNT = re.compile(r"((?:[\w’'\-]+\s+){1,3})(?:count|total|tally|number)\b", re.IGNORECASE)


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
    verbs: frozenset[str] = frozenset()


def fact_requirements(
    clause: str, main: str, answer_type: AnswerType, unit: str = "", precise: bool = False, left_out: str = ""
) -> FactRequirements:
    """Return what a fact must fit for a question with these clauses; `unit` is what a change adds, `left_out` how it is said."""
    tokens = passage_tokens(f"{clause.replace(left_out, ' ') if left_out else clause} . {main}")
    nouns: set[str] = set()
    for pattern in (_COUNTING, _BEFORE_COUNT):
        for match in pattern.finditer(main):
            taken = []
            for word in match[1].split():
                if word.lower() in AUXILIARIES["counted nouns"]:
                    break
                taken.append(word)
            nouns |= {passage_stem(word) for word in taken}
    nouns |= {word.stem for word in passage_tokens(unit) if word.is_content_word}
    stated_values: set[object] = set()
    for item in parse_quantities(f"{clause.replace(left_out, ' ') if left_out else clause} . {main}"):
        stated_values |= {item.value} if isinstance(item, Quantity) else set()
        if isinstance(item, Date):
            stated_values |= {item, item.year}
    telling = [word for word in tokens if word.is_content_word]
    return FactRequirements(
        answer_type,
        frozenset(word.stem for word in telling),
        frozenset(nouns) - {passage_stem(word) for word in ("the", "of", "a", "total", "new", "time", "in", "for", "and")},
        frozenset(kind for word in tokens for kind in event_kinds_of(word.stem)),
        frozenset(stated_values),
        frozenset(measure for word in passage_tokens(main) if len(word.text) > 2 and (measure := unit_of(word.text)) is not None),
        precise,
        question_verbs(clause, main),
    )


def fact_features(
    fact: PassageFact,
    passage: ParsedPassage,
    requirements: FactRequirements,
    weights: dict[str, float],
    same: int,
    rank: int,
    share: float,
) -> tuple[float, ...]:
    """Return the features of a fact, in the order of `FEATURES`.

    `weights` is the rarity of each stem, `same` how often the value stands in the passages, `rank` the place among the facts
    that are considered, `share` the probability that a reader gives to it.
    """
    here = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
    centre = next((at for at, word in enumerate(here) if word.start >= fact.start), len(here))
    matched: dict[str, int] = {}
    for at, word in enumerate(here):
        if word.stem in requirements.stems and not fact.start <= word.start < fact.end:
            matched[word.stem] = min(matched.get(word.stem, 999), abs(at - centre))
    whole = sum(weights.get(token, 0.0) for token in requirements.stems) or 1.0
    overlap = sum(weights[token] for token in matched) / whole
    near = sum(weights[token] * exp(-gap / 5) for token, gap in matched.items())
    gaps = [abs(at - centre) for at, word in enumerate(here) if event_kinds_of(word.stem) & requirements.kinds]
    gap = min(gaps, default=99)
    other_gaps = [
        abs(at - centre)
        for at, word in enumerate(here)
        if (kinds := event_kinds_of(word.stem)) and not kinds & requirements.kinds
    ]
    behind = counted_by_verbs(fact, passage, requirements.verbs) or () if isinstance(fact.value, Quantity) else ()
    unit = {passage_stem(word) for word in fact.value.unit.split()} if isinstance(fact.value, Quantity) else set()
    start = passage.sentences[fact.sentence][0]
    before, just = passage.text[start : fact.start], passage.text[max(start, fact.start - 40) : fact.start]
    verbs = [
        at
        for at, word in enumerate(here)
        if word.stem in requirements.stems and word.text.endswith(("ed", "ing")) and abs(at - centre) <= 8
    ]
    value = fact.value
    number = value if isinstance(value, Quantity) else None
    day = value.day if isinstance(value, Date) else 0
    measure = None if number is None else unit_of(number.unit)
    is_stated = (
        value.value in requirements.stated_values
        if isinstance(value, Quantity)
        else value in requirements.stated_values or value.year in requirements.stated_values
    )
    return (
        overlap,
        near,
        exp(-min(matched.values(), default=99) / 5),
        float(gap <= 6),
        exp(-gap / 5),
        float(is_stated),
        len((set(behind) | unit) & requirements.nouns) / max(1, len(requirements.nouns)),
        float(bool(({*behind[:2]} | unit) & requirements.nouns)),
        float(_has_sort_of_answer(value, requirements.answer_type)),
        float(_is_precise_enough(value, requirements)),
        float(day > 0),
        float(rank == 0),
        1 / (1 + rank),
        min(same, 4) / 4,
        share,
        float(_FORMER.search(before) is not None),
        float(_PLANNED.search(before) is not None),
        float(_LATTER.search(just) is not None),
        float(_CHANGED.search(passage.text[fact.end : fact.end + 100]) is not None),
        float(_DONE.search(before) is not None),
        float(fact.last),
        float("(" in just and ")" not in just[just.rfind("(") :]),
        float(number is not None and number.value <= 1),
        float(fact.inherited),
        float(bool(verbs)),
        float(bool(other_gaps) and min(other_gaps) < gap),
        float(measure is not None and measure in requirements.units),
        float(number is not None and not unit and number.sort is Sort.CARDINAL and _NAMED.search(just) is not None),
        float(number is not None and _TOTAL.search(just) is not None),
    )


def _has_sort_of_answer(value: Quantity | Date, answer_type: AnswerType) -> bool:
    if isinstance(value, Date):
        return answer_type not in NUMBER_TYPES
    return {
        AnswerType.MONEY: value.sort is Sort.MONEY,
        AnswerType.PERCENT: value.sort is Sort.PERCENT,
        AnswerType.RANK: value.sort is Sort.ORDINAL,
        AnswerType.TIME: value.sort is Sort.TIME,
        AnswerType.NUMBER: value.sort in (Sort.CARDINAL, Sort.DURATION),
        AnswerType.AGE: value.sort in (Sort.CARDINAL, Sort.DURATION),
    }.get(answer_type, False)


def _is_precise_enough(value: Quantity | Date, requirements: FactRequirements) -> bool:
    if isinstance(value, Quantity):
        return bool(value.unit) or value.value > 12
    if requirements.precise or requirements.answer_type is AnswerType.WEEKDAY:
        return value.day > 0
    return value.month > 0 if requirements.answer_type in (AnswerType.MONTH, AnswerType.DATE) else True


def is_eligible_value(value: Quantity | Date, answer_type: AnswerType) -> bool:
    """Tell whether a fact can be what an answer of this sort is reckoned from."""
    if isinstance(value, Date):
        return answer_type in (
            AnswerType.YEAR,
            AnswerType.DECADE,
            AnswerType.CENTURY,
            AnswerType.MONTH,
            AnswerType.DATE,
            AnswerType.WEEKDAY,
        ) and (bool(value.month) or answer_type is not AnswerType.MONTH)
    if answer_type in NUMBER_TYPES:
        return value.sort in (Sort.CARDINAL, Sort.ORDINAL, Sort.PERCENT, Sort.MONEY, Sort.DURATION) and (
            answer_type is not AnswerType.MONEY or value.sort in (Sort.MONEY, Sort.CARDINAL)
        )
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
    """Return the facts that an answer could be reckoned from, with their features, in the order in which they stand."""
    weights = stem_rarity(passages)
    pairs = [
        (fact, passage)
        for passage in passages
        for fact in passage.facts
        if is_eligible_value(fact.value, requirements.answer_type)
        and counted_by_verbs(fact, passage, requirements.verbs) is not None
    ]
    values = [_value_key(fact.value) for fact, _ in pairs]
    return tuple(
        FactCandidate(
            fact,
            passage,
            fact_features(
                fact,
                passage,
                requirements,
                weights,
                values.count(_value_key(fact.value)),
                rank,
                _reader_probability(fact, candidates),
            ),
        )
        for rank, (fact, passage) in enumerate(pairs)
    )


def rank_facts(choices: Sequence[FactCandidate], weights: Sequence[float]) -> tuple[FactCandidate, ...]:
    """Return the choices with their probabilities, likeliest first; of facts with one value the likeliest with all."""
    if not choices:
        return ()
    scores = [sum(weight * feature for weight, feature in zip(weights, candidate.features, strict=True)) for candidate in choices]
    shares = softmax(scores)
    of_value: dict[object, tuple[float, float, FactCandidate]] = {}
    for candidate, share in zip(choices, shares, strict=True):
        key = _value_key(candidate.fact.value)
        sofar, best, choice = of_value.get(key, (0.0, -1.0, candidate))
        of_value[key] = (sofar + share, max(best, share), candidate if share > best else choice)
    ranked = [
        FactCandidate(candidate.fact, candidate.passage, candidate.features, share) for share, _, candidate in of_value.values()
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
        and candidate.start is not None
        and candidate.end is not None
        and candidate.start < fact.end
        and fact.start < candidate.end
    )
