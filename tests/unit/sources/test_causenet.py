from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, InputEmpty, InputMissing, InputUnreadable
from graph.model import Claim, Evidence, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.causenet import read_causenet, shorten_path_pattern

PATTERN = "[[cause]]/N\t-nsubj\tlead/VBP\t+nmod:to\t[[effect]]/N"
WIKIPEDIA = {
    "wikipedia_page_id": "32145",
    "wikipedia_page_title": "Tobacco smoking",
    "wikipedia_revision_id": "803",
    "wikipedia_revision_timestamp": "2017-05-22T19:10:52Z",
}
SOURCES = {
    "clueweb12_sentence": {
        "clueweb12_page_id": "urn:uuid:4cbae00e",
        "clueweb12_page_reference": "http://atlas.example/smoking",
        "clueweb12_page_timestamp": "2012-02-23T21:10:45Z",
        "sentence": "Smoking leads to disability.",
        "path_pattern": PATTERN,
    },
    "wikipedia_sentence": WIKIPEDIA
    | {
        "sentence_section_heading": "Health",
        "sentence_section_level": "2",
        "sentence": "Smoking leads to disability, too.",
        "path_pattern": PATTERN,
    },
    "wikipedia_list": WIKIPEDIA
    | {"list_toc_parent_title": "Disability", "list_toc_section_heading": "Causes", "list_toc_section_level": "2"},
    "wikipedia_infobox": WIKIPEDIA
    | {"infobox_template": "Infobox medical condition", "infobox_title": "Disability", "infobox_argument": "causes"},
}


def relation(cause: object = "tobacco_smoking", effect: object = "disability", **fields: object) -> dict[str, object]:
    return {"causal_relation": {"cause": {"concept": cause}, "effect": {"concept": effect}}, **fields}


def sources(*kinds: str) -> list[dict[str, object]]:
    return [{"type": kind, "payload": SOURCES[kind]} for kind in kinds]


def read(path: Path, content: str, skipped: list[Skipped] | None = None) -> list[Statement]:
    path.write_text(content, encoding="utf-8")
    return list(read_causenet(path, (skipped if skipped is not None else []).append))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "causenet.jsonl"


def test_each_source_of_a_relation_is_one_statement_of_its_claim(path: Path) -> None:
    statements = read(path, json.dumps(relation(sources=sources(*SOURCES), support=4)))
    page = Source("wikipedia", "Tobacco smoking", "32145", "803", "https://en.wikipedia.org/?curid=32145")
    rule = "causenet:cause -nsubj lead +nmod:to effect"
    web = Source("clueweb12", page_id="urn:uuid:4cbae00e", url="http://atlas.example/smoking")
    assert {statement.claim for statement in statements} == {Claim("tobacco smoking", "disability")}
    assert [statement.evidence for statement in statements] == [
        Evidence(web, rule=rule, text="Smoking leads to disability."),
        Evidence(page, rule=rule, text="Smoking leads to disability, too.", section="Health"),
        Evidence(page, rule="causenet:list", section="Causes"),
        Evidence(page, rule="causenet:infobox", section="Infobox medical condition causes"),
    ]


def test_what_causenet_says_is_asserted_in_the_word_causes(path: Path) -> None:
    (statement,) = read(path, json.dumps(relation()))
    assert (statement.evidence.stance, statement.evidence.strength) == (Stance.ASSERTED, Strength.CAUSES)


@pytest.mark.parametrize("fields", [{}, {"sources": []}, {"sources": None, "support": 1}])
def test_a_relation_without_sources_is_evidence_without_text(path: Path, fields: dict[str, object]) -> None:
    assert read(path, json.dumps(relation(**fields))) == [
        Statement(Claim("tobacco smoking", "disability"), Evidence(Source("causenet"), rule="causenet"))
    ]


def test_names_keep_the_words_of_the_file(path: Path) -> None:
    (statement,) = read(path, json.dumps(relation("Use_of_some_of_these_services", "the_additional_charges")))
    assert statement.claim == Claim("use of some of these services", "the additional charges")


def test_a_source_of_a_kind_not_known_keeps_its_sentence(path: Path) -> None:
    (statement,) = read(path, json.dumps(relation(sources=[{"type": "arxiv_sentence", "payload": {"sentence": "A causes B."}}])))
    assert statement.evidence == Evidence(Source("causenet"), rule="causenet:arxiv_sentence", text="A causes B.")


def test_an_array_is_read_like_lines(path: Path) -> None:
    statements = read(path, json.dumps([relation(), relation("rain", "flood")], indent=4))
    assert [statement.claim.cause for statement in statements] == ["tobacco smoking", "rain"]


def test_emoji_and_right_to_left_names_are_kept(path: Path) -> None:
    (statement,) = read(path, json.dumps(relation("🌧️_المطر", "מבול"), ensure_ascii=False))
    assert statement.claim == Claim("🌧️ المطر", "מבול")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"causal_relation": {"cause": {"conc', "broken JSON: Unterminated string starting at at column 32"),
        ("17", "not a JSON object"),
        ("{}", "no 'causal_relation'"),
        ('{"causal_relation": []}', "'causal_relation' is not an object"),
        ('{"causal_relation": {"cause": {"concept": "a"}}}', "no 'effect'"),
        (json.dumps(relation("_ _")), "the cause has no name"),
        (json.dumps(relation(effect=["a"])), "'concept' is not text"),
        (json.dumps(relation(sources={"a": 1})), "'sources' is not a list"),
        (json.dumps(relation("\ud83d")), "broken JSON: half of a surrogate pair"),
        ("[" * 100_000, "broken JSON"),
        ('{"a":' * 100_000, "broken JSON"),
        ('{"causal_relation": ' + "9" * 5000 + "}", "broken JSON"),
    ],
)
def test_a_broken_line_is_skipped_with_its_number(path: Path, line: str, why: str) -> None:
    skipped: list[Skipped] = []
    good = json.dumps(relation())
    assert len(read(path, f"{good}\n{line}\n\n{good}\n", skipped)) == 2
    (only,) = skipped
    assert only.where == "line 2"
    assert only.why.startswith(why)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("text", "not a JSON object"),
        ({"type": "clueweb12_sentence"}, "no 'payload'"),
        ({"payload": {"sentence": "a"}}, "no 'type'"),
        ({"type": "clueweb12_sentence", "payload": {}}, "no 'sentence'"),
    ],
)
def test_a_broken_source_is_skipped_and_the_others_stay(path: Path, source: object, why: str) -> None:
    skipped: list[Skipped] = []
    line = json.dumps(relation(sources=[source, *sources("wikipedia_list")]))
    assert [statement.evidence.rule for statement in read(path, line, skipped)] == ["causenet:list"]
    assert skipped == [Skipped("line 1, source 1", why)]


def test_half_an_array_gives_nothing(path: Path) -> None:
    content = json.dumps([relation(), relation("rain", "flood")], indent=1)
    for end in (len(content) // 2, len(content) - 1):
        with pytest.raises(InputUnreadable, match=r"broken or cut JSON array: .* at line \d+ column \d+ \(character [\d,]+ of"):
            read(path, content[:end])


def test_an_item_of_an_array_that_is_no_relation_is_skipped(path: Path) -> None:
    skipped: list[Skipped] = []
    assert len(read(path, json.dumps([relation(), 7, {"a": 1}]), skipped)) == 1
    assert skipped == [Skipped("item 2", "not a JSON object"), Skipped("item 3", "no 'causal_relation'")]


def test_a_file_without_any_relation_is_another_format(path: Path) -> None:
    with pytest.raises(FormatUnknown, match=r"is not CauseNet .*: line 1: broken JSON"):
        read(path, "cause,effect\nsmoking,cancer\n")


@pytest.mark.parametrize("content", ["", "\n \n", "[]"])
def test_a_file_with_nothing_in_it_is_empty(path: Path, content: str) -> None:
    with pytest.raises(InputEmpty):
        read(path, content)


def test_a_missing_file_is_reported(path: Path) -> None:
    with pytest.raises(InputMissing):
        next(read_causenet(path, pytest.fail))


def test_a_pattern_is_kept_short_and_directed() -> None:
    assert shorten_path_pattern(PATTERN) == "cause -nsubj lead +nmod:to effect"
    assert shorten_path_pattern("[[effect]]/N\t+acl\tcaused/VBN\t+nmod:by\t[[cause]]/N") == "effect +acl caused +nmod:by cause"
