"""The strongly connected components of a small map from concepts to their causes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def components(causes: Mapping[Name, Sequence[Name]]) -> Iterator[list[Name]]:
    """Yield the components, causes before their effects, and inside of each as far as a circle allows (Tarjan 1972)."""
    order: dict[Name, int] = {}
    lowest: dict[Name, int] = {}
    done: set[Name] = set()
    stack: list[Name] = []
    for root in causes:
        if root in order:
            continue
        walk = [(root, iter(causes[root]))]
        order[root] = lowest[root] = len(order)
        stack.append(root)
        while walk:
            name, left = walk[-1]
            for cause in left:
                if cause not in order:
                    order[cause] = lowest[cause] = len(order)
                    stack.append(cause)
                    walk.append((cause, iter(causes[cause])))
                    break
                if cause not in done:
                    lowest[name] = min(lowest[name], order[cause])
            else:
                walk.pop()
                if walk:
                    lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[name])
                if lowest[name] == order[name]:
                    place = stack.index(name)
                    component = stack[: place - 1 : -1] if place else stack[::-1]
                    del stack[place:]
                    done.update(component)
                    yield component
