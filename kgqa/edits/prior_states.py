"""Reverting to an earlier state that a passage states: a former name, plan, holder, place or classification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import starmap
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage, stem_rarity
from kgqa.edits.passage_tokens import content_word_stems, is_same_name, name_mentions, stem_overlap
from kgqa.edits.value_edits import is_reversion
from kgqa.questions.conditional_parser import TextSpan


class PriorStatePattern(NamedTuple):
    """How a former state is stated: its name, a pattern whose group x is that state, and an example.

    `trust` is how often it was the answer where nothing else decided.
    """

    name: str
    trust: float
    example: str
    pattern: str


_WORD = r"[A-Z0-9][\w’'&.\-]*"
_X_NAME = rf"(?:the\s)?(?P<x>[\"“][^\"“”]{{1,80}}[\"”]|{_WORD}(?:\s(?:(?:of|the|de|la|van|and|for)\s)?{_WORD}){{0,7}})"
_X_PLACE = _X_NAME.replace("|for)", ")")
"""A name that "for" ends: "left Ostrava for Lund"."""
_X_WORDS = (
    r"(?:an?\s+|the\s+)?(?P<x>[\"“][^\"“”]{1,80}[\"”]|[^\s,.;()][^,.;()]{1,60}?)(?=[,.;()]|$|\s(?:but|until|before|when|"
    r"which|who|that|and|in\s\d|in\s[A-Z]|by|because|due|after|with|at\sthe|although|though|while)\b)"
)
_FIRST = r"\b(?:[Oo]riginally|[Ii]nitially|originally|initially|first|formerly|previously|at\sfirst|once|earlier)"
_CALLED = r"\b(?:named|called|known\sas|titled|entitled|dubbed|referred\sto\sas|christened|designated|styled|billed\sas|branded)"
_SEEN = r"(?:described|classified|identified|regarded|considered|interpreted|thought\sto\sbe|assigned|listed|treated|seen|placed)"
_MEANT = r"(?:planned|intended|scheduled|conceived|designed|written|meant|set|slated|supposed|proposed|envisioned|envisaged)"
_CAST = r"(?:cast|considered|chosen|offered|slated|set|selected|approached|announced|attached|hired|asked|signed|auditioned)"
_OLD_NAME = r"\b(?:original|initial|former|first|previous|old|working)\s(?:name|title)"
_CHOICE = r"\b(?:original|first|initial)\s(?:choice|actor|actress|candidate|pick|director|host|cast)"
_REPLACES = r"\b(?:replac\w*|succeeded|took\sover\sfrom|taking\sover\sfrom|in\splace\sof|instead\sof|rather\sthan)"
_LEFT = (
    r"\b(?:left|leaving|departed|departing|released\sby|traded\sby|waived\sby|parted\sways\swith|"
    r"opted\sout\sof\shis\scontract\swith)"
)
_MOVED = r"\b(?:moved|traded|transferred|switched|relocated|signed|went|returned|acquired|sold|loaned|shifted)"
_RENAMED = r"\b(?:renamed|changed|rebranded)"
_IS_SEEN = rf"{_FIRST}\s(?:\w+\s)?(?:been\s|was\s)?{_SEEN}\s(?:as\s)?(?:being\s)?"

_ROWS = (
    ("called", 0.8, "was originally named Timp Haven", rf"{_FIRST}\s(?:been\s|was\s|were\s)?{_CALLED}\s(?:as\s)?{_X_NAME}"),
    ("called until", 0.7, "was called Ontario until 1812", rf"{_CALLED}\s{_X_NAME},?\s(?:until|before|till|prior\sto)\b"),
    ("name was", 0.8, "its original name was Roseland", rf"{_OLD_NAME}\s(?:was|of)\s{_X_NAME}"),
    ("renamed from", 0.7, "was renamed from Camp to Yreka", rf"{_RENAMED}\b[^.;]{{0,40}}?\bfrom\s{_X_NAME}\s(?:to|into)\b"),
    ("seen as", 0.5, "was originally regarded as a basal sauropodomorph", rf"{_IS_SEEN}{_X_WORDS}"),
    ("cast", 0.6, "Stoltz was originally cast", rf"{_X_NAME}\s(?:was|were|had\sbeen|had)\s{_FIRST}\s(?:been\s)?{_CAST}\b"),
    ("choice", 0.6, "the first choice for the role was Ball", rf"{_CHOICE}\b[^.;]{{0,60}}?\b(?:was|were)\s{_X_NAME}"),
    ("replaced", 0.4, "she replaced Kerry Katona", rf"{_REPLACES}\s(?:\w+\s){{0,2}}?{_X_NAME}"),
    ("left", 0.5, "left the Cavaliers to join the Lakers", rf"{_LEFT}\s{_X_PLACE}"),
    ("years with", 0.4, "after four seasons with the Cavaliers", rf"\b(?:years|seasons)\s(?:with|at|in|for)\s{_X_NAME}"),
    ("moved from", 0.4, "was traded from the Jazz to the Heat", rf"{_MOVED}\b[^.;]{{0,60}}?\bfrom\s{_X_NAME}"),
    ("meant as", 0.4, "was originally planned as a series", rf"{_FIRST}\s(?:been\s)?{_MEANT}\s(?:to\sbe|as|for)\s{_X_WORDS}"),
    ("built as", 0.5, "was originally built as a fortress", rf"{_FIRST}\s(?:\w+ed|built|made)\s(?:as)\s{_X_WORDS}"),
    ("owned by", 0.5, "was first run by the Port", rf"{_FIRST}\s(?:\w+ed|built|written|run)\s(?:and\s\w+\s)?by\s{_X_NAME}"),
)
PRIOR_STATE_PATTERNS = tuple(starmap(PriorStatePattern, _ROWS))
"""How former states are stated, each with an example."""

_NAME = r"[A-Z][\w’'\-]*(?:\s[A-Z][\w’'\-]*){0,6}"
_TOGETHER = re.compile(
    rf"(?P<first>{_NAME})\s+and\s+(?:the\s+)?(?P<second>{_NAME})\s+(?:were|had\sbeen|was)\s(?:\w+\s){{1,4}}?"
    r"(?:together|jointly|as\sone)\b[^.;]*?\b(?:until|before|till)\b"
)
"""Two that were kept together until something parted them: "the A and the B were shown together until 1936"."""


class PriorState(NamedTuple):
    """A former state with where it stands, which row states it, and how probable it is."""

    text: str
    passage: ParsedPassage
    span: TextSpan
    rule: str
    probability: float


def solve_prior_state(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the former states that an undone change leaves, the one whose sentence fits the question best first."""
    clause = problem.conditional.clause
    if problem.answer_type is not AnswerType.NAME or problem.conditional.changes or not is_reversion(problem.conditional):
        return
    denied = name_mentions(clause) if problem.conditional.negated else ()
    ranked = sorted(_prior_states(problem), key=lambda state: (-state.probability, -state.passage.number, -state.span.start))
    for text, passage, span, rule, probability in ranked[:2]:
        reverted = FactEdit(EditOperation.REVERT, f"what was changed: {clause}", text, "its later state")
        edits = (FactEdit(EditOperation.REMOVE, clause), reverted)
        consequence = f"without the change the former state stays: {text}"
        solution = build_solution(f"former: {rule}", (probability,), text, passage, span, edits, consequence)
        denied_spans = (
            (source.number, name.start, name.end)
            for source in problem.passages
            for name in name_mentions(source.text)
            if any(is_same_name(name, mention) for mention in denied) and (name.end <= span.start or span.end <= name.start)
        )
        yield replace(solution, denied=tuple(denied_spans))


def _prior_states(problem: EditProblem) -> Iterator[PriorState]:
    question_stems = content_word_stems(problem.question)
    rarity = stem_rarity(problem.passages)
    whole = sum(rarity.get(stem, 0.0) for stem in question_stems) or 1.0
    for passage in problem.passages:
        for start, end in passage.sentences:
            text = passage.text[start:end]
            fit = sum(rarity.get(stem, 0.0) for stem in question_stems & content_word_stems(text)) / whole
            if not fit:
                continue
            for rule, trust, match, group in _matches(text, question_stems):
                state = _trim_state(match[group])
                if state and not content_word_stems(state) <= question_stems:
                    at = start + match.start(group) + match[group].find(state)
                    yield PriorState(state, passage, TextSpan(at, at + len(state)), rule, trust * min(1.0, fit + 0.3))


def _matches(text: str, question_stems: frozenset[str]) -> Iterator[tuple[str, float, re.Match[str], str]]:
    """Yield the rows that match a sentence, with their trust, the match, and the group that is the former state."""
    for row in PRIOR_STATE_PATTERNS:
        for match in re.finditer(row.pattern, text):
            yield row.name, row.trust, match, "x"
    pair = _TOGETHER.search(text)
    if pair is not None:
        first, second = (stem_overlap(content_word_stems(pair[side]), question_stems) for side in ("first", "second"))
        if first != second:  # the partner is the one that the question does not name
            yield "together", 0.7, pair, "first" if first < second else "second"


def _trim_state(text: str) -> str:
    state = text.strip(' ,.;"“”')
    state = re.sub(r"^(?:The|A|An)\s", "", state)
    state = re.sub(r"['’]s$", "", state)
    return re.sub(r"\s(?:in|on|at|by|for|of|and|the|to)$", "", state)
