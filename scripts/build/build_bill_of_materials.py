"""Write the software bill of materials of kgqa, as it is installed here: CycloneDX 1.5 in JSON, with licences.

    python scripts/build/build_bill_of_materials.py bom.json                  # what `pip install kgqa` brings
    python scripts/build/build_bill_of_materials.py bom.json --extra rdf      # and an extra, which may be repeated

Components are the installed distributions that the requirements of pyproject.toml lead to. The same installation gives the same
bytes.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from graph.atomic_file import write_atomically
from kgqa import __version__

ROOT = Path(__file__).parents[2]
_LICENCE_CLASSIFIER = "License :: "
_LONGEST_LICENCE = 100
"""Some distributions have the text of a licence in the place of its name; its first line names it."""


class NotInstalled(SystemExit):
    """A distribution that is required is not installed here, so that its version is unknown."""


def requirements_of_project(extras: Iterable[str] = ()) -> list[Requirement]:
    """Return the requirements of pyproject.toml, and those of some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional: dict[str, list[str]] = project["optional-dependencies"]
    return [Requirement(text) for text in [*project["dependencies"], *(text for extra in extras for text in optional[extra])]]


def required_distributions(requirements: Iterable[Requirement]) -> dict[str, tuple[Distribution, list[str]]]:
    """Return the installed distributions that requirements lead to, by their normal names, each with the names that it requires.

    Raises `NotInstalled` for one that is not installed.
    """
    required: dict[str, tuple[Distribution, list[str]]] = {}
    waiting = [(requirement, "") for requirement in requirements]
    seen: set[tuple[str, str]] = set()
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for wanted in ("", *sorted(requirement.extras)):
            if (name, wanted) in seen:
                continue
            seen.add((name, wanted))
            try:
                installed = distribution(requirement.name)
            except PackageNotFoundError:
                raise NotInstalled(
                    f"'{requirement.name}' is required and not installed; try: pip install '{requirement}'"
                ) from None
            below = [
                needed
                for needed in map(Requirement, installed.requires or ())
                if needed.marker is None or needed.marker.evaluate({"extra": wanted})
            ]
            _, names = required.setdefault(name, (installed, []))
            names.extend(canonicalize_name(needed.name) for needed in below)
            waiting.extend((needed, wanted) for needed in below)
    return required


def licences_of(installed: Distribution) -> list[dict[str, Any]]:
    """Return the licences of a distribution as CycloneDX has them: an expression of SPDX, else its names."""
    fields = installed.metadata
    if "License-Expression" in fields:
        return [{"expression": fields["License-Expression"]}]
    classifiers = [text for text in fields.get_all("Classifier") or () if text.startswith(_LICENCE_CLASSIFIER)]
    names = [text.rpartition(" :: ")[2] for text in classifiers if not text.endswith(":: OSI Approved")]
    first = (fields.get_all("License") or [""])[0].strip().partition("\n")[0][:_LONGEST_LICENCE]
    return [{"license": {"name": name}} for name in names or [first] if name]


def bill_of_materials(extras: Sequence[str] = ()) -> dict[str, Any]:
    """Return the bill of materials of kgqa with some extras; raises `NotInstalled`."""
    requirements = requirements_of_project(extras)
    required = sorted(required_distributions(requirements).items())
    references = {name: f"pkg:pypi/{name}@{installed.version}" for name, (installed, _) in required}
    ours = f"pkg:pypi/kgqa@{__version__}"
    components: list[dict[str, Any]] = [
        {
            "type": "library",
            "bom-ref": references[name],
            "name": installed.metadata["Name"],
            "version": installed.version,
            "purl": references[name],
            "licenses": licences_of(installed),
        }
        for name, (installed, _) in required
    ]
    direct = sorted({canonicalize_name(requirement.name) for requirement in requirements} & references.keys())
    tree: dict[str, Sequence[str]] = {ours: direct, **{references[name]: sorted(set(names)) for name, (_, names) in required}}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": "kgqa",
                "version": __version__,
                "purl": ours,
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": components,
        "dependencies": [
            {"ref": reference, "dependsOn": [references[name] for name in names if name in references]}
            for reference, names in tree.items()
        ],
    }


def main() -> None:
    """Write the bill of materials into a file, or to stdout for "-"."""
    parser = argparse.ArgumentParser(description=re.split(r"\n\n", __doc__ or "")[0])
    parser.add_argument("out")
    parser.add_argument("--extra", action="append", default=[])
    arguments = parser.parse_args()
    with write_atomically(arguments.out) as file:
        file.write(json.dumps(bill_of_materials(arguments.extra), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
