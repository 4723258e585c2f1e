"""`kgqa mcp` asked by the client of the official SDK, over stdin and stdout."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent
from running import KGQA, clean_environment


def called(graph: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[list[str], list[CallToolResult]]:
    """The names of the tools, and what calls of them give."""

    async def run() -> tuple[list[str], list[CallToolResult]]:
        server = StdioServerParameters(command=KGQA, args=["mcp", "-g", str(graph)], env=clean_environment())
        async with Client(stdio_client(server)) as client:
            tools = (await client.list_tools()).tools
            return [tool.name for tool in tools], [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(run())


def test_the_tools_answer_as_the_api_does(small: Path) -> None:
    names, (ask, what_if, claim, path, concept, search) = called(
        small,
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
def test_a_wrong_call_is_told_to_the_model(small: Path, tool: str, arguments: dict[str, Any], fact: str) -> None:
    _, (result,) = called(small, (tool, arguments))
    assert result.is_error
    assert isinstance(result.content[0], TextContent)
    assert fact in result.content[0].text
