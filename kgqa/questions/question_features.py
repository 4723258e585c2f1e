"""What can be seen of a question, as names with weights in a linear model: its words, what they are about, what rules say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from graph.text.stop_words import AUXILIARIES, DETERMINERS, STOP_WORDS
from kgqa.questions.lexicon import lexicon, topics_of, verb_topics
from kgqa.questions.tokenization import COMMA, QuestionWord

_MOST_WORDS = 60
_PERSONS = ("first person", "second person", "third person")
_AUXILIARIES = AUXILIARIES["question features"]
_FUNCTION = STOP_WORDS["question features"]
_BEFORE_NOUNS = DETERMINERS["before nouns"]
_MARKS = ("useful", "use", "have", "degree", "called", "made", "need")
"""What words say of the kind of a question, each with its set of words."""
_YEAR = re.compile(r"1[0-9]{3}s?|20[0-9]{2}s?")
_LENGTHS = (3, 5, 8, 12, 20)


def extract_question_features(
    words: Sequence[QuestionWord], rules: Sequence[str], semantic: str, lexical: Iterable[str]
) -> frozenset[str]:
    """Return the features of a sentence that was read by `rules` as the class `semantic` ("none" where it is not causal)."""
    forms = [word.form for word in words[:_MOST_WORDS] if word.form != COMMA]
    return frozenset(
        (
            f"class {semantic}",
            f"rules {bool(rules)}",
            *(f"lexical {name}" for name in lexical),
            *(f"rule {name}" for name in rules),
            *(f"family {name.split('.')[0]} {semantic}" for name in rules[:1]),
            *(f"word {form}" for form in forms),
            *(f"pair {first} {second}" for first, second in pairwise(forms)),
            *(f"start {' '.join(forms[:length])}" for length in (1, 2, 3)),
            *(f"end {form}" for form in forms[-1:]),
            f"length {sum(len(forms) > bound for bound in _LENGTHS)}",
            *_topic_features(forms),
            *_shape_features(words, forms),
            *_role_features(forms),
        )
    )


def _topic_features(forms: Sequence[str]) -> Iterator[str]:
    unknown = 0
    seen: set[str] = set()
    for form in forms:
        topics = () if form in _FUNCTION else topics_of(form)
        for topic in topics:
            yield f"twice {topic}" if topic in seen else f"topic {topic}"
            seen.add(topic)
        if not topics and form not in _FUNCTION and form.isalpha():
            unknown += 1
            yield from (f"ending {form[-3:]}", f"ending {form[-4:]}")
    yield f"unknown {min(unknown, 4)}"


def _shape_features(words: Sequence[QuestionWord], forms: Sequence[str]) -> Iterator[str]:
    yield from (name for name in (*_PERSONS, "past") if not lexicon().plain[name].isdisjoint(forms))
    capitals = sum(word.capital and word.form != "i" for word in words[1:_MOST_WORDS])
    if capitals:
        yield f"names {min(capitals, 3)}" if capitals < len(words) // 2 else "capitals"
    if any(_YEAR.fullmatch(form) for form in forms):
        yield "year"
    if any(form[0].isdigit() for form in forms):
        yield "number"
    if any(word.form == COMMA for word in words):
        yield "comma"


def _role_features(forms: Sequence[str]) -> Iterator[str]:
    """Yield what acts in a "why" or "how" question and what it does, guessed from their places.

    The verb is the first word that can be one after the auxiliary and at least one other word: in its base form after "do" or
    "can", as a participle after "is"; the subject ends before it.
    """
    start = next((place for place, form in enumerate(forms[:8], 1) if form in ("why", "how")), None)
    if start is None:
        return
    interrogative = forms[start - 1]
    auxiliary = forms[start] if start < len(forms) and forms[start] in _AUXILIARIES else "plain"
    while start < len(forms) and forms[start] in _AUXILIARIES:
        start += 1
    frame, sets = f"{interrogative} {auxiliary}", lexicon().plain
    place = _verb_place(forms, start, auxiliary)
    subject = [form for form in forms[start : place or len(forms)] if form not in _FUNCTION]
    kinds = set(_subject_features(forms[start:place], subject))
    yield from kinds
    yield from (f"{frame} {kind}" for kind in kinds)
    yield from (f"{frame} {mark}" for mark in _MARKS if not sets[f"mark {mark}"].isdisjoint(forms[start:]))
    if auxiliary == "plain" and start < len(forms) and verb_topics(forms[start], base=True):
        yield f"{frame} bare verb"
    if place is None:
        yield f"{frame} no verb"
        return
    verb, actor = forms[place], "thing" if kinds.isdisjoint(sets["agent subject"]) else "agent"
    doing = {*verb_topics(verb), *(f"v {name}" for name in ("act", "intend", "involuntary") if verb in sets[name])}
    form = "ing" if verb.endswith("ing") else "participle" if auxiliary in AUXILIARIES["be"] else "base"
    for topic in doing:
        yield from (f"{frame} {topic}", f"{topic} {form}", f"{topic} {actor} {interrogative}")
    yield f"{frame} {actor} {form}"
    yield f"{interrogative} does {verb}"
    if not doing.isdisjoint(sets["willed verb"]):
        yield f"{interrogative} willed {actor} {form}"


def _verb_place(forms: Sequence[str], start: int, auxiliary: str) -> int | None:
    supported, passive = auxiliary in AUXILIARIES["support"], auxiliary in AUXILIARIES["be"]
    for place in range(start + 1, min(len(forms), start + 9)):
        form = forms[place]
        if form in _FUNCTION or forms[place - 1] in _BEFORE_NOUNS:
            continue
        if passive and not form.endswith(("ing", "ed", "en", "wn", "lt", "nt", "ld", "de")):
            continue
        if verb_topics(form, base=supported):
            return place
    return None


def _subject_features(all_forms: Sequence[str], forms: Sequence[str]) -> Iterator[str]:
    pronouns = [name for name in _PERSONS if not lexicon().plain[name].isdisjoint(all_forms[:1])]
    if pronouns or not forms:
        yield f"subject {pronouns[0]}" if pronouns else "no subject"
        return
    yield from (f"subject {topic}" for topic in topics_of(forms[-1]) if not topic.startswith("v "))
    unknown = [form for form in forms if not topics_of(form)]
    yield from ("subject name", "subject long name")[: len(unknown)]
