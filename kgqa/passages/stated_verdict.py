"""Whether something is so, as the sentences of a passage state it: what they share with a question, and whether they deny that.

A sentence states what is asked where it holds most of the question's words, or others of their meaning, with the same direction
("fell" for "decreased"). It denies it by a negation of those words, by the opposite direction, or by a result that is none ("had
no effect"). Where somebody says so and another disagrees, it is contested. What the passage does not name is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graph.text.segmentation import sentence_spans
from graph.text.stop_words import STOP_WORDS
from kgqa.answer_model import Verdict
from kgqa.linking.lexical_relations import antonyms, word_roots
from kgqa.passages.stated_reasons import is_contradicted
from kgqa.passages.statement_words import (
    LONGEST_TEXT,
    StatementWord,
    direction_words,
    read_words,
    statement_cue,
    telling_words,
    word_keys,
    words_of,
)
from kgqa.question import QuestionType
from kgqa.readers.extractive.yes_no_model import OPPOSITE_PAIRS
from kgqa.readers.reader import Passage

LEAST_SHARE = 0.6
"""The least share of the question's words, weighed, that a sentence and what stands before it have to hold to state it."""
LEAST_OWN_SHARE = 0.4
"""The same for the words of the sentence itself."""
LEAST_SHARE_OF_BEING = 0.95
"""The same where it is asked what something is: that a sentence names both says little (of 400 questions of BoolQ)."""
_DENIAL_SHARE, _PLAIN_DENIAL_SHARE, _OPPOSITE_SHARE = 0.3, 0.5, 0.34
"""The same for a denial ("had no effect", "was rejected"), for a "not" near the question's words, and for the opposite."""
_RESULT = 1.2
"""How well a sentence fits that says that a cause has no effect, or names another: better than one that names both together."""
_ELLIPTIC = 6
"""The most words of a clause that takes its verb from the one before."""
_RIVAL = 0.8
"""How well a sentence that says the opposite fits, as a share of the fit of the best, for the two to be rivals."""
_NEAR, _ELSEWHERE = 0.7, 0.4
"""What a word counts that stands in one of the two sentences before, and elsewhere in the passage."""
_GENERAL_WEIGHT = 0.3
_MOST_MISSING = 0.3
"""The largest share of the question's words that the passage may lack altogether."""
_MOST_ACQUITTED = 25
"""The most words of a clause that says of a cause that it is none."""
_BLAME_REACH = 3
"""How many sentences before a suspicion its effect stands."""
_DISPUTE_REACH = 3
"""How many sentences apart two sides stand at most."""


_SUBJECT = re.compile(
    r"(?:did|does|do|was|is|has|have) (?P<subject>[\w' ]+?) (?:bring|cause|lead|make|delay|stop|halt|prevent|contribute)\b",
    re.IGNORECASE,
)
"""What a question says to have done something, where it is not parsed as a cause."""


class StatedVerdict(NamedTuple):
    """A verdict, how well its sentence fits the question, and the sentences: the number of the passage, first and last character.

    It is unknown where a text lacks too much of what the question names; contested, it has the sentences of both sides.
    """

    verdict: Verdict
    fit: float
    places: tuple[tuple[int, int, int], ...]


class _Reading(NamedTuple):
    """What a sentence states: how well it fits, and whether it holds."""

    rank: float
    holds: bool


@dataclass(frozen=True, slots=True)
class _Query:
    """What a question asks: its words with their weights, and in which direction something changes, where it says so."""

    terms: tuple[tuple[StatementWord, float, bool], ...]
    directions: tuple[str, ...]
    denied: bool
    causes: frozenset[str]
    effects: frozenset[str]
    least: float
    alone: bool

    @property
    def changes(self) -> bool:
        """Whether it is asked if something changes, or is changed."""
        return bool(self.directions or (self.causes and self.effects))

    @property
    def weight(self) -> float:
        """The weight of all words."""
        return sum(weight for _, weight, _ in self.terms)

    def share(self, keys: frozenset[str]) -> float:
        """Return the share of the words, weighed, that some words have; names count only where they have them."""
        held = sum(weight for term, weight, _ in self.terms if not term.keys.isdisjoint(keys))
        whole = sum(weight for term, weight, proper in self.terms if not (proper and term.keys.isdisjoint(keys)))
        return held / whole if whole else 0.0


def stated_verdict(question: str, kind: QuestionType, passages: Sequence[Passage]) -> StatedVerdict | None:
    """Return what passages state on a question that asks whether something is so; `None` where they do not."""
    query = _read_question(question, kind)
    texts = [passage.text[:LONGEST_TEXT] for passage in passages]
    acquitted = (_acquittal(query, text, place) for place, text in enumerate(texts))
    if (denied := next(filter(None, acquitted), None)) is not None:
        return denied
    if sum(weight > _GENERAL_WEIGHT for _, weight, _ in query.terms) < 2:
        return None
    everything = word_keys([word for text in texts for word in read_words(text)])
    missing = sum(weight for term, weight, _ in query.terms if term.keys.isdisjoint(everything))
    if missing > _MOST_MISSING * query.weight:
        return StatedVerdict(Verdict.UNKNOWN, 0.0, ())
    verdicts = (_verdict_of_text(query, text, place) for place, text in enumerate(texts))
    return max(filter(None, verdicts), key=lambda stated: stated.fit, default=None)


def _read_question(question: str, kind: QuestionType) -> _Query:
    text = question.strip().rstrip("?")
    first = text.split(" ", 1)[0].lower()
    words = read_words(text)[1:]
    denied = first.endswith(("n't", "n’t")) or any(word.text in ("not", "never") for word in words)
    terms, directions = [], []
    for word in words:
        if word.text in direction_words():
            directions.append(direction_words()[word.text])
        elif word.text in words_of("causal") or word.text in STOP_WORDS["yes-no"] or word.text in ("not", "never"):
            continue
        else:
            proper = text[word.start : word.start + 1].isupper() or word.text[:1].isdigit()
            general = word.text in words_of("general")
            terms.append((word, _GENERAL_WEIGHT if general else 1.0, proper))
    slots = kind.slots
    ends = [word_keys(telling_words(end or "")) for end in (slots.cause, slots.effect)]
    if slots.cause and slots.effect and f"{slots.cause} {slots.effect}" in question:
        ends[1] -= read_words(slots.effect)[0].keys  # "the spray kill bees": the effect begins with the verb
    own = [ends[0] - ends[1], ends[1] - ends[0]] if slots.cause and slots.effect else [frozenset[str](), frozenset[str]()]
    least = LEAST_SHARE_OF_BEING if first in ("is", "are") else LEAST_OWN_SHARE
    subject = _SUBJECT.match(text)
    if subject is not None and not own[0]:
        own[0] = word_keys(telling_words(subject["subject"]))
    alone = statement_cue("alone").search(text) is not None
    return _Query(tuple(terms), tuple(directions), denied, own[0], own[1], least, alone)


def _verdict_of_text(query: _Query, text: str, place: int) -> StatedVerdict | None:
    spans = list(sentence_spans(text))
    sentences = [read_words(text[begin:end]) for begin, end in spans]
    keys = list(map(word_keys, sentences))
    everything = frozenset[str]().union(*keys)
    readings: list[tuple[_Reading, int]] = []
    for number, words in enumerate(sentences):
        near = frozenset[str]().union(*keys[max(0, number - 2) : number])
        begin, end = spans[number]
        reading = _read_sentence(query, text[begin:end], words, near, everything)
        if reading is not None:
            readings.append((reading, number))
    readings += _contrary_results(query, [text[begin:end] for begin, end in spans], keys)
    if not readings:
        return None
    (rank, holds), number = max(readings, key=lambda item: (item[0].rank, not item[0].holds))
    opposite = [at for reading, at in readings if reading.holds != holds and reading.rank > _RIVAL * rank]
    opinions = [bool(statement_cue("opinion").search(text, *spans[at])) for at in (number, *opposite)]
    others = _disputing(text, spans, number) or (opposite if all(opinions) else [])
    if others:
        return StatedVerdict(Verdict.CONTESTED, 0.5, tuple((place, *spans[at]) for at in dict.fromkeys((number, *others))))
    verdict = Verdict.YES if holds is not query.denied else Verdict.NO
    return StatedVerdict(verdict, rank, ((place, *spans[number]),))


def _acquittal(query: _Query, text: str, place: int) -> StatedVerdict | None:
    """Return that a cause is none where a clause says so of it, or of what the sentence before asks: "she thought not"."""
    spans = list(sentence_spans(text))
    before = frozenset[str]()
    for begin, end in spans if query.causes else ():
        words = read_words(text[begin:end])
        for clause, _, own, _ in _clauses(text[begin:end], words):
            match = statement_cue("acquittal").search(clause)
            held = word_keys(words) | (before if match and match[0].endswith(" not") else frozenset())
            if match and len(own) <= _MOST_ACQUITTED and not query.causes.isdisjoint(held):
                verdict = Verdict.YES if query.denied else Verdict.NO
                return StatedVerdict(verdict, _RESULT, ((place, begin, end),))
        before = word_keys(words)
    return _rejected_blame(query, text, spans, place)


def _rejected_blame(query: _Query, text: str, spans: Sequence[tuple[int, int]], place: int) -> StatedVerdict | None:
    """Return that a cause is none where it was only suspected: "the kitchen came under suspicion first, but ... were clean"."""
    keys = [word_keys(read_words(text[begin:end])) for begin, end in spans]
    for number, (begin, end) in enumerate(spans):
        match = statement_cue("suspicion").search(text, begin, end)
        if match is None or statement_cue("dispute").search(text, begin, end):
            continue
        about = frozenset[str]().union(*keys[max(0, number - _BLAME_REACH) : number + 1])
        if len(query.causes & keys[number]) * 2 < len(query.causes) or (query.effects and query.effects.isdisjoint(about)):
            continue
        if is_contradicted(text, spans, number, match.end()):
            verdict = Verdict.YES if query.denied else Verdict.NO
            return StatedVerdict(verdict, _RESULT, ((place, begin, end),))
    return None


def _contrary_results(query: _Query, sentences: Sequence[str], keys: Sequence[frozenset[str]]) -> Iterator[tuple[_Reading, int]]:
    """Yield the sentences by which a cause is none: "coffee made no difference", "the true cause was a shortage of drivers"."""
    if not query.causes or not query.effects or query.effects.isdisjoint(frozenset[str]().union(*keys)):
        return
    blamed = any(
        statement_cue("belief").search(text) and not query.causes.isdisjoint(own)
        for text, own in zip(sentences, keys, strict=True)
    )
    for number, (text, own) in enumerate(zip(sentences, keys, strict=True)):
        for clause, _, words, _ in _clauses(text, read_words(text)):
            if statement_cue("null").search(clause) and not query.causes.isdisjoint(word_keys(words)):
                yield _Reading(_RESULT, False), number
        if blamed and statement_cue("true_cause").search(text) and query.causes.isdisjoint(own):
            yield _Reading(_RESULT, False), number


def _disputing(text: str, spans: Sequence[tuple[int, int]], number: int) -> list[int]:
    """Return the sentences in which another side is told, where a sentence says what somebody holds."""
    near = range(max(0, number - _DISPUTE_REACH), min(len(spans), number + _DISPUTE_REACH + 1))
    if not any(statement_cue("opinion").search(text, *spans[at]) for at in near if abs(at - number) <= 1):
        return []
    return [at for at in near if statement_cue("dispute").search(text, *spans[at])]


def _read_sentence(
    query: _Query, text: str, words: Sequence[StatementWord], near: frozenset[str], everything: frozenset[str]
) -> _Reading | None:
    """Return how much of the question a sentence states, and whether it holds; `None` where it states too little."""
    here = word_keys(words)
    own = query.share(here)
    share = own + sum(
        weight * (_NEAR if proper or not term.keys.isdisjoint(near) else _ELSEWHERE)
        for term, weight, proper in query.terms
        if term.keys.isdisjoint(here) and not term.keys.isdisjoint(everything)
    ) / query.weight  # fmt: skip
    if share < LEAST_SHARE:
        return None
    clause, denial = _asked_clause(query, text, words)
    wanted = set(query.directions)
    directions = {direction_words()[word.text] for word in clause if word.text in direction_words()}
    rank = own + (share - own) / 2 + (0.1 if directions & wanted else 0.0)
    opposed = any(_opposes(term, clause) for term, weight, _ in query.terms if weight == 1.0 and term.keys.isdisjoint(here))
    if opposed and not denial:
        return _Reading(rank, False) if own >= _PLAIN_DENIAL_SHARE else None
    if denial:
        return _Reading(rank, False) if own >= denial else None
    if len(wanted) == 1 and directions and not directions & wanted:
        both = query.causes.isdisjoint(here | near) or query.effects.isdisjoint(here) if query.causes and query.effects else False
        return _Reading(rank, False) if own >= _OPPOSITE_SHARE and not both else None
    if own < query.least or (wanted and not directions & wanted) or statement_cue("belief").search(text):
        return None
    if query.causes and query.effects and not _runs_forward(query, text, words, near):
        return None
    return _Reading(rank, True)


def _asked_clause(query: _Query, text: str, words: Sequence[StatementWord]) -> tuple[Sequence[StatementWord], float]:
    """Return the words of the clause that tells what is asked, and how much a denial has to share; 0 where nothing is denied.

    A clause that adds a word of the question and turns the one before decides: "drops its flights to Riga but not those to
    Tallinn", "was not caused by germs but by the diet".
    """
    clauses = list(_clauses(text, words))
    if query.changes and query.effects:
        for clause in clauses:
            if statement_cue("null").search(clause[0]) and not word_keys(clause[2]).isdisjoint(query.effects):
                return clause[2], _DENIAL_SHARE
    place = max(range(len(clauses)), key=lambda at: query.share(word_keys(clauses[at][2])))
    shared, denial = word_keys(clauses[place][2]), _denial(query, *clauses[place])
    for later in clauses[place + 1 :]:
        added = word_keys(later[2]) - shared
        if any(not term.keys.isdisjoint(added) and term.keys.isdisjoint(shared) for term, _, _ in query.terms):
            turned = _denial(query, *later)
            if turned and not denial:
                return later[2], turned
            if denial == _PLAIN_DENIAL_SHARE and not turned and "but" in later[3] and len(later[2]) <= _ELLIPTIC:
                return later[2], 0.0
    return clauses[place][2], denial


def _opposes(term: StatementWord, clause: Sequence[StatementWord]) -> bool:
    """Return whether a clause has an antonym of a word."""
    pairs = (opposite for own, opposite in OPPOSITE_PAIRS if own in term.keys)
    opposites = frozenset(pairs).union(*map(antonyms, term.keys))
    return any(not opposites.isdisjoint(word.keys) for word in clause)


def _clauses(text: str, words: Sequence[StatementWord]) -> Iterator[tuple[str, int, list[StatementWord], str]]:
    """Yield the clauses of a sentence, each with its place, its words and what joins it to the one before."""
    begin, joint = 0, ""
    for match in [*statement_cue("clause").finditer(text), None]:
        end = match.start() if match else len(text)
        yield text[begin:end], begin, [word for word in words if begin <= word.start < end], joint
        if match:
            begin, joint = match.end(), match[0].lower()


def _denial(query: _Query, text: str, begin: int, words: Sequence[StatementWord], joint: str) -> float:
    """Return how much of the question a clause has to share for its denial to count; 0 where it denies nothing of it."""
    if re.search(r"\b(?:not|rather|instead)\b", joint) or (query.changes and statement_cue("null").search(text)):
        return _DENIAL_SHARE
    if statement_cue("alone").search(text) and not query.alone:
        return 0.0
    plain = statement_cue("no_denial").sub(lambda match: " " * len(match[0]), text)
    shared = [word.start - begin for word in words if any(not term.keys.isdisjoint(word.keys) for term, _, _ in query.terms)]
    for name, reach, least in (
        ("reject", 80, _DENIAL_SHARE),
        ("denial", 40, _PLAIN_DENIAL_SHARE),
        ("no", 15, _PLAIN_DENIAL_SHARE),
    ):
        for match in statement_cue(name).finditer(plain):
            inside = any(not term.keys.isdisjoint(word_roots(match[0].lower())) for term, _, _ in query.terms)
            if not inside and any(0 <= start - match.start() < reach for start in shared):
                return least
    return 0.0


def _runs_forward(query: _Query, text: str, words: Sequence[StatementWord], near: frozenset[str]) -> bool:
    """Return whether a sentence has a cue of cause between what is asked about, from the cause to the effect.

    The cause may stand before, where a pronoun takes it up.
    """
    causes = [word.start for word in words if not word.keys.isdisjoint(query.causes)]
    if not causes and not near.isdisjoint(query.causes) and statement_cue("taken_up").match(text):
        causes = [0]
    effects = [word.start for word in words if not word.keys.isdisjoint(query.effects)]
    if not effects or not causes:
        return False
    first = min(causes)
    for match in statement_cue("backward").finditer(text):
        if any(start < match.start() for start in effects) and any(start > match.start() for start in causes):
            return True
        if statement_cue("reason_first").fullmatch(match[0]) and match.start() <= first < max(effects):
            return True
    for match in statement_cue("noun").finditer(text):
        if min(causes) < match.start() or max(causes) > min(effects):
            return True
    forward = [match.start() for match in statement_cue("forward").finditer(text)]
    forward += [word.start for word in words if word.text in direction_words()]
    ends = query.causes | query.effects
    verbs = [term for term, _, _ in query.terms if term.keys.isdisjoint(ends)]
    forward += [word.start for word in words if any(not verb.keys.isdisjoint(word.keys) for verb in verbs)]
    return any(first < start and any(effect > first for effect in effects) for start in forward)
