"""`kgqa mine`: mine texts into a graph.

`kgqa mine --engine spark`: mine on a cluster, into Parquet files.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from graph.errors import GraphError
from graph.mining.miner import pipeline_version, rules_hash
from graph.mining.rules.rule_tables import Rule, load_rules
from graph.model import Alias
from graph.sources.article import Article
from graph.sources.article_formats import ArticleFormat
from graph.stores import open_store
from kgqa.cli.arguments.inputs import AUTO, DamageCallback, InputFiles, format_option, read_corpus
from kgqa.cli.arguments.options import WholeNumber, WrongUse, json_option, require_value, rules_option
from kgqa.cli.output.progress import LaggingProgress, Progress, SkipCounter, added_record, added_text
from kgqa.cli.output.terminal import count_text, note, say, say_counts, say_json
from kgqa.errors import KgqaError
from kgqa.settings import variable_name

if TYPE_CHECKING:
    from graph.mining.articles import MiningSummary
    from graph.mining.spark import SparkTotals


LOCAL = "local"
SPARK = "spark"
SHOWN = 8
NOTHING_DONE = "nothing to go on from with these inputs and rules: beginning with the first article"


class WorkerLost(KgqaError):
    """A mining process ended before its work was done."""

    def __init__(self) -> None:
        super().__init__(
            "a mining process was killed, perhaps for want of memory; what was mined before is stored",
            "kgqa mine ... --workers 1 --resume",
        )


@click.command(epilog="Example: kgqa mine enwiki.xml.bz2 -g mine.kgqa --resume")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "-g",
    "--graph",
    metavar="FILE.kgqa",
    callback=require_value,
    envvar=variable_name("graph"),
    show_envvar=True,
    help="The graph to write to; made if missing. Needed, unless --engine is spark.",
)
@format_option
@rules_option
@click.option("--workers", type=WholeNumber(1, 256), metavar="N", help="How many processes mine. Default: one a processor.")
@click.option("--resume", is_flag=True, help="Go on where a stopped run over the same inputs had come to.")
@click.option(
    "--engine",
    type=click.Choice([LOCAL, SPARK]),
    default=LOCAL,
    show_default=True,
    help="Where to mine: on this machine, or on a Spark cluster, from Hadoop paths into Parquet files (see -o).",
)
@click.option("--master", metavar="URL", callback=require_value, help="The Spark cluster, such as local[4] or spark://HOST:7077.")
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    callback=require_value,
    help="With --engine spark: the folder of Parquet files to make.",
)
@json_option
@click.pass_context
def mine(context: click.Context, /, inputs: Sequence[str], rules: str | None, json: bool, **how: Any) -> None:
    """Mine the claims of texts into a graph.

    INPUTs are plain texts, JSON lines, WikiExtractor files or MediaWiki XML dumps, and may be compressed (.gz, .bz2, .zst);
    - is stdin. To mine a text twice changes nothing: a run that was stopped is run again, with --resume to spare the time.
    """
    _check_use(context)
    known = load_rules(rules)
    if how["engine"] == SPARK:
        form = None if how["form"] == AUTO else ArticleFormat(how["form"])
        mine_on_cluster(inputs, how["out"], how["master"], form, known, json)
    else:
        _mine_locally(inputs, how["graph"], how["form"], known, how["workers"], how["resume"], json)


def _check_use(context: click.Context) -> None:
    """Raise `WrongUse` for options that do not go with the engine, or that it needs."""
    given = {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if context.params["engine"] == SPARK:
        command = "kgqa mine INPUT --engine spark --master local[4] -o OUT.parquet"
        alien = sorted(given & {"graph", "workers", "resume"})
        if alien:
            raise WrongUse(f"--{alien[0]} does not go with --engine spark, which writes Parquet files", command, context)
        for name in ("out", "master"):
            if not context.params[name]:
                raise WrongUse(f"--engine spark needs --{name}", command, context)
        return
    alien = sorted(given & {"out", "master"})
    if alien:
        raise WrongUse(f"--{alien[0]} goes with --engine spark only", f"{context.command_path} --help", context)
    if context.params["graph"] is None:
        graph = next(parameter for parameter in context.command.params if parameter.name == "graph")
        raise click.MissingParameter(ctx=context, param=graph)


def _mine_locally(
    inputs: Sequence[str], graph: str, form: str, rules: Sequence[Rule], workers: int | None, resume: bool, json: bool
) -> None:
    """Mine on this machine, into a graph."""
    reading = InputFiles(inputs)
    damage: list[GraphError] = []
    skips = SkipCounter()
    articles = _articles(reading, form, skips, damage.append)
    first = next(articles, None)
    if first is None and damage:
        raise _last_error(damage)  # before a store is made
    from concurrent.futures import BrokenExecutor

    from graph.mining.articles import mine_articles
    from graph.mining.sentence.spacy_pipeline import installed_pipeline

    pipeline = pipeline_version(installed_pipeline())
    job = _job_name(form, reading, rules, pipeline)
    pace = LaggingProgress(reading)
    articles = pace.watched(itertools.chain(() if first is None else (first,), articles), Article)
    title = f"mining {Path(reading.name).name}"
    with closing(open_store(graph, write=True, create=True)) as store, Progress(title, pace) as bar:
        done = store.progress(job) if resume else 0

        def tell(so_far: MiningSummary) -> None:
            pace.reached(done + so_far.articles)
            bar.show(_progress_line(so_far))

        if resume:
            note(f"going on after {count_text(done, 'article')}" if done else NOTHING_DONE)
        try:
            summary = mine_articles(
                articles,
                store,
                job,
                workers=workers or len(os.sched_getaffinity(0)),
                resume=resume,
                rules=rules,
                on_progress=tell,
            )
        except BrokenExecutor as error:
            raise WorkerLost from error
        except KeyboardInterrupt:
            note("what was mined so far is stored; to go on, run this again with --resume")
            raise
    skips.report()
    if summary.too_long:
        note(f"{count_text(summary.too_long, 'sentence')} too long to parse; skipped")
    if json:
        say_json(_mining_record(reading, graph, pipeline, summary, skips))
    else:
        _print_report(reading.name, graph, summary, skips)
    if damage:
        raise _last_error(damage)


def _progress_line(summary: MiningSummary) -> str:
    """Return what the line under the progress bar says."""
    rate = summary.articles / max(summary.seconds, 0.1)
    return f"{count_text(summary.articles, 'article')} ({rate:,.0f}/s), {count_text(summary.claim_count, 'claim')}"


def _last_error(damage: Sequence[GraphError]) -> GraphError:
    """Return the last of the errors, to be raised, once the others were told."""
    for error in damage[:-1]:
        note(str(error))
    return damage[-1]


def _articles(reading: InputFiles, form: str, skips: SkipCounter, on_damage: DamageCallback) -> Iterator[Article | Alias]:
    """Yield the articles and aliases of all inputs, of each as far as it can be read."""
    for stream in reading.streams(on_damage):
        skips.file = stream.name if len(reading.paths) > 1 else ""
        yield from read_corpus(stream, form, skips, on_damage)


def _job_name(form: str, reading: InputFiles, rules: Sequence[Rule], pipeline: str) -> str:
    """Return what tells a run from another, so that nothing else is taken up half-way.

    That is format, full paths and sizes of the inputs, the rules and the pipeline.
    """
    names = [path if path == "-" else str(Path(path).resolve()) for path in reading.paths]
    job_text = "\n".join((form, str(reading.size), *names, rules_hash(rules), pipeline))
    return f"mine {hashlib.sha256(os.fsencode(job_text)).hexdigest()[:32]}"


def _mining_record(reading: InputFiles, url: str, pipeline: str, summary: MiningSummary, skips: SkipCounter) -> dict[str, object]:
    """Return what a run did as a JSON object."""
    return {
        "inputs": list(reading.paths),
        "graph": url,
        "articles": summary.articles,
        "sentences_parsed": summary.sentences,
        "sentences_too_long": summary.too_long,
        "claims_found": summary.claim_count,
        "added": added_record(summary.added),
        "relations": dict(summary.relations.most_common()),
        "stances": dict(summary.stances.most_common()),
        "rules": dict(summary.rules.most_common()),
        "skipped": {why: {"count": count, "first": skips.first_places[why]} for why, count in skips.reasons.most_common()},
        "pipeline": pipeline,
        "seconds": round(summary.seconds, 1),
    }


def _print_report(name: str, url: str, summary: MiningSummary, skips: SkipCounter) -> None:
    """Print what a run did for a person."""
    sentences = count_text(summary.sentences, "sentence")
    say(
        f"{name}: {count_text(summary.articles, 'article')}, {sentences} parsed, {count_text(summary.claim_count, 'claim')} found"
    )
    say(f"new in {url}: {added_text(summary.added)}")
    say_counts("relations", summary.relations)
    say_counts("stances", summary.stances)
    say_counts("rules", summary.rules)
    if skips.count:
        reasons = (
            f"{why} {count:,} ({_first_names(skips.first_places[why], count)})" for why, count in skips.reasons.most_common(SHOWN)
        )
        say(f"skipped: {', '.join(reasons)}", "", "  ")


def _first_names(names: Sequence[str], count: int) -> str:
    """Return the first few names of what was skipped, and whether there are more."""
    return ", ".join((*names, "...") if count > len(names) else names)


def mine_on_cluster(
    inputs: Sequence[str], out: str, master: str, form: ArticleFormat | None, rules: Sequence[Rule], json: bool
) -> None:
    """Mine Hadoop paths into a new folder of Parquet files and tell what was done."""
    from graph.mining.spark import mine_on_spark, spark_session

    with spark_session(master) as spark:
        began = time.monotonic()
        totals = mine_on_spark(spark, inputs, out, form, rules)
        seconds = time.monotonic() - began
    if totals.too_long:
        note(f"{count_text(totals.too_long, 'sentence')} too long to parse; skipped")
    if json:
        say_json(_cluster_record(inputs, out, totals, seconds))
        return
    sentences, claims = count_text(totals.sentences, "sentence"), count_text(totals.claim_count, "claim")
    say(f"{', '.join(inputs)}: {count_text(totals.articles, 'article')}, {sentences} parsed, {claims} found")
    say_counts("relations", totals.relations)
    say_counts("stances", totals.stances)
    say_counts("rules", totals.rules)
    say_counts("skipped", totals.skipped)
    say(f"to put them into a graph: kgqa load parquet {out} -g FILE.kgqa")


def _cluster_record(inputs: Sequence[str], out: str, totals: SparkTotals, seconds: float) -> dict[str, object]:
    """Return what a run did as a JSON object."""
    return {
        "inputs": list(inputs),
        "out": out,
        "articles": totals.articles,
        "sentences_parsed": totals.sentences,
        "sentences_too_long": totals.too_long,
        "claims_found": totals.claim_count,
        "aliases": totals.aliases,
        "relations": dict(totals.relations.most_common()),
        "stances": dict(totals.stances.most_common()),
        "rules": dict(totals.rules.most_common()),
        "skipped": dict(totals.skipped.most_common()),
        "seconds": round(seconds, 1),
    }
