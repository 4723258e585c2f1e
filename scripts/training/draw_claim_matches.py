"""Draw questions with claims that may answer them, to be labelled by readers, and collect the labels.

    python scripts/training/draw_claim_matches.py draw CLAIMS.npz FOLDER QUESTIONS.tsv... [--encoder FOLDER] [--each 6]
    python scripts/training/draw_claim_matches.py collect FOLDER MATCHES.tsv

Lines of QUESTIONS are `ID<TAB>FORM<TAB>QUESTION`; CLAIMS.npz is made by `scripts/training/train_claim_matcher.py embed`. The
candidates of a question are the claims whose vectors by e5-small are nearest to its own, and those of what one of its phrases is
surely linked to; all but one that are drawn have the highest sum of both, that one is drawn by chance. FOLDER gets rows.tsv,
where the ends of each claim stand, and sheets of 150 lines `ID<TAB>QUESTION<TAB>CLAIM`. `collect` joins them with the files of
the folder `labels`, whose lines are `ID<TAB>LABEL`: docs/judgements/claim-matches.tsv. Needs torch, transformers and onnx.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from reader.base_encoder import fetched
from train_claim_matcher import read_tokenizer, teacher_vectors

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from label_claims import write_sheets

from graph.cached_view import CachedView
from graph.model import Edge
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.matching.claim_candidates import claim_candidates
from kgqa.answering.matching.claim_matcher import LABELS, claim_text
from kgqa.pipeline import check_question
from kgqa.questions.classifier import classify
from kgqa.questions.preprocess import select_question
from kgqa.request import Request
from kgqa.settings import starter_graph
from kgqa.wording.claim_clauses import as_sentence, modal_clause

SHEET_LINES = 150
WORDS_WEIGHT = 0.05
"""The weight of the share of words beside the cosine of the vectors."""
NEAREST, RANKS = 60, 40
"""How many claims are candidates by their vectors, and among how many of all one is drawn by chance."""
COLUMNS = ("id", "of", "form", "question", "cause", "relation", "polarity", "effect", "claim")
MATCH_COLUMNS = ("of", "question", "cause", "relation", "polarity", "effect", "label", "reader")


def main() -> None:
    """Write sheets, or the file of their labels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    command = steps.add_parser("draw")
    command.set_defaults(step=draw)
    command.add_argument("claims", type=Path)
    command.add_argument("folder", type=Path)
    command.add_argument("questions", type=Path, nargs="+")
    command.add_argument("--encoder", type=Path, default=Path("encoder"))
    command.add_argument("--each", type=int, default=6)
    command = steps.add_parser("collect")
    command.set_defaults(step=collect)
    command.add_argument("folder", type=Path)
    command.add_argument("matches", type=Path)
    options = parser.parse_args()
    options.step(options)


def draw(options: argparse.Namespace) -> None:
    """Write rows.tsv and its sheets into a folder."""
    lines = (line.split("\t") for path in options.questions for line in path.read_text(encoding="utf-8").splitlines())
    questions = [(number, form, question) for number, form, question, *_ in lines]
    random.Random(16).shuffle(questions)
    known = np.load(options.claims)
    model, tokenizer = fetched(options.encoder)
    vectors = teacher_vectors([question for *_, question in questions], model, read_tokenizer(tokenizer)).astype(np.float32)
    cosines = vectors @ known["vectors"].astype(np.float32).T
    rows: list[dict[str, str]] = []
    with open_store(starter_graph()) as store:
        edges = {claim_text(edge.claim): edge for edge in store.edges()}
        for (number, form, question), row in zip(questions, cosines, strict=True):
            near = {text: float(cosine) for text, cosine in zip(known["texts"].tolist(), row, strict=True)}
            drawn = _draw(number, question, near, CachedView(store), options.each)
            rows += (_row(f"{number}-{place}", number, form, question, edges[text]) for place, text in enumerate(drawn, 1))
    options.folder.mkdir(parents=True, exist_ok=True)
    _write(options.folder / "rows.tsv", COLUMNS, rows)
    (options.folder / "sheets").mkdir(exist_ok=True)
    write_sheets(options.folder / "sheets", "m", rows, SHEET_LINES, _sheet)
    print(f"{len(questions)} questions, {len(rows)} rows")


def _draw(number: str, question: str, near: dict[str, float], view: GraphView, each: int) -> list[str]:
    """Return the texts of the claims that are drawn for a question, in an order that tells nothing."""
    text, kind, _ = select_question(check_question(question), classify)
    words = {claim_text(item.claim): item.share for item in claim_candidates(Request(text, kind, view))}
    pool = {*sorted(near, key=near.__getitem__, reverse=True)[:NEAREST], *(name for name in words if name in near)}
    ranked = sorted(pool, key=lambda name: (-near[name] - WORDS_WEIGHT * words.get(name, 0.0), name))
    chance = random.Random(number)
    drawn = ranked[: each - 1]
    if len(ranked) >= each:
        drawn.append(chance.choice(ranked[each - 1 : RANKS]))
    chance.shuffle(drawn)
    return drawn


def _row(number: str, of: str, form: str, question: str, edge: Edge) -> dict[str, str]:
    claim = edge.claim
    ends = (claim.cause, claim.relation.value, claim.polarity.value, claim.effect)
    return dict(zip(COLUMNS, (number, of, form, question, *ends, as_sentence(modal_clause(edge))), strict=True))


def _sheet(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield from (f"{row['id']}\t{row['question']}\t{row['claim']}" for row in rows)


def collect(options: argparse.Namespace) -> None:
    """Write the rows that have a label, each with its reader: the sheet of the label."""
    labels = {}
    for path in sorted((options.folder / "labels").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            number, label = line.split("\t")[:2]
            if label in LABELS:
                labels[number] = label, path.stem
    with (options.folder / "rows.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    labelled = [
        dict(row, label=label, reader=reader) for row in rows for label, reader in [labels.get(row["id"], ("", ""))] if label
    ]
    _write(options.matches, MATCH_COLUMNS, labelled)
    print(f"{len(labelled)} of {len(rows)} rows have a label")


def _write(path: Path, columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(
            out, columns, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n", extrasaction="ignore"
        )
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
