"""Draw chains of two and three steps of a mined graph for judging by reading.

    python scripts/sample_paths.py GRAPH.kgqa --asked QUESTIONS.json --number 420 --seed 6 --out SAMPLE.jsonl

Half of the chains answer questions: those between the cause and the effect of yes/no questions about which the graph has no
claim of its own. The other half lead from the cause of a claim drawn at random to a concept that is two or three steps away. Of
each pair the best chain is taken, whatever its score. A line has `id` (the hashes of the chain's claims, joined by "-"), `steps`
(cause, verb, effect and up to two sentences each with the title of their page) and `asked`. docs/judgements/paths.md says how
the lines are judged.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from graph.algorithms.paths import best_paths
from graph.links import DRIVING_LINKS
from graph.model import Path as Chain
from graph.model import Stance
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answering.wording import verb
from kgqa.linking.linker import reading_pairs
from kgqa.typology.classifier import classify


def asked(path: Path, store: GraphStore, chance: random.Random) -> Iterator[tuple[str, Chain]]:
    """Yield the question and the best chain for questions about which the graph has no claim of its own."""
    questions = [row["question"] for row in json.loads(path.read_text("utf-8"))]
    chance.shuffle(questions)
    for question in questions:
        slots = classify(question).slots
        if not slots.cause or not slots.effect:
            continue
        for one, other in islice(reading_pairs(slots.cause, slots.effect, store), 6):
            chains = best_paths(store, one.concepts, other.concepts, 3, 1, DRIVING_LINKS)
            if chains:
                if len(chains[0].edges) > 1:
                    yield question, chains[0]
                break


def drawn(store: GraphStore, chance: random.Random) -> Iterator[tuple[str, Chain]]:
    """Yield chains from the causes of random claims to what random walks of two and three steps lead to."""
    edges = sorted((edge for edge in store.edges() if DRIVING_LINKS.allow(edge)), key=lambda edge: edge.claim.hash)
    while True:
        start = chance.choice(edges)
        place = start.effect
        for _ in range(chance.choice((1, 1, 2))):
            onward = sorted(
                (edge for edge in store.effects(place) if DRIVING_LINKS.allow(edge)), key=lambda edge: edge.claim.hash
            )
            if not onward:
                break
            place = chance.choice(onward).effect
        if place in (start.cause, start.effect):
            continue
        chains = best_paths(store, [start.cause], [place], 3, 1, DRIVING_LINKS)
        if chains and len(chains[0].edges) > 1:
            yield "", chains[0]


def record(question: str, chain: Chain, store: GraphStore) -> dict[str, Any]:
    """Return the line of a chain."""
    steps = []
    for edge in chain.edges:
        said = [one for one in store.evidence(edge.claim) if one.stance is Stance.ASSERTED and one.text]
        sentences = [f"({one.source.title}) {one.text}" for one in said[:2]]
        steps.append({"cause": edge.cause, "verb": verb(edge), "effect": edge.effect, "sentences": sentences})
    return {"id": "-".join(edge.claim.hash for edge in chain.edges), "asked": question, "steps": steps}


def take(found: Iterator[tuple[str, Chain]], number: int, seen: set[str], store: GraphStore) -> list[dict[str, Any]]:
    """Return the lines of the first `number` chains that were not seen before."""
    taken: list[dict[str, Any]] = []
    for question, chain in found:
        line = record(question, chain, store)
        if line["id"] not in seen:
            seen.add(line["id"])
            taken.append(line)
        if len(taken) == number:
            break
    return taken


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("--asked", type=Path, required=True)
    parser.add_argument("--number", type=int, default=420)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    store = open_store(options.graph)
    seen: set[str] = set()
    lines = take(asked(options.asked, store, chance), options.number // 2, seen, store)
    lines += take(drawn(store, chance), options.number - len(lines), seen, store)
    chance.shuffle(lines)
    options.out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
