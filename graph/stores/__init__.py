"""Stores of causal graphs behind one protocol; `open_store` opens whichever backend an address belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.stores.store_opening import is_new_file as is_new_file
    from graph.stores.store_opening import open_store as open_store

__all__ = ["is_new_file", "open_store"]


def __getattr__(name: str) -> Any:
    """Return an export, imported on first use: the backends import this package, and it must not import them."""
    if name not in __all__:
        raise AttributeError(f"module 'graph.stores' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("graph.stores.store_opening"), name)
