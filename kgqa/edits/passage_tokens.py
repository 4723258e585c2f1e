"""Words and sentences of questions and passages, with the places where they stand.

Kinds of events: verbs and nouns that tell of the same thing, so that "premiered" answers to "had been released".

Names and titles that stand in a text: what a fact is about, where no parse is at hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from graph.text.sentences import separated_spans
from graph.text.stems import stem
from graph.text.stop_words import STOP_WORDS
from graph.text.tokens import token_pattern
from kgqa.quantities.dates import MONTH_NAMES

FACT_STOP_WORDS = STOP_WORDS["facts"]
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
    return stem(small, "facts")


def passage_tokens(text: str) -> tuple[PassageToken, ...]:
    """Return the words of a text in their order."""
    matches = token_pattern("facts").finditer(text)
    return tuple(PassageToken(match[0], passage_stem(match[0]), match.start(), match.end()) for match in matches)


def passage_sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each sentence of a text."""
    return tuple(separated_spans(text, "facts"))


EVENT_KINDS = {
    "release": "release released releases releasing publish published publication premiere premiered "
    "premiering debut debuted launch launched air "
    "aired airing broadcast broadcasted broadcasting issue issued unveil unveiled introduce "
    "introduced introduction screened show shown release theatrical "
    "distributed available single hit came drop dropped",
    "beginning": "open opened opening reopened inaugurate inaugurated inauguration commence "
    "commenced start started starting begin began begun beginning "
    "establish established establishment found founded founding foundation form formed formation "
    "create created creation incorporated "
    "initiated initiate installed introduced adopted adoption launched operational operating service sign signed on",
    "building": "construct constructed construction built build building complete completed completion finish finished erected",
    "ending": "end ended ending conclude concluded close closed closing closure finish finished "
    "cease ceased expire expired disband disbanded "
    "retire retired retirement dissolve dissolved until discontinued last final dismantled dismantling",
    "birth": "born birth birthday",
    "death": "die died death killed deceased passed assassinated",
    "discovery": "discover discovered discovery invent invented invention develop developed development designed found patented",
    "play": "play played match held hold take took place happened occur occurred event contested",
    "joining": "join joined signed hire hired appointed elected election became become took entered "
    "enter arrived moved immigrated married wedding wed",
    "law": "enacted act passed signed law implemented implementation mandated ratified",
    "writing": "write wrote written composed recorded record produced production filmed filming shot",
}
"""The words of each kind."""


@cache
def _event_kinds_by_stem() -> dict[str, frozenset[str]]:
    kinds: dict[str, set[str]] = {}
    for kind, word_list in EVENT_KINDS.items():
        for word in word_list.split():
            kinds.setdefault(passage_stem(word), set()).add(kind)
    return {word: frozenset(of) for word, of in kinds.items()}


def event_kinds_of(stemmed: str) -> frozenset[str]:
    """Return the kinds of event that a stem tells of; none for most words."""
    return _event_kinds_by_stem().get(stemmed, frozenset())


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
"""Forms of a verb that do not share a stem."""


@cache
def _lemma_by_stem() -> dict[str, str]:
    return {passage_stem(form): passage_stem(group.split()[0]) for group in VERB_FORMS for form in group.split()}


def verb_lemma(word: str) -> str:
    """Return what the forms of a verb share: "won", "winning" and "winner" give "win"."""
    return _lemma_by_stem().get(passage_stem(word), passage_stem(word))


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
