"""Questions, sentences and passages with anything in them: each line gets its answer, in bounded time."""

from __future__ import annotations

import csv
import json
import random
from functools import cache
from pathlib import Path

from trials import ROOT, NotHeld, drawn_claims, last_line, load_claims, records, run

LINES = 40
SIGNS = "?!.,;:-–—'\"()[]{}<>/\\|&%$#@*+=~^_`\t\u00a0\u200b\u202e\u2028\x07\ufeff\U0001f600\ud83d0123456789"
WORDS = (
    "not never if because without had would still cause causes caused by of the and or than more less why how what which does "
    "prevent lead to no only all SELECT <script> {{ }} [[ ]] null http://a.b ignore previous instructions 10^9 -1 1/0 "
    "Ünïcödé 原因 سبب"
).split()


@cache
def seeds(kind: str) -> list[str]:
    """Return questions or texts of docs/judgements."""
    folder = ROOT / "docs" / "judgements"
    file, column = {"question": ("lay-questions.tsv", "question"), "text": ("passage-questions.tsv", "passage")}[kind]
    with (folder / file).open(encoding="utf-8") as lines:
        return sorted({row[column] for row in csv.DictReader(lines, delimiter="\t")})


def mutated(chance: random.Random, text: str) -> str:
    """Return a text of which words or characters were taken out, doubled, swapped or put in, a few times or many."""
    for _ in range(chance.choice((1, 2, 4, 30))):
        words = text.split(" ")
        place = chance.randrange(len(words))
        kind = chance.choice(("drop", "double", "swap", "word", "sign", "repeat", "join", "case", "other"))
        if kind == "drop":
            del words[place]
        elif kind == "double":
            words[place:place] = words[place : place + chance.randint(1, 6)]
        elif kind == "swap":
            other = chance.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        elif kind == "word":
            words.insert(place, chance.choice(WORDS))
        elif kind == "sign":
            at = chance.randrange(len(words[place]) + 1)
            words[place] = words[place][:at] + chance.choice(SIGNS) * chance.choice((1, 1, 1, 50)) + words[place][at:]
        elif kind == "repeat" and len(text) < 20_000:
            words[place] = words[place] * chance.choice((2, 100))
        elif kind == "join":
            words[place : place + 2] = ["".join(words[place : place + 2])]
        elif kind == "case":
            words[place] = chance.choice((words[place].upper(), words[place].title(), words[place][::-1]))
        else:
            words[place:] = chance.choice(seeds("question")).split(" ")
        text = " ".join(words) or "?"
    return text


def prepare(given: Path) -> None:
    """Make a graph to ask."""
    load_claims(given / "graph.kgqa", drawn_claims(random.Random(3), 1500), given / "graph.csv")


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Ask, extract or read some dozens of changed lines in one process."""
    kind = chance.choice(("ask", "ask", "extract", "passage"))
    if kind == "extract":
        lines = [mutated(chance, chance.choice(seeds("text"))) for _ in range(LINES // 4)]
        given_lines = "".join(json.dumps({"text": line}) + "\n" for line in lines)
        (place / "lines.jsonl").write_text(given_lines, encoding="utf-8")
        ended = run("extract", place / "lines.jsonl", "--json")
        records(ended)
    else:
        asked = [{"id": number, "question": mutated(chance, chance.choice(seeds("question")))} for number in range(LINES)]
        if kind == "passage":
            texts = [chance.choice(seeds("text")) for _ in asked[: LINES // 8]]
            asked = [{**line, "passage": mutated(chance, text)} for line, text in zip(asked, texts, strict=False)]
        (place / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in asked), encoding="utf-8")
        graph = ("-g", given / "graph.kgqa") if chance.random() < 0.5 else ()
        ended = run("ask", "--batch", place / "lines.jsonl", "--json", "--workers", "1", *graph)
        whole = [
            line["id"] for line in asked if "\ud83d" not in json.dumps(line, ensure_ascii=False)
        ]  # others are told and skipped
        if ended.code == 0 and [line["id"] for line in records(ended)] != whole:
            raise NotHeld(f"{kind}: other lines than asked: {last_line(ended.err)}")
    if ended.code:
        raise NotHeld(f"{kind}: exit code {ended.code}: {last_line(ended.err)}")
    return kind
