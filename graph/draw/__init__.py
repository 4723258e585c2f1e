"""Graphs as pictures (SVG), as GraphML and as networkx graphs."""

from __future__ import annotations

from graph.draw.graph_export import to_networkx

__all__ = ["to_networkx"]
