"""Claims with their records as CSV, JSON-LD and SVG, for those endpoints of the API whose records are about claims."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from graph.model import Claim, Edge, Evidence
from graph.protocols import GraphView
from graph.rdf.json_ld import JsonObject, json_ld_document
from graph.rdf.rdf_writer import claim_facts
from graph.text.formula_cells import escape_formula
from kgqa.answer_model import CitedEvidence
from kgqa.answer_quotes import quote_records
from kgqa.graph_lookup import find_chains, look_up_concept, named_concepts
from kgqa.json_text import json_text
from kgqa.web.endpoints import FORMATS
from kgqa.web.graph_api import requested_claim
from kgqa.web.graph_service import GraphService, answer_options
from kgqa.web.http_messages import WebProblem
from kgqa.wording.claim_clauses import claim_verb, written_name

_MOST_DRAWN = 40
_COLUMNS = (
    *("part", "cause", "relation", "polarity", "effect", "strength", "belief", "support", "against", "hedged", "hash"),
    *("stance", "kind", "title", "page", "version", "url", "section", "start", "end", "rule", "text"),
)


class ClaimRow(NamedTuple):
    """A claim as an edge with some of its records, and the part of the reply that it belongs to: an answer, a chain, a side."""

    part: str
    edge: Edge
    records: Sequence[Evidence]


class ClaimTable(NamedTuple):
    """What a request is about, the concepts in the middle of it, its claims, and what JSON-LD says besides."""

    heading: str
    rows: Sequence[ClaimRow]
    focus: Collection[str] = ()
    node: JsonObject | None = None


def answer_table(service: GraphService, arguments: dict[str, Any]) -> ClaimTable:
    """Return the claims of an answer: those of each of its findings, then those that only its evidence is about."""
    answer = service.session(answer_options(arguments)).answer(arguments["q"], arguments["passage"])
    cited: dict[Claim, list[Evidence]] = {}
    for item in (*answer.evidence, *answer.against):
        cited.setdefault(item.claim, []).append(item.evidence)
    rows = [ClaimRow(finding.text, edge, cited.get(edge.claim, ())) for finding in answer.findings for edge in finding.path.edges]
    on_paths = {row.edge.claim for row in rows}
    others = {claim: service.store.edge(claim) for claim in cited if claim not in on_paths}
    rows += [ClaimRow("", edge, cited[claim]) for claim, edge in others.items() if edge is not None]
    citations = [{"@id": f"claim:{digits}"} for digits in dict.fromkeys(row.edge.claim.hash for row in rows)]
    accepted = {"@type": "schema:Answer", "schema:text": answer.sentence, "schema:citation": citations}
    node = {"@type": "schema:Question", "schema:name": answer.question, "schema:acceptedAnswer": accepted}
    return ClaimTable(answer.question, rows, node=node)


def concept_table(service: GraphService, arguments: dict[str, Any]) -> ClaimTable:
    """Return the claims on both sides of a concept."""
    store = service.store
    names = named_concepts(arguments["name"], store)
    view = look_up_concept(store, names, arguments["limit"])
    sides = (("causes", view.causes), ("effects", view.effects))
    return ClaimTable(
        f"Around {written_name(names[0])}", _rows(store, ((side, edge) for side, edges in sides for edge in edges)), names
    )


def claim_table(service: GraphService, arguments: dict[str, Any]) -> ClaimTable:
    """Return a claim with every record."""
    view = requested_claim(service, arguments)
    return ClaimTable("The claim", [ClaimRow("", view.edge, [item.evidence for item in (*view.evidence, *view.against)])])


def chains_table(service: GraphService, arguments: dict[str, Any]) -> ClaimTable:
    """Return the claims of the chains from one concept to another, chain by chain."""
    store = service.store
    ends = named_concepts(arguments["from"], store), named_concepts(arguments["to"], store)
    options = {name: arguments[name] for name in ("max_length", "limit", "valid")}
    search = find_chains(store, ends, answer_options(arguments).settings, **options)
    pairs = ((f"chain {number}", edge) for number, path in enumerate(search.paths, 1) for edge in path.edges)
    heading = f"How {written_name(search.cause)} leads to {written_name(search.effect)}"
    return ClaimTable(heading, _rows(search.view, pairs), (search.cause, search.effect))


def _rows(view: GraphView, pairs: Iterable[tuple[str, Edge]]) -> list[ClaimRow]:
    return [ClaimRow(part, edge, _quoted_records(view, edge.claim)) for part, edge in pairs]


def _quoted_records(view: GraphView, claim: Claim) -> list[Evidence]:
    return [item.evidence for item in quote_records([CitedEvidence(claim, record) for record in view.evidence(claim)])]


def write_table(table: ClaimTable, format_name: str) -> bytes:
    """Return a table in one of `FORMATS` but JSON."""
    return _WRITERS[format_name](table).encode("utf-8", "replace")


def _csv_text(table: ClaimTable) -> str:
    """Return a table as CSV: a line for each record, and one for a claim without records; no cell is a formula."""
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for part, edge, records in table.rows:
        claim = edge.claim
        numbers = round(edge.belief, 4), edge.support, edge.against, edge.hedged
        cells = (part, claim.cause, claim.relation, claim.polarity, claim.effect, edge.strength, *numbers, claim.hash)
        for record in records or (None,):
            rows.writerow([escape_formula("" if cell is None else str(cell)) for cell in (*cells, *_record_cells(record))])
    return lines.getvalue()


def _record_cells(record: Evidence | None) -> tuple[str | int | None, ...]:
    if record is None:
        return (None,) * 11
    source = record.source
    page = source.kind, source.title, source.page_id, source.revision, source.url
    return record.stance, *page, record.section, record.start, record.end, record.rule, record.text


def _json_ld_text(table: ClaimTable) -> str:
    nodes = (node for row in table.rows for node in claim_facts(row.edge, row.records))
    return json_text(json_ld_document(nodes, *(() if table.node is None else (table.node,)))) + "\n"


def _svg_text(table: ClaimTable) -> str:
    from graph.draw.svg import draw_svg

    edges = list(dict.fromkeys(row.edge for row in table.rows if row.edge.cause != row.edge.effect))[:_MOST_DRAWN]
    return draw_svg(edges, table.heading, focus=table.focus, words=claim_verb)


_WRITERS: Mapping[str, Callable[[ClaimTable], str]] = {"csv": _csv_text, "jsonld": _json_ld_text, "svg": _svg_text}


def choose_format(accept: str, wanted: str | None) -> str:
    """Return the format of `FORMATS` to reply with: the one that the address names, or the best that the client reads.

    Raises `WebProblem` where it reads none of them.
    """
    if wanted or not accept.strip():
        return wanted or "json"
    shares = dict(_accepted_types(accept))
    offered = {name: _share_of(media, shares) for name, media in FORMATS.items()}
    best = max(offered, key=lambda name: offered[name])
    if not offered[best]:
        fact = f"none of the types that you accept ('{accept[:80]}') is written here"
        raise WebProblem(HTTPStatus.NOT_ACCEPTABLE, fact, f"Accept: {', '.join(FORMATS.values())}")
    return best


def _accepted_types(accept: str) -> Iterable[tuple[str, float]]:
    """Yield the media types of a header Accept with their shares, 0 to 1; one that cannot be read counts as 0."""
    for part in accept.split(","):
        media, *parameters = (item.strip().lower() for item in part.split(";"))
        share = next((text.partition("=")[2] for text in parameters if text.startswith("q=")), "1")
        yield media, min(1.0, float(share)) if share.replace(".", "", 1).isdecimal() else 0.0


def _share_of(media: str, shares: Mapping[str, float]) -> float:
    """Return the share of a media type: the most exact entry of a header decides."""
    return next((shares[entry] for entry in (media, f"{media.partition('/')[0]}/*", "*/*") if entry in shares), 0.0)
