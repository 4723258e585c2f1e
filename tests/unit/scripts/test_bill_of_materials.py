"""The software bill of materials: that it holds every dependency, with its version and licence."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "scripts" / "build" / "build_bill_of_materials.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def bill(tmp_path: Path, *extras: str) -> dict[str, Any]:
    options = [word for extra in extras for word in ("--extra", extra)]
    subprocess.run([sys.executable, SCRIPT, tmp_path / "bom.json", *options], check=True)
    return json.loads((tmp_path / "bom.json").read_text())


@pytest.mark.parametrize("extras", [(), ("rdf", "web", "mcp")])
def test_every_dependency_is_held_with_its_version_and_licence(extras: tuple[str, ...], tmp_path: Path) -> None:
    held = bill(tmp_path, *extras)
    components = {canonicalize_name(component["name"]): component for component in held["components"]}
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in PROJECT["optional-dependencies"][extra])]
    wanted = list(map(Requirement, texts))
    for name in components:
        wanted += [line for line in map(Requirement, distribution(name).requires or ()) if "extra" not in str(line.marker)]
    needed = {canonicalize_name(line.name) for line in wanted if line.marker is None or line.marker.evaluate()}
    assert needed <= set(components)
    for name, component in components.items():
        assert component["version"] == distribution(name).version
        assert component["purl"] == f"pkg:pypi/{name}@{component['version']}"
        assert component["licenses"], name


def test_the_bill_is_cyclonedx_whose_references_lead_somewhere(tmp_path: Path) -> None:
    held = bill(tmp_path)
    assert (held["bomFormat"], held["specVersion"], held["version"]) == ("CycloneDX", "1.5", 1)
    references = {held["metadata"]["component"]["bom-ref"], *(component["bom-ref"] for component in held["components"])}
    assert len(references) == len(held["components"]) + 1
    assert {row["ref"] for row in held["dependencies"]} == references
    assert {below for row in held["dependencies"] for below in row["dependsOn"]} <= references
    assert bill(tmp_path) == held


def test_what_is_not_installed_is_told(tmp_path: Path) -> None:
    program = "import runpy, sys; m = runpy.run_path(sys.argv[1]); from packaging.requirements import Requirement as R;"
    ended = subprocess.run(
        [sys.executable, "-c", program + "m['required_distributions']([R('no-such-thing-at-all>=1')])", SCRIPT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (
        1,
        "'no-such-thing-at-all' is required and not installed; try: pip install 'no-such-thing-at-all>=1'\n",
    )
