"""Clauses from claims: names with number, determiner and spelling, verbs that agree, nothing stronger than the evidence."""

from __future__ import annotations

import pytest

from graph.model import Claim, Edge, Evidence, Polarity, Relation, Source, Stance, Strength
from kgqa.wording.claim_clauses import (
    as_sentence,
    claim_clause,
    claim_verb,
    concept_noun,
    concept_phrase,
    count_noun,
    join_phrases,
    modal_clause,
    with_conditions,
    written_name,
)

NAMES = {
    "smoking": "smoking",
    "lung cancer": "lung cancer",
    "heart disease": "heart disease",
    "earthquake": "earthquakes",
    "headache": "headaches",
    "heart attack": "a heart attack",
    "greenhouse gas": "greenhouse gases",
    "child": "children",
    "decrease in price": "a decrease in price",
    "increase in temperature": "an increase in temperature",
    "equator": "the equator",
    "french revolution": "the French Revolution",
    "2004 indian ocean earthquake": "the 2004 Indian Ocean earthquake",
    "treaty of versailles": "the Treaty of Versailles",
    "assassination of julius caesar": "the assassination of Julius Caesar",
    "stalin's death": "Stalin's death",
    "person's diet": "a person's diet",
    "hiv/aid": "HIV/AIDS",
    "dna damage": "DNA damage",
    "hondura": "Honduras",
    "pearl harbor": "Pearl Harbor",
    "avoid infection": "avoiding infection",
    "using illegal drug": "using illegal drugs",
    "plan dropped": "plans being dropped",
    "multiple wound": "multiple wounds",
    "too much sun": "too much sun",
    "first attack": "the first attack",
    "crohn's disease": "Crohn's disease",
    "aids": "AIDS",
    "helicobacter pylori": "Helicobacter pylori",
    "black death": "Black Death",
    "lee harvey oswald": "Lee Harvey Oswald",
    "kansas–nebraska act": "the Kansas–Nebraska Act",
    "fungus": "fungi",
    "locus": "loci",
    "aedes mosquito": "Aedes mosquitoes",
    "volcano": "volcanoes",
    "moon": "the moon",
    "greenhouse effect": "the greenhouse effect",
    "ozone layer": "the ozone layer",
    "building of the berlin wall": "the building of the Berlin Wall",
    "invention of the printing press": "invention of the printing press",
    "regulation of inflammation": "regulation of inflammation",
    "xyzzyplugh": "xyzzyplugh",
    "": "",
}


@pytest.mark.parametrize(("name", "text"), NAMES.items())
def test_a_name_stands_in_a_sentence_as_people_write_it(name: str, text: str) -> None:
    assert concept_phrase(name) == text


def test_a_name_by_itself_is_only_spelt() -> None:
    assert [written_name(name) for name in ("hiv/aid", "earthquake", "pearl harbor")] == [
        "HIV/AIDS",
        "earthquake",
        "Pearl Harbor",
    ]


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        *(("earthquake", True), ("smoking", False), ("using drug", False), ("lack of sleep", False), ("people", True)),
        *(("smoking and drinking", True), ("floods", True), ("hondura", False), ("plan dropped", False)),
    ],
)
def test_the_number_of_a_subject_is_that_of_its_head(name: str, plural: bool) -> None:
    assert concept_noun(name).plural is plural


def edge(cause: str, effect: str, strength: Strength = Strength.CAUSES, support: int = 1, hedges: int = 0, **of: object) -> Edge:
    return Edge(Claim(cause, effect, **of), 0.9, support, 0, hedges, strength)  # type: ignore[arg-type]


CLAUSES = {
    "smoking causes lung cancer": edge("smoking", "lung cancer"),
    "earthquakes cause floods": edge("earthquake", "flood"),
    "earthquakes lead to floods": edge("earthquake", "flood", Strength.LEADS_TO),
    "stress contributes to headaches": edge("stress", "headache", Strength.CONTRIBUTES_TO),
    "wounds are risk factors for infection": edge("wound", "infection", Strength.RISK_FACTOR),
    "wealth is linked to gout": edge("wealth", "gout", Strength.ASSOCIATED, relation=Relation.ASSOCIATED),
    "vaccines prevent infection": edge("vaccine", "infection", relation=Relation.PREVENTS, polarity=Polarity.DECREASES),
    "exercise reduces stress": edge("exercise", "stress", polarity=Polarity.DECREASES),
    "scissors are for cutting paper": edge("scissors", "cut paper", relation=Relation.IS_FOR),
    "protecting wildlife motivates a nature reserve being created": edge(
        "protect wildlife", "nature reserve created", relation=Relation.MOTIVATES
    ),
    "coffee may cause cancer": edge("coffee", "cancer", support=0, hedges=2),
    "coffee may be linked to cancer": edge("coffee", "cancer", support=0, hedges=2, relation=Relation.ASSOCIATED),
    "cardiac arrest causes coma": edge("cardiac arrest", "cause of coma"),
}


@pytest.mark.parametrize(("text", "one"), CLAUSES.items(), ids=CLAUSES)
def test_a_clause_keeps_the_strength_of_its_claim(text: str, one: Edge) -> None:
    assert claim_clause(one) in (text, text.replace("a nature reserve", "nature reserves"))
    assert f" {claim_verb(one)} " in text


def test_a_hedge_is_said_only_where_it_is_wanted() -> None:
    assert modal_clause(edge("stress", "headache", Strength.CONTRIBUTES_TO), "may") == "stress may contribute to headaches"
    assert modal_clause(edge("coffee", "cancer", support=0, hedges=2)) == "coffee causes cancer"


def record(*context: tuple[str, str], stance: Stance = Stance.ASSERTED) -> Evidence:
    return Evidence(Source("text"), stance, context=context)


def test_a_condition_on_which_all_agree_is_kept() -> None:
    adults, untreated = ("population", "in adults"), ("condition", "if untreated")
    assert with_conditions("a causes b", [record(adults, untreated), record(adults)]) == "a causes b in adults"
    assert claim_clause(edge("smoking", "lung cancer"), [record(adults)]) == "smoking causes lung cancer in adults"
    assert with_conditions("a causes b", [record(adults), record()]) == "a causes b"
    assert with_conditions("a causes b in adults", [record(adults)]) == "a causes b in adults"
    assert with_conditions("a causes b", []) == "a causes b"


def test_what_can_happen_is_not_said_to_happen() -> None:
    can = record(("capability", "can"))
    assert claim_clause(edge("smoking", "lung cancer"), [can]) == "smoking can cause lung cancer"
    assert claim_clause(edge("smoking", "lung cancer"), [can, record()]) == "smoking causes lung cancer"
    assert claim_clause(edge("smoking", "lung cancer"), [record(stance=Stance.NEGATED)]) == "smoking causes lung cancer"


def test_lists_counts_and_sentences() -> None:
    assert join_phrases([]) == ""
    assert join_phrases(["a"]) == "a"
    assert join_phrases(["a", "b", "c"]) == "a, b and c"
    assert join_phrases(["a (1, 2)", "b", "c"]) == "a (1, 2); b; and c"
    assert (count_noun(1, "source"), count_noun(1_200, "source")) == ("1 source", "1,200 sources")
    assert as_sentence("smoking kills") == "Smoking kills."
    assert as_sentence("really?") == "Really?"
