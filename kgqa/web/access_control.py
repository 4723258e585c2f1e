"""Who may ask, and how often: names of hosts, tokens, origins and token buckets; and the headers that bind browsers."""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.model import stable_hash
from kgqa.web.http_messages import WebProblem

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
COOKIE = "kgqa_token"
MOST_URL_BYTES = 8_192
_MOST_CLIENTS = 4_096
CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SCRIPT_POLICY = f"{CONTENT_POLICY}; script-src 'self'; connect-src 'self'"
"""That of the pages on which names are completed: they load one script of the server, and none that stands in a page."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""That of a picture alone, which has its style sheet in it."""
SECURITY_HEADERS = (
    ("Content-Security-Policy", CONTENT_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("X-Robots-Tag", "noindex"),
)


class Caller(NamedTuple):
    """What is known of a client before its request is read: its address, the method and the headers, by lower case names."""

    address: str
    method: str
    headers: Mapping[str, str]
    token: str = ""
    """that of the address, `?token=`"""


class AccessControl:
    """Decides which requests are answered: by host and origin, by the token if there is one, by a token bucket a client."""

    def __init__(
        self,
        hosts: frozenset[str] = LOOPBACK_NAMES,
        token: str = "",
        rate: float = 100.0,
        burst: int = 200,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hosts, self._token, self._rate, self._burst, self._clock = hosts, token, rate, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def cookie(self) -> str:
        """The value of the cookie of a browser that knew the token."""
        return stable_hash(("kgqa serve", self._token))

    def check(self, caller: Caller) -> None:
        """Raise `WebProblem` for a request that is not to be answered."""
        self._check_rate(caller.address)
        host = _host_name(caller.headers.get("host", ""))
        if not self._is_ours(host):
            remedy = f"kgqa serve --allow-host {host}" if host else "send a Host header"
            raise WebProblem(HTTPStatus.MISDIRECTED_REQUEST, f"this server is not '{host[:80]}'", remedy)
        is_foreign = caller.headers.get("sec-fetch-site") == "cross-site"
        origin = caller.headers.get("origin")
        if origin is not None and origin != "null":
            is_foreign = is_foreign or urlsplit(origin).netloc != caller.headers.get("host")
        if caller.method == "POST" and (is_foreign or origin == "null"):
            raise WebProblem(HTTPStatus.FORBIDDEN, "a form of another site is not answered", "use the form of this server")
        if not self._knows_token(caller):
            fact = "this server needs its token"
            remedy = "open the address that 'kgqa serve' printed, or send 'Authorization: Bearer TOKEN'"
            raise WebProblem(HTTPStatus.UNAUTHORIZED, fact, remedy)

    def admits(self, token: str) -> bool:
        """Return whether a token is the one of the server; any is where it has none."""
        return not self._token or hmac.compare_digest(token.encode(), self._token.encode())

    def _is_ours(self, host: str) -> bool:
        if host in self._hosts:
            return True
        # No name can be made to lead to a number: an address in numbers is ours where others may reach the server.
        return bool(self._token) and _is_number(host)

    def _knows_token(self, caller: Caller) -> bool:
        scheme, _, bearer = caller.headers.get("authorization", "").partition(" ")
        if not self._token or (scheme.lower() == "bearer" and self.admits(bearer.strip())):
            return True
        if caller.token and self.admits(caller.token):
            return True
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(caller.headers.get("cookie", ""))
        except CookieError:
            return False
        return COOKIE in cookies and hmac.compare_digest(cookies[COOKIE].value.encode(), self.cookie.encode())

    def _check_rate(self, address: str) -> None:
        """Take one of the client's tokens, which come back at the rate of the server; raise `WebProblem` where none is left."""
        if self._rate <= 0:
            return
        now = self._clock()
        tokens, last = self._buckets.pop(address, (float(self._burst), now))
        tokens = min(self._burst, tokens + (now - last) * self._rate)
        self._buckets[address] = (max(0.0, tokens - 1), now)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        if tokens < 1:
            wait = max(1, round((1 - tokens) / self._rate))
            raise WebProblem(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", f"try again in {wait} s", retry_s=wait)


def _host_name(header: str) -> str:
    """Return the name of a Host header, without its port, in lower case."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
