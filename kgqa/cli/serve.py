"""`kgqa serve` and `kgqa mcp`: a graph as pages, as an HTTP API, and as tools of language models."""

from __future__ import annotations

from collections.abc import Sequence

import click

from graph.errors import PackageMissing
from kgqa.api import AnswerSession
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import note
from kgqa.settings import Settings, graph_url, variable_name

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@cli.command("kgqa serve --port 8080")
def serve(
    context: click.Context,
    graph: str | None = cli.graph_option,
    host: str = cli.option("--host", "H", "The address to listen at. Any but loopback needs a token.", default="127.0.0.1"),
    port: int = cli.number_option("--port", 0, 65_535, "The port; 0 takes a free one.", default=8000, metavar="P"),
    token: str | None = cli.option(
        "--token", "T", f"What clients must know, at least 16 characters. Default: {variable_name('serve_token')}, else none."
    ),
    allow_host: Sequence[str] = cli.option(
        "--allow-host", "NAME", "A name by which browsers reach this server; may be repeated.", multiple=True
    ),
    workers: int = cli.number_option("--workers", 1, 64, "Processes that answer.", default=2),
    timeout: int = cli.number_option("--timeout", 1, 3_600, "Seconds that an answer may take.", default=30, metavar="S"),
    rate: int = cli.number_option("--rate", 0, 100_000, "Requests a second that one client may make; 0 for any.", default=100),
) -> None:
    """Serve a graph as pages and as an HTTP API.

    Prints its address, and serves until Ctrl-C or SIGTERM. The graph is only read, nothing is fetched, and nobody but this
    machine is answered unless --host says so.
    """
    settings = Settings.read()
    secret = token or settings.serve_token
    remedy = 'kgqa serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"'
    if host not in _LOOPBACK and not secret:
        raise cli.WrongUse(f"'{host}' lets others in, and no token is set", remedy, context)
    if secret and (len(secret) < 16 or not secret.isascii() or not secret.isprintable() or " " in secret):
        raise cli.WrongUse("a token has at least 16 printable characters of ASCII, and no space", remedy, context)
    try:
        from kgqa.web.server import listen, serve_graph
    except ModuleNotFoundError as error:
        raise PackageMissing("kgqa serve", error.name or "starlette", "web") from None
    from kgqa.web.access_control import LOOPBACK_NAMES, AccessControl
    from kgqa.web.worker_pool import WorkLimits

    with AnswerSession(graph, settings=settings) as session:
        _ = session.store  # an address that cannot be opened is an error of its own
    listening = listen(host, port)
    access = AccessControl(LOOPBACK_NAMES | {host.lower(), *map(str.lower, allow_host)}, secret, rate, 2 * rate if rate else 0)
    written_host = f"[{host}]" if ":" in host else host
    address = f"http://{written_host}:{listening.getsockname()[1]}/{f'?token={secret}' if secret else ''}"

    def announce() -> None:
        print(address, flush=True)
        note("serving until Ctrl-C")

    serve_graph(graph_url(graph, settings), listening, access, WorkLimits(workers, timeout), settings, announce)


@cli.command("kgqa mcp -g mine.kgqa")
def mcp(
    graph: str | None = cli.graph_option,
    timeout: int = cli.number_option("--timeout", 1, 3_600, "Seconds that an answer may take.", default=60, metavar="S"),
) -> None:
    """Serve a graph as tools of the Model Context Protocol.

    Speaks over stdin and stdout, as the programs that start such servers expect. The tools ask, look up claims, concepts and
    paths, and answer what-ifs; they only read.
    """
    try:
        from kgqa.web.tool_server import serve_tools
    except ModuleNotFoundError as error:
        raise PackageMissing("kgqa mcp", error.name or "mcp", "mcp") from None
    from kgqa.web.worker_pool import WorkLimits

    settings = Settings.read()
    with AnswerSession(graph, settings=settings) as session:
        _ = session.store  # an address that cannot be opened is an error of its own
    serve_tools(graph_url(graph, settings), settings, WorkLimits(1, timeout))
