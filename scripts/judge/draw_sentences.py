"""Draw sentences that probably say facts which an encyclopedia should, to be read in full for the starter graph.

    python scripts/judge/draw_sentences.py ARTICLES FACTS.tsv FOLDER [--of-fact N] [--sentences N]

FACTS.tsv (docs/judgements/expected-facts.tsv) has columns cause, effect, titles of articles (`; `) and words of the sentence.
A fact that the starter graph holds by these names is passed over. For each other one the sentences are drawn, of articles not for
testing and not read in full before, in which most of both names stands, by themselves or in the title (weighted by rarity), with
the words, a causal cue and the titles beside. `label_claims.py gather` reads the labels.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
from claim_labels import SENTENCES, label_rows, wide_rules
from label_claims import Row, has_strong_cue, is_for_testing, sentence_sheet, write_sheets

from graph.mining.miner import Miner
from graph.protocols import GraphView
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.stores import open_store
from graph.text.normalise import concept_name
from graph.text.segmentation import sentence_spans
from graph.text.stop_words import STOP_WORDS
from kgqa.settings import starter_graph

SHEET = 100
LEAST_OF_NAME = 0.5
"""The share of a name, by rarity, that a sentence or its title has to have."""
TITLE_WEIGHT, WORDS_WEIGHT, CUE_WEIGHT, ARTICLE_WEIGHT = 0.8, 0.5, 0.5, 0.6
CANDIDATES = 12
PREFIX = 5
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Fact:
    """A fact that is looked for: two names, the articles that should say it, and words of its sentence."""

    cause: str
    effect: str
    titles: frozenset[str]
    words: str

    @property
    def names(self) -> tuple[str, str]:
        """Return the names of the cause and of the effect."""
        return self.cause, self.effect


@dataclass
class SentenceIndex:
    """The places of the sentences of articles, and in which of them a word begins with some letters."""

    articles: list[Article] = field(default_factory=list)
    article: array[int] = field(default_factory=lambda: array("I"))
    starts: array[int] = field(default_factory=lambda: array("I"))
    ends: array[int] = field(default_factory=lambda: array("I"))
    postings: dict[str, array[int]] = field(default_factory=lambda: defaultdict(lambda: array("I")))
    titles: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, article: Article, prefixes: set[str]) -> None:
        """Add the sentences of an article, with those of the prefixes that they have."""
        for prefix in word_prefixes(article.source.title) & prefixes:
            self.titles[prefix].add(len(self.articles))
        for start, end in sentence_spans(article.text):
            if 40 <= end - start <= 400:
                for prefix in word_prefixes(article.text[start:end]) & prefixes:
                    self.postings[prefix].append(len(self.starts))
                self.article.append(len(self.articles))
                self.starts.append(start)
                self.ends.append(end)
        self.articles.append(article)


def main() -> None:
    """Write sentences.jsonl and its sheets into a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", type=Path)
    parser.add_argument("facts", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--of-fact", type=int, default=2)
    parser.add_argument("--sentences", type=int, default=8_000)
    options = parser.parse_args()
    facts = read_facts(options.facts)
    graph = open_store(starter_graph())
    missing = [fact for fact in facts if not is_held(graph, fact)]
    known = {(row["article"], row["sentence"]) for row in label_rows(SENTENCES, None)}
    prefixes = set().union(*(word_prefixes(" ".join((*fact.names, fact.words))) for fact in missing))
    index = SentenceIndex()
    for item in read_articles(str(options.articles), detect_format(str(options.articles)), lambda skipped: None):
        if isinstance(item, Article) and not is_for_testing(item.source.page_id):
            index.add(item, prefixes)
    drawn: dict[tuple[str, int], Row] = {}
    for fact in missing:
        for row in sentences_of(fact, index, known, options.of_fact):
            kept = drawn.setdefault((row["article"], row["s"]), row | {"names": []})
            kept["names"] = sorted({*kept["names"], *fact.names})
            kept["score"] = max(kept["score"], row["score"])
    best = sorted(drawn.values(), key=lambda row: -row["score"])[: options.sentences]
    rows = [row | {"id": number} for number, row in enumerate(sorted(best, key=lambda row: (row["title"], row["s"])), 1)]
    (options.folder / "sheets").mkdir(parents=True, exist_ok=True)
    (options.folder / "sentences.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write_sheets(options.folder / "sheets", "r", rows, SHEET, sentence_sheet)
    print(f"{len(facts)} facts, {len(facts) - len(missing)} held; {len(rows)} of {len(drawn)} sentences drawn")


def read_facts(path: Path) -> list[Fact]:
    """Return the facts of a table, each pair of names once."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        facts = {
            (row["cause"], row["effect"]): Fact(
                row["cause"],
                row["effect"],
                frozenset(title.strip().lower() for title in row["titles"].split(";")),
                row["words"],
            )
            for row in rows
        }
    return list(facts.values())


def is_held(graph: GraphView, fact: Fact) -> bool:
    """Return whether a graph has a claim between what the names of a fact lead to."""
    cause, effect = (graph.concept(concept_name(name)) for name in fact.names)
    return bool(cause and effect and any(edge.effect == effect.name for edge in graph.effects(cause.name)))


def word_prefixes(text: str) -> set[str]:
    """Return the first letters of the words of a text that mean something."""
    return {word[:PREFIX] if len(word) > PREFIX else word.removesuffix("s") for word in _WORD.findall(text.lower())} - STOP_WORDS[
        "linking"
    ]


def sentences_of(fact: Fact, index: SentenceIndex, known: set[tuple[str, str]], number: int) -> Iterator[Row]:
    """Yield the sentences that most probably say a fact."""
    shares = [name_shares(name, index) for name in fact.names]
    words = name_shares(fact.words, index)
    both = np.flatnonzero((shares[0] >= LEAST_OF_NAME) & (shares[1] >= LEAST_OF_NAME))
    scores = shares[0][both] + shares[1][both] + WORDS_WEIGHT * words[both]
    ranked = []
    for place in both[np.argsort(-scores)[: 4 * CANDIDATES]]:
        article = index.articles[index.article[place]]
        start, end = index.starts[place], index.ends[place]
        if (str(article.source.page_id), f"{start}-{end}") in known:
            continue
        text = article.text[start:end]
        score = shares[0][place] + shares[1][place] + WORDS_WEIGHT * words[place]
        score += ARTICLE_WEIGHT * (article.source.title.lower() in fact.titles)
        score += CUE_WEIGHT * has_strong_cue(WIDE, text)
        ranked.append((float(score), int(place), text))
    for score, place, text in sorted(ranked, reverse=True)[:number]:
        article, start = index.articles[index.article[place]], index.starts[place]
        before = place - 1 if place and index.article[place - 1] == index.article[place] else None
        yield {
            "pool": "fact",
            "article": article.source.page_id,
            "title": article.source.title,
            "s": start,
            "e": index.ends[place],
            "text": text,
            "before": "" if before is None else article.text[index.starts[before] : index.ends[before]],
            "drawn": "fact",
            "test": False,
            "score": score,
        }


def name_shares(name: str, index: SentenceIndex) -> npt.NDArray[np.float32]:
    """Return for every sentence the share of the words of a name, by rarity, that it has; less for those only of its title."""
    shares = np.zeros(len(index.starts), np.float32)
    in_title = np.zeros(len(index.articles), np.float32)
    whole = 0.0
    for prefix in word_prefixes(name):
        places = np.frombuffer(index.postings[prefix], np.uint32) if index.postings[prefix] else np.zeros(0, np.uint32)
        rarity = math.log((len(index.starts) + 1) / (len(places) + 1))
        whole += rarity
        shares[places] += rarity
        for article in index.titles[prefix]:
            in_title[article] += TITLE_WEIGHT * rarity
    if not whole:
        return shares
    in_sentence = in_title[np.frombuffer(index.article, np.uint32)]
    return np.asarray(np.maximum(shares, in_sentence) / whole, np.float32)


WIDE = Miner(wide_rules())


if __name__ == "__main__":
    main()
