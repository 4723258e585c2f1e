"""What a passage itself says of an "if": outcomes that it states, the row of an alternative, and who gave way to another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_parser import quantities_in
from kgqa.questions.conditional_parser import TextSpan
from kgqa.readers.numeric.amount_table import AmountRow, amount_table
from kgqa.readers.numeric.passage_tokens import content_lemmas, is_same_name, name_mentions

_LEAST_SHARE, _BEFORE = 0.5, 0.8
"""The least share of the words of an "if" that a stated one has to hold; what a word of the sentence before counts."""
_LEAST_ROW_SHARE, _ROW_MARGIN = 0.6, 0.3
"""The same for the row of an alternative, and how much less the other rows have to hold."""
_STATED = tuple((name, CUES[f"outcome {name}"]) for name in ("otherwise", "behind", "ahead"))
_ASKS_OUTCOME = CUES["asks outcome"]
_NEGATED = re.compile(r"\b(?:not|never|no|unless|without)\b|n['’]t\b", re.IGNORECASE)
_REPORTED = re.compile(r"^.*\b(?:that|said|says?|wrote|think|thinks|replied),?\s", re.IGNORECASE)
_ASKED = re.compile(r"\b(?:asked|wondered|wanted to know|inquired|enquired)\b", re.IGNORECASE)
_REPLY = re.compile(r"[^.;]{1,60}?\b(?:answered|replied|said|explained|warned|told (?:her|him|them)) that\s", re.IGNORECASE)
"""Who only asks what would follow, and who answers in the next sentence."""
_AMOUNTS = {AnswerType.MONEY: (Sort.MONEY, Sort.CARDINAL), AnswerType.NUMBER: (Sort.CARDINAL, Sort.MONEY, Sort.DURATION)}


_TITLE_DOT = re.compile(r"(?<=\bMr)\.|(?<=\bMrs)\.|(?<=\bMs)\.|(?<=\bDr)\.|(?<=\bSt)\.")


def solve_stated_outcome(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield what the passage itself says of the "if": "had only one come, it would have gone for 500"."""
    conditional = problem.conditional
    asks_outcome = _ASKS_OUTCOME.search(conditional.main)
    if not asks_outcome and problem.answer_type not in _AMOUNTS:
        return
    wanted = frozenset(content_lemmas(conditional.clause))
    best: tuple[float, ParsedPassage, TextSpan] | None = None
    for passage in problem.passages:
        before = frozenset[str]()
        for number, (start, end) in enumerate(passage.sentences):
            sentence = passage.text[start:end]
            for name, pattern in _STATED:
                for match in pattern.finditer(sentence):
                    stated = frozenset(content_lemmas(match["condition"]))
                    negated = bool(_NEGATED.search(match["condition"]) or match["how"].lower() == "unless")
                    if name == "otherwise":
                        negated = not negated
                    if negated is not conditional.negated or not stated & wanted:
                        continue
                    share = (len(stated & wanted) + _BEFORE * len((before - stated) & wanted)) / len(wanted)
                    if share >= _LEAST_SHARE and (best is None or share > best[0]):
                        own = TextSpan(start + match.start("outcome"), start + match.end("outcome"))
                        only_asks = _ASKED.search(match["outcome"]) is not None
                        outcome_span = _replied(passage, number + 1) if only_asks else own
                        best = (share, passage, outcome_span) if outcome_span is not None else best
            before = frozenset(content_lemmas(sentence))
    if best is None:
        return
    share, passage, span = best
    outcome = span.of(passage.text)
    replies = [_replied(passage, number) for number in range(len(passage.sentences))]
    bare = outcome if span in replies else _REPORTED.sub("", outcome)
    answer = bare.strip(" ,.;:\"“”’'") if asks_outcome else _amount_in(outcome, problem.answer_type)
    if answer:
        edits = (FactEdit(EditOperation.FORCE, conditional.clause),)
        yield build_solution("stated outcome", (min(1.0, share),), answer, passage, span, edits, f"stated: {outcome}", exact=True)


def _replied(passage: ParsedPassage, number: int) -> TextSpan | None:
    """Return what a sentence says in reply to the one before, which asked."""
    start, end = passage.sentences[number] if number < len(passage.sentences) else (0, 0)
    reply = _REPLY.match(passage.text, start, end)
    return TextSpan(reply.end(), end) if reply is not None else None


def _amount_in(outcome: str, answer_type: AnswerType) -> str:
    items = [item for item in quantities_in(outcome) if isinstance(item, Quantity)]
    wanted = [item for sort in _AMOUNTS[answer_type] for item in items if item.sort is sort]
    return wanted[0].text if len(wanted) == 1 else ""


def solve_alternative_row(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the amount of the alternative that the "if" names: of prices by class, of doses by patient."""
    conditional = problem.conditional
    if conditional.changes or conditional.negated or problem.answer_type not in _AMOUNTS | {AnswerType.NAME: ()}:
        return
    asks = re.search(
        r"(?i)\b(?:how much|how many|what (?:\w+ )?(?:dose|price|fare|fee|rent|wage|salary|amount))\b", conditional.main
    )
    wanted = frozenset(content_lemmas(conditional.clause)) - frozenset(content_lemmas(conditional.main))
    wanted = frozenset(lemma for lemma in wanted if any(lemma in row.clause for row in _rows(problem)))
    if asks is None or not wanted:
        return
    for passage in problem.passages:
        rows = [row for row in amount_table(passage.text).rows if not row.step]
        shares = sorted(((len(wanted & row.clause) / len(wanted), row) for row in rows), key=lambda entry: -entry[0])
        if not shares or shares[0][0] < (_LEAST_ROW_SHARE if len(wanted) > 1 else 1.0):
            continue
        share, row = shares[0]
        rivals = [rival for rival in rows if rival is not row and rival.measure == row.measure and abs(rival.at - row.at) <= 1]
        if not rivals or any(len(wanted & rival.clause) / len(wanted) > share - _ROW_MARGIN for rival in rivals):
            continue
        place = TextSpan(row.start, row.quantity.end)
        edits = (FactEdit(EditOperation.FORCE, conditional.clause),)
        consequence = f"the row of the alternative: {row.wording.strip(' ,;.')}"
        yield build_solution("alternative row", (share,), place.of(passage.text), passage, place, edits, consequence, exact=True)
        return


def _rows(problem: EditProblem) -> list[AmountRow]:
    return [row for passage in problem.passages for row in amount_table(passage.text).rows]


def solve_displaced_person(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield who was hindered where another took the place: "Ms Ray took the chair because Mr Ode had been delayed by fog"."""
    conditional = problem.conditional
    if problem.answer_type is not AnswerType.NAME or not conditional.negated or not re.match(r"(?i)who\b", conditional.main):
        return
    wanted = frozenset(content_lemmas(conditional.clause))
    place = frozenset(content_lemmas(conditional.main))
    for passage in problem.passages:
        for start, end in passage.sentences:
            match = CUES["cause clause last"].match(_TITLE_DOT.sub(" ", passage.text[start:end]))
            if match is None or not wanted & frozenset(content_lemmas(match["cause"])):
                continue
            effect, cause = (passage.text[start + match.start(group) : start + match.end(group)] for group in ("effect", "cause"))
            holders, hindered = name_mentions(effect), name_mentions(cause)
            others = [name for name in hindered if not any(is_same_name(name, holder) for holder in holders)]
            if holders and len(others) == 1 and place & frozenset(content_lemmas(effect)):
                low = start + match.start("cause") + others[0].start
                edits = (FactEdit(EditOperation.REMOVE, conditional.clause),)
                span = TextSpan(low, low + len(others[0].text))
                consequence = f"nothing hinders {others[0].text}"
                yield build_solution("displaced person", (1.0,), others[0].text, passage, span, edits, consequence, exact=True)
                return
