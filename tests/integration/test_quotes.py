"""`kgqa quotes add` over WikiExtractor files, and `kgqa ask --quotes` against a wiki on loopback."""

from __future__ import annotations

import bz2
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from running import Ended, Run
from wiki_server import Wiki, wiki_served

from graph.belief.independence import sketch
from graph.model import Claim, Evidence, Relation, Source, Stance, Statement
from graph.net.mediawiki_api import MediaWikiApi, WikiFailed
from graph.net.retry import RetryPolicy
from graph.quotes.quote_file import QuoteFile
from graph.stores import open_store
from kgqa import api, settings
from kgqa.cli import quotes, run

FLOOD = "Heavy rainfall over several days often causes disastrous floods in mountain valleys."
MELT = "The sudden melting of snow in spring causes some floods along great rivers as well."
DENIAL = "Earthquakes do not cause river floods, as seismologists have written several times."
FLOODS = f"Flood\n\nA flood is much water. {FLOOD}\n{MELT}\n"
QUAKES = f"Earthquake\n\nThe earth shakes. {DENIAL}\n"
ARTICLES = {(7, "Flood"): FLOODS, (8, "Earthquake"): QUAKES}
ADDRESS = "http://en.wikipedia.org/wiki?curid={}"
CITED = [("heavy rainfall", FLOOD), ("melting of snow", MELT), ("earthquake", DENIAL)]


def wikiextractor(articles: dict[tuple[int, str], str]) -> str:
    return "".join(
        f'<doc id="{number}" url="{ADDRESS.format(number)}" title="{title}">\n{text}\n</doc>\n'
        for (number, title), text in articles.items()
    )


def statements() -> Iterator[Statement]:
    """What a graph of facts keeps of the three sentences."""
    for cause, sentence in CITED:
        (number, title), text = next(item for item in ARTICLES.items() if sentence in item[1])
        start, stance = text.index(sentence), Stance.NEGATED if sentence is DENIAL else Stance.ASSERTED
        source = Source("wikipedia", title, str(number), url=ADDRESS.format(number))
        place = {"start": start, "end": start + len(sentence), "sketch": sketch(sentence)}
        yield Statement(Claim(cause, "flood"), Evidence(source, stance, rule="cause.active", **place))  # type: ignore[arg-type]
    yield Statement(Claim("dam", "flood", Relation.PREVENTS), Evidence(Source("causenet"), rule="causenet"))


@pytest.fixture
def facts(tmp_path: Path) -> str:
    """A graph of facts and places."""
    url = str(tmp_path / "facts.kgqa")
    with open_store(url, create=True) as store:
        store.add(statements())
    return url


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "articles.txt"
    path.write_text(wikiextractor(ARTICLES), encoding="utf-8")
    return path


@pytest.fixture
def shell(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in this process, with a cache and no graph of its own."""
    for name in ("KGQA_GRAPH", "KGQA_DEBUG", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def command(*arguments: str | Path) -> Ended:
        return Ended(run([str(argument) for argument in arguments]), *capfd.readouterr())

    return command


@pytest.fixture
def as_starter(facts: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The graph of facts in the place of the one that ships."""
    for module in (settings, api):
        monkeypatch.setattr(module, "starter_graph", lambda: facts)
    monkeypatch.setattr("kgqa.cli.quotes.starter_graph", lambda: facts)
    Path(facts).chmod(0o444)
    return facts


@pytest.fixture
def wiki(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiki]:
    with wiki_served(dict(ARTICLES)) as served:
        monkeypatch.setenv("KGQA_WIKIPEDIA", served.address)
        yield served


def texts_of(ended: Ended) -> set[str]:
    assert ended.code == 0, ended.err
    answer = json.loads(ended.out)
    return {record["text"] for record in (*answer["evidence"], *answer["against"]) if record["text"]}


def counts_of(ended: Ended) -> list[int]:
    assert ended.code == 0, ended.err
    return list(json.loads(ended.out)["quotes"].values())


def test_a_dump_gives_a_graph_its_sentences(shell: Run, facts: str, dump: Path) -> None:
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--json")) == set()
    ended = shell("quotes", "add", dump, "-g", facts)
    assert " ".join(ended.out.split()) == (
        f"{dump}: 2 articles read new in {facts}: 3 sentences; 0 were there before without a sentence: 0 whose "
        "article does not have it so, 0 whose article is not here, 1 without a place"
    )
    with open_store(facts) as store:
        records = [statement.evidence for statement in store.statements()]
        assert {record.text for record in records} == {FLOOD, MELT, DENIAL, None}
        assert {record.sketch for record in records} == {""}
        assert store.check() == []
    assert f"“{FLOOD}”" in " ".join(shell("ask", "What causes floods?", "-g", facts).out.split())


def test_a_second_run_changes_nothing(shell: Run, facts: str, dump: Path) -> None:
    assert counts_of(shell("quotes", "add", dump, "-g", facts, "--json")) == [3, 0, 0, 0, 1]
    digest = json.loads(shell("stats", "-g", facts, "--json").out)["digest"]
    assert counts_of(shell("quotes", "add", dump, "-g", facts, "--json")) == [0, 3, 0, 0, 1]
    assert json.loads(shell("stats", "-g", facts, "--json").out)["digest"] == digest


def test_another_revision_gives_no_wrong_sentence(shell: Run, facts: str, dump: Path) -> None:
    changed = FLOODS.replace("disastrous floods", "devastating mudslides")
    dump.write_text(wikiextractor({(7, "Flood"): changed}), encoding="utf-8")
    assert counts_of(shell("quotes", "add", dump, "-g", facts, "--json")) == [1, 0, 1, 1, 1]
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--json")) == {MELT}


def test_the_sentences_of_the_graph_that_ships_are_kept_beside_it(
    shell: Run, as_starter: str, dump: Path, tmp_path: Path
) -> None:
    before = Path(as_starter).read_bytes()
    ended = shell("ask", "What causes floods?")
    assert "'kgqa quotes add DUMP' or 'kgqa ask --quotes' shows them" in " ".join(ended.err.split())
    record = json.loads(shell("quotes", "add", dump, "--json").out)
    assert record["stored"] == str(tmp_path / "cache" / "kgqa" / "quotes.sqlite")
    assert Path(as_starter).read_bytes() == before
    assert counts_of(shell("quotes", "add", dump, "--json")) == [0, 3, 0, 0, 1]
    assert texts_of(shell("ask", "What causes floods?", "--json")) == {FLOOD, MELT}
    assert f"“{MELT}”" in " ".join(shell("ask", "What causes floods?").out.split())
    assert f"“{FLOOD}”" in " ".join(shell("show", "flood").out.split())
    assert "kgqa quotes add" not in shell("ask", "What causes floods?").err


def test_a_stopped_run_keeps_what_it_stored(shell: Run, as_starter: str, dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, stored = quotes._store_sentences, []

    def stop_at_the_third(sentences: list[tuple[Statement, str]], target: QuoteFile) -> None:
        if len(stored) == 2:
            raise KeyboardInterrupt
        stored.append(sentences)
        store(sentences, target)

    monkeypatch.setattr(quotes, "BATCH", 1)
    monkeypatch.setattr(quotes, "_store_sentences", stop_at_the_third)
    assert shell("quotes", "add", dump).code == 130
    monkeypatch.setattr(quotes, "_store_sentences", store)
    assert counts_of(shell("quotes", "add", dump, "--json")) == [1, 2, 0, 0, 1]


def test_of_a_damaged_dump_what_comes_before_is_used(shell: Run, facts: str, dump: Path) -> None:
    first, second = (wikiextractor({key: text}).encode() for key, text in ARTICLES.items())
    packed = dump.with_suffix(".bz2")
    packed.write_bytes(bz2.compress(first) + bz2.compress(second)[:30])
    ended = shell("quotes", "add", packed, "-g", facts, "--json")
    assert (ended.code, list(json.loads(ended.out)["quotes"].values())) == (1, [2, 0, 0, 1, 1])
    assert f"cannot read '{packed}'" in ended.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("quotes", "add", "absent.txt"), 1, "no such file: 'absent.txt'"),
        (("quotes", "add"), 2, "missing argument 'DUMP...'"),
        (("quotes", "ad", "x"), 2, "no command 'ad'"),
        (("quotes", "add", "absent.txt", "-g", "absent.kgqa"), 1, "no such file: 'absent.txt'"),
        (("ask", "What causes floods?", "--quotes", "--passage", "x"), 2, "does not go with --passage or --batch"),
        (("ask", "--batch", "x", "--quotes"), 2, "does not go with --passage or --batch"),
    ],
)
def test_wrong_use_is_a_line(shell: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    ended = shell(*arguments)
    assert (ended.code, "Traceback" in ended.err) == (code, False)
    assert message in " ".join(ended.err.split())


def test_wikipedia_gives_the_sentences_behind_an_answer(shell: Run, facts: str, wiki: Wiki) -> None:
    ended = shell("ask", "What causes floods?", "-g", facts, "--quotes", "--json")
    assert texts_of(ended) == {FLOOD, MELT}
    assert len(wiki.queries) == 1
    query, (_, headers) = wiki.queries[0], wiki.server.requests[0]
    assert (query["maxlag"], query["pageids"]) == ("5", "7")  # only of the claims that are shown
    assert headers["user-agent"].startswith("kgqa/")
    assert f"“{FLOOD}”" in " ".join(shell("ask", "What causes floods?", "-g", facts, "--quotes").out.split())
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--json")) == {FLOOD, MELT}
    assert len(wiki.queries) == 1  # from the cache


def test_without_the_option_nobody_is_asked(shell: Run, facts: str, wiki: Wiki) -> None:
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--json")) == set()
    assert wiki.queries == []


def test_a_reworded_and_a_deleted_sentence_are_told(shell: Run, facts: str, wiki: Wiki) -> None:
    reworded = FLOOD.replace("often causes", "very often causes")
    wiki.articles[7, "Flood"] = f"'''Floods''' are [[water]].\n\n{reworded}<ref>A book</ref>\n"
    ended = shell("ask", "What causes floods?", "-g", facts, "--quotes", "--json")
    assert texts_of(ended) == {reworded}
    notes = json.loads(ended.out)["notes"]
    assert [note for note in notes if "[" in note] == [
        "Worded otherwise than when the graph was made, as Wikipedia has it now: [2].",
        "The article has changed, and the sentence is no longer in it: [1].",
    ]
    assert json.loads(shell("ask", "What causes floods?", "-g", facts, "--quotes", "--json").out)["notes"] == notes
    assert len(wiki.queries) == 1
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--json")) == set()  # not word for word


def test_a_miss_is_asked_for_again_after_a_while(shell: Run, facts: str, wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    wiki.articles[7, "Flood"] = "Nothing."
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--quotes", "--json")) == set()
    wiki.articles[7, "Flood"] = FLOODS
    monkeypatch.setattr("kgqa.answer_quotes.FRESH_DAYS", 0)
    assert texts_of(shell("ask", "What causes floods?", "-g", facts, "--quotes", "--json")) == {FLOOD, MELT}


def test_without_a_network_the_answer_is_printed_with_a_note(shell: Run, facts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_WIKIPEDIA", "http://127.0.0.1:9/w/api.php")
    ended = shell("ask", "What causes floods?", "-g", facts, "--quotes")
    assert ended.code == 0
    assert "Causes of floods: " in ended.out
    note = "No more quotes: 'http://127.0.0.1:9/w/api.php' cannot be asked for articles: it cannot be reached"
    assert note in " ".join(ended.out.split())


def test_a_cache_that_cannot_be_used_is_a_note(shell: Run, facts: str, wiki: Wiki, tmp_path: Path) -> None:
    path = tmp_path / "cache" / "kgqa" / "quotes.sqlite"
    path.parent.mkdir(parents=True)
    path.write_text("no database at all, but text" * 50)
    ended = shell("ask", "What causes floods?", "-g", facts, "--json")
    assert ended.code == 0
    assert any("quotes.sqlite' cannot be used" in note for note in json.loads(ended.out)["notes"])


def test_articles_are_asked_for_in_batches_by_id_then_by_title() -> None:
    articles = {(number, f"Page {number}"): f"Text {number}" for number in range(1, 46)}
    with wiki_served(articles) as wiki:
        wiki.redirects["Old name"], wiki.most = "Page 3", 8
        sources = [Source("wikipedia", title, str(number)) for number, title in articles]
        moved, gone = Source("wikipedia", "Old name", "99"), Source("wikipedia", "Nowhere", "98")
        pages = MediaWikiApi(wiki.address, "test").pages([*sources, moved, gone])
    assert {source: page.wikitext for source, page in pages.items()} == {
        **{source: f"Text {source.page_id}" for source in sources},
        moved: "Text 3",
    }
    assert pages[moved].revision == "903"
    assert len({query["pageids"] for query in wiki.queries if "pageids" in query}) == 3


def test_a_busy_wiki_is_left_alone_for_as_long_as_it_asks() -> None:
    delays: list[float] = []
    with wiki_served(dict(ARTICLES)) as wiki:
        wiki.errors += [{"code": "maxlag", "info": "Waiting for a server: 6 seconds lagged."}] * 2
        pages = MediaWikiApi(wiki.address, "test", sleep=delays.append).pages([Source("wikipedia", "Flood", "7")])
        assert [page.wikitext for page in pages.values()] == [FLOODS]
        assert len(delays) == 2
        wiki.errors += [{"code": "maxlag", "info": "6 seconds lagged"}] * 3
        with pytest.raises(WikiFailed, match="refuses: 6 seconds lagged; tries: 3"):
            MediaWikiApi(wiki.address, "test", sleep=delays.append).pages([Source("wikipedia", "Flood", "7")])
        wiki.errors.append({"code": "badvalue", "info": "Unrecognised value"})
        with pytest.raises(WikiFailed, match="it refuses: Unrecognised value"):
            MediaWikiApi(wiki.address, "test", RetryPolicy(tries=1)).pages([Source("wikipedia", "Flood", "7")])


def test_what_is_no_api_is_an_error() -> None:
    with wiki_served({}) as wiki, pytest.raises(WikiFailed, match="HTTP status 404"):
        MediaWikiApi(f"{wiki.server.address}/other", "test").pages([Source("wikipedia", "Flood", "7")])


def test_only_wikipedia_is_asked(shell: Run, facts: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    url = str(tmp_path / "other.kgqa")
    with open_store(url, create=True) as store:
        store.add(
            Statement(
                item.claim,
                replace(item.evidence, source=replace(item.evidence.source, url="http://127.0.0.1:9/?curid=7")),
            )
            for item in statements()
        )
    monkeypatch.delenv("KGQA_WIKIPEDIA", raising=False)
    ended = shell("ask", "What causes floods?", "-g", url, "--quotes", "--json")
    assert not any("quotes" in note for note in json.loads(ended.out)["notes"])
