"""Mining on Spark: what it writes and `kgqa load parquet` takes is what mining on one machine stores."""

from __future__ import annotations

import bz2
import importlib.util
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest
from running import kgqa

from graph.errors import FormatUnknown, InputMissing
from graph.mining.rules.rule_tables import builtin_rules
from graph.model import Statement
from graph.stores import open_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ARTICLES = 60
DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <base>https://en.wikipedia.org/wiki/Main_Page</base>
    <namespaces><namespace key="0" case="first-letter" /><namespace key="6" case="first-letter">File</namespace></namespaces>
  </siteinfo>
"""
PAGE = "  <page>\n    <title>{}</title>\n    <ns>0</ns>\n    <id>{}</id>\n{}  </page>\n"
REVISION = "    <revision>\n      <id>9{}</id>\n      <model>wikitext</model>\n      <text>{}</text>\n    </revision>\n"


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    """Skip where Spark or Java is missing; where everything is to be tested, a machine with Java must have Spark."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not here")
    if importlib.util.find_spec("pyspark") is None or importlib.util.find_spec("pyarrow") is None:
        assert not os.environ.get("CI"), "Java is here, so pip install 'kgqa[cluster]' belongs to this run"
        pytest.skip("pyspark is not installed: pip install 'kgqa[cluster]'")


@pytest.fixture(scope="module")
def spark(_installed: None) -> Iterator[SparkSession]:
    """A session on two cores of this machine."""
    from graph.mining.spark import spark_session

    with spark_session("local[2]") as session:
        yield session


def texts() -> list[str]:
    """The example sentences of the rules, some paragraphs of some sentences an article."""
    sentences = [example.text for rule in builtin_rules() for example in rule.matches]
    return [" ".join(sentences[number::ARTICLES]) + f"\n\nArticle {number} causes trouble." for number in range(ARTICLES)]


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WikiExtractor file of many articles, one of which is never closed, packed in bzip2 blocks of 100 kB."""
    file = tmp_path_factory.mktemp("wiki") / "wiki_00.bz2"
    articles = [
        f'<doc id="{number}" url="https://en.wikipedia.org/wiki?curid={number}" title="Article {number}">\n{text}\n</doc>\n'
        for number, text in enumerate(texts())
    ]
    articles[7] = articles[7].replace("</doc>\n", "")
    file.write_bytes(bz2.compress("".join(articles).encode(), 1))
    return file


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A MediaWiki dump of many pages, with lists, redirects and a page that its end cuts short."""
    file = tmp_path_factory.mktemp("dump") / "pages.xml"
    pages = []
    for number, text in enumerate(texts()):
        body = f"'''Article {number}''' is here.\n\n{text}\n== Causes ==\n* [[heavy rain]]\n* [[landslide]]s\n"
        pages.append(PAGE.format(f"Article {number}", number, REVISION.format(number, escape(body))))
    pages.append(PAGE.format("Downpour", 5_000, '    <redirect title="Heavy rain" />\n' + REVISION.format(5, "#REDIRECT")))
    file.write_text(DUMP + "".join(pages) + PAGE.format("Cut", 6_000, REVISION.format(6, "Rain causes mud."))[:-40])
    return file


def held(graph: Path) -> tuple[set[Statement], str]:
    """The statements of a graph that is sound, and its digest."""
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        return set(store.statements()), store.digest()


def loaded(out: Path) -> tuple[set[Statement], str]:
    """What `kgqa load` makes of a folder of part files."""
    graph = out.with_suffix(".loaded.kgqa")
    ended = kgqa("load", "parquet", out, "-g", graph)
    assert (ended.code, ended.err) == (0, "")
    return held(graph)


def mined_here(path: Path, graph: Path, code: int = 0) -> tuple[set[Statement], str]:
    """What mining on one machine makes of a file."""
    ended = kgqa("mine", path, "-g", graph, "--workers", "1")
    assert ended.code == code, ended.err
    return held(graph)


def test_a_wikiextractor_file_gives_the_same_claims_in_any_number_of_parts(
    spark: SparkSession, wiki: Path, tmp_path: Path
) -> None:
    from graph.mining.spark import mine_on_spark

    plain, out = tmp_path / "wiki_00", tmp_path / "out.parquet"
    plain.write_bytes(bz2.decompress(wiki.read_bytes()))
    totals = mine_on_spark(spark, [str(plain)], str(out), None, builtin_rules(), split=plain.stat().st_size // 7)
    here, digest = mined_here(wiki, tmp_path / "here.kgqa")
    there, loaded_digest = loaded(out)

    assert len(list(out.glob("part-*.parquet"))) >= 7
    assert len(here) > 150
    assert there == here
    assert loaded_digest == digest
    assert totals.articles == ARTICLES - 1
    assert totals.skipped == {"never closed": 1}
    assert totals.claim_count == totals.stances.total() == totals.rules.total() >= len(here)


def test_a_dump_gives_the_same_claims_and_aliases(spark: SparkSession, dump: Path, tmp_path: Path) -> None:
    from graph.mining.spark import mine_on_spark

    out = tmp_path / "out.parquet"
    totals = mine_on_spark(spark, [str(dump)], str(out), None, builtin_rules(), split=dump.stat().st_size // 3)
    here, digest = mined_here(dump, tmp_path / "here.kgqa", code=1)  # it is cut short
    there, loaded_digest = loaded(out)

    assert there == here
    assert loaded_digest == digest
    assert totals.articles == ARTICLES
    assert totals.aliases > 0
    assert totals.skipped.total() == 1


def test_several_inputs_and_json_lines_are_mined_together(spark: SparkSession, tmp_path: Path) -> None:
    from graph.mining.spark import mine_on_spark

    out, first, second = tmp_path / "out.parquet", tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text('{"id": "1", "title": "Rain", "text": "Rain causes floods."}\nnot JSON\n')
    second.write_text('{"id": "2", "title": "Smoking", "text": "Smoking causes cancer."}\n')
    totals = mine_on_spark(spark, [str(first), str(second)], str(out), None, builtin_rules())

    assert {(one.claim.cause, one.claim.effect) for one in loaded(out)[0]} == {("rain", "flood"), ("smoking", "cancer")}
    assert (totals.articles, totals.skipped) == (2, {"broken JSON": 1})


def test_what_is_wrong_is_told_before_anything_is_mined(spark: SparkSession, tmp_path: Path) -> None:
    from graph.mining.spark import SparkUnusable, mine_on_spark

    text = tmp_path / "text.txt"
    text.write_text("Rain causes floods.")
    with pytest.raises(SparkUnusable, match="is there already; name a new folder for the output"):
        mine_on_spark(spark, [str(text)], str(tmp_path), None, builtin_rules())
    with pytest.raises(InputMissing, match="no such file"):
        mine_on_spark(spark, [str(tmp_path / "none")], str(tmp_path / "out"), None, builtin_rules())
    with pytest.raises(FormatUnknown, match="WikiExtractor's output, a MediaWiki XML dump or JSON lines"):
        mine_on_spark(spark, [str(text)], str(tmp_path / "out"), None, builtin_rules())
    assert not (tmp_path / "out").exists()


def test_the_command_mines_into_parquet_files_that_load_takes(wiki: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    ended = kgqa("mine", wiki, "--engine", "spark", "--master", "local[2]", "-o", out, "--json")
    assert (ended.code, ended.err) == (0, "")
    done = json.loads(ended.out)
    assert (done["articles"], done["skipped"]) == (ARTICLES - 1, {"never closed": 1})
    assert loaded(out) == mined_here(wiki, tmp_path / "here.kgqa")


@pytest.mark.parametrize(
    ("arguments", "code", "fact"),
    [
        (["--engine", "spark", "-o", "out"], 2, "--engine spark needs --master"),
        (["--engine", "spark", "--master", "local"], 2, "--engine spark needs --out"),
        (["--engine", "spark", "--master", "local", "-o", "out", "-g", "x.kgqa"], 2, "--graph does not go with --engine spark"),
        (
            ["--engine", "spark", "--master", "spark://127.0.0.1:9", "-o", "out"],
            1,
            "cannot reach the Spark master 'spark://127.0.0.1:9'",
        ),
        (["--engine", "spark", "--master", "nonsense", "-o", "out"], 1, "Spark did not start on 'nonsense'"),
        (["-o", "out", "-g", "x.kgqa"], 2, "--out goes with --engine spark only"),
    ],
)
def test_wrong_use_is_one_line(wiki: Path, tmp_path: Path, arguments: list[str], code: int, fact: str) -> None:
    ended = kgqa("mine", wiki, *(str(tmp_path / one) if one in ("out", "x.kgqa") else one for one in arguments))
    assert ended.code == code
    assert ended.err.startswith(f"kgqa: {fact}")
    assert "Traceback" not in ended.err
    assert list(tmp_path.iterdir()) == []


def test_without_java_it_says_so(wiki: Path, tmp_path: Path) -> None:
    ended = kgqa("mine", wiki, "--engine", "spark", "--master", "local", "-o", tmp_path / "out", JAVA_HOME=str(tmp_path))
    assert ended.code == 1
    assert ended.err.startswith("kgqa: Spark needs Java, and there is none\n      try: apt-get install ")
