"""Names and titles that stand in a text: what a fact is about, where no parse is at hand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgqa.intervention.passages.events import kinds_of
from kgqa.intervention.passages.words import STOP_WORDS, stem, words
from kgqa.quantities.dates import MONTH_NAMES

_CAPITAL = r"[A-Z0-9][\w’'.&\-]*[\w]|[A-Z]"
_SHORT = r"(?:[A-Z]|St|Dr|Mrs?|Ms|Mt|Ft|Gen|Lt|Capt|Prof|Sgt|Col|Sen|Rev|Jr|Sr)"
_NAME = re.compile(
    rf"[\"“](?P<quoted>[^\"“”]{{2,80}})[\"”]|\b(?P<plain>(?:{_SHORT}\.(?=\s[A-Z])|[A-Z][\w’'&\-]*)(?:(?:\s|"
    rf"\s(?:of|the|de|la|van|von|and the|for|du|del|di|al|y)\s|:\s)(?:{_CAPITAL}))*)"
)
_NO_NAMES = frozenset(
    {
        *STOP_WORDS,
        *MONTH_NAMES,
        "although",
        "however",
        "originally",
        "initially",
        "when",
        "since",
        "because",
        "despite",
        "following",
        "early",
        "late",
        "spring",
        "summer",
        "autumn",
        "fall",
        "winter",
        "both",
        "like",
        "today",
        "there",
        "sunday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "once",
        "later",
        "finally",
        "meanwhile",
        "due",
        "yes",
        "first",
        "second",
        "production",
    }
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name at `start` to `end` of a text, without its quotation marks; `stems` are those of its telling words."""

    text: str
    start: int
    end: int
    stems: frozenset[str]


def names(text: str) -> tuple[Name, ...]:
    """Return the quoted titles and capitalised names of a text; a word that starts a sentence only if it is no common one."""
    found: list[Name] = []
    for match in _NAME.finditer(text):
        group = "quoted" if match["quoted"] is not None else "plain"
        said, start, end = match[group], match.start(group), match.end(group)
        while said.split() and said.split()[0].lower() in _NO_NAMES and group == "plain":
            rest = said.split(None, 1)[1] if " " in said else ""
            start, said = end - len(rest), rest
        said = re.sub(r"['’]s$", "", said).strip(" .,:")
        if not said or said.isdigit() or (group == "plain" and not said[0].isalnum()):
            continue
        if group == "plain" and " " not in said and kinds_of(stem(said)):
            continue
        found.append(Name(said, start, start + len(said), stems_of(said)))
    return tuple(found)


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the telling words of a text."""
    return frozenset(word.stem for word in words(text) if word.telling)


def alike(name: frozenset[str], phrase: frozenset[str]) -> float:
    """Return which part of the words of a name stands in a phrase (0..1)."""
    return len(name & phrase) / len(name) if name else 0.0
