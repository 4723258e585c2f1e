"""The queries of the folder `cypher`, by the names of their files.

Which version of the layout of a graph in Neo4j this package reads and writes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def cypher_query(name: str) -> str:
    """Return the text of a query."""
    return (_folder() / f"{name}.cypher").read_text(encoding="utf-8")


def schema_statements() -> list[str]:
    """Return the statements that make the constraints and indexes."""
    return [cypher_query(f"schema/{name}") for name in schema_names()]


def schema_names() -> list[str]:
    """Return the names of the constraints and indexes."""
    return sorted(path.stem for path in (_folder() / "schema").glob("*.cypher"))


@cache
def _folder() -> Path:
    """Return the folder of the queries: in an installed package inside it, in a checkout beside it."""
    package = Path(__file__).parents[2]
    installed = package / "cypher"
    return installed if installed.is_dir() else package.parent / "cypher"


LAYOUT_VERSION = 1
