"""The client of a chat server: requests with retries and costs, replies in JSON or as server-sent events, and failures.

A request omits the options that the server does not support. An error is one line without the key.
"""

from __future__ import annotations

import json
import re
import time
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graph.net.http import HttpClient, HttpResponse
from graph.net.retry import Fault, HttpFailure, RetryPolicy, TimeLimits
from kgqa.errors import KgqaError
from kgqa.readers.chat.chat_settings import CHAT_LIMITS, CHAT_RETRY_POLICY, printable_line
from kgqa.readers.chat.token_usage import Cost, estimate_tokens

RequestBody = Mapping[str, Any]
"""The JSON object of a request."""

_OPTIONAL = ("response_format", "stream_options", "top_logprobs", "logprobs", "seed", "temperature", "stream")
"""Options that are omitted where a server or a model does not support them; the less common first."""
_LONGEST_REPLY = 8 << 20
"""A reply of a few hundred tokens, each with its probability, takes about 200 KB."""
_LONGEST_ERROR = 1 << 16
_LENGTH, _OTHER_LENGTH = "max_tokens", "max_completion_tokens"
_TOO_LONG = re.compile(r"context[ _-]?(?:length|size|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE)


class ChatFailed(KgqaError):
    """A chat server cannot be reached, rejects a request, or returns no usable answer."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"the chat server '{address}' {why}")


class PromptTooLong(ChatFailed):
    """The server reports that a prompt exceeds the context of its model."""


class RequestRejected(HttpFailure):
    """The server rejects a request in this form; `server_message` is the message of its error response."""

    def __init__(self, status: int, server_message: str) -> None:
        hint = "; is KGQA_CHAT_URL complete (mostly .../v1)?" if status in {404, 405} else ""
        text = f"answers with HTTP status {status}{f': {server_message}' if server_message else hint}"
        super().__init__(Fault.CONTENT, text, status=status)
        self.server_message = server_message
        self.is_too_long = status == 413 or _TOO_LONG.search(server_message) is not None


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


class ChatClient:
    """A chat server at the base address `url`; no message holds `key`. `cost` sums the requests so far."""

    def __init__(
        self,
        url: str,
        key: str = "",
        retry_policy: RetryPolicy = CHAT_RETRY_POLICY,
        agent: str = "kgqa",
        sleep: Callable[[float], None] = time.sleep,
        limits: TimeLimits = CHAT_LIMITS,
    ) -> None:
        self.url = url
        self.cost = Cost()
        self._retry_policy = retry_policy
        self._sleep = sleep
        self._client = HttpClient(agent, limits)
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        self._key = key
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._without: list[str] = []

    def ask(self, body: RequestBody) -> ChatReply:
        """Return the reply to a request; raise `ChatFailed`, or `PromptTooLong` where the prompt exceeds the context."""
        try:
            return self._retry_policy.run(lambda: self._send_supported(body), sleep=self._sleep)
        except HttpFailure as failure:
            text = str(failure)
            if failure.fault is Fault.REDIRECT:
                place = printable_line(failure.detail, 120)
                text = f"redirects to '{place}', which is not followed: set KGQA_CHAT_URL to the place itself"
            text = text.replace(self._key, "…") if self._key else text  # the server may repeat the key
            is_too_long = isinstance(failure, RequestRejected) and failure.is_too_long
            raise (PromptTooLong if is_too_long else ChatFailed)(self.url, text) from None

    def _send_supported(self, body: RequestBody) -> ChatReply:
        """Send a request until it holds no option that the server rejects by name; raise `HttpFailure`."""
        while True:
            try:
                return self._send(body)
            except RequestRejected as failure:
                option = None if failure.is_too_long else self._rejected_option(body, failure.server_message)
                if option is None:
                    raise
                self._without.append(option)

    def _send(self, body: RequestBody) -> ChatReply:
        """Send a request once and add its cost; raise `HttpFailure`."""
        began = time.monotonic()
        data = json.dumps(self._fitted(body), ensure_ascii=False).encode("utf-8", "replace")
        try:
            with self._client.send(
                "POST", f"{self.url}/chat/completions", self._headers, data, longest=_LONGEST_REPLY
            ) as response:
                self._check_status(response)
                reply = _read_reply(response)
        except HttpFailure:
            self.cost += Cost(requests=1, seconds=time.monotonic() - began)
            raise
        prompt, answer = reply.prompt_tokens, reply.completion_tokens
        self.cost += Cost(
            requests=1,
            prompt_tokens=sum(estimate_tokens(message["content"]) for message in body["messages"]) if prompt is None else prompt,
            completion_tokens=estimate_tokens(reply.text) if answer is None else answer,
            seconds=time.monotonic() - began,
            estimated=prompt is None or answer is None,
        )
        return reply

    def _check_status(self, response: HttpResponse) -> None:
        """Raise `HttpFailure` unless the status is one of success, with the message of the server where it is not transient."""
        if response.status in {401, 403}:  # the message may hold the key
            raise HttpFailure(Fault.CONTENT, f"does not let us in: HTTP status {response.status}; is KGQA_CHAT_KEY its key?")
        if response.status >= 300 and response.status not in self._retry_policy.statuses:
            message = ""
            with suppress(HttpFailure, ValueError, RecursionError):
                message = _error_message(json.loads(response.read(_LONGEST_ERROR)))
            raise RequestRejected(response.status, message)
        response.check()

    def _fitted(self, body: RequestBody) -> dict[str, Any]:
        fitted = {"stream": True, "stream_options": {"include_usage": True}, **body}
        for name in self._without:
            value = fitted.pop(name, None)
            if name == _LENGTH and value is not None:
                fitted[_OTHER_LENGTH] = value
        if "stream" not in fitted:
            fitted.pop("stream_options", None)
        return fitted

    def _rejected_option(self, body: RequestBody, server_message: str) -> str | None:
        fitted = self._fitted(body)
        if _OTHER_LENGTH in server_message and _LENGTH in fitted:
            return _LENGTH
        return next((name for name in _OPTIONAL if name in fitted and re.search(rf"\b{name}\b", server_message)), None)


def _read_reply(response: HttpResponse) -> ChatReply:
    kind = response.media_type
    if kind == "text/event-stream":
        return parse_streamed_reply(response.blocks())
    if kind == "application/json" or kind.endswith("+json"):
        return parse_reply(response.read())
    text = f"answers with '{kind}', no answer of the chat API; is the address complete (mostly .../v1)?"
    raise HttpFailure(Fault.CONTENT, text)


def parse_reply(data: bytes) -> ChatReply:
    """Return the reply in one JSON object; raise `HttpFailure` for anything else."""
    return _join_pieces([_content(data)], "message")


def parse_streamed_reply(blocks: Iterable[bytes]) -> ChatReply:
    """Return the reply in server-sent events; raise `HttpFailure` where they end too early or hold anything else."""
    pieces: list[dict[str, Any]] = []
    for data in _server_sent_events(blocks):
        if data == "[DONE]":
            return _join_pieces(pieces, "delta")
        pieces.append(_content(data))
    reply = _join_pieces(pieces, "delta") if pieces else ChatReply("")
    if not reply.finish:
        raise HttpFailure(Fault.CUT, "breaks off its answer")
    return reply


def _server_sent_events(blocks: Iterable[bytes]) -> Iterator[str]:
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
    """Return the JSON object of a reply or of a piece; raise `HttpFailure` for anything else, or for an error that it reports.

    Some servers report errors with HTTP status 200.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise _no_reply()
    if error := content.get("error"):
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) else 0
        if status == 429 or status >= 500:
            raise HttpFailure(Fault.REPORTED, f"answers with an error: {_error_message(content)}")
        raise RequestRejected(status or 200, _error_message(content))
    if not isinstance(content.get("choices", []), list):
        raise _no_reply()
    return content


def _error_message(content: Any) -> str:
    """Return the message of `{"error": {"message"}}`, `{"error": text}`, `{"message"}` or `{"detail"}` as one short line."""
    if not isinstance(content, dict):
        return ""
    error = content.get("error", content)
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error.get("code") or ""
    return printable_line(error if isinstance(error, str) else str(error or ""))


def _join_pieces(pieces: Iterable[dict[str, Any]], part: str) -> ChatReply:
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
        if not isinstance(row, dict) or not isinstance(row.get("token"), str):
            continue
        text, logprob, spelling = row["token"], row.get("logprob"), row.get("bytes")
        if isinstance(logprob, int | float) and -1e9 < logprob < 1e9:
            with suppress(TypeError, ValueError):
                text = decoder.decode(bytes(spelling)) if isinstance(spelling, list) else text
            yield ReplyToken(text, min(float(logprob), 0.0))
