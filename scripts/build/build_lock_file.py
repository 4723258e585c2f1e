"""Write the lock files of the install and test commands: what is installed here, each with the SHA-256 of its file on the index.

    python scripts/build/build_lock_file.py    # scripts/locked/cpython-311-linux-x86_64-web.txt and so on, with Python 3.11 there

Run it in the .venv that scripts/test.sh makes, after an upgrade: the versions are those that the tests ran with. pip asks the
index for the hashes and for what builds the package; nothing is installed. scripts/setup.sh installs from the files where Python
and machine are the same, and pip refuses what has another hash.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from build_bill_of_materials import ROOT, required_distributions, requirements_of_project
from packaging.utils import canonicalize_name

from graph.atomic_file import write_atomically

LOCKED_EXTRAS = (("web",), ("dev", "cluster", "rdf", "web", "mcp"))
"""The extras that scripts/ask.sh and scripts/test.sh install; the last ones hold the others."""


def lock_file(extras: Sequence[str]) -> Path:
    """Return the lock file of some extras for this Python and machine."""
    tag = f"{sys.implementation.cache_tag}-{sys.platform}-{platform.machine()}"
    return ROOT / "scripts" / "locked" / f"{'-'.join([tag, *extras])}.txt"


def resolved_lines(requirements: list[str], *options: str) -> list[str]:
    """Return a line of a lock file for each distribution that pip would install."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", str(report)]
        subprocess.run([*command, *options, *requirements], check=True)
        entries: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return [
        f"{entry['metadata']['name'].lower()}=={entry['metadata']['version']}"
        f" --hash=sha256:{entry['download_info']['archive_info']['hashes']['sha256']}"
        for entry in entries
    ]


def main() -> None:
    """Write every lock file."""
    builders: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    building = resolved_lines([*builders, "editables"])
    needed = [required_distributions(requirements_of_project(extras)) for extras in LOCKED_EXTRAS]
    pins = [f"{name}=={installed.version}" for name, (installed, _) in needed[-1].items()]
    lines = resolved_lines(pins, "--no-deps")
    for extras, names in zip(LOCKED_EXTRAS, needed, strict=True):
        chosen = [line for line in lines if canonicalize_name(line.partition("==")[0]) in names]
        lock_file(extras).parent.mkdir(exist_ok=True)
        with write_atomically(lock_file(extras)) as file:
            file.write("# Made by scripts/build/build_lock_file.py; installed by scripts/setup.sh.\n")
            file.writelines(f"{line}\n" for line in sorted({*building, *chosen}))


if __name__ == "__main__":
    main()
