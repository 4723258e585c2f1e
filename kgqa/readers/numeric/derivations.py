"""Derivations: programs of one or two operations over the amounts of a passage, and the score by which the best is chosen.

Each operation of `OPERATIONS` proposes derivations with their operands. The score of a derivation is the share of the content
words of the question that its operands account for, rare words counting more; where two derivations with different results
account for nearly as much, or the best for too little, there is none.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kgqa.quantities.quantity import Sort
from kgqa.quantities.quantity_format import format_digits, format_quantity
from kgqa.readers.numeric.amount_operations import OPERATIONS, Derivation, part_polarity
from kgqa.readers.numeric.amount_question import AmountKind, AmountQuestion, is_same_kind, word_agreement
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable
from kgqa.readers.numeric.balance_operations import BALANCE_OPERATIONS
from kgqa.readers.numeric.level_operations import LEVEL_OPERATIONS
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import NumericAnswer
from kgqa.readers.numeric.passage_tokens import passage_tokens, verb_lemma

LEAST_AGREEMENT = 0.5
"""Below this score a derivation is not held to be what is asked for."""
LEAST_MARGIN = 0.05
"""How much better the best derivation has to be than one with another result."""
_UNKNOWN, _THING = 0.35, 1.3
"""The weight of a word that the passage has not, and how much more the name of a thing counts, also where it has it not."""


def derive_amount(question: AmountQuestion, table: AmountTable) -> NumericAnswer | None:
    """Return the answer of the best derivation, `None` where none is sure."""
    scored = _proposals(question, table)
    if not scored or scored[0][0] < LEAST_AGREEMENT:
        return None
    score, best = scored[0]
    rival = next((value for value, item in scored if item.result.value != best.result.value), 0.0)
    if score - rival < LEAST_MARGIN:
        return None
    text = result_text(question, best)
    operands = "; ".join(_selected_by(row, question) for row in best.operands if not row.step)
    operand_line = f"found: {operands}" if operands else ""
    calculation = f"{best.step}{text}" if best.step else ""
    steps = tuple(filter(None, (operand_line, *(row.step for row in best.operands), calculation)))
    first = best.operands[0]
    return NumericAnswer(text, score, steps, first.start, first.quantity.end)


def _proposals(question: AmountQuestion, table: AmountTable) -> list[tuple[float, Derivation]]:
    """Return all derivations with their scores, the best first."""
    proposed = (
        item for operation in (*OPERATIONS, *LEVEL_OPERATIONS, *BALANCE_OPERATIONS) for item in operation(question, table)
    )
    scored = [(agreement(question, table, item) * item.share, item) for item in proposed]
    likely = [item for score, item in scored if item.exhaustive and score >= LEAST_AGREEMENT]
    whole = [(score, item) for score, item in scored if item.exhaustive or not any(_leaves_out(item, best) for best in likely)]
    return sorted(whole, key=lambda entry: -entry[0])


def _leaves_out(derivation: Derivation, exhaustive: Derivation) -> bool:
    """Return whether a derivation uses some operands of an exhaustive one alone, or takes others from the same whole."""
    own, others = ({row.start for row in item.operands} for item in (derivation, exhaustive))
    return own < others or (derivation.operands[0].start in others and " - " in derivation.step)


def is_proposed(question: AmountQuestion, table: AmountTable, text: str) -> bool:
    """Return whether a number is the result of a derivation that is likely enough, though perhaps no likelier than another."""
    likely = (item for score, item in _proposals(question, table) if score >= LEAST_AGREEMENT)
    return any(result_text(question, item).split()[:1] == text.split()[:1] for item in likely)


def _selected_by(row: AmountRow, question: AmountQuestion) -> str:
    """Return an operand with the words of the question that select it."""
    tokens = (word for word in passage_tokens(question.text) if verb_lemma(word.text) in question.lemmas)
    words = dict.fromkeys(word.text for word in tokens if verb_lemma(word.text) in row.clause | row.nouns)
    return f"{row.quantity.text} ({', '.join(words)})" if words else row.quantity.text


def result_text(question: AmountQuestion, derivation: Derivation) -> str:
    """Return a result as the question wants it: without the unit that it names, a length of time in hours and minutes."""
    result, like = derivation.result, derivation.operands[0].quantity
    clock = derivation.operands[0].measure == "clock" or result.value >= 60
    if result.sort is Sort.DURATION and result.unit == "minutes" and clock:
        hours, minutes = divmod(int(result.value), 60)
        if question.unit == "minutes":
            return str(int(result.value))
        pieces = [f"{hours} hour{'s' if hours > 1 else ''}"] if hours else []
        return " ".join([*pieces, *([f"{minutes} minutes"] if minutes else [])])
    if result.sort is Sort.TIME:
        hour, minute = divmod(int(result.value) % 1440, 60)
        mark = "." if ":" not in like.text else ":"
        half = re.search(r"[ap]\.?m\.?$", like.text)
        return f"{(hour - 1) % 12 + 1 if half else hour}{mark}{minute:02d}{f' {half[0]}' if half else ''}"
    if result.sort is Sort.YEAR:
        return format_digits(result.value)
    if result.sort is Sort.PERCENT:
        return format_digits(result.value) + ("" if "points" in question.cues else "%")
    spelt = replace(like, spelt=False, text="") if like.spelt else like
    if like.scale and result.value < 10**6:
        spelt, result = replace(spelt, scale=0, text=""), replace(result, scale=0)
    if not result.unit or question.unit:
        commas = result.value >= 1000 and not like.scale
        return (
            format_quantity(replace(result, unit="", sort=Sort.CARDINAL), spelt)
            if like.scale
            else format_digits(result.value, commas=commas)
        )
    return format_quantity(result, spelt)


def agreement(question: AmountQuestion, table: AmountTable, derivation: Derivation) -> float:
    """Return the share of the content words of a question that the operands of a derivation account for (0..1)."""
    things = question.things
    weights = {lemma: table.rarity.get(lemma, _UNKNOWN) for lemma in question.lemmas}
    weights |= {lemma: _THING * table.rarity.get(lemma, 1.0) for lemma in question.lemmas if lemma in things}
    total = sum(weights.values())
    if not total:
        return 0.0
    rows = derivation.operands
    score = sum(
        weight * (1.0 if lemma in derivation.labels else max(word_agreement(lemma, row, table) for row in rows))
        for lemma, weight in weights.items()
    )
    nouns = 1.0
    if question.nouns and not derivation.result.unit:
        held = [bool(question.nouns & row.nouns) or is_same_kind(question.nouns, row.nouns) for row in rows]
        nouns = 1.0 if all(held) or (held[0] and question.kind is not AmountKind.DIFFERENCE) else 0.6
        if question.kind is not AmountKind.DIFFERENCE:
            nouns = max(nouns, 0.85 * any(question.nouns <= row.clause for row in rows))
    return score / total * nouns


LEAST_STATED = 0.5
"""Below this agreement a number that the passage states is not held to be the one that is asked for."""
_COMPARES = re.compile(r"\b(?:more|less|fewer|by|than|difference|[a-z]{3,}er)\b")
_OF_EACH = re.compile(r"\b(?:each|every|per|an?|apiece)\b", re.IGNORECASE)
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_MEASURES_OF_KIND = {
    AmountKind.MONEY: ("money", ""),
    AmountKind.CLOCK: ("clock", "time", ""),
    AmountKind.SHARE: ("percent",),
    AmountKind.CHANGE: ("percent",),
}
_UNSTATED_CUES = frozenset({"negation", "total", "daily", "late", "next", "begun"})


def is_unsupported(question: AmountQuestion, table: AmountTable, start: int, end: int) -> bool:
    """Return whether the number at a span is not what is asked for: another measure, or words that do not agree."""
    held = [row for row in table.rows if not row.step and row.start < end and start < row.quantity.end]
    row = held[0] if held else None
    if len(held) > 1 and question.kind is not AmountKind.DURATION:
        return True
    held_with = [neighbour for neighbour in table.rows if row is not None and neighbour.at == row.at]
    counts = {item.value for item in question.counts if item.value > 1} - {neighbour.quantity.value for neighbour in held_with}
    if counts and question.kind in (AmountKind.MONEY, AmountKind.MEASURE):
        return True
    if question.kind in (AmountKind.DURATION, AmountKind.COUNT) and _YEAR.fullmatch(table.text[start:end].strip()):
        return True
    if question.kind is AmountKind.RATIO:
        return not table.text[end:].lstrip().startswith("times") and "times" not in table.text[start:end]
    if question.cues & _UNSTATED_CUES and not (row is not None and _says_cue(question, row)):
        return True
    if row is None or not table.text[start:end].strip():
        return question.kind in (AmountKind.SHARE, AmountKind.CLOCK) and row is None
    if _is_of_whole(question, row, table):
        return True
    fraction = 0 < row.quantity.value < 1 and not row.measure
    if question.kind in _MEASURES_OF_KIND and row.measure not in _MEASURES_OF_KIND[question.kind]:
        return not (question.kind is AmountKind.SHARE and fraction)
    if question.kind is AmountKind.DURATION:
        return row.measure == "clock"
    if question.kind is AmountKind.DIFFERENCE:
        return not row.flow and not _COMPARES.search(row.wording)
    if question.kind is AmountKind.COUNT and question.nouns:
        return (
            row.measure in ("money", "clock") or agreement(question, table, Derivation(row.quantity, (row,), "")) < LEAST_STATED
        )
    return False


def _is_of_whole(question: AmountQuestion, row: AmountRow, table: AmountTable) -> bool:
    """Return whether a number is the sum where a question wants it for each thing, or the part that it does not ask for."""
    match = NUMERIC_CUES["of each thing"].search(question.text)
    thing = verb_lemma(match["thing"]) if match is not None else ""
    if thing in table.rarity and not row.rate and not _OF_EACH.search(row.wording):
        return question.kind in (AmountKind.MONEY, AmountKind.MEASURE) and thing not in row.nouns
    return row.whole is not None and question.kind is AmountKind.COUNT and part_polarity(question, row) is False


def _says_cue(question: AmountQuestion, row: AmountRow) -> bool:
    """Return whether the clause of a number has the cue of the question itself: "a total of 40", "did not vote"."""
    patterns = (NUMERIC_CUES[f"question {cue}"] for cue in question.cues & _UNSTATED_CUES)
    return all(pattern.search(row.wording) for pattern in patterns)
