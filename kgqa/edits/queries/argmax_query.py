"""Orders that a question asks for ("the second longest"): which way they go, what they measure, and how a text says it.

Who is first after an edit: all values of one kind are ranked in the edited world ("which mountain would be the highest?").

Processes that reach the most exposed first: "which country is flooded first?" asks for the lowest-lying one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_values import convert_amount, plain_number_text
from kgqa.edits.passage_facts import EntityValue, entity_values
from kgqa.edits.passage_tokens import content_word_stems, name_mentions, passage_stem, passage_tokens, stem_overlap
from kgqa.quantities.number_words import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Quantity
from kgqa.quantities.quantity_changes import MONEY_PATTERN, ChangeKind, QuantityChange
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import unit_of


@dataclass(frozen=True, slots=True)
class SuperlativePattern:
    """A superlative: a pattern, whether it asks for the most, what it measures (any, where empty), and words that say it."""

    pattern: str
    most: bool
    measures: frozenset[str]
    cue_words: str
    example: str


_LENGTH, _TIME = frozenset({"length"}), frozenset({"time", "months"})
SUPERLATIVE_PATTERNS = (
    SuperlativePattern(
        r"longest|farthest|furthest", True, _LENGTH | _TIME, "long length span distance last", "which bridge would be the longest"
    ),
    SuperlativePattern(r"tallest", True, _LENGTH, "tall high height rise", "which tower would be the tallest"),
    SuperlativePattern(
        r"highest", True, frozenset(), "high height elevation rise tall altitude", "which mountain would be the highest"
    ),
    SuperlativePattern(r"deepest", True, _LENGTH, "deep depth", "which lake would be the deepest"),
    SuperlativePattern(r"widest|broadest", True, _LENGTH, "wide width broad", "which street would be the widest"),
    SuperlativePattern(
        r"heaviest|most massive", True, frozenset({"mass"}), "weigh weight heavy mass", "which animal would be the heaviest"
    ),
    SuperlativePattern(r"oldest|eldest", True, _TIME, "old age aged live", "who would be the oldest"),
    SuperlativePattern(r"slowest", False, frozenset({"speed"}) | _TIME, "speed time", "which train would be the slowest"),
    SuperlativePattern(
        r"fastest|quickest", True, frozenset({"speed"}) | _TIME, "speed fast time run ran finish", "who would be the fastest"
    ),
    SuperlativePattern(
        r"richest|wealthiest|most expensive", True, frozenset({"money"}), "worth cost price", "who would be the richest"
    ),
    SuperlativePattern(r"hottest|warmest", True, frozenset({"temperature"}), "temperature", "which city would be the hottest"),
    SuperlativePattern(
        r"most populous", True, frozenset({"count"}), "population inhabitant people", "which city would be the most populous"
    ),
    SuperlativePattern(
        r"largest|biggest|greatest|most|leading",
        True,
        frozenset(),
        "area size population inhabitant large",
        "which country would be the largest",
    ),
    SuperlativePattern(
        r"shortest|nearest|closest|narrowest|shallowest",
        False,
        _LENGTH | _TIME,
        "length distance",
        "which river would be the shortest",
    ),
    SuperlativePattern(r"youngest", False, _TIME, "age aged old", "who would be the youngest"),
    SuperlativePattern(r"lightest", False, frozenset({"mass"}), "weigh weight mass", "which car would be the lightest"),
    SuperlativePattern(r"cheapest", False, frozenset({"money"}), "cost price", "which ticket would be the cheapest"),
    SuperlativePattern(r"coldest|coolest", False, frozenset({"temperature"}), "temperature", "which city would be the coldest"),
    SuperlativePattern(
        r"lowest|smallest|least|fewest", False, frozenset(), "area size population", "which country would be the smallest"
    ),
)
"""The superlatives, the first that a main clause has tells."""


class RequestedOrder(NamedTuple):
    """What is asked for: the `place` in a row that begins with the most, or with the least."""

    row: SuperlativePattern
    place: int

    def first_is_most(self, measure: str) -> bool:
        """Tell whether the largest value comes first: of times the fastest is the smallest."""
        return self.row.most != (measure in _TIME and re.search("fastest|slowest", self.row.pattern) is not None)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words with which a text says it."""
        return frozenset(passage_stem(word) for word in self.row.cue_words.split())


_COMPILED_SUPERLATIVES = tuple(
    (row, re.compile(rf"\b(?:(?P<place>[a-z]+|\d+(?:st|nd|rd|th))[\s-])?(?:{row.pattern})\b", re.IGNORECASE))
    for row in SUPERLATIVE_PATTERNS
)
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)


def requested_order(main: str) -> RequestedOrder | None:
    """Return the order that a main clause asks for; `None` where it asks for none, for what is not so, or for two."""
    if _DENIED.search(main):
        return None
    matches = [(row, match) for row, pattern in _COMPILED_SUPERLATIVES for match in [pattern.search(main)] if match is not None]
    if not matches or len({row.most for row, _ in matches}) > 1:
        return None
    row, match = matches[0]
    place_word = (match["place"] or "").lower()
    digits = re.match(r"\d+", place_word)
    place = int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(place_word, ""), 1)
    return RequestedOrder(row, place) if place >= 1 else None


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
    if not isinstance(value, Quantity):
        return None
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
        f"{entity.name.text} {plain_number_text(entity.value / _unit_factor(entity))} → "
        f"{_value_text(made.value, _unit_factor(entity))}"
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
    return entity.value / value.value if isinstance(value, Quantity) and value.value else Fraction(1)


def _value_text(value: Fraction | None, factor: Fraction) -> str:
    return "gone" if value is None else plain_number_text(value / factor)


@dataclass(frozen=True, slots=True)
class ExposureProcess:
    """A process, what happens first by it, and the quality that decides who is first, as passages tell it."""

    supposed: str
    happens: str
    decides: str
    fact: str
    example: str


EXPOSURE_PROCESSES = (
    ExposureProcess(
        r"\b(?:sea|ocean|water)\s?levels?\b.*\b(?:ris|rose|increas|climb)",
        r"\b(?:submerg|flood|drown|inundat|under "
        r"?water|disappear|sink|swallow|lost)",
        "lowest-lying",
        r"\blowest(?:[\s-]lying)?\b",
        "if the sea level rises, which country is submerged first",
    ),
    ExposureProcess(
        r"\b(?:temperature|climate|planet|earth|world|globe)\b.*\b(?:ris|rose|increas|warm|heat)",
        r"\b(?:melt|thaw|vanish|disappear|uninhabitable)",
        "hottest",
        r"\b(?:hottest|warmest)\b",
        "if the climate warms, which place becomes uninhabitable first",
    ),
    ExposureProcess(
        r"\b(?:water|rain|drought|rainfall)\b.*\b(?:stop|fail|drop|fall|decreas|last|continu)",
        r"\b(?:dry|dries|run out|desert|thirst)",
        "driest",
        r"\b(?:driest|most arid)\b",
        "if the rain fails, which region dries out first",
    ),
    ExposureProcess(
        r"\b(?:river|lake|dam)\b.*\b(?:overflow|burst|flood|ris|rose|broke)",
        r"\b(?:flood|submerg|inundat|under ?water)",
        "lowest",
        r"\blowest(?:[\s-]lying)?\b",
        "if the river rose, which town is flooded first",
    ),
    ExposureProcess(
        r"\b(?:age|oldest|retire|time)\b.*\b(?:rule|limit|retire)",
        r"\b(?:retire|leave|step down)",
        "oldest",
        r"\b(?:oldest|eldest)\b",
        "if an age limit came, who would retire first",
    ),
)
"""Processes, each with an example."""

_FIRST = re.compile(r"\b(?:first|earliest|soonest|before (?:all|any) others?|initially)\b", re.IGNORECASE)


def exposure_process(clause: str, main: str) -> ExposureProcess | None:
    """Return the process that a question supposes, where it asks who is reached first by it."""
    if not _FIRST.search(main):
        return None
    return next(
        (
            process
            for process in EXPOSURE_PROCESSES
            if re.search(process.supposed, clause, re.IGNORECASE) and re.search(process.happens, main, re.IGNORECASE)
        ),
        None,
    )


def solve_first_exposed(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the name that a passage gives the quality which decides who is reached first."""
    process = exposure_process(problem.conditional.clause, problem.conditional.main)
    if process is None or problem.answer_type not in (AnswerType.NAME, AnswerType.RANK):
        return
    question_stems = content_word_stems(problem.question)
    sort = {passage_stem(item) for item in re.findall(r"(?:which|what)\s+(\w+)", problem.conditional.main, re.IGNORECASE)}
    best: tuple[float, EditSolution] | None = None
    for passage in problem.passages:
        mentions = name_mentions(passage.text)
        for quality in re.finditer(process.fact, passage.text, re.IGNORECASE):
            start, end = next(item for item in passage.sentences if item[0] <= quality.start() < item[1])
            inside = [name for name in mentions if start <= name.start < end and stem_overlap(name.stems, question_stems) < 0.5]
            before = [name for name in inside if name.end <= quality.start()]
            behind = [name for name in inside if name.start >= quality.end()]
            copula_match = re.match(r"[^.;]*?\b(?:is|are|was|,)\s+(?:the\s+)?", passage.text[quality.end() : end])
            name = before[0] if before else behind[0] if behind and copula_match else None
            if name is None:
                continue
            fit = 1.0 if sort & content_word_stems(passage.text[quality.end() : quality.end() + 60]) else 0.5
            if best is None or fit > best[0]:
                edits = (FactEdit(EditOperation.FORCE, problem.conditional.clause, "so"),)
                best = (
                    fit,
                    build_solution(
                        name.text,
                        passage,
                        name.start,
                        name.end,
                        EditScript(edits),
                        "most exposed",
                        (0.7 * fit,),
                        f"first is the {process.decides} one: {name.text}",
                    ),
                )
    if best is not None:
        yield best[1]
