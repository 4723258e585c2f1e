"""Which version of the layout of a graph in Neo4j this package reads and writes."""

from __future__ import annotations

LAYOUT_VERSION = 1
