"""What can be seen of a question, as names with weights in a linear model: its words, what they are about, what rules say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from graph.text.stop_words import AUXILIARIES, DETERMINERS, STOP_WORDS
from kgqa.questions.lexicon import lexicon, topics_of, verb_topics
from kgqa.questions.tokenization import COMMA, QuestionWord

_MOST_WORDS = 60
_SELF = frozenset("i my me mine myself i'm im".split())
_YOU = frozenset("you your yours u yourself".split())
_THIRD = frozenset("he she his her him they their them".split())
_PAST = frozenset("was were did had caused led happened became got died".split())
_AUXILIARIES = AUXILIARIES["question features"]
_FUNCTION = STOP_WORDS["question features"]
_PERSONS = (("first person", _SELF), ("second person", _YOU), ("third person", _THIRD))
_BEFORE_NOUNS = DETERMINERS["before nouns"]
_AGENTS = frozenset(
    f"subject {kind}"
    for kind in (
        "person",
        "leader",
        "fiction",
        "organisation",
        "people",
        "state",
        "place",
        "name",
        "third person",
        "second person",
    )
)
_WILLED = frozenset(
    f"v {kind}" for kind in "act intend social possession communication contact creation competition motion".split()
)
_MARKS = {
    **dict.fromkeys(
        "important useful beneficial significant essential necessary needed valuable helpful required".split(), "useful"
    ),
    **dict.fromkeys("used use uses using utilized applied".split(), "use"),
    **dict.fromkeys("have has had having".split(), "have"),
    **dict.fromkeys("so too better worse good bad".split(), "degree"),
    **dict.fromkeys("called named call".split(), "called"),
    **dict.fromkeys("built created founded established invented introduced designed added chosen translated".split(), "made"),
    "need": "need",
}
_YEAR = re.compile(r"1[0-9]{3}s?|20[0-9]{2}s?")
_LENGTHS = (3, 5, 8, 12, 20)


def extract_question_features(
    words: Sequence[QuestionWord], rules: Sequence[str], semantic: str, lexical: Iterable[str]
) -> frozenset[str]:
    """Return the features of a sentence that was read by `rules` as the class `semantic` ("none" where it is not causal)."""
    forms = [word.form for word in words[:_MOST_WORDS] if word.form != COMMA]
    result = {f"class {semantic}", f"rules {bool(rules)}", *(f"lexical {name}" for name in lexical)}
    result.update(f"rule {name}" for name in rules)
    result.update(f"family {name.split('.')[0]} {semantic}" for name in rules[:1])
    result.update(f"word {form}" for form in forms)
    result.update(f"pair {first} {second}" for first, second in pairwise(forms))
    result.update(f"start {' '.join(forms[:length])}" for length in (1, 2, 3))
    result.update(f"end {form}" for form in forms[-1:])
    result.add(f"length {sum(len(forms) > bound for bound in _LENGTHS)}")
    result.update(_topic_features(forms))
    result.update(_shape_features(words, forms))
    result.update(_role_features(forms))
    return frozenset(result)


def _topic_features(forms: Sequence[str]) -> Iterator[str]:
    """Yield what the words are about, and the endings of those that the table does not have."""
    unknown = 0
    seen: set[str] = set()
    for form in forms:
        if form in _FUNCTION:
            continue
        topics = topics_of(form)
        for topic in topics:
            yield f"twice {topic}" if topic in seen else f"topic {topic}"
            seen.add(topic)
        if not topics and form.isalpha():
            unknown += 1
            yield f"ending {form[-3:]}"
            yield f"ending {form[-4:]}"
    yield f"unknown {min(unknown, 4)}"


def _shape_features(words: Sequence[QuestionWord], forms: Sequence[str]) -> Iterator[str]:
    """Yield tense, persons, names, years and signs."""
    here = frozenset(forms)
    for name, group in (*_PERSONS, ("past", _PAST)):
        if not here.isdisjoint(group):
            yield name
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
    interrogative = next((place for place, form in enumerate(forms[:8]) if form in ("why", "how")), None)
    if interrogative is None:
        return
    start = interrogative + 1
    auxiliary = forms[start] if start < len(forms) and forms[start] in _AUXILIARIES else "plain"
    while start < len(forms) and forms[start] in _AUXILIARIES:
        start += 1
    frame = f"{forms[interrogative]} {auxiliary}"
    place = _verb_place(forms, start, auxiliary)
    subject = [form for form in forms[start : place or len(forms)] if form not in _FUNCTION]
    yield from (kinds := set(_subject_features(forms[start:place], subject)))
    yield from (f"{frame} {kind}" for kind in kinds)
    yield from {f"{frame} {_MARKS[form]}" for form in forms[start:] if form in _MARKS}
    if auxiliary == "plain" and start < len(forms) and verb_topics(forms[start], base=True):
        yield f"{frame} bare verb"
    if place is None:
        yield f"{frame} no verb"
        return
    verb, agent = forms[place], not kinds.isdisjoint(_AGENTS)
    sets = lexicon().plain
    wills = {name for name in ("act", "intend", "involuntary") if verb in sets[name]}
    doing = {*verb_topics(verb), *(f"v {name}" for name in wills)}
    form = "ing" if verb.endswith("ing") else "participle" if auxiliary in AUXILIARIES["be"] else "base"
    for topic in doing:
        yield from (f"{frame} {topic}", f"{topic} {form}", f"{topic} {'agent' if agent else 'thing'} {forms[interrogative]}")
    yield f"{frame} {'agent' if agent else 'thing'} {form}"
    yield f"{forms[interrogative]} does {verb}"
    if not doing.isdisjoint(_WILLED):
        yield f"{forms[interrogative]} willed {'agent' if agent else 'thing'} {form}"


def _verb_place(forms: Sequence[str], start: int, auxiliary: str) -> int | None:
    """Return the place of the verb of a clause whose subject begins at `start`, or `None` where none is seen."""
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
    """Yield what kind of subject the words are."""
    pronouns = [name for name, group in _PERSONS if not group.isdisjoint(all_forms[:1])]
    if pronouns or not forms:
        yield f"subject {pronouns[0]}" if pronouns else "no subject"
        return
    topics = {topic for topic in topics_of(forms[-1]) if not topic.startswith("v ")}
    yield from (f"subject {topic}" for topic in topics)
    unknown = [form for form in forms if not topics_of(form)]
    if unknown:
        yield "subject name"
    if len(unknown) > 1:
        yield "subject long name"
