"""The queries of cypher/browser as data: what each asks, the commands that set its parameters, its columns and its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "cypher" / "browser"
_WORDS = re.compile(r" *\([^()]*\)")


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A query with its header. The first line of the file is its title: what Browser calls it among the favourites."""

    name: str
    title: str
    about: str
    examples: tuple[str, ...]
    parameters: tuple[str, ...]
    columns: tuple[str, ...]
    text: str

    @property
    def titled(self) -> str:
        """The query with its title, which Browser shows above the picture."""
        return f"// {self.title}\n{self.text}"


def saved_queries() -> tuple[SavedQuery, ...]:
    """Return the queries of cypher/browser in the order of their names; raises `ValueError` for a header that is not whole."""
    return tuple(map(read_query, sorted(FOLDER.glob("*.cypher"))))


def read_query(path: Path) -> SavedQuery:
    """Return the query of a file; raises `ValueError` for a header that is not whole."""
    lines = path.read_text(encoding="utf-8").splitlines()
    title, *header = [line.removeprefix("// ") for line in lines if line.startswith("// ")]
    found = {kind: [line for line in header if line.startswith(f"{kind}:")] for kind in ("parameters", "columns")}
    if any(len(each) != 1 for each in found.values()):
        raise ValueError(f"'{path.name}' does not say its parameters and columns, each on one line")
    parameters, columns = (_names(each[0]) for each in found.values())
    examples = tuple(line for line in header if line.startswith(":param "))
    about = [line for line in header if line not in examples and not line.startswith(("parameters:", "columns:"))]
    text = "\n".join(line for line in lines if not line.startswith("//"))
    return SavedQuery(path.stem, title, " ".join(about), examples, parameters, columns, text)


def _names(line: str) -> tuple[str, ...]:
    """Return the names in a line such as "columns: path (the arrows), belief"."""
    return tuple(one.strip() for one in _WORDS.sub("", line.partition(":")[2]).split(","))
