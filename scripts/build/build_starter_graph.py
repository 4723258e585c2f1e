"""Build the starter graph: mine the Wikipedia articles, join CauseNet, ConceptNet and what was read, and keep good facts.

    python scripts/build/build_starter_graph.py --articles DUMP --causenet SLICE --conceptnet CAUSES --out graph/data/starter.kgqa

DUMP is a file that `kgqa mine` reads, SLICE and CAUSES are files that `kgqa load causenet` and `kgqa load conceptnet` read. With
`--keep FULL.kgqa` the graph of all that is mined is kept, too, with its sentences; where it is there already, mining goes on with
it. Whoever has the articles gets the same graph, and its sentences by `kgqa quotes add` or `kgqa mine`.

- What was read (claim-labels.tsv and claim-sentences.tsv in docs/judgements) stands as the reader has it, in place of what the
  rules made of the sentence; name-checks.tsv mends or drops its names. So do the claims that denied-claims.tsv has as denied.
- Of the rest a mined claim is shipped where the judge gives a record of it at least `LEAST_SURE`, and its names at least
  `LEAST_NAMES`, or less where both are names that are good elsewhere.
- Of CauseNet and ConceptNet the pairs are shipped that a reader found right (docs/judgements/pair-labels.tsv).
- Names of one thing become one (kgqa.linking.name_merging); the others lead to it as aliases.
- How an editor rated an entry of a list of causes or effects (list-items.tsv) stands in the context of its records.
- A shipped record has no text; it has its place in the source and a sketch that recognises copies of its sentence.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from read_claims import (
    ReadPlaces,
    checked_statements,
    denied_labels,
    is_name,
    is_read,
    list_ratings,
    read_labels,
    read_places,
    read_statements,
)
from read_pairs import read_pair_labels, read_pair_statements

from graph.belief.independence import sketch
from graph.mining.articles import mine_articles
from graph.mining.miner import least_right
from graph.model import AS_CAUSE_SLOT, AS_EFFECT_SLOT, JUDGED_SLOT, NAMES_SLOT, Alias, Claim, Evidence, Statement
from graph.sources.article import Article, Skipped
from graph.sources.article_formats import detect_format, read_articles
from graph.sources.causenet import read_causenet
from graph.sources.conceptnet import read_conceptnet
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import compact_store
from kgqa.linking.name_merging import count_names, merged_names

LEAST_SURE, LEAST_NAMES = 0.8, 0.25
GOOD_NAME, LEAST_OF_GOOD_NAMES = 0.1, 0.05
"""A name of this quality is good by itself, even where a reader would add to it: agriculture, where it is that of a country."""
ADDED_RECORDS, ADDED_VALUE = 3, 0.05
MOST_WORDS = 9


def main() -> None:
    """Read the arguments, build the graph, and print its counts and digest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", required=True)
    parser.add_argument("--causenet", required=True)
    parser.add_argument("--conceptnet", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        full_path = arguments.keep or Path(folder) / "full.kgqa"
        full = open_store(str(full_path), write=True, create=True)
        articles = read_articles(arguments.articles, detect_format(arguments.articles), tell)
        summary = mine_articles(articles, full, f"mine {arguments.articles}", arguments.workers, resume=True)
        print(f"mined {summary.articles:,} articles in {summary.seconds:,.0f} s: {full.stats()}")
        labels = read_labels()
        items = read_articles(arguments.articles, detect_format(arguments.articles), tell)
        chosen = list(checked_statements(shipped_statements(list(full.statements()), read_places(labels))))
        chosen += read_statements([*labels, *denied_labels()], (item for item in items if isinstance(item, Article)))
        pairs = read_pair_labels()
        chosen += read_pair_statements("causenet", read_causenet(arguments.causenet, tell), pairs)
        chosen += read_pair_statements("conceptnet", read_conceptnet(arguments.conceptnet, tell), pairs)
        digest = ship(chosen, list(full.aliases()), arguments.out)
        full.close()
    print(f"shipped {arguments.out.stat().st_size / 1e6:.1f} MB, digest {digest}")


def shipped_statements(statements: Sequence[Statement], read: ReadPlaces) -> Iterator[Statement]:
    """Yield what is shipped of the statements that were mined and not read.

    These are the statements of claims of which one record is good enough.
    """
    unread = [statement for statement in statements if not is_read(statement.evidence, read)]
    names = name_quality(statements)
    claims = {statement.claim for statement in unread if is_good_enough(statement, names)}
    for statement in unread:
        if statement.claim in claims and float(dict(statement.evidence.context).get(JUDGED_SLOT, 1)) >= least_right(
            statement.evidence.stance
        ):
            yield statement


def name_quality(statements: Iterable[Statement]) -> dict[str, float]:
    """Return for each name what the judge gives to the names of its records, on average: a general noun is good nowhere.

    A few bad records are added, so that only names of several records can be good.
    """
    values: defaultdict[str, list[float]] = defaultdict(lambda: [ADDED_VALUE] * ADDED_RECORDS)
    for statement in statements:
        context = dict(statement.evidence.context)
        if NAMES_SLOT in context:
            for name in (statement.claim.cause, statement.claim.effect):
                values[name].append(float(context[NAMES_SLOT]))
    return {name: sum(known) / len(known) for name, known in values.items()}


def is_good_enough(statement: Statement, quality: Mapping[str, float]) -> bool:
    """Return whether the judge trusts a mined statement and its names."""
    claim, context = statement.claim, dict(statement.evidence.context)
    ends = claim.cause, claim.effect
    if any(not is_name(name) or len(name.split()) > MOST_WORDS for name in ends):
        return False
    if float(context.get(JUDGED_SLOT, 0)) < LEAST_SURE:
        return False
    names = float(context.get(NAMES_SLOT, 0))
    return names >= LEAST_NAMES or (names >= LEAST_OF_GOOD_NAMES and min(quality.get(name, 0) for name in ends) >= GOOD_NAME)


def without_text(evidence: Evidence) -> Evidence:
    """Return a record without its text but with its sketch, so that groups of evidence stay the same."""
    return evidence if evidence.text is None else replace(evidence, text=None, sketch=sketch(evidence.text))


def with_names(claim: Claim, names: Mapping[str, str]) -> Claim:
    """Return a claim with the names that are used for its ends."""
    return replace(claim, cause=names.get(claim.cause, claim.cause), effect=names.get(claim.effect, claim.effect))


def rated(statement: Statement, ratings: Mapping[tuple[str, str, str], str]) -> Statement:
    """Return a statement with the ratings of its cause in a list of causes, and of its effect in a list of effects."""
    claim = statement.claim
    keys = (AS_CAUSE_SLOT, ("causes", claim.effect, claim.cause)), (AS_EFFECT_SLOT, ("effects", claim.cause, claim.effect))
    added = [(slot, ratings[key]) for slot, key in keys if key in ratings]
    evidence = statement.evidence
    return (
        replace(statement, evidence=replace(evidence, context=tuple(sorted([*evidence.context, *added])))) if added else statement
    )


def ship(statements: list[Statement], aliases: list[Alias], out: Path) -> str:
    """Write statements without their sentences, names of one thing merged, into a compact file; return the digest."""
    out.unlink(missing_ok=True)
    merges = {merge.name: merge for merge in merged_names(count_names(statements), ((a.name, a.concept) for a in aliases))}
    best = {name: merge.canonical for name, merge in merges.items()}
    names = {name: best.get(canonical, canonical) for name, canonical in best.items()}  # a form of an abbreviation of a name
    print(f"merged names: {Counter(merge.reason for merge in merges.values())}")
    ratings = list_ratings()
    facts = (
        rated(Statement(with_names(statement.claim, names), without_text(statement.evidence)), ratings)
        for statement in statements
    )
    store = open_store(str(out), write=True, create=True)
    others = [Alias(alias.name, names.get(alias.concept, alias.concept)) for alias in aliases if alias.name not in names]
    store.add(
        (fact for fact in facts if fact.claim.cause != fact.claim.effect), [*others, *(Alias(*pair) for pair in names.items())]
    )
    print(store.stats())
    digest = store.digest()
    store.close()
    compact_store(out)
    return digest


def tell(skipped: Skipped) -> None:
    """Print what was skipped."""
    print(f"skipped {skipped.where}: {skipped.why}")


if __name__ == "__main__":
    main()
