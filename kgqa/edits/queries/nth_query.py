"""Events taken out of a row of dated ones: who would have been the last, the first or the next one without that of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.event_timeline import LIGHT_VERBS, TimelineEvent, TimelineKind, build_timeline, is_same_name, verb_lemma
from kgqa.edits.passage_tokens import NameMention, content_word_stems, name_mentions, passage_stem, passage_tokens
from kgqa.quantities.number_words import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities

PLACE_CUES = {
    "last": r"last|latest|most recent(?:ly)?|final",
    "first": r"first|earliest",
    "next": r"next",
    "previous": r"previous(?:ly)?|preceding",
    "only": r"only(?: one)?|sole",
}
"""The places in a row that can be asked for, besides the second, third and so on from its beginning."""
_TAIL = r"(?=(?:\s[\w’'\-]+){0,5}?(?:\s(?:to|who|that|before|after|by|until|till|in|since|between|of|from|up|during)\b|$))"
_ORDER = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{cue})' for name, cue in PLACE_CUES.items())}|(?P<nth>[a-z]+|\d+(?:st|nd|rd|th)))\b{_TAIL}",
    re.IGNORECASE,
)
DATE_BOUND_CUES = {
    "before": r"before|prior to|earlier than|ahead of",
    "until": r"until|till|up to|by(?: the end of)?",
    "after": r"after|following|later than",
    "since": r"since|from",
    "between": r"between",
    "in": r"in|during|of|within",
}
"""How a date bounds a row."""
_BOUND = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{cue})' for name, cue in DATE_BOUND_CUES.items())})\s(?:the\s(?:year\s|end of\s)?)?$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:withdr[ae]w\w*|disqualif\w*|dropped out|removed|excluded|stripped|lost|retired)\b|^without\b|^but for\b", re.IGNORECASE
)
_VERB = re.compile(r"(?:\b(?:not|never)|n['’]t)\s+(?:have\s+|ever\s+)?(?:(?:been|be)\s+)?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_TO = re.compile(r"\bto\s(?:have\s)?(?:been\s|be\s)?(?P<verb>[a-z]+)\b|\b(?:have)\s(?:been\s)?(?P<past>[a-z]+)\b", re.IGNORECASE)
_RECIPIENT = re.compile(r"\b(?:by|to)\s(?:the\s)?$", re.IGNORECASE)
_WOMEN, _MEN = (
    re.compile(rf"\b(?:{cue})\b", re.IGNORECASE) for cue in ("woman|women|female|she|her|hers", "man|men|male|he|his|him")
)


class DateBounds(NamedTuple):
    """The part of a row that is asked of, as its first and its last date, and how the question says it."""

    low: Date | None = None
    high: Date | None = None
    open_low: bool = False
    open_high: bool = False
    bound_text: str = ""

    def has(self, date: Date) -> bool:
        """Tell whether a date is in it, each bound as precise as it is told."""
        if self.low is not None:
            mine, bound = _date_at_precision(date, self.low), _date_key(self.low)
            if mine < bound or (self.open_low and mine == bound):
                return False
        if self.high is not None:
            mine, bound = _date_at_precision(date, self.high), _date_key(self.high)
            if mine > bound or (self.open_high and mine == bound):
                return False
        return True


def solve_nth_after_removal(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield who has the place in a row of dated events that is asked for, after the event of one was taken out of it."""
    conditional = problem.conditional
    order = _requested_place(conditional.main)
    if (
        problem.answer_type is not AnswerType.NAME
        or order is None
        or conditional.changes
        or not (conditional.negated or _GONE.search(conditional.clause))
    ):
        return
    for who in _removable_names(conditional.clause):
        rest = f"{conditional.clause.replace(who.text, ' ')} . {conditional.main}"
        row = build_timeline(problem.passages, _timeline_kind(conditional.clause, who, conditional.main, rest))
        gone = _denied_events(row, who, conditional.clause)
        if gone:
            made = _solution_at_place(problem, row, gone, *order)
            if made is not None:
                yield made
            return


def _requested_place(main: str) -> tuple[str, int] | None:
    """Return the place that a main clause asks for, with its number where it is counted from the beginning."""
    if re.search(r"\b(?:not|never)\b|n['’]t\b", main):
        return None
    for match in _ORDER.finditer(main):
        if match["nth"] is None:
            return str(match.lastgroup), 1
        place_word = match["nth"].lower()
        digits = re.match(r"\d+(?=st|nd|rd|th)", place_word)
        place = int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(place_word, ""), 0)
        if place > 1:
            return "first", place
    return None


def _removable_names(clause: str) -> Sequence[NameMention]:
    """Return the names whose event a clause may deny: one that something was done by or went to, then its first."""
    mentions = [name for name in name_mentions(clause) if name.stems]
    late = [name for name in mentions[1:] if _RECIPIENT.search(clause[: name.start])]
    return (*late, *mentions[:1])


def _timeline_kind(clause: str, who: NameMention, main: str, rest: str) -> TimelineKind:
    """Return which events a question is on: by the verb that is denied and that of the main clause, and by their nouns."""
    verbs = [match["verb"] for match in [_VERB.search(clause)] if match is not None]
    verbs += re.findall(r"\b([a-z]+ing)\b", clause) if not verbs else []
    verbs += [match["verb"] or match["past"] for match in _TO.finditer(main)]
    acts = frozenset(
        verb_lemma(verb) for verb in verbs if passage_stem(verb) not in ("the", "a", "an") and verb.lower() != "been"
    )
    acts |= {verb_lemma(word.text) for word in passage_tokens(main) if verb_lemma(word.text) != word.stem}
    behind = re.compile(r"\b(?:after|before)\s(?:the\s)?$", re.IGNORECASE)
    bounding_stems = {token for name in name_mentions(main) if behind.search(main[: name.start]) for token in name.stems}
    return TimelineKind(
        acts or LIGHT_VERBS, content_word_stems(rest), (content_word_stems(rest) | acts) - bounding_stems - who.stems
    )


def _denied_events(row: Sequence[TimelineEvent], who: NameMention, clause: str) -> list[TimelineEvent]:
    """Return the events of one that a clause denies: that of the date which it tells, else all of them."""
    own = [event for event in row if is_same_name(event.holder, who)]
    stated_dates = list(_date_spans(clause))
    return [
        event
        for event in own
        if not stated_dates or any(_date_at_precision(event.date, date) == _date_key(date) for date, *_ in stated_dates)
    ]


def _date_spans(text: str) -> Iterator[tuple[Date, Date, int, int]]:
    """Yield the dates, decades and centuries of a text with their first and last year or day, and their places."""
    for item in parse_quantities(text, ranges=False):
        if isinstance(item, Date) and item.year:
            yield item, item, item.start, item.end
        elif isinstance(item, Quantity) and item.sort is Sort.YEAR and int(item.value):
            yield Date(int(item.value)), Date(int(item.value)), item.start, item.end
        elif isinstance(item, Quantity) and item.sort in (Sort.DECADE, Sort.CENTURY):
            century = item.sort is Sort.CENTURY
            low = int(item.value - 1) * 100 + 1 if century else int(item.value)
            yield Date(low), Date(low + (99 if century else 9)), item.start, item.end


def _date_bounds(main: str, row: Sequence[TimelineEvent]) -> DateBounds:
    """Return the bounds that a main clause sets by dates, or by one of the row ("after Senna")."""
    bounds = DateBounds()
    marks = [(low, high, start, end) for low, high, start, end in _date_spans(main)]
    for name in name_mentions(main):
        of = [event for event in row if is_same_name(event.holder, name)]
        if len(of) == 1:
            marks.append((of[0].date, of[0].date, name.start, name.end))
    marks.sort(key=lambda mark: mark[2])
    for place, (low, high, start, end) in enumerate(marks):
        bound = _BOUND.search(main[:start])
        if bound is None:
            continue
        how, bound_text = bound.lastgroup, f"{bounds.bound_text} {main[bound.start() : end]}".strip()
        if how in ("before", "until"):
            bounds = bounds._replace(high=low if how == "before" else high, open_high=how == "before", bound_text=bound_text)
        elif how in ("after", "since"):
            bounds = bounds._replace(low=high if how == "after" else low, open_low=how == "after", bound_text=bound_text)
        elif how == "between" and place + 1 < len(marks):
            bounds = DateBounds(low, marks[place + 1][1], bound_text=main[bound.start() : marks[place + 1][3]])
        elif how == "in":
            bounds = DateBounds(low, high, bound_text=bound_text)
    return bounds


def _solution_at_place(
    problem: EditProblem, row: Sequence[TimelineEvent], gone: Sequence[TimelineEvent], order: str, place: int
) -> EditSolution | None:
    """Return who has the place in what is left; `None` where nobody has it, two have, or the same one as before."""
    main = problem.conditional.main
    within = _date_bounds(main, row)
    if order in ("next", "previous") and not within.bound_text:
        date = gone[0].date
        within = DateBounds(low=date, open_low=True) if order == "next" else DateBounds(high=date, open_high=True)
    there = [event for event in row if within.has(event.date) and not _other_sex(event, main)]
    left = [event for event in there if event not in gone]
    backwards = order in ("last", "previous")
    ranked = left[::-1] if backwards else left
    if len(ranked) < place or (order == "only" and len({event.holder.stems for event in left}) > 1):
        return None
    first = ranked[place - 1]
    if any(is_same_name(event.holder, first.holder) for event in gone):
        return None
    if sum(_date_key(event.date) == _date_key(first.date) and not is_same_name(event.holder, first.holder) for event in left):
        return None
    former = (there[::-1] if backwards else there)[place - 1]
    sure = 0.5 if order not in ("next", "previous", "only") and is_same_name(former.holder, first.holder) else 0.9
    edits = tuple(FactEdit(EditOperation.REMOVE, f"event of {event.holder.text}", "", event.fact.text) for event in gone)
    consequences = [f"{event.holder.text} {event.fact.text} → gone" for event in gone]
    remaining = ", ".join(f"{event.holder.text} {event.fact.text}" for event in left)
    consequences.append(f"left {within.bound_text}".rstrip() + f": {remaining}")
    name = first.holder
    return build_solution(
        name.text, first.passage, name.start, name.end, EditScript(edits), "row: remove", (sure,), "; ".join(consequences)
    )


def _other_sex(event: TimelineEvent, main: str) -> bool:
    """Tell whether a question asks for a woman, or a man, and the sentence of an event tells of the other."""
    sentence = event.passage.sentence_of(event.fact)
    women, men = (pattern.search(main) is not None for pattern in (_WOMEN, _MEN))
    opposite_pattern = _MEN if women and not men else _WOMEN if men and not women else None
    own = _WOMEN if women else _MEN
    return opposite_pattern is not None and opposite_pattern.search(sentence) is not None and own.search(sentence) is None


def _date_key(date: Date) -> tuple[int, int, int]:
    return date.year, date.month, date.day


def _date_at_precision(date: Date, reference: Date) -> tuple[int, int, int]:
    """Return a date as precise as another one is."""
    return date.year, date.month if reference.month else 0, date.day if reference.day else 0
