"""One ranking of the answers to an "if" over passages: those of its edits and those of a reader, by fitted probabilities.

An answer is likelier where the reader finds it with and without the "if" and where an edit has it as its result, and less likely
where it is only the value before the edit. By construction a reader never outvotes an exact edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from kgqa.answer_model import AppliedIntervention
from kgqa.calibration.linear_model import PROBABILITY_CLIP, LogisticModel, load_fitted_model, log_odds, logistic
from kgqa.passages.passage_verdict import SUPPOSED, question_of_fact, supposed_signals
from kgqa.presuppositions.evidence_model import shipped_evidence_model
from kgqa.questions.conditional_parser import ConditionalMood, ConditionalQuestion
from kgqa.readers.answer_normalisation import normalise_answer
from kgqa.readers.reader import CASCADE, AnswerKind, Candidate, MeteredReader, Passage, Reader
from kgqa.reasons import Step

if TYPE_CHECKING:
    from kgqa.edits.answer_type import AnswerType
    from kgqa.edits.edit_script import EditSolution

WORD_READERS = (CASCADE, "extractive", "boolean")
"""The readers that tell yes from no by words and a small network, which what is stated outweighs."""
_MODAL = re.compile(r"(?:would|could|might|should|will|can)\b", re.IGNORECASE)
ShownCandidates = tuple[tuple[str | None, float], ...]
"""The first candidates of a reader or of the edits with their scores; `None` says that there is no answer."""


class PassageCandidate(NamedTuple):
    """A candidate with the edits that lead to it; of a reader's there are none."""

    candidate: Candidate
    edits: tuple[AppliedIntervention, ...] = ()
    rule: str = ""


def answer_hypothetical(
    conditional: ConditionalQuestion,
    read: Sequence[Passage],
    candidates: Sequence[Candidate],
    reader: Reader | None,
    steps: list[Step],
) -> list[PassageCandidate]:
    """Return the candidates of the edits of an "if" and of the reader, likeliest first; `steps` gets the decisions."""
    from kgqa.edits.edit_solver import solve_edits
    from kgqa.edits.plain_question import rewrite_without_condition

    solutions, why = solve_edits(conditional, read, candidates)
    if solutions:
        summary = shown_candidates([solution.candidate for solution in solutions])
        steps.append(Step("edit_candidates", (summary, solutions[0].rule)))
    else:
        steps.append(Step("no_edit", (why,)))
    if not conditional.main:
        return []
    if reader is None:
        return [_edit_candidate(solution, solution.candidate) for solution in solutions]
    if not solutions and reader.name in WORD_READERS and _asks_whether_supposed(conditional):
        verdicts = supposed_signals(conditional, read, reader, shipped_evidence_model()).candidates(SUPPOSED)
        steps.append(Step("supposed_verdict", (question_of_fact(conditional), shown_candidates(verdicts))))
        return [PassageCandidate(item, (), f"reader {reader.name}") for item in verdicts]
    plain: Sequence[Candidate] = []
    if are_edits_settled(conditional, candidates, solutions):
        steps.append(Step("not_asked_again"))
    elif not (solutions and isinstance(reader, MeteredReader)):
        question = rewrite_without_condition(conditional)
        if normalise_answer(question) != normalise_answer(conditional.text):
            plain = reader.read(question, read)
            steps.append(Step("asked_again", (question, shown_candidates(plain))))
    answers = [
        PassageCandidate(item, (), f"reader {reader.name}")
        for item in candidates
        if item.kind in (AnswerKind.NULL, AnswerKind.NUMBER) and not any(solution.exact for solution in solutions)
    ]
    texts_with_if = {normalise_answer(item.text) for item in candidates}
    for item in rank_answers(conditional, candidates, plain, solutions):
        if item.solution is not None:
            answers.append(_edit_candidate(item.solution, item.candidate))
        else:
            without = "" if normalise_answer(item.candidate.text) in texts_with_if else ", without the “if”"
            answers.append(PassageCandidate(item.candidate, (), f"reader {reader.name}{without}"))
    return answers


def _asks_whether_supposed(conditional: ConditionalQuestion) -> bool:
    return conditional.mood is not ConditionalMood.OPEN and _MODAL.match(conditional.main) is not None


def _edit_candidate(solution: EditSolution, candidate: Candidate) -> PassageCandidate:
    edits = tuple(AppliedIntervention(edit.operation, edit.target, edit.value, edit.former) for edit in solution.edits)
    return PassageCandidate(candidate, edits, f"edit {solution.rule}")


def shown_candidates(candidates: Sequence[Candidate]) -> ShownCandidates:
    """Return the first candidates with their scores, as a trace shows them."""
    return tuple((None if item.kind is AnswerKind.NULL else item.text, item.score) for item in candidates[:4])


EDITS_SETTLED = 0.7
"""From which probability on the edits are so sure that the question without its "if" is not read: of 239 questions 22 were, and
what was found for them changed no answer."""
_LIKELY_EDIT = 0.5
ANSWER_COMPETITION = "answer_competition"
"""The name of the fitted model, which scripts/fit/fit_competition.py fits."""
COMPETITION_FEATURES = ("whole", "found", "plain", "found plain", "edited", "surest", "agreed", "operand", "reckoned", "rival")
"""The names of the features."""


@dataclass(frozen=True, slots=True)
class CompetingAnswer:
    """One answer with the solution that comes to it, where edits do, and its features."""

    candidate: Candidate
    solution: EditSolution | None
    features: Mapping[str, float]

    @property
    def edited(self) -> float:
        """The log-odds of the edits, which are added as they are; 0 without one."""
        return _score_log_odds(self.solution.candidate if self.solution else None)

    @property
    def is_exact(self) -> bool:
        """Whether an exact edit comes to the answer."""
        return self.solution is not None and self.solution.exact

    def probability(self, model: LogisticModel) -> float:
        """Return the probability (0..1) that the answer is right; a reader that disagrees takes nothing from an exact edit."""
        fitted = logistic(self.edited + model.log_odds(self.features))
        return max(fitted, self.solution.candidate.score) if self.solution is not None and self.solution.exact else fitted


def rank_answers(
    conditional: ConditionalQuestion, whole: Sequence[Candidate], plain: Sequence[Candidate], solutions: Sequence[EditSolution]
) -> tuple[CompetingAnswer, ...]:
    """Return all answers with their probabilities, likeliest first; empty without an answer."""
    model = load_fitted_model(ANSWER_COMPETITION).logistic()
    rivals = [(rival, rival.probability(model)) for rival in competing_answers(conditional, whole, plain, solutions)]
    judged = []
    for rival, score in rivals:
        limits = [limit for edited, limit in rivals if edited.solution and _is_limited_by(rival, edited.solution)]
        judged.append(replace(rival, candidate=replace(rival.candidate, score=round(min([score, *limits]), 4))))
    return tuple(sorted(judged, key=lambda rival: (-rival.candidate.score, not rival.is_exact, rival.solution is None)))


def _is_limited_by(rival: CompetingAnswer, solution: EditSolution) -> bool:
    """Return whether an answer is never likelier than an edit: the edit is exact, or surer and denies the answer.

    An edit denies the value that it changes, where it is no less likely than not, or where it computes a new value: what a reader
    then finds is what the "if" changes.
    """
    from kgqa.edits.edit_solver import COMPUTED_RULES

    computed = solution.rule in COMPUTED_RULES and rival.solution is None
    own = rival.solution.candidate.score if rival.solution is not None else 0.0
    formers = {normalise_answer(edit.former) for edit in solution.edits if edit.former}
    changed = (computed or solution.candidate.score >= _LIKELY_EDIT) and normalise_answer(rival.candidate.text) in formers
    denied = own < solution.candidate.score and (changed or solution.denies(rival.candidate))
    return not rival.is_exact and (solution.exact or denied)


def are_edits_settled(conditional: ConditionalQuestion, whole: Sequence[Candidate], solutions: Sequence[EditSolution]) -> bool:
    """Return whether the answer of an edit stands whatever the reader finds for the question without its "if"."""
    if not solutions or any(solution.exact for solution in solutions):
        return bool(solutions)
    first = rank_answers(conditional, whole, (), solutions)[0]
    return first.solution is not None and first.candidate.score >= EDITS_SETTLED


def competing_answers(
    conditional: ConditionalQuestion, whole: Sequence[Candidate], plain: Sequence[Candidate], solutions: Sequence[EditSolution]
) -> tuple[CompetingAnswer, ...]:
    """Return the different answers with their features, each as the question wants it said."""
    from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, answer_type_of

    wish = answer_type_of(conditional.main)
    with_if, without = _best_by_text(whole, wish), _best_by_text(plain, wish)
    edited: dict[str, EditSolution] = {}
    for item in solutions:
        edited.setdefault(normalise_answer(item.candidate.text), item)
    operands = _operand_scores((*whole, *plain), solutions)
    computes = bool(conditional.changes) and wish in DATE_TYPES | NUMBER_TYPES
    made = []
    for key in dict.fromkeys((*edited, *with_if, *without)):
        solution, read, again = edited.get(key), with_if.get(key), without.get(key)
        candidate = solution.candidate if solution else read or again
        if candidate is None:
            continue
        rival_score = max((item.candidate.score for name, item in edited.items() if name != key), default=0.0)
        features = {
            "whole": _score_log_odds(read),  # the reader's log-odds for the question as it is
            "found": float(read is not None),
            "plain": _score_log_odds(again),  # the same for the question without its "if"
            "found plain": float(again is not None),
            "edited": float(solution is not None),
            "surest": float(solution is not None and solution is solutions[0]),
            "agreed": float(solution is not None and (read is not None or again is not None)),
            "operand": 0.0 if solution else operands.get(key, 0.0),  # the answer is what an edit or a calculation starts from
            "reckoned": float(computes and solution is None),  # the "if" changes an amount, and only the reader finds the answer
            "rival": 0.0 if solution else rival_score,  # the edits come to another answer: how probably
        }
        made.append(CompetingAnswer(candidate, solution, features))
    return tuple(made)


def _best_by_text(candidates: Iterable[Candidate], wish: AnswerType) -> dict[str, Candidate]:
    """Return the likeliest candidate of each answer, said as the question wants it."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.kind in (AnswerKind.NULL, AnswerKind.NUMBER) or not candidate.text.strip():
            continue
        answer = replace(candidate, text=date_as_asked(candidate.text, wish))
        key = normalise_answer(answer.text)
        if key not in best or answer.score > best[key].score:
            best[key] = answer
    return best


def date_as_asked(text: str, wish: AnswerType) -> str:
    """Return a date in the form that is asked for: "5 August 1979" as the date "August 5, 1979", as the year "1979"."""
    from kgqa.edits.answer_type import DATE_TYPES
    from kgqa.edits.value_arithmetic import date_text
    from kgqa.quantities.quantity_parser import dates_in

    mentions = dates_in(text) if wish in DATE_TYPES and any(map(str.isdigit, text)) else ()
    if len(mentions) != 1 or (mentions[0].start, mentions[0].end) != (0, len(text)):
        return text
    return date_text(mentions[0], wish) or text


def _operand_scores(candidates: Iterable[Candidate], solutions: Sequence[EditSolution]) -> dict[str, float]:
    """Return what an answer would be computed from, with how probably."""
    scores: dict[str, float] = {}
    operands = [(item.text, item.score) for item in candidates if item.kind is AnswerKind.NUMBER]
    operands += [(edit.former, item.candidate.score) for item in solutions for edit in item.edits if edit.former]
    for text, score in operands:
        key = normalise_answer(text)
        scores[key] = max(scores.get(key, 0.0), score)
    return scores


def _score_log_odds(candidate: Candidate | None) -> float:
    return 0.0 if candidate is None else log_odds(candidate.score, PROBABILITY_CLIP)
