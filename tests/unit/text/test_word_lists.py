import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text import word_lists as module
from graph.text.word_lists import LookupTable, kind_of_noun, word_list, word_list_names

LISTS = tomllib.loads(Path(module.__file__).with_name("word_lists.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_list_read_by_itself_is_the_one_of_the_table(name: str) -> None:
    assert word_list(name) == frozenset(LISTS[name].split())


def test_a_list_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        word_list("no such list")
    assert word_list_names() == frozenset(LISTS) | {f"@{kind}" for kind in module.nouns_by_kind()}


def test_a_noun_searched_for_has_the_kind_that_a_built_table_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [noun for kind in ("act", "animal", "event", "time") for noun in sorted(word_list(f"@{kind}"))[:5]]
    asked = [*some, "act", "ac", "", "a b", "zyzzx", "fire\n", "café"]
    found = []
    for often in (0, 1_000_000):
        monkeypatch.setattr(module, "_OFTEN", often)
        module._kind_in_table.cache_clear()
        found.append([kind_of_noun(noun) for noun in asked])
    assert found[0] == found[1]
    assert all(kind_of_noun(noun) == "animal" for noun in sorted(word_list("@animal"))[:5] if noun in ("aardvark", "abalone"))


WORDS = st.text("abcz-", min_size=1, max_size=4)


@given(st.dictionaries(WORDS, st.text("xyz|", max_size=5)), st.lists(WORDS), st.booleans())
def test_a_table_has_the_values_of_its_keys(values: dict[str, str], others: list[str], often: bool) -> None:
    table = LookupTable("".join(f"{key}\t{values[key]}\n" for key in sorted(values)).encode())
    if often:
        for _ in range(500):
            table.get("a")
    assert [table.get(key) for key in (*values, *others)] == [values.get(key, "") for key in (*values, *others)]


def test_a_key_of_other_letters_has_no_line() -> None:
    assert LookupTable(b"cafe\tplace\n").get("café") == ""
