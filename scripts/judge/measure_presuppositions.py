"""Measure what is found of presuppositions, and how many questions are taken for false.

    python scripts/judge/measure_presuppositions.py triggers NOPE_MAIN.CSV
    python scripts/judge/measure_presuppositions.py alarms NAME DATA [DATA ...] [-g GRAPH] [--limit N] [--passages]
    python scripts/judge/measure_presuppositions.py readers DATA_FOLDER
    python scripts/judge/measure_presuppositions.py chat NAME DATA [DATA ...] [--limit N]
    python scripts/judge/measure_presuppositions.py transfer NAME DATA CREAK

`triggers` compares the statements that the parse finds in the original sentences of NOPE with the presuppositions that hold, by
the best token F1, for each type of trigger. `alarms` asks a graph the questions of a data set of `kgqa evaluate`, or of lines of
JSON with "question" (NAME `questions`), and counts those whose answer corrects or suspects what they take for granted; each is
printed; with `--passages`, their passages are given. `readers` compares what two readers wrote that 300 questions take for
granted (docs/judgements/presuppositions.tsv), and what is found in them; the questions are looked up in the data sets. `chat`
asks a chat server (docs/reading.md has its settings) the questions of a labelled set with the suffixes of CREPE's table 16, and
counts the replies that the evidence model takes for corrections. `transfer` learns from the explanations of CREAK's claims which
comments correct something, and labels the questions of a set by their comments.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from kgqa.answer_model import PresuppositionStatus, Route
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.evaluation.dataset_item import WRITING, DatasetItem
from kgqa.evaluation.datasets import DATASETS, read_set
from kgqa.evaluation.metrics.label_scores import presupposition_f1
from kgqa.evaluation.metrics.score_intervals import bootstrap, bootstrap_mean
from kgqa.evaluation.metrics.text_scores import unigram_f1
from kgqa.evaluation.presupposition_systems import PresuppositionSystems, WordClassifier, is_false
from kgqa.presuppositions.evidence_model import EvidenceModel
from kgqa.presuppositions.statement_finder import find_statements
from kgqa.readers.chat.cached_chat import open_chat
from kgqa.readers.chat.chat_settings import read_chat_settings

LEAST_ALIKE = 0.6
"""The token F1 from which on a statement says the same."""
READERS_FILE = Path(__file__).parents[2] / "docs" / "judgements" / "presuppositions.tsv"
SUFFIXES = ("", "Or did I miss anything?", "Or did I misunderstand anything?", "Or do I have any misunderstanding?")
REPLY_TOKENS = 60
UNTOLD = frozenset("a an the of is are was were to in that and be been has have had do does did".split())
"""Words that do not count where statements of readers are compared."""


def token_f1(text: str, other: str) -> float:
    """Return the F1 of the words of two texts."""
    words, others = (Counter(re.findall(r"[a-z0-9]+", item.lower())) for item in (text, other))
    return 2 * (words & others).total() / max(1, words.total() + others.total())


def measure_triggers(path: Path) -> None:
    """Print for each type of trigger how often anything is found, and how often the presupposition itself."""
    scores: dict[str, list[float]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["type"] == "original" and row["label"] == "E":
                statements = find_statements(row["target_sentence"])
                best = max((token_f1(item.text, row["hypothesis"]) for item in statements), default=-1.0)
                scores[row["trigger_type"]].append(best)
    for kind, values in sorted(scores.items()):
        found = sum(value >= 0.0 for value in values) / len(values)
        alike = sum(value >= LEAST_ALIKE for value in values) / len(values)
        print(f"{kind}\t{len(values)}\tany {found:.2f}\tF1 >= {LEAST_ALIKE}: {alike:.2f}")


def read_items(name: str, paths: Sequence[str]) -> list[DatasetItem]:
    """Return the items of a data set."""
    return list(read_set(DATASETS[name], tuple(paths), lambda file: lambda skipped: None))


def read_questions(name: str, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return the questions of a data set, or of lines of JSON, each with its passage where it has one."""
    if name == "questions":
        lines = (line for path in paths for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip())
        return [(json.loads(line)["question"], "") for line in lines]
    return [(item.question, item.passage) for item in read_items(name, paths) if item.gold]


def measure_alarms(questions: Sequence[tuple[str, str]], graph: str | None, *, passages: bool) -> None:
    """Print the questions whose answer corrects or suspects them, and how many questions have a premise of each status."""
    statuses: Counter[str] = Counter()
    with AnswerSession(graph) as session:
        for question, passage in questions:
            answer = session.answer(question, passage if passages else None)
            found = {item.status for item in answer.presuppositions}
            statuses.update(found)
            statuses["with any presupposition"] += bool(found)
            if answer.route is Route.PRESUPPOSITION or PresuppositionStatus.SUSPECT in found:
                statuses["corrected" if answer.route is Route.PRESUPPOSITION else "suspected"] += 1
                print(f"{question}\t{answer.sentence}\t{' '.join(answer.notes)}")
    print(f"{len(questions)} questions: {dict(statuses)}")


def measure_chat(items: Sequence[DatasetItem]) -> None:
    """Print for each suffix the macro F1 of replies that are taken for corrections, and how often they are."""
    settings = read_chat_settings()
    chat, model = open_chat(settings), EvidenceModel()
    for suffix in SUFFIXES:
        said = []
        for item in items:
            message = {"role": "user", "content": f"{item.question} {suffix}".strip()}
            options = {"model": settings.model, "max_tokens": REPLY_TOKENS, "temperature": 0.0, "seed": settings.seed}
            reply = chat.ask({"messages": [message], **options})
            said.append(model.correction_chance(item.question, reply.text) >= 0.5)
        print_detection(f"chat, “{suffix}” (S33)", items, said)


def measure_transfer(items: Sequence[DatasetItem], claims: Sequence[DatasetItem]) -> None:
    """Print the macro F1 of naive Bayes over the words of comments, learnt from the explanations of claims."""
    words = WordClassifier([claim.comment for claim in claims], [is_false(claim) for claim in claims])
    print_detection("comment only, learnt of CREAK (S25)", items, [words.probability(item.comment) >= 0.5 for item in items])


def print_detection(name: str, items: Sequence[DatasetItem], said: Sequence[bool]) -> None:
    """Print the macro F1 of what a system says of items, with its interval, and how often it says that they are false."""
    pairs = list(zip(map(is_false, items), said, strict=True))
    interval = bootstrap(pairs, lambda some: presupposition_f1([row[0] for row in some], [row[1] for row in some]))
    print(f"{name}: {len(items)} questions, macro F1 {interval}, said to be false {sum(said) / len(said):.3f}", flush=True)


def _sampled_questions(folder: Path) -> dict[str, str]:
    """Return the questions that the readers may have read, by their keys."""
    lines = (folder / "causalqa" / "questions_sample.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    with (folder / "presupposition" / "falseqa_train.csv").open(encoding="utf-8", newline="") as file:
        questions += [row["question"] for row in csv.DictReader(file)]
    questions += [row["question"] for row in json.loads((folder / "ifqa/full_split/train.json").read_text(encoding="utf-8"))]
    articles = json.loads((folder / "reading" / "squad2_half_dev.json").read_text(encoding="utf-8"))["data"]
    paragraphs = (paragraph for article in articles for paragraph in article["paragraphs"])
    questions += [entry["question"] for paragraph in paragraphs for entry in paragraph["qas"]]
    cleaned = [" ".join(question.split()) for question in questions]
    return {hashlib.sha1(question.encode()).hexdigest()[:12]: question for question in cleaned}


def measure_readers(folder: Path) -> None:
    """Print the shares of statements that another reader, or the finder, has as well, and those of each trigger."""
    questions = _sampled_questions(folder)
    written: dict[str, dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    with READERS_FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            written[row["key"]][row["reader"]].append(row)
    with AnswerSession(None, AnswerOptions(lists_statements=True)) as session:
        answers = {key: session.answer(questions[key]) for key in written if key in questions}
    found = {key: [item.text for item in answer.presuppositions] for key, answer in answers.items()}
    first, second = (
        [(key, row) for key, readers in written.items() for row in readers[name] if row["sentence"]]
        for name in ("first", "second")
    )
    said = {key: {name: [row["sentence"] for row in rows] for name, rows in readers.items()} for key, readers in written.items()}
    either = {key: [*readers.get("first", ()), *readers.get("second", ())] for key, readers in said.items()}

    def share(rows: Sequence[tuple[str, str]], others: Mapping[str, Sequence[str]]) -> str:
        held = sum(any(alike(text, other) for other in others.get(key, ())) for key, text in rows)
        return f"{held} of {len(rows)} ({held / max(1, len(rows)):.3f})"

    texts = [[(key, row["sentence"]) for key, row in rows] for rows in (first, second)]
    print(f"{len(written)} questions, {len(found)} of them in the data")
    print(
        "first reader's that the second has", share(texts[0], {key: readers.get("second", []) for key, readers in said.items()})
    )
    print("second reader's that the first has", share(texts[1], {key: readers.get("first", []) for key, readers in said.items()}))
    print("found of the first reader's", share(texts[0], found), "of the second's", share(texts[1], found))
    print("of what is found, one of them has", share([(key, text) for key, items in found.items() for text in items], either))
    measure_writing(questions, written)
    for trigger in sorted({row["trigger"] for _, row in first}):
        print(f"  {trigger}", share([(key, row["sentence"]) for key, row in first if row["trigger"] == trigger], found))


def measure_writing(questions: Mapping[str, str], written: Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]]) -> None:
    """Print the unigram F1 of what is written of questions that take something false for granted, and of a copy of them."""
    systems = PresuppositionSystems(WRITING)
    scores: dict[str, list[float]] = {"rules (S29)": [], "copy (S28)": []}
    for key, readers in written.items():
        false = [row["sentence"] for rows in readers.values() for row in rows if row["truth"] == "false"]
        if false:
            question = questions[key]
            for name, text in zip(scores, (systems.presupposition(DatasetItem(key, question, ())), question), strict=True):
                scores[name].append(unigram_f1(text, false))
    for name, values in scores.items():
        print(f"written by {name}: {len(values)} questions, unigram F1 {bootstrap_mean(values)}")


def alike(text: str, other: str) -> bool:
    """Return whether two statements say the same: by the F1 of the beginnings of their words but articles and forms of be."""
    words, others = (
        {word[:5] for word in re.findall(r"[a-z0-9]+", item.lower()) if word not in UNTOLD} for item in (text, other)
    )
    return bool(words and others) and 2 * len(words & others) >= LEAST_ALIKE * (len(words) + len(others))


def main() -> None:
    """Measure what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=("triggers", "alarms", "readers", "chat", "transfer"))
    parser.add_argument("data", nargs="+", help="the file, or the name of a data set and its files")
    parser.add_argument("-g", "--graph")
    parser.add_argument("--passages", action="store_true", help="ask the passages of the set")
    parser.add_argument("--limit", type=int, help="how many questions, drawn with seed 0")
    arguments = parser.parse_args()
    if arguments.measure == "triggers":
        measure_triggers(Path(arguments.data[0]))
        return
    if arguments.measure == "readers":
        measure_readers(Path(arguments.data[0]))
        return
    name, *paths = arguments.data
    if arguments.measure == "transfer":
        measure_transfer(read_items(name, paths[:-1]), read_items("creak", paths[-1:]))
        return
    if arguments.measure == "chat":
        items = read_items(name, paths)
        measure_chat(random.Random(0).sample(items, min(arguments.limit or len(items), len(items))))
        return
    questions = read_questions(name, paths)
    if arguments.limit is not None:
        questions = random.Random(0).sample(questions, min(arguments.limit, len(questions)))
    measure_alarms(questions, arguments.graph, passages=arguments.passages)


if __name__ == "__main__":
    main()
