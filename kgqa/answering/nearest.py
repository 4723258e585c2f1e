"""What is answered where no source says what is asked: a chain, the reverse, a link, a common cause, or nothing at all."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge, Path
from kgqa.answering.asked import VerificationQuery
from kgqa.answering.connection import best_common_cause
from kgqa.answering.deciding import build_verdict_answer
from kgqa.answering.sides import word_supporters
from kgqa.answering.validity import MIN_VALIDITY
from kgqa.answering.weighing import WeighedEvidence
from kgqa.answering.wording import claim_clause, concept_phrase, count_noun, join_phrases
from kgqa.model import Answer, CausalConnection, MissingInformation, Verdict

MIN_POSSIBLE_VALIDITY = 0.5
"""The least validity of a chain that is shown as a possible one: more likely valid than not."""


def answer_by_chain(query: VerificationQuery, through: Sequence[tuple[float, Path]], *, sure: bool) -> Answer:
    """Answer from chains: yes where the best one is valid, else unknown with that chain shown."""
    probability, best = through[0]
    steps = join_phrases([claim_clause(edge) for edge in best.edges])
    verdict = query.proposition.judged(Verdict.YES) if sure else Verdict.UNKNOWN
    return build_verdict_answer(
        query,
        verdict,
        f"{verdict.value}, probably, through {join_phrases([concept_phrase(name) for name in best.concepts[1:-1]])}: {steps}"
        if sure
        else f"unknown: no source says so; a possible chain is that {steps}",
        query.sure[0],
        connection=CausalConnection.MEDIATED,
        weighed=WeighedEvidence(),
        confidence=0.5 * probability * best.score,
        paths=[path for likely, path in through if likely >= MIN_VALIDITY] if sure else [best],
        trace=(f"no direct claim; {count_noun(len(through), 'chain')} of up to 3 steps",),
        missing=() if sure else (_missing_source(query),),
    )


def refuse_same_thing(query: VerificationQuery) -> Answer:
    """Refuse to say whether something bears on itself: both phrases are a name of it."""
    thing = f"name the same thing, {concept_phrase(query.same_concept)}" if query.same_concept else "are names of the same thing"
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        f"unknown: '{query.cause}' and '{query.effect}' {thing}; ask about two different things",
        None,
        connection=None,
        weighed=WeighedEvidence(),
        confidence=0.0,
        trace=(f"'{query.cause}' and '{query.effect}' {thing}",),
        missing=(MissingInformation("two different things", "ask what one thing does to another"),),
    )


def answer_reversed(query: VerificationQuery, verdict: Verdict) -> Answer:
    """Answer where only the other direction is claimed: no where that is well supported, else unknown."""
    edge = max(query.reverse.edges, key=lambda candidate: candidate.belief)
    head = "unknown" if verdict is Verdict.UNKNOWN else f"{query.proposition.judged(verdict).value}, as far as the graph knows"
    return build_verdict_answer(
        query,
        query.proposition.judged(verdict),
        f"{head}: {word_supporters(query.reverse)} the reverse, that {claim_clause(edge)}",
        query.sure[0],
        connection=CausalConnection.REVERSED,
        weighed=query.reverse,
        confidence=0.5 * edge.belief,
        against=True,
        trace=("no checkable claim that says what was asked for",),
        missing=(_missing_source(query),),
    )


def refuse_unconnected(query: VerificationQuery, through: Sequence[tuple[float, Path]]) -> Answer:
    """Refuse, with the nearest that is known: a mere link, a common cause, a doubtful chain, or that nothing joins the two."""
    if query.synonymous:
        return refuse_same_thing(query)
    if query.linked:
        return _refuse_with_other_claim(query, query.linked, CausalConnection.ASSOCIATED)
    shared = best_common_cause(query.request.view, (query.causes, query.effects))
    if shared:
        first, second = shared
        words = f"unknown: no source says so; but {concept_phrase(first.cause)} may be behind both: {claim_clause(first)} and {claim_clause(second)}"
        return _refuse_unknown(
            query, words, CausalConnection.COMMON_CAUSE, [Path((first,), first.belief), Path((second,), second.belief)]
        )
    if through and through[0][0] >= MIN_POSSIBLE_VALIDITY:
        return answer_by_chain(query, through, sure=False)
    if not query.sure or query.nearest is not None:
        return _refuse_unfamiliar(query)
    if query.aside:
        return _refuse_with_other_claim(query, query.aside, None)
    known = query.known
    cause, effect = query.sure[0][0].concepts[0], query.sure[0][1].concepts[0]
    words = f"unknown: the graph has no claim that '{query.cause}' bears on '{query.effect}'"
    if known:
        words += (
            f", although it has {known[0]:,} claims about {concept_phrase(cause)} and {known[1]:,} about {concept_phrase(effect)}"
        )
    return _refuse_unknown(query, words, CausalConnection.NONE if known else None, [])


def _refuse_with_other_claim(query: VerificationQuery, edges: Sequence[Edge], connection: CausalConnection | None) -> Answer:
    """Refuse, with what is said of the two, which is not what is asked."""
    best = max(edges, key=lambda edge: edge.belief)
    words = f"unknown: no source says so; it is only said that {claim_clause(best)}"
    return _refuse_unknown(query, words, connection, [Path((best,), best.belief)], against=connection is None)


def _refuse_unknown(
    query: VerificationQuery, words: str, connection: CausalConnection | None, paths: Sequence[Path], *, against: bool = False
) -> Answer:
    """Return the answer that something is unknown, with the claims that come nearest; `against` where none speaks for it."""
    pair = query.sure[0]
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        words,
        pair,
        connection=connection,
        weighed=WeighedEvidence(),
        confidence=0.0,
        paths=paths,
        against=against,
        missing=(_missing_source(query),),
    )


def _refuse_unfamiliar(query: VerificationQuery) -> Answer:
    """Refuse where a phrase is no concept of the graph, or is one only when read loosely."""
    unknown = [phrase for phrase in (query.cause, query.effect) if not query.knows(phrase)]
    if unknown:
        what, where = (
            f"a concept called {join_phrases([repr(phrase) for phrase in unknown])}",
            "texts about it, mined with kgqa mine",
        )
    else:
        what, where = f"a claim that '{query.cause}' bears on '{query.effect}'", "texts about both, mined with kgqa mine"
    pair, words = next(query.unsure_pairs(), None), f"unknown: the graph has no {what.removeprefix('a ')}"
    if query.nearest is not None:
        pair, edge = query.nearest
        words += f"; the nearest is that {claim_clause(edge)}"
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        words,
        pair,
        connection=None,
        weighed=WeighedEvidence(),
        confidence=0.0,
        missing=(MissingInformation(what, where),),
    )


def _missing_source(query: VerificationQuery) -> MissingInformation:
    """Return what would have been needed."""
    cause, effect = query.sure[0][0].concepts[0], query.sure[0][1].concepts[0]
    return MissingInformation(
        f"a source that says what {concept_phrase(cause)} can do to {concept_phrase(effect)}",
        "texts about both, mined with kgqa mine",
    )
