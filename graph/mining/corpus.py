"""Mining many articles: over several processes, in order, in constant memory, a transaction a chunk."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from graph.mining.miner import MAX_CHARACTERS, Miner
from graph.mining.sentences import sentence_spans
from graph.model import Alias, Evidence, Statement
from graph.protocols import Added, GraphStore
from graph.sources.article import Article

CHUNK = 40
"""Articles a chunk. Fixed, so that what is mined does not depend on the number of workers."""

ALIASES = 10_000
"""Aliases a transaction."""


@dataclass(slots=True)
class Mined:
    """What came of some articles."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    statements: list[Statement] = field(default_factory=list)


@dataclass(slots=True)
class Summary:
    """What a mining run did, as the CLI reports it while it runs and at its end."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    found: int = 0
    added: Added = field(default_factory=Added)
    relations: Counter[str] = field(default_factory=Counter)
    stances: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def mine_chunk(miner: Miner, articles: Sequence[Article]) -> Mined:
    """Return the statements of some articles; only sentences with a cue are parsed."""
    mined = Mined(articles=len(articles))
    places: list[tuple[Article, int, int]] = []
    for article in articles:
        for start, end in cued_sentences(miner, article.text):
            if end - start > MAX_CHARACTERS:
                mined.too_long += 1
            else:
                places.append((article, start, end))
    mined.sentences = len(places)
    with miner.nlp.memory_zone():
        texts = [article.text[start:end] for article, start, end in places]
        for (article, start, end), claims in zip(places, miner.mine(texts), strict=True):
            for one in claims:
                evidence = Evidence(
                    source=article.source,
                    stance=one.stance,
                    strength=one.rule.strength,
                    rule=one.rule.id,
                    text=article.text[start:end],
                    section=article.section(start),
                    start=start,
                    end=end,
                    context=one.context,
                )
                mined.statements.append(Statement(one.claim, evidence))
    return mined


def cued_sentences(miner: Miner, text: str) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of the sentences of `text` that hold a cue."""
    return ((start, end) for start, end in sentence_spans(text) if miner.has_cue(text[start:end]))


def mine_articles(
    items: Iterable[Article | Alias],
    store: GraphStore,
    job: str,
    workers: int = 1,
    resume: bool = False,
    on_progress: Callable[[Summary], None] = lambda summary: None,
) -> Summary:
    """Mine the articles among `items` into `store` and return what was done; `on_progress` is told after every chunk.

    Each chunk is stored in one transaction together with the number of articles of `job` that are done. With `resume`, that
    many articles are skipped first. Aliases wait on disk until the concepts that they lead to are all there. The result is the
    same for any number of workers.
    """
    began = time.monotonic()
    done = store.progress(job) if resume else 0
    summary = Summary()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as waiting:
        articles = itertools.islice(_articles(items, waiting), done, None)
        _mine_into(store, job, done, _mine_all(_chunks(articles), workers), summary, on_progress, began)
        waiting.seek(0)
        aliases = (Alias(*json.loads(line)) for line in waiting)
        while batch := list(itertools.islice(aliases, ALIASES)):
            store.add((), batch)
    return summary


def _mine_into(
    store: GraphStore,
    job: str,
    done: int,
    chunks: Iterable[Mined],
    summary: Summary,
    on_progress: Callable[[Summary], None],
    began: float,
) -> None:
    """Store what comes of each chunk and keep the summary."""
    for mined in chunks:
        done += mined.articles
        added = store.add(mined.statements, progress=(job, done))
        summary.articles += mined.articles
        summary.sentences += mined.sentences
        summary.too_long += mined.too_long
        summary.found += len(mined.statements)
        summary.added += added
        for statement in mined.statements:
            summary.relations[statement.claim.relation] += 1
            summary.stances[statement.evidence.stance] += 1
            summary.rules[statement.evidence.rule] += 1
        summary.seconds = time.monotonic() - began
        on_progress(summary)


def _articles(items: Iterable[Article | Alias], waiting: TextIO) -> Iterator[Article]:
    """Yield the articles and write the aliases to a file, a JSON list a line."""
    for item in items:
        if isinstance(item, Article):
            yield item
        else:
            waiting.write(json.dumps([item.name, item.concept]) + "\n")


def _chunks(articles: Iterator[Article]) -> Iterator[list[Article]]:
    """Yield the articles in lists of CHUNK."""
    while chunk := list(itertools.islice(articles, CHUNK)):
        yield chunk


def _mine_all(chunks: Iterator[list[Article]], workers: int) -> Iterator[Mined]:
    """Yield what comes of each chunk, in order, with a bounded number of chunks in flight."""
    if workers <= 1:
        miner = Miner()
        for chunk in chunks:
            yield mine_chunk(miner, chunk)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(os.getpid(),)) as pool:
        pending: deque[Future[Mined]] = deque()
        try:
            for chunk in chunks:
                with _uninterrupted():
                    pending.append(pool.submit(_mine_in_worker, chunk))
                if len(pending) > 2 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from worker processes that are just being started: they inherit what their parent blocks."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: list[Miner] = []


def _start_worker(parent: int) -> None:
    """Load the miner of a worker process, which leaves Ctrl-C to its parent and ends when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _worker.append(Miner())


def _end_with(parent: int) -> None:
    """End this process soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _mine_in_worker(articles: list[Article]) -> Mined:
    """Mine a chunk with the miner of this process."""
    return mine_chunk(_worker[0], articles)
