"""Bars for the miner on real data, and the starter graph against a mining run of today."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "build"))

from build_starter_graph import is_good_enough, with_names
from read_claims import checked_statements, is_read, read_labels, read_places, read_statements

from graph.mining.articles import mine_articles
from graph.mining.miner import Miner
from graph.model import Claim, Evidence, Statement
from graph.sources.article import Article
from graph.sources.plaintext import read_wikiextractor
from graph.stores import open_store
from graph.text.segmentation import sentence_spans
from kgqa.evaluation.extraction.semeval_relations import predicted_directions, read_files
from kgqa.settings import starter_graph

ARTICLES = 120


@pytest.fixture(scope="module")
def articles(shared_data: Path) -> list[Article]:
    path = shared_data / "wikipedia" / "enwiki-2015-30k.wikiextractor.txt.bz2"
    return list(itertools.islice(read_wikiextractor(path, lambda skipped: None), ARTICLES))


def test_directed_cause_effect_on_semeval_keeps_its_precision_and_recall(shared_data: Path) -> None:
    path = shared_data / "extraction" / "semeval2010_task8_train.txt"
    items = read_files([str(path)], lambda file: lambda skipped: None)
    claims = Miner().mine([item.text for item in items])
    answers = [predicted_directions(item, found) for item, found in zip(items, claims, strict=True)]
    right = sum(item.gold in answer for item, answer in zip(items, answers, strict=True) if item.gold)
    assert len(items) == 8_000
    assert right / sum(len(answer) for answer in answers) >= 0.9
    assert right / sum(item.gold is not None for item in items) >= 0.65


def test_the_starter_graph_is_what_reading_and_mining_its_articles_gives(articles: list[Article]) -> None:
    """All but a few in a hundred: the int8 products of the judge differ between processors, and so does what is near a bound."""
    pages = {article.source.page_id for article in articles}
    mined = open_store("memory:", write=True)
    mine_articles(articles, mined, "slice", workers=2)
    starter = open_store(starter_graph())
    names = {alias.name: alias.concept for alias in starter.aliases()}
    labels = read_labels()
    known = read_places(labels)

    def records(statements: Iterable[Statement]) -> set[tuple[Claim, int | None, str, str]]:
        places = ((with_names(one.claim, names), one.evidence) for one in statements)
        return {
            (claim, evidence.start, evidence.rule, evidence.source.page_id)
            for claim, evidence in places
            if claim.cause != claim.effect and evidence.source.page_id in pages
        }

    read = records(read_statements(labels, articles))
    proposed = list(checked_statements(mined.statements()))
    everything = records(proposed)
    best = records(one for one in proposed if not is_read(one.evidence, known) and is_good_enough(one, {}))
    shipped = records(one for one in starter.statements() if one.evidence.source.kind == "wikipedia")
    assert len(read) > 20
    assert len(best) > 50
    assert read <= shipped
    assert len(best & shipped) >= 0.97 * len(best)
    assert len(shipped & (everything | read)) >= 0.97 * len(shipped)
    mined.close()
    starter.close()


def test_offsets_cut_the_very_sentence_out_of_the_article(articles: list[Article]) -> None:
    texts = {article.source.page_id: article.text for article in articles}
    mined = open_store("memory:", write=True)
    mine_articles(articles[:20], mined, "slice")
    evidence: list[Evidence] = [statement.evidence for statement in mined.statements()]
    assert evidence
    for one in evidence:
        assert texts[one.source.page_id][one.start : one.end] == one.text
    mined.close()


def test_the_prefilter_loses_few_claims(articles: list[Article]) -> None:
    """The figure itself is scripts/bench/bench_mining.py's; so few sentences only show that nothing is broken."""
    sentences = [article.text[start:end] for article in articles[:40] for start, end in sentence_spans(article.text)][:3_000]
    found = [
        {(place, one.claim) for place, claims in enumerate(miner.mine(sentences)) for one in claims}
        for miner in (Miner(), Miner(prefilter=False))
    ]
    assert len(found[1]) > 50
    assert len(found[0] & found[1]) / len(found[1]) >= 0.97
