"""Broken files of every format: read or refused in words, and the claims that were stored before are all there after."""

from __future__ import annotations

import bz2
import gzip
import json
import random
import shutil
from pathlib import Path

from trials import NotHeld, damaged, digest, drawn_claims, last_line, load_claims, records, run

CLAIM = "Heavy rain caused floods in 1953. Smoking causes lung cancer, and floods led to crop loss."
PAGE = (
    "<page><title>Rain</title><ns>0</ns><id>{0}</id><revision><id>{0}</id><timestamp>2016-01-01T00:00:00Z</timestamp>"
    "<text>{{{{Infobox|cause=[[rain]]}}}} "
    "'''Rain''' {1}\n== Effects ==\n* [[flood|floods]]\n{{|\n| a || b\n|}}</text></revision></page>"
)
RELATION = {"causal_relation": {"cause": {"concept": "heavy_rain"}, "effect": {"concept": "flood"}}, "sources": []}
FORMATS: dict[str, tuple[str, str]] = {
    "load csv": ("claims.csv", ""),
    "load jsonl": (
        "claims.jsonl",
        "".join(json.dumps({"cause": f"rain {n}", "effect": "flood", "text": CLAIM}) + "\n" for n in range(20)),
    ),
    "load causenet": ("causenet.jsonl", (json.dumps(RELATION) + "\n") * 20),
    "load conceptnet": ("conceptnet.csv", "".join(f'rain {n},"[""flood"", ""mud""]"\n' for n in range(20))),
    "load rdf": ("claims.ttl", ""),
    "mine jsonl": ("texts.jsonl", "".join(json.dumps({"id": str(n), "title": "Rain", "text": CLAIM}) + "\n" for n in range(20))),
    "mine wikiextractor": (
        "wiki_00",
        "".join(f'<doc id="{n}" url="https://a.b/{n}" title="Rain">\nRain\n\n{CLAIM}\n</doc>\n' for n in range(20)),
    ),
    "mine xml": ("dump.xml", "<mediawiki>" + "".join(PAGE.format(n, CLAIM) for n in range(20)) + "</mediawiki>"),
    "mine html": (
        "page.html",
        f"<html><head><title>Rain</title></head><body><h1>Rain</h1><p>{CLAIM}</p><table><tr><td>x</table></body></html>",
    ),
    "mine wikitext": ("page.wikitext", f"'''Rain''' {CLAIM}\n== Effects ==\n* [[flood]]\n<ref name=a>b</ref> {{{{cite|a=b}}}}"),
    "mine text": ("page.txt", CLAIM * 10),
}
"""A whole file by the command that reads it."""


def prepare(given: Path) -> None:
    """Make a graph, and a whole file of each format."""
    load_claims(given / "graph.kgqa", drawn_claims(random.Random(4), 300), given / "claims.csv")
    if (ended := run("export", "rdf", given / "claims.ttl", "-g", given / "graph.kgqa")).code:
        raise NotHeld(last_line(ended.err))
    for name, text in FORMATS.values():
        if text:
            (given / name).write_text(text, encoding="utf-8")


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Read one broken file into a copy of the graph, or index it."""
    kind = chance.choice(list(FORMATS))
    command, form = kind.split()
    name = FORMATS[kind][0]
    data = damaged(chance, (given / name).read_bytes())
    packed = chance.choice(("", "", ".gz", ".bz2"))
    if packed:
        data = (gzip.compress if packed == ".gz" else bz2.compress)(data)
        data = damaged(chance, data) if chance.random() < 0.5 else data
    broken = place / (name + packed)
    broken.write_bytes(data)
    graph = Path(shutil.copy(given / "graph.kgqa", place / "graph.kgqa"))
    before = records(run("stats", "-g", graph, "--json"))[0]
    try:
        if command == "load":
            ended = run("load", form, broken, "-g", graph)
        elif chance.random() < 0.3:
            ended = run("index", broken, "--format", form, "-o", place / "out.passages")
        else:
            ended = run("mine", broken, "--format", form, "-g", graph, "--judge", "none", "--workers", "1")
        digest(graph)
    except NotHeld as failure:
        raise NotHeld(f"{kind}{packed}: {failure}") from None
    after = records(run("stats", "-g", graph, "--json"))[0]
    if lost := [field for field in ("claims", "evidence", "concepts") if after.get(field, 0) < before.get(field, 0)]:
        raise NotHeld(f"{kind}{packed}: fewer {', '.join(lost)} than before")
    return f"{kind}{packed}: exit code {ended.code}"
