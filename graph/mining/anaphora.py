"""What "This" and "It" at the beginning of a sentence stand for: the clause or the subject of the sentence before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graph.mining.clauses import clause_argument
from graph.mining.heads import is_agent
from graph.mining.phrases import ClaimArgument, noun_phrase

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ANAPHOR_SLOT = "anaphor"
"""The slot of a claim's context that says which word points back at the sentence before."""

_NO_TOKENS: frozenset[int] = frozenset()
_NOMINAL_SUBJECTS = ("nsubj", "nsubjpass")


def is_anaphor(token: Token) -> bool:
    """Return whether the token is "This" or "It" as the subject that begins its sentence."""
    return token.i == 0 and token.lower_ in ("this", "it") and token.dep_ in _NOMINAL_SUBJECTS


def resolve_anaphor(pointer: Token, before: Doc, lemma: Callable[[Token], str]) -> ClaimArgument | None:
    """Return what `pointer` stands for in the sentence `before`, as an argument that has the pointer's own place.

    "This" is the main clause of that sentence and "It" its subject, a thing in the singular; nothing else is looked for. `None`
    where there is none or it has no name.
    """
    root = next((token for token in before if token.dep_ == "ROOT"), None)
    if root is None:
        return None
    if pointer.lower_ == "this":
        if not root.tag_.startswith("VB") or any(child.dep_ in ("ccomp", "xcomp") for child in root.children):
            return None
        argument = clause_argument(root, lemma, _NO_TOKENS)
    else:
        subject = next((child for child in root.lefts if child.dep_ in _NOMINAL_SUBJECTS), None)
        if subject is None or subject.tag_ not in ("NN", "NNP") or any(child.dep_ == "conj" for child in subject.children):
            return None
        argument = None if is_agent(subject) else noun_phrase(subject, _NO_TOKENS)
    return None if argument is None else ClaimArgument(argument.name, pointer.idx, pointer.idx + len(pointer), argument.head)
