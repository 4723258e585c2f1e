"""Rules, and the splitter of sentences, in lines that make an expression with two ways to match a run try them all."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from graph.mining.prefilter import Prefilter
from graph.mining.rules.rule_tables import builtin_rules, linear_expression
from graph.text.segmentation import sentence_spans

pytestmark = pytest.mark.slow

LENGTH = 20_000
FILLS = (".", ". ", "-", "a-", "a.", "a ", " ", "_", "'", "a, ", "—", "\t")
SECONDS = 5


class TooSlow(AssertionError):
    """A text took longer than any text of its length may."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("fill", FILLS)
def test_no_rule_backtracks_in_a_run_of_marks(fill: str) -> None:
    for rule in builtin_rules():
        prefilter, cue = Prefilter([rule]), min(rule.cue)
        # The first words of an expression, which lead to its gap, stand in the sentences that it must match.
        starts = {cue, *(f"{match.text.lower().rpartition(' ')[0]} " for match in rule.matches)}
        for start in starts:
            with at_most(SECONDS):
                prefilter.rules_for(start + " " + fill * (LENGTH // len(fill)) + " 12")
                prefilter.needed_for(start + fill * (LENGTH // len(fill)))


@pytest.mark.parametrize("fill", ["", ".", " a", "-"])
def test_no_rule_backtracks_where_its_cue_is_repeated(fill: str) -> None:
    for rule in builtin_rules():
        for cue in rule.cue:
            with at_most(SECONDS):
                Prefilter([rule]).rules_for(f"{cue}{fill} " * (LENGTH // (len(cue) + len(fill) + 1)))


@pytest.mark.parametrize("fill", [*FILLS, "!", "?!", '."', ".) "])
def test_sentences_are_split_in_time_that_grows_with_the_text(fill: str) -> None:
    with at_most(SECONDS):
        list(sentence_spans("Leading causes " + fill * (10 * LENGTH // len(fill)) + " a"))


@pytest.mark.parametrize(
    ("text", "sentence", "matches"),
    [
        (r"left\W+(?:\S+\W+){1,2}?dead", "left two dead", True),
        (r"left\W+(?:\S+\W+){1,2}?dead", "left dead", False),
        (r"left\W+(?:\S+\W+){1,2}?dead", "left some of them dead", False),
        (r"left\W+(?:\S+\W+){1,2}?dead", "left mother-in-law dead", True),
        (r"left\W+(?:\S+\W+){1,2}?dead", "left all (un-)dead", True),
        (r"forced\W+(?!(?:to|by)\b)(?:\S+\W+){1,7}?to", "forced to him to", False),
        (r"forced\W+(?!(?:to|by)\b)(?:\S+\W+){1,7}?to", "forced, in the U.S., them to", True),
    ],
)
def test_a_gap_means_what_it_says(text: str, sentence: str, matches: bool) -> None:
    assert bool(re.search(linear_expression(text), sentence)) is bool(re.search(text, sentence)) is matches
