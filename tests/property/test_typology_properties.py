"""What holds of the typology for any text."""

from __future__ import annotations

import time
import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from kgqa.question import Semantic
from kgqa.questions.classifier import classify
from kgqa.questions.lexicon import lexicon
from kgqa.questions.tokenization import LONGEST_QUESTION, question_sentences

CONNECTIVES = sorted(
    "what why how which who does do did is are was were can could would will if when without had not never cause causes caused "
    "by lead leads to effect effects of on the a an and or prevent prevents happen true that , ? . ' \" ( ) don't what's".split()
)
NOUNS = sorted(
    "smoking cancer rain floods tides moon stress asthma taxes inflation drought famine gravity malaria obesity".split()
)

question_like = st.lists(st.sampled_from(CONNECTIVES + NOUNS), max_size=25).map(" ".join)
noun_phrase = st.lists(st.sampled_from(NOUNS), min_size=1, max_size=3).map(" ".join)


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


@given(st.text() | question_like)
@example("What causes " + "\0" + "?")
@example("Does , cause rain?")
@example("İs stress causing İ?")
@example("ﬁre causes ﬂoods")
@example("what's'n't")
def test_any_text_gives_a_type_whose_slots_are_parts_of_it(text: str) -> None:
    kind = classify(text)

    slots = kind.slots
    phrases = [slots.cause, slots.effect]
    if slots.condition:
        phrases += [slots.condition.text, slots.condition.target]
    for phrase in phrases:
        assert phrase is None or (phrase and folded(phrase) in folded(text))
    assert 0 <= kind.confidence <= 1
    assert len(set(kind.attributes)) == len(kind.attributes)
    assert kind.semantic is not None or phrases == [None, None]


@given(st.text() | question_like)
def test_the_same_text_always_gives_the_same_type(text: str) -> None:
    assert classify(text) == classify(text)


@given(st.text())
def test_words_stand_where_they_say(text: str) -> None:
    end = 0
    for sentence in question_sentences(text):
        for word in sentence.words:
            assert end <= word.start <= word.end <= len(text)
            end = word.end


@given(noun_phrase, noun_phrase)
def test_swapping_cause_and_effect_swaps_the_slots(one: str, other: str) -> None:
    forward = classify(f"Does {one} cause {other}?")
    backward = classify(f"Does {other} cause {one}?")

    assert (forward.slots.cause, forward.slots.effect) == (one, other)
    assert (backward.slots.cause, backward.slots.effect) == (other, one)


@given(noun_phrase, noun_phrase)
def test_the_active_and_the_passive_ask_the_same(cause: str, effect: str) -> None:
    active = classify(f"Does {cause} cause {effect}?")
    passive = classify(f"Is {effect} caused by {cause}?")

    assert active.semantic is passive.semantic is Semantic.VERIFICATION
    assert active.slots == passive.slots


@given(noun_phrase)
def test_asking_for_causes_and_asking_for_effects_fill_opposite_slots(phrase: str) -> None:
    causes, effects = classify(f"What causes {phrase}?"), classify(f"What does {phrase} cause?")

    assert (causes.slots.cause, causes.slots.effect) == (None, phrase)
    assert (effects.slots.cause, effects.slots.effect) == (phrase, None)


@given(question_like)
def test_case_curly_quotes_and_spaces_do_not_matter(text: str) -> None:
    lower = classify(text.lower())
    varied = classify("  " + text.lower().replace("'", "’").replace(" ", "  ") + " ")

    assert varied.semantic is lower.semantic
    assert varied.rules == lower.rules


@settings(max_examples=15, deadline=None)
@example('" if were would never')
@given(question_like.filter(lambda text: len(text) > 20))
def test_ten_times_the_text_takes_no_more_than_ten_times_as_long(text: str) -> None:
    classify(text)
    short = (text + " ") * (LONGEST_QUESTION // 10 // len(text) + 1)

    assert seconds(short * 100) < 30 * seconds(short) + 0.05


def seconds(text: str) -> float:
    """Return the best of three times."""
    times = []
    for _ in range(3):
        start = time.process_time()
        classify(text)
        times.append(time.process_time() - start)
    return min(times)


def test_every_named_set_has_phrases() -> None:
    assert all(phrases and all(phrase.words for phrase in phrases) for phrases in lexicon().sets.values())
