from __future__ import annotations

import time
from itertools import combinations

import pytest

from graph.mining.article_lists import EntryExample, EntryRule, entry_rules, entry_statements, head_noun_of_name, list_items
from graph.model import Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Article, ArticleEntry, EntryKind
from graph.sources.wikitext import wikitext_to_plain
from graph.text.word_lists import word_list_names

RULES = entry_rules().rules


def article(title: str, wikitext: str) -> Article:
    plain = wikitext_to_plain(wikitext)
    return Article(Source("wikipedia", title, "12"), plain.text, plain.headings, plain.entries)


def claims(title: str, wikitext: str) -> list[tuple[str, str]]:
    return [(one.claim.cause, one.claim.effect) for one in entry_statements(article(title, wikitext))]


def by_rule(rule: EntryRule, example: EntryExample) -> set[tuple[str, str]]:
    found = entry_statements(article(example.title, example.wikitext))
    return {(one.claim.cause, one.claim.effect) for one in found if one.evidence.rule.endswith(f".{rule.id}")}


def named(text: str, kind: EntryKind = EntryKind.LIST) -> list[str]:
    return [item.name for item in list_items(ArticleEntry(kind, ("Causes",), text))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_finds_exactly_the_claims_of_its_pages(rule: EntryRule) -> None:
    assert rule.matches
    assert rule.no_matches
    for example in (*rule.matches, *rule.no_matches):
        assert by_rule(rule, example) == example.claims, example.wikitext


def test_no_heading_belongs_to_two_rules() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    for one, other in combinations(RULES, 2):
        assert not one.headings & other.headings
        assert not one.fields & other.fields


def test_the_kinds_that_rules_name_are_known() -> None:
    assert {f"@{kind}" for rule in RULES for kind in rule.subject_not_in | rule.item_not_in} <= word_list_names()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fever – often the first sign", ["fever"]),
        ("Smoking: doubles the risk", ["smoking"]),
        ("Smoking doubles the risk", []),
        ("Iron deficiency, the most common", ["iron deficiency"]),
        ("Nausea, vomiting and loss of appetite", ["nausea", "vomiting and loss of appetite"]),
        ("Nausea and vomiting", ["nausea", "vomiting"]),
        ("Diarrhea/constipation", ["diarrhea", "constipation"]),
        ("Poor sanitation and hygiene", ["poor sanitation and hygiene"]),
        ("Food or water contamination", ["food or water contamination"]),
        ("Physical and mental disability", ["physical and mental disability"]),
        ("Drugs such as aspirin", ["drug"]),
        ("Uremia, which is caused by kidney disease", ["uremia"]),
        ("Medications that dry the mouth", []),
        ("Eating a diet in which nutrients are missing", []),
        ("Increased risk of stroke", ["stroke"]),
        ("Increased thirst", ["increased thirst"]),
        ("Bleeding (internal or external)", ["bleeding"]),
        ("Bleeding (never closed", ["bleeding"]),
        ("Certain medications", []),
        ("Genetic factors", []),
        ("Human impacts", []),
        ("Unknown", []),
        ("List of poisons", []),
        ("See also: Stroke", []),
        ("Main article: Stroke", []),
        ("No fever", []),
        ("A 1985 study by K. Rumar", []),
        ("Wash your hands", []),
        ("Regularly monitor the water", []),
        ("Use of insecticide", ["use of insecticide"]),
        ("It begins with a fever that lasts for three days and is followed by a rash on the arms and legs", []),
        ("Abdomen", []),
        ("أسباب", []),
        ("...", []),
    ],
)
def test_the_head_phrase_of_an_item_is_its_name(text: str, names: list[str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fever, chills, coughing up blood", ["fever", "chill", "coughing up blood"]),
        ("Baby: jaundice; Mother: none", ["jaundice"]),
        ("Headache, sensitivity to light, sound, and smell", ["headache", "sensitivity to light"]),
        ("Usually none, but occasionally pneumonia", ["pneumonia"]),
        ("Poorly understood", []),
        ("Environmental and genetic", []),
        ("Lack of vitamin C", ["lack of vitamin c"]),
        ("Dengue virus spread by mosquitoes", ["dengue virus"]),
    ],
)
def test_a_field_holds_several_names(text: str, names: list[str]) -> None:
    assert named(text, EntryKind.INFOBOX) == names


def test_the_head_of_a_name_stands_before_its_preposition_or_its_numeral() -> None:
    assert [head_noun_of_name(name) for name in ("loss of appetite", "world war ii", "lung cancer", "")] == [
        "loss",
        "war",
        "cancer",
        "",
    ]


def test_a_symptom_is_an_effect_and_keeps_its_place() -> None:
    flu = article("Influenza", "Flu is common.\n== Signs and symptoms ==\n* [[Fever]] – often first")
    (one,) = entry_statements(flu)
    assert (one.claim.cause, one.claim.effect, one.claim.relation) == ("influenza", "fever", Relation.CAUSES)
    assert one.evidence.rule == "list.symptoms"
    assert (one.evidence.text, one.evidence.section) == ("Fever – often first", "Signs and symptoms")
    assert flu.text[one.evidence.start : one.evidence.end] == one.evidence.text
    assert one.evidence.source.page_id == "12"


def test_a_field_is_evidence_without_a_place() -> None:
    box = "{{Infobox medical condition (new)\n| prevention = {{plainlist|\n* [[Vaccine|Vaccination]]<ref>x</ref>\n* Masks}}\n}}"
    one, _ = entry_statements(article("Influenza", box))
    assert (one.claim.relation, one.claim.polarity) == (Relation.PREVENTS, Polarity.DECREASES)
    evidence = one.evidence
    assert (evidence.rule, evidence.text) == ("infobox.prevention", "prevention: Vaccination; Masks")
    assert (evidence.section, evidence.start, evidence.end) == ("infobox medical condition", None, None)


def test_a_risk_factor_says_so() -> None:
    (one,) = entry_statements(article("Stroke", "== Risk factors ==\n* Smoking"))
    assert (one.claim.cause, one.evidence.strength) == ("smoking", Strength.RISK_FACTOR)


def test_a_possible_cause_is_hedged() -> None:
    found = [one.evidence.stance for one in entry_statements(article("Stroke", "== Causes ==\n* Possible stress\n* Bleeding"))]
    assert found == [Stance.HEDGED, Stance.ASSERTED]


def test_two_names_of_one_field_are_two_records() -> None:
    found = list(entry_statements(article("Influenza", "{{Infobox disease|symptoms=Fever, cough, fever}}")))
    assert len({one.evidence.hash(one.claim) for one in found}) == len(found) == 2


@pytest.mark.parametrize(
    ("title", "wikitext", "found"),
    [
        ("Flu (disease)", "== Causes ==\n* Cold", [("cold", "flu")]),
        ("Deforestation", "== Effects of logging ==\n* Erosion", [("logging", "erosion")]),
        ("Deforestation", "Effects of logging include:\n* Erosion", [("logging", "erosion")]),
        ("Effects of global warming", "== Effects ==\n* Drought", [("global warming", "drought")]),
        ("Cold injury", "== Hypothermia ==\n=== Causes ===\n* Cold water", [("cold water", "hypothermia")]),
        ("Cold injury", "== Hypothermia ==\n=== Causes ===\n==== Common ====\n* Cold water", [("cold water", "hypothermia")]),
        ("Influenza", "== Overview ==\n=== Most common causes ===\n* Cold", [("cold", "influenza")]),
        ("Influenza", "== Research ==\n=== Brazil ===\n==== Causes ====\n* Cold", []),
        ("Influenza", "== Causes ==\n=== Diagnosis ===\n* Fever", []),
        ("Influenza", "== Causes ==\nIt is diagnosed by:\n* Fever", []),
        (
            "Influenza",
            "== Causes ==\n* Infections:\n** [[Malaria]]\n* Tests for these:\n** Blood loss",
            [("infection", "influenza"), ("malaria", "influenza")],
        ),
        ("Influenza", "== Causes ==\n; [[Cold]] : how it begins\n: indented", [("cold", "influenza")]),
        ("Influenza", "== Causes ==\n{| class=wikitable\n|-\n| [[Cold]]\n|}", []),
        ("Influenza", "== Causes ==\n<ul><li>[[Common cold|Cold]]</li></ul>", [("cold", "influenza")]),
        ("World War I", "== Causes ==\n* [[Nationalism]]", [("nationalism", "world war i")]),
        ("Guitar", "== Effects ==\n* Distortion", []),
        ("Bono", "== Causes ==\n* Poverty", []),
        ("Comic Relief", "== Causes ==\n* Poverty", []),
        ("List of floods", "== Causes ==\n* Rain", []),
        ("Flood (film)", "== Causes ==\n* Rain", []),
        ("Flood (disambiguation)", "== Causes ==\n* Rain", []),
        ("Influenza", "{{Infobox person|causes=Peace}}", []),
        ("Influenza", "{{Infobox disease|causes=", []),
        (
            "Influenza",
            "{{Infobox disease|symptoms={{hlist|a|{{ubl|Fever|Cough}}}}}}",
            [("influenza", "fever"), ("influenza", "cough")],
        ),
        ("", "== Causes ==\n* Rain", []),
        ("(", "== Causes ==\n* Rain", []),
    ],
)
def test_the_other_end_is_what_the_page_or_the_heading_is_about(title: str, wikitext: str, found: list[tuple[str, str]]) -> None:
    assert claims(title, wikitext) == found


@pytest.mark.parametrize(
    "wikitext",
    [
        "== Causes ==\n* \u202eحمى\u202c و [[سعال]]\n* 発熱, fever\n* \u0301\u0301\n* 🌧🌧🌧",
        "== Causes ==\n* {{cut\n* [[cut\n* '''cut\n* <ref>cut\n* {|cut",
        "== Causes ==\n*\n**\n***\n*:\n;\n:;*#",
        "== ==\n* Fever\n=== \u202eأسباب\u202c ===\n* حمى",
        "{{Infobox disease|symptoms|=|Fever|symptoms={{hlist}}|causes=<br>,;,<br>|risks={{ubl|{{ubl|{{ubl|}}}}}}}}",
    ],
)
def test_odd_pages_are_read_without_an_error(wikitext: str) -> None:
    assert all(isinstance(one, Statement) for one in entry_statements(article("Influenza", wikitext)))


@pytest.mark.parametrize(
    "unit", ["fever, ", "fever and ", "a – ", "a: ", "((", "( ", "causes of ", "the ", "causes of flu include: "]
)
def test_an_item_a_field_a_heading_or_a_lead_without_end_takes_no_time(unit: str) -> None:
    endless = (unit * (500_000 // len(unit)))[:500_000].strip()
    entries = (
        ArticleEntry(EntryKind.LIST, ("Causes",), endless, start=0),
        ArticleEntry(EntryKind.LIST, (endless,), "Fever", start=0),
        ArticleEntry(EntryKind.LIST, ("Causes",), "Fever", f"{endless}:", start=0),
        ArticleEntry(EntryKind.INFOBOX, ("disease", "causes"), endless[:5_000]),
    )
    begun = time.process_time()
    for title in ("Influenza", endless):
        list(entry_statements(Article(Source("wikipedia", title), endless, (), entries)))
    assert time.process_time() - begun < 2
