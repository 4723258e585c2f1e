"""`kgqa evaluate`: score kgqa on a data set."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kgqa.cli.inputs import STDIN
from kgqa.cli.options import Count, asked_graph, not_empty
from kgqa.cli.progress import Progress, Skips, Tally
from kgqa.cli.terminal import note, number_of, printable, quoted, say
from kgqa.cli.usage import WrongUse
from kgqa.settings import graph_url

if TYPE_CHECKING:
    from graph.protocols import GraphStore
    from kgqa.evaluation.datasets import Dataset
    from kgqa.evaluation.item import Item
    from kgqa.evaluation.prediction import Prediction
    from kgqa.evaluation.respondents import Setting
    from kgqa.evaluation.run import Run
    from kgqa.evaluation.tables import Table


_OURS = "kgqa"


class Wanted(NamedTuple):
    """What was asked for on the command line."""

    data: tuple[str, ...]
    out: str
    limit: int | None
    seed: int
    reader: str
    graph: str | None
    train: tuple[str, ...]
    restart: bool
    setting: Setting
    held_out: bool


def _paths(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths of an option that may be repeated; raise `WrongUse` for an empty one."""
    for value in values:
        not_empty(context, parameter, value)
    return values


@click.command(epilog="Example: kgqa evaluate msmarco-causal --data msmarco/valid.json --out results")
@click.argument("name", metavar="NAME")
@click.option(
    "--data",
    "data",
    multiple=True,
    required=True,
    metavar="PATH",
    callback=_paths,
    help="A file of the data set (- is stdin); may be repeated.",
)
@click.option("--out", required=True, metavar="DIR", callback=not_empty, help="The folder to write to; made if missing.")
@click.option("--limit", type=Count(1), metavar="N", help="Ask only so many items, drawn by chance. Default: all.")
@click.option("--seed", type=Count(0), metavar="S", default=0, show_default=True, help="What the drawing depends on.")
@click.option(
    "--reader",
    metavar="NAME[:MODEL]",
    callback=not_empty,
    help="Who answers: the graph, or who reads the passages, such as extractive. Default: the latter where there are passages.",
)
@click.option("--corpus", metavar="PATH", callback=not_empty, help="A reader reads passages of this corpus, not the gold ones.")
@click.option("--closed-book", is_flag=True, help="No passage is read at all.")
@click.option(
    "--way",
    type=click.Choice(["both", "reader", "edits"]),
    default="both",
    show_default=True,
    help='What answers an "if": a reader, the edits of its passage, or both.',
)
@click.option(
    "--queries",
    type=click.Choice(["best", "whole", "main", "factual", "fused"]),
    default="best",
    show_default=True,
    help="How a corpus is searched: as in ask, or BM25 by the whole question, main clause, fact behind its if, or all three.",
)
@click.option("--passages", type=Count(1, 100), metavar="N", default=5, show_default=True, help="How many of a corpus are read.")
@click.option("--with-graph", is_flag=True, help="A reader is joined with the graph of the passage's claims, as in kgqa ask.")
@click.option("--held-out", is_flag=True, help="Keep to items that the reader was not trained on, as its reader.json says.")
@asked_graph
@click.option(
    "--train",
    multiple=True,
    metavar="PATH",
    callback=_paths,
    help="The training file of the set: scores are shown without the items that it gives away, too; may be repeated.",
)
@click.option("--restart", is_flag=True, help="Throw away the predictions in DIR and begin anew.")
@click.pass_context
def evaluate(
    context: click.Context,
    name: str,
    data: tuple[str, ...],
    out: str,
    limit: int | None,
    seed: int,
    reader: str | None,
    corpus: str | None,
    closed_book: bool,
    way: str,
    queries: str,
    passages: int,
    with_graph: bool,
    held_out: bool,
    graph: str | None,
    train: tuple[str, ...],
    restart: bool,
) -> None:
    """Score kgqa on a data set, beside plain baselines.

    NAME is ifqa, causalqa, msmarco-causal, semeval-pairs, squad2, drop, boolq, falseqa, crepe, iirc, refusal,
    extraction-semeval or extraction-news. Into DIR go predictions.jsonl, metrics.json and report.md. A run that was stopped
    goes on where it was when the same command is given again.

    A pair of semeval-pairs without a verdict is told by its plausibility, which 'kgqa ask' never says; the report has the
    verdicts alone beside it.
    """
    from kgqa.answering.passages import Way
    from kgqa.answering.retrieved import Query
    from kgqa.evaluation.datasets import DATASETS
    from kgqa.evaluation.extraction import EXTRACTIONS
    from kgqa.evaluation.respondents import GRAPH, Setting
    from kgqa.reading.readers import READERS

    names = [*DATASETS, *EXTRACTIONS]
    if name not in names:
        raise WrongUse(f"no data set '{name}'; there are: {', '.join(names)}", f"{context.command_path} --help", context)
    chosen = reader is not None
    reader = reader or (DATASETS[name].reader if name in DATASETS else GRAPH)
    readers = [GRAPH, *READERS]
    if not any(f"{reader}:".startswith(f"{one}:") for one in readers):
        command = f"{context.command_path} {name} --data {quoted(data[0])} --out {quoted(out)} --reader {GRAPH}"
        raise WrongUse(f"no reader '{reader}'; there are: {', '.join(readers)}", command, context)
    if corpus is not None and closed_book:
        raise WrongUse("--corpus and --closed-book do not go together", f"{context.command_path} --help", context)
    setting = Setting(reader, Way(way), corpus, closed_book, Query(queries), passages, with_graph)
    if reader == GRAPH and setting != Setting(closed=closed_book):
        fact = "--corpus, --way, --queries, --passages and --with-graph are for a reader of passages; the graph is asked here"
        command = f"{context.command_path} {name} --data {quoted(data[0])} --out {quoted(out)} --reader extractive"
        raise WrongUse(fact, command, context)
    alien = [option for option, value in (("--graph", graph), ("--train", train), ("--reader", chosen)) if value]
    if name in EXTRACTIONS and alien:
        fact = f"{alien[0]} does not go with {name}, which mines sentences and asks no graph"
        raise WrongUse(fact, f"{context.command_path} {name} --data {quoted(data[0])} --out {quoted(out)}", context)
    wanted = Wanted(data, out, limit, seed, reader, graph, train, restart, setting, held_out)
    tables = _extract(name, wanted) if name in EXTRACTIONS else _evaluate(DATASETS[name], wanted)
    _show(tables, out)


def _evaluate(dataset: Dataset, wanted: Wanted) -> Sequence[Table]:
    """Ask the questions of a data set, or those of them that were not asked yet, and score all answers."""
    from graph.stores import open_store
    from kgqa import __version__
    from kgqa.evaluation.datasets import read_set
    from kgqa.evaluation.item import digest_of
    from kgqa.evaluation.program import program_digest
    from kgqa.evaluation.report import Clock, Data, report
    from kgqa.evaluation.run import Run, Settings, sampled
    from kgqa.evaluation.scoring import make_sure

    began = time.perf_counter()
    make_sure(dataset)
    told: list[Skips] = []
    held = read_set(dataset, wanted.data, lambda file: _skips(file, told))
    skipped = _reported(told)
    train = read_set(dataset, wanted.train, lambda file: _skips(file, [])) if wanted.train else []
    if wanted.held_out:
        from kgqa.evaluation.heldout import held_out
        from kgqa.reading.weights import reader_folder

        held = held_out(dataset.name, held, reader_folder(wanted.reader.partition(":")[2] or None))
    items = sampled(held, wanted.limit, wanted.seed)
    with closing(open_store(graph_url(wanted.graph))) as store:
        asked = (dataset.name, digest_of(items), store.digest(), wanted.reader, wanted.seed, wanted.limit)
        settings = Settings(*asked, __version__, program_digest(), _way(wanted))
        run = Run(wanted.out, settings, restart=wanted.restart)
        predictions, seconds, cost = _answers(dataset, items, store, wanted.setting, run)
        read = wanted.setting.read if wanted.setting.corpus else None
        source = Data(tuple(map(_title, wanted.data)), len(held), skipped, _name_of(store.url), read)
    return report(run, dataset, items, predictions, train, source, Clock(seconds, time.perf_counter() - began, asked=cost))


def _way(wanted: Wanted) -> str:
    """Return how a reader is asked, in a few words that are the same wherever the corpus lies."""
    setting = wanted.setting
    if setting.reader == "graph":
        return "closed-book" if setting.closed else ""
    found = f"the {setting.read} best passages of {_title(setting.corpus)}, queries: {setting.queries}" if setting.corpus else ""
    passages = "closed-book" if setting.closed else found or "the passages of the set"
    parts = (passages, f"way: {setting.way}", "with the graph" if setting.joined else "", "held out" if wanted.held_out else "")
    return "; ".join(filter(None, parts))


def _answers(
    dataset: Dataset, items: Sequence[Item], store: GraphStore, setting: Setting, run: Run
) -> tuple[list[Prediction], list[float], Mapping[str, float | int | bool | None] | None]:
    """Return all predictions of a run, and the seconds and, with a server, the cost of those that were not there yet."""
    from kgqa.evaluation.asking import Asker
    from kgqa.evaluation.item import VERDICT
    from kgqa.evaluation.respondents import respondent

    predictions = run.done(items)
    if predictions:
        note(f"going on after {number_of(len(predictions), 'answer')} in '{run.folder}' (--restart begins anew)")
    count = Tally(len(items))
    seconds: list[float] = []
    try:
        who = respondent(setting, store, pairs=dataset.pairs)
        with Asker(dataset, items, store, who) as asker, Progress(f"evaluating {dataset.name}", count) as bar:
            for prediction, took in run.ask(items[len(predictions) :], asker, verdict=dataset.task == VERDICT):
                predictions.append(prediction)
                seconds.append(took)
                count.reached(len(predictions))
                bar.show(f"{len(predictions):,} of {number_of(len(items), 'question')}")
    except KeyboardInterrupt:
        note(f"{number_of(len(predictions), 'answer')} of {len(items):,} are kept; the same command goes on from there")
        raise
    if who.charged is not None:
        note(who.charged.cost_line())
    return predictions, seconds, who.charged.cost_record() if who.charged is not None else None


def _extract(name: str, wanted: Wanted) -> Sequence[Table]:
    """Mine the sentences of a data set, all in one go, and score the claims."""
    from kgqa import __version__
    from kgqa.evaluation.extraction import EXTRACTIONS, extraction
    from kgqa.evaluation.program import program_digest
    from kgqa.evaluation.report import Clock, Data, write_report
    from kgqa.evaluation.run import Run, Settings

    began = time.perf_counter()
    told: list[Skips] = []
    found = extraction(EXTRACTIONS[name], wanted.data, lambda file: _skips(file, told), wanted.limit, wanted.seed)
    settings = Settings(name, found.data, found.rules, "rules", wanted.seed, wanted.limit, __version__, program_digest())
    run = Run(wanted.out, settings, restart=wanted.restart)
    run.write_predictions(found.records)
    counts = {"items": len(found.records), "in_the_files": found.held, "answered": found.predicted}
    data = Data(tuple(map(_title, wanted.data)), found.held, _reported(told), "none: the rules that ship")
    write_report(run, found.tables, data, counts, Clock(found.seconds, time.perf_counter() - began, timed=False))
    return found.tables


def _skips(file: str, told: list[Skips]) -> Skips:
    """Return what counts the skipped rows of a file, and keep it in `told`."""
    told.append(Skips(_title(file)))
    return told[-1]


def _reported(told: Sequence[Skips]) -> dict[str, int]:
    """Say what was skipped in all files, and return how often for which reason."""
    reasons: Counter[str] = Counter()
    for skips in told:
        skips.report()
        reasons += skips.reasons
    return dict(sorted(reasons.items()))


def _title(path: str) -> str:
    """Return what a file is called in a report, which is to be the same wherever the file lies."""
    return "stdin" if path == STDIN else Path(path).name


def _name_of(url: str) -> str:
    """Return what a graph is called in a report: the name of its file, or its address without credentials."""
    return printable(url) if "://" in url else Path(url).name


def _show(tables: Sequence[Table], out: str) -> None:
    """Print what kgqa itself came to, in the first table, and where all the rest is."""
    from kgqa.evaluation.run import METRICS, PREDICTIONS, REPORT
    from kgqa.evaluation.tables import shown

    table = next((one for one in tables if any(name.startswith(_OURS) for name, _ in one.rows)), tables[0])
    say(f"{table.title}:")
    for name, cells in [row for row in table.rows if row[0].startswith(_OURS)][:1]:
        say(
            f"{name}: {'; '.join(f'{column} {shown(cell)}' for column, cell in zip(table.columns, cells, strict=True))}",
            "  ",
            "    ",
        )
    say(f"all tables, with the baselines: {Path(out) / REPORT}; beside it {PREDICTIONS} and {METRICS}")
