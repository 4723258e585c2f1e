"""Queries for a place in an order of the edited table: argmax, argmin and nth, over values, dates and stated superlatives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_table import EditedTable
from kgqa.edits.edited_values import convert_amount
from kgqa.edits.fact_table import DATE, RANK, FactRow, fact_rows, is_same_name, stated_extremes
from kgqa.edits.passage_tokens import content_word_stems, passage_stem, passage_tokens, stem_overlap
from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Quantity
from kgqa.quantities.quantity_changes import MONEY_PATTERN, ChangeKind, QuantityChange
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import unit_of


class SuperlativePattern(NamedTuple):
    """A superlative: a pattern, whether it is the most, the attributes it orders (any, where empty), and words that state it."""

    pattern: str
    most: bool
    measures: str
    cue_words: str
    example: str


SUPERLATIVE_PATTERNS = (
    SuperlativePattern(
        "longest|farthest|furthest", True, "length time months", "long length span distance last", "which would be the longest"
    ),
    SuperlativePattern("tallest", True, "length", "tall high height rise", "which tower would be the tallest"),
    SuperlativePattern("highest", True, "", "high height elevation rise tall altitude", "which mountain would be the highest"),
    SuperlativePattern("deepest", True, "length", "deep depth", "which lake would be the deepest"),
    SuperlativePattern("widest|broadest", True, "length", "wide width broad", "which street would be the widest"),
    SuperlativePattern("heaviest|most massive", True, "mass", "weigh weight heavy mass", "which animal would be the heaviest"),
    SuperlativePattern("oldest|eldest", True, "time months", "old age aged live", "who would be the oldest"),
    SuperlativePattern("slowest", False, "speed time months", "speed time", "which train would be the slowest"),
    SuperlativePattern(
        "fastest|quickest", True, "speed time months", "speed fast time run ran finish", "who would be the fastest"
    ),
    SuperlativePattern("richest|wealthiest|most expensive", True, "money", "worth cost price", "who would be the richest"),
    SuperlativePattern("hottest|warmest", True, "temperature", "temperature", "which city would be the hottest"),
    SuperlativePattern("most populous", True, "count", "population inhabitant people", "which city would be the most populous"),
    SuperlativePattern(
        "largest|biggest|greatest|most|leading",
        True,
        "",
        "area size population inhabitant large",
        "which country would be the largest",
    ),
    SuperlativePattern(
        "shortest|nearest|closest|narrowest|shallowest",
        False,
        "length time months",
        "length distance",
        "which river would be the shortest",
    ),
    SuperlativePattern("youngest", False, "time months", "age aged old", "who would be the youngest"),
    SuperlativePattern("lightest", False, "mass", "weigh weight mass", "which car would be the lightest"),
    SuperlativePattern("cheapest", False, "money", "cost price", "which ticket would be the cheapest"),
    SuperlativePattern("coldest|coolest", False, "temperature", "temperature", "which city would be the coldest"),
    SuperlativePattern("lowest|smallest|least|fewest", False, "", "area size population", "which country would be the smallest"),
)
"""The superlatives; the first that a main clause has decides."""
_COMPILED_SUPERLATIVES = tuple(
    (row, re.compile(rf"\b(?:(?P<place>[a-z]+|\d+(?:st|nd|rd|th))[\s-])?(?:{row.pattern})\b", re.IGNORECASE))
    for row in SUPERLATIVE_PATTERNS
)
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)
GONE = re.compile(
    r"^(?:without|but for)\b|\b(?:vanish\w*|disappear\w*|collaps\w*|destroy\w*|demolish\w*|vapori[sz]\w*|withdr[ae]w\w*"
    r"|disqualif\w*|dropped out|ceas\w*|removed|excluded|gone|stripped|lost|retired)\b",
    re.IGNORECASE,
)
"""What takes a subject or its event away, besides a negation."""


class RequestedOrder(NamedTuple):
    """What a question asks for: the `place` in an order that begins with the most, or with the least."""

    row: SuperlativePattern
    place: int

    def first_is_most(self, measure: str) -> bool:
        """Return whether the largest value comes first: of times the fastest is the smallest."""
        return self.row.most != (measure in ("time", "months") and re.search("fastest|slowest", self.row.pattern) is not None)

    def fits(self, attribute: str, stems: Collection[str]) -> bool:
        """Return whether the order is one of this attribute; the question must name what is counted."""
        sort, _, nouns = "percent percentage share vote".partition(" ") if attribute == "percent" else attribute.partition(" ")
        if attribute in (DATE, RANK) or (self.row.measures and sort not in self.row.measures.split()):
            return False
        return not nouns or bool(set(nouns.split()) & set(stems))

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words that state it in a text."""
        return frozenset(passage_stem(word) for word in self.row.cue_words.split())


def requested_order(main: str) -> RequestedOrder | None:
    """Return the order that a main clause asks for; `None` where it asks for none, denies it, or asks for two."""
    if _DENIED.search(main):
        return None
    matches = [(row, match) for row, pattern in _COMPILED_SUPERLATIVES for match in [pattern.search(main)] if match is not None]
    if not matches or len({row.most for row, _ in matches}) > 1:
        return None
    row, match = matches[0]
    place = ordinal_number((match["place"] or "").lower()) or 1
    return RequestedOrder(row, place)


def ordinal_number(word: str) -> int:
    """Return the number of an ordinal ("second", "3rd"), 0 for another word."""
    digits = re.match(r"\d+(?=st|nd|rd|th)", word)
    return int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(word, ""), 0)


def solve_order(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the subject at the place that a superlative asks for, after values were shifted, scaled, set or removed."""
    order = requested_order(problem.conditional.main) if problem.answer_type is AnswerType.NAME else None
    if order is None:
        return
    stems = content_word_stems(problem.question) | order.stems
    wished = stems if problem.conditional.changes else content_word_stems(problem.conditional.main) | order.stems
    tables = []
    for table in value_tables(problem, stems):
        attribute = table.rows[0].attribute
        edited = _edited_by_clause(problem, table) if order.fits(attribute, wished) else table
        if edited.edits:
            tables.append((max(row.fit(stems) for row, _ in edited.changed), len(table.rows), edited))
    for _, _, edited in sorted(tables, key=lambda entry: entry[:2], reverse=True):
        descending = order.first_is_most(edited.rows[0].attribute)
        before = [row for _, row in edited.ranked(descending, before=True)]
        first = edited.nth(order.place, descending)
        if first is None or any(amount is None and before.index(row) >= order.place for row, amount in edited.changed):
            continue
        sure = 0.9 if all(edit.operation is EditOperation.SHIFT for edit in edited.edits) else 0.7
        yield order_solution(edited, first, "compare", sure, edited.consequences(descending, order.place + 1))
        return


def order_solution(table: EditedTable, first: FactRow, rule: str, sure: float, consequence: str) -> EditSolution:
    """Return the solution that names the subject of a row."""
    name, script = first.subject, EditScript(table.edits)
    return build_solution(name.text, first.passage, name.start, name.end, script, rule, (sure,), consequence, exact=True)


def value_tables(problem: EditProblem, stems: Collection[str]) -> Iterator[EditedTable]:
    """Yield the rows of each attribute that two subjects have; of several values of a subject the best fit to the stems."""
    tables: dict[str, list[FactRow]] = {}
    for row in fact_rows(problem.passages):
        rows = tables.setdefault(row.attribute, [])
        known = next((at for at, earlier in enumerate(rows) if is_same_name(row.subject, earlier.subject)), None)
        if known is None:
            rows.append(row)
        elif row.fit(stems) > rows[known].fit(stems):
            rows[known] = row
    yield from (EditedTable(tuple(rows)) for rows in tables.values() if len(rows) > 1)


def _edited_by_clause(problem: EditProblem, table: EditedTable) -> EditedTable:
    """Return the table with what the "if" changes: an amount, a removed subject, or a stated value."""
    conditional = problem.conditional
    for change in conditional.changes:
        before = max((earlier.end for earlier in conditional.changes if earlier.end <= change.start), default=0)
        row = row_named_in(table.rows, conditional.clause[before : change.start])
        if row is None:
            continue
        if change.how is ChangeKind.TIMES:
            table = table.scale(row, change.amount, change.text)
        elif change.how is ChangeKind.MORE and (step := _step(row, change, conditional.clause)) is not None:
            table = table.shift(row, step, change.text, change.unit)
    row = None if conditional.changes else row_named_in(table.rows, conditional.clause)
    if row is None:
        return table
    if conditional.negated or GONE.search(conditional.clause):
        return table.remove(row)
    for quantity in parse_quantities(conditional.clause):
        if isinstance(quantity, Quantity) and quantity.text not in row.subject.text:
            value = _stated_value(quantity, row.attribute, conditional.clause)
            if value is not None:
                return table.set_value(row, value, quantity.text)
    return table


def row_named_in(rows: Sequence[FactRow], text: str) -> FactRow | None:
    """Return the row whose subject a text names, `None` without one."""
    stems = content_word_stems(text)
    likeliest = max(rows, key=lambda row: (stem_overlap(row.subject.stems, stems), len(row.subject.stems & stems)))
    return likeliest if stem_overlap(likeliest.subject.stems, stems) >= 0.5 else None


def _step(row: FactRow, change: QuantityChange, clause: str) -> Fraction | None:
    """Return a change in the first unit of the measure of a row; `None` where the two do not measure the same."""
    if row.attribute.startswith("count"):
        behind = {word.stem for word in passage_tokens(clause[change.start : change.end + 40])}
        return change.amount if behind & set(row.attribute.split()[1:]) else None
    if row.attribute not in ("money", "percent"):
        unit = unit_of(change.unit) or unit_of(change.unit.split()[0]) if change.unit else None
        if unit is None or unit.measures != row.attribute:
            return None
        slower = row.attribute in ("time", "months") and re.search(r"\b(?:slower|faster)\b", change.text) is not None
        return (-1 if slower else 1) * change.amount * unit.factor
    money = MONEY_PATTERN.search(clause) is not None
    value = row.fact.value
    return convert_amount(value, change.amount, "" if money else change.unit, money) if isinstance(value, Quantity) else None


def _stated_value(quantity: Quantity, attribute: str, clause: str) -> Fraction | None:
    """Return the value that an "if" states, where it is of this attribute."""
    if attribute.startswith("count"):
        behind = {word.stem for word in passage_tokens(clause[quantity.end : quantity.end + 40])}
        return quantity.value if not quantity.unit and behind & set(attribute.split()[1:]) else None
    unit = unit_of(quantity.unit) if quantity.unit else None
    if unit is None:
        return quantity.value if quantity.sort.value == attribute else None
    return quantity.value * unit.factor if unit.measures == attribute else None


class ExposureProcess(NamedTuple):
    """A process, what it does first, the quality that decides who is first, and the measure of that quality."""

    supposed: str
    happens: str
    decides: str
    measure: str
    example: str


_UNDER_WATER = r"\b(?:submerg|flood|drown|inundat|under ?water|disappear|sink|swallow|lost)"
_RISES = r"(?:ris|rose|increas|climb)"
EXPOSURE_PROCESSES = (
    ExposureProcess(
        rf"\b(?:sea|ocean|water)\s?levels?\b.*\b{_RISES}",
        _UNDER_WATER,
        "lowest-lying",
        "length",
        "if the sea level rises, which country is submerged first",
    ),
    ExposureProcess(
        r"\b(?:temperature|climate|planet|earth|world|globe)\b.*\b(?:ris|rose|increas|warm|heat)",
        r"\b(?:melt|thaw|vanish|disappear|uninhabitable)",
        "hottest",
        "temperature",
        "if the climate warms, which place becomes uninhabitable first",
    ),
    ExposureProcess(
        r"\b(?:(?:water|rain|rainfall)\b.*\b(?:stop|fail|drop|fall|decreas)|(?:drought|heat)\b)",
        r"\b(?:dry|dries|run out|desert|thirst)",
        "driest",
        "",
        "if the rain fails, which region dries out first",
    ),
    ExposureProcess(
        r"\b(?:river|lake|dam|stream|reservoir)\b.*\b(?:overflow|burst|flood|ris|rose|broke)",
        _UNDER_WATER,
        "lowest",
        "length",
        "if the river rose, which town is flooded first",
    ),
    ExposureProcess(
        r"\b(?:age|oldest|retire|time)\b.*\b(?:rule|limit|retire)",
        r"\b(?:retire|leave|step down)",
        "oldest",
        "time months",
        "if an age limit came, who would retire first",
    ),
)
"""The processes, each with an example."""
_FIRST = re.compile(r"\b(?:first|earliest|soonest|before (?:all|any) others?|initially)\b", re.IGNORECASE)


def exposure_process(clause: str, main: str) -> ExposureProcess | None:
    """Return the process that a question supposes, where it asks whom that process reaches first."""
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
    """Yield the subject that a process reaches first: the one with the stated superlative, else the argmin or argmax."""
    process = exposure_process(problem.conditional.clause, problem.conditional.main)
    if process is None or problem.answer_type not in (AnswerType.NAME, AnswerType.RANK):
        return
    stems = content_word_stems(problem.question)
    edit = FactEdit(EditOperation.FORCE, problem.conditional.clause, "so")
    decides = re.compile(rf"\b{process.decides.replace('-lying', '')}\b(?:[\s-]lying\b)?", re.IGNORECASE)
    sort = {passage_stem(item) for item in re.findall(r"(?:which|what)\s+(\w+)", problem.conditional.main, re.IGNORECASE)}
    stated = [row for row in stated_extremes(problem.passages, decides) if stem_overlap(row.subject.stems, stems) < 0.5]
    if stated:
        row = max(stated, key=lambda row: bool(sort & content_word_stems(row.passage.text[row.fact.end : row.fact.end + 60])))
        table = EditedTable((row,), edits=(edit,))
        yield order_solution(table, row, "most exposed", 0.7, f"first is the {process.decides}: {row.subject.text}")
        return
    order = requested_order(process.decides.partition("-")[0])
    for table in value_tables(problem, stems):
        attribute = table.rows[0].attribute
        if order is None or attribute not in process.measure.split():
            continue
        first = table.nth(1, order.row.most)
        if first is not None:
            table = EditedTable(table.rows, edits=(edit,))
            consequence = f"first is the {process.decides}: {table.consequences(order.row.most, 2)}"
            yield order_solution(table, first, "most exposed", 0.7, consequence)
            return
