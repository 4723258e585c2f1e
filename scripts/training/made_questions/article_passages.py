"""Sentences of Wikipedia articles, each in its passage, with what the article is about: the ground for questions by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graph.sources.plaintext import read_wikiextractor
from kgqa.retrieval.passage_splitting import Redirect, passage_pages

GRAM = 8
"""How many words in a row make two passages the same text."""
SENTENCE = (45, 260)
"""The fewest and most characters of a sentence that is asked about."""

_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:St|Dr|Mr|Jr|Sr|vs|Lt|Mt|No|Co|ca)\.)"
    r"(?<!\b(?:Mrs|Col|Gen|Sgt|Inc|Ltd|Rev|Hon)\.)[\"”)]? (?=[\"“(]?[A-Z])"
)
_STOPS = (
    "of in on at by for from with that who which whose and or to as written known set made built held born located when where "
    "between during about is was near under than based consisting containing appearing"
)
_KIND = re.compile(
    r"\b(?:is|was|are|were) (?:one of |considered )?(?:a|an|the) (?P<phrase>(?:(?!(?:"
    + _STOPS.replace(" ", "|")
    + r")\b|[\w-]+ed\b(?! (?:album|film|series)))[\w'-]+ ?){1,6})"
)
_PERSON = re.compile(
    r"\((?:[^)]*\b)?(?:born|b\.|\w+ \d{1,2},? \d{3,4}|\d{1,2} \w+ \d{3,4}|c\. \d+|\d{3,4})\b[^)]* ?[–-]|\([^)]{0,60}\bborn\b"
)
_NO_PROSE = re.compile(r"(?:List|Timeline|Index|Outline|Glossary) of |[\d\s]+s?(?: BC)?$|.*\b\d{4} in |\w+ \d{1,2}$")
WORKS = frozenset(
    "film movie album song single novel book play opera game series sitcom show magazine newspaper episode drama comedy musical "
    "soundtrack comic poem story anime manga cartoon documentary painting ballet".split()
)
GROUPS = frozenset("band group duo trio quartet".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """What an article is about: its title without brackets, what sort of thing it is, in a phrase and a word, and its pronoun.

    `article` is whether its name has "the" before it.
    """

    title: str
    phrase: str = ""
    kind: str = ""
    pronoun: str = "it"
    article: bool = False

    @property
    def work(self) -> bool:
        """Whether it is a film, an album, a book or the like, whose title stands in quotation marks."""
        return self.kind in WORKS


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence with the sentence before it, its passage, and where it stands in it."""

    subject: Subject
    passage: str
    start: int
    end: int
    before: str

    @property
    def text(self) -> str:
        """The sentence."""
        return self.passage[self.start : self.end]


def about(title: str, text: str) -> Subject:
    """Return what an article with this title and text is about, as its first sentence and its pronouns have it."""
    lead = text[:400]
    name = re.sub(r" \([^)]*\)$", "", title)
    match = _KIND.search(lead)
    phrase = match["phrase"].strip() if match else ""
    kind = phrase.split()[-1].lower() if phrase else ""
    head = text[:6000]
    he, she, they = (len(re.findall(rf"(?i)\b{one}\b", head)) for one in ("he", "she", "they"))
    pronoun = "it"
    if kind in GROUPS or (kind.endswith("s") and they > 3):
        pronoun = "they"
    elif _PERSON.search(lead) and max(he, she) > 2 and kind not in WORKS:
        pronoun = "he" if he > 2 * she else "she" if she > 2 * he else "it"
    return Subject(name, phrase, kind, pronoun, bool(re.match(rf"The {re.escape(name)}\b", text.lstrip())))


def sentences(passage: str) -> Iterator[tuple[int, int]]:
    """Yield where the whole sentences of a passage stand; those cut off at its ends are left out."""
    start = 0
    for match in [*_END.finditer(passage), None]:
        end = match.start() if match else len(passage)
        if match and match[0][0] in '"”)':
            end += 1
        begun = passage[start : start + 1].isupper() or passage[start : start + 1] in ('"', "“")
        ended = passage[:end].rstrip('"”)')[-1:] in (".", "!", "?")
        if begun and ended and SENTENCE[0] <= end - start <= SENTENCE[1]:
            yield start, end
        start = match.end() if match else end


def grams(text: str) -> set[int]:
    """Return the runs of `GRAM` words of a text, by their hash in this process."""
    words = re.findall(r"\w+", text.lower())
    return {hash(tuple(words[place : place + GRAM])) for place in range(len(words) - GRAM + 1)}


def gathered(wiki: Path, cue: re.Pattern[str], every: int = 1) -> Iterator[Found]:
    """Yield the sentences with a cue, of each so manieth article; lists and articles about years are passed over."""
    for place, page in enumerate(passage_pages(read_wikiextractor(wiki, lambda _: None))):
        if place % every or isinstance(page, Redirect) or _NO_PROSE.match(page.title):
            continue
        subject = None
        for passage in page.passages:
            if not cue.search(passage):
                continue
            before = ""
            for start, end in sentences(passage):
                if cue.search(passage, start, end):
                    subject = subject or about(page.title, " ".join(page.passages[:10]))
                    yield Found(subject, passage, start, end, before)
                before = passage[start:end]
