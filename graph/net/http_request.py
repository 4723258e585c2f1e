"""How long a busy server asks to be left alone: its Retry-After header.

One request for a file or the rest of it, and what can come of it: bytes, a refusal, or a failure that may pass.
"""

from __future__ import annotations

import base64
import http.client
import re
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import IO
from urllib.parse import unquote, urlsplit, urlunsplit

AGENT = "kgqa (causal question answering; fetches what its user names)"


def retry_after_seconds(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, as a number or until a date; `None` where it says neither."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    # A date that tells no zone is of Greenwich, as all dates of HTTP are.
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


_TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_BLOCK = 1 << 18


class RequestRefused(Exception):
    """The server will not give the file, however often it is asked."""


class TransientError(Exception):
    """A failure that may pass; `wait` is how many seconds the server asks to wait, if it does."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class RangeUnsatisfiable(Exception):
    """The file has no bytes from there on; `size` is its size, where the server tells."""

    def __init__(self, size: int | None) -> None:
        super().__init__()
        self.size = size


@dataclass(frozen=True, slots=True)
class FileResponse:
    """What a server sends: the bytes of the file from `start` on, of `size` in all.

    `validator` is what the server knows this state of the file by (a strong ETag, else its date), empty where there is nothing;
    `kind` is its media type.
    """

    start: int
    size: int | None
    validator: str
    kind: str
    _response: http.client.HTTPResponse

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes; raise `Hiccup` where they end before their time."""
        done = self.start
        try:
            while block := self._response.read1(_BLOCK):
                done += len(block)
                yield block
        except (OSError, http.client.HTTPException) as error:
            raise TransientError(f"{_error_text(error)} after byte {done:,}") from error
        if self.size is not None and done < self.size:
            raise TransientError(f"the connection was cut after byte {done:,} of {self.size:,}")

    def close(self) -> None:
        """Let the connection go."""
        self._response.close()


def request_file(address: str, start: int, validator: str, timeout: float) -> FileResponse:
    """Ask for a file from byte `start` on, as long as it is still the one that `validator` names.

    A server that cannot do so, or has another file now, sends all of it. Proxies are those of the environment. Raises
    `Refused`, `Hiccup` or `OutOfRange`.
    """
    plain, secret = _split_credentials(address)
    request = urllib.request.Request(plain, headers={"User-Agent": AGENT, "Accept-Encoding": "identity"})
    if secret:
        request.add_unredirected_header("Authorization", secret)
    if start:
        request.add_header("Range", f"bytes={start}-")
        request.add_header("If-Range", validator)
    try:
        response = urllib.request.build_opener(_RedirectHandler()).open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        with error:
            raise _error_of_status(error, bool(start)) from error
    except urllib.error.URLError as error:
        raise _error_of_connection(error.reason) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _error_of_connection(error) from error
    first, size = _content_range(response) if response.status == 206 else (0, _content_length(response))
    return FileResponse(first, size, _validator(response), response.headers.get_content_type(), response)


class _RedirectHandler(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but not from a safe connection to an open one."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if req.type == "https" and not newurl.startswith("https:"):
            raise RequestRefused(f"it redirects to '{newurl}', which is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _error_of_status(error: urllib.error.HTTPError, partial: bool) -> Exception:
    """Return what an HTTP error means for us, who asked for all of a file or for a part."""
    if error.code == 416 and partial:
        return RangeUnsatisfiable(_total_size(error.headers.get("Content-Range", "")))
    why = f"the server answers {error.code} {error.reason}".strip()
    if error.code in _TRANSIENT_STATUS:
        return TransientError(why, retry_after_seconds(error.headers.get("Retry-After")))
    return RequestRefused(why)


def _error_of_connection(reason: object) -> Exception:
    """Return what a connection that cannot be made means for us."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        return RequestRefused(f"the certificate of the server is not valid: {reason.verify_message}")
    if isinstance(reason, ValueError):
        return RequestRefused(str(reason))
    return TransientError(_error_text(reason))


def _error_text(error: object) -> str:
    """Return what went wrong with a connection, in lower case."""
    if isinstance(error, TimeoutError):
        return "the server does not answer in time"
    if isinstance(error, socket.gaierror):
        return "the name of the host is not known (no network?)"
    if isinstance(error, http.client.IncompleteRead):
        return "the connection was cut"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def _split_credentials(address: str) -> tuple[str, str]:
    """Return an address without its user and password, and the header that says them."""
    parts = urlsplit(address)
    if parts.username is None:
        return address, ""
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=host)), "Basic " + base64.b64encode(pair.encode("utf-8")).decode("ascii")


def _content_length(response: http.client.HTTPResponse) -> int | None:
    """Return the length that the server tells."""
    return _parse_size(response.headers.get("Content-Length", ""))


def _content_range(response: http.client.HTTPResponse) -> tuple[int, int | None]:
    """Return where the bytes of a partial reply begin, and how large the file is; raise `Hiccup` for a reply without sense."""
    value = response.headers.get("Content-Range", "")
    unit, _, rest = value.partition(" ")
    first = _parse_size(rest.partition("-")[0])
    if unit != "bytes" or first is None:
        response.close()
        raise TransientError(f"the server sends a part that it does not describe ('{value}')")
    length, total = _content_length(response), _total_size(value)
    return first, first + length if total is None and length is not None else total


def _total_size(value: str) -> int | None:
    """Return the size of the file that a Content-Range header tells."""
    return _parse_size(value.rpartition("/")[2])


def _parse_size(digits: str) -> int | None:
    """Return a number of bytes that a server tells; `None` for what is none that a file could have."""
    return int(digits) if re.fullmatch("[0-9]{1,18}", digits) else None


def _validator(response: http.client.HTTPResponse) -> str:
    """Return what the server knows this state of the file by: weak ETags do not tell bytes apart."""
    etag = response.headers.get("ETag", "")
    return etag if etag.startswith('"') else response.headers.get("Last-Modified", "")
