"""Compare engines for BM25 over the same passages and questions: kgqa's index, SQLite's FTS5, and bm25s where it is installed.

Prints for each the CPU seconds that building took, the size on disk, the CPU milliseconds to open it and to answer a question
once warm, the resident memory after that, and recall of the gold passages of IfQA train questions. Every engine runs in a process
of its own. The passages are the first of an index that `scripts/judge/measure_retrieval.py` has built; all engines get the
terms that
kgqa makes, FTS5 the words, which it stems in the same way; words of function are left out of queries.

    python scripts/bench/bench_retrieval.py --data ../shared/data --index indexes/large.passages --passages 100000
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from graph.text.stems import porter_stems
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PassagePage
from kgqa.retrieval.retrievers import BM25Retriever
from kgqa.retrieval.search_terms import SEARCH_STOP_WORDS, query_terms, search_words

Asked = Sequence[tuple[str, frozenset[int]]]
Ranker = Callable[[str], Sequence[int]]
BEST = 100


def main() -> None:
    """Print a line for each engine."""
    options = argparse.ArgumentParser(description="compare engines for BM25")
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--index", type=Path, required=True)
    options.add_argument("--passages", type=int, default=100_000)
    options.add_argument("--questions", type=int, default=200)
    options.add_argument("--engines", nargs="*", default=["kgqa", "fts5", "bm25s"])
    given = options.parse_args()
    asked = questions(given.data, given.questions)
    context = multiprocessing.get_context("spawn")
    for engine in given.engines:
        if engine == "bm25s" and find_spec("bm25s") is None:
            print("bm25s is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            for step in (make, ask):
                process = context.Process(target=step, args=(engine, Path(folder), given.index, given.passages, asked))
                process.start()
                process.join()


def questions(data: Path, count: int) -> Asked:
    """Return train questions with the numbers of their gold passages, which come first in the index."""
    parts = [json.loads((data / f"ifqa/full_split/{part}.json").read_text("utf-8")) for part in ("train", "dev")]
    texts = dict.fromkeys(" ".join(one.split()) for rows in parts for row in rows for one in row["context"])
    numbers = {text: at for at, text in enumerate(texts)}
    return [
        (row["question"], frozenset(numbers[" ".join(one.split())] for one in row["context"]))
        for row in random.Random(0).sample(parts[0], count)
    ]


def make(engine: str, folder: Path, source: Path, count: int, asked: Asked) -> None:
    """Build the index of an engine in a folder and print what that took."""
    index = PassageIndex(source)
    texts = [index.text(number) for number in range(min(count, len(index)))]
    began, wall = time.process_time(), time.perf_counter()
    {"kgqa": make_kgqa, "fts5": make_fts5, "bm25s": make_bm25s}[engine](folder, texts)
    spent, waited = time.process_time() - began, time.perf_counter() - wall
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{engine}: {len(texts):,} passages; built in {spent:.1f} CPU s ({waited:.1f} s), {size:.0f} MB, peak {peak:.0f} MB")


def ask(engine: str, folder: Path, source: Path, count: int, asked: Asked) -> None:
    """Open the index of an engine, ask it, and print what that took and what it found."""
    began = time.process_time()
    ranker = {"kgqa": open_kgqa, "fts5": open_fts5, "bm25s": open_bm25s}[engine](folder)
    ranker("earthquake")
    opened = time.process_time() - began
    for question, _ in asked[:20]:
        ranker(question)
    began = time.process_time()
    rankings = [ranker(question) for question, _ in asked]
    spent = (time.process_time() - began) * 1000 / len(asked)
    found = [
        sum(not gold.isdisjoint(ranking[:k]) for (_, gold), ranking in zip(asked, rankings, strict=True)) for k in (1, 5, 20, 100)
    ]
    memory = (
        next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
        / 1e3
    )
    recall = " ".join(f"{one / len(asked):.3f}" for one in found)
    print(
        f"{engine}: first answer {opened * 1000:.0f} ms, {spent:.1f} ms a question, {memory:.0f} MB; R@1/5/20/100 {recall}",
        flush=True,
    )


def make_kgqa(folder: Path, texts: Sequence[str]) -> None:
    """Build the index of kgqa."""
    build_passage_index(
        folder / "index.passages", (PassagePage("", str(number), "", (text,)) for number, text in enumerate(texts))
    )


def open_kgqa(folder: Path) -> Ranker:
    """Open the index of kgqa."""
    lexical = BM25Retriever(PassageIndex(folder / "index.passages"))
    return lambda question: [number for number, _ in lexical.ranked(question, BEST)]


def make_fts5(folder: Path, texts: Sequence[str]) -> None:
    """Build a full-text index that keeps the texts, as the index of kgqa does."""
    connection = sqlite3.connect(folder / "index.sqlite")
    connection.execute("CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')")
    with connection:
        connection.executemany("INSERT INTO passage (rowid, text) VALUES (?, ?)", enumerate(texts))
    connection.execute("INSERT INTO passage (passage) VALUES ('optimize')")
    connection.commit()
    connection.close()


def open_fts5(folder: Path) -> Ranker:
    """Open the full-text index."""
    connection = sqlite3.connect(folder / "index.sqlite")

    def ranked(question: str) -> Sequence[int]:
        words = dict.fromkeys(word for word in search_words(question) if word not in SEARCH_STOP_WORDS)
        wanted = " OR ".join(f'"{word}"' for word in words)
        rows = connection.execute("SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?", (wanted, BEST))
        return [number for (number,) in rows]

    return ranked


def terms_of(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the terms of each text."""
    listed = [search_words(text) for text in texts]
    stems = porter_stems(set().union(*listed))
    return ([stems[word] for word in words] for words in listed)


def make_bm25s(folder: Path, texts: Sequence[str]) -> None:
    """Build the index of bm25s, with the texts beside it."""
    import bm25s

    retriever = bm25s.BM25(k1=0.9, b=0.4)
    retriever.index(list(terms_of(texts)), show_progress=False)
    retriever.save(str(folder), corpus=list(texts), show_progress=False)


def open_bm25s(folder: Path) -> Ranker:
    """Open the index of bm25s, mapped into memory."""
    import bm25s

    retriever = bm25s.BM25.load(str(folder), mmap=True, load_corpus=False)

    def ranked(question: str) -> Sequence[int]:
        numbers, _ = retriever.retrieve([list(query_terms(question))], k=BEST, show_progress=False)
        return [int(number) for number in numbers[0]]

    return ranked


if __name__ == "__main__":
    main()
