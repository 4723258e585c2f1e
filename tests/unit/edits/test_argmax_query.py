"""Who is first after an edit, where a passage tells the values of all: shifted, scaled, set or taken away, then ranked."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_script import EditSolution
from kgqa.edits.edit_solver import solve_conditional
from kgqa.edits.fact_table import fact_rows, parse_passages
from kgqa.edits.order_queries import SUPERLATIVE_PATTERNS, SuperlativePattern, requested_order
from kgqa.readers.reader import Passage

BRIDGES = (
    "The {one} Bridge in {land}, opened in 1998, has a central span of {first} metres and is {whole} metres long in all. "
    "The {two} Bridge has a central span of {second} metres. The span of the {three} Bridge in {other} measures {third} metres."
)
WORLDS = [
    ("Akashi Kaikyo", "Japan", "1,991", "3,911", "Canakkale", "2,023", "Xihoumen", "China", "1,650"),
    ("Tarnholm", "Borduria", "412", "5,020", "Great Elster", "450", "Velmar", "Syldavia", "300"),
]
MEDALS = "At the Games in Rio, the United States won 46 gold medals, Great Britain 27, China 26 and Russia 19."
TOWERS = "Burj Khalifa rises to 828 metres. Merdeka 118 in Kuala Lumpur (679 m) and the Shanghai Tower (632 m) come after it."


def first(question: str, text: str) -> EditSolution | None:
    found = solve_conditional(question, [Passage(text)]).solutions
    return found[0] if found else None


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("If the central span of the {one} Bridge were 40 metres longer, which bridge would have the longest span?", "by number"),
        ("Which bridge would have the longest central span if that of the {one} Bridge were 5 metres longer?", "two"),
        ("If the central span of the {two} Bridge were 300 metres shorter, which bridge would have the longest span?", "one"),
        ("If the span of the {three} Bridge were doubled, which bridge would have the longest span?", "three"),
        ("If the span of the {three} Bridge were 1 metre longer, which bridge would have the second longest span?", "one"),
        ("Without the {two} Bridge, which bridge would have the longest central span?", "one"),
        ("If the {two} Bridge had never been built, which bridge would have the second longest central span?", "three"),
        ("If the central span of the {two} Bridge had been only 100 metres, which bridge would have the longest span?", "one"),
    ],
)
def test_all_values_of_a_kind_are_ranked_after_the_edit(world: tuple[str, ...], question: str, winner: str) -> None:
    names = dict(zip(("one", "land", "first", "whole", "two", "second", "three", "other", "third"), world, strict=True))
    if winner == "by number":
        passed = int(names["first"].replace(",", "")) + 40 > int(names["second"].replace(",", ""))
        winner = "one" if passed else "two"
    found = first(question.format(**names), BRIDGES.format(**names))
    assert found is not None
    assert found.candidate.text == f"{names[winner]} Bridge"
    assert found.rule == "compare"
    assert found.candidate.score > 0.6


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("If China had won 30 more gold medals, which country would have won the most gold medals?", MEDALS, "China"),
        ("If China had won 10 more gold medals, which country would have won the most gold medals?", MEDALS, "United States"),
        (
            "If Great Britain had won 2 fewer gold medals, which country would have won the second most gold medals?",
            MEDALS,
            "China",
        ),
        ("If the Shanghai Tower were 50 m taller, which building would be the second tallest?", TOWERS, "Shanghai Tower"),
        ("If Burj Khalifa were 600 ft shorter, which building would be the tallest?", TOWERS, "Merdeka 118"),
        (
            "If Holm had been 0.3 seconds slower, who would have been the fastest?",
            "Holm ran the 100 metres in 9.6 seconds. Varga finished in 9.8 seconds, and Petrov took 10.1 seconds.",
            "Varga",
        ),
        (
            "If the Baikal were 200 metres shallower, which lake would be the deepest?",
            "Lake Baikal has a depth of 1,642 metres. Lake Tanganyika lies in Africa. It is 1,470 metres deep.",
            "Lake Tanganyika",
        ),
        (
            "If the TGV were 40 km/h faster, which train would be the second fastest?",
            "The maglev Aurora reaches 431 km/h. The CR400 runs at 350 km/h, and the TGV has a top speed of 320 km/h.",
            "TGV",
        ),
    ],
)
def test_lists_brackets_pronouns_and_times_are_ranked(question: str, text: str, answer: str) -> None:
    found = first(question, text)
    assert found is not None
    assert found.candidate.text == answer


@pytest.mark.parametrize(
    "question",
    [
        "If China had won 20 more gold medals, which country would have won the most gold medals?",  # as many as another
        "If China had won 30 more gold medals, which country would have won the most silver and the fewest gold medals?",
        "If Russia had not taken part, which country would have won the most gold medals?",  # that changes nothing
        "If Kenya had won 30 more gold medals, which country would have won the most gold medals?",
        "If China had won 30 more gold medals, which country would not have won the most gold medals?",
        "If China were 30 metres longer, which country would be the longest?",
    ],
)
def test_what_the_values_do_not_decide_is_not_ranked(question: str) -> None:
    found = solve_conditional(question, [Passage(MEDALS)]).solutions
    assert "compare" not in [one.rule for one in found]


def test_the_trace_tells_the_edited_value_and_that_of_the_rival() -> None:
    found = first("If the Shanghai Tower were 60 m taller, which building would be the second tallest?", TOWERS)
    assert found is not None
    assert "consequence: Shanghai Tower 632 → 692, Burj Khalifa 828, Merdeka 118 679" in found.candidate.trace
    assert found.edits[0].operation == "shift by"


def test_a_value_without_its_noun_is_of_the_measure_before_it() -> None:
    rows = [row for row in fact_rows(parse_passages([Passage(MEDALS)])) if "medal" in row.attribute]
    assert [(row.subject.text, row.amount) for row in rows] == [
        ("United States", 46),
        ("Great Britain", 27),
        ("China", 26),
        ("Russia", 19),
    ]


@pytest.mark.parametrize("row", SUPERLATIVE_PATTERNS, ids=lambda row: row.example)
def test_the_example_of_each_order_is_read(row: SuperlativePattern) -> None:
    assert requested_order(row.example) == (row, 1)


def test_the_place_that_is_asked_for_is_read() -> None:
    for text, place in (
        ("the second-largest city", 2),
        ("the 3rd highest", 3),
        ("the longest", 1),
        ("the second most medals", 2),
    ):
        order = requested_order(f"which would be {text}")
        assert order is not None
        assert order[1] == place
