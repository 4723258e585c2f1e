"""The endpoints of the server in one table: their addresses, parameters and records, and where the function of each is.

The server routes by it, requests are read by it, and the OpenAPI document is made of it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from kgqa.settings import MOST_FINDINGS

MOST_CHARACTERS = 2_000
"""The longest text of a parameter; questions have a limit of their own."""
MOST_PASSAGE_CHARACTERS = 200_000
MOST_SETTINGS = 16


class ParameterKind(StrEnum):
    """What a parameter takes, by the name of JSON Schema."""

    TEXT = "string"
    WHOLE = "integer"
    SHARE = "number"
    """0 to 1"""
    FLAG = "boolean"
    TEXTS = "array"


class ParameterRule(NamedTuple):
    """A parameter: its name in an address, its kind, what it means, bounds, and its name in a body where that is another."""

    name: str
    kind: ParameterKind
    text: str
    default: int | None = None
    low: int = 1
    most: int = MOST_CHARACTERS
    required: bool = False
    in_body: str = ""
    only_body: bool = False


class Endpoint(NamedTuple):
    """An endpoint: its address, its methods, its function as "module:function", what it replies and what for."""

    path: str
    function: str
    line: str
    rules: tuple[ParameterRule, ...] = ()
    record: str = ""
    methods: tuple[str, ...] = ("GET",)
    file_name: str = ""
    """the name under which a browser saves the reply, where it does not show it"""

    @property
    def is_page(self) -> bool:
        """Whether it replies with a page, and not with a record."""
        return not self.record


def _limit(default: int, most: int = MOST_FINDINGS) -> ParameterRule:
    return ParameterRule("limit", ParameterKind.WHOLE, "how many at most", default=default, most=most)


def _phrase(name: str, text: str, *, required: bool = True, in_body: str = "") -> ParameterRule:
    return ParameterRule(name, ParameterKind.TEXT, text, required=required, in_body=in_body)


_QUESTION = _phrase("q", "the question, in English", in_body="question")
_DO = ParameterRule("do", ParameterKind.TEXTS, "a setting of the world: `X=absent`, `X=present`, `X->Y=0.8`; may be repeated")
_RISK = ParameterRule("risk", ParameterKind.SHARE, "answer only where the expected error is at most this")
_PASSAGE = ParameterRule("passage", ParameterKind.TEXT, "a text to answer from", most=MOST_PASSAGE_CHARACTERS, only_body=True)
_TEXT = ParameterRule("text", ParameterKind.TEXT, "sentences, one a line", most=20_000, required=True, only_body=True)
_CYPHER = ParameterRule("cypher", ParameterKind.FLAG, "add the statement that draws the answer in Neo4j Browser")
_ASK = (_QUESTION, _DO, _limit(5), _RISK)
_CLAIM = (
    _phrase("cause", "the cause of the claim, which spares a search for its hash", required=False),
    _phrase("effect", "its effect", required=False),
    _phrase("relation", "its relation", required=False),
    _phrase("polarity", "its polarity", required=False),
)
_LENGTH = ParameterRule("max_length", ParameterKind.WHOLE, "how many steps at most", default=4, most=6)
_FROM, _TO = _phrase("from", "the first cause"), _phrase("to", "the last effect")
_VALID = ParameterRule("valid", ParameterKind.FLAG, "only chains that are likely to be valid")

ENDPOINTS: dict[str, Endpoint] = {
    "ask": Endpoint(
        *("/api/v1/ask", "graph_api:ask", "Answer a question: the object of `kgqa ask --json`."),
        *((*_ASK, _CYPHER, _PASSAGE), "AnswerRecord", ("GET", "POST")),
    ),
    "receipt": Endpoint(
        *("/api/v1/receipt", "graph_api:make_receipt", "Answer a question with its receipt, for `kgqa replay`."),
        *((*_ASK, _CYPHER, _PASSAGE), "ReceiptRecord", ("GET", "POST")),
        file_name="receipt.json",
    ),
    "type": Endpoint(
        "/api/v1/type", "graph_api:classify_question", "Say how a question is understood.", (_QUESTION,), "QuestionTypeRecord"
    ),
    "concept": Endpoint(
        *("/api/v1/concept/{name:text}", "graph_api:show_concept", "Show a concept, its causes and its effects."),
        *((_limit(10), ParameterRule("loops", ParameterKind.FLAG, "add feedback loops")), "ConceptRecord"),
    ),
    "claim": Endpoint(
        "/api/v1/claim/{hash}",
        "graph_api:show_claim",
        "Show a claim with every record on both sides.",
        _CLAIM,
        "ClaimEvidenceRecord",
    ),
    "path": Endpoint(
        *("/api/v1/path", "graph_api:show_chains", "Show how one concept leads to another."),
        *((_FROM, _TO, _LENGTH, _limit(5, 100), _VALID, _DO), "ChainsRecord"),
    ),
    "search": Endpoint(
        *("/api/v1/search", "graph_api:search_graph", "Find concepts and sentences by words."),
        *((_phrase("q", "words"), _limit(20, 100)), "SearchRecord"),
    ),
    "extract": Endpoint(
        *("/api/v1/extract", "graph_api:extract_claims", "Find the claims of sentences; nothing is stored."),
        *((_TEXT,), "ExtractionRecord", ("POST",)),
    ),
    "stats": Endpoint("/api/v1/stats", "graph_api:count_graph", "Count what the graph holds.", (), "StatsRecord"),
    "healthz": Endpoint("/healthz", "graph_api:report_health", "Say whether the server can answer.", (), "HealthRecord"),
    "batch": Endpoint(
        "/api/v1/batch",
        "graph_api:answer_line",
        'Answer lines of `{"id", "question", "passage"?}`.',
        (),
        "AnswerRecord",
        ("POST",),
    ),
    "openapi": Endpoint("/openapi.json", "graph_api:describe_api", "This description.", (), "object"),
    "home page": Endpoint("/", "graph_pages:home_page", "A box for a question, and what the graph holds."),
    "answer page": Endpoint("/ask", "graph_pages:answer_page", "An answer.", _ASK),
    "concept page": Endpoint(
        "/concept/{name:text}",
        "graph_pages:concept_page",
        "A concept.",
        (_phrase("name", "a name", required=False), _limit(20, 200)),
    ),
    "claim page": Endpoint("/claim/{hash}", "graph_pages:claim_page", "A claim with its records.", _CLAIM),
    "chains page": Endpoint(
        *("/path", "graph_pages:chains_page", "How one concept leads to another."),
        (
            *(_FROM._replace(required=False), _TO._replace(required=False)),
            *(_LENGTH, _limit(5, 20), _DO),
        ),
    ),
    "source page": Endpoint(
        "/source/{kind}/{id:text}", "graph_pages:source_page", "What rests on a source.", (_limit(100, 500),)
    ),
    "passage page": Endpoint(
        *("/passage", "graph_pages:passage_page", "A question to a text."),
        ((_QUESTION._replace(in_body="", required=False), _DO, _PASSAGE)),
        *("", ("GET", "POST")),
    ),
    "about page": Endpoint("/about", "graph_pages:about_page", "The graph, its licences, and how often it is wrong."),
}
"""The endpoints by name. Those of `/api` take no other parameters than theirs; a page ignores what it does not know."""
