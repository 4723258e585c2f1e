"""Refusals in words: why a question has no answer, with the nearest that is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kgqa.reasons import Conclusion, FirstOfSeveral, Missing, Reason, Refusal
from kgqa.wording.answer_sentence import word_conclusion
from kgqa.wording.claim_clauses import claim_clause, concept_phrase
from kgqa.wording.gap_phrases import doubtful_chain_clause, word_gap

if TYPE_CHECKING:
    from graph.model import Edge, Path

_NO_TEXT = "the sentences that the graph keeps do not tell"


def _word_refusal(refusal: Refusal) -> str:
    """Return a refusal in a sentence."""
    return _REASONS[refusal.reason](*refusal.facts)


def _word_first(conclusion: FirstOfSeveral) -> str:
    """Return which of several questions is answered, and its answer."""
    text = word_conclusion(conclusion.conclusion)
    return f"Of {conclusion.number} questions, the first causal one, “{conclusion.question}”: {text}"


def same_thing_clause(cause: str, effect: str, concept: str) -> str:
    """Return that two phrases name one thing."""
    thing = f"name the same thing, {concept_phrase(concept)}" if concept else "are names of the same thing"
    return f"'{cause}' and '{effect}' {thing}"


def risk_clause(confidence: float, risk: float, least: float | None) -> str:
    """Return the confidence of an answer beside the least confidence that keeps to a risk, `None` where none does."""
    needed = "no confidence is enough" if least is None else f"{least:.2f} is needed"
    return f"confidence {confidence:.2f}; for an expected error of at most {risk:g}, {needed}"


def _not_said(missing: Missing) -> str:
    gap = word_gap(missing)
    return f"unknown: the graph does not say {gap.what}; {gap.where}"


def _doubtful_chain(missing: Missing, path: Path | None, opposite: Path | None) -> str:
    from kgqa.wording.chain_sentences import opposite_chain_clause

    doubtful = f"; {doubtful_chain_clause(path)}" if path is not None else ""
    opposed = f"; {opposite_chain_clause(opposite)}" if opposite is not None else ""
    return f"unknown: the graph does not say {word_gap(missing).what}{doubtful}{opposed}"


def _no_causal_question(manner: bool, foreign: bool) -> str:
    why = "it asks how to do something" if manner else "it asks for no cause, effect or prevention"
    if foreign:
        why = "it seems to be in another language, and kgqa reads English"
    return f"This is not a causal question: {why}. kgqa answers causal questions only."


def _rarest(conclusion: Conclusion | str) -> str:
    why = "which is the rarest cannot be told from a graph of claims, in which what is rarely spoken of need not be rare"
    text = word_conclusion(conclusion)
    return f"unknown: {why}; {text[:1].lower()}{text[1:]}"


def _held_back(confidence: float, risk: float, least: float | None, conclusion: Conclusion | str) -> str:
    reason = risk_clause(confidence, risk, least)
    return f"Unknown at this risk ({reason}). Without a limit the answer would be: {word_conclusion(conclusion)}"


def _shared_cause(first: Edge, second: Edge) -> str:
    both = f"{claim_clause(first)} and {claim_clause(second)}"
    return f"unknown: no source says so; but {concept_phrase(first.cause)} may be behind both: {both}"


def _no_claim(cause: str, effect: str, *known: tuple[str, int]) -> str:
    """Return that no claim joins two phrases, with the concept of each and how many claims are about it, where known."""
    words = f"unknown: the graph has no claim that '{cause}' bears on '{effect}'"
    if not known:
        return words
    (first, claims), (second, others) = known
    about = f"{claims:,} claims about {concept_phrase(first)} and {others:,} about {concept_phrase(second)}"
    return f"{words}, although it has {about}"


def _unfamiliar(missing: Missing, nearest: Edge | None) -> str:
    near = f"; the nearest is that {claim_clause(nearest)}" if nearest is not None else ""
    return f"unknown: the graph has no {word_gap(missing).what.removeprefix('a ')}{near}"


def _nothing_left(concept: str, of_cause: bool, prevents: bool) -> str:
    does = "prevents or reduces" if prevents else "causes"
    return f"nothing that the graph knows of is left that {f'{concept} {does}' if of_cause else f'{does} {concept}'}"


def _undecided_reader(*facts: Any) -> str:
    from kgqa.wording.passage_sentences import undecided_clause

    return f"unknown: {undecided_clause(*facts)}"


def _unsupported_reading(title: str, phrase: str) -> str:
    from kgqa.wording.passage_sentences import unsupported_clause

    return f"unknown: the {title} does not tell; {unsupported_clause(phrase)}"


_REASONS: dict[Reason, Callable[..., str]] = {
    Reason.INVALID_QUESTION: str,
    Reason.NOT_SAID: _not_said,
    Reason.DOUBTFUL_CHAIN: _doubtful_chain,
    Reason.NEGATED_LIST: lambda: (
        "unknown: what is not a cause or not an effect of something is a list without an end; ask about one of them"
    ),
    Reason.NO_CAUSAL_QUESTION: _no_causal_question,
    Reason.NO_SLOT: lambda: "unknown: this is a causal question, but what it asks about could not be made out",
    Reason.RAREST: _rarest,
    Reason.HELD_BACK: _held_back,
    Reason.SAME_THING: lambda *facts: f"unknown: {same_thing_clause(*facts)}; ask about two different things",
    Reason.SHARED_CAUSE: _shared_cause,
    Reason.OTHER_CLAIM: lambda edge: f"unknown: no source says so; it is only said that {claim_clause(edge)}",
    Reason.NO_CLAIM: _no_claim,
    Reason.UNFAMILIAR: _unfamiliar,
    Reason.CONTRADICTORY_SETTINGS: "unknown: what is supposed contradicts itself: {}".format,
    Reason.UNKNOWN_CLAIM: "unknown: nothing changes: {}".format,
    Reason.SAME_ENDS: lambda: "unknown: both ends of the claim that is supposed are one concept",
    Reason.NOTHING_LEFT: _nothing_left,
    Reason.WEAK_SETTING: lambda edge: f"unknown: that {claim_clause(edge)} was set to be believed {edge.belief:g} only",
    Reason.NO_PASSAGE: lambda title, given: (
        f"unknown: {f'there is no {title} to read' if given else 'no sentence was found to read'}"
    ),
    Reason.FOREIGN_TEXT: "unknown: the {} seems to be in another language, and kgqa reads English".format,
    Reason.NO_READER: "unknown: there is no reader to read it with: {}".format,
    Reason.IMPOSSIBLE_CONDITION: "unknown: the supposition cannot be made: {}".format,
    Reason.UNDECIDED_READER: _undecided_reader,
    Reason.UNSUPPORTED_READING: _unsupported_reading,
    Reason.NOT_IN_PASSAGE: lambda title, given: f"unknown: {f'the {title} does not tell' if given else _NO_TEXT}",
}

SENTENCES: dict[str, Callable[[Any], str]] = {"Refusal": _word_refusal, "FirstOfSeveral": _word_first}
