"""The endpoints that reply with records: each a function of the graph and the arguments of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from graph.model import Claim, Polarity, Relation
from kgqa import __version__
from kgqa.answer_model import CitedEvidence
from kgqa.graph_lookup import (
    ClaimView,
    chain_records,
    claim_record,
    concept_record,
    find_chains,
    look_up_claim,
    look_up_concept,
    named_concepts,
)
from kgqa.record import evidence_record, mined_claim_record, type_record
from kgqa.web.graph_service import GraphService, answer_options
from kgqa.web.http_messages import WebProblem
from kgqa.web.request_parameters import parse_object

if TYPE_CHECKING:
    from kgqa import record_schema as schema

Arguments = dict[str, Any]
ApiFunction = Callable[[GraphService, Arguments], Mapping[str, Any]]
_FEWEST_LETTERS = 2
"""So many letters are completed: each name that begins with them is looked at."""


def ask(service: GraphService, arguments: Arguments) -> schema.AnswerRecord:
    """Return the answer to a question, as `kgqa ask --json` prints it."""
    from kgqa.wording.browser_statement import redraw_statement

    statement = redraw_statement if arguments["cypher"] else None
    session = service.session(answer_options(arguments)._replace(mines_always=arguments["cypher"]))
    return session.record(arguments["q"], arguments["passage"], statement=statement)


def make_receipt(service: GraphService, arguments: Arguments) -> schema.ReceiptRecord:
    """Return the receipt of an answer, as `kgqa ask --receipt` writes it."""
    from kgqa.receipt import answer_with_receipt

    session = service.session(answer_options(arguments)._replace(mines_always=arguments["cypher"]))
    return answer_with_receipt(session, arguments["q"], arguments["passage"], cypher=arguments["cypher"]).receipt


def answer_line(service: GraphService, arguments: Arguments) -> schema.AnswerRecord:
    """Return the answer to a line of a batch, as `kgqa ask --batch` prints it."""
    record = parse_object(arguments["line"])
    question, passage = record.get("question"), record.get("passage")
    if not isinstance(question, str) or not isinstance(passage, str | None):
        raise WebProblem(HTTPStatus.BAD_REQUEST, 'a line has no "question" that is a text', '{"id": 1, "question": "..."}')
    return service.session(answer_options({})).record(question, passage, identifier=record.get("id"), refuse=True)


def classify_question(service: GraphService, arguments: Arguments) -> schema.QuestionTypeRecord:
    """Return how a question is understood, as `kgqa type --json` prints it."""
    from kgqa.pipeline import check_question
    from kgqa.questions.classifier import classify, explain_classification

    text = check_question(arguments["q"])
    return {"question": text, **type_record(classify(text)), "why": list(explain_classification(text))}


def show_concept(service: GraphService, arguments: Arguments) -> schema.ConceptRecord:
    """Return a concept with its causes and effects, as `kgqa show --json` prints it."""
    store, loops = service.store, arguments["loops"]
    view = look_up_concept(store, named_concepts(arguments["name"], store), arguments["limit"], loops=loops)
    return concept_record(store, view, loops=loops)


def show_claim(service: GraphService, arguments: Arguments) -> schema.ClaimEvidenceRecord:
    """Return a claim with every record on both sides."""
    return claim_record(requested_claim(service, arguments))


def requested_claim(service: GraphService, arguments: Arguments) -> ClaimView:
    """Return the claim that a request names by its hash, by its ends, or by both; raises `WebProblem` where there is none."""
    digits, cause, effect = arguments["hash"], arguments["cause"] or "", arguments["effect"] or ""
    claim = None
    if cause and effect:
        if not digits:
            cause, effect = (named_concepts(phrase, service.store)[0] for phrase in (cause, effect))
        try:
            claim = Claim(cause, effect, Relation(arguments["relation"] or "causes"), Polarity(arguments["polarity"] or "none"))
        except ValueError as error:
            raise WebProblem(HTTPStatus.BAD_REQUEST, str(error), "/openapi.json") from None
    if digits and (claim is None or claim.hash != digits):
        claim = service.store.claim_of_hash(digits)
    view = None if claim is None else look_up_claim(service.store, claim)
    if view is None:
        fact = f"no claim '{digits or f'{cause} → {effect}'}' in this graph"
        raise WebProblem(HTTPStatus.NOT_FOUND, fact, "ask again: the graph may have changed")
    return view


def show_chains(service: GraphService, arguments: Arguments) -> schema.ChainsRecord:
    """Return the chains from one concept to another, each as `kgqa path --json` prints it."""
    store = service.store
    ends = named_concepts(arguments["from"], store), named_concepts(arguments["to"], store)
    options = {name: arguments[name] for name in ("max_length", "limit", "valid")}
    search = find_chains(store, ends, answer_options(arguments).settings, **options)
    return {"cause": search.cause, "effect": search.effect, "paths": chain_records(search)}


def search_graph(service: GraphService, arguments: Arguments) -> schema.SearchRecord:
    """Return the concepts and the sentences that have some words; names spelt like them where no concept has them."""
    words, limit, store = arguments["q"].split(), arguments["limit"], service.store
    concepts = list(store.search(words, limit))
    statements = store.search_evidence(words, limit)
    sentences = [evidence_record(CitedEvidence(item.claim, item.evidence)) for item in statements]
    similar = [] if concepts else list(store.similar(" ".join(words).lower()))
    return {"q": arguments["q"], "concepts": concepts, "similar": similar, "sentences": sentences}


def suggest_concepts(service: GraphService, arguments: Arguments) -> schema.SuggestionRecord:
    """Return the names of concepts that begin with some letters, then those that have a word like them; none for one letter."""
    typed, limit, store = arguments["q"].strip().lower(), arguments["limit"], service.store
    if len(typed) < _FEWEST_LETTERS:
        return {"q": arguments["q"], "concepts": []}
    names = dict.fromkeys(store.beginning_with(typed, limit))
    if len(names) < limit:
        names |= dict.fromkeys(store.search(typed.split(), limit))
    return {"q": arguments["q"], "concepts": list(names)[:limit]}


def extract_claims(service: GraphService, arguments: Arguments) -> schema.ExtractionRecord:
    """Return the claims of sentences, each as `kgqa extract --json` prints it."""
    rows = [(number, line) for number, line in enumerate(arguments["text"].splitlines(), 1) if line.strip()]
    mined = service.miner.mine([line for _, line in rows])
    return {
        "sentences": [
            {"id": number, "text": line, "claims": list(map(mined_claim_record, service.miner.judged_claims(claims, line)))}
            for (number, line), claims in zip(rows, mined, strict=True)
        ]
    }


def count_graph(service: GraphService, arguments: Arguments) -> Mapping[str, Any]:
    """Return counts and digest of the graph, as `kgqa stats --json` prints them."""
    return asdict(service.store.stats())


def report_health(service: GraphService, arguments: Arguments) -> schema.HealthRecord:
    """Return that the graph can be read, and which it is."""
    return {"status": "ok", "version": __version__, "digest": service.store.digest()}


def describe_api(service: GraphService, arguments: Arguments) -> Mapping[str, Any]:
    """Return the OpenAPI document of the server."""
    from kgqa.web.openapi import openapi_document

    return openapi_document()
