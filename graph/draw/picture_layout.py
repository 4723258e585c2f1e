"""The layout of a drawing: boxes with names in layers from left to right, wires between them and their labels, without overlap.

The layers are those of Sugiyama, Tagawa and Toda (1981): break cycles, layer by longest paths, give an edge that spans several
layers a point in each, and sort each layer by the mean position of the neighbours. Between two layers lie a zone in which the
wires bend and one in which each runs straight to its box, with its label above it. Every wire meets a box at a height of its own.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from graph.algorithms.reachability import reachable_vertices

ORDER_SWEEPS = 12
LayerItem = Hashable  # an item of a layer: the name of a node, or (edge, layer) for a point that an edge passes through


@dataclass(frozen=True, slots=True)
class Layering:
    """The items of each layer from top to bottom, and for each edge the items that it runs through, from left to right."""

    layers: Sequence[Sequence[LayerItem]]
    chains: Sequence[Sequence[LayerItem]]

    def steps(self) -> Iterator[tuple[int, LayerItem, LayerItem]]:
        """Yield every step of every edge between two layers: the number of the edge, the left item and the right item."""
        for edge, chain in enumerate(self.chains):
            yield from ((edge, left, right) for left, right in pairwise(chain))


def assign_layers(pairs: Sequence[tuple[str, str]]) -> Layering:
    """Return the layering of edges between different nodes, given by the names of their ends, the most important first."""
    layer = _layer_by_longest_path(pairs)
    chains: list[list[LayerItem]] = []
    layers: list[list[LayerItem]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for name, number in layer.items():
        layers[number].append(name)
    for edge, (start, end) in enumerate(pairs):
        left, right = (start, end) if layer[start] < layer[end] else (end, start)
        numbers = range(layer[left] + 1, layer[right])
        for number in numbers:
            layers[number].append((edge, number))
        chains.append([left, *((edge, number) for number in numbers), right])
    return Layering(_order_layers(Layering(layers, chains)), chains)


def _layer_by_longest_path(pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the layer of each node: edges point to the right, except those that close a cycle of edges before them."""
    after: dict[str, list[str]] = {name: [] for pair in pairs for name in pair}
    before: dict[str, list[str]] = {name: [] for name in after}
    for start, successor in pairs:
        left, right = (successor, start) if start in reachable_vertices(after, {successor}) else (start, successor)
        after[left].append(right)
        before[right].append(left)
    waiting = {name: len(before[name]) for name in after}
    order = [name for name in after if not waiting[name]]
    layer = dict.fromkeys(after, 0)
    for name in order:  # grows while it is walked
        for successor in after[name]:
            layer[successor] = max(layer[successor], layer[name] + 1)
            waiting[successor] -= 1
            if not waiting[successor]:
                order.append(successor)
    for name in reversed(order):  # a node without predecessors stands next to its nearest successor
        if not before[name] and after[name]:
            layer[name] = min(layer[successor] for successor in after[name]) - 1
    return layer


def _order_layers(layering: Layering) -> list[list[LayerItem]]:
    """Return the layers in the order with the fewest crossings that alternating sweeps find."""
    left: dict[LayerItem, list[LayerItem]] = {}
    right: dict[LayerItem, list[LayerItem]] = {}
    for _, left_item, right_item in layering.steps():
        right.setdefault(left_item, []).append(right_item)
        left.setdefault(right_item, []).append(left_item)
    layers = [list(layer) for layer in layering.layers]
    best, fewest = layers, _count_crossings(layers, right)
    for sweep in range(ORDER_SWEEPS):
        if not fewest:
            break
        near, before = (left, -1) if sweep % 2 == 0 else (right, 1)
        for number in range(1, len(layers)) if before < 0 else range(len(layers) - 2, -1, -1):
            place = {item: row for row, item in enumerate(layers[number + before])}
            rows = {item: [place[end] for end in near.get(item, ())] or [row] for row, item in enumerate(layers[number])}
            means = {item: sum(ends) / len(ends) for item, ends in rows.items()}
            layers[number].sort(key=means.__getitem__)
        crossings = _count_crossings(layers, right)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    return best


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


# The font of the viewer is not known, so widths are those of a wide one (DejaVu Sans).
_JOINERS = "\u200c\u200d"
_ELLIPSIS = "…"
_WIDTHS = {
    " ": 0.34,
    **dict.fromkeys("ijlI|'.,:;!", 0.41),
    **dict.fromkeys('frt()[]-/\\"`*', 0.5),
    **dict.fromkeys("mMwW@%—…&", 1.02),
}
_CLASSES = {"Ll": 0.66, "Lu": 0.8, "Nd": 0.66, "Lo": 0.66, "Ps": 0.66, "Pe": 0.66, "Cf": 0.0}
_ACCENTED_CAPITAL, _MARK, _IDEOGRAPH, _EMOJI, _OTHER = 0.94, 0.55, 1.05, 1.65, 1.1


def displayable_text(text: str) -> str:
    """Return text on one line, without control characters and marks of direction."""
    return " ".join("".join(map(_displayable_character, text)).split())


def text_width(text: str, size: float) -> float:
    """Return the greatest width in pixels of text in letters of `size` pixels."""
    return sum(map(_character_width, text)) * size


def has_known_width(text: str) -> bool:
    """Return whether `text_width` holds in usual fonts: it does for Latin, Greek, Russian, ideographs and emoji."""
    for character in text:
        plain = unicodedata.normalize("NFD", character)[0]
        letter = plain.isascii() or "\xa0" <= plain < "\u01c4" or "\u0300" <= plain < "\u0460" or plain in "—…–’“”→"
        if not letter and unicodedata.east_asian_width(plain) not in "WF" and unicodedata.category(plain) not in ("So", "Cf"):
            return False
    return True


def wrap_lines(text: str, size: float, most: float, limit: int = 4) -> tuple[str, ...]:
    """Return text in lines of at most `most` pixels, at most `limit` of them; a cut text ends in an ellipsis."""
    wrapped: list[str] = []
    line = ""
    for piece, begins_word in _pieces(displayable_text(text), size, most):
        longer = f"{line} {piece}" if line and begins_word else line + piece
        if line and text_width(longer, size) > most:
            wrapped.append(line)
            line = piece
        else:
            line = longer
    wrapped.append(line or "\ufffd")
    if len(wrapped) <= limit:
        return tuple(wrapped)
    last = wrapped[limit - 1]
    while last and text_width(last + _ELLIPSIS, size) > most:
        last = last[:-1]
    return (*wrapped[: limit - 1], last.rstrip() + _ELLIPSIS)


def _pieces(text: str, size: float, most: float) -> Iterator[tuple[str, bool]]:
    """Yield words, or parts of words, no longer than a line, and whether each begins a word; of the first 1,000 characters."""
    for word in text[:1000].split(" "):
        part, begins_word = "", True
        for character in word:
            if part and text_width(part + character, size) > most and _character_width(character) and part[-1] not in _JOINERS:
                yield part, begins_word
                part, begins_word = "", False
            part += character
        yield part, begins_word


def _displayable_character(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if character.isspace() else "" if character == "\u00ad" else "\ufffd"


@lru_cache(maxsize=1 << 12)
def _character_width(character: str) -> float:
    """Return the width of a character as a share of the size of its letters."""
    plain = unicodedata.normalize("NFD", character)[0]
    if plain in _WIDTHS:
        return _WIDTHS[plain]
    kind = unicodedata.category(plain)
    if kind == "So":
        return _EMOJI
    if unicodedata.east_asian_width(plain) in "WF":
        return _IDEOGRAPH
    if "\u0300" <= plain < "\u0370":
        return 0.0
    if kind in ("Mn", "Me"):
        return _MARK
    narrow = _CLASSES.get(kind, _OTHER)
    if kind in ("Cf", "Lo") or (plain == character and plain.isascii()):
        return narrow  # letters without case have their length in the picture
    return _OTHER if not plain.isascii() else _ACCENTED_CAPITAL if kind == "Lu" else narrow


NAME_SIZE = 14.0  # the size of the letters of names, in pixels
LABEL_SIZE = 11.0
LINE_HEIGHT = 18.0
PORT_DISTANCE = 22.0  # the distance of the wires at a box
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


@dataclass(frozen=True, slots=True)
class Box:
    """A name in its lines, in a rectangle."""

    name: str
    lines: tuple[str, ...]
    frame: Frame


@dataclass(frozen=True, slots=True)
class Wire:
    """The course of an edge from its left end, the node `start`, to its right end, and the place of its label."""

    start: str
    points: tuple[tuple[float, float], ...]  # by fours: a straight line to the second, a bend to the third, a line to the fourth
    label: Frame


@dataclass(frozen=True, slots=True)
class Placement:
    """A drawing: its boxes, a wire for each edge, and its size."""

    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float


def place_drawing(layering: Layering, labels: Sequence[str]) -> Placement:
    """Return the places of the items of a layering and of the labels of its edges."""
    layer_of = {item: number for number, layer in enumerate(layering.layers) for item in layer}
    names = [item for item in layer_of if isinstance(item, str)]
    texts: dict[LayerItem, tuple[str, ...]] = {name: wrap_lines(name, NAME_SIZE, _WIDEST) for name in names}
    widths = {item: max(text_width(line, NAME_SIZE) for line in text) + 2 * _PADDING for item, text in texts.items()}
    neighbours: dict[_Port, LayerItem] = {}
    for edge, left_item, right_item in layering.steps():
        neighbours[edge, left_item, False], neighbours[edge, right_item, True] = right_item, left_item
    counts = Counter((item, left) for _, item, left in neighbours)
    heights = {item: PORT_DISTANCE * max(1, counts[item, True], counts[item, False]) for item in layer_of}
    for item, text in texts.items():
        heights[item] = max(heights[item], LINE_HEIGHT * len(text) + _PADDING)
    centres = _item_centres(layering, heights)
    ports = _port_heights(neighbours, centres)
    columns = [max((widths[item] for item in layer if item in texts), default=0.0) for layer in layering.layers]
    zones = _zone_widths(layering, layer_of, labels, ports)
    lefts = [0.0]
    for column, (bend, straight) in zip(columns, zones, strict=False):
        lefts.append(lefts[-1] + column + bend + straight)
    top = min((centres[item] - heights[item] / 2 for item in centres), default=0.0)
    boxes = []
    for item, text in texts.items():
        number, wide, high = layer_of[item], widths[item], heights[item]
        x = lefts[number] + (columns[number] - wide) / 2
        boxes.append(Box(str(item), text, Frame(x, centres[item] - high / 2 - top, wide, high)))
    frames: dict[LayerItem, Frame] = {box.name: box.frame for box in boxes}
    wires = []
    for edge, chain in enumerate(layering.chains):
        points: list[tuple[float, float]] = []
        for left_item, right_item in pairwise(chain):
            number = layer_of[left_item]
            right = frames[left_item].x + frames[left_item].width if left_item in frames else lefts[number]
            bends = lefts[number] + columns[number]
            y, end = ports[edge, left_item, False] - top, ports[edge, right_item, True] - top
            points += [(right, y), (bends, y), (bends + zones[number][0], end)]
            points.append((frames[right_item].x if right_item in frames else lefts[number + 1], end))
        last = layer_of[chain[-1]]
        x, y = lefts[last] - zones[last - 1][1] + 6, points[-1][1] - LABEL_SIZE - 6
        wires.append(Wire(str(chain[0]), tuple(points), Frame(x, y, text_width(labels[edge], LABEL_SIZE), LABEL_SIZE + 4)))
    bottom = max((centres[item] + heights[item] / 2 for item in centres), default=0.0)
    return Placement(tuple(boxes), tuple(wires), lefts[-1] + (columns[-1] if columns else 0.0), bottom - top)


_Port = tuple[int, LayerItem, bool]  # where an edge meets an item that it runs through: on its left (True) or on its right


def _item_centres(layering: Layering, heights: Mapping[LayerItem, float]) -> dict[LayerItem, float]:
    """Return the heights of the items: close to their neighbours, in the order of their layers, without overlap."""
    near: dict[LayerItem, list[LayerItem]] = {}
    for _, left_item, right_item in layering.steps():
        near.setdefault(left_item, []).append(right_item)
        near.setdefault(right_item, []).append(left_item)
    centres: dict[LayerItem, float] = {}
    for layer in layering.layers:
        centres |= _stack_items(layer, dict.fromkeys(layer, 0.0), heights)
    for sweep in range(_HEIGHT_SWEEPS):
        for layer in layering.layers if sweep % 2 else reversed(layering.layers):
            neighbours = {item: near.get(item, [item]) for item in layer}
            wanted = {item: sum(map(centres.__getitem__, ends)) / len(ends) for item, ends in neighbours.items()}
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


def _port_heights(neighbours: Mapping[_Port, LayerItem], centres: Mapping[LayerItem, float]) -> dict[_Port, float]:
    """Return the heights of the ports: at each side of an item in the order of the neighbours, around its centre."""
    sides: dict[tuple[LayerItem, bool], list[tuple[float, int]]] = {}
    for (edge, item, left), neighbour in neighbours.items():
        sides.setdefault((item, left), []).append((centres[neighbour], edge))
    ports = {}
    for (item, left), edges in sides.items():
        for row, (_, edge) in enumerate(sorted(edges)):
            ports[edge, item, left] = centres[item] + (row - (len(edges) - 1) / 2) * PORT_DISTANCE
    return ports


def _zone_widths(
    layering: Layering, layer_of: Mapping[LayerItem, int], labels: Sequence[str], ports: Mapping[_Port, float]
) -> list[tuple[float, float]]:
    """Return the widths of the zones behind each layer but the last: of the bends, and of the straight lines with the labels."""
    zones = [(_BEND, 12.0)] * (len(layering.layers) - 1)
    for edge, left_item, right_item in layering.steps():
        number = layer_of[left_item]
        bend, straight = zones[number]
        rise = abs(ports[edge, left_item, False] - ports[edge, right_item, True])
        label = text_width(labels[edge], LABEL_SIZE) + 28 if right_item == layering.chains[edge][-1] else 12.0
        zones[number] = max(bend, min(_BEND + _BEND_SLOPE * rise, _LONGEST_BEND)), max(straight, label)
    return zones
