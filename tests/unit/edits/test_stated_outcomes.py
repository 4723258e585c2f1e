"""What a passage itself says of an "if": stated outcomes, the row of an alternative, and who gave way to another."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_solver import solve_conditional
from kgqa.readers.reader import Passage

SALE = (
    "Two dealers from Lyon took a dislike to each other. Had only one of them come, the desk would have gone for the reserve of "
    "500 francs. The roof would have been mended in January had the builder not fallen ill. A new bridge will be opened if "
    "parliament grants the money; otherwise the old one will be strengthened. Mrs. Ferrand took the chair because Mr. Doyle had "
    "been delayed by fog. The chair asked what would follow if the county withdrew the bus. The head answered that ninety pupils "
    "would have to walk."
)
PRICES = "A seat in second class costs 40 pesos and in first class 90. Adults start on 10 mg; those with kidney disease on 5 mg."


@pytest.mark.parametrize(
    ("passage", "question", "answer", "rule"),
    [
        (SALE, "How much would the desk have fetched if only one of the dealers had come?", "500 francs", "stated outcome"),
        (
            SALE,
            "What would have happened if the builder had not fallen ill?",
            "The roof would have been mended in January",
            "stated outcome",
        ),
        (
            SALE,
            "What will happen if parliament does not grant the money?",
            "the old one will be strengthened",
            "stated outcome",
        ),
        (SALE, "What would happen if the county withdrew the bus?", "ninety pupils would have to walk", "stated outcome"),
        (SALE, "Who would have been in the chair if there had been no fog?", "Mr. Doyle", "displaced person"),
        (PRICES, "How much would he have paid if he had chosen second class?", "40 pesos", "alternative row"),
    ],
)
def test_a_what_if_is_answered_by_what_the_passage_says_of_it(passage: str, question: str, answer: str, rule: str) -> None:
    solutions, _ = solve_conditional(question, [Passage(passage)])
    assert (answer, rule) in [(solution.candidate.text, solution.rule) for solution in solutions]


def test_an_outcome_of_another_condition_is_not_taken() -> None:
    solutions, _ = solve_conditional("What would have happened if the ship had sunk?", [Passage(SALE)])
    assert not [solution for solution in solutions if solution.rule == "stated outcome"]
