"""Verdicts in words: who says so, who denies it, in which cases only, and what a verdict by a chain or by support rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kgqa.answer_model import Verdict
from kgqa.answering.evidence_kind import EvidenceKind, is_same_case
from kgqa.answering.link_quality import BROADER, NARROWER, SURE_LINK
from kgqa.answering.verdicts.evidence_weighing import WeighedEvidence
from kgqa.answering.verdicts.verdict_conclusion import (
    DirectionsConclusion,
    MediatedConclusion,
    OptionsConclusion,
    ReverseConclusion,
    SupportConclusion,
    VerdictConclusion,
)
from kgqa.linking.concept_links import ConceptLink
from kgqa.wording.answer_phrases import describe_link, word_separation
from kgqa.wording.answer_sentence import clause_of
from kgqa.wording.claim_clauses import claim_clause, concept_phrase, count_noun, hedged_clause, join_phrases, plain_clause

_SO = "so"


def word_verdict(conclusion: VerdictConclusion) -> str:
    """Return what the evidence says of the claim, with its verdict: "yes: 3 sources say that ...; 1 source denies it"."""
    weighed, edge, claim_verdict = conclusion.weighed, conclusion.foremost, conclusion.claim_verdict
    statement = f"that {claim_clause(edge)}"
    case = f" {join_phrases(_case_phrases(conclusion))}" if weighed.particular else ""
    head = f"{_verdict_phrase(conclusion)}{case}{_extent_phrase(conclusion.links, claim_verdict)}"
    if claim_verdict is Verdict.YES:
        words = f"{head} {_word_supporters(weighed)} {statement}{_word_opponents(conclusion, 'it')}"
    elif claim_verdict is Verdict.NO:
        words = f"{head} {_word_denial(conclusion, f'that {plain_clause(edge)}')}" + (
            f", although {_word_supporters(weighed, _SO)}" if _has_support(weighed) else ""
        )
    elif claim_verdict is Verdict.CONTESTED:
        words = f"{head} {_word_supporters(weighed)} {statement}{_word_opponents(conclusion, 'it')}"
        words += f"; {word_separation(conclusion.separation)}" if conclusion.separation else ""
    elif not weighed.witnesses and weighed.apart:
        words = f"{head} that {plain_clause(edge)} is denied, but only {join_phrases(list(weighed.apart[:2]))}"
    else:
        words = f"{head} {_word_uncertainty(conclusion)}"
    if weighed.witnesses and weighed.apart:
        words += f"; it is denied only {join_phrases(list(weighed.apart[:2]))}"
    if conclusion.circumstances and not weighed.particular and claim_verdict is not Verdict.UNKNOWN:
        words += f"; no source says it of {join_phrases([repr(phrase) for _, phrase in conclusion.circumstances])} in particular"
    loose = [describe_link(link) for link in conclusion.links if link.score < SURE_LINK and link.how not in (NARROWER, BROADER)]
    return "; ".join([words, *loose])


def _verdict_phrase(conclusion: VerdictConclusion) -> str:
    """Return the verdict in words: to a question why something is not so, whether it is so at all."""
    verdict = conclusion.verdict
    if not conclusion.explains or verdict not in (Verdict.YES, Verdict.NO):
        return verdict.value
    return "it does, as far as the graph knows" if verdict is Verdict.YES else "indeed it does not, as far as the graph knows"


def _case_phrases(conclusion: VerdictConclusion) -> list[str]:
    """Return the case of the question, in the words of a record: "in adults"."""
    phrases = [words for part in conclusion.weighed.parts for _, words in part.record.context]
    return [next((words for words in phrases if is_same_case(phrase, words)), phrase) for _, phrase in conclusion.circumstances]


def _extent_phrase(links: tuple[ConceptLink, ConceptLink], claim_verdict: Verdict) -> str:
    """Return what a verdict holds of where the claims are of narrower cases, or of something wider; with its mark."""
    wider = [link.phrase for link in links if link.how == BROADER]
    if wider:
        return f", probably: no source speaks of {join_phrases(wider)} in particular, but"
    if any(link.how == NARROWER for link in links) and claim_verdict is Verdict.YES:
        return ", in some cases:"
    return ":"


def _word_supporters(weighed: WeighedEvidence, what: str = "") -> str:
    """Return who speaks for the claim, with the verb and what is said: "3 sources say", "CauseNet says so, without ..."."""
    number, bare, hedges, opinions = (
        weighed.count(voice) for voice in (EvidenceKind.TEXT, EvidenceKind.BARE, EvidenceKind.HEDGE, EvidenceKind.OPINION)
    )
    if number:
        besides = " (and CauseNet, without a sentence)" if bare else ""
        return f"{count_noun(number, 'source')}{besides} {'says' if number == 1 else 'say'} {what}".rstrip()
    if bare:
        return f"CauseNet says {what}".rstrip() + ", without a sentence that could be looked up" + ("" if what else ",")
    if hedges:
        does = f"{count_noun(hedges, 'source')} {'says' if hedges == 1 else 'say'}"
        return f"{does} so with a hedge" if what == _SO else f"{does}, with a hedge, {what}".rstrip()
    if opinions:
        does = f"{count_noun(opinions, 'source')} {'reports' if opinions == 1 else 'report'}"
        return f"{does} it as an opinion" if what == _SO else f"{does} the opinion {what}".rstrip()
    return "nothing says"


def _has_support(weighed: WeighedEvidence) -> bool:
    return any(witness.supporting for witness in weighed.witnesses)


def _word_opponents(conclusion: VerdictConclusion, what: str) -> str:
    """Return who speaks against the claim, as a clause to add; empty for nobody."""
    weighed = conclusion.weighed
    opposing = sum(witness.opposes for witness in weighed.witnesses)
    parts = []
    if weighed.denying > opposing:
        number = weighed.denying - opposing
        parts.append(f"{count_noun(number, 'source')} {'denies' if number == 1 else 'deny'} {what}")
    if opposing and conclusion.contrary is not None:
        opposite = f"the opposite, that {claim_clause(conclusion.contrary)}{_word_disputers(weighed)}"
        parts.append(f"{count_noun(opposing, 'source')} {'says' if opposing == 1 else 'say'} {opposite}")
    if weighed.reported:
        number = weighed.reported
        parts.append(f"{count_noun(number, 'source')} only {'reports' if number == 1 else 'report'} that somebody denies {what}")
    return "".join(f"; {part}" for part in parts)


def _word_disputers(weighed: WeighedEvidence) -> str:
    """Return who denies the opposite in turn, as a clause to add; empty for nobody."""
    number = weighed.disputing
    return f", which {count_noun(number, 'source')} {'denies' if number == 1 else 'deny'}" if number else ""


def _word_denial(conclusion: VerdictConclusion, statement: str) -> str:
    """Return who denies the claim, with the claim itself."""
    return _word_opponents(conclusion, statement).removeprefix("; ")


def _word_uncertainty(conclusion: VerdictConclusion) -> str:
    """Return why the evidence decides nothing: what is said at most, and what speaks against it."""
    weighed, edge = conclusion.weighed, conclusion.foremost
    hedges, bare, opinions, links = (
        weighed.count(voice) for voice in (EvidenceKind.HEDGE, EvidenceKind.BARE, EvidenceKind.OPINION, EvidenceKind.LINK)
    )
    statements = []
    if links and conclusion.lesser is not None:
        statements.append(
            f"{count_noun(links, 'source')} {'says' if links == 1 else 'say'} no more than that {claim_clause(conclusion.lesser)}"
        )
    if hedges:
        statements.append(
            f"{count_noun(hedges, 'source')} {'says' if hedges == 1 else 'say'} no more than that {hedged_clause(edge)}"
        )
    if opinions:
        statements.append(
            f"{count_noun(opinions, 'source')} {'reports' if opinions == 1 else 'report'} the opinion that {claim_clause(edge)}"
        )
    if bare:
        statements.append(f"CauseNet says that {claim_clause(edge)}, without a sentence that could be looked up")
    against = _word_opponents(conclusion, "it" if statements else f"that {plain_clause(edge)}").removeprefix("; ")
    return "; ".join(filter(None, [*statements, against])) or "no source asserts it"


def _word_mediated(conclusion: MediatedConclusion) -> str:
    """Return the verdict that a chain makes, with its steps."""
    steps = join_phrases([claim_clause(edge) for edge in conclusion.path.edges])
    if conclusion.verdict is Verdict.UNKNOWN:
        return f"unknown: no source says so; a possible chain is that {steps}"
    through = join_phrases([concept_phrase(name) for name in conclusion.path.concepts[1:-1]])
    return f"{conclusion.verdict.value}, probably, through {through}: {steps}"


def _word_reverse(conclusion: ReverseConclusion) -> str:
    """Return that only the reverse is said, and by whom."""
    known = conclusion.verdict is not Verdict.UNKNOWN
    head = f"{conclusion.verdict.value}{', as far as the graph knows' if known else ''}"
    return f"{head}: {_word_supporters(conclusion.weighed)} the reverse, that {claim_clause(conclusion.edge)}"


def _word_support(conclusion: SupportConclusion) -> str:
    """Return which of two options has more sources, which is no measure of how much."""
    support = join_phrases([f"{count_noun(count, 'source')} for {phrase}" for phrase, count in conclusion.counts])
    if conclusion.answer is not None:
        return f"{conclusion.answer}, by support alone, which is no measure of how much: {support}"
    unknown = "unknown: the graph says what causes what, not how much"
    return f"{unknown}; support, which is no measure of it: {support}" if support else unknown


def _word_options(conclusion: OptionsConclusion) -> str:
    """Return which of several options it is, then what is said of each."""
    sentences = "; ".join(
        f"for {phrase} {clause_of(inner)}" for phrase, inner in zip(conclusion.phrases, conclusion.conclusions, strict=True)
    )
    return f"{_options_heading(conclusion.phrases, conclusion.verdicts, conclusion.joined)}; {sentences}"


def _options_heading(phrases: Sequence[str], verdicts: Sequence[Verdict], joined: str) -> str:
    """Return which of the options it is."""
    names = [phrase for phrase, verdict in zip(phrases, verdicts, strict=True) if verdict is Verdict.YES]
    many = "both" if len(phrases) == 2 else "all of them"
    if len(names) == len(phrases):
        return many if joined == "or" else f"yes, {many}"
    if names:
        phrase_list = join_phrases(names)
        if joined == "or":
            return f"{phrase_list}, as far as the graph knows"
        return f"it is known of {phrase_list} only, not of {many}"
    if all(verdict is Verdict.NO for verdict in verdicts):
        return "neither" if len(phrases) == 2 else "none of them"
    return "neither is known" if len(phrases) == 2 else "none of them is known"


def _word_directions(conclusion: DirectionsConclusion) -> str:
    """Return which of two directions it is, then what is said of each."""
    sentences = "; ".join(
        f"{name}: {clause_of(inner)}" for name, inner in zip(conclusion.names, conclusion.conclusions, strict=True)
    )
    return f"{_direction_heading(conclusion.names, conclusion.verdicts)}; {sentences}"


def _direction_heading(names: Sequence[str], verdicts: Sequence[Verdict]) -> str:
    """Return which direction it is."""
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    if len(supported) == 2:
        return "both, as far as the graph knows"
    if supported:
        reverse_verdict = verdicts[1 - supported[0]]
        why = "the other way round is refuted" if reverse_verdict is Verdict.NO else "the other way round has no such support"
        return f"{names[supported[0]]}, as far as the graph knows: {why}"
    return "neither" if all(verdict is Verdict.NO for verdict in verdicts) else "neither direction is known"


SENTENCES: dict[str, Callable[[Any], str]] = {
    "VerdictConclusion": word_verdict,
    "MediatedConclusion": _word_mediated,
    "ReverseConclusion": _word_reverse,
    "SupportConclusion": _word_support,
    "OptionsConclusion": _word_options,
    "DirectionsConclusion": _word_directions,
}
