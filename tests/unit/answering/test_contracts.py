from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from graph.model import (
    AS_CAUSE_SLOT,
    AS_EFFECT_SLOT,
    Claim,
    Edge,
    Evidence,
    Ground,
    Polarity,
    Relation,
    Source,
    Stance,
    Statement,
)
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, CausalConnection, Route, Verdict
from kgqa.answering.contracts import is_aim, is_intention, states_need, treats
from kgqa.answering.lists.list_ranking import is_broken_name, is_generic_name
from kgqa.question import Attribute, QuestionType, Semantic, SlotOptions, Slots
from kgqa.request import Request
from kgqa.router import route

Records = Iterator[Statement]


def said(
    cause: str,
    effect: str,
    pages: str,
    relation: Relation = Relation.CAUSES,
    polarity: Polarity = Polarity.NONE,
    *,
    rule: str = "test",
    title: str = "",
    text: str = "",
    stance: Stance = Stance.ASSERTED,
    context: tuple[tuple[str, str], ...] = (),
) -> Records:
    """Yield one record for each letter of `pages`, each on a page of its own."""
    for page in pages:
        source = Source("wikipedia", title=title or f"Page {page}", page_id=f"{title}{page}")
        sentence = text or f"{cause} / {effect} on {page}"
        yield Statement(
            Claim(cause, effect, relation, polarity),
            Evidence(source, stance, rule=rule, text=sentence, start=0, end=9, context=context),
        )


Built = Callable[..., GraphStore]


@pytest.fixture
def graph() -> Iterator[Built]:
    """A function that makes a store of some records; all are closed in the end."""
    stores: list[GraphStore] = []

    def built(*records: Records) -> GraphStore:
        store = open_store("memory:", write=True)
        stores.append(store)
        for some in records:
            store.add(some)
        return store

    yield built
    for store in stores:
        store.close()


def asked(store: GraphStore, semantic: Semantic, *attributes: Attribute, limit: int = 10, **slots: object) -> Answer:
    """Answer a question of a type that is given, not found."""
    kind = QuestionType(semantic, Slots(**slots), attributes)  # type: ignore[arg-type]
    question = "Why?"
    return route(question, kind)(Request(question, kind, store, limit))


def names(answer: Answer) -> list[str]:
    return [one.text for one in answer.findings]


# causes


def test_a_name_that_says_nothing_and_a_piece_of_a_clause_come_last(graph: Built) -> None:
    store = graph(
        said("one major factor", "flood", "a"),
        said("dam have bad gate", "flood", "b"),
        said("117", "flood", "c"),
        said("rain", "flood", "d"),
    )
    assert names(asked(store, Semantic.CAUSE, effect="floods"))[0] == "rain"


def test_what_an_article_about_the_effect_says_comes_before_what_another_says_in_passing(graph: Built) -> None:
    store = graph(said("dam", "flood", "a", title="Beaver"), said("rain", "flood", "b", title="Flood"))
    assert names(asked(store, Semantic.CAUSE, effect="flood")) == ["rain", "dam"]


def test_a_rating_of_an_entry_counts_more_than_its_sources(graph: Built) -> None:
    store = graph(
        said("dam", "flood", "abcd", context=((AS_CAUSE_SLOT, "odd"),)),
        said("rain", "flood", "e", context=((AS_CAUSE_SLOT, "main"),)),
        said("storm", "flood", "f"),
    )
    assert names(asked(store, Semantic.CAUSE, effect="flood")) == ["rain", "storm", "dam"]


def test_a_rating_as_an_effect_says_nothing_of_a_cause(graph: Built) -> None:
    store = graph(said("dam", "flood", "ab", context=((AS_EFFECT_SLOT, "odd"),)), said("rain", "flood", "c"))
    assert names(asked(store, Semantic.CAUSE, effect="flood"))[0] == "dam"


def test_more_independent_sources_come_first(graph: Built) -> None:
    store = graph(said("asbestos", "cancer", "a"), said("smoking", "cancer", "bcde"))
    assert names(asked(store, Semantic.CAUSE, effect="cancer")) == ["smoking", "asbestos"]


def test_names_that_say_the_same_are_shown_once_with_their_sources_together(graph: Built) -> None:
    store = graph(
        said("loss of hearing", "isolation", "ab"), said("hearing loss", "isolation", "bc"), said("war", "isolation", "d")
    )
    answer = asked(store, Semantic.CAUSE, effect="isolation")
    (first, *others) = answer.findings
    assert {first.text, *first.merged} == {"loss of hearing", "hearing loss"}
    assert first.support == 3
    assert [one.text for one in others] == ["war"]
    assert {cited.claim.cause for cited in answer.evidence} == {"loss of hearing", "hearing loss", "war"}
    assert f"also {first.merged[0]}" in answer.sentence


def test_opposites_are_not_merged(graph: Built) -> None:
    store = graph(said("increase in price", "unrest", "a"), said("decrease in price", "unrest", "b"))
    assert set(names(asked(store, Semantic.CAUSE, effect="unrest"))) == {"increase in price", "decrease in price"}


def test_what_is_only_linked_is_told_apart_and_comes_last(graph: Built) -> None:
    store = graph(said("wealth", "gout", "abcd", Relation.ASSOCIATED), said("purine", "gout", "e"))
    answer = asked(store, Semantic.CAUSE, effect="gout")
    assert names(answer) == ["purine", "wealth"]
    assert "only linked to gout, not stated as causes: wealth" in answer.sentence
    assert answer.signals.connection is CausalConnection.DIRECT


def test_signals_tell_what_the_list_rests_on(graph: Built) -> None:
    store = graph(
        said("coffee", "cancer", "ab"),
        said("coffee", "cancer", "c", stance=Stance.NEGATED),
        said("coffee", "cancer", "d", stance=Stance.HEDGED),
    )
    signals = asked(store, Semantic.CAUSE, effect="cancer").signals
    assert (signals.support, signals.against, signals.hedged, signals.steps, signals.link) == (2, 1, 1, 1, 1.0)
    assert 0 < signals.belief < 1


@pytest.mark.parametrize("name", ["factor", "one major factor", "various other problems", "event"])
def test_a_generic_name(name: str) -> None:
    assert is_generic_name(name)


@pytest.mark.parametrize("name", ["climate change", "risk factor", "blood group", "rain"])
def test_a_name_that_says_something(name: str) -> None:
    assert not is_generic_name(name)


@pytest.mark.parametrize(
    "name", ["coal have high sulfur content", "experimentally", "magnitude 7.8", "hunger caused", "return to his own universe"]
)
def test_a_broken_name(name: str) -> None:
    assert is_broken_name(name)


@pytest.mark.parametrize("name", ["sulfur dioxide", "allergy", "2004 earthquake", "family", "lack of food"])
def test_a_whole_name(name: str) -> None:
    assert not is_broken_name(name)


# goals and purposes


def test_a_goal_is_an_aim_and_never_a_mere_cause(graph: Built) -> None:
    store = graph(
        said("avoid tax", "emigration", "a", Relation.MOTIVATES, rule="in-order-to.infinitive"),
        said("war", "emigration", "bcd"),
        said("bad law", "emigration", "e", Relation.MOTIVATES, rule="protest-over.noun"),
    )
    answer = asked(store, Semantic.GOAL, effect="emigration")
    assert names(answer) == ["avoid tax", "bad law"]
    assert "reasons for" in answer.sentence.lower()
    assert "motives behind" in answer.sentence


def test_without_an_aim_the_causes_are_the_answer(graph: Built) -> None:
    store = graph(said("war", "emigration", "bcd"))
    answer = asked(store, Semantic.GOAL, effect="emigration")
    assert answer.sentence.startswith("Causes of emigration: war")
    assert answer.missing
    assert answer.confidence < asked(store, Semantic.CAUSE, effect="emigration").confidence


def test_a_purpose_is_what_something_is_for_found_along_the_arrow(graph: Built) -> None:
    store = graph(
        said("dam", "collect water", "a", Relation.IS_FOR),
        said("beaver", "dam", "b"),
        said("dam", "drought", "c"),
        said("gravel", "dam", "d", Relation.IS_FOR),
    )
    for slots in ({"effect": "dam"}, {"cause": "dam"}):
        answer = asked(store, Semantic.PURPOSE, **slots)
        assert names(answer) == ["collect water"]
        assert all(edge.cause == "dam" for one in answer.findings for edge in one.path.edges)


def test_without_a_purpose_the_effects_are_told_to_be_none(graph: Built) -> None:
    answer = asked(graph(said("dam", "drought", "c")), Semantic.PURPOSE, cause="dam", relation=Relation.IS_FOR)
    assert "no purpose of this is known" in answer.sentence
    assert "Effects of dam: drought" in answer.sentence


@pytest.mark.parametrize(
    ("name", "clause"), [("avoid tax", True), ("to win", True), ("in order to live", True), ("tax", False), ("war", False)]
)
def test_a_clause_of_intention(name: str, clause: bool) -> None:
    assert is_intention(name) is clause


def test_only_rules_that_find_what_for_make_an_aim() -> None:
    def edge(rule: str) -> Edge:
        return Edge(Claim("x", "y", Relation.MOTIVATES), 0.9, 1, grounds=(Ground(Stance.ASSERTED, (("wikipedia", rule),)),))

    assert is_aim(edge("in-order-to.infinitive"))
    assert not is_aim(edge("protest-over.noun"))


# enablement


def test_what_is_said_to_be_necessary_comes_before_what_only_enables(graph: Built) -> None:
    store = graph(
        said("light", "growth", "a", Relation.ENABLES, rule="necessary-for.adjective"),
        said("lamp", "growth", "bcd", Relation.ENABLES, rule="enable.active"),
        said("rain", "growth", "efgh"),
    )
    answer = asked(store, Semantic.ENABLEMENT, effect="growth")
    assert names(answer) == ["light", "lamp"]
    assert answer.sentence.startswith("Said to be necessary for growth: light")
    assert "none is necessary by the graph alone" in answer.sentence


def test_a_condition_that_every_known_way_leads_through_is_told_to_be_necessary(graph: Built) -> None:
    store = graph(said("key", "entry", "ab", Relation.ENABLES, rule="enable.active"), said("smith", "key", "c"))
    assert "every known way there leads through" in asked(store, Semantic.ENABLEMENT, effect="entry").sentence


def test_only_some_rules_state_a_need() -> None:
    def edge(rule: str) -> Edge:
        return Edge(Claim("x", "y", Relation.ENABLES), 0.9, 1, grounds=(Ground(Stance.ASSERTED, (("wikipedia", rule),)),))

    assert states_need(edge("depend-on.verb"))
    assert not states_need(edge("enable.active"))


# results


def test_effects_come_with_their_direction_and_without_uses(graph: Built) -> None:
    store = graph(
        said("dam", "flood", "a", Relation.CAUSES, Polarity.DECREASES),
        said("dam", "evaporation", "b", Relation.CAUSES, Polarity.INCREASES),
        said("dam", "make power", "c", Relation.IS_FOR),
        said("beaver", "dam", "d"),
    )
    answer = asked(store, Semantic.RESULT, cause="dam")
    assert set(names(answer)) == {"flood", "evaporation"}
    assert "(less of it, 1 source)" in answer.sentence
    assert "(more of it, 1 source)" in answer.sentence


# expectational


def test_why_not_asks_for_what_prevents_and_for_what_is_missing(graph: Built) -> None:
    store = graph(
        said("drought", "growth", "a", Relation.PREVENTS, Polarity.DECREASES),
        said("light", "growth", "b", Relation.ENABLES, rule="depend-on.verb"),
        said("rain", "growth", "cde"),
    )
    answer = asked(store, Semantic.CAUSE, Attribute.EXPECTATIONAL, effect="growth")
    assert names(answer) == ["drought", "light"]
    assert "what keeps growth from happening: drought" in answer.sentence.lower()
    assert "perhaps missing: light" in answer.sentence


def test_why_not_is_unknown_where_nothing_blocks(graph: Built) -> None:
    answer = asked(graph(said("rain", "growth", "cde")), Semantic.CAUSE, Attribute.EXPECTATIONAL, effect="growth")
    assert (answer.route, answer.findings) == (Route.NONE, ())


# prevention


def test_what_prevents_treats_and_reduces_is_told_apart(graph: Built) -> None:
    store = graph(
        said("net", "malaria", "a", Relation.PREVENTS, Polarity.DECREASES, rule="prevent.active"),
        said("quinine", "malaria", "b", Relation.PREVENTS, Polarity.DECREASES, rule="cure.active"),
        said("artemisinin", "treat malaria", "c", Relation.IS_FOR),
        said("prevent malaria", "drain swamp", "d", Relation.MOTIVATES),
        said("rain", "malaria", "efg"),
        said("wealth", "malaria", "h", Relation.CAUSES, Polarity.DECREASES),
        said("malaria", "poverty", "ijk", Relation.PREVENTS, Polarity.DECREASES),
    )
    answer = asked(store, Semantic.CAUSE, effect="malaria", relation=Relation.PREVENTS)
    prevents, treated, reduces = answer.sentence.split("; ")
    assert "net" in prevents
    assert "done to prevent malaria" in prevents
    assert "quinine" in treated
    assert "artemisinin" in treated
    assert "wealth" in reduces
    assert set(names(answer)) == {"net", "quinine", "artemisinin", "drain swamp", "wealth"}


def test_what_something_prevents_is_asked_along_the_arrow(graph: Built) -> None:
    store = graph(
        said("aspirin", "stroke", "a", Relation.PREVENTS, Polarity.DECREASES, rule="prevent.active"),
        said("heat", "aspirin", "b", Relation.PREVENTS),
    )
    assert names(asked(store, Semantic.RESULT, cause="aspirin", relation=Relation.PREVENTS)) == ["stroke"]


def test_a_rule_of_treatment_is_no_rule_of_prevention() -> None:
    def edge(rule: str) -> Edge:
        return Edge(Claim("x", "y", Relation.PREVENTS), 0.9, 1, grounds=(Ground(Stance.ASSERTED, (("wikipedia", rule),)),))

    assert treats(edge("effective-in-treating.adjective"))
    assert not treats(edge("vaccine-against.noun"))


# superlatives and circumstances


def test_the_most_common_cause_goes_by_sources_and_says_so(graph: Built) -> None:
    store = graph(said("rare virus", "cough", "a", title="Cough"), said("cold", "cough", "bcd"))
    answer = asked(store, Semantic.CAUSE, Attribute.SUPERLATIVE, effect="cough")
    assert names(answer) == ["cold", "rare virus"]
    assert "number of independent sources in this graph, which is not how often it happens" in answer.sentence


def test_a_sentence_that_states_the_most_common_cause_goes_first(graph: Built) -> None:
    store = graph(said("smoking", "cough", "a", text="Smoking is the most common cause of cough."), said("cold", "cough", "bcd"))
    answer = asked(store, Semantic.CAUSE, Attribute.SUPERLATIVE, effect="cough")
    assert names(answer) == ["smoking", "cold"]
    assert "because a sentence itself calls it so" in answer.sentence


def test_a_sentence_that_states_the_main_cause_of_something_else_does_not_count(graph: Built) -> None:
    text = (
        "Smoking, a leading cause of early death in all of the countries that were looked at and in some others, leads to cough."
    )
    store = graph(said("smoking", "cough", "a", text=text), said("cold", "cough", "bcd"))
    assert names(asked(store, Semantic.CAUSE, Attribute.SUPERLATIVE, effect="cough")) == ["cold", "smoking"]


def test_what_is_said_of_the_population_comes_first(graph: Built) -> None:
    store = graph(
        said("smoking", "stunting", "abc"), said("worms", "stunting", "d", context=(("population", "in young children"),))
    )
    answer = asked(store, Semantic.CAUSE, effect="stunting", population="in children")
    assert names(answer) == ["worm", "smoking"]
    assert "only the first is said of 'in children' in particular" in answer.sentence


def test_that_nothing_is_said_of_the_population_is_told(graph: Built) -> None:
    answer = asked(graph(said("smoking", "stunting", "abc")), Semantic.CAUSE, effect="stunting", place="Africa")
    assert "The sources say nothing of 'Africa' in particular; in general: causes of stunting" in answer.sentence


def test_what_treats_comes_first_where_that_is_asked(graph: Built) -> None:
    store = graph(
        said("net", "malaria", "abcd", relation=Relation.PREVENTS),
        said("quinine", "treat malaria", "e", relation=Relation.IS_FOR),
    )
    kind = QuestionType(Semantic.CAUSE, Slots(effect="malaria", relation=Relation.PREVENTS))
    answers = {
        question: route(question, kind)(Request(question, kind, store)).answer
        for question in ("What treats malaria?", "What prevents malaria?")
    }
    assert list(answers.values()) == ["quinine", "net"]


def test_a_motive_with_a_word_for_treatment_is_no_treatment(graph: Built) -> None:
    store = graph(said("treatment of prisoners", "anger", "ab", relation=Relation.MOTIVATES))
    answer = asked(store, Semantic.CAUSE, effect="anger", relation=Relation.PREVENTS)
    assert answer.answer is None
    assert "what prevents, treats or reduces 'anger'" in answer.sentence


def test_a_wide_reading_that_leaves_out_most_of_the_phrase_gives_no_list(graph: Built) -> None:
    store = graph(said("accident", "pregnancy", "ab"))
    answer = asked(store, Semantic.CAUSE, effect="my stomach hurt early pregnancy")
    assert answer.answer is None
    assert "pregnancy'" in answer.sentence


# several in one slot


def both(joined: str) -> SlotOptions:
    return SlotOptions("effect", ("obesity", "diabetes"), joined)


def test_what_causes_both_comes_before_what_causes_one(graph: Built) -> None:
    store = graph(
        said("sugar", "obesity", "a"),
        said("sugar", "diabetes", "b"),
        said("sloth", "obesity", "cdef"),
        said("age", "diabetes", "gh"),
    )
    answer = asked(store, Semantic.CAUSE, Attribute.MULTI_SLOT, effect="obesity and diabetes", options=both("and"))
    assert names(answer)[0] == "sugar"
    assert set(names(answer)) == {"sugar", "sloth", "age"}
    assert answer.sentence.startswith("Common causes of obesity and diabetes: sugar")


def test_what_leads_to_both_by_a_doubtful_chain_is_not_common(graph: Built) -> None:
    store = graph(
        said("murder", "problems", "ab"),
        said("problems", "obesity", "cd"),
        said("problems", "diabetes", "ef"),
        said("sloth", "obesity", "g"),
    )
    answer = asked(store, Semantic.CAUSE, Attribute.MULTI_SLOT, effect="obesity and diabetes", options=both("and"))
    assert "murder" not in names(answer)


def test_that_nothing_causes_both_is_told(graph: Built) -> None:
    store = graph(said("sloth", "obesity", "cdef"), said("age", "diabetes", "gh"))
    answer = asked(store, Semantic.CAUSE, Attribute.MULTI_SLOT, effect="obesity and diabetes", options=both("and"))
    assert "No common cause of" in answer.sentence
    assert answer.missing
    assert answer.answer == answer.findings[0].text


def chosen(store: GraphStore, joined: str, *phrases: str) -> Answer:
    options = SlotOptions("cause", phrases, joined)
    return asked(
        store,
        Semantic.VERIFICATION,
        Attribute.DISJUNCTION,
        cause=f" {joined} ".join(phrases),
        effect="lung cancer",
        options=options,
    )


def test_a_choice_is_made_among_the_options_alone(graph: Built) -> None:
    store = graph(said("smoking", "lung cancer", "abc"), said("asbestos", "lung cancer", "def"), said("tea", "calm", "g"))
    answer = chosen(store, "or", "tea", "smoking")
    assert (answer.answer, answer.verdict) == ("smoking", Verdict.YES)
    assert answer.findings[0].text == answer.answer
    assert "asbestos" not in answer.sentence
    assert {cited.claim.cause for cited in answer.evidence} == {"smoking"}
    assert chosen(store, "or", "asbestos", "smoking").sentence.startswith("Both")
    assert chosen(store, "or", "tea", "jazz").answer is None
    assert chosen(store, "or", "tea", "jazz").sentence.startswith("Neither is known")


def test_options_that_are_asked_for_together_must_all_hold(graph: Built) -> None:
    store = graph(
        said("smoking", "lung cancer", "abc"),
        said("asbestos", "lung cancer", "def"),
        said("tea", "lung cancer", "gh", stance=Stance.NEGATED),
    )
    assert chosen(store, "and", "asbestos", "smoking").verdict is Verdict.YES
    refused = chosen(store, "and", "smoking", "tea")
    assert (refused.verdict, refused.answer) == (Verdict.NO, "no")
    assert {cited.claim.cause for cited in refused.against} == {"tea"}
    assert chosen(store, "and", "smoking", "jazz").verdict is Verdict.UNKNOWN


def test_no_option_is_read_backwards(graph: Built) -> None:
    store = graph(said("lung cancer", "grief", "abc"), said("smoking", "lung cancer", "de"))
    answer = chosen(store, "or", "grief", "tea")
    assert answer.answer is None
    assert answer.verdict in (Verdict.NO, Verdict.UNKNOWN)


# what is refused


def test_a_purpose_of_a_whole_clause_is_not_that_of_a_noun_in_it(graph: Built) -> None:
    store = graph(said("design", "save money", "a", Relation.IS_FOR), said("car design", "win races", "b", Relation.IS_FOR))
    assert asked(store, Semantic.PURPOSE, cause="gaming chairs have a race car design").route is Route.NONE
    assert names(asked(store, Semantic.PURPOSE, cause="good car design")) == ["win race"]


def test_why_something_does_not_cause_another_thing_is_looked_at_before_it_is_explained(graph: Built) -> None:
    store = graph(said("vaccine", "autism", "abc", stance=Stance.NEGATED), said("vaccine", "autism", "d", stance=Stance.HEDGED))
    answer = asked(store, Semantic.CAUSE, Attribute.EXPECTATIONAL, cause="vaccines", effect="autism")
    assert answer.verdict is Verdict.NO
