"""Graphs written in the formats of other programs: one module a format."""

from __future__ import annotations

from graph.draw.graph_export import to_networkx

__all__ = ["to_networkx"]
