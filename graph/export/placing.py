"""Where everything of a drawing stands: boxes with names, wires between them and their labels, none over another.

Between two columns of boxes lie a zone in which the wires bend and one in which each runs straight towards its box with its
label above it. Every wire meets a box at a height of its own, so labels cannot meet; wires that pass a column have a row there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.export.layers import Item, Layering
from graph.export.lettering import lines, width

LETTERS = 14.0
"""The size of the letters of names, in pixels; those of labels are `SMALL`."""
SMALL = 11.0
LINE = 18.0
PORT = 22.0
"""How far apart wires meet a box."""
_WIDEST = 190.0
_PADDING = 14.0
_BETWEEN = 18.0
_BETWEEN_WIRES = 2.0
_BEND = 46.0
_STEEP = 0.22
_LONGEST_BEND = 130.0
_SWEEPS = 10


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle, in pixels from the top left."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Frame) -> bool:
        """Return whether two rectangles share more than an edge."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True, slots=True)
class Box:
    """A name in its lines, in a rectangle."""

    name: str
    lines: tuple[str, ...]
    frame: Frame


@dataclass(frozen=True, slots=True)
class Wire:
    """The way of an edge from its left end, the node `start`, to its right end, and where its label stands.

    Its points come in fours: a straight line from the first to the second, a bend to the third, a straight line to the fourth.
    """

    start: str
    points: tuple[tuple[float, float], ...]
    label: Frame


@dataclass(frozen=True, slots=True)
class Placing:
    """A drawing: its boxes, a wire for each edge, and its size."""

    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float


def placed(layering: Layering, labels: Sequence[str]) -> Placing:
    """Return where the items of a layering and the labels of its edges stand."""
    texts: dict[Item, tuple[str, ...]] = {
        item: lines(item, LETTERS, _WIDEST) for layer in layering.layers for item in layer if isinstance(item, str)
    }
    sides = _sides(layering.chains)
    heights = {item: _height(texts.get(item), sides.get(item, ((), ()))) for layer in layering.layers for item in layer}
    centres = _centres(layering, heights)
    ports = _ports(sides, centres, layering.chains)
    columns = [max((_width(texts[item]) for item in layer if item in texts), default=0.0) for layer in layering.layers]
    zones = _zones(layering, labels, ports)
    lefts = [0.0]
    for column, (bend, straight) in zip(columns, zones, strict=False):
        lefts.append(lefts[-1] + column + bend + straight)
    top = min((centres[item] - heights[item] / 2 for item in centres), default=0.0)
    boxes, number_of = [], {item: number for number, layer in enumerate(layering.layers) for item in layer}
    for item, text in texts.items():
        number = number_of[item]
        wide, high = _width(text), heights[item]
        x = lefts[number] + (columns[number] - wide) / 2
        boxes.append(Box(str(item), text, Frame(x, centres[item] - high / 2 - top, wide, high)))
    frames: dict[Item, Frame] = {box.name: box.frame for box in boxes}
    wires = []
    for edge, chain in enumerate(layering.chains):
        points: list[tuple[float, float]] = []
        for one, other in pairwise(chain):
            number = number_of[one]
            right = frames[one].x + frames[one].width if one in frames else lefts[number]
            bends = lefts[number] + columns[number]
            y, end = ports[edge, one, False] - top, ports[edge, other, True] - top
            points += [(right, y), (bends, y), (bends + zones[number][0], end)]
            points.append((frames[other].x if other in frames else lefts[number + 1], end))
        last = number_of[chain[-1]] - 1
        label = Frame(lefts[last + 1] - zones[last][1] + 6, points[-1][1] - SMALL - 6, width(labels[edge], SMALL), SMALL + 4)
        wires.append(Wire(str(chain[0]), tuple(points), label))
    bottom = max((centres[item] + heights[item] / 2 for item in centres), default=0.0)
    return Placing(tuple(boxes), tuple(wires), lefts[-1] + (columns[-1] if columns else 0.0), bottom - top)


_Sides = Mapping[Item, tuple[Sequence[int], Sequence[int]]]
_Ports = Mapping[tuple[int, Item, bool], float]


def _sides(chains: Sequence[Sequence[Item]]) -> _Sides:
    """Return for each item the edges that come from the left and those that go to the right."""
    sides: dict[Item, tuple[list[int], list[int]]] = {}
    for edge, chain in enumerate(chains):
        for one, other in pairwise(chain):
            sides.setdefault(one, ([], []))[1].append(edge)
            sides.setdefault(other, ([], []))[0].append(edge)
    return sides


def _height(text: tuple[str, ...] | None, sides: tuple[Sequence[int], Sequence[int]]) -> float:
    """Return how high an item is: for its lines and for its wires."""
    wires = PORT * max(1, *map(len, sides))
    return wires if text is None else max(wires, LINE * len(text) + _PADDING)


def _width(text: tuple[str, ...]) -> float:
    """Return how wide the box of a name is."""
    return max(width(line, LETTERS) for line in text) + 2 * _PADDING


def _centres(layering: Layering, heights: Mapping[Item, float]) -> dict[Item, float]:
    """Return the height at which each item stands: close to its neighbours, in the order of its layer, over no other."""
    near: dict[Item, list[Item]] = {}
    for chain in layering.chains:
        for one, other in pairwise(chain):
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
    centres: dict[Item, float] = {}
    for layer in layering.layers:
        centres |= _stacked(layer, dict.fromkeys(layer, 0.0), heights)
    for sweep in range(_SWEEPS):
        for layer in layering.layers if sweep % 2 else reversed(layering.layers):
            wanted = {
                item: sum(centres[other] for other in near[item]) / len(near[item]) if near.get(item) else centres[item]
                for item in layer
            }
            centres |= _stacked(layer, wanted, heights)
    return centres


def _stacked(layer: Sequence[Item], wanted: Mapping[Item, float], heights: Mapping[Item, float]) -> dict[Item, float]:
    """Return the heights nearest to those wanted, by least squares, at which the items of a layer have room for each other.

    What is left of a wanted height when the room above it is taken off must not fall from item to item: where it does, the
    items are pooled at their mean (isotonic regression).
    """
    offsets, offset = [], 0.0
    for number, item in enumerate(layer):
        if number:
            above = layer[number - 1]
            apart = _BETWEEN if isinstance(item, str) or isinstance(above, str) else _BETWEEN_WIRES
            offset += (heights[above] + heights[item]) / 2 + apart
        offsets.append(offset)
    pools: list[tuple[float, int]] = []
    for item, room in zip(layer, offsets, strict=True):
        mean, count = wanted[item] - room, 1
        while pools and pools[-1][0] > mean:
            other, more = pools.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        pools.append((mean, count))
    places = [mean for mean, count in pools for _ in range(count)]
    return {item: place + room for item, place, room in zip(layer, places, offsets, strict=True)}


def _ports(sides: _Sides, centres: Mapping[Item, float], chains: Sequence[Sequence[Item]]) -> _Ports:
    """Return at which height each edge meets each item that it runs through, on its left (True) and on its right."""
    neighbour: dict[tuple[int, Item, bool], Item] = {}
    for edge, chain in enumerate(chains):
        for one, other in pairwise(chain):
            neighbour[edge, one, False], neighbour[edge, other, True] = other, one
    ports = {}
    for item, both in sides.items():
        for edges, left in zip(both, (True, False), strict=True):
            ordered = sorted((centres[neighbour[edge, item, left]], edge) for edge in edges)
            for row, (_, edge) in enumerate(ordered):
                ports[edge, item, left] = centres[item] + (row - (len(ordered) - 1) / 2) * PORT
    return ports


def _zones(layering: Layering, labels: Sequence[str], ports: _Ports) -> list[tuple[float, float]]:
    """Return after each column but the last how wide its wires bend, and how long they are straight for their labels."""
    number_of = {item: number for number, layer in enumerate(layering.layers) for item in layer}
    zones = [(_BEND, 12.0)] * (len(layering.layers) - 1)
    for edge, chain in enumerate(layering.chains):
        for one, other in pairwise(chain):
            number = number_of[one]
            bend, straight = zones[number]
            rise = abs(ports[edge, one, False] - ports[edge, other, True])
            label = width(labels[edge], SMALL) + 28 if other == chain[-1] else 12.0
            zones[number] = max(bend, min(_BEND + _STEEP * rise, _LONGEST_BEND)), max(straight, label)
    return zones
