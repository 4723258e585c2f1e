"""Reverting to an earlier state that a passage tells: a former name, plan, holder, place or reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage, is_same_name, stem_rarity
from kgqa.edits.passage_tokens import content_word_stems, name_mentions, passage_sentence_spans
from kgqa.edits.quantity_edits import is_reversion


@dataclass(frozen=True, slots=True)
class PriorStatePattern:
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

PRIOR_STATE_PATTERNS = (
    PriorStatePattern(
        "called", rf"\b{_FIRST}\s(?:been\s|was\s|were\s)?{_CALLED}\s(?:as\s)?{_X_NAME}", "was originally named Timp Haven", 0.8
    ),
    PriorStatePattern(
        "called until",
        rf"\b{_CALLED}\s{_X_NAME},?\s(?:until|before|till|prior\sto)\b",
        "was called Ontario County until 1812",
        0.7,
    ),
    PriorStatePattern(
        "name was",
        rf"\b(?:original|initial|former|first|previous|old|working)\s(?:name|title)"
        rf"\s(?:was|of)\s{_X_NAME}",
        "its original name was Roseland",
        0.8,
    ),
    PriorStatePattern(
        "renamed from",
        rf"\b(?:renamed|changed|rebranded)\b[^.;]{{0,40}}?\bfrom\s{_X_NAME}\s(?:to|"
        rf"into)\b",
        "was renamed from Chinese Camp to Yreka",
        0.7,
    ),
    PriorStatePattern(
        "seen as",
        rf"\b{_FIRST}\s(?:\w+\s)?(?:been\s|was\s)?{_SEEN}\s(?:as\s)?(?:being\s)?{_X_WORDS}",
        "was originally regarded as a basal sauropodomorph",
        0.5,
    ),
    PriorStatePattern(
        "cast",
        rf"{_X_NAME}\s(?:was|were|had\sbeen|had)\s{_FIRST}\s(?:been\s)?(?:cast|considered|"
        rf"chosen|offered|slated|set|selected|approached|announced|attached|hired|asked|signed|"
        rf"auditioned)\b",
        "Eric Stoltz was originally cast",
        0.6,
    ),
    PriorStatePattern(
        "choice",
        rf"\b(?:original|first|initial)\s(?:choice|actor|actress|candidate|pick|director|"
        rf"host|cast)\b[^.;]{{0,60}}?\b(?:was|were)\s{_X_NAME}",
        "the first choice for the role was Lucille Ball",
        0.6,
    ),
    PriorStatePattern(
        "replaced",
        rf"\b(?:replac\w*|succeeded|took\sover\sfrom|taking\sover\sfrom|in\splace\sof|"
        rf"instead\sof|rather\sthan)\s(?:\w+\s){{0,2}}?{_X_NAME}",
        "she replaced Kerry Katona",
        0.4,
    ),
    PriorStatePattern(
        "left",
        rf"\b(?:left|leaving|departed|departing|released\sby|traded\sby|waived\sby|"
        rf"parted\sways\swith|opted\sout\sof\shis\scontract\swith)\s{_X_PLACE}",
        "left the Cavaliers to join the Lakers",
        0.5,
    ),
    PriorStatePattern(
        "years with", rf"\b(?:years|seasons)\s(?:with|at|in|for)\s{_X_NAME}", "after four seasons with the Cavaliers", 0.4
    ),
    PriorStatePattern(
        "moved from",
        rf"\b(?:moved|traded|transferred|switched|relocated|signed|went|returned|"
        rf"acquired|sold|loaned|shifted)\b[^.;]{{0,60}}?\bfrom\s{_X_NAME}",
        "was traded from the Jazz to the Heat",
        0.4,
    ),
    PriorStatePattern(
        "meant as",
        rf"\b{_FIRST}\s(?:been\s)?{_MEANT}\s(?:to\sbe|as|for)\s{_X_WORDS}",
        "was originally planned as a miniseries",
        0.4,
    ),
    PriorStatePattern(
        "built as", rf"\b{_FIRST}\s(?:\w+ed|built|made)\s(?:as)\s{_X_WORDS}", "was originally constructed as a fortress", 0.5
    ),
    PriorStatePattern(
        "owned by",
        rf"\b{_FIRST}\s(?:\w+ed|built|written|run)\s(?:and\s\w+\s)?by\s{_X_NAME}",
        "was originally operated by the Port of London Authority",
        0.5,
    ),
)
"""How former states are told, each with an example."""

_TOGETHER = re.compile(
    r"(?P<one>[A-Z][\w’'\-]*(?:\s[A-Z][\w’'\-]*){0,6})\s+and\s+(?:the\s+)"
    r"?(?P<other>[A-Z][\w’'\-]*(?:\s[A-Z][\w’'\-]*){0,6})\s+(?:were|had\sbeen|was)\s(?:\w+\s){1,4}?(?:together|jointly|as\sone)\b[^.;]*?\b(?:until|before|till)\b"
)
"""Two that were kept together until something parted them: "the A and the B were shown together until 1936"."""


class PriorState(NamedTuple):
    """A former state with where it stands, which row tells it, and how well its sentence fits the question."""

    text: str
    passage: ParsedPassage
    start: int
    end: int
    rule: str
    trust: float
    fit: float


@cache
def _compiled_prior_state_patterns() -> tuple[tuple[PriorStatePattern, re.Pattern[str]], ...]:
    return tuple((row, re.compile(row.pattern)) for row in PRIOR_STATE_PATTERNS)


def solve_prior_state(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the former states that an undone change leaves, the one whose sentence fits the question best first."""
    if problem.answer_type is not AnswerType.NAME or problem.conditional.changes or not is_reversion(problem.conditional):
        return
    ranked = sorted(_prior_states(problem), key=lambda state: (-state.trust * state.fit, -state.passage.number, -state.start))
    for state in ranked[:2]:
        edit = FactEdit(EditOperation.REVERT, f"what was changed: {problem.conditional.clause}", state.text, "its later state")
        solution = build_solution(
            state.text,
            state.passage,
            state.start,
            state.end,
            EditScript((FactEdit(EditOperation.REMOVE, problem.conditional.clause), edit)),
            f"former: {state.rule}",
            (state.trust * state.fit,),
            f"without the change the former state stays: {state.text}",
        )
        yield replace(solution, denied=_denied_names(problem, state))


def _denied_names(problem: EditProblem, state: PriorState) -> tuple[tuple[int, int, int], ...]:
    """Return the spans of the names that a negated "if" denies, apart from the former state."""
    if not problem.conditional.negated:
        return ()
    denied = name_mentions(problem.conditional.clause)
    return tuple(
        (passage.number, name.start, name.end)
        for passage in problem.passages
        for name in name_mentions(passage.text)
        if any(is_same_name(name, mention) for mention in denied) and (name.end <= state.start or state.end <= name.start)
    )


def _prior_states(problem: EditProblem) -> Iterator[PriorState]:
    question_stems = content_word_stems(problem.question)
    weights = stem_rarity(problem.passages)
    whole = sum(weights.get(token, 0.0) for token in question_stems) or 1.0
    for passage in problem.passages:
        for start, end in passage_sentence_spans(passage.text):
            text = passage.text[start:end]
            fit = sum(weights.get(token, 0.0) for token in question_stems & content_word_stems(text)) / whole
            if not fit:
                continue
            for row, pattern in _compiled_prior_state_patterns():
                for match in pattern.finditer(text):
                    state = _trim_state(match["x"])
                    if state and not content_word_stems(state) <= question_stems:
                        at = start + match.start("x") + match["x"].find(state)
                        yield PriorState(state, passage, at, at + len(state), row.name, row.trust, min(1.0, fit + 0.3))
            pair = _TOGETHER.search(text)
            if pair is not None:
                yield from _separated_partner(problem, passage, start, pair, fit)


def _separated_partner(
    problem: EditProblem, passage: ParsedPassage, start: int, pair: re.Match[str], fit: float
) -> Iterator[PriorState]:
    """Yield the one of two that were kept together that the question does not name."""
    question_stems = content_word_stems(problem.question)
    left = [
        (len(content_word_stems(pair[side]) & question_stems) / max(1, len(content_word_stems(pair[side]))), side)
        for side in ("one", "other")
    ]
    if left[0][0] != left[1][0]:
        side = min(left)[1]
        state = _trim_state(pair[side])
        at = start + pair.start(side) + pair[side].find(state)
        yield PriorState(state, passage, at, at + len(state), "together", 0.7, min(1.0, fit + 0.3))


def _trim_state(text: str) -> str:
    state = text.strip(' ,.;"“”')
    state = re.sub(r"^(?:The|A|An)\s", "", state)
    state = re.sub(r"['’]s$", "", state)
    return re.sub(r"\s(?:in|on|at|by|for|of|and|the|to)$", "", state)


def match_prior_states(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield which rows read a former state in a sentence, and the state."""
    for row, pattern in _compiled_prior_state_patterns():
        for match in pattern.finditer(sentence):
            yield row.name, _trim_state(match["x"])
