"""What "This" and "It" at the beginning of a sentence stand for: the clause or the subject of the sentence before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graph.mining.clauses import clause
from graph.mining.heads import is_agent
from graph.mining.phrases import Argument, phrase

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ANAPHOR = "anaphor"
"""The slot of a claim's context that says which word points back at the sentence before."""

_NOTHING: frozenset[int] = frozenset()
_SUBJECTS = ("nsubj", "nsubjpass")


def is_pointer(token: Token) -> bool:
    """Return whether the token is "This" or "It" as the subject that begins its sentence."""
    return token.i == 0 and token.lower_ in ("this", "it") and token.dep_ in _SUBJECTS


def pointed_at(pointer: Token, before: Doc, lemma: Callable[[Token], str]) -> Argument | None:
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
        named = clause(root, lemma, _NOTHING)
    else:
        subject = next((child for child in root.lefts if child.dep_ in _SUBJECTS), None)
        if subject is None or subject.tag_ not in ("NN", "NNP") or any(child.dep_ == "conj" for child in subject.children):
            return None
        named = None if is_agent(subject) else phrase(subject, _NOTHING)
    return None if named is None else Argument(named.name, pointer.idx, pointer.idx + len(pointer), named.head)
