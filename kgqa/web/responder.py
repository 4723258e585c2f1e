"""Requests answered by one graph, in one process: arguments read, functions called, records and pages made into replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from importlib import import_module
from typing import Any

from graph.errors import Error
from kgqa.json_text import json_text
from kgqa.web.access_control import PICTURE_POLICY, SCRIPT_POLICY
from kgqa.web.claim_tables import ClaimTable, choose_format, write_table
from kgqa.web.endpoints import ENDPOINTS, FORMATS, Endpoint
from kgqa.web.graph_service import GraphService
from kgqa.web.http_messages import HTML, JSON, PROBLEM_JSON, WebProblem, WebReply, WebRequest, problem_of
from kgqa.web.pages.page_templates import PageContent, address, concept_url, render_page
from kgqa.web.request_parameters import read_arguments

_REVALIDATED = "private, no-cache"
_UNSTORED = "no-store"
_FORMAT_TYPES = {**FORMATS, "csv": f"{FORMATS['csv']}; charset=utf-8; header=present"}


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
            known = [(name, value) for name, value in request.query if name in {rule.name for rule in endpoint.rules}]
            return problem_reply(problem_of(error), is_page=endpoint.is_page, path=endpoint.path, query=known)

    def _reply(self, endpoint: Endpoint, request: WebRequest) -> WebReply:
        is_batch = request.endpoint == "batch"
        arguments = {"line": request.body.decode("utf-8", "replace")} if is_batch else read_arguments(endpoint, request)
        chosen = choose_format(request.accept, arguments["format"]) if endpoint.table else "json"
        is_stored = request.endpoint != "healthz" and not request.body
        tag = self._service.entity_tag(request, chosen) if is_stored else ""
        policy = PICTURE_POLICY if chosen == "svg" else SCRIPT_POLICY if endpoint.has_script else ""
        headers = (
            *((("Cache-Control", _REVALIDATED), ("ETag", tag)) if tag else (("Cache-Control", _UNSTORED),)),
            *((("Vary", "Accept"),) if endpoint.table else ()),
            *((("Content-Security-Policy", policy),) if policy else ()),
        )
        if tag and tag in (part.strip() for part in request.fresh.split(",")):
            return WebReply(HTTPStatus.NOT_MODIFIED, "", b"", headers)
        if chosen != "json":
            table: ClaimTable = _function(endpoint.table)(self._service, arguments)
            return WebReply(HTTPStatus.OK, _FORMAT_TYPES[chosen], write_table(table, chosen), headers)
        made = _function(endpoint.function)(self._service, arguments)
        if isinstance(made, PageContent):
            more = (("Location", made.location),) if made.location else ()
            return WebReply(made.status, HTML, render_page(made, has_script=endpoint.has_script), (*headers, *more))
        saved = (("Content-Disposition", f'attachment; filename="{endpoint.file_name}"'),) if endpoint.file_name else ()
        return WebReply(HTTPStatus.OK, JSON, record_bytes(made), (*headers, *saved))


def record_bytes(record: Mapping[str, Any]) -> bytes:
    """Return a record as `--json` prints it, with its line break."""
    return (json_text(record) + "\n").encode("utf-8")


def problem_reply(problem: WebProblem, *, is_page: bool, path: str = "/ask", query: Sequence[tuple[str, str]] = ()) -> WebReply:
    """Return a problem as a page, with a form that holds the query, or as a record of RFC 9457."""
    headers = (("Cache-Control", _UNSTORED), *problem.headers)
    if not is_page:
        return WebReply(problem.status, PROBLEM_JSON, record_bytes(problem.record), headers)
    sent = () if "{" in path else query
    urls = [(name, _url_with(name, problem.unknown, path, sent)) for name in problem.near]
    values = {"problem": problem, "near": urls, "path": path, "sent": [pair for pair in sent if pair[1]]}
    content = PageContent("problem", problem.status.phrase, values, problem.status)
    return WebReply(problem.status, HTML, render_page(content), headers)


def _url_with(name: str, unknown: str, path: str, sent: Sequence[tuple[str, str]]) -> str:
    """Return the address of a request with a name in place of an unknown one; that of the page of the name where it had none."""
    mended = [(key, re.sub(rf"\s*{re.escape(unknown)}\s*(?=$|=)", lambda _: name, value)) for key, value in sent]
    return address(path, mended) if unknown and mended != list(sent) else concept_url(name)


def _function(place: str) -> Callable[[GraphService, dict[str, Any]], Any]:
    module, _, name = place.partition(":")
    function: Callable[[GraphService, dict[str, Any]], Any] = getattr(import_module(f"kgqa.web.{module}"), name)
    return function
