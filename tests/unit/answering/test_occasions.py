"""A clause that says when something is so is not left out of why it is so."""

from __future__ import annotations

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.pipeline import Pipeline


def answer_with(*causes: str) -> str:
    with open_store("memory:", write=True) as store:
        store.add(
            Statement(Claim(cause, "bursting of pipes"), Evidence(Source("text", page_id=cause), start=0, end=1))
            for cause in causes
        )
        return Pipeline(store, evidence=None).answer("Why do pipes burst when water freezes?").sentence


def test_causes_that_have_nothing_to_do_with_when_it_is_so_come_with_a_caveat() -> None:
    assert answer_with("corrosion").startswith("The sources say nothing of 'when water freezes' in particular")


def test_causes_that_have_to_do_with_when_it_is_so_are_one() -> None:
    assert "freezing of water" in answer_with("freezing of water", "corrosion").lower()
