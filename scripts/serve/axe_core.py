"""axe-core, which checks pages for what people with disabilities need; fetched once by npm into the user's cache.

The licence is MPL-2.0. It is used by tests alone.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

from kgqa.settings import cache_folder

VERSION = "4.14.1"


def axe_source() -> str | None:
    """Return the script, fetched if it is not there yet; `None` without npm, a cache or a network."""
    cache = cache_folder()
    if cache is None:
        return None
    script = cache / "tests" / f"axe-core-{VERSION}.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            return None
        script.parent.mkdir(parents=True, exist_ok=True)
        command = [npm, "pack", "--silent", "--pack-destination", str(script.parent), f"axe-core@{VERSION}"]
        if subprocess.run(command, capture_output=True, check=False, timeout=120).returncode:
            return None
        archive = script.parent / f"axe-core-{VERSION}.tgz"
        with tarfile.open(archive) as package:
            member = package.extractfile("package/axe.min.js")
            script.write_bytes(member.read() if member else b"")
        archive.unlink()
    return Path(script).read_text(encoding="utf-8")
