"""What the words of a sentence are called in a question that stands alone."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from made_questions.article_passages import Found, Subject
from made_questions.english_forms import declined, is_person, pronoun_of
from made_questions.template_slots import WORD

_LOOSE = re.compile(
    r"(?i)\b(?:he|she|it|they|we|I|you|him|them|us|me|himself|herself|itself|themselves|this|that|these|those|"
    r"such|who|whom|which|"
    r"latter|former|others?|there|here|aforementioned|respectively|his|her|its|their|our|my|one|same|both|all|"
    r"some|many|several|most|"
    r"each|every|any|none|much|few)\b"
)
_POSSESSIVE = re.compile(r"(?i)\b(?:his|her|its|their)\b")
_OFFICES = frozenset(
    "Institute University Museum King Queen Court Port Society Club Company Party Church College School Act Treaty Bill Board "
    "Council Committee Commission Senate House Prince Duke President Minister Emperor Governor Army Navy Kingdom Empire Union "
    "League Association Foundation Centre Center Department Library Park Bank Government State City Introduction "
    "Conference".split()
)
"""What is named in full before it is named so."""
_COMMON = frozenset(
    "However Although While When After Before In On At By For From With Since During There This That These Those Some Many Most "
    "Several One Two Three Other Others Another Such All Both Each Once Then Later Also But And As If Because Despite Not No "
    "Under Until According Today Here Its His Her Their It He She They We You I What Which Who Where Why How Early Modern "
    "Though Unlike Like Beyond Whereas Rather Among Between Within Without Throughout Upon Over Above Below Near Through Toward "
    "Instead Thus Hence Meanwhile Moreover Furthermore Only Even Just Perhaps Yet Still Now Former Subsequently "
    "Eventually Finally "
    "Critics Scientists Researchers Historians Scholars Children Women Men People Students".split()
)


_ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "club team side franchise",
        "town city settlement village community municipality",
        "company firm corporation business manufacturer",
        "film movie picture comedy drama",
        "show series program programme sitcom",
        "building structure tower skyscraper castle palace",
        "band group duo trio",
        "ship vessel carrier battleship cruiser",
        "school college university institution",
        "church cathedral abbey",
        "novel book work",
        "song single track",
        "country state nation republic",
        "party organization organisation movement",
        "game videogame",
        "newspaper paper magazine",
        "railway line railroad",
        "station terminal airport",
        "war conflict battle",
    )
)
"""Nouns by which the same thing may be called."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a question names: in full, in short, and by its pronoun, which is empty where nothing tells it."""

    full: str
    short: str
    pronoun: str

    def forms(self) -> dict[str, str]:
        """Return the words for it in a question: in full, and as subject, possessive and object where it was named."""
        if not self.pronoun:
            return {"X": self.full, "it": self.short, "its": f"{self.short}'s", "him": self.short}
        it, its, him = declined(self.pronoun)
        return {"X": self.full, "it": it, "its": its, "him": him}


def resolved(words: str, found: Found, dice: random.Random) -> Mention | None:
    """Return what the subject of a sentence refers to; nothing where the passage or its article does not tell."""
    subject = found.subject
    if words in ("He", "She", "It", "They"):
        return titled(subject, dice) if _continues(words.lower(), found) else None
    if words.lower().startswith("the ") and not re.search(r"[A-Z\"]", words[4:]):
        return titled(subject, dice) if len(words.split()) == 2 and _of_kind(words.split()[-1], subject) else None
    return named(words, found, dice)


def named(words: str, found: Found, dice: random.Random, inside: bool = False) -> Mention | None:
    """Return a name as it is used in a question; nothing for a common word that merely begins a sentence.

    `inside` is whether it stands inside of the sentence, where nothing but a name has a capital letter.
    """
    subject = found.subject
    bare = words.removeprefix("The ").removeprefix("the ")
    if bare.split()[0] in _COMMON or not re.search(r"[A-Z\"]", bare):
        return None
    if bare == subject.title or (subject.pronoun in ("he", "she") and bare == subject.title.split()[-1]):
        return titled(subject, dice)
    if subject.work and bare.strip('"') == subject.title:
        return titled(subject, dice)
    single = " " not in bare and not bare.startswith('"')
    if single and bare != words and bare in _OFFICES and bare != subject.title:
        return None
    if re.search(r"[A-Za-z] (?:The|In|On|A|An|It|He|She) ", words):
        return None
    if single and not inside and bare == words and bare not in subject.title:
        often = len(re.findall(rf"[a-z,] {re.escape(bare)}\b", found.passage)) > 1
        if not often or pronoun_of(bare) or subject.pronoun in ("he", "she"):
            return None
    full = words[0].lower() + words[1:] if words.startswith("The ") else words
    pronoun = pronoun_of(words) or ("they" if is_person(words) else "")
    if (
        pronoun == "it"
        and re.search(r"^the .*[a-rtv-z]s$", full)
        and not re.search(r"(?:States|Nations|Series|Times|Games)$", full)
    ):
        pronoun = "they"
    return Mention(full, full, pronoun)


def titled(subject: Subject, dice: random.Random) -> Mention:
    """Return the mention of what an article is about, sometimes with what sort of thing it is."""
    title = subject.title
    if subject.work:
        full = f'the {subject.kind} "{title}"' if dice.random() < 0.6 else f'"{title}"'
        return Mention(full, f'"{title}"', "it")
    name = f"the {title}" if subject.article else title
    words = subject.phrase.split()
    person = subject.pronoun in ("he", "she")
    if (
        person
        and 2 <= len(words) <= 4
        and subject.kind.endswith(("er", "or", "ist", "an", "ian", "ess", "ect", "et"))
        and dice.random() < 0.25
    ):
        return Mention(f"{name}, the {subject.phrase},", name, subject.pronoun)
    pronoun = subject.pronoun
    if pronoun == "it" and pronoun_of(title) in ("he", "she"):
        pronoun = pronoun_of(title)
    return Mention(name, name, pronoun)


def loose(text: str, possessive: str = "") -> bool:
    """Return whether words point at something outside of them; a possessive of the one named before is no such word."""
    if possessive:
        text = re.sub(rf"\b{possessive}\b", "", text)
    return bool(_LOOSE.search(text))


def _of_kind(noun: str, subject: Subject) -> bool:
    return noun == subject.kind or any(noun in alike and subject.kind in alike for alike in _ALIKE)


def _continues(pronoun: str, found: Found) -> bool:
    subject, before = found.subject, found.before
    if pronoun != subject.pronoun or not before:
        return False
    last = subject.title.split()[-1] if pronoun in ("he", "she") else subject.title
    start = before[:60]
    if pronoun in ("he", "she"):
        return last in start or not _other_person(before, subject)
    return subject.title in start or bool(subject.kind and re.match(rf"(?:It|They|The {re.escape(subject.kind)})\b", start))


def _other_person(text: str, subject: Subject) -> bool:
    names = re.findall(rf"(?<=\w ){WORD}(?: {WORD})+", text)
    return any(pronoun_of(name) in ("he", "she") and name.split()[-1] not in subject.title for name in names)
