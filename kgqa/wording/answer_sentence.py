"""The sentence of an answer: which module words which kind of conclusion.

Only the module that words a conclusion is imported, for a process that answers one question spends most of its time on imports.
"""

from __future__ import annotations

from importlib import import_module

from kgqa.reasons import Conclusion
from kgqa.wording.claim_clauses import as_sentence

_MODULES = {
    "Refusal": "refusal_sentences",
    "FirstOfSeveral": "refusal_sentences",
    "ListConclusion": "list_sentences",
    "SharedConclusion": "list_sentences",
    "VerdictConclusion": "verdict_sentences",
    "MediatedConclusion": "verdict_sentences",
    "ReverseConclusion": "verdict_sentences",
    "SupportConclusion": "verdict_sentences",
    "OptionsConclusion": "verdict_sentences",
    "DirectionsConclusion": "verdict_sentences",
    "ChainConclusion": "chain_sentences",
    "EffectConclusion": "effect_sentences",
    "ConsequenceConclusion": "effect_sentences",
    "RemovedEffectConclusion": "effect_sentences",
    "AlternativesConclusion": "effect_sentences",
    "WorldConclusion": "effect_sentences",
    "SetClaimConclusion": "effect_sentences",
    "LostRouteConclusion": "effect_sentences",
    "PassageConclusion": "passage_sentences",
}


def word_conclusion(conclusion: Conclusion | str) -> str:
    """Return what an answer says as a sentence; a text is its own wording."""
    if isinstance(conclusion, str):
        return conclusion
    name = type(conclusion).__name__
    module = import_module(f"kgqa.wording.{_MODULES[name]}")
    text: str = module.SENTENCES[name](conclusion)
    return as_sentence(text)


def clause_of(conclusion: Conclusion | str) -> str:
    """Return the sentence of a conclusion as a clause: without the capital and the full stop."""
    text = word_conclusion(conclusion)
    return text[:1].lower() + text[1:].rstrip(".")
