from __future__ import annotations

from time import perf_counter

from kgqa.linking.name_merging import NameMerge, doubtful_merges, merged_names


def test_the_name_of_most_records_is_the_node_and_a_noun_before_a_verb() -> None:
    merges = list(merged_names({"death": 90, "deaths": 5, "survive": 9, "survival": 2, "rain": 4}))
    assert merges == [NameMerge("deaths", "death", "form"), NameMerge("survive", "survival", "form")]


def test_an_abbreviation_with_one_meaning_is_merged() -> None:
    records = {
        "lvh": 9,
        "left ventricular hypertrophy": 3,
        "pm": 2,
        "prime minister": 4,
        "particulate matter": 3,
        "3tc": 5,
        "lamivudine": 9,
    }
    pairs = [("lvh", "left ventricular hypertrophy"), ("pm", "prime minister"), ("pm", "particulate matter")]
    assert list(merged_names(records, pairs)) == [
        NameMerge("lvh", "left ventricular hypertrophy", "abbreviation"),
        NameMerge("3tc", "lamivudine", "abbreviation"),
    ]


def test_what_may_be_misspelt_is_only_doubted() -> None:
    records = {"flod": 1, "flood": 80, "boeing": 2, "being": 50, "fire": 40, "fore": 1, "iran": 2, "rain": 60}
    assert list(merged_names(records)) == []
    assert NameMerge("flod", "flood", "typo") in list(doubtful_merges(records))
    assert all(merge.name != "iran" for merge in doubtful_merges(records))


def test_what_says_the_same_in_other_words_is_merged_by_the_table() -> None:
    records = {"myocardial infarction": 9, "heart attacks": 1, "risk of myocardial infarction": 1, "heart attack risk": 2}
    assert set(merged_names(records)) == {
        NameMerge("myocardial infarction", "heart attacks", "same thing"),
        NameMerge("risk of myocardial infarction", "heart attack risk", "same thing"),
    }


def test_two_names_of_a_thing_are_merged_where_its_canonical_name_is_not_in_the_graph() -> None:
    assert list(merged_names({"road accident": 2, "car crash": 1})) == [NameMerge("car crash", "road accident", "same thing")]


def test_names_that_share_no_key_are_merged_through_a_third() -> None:
    records = {"higher price": 5, "price increase": 3, "increase in prices": 2, "rising price": 1}
    assert {merge.canonical for merge in merged_names(records)} == {"higher price"}
    assert len(list(merged_names(records))) == 3


def test_names_of_equal_stems_are_doubted_where_no_class_of_names_merges_them() -> None:
    records = {"forest": 9, "forestry": 2, "time travel": 3, "travel time": 1, "rise in price": 2, "fall in price": 1}
    assert list(merged_names(records)) == []
    assert set(doubtful_merges(records)) == {
        NameMerge("forestry", "forest", "stems"),
        NameMerge("travel time", "time travel", "stems"),
    }


def test_the_names_of_a_large_graph_are_merged_in_seconds() -> None:
    words = ("heat", "loss", "price", "risk", "rain", "war", "light", "cell", "heart", "attack")
    names = {
        f"{first} {second} of {third} {number}": 1
        for first in words
        for second in words
        for third in words
        for number in range(20)
    }
    start = perf_counter()
    assert len(list(merged_names(names))) < len(names)
    assert perf_counter() - start < 30
