"""The client of a chat server: retries, costs, and requests without the options that the server does not support."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from graph.net.http import HttpClient, HttpResponse
from graph.net.retry import Fault, HttpFailure, RetryPolicy, TimeLimits
from kgqa.readers.chat.chat_errors import ChatFailed, PromptTooLong, RequestRejected, error_text, printable_line
from kgqa.readers.chat.chat_reply import ChatReply, parse_reply, parse_streamed_reply
from kgqa.readers.chat.chat_settings import CHAT_LIMITS, CHAT_RETRY_POLICY
from kgqa.readers.chat.token_usage import Cost, estimate_tokens

RequestBody = Mapping[str, Any]
"""The JSON object of a request."""

_OPTIONAL = ("stream_options", "top_logprobs", "logprobs", "seed", "temperature", "stream")
"""Options that are omitted where a server or a model does not support them; the less common first."""
_LONGEST_REPLY = 8 << 20
"""A reply of a few hundred tokens, each with its probability, takes about 200 KB."""
_LONGEST_ERROR = 1 << 16
_LENGTH, _OTHER_LENGTH = "max_tokens", "max_completion_tokens"
_TOO_LONG = re.compile(r"context[ _-]?(?:length|size|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE)


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
        except RequestRejected as failure:
            too_long = failure.status == 413 or _TOO_LONG.search(failure.server_message)
            raise (PromptTooLong if too_long else ChatFailed)(self.url, self._error_line(failure)) from None
        except HttpFailure as failure:
            raise ChatFailed(self.url, self._error_line(failure)) from None

    def _send_supported(self, body: RequestBody) -> ChatReply:
        """Send a request until it holds no option that the server rejects by name; raise `HttpFailure`."""
        while True:
            try:
                return self._send(body)
            except RequestRejected as failure:
                message = failure.server_message
                if failure.status == 413 or _TOO_LONG.search(message) or not self._leave_out(body, message):
                    raise

    def _send(self, body: RequestBody) -> ChatReply:
        """Send a request once and add its cost; raise `HttpFailure`."""
        began = time.monotonic()
        data = json.dumps(self._fitted(body), ensure_ascii=False).encode("utf-8", "replace")
        address = f"{self.url}/chat/completions"
        try:
            with self._client.send("POST", address, self._headers, data, longest=_LONGEST_REPLY) as response:
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
            body = b""
            with suppress(HttpFailure):
                body = response.read(_LONGEST_ERROR)
            raise RequestRejected(response.status, error_text(body))
        response.check()

    def _fitted(self, body: RequestBody) -> dict[str, Any]:
        """Return a request without the options that the server does not support."""
        fitted = {"stream": True, "stream_options": {"include_usage": True}, **body}
        for name in self._without:
            value = fitted.pop(name, None)
            if name == _LENGTH and value is not None:
                fitted[_OTHER_LENGTH] = value
        if "stream" not in fitted:
            fitted.pop("stream_options", None)
        return fitted

    def _leave_out(self, body: RequestBody, server_message: str) -> bool:
        """Omit the option that the server rejects from now on; return false where its message names none."""
        fitted = self._fitted(body)
        known = _LENGTH if _OTHER_LENGTH in server_message and _LENGTH in fitted else None
        for name in _OPTIONAL:
            if known is None and name in fitted and re.search(rf"\b{name}\b", server_message):
                known = name
        if known is not None:
            self._without.append(known)
        return known is not None

    def _error_line(self, failure: HttpFailure) -> str:
        """Return the text of a failure without the key, which the server may repeat."""
        text = str(failure)
        if failure.fault is Fault.REDIRECT:
            place = printable_line(failure.detail, 120)
            text = f"redirects to '{place}', which is not followed: set KGQA_CHAT_URL to the place itself"
        return text.replace(self._key, "…") if self._key else text


def _read_reply(response: HttpResponse) -> ChatReply:
    """Return the reply in a response, in either of its two forms; raise `HttpFailure`."""
    kind = response.media_type
    if kind == "text/event-stream":
        return parse_streamed_reply(response.blocks())
    if kind == "application/json" or kind.endswith("+json"):
        return parse_reply(response.read())
    text = f"answers with '{kind}', no answer of the chat API; is the address complete (mostly .../v1)?"
    raise HttpFailure(Fault.CONTENT, text)
