"""`kgqa evaluate`: score kgqa on a data set."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import STDIN
from kgqa.cli.output.progress import SkipCounter, WorkProgress
from kgqa.cli.output.terminal import count_text, note, printable_text, say, shell_quote

if TYPE_CHECKING:
    from graph.protocols import GraphStore
    from kgqa.evaluation.answer_systems import SystemSettings
    from kgqa.evaluation.dataset_item import DatasetItem
    from kgqa.evaluation.datasets import Dataset
    from kgqa.evaluation.evaluation_run import EvaluationRun
    from kgqa.evaluation.prediction import Prediction
    from kgqa.evaluation.score_table import ScoreTable


_OURS = "kgqa"


class EvaluationOptions(NamedTuple):
    """The options of the command line; `setting` is how the reader works, and who reads."""

    data: tuple[str, ...]
    out: str
    limit: int | None
    seed: int
    graph: str | None
    train: tuple[str, ...]
    restart: bool
    setting: SystemSettings
    held_out: bool
    judge: str


def _dataset_names() -> list[str]:
    from kgqa.evaluation.datasets import DATASETS
    from kgqa.evaluation.extraction import EXTRACTIONS

    return [*DATASETS, *EXTRACTIONS]


def _system_names() -> list[str]:
    from kgqa.evaluation.answer_systems import GRAPH

    return [GRAPH, *cli.reader_names()]


@cli.command("kgqa evaluate msmarco-causal --data msmarco/valid.json --out results")
def evaluate(
    context: click.Context,
    name: str = cli.argument("name", "NAME", shell_complete=cli.complete_names(_dataset_names)),
    data: tuple[str, ...] = cli.option(
        "--data", "PATH", "A file of the data set (- is stdin); may be repeated.", multiple=True, required=True
    ),
    out: str = cli.option("--out", "DIR", "The folder to write to; made if missing.", required=True),
    limit: int | None = cli.number_option("--limit", 1, None, "Ask only so many items, drawn by chance. Default: all."),
    seed: int = cli.number_option("--seed", 0, None, "What the drawing depends on.", metavar="S", default=0),
    reader: str | None = cli.option(
        "--reader",
        "NAME[:MODEL]",
        "Who answers: the graph, or who reads the passages, such as extractive. Default: the latter where there are passages.",
        shell_complete=cli.complete_names(_system_names),
    ),
    corpus: str | None = cli.option("--corpus", "PATH", "A reader reads passages of this corpus, not the gold ones."),
    closed_book: bool = cli.flag("--closed-book", "No passage is read at all."),
    way: str = cli.choice_option(
        "--way", ["both", "reader", "edits"], 'What answers an "if": a reader, the edits of its passage, or both.'
    ),
    queries: str = cli.choice_option(
        "--queries",
        ["best", "whole", "main", "factual", "fused"],
        "How a corpus is searched: as in ask, or BM25 by the whole question, main clause, fact behind its if, or all three.",
    ),
    passages: int = cli.number_option("--passages", 1, 100, "How many of a corpus are read.", default=5),
    with_graph: bool = cli.flag("--with-graph", "A reader is joined with the graph of the passage's claims, as in kgqa ask."),
    held_out: bool = cli.flag("--held-out", "Keep to items that the reader was not trained on, as its reader.json says."),
    judge: str = cli.judge_option,
    graph: str | None = cli.graph_option,
    train: tuple[str, ...] = cli.option(
        "--train",
        "PATH",
        "The training file of the set: scores are shown without the items that it gives away, too; may be repeated.",
        multiple=True,
    ),
    restart: bool = cli.flag("--restart", "Throw away the predictions in DIR and begin anew."),
) -> None:
    """Score kgqa on a data set, beside plain baselines.

    NAME is ifqa, causalqa, msmarco-causal, semeval-pairs, squad2, drop, boolq, falseqa, crepe, iirc, refusal,
    extraction-semeval or extraction-news. Into DIR go predictions.jsonl, metrics.json and report.md. A run that was stopped
    goes on where it was when the same command is given again.

    A pair of semeval-pairs without a verdict is told by its plausibility, which 'kgqa ask' never says; the report has the
    verdicts alone beside it.
    """
    from kgqa.evaluation.answer_systems import GRAPH, SystemSettings
    from kgqa.evaluation.datasets import DATASETS
    from kgqa.evaluation.extraction import EXTRACTIONS
    from kgqa.passages.passage_answer import PassageMethod
    from kgqa.passages.passage_source import CorpusQuery

    names = _dataset_names()
    if name not in names:
        raise cli.WrongUse(f"no data set '{name}'; there are: {', '.join(names)}", f"{context.command_path} --help", context)
    chosen = reader is not None
    reader = reader or (DATASETS[name].reader if name in DATASETS else GRAPH)
    readers = _system_names()
    this_run = f"{context.command_path} {name} --data {shell_quote(data[0])} --out {shell_quote(out)}"
    if not any(f"{reader}:".startswith(f"{reader_name}:") for reader_name in readers):
        raise cli.WrongUse(f"no reader '{reader}'; there are: {', '.join(readers)}", f"{this_run} --reader {GRAPH}", context)
    if corpus is not None and closed_book:
        raise cli.WrongUse("--corpus and --closed-book do not go together", f"{context.command_path} --help", context)
    setting = SystemSettings(reader, PassageMethod(way), corpus, closed_book, CorpusQuery(queries), passages, with_graph)
    if reader == GRAPH and setting != SystemSettings(closed=closed_book):
        fact = "--corpus, --way, --queries, --passages and --with-graph are for a reader of passages; the graph is asked here"
        raise cli.WrongUse(fact, f"{this_run} --reader extractive", context)
    alien = [option for option, value in (("--graph", graph), ("--train", train), ("--reader", chosen)) if value]
    if name in EXTRACTIONS and alien:
        fact = f"{alien[0]} does not go with {name}, which mines sentences and asks no graph"
        raise cli.WrongUse(fact, this_run, context)
    wanted = EvaluationOptions(data, out, limit, seed, graph, train, restart, setting, held_out, judge)
    tables = _evaluate_extraction(name, wanted) if name in EXTRACTIONS else _evaluate_questions(DATASETS[name], wanted)
    _print_summary(tables, out)


def _evaluate_questions(dataset: Dataset, wanted: EvaluationOptions) -> Sequence[ScoreTable]:
    """Ask the questions of a data set, or those of them that were not asked yet, and score all answers."""
    from kgqa import __version__
    from kgqa.evaluation.dataset_item import items_digest
    from kgqa.evaluation.datasets import read_set
    from kgqa.evaluation.evaluation_report import DataSource, RunTimes, report_run
    from kgqa.evaluation.evaluation_run import EvaluationRun, RunSettings, code_digest, sample_items
    from kgqa.evaluation.scoring import require_packages

    began = time.perf_counter()
    require_packages(dataset)
    skips: list[SkipCounter] = []
    file_items = read_set(dataset, wanted.data, partial(_new_skip_counter, skips=skips))
    skipped = _report_skips(skips)
    train = read_set(dataset, wanted.train, partial(_new_skip_counter, skips=[])) if wanted.train else []
    if wanted.held_out:
        from kgqa.evaluation.dataset_item import held_out_items
        from kgqa.readers.extractive.span_network import reader_folder

        file_items = held_out_items(dataset.name, file_items, reader_folder(wanted.setting.reader.partition(":")[2] or None))
    items = sample_items(file_items, wanted.limit, wanted.seed)
    with cli.open_graph(wanted.graph) as store:
        identity = (dataset.name, items_digest(items), store.digest(), wanted.setting.reader, wanted.seed, wanted.limit)
        settings = RunSettings(*identity, __version__, code_digest(), _reading_mode(wanted))
        run = EvaluationRun(wanted.out, settings, restart=wanted.restart)
        predictions, seconds, cost = _predict(dataset, items, store, wanted.setting, run)
        read = wanted.setting.read if wanted.setting.corpus else None
        graph_title = printable_text(store.url) if "://" in store.url else Path(store.url).name
        source = DataSource(tuple(map(_file_title, wanted.data)), len(file_items), skipped, graph_title, read)
    return report_run(
        run, dataset, items, predictions, train, source, RunTimes(seconds, time.perf_counter() - began, server_cost=cost)
    )


def _reading_mode(wanted: EvaluationOptions) -> str:
    """Return how a reader is asked, in a few words that are the same wherever the corpus lies."""
    setting = wanted.setting
    if setting.reader == "graph":
        return "closed-book" if setting.closed else ""
    passages = "closed-book" if setting.closed else "the passages of the set"
    if setting.corpus and not setting.closed:
        passages = f"the {setting.read} best passages of {_file_title(setting.corpus)}, queries: {setting.queries}"
    parts = (passages, f"way: {setting.way}", "with the graph" if setting.joined else "", "held out" if wanted.held_out else "")
    return "; ".join(filter(None, parts))


def _predict(
    dataset: Dataset, items: Sequence[DatasetItem], store: GraphStore, setting: SystemSettings, run: EvaluationRun
) -> tuple[list[Prediction], list[float], Mapping[str, float | int | bool | None] | None]:
    """Return all predictions of a run, and the seconds and, with a server, the cost of those that were not there yet."""
    from kgqa.evaluation.answer_systems import build_system
    from kgqa.evaluation.dataset_item import VERDICT
    from kgqa.evaluation.prediction import Predictor

    predictions = run.done(items)
    if predictions:
        note(f"going on after {count_text(len(predictions), 'answer')} in '{run.folder}' (--restart begins anew)")
    seconds: list[float] = []
    try:
        who = build_system(setting, store, pairs=dataset.pairs)
        with Predictor(dataset, items, store, who) as asker, WorkProgress(f"evaluating {dataset.name}", len(items)) as bar:
            for prediction, took in run.ask(items[len(predictions) :], asker, verdict=dataset.task == VERDICT):
                predictions.append(prediction)
                seconds.append(took)
                bar.reached(len(predictions), f"{len(predictions):,} of {count_text(len(items), 'question')}")
    except KeyboardInterrupt:
        note(f"{count_text(len(predictions), 'answer')} of {len(items):,} are kept; the same command goes on from there")
        raise
    if who.charged is None:
        return predictions, seconds, None
    note(who.charged.cost_line())
    return predictions, seconds, who.charged.cost_record()


def _evaluate_extraction(name: str, wanted: EvaluationOptions) -> Sequence[ScoreTable]:
    """Mine the sentences of a data set, all in one go, and score the claims."""
    from kgqa import __version__
    from kgqa.evaluation.evaluation_report import DataSource, RunTimes, write_run_report
    from kgqa.evaluation.evaluation_run import EvaluationRun, RunSettings, code_digest
    from kgqa.evaluation.extraction import EXTRACTIONS, evaluate_extraction

    began = time.perf_counter()
    skips: list[SkipCounter] = []
    on_skip = partial(_new_skip_counter, skips=skips)
    judge = cli.open_claim_judge(wanted.judge)
    mined = evaluate_extraction(EXTRACTIONS[name], wanted.data, on_skip, wanted.limit, wanted.seed, judge)
    miner = "rules" if judge is None else f"rules and judge {judge.version}"
    settings = RunSettings(name, mined.data, mined.rules, miner, wanted.seed, wanted.limit, __version__, code_digest())
    run = EvaluationRun(wanted.out, settings, restart=wanted.restart)
    run.write_predictions(mined.records)
    counts = {"items": len(mined.records), "in_the_files": mined.held, "answered": mined.predicted}
    data = DataSource(tuple(map(_file_title, wanted.data)), mined.held, _report_skips(skips), f"none: {miner}")
    write_run_report(run, mined.tables, data, counts, RunTimes(mined.seconds, time.perf_counter() - began, timed=False))
    return mined.tables


def _new_skip_counter(file: str, skips: list[SkipCounter]) -> SkipCounter:
    """Return a counter of the skipped rows of a file, added to `skips`."""
    skips.append(SkipCounter(_file_title(file)))
    return skips[-1]


def _report_skips(skip_counters: Sequence[SkipCounter]) -> dict[str, int]:
    """Print what was skipped in all files, and return how often for which reason."""
    reasons: Counter[str] = Counter()
    for skips in skip_counters:
        skips.report()
        reasons += skips.reasons
    return dict(sorted(reasons.items()))


def _file_title(path: str) -> str:
    """Return what a file is called in a report, which is to be the same wherever the file lies."""
    return "stdin" if path == STDIN else Path(path).name


def _print_summary(tables: Sequence[ScoreTable], out: str) -> None:
    """Print the scores of kgqa itself, of the first table that has them, and where all the rest is."""
    from kgqa.evaluation.evaluation_run import METRICS, PREDICTIONS, REPORT
    from kgqa.evaluation.score_table import format_cell

    ours = [(table, row) for table in tables for row in table.rows if row[0].startswith(_OURS)]
    say(f"{(ours[0][0] if ours else tables[0]).title}:")
    for table, (name, cells) in ours[:1]:
        scores = (f"{column} {format_cell(cell)}" for column, cell in zip(table.columns, cells, strict=True))
        say(f"{name}: {'; '.join(scores)}", "  ", "    ")
    say(f"all tables, with the baselines: {Path(out) / REPORT}; beside it {PREDICTIONS} and {METRICS}")
