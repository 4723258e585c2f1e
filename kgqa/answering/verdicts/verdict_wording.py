"""Both sides of a claim in words: who says so, who denies it, and in which cases only."""

from __future__ import annotations

from graph.model import Edge
from kgqa.answering.evidence_kind import EvidenceKind, is_same_case
from kgqa.answering.link_quality import BROADER, NARROWER, SURE_LINK
from kgqa.answering.verdicts.evidence_weighing import ClaimRole, WeighedEvidence
from kgqa.answering.verdicts.verification_query import ReadingPair, VerificationQuery
from kgqa.answers import ContextSplit, Verdict
from kgqa.linking.concept_links import describe_link
from kgqa.question import Semantic
from kgqa.wording.answer_phrases import word_separation
from kgqa.wording.claim_clauses import claim_clause, count_noun, hedged_clause, join_phrases, plain_clause

_SO = "so"


def word_verdict(
    query: VerificationQuery,
    weighed: WeighedEvidence,
    pair: ReadingPair,
    claim_verdict: Verdict,
    separation: ContextSplit | None = None,
) -> str:
    """Return what the evidence says of the claim, with its verdict: "yes: 3 sources say that ...; 1 source denies it".

    `found` is the verdict on the claim; where the question asks whether it is not so, the answer is the contrary.
    """
    verdict = query.proposition.judged(claim_verdict)
    edge = foremost_edge(query, weighed)
    statement = f"that {claim_clause(edge)}"
    case = f" {join_phrases(_case_phrases(query, weighed))}" if weighed.particular else ""
    head = f"{_verdict_phrase(query, verdict)}{case}{_extent_phrase(pair, claim_verdict)}"
    if claim_verdict is Verdict.YES:
        words = f"{head} {word_supporters(weighed)} {statement}{_word_opponents(query, weighed, 'it')}"
    elif claim_verdict is Verdict.NO:
        words = f"{head} {_word_denial(query, weighed, f'that {plain_clause(edge)}')}" + (
            f", although {word_supporters(weighed, _SO)}" if _has_support(weighed) else ""
        )
    elif claim_verdict is Verdict.CONTESTED:
        words = f"{head} {word_supporters(weighed)} {statement}{_word_opponents(query, weighed, 'it')}"
        words += f"; {word_separation(separation)}" if separation else ""
    elif not weighed.witnesses and weighed.apart:
        words = f"{head} that {plain_clause(edge)} is denied, but only {join_phrases(list(weighed.apart[:2]))}"
    else:
        words = f"{head} {_word_uncertainty(query, weighed)}"
    if weighed.witnesses and weighed.apart:
        words += f"; it is denied only {join_phrases(list(weighed.apart[:2]))}"
    if query.circumstances and not weighed.particular and claim_verdict is not Verdict.UNKNOWN:
        words += f"; no source says it of {join_phrases([repr(phrase) for _, phrase in query.circumstances])} in particular"
    loose = [describe_link(reading) for reading in pair if reading.score < SURE_LINK and reading.how not in (NARROWER, BROADER)]
    return "; ".join([words, *loose])


def _verdict_phrase(query: VerificationQuery, verdict: Verdict) -> str:
    """Return the verdict in words: of why something is not so, whether it is so at all."""
    if query.request.kind.semantic is Semantic.VERIFICATION or verdict not in (Verdict.YES, Verdict.NO):
        return verdict.value
    return "it does, as far as the graph knows" if verdict is Verdict.YES else "indeed it does not, as far as the graph knows"


def _case_phrases(query: VerificationQuery, weighed: WeighedEvidence) -> list[str]:
    """Return the case that was asked for, in the words of a record: "in adults"."""
    phrases = [words for part in weighed.parts for _, words in part.record.context]
    return [next((words for words in phrases if is_same_case(phrase, words)), phrase) for _, phrase in query.circumstances]


def _extent_phrase(pair: ReadingPair, claim_verdict: Verdict) -> str:
    """Return of what a verdict holds where the claims are of narrower cases, or of something wider; with its mark."""
    wider = [reading.phrase for reading in pair if reading.how == BROADER]
    if wider:
        return f", probably: no source speaks of {join_phrases(wider)} in particular, but"
    if any(reading.how == NARROWER for reading in pair) and claim_verdict is Verdict.YES:
        return ", in some cases:"
    return ":"


def foremost_edge(query: VerificationQuery, weighed: WeighedEvidence) -> Edge:
    """Return the edge that is told: of those that say what is asked the most believed one, in the weakest wording."""
    return max(
        weighed.edges, key=lambda edge: (query.role(edge) in (ClaimRole.SAYS, ClaimRole.MORE), edge.belief, -edge.strength.rank)
    )


def word_supporters(weighed: WeighedEvidence, what: str = "") -> str:
    """Return who speaks for the claim, with the verb and `what` is said: "3 sources say", "CauseNet says so, without ..."."""
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


def _word_opponents(query: VerificationQuery, weighed: WeighedEvidence, what: str) -> str:
    """Return who speaks against the claim, as a clause to add; empty for nobody."""
    opposing = _count_opposing(query, weighed)
    parts = []
    if weighed.denying > opposing:
        number = weighed.denying - opposing
        parts.append(f"{count_noun(number, 'source')} {'denies' if number == 1 else 'deny'} {what}")
    if opposing:
        edge = max(
            (candidate for candidate in weighed.edges if query.role(candidate) is ClaimRole.CONTRARY),
            key=lambda candidate: candidate.belief,
        )
        opposite = f"the opposite, that {claim_clause(edge)}{_word_disputers(weighed)}"
        parts.append(f"{count_noun(opposing, 'source')} {'says' if opposing == 1 else 'say'} {opposite}")
    if weighed.reported:
        number = weighed.reported
        parts.append(f"{count_noun(number, 'source')} only {'reports' if number == 1 else 'report'} that somebody denies {what}")
    return "".join(f"; {part}" for part in parts)


def _word_disputers(weighed: WeighedEvidence) -> str:
    """Return who denies the opposite in turn, as a clause to add; empty for nobody."""
    number = weighed.disputing
    return f", which {count_noun(number, 'source')} {'denies' if number == 1 else 'deny'}" if number else ""


def _word_denial(query: VerificationQuery, weighed: WeighedEvidence, statement: str) -> str:
    """Return who denies the claim, with the claim itself."""
    return _word_opponents(query, weighed, statement).removeprefix("; ")


def _count_opposing(query: VerificationQuery, weighed: WeighedEvidence) -> int:
    """Return how many of those who speak against assert the opposite, and do not just deny."""
    return sum(witness.opposes for witness in weighed.witnesses)


def _word_uncertainty(query: VerificationQuery, weighed: WeighedEvidence) -> str:
    """Return why the evidence decides nothing: what is said at most, and what speaks against it."""
    edge = foremost_edge(query, weighed)
    hedges, bare, opinions, links = (
        weighed.count(voice) for voice in (EvidenceKind.HEDGE, EvidenceKind.BARE, EvidenceKind.OPINION, EvidenceKind.LINK)
    )
    statements = []
    if links:
        link = max(
            (candidate for candidate in weighed.edges if query.role(candidate) is ClaimRole.LESS),
            key=lambda candidate: candidate.belief,
        )
        statements.append(
            f"{count_noun(links, 'source')} {'says' if links == 1 else 'say'} no more than that {claim_clause(link)}"
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
    against = _word_opponents(query, weighed, "it" if statements else f"that {plain_clause(edge)}").removeprefix("; ")
    return "; ".join(filter(None, [*statements, against])) or "no source asserts it"
