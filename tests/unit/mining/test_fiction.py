from __future__ import annotations

from pathlib import Path

import pytest

from graph.mining.articles import mine_chunk
from graph.mining.miner import Miner
from graph.mining.stance.fiction import is_fiction
from graph.model import Source, Stance
from graph.sources.article import Article
from graph.sources.plaintext import read_wikiextractor


def article(lead: str, heading: str, sentence: str) -> tuple[Article, int]:
    text = f"Title\n\n{lead}\n{heading}.\n{sentence}\n"
    start = text.index(f"\n{heading}.") + 1
    return Article(Source("wikipedia", "Title"), text, ((start, heading),)), text.index(sentence)


@pytest.mark.parametrize(
    ("lead", "heading", "fiction"),
    [
        ("The Long Way is a novel of 1932.", "Plot", True),
        ("The Long Way is a novel of 1932.", "Plot summary", True),
        ("Stardust is an opera.", "Act 2", True),
        ("Comet Man is a fictional character in comic books.", "First flight", True),
        ("Comet Man is a fictional character in comic books.", "Publication history", False),
        ("In Norse mythology, Hod is a blind god.", "Death of Baldr", True),
        ("In Norse mythology, Hod is a blind god.", "Worship", False),
        ("Tantalum is a metal. Its name is from Greek mythology.", "Uses", False),
        ("Smallpox was a disease.", "History", False),
        ("The Gunpowder Plot was a failed attempt.", "Background", False),
        ("Guy Fawkes was a soldier.", "Gunpowder Plot", False),
    ],
)
def test_stories_are_told_by_heading_or_lead(lead: str, heading: str, fiction: bool) -> None:
    assert is_fiction(*article(lead, heading, "The storm destroys the ship.")) is fiction


def test_what_a_plot_asserts_is_no_fact(tmp_path: Path) -> None:
    path = tmp_path / "wiki_00"
    text = "Tide\n\nTide is a film.\nPlot.\nThe storm caused a flood.\nProduction.\nA delay caused a dispute.\n"
    path.write_text(f'<doc id="1" url="" title="Tide">\n{text}</doc>\n', encoding="utf-8")
    (tide,) = read_wikiextractor(path, lambda skipped: None)
    mined = mine_chunk(Miner(), [tide])
    places = {(item.claim.effect, item.evidence.section, item.evidence.stance) for item in mined.statements}
    assert places == {("flood", "Plot", Stance.HYPOTHETICAL), ("dispute", "Production", Stance.ASSERTED)}
