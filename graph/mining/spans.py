"""The ends of a claim: the concepts that a word of a match stands for, as the phrases a reader would underline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graph.mining.clauses import clause, is_clause
from graph.mining.heads import antecedent, behind_partitive, coordinated, instances, what_it_says_is
from graph.mining.phrases import Argument, phrase
from graph.mining.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token


def arguments(head: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> list[Argument]:
    """Return the concepts that the phrase headed by `head` names: several where it is coordinated, none where it is vague.

    A phrase does not reach over the tokens `matched`, by index: they are the other parts of the claim. `lemma` gives the base
    form of a verb; it is asked for clauses only ("because the dam broke": "dam break").
    """
    token = antecedent(head)
    if token is None:
        return []
    token = what_it_says_is(token, matched)
    first = behind_partitive(token)
    tokens = [one for one in coordinated(first) if one == first or one.i not in matched]
    tokens = [one for token in tokens for one in ((token.lower_ in words("vague") and instances(token)) or [token])]
    shared = _shared(tokens)
    found = []
    for one in tokens:
        one = behind_partitive(one)
        named = clause(one, lemma, matched) if is_clause(one) else phrase(one, matched, shared)
        if named is not None and named not in found:
            found.append(named)
    return found


def _shared(tokens: list[Token]) -> Token | None:
    """Return the "of" behind the last of several conjuncts, on whichever the parser hangs it: it may belong to all of them.

    Not where an article or a comma sets them apart ("inflammation and the disruption of junctions"), and not where the last one
    is nothing without it ("poverty and lack of education").
    """
    if len(tokens) == 1:
        return None
    last = tokens[-1].i
    apart = any(child.dep_ in ("det", "poss") for child in tokens[-1].lefts)
    if apart or any(token.text == "," for token in tokens[0].doc[tokens[0].i : last]):
        return None
    needy = tokens[-1].lower_ in words("vague") | words("relational")
    holders = tokens[:-1] if needy else tokens
    return next((child for one in holders for child in one.rights if child.lower_ == "of" and child.i > last), None)
