"""Kinds that a list question asks for: "which diseases", "side effects", "what bacteria"; what is no such thing is left out.

data/asked_kinds.tsv has the nouns that ask, the topics and heads of the names that answer, and whether what becomes less
answers as well: a side effect is nothing that is prevented.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graph.model import Edge
from graph.text.normalise import head_place, singular
from graph.text.word_lists import table_rows
from kgqa.answering.contracts import Contract, Side, Tier, is_prevention
from kgqa.answering.evidence_kind import answering_words
from kgqa.linking.mention import content_words
from kgqa.questions.lexicon import topics_of

_OF_HEADS = frozenset(("condition", "feeling", "food", "substance"))
"""Topics that make a thing one of the kind only where its head has them: "employment" is a condition, too."""


class AskedKind(NamedTuple):
    """The noun of a question that says what kind of thing is asked for, and what the names of such things have.

    Without topics and heads every name answers; without `lessened` nothing does of which there would be less. A name with a word
    of `never` is none of the kind: an illness is no symptom.
    """

    noun: str
    topics: frozenset[str]
    heads: frozenset[str]
    never: frozenset[str]
    lessened: bool

    def accepts(self, edge: Edge, name: str) -> bool:
        """Return whether the name at the far end of an edge is one of the kind."""
        if not self.lessened and is_prevention(edge):
            return False
        if not self.topics and not self.heads:
            return True
        # What a thing happens in is no part of it: "peak expiratory flow in asthma" is no illness.
        words = content_words(name.partition(" in ")[0])
        forms = frozenset((*words, *map(singular, words)))
        if not self.never.isdisjoint(forms) or _calls_kind(words):
            return False
        if not self.heads.isdisjoint(forms) or not self.topics.isdisjoint(topics_of(words[head_place(words, "linking")])):
            return True
        topics = self.topics - _OF_HEADS
        return any(not topics.isdisjoint((*topics_of(word), *topics_of(singular(word)))) for word in words)

    def narrow(self, contract: Contract) -> Contract:
        """Return a contract whose tiers have only what is of the kind."""
        return contract._replace(
            tiers=tuple(tier._replace(accepts=self._narrowed(tier, contract.side)) for tier in contract.tiers)
        )

    def _narrowed(self, tier: Tier, side: Side) -> Callable[[Edge], bool]:
        return lambda edge: tier.accepts(edge) and self.accepts(edge, edge.cause if side is Side.CAUSES else edge.effect)


def _calls_kind(words: Sequence[str]) -> bool:
    """Return whether a name only calls a kind of things by its noun, and names none of them: "potentially deadly disease"."""
    return bool(words) and words[-1] in answering_words("kind") and answering_words("called").issuperset(words[:-1])


@cache
def _kinds_by_noun() -> Mapping[str, AskedKind]:
    path = Path(__file__).parents[1].joinpath("data", "asked_kinds.tsv")
    return {
        noun: AskedKind(
            noun,
            frozenset(row["topics"].split()),
            frozenset(row["heads"].split()),
            frozenset(row["never"].split()),
            row["lessened"] == "yes",
        )
        for row in table_rows(path.read_text(encoding="utf-8"))
        for noun in row["asked"].split("|")
    }


def asked_kind(question: str, phrase: str) -> AskedKind | None:
    """Return the kind that a question asks for by its words outside `phrase`, the longest noun first; `None` for any."""
    outside = question.replace(phrase, " ").lower().replace("-", " ")
    words = f" {' '.join(word.strip('.,;:!?') for word in outside.split())} "
    nouns = [noun for noun in _kinds_by_noun() if f" {noun} " in words]
    return _kinds_by_noun()[max(nouns, key=len)] if nouns else None
