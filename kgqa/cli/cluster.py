"""`kgqa mine --engine spark`: mine on a cluster, into Parquet files."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph.mining.rules import Rule
from graph.sources.formats import ArticleFormat
from kgqa.cli.terminal import count_text, note, say, say_counts, say_json

if TYPE_CHECKING:
    from graph.mining.distributed import SparkTotals


def mine_on_cluster(
    inputs: Sequence[str], out: str, master: str, form: ArticleFormat | None, rules: Sequence[Rule], json: bool
) -> None:
    """Mine Hadoop paths into a new folder of Parquet files and tell what was done."""
    from graph.mining.distributed import mine_on_spark
    from graph.mining.spark import spark_session

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
