"""`kgqa mcp` asked by the client of the official SDK, over stdin and stdout and over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent
from running import KGQA, clean_environment, serving_graph

TOKEN = "a token of sixteen".replace(" ", "-")
PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
Transport = Any


def over_stdio(graph: Path) -> Transport:
    return stdio_client(StdioServerParameters(command=KGQA, args=["mcp", "-g", str(graph)], env=clean_environment()))


def called(transport: Transport, *calls: tuple[str, dict[str, Any]]) -> tuple[list[str], list[CallToolResult]]:
    """The names of the tools, and what calls of them give."""

    async def run() -> tuple[list[str], list[CallToolResult]]:
        async with Client(transport) as client:
            tools = (await client.list_tools()).tools
            return [tool.name for tool in tools], [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(run())


@pytest.fixture(scope="module")
def address(small: Path) -> Iterator[str]:
    with serving_graph("--http", "-g", small, command="mcp", KGQA_SERVE_TOKEN=TOKEN) as (_, served):
        yield served


@asynccontextmanager
async def over_http(address: str, token: str = TOKEN) -> AsyncIterator[Any]:
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http, streamable_http_client(address, http_client=http) as both:
        yield both


@pytest.fixture(params=["stdio", "http"])
def transport(request: pytest.FixtureRequest, small: Path) -> Transport:
    return over_stdio(small) if request.param == "stdio" else over_http(request.getfixturevalue("address"))


def test_the_tools_answer_as_the_api_does(transport: Transport) -> None:
    names, (ask, what_if, claim, path, concept, search) = called(
        transport,
        ("ask", {"question": "What causes lung cancer?", "limit": 2}),
        ("what_if", {"question": "What causes lung cancer?", "do": ["smoking=absent"]}),
        ("claim", {"cause": "Coffee", "effect": "heart diseases"}),
        ("path", {"from": "smoking", "to": "death"}),
        ("concept", {"name": "lung cancers"}),
        ("search", {"q": "cancer"}),
    )
    assert names == ["ask", "what_if", "concept", "claim", "path", "search"]
    assert (ask.is_error, ask.structured_content["answer"]) == (False, "smoking")
    assert isinstance(ask.content[0], TextContent)
    assert json.loads(ask.content[0].text) == ask.structured_content
    assert what_if.structured_content["difference"]["lost"] == ["smoking"]
    assert len(claim.structured_content["contradicting"]) == 1
    assert path.structured_content["paths"][0]["concepts"] == ["smoking", "lung cancer", "death"]
    assert concept.structured_content["concept"] == "lung cancer"
    assert search.structured_content["concepts"] == ["lung cancer"]


@pytest.mark.parametrize(
    ("tool", "arguments", "fact"),
    [
        ("ask", {"question": "", "limit": 2}, "argument 'question' is missing"),
        ("ask", {"question": "x", "file": "/etc/passwd"}, "no argument 'file'"),
        ("what_if", {"question": "What causes death?", "do": ["zzz=absent"]}, "no concept 'zzz'"),
        ("claim", {"cause": "death", "effect": "coffee"}, "no claim 'death → coffee'"),
        ("concept", {"name": "smokng"}, "near: smoking"),
    ],
)
def test_a_wrong_call_is_told_to_the_model(address: str, tool: str, arguments: dict[str, Any], fact: str) -> None:
    _, (result,) = called(over_http(address), (tool, arguments))
    assert result.is_error
    assert isinstance(result.content[0], TextContent)
    assert fact in result.content[0].text


def test_a_wrong_call_is_told_over_stdio_too(small: Path) -> None:
    _, (result,) = called(over_stdio(small), ("ask", {"question": ""}))
    assert result.is_error


def sent(address: str, method: str = "POST", body: bytes = PING, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Send a request by hand; return the status and the body of the reply."""
    given = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {TOKEN}",
    }
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
        connection.request(method, "/mcp", body, {**given, **(headers or {})})
        reply = connection.getresponse()
        return reply.status, reply.read().decode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_the_same_clients_are_let_in_as_to_the_pages(address: str, headers: dict[str, str], status: int) -> None:
    assert sent(address, headers=headers)[0] == status


def test_what_is_no_call_is_a_problem_and_the_server_lives(address: str) -> None:
    assert sent(address, "GET")[0] == sent(address, "DELETE")[0] == 405
    assert sent(address, body=b"x" * 2_000_000)[0] == 413
    for body in (b"\xff", b"{", b"[" * 100_000, b"null", b"{}"):
        assert 400 <= sent(address, body=body)[0] < 500
    assert sent(address)[0] == 200


def test_a_client_without_the_token_gets_no_tools(address: str) -> None:
    with pytest.raises(ExceptionGroup):
        called(over_http(address, "wrong"))
