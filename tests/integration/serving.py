"""A real HTTP server on loopback that serves files as badly as it is told to."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class File:
    """A file, and what goes wrong with it.

    `answers` are statuses with headers that come first, one a request; `cuts` are numbers of bytes after which the connection is
    cut, one a request; `stall` seconds pass before the rest of a reply.
    """

    content: bytes = b""
    etag: str = '"one"'
    modified: str = ""
    kind: str = "application/octet-stream"
    ranges: bool = True
    length: bool = True
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    stall: float = 0.0


class Server:
    """The files by path, and the requests that came: method, path and headers."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.files: dict[str, File] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.halt = threading.Event()

    def ranges(self, path: str) -> list[str]:
        """The Range headers with which a path was asked for, empty for all of it."""
        return [headers.get("range", "") for asked, headers in self.requests if asked == path]


class Handler(BaseHTTPRequestHandler):
    served: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.served.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        file = self.served.files.get(self.path)
        if file is None:
            self._short(404, {})
        elif file.answers:
            self._short(*file.answers.pop(0))
        else:
            self._file(file)

    def _short(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _file(self, file: File) -> None:
        size, start = len(file.content), self._start(file)
        if start > 0 and start >= size:
            self._short(416, {"Content-Range": f"bytes */{size}"})
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Type", file.kind)
        if file.etag:
            self.send_header("ETag", file.etag)
        if file.modified:
            self.send_header("Last-Modified", file.modified)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        if file.length:
            self.send_header("Content-Length", str(size - start))
        else:
            self.close_connection = True
        self.end_headers()
        body = file.content[start:]
        cut = file.cuts.pop(0) if file.cuts else len(body)
        with suppress(OSError):
            self.wfile.write(body[:cut])
            self.wfile.flush()
            if file.stall:
                self.served.halt.wait(file.stall)
                self.wfile.write(body[cut:])
        if cut < len(body) or file.stall:
            self.close_connection = True

    def _start(self, file: File) -> int:
        wanted = self.headers.get("Range", "")
        same = self.headers.get("If-Range") in (file.etag or file.modified, None)
        return int(wanted.removeprefix("bytes=").partition("-")[0]) if wanted and file.ranges and same else 0

    def log_message(self, *arguments: object) -> None:
        pass


@contextmanager
def served(certificate: Path | None = None) -> Iterator[Server]:
    """Give a server that runs until the block ends, over TLS where it has a certificate (a file with its key)."""
    listening = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {}))
    listening.daemon_threads = True
    server = Server(listening.server_address[1])
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        listening.socket = context.wrap_socket(listening.socket, server_side=True)
        server.address = f"https://localhost:{listening.server_address[1]}"
    listening.RequestHandlerClass.served = server  # type: ignore[attr-defined]
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.halt.set()
        listening.shutdown()
        thread.join()
        listening.server_close()
