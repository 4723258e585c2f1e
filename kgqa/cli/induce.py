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
from kgqa.cli.corpus import corpus_format, read_corpus
from kgqa.cli.inputs import STDIN, Inputs, OnDamage
from kgqa.cli.options import Count, asked_graph, not_empty, rules_file
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import number_of, quoted, say
from kgqa.cli.usage import WrongUse
from kgqa.settings import graph_url

if TYPE_CHECKING:
    from graph.mining.proposal import Proposal

HEADING = "estimate  right  wrong  like known  rule"


@click.command(epilog="Example: kgqa rules induce enwiki.xml.bz2 -g mine.kgqa --output proposed.toml")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@asked_graph
@click.option(
    "--minimum", type=Count(1, 10_000), metavar="N", default=3, show_default=True, help="Known pairs that a rule must join."
)
@click.option("--estimate", type=click.FloatRange(0, 1), metavar="P", default=0.0, help="Only rules of this estimate and more.")
@click.option(
    "--limit", type=Count(1, 10_000), metavar="N", default=100, show_default=True, help="How many rules to propose at most."
)
@click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="What the sampled sentences depend on.")
@click.option("--output", metavar="FILE.toml", callback=not_empty, help="Where to write the rules; an existing file is replaced.")
@corpus_format
@rules_file
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
    reading, damage, skips = Inputs(inputs), list[GraphError](), Skips()
    with closing(open_store(graph_url(graph))) as store, Progress(f"reading {reading.name}", reading, over_output=True) as bar:
        from graph.mining.induce import induce as induced
        from graph.mining.known import KnownPairs, believed_pairs
        from graph.mining.miner import Miner

        pairs = KnownPairs(believed_pairs(store.statements()))

        told: Iterator[tuple[OnSkip, OnDamage]] = iter([(skips, damage.append)])

        def texts() -> Iterator[str]:
            """Give the corpus from its beginning; what is wrong with it is told the first time only."""
            on_skip, on_damage = next(told, (_ignore, _ignore))
            return (article.text for article in _articles(Inputs(inputs), form, on_skip, on_damage))

        found = induced(texts, pairs, Miner(known_rules), minimum, seed, bar.show)
    skips.report()
    chosen = [one for one in found if one.estimate >= estimate][:limit]
    if output is not None and chosen:
        text = "\n".join(one.toml() for one in chosen)
        Path(output).write_text(text, encoding="utf-8", errors="replace")
    _report(reading.name, len(pairs), chosen, output)
    if damage:
        raise damage[0]


def _ignore(what: object) -> None:
    """Say nothing of it."""


def _articles(reading: Inputs, form: str, on_skip: OnSkip, on_damage: OnDamage) -> Iterator[Article]:
    """Yield the articles of all inputs, of each as far as it can be read."""
    for stream in reading.streams(on_damage):
        yield from (item for item in read_corpus(stream, form, on_skip, on_damage) if isinstance(item, Article))


def _report(name: str, pairs: int, chosen: Sequence[Proposal], output: str | None) -> None:
    """Print the proposals for a person."""
    say(f"{name}: {number_of(len(chosen), 'rule')} proposed from {number_of(pairs, 'known pair')}")
    if chosen:
        print(HEADING)
    for one in chosen:
        draft = one.draft
        print(f"{one.estimate:8.2f}  {draft.right:5}  {draft.wrong:5}  {one.known:10.0%}  {draft.id}")
        text, claims = one.examples[0]
        say(f"{text} ({claims.replace(' -> ', ' → ')})", " " * 10, " " * 10)
    if output is not None and chosen:
        say(f"written to {output}; read them, then: kgqa rules test --rules {quoted(output)}")
