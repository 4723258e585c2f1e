"""Where the index of a graph file lies: in a folder beside it, or in the user's cache where that cannot be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from zlib import crc32

_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def index_folder_of(path: Path) -> Path | None:
    """Return the folder of the index of the graph at `path`; `None` where there is no place for one."""
    return folder_beside(path) if _may_write(path) and _may_write(path.parent) else folder_in_cache(path)


def folder_beside(path: Path) -> Path:
    """Return the folder beside a graph."""
    return path.with_name(f"{path.name}-index")


def folder_in_cache(path: Path) -> Path | None:
    """Return the folder for a graph in the user's cache, or `None` where the user has none."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    home = os.environ.get("HOME", "")
    # A relative path means nothing here: see the XDG Base Directory Specification.
    base = Path(cache) if cache.startswith("/") else Path(home, ".cache") if home.startswith("/") else None
    return None if base is None else base / "kgqa" / "index" / f"{path.name}-{crc32(os.fsencode(path)):08x}"


def _may_write(path: Path) -> bool:
    # What has no write bit at all was made to be read, and stays so for root too, whom the system would let write.
    try:
        return bool(path.stat().st_mode & _WRITE_BITS) and os.access(path, os.W_OK)
    except OSError:
        return False
