"""`kgqa extract`: the claims of given sentences; nothing is stored."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated

import typer

from graph.sources.plaintext import Sentence, read_sentences
from kgqa.cli.options import Json
from kgqa.cli.terminal import note, say, say_json

if TYPE_CHECKING:
    from graph.mining.miner import MinedClaim

BATCH = 1_000


def extract(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help='Plain or {"id", "text"} lines (- is stdin).')] = "-",
    json: Json = False,
) -> None:
    """Print the claims of each sentence, in order; nothing is stored."""
    from graph.mining.miner import Miner

    miner = Miner()
    sentences = read_sentences(file, lambda skipped: note(f"{skipped.where}: {skipped.why}; skipped"))
    while batch := list(itertools.islice(sentences, BATCH)):
        for sentence, claims in zip(batch, miner.mine([one.text for one in batch]), strict=True):
            if json:
                say_json({"id": sentence.id, "text": sentence.text, "claims": [_record(claim) for claim in claims]})
            else:
                _show(sentence, claims)


def _record(found: MinedClaim) -> dict[str, object]:
    """Return a claim in the contract's shape; spans are characters of the sentence, end exclusive."""
    claim = found.claim
    return {
        "cause": claim.cause,
        "effect": claim.effect,
        "cause_span": list(found.cause_span),
        "effect_span": list(found.effect_span),
        "cue_span": list(found.cue_span),
        "relation": claim.relation,
        "polarity": claim.polarity,
        "strength": found.rule.strength,
        "stance": found.stance,
        "rule": found.rule.id,
    }


def _show(sentence: Sentence, claims: list[MinedClaim]) -> None:
    """Print a sentence and its claims for a person."""
    say(sentence.text)
    for found in claims:
        claim = found.claim
        direction = "" if claim.polarity == "none" else f", {claim.polarity}"
        say(f"{claim.cause} → {claim.effect}  ({claim.relation}{direction}; {found.stance}; {found.rule.id})", "  ", "    ")
    if not claims:
        say("no claim", "  ")
