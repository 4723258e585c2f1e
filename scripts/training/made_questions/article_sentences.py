"""Sentences of an encyclopedia that a question can be made of, each with the part of the article around it."""

from __future__ import annotations

import bz2
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

WORDS = (80, 130)
"""How many words a passage has, at least and at most."""
EACH = 8
"""How many sentences of an article are taken at most."""

_TITLE = re.compile(r'<doc .*title="(.*)">')
_END = re.compile(r"(?<=[a-z0-9)\]][.!?])(?<!\bSt\.)(?<!\bMt\.)(?<!\bDr\.)(?<!\bJr\.)(?<!\bno\.)(?<!\bvs\.)\s+(?=[A-Z\"'(])")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_UNFIT = re.compile(
    r"[\"“”:;\[\]/…|=&<>]|\.\s|\b(?:may|might|perhaps|possibly|allegedly|reportedly|according|if|Mr|I|we|you)\b", re.I
)
_PRONOUN = re.compile(
    r"(?:It|They|This|These|That|Those|He|She|His|Her|Its|Their|Here|Such|Both|Another|Others?|Some of|One of|But|And)\b"
)
_TELLING = re.compile(
    r"\d|\b(?:not|never|no|only|all|always|every|most|some|usually|often|sometimes|none|neither|also|same|different|largest|"
    r"first|last|by|two|three|four|five|six|seven|eight|nine|ten)\b"
)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, without what stands in brackets, the passage it is from, and the title of the article."""

    title: str
    sentence: str
    passage: str


def articles(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield title and paragraphs of the articles of a file as wikiextractor writes it, packed by bzip2 or not."""
    opened = bz2.open(path, "rt", encoding="utf-8") if path.suffix == ".bz2" else path.open(encoding="utf-8")  # noqa: SIM115
    title, lines = "", [""]
    with opened as stream:
        for line in stream:
            if line.startswith("<doc "):
                begun = _TITLE.match(line)
                title, lines = begun[1] if begun else "", []
            elif line.startswith("</doc>"):
                yield title, lines
            elif len(line) > 1 and line.strip() != title:
                lines.append(line.strip())


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return _END.split(paragraph)


def told(title: str, paragraphs: Sequence[str], seed: int) -> list[Told]:
    """Return some sentences of an article that are short, plain and name what they are about, the first sentence among them."""
    dice = random.Random(f"{seed} {title}")
    texts = [one for paragraph in paragraphs if len(paragraph.split()) > 12 for one in sentences(paragraph)]
    fit = [place for place, text in enumerate(texts) if _fits(text, first=place == 0)]
    chosen = sorted(fit, key=lambda place: (place != 0, not _TELLING.search(texts[place]), dice.random()))[:EACH]
    made = [Told(title, _BRACKETS.sub("", texts[place]), window(texts, place, dice)) for place in sorted(chosen)]
    return [one for one in made if len(one.passage.split()) >= WORDS[0]]


def window(texts: Sequence[str], place: int, dice: random.Random) -> str:
    """Return sentence `place` with neighbours on both sides, as many as fit."""
    first = last = place
    count = len(texts[place].split())
    while True:
        sides = [side for side in (first - 1, last + 1) if 0 <= side < len(texts)]
        sides = [side for side in sides if count + len(texts[side].split()) <= WORDS[1]]
        if not sides:
            return " ".join(texts[first : last + 1])
        side = dice.choice(sides)
        first, last, count = min(first, side), max(last, side), count + len(texts[side].split())


def _fits(text: str, first: bool) -> bool:
    bare = _BRACKETS.sub("", text)
    return (
        8 <= len(bare.split()) <= (40 if first else 26)
        and bare.endswith(".")
        and bare[0].isupper()
        and "(" not in bare
        and not _UNFIT.search(bare[:-1])
        and not _PRONOUN.match(bare)
    )
