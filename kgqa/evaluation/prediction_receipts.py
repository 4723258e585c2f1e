"""Receipts of the answers behind predictions: written while a run asks, and replayed by the same system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from graph.atomic_file import write_atomically
from graph.model import stable_hash
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.evaluation.answer_systems import GRAPH, AnswerSystem, SystemAnswer, SystemSettings, build_system
from kgqa.evaluation.dataset_item import CLAIM, PRESUPPOSITION, WRITING, DatasetItem
from kgqa.evaluation.evaluation_run import make_folder
from kgqa.json_text import json_text
from kgqa.passages.passage_answer import PassageMethod
from kgqa.passages.passage_source import CorpusQuery
from kgqa.readers.chat.cached_chat import ChatExchange, record_exchanges
from kgqa.readers.reader import MeteredReader
from kgqa.receipt import ReceiptInput, ReceiptReplayer, seal_receipt
from kgqa.record import answer_record
from kgqa.settings import Settings, starter_graph

if TYPE_CHECKING:
    from kgqa.record_schema import ReceiptRecord

WITHOUT_RECEIPTS = (CLAIM, PRESUPPOSITION, WRITING)
"""The tasks whose predictions are no answers to questions, or not those alone."""
_UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)
_LONGEST_NAME = 60


class ReceiptedSystem:
    """Writes a receipt of each answer of another system into a folder; `pairs` says whether the set marks cause and effect."""

    def __init__(
        self, system: AnswerSystem, setting: SystemSettings, store: GraphStore, settings: Settings, folder: Path, *, pairs: bool
    ) -> None:
        self._system, self._setting, self._store, self._settings, self._folder = system, setting, store, settings, folder
        self._pairs = pairs
        make_folder(folder)

    @property
    def charged(self) -> MeteredReader | None:
        """The reader, where it asks a server."""
        return self._system.charged

    def answer(self, item: DatasetItem) -> SystemAnswer:
        """Return the answer to an item, whose receipt is on disk by then."""
        with record_exchanges() as exchanges:
            result = self._system.answer(item)
        pair = item.pair if self._pairs else None
        receipt = prediction_receipt(result, item, pair, self._setting, self._store, self._settings, exchanges)
        with write_atomically(self._folder / receipt_name(item.id)) as file:
            file.write(json_text(receipt) + "\n")
        return result

    def close(self) -> None:
        """Close the system."""
        self._system.close()


def receipt_name(identifier: str) -> str:
    """Return the name of the file of the receipt for an item: safe on any system, and another for each item."""
    return f"{_UNSAFE.sub('_', identifier)[:_LONGEST_NAME]}-{stable_hash((identifier,))[:8]}.json"


def prediction_receipt(
    result: SystemAnswer,
    item: DatasetItem,
    pair: Sequence[str] | None,
    setting: SystemSettings,
    store: GraphStore,
    settings: Settings,
    exchanges: Sequence[ChatExchange],
) -> ReceiptRecord:
    """Return the receipt of the answer of a system to an item."""
    reads_item = bool(item.passage) and not setting.closed and (setting.corpus is None or setting.reader == GRAPH)
    asks_graph = not reads_item and (setting.reader == GRAPH or not (setting.closed or setting.corpus))
    url, digest = (store.url, store.digest()) if asks_graph else (None, None)
    given = ReceiptInput(
        question=item.question,
        passage=item.passage if reads_item else None,
        path=None,
        options={
            "graph": url if url != starter_graph() else None,
            "do": [],
            "limit": 10,
            "risk": None,
            "reader": setting.reader,
            "corpus": setting.corpus,
            "articles": None,
            "follow": False,
            "cypher": False,
            "quotes": False,
        },
        settings=settings,
        exchanges=exchanges,
        system={
            "id": item.id,
            "pair": None if pair is None else list(pair),
            "way": setting.way.value,
            "closed": setting.closed,
            "queries": setting.queries.value,
            "read": setting.read,
            "joined": setting.joined,
        },
    )
    return seal_receipt(result.answer, answer_record(result.answer, url, digest), given)


class PredictionReplayer(ReceiptReplayer):
    """Replays receipts of evaluations too, by the system that gave the answer."""

    def __init__(self, graph: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(graph, settings)
        self._stores: dict[str, GraphStore] = {}
        self._systems: dict[tuple[str, SystemSettings, bool], AnswerSystem] = {}

    def answer_again(self, receipt: ReceiptRecord) -> ReceiptRecord:
        """Return the receipt of the answer that is given now."""
        if "system" not in receipt:
            return super().answer_again(receipt)
        system, options, passage = receipt["system"], receipt["options"], receipt["passage"]
        setting = SystemSettings(
            options["reader"] or GRAPH,
            PassageMethod(system["way"]),
            options["corpus"],
            system["closed"],
            CorpusQuery(system["queries"]),
            system["read"],
            system["joined"],
        )
        pair = None if system["pair"] is None else (system["pair"][0], system["pair"][1])
        url = self.graph or options["graph"] or starter_graph()
        if url not in self._stores:
            self._stores[url] = open_store(url)
        store, key = self._stores[url], (url, setting, pair is not None)
        if key not in self._systems:
            self._systems[key] = build_system(setting, store, pairs=pair is not None, settings=self.settings)
        item = DatasetItem(system["id"], receipt["question"], (), passage["text"] if passage else "", pair=pair)
        with record_exchanges() as exchanges:
            result = self._systems[key].answer(item)
        return prediction_receipt(result, item, pair, setting, store, self.settings, exchanges)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while self._systems:
            self._systems.popitem()[1].close()
        while self._stores:
            self._stores.popitem()[1].close()
        super().__exit__(kind, error, trace)
