from __future__ import annotations

import pytest

from kgqa.linking.name_merging import NameMerge, doubtful_merges, merge_key, merged_names


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("deaths", "death"),
        ("shortage of food", "food shortage"),
        ("failure of the crops", "crop failure"),
        ("archduke's assassination", "assassination of the archduke"),
        ("survive", "survival"),
        ("surviving", "survival"),
        ("treating", "treatment"),
        ("brain tumour", "brain tumors"),
        ("urbanisation", "urbanization"),
        ("small pox", "smallpox"),
        ("heavy rains", "heavy rain"),
    ],
)
def test_names_of_one_thing_share_a_key(first: str, second: str) -> None:
    assert merge_key(first) == merge_key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("increase in price", "decrease in price"),
        ("lack of sleep", "sleep"),
        ("world war i", "world war ii"),
        ("stability", "instability"),
        ("smoke", "smoking"),
        ("cause of death", "cause"),
        ("house of cards in wind", "wind in house of cards"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("radiant", "radiation"),
        ("germ", "germination"),
    ],
)
def test_names_of_two_things_do_not(first: str, second: str) -> None:
    assert merge_key(first) != merge_key(second)


def test_the_name_of_most_records_is_the_node_and_a_noun_before_a_verb() -> None:
    merges = list(merged_names({"death": 90, "deaths": 5, "survive": 9, "survival": 2, "rain": 4}))
    assert merges == [NameMerge("deaths", "death", "form"), NameMerge("survive", "survival", "form")]


def test_an_abbreviation_with_one_meaning_is_merged() -> None:
    records = {
        "hpv": 9,
        "human papillomavirus": 3,
        "pm": 2,
        "prime minister": 4,
        "particulate matter": 3,
        "co2": 5,
        "carbon dioxide": 9,
    }
    pairs = [("hpv", "human papillomavirus"), ("pm", "prime minister"), ("pm", "particulate matter")]
    assert list(merged_names(records, pairs)) == [
        NameMerge("hpv", "human papillomavirus", "abbreviation"),
        NameMerge("co2", "carbon dioxide", "abbreviation"),
    ]


def test_what_may_be_misspelt_is_only_doubted() -> None:
    records = {"flod": 1, "flood": 80, "boeing": 2, "being": 50, "fire": 40, "fore": 1, "iran": 2, "rain": 60}
    assert list(merged_names(records)) == []
    assert NameMerge("flod", "flood", "typo") in list(doubtful_merges(records))
    assert all(merge.name != "iran" for merge in doubtful_merges(records))
