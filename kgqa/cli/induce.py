"""`kgqa rules induce`: new rules that a corpus suggests, from pairs that a graph believes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.errors import GraphError
from graph.mining.rules import load_rules
from graph.sources.article import Article
from graph.sources.streams import OnSkip
from graph.stores import open_store
from kgqa.cli.corpus import format_option, read_corpus
from kgqa.cli.inputs import STDIN, DamageCallback, InputFiles
from kgqa.cli.options import WholeNumber, graph_option, require_value, rules_option
from kgqa.cli.progress import Progress, SkipCounter
from kgqa.cli.terminal import count_text, say, shell_quote
from kgqa.cli.usage import WrongUse
from kgqa.settings import graph_url

if TYPE_CHECKING:
    from graph.mining.proposal import RuleProposal

PROPOSAL_HEADING = "estimate  right  wrong  like known  rule"


@click.command(epilog="Example: kgqa rules induce enwiki.xml.bz2 -g mine.kgqa --output proposed.toml")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@graph_option
@click.option(
    "--minimum", type=WholeNumber(1, 10_000), metavar="N", default=3, show_default=True, help="Known pairs that a rule must join."
)
@click.option("--estimate", type=click.FloatRange(0, 1), metavar="P", default=0.0, help="Only rules of this estimate and more.")
@click.option(
    "--limit", type=WholeNumber(1, 10_000), metavar="N", default=100, show_default=True, help="How many rules to propose at most."
)
@click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="What the sampled sentences depend on.")
@click.option(
    "--output", metavar="FILE.toml", callback=require_value, help="Where to write the rules; an existing file is replaced."
)
@format_option
@rules_option
@click.pass_context
def induce(
    context: click.Context,
    inputs: Sequence[str],
    graph: str | None,
    minimum: int,
    estimate: float,
    limit: int,
    seed: int,
    output: str | None,
    form: str,
    rules: str | None,
) -> None:
    """Propose rules: how sentences join pairs that a graph believes.

    INPUTs are texts as for kgqa mine; they are read twice. What the present rules find already is left out. The rules are
    proposals: read them, and what they find, before they are used with --rules.
    """
    if STDIN in inputs:
        raise WrongUse("the inputs are read twice, which stdin cannot be", "kgqa rules induce FILE", context)
    known_rules = load_rules(rules)
    reading, damage, skips = InputFiles(inputs), list[GraphError](), SkipCounter()
    with closing(open_store(graph_url(graph))) as store, Progress(f"reading {reading.name}", reading, over_output=True) as bar:
        from graph.mining.induce import induce_rules as induced
        from graph.mining.known import KnownPairs, believed_pairs
        from graph.mining.miner import Miner

        pairs = KnownPairs(believed_pairs(store.statements()))

        callbacks: Iterator[tuple[OnSkip, DamageCallback]] = iter([(skips, damage.append)])

        def texts() -> Iterator[str]:
            """Give the corpus from its beginning; what is wrong with it is told the first time only."""
            on_skip, on_damage = next(callbacks, (_ignore_damage, _ignore_damage))
            return (article.text for article in _corpus_articles(InputFiles(inputs), form, on_skip, on_damage))

        proposals = induced(texts, pairs, Miner(known_rules), minimum, seed, bar.show)
    skips.report()
    chosen = [proposal for proposal in proposals if proposal.estimate >= estimate][:limit]
    if output is not None and chosen:
        text = "\n".join(proposal.toml() for proposal in chosen)
        Path(output).write_text(text, encoding="utf-8", errors="replace")
    _print_proposals(reading.name, len(pairs), chosen, output)
    if damage:
        raise damage[0]


def _ignore_damage(what: object) -> None:
    """Say nothing of it."""


def _corpus_articles(reading: InputFiles, form: str, on_skip: OnSkip, on_damage: DamageCallback) -> Iterator[Article]:
    """Yield the articles of all inputs, of each as far as it can be read."""
    for stream in reading.streams(on_damage):
        yield from (item for item in read_corpus(stream, form, on_skip, on_damage) if isinstance(item, Article))


def _print_proposals(name: str, pairs: int, chosen: Sequence[RuleProposal], output: str | None) -> None:
    """Print the proposals for a person."""
    say(f"{name}: {count_text(len(chosen), 'rule')} proposed from {count_text(pairs, 'known pair')}")
    if chosen:
        print(PROPOSAL_HEADING)
    for proposal in chosen:
        draft = proposal.draft
        print(f"{proposal.estimate:8.2f}  {draft.right:5}  {draft.wrong:5}  {proposal.known:10.0%}  {draft.id}")
        text, claims = proposal.examples[0]
        say(f"{text} ({claims.replace(' -> ', ' → ')})", " " * 10, " " * 10)
    if output is not None and chosen:
        say(f"written to {output}; read them, then: kgqa rules test --rules {shell_quote(output)}")
