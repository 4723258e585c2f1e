"""Answers from passages: what a reader finds, and what the edits of an "if" come to, the surest of them first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from graph.mining.sentences import sentence_spans
from graph.model import Source
from kgqa.answering.supposing import Found, listed, supposing
from kgqa.answering.wording import counted, sentence
from kgqa.asking import is_foreign
from kgqa.errors import ReaderInvalid
from kgqa.model import Answer, Excerpt, Missing, QuestionType, Read, Route, Semantic, Verdict
from kgqa.reading.cascade import asked
from kgqa.reading.form import Form, form_of
from kgqa.reading.model import Candidate, Kind, Passage
from kgqa.reading.parts import Part, parts_of
from kgqa.reading.protocols import Reader
from kgqa.reading.readers import DEFAULT
from kgqa.reading.tidying import compared
from kgqa.reading.whether_words import EMPTY

_SUPPOSES = re.compile(r"\b(?:if|suppose|supposing|assuming|assume|imagine)\b|^had\b", re.IGNORECASE)
_MAY_SUPPOSE = re.compile(
    r"\b(?:without|but for|barring|absent|absence|unless|given that|in case|assumption|provided|world|let us|let['’]s|had|were)\b"
    r"|^(?:say|should|did|with|by)\b",
    re.IGNORECASE,
)
_LOOKED_AT = 2_000
_SHOWN = 4
_LONG_SENTENCE = 600
_PERHAPS = 0.4
_UNTOLD = 0.5
"""From which probability on that nothing is told it is said so: the rest is shared by all answers together."""
_FAR = 3.0
"""How many times as likely as the best answer that is to be said so where it is less likely than that."""
_DECIDED = 2.0
"""How many times as likely as its opposite a reader's yes or no has to be: less than that says next to nothing."""
_GUESSED = 0.05
"""The least confidence with which anything is said or shown at all."""


class Way(StrEnum):
    """What answers from passages: the reader, the edits of an "if", or both, which then compete."""

    READER = "reader"
    EDITS = "edits"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Texts:
    """The passages to read for a question (`find`), and what opens who reads them, which is asked only where there are any.

    `given` says that the user named them: what is no causal question is then answered, too; else they are what a graph keeps.
    `title` is what a passage without a title is called. Where the graph beside them has to be mined first, `promises` tells
    whether that is worth it for a question with these phrases. `closed` says that the reader is to answer without any passage.
    What hinders a reader is an error where the user `named` it, else a reason not to know.
    """

    find: Callable[[str], Sequence[Passage]]
    reader: Callable[[], Reader]
    way: Way = Way.BOTH
    given: bool = True
    title: str = "passage"
    promises: Callable[[Sequence[str]], bool] | None = None
    closed: bool = False
    named: bool = False


class Told(NamedTuple):
    """What was read for a question, in which parts of which passages, and what was found."""

    texts: Texts
    passages: Sequence[Passage]
    parts: Sequence[Part]
    found: Sequence[Found]
    trace: Sequence[str]
    reader: str

    def excerpt(self, one: Found, question: str) -> Excerpt | None:
        """Return the sentence that a candidate stands in; for yes and no the one most like the question, `None` without one."""
        candidate = one.candidate
        if candidate.passage is None:
            return None
        part = self.parts[candidate.passage]
        passage = self.passages[part.of]
        marked = None
        if candidate.start is not None and candidate.end is not None:
            start, end = part.start + candidate.start, part.start + candidate.end
            first, last = sentence_around(passage.text, start, end)
            marked = (start - first, end - first)
        elif candidate.kind in (Kind.YES, Kind.NO):
            first, last = nearest_sentence(question, passage.text)
        else:
            return None
        # The sentences that a graph keeps are named "PAGE@PLACE", the passages of a corpus "PAGE#NUMBER".
        named, _, place = passage.id.partition("@")
        page, before = named.partition("#")[0], int(place) if place.isdecimal() else 0
        title = passage.title or self.texts.title
        kind = "wikipedia" if "wikipedia.org" in passage.url else "text"
        return Excerpt(
            text=passage.text[first:last],
            source=Source(kind, title, "" if page == title else page, "", passage.url),
            start=before + first,
            end=before + last,
            marked=marked,
            rule=one.rule,
        )

    def where(self) -> str:
        """Return where the answer may be that was not found here."""
        titles = list(dict.fromkeys(one.title for one in self.passages if one.title))
        if titles:
            more = f" and {len(titles) - _SHOWN} more" if len(titles) > _SHOWN else ""
            return f"not in what was read: {', '.join(titles[:_SHOWN])}{more}"
        return "in another text about it"


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the characters of the sentence, or of the sentences, that hold some characters of a text; of a long one, a part."""
    low, high = max(0, start - _LONG_SENTENCE), min(len(text), end + _LONG_SENTENCE)
    spans = [(low + first, low + last) for first, last in sentence_spans(text[low:high])]
    held = [(first, last) for first, last in spans if first < end and last > start]
    return (min(held[0][0], start), max(held[-1][1], end)) if held else (start, end)


def nearest_sentence(question: str, text: str) -> tuple[int, int]:
    """Return the characters of the sentence of a text that holds most words of a question."""
    asked = set(compared(question).split()) - EMPTY
    spans = list(sentence_spans(text)) or [(0, len(text))]
    return max(spans, key=lambda span: len(asked & set(compared(text[slice(*span)]).split())))


def supposes(question: str) -> bool:
    """Return whether a question may ask for another world than the one that passages tell of."""
    if _SUPPOSES.search(question) is not None:
        return True
    if _MAY_SUPPOSE.search(question.strip()) is None:
        return False
    from kgqa.intervention.passages.supposition import supposed

    return supposed(question) is not None


def asks_whether(question: str, kind: QuestionType) -> bool:
    """Return whether yes or no is an answer to a question."""
    return kind.semantic is Semantic.VERIFICATION or form_of(question) is Form.WHETHER


def answer_passages(question: str, kind: QuestionType, texts: Texts) -> Answer:
    """Return what passages tell of a question: the surest answer with the sentence that it stands in, or why there is none."""
    passages = [one for one in texts.find(question) if any(map(str.isalnum, one.text))]
    unread = None if texts.closed else _unreadable(question, kind, passages, texts)
    if unread is not None:
        return unread
    parts = parts_of(question, passages)
    read = [part.passage for part in parts]
    trace = [_told_of(passages, parts)]
    reader, hindered = _opened(texts)
    candidates = list(reader.read(question, read)) if reader is not None else []
    found = [Found(one, (), f"reader {reader.name}") for one in candidates] if reader is not None else []
    if reader is not None:
        trace.append(f"the reader {reader.name} finds {listed(candidates)}")
    if texts.way is not Way.READER and supposes(question):
        contrary = _contrary(question)
        if contrary:
            missing = Missing("a supposition that can be made", contrary)
            return refused(question, kind, f"the supposition cannot be made: {contrary}", missing, trace=trace)
        found = supposing(question, read, candidates, reader, trace) or found
    if hindered and not found:
        return refused(
            question, kind, f"there is no reader to read it with: {hindered}", Missing("a reader", "kgqa ask --reader")
        )
    return _chosen(question, kind, Told(texts, passages, parts, found, trace, reader.name if reader else ""))


def _opened(texts: Texts) -> tuple[Reader | None, str]:
    """Return the reader, where one is to be asked, or what hinders it; raises that where the user named the reader."""
    if texts.way is Way.EDITS:
        return None, ""
    try:
        return texts.reader(), ""
    except ReaderInvalid as error:
        if texts.named:
            raise
        return None, str(error)


def _contrary(question: str) -> str:
    """Return why what a question supposes cannot be; empty where it can."""
    from kgqa.intervention.passages.contradictions import wrong_with
    from kgqa.intervention.passages.supposition import supposed

    asked = supposed(question)
    return wrong_with(asked) or "" if asked is not None else ""


def _unreadable(question: str, kind: QuestionType, passages: Sequence[Passage], texts: Texts) -> Answer | None:
    """Return the refusal of what cannot be read: nothing, or another language."""
    if not passages:
        why = f"there is no {texts.title} to read" if texts.given else "no sentence was found to read"
        return refused(question, kind, why, Missing("a text about it", f"give a {texts.title} with words in it"))
    if is_foreign(question) or all(is_foreign(one.text[:_LOOKED_AT]) for one in passages):
        what = "question" if is_foreign(question) else texts.title
        why = f"the {what} seems to be in another language, and kgqa reads English"
        return refused(question, kind, why, Missing(f"an English {what}", "translate it"))
    return None


def refused(question: str, kind: QuestionType, why: str, *missing: Missing, trace: Sequence[str] = ()) -> Answer:
    """Return an answer that says that passages do not tell, and why."""
    return Answer(
        question=question,
        type=kind,
        route=Route.NONE,
        sentence=sentence(f"unknown: {why}"),
        verdict=Verdict.UNKNOWN if asks_whether(question, kind) else None,
        missing=missing,
        trace=tuple(trace),
    )


def _chosen(question: str, kind: QuestionType, told: Told) -> Answer:
    """Return the answer that the surest candidate makes, or the refusal that it stands for."""
    ranked = sorted(told.found, key=lambda one: -one.candidate.score)
    null = next((one.candidate.score for one in ranked if one.candidate.kind is Kind.NULL), 0.0)
    answers = [one for one in ranked if one.candidate.kind not in (Kind.NULL, Kind.NUMBER) and _says(one.candidate.text)]
    sure = answers[0].candidate.score if answers else 0.0
    if sure < _GUESSED or (null > sure and (null > _UNTOLD or null > _FAR * sure)):
        return _nothing(question, kind, told, ranked, null)
    first = answers[0]
    best, text = first.candidate, first.candidate.text.strip()
    verdict = _verdict(text, best.kind, asks_whether(question, kind))
    other = _opposite(verdict, answers, question, kind)
    if verdict is not None and not first.edits and _DECIDED * other > best.score:
        return _undecided(question, kind, told, verdict, best.score, other)
    if verdict is not None:
        text = verdict.value
    elif kind.semantic is Semantic.VERIFICATION:
        verdict = Verdict.UNKNOWN
    shown = [first]
    for one in answers[1:]:
        if one.candidate.score >= _GUESSED and not any(_cut_otherwise(one.candidate, other.candidate) for other in shown):
            shown.append(one)
    read = [Read(text, best.score, told.excerpt(first, question))]
    read += [Read(one.candidate.text.strip(), one.candidate.score, told.excerpt(one, question)) for one in shown[1:]]
    return Answer(
        question=question,
        type=kind,
        route=Route.INTERVENTION_PASSAGE if first.edits else Route.READER,
        sentence=_worded(text, best, read[0].excerpt, told, _world(question, first, told)),
        answer=text,
        verdict=verdict,
        confidence=best.score,
        read=tuple({compared(one.text): one for one in reversed(read)}.values())[::-1][:_SHOWN],
        interventions=first.edits,
        trace=(*told.trace, *best.trace, f"chosen: “{text}” ({best.score:.2f}), by the {first.rule}"),
    )


def _says(text: str) -> bool:
    """Return whether there is a word in a text that says something."""
    return not set(compared(text).split()) <= {"a", "an", "the"}


def _opposite(verdict: Verdict | None, answers: Sequence[Found], question: str, kind: QuestionType) -> float:
    """Return how probable the opposite of a verdict is to the reader; 0 where it does not say."""
    said = ((_verdict(one.candidate.text.strip(), one.candidate.kind, asks_whether(question, kind)), one) for one in answers)
    return max((one.candidate.score for its, one in said if its is not None and its is not verdict), default=0.0)


def _undecided(question: str, kind: QuestionType, told: Told, verdict: Verdict, best: float, other: float) -> Answer:
    """Return the refusal of a question to which yes and no are nearly as likely."""
    opposite = Verdict.NO if verdict is Verdict.YES else Verdict.YES
    why = f"the reader cannot tell {verdict} ({best:.2f}) from {opposite} ({other:.2f})"
    missing = Missing("a sentence that says whether it is so", told.where())
    return refused(question, kind, why, missing, trace=(*told.trace, why))


def _cut_otherwise(one: Candidate, other: Candidate) -> bool:
    """Return whether two candidates are the same words of a passage, one of them with more around it."""
    if one.passage is None or one.passage != other.passage or one.start is None or other.start is None:
        return False
    ours, theirs = compared(one.text), compared(other.text)
    apart = one.start >= (other.end or 0) or other.start >= (one.end or 0)
    return not apart and (ours in theirs or theirs in ours)


def _nothing(question: str, kind: QuestionType, told: Told, ranked: Sequence[Found], null: float) -> Answer:
    """Return the refusal of what the passages do not tell."""
    missing = [Missing("a passage that tells", told.where())]
    number = next((one.candidate for one in ranked if one.candidate.kind is Kind.NUMBER), None)
    if number is not None and number.score > null:
        missing.insert(0, Missing("a number that has to be reckoned", f"from “{number.text}”, by no rule that is known"))
    if told.reader == DEFAULT and asked(question) == "amount":
        missing.append(Missing("a reader that reckons", "kgqa ask --reader cascade"))
    why = f"the {told.texts.title} does not tell" if told.texts.given else "the sentences that the graph keeps do not tell"
    trace = (*told.trace, f"likelier than any answer: there is none ({null:.2f})" if null else "nothing is sure enough to say")
    return refused(question, kind, why, *missing, trace=trace)


def _verdict(text: str, kind: Kind, whether: bool) -> Verdict | None:
    """Return yes or no where that is what a candidate says to a question that can be answered so."""
    said = text.lower().strip(" .!") if whether else ""
    if kind is Kind.YES or said == "yes":
        return Verdict.YES
    return Verdict.NO if kind is Kind.NO or said == "no" else None


def _world(question: str, first: Found, told: Told) -> str:
    """Return in which world an answer holds, with the place where it is told for "{}"."""
    if first.edits:
        return "if that were so, going by {}"
    if told.texts.way is not Way.READER and supposes(question):
        from kgqa.intervention.passages.supposition import Mood, supposed

        asked = supposed(question)
        if asked is not None and asked.mood is not Mood.OPEN:
            return "according to {} as it stands: the “if” is not worked into it"
    return "according to {}"


def _worded(text: str, best: Candidate, excerpt: Excerpt | None, told: Told, world: str) -> str:
    """Return an answer in a sentence, with where it is from, and a hedge where it is not sure."""
    title = excerpt.source.title if excerpt is not None else told.texts.title
    where = f"the {title}" if title == told.texts.title else f"“{title}”"
    return sentence(f"{'perhaps ' if best.score < _PERHAPS else ''}{text}, {world.format(where)}")


def _told_of(passages: Sequence[Passage], parts: Sequence[Part]) -> str:
    """Return what was read, in a line."""
    words = sum(len(one.passage.text.split()) for one in parts)
    cut = any(one.start or len(one.passage.text) < len(passages[one.of].text) for one in parts)
    which = f"the {counted(len(parts), 'part')} that fit best of " if cut else ""
    return f"read: {which}{counted(len(passages), 'passage')}, {counted(words, 'word')}"
