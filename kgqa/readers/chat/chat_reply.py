"""The reply of a chat server, as one JSON object or as server-sent events: its text, token probabilities and token counts."""

from __future__ import annotations

import json
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graph.net.retry import Fault, HttpFailure
from kgqa.readers.chat.chat_errors import failure_in_reply

_DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """A token of a reply and the natural logarithm of its probability."""

    text: str
    logprob: float


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A reply: its text, its tokens where the server returns their probabilities, and why it ended ("stop", "length").

    Token counts that the server does not return are `None`. `refused` is true where the server marks the text as a refusal.
    """

    text: str
    tokens: tuple[ReplyToken, ...] = ()
    finish: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    refused: bool = False


def parse_reply(data: bytes) -> ChatReply:
    """Return the reply in one JSON object; raise `HttpFailure` for anything else."""
    return _join_pieces([_content(data)], "message")


def parse_streamed_reply(blocks: Iterable[bytes]) -> ChatReply:
    """Return the reply in server-sent events; raise `HttpFailure` where they end too early or hold anything else."""
    pieces: list[dict[str, Any]] = []
    for data in server_sent_events(blocks):
        if data == _DONE:
            return _join_pieces(pieces, "delta")
        pieces.append(_content(data))
    reply = _join_pieces(pieces, "delta") if pieces else ChatReply("")
    if not reply.finish:
        raise HttpFailure(Fault.CUT, "breaks off its answer")
    return reply


def server_sent_events(blocks: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of server-sent events in blocks of any size; comments and other fields are skipped."""
    held: list[str] = []
    for line in _lines(blocks):
        if line.startswith("data:"):
            held.append(line[5:].removeprefix(" "))
        elif not line and held:
            yield "\n".join(held)
            held = []
    if held:
        yield "\n".join(held)


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """Yield lines that end with CR, LF or both; lines and characters may be split between blocks."""
    rest = bytearray()
    after_return = False
    for block in blocks:
        for line in block.splitlines(keepends=True):
            if after_return and line == b"\n" and not rest:
                after_return = False
                continue
            rest += line
            after_return = rest.endswith(b"\r")
            if after_return or rest.endswith(b"\n"):
                yield _decode_line(bytes(rest).rstrip(b"\r\n"))
                rest.clear()
    if rest:
        yield _decode_line(bytes(rest))


def _decode_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        raise HttpFailure(Fault.CONTENT, "answers with something that is no text") from None


def _content(data: bytes | str) -> dict[str, Any]:
    """Return the JSON object of a reply or of a piece; raise `HttpFailure` for anything else, or for an error that it reports."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        content = None
    failure = failure_in_reply(content)
    if failure is not None:
        raise failure
    if not isinstance(content, dict) or not isinstance(content.get("choices", []), list):
        raise _no_reply()
    return content


def _join_pieces(pieces: Iterable[dict[str, Any]], part: str) -> ChatReply:
    """Return the first choice of a reply, joined from its pieces."""
    texts: list[str] = []
    tokens: list[ReplyToken] = []
    decoder = getincrementaldecoder("utf-8")("replace")
    finish = refusal = ""
    counts: dict[str, Any] = {}
    choices = 0
    for piece in pieces:
        if isinstance(piece.get("usage"), dict):
            counts = piece["usage"]
        for choice in piece.get("choices", []):
            message = _message_of(choice, part)
            if choice.get("index") not in (0, None):
                continue
            choices += 1
            texts.append(_text(message.get("content")))
            refusal += _text(message.get("refusal"))
            finish = _text(choice.get("finish_reason")) or finish
            tokens.extend(_tokens(choice.get("logprobs"), decoder))
    if not choices:
        raise _no_reply()
    text = "".join(texts)
    sizes = (_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))
    return ChatReply(text or refusal, tuple(tokens), finish, *sizes, refused=bool(refusal) and not text)


def _no_reply() -> HttpFailure:
    return HttpFailure(Fault.CONTENT, "answers with something that is no answer of the chat API")


def _message_of(choice: Any, part: str) -> dict[str, Any]:
    """Return the message or delta of a choice; the last piece of a stream may have none."""
    message = choice.get(part) if isinstance(choice, dict) else None
    if message is None and part == "delta" and isinstance(choice, dict) and choice.get("finish_reason"):
        return {}
    if not isinstance(message, dict):
        raise _no_reply()
    return message


def _text(value: Any) -> str:
    """Return a text, the joined text of its parts, or an empty text for anything else."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else None


def _tokens(logprobs: Any, decoder: IncrementalDecoder) -> Iterator[ReplyToken]:
    """Yield the tokens with probabilities; a character whose bytes span several tokens belongs to the last of them."""
    rows = logprobs.get("content") if isinstance(logprobs, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("token"), str):
            logprob = row.get("logprob")
            if isinstance(logprob, int | float) and -1e9 < logprob < 1e9:
                yield ReplyToken(_token_text(row, decoder), min(float(logprob), 0.0))


def _token_text(row: dict[str, Any], decoder: IncrementalDecoder) -> str:
    """Return the text of a token, decoded from its bytes where the server returns them."""
    spelling = row.get("bytes")
    try:
        return decoder.decode(bytes(spelling)) if isinstance(spelling, list) else str(row["token"])
    except (TypeError, ValueError):
        return str(row["token"])
