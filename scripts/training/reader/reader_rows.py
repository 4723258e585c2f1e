"""The rows that the reader is trained on and measured on, from the public sets in a data folder.

A row is a question, a passage, and either the character spans of the right answers, or that the answer is yes, no, or not in the
passage. Only train parts are read, with three exceptions that are cut here, since no train part is at hand: of the half of
SQuAD 2.0's development set some articles are held out whole, of BoolQ and of IfQA's train part every so manieth row. A question
that also stands in a development part is left out of training.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

HELD_OUT_ARTICLES = 5
"""How many articles of the SQuAD 2.0 half are held out: the last by name."""
BOOLQ_HELD_OUT = 4
"""Every so manieth row of BoolQ is held out."""
IFQA_CALIBRATION = 10
"""Every so manieth row of IfQA's train part is kept for calibration."""
NEAR = 800
"""How many characters of a long passage are kept around an answer."""

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
).split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_TENS = dict(zip("thirty forty fifty sixty seventy eighty ninety".split(), range(30, 100, 10), strict=True))
VALUES = {
    **{word: value for value, word in enumerate(_WORDS)},
    **{word: value for value, word in enumerate(_ORDINALS)},
    **_TENS,
    **dict.fromkeys("a an another additional single once".split(), 1),
    "couple": 2,
    "pair": 2,
    "twice": 2,
    "dozen": 12,
    "decade": 10,
    "century": 100,
}
_WHY = (
    ("squad_gold_train", "start_idx", "end_idx"),
    ("squad2_training_output_new", "answer_start_idx", "answer_end_idx"),
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|[A-Za-z]+")


@dataclass(slots=True)
class Row:
    """One question on one passage; `kind` is that of `kgqa.readers.reader.AnswerKind`, `spans` are characters of the passage.

    A row of kind "number" may have no spans: then only its kind is known.
    """

    source: str
    question: str
    passage: str
    kind: str
    spans: list[tuple[int, int]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    part: str = "train"
    id: str = ""


def plain(text: str) -> str:
    """Return a question as it is compared: letters and digits in lower case."""
    return " ".join(re.findall(r"\w+", text.lower()))


def found(answer: str, passage: str) -> list[tuple[int, int]]:
    """Return where an answer stands in a passage as whole words, whatever its case and white space."""
    words = answer.split()
    if not words:
        return []
    joined = r"\s+".join(map(re.escape, words))
    before = r"(?<!\w)" if words[0][0].isalnum() else ""
    after = r"(?!\w)" if words[-1][-1].isalnum() else ""
    return [match.span() for match in re.finditer(before + joined + after, passage, re.IGNORECASE)][:8]


def numbers(text: str) -> list[tuple[float, int, int]]:
    """Return the numbers of a text, in digits or as one word, with their places."""
    return [(value, match.start(), match.end()) for match in _NUMBER.finditer(text) if (value := value_of(match[0])) is not None]


def value_of(word: str) -> float | None:
    """Return what a number is worth, or `None` for another word."""
    if word[0].isdigit():
        return float(word.replace(",", ""))
    return VALUES.get(word.lower())


def operands(question: str, passage: str, answers: list[str]) -> list[tuple[int, int]]:
    """Return the numbers of a passage from which one amount of the question makes the answer; empty where none does."""
    goals = {value for answer in answers for value, _, _ in numbers(answer)[:1]}
    amounts = {value for value, _, _ in numbers(question)} | {1.0}
    lower = question.lower()
    factors = {2.0} if re.search(r"\b(?:double|twice|doubled|two times)\b", lower) else set()
    factors |= {0.5} if re.search(r"\b(?:half|halved)\b", lower) else set()
    factors |= {3.0} if re.search(r"\b(?:triple|tripled|three times|thrice)\b", lower) else set()
    spans: list[tuple[int, int]] = []
    for value, start, end in numbers(passage):
        if passage[start:end].lower() in {"a", "an", "another", "additional", "single", "once"}:
            continue
        shifted = any(abs(abs(value - goal) - amount) < 1e-9 and amount > 0 for goal in goals for amount in amounts)
        if shifted or any(abs(value * factor - goal) < 1e-9 for goal in goals for factor in factors):
            spans.append((start, end))
    return spans if len(spans) <= 4 else []


def cut(passage: str, spans: list[tuple[int, int]], dice: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """Return the part of a long passage around one of its spans, with the spans that lie in it."""
    if len(passage) <= NEAR * 1.25:
        return passage, spans
    centre = dice.choice(spans)[0] if spans else dice.randrange(len(passage))
    start = max(0, min(centre - dice.randrange(NEAR), len(passage) - NEAR))
    start = passage.rfind(" ", 0, start) + 1
    end = start + NEAR
    end = passage.rfind(" ", 0, end) if end < len(passage) else len(passage)
    return passage[start:end], [(a - start, b - start) for a, b in spans if a >= start and b <= end]


def ifqa(folder: Path, part: str, split: str = "full") -> Iterator[Row]:
    """Yield IfQA with its gold passages: one row for each passage that tells, or, of a question without one, for the first.

    `split` is "full" (IfQA-S) or "few" (IfQA-F), the paper's two ways to part the questions.
    """
    with (folder / "ifqa" / f"{split}_split" / f"{part}.json").open(encoding="utf-8") as stream:
        items = json.load(stream)
    for place, item in enumerate(items):
        answers, question = item["answers"], item["question"]
        where = "calibration" if part == "train" and place % IFQA_CALIBRATION == 0 else part
        made = [Row("ifqa", question, text, "span", spans) for text in item["context"] if (spans := _all(answers, text))]
        if not made and answers[0].lower().strip(".") in ("yes", "no"):
            made = [Row("ifqa", question, text, answers[0].lower().strip(".")) for text in item["context"][:1]]
        if not made and numbers(answers[0]):
            made = [
                Row("ifqa", question, text, "number", spans)
                for text in item["context"]
                if (spans := operands(question, text, answers))
            ]
            made = made or [Row("ifqa", question, item["context"][0], "number")]
        if not made and where == "dev":
            made = [Row("ifqa", question, item["context"][0], "other")]
        for row in made if where != "dev" else made[:1]:
            row.answers, row.part, row.id = answers, where, f"ifqa-{part}-{place}"
            yield row


def squad2(folder: Path) -> Iterator[Row]:
    """Yield the half of SQuAD 2.0's development set, the last articles by name as held out."""
    with (folder / "reading" / "squad2_half_dev.json").open(encoding="utf-8") as stream:
        articles = json.load(stream)["data"]
    held = held_out_articles(folder)
    for article in articles:
        part = "held-out" if article["title"] in held else "train"
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            for asked in paragraph["qas"]:
                spans = sorted({(one["answer_start"], one["answer_start"] + len(one["text"])) for one in asked["answers"]})
                kind = "null" if asked["is_impossible"] else "span"
                texts = [one["text"] for one in asked["answers"]]
                yield Row("squad2", asked["question"], text, kind, [] if kind == "null" else spans, texts, part, asked["id"])


def held_out_articles(folder: Path) -> list[str]:
    """Return the titles of the SQuAD 2.0 articles that are held out."""
    with (folder / "reading" / "squad2_half_dev.json").open(encoding="utf-8") as stream:
        return sorted(article["title"] for article in json.load(stream)["data"])[-HELD_OUT_ARTICLES:]


def squad_why(folder: Path) -> Iterator[Row]:
    """Yield the why and cause questions of SQuAD's train part."""
    for name, start, end in (
        ("squad_gold_train", "start_idx", "end_idx"),
        ("squad2_training_output_new", "answer_start_idx", "answer_end_idx"),
    ):
        with (folder / "reading" / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                text, answer = row["context"], row["answer"]
                if not answer.strip():
                    yield Row("squad-why", row["question"], text, "null")
                    continue
                spans = [(int(row[start]), int(row[end]))] if row[start].isdigit() and row[end].isdigit() else []
                if not spans or text[slice(*spans[0])].strip() != answer.strip():
                    spans = found(answer, text)
                if spans:
                    yield Row("squad-why", row["question"], text, "span", spans, [answer])


def causalqa(folder: Path, dice: random.Random) -> Iterator[Row]:
    """Yield the slices of Webis-CausalQA-22, train as train and validation as held out."""
    for name in ("squad2", "naturalquestions", "hotpotqa"):
        for part, where in (("train", "train"), ("val", "held-out")):
            with (folder / "causalqa" / f"{name}_{part}.jsonl").open(encoding="utf-8") as stream:
                for line in stream:
                    row = json.loads(line)
                    text, answer = row["passage"] or "", (row["answer"] or "").strip()
                    spans = found(answer, text)
                    if spans:
                        if where == "train":
                            text, spans = cut(text, spans, dice)
                        yield Row(f"causalqa-{name}", row["question"], text, "span", spans, [answer], where, str(row["id"]))


def newsqa(folder: Path, dice: random.Random) -> Iterator[Row]:
    """Yield NewsQA, long stories cut around the answer."""
    for question, text, answer in _slices(folder / "reading" / "newsqa_slice.tsv"):
        spans = found(answer.strip(" ,.;"), text)
        if spans:
            near, kept = cut(text, spans[:3], dice)
            if kept:
                yield Row("newsqa", question, near, "span", kept, [answer])


def drop(folder: Path, dice: random.Random) -> Iterator[Row]:
    """Yield DROP: answers that stand in the passage as spans, other numbers by their kind alone; the second half is held out."""
    rows = list(_slices(folder / "reading" / "drop_dev_slice.tsv"))
    for place, (question, text, answer) in enumerate(rows):
        if place >= len(rows) // 2:
            continue
        spans = found(answer, text)
        numeric = bool(re.fullmatch(r"[\d.,]+", answer))
        if spans and not (numeric and len(spans) > 2):
            near, kept = cut(text, spans, dice)
            if kept:
                yield Row("drop", question, near, "span", kept, [answer])
        elif numeric:
            yield Row("drop", question, cut(text, [], dice)[0], "number", [], [answer])


def boolq(folder: Path) -> Iterator[Row]:
    """Yield BoolQ, every so manieth row held out."""
    with (folder / "reading" / "boolq_val_a.jsonl").open(encoding="utf-8") as stream:
        for place, line in enumerate(stream):
            row = json.loads(line)
            kind = "yes" if str(row["label"]).lower() == "true" else "no"
            part = "held-out" if place % BOOLQ_HELD_OUT == 0 else "train"
            text = row["passage"].split(" -- ", 1)[-1]
            yield Row("boolq", row["question"].rstrip("?") + "?", text[:NEAR], kind, [], [kind], part, str(row["idx"]))


def written_questions(path: Path) -> Iterator[Row]:
    """Yield the rows of a table of written questions: kind, passage, question, and yes, no, NULL or words of the passage."""
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            answer, text = row["answer"], row["passage"]
            spans = [match.span() for match in re.finditer(re.escape(answer), text)]
            kind = {"NULL": "null", "yes": "yes", "no": "no"}.get(answer, "span")
            spans = [] if kind != "span" else spans[:1] if row["kind"] in ("why", "effect") else spans[:8]
            if spans or kind != "span":
                yield Row("written", row["question"], text, kind, spans, [answer], "train", row["id"])


def every_row(folder: Path, seed: int = 7, split: str = "full") -> list[Row]:
    """Return all rows, of IfQA those of a split; a question that is also asked in a development part is left out of training."""
    dice = random.Random(seed)
    rows = [
        *ifqa(folder, "train", split),
        *ifqa(folder, "dev", split),
        *squad2(folder),
        *squad_why(folder),
        *causalqa(folder, dice),
    ]
    rows += [*newsqa(folder, dice), *drop(folder, dice), *boolq(folder)]
    measured = {plain(row.question) for row in rows if row.part not in ("train", "calibration")}
    read = {plain(row.passage)[:200] for row in rows if row.source == "squad2" and row.part == "held-out"}
    kept: list[Row] = []
    seen: set[tuple[str, str]] = set()
    for row in rows:
        key = (plain(row.question), plain(row.passage)[:200])
        if row.part in ("train", "calibration"):
            if key[0] in measured or key[1] in read or key in seen:
                continue
            seen.add(key)
        kept.append(row)
    return kept


def written(rows: list[Row], path: Path) -> None:
    """Write rows as JSON lines."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(asdict(row)) + "\n" for row in rows)


def read(path: Path) -> list[Row]:
    """Read rows that were written."""
    with path.open(encoding="utf-8") as stream:
        return [_row(json.loads(line)) for line in stream]


def _row(fields: dict[str, Any]) -> Row:
    fields["spans"] = [tuple(span) for span in fields["spans"]]
    return Row(**fields)


def _all(answers: list[str], text: str) -> list[tuple[int, int]]:
    return sorted({span for answer in answers for span in found(answer, text)})


def _slices(path: Path) -> Iterator[tuple[str, str, str]]:
    r"""Yield question, passage and answer of a file of lines `question \n passage<TAB>answer`."""
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            asked, _, answer = line.rstrip("\n").rpartition("\t")
            question, _, text = asked.partition(" \\n ")
            if question and text and answer:
                yield question.strip(), text.strip(), answer.strip()
