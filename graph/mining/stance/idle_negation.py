"""Negations that deny nothing: "not only", "no doubt", "not until", "may or may not".

What they do to the claim instead follows from the words around them. A table has them, with an example of each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from graph.model import Stance

if TYPE_CHECKING:
    from spacy.tokens import Token

_REACH = 5  # the words up to and with the negation that a row may name
_MARK = "*"


@dataclass(frozen=True, slots=True)
class IdleNegation:
    """Words around a negation that make it idle, the stance that a sentence with it has to the claim, and an example.

    In `words`, "*" ends the negation, "|" parts alternatives, "_" stands for any word, and "..." for up to nine of a clause.
    """

    words: str
    example: str
    stance: Stance = Stance.ASSERTED


_ADDING = "only|sole|just|merely|simply|solely"
_DEGREES = "much|many|often|frequently|commonly|easily|readily|quickly|severely|greatly|strongly|directly"

IDLE_NEGATIONS = (
    IdleNegation(f"not|n't|never* {_ADDING}", "Smoking does not only cause cancer."),
    IdleNegation(f"not|n't|never|no* the|a|an|its|their {_ADDING}", 'Smoking is not the "only" cause of cancer.'),
    IdleNegation("no|not* little|small", "The operation caused no little pain."),
    IdleNegation("no* less|fewer|matter|wonder", "Smoking causes no fewer than 300 deaths."),
    IdleNegation("in no* time", "The drought caused a famine in no time."),
    IdleNegation("could|can|did not|n't* but|help", "The drought could not but cause a famine."),
    IdleNegation("not|n't* ... until|till", "The drought did not cause a famine until 1940."),
    IdleNegation("no|not|n't* ... unless", "The drug does not cause fever unless it is old.", Stance.HYPOTHETICAL),
    IdleNegation("may|might|can or may|might|can not*", "The fire may or may not be caused by lightning.", Stance.HEDGED),
    IdleNegation(f"not|n't* as|so {_DEGREES}", "Beer does not as often cause headaches as wine."),
    IdleNegation(f"not|n't* ... as {_DEGREES} as", "Beer does not cause headaches as often as wine."),
    IdleNegation("yes or|/|and no*", "The yes/no question caused confusion."),
    IdleNegation(
        "not|n't* new|novel|unique|unusual|uncommon|surprising|unexpected", "The link between beer and obesity is not new."
    ),
    IdleNegation("not|n't* limited|confined|restricted", "The damage caused by smoking is not limited to lungs."),
    IdleNegation("not|n't* always|invariably", "Stress does not always cause ulcers."),
    IdleNegation("not* all|every|everyone", "Not all infections cause fever.", Stance.HEDGED),
    IdleNegation("no* other _ reports|reported|says|mentions", "No other source reports that the storm caused a flood."),
)


def idle_sense(negation: Token) -> Stance | None:
    """Return the stance that an idle negation gives its claim; `None` for one that denies."""
    words = [token for token in negation.doc if not token.is_quote]
    before = " ".join(token.lower_ for token in [word for word in words if word.i <= negation.i][-_REACH:])
    text = f" {before}{_MARK} {' '.join(token.lower_ for token in words if token.i > negation.i)} "
    return next((row.stance for row in IDLE_NEGATIONS if _pattern(row.words).search(text)), None)


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """Return the regular expression of the words of a row, each with a space before it."""
    parts = []
    for word in words.split():
        if word == "...":
            parts.append(r"(?: [^ ,;]+){0,9}?")
        else:
            bare = word.removesuffix(_MARK)
            forms = r"[^ ;]+" if bare == "_" else "|".join(map(re.escape, bare.split("|")))
            parts.append(f" (?:{forms})" + (re.escape(_MARK) if word.endswith(_MARK) else ""))
    return re.compile("".join(parts) + "(?= )")
