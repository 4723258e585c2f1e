"""Add the claims that articles deny, as a reader has them, to a copy of a graph.

    python scripts/build/add_denied_claims.py --articles DUMP --graph graph/data/starter.kgqa --out NEW.kgqa

The rows are those of docs/judgements/denied-claims.tsv. Their names are those that the graph has for them, where it has one, and
their records have no text, as all that ship. `build_starter_graph.py` adds the same when it builds the graph anew.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from build_starter_graph import tell, with_names, without_text
from read_claims import denied_labels, read_statements

from graph.model import Statement
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import compact_store


def main() -> None:
    """Read the arguments, copy the graph, add the claims, and print what was added and the digest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", required=True)
    parser.add_argument("--graph", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    arguments = parser.parse_args()
    shutil.copyfile(arguments.graph, arguments.out)
    items = read_articles(arguments.articles, detect_format(arguments.articles), tell)
    statements = list(read_statements(denied_labels(), (item for item in items if isinstance(item, Article))))
    store = open_store(str(arguments.out), write=True)
    ends = {name for statement in statements for name in (statement.claim.cause, statement.claim.effect)}
    names = {name: concept.name for name in ends if (concept := store.concept(name)) is not None}
    added = store.add(Statement(with_names(statement.claim, names), without_text(statement.evidence)) for statement in statements)
    print(f"{len(statements)} records: {added}; {store.stats()}; digest {store.digest()}")
    store.close()
    compact_store(arguments.out)


if __name__ == "__main__":
    main()
