from __future__ import annotations

import pytest

from kgqa.linking.lexical_relations import group_alike_names

SAME = [
    ("flood", "floods", "flooding"),
    ("death", "deaths"),
    ("heart attack", "myocardial infarction"),
    ("high blood pressure", "hypertension"),
    ("hearing loss", "loss of hearing"),
    ("increase in price", "price rise"),
    ("lack of sleep", "sleep deprivation"),
    ("car accident", "auto accident"),
    ("copd", "chronic obstructive pulmonary disease"),
    ("tiredness", "fatigue"),
]
DIFFERENT = [
    ("cancer", "lung cancer"),
    ("smoking", "smoke"),
    ("fish", "fishing"),
    ("smoking", "cigarette smoking"),
    ("cold", "heat"),
    ("hypertension", "hypotension"),
    ("increase", "decrease"),
    ("death", "birth"),
    ("blood pressure", "high blood pressure"),
    ("cause of death", "death"),
]


@pytest.mark.parametrize("names", SAME)
def test_names_that_say_the_same_are_shown_once(names: tuple[str, ...]) -> None:
    assert group_alike_names(names) == [list(names)]


@pytest.mark.parametrize("names", DIFFERENT)
def test_names_that_say_something_else_stay_apart(names: tuple[str, ...]) -> None:
    assert group_alike_names(names) == [[name] for name in names]


def test_the_order_of_first_names_is_kept_and_no_name_is_lost_or_doubled() -> None:
    assert group_alike_names(["stress", "floods", "flood", "stress", "", "flooding"]) == [
        ["stress"],
        ["floods", "flood", "flooding"],
        [""],
    ]
