"""Names of any characters: stored, asked, drawn and exported they come back the same, and nothing that shows them obeys them."""

from __future__ import annotations

import itertools
import json
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from trials import NotHeld, digest, last_line, records, run

PARTS = (
    *"'\"`\\{}[]<>()&|;:,.!?=+-@#%$^*~_/",
    *"\t\n\r\0\x1b\x07\x7f\x85\u00a0\u200b\u200d\u202e\u2028\u2066\ufeff\ufffd\uffff\U0001f600\U0010ffff",
    *"éÉßİıﬁ́कि原因مطر",
    *(
        "rain",
        "flood",
        "<script>alert(1)</script>",
        "&amp;",
        "]]>",
        "-->",
        "=1+1",
        "${HOME}",
        "{{x}}",
        "%s",
        "'; --",
        "null",
        "1e9",
        "a" * 3000,
    ),
)


def drawn_name(chance: random.Random) -> str:
    """Return a name of one to eight parts."""
    return "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 8))) + chance.choice(("", " rain", " flood"))


def prepare(given: Path) -> None:
    """There is nothing to make."""


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Load claims between such names, and take them through every command that shows or writes them."""
    names = [drawn_name(chance) for _ in range(12)]
    rows = [
        {
            "cause": cause,
            "effect": effect,
            "text": f"{cause} causes {effect}.",
            "title": chance.choice(names),
            "url": chance.choice(names),
        }
        for cause, effect in itertools.pairwise(names)
    ]
    (place / "claims.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    graph = place / "graph.kgqa"
    if (ended := run("load", "jsonl", place / "claims.jsonl", "-g", graph)).code:
        return f"none of the names is one: {last_line(ended.err)}"
    stored = digest(graph)
    shown = [name for name in names if "\0" not in name and not name.startswith("-")]
    for name in shown[:4]:
        for command in ("show", "causes"):
            run(command, name, "-g", graph)
            records(run(command, name, "-g", graph, "--json"))
        run("ask", f"What causes {name}?", "-g", graph)
        if run("export", "svg", place / "out.svg", "-g", graph, "--around", name).code == 0:
            whole_markup(place / "out.svg")
    for kind, file in (("graphml", "out.graphml"), ("rdf", "out.ttl"), ("csv", "out-csv")):
        if (ended := run("export", kind, place / file, "-g", graph)).code:
            raise NotHeld(f"export {kind}: {last_line(ended.err)}")
    whole_markup(place / "out.graphml")
    if (ended := run("load", "rdf", place / "out.ttl", "-g", place / "again.kgqa")).code:
        raise NotHeld(f"load rdf: {last_line(ended.err)}")
    if digest(place / "again.kgqa") != stored:
        raise NotHeld("another digest after export rdf and load rdf")
    return f"{len(rows)} claims"


def whole_markup(file: Path) -> None:
    """Hold a file to be XML without a script."""
    try:
        root = ElementTree.fromstring(file.read_bytes())
    except ElementTree.ParseError as error:
        raise NotHeld(f"{file.suffix} is no XML: {error}") from None
    if any(
        element.tag.lower().endswith("script") or any(name.startswith("on") for name in element.attrib) for element in root.iter()
    ):
        raise NotHeld(f"{file.suffix} holds a script")
