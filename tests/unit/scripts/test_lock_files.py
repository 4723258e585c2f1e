"""The lock files of the install and test commands hold every requirement, each with a hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKED_LINE = re.compile(r"([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}")


@pytest.mark.parametrize("script", ["ask.sh", "check.sh", "test.sh"])
def test_every_requirement_of_a_script_is_locked_in_a_version_that_fits(script: str) -> None:
    (extras,) = re.findall(r'^EXTRA="([\w,]+)"$', (ROOT / "scripts" / script).read_text(), re.MULTILINE)
    files = list((ROOT / "scripts" / "locked").glob(f"*-{extras.replace(',', '-')}.txt"))
    assert files
    optional = PROJECT["project"]["optional-dependencies"]
    texts = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"]]
    wanted = list(map(Requirement, [*texts, *(text for extra in extras.split(",") for text in optional[extra])]))
    for file in files:
        lines = [LOCKED_LINE.fullmatch(line) for line in file.read_text().splitlines() if not line.startswith("#")]
        locked = {canonicalize_name(line[1]): line[2] for line in lines if line is not None}
        assert len(locked) == len(lines)
        assert [str(needed) for needed in wanted if not needed.specifier.contains(locked[canonicalize_name(needed.name)])] == []
