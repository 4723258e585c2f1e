"""The clauses of hundreds of claims of the starter graph, checked for slips of grammar by rules of their own."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise

import pytest
from lemminflect import getAllLemmas

from graph.model import Edge
from graph.stores import open_store
from kgqa.settings import starter_graph
from kgqa.wording.claim_clauses import (
    as_sentence,
    claim_clause,
    claim_verb,
    concept_phrase,
    join_phrases,
    modal_clause,
)

SAMPLE = 9_000
VERBS = re.compile(
    r" (causes?|leads? to|contributes? to|(?:is|are) (?:a risk factor|risk factors|linked|for)|enables?|prevents?|treats?"
    r"|spreads?|motivates?|increases?|reduces?)\b"
)
SINGULAR_LOOKING = frozenset("news physics mathematics politics economics series species diabetes rabies".split())


@pytest.fixture(scope="module")
def edges() -> list[Edge]:
    with closing(open_store(starter_graph())) as store:
        everything = list(store.edges())
    strong = sorted(everything, key=lambda edge: -edge.support)[:500]
    return [*strong, *random.Random(6).sample(everything, SAMPLE)]


def clauses(edges: list[Edge]) -> Iterator[tuple[Edge, str]]:
    for edge in edges:
        for text in (
            claim_clause(edge),
            modal_clause(edge),
            modal_clause(edge, "may"),
            as_sentence(f"yes: {claim_clause(edge)}"),
        ):
            yield edge, text


def test_no_clause_has_a_doubled_word_or_a_stray_space(edges: list[Edge]) -> None:
    slips = []
    for edge, text in clauses(edges):
        words = text.lower().split()
        own = f"{edge.cause} {edge.effect} may".split()
        doubled = [word for word, following in pairwise(words) if word == following and own.count(word) < 2]
        if doubled or text != " ".join(text.split()) or re.search(r" [,.;:]|\b(?:a|an|the) (?:a|an|the)\b", text):
            slips.append(text)
    assert slips == []


def test_an_article_goes_with_the_sound_behind_it(edges: list[Edge]) -> None:
    wrong = re.compile(
        r"\ban (?:[bcdgjkpqtvwyz]|uni[^nm]|eu|one\b)|\ba (?:[aio]|e(?!u|we)|u(?!ni|s|t|r|b|k|gand))", re.IGNORECASE
    )
    slips = []
    for edge in edges:
        for name in (edge.cause, edge.effect):
            text = concept_phrase(name)
            if not text.lower().startswith(name[:2]) and wrong.match(text) and not text.split()[1].isupper():
                slips.append(text)
    assert slips == []


def test_a_verb_agrees_with_its_subject(edges: list[Edge]) -> None:
    slips, judged = [], 0
    for edge in edges:
        text = claim_clause(edge)
        said = claim_verb(edge)
        subject = text.partition(f" {said} ")[0]
        if said.startswith("may ") or not text.startswith(subject + " "):
            continue
        many = is_plural(subject, edge.cause)
        if many is None:
            continue
        judged += 1
        first = said.split()[0]
        singular = first == "is" or (first != "are" and first.endswith("s"))
        if singular is many:
            slips.append(text)
    assert judged > 500
    assert slips == []


def is_plural(subject: str, name: str) -> bool | None:
    """Whether a subject is surely plural, or surely singular; `None` where its form does not tell."""
    if subject.startswith(("a ", "an ")):
        return False
    words = re.split(
        r" (?:of|in|on|at|by|for|from|to|with|without|against|among|between|during|after|before|over|under|into)\b", subject
    )
    head = words[0].split()[-1].lower()
    alone = len(words[0].split()) == 1
    if not alone or not head.isalpha() or head in SINGULAR_LOOKING or head == name.split()[0]:
        return None
    lemmas = getAllLemmas(head).get("NOUN", ())
    return head not in lemmas if len(lemmas) == 1 else None


def test_a_subject_that_a_verb_stands_behind_is_said_once(edges: list[Edge]) -> None:
    for edge in edges:
        assert VERBS.search(f" {claim_verb(edge)} ".replace("may ", "").replace(" be ", " is ")), claim_verb(edge)
        assert not re.search(r"\b(causes|effects) of (causes|effects)\b", claim_clause(edge)) or "of" in edge.cause + edge.effect


def test_lists_of_real_names_end_in_and(edges: list[Edge]) -> None:
    names = [concept_phrase(edge.cause) for edge in edges[:40]]
    for size in range(2, 6):
        assert join_phrases(names[:size]).count(" and ") >= 1
        assert "  " not in join_phrases(names[:size])


def test_every_name_keeps_its_words(edges: list[Edge]) -> None:
    for edge in edges:
        for name in (edge.cause, edge.effect):
            first = next(iter(re.findall(r"[^\W_]", name)), "")
            assert name.startswith("to ") or first.lower() in concept_phrase(name).lower(), (name, concept_phrase(name))
