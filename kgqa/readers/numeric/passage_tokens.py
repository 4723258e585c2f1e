"""Words and names of questions and passages with their places; kinds of events, and verbs, that different words share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from graph.text.segmentation import token_pattern
from graph.text.stems import stem
from graph.text.stop_words import STOP_WORDS
from kgqa.quantities.dates import MONTH_NAMES


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
        return self.text.lower() not in STOP_WORDS["facts"]


@lru_cache(maxsize=8192)
def passage_stem(word: str) -> str:
    """Return the part of a word that its inflected forms share: "released", "releasing" and "release" give "releas"."""
    small = word.lower().replace("’", "'").removesuffix("'s").rstrip("'")
    return stem(small, "facts")


def passage_tokens(text: str) -> tuple[PassageToken, ...]:
    """Return the words of a text in their order."""
    matches = token_pattern("facts").finditer(text)
    return tuple(PassageToken(match[0], passage_stem(match[0]), match.start(), match.end()) for match in matches)


def years_in(text: str) -> list[str]:
    """Return the years that a text names, from 1000 to 2099, in their order."""
    return re.findall(r"\b1\d{3}\b|\b20\d{2}\b", text)


def content_word_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(word.stem for word in passage_tokens(text) if word.is_content_word)


def stem_overlap(name: frozenset[str], phrase: frozenset[str]) -> float:
    """Return which part of the words of a name stands in a phrase (0..1)."""
    return len(name & phrase) / len(name) if name else 0.0


_SHORTENED = 7
"""From so many letters on a stem loses an "er" at its end."""
_FOLDER = Path(__file__).parent


@cache
def _event_kinds_by_stem() -> dict[str, frozenset[str]]:
    """Return the kinds of event of event_kinds.tsv by the stems of their words: "premiered" answers "had been released"."""
    kinds: dict[str, frozenset[str]] = {}
    for line in (_FOLDER / "event_kinds.tsv").read_text(encoding="ascii").splitlines()[1:]:
        kind, words = line.split("\t")
        for word in map(passage_stem, words.split()):
            kinds[word] = kinds.get(word, frozenset()) | {kind}
    return kinds


def event_kinds_of(stemmed: str) -> frozenset[str]:
    """Return the kinds of event that a stem stands for; none for most words."""
    return _event_kinds_by_stem().get(stemmed, frozenset())


@cache
def _lemma_by_stem() -> dict[str, str]:
    """Return the base form of each form of a verb in irregular_verbs.txt, a verb a line, whose forms do not share a stem."""
    verbs = (_FOLDER / "irregular_verbs.txt").read_text(encoding="ascii").splitlines()
    groups = [list(map(passage_stem, forms.split())) for forms in verbs]
    return {form: group[0] for group in groups for form in group}


def verb_lemma(word: str) -> str:
    """Return what the forms of a verb share: "won", "winning" and "winner" give "win"."""
    stemmed = passage_stem(word)
    short = stemmed.removesuffix("er") if len(stemmed) >= _SHORTENED else stemmed  # "discover" loses what "discovered" keeps
    return _lemma_by_stem().get(stemmed, short)


def content_lemmas(text: str) -> tuple[str, ...]:
    """Return the content words of a text in their order, each by what its forms share."""
    return tuple(verb_lemma(word.text) for word in passage_tokens(text) if word.is_content_word)


_CAPITAL = r"[A-Z0-9][\w’'.&\-]*[\w]|[A-Z]"
_SHORT = r"(?:[A-Z]|St|Dr|Mrs?|Ms|Mt|Ft|Gen|Lt|Capt|Prof|Sgt|Col|Sen|Rev|Jr|Sr)"
_NAME = re.compile(
    rf"[\"“](?P<quoted>[^\"“”]{{2,80}})[\"”]|\b(?P<plain>(?:{_SHORT}\.(?=\s[A-Z])|[A-Z][\w’'&\-]*)(?:(?:\s|"
    rf"\s(?:of|the|de|la|van|von|and the|for|du|del|di|al|y)\s|:\s)(?:{_CAPITAL}))*)"
)
_DATED = re.compile(r"(?:In|By|Since|During|Until) \d{3,4} ")
_NOT_NAMES = frozenset(
    "although autumn because both despite due early fall finally first following friday however initially late later like "
    "meanwhile monday once originally production saturday second since spring summer sunday there thursday today tuesday "
    "wednesday when winter yes".split()
).union(STOP_WORDS["facts"], MONTH_NAMES)


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name at `start` to `end` of a text, without its quotation marks; `stems` are those of its content words."""

    text: str
    start: int
    end: int
    stems: frozenset[str]


def name_mentions(text: str) -> tuple[NameMention, ...]:
    """Return the quoted titles and capitalised names of a text; a word that starts a sentence only if it is no common one."""
    mentions: list[NameMention] = []
    for match in _NAME.finditer(text):
        group = "quoted" if match["quoted"] is not None else "plain"
        name, start, end = match[group], match.start(group), match.end(group)
        dated = group == "plain" and _DATED.match(name) is not None  # "In 1964 Irma Blaha"
        while group == "plain" and name.split() and name.split()[0].lower() in _NOT_NAMES:
            name = name.split(None, 1)[1] if " " in name else ""
            start = end - len(name)
        if dated and " " in name:
            name = name.split(None, 1)[1]
            start = end - len(name)
        name = re.sub(r"['’]s$", "", name).strip(" .,:")
        if not name or name.isdigit() or (group == "plain" and not name[0].isalnum()):
            continue
        if group == "plain" and " " not in name and event_kinds_of(passage_stem(name)):
            continue
        mentions.append(NameMention(name, start, start + len(name), content_word_stems(name)))
    return tuple(mentions)


def is_same_name(name: NameMention, other_name: NameMention) -> bool:
    """Return whether two names are of the same subject, in full or in part."""
    return stem_overlap(name.stems, other_name.stems) > 0.5 or stem_overlap(other_name.stems, name.stems) > 0.5
