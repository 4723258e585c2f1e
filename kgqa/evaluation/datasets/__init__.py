"""The data sets that can be read, those whose answers are labels and those whose answers are words: `read_set` by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from graph.sources.input_stream import InputStream, OnSkip, open_input, read_items
from graph.sources.jsonl import Record
from kgqa.evaluation.dataset_item import CLAIM, PRESUPPOSITION, READING, REFUSAL, VERDICT, WRITING, DatasetItem, with_unique_ids
from kgqa.evaluation.datasets.dataset_rows import json_items, table_items
from kgqa.readers.reader import DEFAULT_READER

RowReader = Callable[[InputStream, OnSkip, Callable[[Record, str], DatasetItem]], Iterator[DatasetItem]]
"""Reads the rows of an input as records, and yields what a function makes of each."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set: how it is read and scored, and what its file looks like (`expected`).

    `place` is "module:function" of this package: a function of one record where `rows` reads the records, else of the input.
    `task` is one of those of `dataset_item`. With `pairs` its questions are made of the pairs that it marks. `reader` is who
    answers unless somebody else is named: the graph, or, where its questions come with passages, a reader of these. Of a set
    that `has_undecided` claims, some are decided by no evidence.
    """

    name: str
    place: str
    expected: str
    task: str
    rows: RowReader | None = None
    pairs: bool = False
    reader: str = "graph"
    has_undecided: bool = False

    def read(self, stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
        """Return the items of a file; a row that holds none is told to `on_skip`."""
        module, _, name = self.place.partition(":")
        function: Callable[..., Any] = getattr(import_module(f"kgqa.evaluation.datasets.{module}"), name)
        return self.rows(stream, on_skip, function) if self.rows else function(stream, on_skip)


_IFQA = 'IfQA: a JSON array of {"idx", "question", "answers", "context"}'
_CAUSALQA = 'CausalQA: JSON lines or a table with "question" and "answer"'
_MSMARCO = 'causal MS MARCO: JSON objects with "question" and "answer:Extracted"'
_SEMEVAL = "a table with the columns cause, effect and causal"
_SQUAD = "SQuAD 2.0 JSON, or a table with the columns context, question and answer"
_BOOLQ = 'BoolQ: JSON lines of {"question", "passage", "label" or "answer"}'
_CREPE = 'CREPE: JSON lines of {"id", "question", "labels"}'
_WRITING = 'CREPE: JSON lines of {"id", "question", "labels", "presuppositions", "corrections"}'
_FALSEQA = "FalseQA: a table with the columns question and label"
_PREMISES = 'JSON lines of {"question", "label", "kind", "form"}'
_CREAK = 'CREAK: JSON lines of {"sentence", "label", "entity", "explanation"}'
_FEVER = 'FEVER: JSON lines of {"id", "claim", "label", "evidence"}'
_IIRC = 'IIRC: JSON lines of {"qid", "paragraphs", "question", "answer"}, or the released array'
_TABLE = (
    Dataset("ifqa", "answer_datasets:ifqa_item", _IFQA, READING, json_items, reader=DEFAULT_READER),
    Dataset("causalqa", "answer_datasets:read_causalqa", _CAUSALQA, READING, reader=DEFAULT_READER),
    Dataset("msmarco-causal", "label_datasets:msmarco_item", _MSMARCO, VERDICT, json_items),
    Dataset("semeval-pairs", "label_datasets:semeval_item", _SEMEVAL, VERDICT, table_items, pairs=True),
    Dataset("squad2", "answer_datasets:read_squad2", _SQUAD, READING, reader=DEFAULT_READER),
    Dataset("drop", "answer_datasets:read_drop", 'lines of "question \\n passage<TAB>answer"', READING, reader=DEFAULT_READER),
    Dataset("boolq", "label_datasets:boolq_item", _BOOLQ, VERDICT, json_items, reader=DEFAULT_READER),
    Dataset("falseqa", "label_datasets:falseqa_item", _FALSEQA, PRESUPPOSITION, table_items),
    Dataset("graph-premises", "label_datasets:graph_premise_item", _PREMISES, PRESUPPOSITION, json_items),
    Dataset("crepe", "label_datasets:crepe_item", _CREPE, PRESUPPOSITION, json_items),
    Dataset("crepe-writing", "label_datasets:crepe_writing_item", _WRITING, WRITING, json_items),
    Dataset("creak", "claim_datasets:creak_item", _CREAK, CLAIM, json_items),
    Dataset("fever", "claim_datasets:fever_item", _FEVER, CLAIM, json_items, has_undecided=True),
    Dataset("iirc", "iirc_dataset:read_iirc", _IIRC, READING, reader=DEFAULT_READER),
    Dataset("refusal", "label_datasets:refusal_item", 'JSON lines of {"question", "answerable"}', REFUSAL, json_items),
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
