"""The HTTP application: routes of the table of endpoints, in front of whatever answers; access, lengths and metrics are here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from kgqa.web.access_control import COOKIE, MOST_URL_BYTES, SECURITY_HEADERS, AccessControl, Caller
from kgqa.web.endpoints import ENDPOINTS, Endpoint
from kgqa.web.http_messages import NDJSON, WebProblem, WebReply, WebRequest
from kgqa.web.pages.page_templates import style_sheet, suggest_script
from kgqa.web.request_metrics import RequestMetrics
from kgqa.web.responder import problem_reply

Respond = Callable[[WebRequest], Awaitable[WebReply]]
"""Answers a request; raises `WebProblem` where it cannot."""
MOST_BODY_BYTES = 1 << 20
BODY_LIMIT_S = 15.0
"""How long a client may take to send a body."""
MOST_BATCH_LINES = 1_000
TOOLS_PATH = "/mcp"
_API_PATHS = ("/api/", "/openapi.json", "/healthz", "/metrics", TOOLS_PATH)


class _TextConvertor(StringConvertor):
    """Takes all that is left of an address, line ends too: names of concepts may have any character."""

    regex = "(?s:.*)"


register_url_convertor("text", _TextConvertor())


def create_application(
    respond: Respond,
    access: AccessControl,
    metrics: RequestMetrics | None = None,
    open_workers: Callable[[], Awaitable[None]] | None = None,
    close_workers: Callable[[], Awaitable[None]] | None = None,
    endpoints: Mapping[str, Endpoint] = ENDPOINTS,
) -> ASGIApp:
    """Return the application of endpoints; the workers behind `respond` are opened when it starts and closed when it ends."""
    counts = metrics or RequestMetrics()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if open_workers is not None:
            await open_workers()
        try:
            yield
        finally:
            if close_workers is not None:
                await close_workers()

    routes = [
        Route(endpoint.path, partial(_answer, respond, counts, name, endpoint.is_page), methods=list(endpoint.methods))
        for name, endpoint in endpoints.items()
    ]
    for name, media_type, file in (("style.css", "text/css", style_sheet), ("suggest.js", "text/javascript", suggest_script)):
        routes.append(Route(f"/static/{name}", partial(_static_file, media_type, *file())))
    routes.append(Route("/metrics", lambda _: PlainTextResponse(counts.exposition(), media_type="text/plain; version=0.0.4")))
    return guard_routes(routes, lifespan, access)


def guard_routes(routes: Sequence[Route], lifespan: Lifespan[Starlette], access: AccessControl) -> ASGIApp:
    """Return the application of some routes, which answers those requests alone that `access` admits."""
    return _Guard(Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refuse}), access)


async def _answer(respond: Respond, metrics: RequestMetrics, name: str, is_page: bool, request: Request) -> Response:
    """Answer a request by its endpoint, with a page or a record."""
    began = time.perf_counter()
    try:
        body = await read_body(request) if request.method == "POST" else b""
        if name == "batch":
            return StreamingResponse(_batch_lines(respond, _split_lines(body)), media_type=NDJSON)
        reply = await respond(_web_request(name, request, body))
    except WebProblem as problem:
        reply = problem_reply(problem, is_page=is_page)
    metrics.record(name, reply.status, time.perf_counter() - began)
    return _response(reply)


def _web_request(name: str, request: Request, body: bytes) -> WebRequest:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    query = tuple((key, value) for key, value in request.query_params.multi_items() if key != "token")
    fresh, accept = (request.headers.get(header, "") for header in ("if-none-match", "accept"))
    return WebRequest(name, dict(request.path_params), query, body, media_type, fresh, accept)


async def read_body(request: Request) -> bytes:
    """Return the body of a request; raises `WebProblem` for one that is too long or comes too slowly."""
    body = bytearray()
    fact = f"the body has more than {MOST_BODY_BYTES:,} bytes"
    too_long = WebProblem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, fact, "send less at a time")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > MOST_BODY_BYTES:
        raise too_long
    try:
        async with asyncio.timeout(BODY_LIMIT_S):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BODY_BYTES:
                    raise too_long
    except (TimeoutError, ClientDisconnect):
        raise WebProblem(HTTPStatus.REQUEST_TIMEOUT, f"the body did not come within {BODY_LIMIT_S:.0f} s") from None
    return bytes(body)


def _split_lines(body: bytes) -> list[bytes]:
    lines = [line for line in body.split(b"\n") if line.strip()]
    if not 0 < len(lines) <= MOST_BATCH_LINES:
        fact = f"the batch has {len(lines):,} lines, from 1 to {MOST_BATCH_LINES:,} are answered"
        raise WebProblem(HTTPStatus.BAD_REQUEST, fact, '{"id": 1, "question": "..."}')
    return lines


async def _batch_lines(respond: Respond, lines: list[bytes]) -> AsyncIterator[bytes]:
    """Yield the answer to each line, in order: its record, or the record of a problem."""
    for line in lines:
        try:
            yield (await respond(WebRequest("batch", body=line))).body
        except WebProblem as problem:
            yield problem_reply(problem, is_page=False).body


def _response(reply: WebReply) -> Response:
    response = Response(reply.body, reply.status, media_type=None)
    if reply.media_type:
        response.headers["Content-Type"] = reply.media_type
    response.headers.update(dict(reply.headers))
    return response


def _static_file(media_type: str, text: str, tag: str, request: Request) -> Response:
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "ETag": f'"{tag}"'}
    return Response(text, media_type=media_type, headers=headers)


async def _refuse(request: Request, error: Exception) -> Response:
    """Reply to a request that has no endpoint, or not this method."""
    path, status = request.url.path, HTTPStatus(getattr(error, "status_code", HTTPStatus.NOT_FOUND))
    remedy = "/openapi.json" if _is_of_api(path) else "/"
    fact = f"no page at '{path[:200]}'" if status is HTTPStatus.NOT_FOUND else f"{request.method} is not answered here"
    response = _response(problem_reply(WebProblem(status, fact, remedy), is_page=not _is_of_api(path)))
    response.headers.update(getattr(error, "headers", None) or {})
    return response


def _is_of_api(path: str) -> bool:
    return path.startswith(_API_PATHS)


class _Guard:
    """Lets those requests through that `AccessControl` admits, and binds browsers by the headers of every reply."""

    def __init__(self, application: ASGIApp, access: AccessControl) -> None:
        self._application, self._access = application, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return

        async def send_bound(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS:
                    headers.setdefault(name, value)
            await send(message)

        response = self._refusal(scope)
        await (response or self._application)(scope, receive, send_bound)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the reply to a request that is not let through, and `None` for one that is."""
        request = Request(scope)
        token = request.query_params.get("token", "")
        client = request.client.host if request.client else ""
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_URL_BYTES:
                fact = f"the address has more than {MOST_URL_BYTES:,} bytes"
                raise WebProblem(HTTPStatus.REQUEST_URI_TOO_LONG, fact, "send a POST to /api/v1/ask")
            self._access.check(Caller(client, request.method, headers, token))
        except WebProblem as problem:
            return _response(problem_reply(problem, is_page=not _is_of_api(request.url.path)))
        if token and request.method == "GET" and not _is_of_api(request.url.path):
            # The token leaves the address, so that it is in no history, referrer or bookmark.
            query = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
            response = Response(
                status_code=HTTPStatus.SEE_OTHER, headers={"Location": f"{request.url.path}{'?' if query else ''}{query}"}
            )
            response.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="strict", path="/")
            return response
        return None
