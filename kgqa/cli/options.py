"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Graph = Annotated[
    str | None,
    typer.Option("--graph", "-g", metavar="URL", help="The graph to ask. Default: KGQA_GRAPH, or the starter graph."),
]
WrittenGraph = Annotated[
    str, typer.Option("--graph", "-g", metavar="FILE.kgqa", envvar="KGQA_GRAPH", help="The graph to write to; made if missing.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many answers to show at most.")]
Do = Annotated[
    list[str] | None, typer.Option("--do", metavar="X=absent|present", help="Answer in a world where X is so. May be repeated.")
]
