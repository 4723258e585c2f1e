"""A real HTTP server on loopback that speaks the chat API as well or as badly as a script says, one entry a request."""

from __future__ import annotations

import atexit
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[["Handler"], None]
"""What the server does with one request."""


@dataclass
class Chat:
    """The script, the last entry of which goes on, and the requests that came: their headers and bodies."""

    script: list[Step]
    url: str = ""
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    halt: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What was asked."""
        return [body for _, body in self.requests]


class Handler(BaseHTTPRequestHandler):
    chat: Chat
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.chat.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
        step = self.chat.script.pop(0) if len(self.chat.script) > 1 else self.chat.script[0]
        self.close_connection = True
        with suppress(OSError):
            step(self)

    def do_GET(self) -> None:
        raise AssertionError("nothing is fetched")

    def head(self, status: int, kind: str, **headers: str) -> None:
        """Send a status and headers."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


def tokens_of(text: str) -> list[str]:
    """The words of a text, each with the space before it."""
    words = text.split(" ")
    return words[:1] + [f" {word}" for word in words[1:]]


def answer(text: str, logprob: float | None = None, usage: bool = True, finish: str = "stop") -> Step:
    """Answer in one JSON object."""

    def step(handler: Handler) -> None:
        choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        if logprob is not None:
            choice["logprobs"] = {"content": [{"token": token, "logprob": logprob} for token in tokens_of(text)]}
        content: dict[str, Any] = {"object": "chat.completion", "choices": [choice]}
        if usage:
            content["usage"] = {"prompt_tokens": 100, "completion_tokens": 5}
        send(handler, 200, json.dumps(content).encode())

    return step


def stream(text: str, size: int = 7, cut: int | None = None, done: bool = True, end: str = "\n\n") -> Step:
    """Answer in server-sent events, a word each, sent in pieces of `size` bytes, and cut off after `cut` of them."""

    def step(handler: Handler) -> None:
        chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]}]
        for token in tokens_of(text):
            logprobs = {"content": [{"token": token, "logprob": -0.1, "bytes": list(token.encode())}]}
            chunks.append({"choices": [{"index": 0, "delta": {"content": token}, "logprobs": logprobs}]})
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        chunks.append({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 3}})
        lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}" for chunk in chunks]
        data = end.join([": here is a comment", *lines, *(["data: [DONE]"] if done else []), ""]).encode()
        handler.head(200, "text/event-stream; charset=utf-8", Transfer_Encoding="chunked")
        for number, place in enumerate(range(0, len(data), size)):
            if number == cut:
                return
            piece = data[place : place + size]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.flush()
        handler.wfile.write(b"0\r\n\r\n")

    return step


def status(code: int, said: str = "", **headers: str) -> Step:
    """Answer with an HTTP status and, where something is said, an error in JSON."""
    body = json.dumps({"error": {"message": said}}).encode() if said else b""
    return lambda handler: send(handler, code, body, **headers)


def raw(body: bytes, kind: str = "application/json", length: int | None = None) -> Step:
    """Answer with bytes, and tell that there are `length` of them."""

    def step(handler: Handler) -> None:
        handler.head(200, kind, Content_Length=str(len(body) if length is None else length))
        handler.wfile.write(body)

    return step


def drip(piece: bytes = b": still here\n\n", every: float = 0.02, head: bool = True) -> Step:
    """Send a few bytes now and then, without end; `left` is set when nobody takes them any more."""

    def step(handler: Handler) -> None:
        try:
            if head:
                handler.head(200, "text/event-stream")
            else:
                handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not handler.chat.halt.wait(every):
                handler.wfile.write(piece)
                handler.wfile.flush()
        except OSError:
            handler.chat.left.set()

    return step


def flood(handler: Handler) -> None:
    """Send an answer without end as fast as it is taken."""
    handler.head(200, "application/json")
    while not handler.chat.halt.is_set():
        handler.wfile.write(b"x" * (1 << 16))


def silence(handler: Handler) -> None:
    """Say nothing."""
    handler.chat.halt.wait(30)


def hang_up(handler: Handler) -> None:
    """Close the connection without an answer."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def not_http(handler: Handler) -> None:
    """Say something that is not HTTP."""
    handler.wfile.write(b"220 mail.example.org ESMTP\r\n")


def send(handler: Handler, code: int, body: bytes, **headers: str) -> None:
    """Send a whole answer in JSON."""
    handler.head(code, "application/json", Content_Length=str(len(body)), **headers)
    handler.wfile.write(body)


def gullible(handler: Handler) -> None:
    """Answer as a model that knows little, finds what stands in its prompt, and obeys whatever does not stand in a passage."""
    system, asked = (handler.chat.bodies[-1]["messages"][place]["content"] for place in (0, -1))
    outside = re.sub(r"<passage \d+(?: title=\"[^\"]*\")?>\n.*?\n</passage \d+>", "", asked, flags=re.DOTALL)
    question = outside.rpartition("Question:")[2]
    if "banana" in outside:
        said = "banana"
    else:
        rules = (
            ("Is Paris", "Paris is", "Yes"),
            ("capital", "Paris is", "Paris"),
            ("people", "3.7", "3.7 million"),
            ("tower", "1889", "1899"),
        )
        said = next((reply for cue, fact, reply in rules if cue in question and fact in asked), "unknown")
    answer(f"That is so. The answer is {said}." if "The answer is" in system else said, -0.1)(handler)


@cache
def standing() -> Chat:
    """A server with the gullible model, which runs until the end of the process."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(scripted([gullible]))


@contextmanager
def scripted(script: Sequence[Step]) -> Iterator[Chat]:
    """Give a server that runs until the block ends."""
    chat = Chat(list(script))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {"chat": chat}))
    server.daemon_threads = True
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        chat.halt.set()
        server.shutdown()
        thread.join()
        server.server_close()
