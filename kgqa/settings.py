"""What the environment sets: the graph that is asked, and whether errors show their traceback."""

from __future__ import annotations

import os
from pathlib import Path

import graph

GRAPH = "KGQA_GRAPH"
DEBUG = "KGQA_DEBUG"
CONTACT = "KGQA_CONTACT"


def starter_graph() -> str:
    """Return the path of the starter graph that ships with kgqa."""
    return str(Path(*graph.__path__) / "data" / "starter.kgqa")


def graph_url(url: str | None) -> str:
    """Return the graph to ask: the one that was named, else that of the environment, else the starter graph."""
    return url or os.environ.get(GRAPH) or starter_graph()


def is_debugging() -> bool:
    """Return whether errors are to show their traceback."""
    return os.environ.get(DEBUG) == "1"


def user_agent() -> str:
    """Return how kgqa names itself to a server that it asks: with its version, and with whom to turn to where that is set."""
    from kgqa import __version__

    contact = os.environ.get(CONTACT, "").strip()
    return f"kgqa/{__version__} (causal question answering{f'; {contact}' if contact.isprintable() and contact else ''})"
