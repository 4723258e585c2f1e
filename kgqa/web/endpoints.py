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
FORMATS = {"json": "application/json", "jsonld": "application/ld+json", "svg": "image/svg+xml", "csv": "text/csv"}
"""The media types of the formats that records about claims can be had in."""
STANCES = {
    "undisputed": "no record denies it",
    "contested": "records on both sides",
    "denied": "records deny it, and none supports it",
    "hedged": "only with hedges",
}
"""How the records of a claim may stand to it, by the words of a filter."""


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
    choices: tuple[str, ...] = ()


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
    table: str = ""
    """the function that gives the claims of the record, where they can be had in the other formats"""
    has_script: bool = False
    """whether the script that completes names is on the page"""

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
_FORMAT = ParameterRule(
    "format", ParameterKind.TEXT, "what to reply with, whatever the header Accept says", choices=tuple(FORMATS)
)
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
_EXPLORE = (
    ParameterRule("at", ParameterKind.TEXTS, "a concept to expand; may be repeated"),
    ParameterRule("belief", ParameterKind.SHARE, "only claims of at least this belief"),
    ParameterRule("kind", ParameterKind.TEXT, "only claims of this kind", choices=("causes", "prevents", "linked")),
    ParameterRule("stance", ParameterKind.TEXT, "only claims whose records stand so to them", choices=tuple(STANCES)),
    _phrase("article", "only claims of articles with these words in their titles", required=False),
    _limit(12, 100),
)

ENDPOINTS: dict[str, Endpoint] = {
    "ask": Endpoint(
        *("/api/v1/ask", "graph_api:ask", "Answer a question: the object of `kgqa ask --json`."),
        *((*_ASK, _CYPHER, _FORMAT, _PASSAGE), "AnswerRecord", ("GET", "POST")),
        table="claim_tables:answer_table",
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
        *((_limit(10), ParameterRule("loops", ParameterKind.FLAG, "add feedback loops"), _FORMAT), "ConceptRecord"),
        table="claim_tables:concept_table",
    ),
    "claim": Endpoint(
        "/api/v1/claim/{hash}",
        "graph_api:show_claim",
        "Show a claim with every record on both sides.",
        (*_CLAIM, _FORMAT),
        "ClaimEvidenceRecord",
        table="claim_tables:claim_table",
    ),
    "path": Endpoint(
        *("/api/v1/path", "graph_api:show_chains", "Show how one concept leads to another."),
        *((_FROM, _TO, _LENGTH, _limit(5, 100), _VALID, _DO, _FORMAT), "ChainsRecord"),
        table="claim_tables:chains_table",
    ),
    "search": Endpoint(
        *("/api/v1/search", "graph_api:search_graph", "Find concepts and sentences by words."),
        *((_phrase("q", "words"), _limit(20, 100)), "SearchRecord"),
    ),
    "suggest": Endpoint(
        *("/api/v1/suggest", "graph_api:suggest_concepts", "Complete the beginning of the name of a concept."),
        *((_phrase("q", "the beginning of a name"), _limit(10, 50)), "SuggestionRecord"),
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
    "home page": Endpoint("/", "pages.graph_pages:home_page", "A box for a question, and what the graph holds.", has_script=True),
    "answer page": Endpoint("/ask", "pages.graph_pages:answer_page", "An answer.", _ASK),
    "concept page": Endpoint(
        "/concept/{name:text}",
        "pages.graph_pages:concept_page",
        "A concept.",
        (_phrase("name", "a name", required=False), _limit(20, 200)),
    ),
    "explore page": Endpoint(
        "/explore", "pages.explore_page:explore_page", "What is around concepts.", _EXPLORE, has_script=True
    ),
    "claim page": Endpoint("/claim/{hash}", "pages.graph_pages:claim_page", "A claim with its records.", _CLAIM),
    "chains page": Endpoint(
        *("/path", "pages.graph_pages:chains_page", "How one concept leads to another."),
        (
            *(_FROM._replace(required=False), _TO._replace(required=False)),
            *(_LENGTH, _limit(5, 20), _DO),
        ),
        has_script=True,
    ),
    "source page": Endpoint(
        "/source/{kind}/{id:text}", "pages.graph_pages:source_page", "What rests on a source.", (_limit(100, 500),)
    ),
    "passage page": Endpoint(
        *("/passage", "pages.graph_pages:passage_page", "A question to a text."),
        ((_QUESTION._replace(in_body="", required=False), _DO, _PASSAGE)),
        *("", ("GET", "POST")),
    ),
    "about page": Endpoint("/about", "pages.graph_pages:about_page", "The graph, its licences, and how often it is wrong."),
}
"""The endpoints by name. They take no other parameters than theirs, a page those that other sites add to links, too."""
