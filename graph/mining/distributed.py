"""Mining on a Spark cluster: the same miner, from Hadoop paths into Parquet files, without a shuffle.

The inputs are cut into records, an article or page each, by Hadoop's own splitting, which cuts bzip2 files too. A record is
read by the reader of its format, as if it were a file by itself, and mined by a miner that lives as long as its Python process.
"""

from __future__ import annotations

import io
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from graph.errors import FormatUnknown, GraphError, InputMissing
from graph.mining.identity import rules_hash
from graph.mining.rules import Rule
from graph.mining.spark import SparkUnusable, hadoop_path_exists, remove_hadoop_path, spark_errors
from graph.model import Alias
from graph.sources.article import Article, Skipped
from graph.sources.formats import ArticleFormat, format_of_head, read_articles
from graph.sources.parquet import ALIASES, statement_row
from graph.sources.streams import InputStream, OnSkip

if TYPE_CHECKING:
    from pyspark import RDD, Accumulator
    from pyspark.broadcast import Broadcast
    from pyspark.sql import SparkSession

    from graph.mining.miner import Miner

SPLIT_BYTES = 32 << 20
"""Bytes of input a task, as they lie on disk: some minutes of work, so that little is lost with a task."""

STATEMENT_SCHEMA = (
    "cause string, effect string, relation string, polarity string, strength string, stance string, rule string, text string, "
    "section string, sketch string, source_kind string, source_title string, source_page_id string, source_revision string, "
    "source_url string, start bigint, end bigint, context array<struct<slot: string, words: string>>"
)
"""The columns of `graph.sources.parquet` as Spark names their types."""

ALIAS_SCHEMA = "name string, concept string"
STATEMENT_COLUMNS, ALIAS_COLUMNS = 18, 2
"""How many columns each kind of row has."""

_RECORD_DELIMITERS = {ArticleFormat.WIKIEXTRACTOR: "\n<doc ", ArticleFormat.XML: "</page>", ArticleFormat.JSONL: "\n"}
_EXPECTED_FORMATS = "WikiExtractor's output, a MediaWiki XML dump or JSON lines, which are what Spark can cut"

SharedRules = tuple[str, tuple[Rule, ...]]


@dataclass(slots=True)
class SparkTotals:
    """What a run on a cluster did. Claims are counted in the output; what was skipped twice by a repeated task counts twice."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    claim_count: int = 0
    aliases: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    stances: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _SparkInput:
    """A Hadoop path with its format and, of a dump, what stands before its first page."""

    path: str
    form: ArticleFormat
    head: str = ""


def mine_on_spark(
    spark: SparkSession,
    paths: Sequence[str],
    out: str,
    form: ArticleFormat | None,
    rules: Sequence[Rule],
    split: int = SPLIT_BYTES,
) -> SparkTotals:
    """Mine Hadoop paths, folders or patterns into a new folder of Parquet files, and return what was done.

    The format is known by how each input begins, unless `form` says it. Raises `InputMissing`, `FormatUnknown`, and
    `SparkUnusable` where something is at `out` already or the job fails; then nothing is left there.
    """
    if hadoop_path_exists(spark, out):
        raise SparkUnusable(f"'{out}' is there already; name a new folder for the output")
    inputs = [_inspect_input(spark, path, form) for path in paths]
    spark.sparkContext._jsc.hadoopConfiguration().set("mapreduce.input.fileinputformat.split.maxsize", str(split))
    try:
        with spark_errors("mining on Spark failed"):
            return _mine_all(spark, inputs, out, rules)
    except BaseException:
        remove_hadoop_path(spark, out)
        raise


def _mine_all(spark: SparkSession, inputs: Sequence[_SparkInput], out: str, rules: Sequence[Rule]) -> SparkTotals:
    """Write the statements and the aliases of the inputs, and count what was written.

    What is mined waits on the workers' disks between the two, so that nothing is mined twice.
    """
    from pyspark import StorageLevel

    context = spark.sparkContext
    counted = context.accumulator(Counter(), _CounterSum())
    shared = context.broadcast((rules_hash(rules), tuple(rules)))
    parts = [
        _split_records(spark, source.path, _RECORD_DELIMITERS[source.form]).mapPartitions(
            partial(_mine_records, source, shared, counted)
        )
        for source in inputs
    ]
    mined = context.union(parts).persist(StorageLevel.DISK_ONLY)
    for columns, schema, place in ((STATEMENT_COLUMNS, STATEMENT_SCHEMA, out), (ALIAS_COLUMNS, ALIAS_SCHEMA, f"{out}/{ALIASES}")):
        rows = mined.filter(partial(_has_column_count, columns))
        spark.createDataFrame(rows, schema, verifySchema=False).write.parquet(place)
    counts: Counter[str] = counted.value
    totals = SparkTotals(counts.pop("articles", 0), counts.pop("sentences", 0), counts.pop("too long", 0), skipped=counts)
    totals.aliases = spark.read.schema(ALIAS_SCHEMA).parquet(f"{out}/{ALIASES}").count()
    written = spark.read.schema(STATEMENT_SCHEMA).parquet(out).groupBy("relation", "stance", "rule").count()
    for relation, stance, rule, count in written.collect():
        totals.claim_count += count
        totals.relations[relation] += count
        totals.stances[stance] += count
        totals.rules[rule] += count
    return totals


def _inspect_input(spark: SparkSession, path: str, form: ArticleFormat | None) -> _SparkInput:
    """Return an input with its format; raise `InputMissing`, or `FormatUnknown` for one that cannot be cut into records."""
    if not hadoop_path_exists(spark, path):
        raise InputMissing(path)
    with spark_errors(f"cannot read '{path}'"):
        begin = next((line for line in spark.sparkContext.textFile(path).take(50) if line.strip()), "")
        chosen = form or format_of_head(begin.encode())
        if chosen not in _RECORD_DELIMITERS or (chosen is ArticleFormat.JSONL and begin.lstrip().startswith("[")):
            raise FormatUnknown(path, _EXPECTED_FORMATS)
        return _SparkInput(path, chosen, _split_records(spark, path, "<page>").first() if chosen is ArticleFormat.XML else "")


def _split_records(spark: SparkSession, path: str, delimiter: str) -> RDD[str]:
    """Return the text at a path, cut at a delimiter, which is in none of the pieces."""
    pairs: RDD[tuple[int, str]] = spark.sparkContext.newAPIHadoopFile(
        path,
        "org.apache.hadoop.mapreduce.lib.input.TextInputFormat",
        "org.apache.hadoop.io.LongWritable",
        "org.apache.hadoop.io.Text",
        conf={"textinputformat.record.delimiter": delimiter},
    )
    return pairs.values()


def _whole_file(source: _SparkInput, record: str) -> str:
    """Return a record as a file by itself, or nothing for what stands before, behind and between records."""
    match source.form:
        case ArticleFormat.WIKIEXTRACTOR:
            return f"{'' if record.startswith('<doc ') else '<doc '}{record}\n" if record.strip() else ""
        case ArticleFormat.XML:
            start = record.find("<page>")
            return f"{source.head}{record[start:]}</page></mediawiki>" if start >= 0 else ""
        case _:
            return record if record.strip() else ""


def _read_records(source: _SparkInput, records: Iterable[str], on_skip: OnSkip) -> Iterator[Article | Alias]:
    """Yield the articles and aliases of records; what is wrong with a record is told to `on_skip`."""
    for record in records:
        if whole := _whole_file(source, record):
            try:
                stream = InputStream(io.BytesIO(whole.encode()), source.path, None)
                yield from read_articles(stream, source.form, on_skip)
            except FormatUnknown:
                continue  # nothing but skips, which were told
            except GraphError as error:
                on_skip(Skipped(source.path, str(error).removeprefix(f"cannot read '{source.path}': ")))


def _mine_records(
    source: _SparkInput, shared: Broadcast[SharedRules], counted: Accumulator[Any], records: Iterable[str]
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the statements and aliases that are mined from a part of an input."""
    from graph.mining.corpus import ARTICLES_PER_CHUNK, mine_chunk

    def skip(skipped: Skipped) -> None:
        counted.add(Counter({skipped.reason: 1}))

    miner = _miner_of_process(*shared.value)
    aliases: list[Alias] = []
    articles = _set_aliases_aside(_read_records(source, records, skip), aliases)
    while chunk := list(itertools.islice(articles, ARTICLES_PER_CHUNK)):
        mined = mine_chunk(miner, chunk)
        counted.add(Counter({"articles": mined.articles, "sentences": mined.sentences, "too long": mined.too_long}))
        yield from (tuple(statement_row(statement).values()) for statement in mined.statements)
        aliases.extend(mined.aliases)
    yield from dict.fromkeys((alias.name, alias.concept) for alias in aliases)


def _set_aliases_aside(items: Iterable[Article | Alias], aliases: list[Alias]) -> Iterator[Article]:
    """Yield the articles and put the aliases aside."""
    for item in items:
        if isinstance(item, Article):
            yield item
        else:
            aliases.append(item)


def _has_column_count(number: int, row: tuple[object, ...]) -> bool:
    """Return whether a row has so many columns."""
    return len(row) == number


_process_miners: dict[str, Miner] = {}


def _miner_of_process(key: str, rules: tuple[Rule, ...]) -> Miner:
    """Return the miner of this process for some rules; it is made once, however many tasks the process gets."""
    from graph.mining.miner import Miner

    if key not in _process_miners:
        _process_miners.clear()
        _process_miners[key] = Miner(rules)
    return _process_miners[key]


class _CounterSum:
    """How Spark adds up counters."""

    def zero(self, value: Counter[str]) -> Counter[str]:
        return Counter()

    def addInPlace(self, first: Counter[str], second: Counter[str]) -> Counter[str]:  # noqa: N802 - Spark's name
        first.update(second)
        return first
