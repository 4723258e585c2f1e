"""What the environment sets: the graph that is asked, and whether errors show their traceback."""

from __future__ import annotations

import os
from importlib import resources

GRAPH = "KGQA_GRAPH"
DEBUG = "KGQA_DEBUG"


def starter_graph() -> str:
    """Return the path of the starter graph that ships with kgqa."""
    return str(resources.files("graph").joinpath("data", "starter.kgqa"))


def graph_url(named: str | None) -> str:
    """Return the graph to ask: the one that was named, else that of the environment, else the starter graph."""
    return named or os.environ.get(GRAPH) or starter_graph()


def debugging() -> bool:
    """Return whether errors are to show their traceback."""
    return os.environ.get(DEBUG) == "1"
