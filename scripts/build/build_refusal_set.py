"""Questions that a graph can answer mixed with questions that it cannot, for `kgqa evaluate refusal`.

    python scripts/build/build_refusal_set.py MSMARCO_TRAIN.JSON OPEN_QUESTIONS.JSONL OUT.JSONL [-g GRAPH] [--each N] [--seed S]

Answerable are questions of causal MS MARCO whose marked cause and effect are a claim of the graph, and questions after the
causes or effects of concepts that have several. Unanswerable are questions of causal MS MARCO about something that no concept of
the graph is named after, causes and effects of different questions with no chain of three claims between them in either
direction, made-up words, claims with cause and effect swapped where nothing leads back, and questions that are not causal.
The labels follow from the graph and from how a question was made; nobody has judged them by reading.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from graph.model import Relation
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.text.normalise import concept_name
from kgqa.evaluation.baselines import is_connected
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets import DATASETS, read_set
from kgqa.settings import graph_url

ENOUGH = 3
"""How many causes or effects a concept must have to be asked after."""
BELIEVED = 0.5
_HOPS = 3
_CAUSAL = re.compile(r"\b(?:why|caus|effect|affect|lead|led|result|happen|prevent|reason|due|how come|trigger)", re.IGNORECASE)
_SYLLABLES = "bra bri dro fel gli hox jun kle lor mip nas ople pre qua rix sto tru ulm vex wob yor zan".split()
_ENDINGS = "itis osis ia ine um ation ence or".split()

Kind = Callable[[random.Random], Iterator[str]]

Value = TypeVar("Value")


class Maker:
    """Makes questions of every kind for one graph."""

    def __init__(self, store: GraphStore, asked: list[DatasetItem], other: list[str]) -> None:
        self.store = store
        self.topology = store.topology()
        self.asked = [item for item in asked if item.pair]
        self.other = other
        self.edges = [edge for edge in store.edges() if edge.claim.relation is Relation.CAUSES and edge.belief >= BELIEVED]
        self.causes = Counter(edge.effect for edge in self.edges)
        self.effects = Counter(edge.cause for edge in self.edges)

    def claims(self, chance: random.Random) -> Iterator[str]:
        """Yield questions whose marked pair is a believed claim."""
        pairs = {(edge.cause, edge.effect) for edge in self.edges}
        for item in shuffled(self.asked, chance):
            if item.pair and tuple(map(concept_name, item.pair)) in pairs:
                yield item.question

    def causes_of(self, chance: random.Random) -> Iterator[str]:
        """Yield questions after the causes of concepts that have several."""
        for name in shuffled(sorted(name for name, count in self.causes.items() if count >= ENOUGH), chance):
            yield f"What causes {name}?"

    def effects_of(self, chance: random.Random) -> Iterator[str]:
        """Yield questions after the effects of concepts that have several."""
        for name in shuffled(sorted(name for name, count in self.effects.items() if count >= ENOUGH), chance):
            yield f"What does {name} cause?"

    def unknown_concepts(self, chance: random.Random) -> Iterator[str]:
        """Yield questions with a slot whose last word is in no name of the graph."""
        for item in shuffled(self.asked, chance):
            heads = [words[-1] for phrase in item.pair or () if (words := concept_name(phrase).split())]
            if any(not self.store.search([head], 1) for head in heads):
                yield item.question

    def unknown_claims(self, chance: random.Random) -> Iterator[str]:
        """Yield a cause of one question and an effect of another, both in the graph, which no short chain connects."""
        causes, effects = shuffled(self.asked, chance), shuffled(self.asked, chance)
        for one, other in zip(causes, effects, strict=True):
            if one.pair and other.pair and self.is_apart(one.pair[0], other.pair[1]):
                yield f"Does {one.pair[0]} cause {other.pair[1]}?"

    def made_up(self, chance: random.Random) -> Iterator[str]:
        """Yield questions after words that are no words."""
        while True:
            word = "".join(chance.choice(_SYLLABLES) for _ in range(chance.choice((2, 3)))) + chance.choice(_ENDINGS)
            if not self.store.search([word], 1):
                yield chance.choice(("What causes {}?", "What does {} lead to?", "Can {} cause headaches?")).format(word)

    def swapped(self, chance: random.Random) -> Iterator[str]:
        """Yield well-supported claims the other way round, where no chain of two claims leads back."""
        edges = sorted((edge for edge in self.edges if edge.support >= 2), key=lambda edge: (edge.cause, edge.effect))
        for edge in shuffled(edges, chance):
            if not self.leads(edge.effect, edge.cause, 2):
                yield f"Does {edge.effect} cause {edge.cause}?"

    def not_causal(self, chance: random.Random) -> Iterator[str]:
        """Yield open questions without a causal word."""
        yield from (question for question in shuffled(self.other, chance) if not _CAUSAL.search(question))

    def is_apart(self, cause: str, effect: str) -> bool:
        """Return whether both are concepts, and no short chain connects them in either direction."""
        one, other = concept_name(cause), concept_name(effect)
        known = self.topology.number(one) is not None and self.topology.number(other) is not None
        return known and one != other and not self.leads(one, other, _HOPS) and not self.leads(other, one, _HOPS)

    def leads(self, cause: str, effect: str, hops: int) -> bool:
        """Return whether a chain of at most `hops` claims leads from one concept to another."""
        one, other = self.topology.number(cause), self.topology.number(effect)
        return one is not None and other is not None and is_connected(self.topology, one, other, hops, directed=True)


def shuffled(values: Sequence[Value], chance: random.Random) -> list[Value]:
    """Return the values in an order by chance."""
    return chance.sample(values, len(values))


def main() -> None:
    """Make the set, and tell how many questions of each kind there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asked", help="causal questions of MS MARCO, with their slots")
    parser.add_argument("other", type=Path, help='JSON lines with "question", mostly not causal')
    parser.add_argument("out", type=Path)
    parser.add_argument("-g", "--graph")
    parser.add_argument("--each", type=int, default=80, help="how many questions of a kind at most")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    asked = read_set(DATASETS["msmarco-causal"], (arguments.asked,), lambda file: lambda skipped: None)
    other = [json.loads(line)["question"] for line in arguments.other.read_text(encoding="utf-8").splitlines() if line.strip()]
    with open_store(graph_url(arguments.graph)) as store, arguments.out.open("w", encoding="utf-8") as file:
        maker = Maker(store, asked, other)
        kinds: list[tuple[str, bool, Kind]] = [
            ("claim in the graph", True, maker.claims),
            ("causes of a concept", True, maker.causes_of),
            ("effects of a concept", True, maker.effects_of),
            ("concept not in the graph", False, maker.unknown_concepts),
            ("claim not in the graph", False, maker.unknown_claims),
            ("made-up word", False, maker.made_up),
            ("direction swapped", False, maker.swapped),
            ("not causal", False, maker.not_causal),
        ]
        for kind, answerable, make in kinds:
            made = dict.fromkeys(
                question for question, _ in zip(make(random.Random(arguments.seed)), range(arguments.each), strict=False)
            )
            for number, question in enumerate(made, 1):
                record = {"id": f"{kind} {number}", "question": question, "answerable": answerable, "kind": kind}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
            print(f"{'answerable' if answerable else 'unanswerable'}: {len(made)} of '{kind}'")


if __name__ == "__main__":
    main()
