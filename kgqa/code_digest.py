"""The digest of the program: of its modules, rules and tables, which change more often than its version."""

from __future__ import annotations

import hashlib
from pathlib import Path

import graph
import kgqa

_TEXT_SUFFIXES = (".py", ".tsv", ".toml", ".json", ".txt", ".cypher")


def code_digest(packages: tuple[Path, ...] | None = None) -> str:
    """Return 32 hexadecimal digits that depend on the modules, rules and tables of the packages; by default `graph` and `kgqa`.

    Graphs and other large files count by their name and size.
    """
    digest = hashlib.sha256()
    for package in packages or tuple(Path(module.__file__).parent for module in (graph, kgqa) if module.__file__):
        for path in sorted(package.rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            name = path.relative_to(package.parent).as_posix()
            content = path.read_bytes() if path.suffix in _TEXT_SUFFIXES else str(path.stat().st_size).encode()
            digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:32]
