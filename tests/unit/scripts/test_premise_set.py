"""Questions made of the claims of a graph, whose premise it denies, reverses, opposes or supports."""

from __future__ import annotations

import random
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "build"))

from build_premise_set import PremiseMaker, word_question

WORDINGS = Path(__file__).parents[3] / "scripts" / "build" / "premise_wordings.toml"


def statements(cause: str, effect: str, pages: str, stance: Stance = Stance.ASSERTED, **claim: object) -> Iterator[Statement]:
    for page in pages:
        source = Source("wikipedia", title=page, page_id=f"{cause} {effect} {page}")
        evidence = Evidence(source, stance, rule="test", text=f"{page} on {cause} and {effect}", start=0, end=9)
        yield Statement(Claim(cause, effect, **claim), evidence)  # type: ignore[arg-type]


@pytest.fixture
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(statements("smoking", "lung cancer", "abc"))
    store.add(statements("vaccine", "autism", "a", Stance.NEGATED))
    store.add(statements("vitamin c", "scurvy", "ab", relation=Relation.PREVENTS, polarity=Polarity.DECREASES))
    yield store
    store.close()


def test_each_kind_is_drawn_from_the_claims_that_are_of_it(store: GraphStore) -> None:
    maker, chance = PremiseMaker(store), random.Random(0)
    assert list(maker.denied(chance)) == [("vaccine", "autism", Relation.CAUSES)]
    assert list(maker.reversed(chance)) == [("lung cancer", "smoking", Relation.CAUSES)]
    opposed = {("smoking", "lung cancer", Relation.PREVENTS), ("vitamin c", "scurvy", Relation.CAUSES)}
    assert set(maker.opposed(chance)) == opposed
    assert {pair[:2] for pair in maker.supported(chance)} == {pair[:2] for pair in opposed}


def test_a_wording_is_in_the_number_of_its_nouns() -> None:
    causes = ("cause", "causes", "caused by")
    assert word_question(("vaccine", "autism", Relation.CAUSES), "How {does} {cause} {verb} {effect}?", causes) == (
        "How do vaccines cause autism?"
    )
    assert word_question(("smoking", "flood", Relation.CAUSES), "Why {is_effect} {effect} {verbed} {cause}?", causes) == (
        "Why are floods caused by smoking?"
    )


@pytest.mark.parametrize("table", ["wording", "apart"])
def test_every_wording_has_a_form_and_names_both_ends(table: str) -> None:
    for row in tomllib.loads(WORDINGS.read_text(encoding="utf-8"))[table]:
        assert row["form"] in ("why", "how", "clause", "if")
        assert all(field in row["text"] for field in ("{cause}", "{effect}"))
