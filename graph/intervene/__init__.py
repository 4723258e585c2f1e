"""Interventions: views of a causal graph in which something is set, taken away or put in; the graph below is untouched.

What is exported here is light to import; `graph.intervene.probability` and `graph.intervene.worlds` compare worlds.
"""

from graph.intervene.edits import Add, Edit, Intervention, Presence, Remove, Replace
from graph.intervene.overlay import Overlay

__all__ = ["Add", "Edit", "Intervention", "Overlay", "Presence", "Remove", "Replace"]
