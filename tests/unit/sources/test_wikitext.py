from __future__ import annotations

import time

import pytest

from graph.sources.article import ArticleEntry, EntryKind
from graph.sources.wikitext import (
    LONGEST_LEAD,
    RENDERED_TEMPLATES,
    PageUnreadable,
    PlainPage,
    RenderedTemplate,
    wikitext_to_plain,
)

pytestmark = pytest.mark.slow


def fields(wikitext: str) -> list[tuple[str, str, str]]:
    return [(*entry.place, entry.text) for entry in wikitext_to_plain(wikitext).entries if entry.kind is EntryKind.INFOBOX]


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
    assert wikitext_to_plain(wikitext).text == text


@pytest.mark.parametrize("template", RENDERED_TEMPLATES, ids=lambda template: template.name)
def test_a_template_that_stands_for_words_shows_them(template: RenderedTemplate) -> None:
    assert wikitext_to_plain(template.example).text == template.result


def test_a_paragraph_is_a_line_and_so_is_a_list_item() -> None:
    wikitext = (
        "One\nparagraph.\n\nAnother.<br>Third.\n* item ''one''\n** item two\nA paragraph.\n# three\n; term : meaning\n: indented"
    )
    assert wikitext_to_plain(wikitext).text.split("\n") == [
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
    plain = wikitext_to_plain("Lead.\n== [[Cause]]s ==\n=== Rain ===\nMuch rain.\n\n==Effects==\n* Flood")
    item = ArticleEntry(EntryKind.LIST, ("Effects",), "Flood", start=17)
    assert plain == PlainPage("Lead.\nMuch rain.\nFlood", ((6, "Causes"), (6, "Rain"), (17, "Effects")), (item,))
    assert [plain.text[offset:].split("\n")[0] for offset, _ in plain.headings] == ["Much rain.", "Much rain.", "Flood"]


def test_a_list_item_knows_its_headings_its_depth_its_lead_and_its_place() -> None:
    plain = wikitext_to_plain(
        "== Causes ==\n=== Common ===\nThey include:\n* [[Infection]]s:\n** Flu<ref>x</ref> – ''often''\n*** H1N1\n* Cold\n"
        "; Term : meaning\n: indented\n== Other ==\n* Last"
    )
    assert [(one.place, one.depth, one.lead, one.text) for one in plain.entries] == [
        (("Causes", "Common"), 1, "They include:", "Infections:"),
        (("Causes", "Common"), 2, "Infections:", "Flu – often"),
        (("Causes", "Common"), 3, "Flu – often", "H1N1"),
        (("Causes", "Common"), 1, "They include:", "Cold"),
        (("Causes", "Common"), 1, "They include:", "Term"),
        (("Other",), 1, "", "Last"),
    ]
    assert [plain.text[one.start : one.end] for one in plain.entries] == [one.text for one in plain.entries]


def test_a_line_before_a_list_is_kept_in_part() -> None:
    (item,) = wikitext_to_plain("word " * 1_000 + "include:\n* rain").entries
    assert len(item.lead) == LONGEST_LEAD
    assert item.lead.endswith("word include:")


def test_paragraphs_and_tables_and_indented_lines_are_no_items() -> None:
    assert wikitext_to_plain("One.\n\n: Two.\n:: Three.\n{| class=x\n|\n* four\n|}\n*\n**\n").entries == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("[[Fever]], cough", "Fever, cough"),
        ("[[Fever]]<ref name=a>{{cite|x}}</ref><br>Cough<br />", "Fever; Cough"),
        ("{{plainlist|\n* [[Fever]]\n* Cough\n}}", "Fever; Cough"),
        ("{{Plainlist}}\n* Fever\n* Cough\n{{Endplainlist}}", "Fever; Cough"),
        ("{{ubl|list_style=x|Fever|[[Cough|A cough]]}}", "Fever; A cough"),
        ("{{hlist|Fever|{{nowrap|dry cough}}}}", "Fever; dry cough"),
        ("{{unbulleted list\n|{{lang|la|Febris}}|{{IPA|x}}}}", "Febris"),
        ("{{hlist|Fever|{{ubl|Cough|Cold}}}}", "Fever; Cough; Cold"),
        ("'''Early''': fever <!-- or not -->", "Early: fever"),
        ("<ul><li>Fever</li><li>Cough</li></ul>", "Fever; Cough"),
        ("[[File:A.jpg|thumb|Fever]]Cough[[Category:X]]", "Cough"),
    ],
)
def test_a_field_of_an_infobox_is_its_values(value: str, text: str) -> None:
    assert fields(f"{{{{Infobox_disease\n| Symptoms = {value}\n| other = \n| x = <ref>y</ref>\n}}}}") == [
        ("disease", "symptoms", text)
    ]


@pytest.mark.parametrize(
    "wikitext",
    ["{{Infobox disease|symptoms=Fever", "{{Infobox disease|Fever}}", "{{Taxobox|a=b}}", "{{Infobox", "{{Infobox|=|a=}}"],
)
def test_an_infobox_that_is_broken_or_empty_has_no_fields(wikitext: str) -> None:
    assert fields(wikitext) == []


def test_a_field_that_is_a_page_of_its_own_is_left_out() -> None:
    assert fields("{{Infobox disease|symptoms=" + "fever, " * 1_000 + "|causes=cold}}") == [("disease", "causes", "cold")]


def test_control_characters_of_a_page_are_no_marks() -> None:
    plain = wikitext_to_plain("\0" + "1Rain\1 causes\2 &#1;floods.\n\1no item")
    assert plain.entries == plain.headings == ()
    assert plain.text == "1Rain causes floods. no item"


def test_tables_are_left_out_nested_and_broken_ones_too() -> None:
    table = "{| class=x\n|-\n| a || b\n|\n{|\n| inner\n|}\n|}"
    assert wikitext_to_plain(f"Before.\n{table}\nBetween.\n{{|\n|-\n| never closed\n").text == "Before.\nBetween."


def test_a_template_may_span_a_page() -> None:
    assert wikitext_to_plain("{{Infobox\n| a = {{b|c\n|}}\n| d = [[e]]\n}}\nText.").text == "Text."


@pytest.mark.parametrize(
    "broken", ["{{cut", "[[cut", "<ref>cut", "<ref name=", "'''cut", "}}", "]]", "{{a|[[b}}", "<div>cut", "{|"]
)
def test_markup_that_never_closes_is_no_part_of_the_text(broken: str) -> None:
    text = wikitext_to_plain(f"Rain causes floods. {broken}\n\nThe end.").text
    assert text.startswith("Rain causes floods.")
    assert text.endswith("The end.")
    for mark in ("{{", "}}", "[[", "]]", "<ref", "<div", "'''", "{|"):
        assert mark not in text


@pytest.mark.parametrize(
    "unit",
    ["{{a|b={{c|", "<ref>{{cite|", "<a b=", '<div class="', "[http://a ", "[[a|''b<i>", "<li>", "|-\n| {{a || [[b\n", "{|\n"],
)
def test_a_tangled_page_is_refused_at_once(unit: str) -> None:
    begun = time.process_time()
    with pytest.raises(PageUnreadable, match="too tangled"):
        wikitext_to_plain(unit * (500_000 // len(unit)))
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    "unit", ["*", "'", "=", "<", "&nbsp;", "(", "<!--", " ", "http://", "'''a''b", "* a\n", "; a : b\n", "<li>a</li>"]
)
def test_a_monotonous_page_takes_no_time(unit: str) -> None:
    begun = time.process_time()
    wikitext_to_plain(unit * (100_000 // len(unit)))
    assert time.process_time() - begun < 3


def test_a_page_of_too_many_characters_is_refused() -> None:
    with pytest.raises(PageUnreadable, match="longer than 4,194,304 characters"):
        wikitext_to_plain("a" * 5_000_000)
