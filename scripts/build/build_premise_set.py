"""Questions whose causal premise a graph denies, reverses, opposes or supports, for `kgqa evaluate graph-premises`.

    python scripts/build/build_premise_set.py OUT.JSONL [-g GRAPH] [--each N] [--seed S] [--apart]

Denied are claims that sources deny and none states; reversed are well-supported claims with cause and effect swapped where
nothing leads back; opposed are supported claims of a cause asked as a prevention, and of a prevention asked as a cause, where
nothing states that; supported are claims that sources state. Each is asked in one of the wordings of `premise_wordings.toml`;
with `--apart` in one of its other wordings. The labels follow from the graph and from how a question was made; nobody has
judged them by reading.
"""

from __future__ import annotations

import argparse
import json
import random
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from graph.model import Edge, Relation
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.text.concept_nouns import concept_noun
from graph.topology import is_lessening
from kgqa.evaluation.baselines import is_connected
from kgqa.settings import graph_url

LEAST_BELIEF = 0.7
_MOST_WORDS = 4
"""Names of more words are seldom asked after."""
_ASKED_RELATIONS = (Relation.CAUSES, Relation.PREVENTS)

PremisePair = tuple[str, str, Relation]


class PremiseMaker:
    """Draws the claims of every kind from one graph."""

    def __init__(self, store: GraphStore) -> None:
        self._topology = store.topology()
        self._edges = sorted(
            (edge for edge in store.edges() if _is_askable(edge)), key=lambda edge: (edge.cause, edge.effect, edge.claim.hash)
        )
        self._by_ends: dict[tuple[str, str], list[Edge]] = {}
        for edge in store.edges():
            self._by_ends.setdefault((edge.cause, edge.effect), []).append(edge)

    def denied(self, chance: random.Random) -> Iterator[PremisePair]:
        """Yield claims that sources deny, where no source speaks for any claim between the same ends."""
        for edge in _shuffled(self._edges, chance):
            beside = self._by_ends[edge.cause, edge.effect]
            if edge.against and not any(other.support or other.hedged for other in beside):
                yield edge.cause, edge.effect, _asked_relation(edge)

    def reversed(self, chance: random.Random) -> Iterator[PremisePair]:
        """Yield claims that two sources state the other way round, where no chain of two claims leads back."""
        for edge in _shuffled(self._edges, chance):
            driving = edge.support >= 2 and not is_lessening((edge.claim.relation, edge.claim.polarity))
            if driving and not self._leads(edge.effect, edge.cause):
                yield edge.effect, edge.cause, Relation.CAUSES

    def opposed(self, chance: random.Random) -> Iterator[PremisePair]:
        """Yield the opposite of claims that sources state and none denies, where no source speaks for the opposite."""
        for edge in _shuffled(self._edges, chance):
            relation = _asked_relation(edge)
            opposite = Relation.CAUSES if relation is Relation.PREVENTS else Relation.PREVENTS
            beside = [other for other in self._by_ends[edge.cause, edge.effect] if other.claim.relation in _ASKED_RELATIONS]
            alike = all(_asked_relation(other) is relation and not other.against for other in beside)
            if edge.support and edge.belief >= LEAST_BELIEF and alike:
                yield edge.cause, edge.effect, opposite

    def supported(self, chance: random.Random) -> Iterator[PremisePair]:
        """Yield claims that sources state and none denies."""
        for edge in _shuffled(self._edges, chance):
            beside = [other for other in self._by_ends[edge.cause, edge.effect] if other.claim.relation in _ASKED_RELATIONS]
            alike = all(_asked_relation(other) is _asked_relation(edge) and not other.against for other in beside)
            if edge.support and edge.belief >= LEAST_BELIEF and alike:
                yield edge.cause, edge.effect, _asked_relation(edge)

    def _leads(self, cause: str, effect: str) -> bool:
        first, second = self._topology.number(cause), self._topology.number(effect)
        return first is not None and second is not None and is_connected(self._topology, first, second, 2, directed=True)


def _is_askable(edge: Edge) -> bool:
    short = all(len(name.split()) <= _MOST_WORDS and name.isascii() for name in (edge.cause, edge.effect))
    return edge.claim.relation in _ASKED_RELATIONS and short and edge.cause != edge.effect


def _asked_relation(edge: Edge) -> Relation:
    return Relation.PREVENTS if is_lessening((edge.claim.relation, edge.claim.polarity)) else Relation.CAUSES


def _shuffled(values: Sequence[Edge], chance: random.Random) -> list[Edge]:
    return chance.sample(values, len(values))


def word_question(pair: PremisePair, wording: str, verbs: Sequence[str]) -> str:
    """Return a claim in a wording: {cause} and {effect} as noun phrases, {does} and the verb in the number of the cause.

    `verbs` are the base form, the third person and the participle, with the preposition that the passive takes.
    """
    cause, effect = concept_noun(pair[0]), concept_noun(pair[1])
    base, third, participle = verbs
    text = wording.format(
        cause=cause.text,
        effect=effect.text,
        does="do" if cause.plural else "does",
        verb=base,
        verbs=base if cause.plural else third,
        verbed=participle,
        is_effect="are" if effect.plural else "is",
    )
    return text[:1].upper() + text[1:]


def main() -> None:
    """Make the set, and tell how many questions of each kind there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("-g", "--graph")
    parser.add_argument("--each", type=int, default=200, help="how many questions of a kind at most")
    parser.add_argument("--apart", action="store_true", help="in the wordings that are kept apart")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    wordings = tomllib.loads(Path(__file__).with_name("premise_wordings.toml").read_text(encoding="utf-8"))
    with open_store(graph_url(arguments.graph)) as store, arguments.out.open("w", encoding="utf-8") as file:
        maker = PremiseMaker(store)
        for kind in ("denied", "reversed", "opposed", "supported"):
            chance = random.Random(f"{arguments.seed} {kind}")
            draw = getattr(maker, kind)
            number = 0
            for number, pair in zip(range(1, arguments.each + 1), draw(chance), strict=False):
                rows = wordings["apart" if arguments.apart else "wording"]
                row = rows[(number - 1) % len(rows)]
                verbs = chance.choice(wordings["verbs"][pair[2].value])
                record = {
                    "id": f"{kind} {number}",
                    "question": word_question(pair, row["text"], verbs),
                    "label": int(kind != "supported"),
                    "kind": kind,
                    "form": row["form"],
                }
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
            print(f"{kind}: {number}")


if __name__ == "__main__":
    main()
