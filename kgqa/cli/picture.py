"""Pictures of what commands find: their heading, and what they say to those who cannot see them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from graph.export.output import written_whole
from graph.export.svg import svg
from graph.model import Edge, Path
from kgqa.answering.wording import claim, verb


def draw_paths(out: str, paths: Sequence[Path], worlds: Sequence[str] = ()) -> None:
    """Write a picture of chains of claims into a file; `worlds` are the settings that they hold under."""
    first = paths[0].concepts
    heading = f"How {first[0]} leads to {first[-1]}" + (f", with {', '.join(worlds)}" if worlds else "")
    said = "; ".join(
        f"{number}. {', '.join(map(_said, path.edges))}; score {path.score:.2f}" for number, path in enumerate(paths, 1)
    )
    edges = [edge for path in paths for edge in path.edges]
    _draw(out, edges, heading, said, {name for path in paths for name in (path.concepts[0], path.concepts[-1])})


def draw_around(out: str, names: Sequence[str], edges: Sequence[Edge]) -> None:
    """Write a picture of the edges around concepts into a file."""
    said = "; ".join(map(_said, edges))
    _draw(out, edges, f"Around {names[0]}", said, names)


def _draw(out: str, edges: Iterable[Edge], heading: str, said: str, focus: Collection[str]) -> None:
    picture = svg(edges, heading, said, focus, verb)
    with written_whole(out) as file:
        file.write(picture)


def _said(edge: Edge) -> str:
    """Return an edge as a clause with its belief."""
    return f"{claim(edge)} ({edge.belief:.2f})"
