"""Write which entries of lists of the starter graph an encyclopedia should tell, by facts that were written without the graph.

    python scripts/build/build_expected_entries.py

docs/judgements/expected-facts.tsv has the facts, with titles of articles that should have each. A claim of the graph whose names
say nearly the same is expected in the list of the causes of its effect where an article of the name of the effect should have it,
and in that of the effects of its cause by an article of the name of the cause. Writes kgqa/answering/data/expected_entries.tsv.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from graph.stores import open_store
from graph.text.normalise import concept_name
from graph.topology import is_lessening
from kgqa.answering.contracts import Side
from kgqa.linking.lexical_relations import group_alike_names
from kgqa.settings import starter_graph

ROOT = Path(__file__).parents[2]
FACTS, TABLE = ROOT / "docs/judgements/expected-facts.tsv", ROOT / "kgqa/answering/data/expected_entries.tsv"

LESSENING = ("p", "c-")
"""The relations of facts that say that there is less of the effect."""


def read_facts() -> list[tuple[Side, bool, str, str]]:
    """Return the facts as entries of lists: the side, whether it makes less, what the list is of, and the name of the entry."""
    with FACTS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    entries = []
    for row in rows:
        cause, effect = (concept_name(row[end]) or row[end].lower() for end in ("cause", "effect"))
        titles = {concept_name(title) for title in row["titles"].split("; ")}
        for side, own, entry in ((Side.CAUSES, effect, cause), (Side.EFFECTS, cause, effect)):
            if any(title and (title in own or own in title) for title in titles):
                entries.append((side, row["relation"] in LESSENING, own, entry))
    return entries


def group_of_name(names: Sequence[str]) -> Mapping[str, int]:
    """Return the number of the group of each name, of those that say nearly the same."""
    return {name: number for number, group in enumerate(group_alike_names(names)) for name in group}


def main() -> None:
    """Match facts and claims, and write the table."""
    facts = read_facts()
    with open_store(starter_graph()) as store:
        claims = [edge.claim for edge in store.edges()]
    names = {end: concept_name(end) or end for claim in claims for end in (claim.cause, claim.effect)}
    groups = group_of_name(list(dict.fromkeys([*names.values(), *(name for *_, own, entry in facts for name in (own, entry))])))
    wanted = {(side, lessens, groups[concept], groups[entry]) for side, lessens, concept, entry in facts}
    entries = {
        (side.value, "yes" if lessens else "no", concept, names[entry])
        for claim in claims
        for side in Side
        for lessens, (concept, entry) in [(is_lessening((claim.relation, claim.polarity)), side.ends(claim))]
        if (side, lessens, groups[names[concept]], groups[names[entry]]) in wanted
    }
    lines = ["\t".join(row) for row in (("side", "lessened", "concept", "entry"), *sorted(entries))]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(facts)} entries that facts expect, {len(entries)} of the graph")


if __name__ == "__main__":
    main()
