"""The data sets that can be read, those whose answers are labels and those whose answers are words: `read_set` by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module

from graph.sources.input_stream import InputStream, OnSkip, open_input, read_items
from kgqa.evaluation.dataset_item import PRESUPPOSITION, READING, REFUSAL, VERDICT, DatasetItem, with_unique_ids

ItemReader = Callable[[InputStream, OnSkip], Iterator[DatasetItem]]
"""Reads the items of an input, and tells of every row that holds none."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set: its reader as "module:function" of this package, what its file looks like, and how its questions are scored.

    `task` is one of those of `dataset_item`. With `pairs` its questions are made of the pairs that it marks. `reader` is
    who answers
    unless somebody else is named: the graph, or, where its questions come with passages, who reads these.
    """

    name: str
    place: str
    expected: str
    task: str
    pairs: bool = False
    reader: str = "graph"

    @property
    def read(self) -> ItemReader:
        """The reader, imported now."""
        module, _, name = self.place.partition(":")
        function: ItemReader = getattr(import_module(f"kgqa.evaluation.datasets.{module}"), name)
        return function


_TABLE = (
    Dataset(
        "ifqa",
        "answer_datasets:read_ifqa",
        'IfQA: a JSON array of {"idx", "question", "answers", "context"}',
        READING,
        reader="extractive",
    ),
    Dataset(
        "causalqa",
        "answer_datasets:read_causalqa",
        'CausalQA: JSON lines or a table with "question" and "answer"',
        READING,
        reader="extractive",
    ),
    Dataset(
        "msmarco-causal",
        "label_datasets:read_msmarco_causal",
        'causal MS MARCO: JSON objects with "question" and "answer:Extracted"',
        VERDICT,
    ),
    Dataset(
        "semeval-pairs",
        "label_datasets:read_semeval_pairs",
        "a table with the columns cause, effect and causal",
        VERDICT,
        pairs=True,
    ),
    Dataset(
        "squad2",
        "answer_datasets:read_squad2",
        "SQuAD 2.0 JSON, or a table with the columns context, question and answer",
        READING,
        reader="extractive",
    ),
    Dataset("drop", "answer_datasets:read_drop", 'lines of "question \\n passage<TAB>answer"', READING, reader="numeric"),
    Dataset(
        "boolq",
        "label_datasets:read_boolq",
        'BoolQ: JSON lines of {"question", "passage", "label" or "answer"}',
        VERDICT,
        reader="extractive",
    ),
    Dataset("falseqa", "label_datasets:read_falseqa", "FalseQA: a table with the columns question and label", PRESUPPOSITION),
    Dataset("crepe", "label_datasets:read_crepe", 'CREPE: JSON lines of {"id", "question", "labels"}', PRESUPPOSITION),
    Dataset(
        "iirc",
        "answer_datasets:read_iirc",
        'IIRC: JSON lines of {"qid", "paragraphs", "question", "answer"}, or the released array',
        READING,
        reader="extractive",
    ),
    Dataset("refusal", "label_datasets:read_refusal", 'JSON lines of {"question", "answerable"}', REFUSAL),
)
DATASETS: Mapping[str, Dataset] = {dataset.name: dataset for dataset in _TABLE}
"""Every data set whose questions are asked, by name."""


def read_set(dataset: Dataset, paths: tuple[str, ...], on_skip: Callable[[str], OnSkip]) -> list[DatasetItem]:
    """Return the items of the files of a data set, each with an id of its own; `on_skip` is told the file first.

    Raises the errors of `open_input`, and `FormatUnknown` for a file that holds no item of the set.
    """
    items: list[DatasetItem] = []
    for path in paths:
        with open_input(path) as stream:
            items.extend(read_items(stream, dataset.read, dataset.expected, on_skip(stream.name)))
    return with_unique_ids(items)
