"""The nodes of a drawing in layers from left to right, so that as many edges as can be point to the right and few cross.

The method is that of Sugiyama, Tagawa and Toda (1981): break cycles, layer by longest paths, let edges that span several layers
pass through points of their own, and sort each layer by the mean position of the neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
    """Return whether a walk leads from `start` to `end`."""
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
    """Return the mean row of some items, or the row where an item without neighbours is."""
    return sum(place[item] for item in items) / len(items) if items else float(alone)


def _count_crossings(layers: Sequence[Sequence[LayerItem]], right: Mapping[LayerItem, Sequence[LayerItem]]) -> int:
    """Return how often edges cross between layers."""
    crossings = 0
    for layer, following in pairwise(layers):
        place = {item: row for row, item in enumerate(following)}
        ends: list[int] = []
        for item in layer:
            rows = sorted(place[neighbour] for neighbour in right.get(item, ()))
            crossings += sum(sum(end > row for end in ends) for row in rows)
            ends.extend(rows)
    return crossings
