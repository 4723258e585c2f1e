"""Build the starter graph: mine the Wikipedia articles, join CauseNet, and keep facts with short names, without sentences.

    python scripts/build/build_starter_graph.py --articles DUMP --causenet SLICE --out graph/data/starter.kgqa

DUMP is a file that `kgqa mine` reads, SLICE one that `kgqa load causenet` reads. With `--keep FULL.kgqa` the graph with its
sentences is kept, too. Whoever has the articles gets the same graph, and its sentences by `kgqa mine`.

A shipped record has no text; it has its place in the source and a sketch that recognises copies of its sentence.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from graph.belief.independence import sketch
from graph.mining.articles import mine_articles
from graph.model import Claim, Evidence, Statement
from graph.protocols import GraphStore
from graph.sources.article import Skipped
from graph.sources.article_formats import detect_format, read_articles
from graph.sources.causenet import read_causenet
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import compact_store


def main() -> None:
    """Read the arguments, build the graph, and print its counts and digest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", required=True)
    parser.add_argument("--causenet", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        full_path = arguments.keep or Path(folder) / "full.kgqa"
        full = open_store(str(full_path), write=True, create=True)
        articles = read_articles(arguments.articles, detect_format(arguments.articles), tell)
        summary = mine_articles(articles, full, f"mine {arguments.articles}", arguments.workers, resume=True)
        full.add(read_causenet(arguments.causenet, tell))
        print(f"mined {summary.articles:,} articles in {summary.seconds:,.0f} s: {full.stats()}")
        shipped = ship(full, arguments.out)
        full.close()
    print(f"shipped {arguments.out.stat().st_size / 1e6:.1f} MB, digest {shipped}")


def has_short_names(claim: Claim) -> bool:
    """Return whether both names of a claim are short enough for questions: five words each at most, seven together."""
    words = len(claim.cause.split()), len(claim.effect.split())
    return max(words) <= 5 and sum(words) <= 7


def without_text(evidence: Evidence) -> Evidence:
    """Return a record without its text but with its sketch, so that groups of evidence stay the same."""
    return evidence if evidence.text is None else replace(evidence, text=None, sketch=sketch(evidence.text))


def ship(full: GraphStore, out: Path) -> str:
    """Write the facts of a graph that have short names, without sentences, into a compact file; return the digest."""
    out.unlink(missing_ok=True)
    store = open_store(str(out), write=True, create=True)
    short = (statement for statement in full.statements() if has_short_names(statement.claim))
    store.add((Statement(statement.claim, without_text(statement.evidence)) for statement in short), full.aliases())
    digest = store.digest()
    store.close()
    compact_store(out)
    return digest


def tell(skipped: Skipped) -> None:
    """Print what was skipped."""
    print(f"skipped {skipped.where}: {skipped.why}")


if __name__ == "__main__":
    main()
