from __future__ import annotations

import time

import pytest

from graph.sources.templates import SHOWN_TEMPLATES, ShownTemplate
from graph.sources.wikitext import PageUnreadable, Plain, plain_text


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("'''Smoking''' causes ''cancer''.", "Smoking causes cancer."),
        ("[[lung cancer|Cancer]]s and [[flood]]s", "Cancers and floods"),
        ("[[:Category:Floods]] and [[#Causes|below]]", "Category:Floods and below"),
        ("A[[File:A.jpg|thumb|a [[flood]] in [[Rome]]]] flood[[Image:B.png]]", "A flood"),
        ("A[[File:A.jpg|'''Pepe'' enfurecido <b>]] flood", "A flood"),
        ("35&nbsp;mm and [[OS&nbsp;X]]", "35 mm and OS X"),
        ("[[a|''b]] and [[File:A.jpg|cut", "b and File:A.jpg|cut"),
        ("A flood[[Category:Floods]][[fr:Inondation]][[zh-yue:水浸]]", "A flood"),
        ("Rain{{citation needed|date={{CURRENTYEAR}}}} causes {{IPA|x}}floods.", "Rain causes floods."),
        ('Rain<ref>[[a]] {{cite|x}}</ref> causes<ref name="b" /> floods<ref name=c>d</ref>.', "Rain causes floods."),
        ("Rain<!-- [[hidden]]\n--> falls.<!-- to the end", "Rain falls."),
        ("See [http://a.org the site], [http://b.org], http://c.org.", "See the site,,."),
        ("a &lt; b &amp;&nbsp;c &#8211; d", "a < b & c – d"),
        ("H<sub>2</sub>O and <span style='x'>colour</span>", "H2O and colour"),
        ("where <math>x < y</math> holds", "where holds"),
        ("if x <y and z > 1 then <0.05 holds", "if x <y and z > 1 then <0.05 holds"),
        ("<nowiki>''as it is''</nowiki>", "as it is"),
        ("__NOTOC__\nText", "Text"),
        ("Athens ({{lang-el|x}}; {{IPA|y}}) is ( ) a city (, old).", "Athens is a city (old)."),
        ("الأمطار تسبب [[فيضان|الفيضانات]] 🌧", "الأمطار تسبب الفيضانات 🌧"),
    ],
)
def test_markup_becomes_what_a_reader_sees(wikitext: str, text: str) -> None:
    assert plain_text(wikitext).text == text


@pytest.mark.parametrize("template", SHOWN_TEMPLATES, ids=lambda template: template.name)
def test_a_template_that_stands_for_words_shows_them(template: ShownTemplate) -> None:
    assert plain_text(template.example).text == template.result


def test_a_paragraph_is_a_line_and_so_is_a_list_item() -> None:
    wikitext = (
        "One\nparagraph.\n\nAnother.<br>Third.\n* item ''one''\n** item two\nA paragraph.\n# three\n; term : meaning\n: indented"
    )
    assert plain_text(wikitext).text.split("\n") == [
        "One paragraph.",
        "Another.",
        "Third.",
        "item one",
        "item two",
        "A paragraph.",
        "three",
        "term meaning",
        "indented",
    ]


def test_headings_are_offsets_into_the_text() -> None:
    plain = plain_text("Lead.\n== [[Cause]]s ==\n=== Rain ===\nMuch rain.\n\n==Effects==\n* Flood")
    assert plain == Plain("Lead.\nMuch rain.\nFlood", ((6, "Causes"), (6, "Rain"), (17, "Effects")))
    assert [plain.text[offset:].split("\n")[0] for offset, _ in plain.headings] == ["Much rain.", "Much rain.", "Flood"]


def test_tables_are_left_out_nested_and_broken_ones_too() -> None:
    table = "{| class=x\n|-\n| a || b\n|\n{|\n| inner\n|}\n|}"
    assert plain_text(f"Before.\n{table}\nBetween.\n{{|\n|-\n| never closed\n").text == "Before.\nBetween."


def test_a_template_may_span_a_page() -> None:
    assert plain_text("{{Infobox\n| a = {{b|c\n|}}\n| d = [[e]]\n}}\nText.").text == "Text."


@pytest.mark.parametrize(
    "broken", ["{{cut", "[[cut", "<ref>cut", "<ref name=", "'''cut", "}}", "]]", "{{a|[[b}}", "<div>cut", "{|"]
)
def test_markup_that_never_closes_is_no_part_of_the_text(broken: str) -> None:
    text = plain_text(f"Rain causes floods. {broken}\n\nThe end.").text
    assert text.startswith("Rain causes floods.")
    assert text.endswith("The end.")
    for mark in ("{{", "}}", "[[", "]]", "<ref", "<div", "'''", "{|"):
        assert mark not in text


@pytest.mark.parametrize(
    "unit",
    ["{{a|b={{c|", "<ref>{{cite|", "<a b=", '<div class="', "[http://a ", "[[a|''b<i>", "<li>", "|-\n| {{a || [[b\n", "{|\n"],
)
def test_a_tangled_page_is_refused_at_once(unit: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(PageUnreadable, match="too tangled"):
        plain_text(unit * (500_000 // len(unit)))
    assert time.perf_counter() - begun < 3


@pytest.mark.parametrize("unit", ["*", "'", "=", "<", "&nbsp;", "(", "<!--", " ", "http://", "'''a''b"])
def test_a_monotonous_page_takes_no_time(unit: str) -> None:
    begun = time.perf_counter()
    plain_text(unit * (100_000 // len(unit)))
    assert time.perf_counter() - begun < 3


def test_a_page_of_too_many_characters_is_refused() -> None:
    with pytest.raises(PageUnreadable, match="longer than 4,194,304 characters"):
        plain_text("a" * 5_000_000)
