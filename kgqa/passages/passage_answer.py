"""Answers from passages: what a reader finds, and what the edits of an "if" come to, the surest of them first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import NamedTuple

from graph.model import Source
from graph.text.segmentation import sentence_spans
from graph.text.stop_words import STOP_WORDS
from kgqa.answer_model import Answer, Excerpt, PassageAnswer, Route, Verdict
from kgqa.calibration.linear_model import PROBABILITY_CLIP, log_odds, logistic
from kgqa.errors import ReaderInvalid
from kgqa.passages.answer_chance import LEAST_CHANCE, answer_chance, chance_signals
from kgqa.passages.answer_kind import depends_on_condition, is_of_requested_kind
from kgqa.passages.edit_competition import WORD_READERS, PassageCandidate, answer_hypothetical, shown_candidates
from kgqa.passages.passage_verdict import plain_signals
from kgqa.passages.stated_reasons import StatedReason, asks_effect, asks_reason, stated_effects, stated_reasons
from kgqa.presuppositions.evidence_model import shipped_evidence_model
from kgqa.question import QuestionType, Semantic
from kgqa.questions.conditional_parser import ConditionalMood, ConditionalQuestion
from kgqa.questions.question_form import QuestionForm, asks_causally, question_form_of
from kgqa.questions.tokenization import foreign_language
from kgqa.readers.answer_normalisation import normalise_answer
from kgqa.readers.numeric.amount_question import parse_amount_question
from kgqa.readers.numeric.numeric_question import NumericOperation, parse_numeric_question
from kgqa.readers.numeric.passage_tokens import name_mentions
from kgqa.readers.passage_parts import PassagePart, select_parts
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader
from kgqa.reasons import Conclusion, Missing, Need, Refusal, Step

_LANGUAGE_SAMPLE = 2_000
_ANSWERS_SHOWN = 4
_LONG_SENTENCE = 600
_UNEDITED_VERDICT = 0.5
"""What the score of a yes or no to an "if" is multiplied by where the "if" was not worked into the text that it is from."""
_PERHAPS = 0.4
_NO_ANSWER = 0.5
"""From which probability on that nothing is told it is said so: the rest is shared by all answers together."""
_NO_CAUSE, _NO_OUTCOME = 0.5, 0.8
"""The same for questions that presuppose that it is told: of causes and effects, and of an "if" or of two amounts."""
_OF_SEVERAL = (
    *(NumericOperation.DIFFERENCE, NumericOperation.CHOICE, NumericOperation.ORDER),
    *(NumericOperation.SUM, NumericOperation.CHANGE, NumericOperation.COMPLEMENT),
)
"""The operations on several amounts that a question names."""
_FAR = 3.0
"""How many times as likely as the best answer that is to be said so where it is less likely than that."""
_DECIDED = 2.3
"""How many times as likely as its opposite a reader's yes or no has to be: less than that says next to nothing."""
_READER_SURE = 0.25
"""The score of a reader's answer from which on stated reasons do not change it."""
_WITHIN_REASON, _REASON, _LEAST_REASON = 4.0, 0.35, 0.4
"""How much likelier an answer is within a sure reason, how likely a sure reason is itself, and the least sure one that counts."""
_STATED, _SURE_REASON = 0.8, 0.5
"""The weight from which on reasons have this score instead."""
_NO_THING = {"a", "an", "the", "it", "they", "them", "this", "that", "these", "those"}
"""The words that name nothing by themselves; nor does "one" where no number is asked for."""
_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|old|long|often)|number|rank|place|position|score|age|time|year)\b", re.IGNORECASE
)
_AS_LIKELY, _LONGEST_REASON = 0.6, 30
"""How likely a longer answer is at least, as a share of the likeliest, that is given in its place; and its most words."""
_ASKS_OUTCOME = re.compile(r"(?:[^,]+, )?what\b.*\b(?:happen\w*|follow\w*|become of|became of|result)\b", re.IGNORECASE)
_JOINED_OUTCOME = re.compile(r",? (?:and|so that|so)\b[^.;:!?—]{8,}(?=[.;!?])")
_LONGEST_OUTCOME = 45
"""The most words of an outcome with the clauses joined to it."""
_CLAUSE_END = re.compile(r"\s*(?:[.,;:!?)—–]|$)")
_FRACTION = re.compile(r"\d\.\d{3}")
"""A reckoned number that no text would state: a share was taken for an amount."""
_FRAGMENT = re.compile(r"(?:in|on|at|of|by|with|from|to|for|than|and|as) ", re.IGNORECASE)
"""How a piece of a reason begins that is none by itself."""
_VERBATIM = 0.7
"""The least score of an answer that a "because" or "the reason was" introduces."""
_UNNAMED = 1.0
"""What is added to the log-odds that a reason is not told where the passage does not name what it is asked for."""
_MOST_RAISED = 0.6
"""The score to which the chance of being right raises that of an answer at most."""
_LEAST_CONFIDENCE = 0.05
"""The least confidence with which anything is said or shown at all."""
_LEAST_PLAIN = 0.15
"""The least one of an answer to a question without an "if". Of 309 written questions it takes a tenth of the right answers, half
of the wrong ones, and one in five of those to what is not told."""


class PassageWorld(Enum):
    """The world that an answer from a passage holds in: that of the passage, or that of the "if", which was worked in or not.

    `MODEL` is that of a model which wrote what stands in no passage.
    """

    PASSAGE = auto()
    EDITED = auto()
    UNEDITED = auto()
    MODEL = auto()


@dataclass(frozen=True, slots=True)
class PassageConclusion(Conclusion):
    """An answer with the title of the text that it is from; `untitled` where that is only a name for a text without a title."""

    text: str
    title: str
    untitled: bool
    hedged: bool
    world: PassageWorld


@dataclass(frozen=True, slots=True)
class DisputedConclusion(Conclusion):
    """That a text gives two sides on whether something is so; its title as in `PassageConclusion`."""

    title: str
    untitled: bool


class PassageMethod(StrEnum):
    """What answers from passages: the reader, the edits of an "if", or both, which then compete."""

    READER = "reader"
    EDITS = "edits"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class PassageInput:
    """The passages to read for a question (`find`), and what opens who reads them, which is asked only where there are any.

    `given` says that the user named them: what is no causal question is then answered, too; else they are what a graph keeps.
    `title` is what a passage without a title is called. Where the graph beside them has to be mined first, `promises` tells
    whether that is worth it for a question with these phrases. `closed` says that the reader is to answer without any passage.
    What hinders a reader is an error where the user `named` it, else a reason not to know.
    """

    find: Callable[[str], Sequence[Passage]]
    reader: Callable[[], Reader]
    way: PassageMethod = PassageMethod.BOTH
    given: bool = True
    title: str = "passage"
    promises: Callable[[Sequence[str]], bool] | None = None
    closed: bool = False
    is_reader_named: bool = False


class PassageReading(NamedTuple):
    """What was read for a question, in which parts of which passages, and what was found."""

    texts: PassageInput
    passages: Sequence[Passage]
    parts: Sequence[PassagePart]
    answer_candidates: Sequence[PassageCandidate]
    steps: Sequence[Step | str]

    def excerpt(self, answer_candidate: PassageCandidate, question: str) -> Excerpt | None:
        """Return the sentence that a candidate stands in; for yes and no the one most like the question, `None` without one."""
        candidate = answer_candidate.candidate
        if candidate.passage is None:
            return None
        part = self.parts[candidate.passage]
        passage = self.passages[part.of]
        marked = None
        whether = candidate.kind in (AnswerKind.YES, AnswerKind.NO)
        if candidate.start is not None and candidate.end is not None:
            start, end = part.start + candidate.start, part.start + candidate.end
            first, last = sentence_around(passage.text, start, end)
            marked = None if whether else (start - first, end - first)
        elif whether:
            question_words = set(normalise_answer(question).split()) - STOP_WORDS["yes-no"]
            spans = list(sentence_spans(passage.text)) or [(0, len(passage.text))]
            shared = [len(question_words & set(normalise_answer(passage.text[low:high]).split())) for low, high in spans]
            first, last = spans[shared.index(max(shared))]
        else:
            return None
        # The sentences that a graph keeps are named "PAGE@PLACE", the passages of a corpus "PAGE#NUMBER".
        identifier, _, place = passage.id.partition("@")
        page, before = identifier.partition("#")[0], int(place) if place.isdecimal() else 0
        title = passage.title or self.texts.title
        kind = "wikipedia" if "wikipedia.org" in passage.url else "text"
        source = Source(kind, title, "" if page == title else page, "", passage.url)
        return Excerpt(passage.text[first:last], source, before + first, before + last, marked=marked, rule=answer_candidate.rule)

    def missing(self, need: Need) -> Missing:
        """Return that something is missing in the texts that were read."""
        titles = dict.fromkeys(passage.title for passage in self.passages if passage.title)
        return Missing(need, (), "other_text", tuple(titles))


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the characters of the sentence, or of the sentences, that hold some characters of a text; of a long one, a part."""
    low, high = max(0, start - _LONG_SENTENCE), min(len(text), end + _LONG_SENTENCE)
    spans = [(low + first, low + last) for first, last in sentence_spans(text[low:high])]
    held = [(first, last) for first, last in spans if first < end and last > start]
    return (min(held[0][0], start), max(held[-1][1], end)) if held else (start, end)


def answer_passages(question: str, kind: QuestionType, texts: PassageInput) -> Answer:
    """Return what passages tell of a question: the surest answer with the sentence that it stands in, or why there is none."""
    passages = [item for item in texts.find(question) if any(map(str.isalnum, item.text))]
    unread = None if texts.closed else _refuse_unreadable(question, kind, passages, texts)
    if unread is not None:
        return unread
    parts = select_parts(question, passages)
    read = [part.passage for part in parts]
    words = sum(len(passage.text.split()) for passage in read)
    cut = any(part.start or len(part.passage.text) < len(passages[part.of].text) for part in parts)
    steps = [Step("read", (len(parts), len(passages), words, cut))]
    reader, hindered = _open_reader(texts)
    candidates: list[Candidate] = []
    answer_candidates: list[PassageCandidate] = []
    if reader is not None:
        candidates = list(reader.read(question, read))
        if kind.conditional is None and reader.name in WORD_READERS and question_form_of(question) is QuestionForm.WHETHER:
            verdict_reading = plain_signals(question, kind, read, candidates, shipped_evidence_model())
            candidates = verdict_reading.candidates()
            stated = verdict_reading.stated
            if stated is not None:
                steps.append(Step("stated", (stated.verdict,)))
            if stated is not None and stated.verdict is Verdict.CONTESTED:
                spans = enumerate(stated.places, 1)
                sides = [PassageCandidate(Candidate(f"side {place}", 0.5, AnswerKind.YES, *span)) for place, span in spans]
                return _dispute(question, kind, PassageReading(texts, passages, parts, sides, steps))
        elif kind.conditional is None and reader.name in WORD_READERS:
            candidates = weigh_candidates(question, kind, read, candidates).judged()
        answer_candidates = [PassageCandidate(item, (), f"reader {reader.name}") for item in candidates]
        steps.append(Step("reader_candidates", (reader.name, shown_candidates(candidates))))
    if texts.way is not PassageMethod.READER and kind.conditional is not None:
        from kgqa.edits.edit_solver import conditional_contradiction

        contrary = conditional_contradiction(kind.conditional)
        if contrary:
            missing = Missing("possible_condition", (), "reason", (contrary,))
            return _refuse(question, kind, Refusal("impossible_condition", (contrary,)), missing, steps=steps)
        answer_candidates = answer_hypothetical(kind.conditional, read, candidates, reader, steps) or answer_candidates
        if _ASKS_OUTCOME.match(question):
            answer_candidates = [_with_whole_outcome(item, read) for item in answer_candidates]
    if hindered and not answer_candidates:
        return _refuse(question, kind, Refusal("no_reader", (hindered,)), Missing("reader", remedy="reader_option"))
    reading = PassageReading(texts, passages, parts, answer_candidates, steps)
    return _choose_answer(question, kind, reading)


class WeighedCandidates(NamedTuple):
    """The candidates of a reader weighed by what passages state, and the signals by which the best of them is right."""

    ranked: Sequence[Candidate]
    signals: Mapping[str, float] | None

    @property
    def best(self) -> Candidate | None:
        """The likeliest candidate that stands in a passage."""
        return max((item for item in self.ranked if item.kind is AnswerKind.SPAN), key=lambda item: item.score, default=None)

    def judged(self) -> list[Candidate]:
        """Return the candidates, the best not refused where it is likely to be right; "not told" before it where it is not.

        Its score rises to at most `_MOST_RAISED`, so that a claim mined from the text still counts.
        """
        best = self.best
        if self.signals is None or best is None:
            return list(self.ranked)
        chance = answer_chance(self.signals)
        spans = [item for item in self.ranked if item.kind is AnswerKind.SPAN and item is not best]
        if chance < LEAST_CHANCE and self.signals.get("stated", 0.0) < _STATED:
            less = [replace(item, score=min(item.score, chance) / 2) for item in [best, *spans]]
            return [Candidate("", 1.0 - chance, AnswerKind.NULL), *less]
        first = replace(best, score=max(best.score, min(chance, _MOST_RAISED)))
        left = min(1.0, (1.0 - first.score) / max(PROBABILITY_CLIP, sum(item.score for item in spans)))
        return [first, *(replace(item, score=item.score * left) for item in spans)]


def weigh_candidates(
    question: str, kind: QuestionType, passages: Sequence[Passage], read: Sequence[Candidate]
) -> WeighedCandidates:
    """Return the candidates of a question without an "if" that asks for words, weighed by the reasons or effects stated.

    What may have been computed is not judged by these signals.
    """
    stated: Sequence[StatedReason] | None = []
    ranked, asks = list(read), ""
    if asks_reason(question, kind):
        stated, asks = stated_reasons(question, kind, passages), "reason"
        ranked = _whole_clauses(_weigh_reasons(read, stated, passages), passages)
    elif asks_effect(question, kind):
        stated, asks = stated_effects(question, passages), "effect"
        ranked = _whole_clauses(_weigh_effects(read, stated, passages), passages)
    if parse_numeric_question(question) is not None or parse_amount_question(question) is not None:
        return WeighedCandidates(ranked, None)
    return WeighedCandidates(ranked, chance_signals(question, asks, passages, read, ranked, stated or []))


def _weigh_reasons(
    candidates: Sequence[Candidate], reasons: Sequence[StatedReason] | None, passages: Sequence[Passage]
) -> list[Candidate]:
    """Return candidates of a reader that is not sure, likelier within a reason that the passages state, and the reasons.

    Where no passage names what a reason is asked for, that is not told.
    """
    null = next((item.score for item in candidates if item.kind is AnswerKind.NULL), 0.0)
    spans = [item for item in candidates if item.kind is AnswerKind.SPAN]
    if reasons is None:
        moved = logistic(log_odds(null, PROBABILITY_CLIP) + _UNNAMED)
        left = (1.0 - moved) / max(PROBABILITY_CLIP, 1.0 - null)
        return [Candidate("", moved, AnswerKind.NULL), *(replace(item, score=item.score * left) for item in spans)]
    first = max(spans, key=lambda item: item.score, default=None)
    unstated = first is not None and max((reason.holds(first) for reason in reasons), default=0.0) < _SURE_REASON
    sure = first is not None and first.score >= _READER_SURE and not (unstated and reasons and reasons[0].weight >= 1.0)
    stated = _SURE_REASON if reasons and reasons[0].weight >= _STATED else _REASON
    weighed = []
    least = _SURE_REASON * reasons[0].weight if reasons else 0.0
    for item in spans:
        best = max(reasons, key=lambda reason: reason.holds(item), default=None)
        weight = best.holds(item) if best is not None else 0.0
        weight = weight if weight >= least else 0.0
        doubt = min((reason.holds(item) for reason in reasons), default=0.0)
        factor = 1.0 if sure else 1.0 + _WITHIN_REASON * weight if weight >= -doubt else 1.0 + doubt
        if best is not None and weight >= _LEAST_REASON and _FRAGMENT.match(item.text):
            item = replace(item, text=passages[best.passage].text[best.start : best.end], start=best.start, end=best.end)
        weighed.append(replace(item, score=item.score * factor))
    weighed += [
        Candidate(passages[reason.passage].text[reason.start : reason.end], stated * reason.weight, AnswerKind.SPAN, *reason[:3])
        for reason in reasons
        if reason.weight >= _LEAST_REASON and not sure
    ]
    weighed.append(Candidate("", null, AnswerKind.NULL))
    total = max(1.0, sum(item.score for item in weighed))
    ranked = sorted((replace(item, score=item.score / total) for item in weighed), key=lambda item: -item.score)
    verbatim = max((reason.holds(ranked[0]) for reason in reasons), default=0.0) >= 1.0
    if verbatim and ranked[0].score < _VERBATIM:
        left = (1.0 - _VERBATIM) / (1.0 - ranked[0].score)
        ranked = [replace(ranked[0], score=_VERBATIM), *(replace(item, score=item.score * left) for item in ranked[1:])]
    return ranked


def _weigh_effects(
    candidates: Sequence[Candidate], effects: Sequence[StatedReason], passages: Sequence[Passage]
) -> list[Candidate]:
    """Return candidates likelier within an effect that the passages state, less likely within a reason, and the effects."""
    weighed = []
    for item in candidates:
        weight = max((effect.holds(item) for effect in effects), default=0.0)
        doubt = min((effect.weight for effect in effects if effect.opens(item)), default=0.0)
        factor = 1.0 + _WITHIN_REASON * weight if weight >= _LEAST_REASON else 1.0 + min(0.0, doubt)
        weighed.append(replace(item, score=item.score * (factor if item.kind is AnswerKind.SPAN else 1.0)))
    if max((item.score for item in weighed if item.kind is AnswerKind.SPAN), default=0.0) < _READER_SURE:
        weighed += [
            Candidate(passages[place].text[start:end], _REASON * weight, AnswerKind.SPAN, place, start, end)
            for place, start, end, weight in effects
            if weight >= _STATED
        ]
    total = max(1.0, sum(item.score for item in weighed))
    return sorted((replace(item, score=item.score / total) for item in weighed), key=lambda item: -item.score)


def _whole_clauses(candidates: Sequence[Candidate], passages: Sequence[Passage]) -> list[Candidate]:
    """Return candidates with the first made longer, where one that holds it is nearly as likely: a reason is a clause."""
    first = next((item for item in candidates if item.kind is AnswerKind.SPAN and item.start is not None), None)
    if first is None or first.passage is None:
        return list(candidates)
    text, whole = passages[first.passage].text, first
    for item in candidates:
        if item.kind is not AnswerKind.SPAN or item.passage != first.passage or item.start is None or item.end is None:
            continue
        holds = item.start <= (whole.start or 0) and (whole.end or 0) <= item.end and ". " not in item.text
        holds = holds and (item.end == whole.end or _CLAUSE_END.match(text, item.end) is not None)
        if holds and item.score >= _AS_LIKELY * first.score and len(item.text.split()) <= _LONGEST_REASON:
            whole = item
    longer = replace(whole, score=first.score)
    return (
        [longer, *(item for item in candidates if item is not whole and item is not first)]
        if whole is not first
        else list(candidates)
    )


def _with_whole_outcome(item: PassageCandidate, passages: Sequence[Passage]) -> PassageCandidate:
    """Return a candidate for what would happen with the clauses that its sentence joins to it by "and" or "so"."""
    candidate = item.candidate
    if item.edits or candidate.passage is None or candidate.start is None or candidate.end is None:
        return item
    text = passages[candidate.passage].text
    match = _JOINED_OUTCOME.match(text, candidate.end)
    if match is None or len(text[candidate.start : match.end()].split()) > _LONGEST_OUTCOME:
        return item
    whole = replace(candidate, text=text[candidate.start : match.end()], end=match.end())
    return item._replace(candidate=whole)


def _dispute(question: str, kind: QuestionType, reading: PassageReading) -> Answer:
    """Return that the passages give two sides, with their sentences."""
    read = [
        PassageAnswer(item.candidate.text, item.candidate.score, reading.excerpt(item, question))
        for item in reading.answer_candidates[:_ANSWERS_SHOWN]
    ]
    title = (read[0].excerpt.source.title if read[0].excerpt else "") or reading.texts.title
    return Answer(
        question=question,
        type=kind,
        route=Route.READER,
        conclusion=DisputedConclusion(title, title == reading.texts.title),
        verdict=Verdict.CONTESTED,
        confidence=0.5,
        read=tuple(read),
        steps=tuple(reading.steps),
    )


def _open_reader(texts: PassageInput) -> tuple[Reader | None, str]:
    """Return the reader, where one is to be asked, or what hinders it; raises that where the user named the reader."""
    if texts.way is PassageMethod.EDITS:
        return None, ""
    try:
        return texts.reader(), ""
    except ReaderInvalid as error:
        if texts.is_reader_named:
            raise
        return None, str(error)


def _refuse_unreadable(question: str, kind: QuestionType, passages: Sequence[Passage], texts: PassageInput) -> Answer | None:
    """Return the refusal of what cannot be read: nothing, or another language."""
    if not passages:
        missing = Missing("passage", (), "passage_with_words", (texts.title,))
        return _refuse(question, kind, Refusal("no_passage", (texts.title, texts.given)), missing)
    foreign = foreign_language(question)
    if foreign or all(foreign_language(passage.text[:_LANGUAGE_SAMPLE]) for passage in passages):
        what = "question" if foreign else texts.title
        missing = Missing("english_text", (what,), "translation")
        return _refuse(question, kind, Refusal("foreign_text", (what,)), missing)
    return None


def _refuse(question: str, kind: QuestionType, refusal: Refusal, *missing: Missing, steps: Sequence[Step | str] = ()) -> Answer:
    verdict = Verdict.UNKNOWN if _asks_whether(question, kind) else None
    return Answer(question, kind, Route.NONE, conclusion=refusal, verdict=verdict, gaps=missing, steps=tuple(steps))


def _asks_whether(question: str, kind: QuestionType) -> bool:
    return kind.semantic is Semantic.VERIFICATION or question_form_of(question) is QuestionForm.WHETHER


def _choose_answer(question: str, kind: QuestionType, reading: PassageReading) -> Answer:
    """Return the answer that the surest candidate makes, or the refusal that it stands for."""
    ranked = sorted(reading.answer_candidates, key=lambda item: -item.candidate.score)
    null = next((item.candidate.score for item in ranked if item.candidate.kind is AnswerKind.NULL), 0.0)
    answers = [
        item
        for item in ranked
        if item.candidate.kind not in (AnswerKind.NULL, AnswerKind.NUMBER)
        and not set(normalise_answer(item.candidate.text).split()) <= _NO_THING
        and (normalise_answer(item.candidate.text) != "one" or _ASKS_NUMBER.search(question))
        and _is_possible(question, kind, item, reading)
    ]
    sure = answers[0].candidate.score if answers else 0.0
    likelier = null > sure and (null > _NO_ANSWER or null > _FAR * sure)
    most = _most_null(question, kind)
    untold = likelier if most is None else null > most
    least = _LEAST_PLAIN if kind.conditional is None else _LEAST_CONFIDENCE * (1.0 - null)
    if not answers or sure < least or untold:
        return _refuse_without_answer(question, kind, reading, ranked, null)
    first = answers[0]
    best, text = first.candidate, first.candidate.text.strip()
    whether = _asks_whether(question, kind)
    verdict = _candidate_verdict(best, whether)
    if verdict is not None:
        opposite = Verdict.NO if verdict is Verdict.YES else Verdict.YES
        opposed = (item.candidate.score for item in answers if _candidate_verdict(item.candidate, whether) is opposite)
        score = max(opposed, default=0.0)
        if not first.edits and _DECIDED * score > best.score:
            facts = (verdict, best.score, opposite, score)
            steps = (*reading.steps, Step("undecided_reader", facts))
            missing = reading.missing("deciding_sentence")
            return _refuse(question, kind, Refusal("undecided_reader", facts), missing, steps=steps)
        text = verdict.value
    elif kind.semantic is Semantic.VERIFICATION:
        verdict = Verdict.UNKNOWN
    different = [first.candidate]
    excerpt = reading.excerpt(first, question)
    world = _world_of(kind.conditional, first, reading)
    if best.is_written and not reading.texts.closed and not first.edits:
        world = PassageWorld.MODEL
    unproved = verdict in (Verdict.YES, Verdict.NO) and world is PassageWorld.UNEDITED
    score = best.score * _UNEDITED_VERDICT if unproved else best.score
    read = [PassageAnswer(text, score, excerpt)]
    for item in answers[1:]:
        candidate = item.candidate
        if candidate.score >= _LEAST_CONFIDENCE and not any(_is_other_cut(candidate, earlier) for earlier in different):
            different.append(candidate)
            read.append(PassageAnswer(candidate.text.strip(), candidate.score, reading.excerpt(item, question)))
    title = excerpt.source.title if excerpt is not None else reading.texts.title
    return Answer(
        question=question,
        type=kind,
        route=Route.INTERVENTION_PASSAGE if first.edits else Route.READER,
        conclusion=PassageConclusion(text, title, title == reading.texts.title, score < _PERHAPS, world),
        answer=text,
        verdict=verdict,
        confidence=score,
        read=tuple({normalise_answer(item.text): item for item in reversed(read)}.values())[::-1][:_ANSWERS_SHOWN],
        interventions=first.edits,
        steps=(*reading.steps, *best.trace, Step("chosen", (text, best.score, first.rule))),
    )


def _is_possible(question: str, kind: QuestionType, item: PassageCandidate, reading: PassageReading) -> bool:
    """Return whether a candidate is of the kind that is asked for, and not what the "if" would have changed."""
    conditional = kind.conditional
    if item.candidate.start is None and _FRACTION.search(item.candidate.text):
        return False
    if item.candidate.kind is AnswerKind.SPAN and not is_of_requested_kind(
        question, conditional, _full_name(item.candidate, reading)
    ):
        return False
    if conditional is None or item.candidate.kind is not AnswerKind.SPAN:
        return True
    unedited = _world_of(conditional, item, reading) is PassageWorld.UNEDITED
    return not (unedited and depends_on_condition(conditional, item.candidate.text, item.candidate.score))


def _full_name(candidate: Candidate, reading: PassageReading) -> str:
    """Return the text of a candidate, or the whole name of which it is a part where it stands."""
    if candidate.passage is None or candidate.start is None or candidate.end is None or not candidate.text.isalpha():
        return candidate.text
    names = name_mentions(reading.parts[candidate.passage].passage.text)
    start, end = candidate.start, candidate.end
    holding = (name.text for name in names if name.start <= start and end <= name.end and candidate.text in name.text.split())
    return next(holding, candidate.text)


def _most_null(question: str, kind: QuestionType) -> float | None:
    """Return how likely it may be that nothing is told, for a question that takes for granted that it is; `None` for others."""
    if _asks_whether(question, kind):
        return None
    computed = parse_numeric_question(question)
    if (kind.conditional is not None and kind.conditional.main) or (computed is not None and computed.operation in _OF_SEVERAL):
        return _NO_OUTCOME
    return _NO_CAUSE if kind.semantic is not None or asks_causally(question) else None


def _is_other_cut(first: Candidate, second: Candidate) -> bool:
    """Return whether two candidates are the same words of a passage, one of them with more around it."""
    if first.passage is None or first.passage != second.passage or first.start is None or second.start is None:
        return False
    ours, theirs = normalise_answer(first.text), normalise_answer(second.text)
    apart = first.start >= (second.end or 0) or second.start >= (first.end or 0)
    return not apart and (ours in theirs or theirs in ours)


def _refuse_without_answer(
    question: str, kind: QuestionType, reading: PassageReading, ranked: Sequence[PassageCandidate], null: float
) -> Answer:
    missing = [reading.missing("telling_passage")]
    number = next((candidate.candidate for candidate in ranked if candidate.candidate.kind is AnswerKind.NUMBER), None)
    if number is not None and number.score > null:
        missing.insert(0, Missing("calculation", (), "no_rule", (number.text,)))
    refusal = Refusal("not_in_passage", (reading.texts.title, reading.texts.given))
    step = Step("no_answer_likelier", (null,)) if null else Step("nothing_sure")
    return _refuse(question, kind, refusal, *missing, steps=(*reading.steps, step))


def _candidate_verdict(candidate: Candidate, whether: bool) -> Verdict | None:
    """Return yes or no where that is what a candidate says to a question that can be answered so."""
    word = candidate.text.strip().lower().strip(" .!") if whether else ""
    if candidate.kind is AnswerKind.YES or word == "yes":
        return Verdict.YES
    return Verdict.NO if candidate.kind is AnswerKind.NO or word == "no" else None


def _world_of(conditional: ConditionalQuestion | None, first: PassageCandidate, reading: PassageReading) -> PassageWorld:
    if first.edits:
        return PassageWorld.EDITED
    supposes = conditional is not None and conditional.main and conditional.mood is not ConditionalMood.OPEN
    return PassageWorld.UNEDITED if supposes and reading.texts.way is not PassageMethod.READER else PassageWorld.PASSAGE
