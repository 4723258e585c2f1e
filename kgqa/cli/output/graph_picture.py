"""Pictures of what commands find: their heading, and what they say to those who cannot see them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from graph.atomic_file import write_atomically
from graph.draw.svg import draw_svg
from graph.model import Edge, Path
from kgqa.wording.claim_clauses import claim_clause, claim_verb


def draw_paths(out: str, paths: Sequence[Path], worlds: Sequence[str] = ()) -> None:
    """Write a picture of chains of claims into a file; `worlds` are the settings that they hold under."""
    first = paths[0].concepts
    heading = f"How {first[0]} leads to {first[-1]}" + (f", with {', '.join(worlds)}" if worlds else "")
    description = "; ".join(
        f"{number}. {', '.join(map(_edge_clause, path.edges))}; score {path.score:.2f}" for number, path in enumerate(paths, 1)
    )
    edges = [edge for path in paths for edge in path.edges]
    _write_picture(out, edges, heading, description, {name for path in paths for name in (path.concepts[0], path.concepts[-1])})


def draw_around(out: str, names: Sequence[str], edges: Sequence[Edge]) -> None:
    """Write a picture of the edges around concepts into a file."""
    description = "; ".join(map(_edge_clause, edges))
    _write_picture(out, edges, f"Around {names[0]}", description, names)


def _write_picture(out: str, edges: Iterable[Edge], heading: str, description: str, focus: Collection[str]) -> None:
    picture = draw_svg(edges, heading, description, focus, claim_verb)
    with write_atomically(out) as file:
        file.write(picture)


def _edge_clause(edge: Edge) -> str:
    """Return an edge as a clause with its belief."""
    return f"{claim_clause(edge)} ({edge.belief:.2f})"
