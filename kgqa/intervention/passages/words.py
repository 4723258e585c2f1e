"""Words and sentences of questions and passages, with the places where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’')\]]*\s+(?=[\"“‘'(\[]*[A-Z0-9])|\n\s*\n")
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Z]|[Dd]r|[Mm]rs?|[Mm]s|[Ss]t|[Jj]r|[Ss]r|vs|[Nn]o|[Vv]ol|[Cc]a|[Cc]apt|[Gg]en|[Ll]t|"
    r"[Pp]t|[Ee]p|[Uu]\.S|approx)\.)$"
)
_SUFFIXES = (
    "ization",
    "isation",
    "ations",
    "ation",
    "ingly",
    "ments",
    "ment",
    "ings",
    "ing",
    "ions",
    "ion",
    "ies",
    "ied",
    "ers",
    "es",
    "ed",
    "er",
    "ly",
    "s",
    "e",
)

FACT_STOP_WORDS = frozenset(
    """a an the if of in on at to for from by with as and or but nor not no is are was were be been being am do does did done has
    have had having would could should will shall may might must can it its he his him she her hers they their them we our us i
    you your this that these those there which what who whom whose when where how why than then so such into onto over under per
    hadn't weren't wasn't didn't isn't hasn't haven't doesn't don't wouldn't couldn't instead also only just more less fewer one
    s t according been about up out during while after before until also total new many much""".split()
)
"""Words that say nothing about which fact a question is on."""


@dataclass(frozen=True, slots=True)
class PassageToken:
    """A word at `start` to `end` of a text; `stem` is what its inflected forms share, in small letters."""

    text: str
    stem: str
    start: int
    end: int

    @property
    def is_content_word(self) -> bool:
        """Whether the word says what a sentence is about."""
        return self.text.lower() not in FACT_STOP_WORDS


@lru_cache(maxsize=8192)
def passage_stem(word: str) -> str:
    """Return the part of a word that its inflected forms share: "released", "releasing" and "release" give "releas"."""
    small = word.lower().replace("’", "'").removesuffix("'s").rstrip("'")
    for suffix in _SUFFIXES:
        if small.endswith(suffix) and len(small) - len(suffix) >= 3:
            cut = small[: -len(suffix)]
            return (
                cut[:-1]
                if len(cut) > 4 and cut[-1] == cut[-2] and cut[-1] not in "sl"
                else cut + ("y" if suffix in ("ies", "ied") else "")
            )
    return small


def passage_tokens(text: str) -> tuple[PassageToken, ...]:
    """Return the words of a text in their order."""
    return tuple(PassageToken(match[0], passage_stem(match[0]), match.start(), match.end()) for match in _TOKEN.finditer(text))


def passage_sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each sentence of a text."""
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATED.search(text, max(0, match.start() - 8), match.start()):
            continue
        spans.append((start, match.start()))
        start = match.end()
    if text[start:].strip():
        spans.append((start, len(text)))
    return tuple(spans)
