"""Draw chains of two and three steps of a mined graph for judging by reading.

    python scripts/judge/sample_paths.py GRAPH.kgqa --asked QUESTIONS.json --number 420 --seed 6 --out SAMPLE.jsonl
    python scripts/judge/sample_paths.py GRAPH.kgqa --asked QUESTIONS.json PAIRS.csv --shown --but JUDGED.csv --out SHOWN.jsonl

Half of the chains answer questions: those between the cause and the effect of yes/no questions about which the graph has no
claim of its own. The other half lead from the cause of a claim drawn at random to a concept that is two or three steps away. Of
each pair the best chain is taken, whatever its score. With `--shown` it is the chain that an answer to "How does X lead to Y?"
shows first, if that is one of several steps; pairs are left out whose ends are those of a chain of the files after `--but`. The
pairs then come from the files after `--asked` in equal shares, and as many from claims drawn at random.

A line has `id` (the hashes of the chain's claims, joined by "-"), `steps` (cause, verb, effect and up to two sentences each with
the title of their page) and `asked`. docs/judgements/paths.md says how the lines are judged.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from graph.algorithms.paths import best_paths
from graph.model import Path as Chain
from graph.model import Stance
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.topology import DRIVING_LINKS
from kgqa.answering.chains.chain_answer import answer_chain
from kgqa.evaluation.rating.rating_subjects import random_chains
from kgqa.linking.linker import link_pairs
from kgqa.question import QuestionType, Semantic, Slots
from kgqa.questions.classifier import classify
from kgqa.request import Request
from kgqa.wording.claim_clauses import claim_verb


def asked(path: Path, store: GraphStore, chance: random.Random) -> Iterator[tuple[str, Chain]]:
    """Yield the question and the best chain for questions about which the graph has no claim of its own."""
    questions = [row["question"] for row in json.loads(path.read_text("utf-8"))]
    chance.shuffle(questions)
    for question in questions:
        slots = classify(question).slots
        if not slots.cause or not slots.effect:
            continue
        for one, other in islice(link_pairs(slots.cause, slots.effect, store), 6):
            chains = best_paths(store, one.concepts, other.concepts, 3, 1, DRIVING_LINKS)
            if chains:
                if len(chains[0].edges) > 1:
                    yield question, chains[0]
                break


def drawn(store: GraphStore, chance: random.Random) -> Iterator[tuple[str, Chain]]:
    """Yield chains from the causes of random claims to what random walks of two and three steps lead to."""
    yield from (("", chain) for chain in random_chains(store, chance) if chain is not None)


def shown(pairs: Iterable[tuple[str, str]], store: GraphStore, but: set[tuple[str, str]]) -> Iterator[tuple[str, Chain]]:
    """Yield what is asked and the chain that its answer shows first, where that is one of several steps between other ends."""
    for cause, effect in pairs:
        asked_so = f"how does {cause} lead to {effect}"
        kind = QuestionType(Semantic.RESULT, Slots(cause, effect))
        findings = answer_chain(Request(asked_so, kind, store)).findings
        if findings and len(findings[0].path.edges) > 1:
            ends = findings[0].path.concepts[0], findings[0].path.concepts[-1]
            if ends not in but:
                but.add(ends)
                yield asked_so, findings[0].path


def pairs_of(path: Path, chance: random.Random) -> list[tuple[str, str]]:
    """Return causes and effects in a random order: of the questions of a JSON file, or of a CSV file with `causal` ones."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            pairs = [(row["cause"], row["effect"]) for row in csv.DictReader(file) if row["causal"] == "causal"]
    else:
        slots = [classify(row["question"]).slots for row in json.loads(path.read_text("utf-8"))]
        pairs = [(one.cause, one.effect) for one in slots if one.cause and one.effect]
    chance.shuffle(pairs)
    return pairs


def far(store: GraphStore, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the ends of chains between concepts drawn at random."""
    for _, chain in drawn(store, chance):
        yield chain.concepts[0], chain.concepts[-1]


def ends_of(judged: Iterable[Path], store: GraphStore) -> set[tuple[str, str]]:
    """Return the ends of chains that were judged."""
    rows = [row for path in judged for row in csv.DictReader(path.read_text("utf-8").splitlines())]
    chains = [row["id"].split("-") for row in rows]
    wanted = {claim for chain in chains for claim in (chain[0], chain[-1])}
    claims = {edge.claim.hash: edge.claim for edge in store.edges() if edge.claim.hash in wanted}
    return {(claims[chain[0]].cause, claims[chain[-1]].effect) for chain in chains if {chain[0], chain[-1]} <= claims.keys()}


def record(question: str, chain: Chain, store: GraphStore) -> dict[str, Any]:
    """Return the line of a chain."""
    steps = []
    for edge in chain.edges:
        said = [one for one in store.evidence(edge.claim) if one.stance is Stance.ASSERTED and one.text]
        sentences = [f"({one.source.title}) {one.text}" for one in said[:2]]
        steps.append({"cause": edge.cause, "verb": claim_verb(edge), "effect": edge.effect, "sentences": sentences})
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
    parser.add_argument("--asked", type=Path, required=True, nargs="+")
    parser.add_argument("--shown", action="store_true", help="only chains that answers show")
    parser.add_argument("--but", type=Path, nargs="*", default=[], help="files of judged chains, whose pairs are left out")
    parser.add_argument("--number", type=int, default=420)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    store = open_store(options.graph)
    seen: set[str] = set()
    lines: list[dict[str, Any]] = []
    if options.shown:
        but = ends_of(options.but, store)
        share = options.number // (len(options.asked) + 1)
        for path in options.asked:
            lines += take(shown(pairs_of(path, chance), store, but), share, seen, store)
        lines += take(shown(far(store, chance), store, but), options.number - len(lines), seen, store)
    else:
        lines += take(asked(options.asked[0], store, chance), options.number // 2, seen, store)
        lines += take(drawn(store, chance), options.number - len(lines), seen, store)
    chance.shuffle(lines)
    options.out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
