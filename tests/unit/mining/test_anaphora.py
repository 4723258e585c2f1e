from __future__ import annotations

import pytest

from graph.mining.articles import mine_chunk
from graph.mining.miner import Miner
from graph.model import Source
from graph.sources.article import Article


def mined(text: str) -> list[tuple[str, str, tuple[tuple[str, str], ...], str | None]]:
    (chunk,) = [mine_chunk(Miner(), [Article(Source("text", "Page", "1"), text)])]
    return [(one.claim.cause, one.claim.effect, one.evidence.context, one.evidence.text) for one in chunk.statements]


def test_this_is_the_main_clause_of_the_sentence_before() -> None:
    text = "After a storm, the dam broke. This led to a flood."
    assert mined(text) == [("breaking of dam", "flood", (("anaphor", "This"),), text)]


def test_it_is_the_subject_of_the_sentence_before() -> None:
    text = "Aconitine is a strong toxin. It causes paralysis."
    assert [(cause, effect) for cause, effect, _, _ in mined(text)] == [("aconitine", "paralysis")]


@pytest.mark.parametrize(
    "text",
    [
        "This led to a flood.",
        "The dam broke.\n\nThis led to a flood.",
        "He left. This led to a flood.",
        "The dam did not break. This led to a flood.",
        "Smith was a farmer. It caused a flood.",
        "Storms and waves are common. It caused a flood.",
        "The dam broke because of rain, and that led to nothing. He said this led to a flood.",
    ],
)
def test_what_points_at_nothing_that_can_be_named_gives_no_claim(text: str) -> None:
    assert not any(effect == "flood" and context for _, effect, context, _ in mined(text))
    assert not any(cause in ("this", "it", "he") for cause, _, _, _ in mined(text))


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("The attack led to a famine.", False),
        ("These earthquakes cause floods.", False),
        ("Its economy led to a famine.", False),
        ("This strong wind causes floods.", False),
        ("The attack on the city led to a famine.", True),
        ("The sun causes sunburn.", True),
        ("The damage caused by storms is great.", True),
        ("Our diet causes disease.", True),
    ],
)
def test_only_a_graph_within_a_text_has_claims_with_ends_that_the_text_before_explains(sentence: str, kept: bool) -> None:
    (claim,) = next(iter(Miner().mine([sentence])))
    assert claim.points_back is not kept
    assert bool(mined(sentence)) is kept
    assert mine_chunk(Miner(), [Article(Source("text", "Page", "1"), sentence)], within_text=True).statements
