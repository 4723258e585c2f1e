"""How many of CauseNet's pairs the rules find in CauseNet's own sentences (Heindorf et al. 2020).

    python scripts/judge/measure_causenet.py CAUSENET.JSONL [--limit N]

CauseNet's pairs were found by patterns of its own and most, not all, are right: this is agreement, not recall against a truth.
A pair counts as found where some sentence of it gives a claim with the same two names (strict), or with the same two head
words (loose). The baseline takes the noun chunks to both sides of the first cue word of a sentence.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from share_text import share
from spacy.tokens import Doc, Token

from graph.mining.induction import head_word_of_name, name_key
from graph.mining.miner import MAX_SENTENCE_CHARACTERS, MinedClaim, Miner
from graph.mining.rules.rule_proposal import wording_shapes
from graph.model import Stance
from graph.sources.causenet import shorten_path_pattern
from graph.text.normalise import concept_name

Pair = tuple[str, str]

FORWARD = frozenset("cause causes caused causing leads lead led leading produce produces trigger triggers induce induces".split())
BACKWARD = frozenset("due because from by".split())
HELD = frozenset({Stance.ASSERTED, Stance.HEDGED})


@dataclass(frozen=True, slots=True)
class Item:
    """A pair of CauseNet with its sentences, and the patterns by which CauseNet found it, where the file has them."""

    pair: Pair
    sentences: tuple[str, ...]
    patterns: tuple[str, ...]


def read_items(path: Path) -> Iterator[Item]:
    """Yield the relations of a file in CauseNet's shape that have sentences."""
    for line in path.read_text(encoding="utf-8").splitlines():
        relation = json.loads(line)
        payloads = [source["payload"] for source in relation.get("sources") or () if source.get("payload", {}).get("sentence")]
        if payloads:
            names = (relation["causal_relation"][role]["concept"].replace("_", " ") for role in ("cause", "effect"))
            cause, effect = map(concept_name, names)
            patterns = (shorten_path_pattern(payload.get("path_pattern", "")) for payload in payloads)
            yield Item((cause, effect), tuple(payload["sentence"] for payload in payloads), tuple(filter(None, patterns)))


def is_same(found: Pair, pair: Pair) -> bool:
    """Return whether the names are the same."""
    return found == pair


def is_alike(found: Pair, pair: Pair) -> bool:
    """Return whether the head words are the same."""
    return all(
        head_word_of_name(name_key(one)) == head_word_of_name(name_key(other)) for one, other in zip(found, pair, strict=True)
    )


def by_chunks(doc: Doc) -> Iterator[Pair]:
    """Yield what the baseline says: the noun chunks to both sides of the first cue word."""
    cue = next((token for token in doc if token.lower_ in FORWARD | BACKWARD), None)
    if cue is None:
        return
    nouns = [token for token in doc if token.tag_.startswith("NN") and token.dep_ not in ("compound", "nmod")]
    chunks = [doc[noun.left_edge.i : noun.i + 1] for noun in nouns]
    left = [chunk for chunk in chunks if chunk.end <= cue.i]
    right = [chunk for chunk in chunks if chunk.start > cue.i]
    if left and right:
        turned = cue.lower_ in BACKWARD or (cue.lower_ == "caused" and cue.i + 1 < len(doc) and cue.nbor().lower_ == "by")
        pair = concept_name(left[-1].text), concept_name(right[0].text)
        yield (pair[1], pair[0]) if turned else pair


def why_missed(item: Item, docs: Iterable[Doc], miner: Miner) -> str:
    """Return what a missed pair looks like: CauseNet's own pattern, else the wording that joins its two names."""
    if item.patterns:
        return item.patterns[0]
    for doc in docs:
        ends = [mention(doc, name) for name in item.pair]
        if ends[0] is None or ends[1] is None:
            return "(the names do not stand in the sentence)"
        if not miner.rules_for(doc.text):
            return "(no rule has its words)"
        for shape, _ in wording_shapes(ends[0], ends[1], miner.nlp):
            return f"{' '.join(filter(None, (shape.cue, shape.prep, *shape.further_words)))} ({shape.frame or 'path'})"
    return "(no short path joins the names)"


def mention(doc: Doc, name: str) -> Token | None:
    """Return the head of a name in a sentence, `None` where it does not stand there."""
    keys = [name_key(token.text) for token in doc]
    wanted = name_key(name).split()
    places = [place for place in range(len(keys)) if keys[place : place + len(wanted)] == wanted]
    return doc[places[0] : places[0] + len(wanted)].root if places and wanted else None


def report(name: str, items: list[Item], found: list[list[Pair]]) -> None:
    """Print the shares of the pairs that were found, and of those in which cause and effect stand the right way round."""
    print(f"\n{name}")
    for how, same in (("same names", is_same), ("same head words", is_alike)):
        right = [any(same(one, item.pair) for one in pairs) for item, pairs in zip(items, found, strict=True)]
        turned = [any(same((one[1], one[0]), item.pair) for one in pairs) for item, pairs in zip(items, found, strict=True)]
        print(f"  {how}: found {share(sum(right), len(items))}", end="")
        print(f", of those found either way round the right one {share(sum(right), sum(right) + sum(turned))}")


def main() -> None:
    """Mine the sentences and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--limit", type=int, help="only the first relations with sentences")
    options = parser.parse_args()
    items = list(read_items(options.file))[: options.limit]
    miner = Miner()
    every: list[list[MinedClaim]] = []
    chunks: list[list[Pair]] = []
    missed: Counter[str] = Counter()
    examples: dict[str, str] = {}
    rules: Counter[str] = Counter()
    for item in items:
        docs = list(miner.nlp.pipe(text for text in item.sentences if len(text) <= MAX_SENTENCE_CHARACTERS))
        claims = [one for doc in docs for one in miner.match(doc)]
        every.append(claims)
        chunks.append([pair for doc in docs for pair in by_chunks(doc)])
        alike = {one.rule.id for one in claims if is_alike((one.claim.cause, one.claim.effect), item.pair)}
        rules.update(alike)
        if not alike:
            why = why_missed(item, docs, miner)
            missed[why] += 1
            examples.setdefault(why, f"{item.pair[0]} -> {item.pair[1]}: {item.sentences[0]}")
    print(f"{options.file.name}: {len(items):,} pairs with {sum(len(item.sentences) for item in items):,} sentences")
    print(f"a claim of some kind: {share(sum(map(bool, every)), len(items))}")
    report("rules, any stance", items, [[(one.claim.cause, one.claim.effect) for one in claims] for claims in every])
    held = [[(one.claim.cause, one.claim.effect) for one in claims if one.stance in HELD] for claims in every]
    report("rules, asserted or hedged", items, held)
    report("baseline: the noun chunks beside the first cue word", items, chunks)
    print(f"\nmissed (same head words): {sum(missed.values()):,}")
    for why, count in missed.most_common(30):
        print(f"  {count:5}  {why}\n         {examples[why][:200]}")
    print("\nfound by rule (same head words)")
    print("  " + ", ".join(f"{rule} {count}" for rule, count in rules.most_common(60)))


if __name__ == "__main__":
    main()
