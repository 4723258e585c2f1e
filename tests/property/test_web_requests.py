"""Whatever a graph holds and whatever a client sends: pages stay whole and safe, and a request is read or is a problem."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_web_graph import check_safe, client_of

from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.stores import open_store
from kgqa.web.endpoints import ENDPOINTS
from kgqa.web.http_messages import WebProblem, WebRequest
from kgqa.web.pages.page_templates import claim_url, concept_url
from kgqa.web.request_parameters import read_arguments

MARKUP = st.sampled_from(
    ["<", ">", '"', "'", "&", "</title>", "<script>", "]]>", "-->", "javascript:", "{{", "}}", "{%", "\u202e", "\0"]
)
TEXTS = st.lists(st.one_of(MARKUP, st.text(max_size=5)), min_size=1, max_size=8).map("".join).filter(str.strip)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)
NAMES = st.sampled_from(sorted({rule.in_body or rule.name for endpoint in ENDPOINTS.values() for rule in endpoint.rules} | {"x"}))


@settings(max_examples=60)
@given(TEXTS, TEXTS, TEXTS, st.sampled_from(Stance))
@example(cause="0\n", effect="<", words="<", stance=Stance.ASSERTED)
def test_names_quotes_and_sources_stay_text(cause: str, effect: str, words: str, stance: Stance) -> None:
    source = Source(words, title=words, page_id=words, url=words, revision=words)
    context = (("population", words), ("judged", words))
    evidence = Evidence(source, stance, rule=words, text=words, section=words, start=0, end=9, context=context)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.kgqa"
        with open_store(path, create=True) as store:
            store.add([Statement(Claim(cause, effect), evidence)])
        client = client_of(path)
        for address in (concept_url(cause), claim_url(Claim(cause, effect)), "/about", "/"):
            reply = client.get(address, follow_redirects=True)
            assert reply.status_code in (200, 404), (address, reply.text)
            check_safe(reply.text)


@given(st.sampled_from(sorted(ENDPOINTS)), st.dictionaries(NAMES, VALUES, max_size=4), st.booleans())
def test_a_request_is_read_or_is_a_problem(name: str, values: dict[str, object], in_body: bool) -> None:
    if in_body:
        request = WebRequest(name, body=json.dumps(values).encode("utf-8", "surrogatepass"), media_type="application/json")
    else:
        request = WebRequest(name, query=tuple((key, str(value)) for key, value in values.items()))
    problem = None
    try:
        arguments = read_arguments(ENDPOINTS[name], request)
    except WebProblem as error:
        problem = error
    assert problem or {rule.name for rule in ENDPOINTS[name].rules} <= set(arguments)
    assert problem is None or (400 <= problem.status < 500 and str(problem))
