"""Reverting to an earlier state that a passage tells: a former name, plan, holder, place or reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.facts import Reading, rarity
from kgqa.intervention.passages.names import stems_of
from kgqa.intervention.passages.plans import is_reversion
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.words import sentences


@dataclass(frozen=True, slots=True)
class Row:
    """How a former state is told: a pattern whose group x is that state, an example, and whether it is a name, or any words.

    `trust` is how often it was the answer where nothing else decided.
    """

    name: str
    pattern: str
    example: str
    trust: float


_WORD = r"[A-Z0-9][\w’'&.\-]*"
_X_NAME = rf"(?:the\s)?(?P<x>[\"“][^\"“”]{{1,80}}[\"”]|{_WORD}(?:\s(?:(?:of|the|de|la|van|and|for)\s)?{_WORD}){{0,7}})"
_X_PLACE = _X_NAME.replace("|for)", ")")
"""A name that "for" ends: "left Ostrava for Lund"."""
_X_WORDS = (
    r"(?:an?\s+|the\s+)?(?P<x>[\"“][^\"“”]{1,80}[\"”]|[^\s,.;()][^,.;()]{1,60}?)(?=[,.;()]|$|"
    r"\s(?:but|until|before|when|which|who|that|and|in\s\d|in\s[A-Z]|by|because|due|after|with|at\sthe|"
    r"although|though|while)\b)"
)
_FIRST = r"(?:[Oo]riginally|[Ii]nitially|originally|initially|first|formerly|previously|at\sfirst|once|earlier)"
_CALLED = r"(?:named|called|known\sas|titled|entitled|dubbed|referred\sto\sas|christened|designated|styled|billed\sas|branded)"
_SEEN = (
    r"(?:described|classified|identified|regarded|considered|interpreted|thought\sto\sbe|assigned|"
    r"listed|treated|seen|placed)"
)
_MEANT = r"(?:planned|intended|scheduled|conceived|designed|written|meant|set|slated|supposed|proposed|envisioned|envisaged)"

ROWS = (
    Row("called", rf"\b{_FIRST}\s(?:been\s|was\s|were\s)?{_CALLED}\s(?:as\s)?{_X_NAME}", "was originally named Timp Haven", 0.8),
    Row(
        "called until",
        rf"\b{_CALLED}\s{_X_NAME},?\s(?:until|before|till|prior\sto)\b",
        "was called Ontario County until 1812",
        0.7,
    ),
    Row(
        "name was",
        rf"\b(?:original|initial|former|first|previous|old|working)\s(?:name|title)"
        rf"\s(?:was|of)\s{_X_NAME}",
        "its original name was Roseland",
        0.8,
    ),
    Row(
        "renamed from",
        rf"\b(?:renamed|changed|rebranded)\b[^.;]{{0,40}}?\bfrom\s{_X_NAME}\s(?:to|"
        rf"into)\b",
        "was renamed from Chinese Camp to Yreka",
        0.7,
    ),
    Row(
        "seen as",
        rf"\b{_FIRST}\s(?:\w+\s)?(?:been\s|was\s)?{_SEEN}\s(?:as\s)?(?:being\s)?{_X_WORDS}",
        "was originally regarded as a basal sauropodomorph",
        0.5,
    ),
    Row(
        "cast",
        rf"{_X_NAME}\s(?:was|were|had\sbeen|had)\s{_FIRST}\s(?:been\s)?(?:cast|considered|"
        rf"chosen|offered|slated|set|selected|approached|announced|attached|hired|asked|signed|"
        rf"auditioned)\b",
        "Eric Stoltz was originally cast",
        0.6,
    ),
    Row(
        "choice",
        rf"\b(?:original|first|initial)\s(?:choice|actor|actress|candidate|pick|director|"
        rf"host|cast)\b[^.;]{{0,60}}?\b(?:was|were)\s{_X_NAME}",
        "the first choice for the role was Lucille Ball",
        0.6,
    ),
    Row(
        "replaced",
        rf"\b(?:replac\w*|succeeded|took\sover\sfrom|taking\sover\sfrom|in\splace\sof|"
        rf"instead\sof|rather\sthan)\s(?:\w+\s){{0,2}}?{_X_NAME}",
        "she replaced Kerry Katona",
        0.4,
    ),
    Row(
        "left",
        rf"\b(?:left|leaving|departed|departing|released\sby|traded\sby|waived\sby|"
        rf"parted\sways\swith|opted\sout\sof\shis\scontract\swith)\s{_X_PLACE}",
        "left the Cavaliers to join the Lakers",
        0.5,
    ),
    Row("years with", rf"\b(?:years|seasons)\s(?:with|at|in|for)\s{_X_NAME}", "after four seasons with the Cavaliers", 0.4),
    Row(
        "moved from",
        rf"\b(?:moved|traded|transferred|switched|relocated|signed|went|returned|"
        rf"acquired|sold|loaned|shifted)\b[^.;]{{0,60}}?\bfrom\s{_X_NAME}",
        "was traded from the Jazz to the Heat",
        0.4,
    ),
    Row(
        "meant as",
        rf"\b{_FIRST}\s(?:been\s)?{_MEANT}\s(?:to\sbe|as|for)\s{_X_WORDS}",
        "was originally planned as a miniseries",
        0.4,
    ),
    Row("built as", rf"\b{_FIRST}\s(?:\w+ed|built|made)\s(?:as)\s{_X_WORDS}", "was originally constructed as a fortress", 0.5),
    Row(
        "owned by",
        rf"\b{_FIRST}\s(?:\w+ed|built|written|run)\s(?:and\s\w+\s)?by\s{_X_NAME}",
        "was originally operated by the Port of London Authority",
        0.5,
    ),
)
"""How former states are told, each with an example."""

_TOGETHER = re.compile(
    r"(?P<one>[A-Z][\w’'\-]*(?:\s[A-Z][\w’'\-]*){0,6})\s+and\s+(?:the\s+)"
    r"?(?P<other>[A-Z][\w’'\-]*(?:\s[A-Z][\w’'\-]*){0,6})\s+(?:were|had\sbeen|was)\s(?:\w+\s)?(?:shown|"
    r"classified|listed|grouped|"
    r"judged|counted|treated|registered|exhibited|played|administered|governed|published|sold)"
    r"\s(?:\w+\s){0,3}?(?:together|jointly|as\sone)\b[^.;]*?\b(?:until|before|till)\b"
)
"""Two that were kept together until something parted them: "the A and the B were shown together until 1936"."""


class Told(NamedTuple):
    """A former state with where it stands, which row tells it, and how well its sentence fits the question."""

    text: str
    passage: Reading
    start: int
    end: int
    rule: str
    trust: float
    fit: float


@cache
def _rows() -> tuple[tuple[Row, re.Pattern[str]], ...]:
    return tuple((row, re.compile(row.pattern)) for row in ROWS)


def reverted(problem: Problem) -> Iterator[Solution]:
    """Yield the former states that an undone change leaves, the one whose sentence fits the question best first."""
    if problem.sought is not Sought.NAME or problem.asked.changes or not is_reversion(problem.asked):
        return
    ranked = sorted(_told(problem), key=lambda one: -one.trust * one.fit)
    for told in ranked[:2]:
        edit = Edit(Operation.REVERT, f"what was changed: {problem.asked.clause}", told.text, "its later state")
        yield solution(
            told.text,
            told.passage,
            told.start,
            told.end,
            Script((Edit(Operation.REMOVE, problem.asked.clause), edit)),
            f"former: {told.rule}",
            (told.trust * told.fit,),
            f"without the change the former state stays: {told.text}",
        )


def _told(problem: Problem) -> Iterator[Told]:
    asked = stems_of(problem.question)
    weights = rarity(problem.passages)
    whole = sum(weights.get(one, 0.0) for one in asked) or 1.0
    for passage in problem.passages:
        for start, end in sentences(passage.text):
            text = passage.text[start:end]
            fit = sum(weights.get(one, 0.0) for one in asked & stems_of(text)) / whole
            if not fit:
                continue
            for row, pattern in _rows():
                for found in pattern.finditer(text):
                    said = _trimmed(found["x"])
                    if said and not stems_of(said) <= asked:
                        at = start + found.start("x") + found["x"].find(said)
                        yield Told(said, passage, at, at + len(said), row.name, row.trust, min(1.0, fit + 0.3))
            pair = _TOGETHER.search(text)
            if pair is not None:
                yield from _parted(problem, passage, start, pair, fit)


def _parted(problem: Problem, passage: Reading, start: int, pair: re.Match[str], fit: float) -> Iterator[Told]:
    """Yield the one of two that were kept together that the question does not name."""
    said_of = stems_of(problem.question)
    left = [(len(stems_of(pair[side]) & said_of) / max(1, len(stems_of(pair[side]))), side) for side in ("one", "other")]
    if left[0][0] != left[1][0]:
        side = min(left)[1]
        said = _trimmed(pair[side])
        at = start + pair.start(side) + pair[side].find(said)
        yield Told(said, passage, at, at + len(said), "together", 0.7, min(1.0, fit + 0.3))


def _trimmed(text: str) -> str:
    said = text.strip(' ,.;"“”')
    said = re.sub(r"^(?:The|A|An)\s", "", said)
    said = re.sub(r"['’]s$", "", said)
    return re.sub(r"\s(?:in|on|at|by|for|of|and|the|to)$", "", said)


def told_by(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield which rows read a former state in a sentence, and the state."""
    for row, pattern in _rows():
        for found in pattern.finditer(sentence):
            yield row.name, _trimmed(found["x"])
