"""The nodes of a drawing in layers from left to right, so that as many edges as can be point to the right and few cross.

The method is that of Sugiyama, Tagawa and Toda (1981): break cycles, layer by longest paths, let edges that span several layers
pass through points of their own, and sort each layer by the mean position of the neighbours.

Where everything of a drawing stands: boxes with names, wires between them and their labels, none over another.

Between two columns of boxes lie a zone in which the wires bend and one in which each runs straight towards its box with its
label above it. Every wire meets a box at a height of its own, so labels cannot meet; wires that pass a column have a row there.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.draw.text_wrapping import text_width, wrap_lines

ORDER_SWEEPS = 12

LayerItem = Hashable
"""What has a place in a layer: the name of a node, or (edge, layer) for a point that an edge passes through."""


@dataclass(frozen=True, slots=True)
class Layering:
    """The items of each layer from top to bottom, and for each edge the items that it runs through, from left to right."""

    layers: Sequence[Sequence[LayerItem]]
    chains: Sequence[Sequence[LayerItem]]


def assign_layers(pairs: Sequence[tuple[str, str]]) -> Layering:
    """Return the layering of edges between different nodes, given by the names of their ends, the most important first."""
    layer = _layer_by_longest_path(pairs)
    chains: list[list[LayerItem]] = []
    layers: list[list[LayerItem]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for name, number in layer.items():
        layers[number].append(name)
    for edge, (start, end) in enumerate(pairs):
        left, right = (start, end) if layer[start] < layer[end] else (end, start)
        between: list[LayerItem] = [(edge, number) for number in range(layer[left] + 1, layer[right])]
        for number, item in enumerate(between, layer[left] + 1):
            layers[number].append(item)
        chains.append([left, *between, right])
    return Layering(_order_layers(layers, chains), chains)


def _layer_by_longest_path(pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the layer of each node: edges point to the right, but for those that close a cycle of edges before them."""
    after: dict[str, list[str]] = {name: [] for pair in pairs for name in pair}
    before: dict[str, list[str]] = {name: [] for name in after}
    for start, successor in pairs:
        left, right = (successor, start) if _reaches(after, successor, start) else (start, successor)
        after[left].append(right)
        before[right].append(left)
    order: list[str] = []
    waiting = {name: len(before[name]) for name in after}
    ready = [name for name in after if not waiting[name]]
    for name in ready:  # grows while it is walked
        order.append(name)
        for successor in after[name]:
            waiting[successor] -= 1
            if not waiting[successor]:
                ready.append(successor)
    layer = dict.fromkeys(after, 0)
    for name in order:
        for successor in after[name]:
            layer[successor] = max(layer[successor], layer[name] + 1)
    for name in reversed(order):  # what nothing leads to stands close to what it leads to
        if not before[name] and after[name]:
            layer[name] = min(layer[successor] for successor in after[name]) - 1
    return layer


def _reaches(after: Mapping[str, Sequence[str]], start: str, end: str) -> bool:
    seen, stack = {start}, [start]
    while stack:
        name = stack.pop()
        if name == end:
            return True
        for successor in after[name]:
            if successor not in seen:
                seen.add(successor)
                stack.append(successor)
    return False


def _order_layers(layers: Sequence[Sequence[LayerItem]], chains: Sequence[Sequence[LayerItem]]) -> list[list[LayerItem]]:
    """Return the layers in the order, of those that sweeps to and fro find, in which the fewest edges cross."""
    left: dict[LayerItem, list[LayerItem]] = {}
    right: dict[LayerItem, list[LayerItem]] = {}
    for chain in chains:
        for left_item, right_item in pairwise(chain):
            right.setdefault(left_item, []).append(right_item)
            left.setdefault(right_item, []).append(left_item)
    here = [list(layer) for layer in layers]
    best, fewest = here, _count_crossings(here, right)
    for sweep in range(ORDER_SWEEPS):
        if not fewest:
            break
        forward = sweep % 2 == 0
        numbers = range(1, len(here)) if forward else range(len(here) - 2, -1, -1)
        for number in numbers:
            place = {item: row for row, item in enumerate(here[number - 1 if forward else number + 1])}
            near = left if forward else right
            means = {item: _mean_row(near.get(item, ()), place, row) for row, item in enumerate(here[number])}
            here[number].sort(key=means.__getitem__)
        crossings = _count_crossings(here, right)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in here], crossings
    return [list(layer) for layer in best]


def _mean_row(items: Sequence[LayerItem], place: Mapping[LayerItem, int], alone: int) -> float:
    return sum(place[item] for item in items) / len(items) if items else float(alone)


def _count_crossings(layers: Sequence[Sequence[LayerItem]], right: Mapping[LayerItem, Sequence[LayerItem]]) -> int:
    crossings = 0
    for layer, following in pairwise(layers):
        place = {item: row for row, item in enumerate(following)}
        ends: list[int] = []
        for item in layer:
            rows = sorted(place[neighbour] for neighbour in right.get(item, ()))
            crossings += sum(sum(end > row for end in ends) for row in rows)
            ends.extend(rows)
    return crossings


NAME_SIZE = 14.0
"""The size of the letters of names, in pixels; those of labels are `SMALL`."""
LABEL_SIZE = 11.0
LINE_HEIGHT = 18.0
PORT_DISTANCE = 22.0
"""How far apart wires meet a box."""
_WIDEST = 190.0
_PADDING = 14.0
_BOX_GAP = 18.0
_WIRE_GAP = 2.0
_BEND = 46.0
_BEND_SLOPE = 0.22
_LONGEST_BEND = 130.0
_HEIGHT_SWEEPS = 10


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle, in pixels from the top left."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, frame: Frame) -> bool:
        """Return whether two rectangles share more than an edge."""
        return (
            self.x < frame.x + frame.width
            and frame.x < self.x + self.width
            and self.y < frame.y + frame.height
            and frame.y < self.y + self.height
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
class Placement:
    """A drawing: its boxes, a wire for each edge, and its size."""

    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float


def place_drawing(layering: Layering, labels: Sequence[str]) -> Placement:
    """Return where the items of a layering and the labels of its edges stand."""
    texts: dict[LayerItem, tuple[str, ...]] = {
        item: wrap_lines(item, NAME_SIZE, _WIDEST) for layer in layering.layers for item in layer if isinstance(item, str)
    }
    sides = _edges_by_side(layering.chains)
    heights = {item: _item_height(texts.get(item), sides.get(item, ((), ()))) for layer in layering.layers for item in layer}
    centres = _item_centres(layering, heights)
    ports = _port_heights(sides, centres, layering.chains)
    columns = [max((_box_width(texts[item]) for item in layer if item in texts), default=0.0) for layer in layering.layers]
    zones = _zone_widths(layering, labels, ports)
    lefts = [0.0]
    for column, (bend, straight) in zip(columns, zones, strict=False):
        lefts.append(lefts[-1] + column + bend + straight)
    top = min((centres[item] - heights[item] / 2 for item in centres), default=0.0)
    boxes, number_of = [], {item: number for number, layer in enumerate(layering.layers) for item in layer}
    for item, text in texts.items():
        number = number_of[item]
        wide, high = _box_width(text), heights[item]
        x = lefts[number] + (columns[number] - wide) / 2
        boxes.append(Box(str(item), text, Frame(x, centres[item] - high / 2 - top, wide, high)))
    frames: dict[LayerItem, Frame] = {box.name: box.frame for box in boxes}
    wires = []
    for edge, chain in enumerate(layering.chains):
        points: list[tuple[float, float]] = []
        for left_item, right_item in pairwise(chain):
            number = number_of[left_item]
            right = frames[left_item].x + frames[left_item].width if left_item in frames else lefts[number]
            bends = lefts[number] + columns[number]
            y, end = ports[edge, left_item, False] - top, ports[edge, right_item, True] - top
            points += [(right, y), (bends, y), (bends + zones[number][0], end)]
            points.append((frames[right_item].x if right_item in frames else lefts[number + 1], end))
        last = number_of[chain[-1]] - 1
        label = Frame(
            lefts[last + 1] - zones[last][1] + 6,
            points[-1][1] - LABEL_SIZE - 6,
            text_width(labels[edge], LABEL_SIZE),
            LABEL_SIZE + 4,
        )
        wires.append(Wire(str(chain[0]), tuple(points), label))
    bottom = max((centres[item] + heights[item] / 2 for item in centres), default=0.0)
    return Placement(tuple(boxes), tuple(wires), lefts[-1] + (columns[-1] if columns else 0.0), bottom - top)


_Sides = Mapping[LayerItem, tuple[Sequence[int], Sequence[int]]]
_Ports = Mapping[tuple[int, LayerItem, bool], float]


def _edges_by_side(chains: Sequence[Sequence[LayerItem]]) -> _Sides:
    sides: dict[LayerItem, tuple[list[int], list[int]]] = {}
    for edge, chain in enumerate(chains):
        for left_item, right_item in pairwise(chain):
            sides.setdefault(left_item, ([], []))[1].append(edge)
            sides.setdefault(right_item, ([], []))[0].append(edge)
    return sides


def _item_height(text: tuple[str, ...] | None, sides: tuple[Sequence[int], Sequence[int]]) -> float:
    wires = PORT_DISTANCE * max(1, *map(len, sides))
    return wires if text is None else max(wires, LINE_HEIGHT * len(text) + _PADDING)


def _box_width(text: tuple[str, ...]) -> float:
    return max(text_width(line, NAME_SIZE) for line in text) + 2 * _PADDING


def _item_centres(layering: Layering, heights: Mapping[LayerItem, float]) -> dict[LayerItem, float]:
    """Return the height at which each item stands: close to its neighbours, in the order of its layer, over no other."""
    near: dict[LayerItem, list[LayerItem]] = {}
    for chain in layering.chains:
        for left_item, neighbour in pairwise(chain):
            near.setdefault(left_item, []).append(neighbour)
            near.setdefault(neighbour, []).append(left_item)
    centres: dict[LayerItem, float] = {}
    for layer in layering.layers:
        centres |= _stack_items(layer, dict.fromkeys(layer, 0.0), heights)
    for sweep in range(_HEIGHT_SWEEPS):
        for layer in layering.layers if sweep % 2 else reversed(layering.layers):
            wanted = {
                item: sum(centres[neighbour] for neighbour in near[item]) / len(near[item]) if near.get(item) else centres[item]
                for item in layer
            }
            centres |= _stack_items(layer, wanted, heights)
    return centres


def _stack_items(
    layer: Sequence[LayerItem], wanted: Mapping[LayerItem, float], heights: Mapping[LayerItem, float]
) -> dict[LayerItem, float]:
    """Return the heights nearest to those wanted, by least squares, at which the items of a layer have room for each other.

    What is left of a wanted height when the room above it is taken off must not fall from item to item: where it does, the
    items are pooled at their mean (isotonic regression).
    """
    offsets, offset = [], 0.0
    for number, item in enumerate(layer):
        if number:
            above = layer[number - 1]
            apart = _BOX_GAP if isinstance(item, str) or isinstance(above, str) else _WIRE_GAP
            offset += (heights[above] + heights[item]) / 2 + apart
        offsets.append(offset)
    pools: list[tuple[float, int]] = []
    for item, room in zip(layer, offsets, strict=True):
        mean, count = wanted[item] - room, 1
        while pools and pools[-1][0] > mean:
            pooled_mean, more = pools.pop()
            mean, count = (mean * count + pooled_mean * more) / (count + more), count + more
        pools.append((mean, count))
    places = [mean for mean, count in pools for _ in range(count)]
    return {item: place + room for item, place, room in zip(layer, places, offsets, strict=True)}


def _port_heights(sides: _Sides, centres: Mapping[LayerItem, float], chains: Sequence[Sequence[LayerItem]]) -> _Ports:
    """Return at which height each edge meets each item that it runs through, on its left (True) and on its right."""
    neighbour: dict[tuple[int, LayerItem, bool], LayerItem] = {}
    for edge, chain in enumerate(chains):
        for left_item, right_item in pairwise(chain):
            neighbour[edge, left_item, False], neighbour[edge, right_item, True] = right_item, left_item
    ports = {}
    for item, both in sides.items():
        for edges, left in zip(both, (True, False), strict=True):
            ordered = sorted((centres[neighbour[edge, item, left]], edge) for edge in edges)
            for row, (_, edge) in enumerate(ordered):
                ports[edge, item, left] = centres[item] + (row - (len(ordered) - 1) / 2) * PORT_DISTANCE
    return ports


def _zone_widths(layering: Layering, labels: Sequence[str], ports: _Ports) -> list[tuple[float, float]]:
    """Return after each column but the last how wide its wires bend, and how long they are straight for their labels."""
    number_of = {item: number for number, layer in enumerate(layering.layers) for item in layer}
    zones = [(_BEND, 12.0)] * (len(layering.layers) - 1)
    for edge, chain in enumerate(layering.chains):
        for left_item, right_item in pairwise(chain):
            number = number_of[left_item]
            bend, straight = zones[number]
            rise = abs(ports[edge, left_item, False] - ports[edge, right_item, True])
            label = text_width(labels[edge], LABEL_SIZE) + 28 if right_item == chain[-1] else 12.0
            zones[number] = max(bend, min(_BEND + _BEND_SLOPE * rise, _LONGEST_BEND)), max(straight, label)
    return zones
