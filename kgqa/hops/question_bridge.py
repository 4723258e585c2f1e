"""A question with the description of a thing replaced by its name.

Of "When was the town that Scott was born in founded?", where a passage says that the town is Cooksville, the linked article is
asked "When was Cooksville founded?": it does not say that Scott was born there. The description is the phrase of the question
that begins as a noun phrase and holds the most words that the passage has, and the fewest that it lacks; what it lacks, such as
"founded", is asked of the article.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from kgqa.hops.word_lemmas import word_lemma
from kgqa.readers.numeric.passage_tokens import PassageToken, passage_tokens

_OPENINGS = frozenset("the this that these those his her its their a an".split())
_ANAPHORIC = frozenset("this that these those his her its their".split())
_STRANDED = frozenset("in on at by for from to with of under after before into near over through during about against".split())
_RELATIVES = frozenset("who whom whose which that where".split())
_QUESTION_WORDS = frozenset("who whom whose what which when where why how many much long old year date".split())
_AUXILIARIES = frozenset("is are was were be been do does did has have had will would can could".split())
_PARENTHESES = re.compile(r"\s*\([^()]*\)$")
_OUTSIDE = 0.5
"""What a word that the passage has counts outside of the description, against 1 inside."""
_RELATED, _ANAPHOR = 2.5, 0.5
"""What a relative clause behind the noun counts, and a pronoun before it: both say that the thing is described elsewhere."""


class QuestionBridge(NamedTuple):
    """A question that names what a description in it means, the characters of the description, and how well that one fits.

    `head` is the description's noun, such as "town"; `fit` is the share of its words that the passage has.
    """

    text: str
    start: int
    end: int
    head: str
    fit: float


def shown_title(title: str) -> str:
    """Return a title as a sentence has it, without the words in parentheses that tell it from others."""
    return _PARENTHESES.sub("", title) or title


def bridge_question(question: str, name: str, known: Set[str]) -> QuestionBridge | None:
    """Return a question with the description that `known` words fit best replaced by a name; `None` where it has none.

    `known` are the lemmas of the sentences around the link.
    """
    tokens = passage_tokens(question)
    lemmas = [word_lemma(token.text) for token in tokens]
    weights = [_weight(token, lemma, known) for token, lemma in zip(tokens, lemmas, strict=True)]
    # Of a word that stands twice, the last is asked of the article: "the town that he was born in born".
    if lemmas and lemmas[-1] in lemmas[:-1] and tokens[-2].text.lower() in _STRANDED:
        weights[-1] = -abs(weights[-1])
    whole = sum(_OUTSIDE * weight for weight in weights)
    best: tuple[float, int, int] | None = None
    for first, opening in enumerate(tokens[:-1]):
        word, head = opening.text.lower(), first + 1
        if word not in _OPENINGS or (word == "that" and first and tokens[first - 1].is_content_word):
            continue
        related = head + 1 < len(tokens) and tokens[head + 1].text.lower() in _RELATIVES
        gain = -whole + _RELATED * related + _ANAPHOR * (word in _ANAPHORIC)
        for last in range(head, len(tokens)):
            # The head says what the thing is, which the passage need not say.
            inside = max(0.0, weights[last]) if last == head else weights[last]
            gain += (1.0 + _OUTSIDE) * inside
            if tokens[last].is_content_word and (best is None or gain > best[0]):
                best = gain, first, last
    if best is None or best[0] <= -whole:
        return None
    _, first, last = best
    while last + 1 < len(tokens) and tokens[last + 1].text.lower() in _STRANDED and _is_stranded(tokens, last + 1):
        last += 1
    start, end = tokens[first].start, tokens[last].end
    inside_weights = [weight for weight in weights[first + 1 : last + 1] if weight]
    fit = sum(weight > 0.0 for weight in inside_weights) / len(inside_weights) if inside_weights else 0.0
    text = (
        question[:start] + (name[:1].upper() + name[1:] if start == 0 else name) + _moved(tokens, weights, first) + question[end:]
    )
    return QuestionBridge(text, start, end, lemmas[first + 1], fit)


def _moved(tokens: tuple[PassageToken, ...], weights: Sequence[float], first: int) -> str:
    """Return the word between a description's noun and its relative clause that the passage lacks: "the man born who ..."."""
    verb, relative = first + 2, first + 3
    if relative < len(tokens) and weights[verb] < 0.0 and tokens[relative].text.lower() in _RELATIVES:
        return f" {tokens[verb].text}"
    return ""


def _weight(token: PassageToken, lemma: str, known: Set[str]) -> float:
    word = token.text.lower()
    if not token.is_content_word or word in _QUESTION_WORDS or word in _AUXILIARIES:
        return 0.0
    return 1.0 if lemma in known else -1.0


def _is_stranded(tokens: tuple[PassageToken, ...], place: int) -> bool:
    """Return whether a preposition has lost its noun: nothing follows it, or neither a determiner nor a name or number does."""
    if place + 1 == len(tokens):
        return True
    follower = tokens[place + 1].text
    return follower.lower() not in _OPENINGS and follower[0].islower()
