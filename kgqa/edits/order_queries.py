"""Queries for a place in an order of the edited table: argmax, argmin and nth, over values and stated superlatives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import starmap
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, name_solution
from kgqa.edits.edited_table import edit_by_clause, value_tables
from kgqa.edits.fact_table import DATE, RANK, stated_extremes
from kgqa.edits.passage_tokens import content_word_stems, passage_stem, stem_overlap
from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS


class SuperlativePattern(NamedTuple):
    """A superlative: a pattern, whether it is the most, the attributes it orders (any, where empty), and words that state it."""

    pattern: str
    most: bool
    measures: str
    cue_words: str
    example: str

    def first_is_most(self, measure: str) -> bool:
        """Return whether the largest value comes first: of times the fastest is the smallest."""
        return self.most != (measure in ("time", "months") and re.search("fastest|slowest", self.pattern) is not None)

    def fits(self, attribute: str, stems: Collection[str]) -> bool:
        """Return whether the order is one of this attribute; the question must name what is counted."""
        sort, _, nouns = "percent percentage share vote".partition(" ") if attribute == "percent" else attribute.partition(" ")
        if attribute in (DATE, RANK) or (self.measures and sort not in self.measures.split()):
            return False
        return not nouns or bool(set(nouns.split()) & set(stems))


_ROWS = (
    ("longest|farthest|furthest", True, "length time months", "long length span distance last", "the longest bridge"),
    ("tallest", True, "length", "tall high height rise", "which tower would be the tallest"),
    ("highest", True, "", "high height elevation rise tall altitude", "the highest mountain"),
    ("deepest", True, "length", "deep depth", "the deepest lake"),
    ("widest|broadest", True, "length", "wide width broad", "the widest street"),
    ("heaviest|most massive", True, "mass", "weigh weight heavy mass", "the heaviest animal"),
    ("oldest|eldest", True, "time months", "old age aged live", "who would be the oldest"),
    ("slowest", False, "speed time months", "speed time", "the slowest train"),
    ("fastest|quickest", True, "speed time months", "speed fast time run ran finish", "who would be the fastest"),
    ("richest|wealthiest|most expensive", True, "money", "worth cost price", "who would be the richest"),
    ("hottest|warmest", True, "temperature", "temperature", "the hottest city"),
    ("most populous", True, "count", "population inhabitant people", "the most populous city"),
    ("largest|biggest|greatest|most|leading", True, "", "area size population inhabitant large", "the largest country"),
    ("shortest|nearest|closest|narrowest|shallowest", False, "length time months", "length distance", "the shortest river"),
    ("youngest", False, "time months", "age aged old", "who would be the youngest"),
    ("lightest", False, "mass", "weigh weight mass", "the lightest car"),
    ("cheapest", False, "money", "cost price", "the cheapest ticket"),
    ("coldest|coolest", False, "temperature", "temperature", "the coldest city"),
    ("lowest|smallest|least|fewest", False, "", "area size population", "the smallest country"),
)
SUPERLATIVE_PATTERNS = tuple(starmap(SuperlativePattern, _ROWS))
"""The superlatives; the first that a main clause has decides."""
_DENIED = re.compile(r"(?i)\b(?:not|never|no longer)\b|n['’]t\b")


def requested_order(main: str) -> tuple[SuperlativePattern, int] | None:
    """Return the order that a main clause asks for, and the place in it; `None` for none, a denied one, or two."""
    if _DENIED.search(main):
        return None
    places: dict[SuperlativePattern, str] = {}
    for row in SUPERLATIVE_PATTERNS:
        match = re.search(rf"\b(?:(?P<place>[a-z]+|\d+(?:st|nd|rd|th))[\s-])?(?:{row.pattern})\b", main, re.IGNORECASE)
        if match is not None:
            places[row] = match["place"] or ""
    if len({row.most for row in places}) != 1:
        return None
    row, place = next(iter(places.items()))
    return row, ordinal_number(place.lower()) or 1


def ordinal_number(word: str) -> int:
    """Return the number of an ordinal ("second", "3rd"), 0 for another word."""
    digits = re.match(r"\d+(?=st|nd|rd|th)", word)
    return int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(word, ""), 0)


def solve_order(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the subject at the place that a superlative asks for, after values were shifted, scaled, set or removed."""
    order = requested_order(problem.conditional.main) if problem.answer_type is AnswerType.NAME else None
    if order is None:
        return
    superlative, place = order
    cue_stems = frozenset(map(passage_stem, superlative.cue_words.split()))
    stems = content_word_stems(problem.question) | cue_stems
    wished = stems if problem.conditional.changes else content_word_stems(problem.conditional.main) | cue_stems
    fitting = [table for table in value_tables(problem, stems) if superlative.fits(table.attribute, wished)]
    tables = [edit_by_clause(problem, table) for table in fitting]
    edited_tables = [(max(row.fit(stems) for row, _ in table.changed), len(table.rows), table) for table in tables if table.edits]
    for _, _, table in sorted(edited_tables, key=lambda entry: entry[:2], reverse=True):
        descending = superlative.first_is_most(table.attribute)
        before = [row for _, row in table.ranked(descending, before=True)]
        first = table.nth(place, descending)
        if first is None or any(amount is None and before.index(row) >= place for row, amount in table.changed):
            continue
        sure = 0.9 if all(edit.operation is EditOperation.SHIFT for edit in table.edits) else 0.7
        yield name_solution("compare", sure, first, table.edits, table.consequences(descending, place + 1))
        return


class ExposureProcess(NamedTuple):
    """A process, what it does first, the quality that decides who is first, and the measure of that quality."""

    supposed: str
    happens: str
    decides: str
    measure: str
    example: str


_SEA_RISES = r"\b(?:sea|ocean|water)\s?levels?\b.*\b(?:ris|rose|increas|climb)"
_WARMS = r"\b(?:temperature|climate|planet|earth|world|globe)\b.*\b(?:ris|rose|increas|warm|heat)"
_DROUGHT = r"\b(?:(?:water|rain|rainfall)\b.*\b(?:stop|fail|drop|fall|decreas)|(?:drought|heat)\b)"
_RIVER_RISES = r"\b(?:river|lake|dam|stream|reservoir)\b.*\b(?:overflow|burst|flood|ris|rose|broke)"
_AGE_LIMIT = r"\b(?:age|oldest|retire|time)\b.*\b(?:rule|limit|retire)"
_UNDER_WATER = r"\b(?:submerg|flood|drown|inundat|under ?water|disappear|sink|swallow|lost)"
_MELTS = r"\b(?:melt|thaw|vanish|disappear|uninhabitable)"
_DRIES = r"\b(?:dry|dries|run out|desert|thirst)"
_RETIRES = r"\b(?:retire|leave|step down)"
EXPOSURE_PROCESSES = (
    ExposureProcess(_SEA_RISES, _UNDER_WATER, "lowest-lying", "length", "if the sea level rises, which country is flooded first"),
    ExposureProcess(_WARMS, _MELTS, "hottest", "temperature", "if the climate warms, which place becomes uninhabitable first"),
    ExposureProcess(_DROUGHT, _DRIES, "driest", "", "if the rain fails, which region dries out first"),
    ExposureProcess(_RIVER_RISES, _UNDER_WATER, "lowest", "length", "if the river rose, which town is flooded first"),
    ExposureProcess(_AGE_LIMIT, _RETIRES, "oldest", "time months", "if an age limit came, who would retire first"),
)
"""The processes, each with an example."""
_FIRST = re.compile(r"(?i)\b(?:first|earliest|soonest|before (?:all|any) others?|initially)\b")


def exposure_process(clause: str, main: str) -> ExposureProcess | None:
    """Return the process that a question supposes, where it asks whom that process reaches first."""
    if _FIRST.search(main):
        for process in EXPOSURE_PROCESSES:
            if re.search(process.supposed, clause, re.IGNORECASE) and re.search(process.happens, main, re.IGNORECASE):
                return process
    return None


def solve_first_exposed(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the subject that a process reaches first: the one with the stated superlative, else the argmin or argmax."""
    conditional = problem.conditional
    process = exposure_process(conditional.clause, conditional.main)
    if process is None or problem.answer_type not in (AnswerType.NAME, AnswerType.RANK):
        return
    stems = content_word_stems(problem.question)
    edits = (FactEdit(EditOperation.FORCE, conditional.clause, "so"),)
    decides = re.compile(rf"(?i)\b{process.decides.replace('-lying', '')}\b(?:[\s-]lying\b)?")
    sort = {passage_stem(item) for item in re.findall(r"(?:which|what)\s+(\w+)", conditional.main, re.IGNORECASE)}
    stated = [row for row in stated_extremes(problem.passages, decides) if stem_overlap(row.subject.stems, stems) < 0.5]
    if stated:
        row = max(stated, key=lambda row: bool(sort & content_word_stems(row.passage.text[row.fact.end : row.fact.end + 60])))
        yield name_solution("most exposed", 0.7, row, edits, f"first is the {process.decides}: {row.subject.text}")
        return
    order = requested_order(process.decides.partition("-")[0])
    if order is None:
        return
    most = order[0].most
    for table in value_tables(problem, stems):
        first = table.nth(1, most) if table.attribute in process.measure.split() else None
        if first is not None:
            consequence = f"first is the {process.decides}: {table.consequences(most, 2)}"
            yield name_solution("most exposed", 0.7, first, edits, consequence)
            return
