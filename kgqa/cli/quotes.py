"""`kgqa quotes`: the sentences behind a graph that keeps their places only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from graph.errors import GraphError
from graph.model import Statement
from graph.protocols import GraphStore
from graph.quotes.quote_file import Quote, QuoteFile, QuoteFit, QuotesUnusable
from graph.quotes.sentence_search import PlaceIndex
from graph.sources.article import Article
from graph.stores import open_store
from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import InputFiles, format_option
from kgqa.cli.commands import CommandEntry, LazyGroup
from kgqa.cli.output.progress import Progress, SkipCounter
from kgqa.cli.output.terminal import count_text, say, say_json
from kgqa.settings import graph_url, quotes_path, starter_graph, variable_name

BATCH = 2_000
"""How many sentences are stored at a time."""

quotes = LazyGroup(
    "quotes",
    table={"add": CommandEntry("quotes:add", "Put the sentences of a dump to the places of a graph.")},
    help="""Add the sentences behind a graph that keeps only their places.

    Such a graph is the starter graph: it holds facts and where they stand, not the words of others.
    """,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="Example: kgqa quotes add enwiki.xml.bz2",
)


@cli.command("kgqa quotes add enwiki.xml.bz2")
def add(
    inputs: Sequence[str] = cli.argument("inputs", "DUMP...", nargs=-1, required=True),
    graph: str | None = cli.option(
        "-g --graph", "URL", f"The graph whose places get sentences. Default: {variable_name('graph')}, else the starter graph."
    ),
    form: str = format_option,
    json: bool = cli.json_option,
) -> None:
    """Put the sentences of a dump to the places of a graph.

    DUMP is what kgqa mine reads: WikiExtractor files, MediaWiki XML dumps or JSON lines, also compressed. A place whose sentence
    is another one in the dump, which has another revision, stays without. The sentences are stored in the graph; those of the
    starter graph in a file of the user's cache, which ask and show read. To run this twice changes nothing.
    """
    reading, skips = InputFiles(inputs), SkipCounter()
    damage: list[GraphError] = []
    url = graph_url(graph)
    with ExitStack() as opened:
        is_starter = Path(url).absolute() == Path(starter_graph())
        store = opened.enter_context(closing(open_store(url, write=not is_starter)))
        quote_file = _user_quotes() if is_starter else None
        waiting, before, placeless = _waiting_statements(store, quote_file)
        places = PlaceIndex(waiting)
        bar = opened.enter_context(Progress(f"reading {Path(reading.name).name}", reading))
        article_count = new = 0

        def sentences() -> Iterator[tuple[Statement, str]]:
            nonlocal article_count
            for item in reading.articles(form, skips, damage.append) if waiting else ():
                if isinstance(item, Article):
                    article_count += 1
                    yield from places.sentences_in(item)
                    bar.show(f"{count_text(article_count, 'article')}, {count_text(new, 'sentence')}")

        pairs = sentences()
        while batch := list(islice(pairs, BATCH)):
            _store_sentences(batch, store if quote_file is None else quote_file)
            new += len(batch)
    skips.report()
    counts = {"new": new, "before": before, "changed": places.changed, "absent": places.absent, "without_place": placeless}
    place = url if quote_file is None else str(quote_file.path)
    if json:
        say_json({"inputs": list(reading.paths), "graph": url, "articles": article_count, "quotes": counts, "stored": place})
    else:
        say(f"{reading.name}: {count_text(article_count, 'article')} read")
        say(f"new in {place}: {count_text(new, 'sentence')}; {before:,} were there before")
        say(
            f"without a sentence: {places.changed:,} whose article does not have it so, "
            f"{places.absent:,} whose article is not here, {placeless:,} without a place",
            hanging="  ",
        )
    if damage:
        raise damage[-1]


def _user_quotes() -> QuoteFile:
    path = quotes_path()
    if path is None:
        raise QuotesUnusable("quotes.sqlite", "neither XDG_CACHE_HOME nor HOME names a folder for it")
    return QuoteFile(path)


def _waiting_statements(store: GraphStore, quote_file: QuoteFile | None) -> tuple[list[Statement], int, int]:
    """Return the statements of a graph that wait for their sentence, and how many have it, or have no place."""
    waiting: dict[str, Statement] = {}
    before = placeless = 0
    for statement in store.statements():
        record = statement.evidence
        if record.lacks_text:
            waiting[record.hash(statement.claim)] = statement
        elif record.text is None:
            placeless += 1
        else:
            before += 1
    for key, quote in quote_file.read(waiting).items() if quote_file is not None else ():
        if quote.fit is QuoteFit.SAME:
            del waiting[key]
            before += 1
    return list(waiting.values()), before, placeless


def _store_sentences(sentences: Iterable[tuple[Statement, str]], target: GraphStore | QuoteFile) -> None:
    if isinstance(target, QuoteFile):
        target.write({statement.evidence.hash(statement.claim): Quote(QuoteFit.SAME, text) for statement, text in sentences})
    else:
        # The sketch stood for the words.
        target.add(
            replace(statement, evidence=replace(statement.evidence, text=text, sketch="")) for statement, text in sentences
        )
