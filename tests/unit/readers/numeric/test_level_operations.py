"""Changes in percent, ways to a level, prices of groups, new rates, schedules and what recurs."""

from __future__ import annotations

import pytest

from kgqa.readers.numeric.amount_question import parse_amount_question
from kgqa.readers.numeric.amount_table import amount_table
from kgqa.readers.numeric.derivations import derive_amount

CLUB = (
    "The treasurer said that the club had 240 members at the end of the year, against 200 at the start. Subscriptions are "
    "£30 for adults and £18 for juniors. The hire of the pool cost £2,640 and will rise by £220 next year. The fee of a "
    "locker was raised from £25 to £30; there are 48 lockers. The appeal stood at £41,500 at Easter; the builders will not "
    "start before £60,000 has been collected."
)
TRAVEL = (
    "The ferry to Inish leaves at 9.15 and arrives at 10.40. The helicopter takes an hour and ten minutes. The Bell Race "
    "was first rowed in 1923 and has been held every third year since, except that the race of 1941 was cancelled. The "
    "meadows were mown every year from 1950 to 1985. Unemployment fell from 12 per cent to 9 per cent."
)
TABLETS = "Take two capsules twice a day for five days, then one capsule a day for ten days. Keep out of the reach of children."


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (CLUB, "By what percentage did the number of members grow?", "20%"),
        (CLUB, "What do two adults and a junior pay in subscriptions?", "£78"),
        (CLUB, "How much will the hire of the pool cost next year?", "£2,860"),
        (CLUB, "How much more will the club receive for its 48 lockers after the rise?", "£240"),
        (CLUB, "How much more money must be collected before the builders start?", "£18,500"),
        (TRAVEL, "How much longer does the ferry take than the helicopter?", "15 minutes"),
        (TRAVEL, "How many times had the Bell Race been held by 1950?", "9"),
        (TRAVEL, "How many times were the meadows mown?", "36"),
        (TRAVEL, "By how many percentage points did unemployment fall?", "3"),
        (TABLETS, "How many capsules does the patient take in all?", "30"),
        (CLUB, "By what percentage did the herd of goats grow?", None),
        (CLUB, "By what percentage did the number of members fall?", None),
        (TRAVEL, "How many times had the ferry been held by 1950?", None),
    ],
)
def test_levels_rates_and_schedules_are_computed_from_the_rows_that_the_question_names(
    text: str, question: str, answer: str | None
) -> None:
    parsed = parse_amount_question(question)
    derived = derive_amount(parsed, amount_table(text)) if parsed is not None else None
    assert (derived.text if derived is not None else None) == answer
