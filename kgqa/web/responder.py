"""Requests answered by one graph, in one process: arguments read, functions called, records and pages made into replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from importlib import import_module
from typing import Any

from graph.errors import Error
from kgqa.json_text import json_text
from kgqa.web.endpoints import ENDPOINTS, Endpoint
from kgqa.web.graph_service import GraphService
from kgqa.web.http_messages import HTML, JSON, PROBLEM_JSON, WebProblem, WebReply, WebRequest, problem_of
from kgqa.web.page_templates import PageContent, render_page
from kgqa.web.request_parameters import read_arguments

_REVALIDATED = "private, no-cache"
_UNSTORED = "no-store"


class Responder:
    """Answers requests from one graph; not for several threads at a time."""

    def __init__(self, service: GraphService) -> None:
        self._service = service

    def respond(self, request: WebRequest) -> WebReply:
        """Return the reply to a request; an error of the packages becomes a problem."""
        endpoint = ENDPOINTS[request.endpoint]
        try:
            return self._reply(endpoint, request)
        except Error as error:
            return problem_reply(problem_of(error), is_page=endpoint.is_page)

    def _reply(self, endpoint: Endpoint, request: WebRequest) -> WebReply:
        is_stored = request.endpoint != "healthz" and not request.body
        tag = self._service.entity_tag(request) if is_stored else ""
        headers = (("Cache-Control", _REVALIDATED), ("ETag", tag)) if tag else (("Cache-Control", _UNSTORED),)
        if tag and tag in (part.strip() for part in request.fresh.split(",")):
            return WebReply(HTTPStatus.NOT_MODIFIED, "", b"", headers)
        is_batch = request.endpoint == "batch"
        arguments = {"line": request.body.decode("utf-8", "replace")} if is_batch else read_arguments(endpoint, request)
        made = _function(endpoint)(self._service, arguments)
        if isinstance(made, PageContent):
            more = (("Location", made.location),) if made.location else ()
            return WebReply(made.status, HTML, render_page(made), (*headers, *more))
        saved = (("Content-Disposition", f'attachment; filename="{endpoint.file_name}"'),) if endpoint.file_name else ()
        return WebReply(HTTPStatus.OK, JSON, record_bytes(made), (*headers, *saved))


def record_bytes(record: Mapping[str, Any]) -> bytes:
    """Return a record as `--json` prints it, with its line break."""
    return (json_text(record) + "\n").encode("utf-8")


def problem_reply(problem: WebProblem, *, is_page: bool) -> WebReply:
    """Return a problem as a page, or as a record of RFC 9457."""
    headers = (("Cache-Control", _UNSTORED), *problem.headers)
    if not is_page:
        return WebReply(problem.status, PROBLEM_JSON, record_bytes(problem.record), headers)
    content = PageContent("problem", problem.status.phrase, {"problem": problem}, problem.status)
    return WebReply(problem.status, HTML, render_page(content), headers)


def _function(endpoint: Endpoint) -> Callable[[GraphService, dict[str, Any]], Any]:
    module, _, name = endpoint.function.partition(":")
    function: Callable[[GraphService, dict[str, Any]], Any] = getattr(import_module(f"kgqa.web.{module}"), name)
    return function
