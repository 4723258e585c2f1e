r"""DROP (Dua et al. 2019) and NewsQA as lines of a question, a literal "\n", a passage, a tab and the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.sources.article import Skipped
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.item import DatasetItem

_DROP_NUMBER = re.compile(r"-?[\d,.]+%?")
_DROP_BREAK = "\\n"


def read_drop(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions. Several spans of one answer stand in one text here, and are left so."""
    for number, line in stream.lines(on_skip):
        if not line.strip():
            continue
        text, tab, answer = line.rpartition("\t")
        question, broken, passage = text.partition(_DROP_BREAK)
        if not (tab and broken and question.strip() and passage.strip() and answer.strip()):
            on_skip(Skipped(f"line {number}", "not a question, \\n, a passage, a tab and an answer"))
            continue
        gold = answer.strip()
        kind = "number" if _DROP_NUMBER.fullmatch(gold) else "span"
        yield DatasetItem(str(number), question.strip(), (gold,), passage.replace(_DROP_BREAK, "\n").strip(), kind)
