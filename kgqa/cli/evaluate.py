"""`kgqa evaluate`: score kgqa on a data set."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import STDIN
from kgqa.cli.output.progress import SkipCounter, WorkProgress
from kgqa.cli.output.score_text import print_differences, print_summary
from kgqa.cli.output.terminal import count_text, note, printable_text, shell_quote

if TYPE_CHECKING:
    from graph.protocols import GraphStore
    from kgqa.evaluation.answer_systems import SystemSettings
    from kgqa.evaluation.dataset_item import DatasetItem
    from kgqa.evaluation.datasets import Dataset
    from kgqa.evaluation.evaluation_run import EvaluationRun
    from kgqa.evaluation.prediction import Prediction
    from kgqa.evaluation.presupposition_systems import PresuppositionSystems
    from kgqa.evaluation.score_table import ScoreTable


COMPARE = "compare"
"""The word in the place of a data set that compares two runs."""
WRITING_SET = "crepe-writing"
"""The set that `crepe --subtask writing` is."""


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
    ratings: str | None = None
    track: str = "main"
    receipts: str | None = None


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
    name: str = cli.argument("name", "NAME", shell_complete=cli.complete_names(lambda: [*_dataset_names(), COMPARE])),
    runs: tuple[str, ...] = cli.argument("runs", "[RUN RUN]", nargs=-1),
    data: tuple[str, ...] = cli.option("--data", "PATH", "A file of the data set (- is stdin); may be repeated.", multiple=True),
    out: str | None = cli.option("--out", "DIR", "The folder to write to; made if missing."),
    predictions: str | None = cli.option(
        "--predictions", "FILE", 'Score these answers, JSON lines of "id" and "answer"; kgqa itself is not asked.'
    ),
    subtask: str = cli.choice_option("--subtask", ["detection", "writing"], "Of crepe: which of its two tasks."),
    track: str = cli.choice_option(
        "--track", ["main", "gold-comment"], "Of presuppositions: what the systems of the paper read beside the question."
    ),
    ratings: str | None = cli.option("--ratings", "FILE", "Of crepe's writing: the sheet of the run as raters filled it in."),
    set_name: str | None = cli.option(
        "--set set_name",
        "NAME",
        "With compare: the data set of two files of predictions.",
        shell_complete=cli.complete_names(_dataset_names),
    ),
    limit: int | None = cli.number_option("--limit", 1, None, "Ask only so many items, drawn by chance. Default: all."),
    seed: int = cli.number_option("--seed", 0, None, "What the drawing depends on.", metavar="S", default=0),
    reader: str | None = cli.option(
        "--reader",
        "NAME[:MODEL]",
        "Who answers: the graph, or who reads the passages, such as extractive. Default: the latter where there are passages.",
        shell_complete=cli.complete_names(_system_names),
    ),
    corpus: str | None = cli.option(
        "--corpus", "PATH", "A reader reads its passages, not the gold ones; its claims join the graph."
    ),
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
    links: str = cli.choice_option(
        "--links",
        ["model", "first", "all", "gold", "contexts", "none"],
        "Of iirc: what chooses the links that are followed; gold links and contexts are those of annotators.",
    ),
    articles: str | None = cli.option(
        "--articles", "PATH", "Of iirc: the index that the links lead into. Default: the articles of the data."
    ),
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
    receipts: str | None = cli.option(
        "--receipts", "DIR", "Write a receipt of the answer behind each prediction into this folder, for 'kgqa replay DIR'."
    ),
) -> None:
    """Score kgqa on a data set, beside plain baselines.

    NAME is ifqa, causalqa, msmarco-causal, semeval-pairs, squad2, drop, boolq, falseqa, graph-premises, crepe, creak, fever,
    iirc, refusal, extraction-semeval or extraction-news. Into DIR go predictions.jsonl, scores.jsonl, metrics.json and
    report.md. A run that was stopped goes on where it was when the same command is given again.

    'kgqa evaluate compare RUN RUN' tells how the second of two runs differs from the first, item by item: two folders of
    results, or files of predictions with their --data.

    A pair of semeval-pairs without a verdict is told by its plausibility, which 'kgqa ask' never says; the report has the
    verdicts alone beside it.
    """
    from kgqa.evaluation.answer_systems import GRAPH, SystemSettings
    from kgqa.evaluation.datasets import DATASETS
    from kgqa.evaluation.extraction import EXTRACTIONS
    from kgqa.evaluation.scoring import LINKS_FOR
    from kgqa.hops.link_identifier import LinkRule
    from kgqa.passages.passage_answer import PassageMethod
    from kgqa.passages.passage_source import CorpusQuery

    if name == COMPARE:
        _compare(context, runs, set_name, data, out)
        return
    if runs:
        raise cli.WrongUse(
            f"{len(runs)} more arguments after '{name}'; only {COMPARE} takes some", f"{context.command_path} --help"
        )
    names = _dataset_names()
    if name not in names:
        raise cli.WrongUse(f"no data set '{name}'; there are: {', '.join(names)}", f"{context.command_path} --help", context)
    if not data or out is None:
        missing = "--out" if data else "--data"
        raise cli.WrongUse(f"{missing} is missing", f"{context.command_path} {name} --data PATH --out DIR", context)
    if subtask == "writing":
        if name not in ("crepe", WRITING_SET):
            raise cli.WrongUse(f"--subtask is for crepe, not for {name}", f"{context.command_path} --help", context)
        name = WRITING_SET
    chosen = reader is not None
    reader = reader or (DATASETS[name].reader if name in DATASETS else GRAPH)
    this_run = f"{context.command_path} {name} --data {shell_quote(data[0])} --out {shell_quote(out)}"
    setting = SystemSettings(reader, PassageMethod(way), corpus, closed_book, CorpusQuery(queries), passages, with_graph)
    follows = name == LINKS_FOR and links != "none" and setting == SystemSettings(reader) and reader != GRAPH
    setting = replace(setting, links=LinkRule(links) if follows else None, articles=articles)
    _check_setting(context, this_run, setting)
    asked_of = {"--reader": chosen, "--corpus": corpus is not None, "--graph": graph is not None, "--held-out": held_out}
    asked_of["--receipts"] = receipts is not None
    if receipts is not None:
        _check_receipts(context, name, this_run, follows=follows)
    if predictions is not None:
        _check_given(context, name, f"{this_run} --predictions {shell_quote(predictions)}", [*filter(asked_of.get, asked_of)])
    if ratings is not None and name != WRITING_SET:
        raise cli.WrongUse("--ratings is for crepe with --subtask writing", f"{context.command_path} --help", context)
    alien = [option for option, value in (("--graph", graph), ("--train", train), ("--reader", chosen)) if value]
    if name in EXTRACTIONS and alien:
        fact = f"{alien[0]} does not go with {name}, which mines sentences and asks no graph"
        raise cli.WrongUse(fact, this_run, context)
    wanted = EvaluationOptions(data, out, limit, seed, graph, train, restart, setting, held_out, judge, ratings, track, receipts)
    if predictions is not None:
        print_summary(_score_predictions(DATASETS[name], predictions, wanted), out, _predictor_name(predictions))
        return
    tables = _evaluate_extraction(name, wanted) if name in EXTRACTIONS else _evaluate_questions(DATASETS[name], wanted)
    print_summary(tables, out, "kgqa")


def _check_given(context: click.Context, name: str, command: str, needless: Sequence[str]) -> None:
    """Raise `WrongUse` where a file of predictions is given together with what only asking needs."""
    from kgqa.evaluation.extraction import EXTRACTIONS

    if name in EXTRACTIONS:
        fact = f"--predictions does not go with {name}, whose claims are scored and not answers"
        raise cli.WrongUse(fact, f"{context.command_path} {name} --data PATH --out DIR", context)
    if needless:
        raise cli.WrongUse(f"{needless[0]} does not go with --predictions, which asks nobody", command, context)


def _check_receipts(context: click.Context, name: str, this_run: str, *, follows: bool) -> None:
    """Raise `WrongUse` where predictions are not answers, of which alone receipts are written."""
    from kgqa.evaluation.datasets import DATASETS
    from kgqa.evaluation.prediction_receipts import WITHOUT_RECEIPTS

    if follows:
        raise cli.WrongUse("--receipts does not go with links that are followed", f"{this_run} --links none", context)
    if name not in DATASETS or DATASETS[name].task in WITHOUT_RECEIPTS:
        raise cli.WrongUse(f"--receipts does not go with {name}, whose predictions are not answers alone", this_run, context)


def _check_setting(context: click.Context, this_run: str, chosen: SystemSettings) -> None:
    """Raise `WrongUse` where there is no such reader, or its options do not go together."""
    from kgqa.evaluation.answer_systems import GRAPH, SystemSettings

    readers = _system_names()
    if not any(f"{chosen.reader}:".startswith(f"{reader_name}:") for reader_name in readers):
        fact = f"no reader '{chosen.reader}'; there are: {', '.join(readers)}"
        raise cli.WrongUse(fact, f"{this_run} --reader {GRAPH}", context)
    if chosen.corpus is not None and chosen.closed:
        raise cli.WrongUse("--corpus and --closed-book do not go together", f"{context.command_path} --help", context)
    if chosen.reader == GRAPH and chosen != SystemSettings(closed=chosen.closed, corpus=chosen.corpus):
        fact = "--way, --queries, --passages and --with-graph are for a reader of passages; the graph is asked here"
        raise cli.WrongUse(fact, f"{this_run} --reader extractive", context)


def _predictor_name(path: str) -> str:
    """Return what the system is called whose predictions a file has: the name of the file without its endings."""
    return _file_title(path).partition(".")[0] or path


def _score_predictions(dataset: Dataset, path: str, wanted: EvaluationOptions) -> Sequence[ScoreTable]:
    """Score the answers of a file, and write the files of a run without asking anybody."""
    from kgqa import __version__
    from kgqa.code_digest import code_digest
    from kgqa.evaluation.dataset_item import items_digest
    from kgqa.evaluation.evaluation_report import DataSource, PredictionSystem, RunTimes, report_run
    from kgqa.evaluation.evaluation_run import EvaluationRun, RunSettings, sample_items
    from kgqa.evaluation.prediction_file import read_predictions
    from kgqa.evaluation.scoring import require_packages

    began = time.perf_counter()
    require_packages(dataset)
    file_items, skipped, train = _read_items(dataset, wanted)
    items = sample_items(file_items, wanted.limit, wanted.seed)
    given = read_predictions(path, dataset, items, frozenset(item.id for item in file_items))
    name = _predictor_name(path)
    identity = (dataset.name, items_digest(items), "none", f"predictions of {name}", wanted.seed, wanted.limit)
    run = EvaluationRun(wanted.out, RunSettings(*identity, __version__, code_digest()), restart=True)
    run.write_predictions(entry.record(verdict=dataset.task == "verdict") for entry in given.predictions)
    source = DataSource(tuple(map(_file_title, wanted.data)), len(file_items), skipped, "none")
    times, system = RunTimes((), time.perf_counter() - began, timed=False), PredictionSystem(name, given.confident)
    ratings = None if wanted.ratings is None else Path(wanted.ratings)
    return report_run(run, dataset, items, given.predictions, train, source, times, system, ratings)


def _compare(context: click.Context, runs: Sequence[str], set_name: str | None, data: tuple[str, ...], out: str | None) -> None:
    """Print how the second of two runs differs from the first, and write that to a folder where one is named."""
    from kgqa.evaluation.datasets import DATASETS, read_set
    from kgqa.evaluation.run_comparison import compare_runs, read_run, score_file, write_comparison

    usage = f"{context.command_path} {COMPARE} RESULTS RESULTS"
    if len(runs) != 2:
        raise cli.WrongUse(f"{COMPARE} takes two runs, not {len(runs)}", usage, context)
    tasks = {name: dataset.task for name, dataset in DATASETS.items()}
    folders = [read_run(Path(run), tasks) for run in runs if Path(run).is_dir()]
    scored = {folder.name: folder for folder in folders}
    files = [run for run in runs if not Path(run).is_dir()]
    if files:
        name = folders[0].dataset if folders else set_name
        if name is None or not data:
            fact = f"'{files[0]}' is no folder; a file of predictions needs {'--data' if name else '--set NAME and --data'}"
            raise cli.WrongUse(fact, f"{usage} --set NAME --data PATH", context)
        if name not in DATASETS:
            raise cli.WrongUse(f"no data set '{name}'; there are: {', '.join(DATASETS)}", usage, context)
        items = read_set(DATASETS[name], data, partial(_new_skip_counter, skips=[]))
        for path in files:
            scored[path] = score_file(path, DATASETS[name], items, folders[0].items if folders else None)
    table = compare_runs(*(scored[str(Path(run)) if Path(run).is_dir() else run] for run in runs))
    print_differences(table)
    if out is not None:
        write_comparison(Path(out), table)


def _read_items(dataset: Dataset, wanted: EvaluationOptions) -> tuple[list[DatasetItem], dict[str, int], list[DatasetItem]]:
    """Return the items of the data, what was skipped by reason, and the items of the training files."""
    from kgqa.evaluation.datasets import read_set

    skips: list[SkipCounter] = []
    items = read_set(dataset, wanted.data, partial(_new_skip_counter, skips=skips))
    skipped = _report_skips(skips)
    return items, skipped, read_set(dataset, wanted.train, partial(_new_skip_counter, skips=[])) if wanted.train else []


def _evaluate_questions(dataset: Dataset, wanted: EvaluationOptions) -> Sequence[ScoreTable]:
    """Ask the questions of a data set, or those of them that were not asked yet, and score all answers."""
    from kgqa import __version__
    from kgqa.code_digest import code_digest
    from kgqa.evaluation.dataset_item import items_digest
    from kgqa.evaluation.evaluation_report import DataSource, RunTimes, report_run
    from kgqa.evaluation.evaluation_run import EvaluationRun, RunSettings, sample_items
    from kgqa.evaluation.scoring import require_packages

    began = time.perf_counter()
    require_packages(dataset)
    file_items, skipped, train = _read_items(dataset, wanted)
    if wanted.held_out:
        from kgqa.evaluation.dataset_item import HELD_OUT, held_out_items
        from kgqa.readers.extractive.span_network import reader_folder

        file_items = held_out_items(dataset.name, file_items, reader_folder(wanted.setting.reader.partition(":")[2] or None))
        train = [item for item in train if item.type != HELD_OUT]
    items = sample_items(file_items, wanted.limit, wanted.seed)
    with cli.open_graph(wanted.graph) as store:
        identity = (dataset.name, items_digest(items), store.digest(), wanted.setting.reader, wanted.seed, wanted.limit)
        settings = RunSettings(*identity, __version__, code_digest(), _reading_mode(wanted))
        run = EvaluationRun(wanted.out, settings, restart=wanted.restart)
        systems = _presupposition_systems(dataset, train, wanted)
        predictions, seconds, cost = _predict(dataset, items, store, wanted, run, systems)
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
        source = (
            f"with the claims of {_file_title(setting.corpus)}" if setting.corpus else "closed-book" if setting.closed else ""
        )
        held_out, track = "held out" if wanted.held_out else "", "" if wanted.track == "main" else f"track: {wanted.track}"
        return "; ".join(filter(None, (source, held_out, track)))
    passages = "closed-book" if setting.closed else "the passages of the set"
    if setting.corpus and not setting.closed:
        passages = f"the {setting.read} best passages of {_file_title(setting.corpus)}, queries: {setting.queries}"
    if setting.links is not None:
        index = _file_title(setting.articles) if setting.articles else "the articles of the set"
        passages = f"links by {setting.links}, into {index}"
    parts = (passages, f"way: {setting.way}", "with the graph" if setting.joined else "", "held out" if wanted.held_out else "")
    return "; ".join(filter(None, parts))


def _presupposition_systems(
    dataset: Dataset, train: Sequence[DatasetItem], wanted: EvaluationOptions
) -> PresuppositionSystems | None:
    """Return the systems of presuppositions and claims that a run has beside kgqa; `None` for another task."""
    from kgqa.evaluation.dataset_item import CLAIM, PRESUPPOSITION, WRITING

    if dataset.task not in (CLAIM, PRESUPPOSITION, WRITING):
        return None
    from kgqa.evaluation.presupposition_systems import PresuppositionSystems, Track
    from kgqa.retrieval.corpus import open_corpus

    corpus = open_corpus(wanted.setting.corpus) if wanted.setting.corpus else None
    return PresuppositionSystems(dataset.task, train, corpus, Track(wanted.track))


def _predict(
    dataset: Dataset,
    items: Sequence[DatasetItem],
    store: GraphStore,
    wanted: EvaluationOptions,
    run: EvaluationRun,
    systems: PresuppositionSystems | None = None,
) -> tuple[list[Prediction], list[float], Mapping[str, float | int | bool | None] | None]:
    """Return all predictions of a run, and the seconds and, with a server, the cost of those that were not there yet."""
    from kgqa.evaluation.answer_systems import AnswerSystem, build_system
    from kgqa.evaluation.dataset_item import VERDICT
    from kgqa.evaluation.prediction import Predictor

    setting = wanted.setting
    predictions = run.done(items)
    if predictions:
        note(f"going on after {count_text(len(predictions), 'answer')} in '{run.folder}' (--restart begins anew)")
    seconds: list[float] = []
    try:
        who: AnswerSystem
        if setting.links is not None:
            from kgqa.evaluation.link_systems import LinkSystem

            who = LinkSystem(setting, setting.links, setting.articles, wanted.data)
        else:
            who = build_system(setting, store, pairs=dataset.pairs)
        if wanted.receipts is not None:
            from kgqa.evaluation.prediction_receipts import ReceiptedSystem
            from kgqa.settings import Settings

            who = ReceiptedSystem(who, setting, store, Settings.read(), Path(wanted.receipts), pairs=dataset.pairs)
        with (
            Predictor(dataset, items, store, who, systems) as asker,
            WorkProgress(f"evaluating {dataset.name}", len(items)) as bar,
        ):
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
    from kgqa.code_digest import code_digest
    from kgqa.evaluation.evaluation_report import DataSource, RunTimes, write_run_report
    from kgqa.evaluation.evaluation_run import EvaluationRun, RunSettings
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
