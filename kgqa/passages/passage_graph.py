"""A passage as a graph of its own: its claims are mined when they are first asked for, and questions are asked of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from graph.model import Source, Statement
from graph.protocols import GraphStore
from graph.sources.article import Article
from graph.stores import open_store
from graph.text.segmentation import sentence_spans, text_tokens
from graph.text.stems import prefix_stems
from graph.text.stop_words import STOP_WORDS
from kgqa.readers.passage_parts import PART_LENGTH, PassagePart, select_parts
from kgqa.readers.reader import Passage

if TYPE_CHECKING:
    from graph.mining.miner import Miner

TITLE = "passage"
MINED_CHARACTERS = 100_000
"""How many characters of a text are mined on the spot, which takes some seconds; of a longer one, the parts that fit best."""

MOST_PASSAGE_BYTES = 1 << 24
"""How many bytes a passage may have, unpacked."""
_LONG_BLANK = re.compile(r"(\s{100})(\s++)")
_texts = itertools.count()
"""Counts the texts that were mined."""


class PassageGraph:
    """The graph of the claims of a text, `mined` when it is first asked for; of a long text only what fits `question` best."""

    def __init__(self, text: str, question: str = "") -> None:
        self._parts = select_parts(question, [Passage(unwrap_lines(text))], MINED_CHARACTERS, MINED_CHARACTERS // PART_LENGTH)
        self.mined: GraphStore | None = None

    def promises(self, phrases: Iterable[str]) -> bool:
        """Return whether some sentence of the text is worth parsing for a question with these phrases.

        It holds a word of one of them, and a cue word of the mining rules; to load the rules themselves takes half a second.
        """
        wanted = prefix_stems(set(text_tokens(" ".join(phrases).lower())) - STOP_WORDS["passage graph"])
        for text in (part.passage.text for part in self._parts):
            for start, end in sentence_spans(text):
                words = text_tokens(text[start:end].lower())
                if not mining_cues().isdisjoint(words) and (not wanted or not wanted.isdisjoint(prefix_stems(words))):
                    return True
        return False

    def store(self) -> GraphStore:
        """Return the graph."""
        if self.mined is None:
            self.mined = _mine_parts(self._parts)
        return self.mined

    def close(self) -> None:
        """Release the graph."""
        if self.mined is not None:
            self.mined.close()


@cache
def mining_cues() -> frozenset[str]:
    """Return the cue words of the mining rules, by which they know the sentences that are worth parsing."""
    return frozenset(Path(__file__).with_name("cues.txt").read_text("utf-8").split())


def mine_passage(text: str) -> GraphStore:
    """Return a private graph of the claims of `text`, with its sentences as evidence.

    A line break inside a paragraph is a space: passages are often wrapped; an empty line ends a sentence.
    """
    return _mine_parts([PassagePart(Passage(unwrap_lines(text)), 0, 0)])


def _mine_parts(parts: Sequence[PassagePart]) -> GraphStore:
    """Return a graph of the claims of some parts of a text, with the places of their sentences in the whole text."""
    from graph.mining.sentence.spacy_pipeline import import_spacy, paused_garbage_collection

    with paused_garbage_collection():
        import_spacy()
        from graph.mining.articles import mine_chunk

        miner = _miner(" ".join(part.passage.text for part in parts))
    store = open_store("memory:", write=True)
    for part in parts:
        statements = mine_chunk(miner, [Article(Source("text", TITLE), part.passage.text)], within_text=True).statements
        store.add(_shift_evidence(statement, part.start) if part.start else statement for statement in statements)
    return store


def _miner(text: str) -> Miner:
    """Return what mines a text: the first only with the rules that could match it, since most commands have but one text."""
    from graph.mining.miner import Miner
    from graph.mining.rules.rule_tables import rules_with_cue_among

    if next(_texts) == 0:
        return Miner(rules_with_cue_among(frozenset(text_tokens(text.lower()))))
    return _whole_miner()


@cache
def _whole_miner() -> Miner:
    from graph.mining.miner import Miner

    return Miner()


def _shift_evidence(statement: Statement, by: int) -> Statement:
    evidence = statement.evidence
    if evidence.start is None or evidence.end is None:
        return statement
    return replace(statement, evidence=replace(evidence, start=evidence.start + by, end=evidence.end + by))


def unwrap_lines(text: str) -> str:
    """Return the text with single line breaks as spaces, so that offsets stay what they were.

    A run of white space is cut after 100 characters: expressions that begin with white space take time that grows with the
    square of a run. Offsets behind such a run are those of the text that is returned.
    """
    text = re.sub(r"(?<!\n)\n(?!\n)", " ", text.replace("\r\n", " \n").replace("\0", " "))
    return _LONG_BLANK.sub(lambda run: run[1] + "\n\n" * ("\n\n" in run[2]), text)
