"""Names and titles that stand in a text: what a fact is about, where no parse is at hand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgqa.intervention.passages.events import event_kinds_of
from kgqa.intervention.passages.words import FACT_STOP_WORDS, passage_stem, passage_tokens
from kgqa.quantities.dates import MONTH_NAMES

_CAPITAL = r"[A-Z0-9][\w’'.&\-]*[\w]|[A-Z]"
_SHORT = r"(?:[A-Z]|St|Dr|Mrs?|Ms|Mt|Ft|Gen|Lt|Capt|Prof|Sgt|Col|Sen|Rev|Jr|Sr)"
_NAME = re.compile(
    rf"[\"“](?P<quoted>[^\"“”]{{2,80}})[\"”]|\b(?P<plain>(?:{_SHORT}\.(?=\s[A-Z])|[A-Z][\w’'&\-]*)(?:(?:\s|"
    rf"\s(?:of|the|de|la|van|von|and the|for|du|del|di|al|y)\s|:\s)(?:{_CAPITAL}))*)"
)
_NOT_NAMES = frozenset(
    {
        *FACT_STOP_WORDS,
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
class NameMention:
    """A name at `start` to `end` of a text, without its quotation marks; `stems` are those of its telling words."""

    text: str
    start: int
    end: int
    stems: frozenset[str]


def name_mentions(text: str) -> tuple[NameMention, ...]:
    """Return the quoted titles and capitalised names of a text; a word that starts a sentence only if it is no common one."""
    mentions: list[NameMention] = []
    for match in _NAME.finditer(text):
        group = "quoted" if match["quoted"] is not None else "plain"
        name_text, start, end = match[group], match.start(group), match.end(group)
        while name_text.split() and name_text.split()[0].lower() in _NOT_NAMES and group == "plain":
            rest = name_text.split(None, 1)[1] if " " in name_text else ""
            start, name_text = end - len(rest), rest
        name_text = re.sub(r"['’]s$", "", name_text).strip(" .,:")
        if not name_text or name_text.isdigit() or (group == "plain" and not name_text[0].isalnum()):
            continue
        if group == "plain" and " " not in name_text and event_kinds_of(passage_stem(name_text)):
            continue
        mentions.append(NameMention(name_text, start, start + len(name_text), content_word_stems(name_text)))
    return tuple(mentions)


def content_word_stems(text: str) -> frozenset[str]:
    """Return the stems of the telling words of a text."""
    return frozenset(word.stem for word in passage_tokens(text) if word.is_content_word)


def stem_overlap(name: frozenset[str], phrase: frozenset[str]) -> float:
    """Return which part of the words of a name stands in a phrase (0..1)."""
    return len(name & phrase) / len(name) if name else 0.0
