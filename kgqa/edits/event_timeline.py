"""Rows of dated events of one kind that passages tell: who won it, and when ("Mayer won it in 1963, Ghez followed in 2020")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from kgqa.edits.passage_facts import ParsedPassage, PassageFact, full_name, without_trailing_value
from kgqa.edits.passage_tokens import NameMention, content_word_stems, name_mentions, passage_stem, passage_tokens, stem_overlap
from kgqa.quantities.quantity import Date

VERB_FORMS = (
    "win won wins winning winner winners victory victories",
    "hold held holds holding holder holders",
    "take took taken takes taking",
    "become became becomes becoming",
    "lead led leads leading leader leaders",
    "break broke broken breaks breaking",
    "write wrote written writes writing writer",
    "ride rode ridden rides riding rider",
    "run ran runs running runner",
    "fly flew flown flies flying",
    "swim swam swum swims swimming swimmer",
    "sing sang sung sings singing singer",
    "drive drove driven drives driving driver",
    "get got gotten gets getting",
    "make made makes making",
    "go went gone goes going",
    "give gave given gives giving",
    "speak spoke spoken speaks speaking",
    "bear born bore",
    "receive received receives receiving recipient recipients",
    "climb climbed climbing climber climbers",
)
"""Words of one act that do not share a stem."""
LIGHT_VERBS = frozenset(
    passage_stem(word)
    for word in "be been become get take make have hold do serve go give exist participate compete enter live".split()
)
"""Verbs that do not tell alone which events are meant: what they are on must be said, too."""
GAIN_VERBS = frozenset(passage_stem(word) for word in "win take receive get gain earn claim capture secure award become".split())
"""Verbs that tell the same of a prize: who "took the title" or "received the award" won it."""

_FOLLOWS = re.compile(
    r"\b(?:follow(?:s|ed|ing)?|succeed(?:s|ed|ing)?|came (?:next|after|then)|came|did (?:so|it|the same)|repeated|was next|"
    r"took over|joined (?:her|him|them)|emulated|matched)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|lost|failed|nearly|almost|without|instead of)\b|n['’]t\b", re.IGNORECASE)
_FRONTED = re.compile(
    r"^[\s\"“(]*(?:(?:and|but|then|later|finally|while|(?:[\w\-]+\s){1,4}later),?\s+)?(?:(?:in|on|by|during)\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[,;:]\s|\band\b")
_PREPOSED = re.compile(
    r"\b(?:in|at|on|of|from|for|near|to|than|across|through|over|with|after|before)\s(?:the\s|an?\s)?$", re.IGNORECASE
)
_AGENT = re.compile(r"\b(?:by|(?:went|gone|awarded|given|presented|fell|passed) to)\s(?:the\s)?$", re.IGNORECASE)
_PRONOUN = re.compile(r"^[\"“(]*(?:It|He|She|They|His|Her|Their)\b")
_POINTS_BACK = re.compile(r"^[\"“(]*(?:It|He|She|They|His|Her|Their|The|This|That)\b")
_ELIDED = re.compile(
    r"(?:\b(?:and|or|then|finally|again|later|in|on|by|the|to|followed|afterwards)\b|[\s,;:.()])*", re.IGNORECASE
)
_LIST = re.compile(r"(?:\b(?:were|are|included?):?|:)\s+(?:[A-Z][\w’'.\-]*\s)+\($")
"""How a list begins that has its dates in brackets: "the laureates were Eva Strand (1982)"."""
_OBJECT = r"\s+(?:the|an?|his|her|its|their)\s+(?P<object>[^,.;:()]+?)(?=\s(?:in|on|at|for|of|from|with)\b|[,.;:()]|\s*$)"
_ANY_PRIZE = frozenset(
    passage_stem(word)
    for word in "title award trophy race prize championship tournament election event contest medal post office job".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class TimelineEvent:
    """One event of a row: who, when, and where the date stands; `follows` says that the verb is left to the event before."""

    holder: NameMention
    date: Date
    fact: PassageFact
    passage: ParsedPassage
    follows: bool = False


@dataclass(frozen=True, slots=True)
class TimelineKind:
    """Which events make a row: their verbs, what they are on, and the words that name no holder."""

    acts: frozenset[str]
    objects: frozenset[str]
    no_holders: frozenset[str]

    def is_holder(self, name: NameMention) -> bool:
        """Tell whether a name can be that of one who has a turn, and not of what it is a turn in."""
        return (
            bool(name.stems)
            and passage_stem(name.text.split()[-1]) not in self.no_holders
            and stem_overlap(name.stems, self.no_holders) <= 0.5
        )


@cache
def _lemma_by_stem() -> dict[str, str]:
    return {passage_stem(form): passage_stem(group.split()[0]) for group in VERB_FORMS for form in group.split()}


def verb_lemma(word: str) -> str:
    """Return what the forms of a verb have in common: "won", "winning" and "winner" give "win"."""
    return _lemma_by_stem().get(passage_stem(word), passage_stem(word))


class _DateWindow(NamedTuple):
    """Where the words on a date stand: from the date before it to the next one of its sentence, and what the sentence ends with.

    `fronted` says that the dates of the sentence stand before what they are dates of.
    """

    low: int
    high: int
    tail: str
    fronted: bool


def build_timeline(passages: Sequence[ParsedPassage], kind: TimelineKind) -> tuple[TimelineEvent, ...]:
    """Return the events of a row, the earliest first; of those told twice the first that is told."""
    events: list[TimelineEvent] = []
    for passage in passages:
        for event in _passage_events(passage, kind):
            if not any(
                event.date == known_event.date and is_same_name(event.holder, known_event.holder) for known_event in events
            ):
                events.append(event)
    return tuple(sorted(events, key=lambda event: event.date))


def is_same_name(name: NameMention, other_name: NameMention) -> bool:
    """Tell whether two names are of one, in full or in part."""
    return stem_overlap(name.stems, other_name.stems) > 0.5 or stem_overlap(other_name.stems, name.stems) > 0.5


def _passage_events(passage: ParsedPassage, kind: TimelineKind) -> Iterator[TimelineEvent]:
    """Yield the events of a passage in the order in which they are told."""
    holder_names = [name for name in name_mentions(passage.text) if kind.is_holder(name)]
    before: TimelineEvent | None = None
    for place, (start, end) in enumerate(passage.sentences):
        facts = [
            fact
            for fact in passage.facts
            if fact.sentence == place and isinstance(fact.value, Date) and fact.value.year and not fact.last
        ]
        fronted = bool(facts) and _FRONTED.match(passage.text[start : facts[0].start]) is not None
        last: NameMention | None = None
        for at, fact in enumerate(facts):
            low = facts[at - 1].end if at else start
            high = facts[at + 1].start if at + 1 < len(facts) else end
            clear = [
                without_trailing_value(candidate, fact)
                for candidate in holder_names
                if not fact.start <= candidate.start < fact.end
            ]
            own = [name for name in clear if name.stems]
            name, wording = _event_holder(
                passage, fact, own, _DateWindow(low, high, passage.text[facts[-1].end : end], fronted), last
            )
            if name is None and not at and place and _POINTS_BACK.match(passage.text[start:end]):
                first, until = passage.sentences[place - 1]
                name = next((candidate for candidate in own if first <= candidate.start < until), None)
            if name is None or not isinstance(fact.value, Date):
                continue
            goes_on = before is not None and _continues_event(wording, name, fact, before)
            if tells_event_of_kind(wording, kind) or (goes_on and not _DENIED.search(wording)):
                before = TimelineEvent(full_name(name, holder_names), fact.value, fact, passage, goes_on)
                yield before
            last = name


def _event_holder(
    passage: ParsedPassage, fact: PassageFact, candidates: Sequence[NameMention], window: _DateWindow, last: NameMention | None
) -> tuple[NameMention | None, str]:
    """Return whose event a date is of, and the words that tell it.

    It stands behind a date that begins its clause, in front of any other; where no name stands there, it is that of the date
    before in the sentence, or the agent behind ("was won in 1991 by ...").
    """
    text, (low, high, tail, fronted) = passage.text, window
    behind = [name for name in candidates if fact.end <= name.start and name.end <= high]
    ahead = [name for name in candidates if low <= name.start and name.end <= fact.start]
    joints = [low + joint.end() for joint in _JOINT.finditer(text[low : fact.start])]
    if fronted and behind and _FRONTED.match(text[max([low, *joints]) : fact.start]):
        name = _subject(text, behind)
        return name, text[fact.end : max(name.end, _end_of_clause(text, fact.end, high))]
    if ahead:
        bracket = text.rfind("(", low, fact.start)
        if bracket > text.rfind(")", low, fact.start):
            if not re.fullmatch(r"\s*(?:in\s)?", text[bracket + 1 : fact.start]) or text[fact.end : fact.end + 1] != ")":
                return None, ""
            rest = text[low:bracket].replace(ahead[-1].text, " ")
            return ahead[-1], text[low : bracket + 1] + (tail if _ELIDED.fullmatch(rest) else "")
        name = _subject(text, ahead)
        between = text[name.end : fact.start]
        until = (
            _end_of_clause(text, fact.end + between.startswith(","), high, ",")
            if between.strip(" ,") in ("in", "on")
            else fact.end
        )
        return name, text[low:until]
    agent = next((name for name in behind if _AGENT.search(text[fact.end : name.start])), None)
    if agent is not None or last is None:
        first = agent or (None if _PRONOUN.match(text[low : fact.start].lstrip()) else next(iter(behind), None))
        until = fact.end if first is None else first.end
        if first is not None and agent is None and text[fact.end :].startswith(tail):
            until = _end_of_clause(text, first.end, high)  # no date of its own: "was first held in 1951, and Ricci won it"
        return first, text[low:until]
    return last, text[low : fact.end]


def _subject(text: str, candidates: Sequence[NameMention]) -> NameMention:
    """Return the one of some names that acts: an agent, else the first that follows no preposition, else the first."""

    def rank(name: NameMention) -> tuple[bool, bool, int]:
        before = text[max(0, name.start - 24) : name.start]
        return _AGENT.search(before) is None, _PREPOSED.search(before) is not None, name.start

    return min(candidates, key=rank)


def _end_of_clause(text: str, start: int, high: int, also: str = "") -> int:
    """Return where the clause ends that goes on from `start`: at a stop, or at one of the marks that `also` names."""
    stop = re.compile(rf"[;{also}.](?=\s|$)|\s(?:and|while|but)\s").search(text, start, high)
    return stop.start() if stop is not None else high


def tells_event_of_kind(wording: str, kind: TimelineKind) -> bool:
    """Tell whether words tell an event of a kind: its verb, on nothing else; for a verb that says little also what it is on."""
    if _DENIED.search(wording):
        return False
    there = content_word_stems(wording)
    for word in passage_tokens(wording):
        verb = verb_lemma(word.text)
        if verb not in kind.acts:
            if verb in GAIN_VERBS and kind.acts & GAIN_VERBS and there & (kind.objects | _ANY_PRIZE):
                return True
            continue
        if verb in LIGHT_VERBS:
            if there & kind.objects:
                return True
            continue
        object_match = re.compile(_OBJECT).match(wording, word.end)
        on = content_word_stems(object_match["object"]) if object_match is not None else frozenset()
        if not on or on & (kind.objects | _ANY_PRIZE):
            return True
    return bool(there & kind.objects) and (not kind.acts - LIGHT_VERBS or _LIST.search(wording) is not None)


def _continues_event(wording: str, name: NameMention, fact: PassageFact, before: TimelineEvent) -> bool:
    """Tell whether words leave their verb to the event before: "Italy in 2006", or "Ghez followed"."""
    if _FOLLOWS.search(wording):
        return fact.sentence - before.fact.sentence <= 1
    rest = wording.replace(fact.text, " ").replace(name.text, " ")
    return before.fact.sentence == fact.sentence and _ELIDED.fullmatch(rest) is not None
