"""Whether rules find what their examples say: each rule by itself, on its own sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graph.mining.miner import Miner
from graph.mining.rules import Rule

ClaimPairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ExampleFailure:
    """A sentence in which a rule does not find what its example says; claims are (cause, effect).

    `parsed` is false where the words of the rule already keep the sentence from being parsed.
    """

    rule: Rule
    text: str
    expected: ClaimPairs
    actual: ClaimPairs
    parsed: bool


def example_failures(rules: Iterable[Rule]) -> Iterator[ExampleFailure]:
    """Yield the examples and counterexamples that come out otherwise than their rule says, in order."""
    for rule in rules:
        miner = Miner([rule])
        cases = [*((item.text, item.claims) for item in rule.matches), *((text, frozenset()) for text in rule.no_matches)]
        for (text, expected), claims in zip(cases, miner.mine([text for text, _ in cases]), strict=True):
            actual = frozenset((item.claim.cause, item.claim.effect) for item in claims)
            if actual != expected:
                yield ExampleFailure(rule, text, expected, actual, miner.has_cue(text))
