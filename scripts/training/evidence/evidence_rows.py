"""The labelled rows that the evidence model is trained and measured on: pairs of claim and evidence, and single questions.

A row is {"claim", "evidence", "label", "task", "source", "part"}. A pair has a label of `RELATIONS`; a single question or claim
has no evidence and the label "false" or "sound". The part is "train", "calibrate" or "measure".
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evidence.statements import contradiction, english, statement
from graph.text.segmentation import sentence_spans
from kgqa.evaluation.datasets.claim_datasets import (
    CALIBRATED_FOLD,
    CREAK_FOLDS,
    FEVER_FOLDS,
    MEASURED_FOLDS,
    claim_page,
    group_fold,
)
from kgqa.presuppositions.evidence_model import CONTRADICTS, RELATIONS, SILENT, SUPPORTS
from kgqa.presuppositions.evidence_selection import RETRIEVED_PASSAGES, evidence_sentences
from kgqa.readers.reader import Passage
from kgqa.retrieval.corpus import open_passage_index
from kgqa.retrieval.retrievers import BM25Retriever

FALSE, SOUND = "false", "sound"
QUESTION, CLAIM, PAIR = "question", "claim", "pair"
TRAIN, CALIBRATE, MEASURE = "train", "calibrate", "measure"


PAGE_BEGINNING = 4
"""How many passages of an article evidence of FEVER, which is of its introduction, is looked for in."""


class Row(NamedTuple):
    """A labelled row; `group` keeps rows that belong together in one part."""

    claim: str
    evidence: str
    label: str
    task: str
    source: str
    part: str
    group: str = ""


def falseqa(data: Path) -> Iterator[Row]:
    """Yield the questions of FalseQA, alone and beside their answers; valid measures, a tenth of train calibrates."""
    for name in ("train", "valid"):
        with (data / f"presupposition/falseqa_{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        half = len(rows) // 2
        for number, row in enumerate(rows):
            # A false question and the sound one made of it stand half a file apart.
            part = MEASURE if name == "valid" else CALIBRATE if number % half % 10 == 0 else TRAIN
            is_false = row["label"] == "1"
            yield Row(row["question"], "", FALSE if is_false else SOUND, QUESTION, "falseqa", part, str(number % half))
            yield Row(row["question"], row["answer"], CONTRADICTS if is_false else SUPPORTS, PAIR, "falseqa", part)


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def part_of(group: str, folds: int) -> str:
    """Return the part of an entity of CREAK, or an article of FEVER."""
    place = group_fold(group, folds)
    return MEASURE if place in MEASURED_FOLDS[folds] else CALIBRATE if place == CALIBRATED_FOLD else TRAIN


def creak(data: Path, retrieve: Retrieval) -> Iterator[Row]:
    """Yield the claims of CREAK: alone, beside their explanations, and beside explanations of others of the same entity."""
    rows = list(json_lines(data / "presupposition/creak_train.jsonl"))
    by_entity: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_entity.setdefault(row["entity"], []).append(row)
    chance = random.Random(1)
    for row in rows:
        part, is_false = part_of(row["entity"], CREAK_FOLDS), row["label"] == "false"
        yield Row(row["sentence"], "", FALSE if is_false else SOUND, CLAIM, "creak", part, row["entity"])
        yield Row(row["sentence"], row["explanation"], CONTRADICTS if is_false else SUPPORTS, PAIR, "creak", part)
        others = [other for other in by_entity[row["entity"]] if other is not row]
        if others and chance.random() < 0.5:
            yield Row(row["sentence"], chance.choice(others)["explanation"], SILENT, PAIR, "creak-other", part)
        if part != TRAIN:
            for evidence in retrieve(row["sentence"]):
                yield Row(row["sentence"], evidence, row["label"], "retrieved", "creak", part, row["ex_id"])


FEVER_RELATIONS = {"SUPPORTS": SUPPORTS, "REFUTES": CONTRADICTS, "NOT ENOUGH INFO": SILENT}


def fever(data: Path, retrieve: Retrieval) -> Iterator[Row]:
    """Yield the claims of FEVER with an article here, beside the sentences that are found; a quarter by article measures."""
    titles = {title.lower(): title for title in retrieve.titles}
    for row in json_lines(data / "presupposition/fever_dev_a.jsonl"):
        page = claim_page(row, titles)
        if page is None:
            continue
        part = part_of(page, FEVER_FOLDS)
        relation = FEVER_RELATIONS[row["label"]]
        sentences = retrieve(row["claim"])
        for evidence in sentences:
            yield Row(row["claim"], evidence, relation, "retrieved", "fever", part, str(row["id"]))
        if part != TRAIN:
            continue
        if relation == SILENT:
            for evidence in sentences[:3]:
                yield Row(row["claim"], evidence, SILENT, PAIR, "fever", part)
        else:
            if page.partition(" (")[0].lower() not in row["claim"].lower():
                continue
            best = retrieve.on_page(row["claim"], page)
            for evidence in best[:1]:
                yield Row(row["claim"], evidence, relation, PAIR, "fever", part)
            for evidence in sentences[2:4]:
                if evidence not in best[:2]:
                    yield Row(row["claim"], evidence, SILENT, PAIR, "fever-other", part)


class Retrieval:
    """Finds sentences for a claim in an index of passages."""

    def __init__(self, index: Path) -> None:
        self._index = open_passage_index(index)
        self._lexical = BM25Retriever(self._index)
        self.titles = self._index.titles()
        self._pages = {title: page for page, title in enumerate(self.titles)}

    def __call__(self, claim: str) -> list[str]:
        """Return the sentences for a claim, behind the titles of their pages."""
        return [found.input for found in evidence_sentences(claim, self._lexical.retrieve(claim, RETRIEVED_PASSAGES))]

    def on_page(self, claim: str, title: str) -> list[str]:
        """Return the sentences of the beginning of a page for a claim."""
        return [found.input for found in evidence_sentences(claim, self._index.of_page(self._pages[title])[:PAGE_BEGINNING])]


def squad(data: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield question, answer ("" for none), passage and article of SQuAD-like files."""
    tree = json.loads((data / "reading/squad2_half_dev.json").read_text(encoding="utf-8"))
    for article in tree["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                answer = question["answers"][0]["text"] if question["answers"] else ""
                yield question["question"], answer, paragraph["context"], article["title"]
    for name in ("squad_gold_train", "squad2_training_output_new"):
        with (data / f"reading/{name}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield row["question"], row["answer"], row["context"], row["context"][:40]
    for name in ("squad2", "naturalquestions", "hotpotqa"):
        for row in json_lines(data / f"causalqa/{name}_train.jsonl"):
            yield row["question"], row["answer"], re.sub(r"^\([^()]*\) ", "", row["passage"]), row["passage"][:40]


def answer_kind(answer: str) -> str:
    """Return what sort of thing an answer looks like: a year, a number, a name, or words of some length."""
    if re.fullmatch(r"(?:in |\w+ \d+, )?\d{4}", answer):
        return "year"
    if any(map(str.isdigit, answer)):
        return "number"
    return "name" if answer[:1].isupper() else f"words {min(4, len(answer.split()))}"


def squad_rows(data: Path, held_out: frozenset[str]) -> Iterator[Row]:
    """Yield statements made of questions and answers beside their sentence, contradictions of these, and the questions alone."""
    chance = random.Random(2)
    rows = list(squad(data))
    answers: dict[str, list[str]] = {}
    for _, answer, _, _ in rows:
        answers.setdefault(answer_kind(answer), []).append(answer)
    for (question, answer, passage, title), doc in zip(rows, english().pipe(row[0] for row in rows), strict=True):
        part = MEASURE if title in held_out else CALIBRATE if group_fold(title, 10) == 0 else TRAIN
        if answer or part == MEASURE:
            yield Row(question, "", SOUND, QUESTION, "squad", part, title)
        if not answer:
            continue
        sentences = [passage[start:end] for start, end in sentence_spans(passage)]
        gold = next((text for text in sentences if answer in text), None)
        text = statement(answer, doc)
        if gold is None or text is None or len(gold) > 500:
            continue
        prefix = f"{title.replace('_', ' ')}: " if len(title) < 40 and chance.random() < 0.5 else ""
        gold = prefix + gold
        yield Row(text, gold, SUPPORTS, PAIR, "squad", part, title)
        other = chance.choice(answers[answer_kind(answer)])
        if other.lower() not in passage.lower() and chance.random() < 0.7:
            swapped = text.replace(answer, other)
            if swapped != text:
                yield Row(swapped, gold, CONTRADICTS, PAIR, "squad-swapped", part, title)
        changed = (statement(answer, doc, denied=True) if chance.random() < 0.5 else None) or contradiction(text, chance)
        changed = changed or statement(answer, doc, denied=True)
        if changed is not None:
            yield Row(changed, gold, CONTRADICTS, PAIR, "squad-changed", part, title)
        others = [other for other in evidence_sentences(text, [Passage(passage, title)], 4) if answer not in other.text]
        if others:
            yield Row(text, prefix + chance.choice(others[:2]).text, SILENT, PAIR, "squad-other", part, title)


_CAUSAL = {
    SUPPORTS: ("{} causes {}.", "{} leads to {}.", "{} can cause {}.", "{} is a cause of {}.", "{} results in {}."),
    CONTRADICTS: ("{} prevents {}.", "{} does not cause {}.", "{} cures {}.", "{} cannot cause {}.", "{} never leads to {}."),
}
_NEGATED = re.compile(
    r"\b(?:not|no|never|prevent\w*|reduc\w+|without|may|might|myth|n't|treat\w*|cur(?:e|es|ed)|avoid\w*)\b|\?", re.I
)


def causenet(data: Path) -> Iterator[Row]:
    """Yield causal claims beside the sentence that states them, denied and reversed, and beside sentences of other claims."""
    chance = random.Random(3)
    rows = []
    for record in json_lines(data / "causenet/causenet-slice.jsonl"):
        ends = [record["causal_relation"][end]["concept"].replace("_", " ") for end in ("cause", "effect")]
        texts = [source["payload"].get("sentence") for source in record.get("sources", ())]
        texts = [text for text in texts if text and len(text) < 350 and not _NEGATED.search(text)]
        if texts and ends[0] != ends[1] and all(len(end) < 40 for end in ends):
            rows.append((ends, chance.choice(texts)))
    chance.shuffle(rows)
    for number, ((cause, effect), text) in enumerate(rows[:4000]):
        part = MEASURE if group_fold(cause, 10) == 0 else CALIBRATE if group_fold(cause, 10) == 1 else TRAIN
        made = chance.choice(_CAUSAL[SUPPORTS]).format(cause, effect)
        yield Row(_capital(made), text, SUPPORTS, PAIR, "causenet", part)
        changed = chance.choice(_CAUSAL[CONTRADICTS]).format(cause, effect)
        if chance.random() < 0.4:
            changed = chance.choice(_CAUSAL[SUPPORTS]).format(effect, cause)
        yield Row(_capital(changed), text, CONTRADICTS, PAIR, "causenet-changed", part)
        other_cause, other_effect = rows[(number + 7) % len(rows)][0]
        mixed = (cause, other_effect) if chance.random() < 0.5 else (other_cause, effect)
        if not all(end in text for end in mixed):
            yield Row(
                _capital(chance.choice(_CAUSAL[chance.choice((SUPPORTS, CONTRADICTS))]).format(*mixed)),
                text,
                SILENT,
                PAIR,
                "causenet-other",
                part,
            )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def boolq(data: Path) -> Iterator[Row]:
    """Yield yes/no questions beside the sentence of their passage that is most like them; every fourth measures."""
    for number, row in enumerate(json_lines(data / "reading/boolq_val_a.jsonl")):
        label = SUPPORTS if row.get("label", row.get("answer")) in (True, 1) else CONTRADICTS
        best = evidence_sentences(row["question"], [Passage(row["passage"].partition(" -- ")[2] or row["passage"])], 2)
        if best:
            yield Row(
                row["question"],
                " ".join(found.text for found in best),
                label,
                PAIR,
                "boolq",
                MEASURE if number % 4 == 0 else TRAIN,
            )


def natural_questions(data: Path) -> Iterator[Row]:
    """Yield open questions of people, which are sound; every fourth measures."""
    for number, row in enumerate(json_lines(data / "reading/nq_open_1800.jsonl")):
        question = row["question"].rstrip("?") + ("?" if number % 2 else "")
        yield Row(question, "", SOUND, QUESTION, "nq", MEASURE if number % 4 == 0 else TRAIN)
    for number, row in enumerate(json_lines(data / "causalqa/questions_sample.jsonl")):
        yield Row(row["question"], "", SOUND, QUESTION, "causalqa", MEASURE if number % 4 == 0 else TRAIN)


def handwritten(files: Sequence[Path]) -> Iterator[Row]:
    """Yield the rows of tables of evidence, claim and label; every fifth file measures."""
    for number, path in enumerate(sorted(files)):
        for line in path.read_text(encoding="utf-8").splitlines():
            parts = line.split("\t")
            if len(parts) == 3 and parts[2].strip() in RELATIONS:
                yield Row(
                    parts[1].strip(),
                    parts[0].strip(),
                    parts[2].strip(),
                    PAIR,
                    "written",
                    MEASURE if number % 5 == 4 else TRAIN,
                    path.stem,
                )


def write(rows: Iterable[Row], path: Path) -> None:
    """Write rows as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows)


def read(path: Path) -> list[Row]:
    """Return the rows of a file of JSON lines."""
    return [Row(**record) for record in json_lines(path)]
