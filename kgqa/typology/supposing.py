"""A question with an "if": which of its words suppose something, and which ask what would be so then.

The two are told apart by what introduces the clause ("if", "unless", "without", a verb in front: "had", "were"), before or behind
the main clause. The clause is read by the rules of data/conditions.jsonl, the main clause by those of data/outcomes.jsonl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from kgqa.model import Condition
from kgqa.typology.condition import ANY_CLAUSE, Supposition, supposition
from kgqa.typology.matching import Match, match
from kgqa.typology.rules import OutcomeRule, outcome_rules
from kgqa.typology.vocabulary import vocabulary
from kgqa.typology.words import COMMA, Sentence, Word

_LONGEST_OPENER = 5
_MOST = 16
"""So many ways to part a sentence are tried: one that needs more is no question that somebody asks."""
_THEN = frozenset(("then", "so"))
_FINITE = frozenset("had was were did is are has have does do could would can n't not never no".split())
_FILLERS = _THEN | {COMMA}


class Clause(NamedTuple):
    """A clause that supposes something, without what introduces it; a `denied` one is introduced by "unless"."""

    words: Sequence[Word]
    denied: bool = False


class Asked(NamedTuple):
    """The main clause, the rule that read it, and where its words stand."""

    rule: OutcomeRule
    found: Match
    words: Sequence[Word]


@dataclass(frozen=True, slots=True)
class Supposed:
    """What is supposed, and what is asked then; `asked` is `None` where only something is supposed ("What if ...?")."""

    supposition: Supposition
    asked: Asked | None


def supposed(question: str, words: Sequence[Word]) -> Supposed | None:
    """Return how a sentence with an "if" is read, or `None` for one that has none, or whose main clause is no "would"."""
    for clauses, main in islice(_splits(words), _MOST):
        asked = _asked(main)
        if asked is None:
            continue
        read = [supposition(question, clause.words, denied=clause.denied) for clause in clauses]
        found = [one for one in read if one is not None]
        if found and len(found) == len(read):
            return Supposed(_together(found), asked)
    return _alone(question, words)


def with_supposed(some: Sequence[Sentence]) -> list[Sentence]:
    """Return sentences; one that supposes something ("Suppose X had never existed.") is joined to the question behind it."""
    found: list[Sentence] = []
    for sentence in some:
        before = found[-1] if found else None
        if before and not before.asks and sentence.asks and _opener(before.words, 0, "supposing alone"):
            end = before.words[-1].end
            found[-1] = Sentence((*before.words, Word(COMMA, end, end), *sentence.words), asks=True)
        else:
            found.append(sentence)
    return found


def _alone(question: str, words: Sequence[Word]) -> Supposed | None:
    """Return the reading of "What if ...?", where the clause says plainly that something is gone, more or less."""
    length = _opener(words, 0, "supposing alone")
    if not length:
        return None
    found = supposition(question, words[length:])
    if found is None or found.rule == f"condition.{ANY_CLAUSE}":
        return None
    return Supposed(found, None)


def _splits(words: Sequence[Word]) -> Iterator[tuple[list[Clause], Sequence[Word]]]:
    """Yield the ways to part a sentence into clauses that suppose something and the main clause, likeliest first."""
    for opened, denied in _openings(words, 0, fronted=True):
        for place in _starts(words, opened + 1):
            first = Clause(_stripped(words[opened:place]), denied)
            main = _stripped(words[place:])
            yield from (([first, *more], rest) for more, rest in _behind(main))
            yield [first], main
    yield from _behind(words)


def _behind(words: Sequence[Word]) -> Iterator[tuple[list[Clause], Sequence[Word]]]:
    """Yield the ways to part off a clause behind the main clause."""
    for place in range(2, len(words) - 1):
        for opened, denied in _openings(words, place, fronted=False):
            yield [Clause(_stripped(words[opened:]), denied)], _stripped(words[:place])


def _openings(words: Sequence[Word], place: int, *, fronted: bool) -> Iterator[tuple[int, bool]]:
    """Yield where a clause begins that is introduced at `place`, and whether what introduces it denies it.

    A preposition ("without") is part of its clause, for it says what is supposed.
    """
    if length := _opener(words, place, "supposing"):
        yield place + length, False
    if length := _opener(words, place, "unless"):
        yield place + length, True
    if _opener(words, place, "lacking"):
        yield place, False
    if fronted and _opener(words, place, "inverted"):
        yield place + 1, False


def _opener(words: Sequence[Word], place: int, name: str) -> int:
    """Return the words that the longest phrase of a set has that stands at `place`; 0 for none."""
    phrases = vocabulary().plain[name]
    for length in range(_LONGEST_OPENER, 0, -1):
        if place + length < len(words) and " ".join(word.form for word in words[place : place + length]) in phrases:
            return length
    return 0


def _starts(words: Sequence[Word], first: int) -> list[int]:
    """Return where the main clause may begin, likeliest first.

    It begins behind a comma, and there rather with "which" or "in which" than with "would", if a verb stands before it: else
    "which" goes on with the "if". The last place is the likeliest. Where no comma parts it off, it may begin anywhere.
    """
    sets = vocabulary().plain
    starts = _THEN | sets["would"] | sets["wh"] | sets["preposition"]
    places = [place for place in range(first, len(words)) if words[place].form in starts]
    parted = [place for place in places if words[place - 1].form == COMMA]
    asking = [place for place in parted if any(word.form in sets["wh"] for word in words[place : place + 2])]
    asking = [place for place in asking if any(word.form in _FINITE for word in words[first:place])]
    order = (*asking[::-1], *parted[::-1], *places)
    return list(dict.fromkeys(order))


def _stripped(words: Sequence[Word]) -> Sequence[Word]:
    """Return words without commas at their ends, and without a "then" in front."""
    start, end = 0, len(words)
    while start < end and words[start].form in _FILLERS:
        start += 1
    while start < end and words[end - 1].form == COMMA:
        end -= 1
    return words[start:end]


def _asked(main: Sequence[Word]) -> Asked | None:
    """Return what the main clause asks, by the first rule that matches it."""
    forms = frozenset(word.form for word in main)
    if forms.isdisjoint(vocabulary().plain["would"]):
        return None
    for rule in outcome_rules():
        found = match(rule.pattern, main) if rule.pattern.may_match(forms) else None
        if found is not None:
            return Asked(rule, found, main)
    return None


def _together(found: Sequence[Supposition]) -> Supposition:
    """Return several clauses as one supposition: all of it is supposed."""
    first, *others = found
    if not others:
        return first
    also: list[Condition] = [*first.condition.also, *(one for other in others for one in other.condition.each)]
    return first._replace(
        condition=first.condition._replace(also=tuple(also), joined="and"),
        counterfactual=any(one.counterfactual for one in found),
    )
