"""Receipts: an answer with everything that it was made of, and the replay that names what has changed since.

A receipt holds texts and digests; a replay answers the question again and compares the receipts of both answers. The address of a
graph is no ingredient: a copy in another store has the same digest.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version as package_version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import kgqa
from graph.errors import GraphError
from graph.model import Claim, Edge
from graph.model_checksums import LOADED_MODELS, path_checksum
from graph.sources.input_stream import open_input
from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.code_digest import code_digest
from kgqa.errors import ReceiptInvalid
from kgqa.json_text import json_text
from kgqa.readers.chat.cached_chat import ChatExchange, record_exchanges
from kgqa.record import edge_record, evidence_record
from kgqa.settings import Settings, starter_graph, variable_name

if TYPE_CHECKING:
    from kgqa.record_schema import (
        AnswerRecord,
        ChatExchangeRecord,
        ReceiptClaimRecord,
        ReceiptOptionsRecord,
        ReceiptRecord,
        ReceiptSystemRecord,
    )

RECEIPT_FORMAT = 1
MOST_RECEIPT_BYTES = 64 << 20
_FORMAT, _DIGEST = "kgqa_receipt", "digest"
_PACKAGES = ("numpy", "onnxruntime", "spacy", "tokenizers", "torch", "transformers")
_SETTINGS = ("reader", "sentence_encoder", "hub", "device", "beams", "wikipedia")
_CHAT_SETTINGS = ("chat_url", "chat_model", "chat_train", "chat_shots", "chat_seed", "chat_budget", "chat_tokens", "chat_samples")
_IF_USED_AGAIN = frozenset({"package", "model"})
"""The kinds of ingredients of which a receipt may name more than the answer needed: all that its process had loaded."""


class Ingredient(NamedTuple):
    """What an answer was made of: its kind ("graph", "model", ...) and its name."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()


class IngredientChange(NamedTuple):
    """An ingredient with its digest or value in a receipt and now; `None` where it is not used."""

    ingredient: Ingredient
    was: str | None
    now: str | None


class ReceiptedAnswer(NamedTuple):
    """An answer with its record and its receipt."""

    answer: Answer
    record: AnswerRecord
    receipt: ReceiptRecord


class Replay(NamedTuple):
    """The answer to the question of a receipt, given again: whether its record has the same bytes, and what has changed."""

    is_same: bool
    changes: tuple[IngredientChange, ...]


def answer_with_receipt(
    session: AnswerSession, question: str, passage: str | None = None, path: str | None = None, *, cypher: bool = False
) -> ReceiptedAnswer:
    """Return the answer to a question with its receipt; `path` is the file of the passage, "-" for stdin."""
    from kgqa.wording.browser_statement import redraw_statement

    with record_exchanges() as exchanges:
        answer, record = session.answer_with_record(question, passage, statement=redraw_statement if cypher else None)
    options = _options_record(session, is_of_graph=passage is None, cypher=cypher)
    given = ReceiptInput(question, passage, path, options, session.settings, exchanges)
    return ReceiptedAnswer(answer, record, seal_receipt(answer, record, given))


class ReceiptInput(NamedTuple):
    """What an answer was asked for with; `system` says how an evaluation asks, where it was one that asked."""

    question: str
    passage: str | None
    path: str | None
    options: ReceiptOptionsRecord
    settings: Settings
    exchanges: Sequence[ChatExchange]
    system: ReceiptSystemRecord | None = None


def seal_receipt(answer: Answer, record: AnswerRecord, given: ReceiptInput) -> ReceiptRecord:
    """Return the receipt of an answer, with the models that its process has loaded."""
    from kgqa.wording.explanation import explain_answer

    options, passage = given.options, given.passage
    names = (*_SETTINGS, *(_CHAT_SETTINGS if given.exchanges else ()))
    content = {
        _FORMAT: RECEIPT_FORMAT,
        "question": given.question,
        "options": options,
        "version": kgqa.__version__,
        "code": code_digest(),
        "packages": _package_versions(),
        "settings": {variable_name(name): value for name in names if (value := getattr(given.settings, name))},
        "graph": record["graph"]["digest"],
        "passage": None if passage is None else {"path": given.path, "text": passage, "digest": _text_digest(passage)},
        "corpus": None if options["corpus"] is None or passage is not None else path_checksum(Path(options["corpus"])),
        "articles": None if options["articles"] is None else path_checksum(Path(options["articles"])),
        "models": {_portable_name(path): path_checksum(path) for path in sorted(LOADED_MODELS) if path.exists()},
        "claims": list(_claim_records(answer)),
        "chat": [_exchange_record(exchange) for exchange in given.exchanges],
        "decisions": [{"heading": heading, "lines": lines} for heading, lines in explain_answer(answer)],
        "record": {**record, "elapsed_ms": None},
        **({} if given.system is None else {"system": given.system}),
    }
    return _sealed(content)


def read_receipt(path: str) -> ReceiptRecord:
    """Return the receipt in a file; raises `ReceiptInvalid`, and the errors of `open_input`."""
    with open_input(path) as stream:
        text = stream.text(MOST_RECEIPT_BYTES, "it is no receipt")
    try:
        receipt = json.loads(text)
        digest = _content_digest(receipt) if isinstance(receipt, dict) else ""
    except (ValueError, RecursionError):
        raise ReceiptInvalid(path, "it is not JSON") from None
    if not isinstance(receipt, dict) or not isinstance(receipt.get(_FORMAT), int):
        raise ReceiptInvalid(path, f"it is no object with '{_FORMAT}'")
    if receipt[_FORMAT] != RECEIPT_FORMAT:
        raise ReceiptInvalid(path, f"it has format {receipt[_FORMAT]}, and this kgqa reads format {RECEIPT_FORMAT}")
    if receipt.get(_DIGEST) != digest:
        raise ReceiptInvalid(path, "it is damaged or was altered: its digest is another one")
    from kgqa.record_schema import ReceiptRecord, check_record

    try:
        check_record(ReceiptRecord, receipt)
    except ValueError as error:
        raise ReceiptInvalid(path, str(error)) from None
    return cast("ReceiptRecord", receipt)


class ReceiptReplayer(AbstractContextManager["ReceiptReplayer"]):
    """Answers the questions of receipts again, over another graph where one is given; what it opens it keeps open."""

    def __init__(self, graph: str | None = None, settings: Settings | None = None) -> None:
        self.graph, self.settings = graph, settings or Settings.read()
        self._sessions: dict[tuple[str, AnswerOptions], AnswerSession] = {}

    def replay(self, receipt: ReceiptRecord) -> Replay:
        """Return the replay of a receipt; raises what answering raises.

        The replies of a chat server come from the receipt; what it did not ask then is asked now. All else that the environment
        sets is as it is now.
        """
        if not receipt["chat"]:
            return _compare_receipts(receipt, self.answer_again(receipt))
        with TemporaryDirectory(prefix="kgqa-") as folder:
            settings = self.settings._replace(chat_cache=str(_restored_replies(receipt["chat"], Path(folder))))
            with type(self)(self.graph, settings) as replayer:  # its replies are those of this receipt alone
                return _compare_receipts(receipt, replayer.answer_again(receipt))

    def answer_again(self, receipt: ReceiptRecord) -> ReceiptRecord:
        """Return the receipt of the answer that is given now."""
        from kgqa.interventions.graph_settings import parse_settings

        given, passage = receipt["options"], receipt["passage"]
        options = AnswerOptions(
            *(given["limit"], parse_settings(given["do"]), given["risk"], given["reader"], given["corpus"]),
            mines_always=given["cypher"],
            asks_wikipedia=given["quotes"],
            articles=given["articles"],
            follows=given["follow"],
        )
        key = self.graph or given["graph"] or starter_graph(), options
        session = self._sessions.setdefault(key, AnswerSession(*key, self.settings))
        text, path = (passage["text"], passage["path"]) if passage else (None, None)
        return answer_with_receipt(session, receipt["question"], text, path, cypher=given["cypher"]).receipt

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while self._sessions:
            self._sessions.popitem()[1].close()


def replay_receipt(receipt: ReceiptRecord, graph: str | None = None, settings: Settings | None = None) -> Replay:
    """Return the replay of a receipt, over another graph where one is given; raises what answering raises."""
    with ReceiptReplayer(graph, settings) as replayer:
        return replayer.replay(receipt)


def _compare_receipts(receipt: ReceiptRecord, again: ReceiptRecord) -> Replay:
    is_same = _record_text(receipt) == _record_text(again)
    was, now = dict(_ingredients(receipt)), {**dict(_ingredients(again)), **_passage_now(receipt)}
    changes = [IngredientChange(name, was.get(name), now.get(name)) for name in {**was, **now} if was.get(name) != now.get(name)]
    decisive = [change for change in changes if None not in change[1:] or change.ingredient.kind not in _IF_USED_AGAIN]
    return Replay(is_same, tuple(decisive if decisive or is_same else changes))


def _sealed(content: Mapping[str, Any]) -> ReceiptRecord:
    """Return a receipt as it is read from its file, with its digest."""
    receipt = json.loads(json_text(content))
    return cast("ReceiptRecord", {**receipt, _DIGEST: _content_digest(receipt)})


def _content_digest(receipt: Mapping[str, Any]) -> str:
    return _text_digest(json_text({name: value for name, value in receipt.items() if name != _DIGEST}))


def _text_digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _record_text(receipt: ReceiptRecord) -> str:
    """Return the bytes of the answer of a receipt, but for the address of its graph."""
    record = receipt["record"]
    return json_text({**record, "graph": {**record["graph"], "url": None}})


def _options_record(session: AnswerSession, *, is_of_graph: bool, cypher: bool) -> ReceiptOptionsRecord:
    options = session.options
    is_named = is_of_graph and session.address != starter_graph()
    return {
        "graph": session.address if is_named else None,
        "do": [setting.text for setting in options.settings],
        "limit": options.limit,
        "risk": options.risk,
        "reader": options.reader,
        "corpus": options.corpus,
        "articles": options.articles,
        "follow": options.follows,
        "cypher": cypher,
        "quotes": options.asks_wikipedia,
    }


def _package_versions() -> dict[str, str]:
    loaded = {name: package_version(name) for name in _PACKAGES if name in sys.modules}
    return {"python": platform.python_version(), **loaded}


def _portable_name(path: Path) -> str:
    """Return the path of a model without the folder that its package is installed in."""
    roots = (Path(kgqa.__path__[0]).parent, *map(Path, filter(None, sys.path)))
    return next((path.relative_to(root).as_posix() for root in roots if path.is_relative_to(root)), str(path))


def _claim_records(answer: Answer) -> Iterator[ReceiptClaimRecord]:
    """Yield the claims of the findings and of the records of an answer, each once."""
    edges: dict[Claim, Edge] = {edge.claim: edge for finding in answer.findings for edge in finding.path.edges}
    presumed = [item for presupposition in answer.presuppositions for item in presupposition.evidence]
    cited: dict[Claim, list[str]] = {claim: [] for claim in edges}
    for item in (*answer.evidence, *answer.against, *presumed):
        cited.setdefault(item.claim, []).append(_text_digest(json_text(evidence_record(item))))
    for claim, digests in cited.items():
        yield {
            "cause": claim.cause,
            "effect": claim.effect,
            "relation": claim.relation,
            "polarity": claim.polarity,
            "hash": claim.hash,
            "edge": _text_digest(json_text(edge_record(edges[claim]))) if claim in edges else None,
            "evidence": digests,
        }


def _exchange_record(exchange: ChatExchange) -> Mapping[str, Any]:
    return {"url": exchange.url, "request": exchange.request, "reply": asdict(exchange.reply)}


def _restored_replies(exchanges: Iterable[ChatExchangeRecord], folder: Path) -> Path:
    """Write a cache that holds the replies of a receipt, and return its file."""
    from kgqa.readers.chat.chat_client import ChatReply, ReplyToken
    from kgqa.readers.chat.reply_cache import ReplyCache, reply_key

    path = folder / "chat.sqlite"
    cache = ReplyCache(path, lambda _: None)
    for exchange in exchanges:
        tokens = tuple(ReplyToken(**token) for token in exchange["reply"]["tokens"])
        reply = ChatReply(**{**exchange["reply"], "tokens": tokens})  # type: ignore[arg-type]
        cache.put(reply_key(exchange["url"], exchange["request"]), reply)
    return path


def _ingredients(receipt: ReceiptRecord) -> Iterator[tuple[Ingredient, str]]:
    """Yield the ingredients of an answer, each with its digest or value."""
    yield Ingredient("version", "of kgqa"), f"{receipt['version']} (code {receipt['code']})"
    for kind, values in (("package", receipt["packages"]), ("option", receipt["settings"]), ("model", receipt["models"])):
        for name, value in values.items():
            yield Ingredient(kind, name), value
    for kind, digest in (("graph", receipt["graph"]), ("corpus", receipt["corpus"]), ("articles", receipt["articles"])):
        if digest is not None:
            yield Ingredient(kind, ""), digest
    if receipt["passage"] is not None:
        yield Ingredient("passage", receipt["passage"]["path"] or ""), receipt["passage"]["digest"]
    for claim in receipt["claims"]:
        polarity = "" if claim["polarity"] == "none" else f", {claim['polarity']}"
        name = f"{claim['cause']} -[{claim['relation']}{polarity}]-> {claim['effect']}"
        yield Ingredient("claim", name), _text_digest(json_text({"edge": claim["edge"], "evidence": claim["evidence"]}))
    for exchange in receipt["chat"]:
        request = _text_digest(json_text({"url": exchange["url"], "request": exchange["request"]}))
        yield Ingredient("chat request", request[:12]), _text_digest(json_text(exchange["reply"]))


def _passage_now(receipt: ReceiptRecord) -> dict[Ingredient, str]:
    """Return the passage of a receipt as it stands in its file now; empty where there is no such file, or none is known."""
    passage = receipt["passage"]
    if passage is None or passage["path"] in (None, "-"):
        return {}
    from kgqa.passages.linked_passage import read_passage_text

    try:
        return {Ingredient("passage", passage["path"]): _text_digest(read_passage_text(passage["path"]))}
    except GraphError:
        return {}
