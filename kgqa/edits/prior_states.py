"""Reverting to an earlier state that a passage states: a former name, plan, holder, place or classification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from graph.text.pattern_tables import read_pattern_table
from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage, stem_rarity
from kgqa.edits.value_edits import is_reversion
from kgqa.questions.conditional_parser import TextSpan
from kgqa.readers.numeric.passage_tokens import content_word_stems, is_same_name, name_mentions, stem_overlap


class PriorStatePattern(NamedTuple):
    """How a former state is stated: its name, a pattern whose group x is that state, and an example.

    `trust` is how often it was the answer where nothing else decided.
    """

    name: str
    trust: float
    pattern: str
    example: str


PRIOR_STATE_PATTERNS = tuple(
    PriorStatePattern(name, float(trust), pattern, example)
    for name, trust, pattern, example in read_pattern_table(Path(__file__).with_name("data") / "prior_states.tsv")
)
"""How former states are stated, each with an example; X_PLACE is a name that "for" ends: "left Ostrava for Lund"."""

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
