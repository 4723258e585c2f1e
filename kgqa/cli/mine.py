"""`kgqa mine`: mine texts into a graph, or on a cluster (`--engine spark`) into Parquet files."""

from __future__ import annotations

import hashlib
import itertools
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from graph.errors import GraphError
from graph.mining.judge.claim_judge import NO_JUDGE, OpenJudge
from graph.mining.miner import pipeline_version, rules_hash
from graph.mining.rules.rule_tables import Rule, load_rules, with_loose_rules
from graph.sources.article import Article
from graph.sources.article_formats import ArticleFormat
from graph.stores import open_store
from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import AUTO, InputFiles, format_option
from kgqa.cli.output.progress import LaggingProgress, Progress, SkipCounter, added_record, added_text, note_unjudged
from kgqa.cli.output.terminal import count_text, note, say, say_counts, say_json
from kgqa.errors import KgqaError

if TYPE_CHECKING:
    from graph.mining.articles import MiningSummary


LOCAL = "local"
SPARK = "spark"
SHOWN = 8
NOTHING_DONE = "nothing to go on from with these inputs, rules and judge: beginning with the first article"


class WorkerLost(KgqaError):
    """A mining process ended before its work was done."""

    def __init__(self) -> None:
        super().__init__(
            "a mining process was killed, perhaps for want of memory; what was mined before is stored",
            "kgqa mine ... --workers 1 --resume",
        )


@cli.command("kgqa mine enwiki.xml.bz2 -g mine.kgqa --resume")
def mine(
    context: click.Context,
    inputs: Sequence[str] = cli.inputs_argument,
    graph: str | None = cli.target_graph_option(" Needed, unless --engine is spark.", required=False),
    form: str = format_option,
    rules: str | None = cli.rules_option,
    judge: str = cli.judge_option,
    workers: int | None = cli.number_option("--workers", 1, 256, "How many processes mine. Default: one a processor."),
    resume: bool = cli.flag("--resume", "Go on where a stopped run over the same inputs had come to."),
    engine: str = cli.choice_option(
        "--engine",
        [LOCAL, SPARK],
        "Where to mine: on this machine, or on a Spark cluster, from Hadoop paths into Parquet files (see -o).",
    ),
    master: str | None = cli.option("--master", "URL", "The Spark cluster, such as local[4] or spark://HOST:7077."),
    out: str | None = cli.option("-o --out", "PATH", "With --engine spark: the folder of Parquet files to make."),
    json: bool = cli.json_option,
) -> None:
    """Mine the claims of texts into a graph.

    INPUTs are plain texts, JSON lines, WikiExtractor files or MediaWiki XML dumps, and may be compressed (.gz, .bz2, .zst);
    - is stdin. To mine a text twice changes nothing: a run that was stopped is run again, with --resume to spare the time.
    """
    _check_use(context)
    known, opener = load_rules(rules), partial(cli.open_claim_judge, judge)
    claim_judge = opener()
    if engine == SPARK and out is not None and master is not None:
        _mine_on_cluster(inputs, out, master, None if form == AUTO else ArticleFormat(form), known, judge, json)
    elif graph is not None:
        version = claim_judge.version if claim_judge else NO_JUDGE
        _mine_locally(inputs, graph, form, known, opener, version, workers, resume, json)


def _check_use(context: click.Context) -> None:
    """Raise `WrongUse` for options that do not go with the engine, or that it needs."""
    given = {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if context.params["engine"] == SPARK:
        example = "kgqa mine INPUT --engine spark --master local[4] -o OUT.parquet"
        alien = sorted(given & {"graph", "workers", "resume"})
        if alien:
            raise cli.WrongUse(f"--{alien[0]} does not go with --engine spark, which writes Parquet files", example, context)
        for name in ("out", "master"):
            if not context.params[name]:
                raise cli.WrongUse(f"--engine spark needs --{name}", example, context)
        if cli.is_chat_judge(context.params["judge"]):
            fact = "--judge chat does not go with --engine spark, whose machines lack the settings of the chat server"
            raise cli.WrongUse(fact, f"{example} --judge none", context)
        return
    alien = sorted(given & {"out", "master"})
    if alien:
        raise cli.WrongUse(f"--{alien[0]} goes with --engine spark only", f"{context.command_path} --help", context)
    if context.params["graph"] is None:
        graph = next(parameter for parameter in context.command.params if parameter.name == "graph")
        raise click.MissingParameter(ctx=context, param=graph)


def _mine_locally(
    inputs: Sequence[str],
    graph: str,
    form: str,
    rules: Sequence[Rule],
    judge: OpenJudge,
    version: str,
    workers: int | None,
    resume: bool,
    json: bool,
) -> None:
    reading = InputFiles(inputs)
    damage: list[GraphError] = []
    skips = SkipCounter()
    articles = reading.articles(form, skips, damage.append)
    first = next(articles, None)
    if first is None and damage:
        raise _last_error(damage)  # before a store is made
    from concurrent.futures import BrokenExecutor

    from graph.mining.articles import mine_articles
    from graph.mining.sentence.spacy_pipeline import installed_pipeline

    pipeline = pipeline_version(installed_pipeline())
    job = _job_name(form, reading, rules, f"{pipeline}, judge {version}")
    pace = LaggingProgress(reading)
    articles = pace.watched(itertools.chain(() if first is None else (first,), articles), Article)
    title = f"mining {Path(reading.name).name}"
    with closing(open_store(graph, write=True, create=True)) as store, Progress(title, pace) as bar:
        done = store.progress(job) if resume else 0

        def show(so_far: MiningSummary) -> None:
            pace.reached(done + so_far.articles)
            rate = so_far.articles / max(so_far.seconds, 0.1)
            articles_done = f"{count_text(so_far.articles, 'article')} ({rate:,.0f}/s)"
            bar.show(f"{articles_done}, {count_text(so_far.claim_count, 'claim')}")

        if resume:
            note(f"going on after {count_text(done, 'article')}" if done else NOTHING_DONE)
        try:
            count = workers or len(os.sched_getaffinity(0))
            summary = mine_articles(articles, store, job, count, resume, rules, judge, show)
        except BrokenExecutor as error:
            raise WorkerLost from error
        except KeyboardInterrupt:
            note("what was mined so far is stored; to go on, run this again with --resume")
            raise
    skips.report()
    _note_sentences_and_claims(summary)
    if json:
        skipped = {why: {"count": count, "first": skips.first_places[why]} for why, count in skips.reasons.most_common()}
        ending = {"skipped": skipped, "pipeline": pipeline, "seconds": round(summary.seconds, 1)}
        where = {"inputs": list(reading.paths), "graph": graph}
        say_json({**where, **_totals_record(summary, {"added": added_record(summary.added)}), **ending})
    else:
        _print_totals(reading.name, summary, f"new in {graph}: {added_text(summary.added)}")
        reasons = []
        for why, count in skips.reasons.most_common(SHOWN):
            places = skips.first_places[why]
            reasons.append(f"{why} {count:,} ({', '.join((*places, '...') if count > len(places) else places)})")
        if reasons:
            say(f"skipped: {', '.join(reasons)}", "", "  ")
    if damage:
        raise _last_error(damage)


def _last_error(damage: Sequence[GraphError]) -> GraphError:
    """Return the last of the errors, to be raised; the others are printed as notes."""
    for error in damage[:-1]:
        note(str(error))
    return damage[-1]


def _job_name(form: str, reading: InputFiles, rules: Sequence[Rule], pipeline: str) -> str:
    """Return the identity of a run, for `--resume`: format, full paths and sizes of the inputs, rules, pipeline and judge."""
    names = [path if path == "-" else str(Path(path).resolve()) for path in reading.paths]
    job_text = "\n".join((form, str(reading.size), *names, rules_hash(with_loose_rules(rules)), pipeline))
    return f"mine {hashlib.sha256(os.fsencode(job_text)).hexdigest()[:32]}"


def _mine_on_cluster(
    inputs: Sequence[str], out: str, master: str, form: ArticleFormat | None, rules: Sequence[Rule], judge: str, json: bool
) -> None:
    from graph.mining.spark import mine_on_spark, spark_session

    with spark_session(master) as spark:
        began = time.monotonic()
        totals = mine_on_spark(spark, inputs, out, form, rules, judge)
        seconds = time.monotonic() - began
    _note_sentences_and_claims(totals)
    if json:
        ending = {"skipped": dict(totals.skipped.most_common()), "seconds": round(seconds, 1)}
        say_json({"inputs": list(inputs), "out": out, **_totals_record(totals, {"aliases": totals.aliases}), **ending})
        return
    _print_totals(", ".join(inputs), totals)
    say_counts("skipped", totals.skipped)
    say(f"to put them into a graph: kgqa load parquet {out} -g FILE.kgqa")


def _note_sentences_and_claims(totals: MiningSummary) -> None:
    if totals.too_long:
        note(f"{count_text(totals.too_long, 'sentence')} too long to parse; skipped")
    note_unjudged(totals.unjudged)


def _totals_record(totals: MiningSummary, stored: Mapping[str, object]) -> dict[str, object]:
    """Return what a run found as a part of a JSON object, and what it `stored` between the counts and the tables."""
    return {
        "articles": totals.articles,
        "sentences_parsed": totals.sentences,
        "sentences_too_long": totals.too_long,
        "claims_found": totals.claim_count,
        "claims_unjudged": totals.unjudged,
        **stored,
        "relations": dict(totals.relations.most_common()),
        "stances": dict(totals.stances.most_common()),
        "rules": dict(totals.rules.most_common()),
    }


def _print_totals(name: str, totals: MiningSummary, stored: str = "") -> None:
    """Print what a run found for a person, and what it `stored`."""
    counts = (totals.articles, "article", ""), (totals.sentences, "sentence", " parsed"), (totals.claim_count, "claim", " found")
    say(f"{name}: {', '.join(f'{count_text(count, noun)}{participle}' for count, noun, participle in counts)}")
    if stored:
        say(stored)
    say_counts("relations", totals.relations)
    say_counts("stances", totals.stances)
    say_counts("rules", totals.rules)
