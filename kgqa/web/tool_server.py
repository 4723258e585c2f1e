"""A server of the Model Context Protocol over stdin and stdout: endpoints of the API as tools of a language model."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, NamedTuple

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from kgqa import __version__
from kgqa.settings import Settings
from kgqa.web.endpoints import ENDPOINTS
from kgqa.web.http_messages import JSON, WebProblem, WebReply, WebRequest
from kgqa.web.openapi import value_schema
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
    anyio.run(_serve, graph, settings, limits)


async def _serve(graph: str, settings: Settings, limits: WorkLimits) -> None:
    pool = WorkerPool(graph, settings, limits)

    async def on_list(context: ServerRequestContext[Any], page: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list_tools())

    async def on_call(context: ServerRequestContext[Any], call: CallToolRequestParams) -> CallToolResult:
        return await call_tool(pool, call.name, call.arguments or {})

    server: Server[Any] = Server(
        "kgqa", version=__version__, instructions=INSTRUCTIONS, on_list_tools=on_list, on_call_tool=on_call
    )
    async with stdio_server() as (incoming, outgoing):
        await pool.open()
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await pool.close()
