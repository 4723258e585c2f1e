"""What the finder of claims learns from: the words of a sentence that may head a cause or an effect, and what joins which.

Sentences that were read in full (docs/judgements/claim-sentences.tsv) say of every pair of words whether it is a cause and its
effect; proposals that were labelled (claim-labels.tsv) say it of one pair and its reverse each, and nothing of the others.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from claim_labels import is_held_out, label_rows, offsets_of
from pair_finder import FinderInput, FinderInputMaker, end_tokens

from graph.mining.sentence.spacy_pipeline import load_pipeline
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles

if TYPE_CHECKING:
    from spacy.tokens import Doc

Span = tuple[int, int]
MOST_PARTLY_READ = 6_000


@dataclass(slots=True)
class ReadSentence:
    """A sentence with its pairs of cause and effect, as spans of its characters, by whether they are said; `whole` if all are."""

    article: str
    start: int
    text: str
    whole: bool = False
    pairs: dict[tuple[Span, Span], bool] = field(default_factory=dict)


@dataclass(slots=True)
class FinderExample:
    """A sentence in tokens, and for pairs of its words (places among `input.words`) whether they are a cause and its effect."""

    input: FinderInput
    said: Mapping[tuple[int, int], bool]
    whole: bool
    article: str


def read_sentences(labels: Path, sentences: Path, articles: Path) -> Iterator[ReadSentence]:
    """Yield the sentences of the labels to learn from, those of `sentences` with all their pairs."""
    wanted: defaultdict[str, dict[Span, ReadSentence]] = defaultdict(dict)

    def sentence_of(row: Mapping[str, str]) -> ReadSentence:
        span = offsets_of(row["sentence"])
        return wanted[row["article"]].setdefault(span, ReadSentence(row["article"], span[0], ""))

    for row in label_rows(sentences):
        sentence = sentence_of(row)
        sentence.whole = True
        if row["relation"] != "none":
            sentence.pairs[_pair(row["cause_span"], row["effect_span"], sentence.start)] = True
    for row in label_rows(labels):
        sentence = sentence_of(row)
        if sentence.whole:
            continue
        if row["said"] != "yes":
            if row["said"] != "no: parse":
                sentence.pairs.setdefault(_pair(row["cause"], row["effect"], sentence.start), False)
                sentence.pairs.setdefault(_pair(row["effect"], row["cause"], sentence.start), False)
        elif "before" not in (row["cause_span"], row["effect_span"]):
            sentence.pairs[_pair(row["cause_span"], row["effect_span"], sentence.start)] = True
            sentence.pairs.setdefault(_pair(row["effect_span"], row["cause_span"], sentence.start), False)
    for item in read_articles(str(articles), detect_format(str(articles)), lambda skipped: None):
        if isinstance(item, Article):
            for (start, end), sentence in wanted.get(str(item.source.page_id), {}).items():
                sentence.text = item.text[start:end]
                yield sentence


def _pair(cause: str, effect: str, start: int) -> tuple[Span, Span]:
    (first, second), (third, fourth) = offsets_of(cause), offsets_of(effect)
    return (first - start, second - start), (third - start, fourth - start)


def finder_examples(sentences: Iterable[ReadSentence], maker: FinderInputMaker) -> Iterator[FinderExample]:
    """Yield the examples; a pair counts where the words that head its ends can be ends."""
    known = list(sentences)
    for sentence, doc in zip(known, load_pipeline().pipe(sentence.text for sentence in known), strict=True):
        tokens = end_tokens(doc)
        made = maker.make(doc.text, [(token.idx, token.idx + len(token)) for token in tokens])
        if made is None or len(tokens) < 2:
            continue
        place_of = {token.i: place for place, token in enumerate(tokens)}
        said: dict[tuple[int, int], bool] = {}
        for (cause, effect), is_said in sentence.pairs.items():
            heads = place_of.get(_head(doc, cause), -1), place_of.get(_head(doc, effect), -1)
            if min(heads) >= 0 and heads[0] != heads[1]:
                said[heads] = is_said or said.get(heads, False)
        if sentence.whole or said:
            yield FinderExample(made, said, sentence.whole, sentence.article)


def _head(doc: Doc, span: Span) -> int:
    words = doc.char_span(*span, alignment_mode="expand")
    return -1 if words is None else words.root.i


def split_examples(examples: Iterable[FinderExample]) -> tuple[list[FinderExample], list[FinderExample]]:
    """Return what is learnt, and what is held out.

    All sentences that were read in full are used, and of the others, which have few labels each, some to learn from.
    """
    made = list(examples)
    learnt = [example for example in made if not is_held_out(example.article)]
    partly_read = [example for example in learnt if not example.whole]
    some = random.Random(1).sample(partly_read, min(MOST_PARTLY_READ, len(partly_read)))
    held_out = [example for example in made if example.whole and is_held_out(example.article)]
    return [*(example for example in learnt if example.whole), *some], held_out
