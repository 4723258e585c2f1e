"""How sure an answer of a chat model is: by its own probabilities, by how far samples agree, or by what is published."""

from __future__ import annotations

import math

from kgqa.reading.chat.answers import ParsedAnswer
from kgqa.reading.chat.prompts import PromptStyle
from kgqa.reading.chat.reply import ChatReply


def answer_probability(reply: ChatReply, answer: ParsedAnswer) -> float | None:
    """Return the probability that the model gave to the tokens of its answer, one after the other; `None` where it told none."""
    total, seen = 0.0, False
    before = "".join(token.text for token in reply.tokens).rfind(reply.text)  # what a model thinks first may come before
    if before < 0:
        return None
    place = -before
    for token in reply.tokens:
        end = place + len(token.text)
        if end > answer.start and place < answer.end:
            total += token.logprob
            seen = True
        place = end
    return math.exp(max(total, -700.0)) if seen else None


def discount_probability(probability: float, style: PromptStyle) -> float:
    """Return the score for a probability of the model's own: less, since models are surer than they are right.

    A model that is quite sure is trusted half-way between always and as often as such prompts are right at all (`prior`). The
    factor is the same for all answers, so their scores add up to at most 1.
    """
    return min(max(probability, 0.0), 1.0) * (1 + style.prior) / 2


def sample_agreement(votes: int, samples: int) -> float:
    """Return how far samples agree: the share that gave an answer, with one more sample that gave another."""
    return votes / (samples + 1)
