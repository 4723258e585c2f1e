"""The endpoints that reply with pages: each a function of the graph and the arguments of a request."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from graph.belief.priors import ANY_SOURCE, LOADED, SOURCES, shipped_priors
from graph.draw.svg import HINDERS, LINKED, PROMOTES, edge_influence
from graph.model import Edge, Path
from graph.protocols import GraphStore
from graph.sources.licences import SOURCE_LICENCES
from kgqa.answer_model import Answer, CitedEvidence, PresuppositionStatus, Verdict
from kgqa.answer_quotes import quote_records
from kgqa.graph_lookup import find_chains, look_up_concept, named_concepts
from kgqa.web.graph_api import requested_claim
from kgqa.web.graph_service import GraphService, answer_options
from kgqa.web.http_messages import WebProblem
from kgqa.web.pages.evidence_cards import (
    FindingRow,
    cards_of,
    causes_of_answer,
    cited_sources,
    draw_claims,
    edge_rows,
    finding_rows,
)
from kgqa.web.pages.page_templates import PageContent, address, claim_url, concept_url, redirect_to
from kgqa.wording.claim_clauses import claim_clause, written_name
from kgqa.wording.explanation import belief_reasons, explain_answer, source_counts

Arguments = dict[str, Any]
EXAMPLES = (
    "What causes tsunamis?",
    "Does smoking cause lung cancer?",
    "How does deforestation lead to floods?",
    "What prevents scurvy?",
    "If smoking were eliminated, what would happen to lung cancer?",
    "How do vaccines cause autism?",
)
_MOST_DRAWN = 14
_SECTIONS = (
    ("Causes", ("causes",), PROMOTES),
    ("Effects", ("effects",), PROMOTES),
    ("Prevented or reduced by", ("causes",), HINDERS),
    ("Prevents or reduces", ("effects",), HINDERS),
    ("Linked with", ("causes", "effects"), LINKED),
)
"""The sections of the page of a concept: which sides of it, and which influence."""


def home_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page with the box for a question, examples, and what the graph holds."""
    return PageContent("home", "Ask what causes what", {"examples": EXAMPLES, "stats": service.store.stats()})


def answer_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page of an answer from the graph; without a question, the way to the home page."""
    if not (arguments["q"] or "").strip():
        return redirect_to("/")
    return _answer_content(service, arguments, None)


def passage_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page of an answer from a text, or the form for it."""
    if not (arguments["q"] or "").strip() or not (arguments["passage"] or "").strip():
        return PageContent("passage", "Ask a text", {"q": arguments["q"] or "", "passage": arguments["passage"] or ""})
    return _answer_content(service, {"limit": 5, "risk": None, **arguments}, arguments["passage"])


def _answer_content(service: GraphService, arguments: Arguments, passage: str | None) -> PageContent:
    """Return the page of an answer: both sides of it, both worlds where something is set, and how it was decided."""
    from kgqa.wording.browser_statement import redraw_statement, sparql_statement
    from kgqa.wording.trace_lines import word_change
    from kgqa.wording.verdict_sentences import word_flips

    question, in_graph = arguments["q"], passage is None
    options = answer_options(arguments, lists_statements=True)
    answer = service.session(options).answer(question, passage)
    before = service.session(options._replace(settings=())).answer(question, passage) if options.settings else None
    verdict = answer.verdict or (None if answer.is_decided else Verdict.UNKNOWN)
    weighed = [item for item in answer.presuppositions if item.status is not PresuppositionStatus.UNKNOWN]
    presumed = [(item, cards_of((*item.evidence, *item.excerpts), linked=in_graph)) for item in weighed]
    excerpts = dict.fromkeys(read.excerpt for read in answer.read if read.excerpt is not None)
    done = {item.split("=")[0].strip() for item in arguments["do"]}
    query = [("q", question), *(("do", item) for item in arguments["do"]), ("risk", arguments["risk"])]
    values = {
        "q": question,
        "do": arguments["do"],
        "risk": arguments["risk"],
        "passage": passage,
        "answer": answer,
        "verdict": verdict,
        "worlds": _both_worlds(before, answer, linked=in_graph) if before else None,
        "rows": finding_rows(answer, linked=in_graph),
        "presumed": presumed,
        "supporting": cards_of((*excerpts, *answer.evidence), linked=in_graph),
        "denying": cards_of(answer.against, linked=in_graph),
        "flips": word_flips(answer.flips, answer.signals.support) if answer.flips and answer.verdict is not Verdict.NO else "",
        "changes": [] if answer.change is None else list(word_change(answer.change)),
        "switches": [name for name in causes_of_answer(before or answer) if name not in done] if in_graph else [],
        "picture": draw_claims(_drawn_edges(answer, service.store), "The claims behind this answer", linked=in_graph),
        "explanation": list(explain_answer(answer)),
        "cypher": redraw_statement(answer) if in_graph else None,
        "sparql": sparql_statement(answer) if in_graph else None,
        "cited": cited_sources((*answer.evidence, *answer.against)),
        "explored": [("at", name) for name in _concepts_of(answer)],
        "record_url": address("/api/v1/ask", query),
        "receipt_url": address("/api/v1/receipt", query),
        "digest": service.store.digest(),
        "in_graph": in_graph,
    }
    return PageContent("answer", answer.question, values)


def _concepts_of(answer: Answer) -> list[str]:
    """Return the concepts that the page for walking on begins with: the ends of the surest finding or of the first record."""
    claims = [edge.claim for finding in answer.findings[:1] for edge in finding.path.edges]
    claims = claims or [item.claim for item in (*answer.evidence, *answer.against)[:1]]
    return list(dict.fromkeys((claims[0].cause, claims[-1].effect))) if claims else []


def _both_worlds(before: Answer, after: Answer, *, linked: bool) -> list[tuple[str, Answer, list[FindingRow]]]:
    """Return both worlds, each with its name and its rows, marked where the other world does not have them."""
    return [
        ("As it is", before, finding_rows(before, after.change, linked=linked)),
        (_world_name(after), after, finding_rows(after, after.change, linked=linked)),
    ]


def _world_name(answer: Answer) -> str:
    """Return the name of the world of an answer: "With smoking absent"."""
    if answer.change is not None and answer.change.world:
        return f"With {answer.change.world}"
    return f"With {', '.join(f'{item.target} {item.value}' for item in answer.interventions)}"


def _drawn_edges(answer: Answer, store: GraphStore) -> list[Edge]:
    """Return the claims that the picture of an answer shows: those of its findings, or those that its evidence is about."""
    edges = [edge for finding in answer.findings for edge in finding.path.edges]
    claims = [] if edges else [item.claim for item in (*answer.evidence, *answer.against)]
    return list(dict.fromkeys((*edges, *filter(None, map(store.edge, claims)))))[:_MOST_DRAWN]


def concept_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page of a concept: its names, its edges by section, its loops."""
    name, store, limit = arguments["name"] or "", service.store, arguments["limit"]
    names = named_concepts(name, store)
    if concept_url(name) != concept_url(names[0]):
        return redirect_to(concept_url(names[0]))
    view = look_up_concept(store, names, 10**6)
    loops = look_up_concept(store, names, 6, loops=True).loops
    sections = [
        (heading, [edge for side in sides for edge in getattr(view, side) if edge_influence(edge) == influence])
        for heading, sides, influence in _SECTIONS
    ]
    strongest = [edge for _, edges in sections[:-1] for edge in edges[: _MOST_DRAWN // 3]]
    values = {
        "name": names[0],
        "aliases": [*names[1:], *view.aliases],
        "own": frozenset(names),
        "sections": [(heading, edge_rows(edges[:limit]), len(edges)) for heading, edges in sections if edges],
        "loops": [(loop, _path_rows(loop.path)) for loop in loops],
        "limit": limit,
        "picture": draw_claims(strongest, f"Around {written_name(names[0])}", names),
    }
    return PageContent("concept", written_name(names[0]), values)


def _path_rows(path: Path) -> list[dict[str, Any]]:
    return edge_rows(path.edges)


def claim_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page of a claim: every record for it and against it."""
    view = requested_claim(service, arguments)
    reverse = [edge for edge in service.store.effects(view.edge.effect) if edge.effect == view.edge.cause]
    values = {
        "edge": view.edge,
        "counts": source_counts(view.edge),
        "reasons": belief_reasons(view.edge),
        "supporting": cards_of(view.evidence),
        "denying": cards_of(view.against),
        "reverse": edge_rows(reverse),
        "picture": draw_claims([view.edge, *reverse], "The claim"),
        "record_url": f"/api/v1{claim_url(view.edge.claim)}",
    }
    clause = claim_clause(view.edge)
    return PageContent("claim", clause[:1].upper() + clause[1:], values)


def chains_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page of the chains from one concept to another, or the form for it."""
    phrases = (arguments["from"] or "").strip(), (arguments["to"] or "").strip()
    values: dict[str, Any] = {
        "cause": phrases[0],
        "effect": phrases[1],
        "max_length": arguments["max_length"],
        "do": arguments["do"],
    }
    if not all(phrases):
        return PageContent("chains", "How one thing leads to another", {**values, "search": None})
    store = service.store
    ends = named_concepts(phrases[0], store), named_concepts(phrases[1], store)
    options = {name: arguments[name] for name in ("max_length", "limit")}
    search = find_chains(store, ends, answer_options(arguments).settings, **options)
    from kgqa.answering.chains.chain_validity import chain_validity

    lost = search.changed.lost if search.changed else ()
    inner = dict.fromkeys(name for path in (*search.paths, *lost) for name in path.concepts[1:-1])
    fates = {path: word for word in ("gained", "lost") for path in (getattr(search.changed, word) if search.changed else ())}
    values |= {
        "search": search,
        "record_url": address(
            "/api/v1/path",
            [
                ("from", phrases[0]),
                ("to", phrases[1]),
                ("max_length", arguments["max_length"]),
                *(("do", item) for item in arguments["do"]),
            ],
        ),
        "chains": [
            (path, chain_validity(path, search.view), _path_rows(path), fates.get(path, "")) for path in (*search.paths, *lost)
        ],
        "switches": [name for name in inner if f"{name}=absent" not in arguments["do"] and "->" not in name][:8],
        "picture": draw_claims(
            list(dict.fromkeys(edge for path in search.paths for edge in path.edges))[:_MOST_DRAWN],
            f"How {written_name(search.cause)} leads to {written_name(search.effect)}",
            (search.cause, search.effect),
        ),
    }
    return PageContent("chains", f"How {written_name(search.cause)} leads to {written_name(search.effect)}", values)


def source_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page of a source: the claims that rest on it."""
    kind, identity = arguments["kind"], arguments["id"]
    statements = service.store.statements_of_source("" if kind == "-" else kind, identity, arguments["limit"] + 1)
    cited = [CitedEvidence(statement.claim, statement.evidence) for statement in statements]
    if not cited:
        fact = f"nothing in this graph rests on '{identity}' of kind '{kind}'"
        raise WebProblem(HTTPStatus.NOT_FOUND, fact, "ask again: the graph may have changed")
    source = cited[0].evidence.source
    cards = cards_of(quote_records(cited[: arguments["limit"]]))
    values = {"source": source, "cards": cards, "has_more": len(cited) > arguments["limit"]}
    return PageContent("source", source.title or source.kind, values)


def about_page(service: GraphService, arguments: Arguments) -> PageContent:
    """Return the page on the graph: counts, licences of its sources, and how often rules and sources are wrong."""
    stats, priors = service.store.stats(), shipped_priors()
    rates = [(kind, SOURCES.get(kind, ANY_SOURCE)) for kind in stats.sources]
    rules: Sequence[tuple[str, float]] = sorted(priors.rules.items(), key=lambda row: (-row[1], row[0]))
    values = {
        "stats": stats,
        "licences": [(name, licence.name) for kind, (name, licence) in SOURCE_LICENCES.items() if kind in stats.sources],
        "rates": rates,
        "rules": [row for row in rules if row[0] not in LOADED],
    }
    return PageContent("about", "About this graph", values)
