"""The HTTP client over urllib3: bounded time and size, verified certificates, proxies of the environment, no unsafe redirect."""

from __future__ import annotations

import base64
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from threading import Timer
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPHeaderDict, HTTPSConnectionPool, PoolManager, ProxyManager, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, LocationValueError
from urllib3.response import HTTPResponse as PooledResponse

from graph.errors import system_error_text
from graph.net.retry import Fault, HttpFailure, TimeLimits, retry_after_seconds

_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class HttpClient:
    """Sends requests under the name `agent`, each on its own connection, by the proxies of the environment except locally."""

    agent: str
    limits: TimeLimits

    @contextmanager
    def send(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        redirects: int = 0,
        longest: int | None = None,
    ) -> Iterator[HttpResponse]:
        """Open the response to a request, whatever its status is, for a with block; raise `HttpFailure`, also while it is read.

        At most `redirects` redirects are followed (for GET), none of them from https to http; a body of more than `longest`
        bytes is a failure. User and password in the address become Basic authorisation, which no redirect receives.
        """
        with _address_failures():
            address, authorisation = _split_credentials(address)
        sent = HTTPHeaderDict({"User-Agent": self.agent, "Accept-Encoding": "identity", "Connection": "close"})
        sent.update(headers or {})
        if authorisation:
            sent["Authorization"] = authorisation
        with ExitStack() as stack:
            exchange = stack.enter_context(closing(_Exchange(self.limits)))
            for followed in count():
                response = exchange.open(stack.enter_context(_connections(address)), method, address, sent, body)
                stack.callback(response.close)
                target = response.get_redirect_location()
                if not target or (redirects and followed == redirects):
                    break
                with _address_failures():
                    target = urljoin(address, target)
                if not redirects:
                    raise HttpFailure(Fault.REDIRECT, f"redirects to '{target}', which is not followed", target, response.status)
                if not target.startswith(("http:", "https:")):
                    raise HttpFailure(Fault.REDIRECT, f"redirects to '{target}', which is not http", target, response.status)
                if address.startswith("https:") and not target.startswith("https:"):
                    raise HttpFailure(Fault.REDIRECT, f"redirects to '{target}', which is not https", target, response.status)
                address = target
                sent.discard("Authorization")
            yield HttpResponse(response, exchange, longest)


class HttpResponse:
    """A response whose body is read by pieces: its status, headers, and media type in lower case (empty where there is none)."""

    def __init__(self, response: BaseHTTPResponse, exchange: _Exchange, longest: int | None) -> None:
        self._response, self._exchange, self._longest = response, exchange, longest
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self.media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    def check(self) -> None:
        """Raise `HttpFailure` unless the status is one of success."""
        if not 200 <= self.status < 300:
            wait = retry_after_seconds(self.headers.get("Retry-After"))
            text = f"answers with HTTP status {self.status}"
            raise HttpFailure(Fault.STATUS, text, self._response.reason or "", self.status, wait)

    def blocks(self) -> Iterator[bytes]:
        """Yield the body by pieces, as they come; raise `HttpFailure` where it is cut, too slow or too long."""
        size = 0
        while True:
            try:
                block = self._response.read1(_BLOCK, decode_content=False)
            except (HTTPError, OSError, http.client.HTTPException, ValueError) as error:
                raise self._exchange.reading_failure(error) from error
            if not block:
                break
            size += len(block)
            if self._longest is not None and size > self._longest:
                raise HttpFailure(Fault.TOO_LONG, f"answers with more than {self._longest >> 20} MB")
            yield block
        if self._exchange.is_over:
            raise self._exchange.deadline_failure()

    def read(self, most: int | None = None) -> bytes:
        """Return the body, or its beginning up to the piece that reaches `most` bytes; raise `HttpFailure` as `blocks` does."""
        data = bytearray()
        for block in self.blocks():
            data += block
            if most is not None and len(data) >= most:
                break
        return bytes(data)


class _Exchange:
    """One request with its redirects; a timer shuts the connection down when `limits.total` is over, which urllib3 cannot do."""

    def __init__(self, limits: TimeLimits) -> None:
        self.is_over, self._limits = False, limits
        self._socket: socket.socket | None = None
        # Without a limit the timer is never started.
        self._timer = Timer(limits.total or 0.0, self._end)
        self._timer.daemon = True
        if limits.total is not None:
            self._timer.start()
        self.close = self._timer.cancel

    def open(
        self, connections: PoolManager, method: str, address: str, headers: Mapping[str, str], body: bytes | None
    ) -> BaseHTTPResponse:
        connect = min(self._limits.connect, self._limits.total or self._limits.connect)
        timeout = Timeout(connect=connect, read=self._limits.silence)
        token = _CURRENT.set(self)
        try:
            response = connections.urlopen(
                method, address, body=body, headers=headers, retries=False, redirect=False, timeout=timeout, preload_content=False
            )
        except (HTTPError, OSError, http.client.HTTPException, ValueError) as error:
            raise self._opening_failure(error) from error
        finally:
            _CURRENT.reset(token)
        if self.is_over:  # the headers may be cut
            response.close()
            raise self.deadline_failure()
        return response

    def use(self, connection: socket.socket) -> None:
        self._socket = connection
        if self.is_over:
            self._end()

    def _end(self) -> None:
        self.is_over = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def deadline_failure(self) -> HttpFailure:
        return HttpFailure(Fault.DEADLINE, f"does not finish its answer within {self._limits.total:g} s")

    def _opening_failure(self, error: BaseException) -> HttpFailure:
        cause = _root_cause(error)
        if self.is_over:
            return self.deadline_failure()
        if isinstance(cause, TimeoutError | ConnectTimeoutError):
            return self._timeout(self._limits.connect if isinstance(error, ConnectTimeoutError) else self._limits.silence)
        if isinstance(cause, ssl.SSLCertVerificationError):
            return HttpFailure(Fault.CERTIFICATE, f"has no valid certificate: {cause.verify_message}", cause.verify_message)
        if isinstance(cause, socket.gaierror):
            detail = "the name of the host is not known (no network?)"
            return HttpFailure(Fault.UNKNOWN_HOST, f"cannot be reached: {detail}", detail)
        if isinstance(cause, ConnectionResetError | http.client.RemoteDisconnected):
            return HttpFailure(Fault.CLOSED, "closes the connection without an answer", _error_text(cause))
        if isinstance(cause, OSError):
            return HttpFailure(Fault.UNREACHABLE, f"cannot be reached: {_error_text(cause)}", _error_text(cause))
        if isinstance(cause, LocationValueError | UnicodeError):
            return HttpFailure(Fault.ADDRESS, f"cannot be reached: {error}", str(error))
        return HttpFailure(Fault.MALFORMED, "answers with something that is not HTTP", _error_text(cause))

    def reading_failure(self, error: BaseException) -> HttpFailure:
        cause = _root_cause(error)
        if self.is_over:
            return self.deadline_failure()
        if isinstance(cause, TimeoutError):
            return self._timeout(self._limits.silence)
        return HttpFailure(Fault.CUT, "breaks off its answer", _error_text(cause) if isinstance(cause, OSError) else "")

    def _timeout(self, limit: float) -> HttpFailure:
        return HttpFailure(Fault.TIMEOUT, f"does not answer within {min(limit, self._limits.total or limit):g} s")


_CURRENT: ContextVar[_Exchange] = ContextVar("the exchange whose response is awaited")


class _HttpConnection(HTTPConnection):
    def getresponse(self) -> PooledResponse:  # type: ignore[override]
        _CURRENT.get().use(self.sock)
        return super().getresponse()


class _HttpsConnection(_HttpConnection, HTTPSConnection):
    pass


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _HttpConnection


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _HttpsConnection


@contextmanager
def _address_failures() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise HttpFailure(Fault.ADDRESS, f"cannot be reached: {error}", str(error)) from error


def _connections(address: str) -> PoolManager:
    """Return the connections for an address; a proxy may be written without a scheme, and with a user and a password."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    context = ssl.create_default_context() if parts.scheme == "https" else None
    proxy = "" if _is_local(host) or proxy_bypass(host) else getproxies().get(parts.scheme, "")
    if proxy:
        proxy, authorisation = _split_credentials(proxy if "://" in proxy else f"http://{proxy}")
        headers = {"Proxy-Authorization": authorisation} if authorisation else None
        manager: PoolManager = ProxyManager(proxy, proxy_headers=headers, ssl_context=context)
    else:
        manager = PoolManager(ssl_context=context)
    manager.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
    return manager


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split_credentials(address: str) -> tuple[str, str]:
    """Return an address without its user and password, and the Authorization header that states them, or an empty one."""
    parts = urlsplit(address)
    if parts.username is None:
        return address, ""
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=host)), "Basic " + base64.b64encode(pair.encode("utf-8")).decode("ascii")


def _root_cause(error: BaseException) -> BaseException:
    """Return the error of the system or of `http.client` that an error of urllib3 wraps, or the innermost error of urllib3."""
    while isinstance(error, HTTPError) and (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error


def _error_text(error: BaseException) -> str:
    return (system_error_text(error) if isinstance(error, OSError) else str(error)) or type(error).__name__
