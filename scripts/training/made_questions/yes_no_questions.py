"""Yes/no questions made by rule from the sentences of an encyclopedia.

The main clause of a sentence is turned round, and edited so that it stays true ("yes") or turns false ("no"). Of all that
are made
those are kept from which neither the words of the question nor their overlap with the passage tell the answer.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from reader.giveaway import evened
from reader.reader_rows import Row, plain
from spacy.language import Language
from spacy.tokens import Doc

from made_questions.article_sentences import Told, articles, told
from made_questions.clause_edits import EDITS, Setting, shorter
from made_questions.yes_no_clauses import clause

CAPS = {"plain": 0.3, "opposite": 0.25, "roles": 0.15, "synonym": 0.2, "year": 0.2, "sibling": 0.15}
"""How large a part of the questions of an answer one edit may make; a tenth where nothing is said."""
EACH = 3
"""How many questions of one sentence are kept at most."""
LONG = 12
"""A passage that shares this many words in a row with one that is measured on is left out."""


def whether(wiki: Path, measured: Iterable[Row], nlp: Language, count: int, seed: int = 7, most: int = 20_000) -> list[Row]:
    """Return `count` rows at most, made of `most` sentences that share no text with the rows that are measured on."""
    known = {run for row in measured for run in runs(row.passage)}
    chosen = [one for title, lines in articles(wiki) for one in told(title, lines, seed) if not known & runs(one.passage)]
    random.Random(seed).shuffle(chosen)
    docs = list(nlp.pipe((one.sentence for one in chosen[:most]), batch_size=128))
    return evened(capped(list(made(chosen[:most], docs, seed)), count, seed), count, seed)


def runs(text: str) -> set[str]:
    """Return every run of `LONG` words of a text."""
    words = plain(text).split()
    return {" ".join(words[place : place + LONG]) for place in range(len(words) - LONG + 1)}


def made(sentences: Sequence[Told], docs: Sequence[Doc], seed: int) -> Iterator[Row]:
    """Yield the questions of parsed sentences; `id` is the edit's name and the article's title."""
    counts = Counter((token.lemma_, token.lower_) for doc in docs for token in doc if token.tag_ == "VBN")
    participles: dict[str, str] = {}
    for (lemma, form), _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        participles.setdefault(lemma, form)
    names: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one, doc in zip(sentences, docs, strict=True):
        for name in doc.ents:
            names[one.title][name.label_].append(name.text)
    for one, doc in zip(sentences, docs, strict=True):
        turned = clause(doc)
        if turned is None:
            continue
        dice = random.Random(f"{seed} {one.sentence}")
        setting = Setting(one.passage, names[one.title], participles, dice)
        asked: dict[str, Row] = {}
        for edit in EDITS:
            short = shorter(turned, dice) if dice.random() < 0.6 else turned
            for question, kind, label in edit(short, setting):
                row = Row("made-whether", question, one.passage, kind, [], [kind], "train", f"{label}: {one.title}")
                asked[question] = row if asked.get(question, row).kind == kind else replace(row, kind="")
        rows = [row for row in asked.values() if row.kind and len(row.question.split()) <= 20]
        yield from dice.sample(rows, min(len(rows), 2 * EACH))


def capped(rows: Sequence[Row], count: int, seed: int) -> list[Row]:
    """Return rows of which no edit makes too many and no passage more than `EACH`."""
    order = list(rows)
    random.Random(seed).shuffle(order)
    edits: Counter[tuple[str, str]] = Counter()
    passages: Counter[str] = Counter()
    kept = []
    for row in order:
        name = row.id.partition(":")[0]
        if edits[name, row.kind] < CAPS.get(name, 0.1) * count and passages[row.passage] < EACH:
            edits[name, row.kind] += 1
            passages[row.passage] += 1
            kept.append(row)
    return kept
