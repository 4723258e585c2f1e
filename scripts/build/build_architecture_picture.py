"""Draw the rooms of the two packages and the imports between them: docs/images/architecture.svg.

    python scripts/build/build_architecture_picture.py            # write the picture
    python scripts/build/build_architecture_picture.py --check    # exit with 1 where the picture is not that of the imports

A room is a folder, or a module beside the folders. Each stands above all that it imports; an arrow that follows from others is
left out. Needs networkx.
"""

from __future__ import annotations

import ast
import sys
from html import escape
from itertools import chain
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
WIDTH, BOX_HEIGHT, LEVEL_HEIGHT, GAP, CHARACTER = 1180, 30, 74, 14, 7.4
STYLE = """
.graph { fill: #e7f0ea; stroke: #3f7d5a } .kgqa { fill: #e8edf7; stroke: #4a66a0 }
text { font: 13px sans-serif; fill: #1b1b1b; text-anchor: middle } path { fill: none; stroke: #8a8a8a; stroke-width: 1 }
@media (prefers-color-scheme: dark) {
  .graph { fill: #1f3a2c; stroke: #6fb08c } .kgqa { fill: #222f4b; stroke: #8aa4dc }
  text { fill: #ececec } path { stroke: #8f8f8f }
}
"""


def room_of(module: str) -> str:
    """Return the room of a dotted module: its package and the folder or module below it."""
    return ".".join(module.split(".")[:2])


def room_imports() -> nx.DiGraph:
    """Return the rooms with an edge from each to every room that a module of it imports, lazily or not."""
    rooms = nx.DiGraph()
    for path in chain.from_iterable(sorted((ROOT / package).rglob("*.py")) for package in ("graph", "kgqa")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        room = room_of(".".join(part for part in parts if part != "__init__"))
        if "." not in room:
            continue
        rooms.add_node(room)
        for node in _runtime_imports(path):
            if node.module and node.module.split(".")[0] in ("graph", "kgqa"):
                target = room_of(node.module if "." in node.module else f"{node.module}.{node.names[0].name}")
                if target != room and "." in target:
                    rooms.add_edge(room, target)
    rooms.remove_nodes_from([room for room in list(rooms) if not _exists(room)])
    return rooms


def _exists(room: str) -> bool:
    place = ROOT.joinpath(*room.split("."))
    return place.is_dir() or place.with_suffix(".py").exists()


def _runtime_imports(path: Path) -> list[ast.ImportFrom]:
    """Return the imports of a file, lazy ones too, without those for the type checker alone."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    blocks = [node for node in nodes if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    typing = {child for block in blocks for statement in block.body for child in ast.walk(statement)}
    return [node for node in nodes if isinstance(node, ast.ImportFrom) and node not in typing]


def draw_rooms(rooms: nx.DiGraph) -> str:
    """Return an SVG picture: rooms that import nothing at the bottom; raises `networkx.NetworkXUnfeasible` for a circle."""
    reduced = nx.transitive_reduction(rooms)
    levels: dict[str, int] = {}
    for room in reversed(list(nx.lexicographical_topological_sort(rooms))):
        levels[room] = 1 + max((levels[target] for target in rooms.successors(room)), default=-1)
    height = LEVEL_HEIGHT * (max(levels.values()) + 1) + 20
    boxes: dict[str, tuple[float, float, float]] = {}
    for level in range(max(levels.values()) + 1):
        row = sorted(room for room in levels if levels[room] == level)
        widths = [len(room) * CHARACTER + 18 for room in row]
        left = (WIDTH - sum(widths) - GAP * (len(row) - 1)) / 2
        for room, width in zip(row, widths, strict=True):
            boxes[room] = (left, height - 20 - BOX_HEIGHT - LEVEL_HEIGHT * level, width)
            left += width + GAP
    lines = []
    for room, target in sorted(reduced.edges):
        (left, top, width), (end_left, end_top, end_width) = boxes[room], boxes[target]
        x, y, end_x = left + width / 2, top + BOX_HEIGHT, end_left + end_width / 2
        lines.append(
            f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + 22:.0f} {end_x:.0f} {end_top - 22:.0f} {end_x:.0f} {end_top:.0f}"/>'
        )
    rectangles = [
        f'<rect class="{room.partition(".")[0]}" x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{BOX_HEIGHT}" rx="4"/>'
        f'<text x="{left + width / 2:.0f}" y="{top + 20:.0f}">{escape(room)}</text>'
        for room, (left, top, width) in sorted(boxes.items())
    ]
    title = "<title>The rooms of kgqa: each imports only rooms below it</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">{title}<style>{STYLE}</style>'
    return "\n".join([head, *lines, *rectangles, "</svg>", ""])


def main() -> int:
    """Write the picture, or compare it with the imports."""
    picture = draw_rooms(room_imports())
    if "--check" in sys.argv[1:]:
        return int(PICTURE.read_text(encoding="utf-8") != picture)
    PICTURE.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
