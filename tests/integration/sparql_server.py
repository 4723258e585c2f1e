"""A real SPARQL server on loopback (Oxigraph, of the development tools), and a proxy before it that does what it is told."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

OXIGRAPH = str(Path(sys.executable).with_name("oxigraph"))


@contextmanager
def sparql_server(folder: Path, *files: Path) -> Iterator[str]:
    """Load files into a new database in `folder`, serve it read-only, and give the address that takes queries."""
    location = str(folder / "oxigraph")
    subprocess.run([OXIGRAPH, "load", "-l", location, "-f", *files], check=True, capture_output=True, timeout=300)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [OXIGRAPH, "serve-read-only", "-l", location, "-b", f"127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await(server, port)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(20)


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(200):
        assert server.poll() is None, "the SPARQL server has ended by itself"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the SPARQL server does not answer")


@dataclass
class Proxy:
    """Passes queries on to a server.

    `faults` go wrong first, one a request: a status as a number, with Retry-After as "429 1", "cut" for an answer that breaks
    off in its middle, "drop" for none at all, "page" for HTML in place of results, "half" for results that end too early,
    "late" for an answer that comes after `delay` seconds, and "pass" for a request that goes well. After `most` requests,
    where that is set, nothing is answered any more.
    """

    upstream: str
    faults: list[str] = field(default_factory=list)
    most: int | None = None
    delay: float = 0.0
    address: str = ""
    requests: list[tuple[float, str, str]] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    proxy: Proxy

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.proxy.requests.append((time.monotonic(), self.headers["User-Agent"], body.decode()))
        spent = self.proxy.most is not None and len(self.proxy.requests) > self.proxy.most
        fault = "503" if spent else self.proxy.faults.pop(0) if self.proxy.faults else "pass"
        if fault[0].isdigit():
            status, _, wait = fault.partition(" ")
            self._answer(int(status), b"busy", {"Retry-After": wait} if wait else {})
        elif fault == "drop":
            self.close_connection = True
        elif fault == "page":
            self._answer(200, b"<html>too many requests</html>", {"Content-Type": "text/html"})
        else:
            self._pass_on(body, fault)

    def _pass_on(self, body: bytes, fault: str) -> None:
        if fault == "late":
            time.sleep(self.proxy.delay)
        headers = {name: self.headers[name] for name in ("Accept", "Content-Type")}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.proxy.upstream, body, headers), timeout=30) as found:
                content = found.read()
        except urllib.error.HTTPError as error:
            with error:
                self._answer(error.code, error.read(), {})
            return
        kind = {"Content-Type": "application/sparql-results+json"}
        if fault == "half":
            self._answer(200, content[: len(content) // 2], kind)
        elif fault == "cut":
            self._answer(200, content[: len(content) // 2], {**kind, "Content-Length": str(len(content))})
            self.close_connection = True
        else:
            self._answer(200, content, kind)

    def _answer(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(content)
        except BrokenPipeError:
            self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        pass


@contextmanager
def proxied(upstream: str) -> Iterator[Proxy]:
    """Give a proxy that runs until the block ends."""
    proxy = Proxy(upstream)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (_Handler,), {"proxy": proxy}))
    server.daemon_threads = True
    proxy.address = f"http://127.0.0.1:{server.server_address[1]}/sparql"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
