"""Mining on a Spark cluster: the same miner, from Hadoop paths into Parquet files, without a shuffle.

Hadoop splits the inputs, bzip2 files too, into records of one article or page. The reader of the format reads a record as a file
by itself; one miner serves all tasks of a Python process. Errors of Spark and Java have messages of one line.
"""

from __future__ import annotations

import io
import os
import shutil
import socket
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from graph.errors import FormatUnknown, GraphError, InputMissing
from graph.mining.articles import MiningSummary, article_chunks, articles_among, mine_chunk
from graph.mining.judge.claim_judge import ENCODER, open_judge
from graph.mining.miner import Miner
from graph.mining.rules.rule_tables import Rule
from graph.model import Alias
from graph.sources.article import Article, Skipped
from graph.sources.article_formats import ArticleFormat, format_of_head, read_articles
from graph.sources.input_stream import InputStream, OnSkip
from graph.sources.parquet import ALIASES, statement_row

if TYPE_CHECKING:
    from pyspark import RDD, Accumulator
    from pyspark.broadcast import Broadcast
    from pyspark.sql import SparkSession

CONNECT_TIMEOUT_S = 10.0
SPLIT_BYTES = 32 << 20  # of input for a task: some minutes of work, so that a failed task loses little
STATEMENT_SCHEMA = (
    "cause string, effect string, relation string, polarity string, strength string, stance string, rule string, text string, "
    "section string, sketch string, source_kind string, source_title string, source_page_id string, source_revision string, "
    "source_url string, start bigint, end bigint, context array<struct<slot: string, words: string>>"
)
"""The columns of `graph.sources.parquet` with Spark's names of their types."""
ALIAS_SCHEMA = "name string, concept string"
STATEMENT_COLUMNS, ALIAS_COLUMNS = 18, 2
_CHUNK_COUNTS = ("articles", "sentences", "too_long", "unjudged")
"""What is counted of each chunk: fields of `MinedChunk` and of `MiningSummary`."""
_RECORD_DELIMITERS = {ArticleFormat.WIKIEXTRACTOR: "\n<doc ", ArticleFormat.XML: "</page>", ArticleFormat.JSONL: "\n"}
_EXPECTED_FORMATS = "WikiExtractor's output, a MediaWiki XML dump or JSON lines, which are what Spark can cut"
_SPARK_OPTIONS = {
    "spark.log.level": "OFF",
    "spark.ui.showConsoleProgress": "false",
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive": "true",
}


class SparkUnusable(GraphError):
    """Spark is not installed, does not start, or a job on it failed."""


@contextmanager
def spark_session(master: str) -> Iterator[SparkSession]:
    """Open a session on a cluster with one arithmetic thread for each task; raises `SparkUnusable`."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise SparkUnusable("pyspark is not installed", "pip install 'kgqa[cluster]'") from None
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home, "bin")) if home else None) is None:
        raise SparkUnusable("Spark needs Java, and there is none", "apt-get install openjdk-17-jre-headless")
    _check_master(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("kgqa mine").master(master)
    for name, value in _SPARK_OPTIONS.items():
        builder = builder.config(name, value)
    if master.startswith("local"):
        builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "localhost")
    with spark_errors(f"Spark did not start on '{master}'"), _silenced_stderr():
        spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _silenced_stderr() -> Iterator[None]:
    """Discard the stderr of the processes that are started meanwhile: Java logs much before its level can be set."""
    before = os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


@contextmanager
def spark_errors(what: str) -> Iterator[None]:
    """Raise `SparkUnusable` with `what` failed and the first line of the reason, for any error of Spark or Java."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException, ValueError, RuntimeError) as error:
        text = str(getattr(error, "java_exception", "") or error)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        raise SparkUnusable(f"{what}: {lines[0].rstrip('.') if lines else type(error).__name__}") from error


def _hadoop_path_exists(spark: SparkSession, path: str) -> bool:
    with spark_errors(f"cannot look at '{path}'"):
        place, files = _hadoop_files(spark, path)
        return bool(files.globStatus(place))


def _hadoop_files(spark: SparkSession, path: str) -> tuple[Any, Any]:
    context = spark.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(path)
    return place, place.getFileSystem(context._jsc.hadoopConfiguration())


def _check_master(master: str) -> None:
    """Raise `SparkUnusable` if no host of a "spark://HOST:PORT,HOST:PORT" address accepts a connection."""
    if not master.startswith("spark://"):
        return
    why = ""
    for host in master.removeprefix("spark://").split(","):
        try:
            address = urlsplit(f"//{host}")
            socket.create_connection((address.hostname or "", address.port or 7077), CONNECT_TIMEOUT_S).close()
        except (OSError, ValueError) as error:
            why = str(error)
        else:
            return
    raise SparkUnusable(f"cannot reach the Spark master '{master}': {why}")


@dataclass(frozen=True, slots=True)
class _SparkInput:
    path: str
    form: ArticleFormat
    head: str = ""


def mine_on_spark(
    spark: SparkSession,
    paths: Sequence[str],
    out: str,
    form: ArticleFormat | None,
    rules: Sequence[Rule],
    judge: str = ENCODER,
    split: int = SPLIT_BYTES,
) -> MiningSummary:
    """Mine Hadoop paths, folders or patterns into a new folder of Parquet files, and return the counts.

    The format is detected by the beginning of each input, unless `form` names it. Raises `InputMissing`, `FormatUnknown`, and
    `SparkUnusable` if `out` exists already or the job fails; a failed job leaves nothing there.
    """
    if _hadoop_path_exists(spark, out):
        raise SparkUnusable(f"'{out}' is there already; name a new folder for the output")
    inputs = [_inspect_input(spark, path, form) for path in paths]
    spark.sparkContext._jsc.hadoopConfiguration().set("mapreduce.input.fileinputformat.split.maxsize", str(split))
    try:
        with spark_errors("mining on Spark failed"):
            return _mine_all(spark, inputs, out, rules, judge)
    except BaseException:
        with spark_errors(f"cannot remove '{out}'"):
            place, files = _hadoop_files(spark, out)
            files.delete(place, True)
        raise


def _mine_all(spark: SparkSession, inputs: Sequence[_SparkInput], out: str, rules: Sequence[Rule], judge: str) -> MiningSummary:
    from pyspark import StorageLevel

    context = spark.sparkContext
    counted = context.accumulator(Counter(), _CounterSum())
    shared = context.broadcast(tuple(rules))
    parts = []
    for source in inputs:
        records = _split_records(spark, source.path, _RECORD_DELIMITERS[source.form])
        parts.append(records.mapPartitions(partial(_mine_records, source, shared, judge, counted)))
    # The mined rows wait on the workers' disks between the two writes, so that nothing is mined twice.
    mined = context.union(parts).persist(StorageLevel.DISK_ONLY)
    for columns, schema, place in ((STATEMENT_COLUMNS, STATEMENT_SCHEMA, out), (ALIAS_COLUMNS, ALIAS_SCHEMA, f"{out}/{ALIASES}")):
        rows = mined.filter(lambda row, columns=columns: len(row) == columns)
        spark.createDataFrame(rows, schema, verifySchema=False).write.parquet(place)
    counts: Counter[str] = counted.value
    summary = MiningSummary(skipped=counts)
    for name in _CHUNK_COUNTS:
        setattr(summary, name, counts.pop(name, 0))
    summary.aliases = spark.read.schema(ALIAS_SCHEMA).parquet(f"{out}/{ALIASES}").count()
    written = spark.read.schema(STATEMENT_SCHEMA).parquet(out).groupBy("relation", "stance", "rule").count()
    for relation, stance, rule, count in written.collect():
        summary.add_claims(relation, stance, rule, count)
    return summary


def _inspect_input(spark: SparkSession, path: str, form: ArticleFormat | None) -> _SparkInput:
    if not _hadoop_path_exists(spark, path):
        raise InputMissing(path)
    with spark_errors(f"cannot read '{path}'"):
        begin = next((line for line in spark.sparkContext.textFile(path).take(50) if line.strip()), "")
        chosen = form or format_of_head(begin.encode())
        if chosen not in _RECORD_DELIMITERS or (chosen is ArticleFormat.JSONL and begin.lstrip().startswith("[")):
            raise FormatUnknown(path, _EXPECTED_FORMATS)
        return _SparkInput(path, chosen, _split_records(spark, path, "<page>").first() if chosen is ArticleFormat.XML else "")


def _split_records(spark: SparkSession, path: str, delimiter: str) -> RDD[str]:
    hadoop = "org.apache.hadoop"
    classes = f"{hadoop}.mapreduce.lib.input.TextInputFormat", f"{hadoop}.io.LongWritable", f"{hadoop}.io.Text"
    conf = {"textinputformat.record.delimiter": delimiter}
    pairs: RDD[tuple[int, str]] = spark.sparkContext.newAPIHadoopFile(path, *classes, conf=conf)
    return pairs.values()


def _whole_file(source: _SparkInput, record: str) -> str:
    match source.form:
        case ArticleFormat.WIKIEXTRACTOR:
            return f"{'' if record.startswith('<doc ') else '<doc '}{record}\n" if record.strip() else ""
        case ArticleFormat.XML:
            start = record.find("<page>")
            return f"{source.head}{record[start:]}</page></mediawiki>" if start >= 0 else ""
        case _:
            return record if record.strip() else ""


def _read_records(source: _SparkInput, records: Iterable[str], on_skip: OnSkip) -> Iterator[Article | Alias]:
    for record in records:
        if whole := _whole_file(source, record):
            try:
                stream = InputStream(io.BytesIO(whole.encode()), source.path, None)
                yield from read_articles(stream, source.form, on_skip)
            except FormatUnknown:
                continue  # its skips are reported already
            except GraphError as error:
                on_skip(Skipped(source.path, str(error).removeprefix(f"cannot read '{source.path}': ")))


def _mine_records(
    source: _SparkInput, shared: Broadcast[tuple[Rule, ...]], judge: str, counted: Accumulator[Any], records: Iterable[str]
) -> Iterator[tuple[object, ...]]:
    """Yield the rows that are mined from a part of an input; the counts of a repeated task are added twice."""

    def skip(skipped: Skipped) -> None:
        counted.add(Counter({skipped.reason: 1}))

    miner = _miner_of_process(shared.value, judge)
    aliases: list[Alias] = []
    for chunk in article_chunks(articles_among(_read_records(source, records, skip), aliases.append)):
        mined = mine_chunk(miner, chunk)
        counted.add(Counter({name: getattr(mined, name) for name in _CHUNK_COUNTS}))
        yield from (tuple(statement_row(statement).values()) for statement in mined.statements)
        aliases.extend(mined.aliases)
    yield from dict.fromkeys((alias.name, alias.concept) for alias in aliases)


@lru_cache(maxsize=1)
def _miner_of_process(rules: tuple[Rule, ...], judge: str) -> Miner:
    return Miner(rules, judge=open_judge(judge))


class _CounterSum:
    def zero(self, value: Counter[str]) -> Counter[str]:
        return Counter()

    def addInPlace(self, first: Counter[str], second: Counter[str]) -> Counter[str]:  # noqa: N802 - Spark's name
        first.update(second)
        return first
