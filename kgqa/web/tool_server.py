"""A server of the Model Context Protocol, over stdin and stdout or HTTP: endpoints of the API as tools of a language model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, NamedTuple

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kgqa import __version__
from kgqa.settings import Settings
from kgqa.web.access_control import AccessControl
from kgqa.web.application import MOST_BODY_BYTES, TOOLS_PATH, guard_routes, read_body
from kgqa.web.endpoints import ENDPOINTS
from kgqa.web.http_messages import JSON, WebProblem, WebReply, WebRequest
from kgqa.web.openapi import value_schema
from kgqa.web.responder import problem_reply
from kgqa.web.server import ListeningPlace, run_server
from kgqa.web.worker_pool import WorkerPool, WorkLimits

INSTRUCTIONS = (
    "Answers to causal questions from a graph of cause-effect claims with their sources. 'unknown' means that the graph does not "
    "know, not that there is no such effect. Cite the sources, and keep hedges and what speaks against an answer."
)


class ToolEntry(NamedTuple):
    """A tool: its endpoint, what it does in a line, its parameters, and those of them that it needs."""

    endpoint: str
    line: str
    parameters: tuple[str, ...]
    required: tuple[str, ...]


TOOLS = {
    "ask": ToolEntry(
        *("ask", "Answer a causal question in English, with the evidence for and against."),
        *(("question", "passage", "limit", "risk"), ("question",)),
    ),
    "what_if": ToolEntry(
        *("ask", "Answer a causal question in a world where something is otherwise, and say what that changes."),
        *(("question", "do", "limit"), ("question", "do")),
    ),
    "concept": ToolEntry("concept", "Show the causes and the effects of a concept.", ("name", "limit", "loops"), ("name",)),
    "claim": ToolEntry(
        *("claim", "Show every record for and against the claim that a cause has an effect."),
        *(("cause", "effect", "relation", "polarity"), ("cause", "effect")),
    ),
    "path": ToolEntry(
        *("path", "Show the chains of claims by which one concept leads to another."),
        *(("from", "to", "max_length", "limit", "do"), ("from", "to")),
    ),
    "search": ToolEntry("search", "Find concepts and sentences by words.", ("q", "limit"), ("q",)),
}
"""The tools by name; the parameters are those of the endpoint, by their names in a body."""


def list_tools() -> list[Tool]:
    """Return the tools with the schemas of their arguments."""
    hints = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
    return [
        Tool(name=name, description=entry.line, input_schema=_input_schema(entry), annotations=hints)
        for name, entry in TOOLS.items()
    ]


def _input_schema(entry: ToolEntry) -> dict[str, Any]:
    rules = {rule.in_body or rule.name: rule for rule in ENDPOINTS[entry.endpoint].rules}
    in_path = {"type": "string", "description": "a name of the graph"}
    fields = {name: value_schema(rules[name]) if name in rules else in_path for name in entry.parameters}
    return {"type": "object", "properties": fields, "required": list(entry.required), "additionalProperties": False}


async def call_tool(pool: WorkerPool, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """Return what a tool gives: the record of its endpoint, or what is wrong and what to try."""
    try:
        reply = await pool.respond(_tool_request(name, arguments))
    except WebProblem as problem:
        return _failure(problem.record["detail"], problem.remedy)
    record = json.loads(reply.body)
    if not _is_done(reply):
        return _failure(record["detail"], record["remedy"])
    return CallToolResult(content=[TextContent(type="text", text=reply.body.decode())], structured_content=record)


def _tool_request(name: str, arguments: dict[str, Any]) -> WebRequest:
    """Return the request that a call of a tool is; raises `WebProblem` where its arguments are not those of the tool."""
    entry = TOOLS.get(name)
    if entry is None:
        raise WebProblem(HTTPStatus.NOT_FOUND, f"no tool '{name}'; there are: {', '.join(TOOLS)}")
    unknown = [argument for argument in arguments if argument not in entry.parameters]
    missing = [argument for argument in entry.required if not arguments.get(argument)]
    if unknown or missing:
        fact = f"no argument '{unknown[0]}'" if unknown else f"argument '{missing[0]}' is missing"
        raise WebProblem(HTTPStatus.BAD_REQUEST, f"{fact}; '{name}' takes {', '.join(entry.parameters)}")
    rules = {rule.in_body or rule.name for rule in ENDPOINTS[entry.endpoint].rules}
    path = {argument: str(value) for argument, value in arguments.items() if argument not in rules}
    if entry.endpoint == "claim":
        path["hash"] = ""  # the claim is named by its ends
    body = {argument: value for argument, value in arguments.items() if argument in rules}
    return WebRequest(entry.endpoint, path, body=json.dumps(body).encode(), media_type=JSON)


def _is_done(reply: WebReply) -> bool:
    return reply.status == HTTPStatus.OK


def _failure(fact: str, remedy: str) -> CallToolResult:
    text = f"{fact}\ntry: {remedy}" if remedy else fact
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def serve_tools(graph: str, settings: Settings, limits: WorkLimits) -> None:
    """Serve the tools over stdin and stdout until stdin ends."""
    anyio.run(_serve_streams, WorkerPool(graph, settings, limits))


async def _serve_streams(pool: WorkerPool) -> None:
    server = _create_server(pool)
    async with stdio_server() as (incoming, outgoing):
        await pool.open()
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await pool.close()


def _create_server(pool: WorkerPool) -> Server[Any]:
    async def on_list(context: ServerRequestContext[Any], page: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list_tools())

    async def on_call(context: ServerRequestContext[Any], call: CallToolRequestParams) -> CallToolResult:
        return await call_tool(pool, call.name, call.arguments or {})

    return Server("kgqa", version=__version__, instructions=INSTRUCTIONS, on_list_tools=on_list, on_call_tool=on_call)


def serve_tools_by_http(graph: str, place: ListeningPlace, limits: WorkLimits, settings: Settings) -> None:
    """Serve the tools over HTTP at `TOOLS_PATH` until a signal ends it."""
    run_server(create_tool_application(WorkerPool(graph, settings, limits), place.access), place)


def create_tool_application(pool: WorkerPool, access: AccessControl) -> ASGIApp:
    """Return the application of the tools: the streamable HTTP of the protocol, without sessions, a reply for each request.

    Hosts, origins and tokens are checked by `access`, as for the pages and the API.
    """
    manager = StreamableHTTPSessionManager(
        _create_server(pool), json_response=True, stateless=True, max_request_body_size=MOST_BODY_BYTES
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await pool.open()
        try:
            async with manager.run():
                yield
        finally:
            await pool.close()

    return guard_routes([Route(TOOLS_PATH, _ToolRoute(manager), methods=["POST"])], lifespan, access)


class _ToolRoute:
    """Passes requests on whose body came in time."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await read_body(Request(scope, receive))
        except WebProblem as problem:
            reply = problem_reply(problem, is_page=False)
            headers = {"Content-Type": reply.media_type, **dict(reply.headers)}
            await Response(reply.body, reply.status, headers)(scope, receive, send)
            return
        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_read() -> Message:
            return parts.pop() if parts else await receive()

        await self._manager.handle_request(scope, receive_read, send)
