from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.linking.lexical_relations import changes_polarity, group_alike_names, polarity_signs
from kgqa.linking.linker import link_phrase

SAME = [
    ("flood", "floods", "flooding"),
    ("death", "deaths"),
    ("heart attack", "myocardial infarction"),
    ("high blood pressure", "hypertension"),
    ("hearing loss", "loss of hearing"),
    ("increase in price", "price rise"),
    ("lack of sleep", "sleep deprivation"),
    ("car accident", "auto accident"),
    ("copd", "chronic obstructive pulmonary disease"),
    ("tiredness", "fatigue"),
]
DIFFERENT = [
    ("cancer", "lung cancer"),
    ("smoking", "smoke"),
    ("fish", "fishing"),
    ("smoking", "cigarette smoking"),
    ("cold", "heat"),
    ("hypertension", "hypotension"),
    ("increase", "decrease"),
    ("death", "birth"),
    ("blood pressure", "high blood pressure"),
    ("cause of death", "death"),
]


@pytest.mark.parametrize("names", SAME)
def test_names_that_say_the_same_are_shown_once(names: tuple[str, ...]) -> None:
    assert group_alike_names(names) == [list(names)]


@pytest.mark.parametrize("names", DIFFERENT)
def test_names_that_say_something_else_stay_apart(names: tuple[str, ...]) -> None:
    assert group_alike_names(names) == [[name] for name in names]


def test_the_order_of_first_names_is_kept_and_no_name_is_lost_or_doubled() -> None:
    assert group_alike_names(["stress", "floods", "flood", "stress", "", "flooding"]) == [
        ["stress"],
        ["floods", "flood", "flooding"],
        [""],
    ]


# Phrases that look alike and mean something else: a direction more, less or turned, or a word and its opposite.
APART = [
    ("increase in price", "decrease in price"),
    ("price increase", "price decrease"),
    ("increase in price", "price"),
    ("rise in temperature", "fall in temperature"),
    ("rise in temperature", "temperature"),
    ("lack of sleep", "sleep"),
    ("sleep deprivation", "sleep"),
    ("insufficient sleep", "sleep"),
    ("not enough sleep", "sleep"),
    ("loss of sleep", "sleep"),
    ("too much sleep", "too little sleep"),
    ("too much sleep", "sleep"),
    ("too little water", "water"),
    ("too many drugs", "drugs"),
    ("high blood pressure", "low blood pressure"),
    ("high blood pressure", "blood pressure"),
    ("low blood pressure", "blood pressure"),
    ("hypertension", "hypotension"),
    ("hyperglycemia", "hypoglycemia"),
    ("hyperthyroidism", "hypothyroidism"),
    ("hyperthermia", "hypothermia"),
    ("hyperkalemia", "hypokalemia"),
    ("absence of light", "light"),
    ("absence of evidence", "presence of evidence"),
    ("weight loss", "weight gain"),
    ("weight loss", "weight"),
    ("loss of appetite", "appetite"),
    ("hearing loss", "hearing"),
    ("hair loss", "hair"),
    ("hair loss", "hair growth"),
    ("vitamin d deficiency", "vitamin d"),
    ("iron deficiency", "iron overload"),
    ("oxygen shortage", "oxygen"),
    ("no exercise", "exercise"),
    ("without exercise", "exercise"),
    ("not smoking", "smoking"),
    ("quitting smoking", "smoking"),
    ("smoking cessation", "smoking"),
    ("alcohol withdrawal", "alcohol"),
    ("alcohol abstinence", "alcohol"),
    ("reduced appetite", "increased appetite"),
    ("reduced stress", "stress"),
    ("less stress", "more stress"),
    ("more exercise", "exercise"),
    ("less sugar", "sugar"),
    ("excess sugar", "sugar"),
    ("excessive drinking", "drinking"),
    ("drug overdose", "drug"),
    ("anti-inflammatory", "inflammatory"),
    ("non-smokers", "smokers"),
    ("unemployment", "employment"),
    ("instability", "stability"),
    ("infertility", "fertility"),
    ("inflation", "deflation"),
    ("dissatisfaction", "satisfaction"),
    ("overweight", "underweight"),
    ("malnutrition", "nutrition"),
    ("deforestation", "forestation"),
    ("imbalance", "balance"),
    ("immobility", "mobility"),
    ("macroeconomics", "microeconomics"),
    ("internal bleeding", "external bleeding"),
    ("hot weather", "cold weather"),
    ("wet season", "dry season"),
    ("early death", "late death"),
    ("war", "peace"),
    ("positive test", "negative test"),
    ("success", "failure"),
    ("birth", "death"),
    ("declining population", "growing population"),
    ("falling prices", "rising prices"),
    ("cancer treatment", "cancer"),
    ("disease prevention", "disease"),
    ("elevated cholesterol", "lowered cholesterol"),
    ("difficulty breathing", "breathing"),
    ("poor sleep", "sleep"),
    ("careless", "careful"),
    ("imports", "exports"),
]

# Phrases that say a direction in other words, and where "low" says where.
TOGETHER = [
    ("lack of sleep", "sleep deprivation"),
    ("increase in price", "price rise"),
    ("hypertension", "high blood pressure"),
    ("low back pain", "back pain"),
    ("lower back pain", "pain in the lower back"),
    ("floods", "flooding"),
    ("hypothesis", "theory"),
    ("high school students", "students"),
    ("antibody", "protein"),
    ("reduced appetite", "decrease in appetite"),
    ("iron deficiency", "lack of iron"),
    ("loss of hearing", "hearing loss"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_a_direction_or_an_opposite_is_not_crossed_either_way(one: str, other: str) -> None:
    assert changes_polarity(one, other)
    assert changes_polarity(other, one)
    assert group_alike_names([one, other]) == [[one], [other]]


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_the_same_direction_in_other_words_is_no_crossing(one: str, other: str) -> None:
    assert not changes_polarity(one, other)
    assert not changes_polarity(other, one)


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    names = sorted({name for pair in APART for name in pair})
    store = open_store("memory:", write=True)
    store.add(Statement(Claim(name, "trouble"), Evidence(Source("text", page_id=name), start=0, end=1)) for name in names)
    yield store
    store.close()


@pytest.mark.parametrize(("one", "other"), APART)
def test_no_reading_of_a_phrase_leads_to_what_it_is_not(store: GraphStore, one: str, other: str) -> None:
    for phrase, wrong in ((one, other), (other, one)):
        assert wrong not in {name for reading in link_phrase(phrase, store) for name in reading.concepts}


@pytest.mark.parametrize(
    ("phrase", "signs"),
    [
        ("free sugar", ()),
        ("damage by free radicals", ()),
        ("oxygen free radicals", ()),
        ("international free trade", ()),
        ("a free market", ()),
        ("sugar free diet", ("less",)),
        ("free of sugar", ("less",)),
        ("smoke-free", ("less",)),
    ],
)
def test_free_before_a_noun_makes_a_kind_of_it_and_behind_one_the_lack(phrase: str, signs: tuple[str, ...]) -> None:
    assert polarity_signs(phrase) == signs
