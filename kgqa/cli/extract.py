"""`kgqa extract`: the claims of given sentences; nothing is stored."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

from graph.errors import FormatUnknown, GraphError
from graph.mining.rules.rule_tables import load_rules
from graph.sources.input_stream import open_input
from graph.sources.plaintext import InputSentence, read_sentences
from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import STDIN, read_until_damaged
from kgqa.cli.output.progress import Progress, SkipCounter, note_unjudged
from kgqa.cli.output.terminal import note, say, say_json
from kgqa.record import mined_claim_record

if TYPE_CHECKING:
    from graph.mining.miner import MinedClaim

BATCH = 1_000


@cli.command('echo "Smoking causes lung cancer." | kgqa extract')
def extract(
    file: str = cli.argument("file", "[FILE]", default=STDIN),
    rules: str | None = cli.rules_option,
    judge: str = cli.judge_option,
    json: bool = cli.json_option,
) -> None:
    """Print the claims of sentences; nothing is stored.

    FILE holds a sentence a line, or a JSON object {"id", "text"} a line; without it, or as -, they are read from stdin.
    """
    damage: list[GraphError] = []
    skips = SkipCounter()
    known, claim_judge = load_rules(rules), cli.open_claim_judge(judge)
    unjudged = 0
    if file == STDIN and sys.stdin and sys.stdin.isatty():
        note("reading sentences from the keyboard, one a line; Ctrl-D ends them")
    with open_input(file) as stream, Progress("extracting", stream, over_output=True) as bar:
        from graph.mining.miner import Miner

        miner, seen = Miner(known, judge=claim_judge), 0
        sentences = read_until_damaged(read_sentences(stream, skips), damage.append)
        while batch := list(itertools.islice(sentences, BATCH)):
            for sentence, proposed in zip(batch, miner.mine([entry.text for entry in batch]), strict=True):
                claims = miner.judged_claims(proposed, sentence.text)
                unjudged += miner.unjudged(claims)
                if json:
                    say_json({"id": sentence.id, "text": sentence.text, "claims": list(map(mined_claim_record, claims))})
                else:
                    _print_sentence(sentence, claims)
            seen += len(batch)
            bar.show(f"{seen:,} sentences")
    skips.report()
    note_unjudged(unjudged)
    if damage:
        raise damage[0]
    if skips.count and not seen:
        raise FormatUnknown(stream.name, 'sentences, or JSON lines with a "text"')


def _print_sentence(sentence: InputSentence, claims: list[MinedClaim]) -> None:
    say(sentence.text)
    for mined_claim in claims:
        claim = mined_claim.claim
        direction = "" if claim.polarity == "none" else f", {claim.polarity}"
        context = "".join(f"; {slot}: {words}" for slot, words in mined_claim.context)
        judged = f"; judged: {mined_claim.judgement.right:.2f}" if mined_claim.judgement else ""
        remarks = f"{claim.relation}{direction}; {mined_claim.stance}{context}; {mined_claim.rule.id}{judged}"
        say(f"{claim.cause} → {claim.effect}  ({remarks})", "  ", "    ")
    if not claims:
        say("no claim", "  ")
