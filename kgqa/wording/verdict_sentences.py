"""Verdicts and chains in words: who says so, who denies it, in which cases only, and what a verdict rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph.model import Path, Relation, Strength
from graph.text.concept_nouns import concept_noun
from kgqa.answer_model import LARGEST_FLIP, ContextSplit, Verdict, VerdictFlip
from kgqa.answering.evidence_kind import CONTEXT_SLOTS, EvidenceKind, collection_name, is_same_case
from kgqa.answering.findings import count_decreases
from kgqa.linking.concept_links import BROADER, NARROWER, SURE_LINK, ConceptLink
from kgqa.wording.claim_clauses import (
    chain_clause,
    claim_clause,
    concept_phrase,
    count_noun,
    join_phrases,
    joint_clauses,
    modal_clause,
)
from kgqa.wording.conclusion_sentences import clause_of
from kgqa.wording.trace_lines import describe_link

if TYPE_CHECKING:
    from kgqa.answering.chains.chain_answer import ChainConclusion
    from kgqa.answering.chains.connections import ConnectionConclusion
    from kgqa.answering.chains.mechanisms import MechanismConclusion
    from kgqa.answering.matching.claim_answers import ClaimsConclusion
    from kgqa.answering.matching.compared_options import ComparedConclusion
    from kgqa.answering.verdicts.evidence_weighing import WeighedEvidence
    from kgqa.answering.verdicts.option_answers import OptionsConclusion, SupportConclusion
    from kgqa.answering.verdicts.verification import MediatedConclusion, ReverseConclusion, VerdictConclusion

_COLLECTIONS = ("CauseNet", "ConceptNet")
_CHAIN_VERBS = {
    Strength.CAUSES: "can lead to",
    Strength.LEADS_TO: "can lead to",
    Strength.CONTRIBUTES_TO: "can contribute to",
    Strength.RISK_FACTOR: "can raise the risk of",
    Strength.ASSOCIATED: "may have to do with",
}
"""What a chain says of its ends, by the strength of its weakest step."""
_FEW_DENYING, _MANY_FOR = 0.2, 8
"""The share of the witnesses up to which those who deny a claim that so many state are not named in its sentence."""
_SINGULAR_VERBS = {"say": "says", "report": "reports", "deny": "denies"}


def word_verdict(conclusion: VerdictConclusion) -> str:
    """Return what the evidence says of the claim, with its verdict: "yes: 3 sources say that ...; 1 source denies it"."""
    weighed, edge, claim_verdict = conclusion.weighed, conclusion.foremost, conclusion.claim_verdict
    plain = f"that {modal_clause(edge)}"
    case = f" {join_phrases(_case_phrases(conclusion))}" if weighed.particular else ""
    head = f"{_verdict_phrase(conclusion)}{case}{_extent_phrase(conclusion)}"
    denied_cases = join_phrases(list(weighed.apart[:2]))
    if _is_by_agreement(conclusion):
        clauses = [f"{head} {'; '.join([*_weak_statements(conclusion), *_opponents(conclusion, 'it')])}"]
    elif claim_verdict in (Verdict.YES, Verdict.CONTESTED):
        clauses = [f"{head} {_word_supporters(weighed)} that {claim_clause(edge)}", *_opponents(conclusion, "it")]
        if claim_verdict is Verdict.CONTESTED and conclusion.separation:
            clauses.append(word_separation(conclusion.separation))
    elif claim_verdict is Verdict.NO:
        supported = any(witness.supporting for witness in weighed.witnesses)
        although = f", although {_word_supporters(weighed, so=True)}" if supported else ""
        clauses = [f"{head} {'; '.join(_opponents(conclusion, plain))}{although}"]
    elif not weighed.witnesses and weighed.apart:
        clauses = [f"{head} {plain} is denied, but only {denied_cases}"]
    else:
        statements = _weak_statements(conclusion)
        opponents = _opponents(conclusion, "it" if statements else plain)
        clauses = [f"{head} {'; '.join([*statements, *opponents]) or 'no source asserts it'}"]
    if weighed.witnesses and weighed.apart:
        clauses.append(f"it is denied only {denied_cases}")
    if conclusion.circumstances and not weighed.particular and claim_verdict is not Verdict.UNKNOWN:
        cases = join_phrases([repr(phrase) for _, phrase in conclusion.circumstances])
        clauses.append(f"no source says it of {cases} in particular")
    loose = [describe_link(link) for link in conclusion.links if link.score < SURE_LINK and link.how not in (NARROWER, BROADER)]
    return "; ".join([*clauses, *loose])


def _verdict_phrase(conclusion: VerdictConclusion) -> str:
    verdict = conclusion.verdict
    if verdict is Verdict.YES and conclusion.without_mechanism:
        return "it does, as far as the graph knows, which does not say how"
    if not conclusion.explains or verdict not in (Verdict.YES, Verdict.NO):
        return verdict.value
    if verdict is Verdict.YES and conclusion.foremost.claim.relation is Relation.PREVENTS:
        return "it does, as far as the graph knows, which does not say how"
    return "it does, as far as the graph knows" if verdict is Verdict.YES else "indeed it does not, as far as the graph knows"


def _case_phrases(conclusion: VerdictConclusion) -> list[str]:
    phrases = [words for part in conclusion.weighed.parts for slot, words in part.record.context if slot in CONTEXT_SLOTS]
    return [next((words for words in phrases if is_same_case(phrase, words)), phrase) for _, phrase in conclusion.circumstances]


def _extent_phrase(conclusion: VerdictConclusion) -> str:
    """Return how far a verdict holds: where the claims are of narrower cases, of something wider, or weak; with its mark."""
    wider = [link.phrase for link in conclusion.links if link.how == BROADER]
    if wider:
        return f", probably: no source speaks of {join_phrases(wider)} in particular, but"
    if conclusion.claim_verdict is not Verdict.YES:
        return ":"
    case = ", in some cases" if any(link.how == NARROWER for link in conclusion.links) else ""
    if _is_by_agreement(conclusion):
        return f"{case}, probably:"
    weighed = conclusion.weighed
    only_entries = weighed.count(EvidenceKind.BARE) and not weighed.count(EvidenceKind.TEXT, EvidenceKind.HEDGE)
    return f"{case}, perhaps: only" if only_entries else f"{case}:"


def _is_by_agreement(conclusion: VerdictConclusion) -> bool:
    """Return whether a yes rests on witnesses none of which is firm: texts that hedge, and entries of collections."""
    weighed = conclusion.weighed
    hedges, entries = weighed.count(EvidenceKind.HEDGE), weighed.count(EvidenceKind.BARE)
    weak = hedges and hedges + entries > 1 and not weighed.count(EvidenceKind.TEXT)
    return conclusion.claim_verdict is Verdict.YES and bool(weak)


def _count_sources(number: int, verb: str, between: str = "") -> str:
    """Return how many sources do something: "1 source says", "3 sources only report" with `between` " only"."""
    return f"{count_noun(number, 'source')}{between} {_SINGULAR_VERBS[verb] if number == 1 else verb}"


def _word_supporters(weighed: WeighedEvidence, *, so: bool = False) -> str:
    """Return who speaks for the claim, before the claim or with a "so" for it: "3 sources say", "CauseNet says so, ..."."""
    number, bare, hedges, opinions = (
        weighed.count(voice) for voice in (EvidenceKind.TEXT, EvidenceKind.BARE, EvidenceKind.HEDGE, EvidenceKind.OPINION)
    )
    collections = _bare_collections(weighed)
    entries, says = join_phrases(collections), "say" if len(collections) > 1 else "says"
    if number:
        besides = f" (and {entries}, without a sentence)" if bare else ""
        return f"{_count_sources(number, 'say', besides)}{' so' if so else ''}"
    if bare:
        return f"{entries} {says}{' so' if so else ''}, without a sentence that could be looked up{'' if so else ','}"
    if hedges:
        return f"{_count_sources(hedges, 'say')}{' so with a hedge' if so else ', with a hedge,'}"
    if opinions:
        return f"{_count_sources(opinions, 'report')} {'it as an opinion' if so else 'the opinion'}"
    return "nothing says"


def _bare_collections(weighed: WeighedEvidence) -> list[str]:
    """Return the names of the collections whose entries speak for a claim without a sentence."""
    bare = (part.record.source for part in weighed.parts if part.favours and part.evidence_kind is EvidenceKind.BARE)
    return sorted(set(map(collection_name, bare))) or ["CauseNet"]


def _opponents(conclusion: VerdictConclusion, what: str) -> list[str]:
    weighed = conclusion.weighed
    opposing = sum(witness.opposes for witness in weighed.witnesses)
    supporting = sum(witness.supporting > 0 for witness in weighed.witnesses)
    many = conclusion.claim_verdict is Verdict.YES and supporting >= _MANY_FOR
    few = many and weighed.denying <= _FEW_DENYING * (weighed.denying + supporting)
    clauses = []
    if weighed.denying > opposing and not few:
        clauses.append(f"{_count_sources(weighed.denying - opposing, 'deny')} {what}")
    if opposing and conclusion.contrary is not None:
        disputed = f", which {_count_sources(weighed.disputing, 'deny')}" if weighed.disputing else ""
        opposite = f"the opposite, that {claim_clause(conclusion.contrary)}{disputed}"
        clauses.append(f"{_count_sources(opposing, 'say')} {opposite}")
    if weighed.reported:
        clauses.append(f"{_count_sources(weighed.reported, 'report', ' only')} that somebody denies {what}")
    return clauses


def _weak_statements(conclusion: VerdictConclusion) -> list[str]:
    weighed, edge = conclusion.weighed, conclusion.foremost
    hedges, bare, opinions, links = (
        weighed.count(voice) for voice in (EvidenceKind.HEDGE, EvidenceKind.BARE, EvidenceKind.OPINION, EvidenceKind.LINK)
    )
    clauses = []
    if links and conclusion.lesser is not None:
        clauses.append(f"{_count_sources(links, 'say')} no more than that {claim_clause(conclusion.lesser)}")
    if hedges:
        clauses.append(f"{_count_sources(hedges, 'say')} no more than that {modal_clause(edge, 'may')}")
    if bare:
        collections = _bare_collections(weighed)
        says = "say" if len(collections) > 1 else "says"
        clause = f"{join_phrases(collections)} {says} that {claim_clause(edge)}"
        clauses.append(f"{clause}, without a sentence that could be looked up")
    if opinions:
        # What is only reported as thought is no support: it is said first that no source asserts it.
        unasserted = [] if hedges or bare else [f"no source itself says that {modal_clause(edge)}"]
        clauses += [*unasserted, f"{_count_sources(opinions, 'report', ' only')} that others think so"]
    return clauses


def word_separation(separation: ContextSplit) -> str:
    """Return a separation in words: "in adults yes, in children no"."""
    return f"{' or '.join(separation.supporting[:2])} yes, {' or '.join(separation.denying[:2])} no"


def word_flips(flips: Sequence[VerdictFlip], sources: int) -> str:
    """Return what a verdict rests on, in words: "2 independent sources; without the page on Soil it becomes unknown".

    `sources` is the number of independent texts on its side.
    """
    rests = count_noun(sources, "independent source") if sources else "no sentence that could be looked up"
    if not flips:
        return f"{rests}; no {LARGEST_FLIP} of them alone decide it"
    flip = flips[0]
    alternatives = ", or another such set," if len(flips) > 1 else ""
    return f"{rests}; without {_name_sources(flip.without)}{alternatives} it becomes {flip.becomes.value}"


def _name_sources(names: Sequence[str]) -> str:
    """Return how some sources are called in a sentence: "the pages on Frost and Rust and the entry of CauseNet"."""
    pages, hosts, entries = [], [], []
    for name in dict.fromkeys(names):
        if name in _COLLECTIONS:
            entries.append(f"the entry of {name}")
        elif name.startswith("mark by "):
            entries.append(f"the {name}")
        elif "." in name and " " not in name:
            hosts.append(f"the page at {name}")
        else:
            pages.append(name)
    titled = [f"the page{'s' if len(pages) > 1 else ''} on {join_phrases(pages)}"] if pages else []
    return join_phrases([*titled, *hosts, *entries])


def word_mediated(conclusion: MediatedConclusion) -> str:
    """Return the verdict that a chain makes, with its steps."""
    steps = chain_clause(conclusion.path)
    if conclusion.verdict is Verdict.UNKNOWN:
        return f"unknown: no source says so; a possible chain is that {steps}"
    through = join_phrases([concept_phrase(name) for name in conclusion.path.concepts[1:-1]])
    return f"{conclusion.verdict.value}, {'probably' if conclusion.likely else 'perhaps'}, through {through}: {steps}"


def word_reverse(conclusion: ReverseConclusion) -> str:
    """Return that only the reverse is said, and by whom."""
    supporters, clause = _word_supporters(conclusion.weighed), claim_clause(conclusion.edge)
    if conclusion.verdict is Verdict.UNKNOWN:
        return f"unknown: {supporters} the reverse, that {clause}"
    probably = "probably " if conclusion.unstated else ""
    return f"{conclusion.verdict.value}, {probably}the other way round: {supporters} that {clause}, and none the reverse"


def word_support(conclusion: SupportConclusion) -> str:
    """Return which of two options has more sources, which is no measure of how much."""
    support = join_phrases([f"{count_noun(count, 'source')} for {phrase}" for phrase, count in conclusion.counts])
    if conclusion.answer is not None:
        return f"{conclusion.answer}, by support alone, which is no measure of how much: {support}"
    if conclusion.chosen:
        counted = any(count for _, count in conclusion.counts)
        return f"both, as far as the graph knows; which does more, it does not say{f' ({support})' if counted else ''}"
    unknown = "unknown: the graph says what causes what, not how much"
    if conclusion.known:
        only = f"of the two, only {conclusion.known[0]} is known as a cause"
        both = "both are known as causes" if len(conclusion.known) == len(conclusion.counts) else only
        unknown = f"{unknown}; {both}, as far as it knows"
    return f"{unknown}; support, which is no measure of it: {support}" if support else unknown


def word_options(conclusion: OptionsConclusion) -> str:
    """Return which of several options it is, then what is said of each."""
    headings = {"directions": _direction_heading, "steps": _steps_heading}
    heading = headings.get(conclusion.joined, _options_heading)(conclusion)
    names = [f"{option}:" if conclusion.joined in headings else f"for {option}" for option in conclusion.options]
    clauses = (f"{name} {clause_of(inner)}" for name, inner in zip(names, conclusion.conclusions, strict=True))
    return "; ".join([heading, *clauses])


def _options_heading(conclusion: OptionsConclusion) -> str:
    options, verdicts, is_choice = conclusion.options, conclusion.verdicts, conclusion.joined == "or"
    supported = [option for option, verdict in zip(options, verdicts, strict=True) if verdict is Verdict.YES]
    both, neither = ("both", "neither") if len(options) == 2 else ("all of them", "none of them")
    if len(supported) == len(options):
        return both if is_choice else f"yes, {both}"
    if supported and is_choice:
        return f"{join_phrases(supported)}, as far as the graph knows"
    if supported:
        return f"it is known of {join_phrases(supported)} only, not of {both}"
    return neither if all(verdict is Verdict.NO for verdict in verdicts) else f"{neither} is known"


def _direction_heading(conclusion: OptionsConclusion) -> str:
    supported = [place for place, verdict in enumerate(conclusion.verdicts) if verdict is Verdict.YES]
    if len(supported) == 2:
        return "both, as far as the graph knows"
    if supported:
        refuted = conclusion.verdicts[1 - supported[0]] is Verdict.NO
        why = "the other way round is refuted" if refuted else "the other way round has no such support"
        return f"{conclusion.options[supported[0]]}, as far as the graph knows: {why}"
    return "neither" if all(verdict is Verdict.NO for verdict in conclusion.verdicts) else "neither direction is known"


def _steps_heading(conclusion: OptionsConclusion) -> str:
    verdicts = set(conclusion.verdicts)
    if len(verdicts) == 1:
        verdict = conclusion.verdicts[0]
        each = ", each step" if verdict is Verdict.YES and len(conclusion.verdicts) > 1 else ""
        return f"{verdict.value}{each}"
    if Verdict.NO in verdicts:
        return "no, not each step"
    known = [step for step, verdict in zip(conclusion.options, conclusion.verdicts, strict=False) if verdict is Verdict.YES]
    return f"only {join_phrases(known)} is known" if known else "no step is known"


def word_claims(conclusion: ClaimsConclusion) -> str:
    """Return the claims that answer a question, those that have something in common together."""
    head = "what the graph says of this" if conclusion.verdict is None else f"{conclusion.verdict.value}, by what the graph says"
    heading = "the graph does not say which does more; what it says of this" if conclusion.compared else head
    return f"{heading}: {'; '.join(joint_clauses(conclusion.edges))}"


def word_compared(conclusion: ComparedConclusion) -> str:
    """Return which of the compared options are known to do what is asked, with the claims about each."""
    known = [option for option, edges in zip(conclusion.options, conclusion.edges, strict=True) if edges]
    every = len(known) == len(conclusion.options)
    both = "both" if len(known) == 2 else "all of them"
    head = both if every else f"{join_phrases(known)}"
    rest = "; which does more, it does not say" if every else f"; of {join_phrases(_unknown(conclusion))} it says nothing near"
    claims = "; ".join(joint_clauses(dict.fromkeys(edge for edges in conclusion.edges for edge in edges)))
    return f"{head}, as far as the graph knows{rest}: {claims}"


def _unknown(conclusion: ComparedConclusion) -> list[str]:
    return [option for option, edges in zip(conclusion.options, conclusion.edges, strict=True) if not edges]


def word_chain(conclusion: ChainConclusion) -> str:
    """Return the best chain, no stronger than its weakest step, with what is also claimed directly and how a phrase was read."""
    path = conclusion.path
    chain, remark = chain_clause(path, conclusion.evidence), _loose_remark(conclusion.links)
    if len(path.edges) == 1:
        none = "; a chain that tells how was found, but none that is likely to be valid" if conclusion.doubtful else ""
        beside = join_phrases([concept_phrase(name) for name in conclusion.beside])
        role = "a main cause" if len(conclusion.beside) == 1 else "main causes"
        others = f"; it also knows {beside} as {role} of {concept_phrase(path.concepts[-1])}" if beside else ""
        return f"{chain}; the graph says that, but not how{none}{others}{remark}"
    also = f"; it is also said directly that {claim_clause(conclusion.direct)}" if conclusion.direct is not None else ""
    weakest = max((edge.strength for edge in path.edges), key=lambda strength: strength.rank)
    first, *between, last = map(concept_phrase, path.concepts)
    decreases = count_decreases(path)
    verb = ("can reduce or prevent" if decreases % 2 else "can increase") if decreases else _CHAIN_VERBS[weakest]
    return f"{first} {verb} {last}, through {join_phrases(between)}: {chain}{also}{remark}"


def word_mechanism(conclusion: MechanismConclusion) -> str:
    """Return a claim that sources state, with the ways it comes about, each with its claims and as no more than possible.

    Without that claim, the ways are told as they are.
    """
    remark = _loose_remark(conclusion.links) if conclusion.links is not None else ""
    if conclusion.direct is None:
        return f"{'; also, '.join(chain_clause(path, conclusion.evidence) for path in conclusion.ways)}{remark}"
    claim = chain_clause(Path((conclusion.direct,), conclusion.direct.belief), conclusion.evidence)
    subject = concept_noun(conclusion.direct.cause)
    pronoun = "they" if subject.plural else "it"
    chains = (chain_clause(path, conclusion.evidence) for path in conclusion.ways)
    ways = ", or ".join(f"because {re.sub(f'^{re.escape(subject.text)}(?= )', pronoun, clause)}" for clause in chains)
    return f"{claim}; {pronoun} can do so {ways}{remark}"


_YES = re.compile(r"^yes[^:]*: ")
"""How a verdict begins, which is no part of a connection."""


def word_connections(conclusion: ConnectionConclusion) -> str:
    """Return how several things are connected, a sentence for each two of them."""
    first, *rest = (_YES.sub("", clause_of(inner), count=1) for inner in conclusion.conclusions)
    return ". ".join((first, *(clause[:1].upper() + clause[1:] for clause in rest)))


def _loose_remark(links: tuple[ConceptLink, ConceptLink]) -> str:
    loosely = [describe_link(link) for link in links if link.score < SURE_LINK]
    return f"; {join_phrases(loosely)}" if loosely else ""
