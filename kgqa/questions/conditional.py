"""A question with an "if": which of its words suppose something, and which ask what would be so then.

What introduces the clause ("if", "unless", "without", a verb in front: "had", "were") parts it from the main clause, before or
behind it. The main clause is read by the rules of data/outcomes.jsonl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from kgqa.question import Condition
from kgqa.questions.lexicon import lexicon
from kgqa.questions.patterns import PatternMatch, match_pattern
from kgqa.questions.question_rules import OutcomeRule, outcome_rules
from kgqa.questions.suppositions import ANY_CLAUSE, ParsedCondition, parse_condition
from kgqa.questions.tokenization import COMMA, QuestionSentence, QuestionWord

_LONGEST_OPENER = 5
_MOST_SPLITS = 16
"""So many ways to part a sentence are tried: one that needs more is no question that somebody asks."""
_THEN = frozenset(("then", "so"))
_FINITE = frozenset("had was were did is are has have does do could would can n't not never no".split())
_FILLERS = _THEN | {COMMA}


class IfClause(NamedTuple):
    """A clause that supposes something, without what introduces it; a `denied` one is introduced by "unless"."""

    words: Sequence[QuestionWord]
    denied: bool = False


class MainClause(NamedTuple):
    """The main clause, the rule that read it, and where its words stand."""

    rule: OutcomeRule
    pattern_match: PatternMatch
    words: Sequence[QuestionWord]


@dataclass(frozen=True, slots=True)
class ParsedConditional:
    """What is supposed, and what is asked then; `asked` is `None` where only something is supposed ("What if ...?")."""

    supposition: ParsedCondition
    main_clause: MainClause | None


def parse_conditional(question: str, words: Sequence[QuestionWord]) -> ParsedConditional | None:
    """Return how a sentence with an "if" is read, or `None` for one that has none, or whose main clause is no "would"."""
    for clauses, main in islice(_clause_splits(words), _MOST_SPLITS):
        main_clause = _parse_main_clause(main)
        if main_clause is None:
            continue
        read = [parse_condition(question, clause.words, denied=clause.denied) for clause in clauses]
        conditions = [condition for condition in read if condition is not None]
        if conditions and len(conditions) == len(read):
            return ParsedConditional(_join_conditions(conditions), main_clause)
    return _parse_alone(question, words)


def join_suppositions(some: Sequence[QuestionSentence]) -> list[QuestionSentence]:
    """Return sentences; one that supposes something ("Suppose X had never existed.") is joined to the question behind it."""
    result: list[QuestionSentence] = []
    for sentence in some:
        before = result[-1] if result else None
        if before and not before.asks and sentence.asks and _opener_length(before.words, 0, "supposing alone"):
            end = before.words[-1].end
            result[-1] = QuestionSentence((*before.words, QuestionWord(COMMA, end, end), *sentence.words), asks=True)
        else:
            result.append(sentence)
    return result


def _parse_alone(question: str, words: Sequence[QuestionWord]) -> ParsedConditional | None:
    """Return the reading of "What if ...?", where the clause says plainly that something is gone, more or less."""
    length = _opener_length(words, 0, "supposing alone")
    if not length:
        return None
    condition = parse_condition(question, words[length:])
    if condition is None or condition.rule == f"condition.{ANY_CLAUSE}":
        return None
    return ParsedConditional(condition, None)


def _clause_splits(words: Sequence[QuestionWord]) -> Iterator[tuple[list[IfClause], Sequence[QuestionWord]]]:
    """Yield the ways to part a sentence into clauses that suppose something and the main clause, likeliest first."""
    for opened, denied in _clause_openings(words, 0, fronted=True):
        for place in _main_clause_starts(words, opened + 1):
            first = IfClause(_strip_fillers(words[opened:place]), denied)
            main = _strip_fillers(words[place:])
            yield from (([first, *more], rest) for more, rest in _splits_behind(main))
            yield [first], main
    yield from _splits_behind(words)


def _splits_behind(words: Sequence[QuestionWord]) -> Iterator[tuple[list[IfClause], Sequence[QuestionWord]]]:
    """Yield the ways to part off a clause behind the main clause."""
    for place in range(2, len(words) - 1):
        for opened, denied in _clause_openings(words, place, fronted=False):
            yield [IfClause(_strip_fillers(words[opened:]), denied)], _strip_fillers(words[:place])


def _clause_openings(words: Sequence[QuestionWord], place: int, *, fronted: bool) -> Iterator[tuple[int, bool]]:
    """Yield where a clause begins that is introduced at `place`, and whether what introduces it denies it.

    A preposition ("without") is part of its clause, for it says what is supposed.
    """
    if length := _opener_length(words, place, "supposing"):
        yield place + length, False
    if length := _opener_length(words, place, "unless"):
        yield place + length, True
    if _opener_length(words, place, "lacking"):
        yield place, False
    if fronted and _opener_length(words, place, "inverted"):
        yield place + 1, False


def _opener_length(words: Sequence[QuestionWord], place: int, name: str) -> int:
    """Return the words that the longest phrase of a set has that stands at `place`; 0 for none."""
    phrases = lexicon().plain[name]
    for length in range(_LONGEST_OPENER, 0, -1):
        if place + length < len(words) and " ".join(word.form for word in words[place : place + length]) in phrases:
            return length
    return 0


def _main_clause_starts(words: Sequence[QuestionWord], first: int) -> list[int]:
    """Return where the main clause may begin, likeliest first.

    It begins behind a comma, and there rather with "which" or "in which" than with "would", if a verb stands before it: else
    "which" goes on with the "if". The last place is the likeliest. Where no comma parts it off, it may begin anywhere.
    """
    sets = lexicon().plain
    starts = _THEN | sets["would"] | sets["wh"] | sets["preposition"]
    places = [place for place in range(first, len(words)) if words[place].form in starts]
    parted = [place for place in places if words[place - 1].form == COMMA]
    asking = [place for place in parted if any(word.form in sets["wh"] for word in words[place : place + 2])]
    asking = [place for place in asking if any(word.form in _FINITE for word in words[first:place])]
    order = (*asking[::-1], *parted[::-1], *places)
    return list(dict.fromkeys(order))


def _strip_fillers(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    """Return words without commas at their ends, and without a "then" in front."""
    start, end = 0, len(words)
    while start < end and words[start].form in _FILLERS:
        start += 1
    while start < end and words[end - 1].form == COMMA:
        end -= 1
    return words[start:end]


def _parse_main_clause(main: Sequence[QuestionWord]) -> MainClause | None:
    """Return what the main clause asks, by the first rule that matches it."""
    forms = frozenset(word.form for word in main)
    if forms.isdisjoint(lexicon().plain["would"]):
        return None
    for rule in outcome_rules():
        pattern_match = match_pattern(rule.pattern, main) if rule.pattern.may_match(forms) else None
        if pattern_match is not None:
            return MainClause(rule, pattern_match, main)
    return None


def _join_conditions(conditions: Sequence[ParsedCondition]) -> ParsedCondition:
    """Return several clauses as one supposition: all of it is supposed."""
    first, *rest = conditions
    if not rest:
        return first
    also: list[Condition] = [*first.condition.also, *(item for later in rest for item in later.condition.each)]
    return first._replace(
        condition=first.condition._replace(also=tuple(also), joined="and"),
        counterfactual=any(item.counterfactual for item in conditions),
    )
