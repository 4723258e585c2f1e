"""A chat server that lies, stalls, floods or hangs up: an answer marked as such, or an error in a line, in bounded time."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from fuzzing import mutated, seeds
from trials import NotHeld, damaged, end, mannerly, start

KEY = "sk-a-key-that-nothing-prints"
REPLY = {
    "choices": [{"message": {"role": "assistant", "content": "because the rain fell"}, "finish_reason": "stop"}],
    "model": "m",
    "usage": {"total_tokens": 9},
}


def drawn_reply(chance: random.Random) -> tuple[int, bytes, float]:
    """Return a status, a body and how long to wait before it, in seconds."""
    reply = json.loads(json.dumps(REPLY))
    reply["choices"][0]["message"]["content"] = chance.choice(
        (
            "",
            "yes",
            "no",
            "unknown",
            None,
            7,
            ["x"],
            "x" * 300_000,
            "\u202e\x1b[2J<script>",
            '{"answer": "rain"}',
            mutated(chance, "It was the rain"),
        )
    )
    body = json.dumps(reply).encode()
    if chance.random() < 0.5:
        body = chance.choice((damaged(chance, body), b"", b"null", b"[]", b"{}", b"[" * 100_000, b"\xff\xfe", body * 3))
    return chance.choice((200, 200, 200, 204, 301, 400, 401, 429, 500, 503, 999)), body, chance.choice((0, 0, 0, 0.5))


@contextmanager
def lying_server(chance: random.Random) -> Iterator[str]:
    """Give the address of a server whose replies are drawn."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, body, wait = drawn_reply(chance)
            time.sleep(wait)
            with suppress(OSError):
                self.send_response(status)
                self.send_header("Content-Type", chance.choice(("application/json", "text/html", "")))
                self.send_header("Retry-After", chance.choice(("0", "1", "-1", "soon")))
                self.send_header("Location", "http://127.0.0.1:9/")
                self.send_header("Content-Length", str(len(body) + chance.choice((0, 0, 0, 5, -1))))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def prepare(given: Path) -> None:
    """There is nothing to make."""


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Ask one question of a passage by such a server."""
    (place / "passage.txt").write_text(chance.choice(seeds("text")), encoding="utf-8")
    question = chance.choice(seeds("question"))
    with lying_server(random.Random(chance.random())) as url:
        asking = start(
            *("ask", question, "--passage", place / "passage.txt", "--reader", "chat"),
            KGQA_CHAT_URL=url,
            KGQA_CHAT_MODEL="m",
            KGQA_CHAT_KEY=KEY,
            XDG_CACHE_HOME=str(place),
        )
        ended = mannerly(end(asking, within_s=400))
    if KEY in ended.out + ended.err:
        raise NotHeld("the key is printed")
    if len(ended.out) > 20_000:
        raise NotHeld(f"{len(ended.out)} characters are printed")
    return f"exit code {ended.code}"
