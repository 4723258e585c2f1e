"""Interventions: views of a causal graph in which something is set, removed or added; the graph below is untouched.

The exported names are imported at their first use, since every question needs one of them and few need all;
`graph.intervene.probability` and `graph.intervene.world_difference` compare worlds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.intervene.graph_edits import Add as Add
    from graph.intervene.graph_edits import Edit as Edit
    from graph.intervene.graph_edits import Intervention as Intervention
    from graph.intervene.graph_edits import Presence as Presence
    from graph.intervene.graph_edits import Remove as Remove
    from graph.intervene.graph_edits import Replace as Replace
    from graph.intervene.overlay import Overlay as Overlay

__all__ = ["Add", "Edit", "Intervention", "Overlay", "Presence", "Remove", "Replace"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module 'graph.intervene' has no attribute {name!r}")
    exported = getattr(import_module(f"graph.intervene.{'overlay' if name == 'Overlay' else 'graph_edits'}"), name)
    globals()[name] = exported
    return exported
