"""What a trial of scripts/campaign takes for broken."""

from __future__ import annotations

import random
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "campaign"))

from trials import Ended, NotHeld, damaged, end, mannerly, records, start


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        (Ended(1, "", "Traceback (most recent call last):\n  File\nKeyError: 'x'"), "KeyError"),
        (Ended(1, "", "kgqa: internal error, a bug: KeyError: 'x'"), "internal error"),
        (Ended(3, "", "kgqa: no"), "exit code 3"),
        (Ended(-signal.SIGSEGV, "", ""), "exit code -11"),
        (Ended(1, "", " \n"), "without a word"),
        (Ended(0, "rain\x1b[2J", ""), "control characters"),
        (Ended(0, "rain\u202e", ""), "control characters"),
    ],
)
def test_bad_manners_do_not_hold(ended: Ended, told: str) -> None:
    with pytest.raises(NotHeld, match=told):
        mannerly(ended)


def test_an_answer_and_an_error_in_words_hold() -> None:
    for ended in (Ended(0, "rain causes floods\n", ""), Ended(1, "", "kgqa: 'x' is not there\n"), Ended(2, "", "Usage: kgqa")):
        assert mannerly(ended) == ended


def test_a_process_that_was_ended_by_the_system_holds_only_where_it_may_be() -> None:
    assert mannerly(Ended(-signal.SIGKILL, "", ""), killed=True)
    with pytest.raises(NotHeld):
        mannerly(Ended(-signal.SIGKILL, "", ""))


def test_what_is_no_json_does_not_hold() -> None:
    assert records(Ended(0, '{"a": 1, "elapsed_ms": 2}\n', "")) == [{"a": 1}]
    with pytest.raises(NotHeld, match="no JSON"):
        records(Ended(0, "{", ""))


def test_a_command_that_does_not_end_does_not_hold() -> None:
    with pytest.raises(NotHeld, match="no end within"):
        end(start("extract", "-"), within_s=0.01)


def test_damage_is_drawn_from_the_seed_and_changes_most_files() -> None:
    whole = bytes(range(256)) * 40
    drawn = [damaged(random.Random(seed), whole) for seed in range(50)]
    assert drawn == [damaged(random.Random(seed), whole) for seed in range(50)]
    assert sum(data != whole for data in drawn) > 40
