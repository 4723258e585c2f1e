"""The queries of the folder `cypher`, by the names of their files, and the version of the layout that they read and write."""

from __future__ import annotations

from functools import cache
from pathlib import Path

LAYOUT_VERSION = 1


@cache
def cypher_query(name: str) -> str:
    """Return the text of a query."""
    return (_folder() / f"{name}.cypher").read_text(encoding="utf-8")


def schema_names() -> list[str]:
    """Return the names of the constraints and indexes; `schema/NAME` is the query that creates one."""
    return sorted(path.stem for path in (_folder() / "schema").glob("*.cypher"))


@cache
def _folder() -> Path:
    """Return the folder of the queries: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).parents[2]
    installed = package / "cypher"
    return installed if installed.is_dir() else package.parent / "cypher"
