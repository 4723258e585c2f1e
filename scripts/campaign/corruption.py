"""Damage a file that kgqa reads: an answer is the same as before, or there is an error in a line; never another answer."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

from trials import ENDS, NotHeld, damaged, drawn_claims, last_line, load_claims, records, run, write_articles

QUESTIONS = (*(f"What causes {name}?" for name in ENDS[:6]), "Does smoking cause lung cancer?", "How does rain lead to famine?")


def targets(folder: Path) -> list[str]:
    """Return the files that kgqa reads in a folder, the graph itself twice: it is drawn more often."""
    files = [str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.is_file()]
    return ["graph.kgqa", *(name for name in files if not name.endswith((".json", ".csv", ".jsonl", "-lock")))]


def asked(place: Path, question: str, target: str) -> list[str]:
    """Return the arguments that read a target."""
    if target == "text.passages":
        return ["ask", question, "-g", f"{place}/graph.kgqa", "--corpus", f"{place}/text.passages", "--json"]
    if target == "answer.receipt":
        return ["replay", f"{place}/answer.receipt", "--json"]
    return ["ask", question, "-g", f"{place}/graph.kgqa", "--json"]


def prepare(given: Path) -> None:
    """Make a graph with an index and vectors, an index of passages and a receipt, and their answers."""
    chance = random.Random(2)
    load_claims(given / "graph.kgqa", drawn_claims(chance, 1500), given / "graph.csv")
    write_articles(given / "text.jsonl", chance, 40)
    for arguments in (
        ("embed", "-g", given / "graph.kgqa"),
        ("index", given / "text.jsonl", "-o", given / "text.passages"),
        ("ask", QUESTIONS[0], "-g", given / "graph.kgqa", "--receipt", given / "answer.receipt"),
    ):
        if (ended := run(*arguments)).code:
            raise NotHeld(f"{arguments[0]}: {last_line(ended.err)}")
    answers = {
        target: {question: records(run(*asked(given, question, target))) for question in QUESTIONS} for target in targets(given)
    }
    (given / "answers.json").write_text(json.dumps(answers))


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Damage one file and ask one question."""
    target, question = chance.choice(targets(given)), chance.choice(QUESTIONS)
    shutil.copytree(given, place, dirs_exist_ok=True)
    whole = (given / target).read_bytes()
    (place / target).write_bytes(changed := damaged(chance, whole))
    others = sum(before != after for before, after in zip(whole, changed, strict=False))
    tried = f"{target}: {others} bytes changed, {len(changed) - len(whole):+} bytes"
    try:
        ended = run(*asked(place, question, target))
        answered = records(replace(ended, out=ended.out.replace(str(place), str(given)))) if ended.code == 0 else None
    except NotHeld as failure:
        raise NotHeld(f"{tried}: {question}: {failure}") from None
    if answered is not None and answered != json.loads((given / "answers.json").read_text())[target][question]:
        raise NotHeld(f"{tried}: {question}: another answer, and no error")
    return tried
