"""Edits that give a row the value of another row (swap, set), and the query for a value or a subject afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from math import exp
from typing import NamedTuple

from graph.text.stems import PREFIX_LETTERS
from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution, name_solution
from kgqa.edits.fact_ranking import is_eligible_value
from kgqa.edits.fact_table import DATE, ParsedPassage, PassageFact, fact_rows, stem_rarity
from kgqa.edits.value_arithmetic import date_text, number_text
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import dates_in
from kgqa.readers.numeric.passage_tokens import content_word_stems, event_kinds_of, passage_tokens

_SWAP = CUES["swap"]
_SAME_DATE_AS = CUES["same date as"]
_SAME_DATE = re.compile(r"(?i)\b(?:simultaneous(?:ly)?|concurrent(?:ly)?|(?:at|on|in)\s+the\s+same\s+(?:time|day|date|year))\b")
_PAIR = CUES["pair"]
_RIVAL = CUES["rival"]
_SEPARATORS = re.compile(r",|;|\band\b")
_OTHER_CONTENT = 3
"""A phrase with at most so many other words weighs against a row: a longer one is a clause that shares its words with both."""


class PhraseFact(NamedTuple):
    """A fact with the share of probability that a phrase is about it."""

    share: float
    fact: PassageFact
    passage: ParsedPassage

    def states(self, stems: Collection[str]) -> bool:
        """Return whether half of the words of a phrase stand in the sentence of the fact."""
        sentence = content_word_stems(self.passage.sentence_text(self.fact.start))
        return 2 * len(sentence & frozenset(stems)) >= len(stems)

    def answer(self, answer_type: AnswerType) -> str | None:
        """Return the value as an answer."""
        value = self.fact.value
        if isinstance(value, Date):
            return date_text(value, answer_type)
        ordinal = value.sort is Sort.ORDINAL
        return self.fact.text.removeprefix("the ") if ordinal else number_text(value.value, value, answer_type)


def _facts_by_phrase(
    problem: EditProblem, phrase: frozenset[str], contrast: frozenset[str], eligible: Callable[[PassageFact], bool]
) -> list[PhraseFact]:
    """Return the facts by how near they stand to a phrase and not to a contrasting one, the likeliest first."""
    rarity = stem_rarity(problem.passages)
    only_contrast, only_phrase = contrast - phrase, phrase - contrast or phrase
    kinds = {kind for word in passage_tokens(problem.question) for kind in event_kinds_of(word.stem)}
    precision = 0.3 if problem.answer_type is AnswerType.DATE else 0.1
    scored = []
    for passage, fact in problem.facts():
        if not eligible(fact):
            continue
        score = precision * (bool(fact.value.month) + bool(fact.value.day)) if isinstance(fact.value, Date) else 0.0
        words, centre = passage.words_around(fact)
        events = []
        for at, word in enumerate(words):
            between = passage.text[min(word.start, fact.end) : max(word.end, fact.start)]
            near = rarity[word.stem] * exp(-(abs(at - centre) + 3 * len(_SEPARATORS.findall(between))) / 4)
            word_kinds = event_kinds_of(word.stem)
            if word.stem in only_phrase and word.is_content_word:
                score += 2 * near
            elif word.stem in only_contrast:
                score -= near / len(only_contrast) if len(only_contrast) <= _OTHER_CONTENT else 0
            elif kinds & word_kinds:
                score += 0.3 * near
            if word_kinds and word.is_content_word:
                events.append((abs(at - centre), word_kinds))
        if events and kinds:  # the nearest event is of the kind of the question, or of another
            score += 0.5 if min(events, key=lambda event: event[0])[1] & kinds else -0.5
        scored.append((score, fact, passage))
    scored.sort(key=lambda entry: -entry[0])
    powers = [exp(3 * (score - scored[0][0])) for score, *_ in scored]
    return [PhraseFact(power / sum(powers), fact, passage) for power, (_, fact, passage) in zip(powers, scored, strict=True)]


def solve_swap(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the value that one of two subjects gets from the other."""
    match = _SWAP.search(problem.conditional.clause)
    if match is None or problem.answer_type not in DATE_TYPES | NUMBER_TYPES:
        return
    name, partner = (text for text in match.groups() if text)
    main = content_word_stems(problem.conditional.main)
    stems, partner_stems = content_word_stems(name), content_word_stems(partner)
    hits, partner_hits = len((stems - partner_stems) & main), len((partner_stems - stems) & main)
    if hits == partner_hits:
        return
    if hits < partner_hits:
        name, partner, stems, partner_stems = partner, name, partner_stems, stems

    def eligible(fact: PassageFact) -> bool:
        if isinstance(fact.value, Quantity) and problem.answer_type is AnswerType.RANK:
            return fact.value.sort is Sort.ORDINAL
        return is_eligible_value(fact.value, problem.answer_type)

    own = _facts_by_phrase(problem, stems - partner_stems, partner_stems - stems, eligible)
    theirs = _facts_by_phrase(problem, partner_stems - stems, stems - partner_stems, eligible)
    answer = theirs[0].answer(problem.answer_type) if own and own[0].fact is not theirs[0].fact else None
    if answer is None:
        return
    value, former = theirs[0].fact.text, own[0].fact.text
    edits = (
        FactEdit(EditOperation.SWAP, f"value of: {name}", value, former),
        FactEdit(EditOperation.SWAP, f"value of: {partner}", former, value),
    )
    exact = own[0].states(stems) and theirs[0].states(partner_stems)
    consequence = f"{name} has the value of {partner}"
    yield build_solution("swap", (0.9,), answer, theirs[0].passage, theirs[0].fact, edits, consequence, exact)


def solve_same_date(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the date of an event that is set to the date of another event, the likeliest first."""
    phrases = _model_and_moved(problem) if problem.answer_type in DATE_TYPES else None
    if phrases is None:
        return
    model, moved = phrases
    stems = content_word_stems(model)

    def eligible(fact: PassageFact) -> bool:
        return isinstance(fact.value, Date) and date_text(fact.value, problem.answer_type) is not None

    ranked = _facts_by_phrase(problem, stems, content_word_stems(moved), eligible)[:2]
    for choice in ranked:
        answer = choice.answer(problem.answer_type) or ""
        target = f"date of: {moved or problem.conditional.clause}"
        edits = (FactEdit(EditOperation.REPLACE, target, choice.fact.text, f"its own, not that of: {model}"),)
        exact = answer == ranked[0].answer(problem.answer_type) and choice.states(stems)
        consequence = f"the date of “{model}” holds for both"
        yield build_solution("align", (choice.share,), answer, choice.passage, choice.fact, edits, consequence, exact)


def _model_and_moved(problem: EditProblem) -> tuple[str, str] | None:
    """Return the words of the event whose date both have, and of the event that is moved; `None` where the "if" has neither."""
    clause, main = problem.conditional.clause, problem.conditional.main
    marked = _SAME_DATE_AS.search(clause)
    if marked is not None and clause[marked.end() :].strip():
        return clause[marked.end() :].strip(" ,"), clause[: marked.start()].strip(" ,")
    together = _SAME_DATE.search(clause)
    pair = None if together is None else _PAIR.search(clause[together.end() :]) or _PAIR.search(clause)
    if pair is None:
        return None
    main_stems = content_word_stems(main)
    for moved, fixed in (pair.groups(), pair.groups()[::-1]):
        in_main = content_word_stems(moved) & main_stems or any(
            _is_derived_from(word.stem, moved) for word in passage_tokens(main)
        )
        if in_main and not content_word_stems(fixed) & main_stems:
            return fixed, moved
    return None


def _is_derived_from(stem: str, phrase: str) -> bool:
    """Return whether a word is derived from a name in a phrase: "European", "Europe"."""
    return len(stem) >= 4 and any(
        len(name) >= 4 and (name.startswith(stem[:PREFIX_LETTERS]) or stem.startswith(name[:PREFIX_LETTERS]))
        for name in content_word_stems(phrase)
    )


def solve_shared_date(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the subject of another event on the date to which the "if" moves an event."""
    clause, main = problem.conditional.clause, problem.conditional.main
    days = [date for date in dates_in(clause) if date.day]
    if problem.answer_type is not AnswerType.NAME or not days or not _RIVAL.search(main):
        return
    day = days[-1]
    for row in fact_rows(problem.passages, content_word_stems(clause) | content_word_stems(main)):
        if row.attribute == DATE and row.day[1:] == (day.month, day.day) and row.day[0] in (0, day.year or row.day[0]):
            edits = (FactEdit(EditOperation.REPLACE, f"date of: {clause}", day.text, "its own date"),)
            yield name_solution("same date", 0.8, row, edits, f"on {day.text} is also {row.subject.text}")
            return
