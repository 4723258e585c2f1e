"""How long a chat server is waited for, and how often it is asked.

One request to a chat server and the bytes that come back: bounded in time and size, never to another place.

The standard library's client is enough: one POST, no cookies, no redirects. What it lacks is a limit for a whole answer, so that
a server that sends a byte now and then is not waited for for ever; the clock below is asked before every read.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import IO, Any
from urllib.parse import urlsplit

from graph.net.http_request import retry_after_seconds
from kgqa.readers.chat.chat_errors import PermanentFailure, RequestRejected, TransientFailure, error_text, printable_line


@dataclass(frozen=True, slots=True)
class ChatRetryPolicy:
    """How a server is waited for, in seconds, and how often it is asked.

    `connect` until there is a connection, `silent` between two pieces of an answer, `total` for a whole answer, however its
    pieces drip. What may pass is tried `tries` times; the wait after the first try is `first`, and it doubles. A wait that the
    server itself asks for (Retry-After) is kept, unless it is longer than `longest`.
    """

    tries: int = 4
    connect: float = 10.0
    silent: float = 60.0
    total: float = 180.0
    first: float = 1.0
    longest: float = 60.0

    def clock(self) -> RequestDeadline:
        """Return a clock for one request, which starts now."""
        return RequestDeadline(self)


@dataclass(slots=True)
class RequestDeadline:
    """The time that is left for one request."""

    retry_policy: ChatRetryPolicy
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return how many seconds the next piece may take; raise `OutOfTime` where the time for the whole answer is over."""
        rest = self.retry_policy.total - self.spent()
        if rest <= 0:
            raise DeadlineExceeded
        return min(rest, self.retry_policy.silent)

    def spent(self) -> float:
        """Return the seconds since the request began."""
        return time.monotonic() - self.began


class DeadlineExceeded(TimeoutError):
    """The time for a whole answer is over."""


MOST_BYTES = 8 << 20
"""An answer of a few hundred tokens, each with its probability, takes about 200 KB."""
_MOST_OF_ERROR = 1 << 16
_BLOCK = 1 << 16
_TRANSIENT_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class StreamedResponse:
    """An answer that is arriving: its media type in lower case, and its bytes."""

    kind: str
    blocks: Iterator[bytes]


@contextmanager
def post_request(address: str, body: bytes, headers: Mapping[str, str], clock: RequestDeadline) -> Iterator[StreamedResponse]:
    """Send a request and give the answer that comes, which is let go at the end of the block, whatever ends it.

    Proxies are those of the environment, but not for servers on this machine. Raises `Passing` or `Lasting`, also while the
    bytes are read.
    """
    request = urllib.request.Request(address, data=body, method="POST")
    for name, value in headers.items():
        request.add_unredirected_header(name, value)
    try:
        response = _opener(address, clock).open(request, timeout=clock.retry_policy.connect)
    except urllib.error.HTTPError as error:
        with error:
            raise _status_failure(error) from None
    except urllib.error.URLError as error:
        raise _connection_failure(error.reason, clock, clock.retry_policy.connect) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _connection_failure(error, clock, clock.retry_policy.silent) from None
    with closing(response):
        yield StreamedResponse(response.headers.get_content_type().lower(), _blocks(response, clock))


def _blocks(response: http.client.HTTPResponse, clock: RequestDeadline) -> Iterator[bytes]:
    """Yield the bytes of an answer; raise `Passing` where they end before their time, `Lasting` where there are too many."""
    size, whole = 0, response.length
    try:
        while block := response.read1(_BLOCK):
            size += len(block)
            if size > MOST_BYTES:
                raise PermanentFailure(f"answers with more than {MOST_BYTES >> 20} MB")
            yield block
            clock.left()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _reading_failure(error, clock) from None
    if whole is not None and size < whole:
        raise TransientFailure("breaks off its answer")


def _status_failure(error: urllib.error.HTTPError) -> Exception:
    """Return what an HTTP error means for us."""
    status = error.code
    if status in _REDIRECTS:
        place = printable_line(error.headers.get("Location", ""), 120)
        return PermanentFailure(f"redirects to '{place}', which is not followed: set KGQA_CHAT_URL to the place itself")
    if status in {401, 403}:  # its words may hold the key
        return PermanentFailure(f"does not let us in: HTTP status {status}; is KGQA_CHAT_KEY its key?")
    if status in _TRANSIENT_STATUSES:
        return TransientFailure(f"answers with HTTP status {status}", retry_after_seconds(error.headers.get("Retry-After")))
    try:
        server_message = error_text(error.read(_MOST_OF_ERROR))
    except (OSError, http.client.HTTPException):
        server_message = ""
    return RequestRejected(status, server_message)


def _connection_failure(reason: object, clock: RequestDeadline, limit: float) -> Exception:
    """Return what it means that there is no connection, or no answer on it; `limit` is how many seconds it could take."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        return PermanentFailure(f"has no valid certificate: {printable_line(reason.verify_message)}")
    if isinstance(reason, socket.gaierror):
        return PermanentFailure("cannot be reached: the name of the host is not known (no network?)")
    if isinstance(reason, ConnectionResetError | http.client.RemoteDisconnected):
        return TransientFailure("closes the connection without an answer")
    if isinstance(reason, TimeoutError):
        return PermanentFailure(_timeout_text(reason, clock, limit))
    if isinstance(reason, http.client.HTTPException | ValueError):
        return PermanentFailure("answers with something that is not HTTP")
    description = getattr(reason, "strerror", None) or str(reason)
    return PermanentFailure(f"cannot be reached: {printable_line(str(description)).lower()}")


def _reading_failure(error: Exception, clock: RequestDeadline) -> Exception:
    """Return what it means that an answer cannot be read to its end."""
    if isinstance(error, TimeoutError):
        return PermanentFailure(_timeout_text(error, clock, clock.retry_policy.silent))
    return TransientFailure("breaks off its answer")


def _timeout_text(error: TimeoutError, clock: RequestDeadline, limit: float) -> str:
    """Return what was not in time."""
    total = clock.retry_policy.total
    if isinstance(error, DeadlineExceeded) or clock.spent() >= total:
        return f"does not finish its answer within {total:g} s"
    return f"does not answer within {min(limit, total):g} s"


def _opener(address: str, clock: RequestDeadline) -> urllib.request.OpenerDirector:
    handlers: list[urllib.request.BaseHandler] = [_Http(clock), _Https(clock), _NoRedirects()]
    if _is_local(urlsplit(address).hostname or ""):
        handlers.append(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(*handlers)


def _is_local(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the question, the passages and the key go where the user said."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class _Http(urllib.request.HTTPHandler):
    def __init__(self, clock: RequestDeadline) -> None:
        super().__init__()
        self._clock = clock

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_timed_connection(http.client.HTTPConnection, self._clock), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, clock: RequestDeadline) -> None:
        super().__init__()
        self._clock = clock

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        context = ssl.create_default_context()
        return self.do_open(_timed_connection(http.client.HTTPSConnection, self._clock), req, context=context)


def _timed_connection(kind: Callable[..., http.client.HTTPConnection], clock: RequestDeadline) -> Any:
    """Return what makes connections whose answers are read by the clock."""

    def made(*arguments: Any, **options: Any) -> http.client.HTTPConnection:
        connection = kind(*arguments, **options)
        answer: Any = lambda sock, *rest, **more: http.client.HTTPResponse(_TimedSocket(sock, clock), *rest, **more)  # type: ignore[arg-type]  # noqa: E731
        connection.response_class = answer
        return connection

    return made


class _TimedSocket:
    """What an answer of the standard library needs of a socket: a file to read from."""

    def __init__(self, sock: socket.socket, clock: RequestDeadline) -> None:
        self._sock = sock
        self._clock = clock

    def makefile(self, mode: str) -> IO[bytes]:
        """Return the file of what arrives."""
        return io.BufferedReader(_TimedReader(self._sock, self._clock), _BLOCK)


class _TimedReader(io.RawIOBase):
    """The bytes of a socket, each read of which ends when the clock says so."""

    def __init__(self, sock: socket.socket, clock: RequestDeadline) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._clock = clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._clock.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()
