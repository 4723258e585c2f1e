"""Tables of keys and values that are searched as they are stored."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graph.text.lookup_table import LookupTable

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
