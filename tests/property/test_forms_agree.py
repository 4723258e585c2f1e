"""One claim, one answer: yes/no, how, why, list, "if" and a setting by hand see the same claims of the starter graph."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from graph.model import Edge, Relation
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.topology import is_lessening
from kgqa.answer_model import Answer, Verdict
from kgqa.interventions.graph_settings import parse_settings
from kgqa.pipeline import Pipeline
from kgqa.settings import starter_graph

CLAIMS, LONGEST_LIST = 100, 1_000
PLAIN = re.compile(r"[a-z]{3,}( [a-z]{3,}){0,2}")
CUES = re.compile(r"\b(?:and|or|if|not|more|less|lack|increase|decrease|loss|of|in|by|for|with|from|to|cause|change)\b|ed\b")


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    with open_store(starter_graph()) as store:
        yield store


def drawn(store: GraphStore, *, denied: bool) -> list[Edge]:
    """Return claims of plain names, stated plainly by two sources and more, or only denied, in the order of a fixed seed.

    Of what is said to make both more and less of its effect, none is drawn.
    """
    lessening = {(edge.cause, edge.effect) for edge in store.edges() if is_lessening((edge.claim.relation, edge.claim.polarity))}
    causing = (
        edge for edge in store.edges() if edge.claim.relation is Relation.CAUSES and (edge.cause, edge.effect) not in lessening
    )
    edges = sorted(causing, key=lambda edge: edge.claim.hash)
    counts = ((edge, edge.against if denied else edge.support, edge.support if denied else edge.against) for edge in edges)
    wanted = [
        edge
        for edge, number, contrary in counts
        if number > (not denied) and not contrary and not edge.hedged
        if not any(CUES.search(name) or not PLAIN.fullmatch(name) for name in (edge.cause, edge.effect))
    ]
    random.Random(3).shuffle(wanted)
    return wanted[:CLAIMS]


def ask(store: GraphStore, question: str, do: str = "", limit: int = 5) -> Answer:
    return Pipeline(store, limit, settings=parse_settings([do] if do else [])).answer(question)


def test_all_forms_of_a_question_see_a_believed_claim(store: GraphStore) -> None:
    disagreeing: list[tuple[object, ...]] = []
    for edge in drawn(store, denied=False):
        cause, effect = edge.cause, edge.effect
        whether = ask(store, f"Does {cause} cause {effect}?").verdict
        for form in (f"How does {cause} cause {effect}?", f"Why does {cause} cause {effect}?"):
            answer = ask(store, form)
            # What no sentence states is neither a yes nor a ground for how.
            if (answer.answer is not None) is not (whether is Verdict.YES):
                disagreeing.append((form, answer.sentence))
        listed = ask(store, f"What causes {effect}?", limit=LONGEST_LIST).findings
        if all(cause not in (finding.text, *finding.path.concepts, *finding.merged) for finding in listed):
            disagreeing.append(("list", cause, effect))
        supposed = ask(store, f"If there were no {cause}, what would happen to {effect}?")
        if supposed.answer not in ("less likely", "no known cause left"):
            disagreeing.append(("if", cause, effect, supposed.sentence))
        changed = ask(store, f"What causes {effect}?", f"{cause}=absent").change
        if changed is None or cause not in {route.concepts[0] for route in changed.removed}:
            disagreeing.append(("do", cause, effect))
    assert disagreeing == []


def test_all_forms_of_a_question_see_a_denied_claim(store: GraphStore) -> None:
    disagreeing: list[tuple[object, ...]] = []
    for edge in drawn(store, denied=True):
        cause, effect = edge.cause, edge.effect
        whether = ask(store, f"Does {cause} cause {effect}?").verdict
        if whether is not Verdict.NO:
            continue
        for form in (f"How does {cause} cause {effect}?", f"Why does {cause} cause {effect}?"):
            answer = ask(store, form)
            if answer.verdict is not Verdict.NO:
                disagreeing.append((form, answer.sentence))
        listed = ask(store, f"What causes {effect}?", limit=LONGEST_LIST).findings
        named = {finding.path.edges[0].claim for finding in listed}
        if edge.claim in named:
            disagreeing.append(("list", cause, effect))
        supposed = ask(store, f"If there were no {cause}, what would happen to {effect}?")
        if any(edge.claim in {step.claim for step in finding.path.edges} for finding in supposed.findings):
            disagreeing.append(("if", cause, effect))
    assert disagreeing == []
