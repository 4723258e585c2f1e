"""Answers from passages in words: what was read, what the reader and the edits found, and how that goes with the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kgqa.answer_model import Verdict
from kgqa.reasons import Conclusion, StepKind
from kgqa.wording.answer_sentence import word_conclusion
from kgqa.wording.claim_clauses import count_noun

if TYPE_CHECKING:
    from kgqa.passages.edit_competition import ShownCandidates
    from kgqa.passages.passage_answer import PassageConclusion

_WORLDS = {
    "PASSAGE": "according to {}",
    "EDITED": "if that were so, going by {}",
    "UNEDITED": "according to {} as it stands: the “if” is not worked into it",
}
"""The world that an answer holds in, by its name, with the text that it is from for "{}"."""


def _word_passage(conclusion: PassageConclusion) -> str:
    """Return an answer with the text that it is from, and a hedge where it is not sure."""
    where = f"the {conclusion.title}" if conclusion.untitled else f"“{conclusion.title}”"
    hedge = "perhaps " if conclusion.hedged else ""
    return f"{hedge}{conclusion.text}, {_WORLDS[conclusion.world.name].format(where)}"


def undecided_clause(verdict: Verdict, score: float, opposite: Verdict, opposite_score: float) -> str:
    """Return that yes and no are nearly as likely to a reader."""
    return f"the reader cannot tell {verdict} ({score:.2f}) from {opposite} ({opposite_score:.2f})"


def unsupported_clause(phrase: str) -> str:
    """Return why a reader may not say whether one thing causes another: a phrase is not named, or a claim says the reverse."""
    return f"“{phrase}” is not named there" if phrase else "a claim says the reverse"


def _read_parts(parts: int, passages: int, words: int, cut: bool) -> str:
    which = f"the {count_noun(parts, 'part')} that fit best of " if cut else ""
    return f"read: {which}{count_noun(passages, 'passage')}, {count_noun(words, 'word')}"


def _listed_candidates(candidates: ShownCandidates) -> str:
    return ", ".join(f"{'no answer' if text is None else f'“{text}”'} ({score:.2f})" for text, score in candidates)


def _second_answer(source: str, agrees: bool, text: str, confidence: float) -> str:
    return f"The {source} says {'the same' if agrees else 'otherwise'}: {text} ({confidence:.2f})."


def _agreement(agrees: bool, source: str, is_verdict: bool) -> str:
    why = "a verdict rests on claims, which know cause from effect" if is_verdict else "it is surer"
    return f"they {'agree' if agrees else 'disagree'}; the {source}'s answer is given: {why}"


def _refused_by(source: str) -> Callable[[Conclusion | str], str]:
    return lambda conclusion: f"the {source} gives no answer: {word_conclusion(conclusion)}"


PASSAGE_STEPS: dict[StepKind, Callable[..., str]] = {
    StepKind.READ: _read_parts,
    StepKind.READER_CANDIDATES: lambda name, candidates: f"the reader {name} finds {_listed_candidates(candidates)}",
    StepKind.EDIT_CANDIDATES: lambda candidates, rule: f"the edits come to {_listed_candidates(candidates)}; the first by {rule}",
    StepKind.NO_EDIT: "no edit of the passage: {}".format,
    StepKind.NOT_ASKED_AGAIN: lambda: "not asked without its “if”: the edits are sure",
    StepKind.ASKED_AGAIN: lambda plain, candidates: (
        f"asked without its “if”, “{plain}”, the reader finds {_listed_candidates(candidates) or 'no answer'}"
    ),
    StepKind.CHOSEN: "chosen: “{}” ({:.2f}), by the {}".format,
    StepKind.UNDECIDED_READER: undecided_clause,
    StepKind.NO_ANSWER_LIKELIER: "likelier than any answer: there is none ({:.2f})".format,
    StepKind.NOTHING_SURE: lambda: "nothing is sure enough to say",
    StepKind.GRAPH_REFUSED: _refused_by("graph"),
    StepKind.READER_REFUSED: _refused_by("reader"),
    StepKind.SENTENCES_READ: lambda: "the graph gives no answer; its sentences are read",
    StepKind.KEPT_SENTENCE: lambda: "No claim of the graph answers this; it was read in a sentence that the graph keeps.",
    StepKind.SECOND_ANSWER: _second_answer,
    StepKind.BOTH_ANSWERS: "graph: {} ({:.2f}); reader: {} ({:.2f})".format,
    StepKind.AGREEMENT: _agreement,
    StepKind.NO_PROMISE: "the {} was not mined: none of its sentences promises a claim about this".format,
    StepKind.HYPOTHETICAL: "the {} was not mined: claims do not tell what would be, only whether".format,
    StepKind.READER_SURE: "the {} was not mined: the reader is sure enough ({:.2f})".format,
    StepKind.UNSUPPORTED_READING: lambda phrase: f"held back: {unsupported_clause(phrase)}",
}

SENTENCES: dict[str, Callable[[Any], str]] = {"PassageConclusion": _word_passage}
