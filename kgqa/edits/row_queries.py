"""Edits that give a row the value of another row (swap, set), and the query for a value or a subject afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from math import exp

from graph.text.stems import PREFIX_LETTERS
from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_values import date_text, number_text
from kgqa.edits.fact_ranking import is_eligible_value
from kgqa.edits.fact_table import DATE, ParsedPassage, PassageFact, fact_rows, stem_rarity
from kgqa.edits.passage_tokens import PassageToken, content_word_stems, event_kinds_of, passage_tokens
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import dates_in

_SWAPS = r"(?:swap|exchang|switch|trad|revers|interchang|chang(?:ed?|ing)\s+places)"
_SWAP = re.compile(
    rf"^(?:the\s+\w+\s+of\s+)?(?P<one>.+?)\s+and\s+(?P<other>.+?)\s+(?:had\s+|were\s+(?:to\s+)?|have\s+|would\s+|did\s+)?(?:been\s+)?{_SWAPS}\w*\b"
    r"|\b(?:swap|exchang|switch|trad)\w*\s+(?:the\s+)?(?:places|positions|roles|ranks|spots|finishes|"
    r"finishing positions)\s+of\s+(?P<one2>.+?)\s+and\s+(?P<other2>.+?)(?:$|,|\s+(?:in|at)\b)"
    r"|^(?P<one3>.+?)\s+(?:had\s+|were\s+to\s+)?(?:swap|exchang|switch|trad)\w*\s+.*?\bwith\s+(?P<other3>[^,]+)",
    re.IGNORECASE,
)
_SAME_DATE_AS = re.compile(
    r"\b(?:(?:on|at|in|during|for)\s+(?:exactly\s+)?the\s+same\s+(?:time|day|date|month|year|week|moment)\s+(?:as|that|with)"
    r"|simultaneous(?:ly)?\s+(?:with|to|as)|concurrent(?:ly)?\s+with|(?:to\s+)?(?:align|coincid)\w*\s+with|in\s+line\s+with"
    r"|together\s+with|alongside)\b",
    re.IGNORECASE,
)
_SAME_DATE = re.compile(
    r"\b(?:simultaneous(?:ly)?|concurrent(?:ly)?|(?:at|on|in)\s+the\s+same\s+(?:time|day|date|year))\b", re.IGNORECASE
)
_PAIR = re.compile(
    r"\b(?:in|for|on|across|to)\s+(?:both\s+)?(?P<one>[^,]+?)\s+and\s+(?:in\s+|on\s+)"
    r"?(?P<other>[^,]+?)(?=$|,|\s+(?:at|on|simul|concur)\b)",
    re.IGNORECASE,
)
_RIVAL = re.compile(
    r"\b(?:compet\w*|rival\w*|clash\w*|coincid\w*|alongside|same (?:day|date|time|week|weekend)|up "
    r"against|opposite|share\w*|faced?|head-to-head)\b",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r",|;|\band\b")
_EVENT_AGREES = 0.5
_OTHER_CONTENT = 3
"""A phrase with at most so many other words weighs against a row: a longer one is a clause that shares its words with both."""


def facts_by_phrase(
    problem: EditProblem, phrase: Collection[str], contrast: Collection[str], eligible: Callable[[PassageFact], bool]
) -> list[tuple[float, PassageFact, ParsedPassage]]:
    """Return the facts with a share of probability each, by how near they stand to a phrase and not to a contrasting one."""
    rarity = stem_rarity(problem.passages)
    only_contrast = frozenset(contrast) - frozenset(phrase)
    only_phrase = frozenset(phrase) - frozenset(contrast) or frozenset(phrase)
    kinds = {kind for word in passage_tokens(problem.question) for kind in event_kinds_of(word.stem)}
    precision = 0.3 if problem.answer_type is AnswerType.DATE else 0.1
    scored = []
    for passage in problem.passages:
        for fact in filter(eligible, passage.facts):
            score = precision * (bool(fact.value.month) + bool(fact.value.day)) if isinstance(fact.value, Date) else 0.0
            words = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
            centre = next((at for at, word in enumerate(words) if word.start >= fact.start), len(words))
            for at, word in enumerate(words):
                between = passage.text[min(word.start, fact.end) : max(word.end, fact.start)]
                near = rarity[word.stem] * exp(-(abs(at - centre) + 3 * len(_SEPARATORS.findall(between))) / 4)
                if word.stem in only_phrase and word.is_content_word:
                    score += 2 * near
                elif word.stem in only_contrast:
                    score -= near / len(only_contrast) if len(only_contrast) <= _OTHER_CONTENT else 0
                elif kinds & event_kinds_of(word.stem):
                    score += 0.3 * near
            score += _event_agreement(words, centre, kinds)
            scored.append((score, fact, passage))
    scored.sort(key=lambda entry: -entry[0])
    shares = [exp(3 * (score - scored[0][0])) for score, *_ in scored]
    return [(share / sum(shares), fact, passage) for share, (_, fact, passage) in zip(shares, scored, strict=True)]


def _event_agreement(words: Sequence[PassageToken], centre: int, kinds: set[str]) -> float:
    """Return 0.5 where the event word nearest to a fact is of these kinds, -0.5 where it is of others, 0 without one."""
    near = [(abs(at - centre), of) for at, word in enumerate(words) if word.is_content_word and (of := event_kinds_of(word.stem))]
    if not near or not kinds:
        return 0.0
    return _EVENT_AGREES if min(near, key=lambda pair: pair[0])[1] & kinds else -_EVENT_AGREES


def solve_swap(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the value that one of two subjects gets from the other."""
    match = _SWAP.search(problem.conditional.clause)
    if match is None or problem.answer_type not in DATE_TYPES | NUMBER_TYPES:
        return
    first, second = (next(text for name in (side, f"{side}2", f"{side}3") if (text := match[name])) for side in ("one", "other"))
    main = content_word_stems(problem.conditional.main)
    stems = content_word_stems(first), content_word_stems(second)
    hits = [len((stems[at] - stems[1 - at]) & main) for at in (0, 1)]
    if hits[0] == hits[1]:
        return
    wanted, partner = (0, 1) if hits[0] > hits[1] else (1, 0)

    def eligible(fact: PassageFact) -> bool:
        value = fact.value
        if isinstance(value, Quantity) and problem.answer_type is AnswerType.RANK:
            return value.sort is Sort.ORDINAL
        return is_eligible_value(value, problem.answer_type)

    own = facts_by_phrase(problem, stems[wanted] - stems[partner], stems[partner] - stems[wanted], eligible)
    theirs = facts_by_phrase(problem, stems[partner] - stems[wanted], stems[wanted] - stems[partner], eligible)
    if not own or own[0][1] is theirs[0][1]:
        return
    (_, own_fact, _), (_, fact, passage) = own[0], theirs[0]
    answer = _value_text(fact, problem.answer_type)
    names = first, second
    edits = (
        FactEdit(EditOperation.SWAP, f"value of: {names[wanted]}", fact.text, own_fact.text),
        FactEdit(EditOperation.SWAP, f"value of: {names[partner]}", own_fact.text, fact.text),
    )
    if answer is not None:
        yield build_solution(
            answer,
            passage,
            fact.start,
            fact.end,
            EditScript(edits),
            "swap",
            (0.9,),
            f"{names[wanted]} has the value of {names[partner]}",
            exact=_states(problem, own_fact, stems[wanted]) and _states(problem, fact, stems[partner]),
        )


def _states(problem: EditProblem, fact: PassageFact, stems: Collection[str]) -> bool:
    """Return whether the sentence of a fact names what a phrase names: half of the words of the phrase stand there."""
    sentence = next(passage.sentence_of(fact) for passage in problem.passages if passage.number == fact.passage)
    return 2 * len(content_word_stems(sentence) & frozenset(stems)) >= len(stems)


def _value_text(fact: PassageFact, answer_type: AnswerType) -> str | None:
    value = fact.value
    if isinstance(value, Date):
        return date_text(value, answer_type)
    return fact.text.removeprefix("the ") if value.sort is Sort.ORDINAL else number_text(value.value, value, answer_type)


def solve_same_date(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the date of an event that is set to the date of another event, the likeliest first."""
    phrases = _model_and_moved(problem) if problem.answer_type in DATE_TYPES else None
    if phrases is None:
        return
    model, moved = phrases
    ranked = facts_by_phrase(
        problem,
        content_word_stems(model),
        content_word_stems(moved),
        lambda fact: isinstance(fact.value, Date) and date_text(fact.value, problem.answer_type) is not None,
    )
    answers = [_value_text(fact, problem.answer_type) for _, fact, _ in ranked[:1]]
    for share, fact, passage in ranked[:2]:
        answer = _value_text(fact, problem.answer_type)
        edit = FactEdit(
            EditOperation.REPLACE, f"date of: {moved or problem.conditional.clause}", fact.text, f"its own, not that of: {model}"
        )
        if answer is not None:
            consequence = f"the date of “{model}” holds for both"
            exact = answer == answers[0] and _states(problem, fact, content_word_stems(model))
            yield build_solution(
                answer, passage, fact.start, fact.end, EditScript((edit,)), "align", (share,), consequence, exact
            )


def _model_and_moved(problem: EditProblem) -> tuple[str, str] | None:
    """Return the words of the event whose date both have, and of the event that is moved; `None` where the "if" has neither."""
    clause = problem.conditional.clause
    marked = _SAME_DATE_AS.search(clause)
    if marked is not None and clause[marked.end() :].strip():
        return clause[marked.end() :].strip(" ,"), clause[: marked.start()].strip(" ,")
    together = _SAME_DATE.search(clause)
    pair = None if together is None else _PAIR.search(clause[together.end() :]) or _PAIR.search(clause)
    if pair is None:
        return None
    main = passage_tokens(problem.conditional.main)
    main_stems = content_word_stems(problem.conditional.main)
    for moved, fixed in ((pair["one"], pair["other"]), (pair["other"], pair["one"])):
        in_main = content_word_stems(moved) & main_stems or any(_is_derived_from(word.stem, moved) for word in main)
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
    conditional = problem.conditional
    days = [date for date in dates_in(conditional.clause) if date.day]
    if problem.answer_type is not AnswerType.NAME or not days or not _RIVAL.search(conditional.main):
        return
    day = days[-1]
    moved = content_word_stems(conditional.clause) | content_word_stems(conditional.main)
    rows = [row for row in fact_rows(problem.passages, moved) if row.attribute == DATE]
    for row in rows:
        year, *month_day = row.amount if isinstance(row.amount, tuple) else (0, 0, 0)
        if tuple(month_day) == (day.month, day.day) and year in (0, day.year or year):
            edit = FactEdit(EditOperation.REPLACE, f"date of: {conditional.clause}", day.text, "its own date")
            name = row.subject
            yield build_solution(
                name.text,
                row.passage,
                name.start,
                name.end,
                EditScript((edit,)),
                "same date",
                (0.8,),
                f"on {day.text} is also {name.text}",
                exact=True,
            )
            return
