"""`kgqa serve` and `kgqa mcp`: a graph as pages, as an HTTP API, and as tools of language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from graph.errors import PackageMissing
from kgqa.api import AnswerSession
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import note
from kgqa.settings import Settings, graph_url, variable_name

if TYPE_CHECKING:
    from kgqa.web.server import ListeningPlace

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


host_option = cli.option("--host", "H", "The address to listen at. Any but loopback needs a token.", default="127.0.0.1")
port_option = cli.number_option("--port", 0, 65_535, "The port; 0 takes a free one.", default=8000, metavar="P")
token_option = cli.option(
    "--token", "T", f"What clients must know, at least 16 characters. Default: {variable_name('serve_token')}, else none."
)
allow_host_option = cli.option(
    "--allow-host", "NAME", "A name by which clients reach this server; may be repeated.", multiple=True
)
rate_option = cli.number_option("--rate", 0, 100_000, "Requests a second that one client may make; 0 for any.", default=100)


class ServerAddress(NamedTuple):
    """Where a server listens and who may ask it, as the options say."""

    host: str
    port: int
    token: str
    allowed_hosts: Sequence[str]
    rate: int


@cli.command("kgqa serve --port 8080")
def serve(
    context: click.Context,
    graph: str | None = cli.graph_option,
    host: str = host_option,
    port: int = port_option,
    token: str | None = token_option,
    allow_host: Sequence[str] = allow_host_option,
    workers: int = cli.number_option("--workers", 1, 64, "Processes that answer.", default=2),
    timeout: int = cli.number_option("--timeout", 1, 3_600, "Seconds that an answer may take.", default=30, metavar="S"),
    rate: int = rate_option,
) -> None:
    """Serve a graph as pages and as an HTTP API.

    Prints its address, and serves until Ctrl-C or SIGTERM. The graph is only read, nothing is fetched, and nobody but this
    machine is answered unless --host says so.
    """
    settings = Settings.read()
    address = ServerAddress(host, port, token or settings.serve_token, allow_host, rate)
    _check_address(context, address)
    try:
        from kgqa.web.server import serve_graph
    except ModuleNotFoundError as error:
        raise PackageMissing("kgqa serve", error.name or "starlette", "web") from None
    from kgqa.web.worker_pool import WorkLimits

    _check_graph(graph, settings)
    serve_graph(graph_url(graph, settings), _listening_place(address), WorkLimits(workers, timeout), settings)


@cli.command("kgqa mcp -g mine.kgqa")
def mcp(
    context: click.Context,
    graph: str | None = cli.graph_option,
    timeout: int = cli.number_option("--timeout", 1, 3_600, "Seconds that an answer may take.", default=60, metavar="S"),
    http: bool = cli.flag("--http", "Serve over HTTP, at /mcp, for programs that start no servers; with the options of serve."),
    host: str = host_option,
    port: int = port_option,
    token: str | None = token_option,
    allow_host: Sequence[str] = allow_host_option,
    rate: int = rate_option,
) -> None:
    """Serve a graph as tools of the Model Context Protocol.

    Speaks over stdin and stdout, as the programs that start such servers expect. The tools ask, look up claims, concepts and
    paths, and answer what-ifs; they only read. With --http it prints its address and serves until Ctrl-C or SIGTERM.
    """
    settings = Settings.read()
    address = ServerAddress(host, port, token or settings.serve_token, allow_host, rate)
    if http:
        _check_address(context, address)
    elif unread := [name for name in ("host", "port", "token", "allow_host", "rate") if _is_given(context, name)]:
        option = f"--{unread[0].replace('_', '-')}"
        raise cli.WrongUse(f"{option} goes with --http alone", f"{context.command_path} --http", context)
    try:
        from kgqa.web.tool_server import serve_tools, serve_tools_by_http
    except ModuleNotFoundError as error:
        raise PackageMissing("kgqa mcp", error.name or "mcp", "mcp") from None
    from kgqa.web.worker_pool import WorkLimits

    _check_graph(graph, settings)
    if http:
        serve_tools_by_http(graph_url(graph, settings), _listening_place(address, "mcp"), WorkLimits(2, timeout), settings)
    else:
        serve_tools(graph_url(graph, settings), settings, WorkLimits(1, timeout))


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _check_address(context: click.Context, address: ServerAddress) -> None:
    """Raise `WrongUse` where others would be let in without a token, or where the token is a bad one."""
    secret = address.token
    command = f"{context.command_path}{' --http' if context.params.get('http') else ''}"
    remedy = f'{command} --host 0.0.0.0 --token "$(openssl rand -hex 16)"'
    if address.host not in _LOOPBACK and not secret:
        raise cli.WrongUse(f"'{address.host}' lets others in, and no token is set", remedy, context)
    if secret and (len(secret) < 16 or not secret.isascii() or not secret.isprintable() or " " in secret):
        raise cli.WrongUse("a token has at least 16 printable characters of ASCII, and no space", remedy, context)


def _check_graph(graph: str | None, settings: Settings) -> None:
    """Open a graph, so that an address that cannot be opened is an error of its own."""
    with AnswerSession(graph, settings=settings) as session:
        _ = session.store


def _listening_place(address: ServerAddress, path: str = "") -> ListeningPlace:
    """Listen, and return where; the address is printed when the server starts. A browser takes its token from the address."""
    from kgqa.web.access_control import LOOPBACK_NAMES, AccessControl
    from kgqa.web.server import ListeningPlace, listen

    host, secret, rate = address.host, address.token, address.rate
    listening = listen(host, address.port)
    hosts = LOOPBACK_NAMES | {host.lower(), *map(str.lower, address.allowed_hosts)}
    written_host = f"[{host}]" if ":" in host else host
    query = f"?token={secret}" if secret and not path else ""

    def announce() -> None:
        print(f"http://{written_host}:{listening.getsockname()[1]}/{path}{query}", flush=True)
        note("serving until Ctrl-C")

    return ListeningPlace(listening, AccessControl(hosts, secret, rate, 2 * rate if rate else 0), announce)
