"""The HTTP client against servers on loopback that are slow, endless, silent, or proxies."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from graph.net.http import HttpClient
from graph.net.retry import Fault, HttpFailure, TimeLimits

QUICK = TimeLimits(connect=5.0, silence=1.0, total=0.4)
LONG = TimeLimits(connect=5.0, silence=0.2)


@contextmanager
def socket_server(behave: Callable[[socket.socket], None]) -> Iterator[tuple[str, list[bytes]]]:
    """Give the address of a server that reads a request and then behaves so, and the requests."""
    requests: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    with listening.accept()[0] as connection:
                        requests.append(connection.recv(1 << 16))
                        with suppress(OSError):
                            behave(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", requests
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def dripping(head: bytes) -> Callable[[socket.socket], None]:
    """Send a head and then a byte every few milliseconds, without end."""

    def behave(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(b"x")
            time.sleep(0.02)

    return behave


def answering(response: bytes) -> Callable[[socket.socket], None]:
    return lambda connection: connection.sendall(response)


def failure_of(address: str, limits: TimeLimits, longest: int | None = None) -> HttpFailure:
    with pytest.raises(HttpFailure) as raised, HttpClient("test", limits).send("GET", address, longest=longest) as response:
        response.read()
    return raised.value


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFF\r\n",
    ],
)
def test_a_response_that_drips_ends_with_the_time_for_the_exchange(head: bytes) -> None:
    began = time.monotonic()
    with socket_server(dripping(head)) as (address, _):
        failure = failure_of(address, QUICK)
    assert (failure.fault, str(failure)) == (Fault.DEADLINE, "does not finish its answer within 0.4 s")
    assert 0.3 < time.monotonic() - began < 5


def test_silence_is_a_timeout() -> None:
    with socket_server(lambda connection: time.sleep(1)) as (address, _):
        failure = failure_of(address, LONG)
    assert (failure.fault, str(failure)) == (Fault.TIMEOUT, "does not answer within 0.2 s")


def test_a_body_is_read_no_further_than_its_limit() -> None:
    body = b"x" * (3 << 20)
    with socket_server(answering(b"HTTP/1.1 200 OK\r\n\r\n" + body)) as (address, _):
        assert failure_of(address, TimeLimits(), longest=2 << 20).fault is Fault.TOO_LONG
        with HttpClient("test", TimeLimits()).send("GET", address, longest=len(body)) as response:
            assert response.read() == body


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999/", "http://[::1/", "http://a..b/", "ftp://127.0.0.1/"])
def test_an_address_that_cannot_be_used_is_a_failure(address: str) -> None:
    assert failure_of(address, LONG).fault is Fault.ADDRESS


def test_a_redirect_to_no_address_is_a_failure() -> None:
    with socket_server(answering(b"HTTP/1.1 302 Found\r\nLocation: http://[::1/\r\n\r\n")) as (address, _):
        with pytest.raises(HttpFailure) as raised, HttpClient("test", LONG).send("GET", address, redirects=3):
            pass
        assert raised.value.fault is Fault.ADDRESS


def test_a_redirect_to_another_protocol_is_not_followed_through_a_proxy_either(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket_server(answering(b"HTTP/1.1 302 Found\r\nLocation: ftp://files.example/x\r\n\r\n")) as (address, requests):
        monkeypatch.setenv("ftp_proxy", address)
        with (
            pytest.raises(HttpFailure, match=r"redirects to 'ftp://files\.example/x', which is not http"),
            HttpClient("test", LONG).send("GET", address, redirects=3),
        ):
            pass
        assert len(requests) == 1


def test_a_redirect_is_a_failure_unless_it_is_allowed() -> None:
    with socket_server(answering(b"HTTP/1.1 307 Moved\r\nLocation: /there\r\n\r\n")) as (address, requests):
        failure = failure_of(address, LONG)
        assert (failure.fault, failure.detail, len(requests)) == (Fault.REDIRECT, f"{address}/there", 1)
        with HttpClient("test", LONG).send("GET", address, redirects=3) as response:
            assert response.status == 307
        assert len(requests) == 1 + 4


def test_the_proxy_of_the_environment_receives_its_password_and_no_request_to_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reply = answering(b"HTTP/1.1 204 No Content\r\n\r\n")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with socket_server(reply) as (proxy, through_proxy), socket_server(reply) as (address, direct):
        monkeypatch.setenv("http_proxy", proxy.replace("//", "//me:secret@"))
        for target in ("http://graphs.invalid/c", address):
            with HttpClient("test", LONG).send("GET", target) as response:
                response.check()
    assert [request.splitlines()[0] for request in through_proxy] == [b"GET http://graphs.invalid/c HTTP/1.1"]
    assert b"Proxy-Authorization: Basic bWU6c2VjcmV0" in through_proxy[0]
    assert len(direct) == 1
    assert b"Proxy-Authorization" not in direct[0]
