from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, InputEmpty
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.conceptnet import CAUSAL_RELATIONS, CausalRelation, read_conceptnet
from graph.sources.csv_table import read_csv_table


def rows(path: Path, content: str, skipped: list[Skipped] | None = None) -> list[Statement]:
    path.write_text(content, encoding="utf-8")
    return list(read_csv_table(path, (skipped if skipped is not None else []).append))


def pairs(path: Path, content: str, skipped: list[Skipped] | None = None) -> list[Statement]:
    path.write_text(content, encoding="utf-8")
    return list(read_conceptnet(path, (skipped if skipped is not None else []).append))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "claims.csv"


def test_two_columns_are_enough(path: Path) -> None:
    assert rows(path, "cause,effect\nThe Heavy_Rains,floods\n") == [
        Statement(Claim("heavy rain", "flood"), Evidence(Source("text", "claims.csv"), rule="table"))
    ]


def test_every_column_is_read_in_any_order(path: Path) -> None:
    header = "Effect,Cause,comment,relation,polarity,strength,stance,text,kind,title,page_id,url"
    row = 'cough,Honey,?,prevents,decreases,contributes to,hedged,"Honey may, ""perhaps"",\nhelp.",book,Home,7,http://a.org'
    (statement,) = rows(path, f"{header}\n{row}\n")
    assert statement == Statement(
        Claim("honey", "cough", Relation.PREVENTS, Polarity.DECREASES),
        Evidence(
            Source("book", "Home", "7", url="http://a.org"),
            Stance.HEDGED,
            Strength.CONTRIBUTES_TO,
            "table",
            'Honey may, "perhaps",\nhelp.',
        ),
    )


def test_values_between_tabs_are_read_too(path: Path) -> None:
    (statement,) = rows(path, "cause\teffect\nrain, wind\tflood\n")
    assert statement.claim.cause == "rain wind"


@pytest.mark.parametrize("sign", [";", "|", "\t", ","])
def test_columns_are_found_between_any_separator_and_in_any_case(path: Path, sign: str) -> None:
    path.write_text(sign.join(("Page-ID", " CAUSE", "Effect ", "Note")) + "\n" + sign.join(("7", "rain", "flood", "x")) + "\n")
    ignored: list[str] = []
    (statement,) = read_csv_table(path, pytest.fail, on_ignored=ignored.extend)
    assert (statement.claim, statement.evidence.source.page_id, ignored) == (Claim("rain", "flood"), "7", ["Note"])


def test_columns_of_other_names_are_named(path: Path) -> None:
    path.write_text("Ursache;Wirkung;cause;Quelle\nRegen;Flut;der Regen;Wetter\n")
    ignored: list[str] = []
    called = {"cause": "Ursache", "effect": "wirkung", "title": "Quelle"}
    (statement,) = read_csv_table(path, pytest.fail, called, ignored.extend)
    assert (statement.claim, statement.evidence.source.title, ignored) == (Claim("regen", "flut"), "Wetter", ["cause"])


def test_a_column_that_is_not_there_is_told_with_what_to_name(path: Path) -> None:
    path.write_text("Ursache,effect\nRegen,Flut\n")
    for called, wanted in (({}, "cause"), ({"cause": "Grund"}, "cause"), ({"cause": "Ursache", "title": "Quelle"}, "title")):
        with pytest.raises(
            FormatUnknown, match=r"with (the columns cause and effect|a column for the title): its first line is 'Ursache,effect'"
        ) as raised:
            list(read_csv_table(path, pytest.fail, called))
        assert raised.value.remedy == f"name its column: --column {wanted}=NAME"


def test_emoji_and_right_to_left_names_are_kept(path: Path) -> None:
    (statement,) = rows(path, "\ufeffcause,effect\r\nمطر 🌧,מבול\r\n")
    assert statement.claim == Claim("مطر 🌧", "מבול")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("rain", "1 values for 3 columns"),
        ("rain,flood,causes,more", "4 values for 3 columns"),
        ("the,flood,", None),
        (",flood,", "the cause has no name"),
        ("rain,!?,", "the effect has no name"),
        ("rain,flood,makes", "'makes' is no relation; known: causes, enables, prevents, motivates, is-for, associated"),
        ('rain,"flood" x,', "',' expected after '\"'"),
        ("x" * 200_000 + ",flood,", "field larger than field limit (131072)"),
    ],
)
def test_a_broken_row_is_skipped_with_its_line(path: Path, row: str, why: str | None) -> None:
    skipped: list[Skipped] = []
    statements = rows(path, f"cause,effect,relation\nrain,flood,\n\n{row}\nfire,smoke,causes\n", skipped)
    assert [statements[0].claim.cause, statements[-1].claim.cause] == ["rain", "fire"]
    assert skipped == ([Skipped("line 4", why)] if why else [])


@pytest.mark.parametrize("content", ["smoking,cancer\n", "cause,result\na,b\n", "[1]\n"])
def test_a_table_without_the_two_columns_is_another_format(path: Path, content: str) -> None:
    with pytest.raises(FormatUnknown, match="is not a table with the columns cause and effect: its first line is"):
        rows(path, content)


def test_a_table_without_rows_is_empty(path: Path) -> None:
    with pytest.raises(InputEmpty):
        rows(path, "cause,effect\n")


def test_conceptnet_lists_the_effects_of_a_cause(path: Path) -> None:
    evidence = Evidence(Source("conceptnet"), rule="conceptnet:Causes")
    assert pairs(path, 'acting_in_play,["applause", "stage_fright"]\n"eating, a lot",["death"]\n') == [
        Statement(Claim("acting in play", "applause"), evidence),
        Statement(Claim("acting in play", "stage fright"), evidence),
        Statement(Claim("eating a lot", "death"), evidence),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fire", "no list of effects"),
        ('fire,["smoke"', "broken JSON"),
        ('fire,["smoke", 7]', "an effect that is not text"),
        ('?,["smoke"]', "no name in '?' or 'smoke'"),
    ],
)
def test_a_broken_list_is_skipped_with_its_line(path: Path, line: str, why: str) -> None:
    skipped: list[Skipped] = []
    assert len(pairs(path, f'rain,["flood"]\n{line}\n', skipped)) == 1
    assert skipped[0].where == "line 2"
    assert skipped[0].why.startswith(why)


def assertion(name: str, first: str, second: str, **details: str) -> str:
    uri = f"/a/[/r/{name}/,{first}/,{second}/]"
    return "\t".join((uri, f"/r/{name}", first, second, json.dumps({"weight": 1.0, **details}))) + "\n"


@pytest.mark.parametrize("relation", CAUSAL_RELATIONS, ids=lambda relation: relation.name)
def test_a_causal_relation_of_conceptnet_makes_its_claim(path: Path, relation: CausalRelation) -> None:
    first, second = (f"/c/en/{term.replace(' ', '_')}" for term in relation.example)
    (statement,) = pairs(path, assertion(relation.name, first, second))
    assert statement.claim == relation.claim


def test_of_the_assertions_only_english_causal_ones_are_read(path: Path) -> None:
    content = (
        assertion("Antonym", "/c/en/rain", "/c/en/sun")
        + assertion("Causes", "/c/fr/pluie", "/c/en/flood")
        + assertion("Causes", "/c/en/acute_rain/n", "/c/en/flood", surfaceText="[[Acute rain]] causes [[a flood]]")
    )
    assert pairs(path, content) == [
        Statement(
            Claim("acute rain", "flood"),
            Evidence(Source("conceptnet"), rule="conceptnet:Causes", text="Acute rain causes a flood"),
        )
    ]


def test_a_broken_assertion_is_skipped_with_its_line(path: Path) -> None:
    skipped: list[Skipped] = []
    good = assertion("Causes", "/c/en/rain", "/c/en/flood")
    assert len(pairs(path, good + good[:-9] + "\n" + "/a/x\n", skipped)) == 1
    assert [skip.where for skip in skipped] == ["line 2", "line 3"]
