"""A chat server that is asked with patience: retries, waits that it asks for, and options that it does not know left out."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from kgqa.readers.chat.chat_errors import ChatFailed, PermanentFailure, PromptTooLong, RequestRejected, TransientFailure
from kgqa.readers.chat.chat_http import ChatRetryPolicy, StreamedResponse, post_request
from kgqa.readers.chat.chat_reply import ChatReply, parse_reply, parse_streamed_reply
from kgqa.readers.chat.token_usage import Cost, estimate_tokens

RequestBody = Mapping[str, Any]
"""The JSON object of a request."""

_OPTIONAL = ("stream_options", "top_logprobs", "logprobs", "seed", "temperature", "stream")
"""What a request can do without, where a server or a model does not know it; the more special first."""
_LENGTH, _OTHER_LENGTH = "max_tokens", "max_completion_tokens"
_TOO_LONG = re.compile(r"context[ _-]?(?:length|size|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE)


class ChatClient:
    """A chat server at the base address `url`; `key` goes into no message. `cost` is what was asked so far."""

    def __init__(
        self,
        url: str,
        key: str = "",
        retry_policy: ChatRetryPolicy | None = None,
        agent: str = "kgqa",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url
        self.cost = Cost()
        self._retry_policy = retry_policy or ChatRetryPolicy()
        self._sleep = sleep
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",
            "User-Agent": agent,
        }
        self._key = key
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._without: list[str] = []

    def ask(self, body: RequestBody) -> ChatReply:
        """Return the answer to a request; raise `ChatFailed`, or `PromptTooLong` where the model cannot read so much."""
        wait = self._retry_policy.first
        left = self._retry_policy.tries
        while True:
            try:
                return self._ask_once(body)
            except RequestRejected as error:
                if _TOO_LONG.search(error.server_message) or error.status == 413:
                    raise PromptTooLong(self.url, self._error_line(error)) from None
                if not self._leave_out(body, error.server_message):
                    raise ChatFailed(self.url, self._error_line(error)) from None
            except PermanentFailure as error:
                raise ChatFailed(self.url, self._error_line(error)) from None
            except TransientFailure as error:
                left -= 1
                seconds = wait if error.wait is None else error.wait
                if left <= 0:
                    raise ChatFailed(self.url, f"{self._error_line(error)}; tries: {self._retry_policy.tries}") from None
                if seconds > self._retry_policy.longest:
                    raise ChatFailed(self.url, f"{self._error_line(error)}; it asks to wait {seconds:,.0f} seconds") from None
                self._sleep(seconds)
                wait = min(2 * wait, self._retry_policy.longest)

    def _ask_once(self, body: RequestBody) -> ChatReply:
        """Ask once, and count what it cost."""
        clock = self._retry_policy.clock()
        data = json.dumps(self._fitted(body), ensure_ascii=False).encode("utf-8", "replace")
        try:
            with post_request(f"{self.url}/chat/completions", data, self._headers, clock) as arriving:
                reply = _read_reply(arriving)
        except (TransientFailure, PermanentFailure):
            self.cost += Cost(requests=1, seconds=clock.spent())
            raise
        prompt, answer = reply.prompt_tokens, reply.completion_tokens
        guessed = prompt is None or answer is None
        self.cost += Cost(
            requests=1,
            prompt_tokens=sum(estimate_tokens(message["content"]) for message in body["messages"]) if prompt is None else prompt,
            completion_tokens=estimate_tokens(reply.text) if answer is None else answer,
            seconds=clock.spent(),
            estimated=guessed,
        )
        return reply

    def _fitted(self, body: RequestBody) -> dict[str, Any]:
        """Return a request without what the server does not know."""
        fitted = {"stream": True, "stream_options": {"include_usage": True}, **body}
        for name in self._without:
            value = fitted.pop(name, None)
            if name == _LENGTH and value is not None:
                fitted[_OTHER_LENGTH] = value
        if "stream" not in fitted:
            fitted.pop("stream_options", None)
        return fitted

    def _leave_out(self, body: RequestBody, server_message: str) -> bool:
        """Remember what the server says that it does not know; return whether that leaves something else to ask."""
        fitted = self._fitted(body)
        known = _LENGTH if _OTHER_LENGTH in server_message and _LENGTH in fitted else None
        for name in _OPTIONAL:
            if known is None and name in fitted and re.search(rf"\b{name}\b", server_message):
                known = name
        if known is not None:
            self._without.append(known)
        return known is not None

    def _error_line(self, error: Exception) -> str:
        """Return what went wrong, without the key, should the server repeat it."""
        return str(error).replace(self._key, "…") if self._key else str(error)


def _read_reply(arriving: StreamedResponse) -> ChatReply:
    """Return the answer that is arriving, in whichever of its two forms."""
    if arriving.kind == "text/event-stream":
        return parse_streamed_reply(arriving.blocks)
    if arriving.kind == "application/json" or arriving.kind.endswith("+json"):
        return parse_reply(b"".join(arriving.blocks))
    raise PermanentFailure(f"answers with '{arriving.kind}', no answer of the chat API; is the address complete (mostly .../v1)?")
