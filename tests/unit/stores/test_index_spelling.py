"""Names with a mistake, found through the words of an index."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest
from indexed import written

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.stores.sqlite.index import index_build as building
from graph.stores.sqlite.index import lifecycle as keeping

ONSETS, VOWELS, ENDS = (
    "b c d f g l m n p r s t st tr pl".split(),
    "a e i o u ea".split(),
    "n r s t ng ction ness ment sis".split(),
)


@pytest.fixture(scope="module")
def names() -> list[str]:
    """Names of one to four made-up words."""
    chance = random.Random(11)
    words = ["".join(chance.choice(part) for part in (ONSETS, VOWELS) * 2) + chance.choice(ENDS) for _ in range(400)]
    return sorted({" ".join(chance.sample(words, chance.choice((1, 2, 2, 3, 4)))) for _ in range(900)})


@pytest.fixture
def store(names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GraphStore:
    """A graph whose index has words, opened to be read."""
    monkeypatch.setattr(keeping, "FEWEST", 1)
    monkeypatch.setattr(building, "MANY_NAMES", 1)
    record = Evidence(Source("wikipedia", page_id="1"))
    statements = [
        Statement(Claim(name, "effect"), record) for name in [*names, "lung cancer", "Überschwemmung", "ice-cream sales"]
    ]
    return open_store(str(written(tmp_path / "graph.kgqa", statements)))


def slip(name: str, chance: random.Random) -> str:
    """Return a name with one letter left out, put in, changed, or swapped with the next one."""
    place = chance.randrange(1, len(name) - 1)
    before, here, after = name[:place], name[place], name[place + 1 :]
    letter = chance.choice("abcdefghijklmnoprstuvwyz")
    return chance.choice(
        (before + after, before + letter + here + after, before + letter + after, before + after[0] + here + after[1:])
    )


def test_slips_are_found_as_if_all_names_had_been_looked_at(store: GraphStore, names: list[str]) -> None:
    chance = random.Random(3)
    slips = [(name, slip(name, chance)) for name in chance.sample(names, 120)]
    with closing(store):
        found = [name in store.similar(wrong) for name, wrong in slips]
    assert sum(found) >= 0.95 * len(found)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("lungcancer", "lung cancer"),
        ("lung can cer", "lung cancer"),
        ("ulng cancer", "lung cancer"),
        ("kung cancer", "lung cancer"),
        ("ung cancer", "lung cancer"),
        ("slung cancer", "lung cancer"),
        ("lung cancer", "lung cancer"),
        ("Überschwemung", "Überschwemmung"),
        ("icecream sales", "ice-cream sales"),
    ],
)
def test_a_mistake_of_any_kind_is_put_right(store: GraphStore, wrong: str, right: str) -> None:
    with closing(store):
        assert store.similar(wrong, 1) == [right]


@pytest.mark.parametrize("nonsense", ["", " ", "  ", "xqzzy", "lung  cancer\0", "\udfff", "x " * 50, "x" * 20_000])
def test_nonsense_is_no_error(store: GraphStore, nonsense: str) -> None:
    with closing(store):
        assert set(store.similar(nonsense)) <= {"lung cancer"}
