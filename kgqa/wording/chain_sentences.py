"""Chains in words: what a chain comes to, no stronger than its weakest step, and its steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graph.model import Path, Strength
from kgqa.answering.chains.chain_answer import ChainConclusion, count_decreases
from kgqa.answering.link_quality import SURE_LINK
from kgqa.wording.answer_phrases import word_link
from kgqa.wording.claim_clauses import claim_clause, concept_phrase, join_phrases

_AS_A_WHOLE = {
    Strength.CAUSES: "can lead to",
    Strength.LEADS_TO: "can lead to",
    Strength.CONTRIBUTES_TO: "can contribute to",
    Strength.RISK_FACTOR: "can raise the risk of",
    Strength.ASSOCIATED: "may have to do with",
}
"""What a chain says of its ends, by the strength of its weakest step."""


def word_chain(conclusion: ChainConclusion) -> str:
    """Return the best chain in a sentence, with what is also claimed directly and what a phrase was linked to."""
    path = conclusion.path
    clauses = [
        claim_clause(edge, [item.evidence for item in conclusion.evidence if item.claim == edge.claim]) for edge in path.edges
    ]
    loosely = [word_link(link) for link in conclusion.links if link.score < SURE_LINK]
    remark = f"; {join_phrases(loosely)}" if loosely else ""
    if len(path.edges) == 1:
        none = "; a chain that tells how was found, but none that is likely to be valid" if conclusion.doubtful else ""
        return f"directly: {clauses[0]}{none}{remark}"
    also = f"; it is also said directly that {claim_clause(conclusion.direct)}" if conclusion.direct is not None else ""
    through = join_phrases([concept_phrase(name) for name in path.concepts[1:-1]])
    return f"{_chain_ends(path)}, through {through}: {join_phrases(clauses)}{also}{remark}"


def _chain_ends(path: Path) -> str:
    """Return what a chain says of its ends: "deforestation can lead to floods"."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return f"{concept_phrase(path.concepts[0])} {_AS_A_WHOLE[weakest.strength]} {concept_phrase(path.concepts[-1])}"


def opposite_chain_clause(path: Path) -> str:
    """Return that a chain with a decrease in it says the opposite, or that two decreases make an increase."""
    steps = join_phrases([claim_clause(edge) for edge in path.edges])
    if count_decreases(path) > 1:
        return f"two decreases make an increase: {steps}"
    return f"{'the graph says' if len(path.edges) == 1 else 'rather'} the opposite: {steps}"


SENTENCES: dict[str, Callable[[Any], str]] = {"ChainConclusion": word_chain}
