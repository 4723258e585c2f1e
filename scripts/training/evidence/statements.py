"""Statements made of questions with their answers, and statements that contradict a statement."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from made_questions.word_tables import KINDS_OF, OPPOSITES

_WH = frozenset("what who whom whose which when where why how".split())
_BE = frozenset("is are was were".split())
_NOUN_WH = frozenset("what which whose how".split())
_SUBJECTS = ("nsubj", "nsubjpass")
_PREPOSITION = re.compile(r"(?:in|on|after|before|during|around)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d,.]*")
_NEGATABLE = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|has been|have been|had been|does|do|did)\b(?! not\b|n't)"
)


@cache
def english() -> Any:
    """Return the parser of sentences."""
    import_module("lemminflect")  # It adds the inflection of tokens.
    from graph.mining.sentence.spacy_pipeline import load_pipeline

    return load_pipeline()


def statement(answer: str, doc: Any, *, denied: bool = False) -> str | None:
    """Return the statement that a parsed question and its answer make; `None` where its form is another.

    "When did the war end?" and "1945" make "The war ended in 1945." Of a question that asks why or how, the statement is what
    it takes for granted, without the answer. With `denied` the statement says that it is not so; `None` where the question word
    is its subject.
    """
    words = [token for token in doc if not token.is_space]
    while words and words[-1].is_punct:
        words.pop()
    place = next((index for index, token in enumerate(words) if token.lower_ in _WH), None)
    if place is None or len(words) < 4 or len(answer.split()) > 12:
        return None
    front, wh, rest = words[:place], words[place], words[place + 1 :]
    head = wh.lower_
    answer = _placed(head, rest, answer.strip().rstrip("."))
    aux = next(
        (
            index
            for index, token in enumerate(rest)
            if token.dep_ in ("aux", "auxpass") or (token.lower_ in _BE and token.pos_ in ("AUX", "VERB"))
        ),
        None,
    )
    if aux is not None and head in _NOUN_WH and any(token.pos_ == "VERB" for token in rest[:aux]):
        aux = None
    if _is_subject(rest) or (aux is None and head in ("what", "which", "who")):
        start = next((index for index, token in enumerate(rest) if token.pos_ in ("VERB", "AUX")), None)
        return None if start is None or front or not answer or denied else _sentence([answer, _text(rest[start:])])
    return None if aux is None else _uninverted(front, rest[aux], rest[aux + 1 :], answer, denied=denied)


def _placed(head: str, rest: Sequence[Any], answer: str) -> str:
    """Return an answer as it stands at the end of a statement; nothing for what asks why, or how something is done."""
    if head == "why" or (head == "how" and rest and rest[0].pos_ == "AUX"):
        return ""
    is_date = head == "when" and re.match(r"(?:\w+ )?\d|[A-Z]", answer) and not _PREPOSITION.match(answer)
    return f"in {answer}" if is_date or (head == "where" and answer[:1].isupper()) else answer


def _is_subject(rest: Sequence[Any]) -> bool:
    """Return whether the question word before some words, by itself, is the subject of their verb."""
    if not rest or rest[0].pos_ not in ("VERB", "AUX"):
        return False
    verb = rest[0].i
    return not any(token.dep_ in _SUBJECTS and token.i > verb and token.head.i >= verb for token in rest)


def _uninverted(front: Sequence[Any], helper: Any, body: Sequence[Any], answer: str, *, denied: bool) -> str | None:
    """Return the statement of a question whose verb stands before its subject."""
    subject = next((token for token in body if token.dep_ in _SUBJECTS), None)
    if subject is None:
        return None
    end = max(token.i for token in subject.subtree)
    named = [token for token in body if token.i <= end]
    after = [token for token in body if token.i > end]
    if not named or named[0].i != helper.i + 1:
        return None
    if helper.lower_ in ("do", "does", "did"):
        if not after or after[0].tag_ != "VB":
            return None
        if denied:
            return _sentence([_text(named), f"{helper.text} not {_text(after)}", answer])
        inflected = after[0]._.inflect({"did": "VBD", "does": "VBZ"}.get(helper.lower_, "VBP")) or after[0].text
        predicate = f"{inflected} {_text(after[1:])}"
    else:
        predicate = f"{helper.text} {'not ' if denied else ''}{_text(after)}"
    lead = f"{_text(front)} " if front else ""
    return _sentence([_text(named), predicate, f"{lead}{answer}"])


def _text(tokens: Sequence[Any]) -> str:
    return "".join(token.text_with_ws for token in tokens).strip()


def _sentence(parts: Sequence[str]) -> str:
    text = " ".join(filter(None, (" ".join(part.split()) for part in parts)))
    return f"{text[:1].upper()}{text[1:]}."


def contradiction(text: str, chance: random.Random) -> str | None:
    """Return a statement that cannot be true with this one: denied, with an opposite, another of its kind or another number."""
    ways = [_opposite, _sibling, _other_number, denial]
    chance.shuffle(ways)
    return next((changed for way in ways if (changed := way(text, chance)) and changed != text), None)


def denial(text: str, chance: random.Random) -> str | None:
    """Return the statement denied."""
    match = _NEGATABLE.search(text)
    return f"{text[: match.end()]} not{text[match.end() :]}" if match else None


def _opposite(text: str, chance: random.Random) -> str | None:
    return _replaced(text, chance, lambda word: [OPPOSITES[word]] if word in OPPOSITES else [])


def _sibling(text: str, chance: random.Random) -> str | None:
    return _replaced(text, chance, lambda word: [other for other in KINDS_OF.get(word, ()) if other != word])


def _replaced(text: str, chance: random.Random, others: Any) -> str | None:
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if others(word.strip(".,").lower())]
    if not places:
        return None
    place = chance.choice(places)
    word = words[place].strip(".,")
    other = chance.choice(others(word.lower())).replace("_", " ")
    words[place] = words[place].replace(word, other.capitalize() if word[:1].isupper() else other)
    return " ".join(words)


def _other_number(text: str, chance: random.Random) -> str | None:
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return None
    match = chance.choice(numbers)
    digits = match[0].rstrip(".,").replace(",", "")
    if not digits.isdigit():
        return None
    value = int(digits)
    step = (
        chance.choice((1, 2, 3, 5, 10, 20))
        if 1000 <= value <= 2100
        else max(1, round(value * chance.choice((0.1, 0.25, 0.5, 1.0, 2.0))))
    )
    changed = value + step * chance.choice((-1, 1))
    if changed <= 0:
        changed = value + step
    return f"{text[: match.start()]}{changed}{text[match.start() + len(match[0].rstrip('.,')) :]}"
