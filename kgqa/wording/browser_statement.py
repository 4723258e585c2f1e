"""An answer as statements: of Cypher, that draws its paths in Neo4j Browser, and of SPARQL, over a copy of the graph."""

from __future__ import annotations

import re

from graph.model import Claim
from graph.rdf.rdf_vocabulary import NAMESPACES
from graph.stores.neo4j.cypher_files import cypher_query
from kgqa.answer_model import Answer

_PARAMETER = "$claims"
_UNSAFE = re.compile(r"[^\w ?!,.'-]+")
"""What may not stand in the comment: a backslash or a line break could end it, a semicolon ends a statement in Browser."""
_TITLE = 120
_SPARQL = """\
SELECT ?cause ?relation ?effect ?belief (COUNT(?record) AS ?records) (GROUP_CONCAT(DISTINCT ?title; separator=" | ") AS ?titles)
WHERE {
  VALUES ?claim {
$claims
  }
  ?claim kgqa:cause/skos:prefLabel ?cause ; kgqa:relation ?relation ; kgqa:effect/skos:prefLabel ?effect ; kgqa:belief ?belief .
  OPTIONAL { ?claim kgqa:evidence ?record . OPTIONAL { ?record prov:wasDerivedFrom/schema:name ?title } }
}
GROUP BY ?claim ?cause ?relation ?effect ?belief
ORDER BY DESC(?belief) ?cause ?effect
"""


def redraw_statement(answer: Answer) -> str | None:
    """Return a Cypher statement that returns the edges an answer rests on, and their ends; `None` where it rests on none.

    It carries hashes of claims and no name, so there is nothing in it that could be read as Cypher. The edges are those on the
    paths of the findings or, where there are none (a contested answer), those that the evidence is about.
    """
    claims = claims_of_answer(answer)
    if not claims:
        return None
    hashes = [f"'{claim.hash}'" for claim in claims]
    rows = [", ".join(hashes[at : at + 2]) for at in range(0, len(hashes), 2)]
    query = "\n".join(line for line in cypher_query("browser/redraw").splitlines() if not line.startswith("//"))
    claim_list = "[\n  " + ",\n  ".join(rows) + "\n]"
    return f"// {_comment(answer)}\n{query.replace(_PARAMETER, claim_list)}"


def sparql_statement(answer: Answer) -> str | None:
    """Return a query of SPARQL for the claims that an answer rests on, with their titles; `None` where it rests on none.

    Like the statement of Cypher it carries hashes of claims and no name.
    """
    claims = claims_of_answer(answer)
    if not claims:
        return None
    prefixes = "\n".join(f"PREFIX {prefix}: <{NAMESPACES[prefix]}>" for prefix in ("kgqa", "claim", "prov", "schema", "skos"))
    values = "\n".join(f"    claim:{claim.hash}" for claim in claims)
    return f"# {_comment(answer)}\n{prefixes}\n{_SPARQL.replace(_PARAMETER, values)}"


def _comment(answer: Answer) -> str:
    return " ".join(_UNSAFE.sub(" ", answer.question).split())[:_TITLE]


def claims_of_answer(answer: Answer) -> tuple[Claim, ...]:
    """Return the claims that an answer rests on, each once, in the order of the answer."""
    claims = dict.fromkeys(edge.claim for finding in answer.findings for edge in finding.path.edges)
    return tuple(claims or dict.fromkeys(citation.claim for citation in (*answer.evidence, *answer.against)))
