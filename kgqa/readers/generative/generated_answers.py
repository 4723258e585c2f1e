"""From generated texts to candidates: their kind, and their place in the passages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa.calibration.logistic import softmax
from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.generative.encoder_decoder import Hypothesis
from kgqa.readers.reader import AnswerKind, Candidate, Passage

_REFUSALS = {"noanswer", "unanswerable", "cannotanswer", "notanswerable"}


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A text that a model wrote as tokens, and the numbers of the passages that are searched for it, in order."""

    text: str
    tokens: Hypothesis
    order: tuple[int, ...] = ()
    trace: tuple[str, ...] = ()


def candidates_from_texts(
    question: str, written: Sequence[GeneratedText], passages: Sequence[Passage], best: int
) -> tuple[Candidate, ...]:
    """Return the `best` candidates of generated texts, likeliest first, at least one.

    The scores add up to the probability of one token of the likeliest text on average, which does not fall with its length; each
    candidate has its share of it by the probability of its whole text. Texts that differ in case or space only are one candidate.
    A text that stands in a passage becomes that span; "yes" and "no" count as verdicts only where the question may ask whether.
    """
    if not written:
        return (Candidate("", 0.0, AnswerKind.NULL),)
    whether = question_form_of(question) is not QuestionForm.OPEN
    first = max(item.tokens.log_probability for item in written)
    sure = max(item.tokens.score for item in written if item.tokens.log_probability == first)
    ordered = sorted(written, key=lambda item: (-item.tokens.log_probability, item.text))
    shares = softmax([item.tokens.log_probability for item in ordered])
    distinct: dict[tuple[AnswerKind, str], Candidate] = {}
    for item, share in zip(ordered, shares, strict=True):
        candidate = _candidate_from_text(item, passages, whether)
        key = candidate.kind, " ".join(candidate.text.lower().split())
        known = distinct.setdefault(key, replace(candidate, score=0.0))
        distinct[key] = replace(known, score=known.score + sure * share)
    return tuple(sorted(distinct.values(), key=lambda item: -item.score)[:best])


def is_refusal(text: str) -> bool:
    """Return whether a text says that there is no answer, or nothing at all."""
    letters = _letters(text)
    return not letters or letters in _REFUSALS


def nothing_to_read(reader: str) -> Candidate:
    """Return the one candidate of a reader where there is nothing to read."""
    return Candidate("", 1.0, AnswerKind.NULL, trace=(f"{reader}: nothing to read",))


def find_words(text: str, passage: str) -> tuple[int, int] | None:
    """Return where a text first stands in a passage as whole words, whatever its case and space; `None` where it does not."""
    words = text.split()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words)
    match = re.search(rf"(?<!\w){pattern}(?!\w)", passage, re.IGNORECASE)
    return match.span() if match else None


def _candidate_from_text(generated_text: GeneratedText, passages: Sequence[Passage], whether: bool) -> Candidate:
    text = " ".join(generated_text.text.split()).strip()
    if is_refusal(text):
        return Candidate("", 0.0, AnswerKind.NULL, trace=generated_text.trace)
    if whether and _letters(text) in {"yes", "no"}:
        return Candidate(_letters(text), 0.0, AnswerKind(_letters(text)), trace=generated_text.trace)
    for number in generated_text.order:
        place = find_words(text, passages[number].text)
        if place is not None:
            start, end = place
            return Candidate(passages[number].text[start:end], 0.0, AnswerKind.SPAN, number, start, end, generated_text.trace)
    return Candidate(text, 0.0, AnswerKind.SPAN, trace=generated_text.trace)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())
