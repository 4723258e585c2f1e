"""The ends of a claim: the concepts that a word of a match stands for, as the phrases a reader would underline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graph.mining.clauses import clause_argument, is_clause
from graph.mining.heads import antecedent, coordinated_tokens, listed_instances, skip_partitive, subject_of_definition
from graph.mining.phrases import ClaimArgument, noun_phrase
from graph.mining.words import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token


def phrase_arguments(head: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> list[ClaimArgument]:
    """Return the concepts that the phrase headed by `head` names: several where it is coordinated, none where it is vague.

    A phrase does not reach over the tokens `matched`, by index: they are the other parts of the claim. `lemma` gives the base
    form of a verb; it is asked for clauses only ("because the dam broke": "dam break").
    """
    token = antecedent(head)
    if token is None:
        return []
    token = subject_of_definition(token, matched)
    first = skip_partitive(token)
    tokens = [conjunct for conjunct in coordinated_tokens(first) if conjunct == first or conjunct.i not in matched]
    tokens = [
        conjunct for token in tokens for conjunct in ((token.lower_ in word_list("vague") and listed_instances(token)) or [token])
    ]
    shared = _shared_preposition(tokens)
    results = []
    for conjunct in tokens:
        conjunct = skip_partitive(conjunct)
        argument = clause_argument(conjunct, lemma, matched) if is_clause(conjunct) else noun_phrase(conjunct, matched, shared)
        if argument is not None and argument not in results:
            results.append(argument)
    return results


def _shared_preposition(tokens: list[Token]) -> Token | None:
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
    needy = tokens[-1].lower_ in word_list("vague") | word_list("relational")
    holders = tokens[:-1] if needy else tokens
    return next((child for conjunct in holders for child in conjunct.rights if child.lower_ == "of" and child.i > last), None)
