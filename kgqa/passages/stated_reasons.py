"""The reasons that the sentences of a passage state for an effect: the clause that a connective joins to that of the effect.

"The silt raises the bed, so that there is less room" states a reason before its connective, "because" one behind it; what stands
in the sentence before is one only perhaps. The rows of reasons.tsv have the connectives, with how surely each gives a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graph.text.pattern_tables import read_pattern_table
from graph.text.segmentation import sentence_spans
from kgqa.linking.lexical_relations import word_roots
from kgqa.passages.statement_words import LONGEST_TEXT, StatementWord, read_words, statement_cue, telling_words, word_keys
from kgqa.question import QuestionType, Semantic
from kgqa.readers.reader import Candidate, Passage

LEAST_EFFECT_SHARE = 0.34
"""The least share of the words of an effect that its clause, with the sentence before, has to hold."""
_LEAST_OWN_SHARE = 0.25
_LEAST_WORDS, _MOST_WORDS = 1, 40
_MOST_OF = 0.7
_WEIGHTS = {
    "because": 1.0,
    "behind": 0.95,
    "within": 0.9,
    "before": 0.8,
    "named": 1.0,
    "blamed": 1.0,
    "when": 0.6,
    "joined": 0.5,
    "relative": 0.4,
}
_DOUBT = 0.6
"""How surely what is believed, denied, or the effect itself, is no reason."""
_SAME = 0.6
"""From which share of its words on a clause is the effect itself."""
OPENING_LENGTH = 40
"""How near the beginning of the next sentence what contradicts a suspicion stands."""
_BEHIND = ("because", "behind")
_MOST_BARE = 4
"""The most words of a subject before its apposition: "after its largest customer, the chain Goodway, decided"."""
_NEXT_TO = 0.25
"""How surely the sentence before or behind that of the effect gives its reason, without a connective."""
_ASKS_REASON = re.compile(
    r"(?:why|how come|what (?:caused?|causes|made|makes|led|leads|brought|is the (?:reason|cause)))\b", re.IGNORECASE
)
_JOINT = re.compile(r"(?:and|but|or|so|then)\s*", re.IGNORECASE)
_OPENING = re.compile(r"(?:and|but|so|then|instead|however|therefore|thus|also|later|, )+\s+", re.IGNORECASE)
_LAST_CLAUSE = re.compile(r"[,;]\s+(?:and|but)\s+|;\s+")
_SPLIT = re.compile(
    r"[,;:]\s+|\s+[—–-]\s+|\s+(?=(?:because|since|so that|so|when|after|once|as soon as|and|but|until)\b)", re.IGNORECASE
)


_ASKS_EFFECT = re.compile(
    r"what (?:did|does|do|was|were|is|are|came|happened|resulted)\b.*\b(?:lead to|cause|result in|bring about|bring|produce|"
    r"effects? of|results? of|consequences? of|come of|came of|mean for|do to|make possible|lead .+ to do)\b|"
    r"what (?:came|resulted|followed) (?:of|from)\b",
    re.IGNORECASE,
)
_CAUSAL_WORDS = frozenset("lead led cause result bring produce effect consequence make outcome come".split())


class StatedReason(NamedTuple):
    """A reason, the number of its passage, its first and last character there, and how surely it is one (0..1).

    What is only believed, denied, or the effect itself, is one with a weight below 0.
    """

    passage: int
    start: int
    end: int
    weight: float

    def holds(self, candidate: Candidate) -> float:
        """Return the weight where the reason holds most of a candidate, else 0."""
        if candidate.start is None or candidate.end is None or candidate.passage != self.passage:
            return 0.0
        common = min(self.end, candidate.end) - max(self.start, candidate.start)
        return self.weight if common >= _MOST_OF * (candidate.end - candidate.start) else 0.0

    def opens(self, candidate: Candidate) -> bool:
        """Return whether a candidate begins within the reason."""
        return candidate.passage == self.passage and candidate.start is not None and self.start <= candidate.start < self.end


@cache
def reason_cues() -> dict[str, re.Pattern[str]]:
    """Return the connectives by where the reason stands to them."""
    rows = read_pattern_table(Path(__file__).with_name("reasons.tsv"))
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern, _ in rows}


def asks_reason(question: str, kind: QuestionType) -> bool:
    """Return whether a question asks for the reason or the cause of something that it names."""
    return kind.conditional is None and bool(_ASKS_REASON.match(question)) and kind.semantic is not Semantic.VERIFICATION


def asks_effect(question: str, kind: QuestionType) -> bool:
    """Return whether a question asks for the effect of something that it names."""
    return kind.conditional is None and bool(_ASKS_EFFECT.match(question)) and kind.semantic is not Semantic.VERIFICATION


def stated_effects(question: str, passages: Sequence[Passage]) -> list[StatedReason]:
    """Return the effects that passages state of what a question names, surest first; its own reasons have a weight below 0."""
    terms = [word for word in _effect_terms(question) if word.text not in _CAUSAL_WORDS]
    effects: list[StatedReason] = []
    for place, passage in enumerate(passages) if terms else ():
        effects += [StatedReason(place, *span) for span in _effects_of_text(terms, passage.text[:LONGEST_TEXT])]
    return sorted(effects, key=lambda effect: -effect.weight)


def _effects_of_text(terms: Sequence[StatementWord], text: str) -> Iterator[tuple[int, int, float]]:
    spans = list(sentence_spans(text))
    shares = [_share(terms, word_keys(read_words(text[begin:end]))) for begin, end in spans]
    if not shares or max(shares) < LEAST_EFFECT_SHARE:
        return
    at = max(range(len(spans)), key=lambda number: shares[number])
    begin, end = spans[at]
    cues = reason_cues()
    for match in cues["makes"].finditer(text, begin, end):
        if _share(terms, word_keys(read_words(text[begin : match.start()]))) >= LEAST_EFFECT_SHARE:
            yield _tidy(text, match.end(), _clause_end(text, match.end(), end), _WEIGHTS["within"])
    clauses = _clauses(text, begin, end)
    held = [_share(terms, word_keys(read_words(text[low:high]))) for low, high in clauses]
    best = max(range(len(clauses)), key=lambda number: held[number])
    for low, _ in clauses[best + 1 : best + 2]:
        if (joint := cues["following"].match(text, low, end)) is not None:
            yield _tidy(text, joint.end(), _clause_end(text, joint.end(), end), _WEIGHTS["before"])
    if at + 1 < len(spans) and (joint := cues["so"].match(text, *spans[at + 1])) is not None:
        yield _tidy(text, joint.end(), spans[at + 1][1], _WEIGHTS["before"])
    for start, stop, weight in _reasons_by_connective(text, clauses, held, best, False):
        yield start, stop, -abs(weight)


def stated_reasons(question: str, kind: QuestionType, passages: Sequence[Passage]) -> list[StatedReason] | None:
    """Return the reasons that passages state, surest first; `None` where none of them names the effect."""
    terms = _effect_terms(question)
    if not terms:
        return []
    reasons: list[StatedReason] = []
    is_named = False
    for place, passage in enumerate(passages):
        text = passage.text[:LONGEST_TEXT]
        everything = word_keys(read_words(text))
        if sum(not term.keys.isdisjoint(everything) for term in terms) < LEAST_EFFECT_SHARE * len(terms):
            continue
        is_named = True
        reasons += [StatedReason(place, *places) for places in _reasons_of_text(terms, text)]
    return sorted(reasons, key=lambda reason: -reason.weight) if is_named else None


def _effect_terms(question: str) -> list[StatementWord]:
    text = _ASKS_REASON.sub("", question.rstrip(" ?"), count=1)
    return [word for word in telling_words(text) if len(word.text) > 2]


def _share(terms: Sequence[StatementWord], keys: frozenset[str]) -> float:
    return sum(not term.keys.isdisjoint(keys) for term in terms) / len(terms)


def _reasons_of_text(terms: Sequence[StatementWord], text: str) -> Iterator[tuple[int, int, float]]:
    """Yield the places of the reasons in a text with their weights: about its best sentence, or one that takes that up."""
    spans = list(sentence_spans(text))
    keys = [word_keys(read_words(text[begin:end])) for begin, end in spans]
    shares = [
        _share(terms, own) + 0.3 * _share(terms, (keys[at - 1] if at else frozenset[str]()) - own) for at, own in enumerate(keys)
    ]
    if not shares or max(shares) < _LEAST_OWN_SHARE:
        return
    best = max(range(len(spans)), key=lambda at: (shares[at], not terms[0].keys.isdisjoint(keys[at])))
    for at, share in enumerate(shares):
        taken_up = 0 < at - best <= 2 and reason_cues()["began"].search(text, *spans[at])
        if taken_up or (share >= 0.75 * shares[best] and _share(terms, keys[at]) >= _LEAST_OWN_SHARE):
            likeness = 1.0 if taken_up else min(1.0, share / shares[best])
            for start, end, weight in _reasons_of_sentence(terms, text, spans, at, bool(taken_up)):
                yield start, end, weight * likeness
        elif abs(at - best) <= 3 and (match := reason_cues()["named"].search(text, *spans[at])):
            yield _tidy(text, match.end(), _clause_end(text, match.end(), spans[at][1]), _WEIGHTS["named"])
        if abs(at - best) <= 3 and (match := reason_cues()["blamed"].search(text, *spans[at])):
            weight = -_DOUBT if is_contradicted(text, spans, at, match.start()) else _WEIGHTS["blamed"]
            yield _tidy(text, match.end(), _clause_end(text, match.end(), spans[at][1]), weight)


def is_contradicted(text: str, spans: Sequence[tuple[int, int]], number: int, start: int) -> bool:
    """Return whether what a sentence blames from a place on is contradicted behind it, or where the next sentence begins."""
    contrast = statement_cue("contrast")
    following = text[slice(*spans[number + 1])][:OPENING_LENGTH] if number + 1 < len(spans) else ""
    return bool(contrast.search(text, start, spans[number][1]) or contrast.search(following))


def _clause_end(text: str, start: int, end: int) -> int:
    match = re.compile(r"[;:]|, (?:and|but|while|which led|so)\b").search(text, start, end)
    return match.start() if match else end


def _reasons_of_sentence(
    terms: Sequence[StatementWord], text: str, spans: Sequence[tuple[int, int]], at: int, taken_up: bool
) -> Iterator[tuple[int, int, float]]:
    """Yield the reasons that the sentence of an effect, or those around it, give; it may only say "it began"."""
    clauses = _clauses(text, *spans[at])
    held = [_share(terms, word_keys(read_words(text[low:high]))) for low, high in clauses]
    place = 0 if taken_up else max(range(len(clauses)), key=lambda number: held[number])
    if held[place] >= _SAME and not taken_up:
        yield *clauses[place], -_DOUBT
    yield from _reasons_by_connective(text, clauses, held, place, taken_up)
    yield from _reasons_in_clause(terms, text, clauses, place)
    yield from _reasons_before(text, spans, at, clauses, place, taken_up)
    if at + 1 < len(spans):
        weight = _WEIGHTS["joined"] if reason_cues()["had"].search(text, *spans[at + 1]) else _NEXT_TO / 2
        yield _tidy(text, *spans[at + 1], weight)


def _reasons_by_connective(
    text: str, clauses: Sequence[tuple[int, int]], held: Sequence[float], place: int, taken_up: bool
) -> Iterator[tuple[int, int, float]]:
    """Yield the clauses that a connective opens: "because ...", "when ...", and "who ..." beside the effect."""
    cues, end = reason_cues(), clauses[-1][1]
    for number, (low, high) in enumerate(clauses):
        for name in ("because", "behind", "when", "relative"):
            match = cues[name].match(text, low, high)
            near = name != "relative" or abs(number - place) == 1
            less = taken_up or name in _BEHIND or held[number] < held[place]
            if match is not None and number != place and near and less:
                bare = name == "when" and len(text[match.end() : high].split()) <= _MOST_BARE and text[high : high + 1] == ","
                last = _clause_end(text, high, end) if number > place and (name in _BEHIND or bare) else high
                yield _tidy(text, match.end(), last, _WEIGHTS["before" if taken_up else name])
                break


def _reasons_in_clause(
    terms: Sequence[StatementWord], text: str, clauses: Sequence[tuple[int, int]], place: int
) -> Iterator[tuple[int, int, float]]:
    """Yield what a sentence names with "owing to", "the reason was" and "made"."""
    cues, begin, end = reason_cues(), clauses[0][0], clauses[-1][1]
    for match in cues["named"].finditer(text, begin, end):
        yield _tidy(text, match.end(), _clause_end(text, match.end(), end), _WEIGHTS["named"])
    for match in cues["within"].finditer(text, clauses[place][0], end):
        yield _tidy(text, match.end(), _clause_end(text, match.end(), end), _WEIGHTS["within"])
    effect = word_keys(terms)
    for match in cues["makes"].finditer(text, begin, end):
        made = word_keys(read_words(text[match.end() : end]))
        if effect.isdisjoint(word_roots(match[0].lower())) and _share(terms, made) >= _LEAST_OWN_SHARE:
            start = max((low for low, _ in clauses if low < match.start()), default=begin)
            yield _tidy(text, start, match.start(), _WEIGHTS["within"])


def _reasons_before(
    text: str, spans: Sequence[tuple[int, int]], at: int, clauses: Sequence[tuple[int, int]], place: int, taken_up: bool
) -> Iterator[tuple[int, int, float]]:
    """Yield what stands before an effect that "so that", "and" or "as a result" opens: a clause or a sentence."""
    cues, before = reason_cues(), place - 1
    while before > 0 and cues["fragment"].match(text, *clauses[before]):
        before -= 1
    for name, weight in (("so", "before"), ("and", "joined"), ("relative", "joined")):
        if before >= 0 and cues[name].match(text, *clauses[place]):
            yield _tidy(text, *clauses[before], _WEIGHTS[weight])
            break
    if at and cues["so"].match(text, *spans[at]):
        yield _tidy(text, *spans[at - 1], _WEIGHTS["before"])
    elif at and cues["so behind"].search(text, *spans[at]):
        begin, end = spans[at - 1]
        joints = [match.end() for match in _LAST_CLAUSE.finditer(text, begin, end)]
        yield _tidy(text, joints[-1] if joints else begin, end, _WEIGHTS["because"])
    elif at and not taken_up:
        yield _tidy(text, *spans[at - 1], _NEXT_TO)


def _clauses(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Return where the clauses of a sentence begin and end."""
    clauses, start = [], begin
    for match in _SPLIT.finditer(text, begin, end):
        if match.start() > start and not _JOINT.fullmatch(text, start, match.start()):
            clauses.append((start, match.start()))
        start = match.end()
    return [*clauses, (start, end)]


def _tidy(text: str, start: int, end: int, weight: float) -> tuple[int, int, float]:
    """Return the place of a reason without what opens and closes it; of no weight where too little or too much is left."""
    while (match := _OPENING.match(text, start, end)) is not None:
        start = match.end()
    part = text[start:end]
    start += len(part) - len(part.lstrip(" ,;:—-"))
    end -= len(part) - len(part.rstrip(" .,;:!?—-"))
    words = len(text[start:end].split())
    if not _LEAST_WORDS <= words <= _MOST_WORDS:
        return start, end, 0.0
    if statement_cue("belief").search(text, start, end) or re.search(r"\bnot\b", text[start:end]):
        return start, end, -_DOUBT
    return start, end, weight
