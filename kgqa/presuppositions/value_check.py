"""Numbers, dates and ranks that a question takes for granted, compared with what passages say of the same thing.

A statement is compared with a fact of a passage only where the subject, the attribute and the other words of the statement agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from kgqa.edits.fact_table import (
    DATE,
    RANK,
    FactRow,
    ParsedPassage,
    PassageFact,
    fact_rows,
    measured_facts,
    parse_passages,
)
from kgqa.edits.order_queries import SUPERLATIVE_PATTERNS
from kgqa.presuppositions.evidence_selection import EvidenceSentence
from kgqa.presuppositions.premise_finder import NEGATION
from kgqa.quantities.quantity import Date, Quantity
from kgqa.readers.numeric.passage_tokens import content_word_stems, name_mentions, passage_stem, verb_lemma
from kgqa.readers.reader import Passage

VALUE_CONFLICT = 0.9
"""The probability that a statement is false where a passage has another value of the same attribute of the same thing."""
_ROUNDING, _HEDGED_ROUNDING = Fraction(1, 20), Fraction(1, 6)
"""The share by which two measurements of one thing may differ, and one that is hedged; counts below twenty are exact."""
_EXACT = 20
_VAGUE = frozenset(
    map(passage_stem, "happen happened occur occurred take took taken place become became year use used ago".split())
)
"""Words that say nothing of what has a value."""
_POINTS = re.compile(r"\b(?:in|on|of|at|during)\s(?:the\s)?$|\($|^\W*$", re.IGNORECASE)
"""What stands before a date at which something is, rather than before or after it."""
_CLAUSES = re.compile(r"[;:()]|,\s|\b(?:and|while|whereas|but|although)\b")
_NOUN_START = re.compile(r"(?:the|an?|all|most|its|their|these|those)\s+$|^\W*$", re.IGNORECASE)
_UPPER_ADDRESS_DATE = re.compile(r"/(?:19|20)\d\d(?:[/-](?:0[1-9]|1[0-2]))?(?=[/-])")
_ADDRESS_DATE = re.compile(r"/(?:19|20)\d\d(?:[/-](?:0[1-9]|1[0-2]))?(?=[/-])")
_BOUND = frozenset(
    ("up to", "at most", "less than", "fewer than", "under", "below", "at least", "more than", "over", "above", "exceeding")
)


class _Claim(NamedTuple):
    """A value of a statement: its attribute, its amount in the first unit of measure, and the other words of the statement."""

    attribute: str
    amount: Fraction | None
    fact: PassageFact | None
    topic: frozenset[str]


class _ComparedFact(NamedTuple):
    """A fact of a passage that is compared with a claim, the factor of its unit, and whether it is `dated` by another time."""

    fact: PassageFact
    factor: Fraction
    passage: ParsedPassage
    dated: bool


class ValueEvidence(NamedTuple):
    """The sentence of passages that has another value than a statement, and the one that has its value; `None` for none."""

    conflicts: EvidenceSentence | None = None
    agrees: EvidenceSentence | None = None


def value_evidence(statement: str, passages: Sequence[Passage]) -> ValueEvidence:
    """Return the sentences that have another value than a statement, and the same.

    Nothing is compared with a range of years, a value before or after which something is, or one of another time, unless both
    sentences have their times: then the value has changed, or sources disagree.
    """
    if NEGATION.search(statement) or not (parsed := parse_passages([Passage(statement)])):
        return ValueEvidence()
    texts = parse_passages(passages)
    rows = list(fact_rows(texts))
    for claim in _claims(parsed[0]):
        facts = list(_facts_of_subject(claim, parsed[0], rows)) or list(_facts_of_noun(claim, parsed[0], texts))
        agreeing = [fact for fact in facts if _agrees(claim, fact.fact, fact.factor)]
        others = [fact for fact in facts if fact not in agreeing and (fact.dated if agreeing else not fact.dated)]
        if not others or not all(_is_alike(others[0], fact) for fact in others):
            continue
        if not agreeing:
            return ValueEvidence(_sentence(others[0], passages))
        same = next(
            (fact for fact in agreeing if fact.dated and _sentence(fact, passages) != _sentence(others[0], passages)), None
        )
        if same is not None:
            return ValueEvidence(_sentence(others[0], passages), _sentence(same, passages))
    return ValueEvidence()


def _sentence(fact: _ComparedFact, passages: Sequence[Passage]) -> EvidenceSentence:
    start, end = fact.passage.sentences[fact.fact.sentence]
    text = fact.passage.text[start:end]
    return EvidenceSentence(text.strip(), passages[fact.fact.passage], start + len(text) - len(text.lstrip()), 1.0)


def source_date(sentence: EvidenceSentence) -> str:
    """Return the date of a sentence as it has it, or else of its title or address; empty where none has any."""
    for text in (sentence.text, sentence.passage.title):
        dates = [value.text for value in _dates_in(text)]
        if dates:
            return dates[-1]
    match = _ADDRESS_DATE.search(sentence.passage.url)
    return match[0].strip("/").replace("/", "-") if match else ""


def _dates_in(text: str) -> list[Date]:
    return [
        fact.value
        for passage in parse_passages([Passage(text)])
        for fact in passage.facts
        if isinstance(fact.value, Date) and fact.value.year
    ]


def _claims(statement: ParsedPassage) -> Iterator[_Claim]:
    """Yield the values of a statement; a superlative without a place is the first rank."""
    measured = [row for row in measured_facts(statement) if not row[2].last and not getattr(row[2].value, "upper", None)]
    for attribute, factor, fact in measured:
        if attribute == DATE and not _is_point(statement.text, fact):
            continue
        amount = None if isinstance(fact.value, Date) else fact.value.value * factor
        yield _Claim(attribute, amount, fact, _topic(statement, [row[2] for row in measured]))
    if not any(attribute == RANK for attribute, _, _ in measured):
        for row in SUPERLATIVE_PATTERNS:
            if re.search(rf"\b(?:{row.pattern})\b", statement.text, re.IGNORECASE):
                yield _Claim(RANK, Fraction(1), None, _topic(statement, ()))
                return


def _is_point(text: str, fact: PassageFact) -> bool:
    return isinstance(fact.value, Date) and bool(fact.value.year) and _POINTS.search(text[: fact.start]) is not None


def _topic(statement: ParsedPassage, facts: Sequence[PassageFact]) -> frozenset[str]:
    """Return the stems of a statement without its values, and without what says nothing."""
    text = statement.text
    for fact in sorted(facts, key=lambda item: -item.start):
        text = f"{text[: fact.start]} {text[fact.end :]}"
    return content_word_stems(text) - _VAGUE


def _facts_of_subject(claim: _Claim, statement: ParsedPassage, rows: Sequence[FactRow]) -> Iterator[_ComparedFact]:
    """Yield the facts of the named subject of a statement with its attribute, whose words hold the rest of the statement."""
    names = name_mentions(statement.text)
    subject = (names[0].stems & claim.topic if names else None) or frozenset()
    rest = claim.topic - subject
    for row in rows:
        if row.subject.stems != subject or not _is_same_attribute(claim.attribute, row.attribute):
            continue
        span = _clause(row.passage, row.fact)
        wording = row.wording if row.attribute == DATE else f"{row.wording} {row.passage.text[row.fact.end : span[1]]}"
        if _holds(rest, wording) and _is_comparable(claim, row.fact, row.passage, span):
            yield _ComparedFact(row.fact, _factor(row), row.passage, _is_of_other_time(claim, statement, row.passage, span))


def _factor(row: FactRow) -> Fraction:
    """Return the factor of the unit of a row."""
    value = row.fact.value
    if isinstance(value, Quantity) and isinstance(row.amount, Fraction) and value.value:
        return row.amount / value.value
    return Fraction(1)


def _facts_of_noun(claim: _Claim, statement: ParsedPassage, texts: Sequence[ParsedPassage]) -> Iterator[_ComparedFact]:
    """Yield the only facts of an attribute in a clause that holds all words of a statement, whose subject it names alike."""
    first = next((word for word in statement.words if word.is_content_word), None)
    if first is None:
        return
    for passage in texts:
        measured = list(measured_facts(passage))
        for attribute, factor, fact in measured:
            start, end = _clause(passage, fact)
            same = [row for row in measured if row[0] == attribute and start <= row[2].start < end]
            clause = passage.text[start:end]
            nouns = re.finditer(rf"\b{re.escape(first.text)}\b", clause, re.IGNORECASE)
            if (
                len(same) == 1
                and _is_same_attribute(claim.attribute, attribute)
                and any(_NOUN_START.search(clause[: noun.start()]) for noun in nouns)
                and _holds(claim.topic, clause)
                and _is_comparable(claim, fact, passage, (start, end))
            ):
                yield _ComparedFact(fact, factor, passage, _is_of_other_time(claim, statement, passage, (start, end)))


def _clause(passage: ParsedPassage, fact: PassageFact) -> tuple[int, int]:
    """Return where the clause of a fact begins and ends."""
    start, end = passage.sentences[fact.sentence]
    cuts = [(cut.start(), cut.end()) for cut in _CLAUSES.finditer(passage.text, start, end)]
    low = max((until for _, until in cuts if until <= fact.start), default=start)
    high = min((at for at, _ in cuts if at >= fact.end), default=end)
    return low, high


def _is_same_attribute(attribute: str, second: str) -> bool:
    """Return whether two attributes are one; counts are of the same first noun."""
    return attribute.split()[:2] == second.split()[:2]


def _holds(stems: frozenset[str], text: str) -> bool:
    """Return whether a text holds all stems, each as a form of the same verb or as a word of the same dimension."""
    words = content_word_stems(text)
    lemmas = {verb_lemma(word) for word in words}
    return all(stem in words or verb_lemma(stem) in lemmas or bool(_alike_words(stem) & words) for stem in stems)


def _alike_words(stem: str) -> frozenset[str]:
    """Return the stems of the dimension that a stem names: of "tall" also "high" and "height"."""
    dimensions = (frozenset(map(passage_stem, row.cue_words.split())) for row in SUPERLATIVE_PATTERNS)
    return frozenset().union(*(stems for stems in dimensions if stem in stems))


def _is_comparable(claim: _Claim, fact: PassageFact, passage: ParsedPassage, span: tuple[int, int]) -> bool:
    """Return whether a fact is denied by nothing, and is a point rather than a bound."""
    if fact.last or NEGATION.search(passage.text[span[0] : span[1]]):
        return False
    if claim.attribute == DATE:
        return _is_point(passage.text, fact)
    return claim.attribute == RANK or not isinstance(fact.value, Quantity) or fact.value.about not in _BOUND


def _is_of_other_time(claim: _Claim, statement: ParsedPassage, passage: ParsedPassage, span: tuple[int, int]) -> bool:
    """Return whether a clause has a year that a statement has not; a date itself is of its own time."""
    if claim.attribute == DATE:
        return False
    years = {fact.value.year for fact in passage.facts if isinstance(fact.value, Date) and span[0] <= fact.start < span[1]}
    return not years <= {fact.value.year for fact in statement.facts if isinstance(fact.value, Date)}


def _agrees(claim: _Claim, fact: PassageFact, factor: Fraction) -> bool:
    """Return whether a fact has the value of a statement, as precisely as both state it."""
    if claim.fact is None or claim.attribute == RANK:
        return isinstance(fact.value, Quantity) and fact.value.value == claim.amount
    own = claim.fact.value
    if isinstance(own, Date) or isinstance(fact.value, Date):
        return isinstance(own, Date) and isinstance(fact.value, Date) and _is_same_date(own, fact.value)
    low, high = fact.value.value * factor, (fact.value.upper or fact.value.value) * factor
    amount = claim.amount or Fraction(0)
    return low <= amount <= high or _is_near(amount, low, hedged=bool(own.about or fact.value.about))


def _is_alike(first: _ComparedFact, second: _ComparedFact) -> bool:
    """Return whether two facts have the same value: where a passage has several, none is the one of the statement."""
    value, same = first.fact.value, second.fact.value
    if isinstance(value, Date) or isinstance(same, Date):
        return isinstance(value, Date) and isinstance(same, Date) and _is_same_date(value, same)
    return _is_near(value.value * first.factor, same.value * second.factor, hedged=True)


def _is_same_date(first: Date, second: Date) -> bool:
    if "decade" in (first.season, second.season):
        return first.year // 10 == second.year // 10
    parts = zip((first.year, first.month, first.day), (second.year, second.month, second.day), strict=True)
    return all(part == same or not part or not same for part, same in parts)


def _is_near(amount: Fraction, second: Fraction, *, hedged: bool) -> bool:
    largest = max(abs(amount), abs(second))
    exact = largest < _EXACT and amount.denominator == second.denominator == 1 and not hedged
    return amount == second if exact else abs(amount - second) <= largest * (_HEDGED_ROUNDING if hedged else _ROUNDING)
