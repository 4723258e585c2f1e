"""What goes between the HTTP server and the processes that answer: requests, replies and problems."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from graph.errors import (
    Error,
    InputTooLong,
    PackageMissing,
    StoreDamaged,
    StoreFailed,
    StoreMissing,
    StoreRefused,
    StoreUnreachable,
    StoreVersion,
)
from kgqa.errors import ArgumentInvalid, ClaimUnknown, ConceptUnknown, QuestionInvalid, SettingInvalid

if TYPE_CHECKING:
    from kgqa.record_schema import ProblemRecord

JSON, NDJSON, PROBLEM_JSON, HTML = (
    "application/json",
    "application/x-ndjson",
    "application/problem+json",
    "text/html; charset=utf-8",
)


class WebRequest(NamedTuple):
    """A request for one of the endpoints, by its name: the values of its path, its query and its body as they came."""

    endpoint: str
    path: Mapping[str, str] = {}
    query: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    media_type: str = ""
    """that of the body"""
    fresh: str = ""
    """the entity tags that the client has: the header If-None-Match"""
    accept: str = ""
    """the media types that the client reads: the header Accept"""


class WebReply(NamedTuple):
    """A reply: its status, type, content and further headers."""

    status: int
    media_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class WebProblem(Error):
    """A request that is not answered: the HTTP status, the fact, what to try, and names that are near an `unknown` name."""

    def __init__(
        self, status: HTTPStatus, fact: str, remedy: str = "", near: tuple[str, ...] = (), retry_s: int = 0, unknown: str = ""
    ) -> None:
        super().__init__(fact, remedy)
        self.status, self.near, self.retry_s, self.unknown = status, near, retry_s, unknown

    @property
    def record(self) -> ProblemRecord:
        """The problem as RFC 9457 has it."""
        title = self.status.phrase
        return {"type": "about:blank", "title": title, "status": self.status, "detail": str(self), "remedy": self.remedy}

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers of the reply: when to try again, where that is known."""
        return (("Retry-After", str(self.retry_s)),) if self.retry_s else ()


_MISUSES = (QuestionInvalid, SettingInvalid, ArgumentInvalid)
_UNAVAILABLE = (StoreMissing, StoreDamaged, StoreUnreachable, StoreRefused, StoreFailed, StoreVersion, PackageMissing)
_STATUSES: tuple[tuple[tuple[type[Error], ...], HTTPStatus], ...] = (
    ((ConceptUnknown, ClaimUnknown), HTTPStatus.NOT_FOUND),
    ((InputTooLong,), HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (_MISUSES, HTTPStatus.BAD_REQUEST),
    (_UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE),
)


def problem_of(error: Error) -> WebProblem:
    """Return an error of the packages as a problem; an option that its remedy advises becomes a parameter."""
    if isinstance(error, WebProblem):
        return error
    status = next((status for kinds, status in _STATUSES if isinstance(error, kinds)), HTTPStatus.INTERNAL_SERVER_ERROR)
    remedy = error.remedy
    if remedy.startswith("--do "):
        remedy = f"do={shlex.split(remedy)[1]}"
    unknown = error.name if isinstance(error, ConceptUnknown) else ""
    return WebProblem(status, str(error), remedy, tuple(getattr(error, "near", ())), unknown=unknown)
