"""Corrections in words: that a claim is not so, with what is so instead, and what answers the corrected question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.text.inflection import indefinite_article, plural_of
from kgqa.presuppositions.taxa import SOURCE, taxon_clause
from kgqa.wording.claim_clauses import as_sentence, claim_clause, count_noun, modal_clause, negated_clause
from kgqa.wording.conclusion_sentences import word_conclusion

if TYPE_CHECKING:
    from kgqa.presuppositions.graph_check import ClaimCorrection, TaxonCorrection
    from kgqa.presuppositions.premise_answers import CorrectedConclusion
    from kgqa.presuppositions.statement_check import StatementCorrection


def word_correction(correction: ClaimCorrection) -> str:
    """Return a correction: "lung cancer does not cause smoking; smoking causes lung cancer"."""
    denial = negated_clause(correction.claim)
    if correction.unstated:
        return f"no source says that {modal_clause(correction.claim)}; {claim_clause(correction.edge)}"
    match correction.contradiction:
        case "stated":
            return claim_clause(correction.edge)
        case "denied":
            return f"{denial}: {count_noun(correction.sources, 'source')} {'denies' if correction.sources == 1 else 'deny'} it"
        case _:
            return f"{denial}; {claim_clause(correction.edge)}"


def word_taxon_correction(correction: TaxonCorrection) -> str:
    """Return of what kind a thing is, or that it is of the kind after all: "sharks are not mammals; WordNet has them as fish"."""
    claim = correction.claim
    clause = taxon_clause(claim.thing, claim.taxon, denied=not claim.denied)
    plural = " are " in clause
    kinds = correction.actual if not plural or correction.actual == "fish" else plural_of(correction.actual)
    kinds = kinds if plural else f"{indefinite_article(kinds)} {kinds}"
    return f"{clause}; {SOURCE} has {'them' if plural else 'it'} as {kinds}"


def word_statement_correction(correction: StatementCorrection) -> str:
    """Return that a text contradicts a statement, with its sentence."""
    title = correction.excerpt.source.title or "the text"
    return f"it is not so that “{correction.statement.rstrip('.')}”: {title} says “{correction.excerpt.text}”"


def word_corrected(conclusion: CorrectedConclusion) -> str:
    """Return a correction, and behind it what answers the corrected question."""
    correction = as_sentence(word_conclusion(conclusion.correction))
    return correction if conclusion.corrected is None else f"{correction} {word_conclusion(conclusion.corrected)}"
