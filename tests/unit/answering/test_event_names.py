"""The names that the graph may have for what an "if" supposes: the same, the opposite, and broader ones."""

import pytest

from graph.intervene import Presence
from kgqa.answering.counterfactuals.event_names import event_names, nearest_name
from kgqa.answering.matching.claim_matcher import ClaimMatcher, shipped_matcher
from kgqa.questions.classifier import classify

ABSENT, PRESENT = Presence.ABSENT, Presence.PRESENT


@pytest.fixture(scope="module")
def matcher() -> ClaimMatcher:
    matcher = shipped_matcher()
    assert matcher is not None
    return matcher


@pytest.mark.parametrize(
    ("question", "name", "presence"),
    [
        ("What if everyone stopped vaccinating against measles?", "measles vaccination", ABSENT),
        ("What if everyone stopped vaccinating against measles?", "refusal of measles vaccination", PRESENT),
        ("What if wolves were brought back to Scotland?", "reintroduction of wolves", PRESENT),
        ("What if wolves were taken out of a forest?", "extermination of wolves", PRESENT),
        ("What if wolves were taken out of a forest?", "whining of wolves", None),
        ("What if all the ice in Antarctica melted?", "melting of ice", PRESENT),
        ("What if Germany had won World War II?", "defeat of Germany in World War II", ABSENT),
        ("What if Germany had won World War II?", "defeat of Germany in World War I", None),
        ("What if the Berlin Wall had not fallen?", "fall of Berlin Wall", ABSENT),
        ("What if the Berlin Wall had not fallen?", "building of the Berlin Wall", None),
        ("What if a country abolished all tariffs?", "tariff revenue", None),
        ("What if all the forests on Earth were felled?", "deforestation", PRESENT),
        ("What if the Hoover Dam burst?", "dam failure", PRESENT),
    ],
)
def test_a_name_is_of_the_event_of_its_opposite_or_of_neither(
    question: str, name: str, presence: Presence | None, matcher: ClaimMatcher
) -> None:
    condition = classify(question).slots.condition
    assert condition is not None
    events = event_names(condition, None, [name.lower()], matcher)
    assert [event.presence for event in events] == ([presence] if presence else [])


def test_a_broader_name_bears_on_what_has_the_words_that_it_drops(matcher: ClaimMatcher) -> None:
    condition = classify("What if everyone stopped vaccinating against measles?").slots.condition
    assert condition is not None
    (event,) = event_names(condition, None, ["vaccination"], matcher)
    assert event.bears_on("death from measles")
    assert not event.bears_on("smallpox")


def test_a_name_that_says_more_of_the_clause_stands_alone(matcher: ClaimMatcher) -> None:
    condition = classify("What if the Earth had no magnetic field?").slots.condition
    assert condition is not None
    events = event_names(condition, None, ["magnetic field", "earth's magnetic field"], matcher)
    assert [event.name for event in events] == ["earth's magnetic field"]


def test_the_name_of_an_effect_has_no_words_besides_where_it_is_judged(matcher: ClaimMatcher) -> None:
    assert nearest_name("Germany reunified", ["german reunification", "cold war"], matcher, whole=True) == "german reunification"
    assert nearest_name("computers", ["computer size"], matcher, whole=True) is None
    assert nearest_name("slavery", ["end of slavery", "slavery"], matcher, whole=True, ended=True) == "end of slavery"
