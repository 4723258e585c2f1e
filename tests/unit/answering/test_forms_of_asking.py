"""Forms of asking: steps of a chain, circumstances, two-part questions, misspelt words, single events among kinds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import AS_CAUSE_SLOT, SPECIFIC_SLOT, Claim, Evidence, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, Verdict
from kgqa.pipeline import Pipeline

MAIN = (AS_CAUSE_SLOT, "main")


def said(
    cause: str, effect: str, relation: Relation = Relation.CAUSES, context: tuple[tuple[str, str], ...] = ()
) -> Iterator[Statement]:
    for page in "ab":
        evidence = Evidence(Source("text", page_id=page, title=f"Page {page}"), start=0, end=9, context=context)
        yield Statement(Claim(cause, effect, relation), evidence)


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    for cause, effect in (
        ("drought", "famine"),
        ("famine", "migration"),
        ("migration", "conflict"),
        ("chopping onions", "crying"),
        *((f"{cause}", "crying") for cause in ("pain", "grief", "sadness", "disappointment", "joy")),
        ("oxygen", "corrosion"),
        *((cause, "rising of dough") for cause in ("yeast", "gluten", "steam", "leavening agent", "sourdough starter")),
        ("iron deficiency", "anemia"),
        ("wind", "collapse of bridge"),
        ("smoking", "lung cancer"),
        ("heat", "germination of seed"),
        ("war", "end of depression"),
        ("coriolis effect", "strength of storm"),
        ("exercise", "strength"),
    ):
        store.add(said(cause, effect))
    store.add(said("lack of light", "germination of seed", Relation.PREVENTS))
    for kind in ("earthquake", "landslide", "eruption"):
        store.add(said(kind, "tsunami", context=(MAIN,)))
    store.add(said("1964 alaska earthquake", "tsunami", context=(MAIN, (SPECIFIC_SLOT, "yes"))))
    yield store
    store.close()


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store, evidence=None).answer(question)


def test_each_step_of_a_drawn_chain_has_its_verdict(store: GraphStore) -> None:
    whole = ask(store, "drought -> famine -> migration, is that right?")
    assert (whole.verdict, whole.answer) == (Verdict.YES, "yes")
    assert whole.sentence.startswith("Yes, each step; drought → famine: yes: ")
    turned = ask(store, "drought → migration → famine")
    assert turned.verdict is Verdict.NO
    assert turned.sentence.startswith("No, not each step; drought → migration: yes")
    partly = ask(store, "drought -> famine -> tsunami")
    assert partly.verdict is Verdict.UNKNOWN
    assert partly.sentence.startswith("Only drought → famine is known; ")


def test_what_follows_is_told_where_a_drawn_chain_is_left_open(store: GraphStore) -> None:
    answer = ask(store, "drought -> famine -> ??")
    assert answer.answer == "migration"
    assert "famine → ?: effects of famine: migration" in answer.sentence


@pytest.mark.parametrize(
    "question",
    [
        "Is there a chain from drought to migration?",
        "From drought to migration - what is the chain?",
        "What is the chain of events leading from drought to migration?",
        "Can you trace how drought leads to migration?",
    ],
)
def test_a_chain_is_asked_for_by_its_ends(store: GraphStore, question: str) -> None:
    assert "drought causes famine, which causes migration" in ask(store, question).sentence


@pytest.mark.parametrize(
    "question",
    [
        "How come you cry when you chop onions?",
        "Why do onions make you cry when you chop them?",
        "Why do people cry if they chop onions?",
    ],
)
def test_a_circumstance_is_tried_as_the_cause(store: GraphStore, question: str) -> None:
    assert ask(store, question).sentence.startswith("Chopping onions cause crying")


def test_what_many_things_cause_in_general_is_no_answer_to_an_unknown_circumstance(store: GraphStore) -> None:
    answer = ask(store, "Why do you cry when you watch the moon?")
    assert answer.answer is None
    assert answer.sentence.startswith("Unknown: ")
    same_thing = ask(store, "Why does dough rise when you leave the dough to stand?").sentence
    assert same_thing.startswith("The sources say nothing of 'when you leave the dough to stand' in particular; in general: ")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what causes corossion in pipes", "'corossion' read as 'corrosion'"),
        ("symptoms of iron deficency", "'deficency' read as 'deficiency'"),
    ],
)
def test_a_misspelt_word_of_a_longer_name_is_read_and_told(store: GraphStore, question: str, told: str) -> None:
    answer = ask(store, question)
    assert answer.answer is not None
    assert told in answer.sentence


def test_a_word_that_no_word_is_near_is_not_respelt(store: GraphStore) -> None:
    assert ask(store, "what causes florbing in pipes").answer is None


def test_how_behind_a_question_asks_for_no_second_answer(store: GraphStore) -> None:
    assert ask(store, "What made the bridge collapse, and how?").answer == "wind"
    assert ask(store, "Does smoking cause lung cancer, and if so how?").sentence.startswith("Smoking causes lung cancer")


def test_why_something_fails_is_why_it_does_not(store: GraphStore) -> None:
    assert ask(store, "Why do seeds fail to germinate?").answer == "lack of light"


def test_what_ends_a_thing_causes_its_end(store: GraphStore) -> None:
    for question in ("Did the war end the depression?", "Did the war bring the depression to an end?"):
        assert ask(store, question).verdict is Verdict.YES


def test_what_a_thing_has_of_its_own_is_not_what_others_have(store: GraphStore) -> None:
    assert ask(store, "How do storms get their strength?").answer == "coriolis effect"
    assert ask(store, "How do whales get their strength?").answer is None
    assert ask(store, "How do storms get their strength from warm seas?").answer is None
    assert ask(store, "What causes their strength?").answer is None


def test_one_event_of_a_year_is_not_named_among_kinds_that_matter(store: GraphStore) -> None:
    answer = ask(store, "Which natural events can trigger a tsunami?")
    assert "1964" not in answer.sentence
    assert "1964 alaska earthquake" in [finding.text for finding in answer.findings]


def test_what_matters_more_says_what_is_known_of_each(store: GraphStore) -> None:
    for question in ("Does drought or hail matter more for famine?", "Which is more to blame for famine, drought or hail?"):
        answer = ask(store, question)
        assert answer.verdict is Verdict.UNKNOWN
        assert "only drought is known as a cause" in answer.sentence
    unknown = ask(store, "What harms whales more: hail or drought?").sentence
    assert unknown.startswith("Neither is known; for hail unknown: ")
