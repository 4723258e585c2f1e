"""SPARQL over a causal graph in this process: rdflib over an Oxigraph store, in memory or in a cache on disk."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from graph.algorithms.reachability import neighbourhood
from graph.errors import GraphError, PackageMissing
from graph.protocols import GraphStore, GraphView
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_writer import RDF_VERSION, SYNTAXES, write_rdf
from graph.rdf.rdflib_graph import neighbourhood_facts
from graph.unfinished_files import unfinished_folder

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib
    from rdflib.query import Result
    from rdflib.term import Node

    OxigraphBackend = pyoxigraph.Store

CACHED_CLAIMS = 5_000  # A graph of this many claims or more is kept in the cache; a smaller one loads in a second
_LONGEST_EXCERPT = 30
_PLACE = re.compile(r"error at (\d+):(\d+)")
_OPAQUE = re.compile(
    r'''"""(?:\\.|.)*?"""|'{3}(?:\\.|.)*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|<[^\s<>"]*>|\\.|\#[^\n]*''', re.DOTALL
)
"""Strings, IRIs, escaped characters and comments of SPARQL."""
_LAST_PREFIX = re.compile(r"([\w.-]*:)[^\s:]*$")
_SERVICE = re.compile(r"(?<![\w?$:-])SERVICE(?![\w:-])", re.IGNORECASE)
_UPDATE = re.compile(
    r"(?:\s|PREFIX\s+\S+|BASE\b)*(?:INSERT|DELETE|LOAD|CLEAR|CREATE|DROP|COPY|MOVE|ADD|WITH)(?![\w:-])", re.IGNORECASE
)
_CACHE_ENTRY = re.compile(r"[0-9a-f]{32}-.*")


class SparqlInvalid(GraphError):
    """A SPARQL query cannot be run; `why` says where or why."""

    def __init__(self, why: str) -> None:
        super().__init__(f"cannot run the query: {why}")


@dataclass(frozen=True, slots=True)
class SparqlTable:
    """The result of a query as rows of terms, an unbound variable as `None` and ASK as a literal; and as rdflib has it."""

    columns: tuple[str, ...]
    rows: list[tuple[Node | None, ...]]
    result: Result


def open_sparql_graph(
    store: GraphStore, cache: Path | None = None, version: str = "", on_claims: Callable[[int], None] = lambda claims: None
) -> rdflib.Graph:
    """Return a whole store as an rdflib graph over Oxigraph, with the prefixes of the vocabulary.

    A graph of `CACHED_CLAIMS` claims or more is loaded once into a database in the folder `cache`, under its digest and the
    `version` of the program, and replaces the database there; any other into memory. `on_claims` gets the number of claims.
    Raises `PackageMissing` without rdflib, pyoxigraph or oxrdflib, and `GraphChanged` where the store was written to meanwhile.
    """
    ox = _import_oxigraph()
    database_folder = cache if store.stats().claims >= CACHED_CLAIMS else None
    folder = None if database_folder is None else database_folder / f"{store.digest()}-{version}-{RDF_VERSION}"
    if folder is None or not _is_folder(folder.parent):
        with TemporaryDirectory(prefix="kgqa-") as part:
            return _rdflib_over(_load(store, ox.Store(), Path(part), on_claims))
    if not folder.is_dir():
        with unfinished_folder(folder.parent) as part:
            database = part / "database"
            _load(store, ox.Store(str(database)), part, on_claims).flush()
            for entry in folder.parent.iterdir():
                if _CACHE_ENTRY.fullmatch(entry.name):
                    shutil.rmtree(entry, ignore_errors=True)
            with suppress(OSError):  # another process has just made the same database
                database.rename(folder)
    return _rdflib_over(ox.Store.read_only(str(folder)))


def open_sparql_neighbourhood(view: GraphView, around: Iterable[str], steps: int, limit: int) -> tuple[rdflib.Graph, int]:
    """Return the claims around some concepts, as `to_rdflib` selects them, as an rdflib graph over Oxigraph, and their number."""
    ox = _import_oxigraph()
    backend, edges = ox.Store(), neighbourhood(view, around, steps, limit).edges
    lines = "".join([SYNTAXES["nt"].node(subject, facts) for subject, facts in neighbourhood_facts(view, edges)])
    backend.bulk_load(lines.encode(), ox.RdfFormat.N_TRIPLES)
    return _rdflib_over(backend), len(edges)


def check_sparql(query: str) -> None:
    """Raise `SparqlInvalid` for a query that `run_sparql` does not run, before a graph is loaded."""
    run_sparql(_rdflib_over(_import_oxigraph().Store()), query)


def run_sparql(graph: rdflib.Graph, query: str) -> SparqlTable:
    """Return the result of a SPARQL 1.1 query; raise `SparqlInvalid` for a malformed query, an update or a SERVICE clause."""
    from rdflib import Literal

    code = _OPAQUE.sub(" ", query)
    if _UPDATE.match(code):
        raise SparqlInvalid("it is an update, and the graph is only read")
    if _SERVICE.search(code):
        raise SparqlInvalid("SERVICE asks another endpoint, and nothing is asked over the network")
    try:
        result = graph.query(v.current_query(query))
    except SyntaxError as error:
        raise SparqlInvalid(_syntax_text(query, str(error))) from None
    if result.type == "ASK":
        return SparqlTable(("answer",), [(Literal(result.askAnswer),)], result)
    if result.graph is not None:
        return SparqlTable(("subject", "predicate", "object"), sorted(result.graph), result)
    return SparqlTable(tuple(map(str, result.vars or ())), [tuple(row) for row in result], result)  # type: ignore[arg-type]


def format_term(term: Node | None) -> str:
    """Return a term for people: an IRI with its prefix where it has one of the vocabulary, a literal as its text."""
    import rdflib

    if isinstance(term, rdflib.Literal):
        return v.literal_to_text(str(term), str(term.datatype or ""))
    if isinstance(term, rdflib.URIRef):
        prefix = next((prefix for prefix, namespace in v.NAMESPACES.items() if term.startswith(namespace)), None)
        return f"<{term}>" if prefix is None else f"{prefix}:{term.removeprefix(v.NAMESPACES[prefix])}"
    return "" if term is None else f"_:{term}"


def _import_oxigraph() -> Any:
    for package in ("pyoxigraph", "rdflib", "oxrdflib"):
        try:
            import_module(package)
        except ImportError:
            raise PackageMissing("SPARQL over a graph", package, "rdf") from None
    return import_module("pyoxigraph")


def _load(store: GraphStore, backend: OxigraphBackend, folder: Path, on_claims: Callable[[int], None]) -> OxigraphBackend:
    import pyoxigraph as ox

    triples = folder / "graph.nt"
    with triples.open("w", encoding="utf-8", newline="\n") as out:
        write_rdf(store, out, "nt", on_claims)
    backend.bulk_load(path=triples, format=ox.RdfFormat.N_TRIPLES)
    return backend


def _rdflib_over(backend: OxigraphBackend) -> rdflib.Graph:
    from oxrdflib import OxigraphStore
    from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, Graph

    graph = Graph(OxigraphStore(store=backend), DATASET_DEFAULT_GRAPH_ID, bind_namespaces="none")
    for prefix, namespace in v.NAMESPACES.items():
        graph.bind(prefix, namespace)
    return graph


def _is_folder(path: Path) -> bool:
    """Make a folder, and return whether it is there and may be written."""
    with suppress(OSError):
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="part-", dir=path):
            return True
    return False


def _syntax_text(query: str, message: str) -> str:
    """Return where and how a query is malformed, without Oxigraph's list of every token that is possible there."""
    place = _PLACE.search(message)
    if place is None:
        return (message.splitlines() or ["it is malformed"])[0]
    lines, line, column = query.split("\n"), int(place[1]), int(place[2])
    word = re.search(r"\w*\Z", lines[line - 1][: column - 1])
    column -= len(word[0]) if word else 0  # Oxigraph's place may lie inside a word
    before, after = lines[line - 1][: column - 1], "\n".join((lines[line - 1][column - 1 :], *lines[line:])).strip()
    prefix = _LAST_PREFIX.search(before)
    if prefix is not None and "Prefix not found" in message:
        what = f"the prefix '{prefix[1]}' is not declared"
    else:
        what = f"unexpected '{after.splitlines()[0][:_LONGEST_EXCERPT]}'" if after else "the query ends too early"
    return f"line {line}, column {column}: {what}"
