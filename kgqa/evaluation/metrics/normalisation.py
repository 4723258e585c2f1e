"""How texts are made alike before they are compared (M1): the normalisation of SQuAD, DPR, FiD and KILT."""

from __future__ import annotations

import re
import string

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalise_text(text: str) -> str:
    """Return the text in lower case, without ASCII punctuation, then without articles, with single spaces.

    The order matters: "a.m." loses its dots and is "am", no article. Source: Izacard and Grave 2021 (FiD), which IfQA (Yu et al.
    2023, section 4.3) names; the same in KILT and in CausalQA.
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def normalised_words(text: str) -> list[str]:
    """Return the words of a normalised text, in order."""
    return normalise_text(text).split()
