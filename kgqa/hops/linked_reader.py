"""A reader of linked articles: it sees their titles, and what cannot be the answer of one is left out.

A span is no answer where it is of another kind than what is asked for, and where its sentence speaks of other years than the
question, or of the present where the question asks of the past. It is less of one where neither its sentence nor the article of
its name says that it is of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kgqa.calibration.linear_model import PROBABILITY_CLIP, log_odds, logistic
from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType, answer_type_of
from kgqa.hops.word_lemmas import lemma_set, word_lemma
from kgqa.passages.passage_answer import sentence_around
from kgqa.quantities.dates import MONTH_NAMES
from kgqa.readers.numeric.passage_tokens import years_in
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader

_KIND_WORDS = 25
"""In how many words of an article it says what its thing is."""
_UNPROVED = 0.5
"""What a name counts of which nothing says that it is of the kind that is asked for."""
_WHICH = re.compile(r"(?i)^(?:[a-z]+ )?(?:what|which) (?P<kind>[a-z]+)(?: (?:is|are|was|were|did|does|do|has|had|in)\b)")
_WHEN = re.compile(r"(?i)^(?:since |until )?when\b")
_WHERE = re.compile(r"(?i)^where\b")
_MONTH = re.compile(rf"(?i)\b(?:{'|'.join(sorted(MONTH_NAMES))})\b")
_NUMBER = re.compile(r"\d")
_PAST = re.compile(r"(?i)\b(?:was|were|did|had)\b")
_PRESENT = re.compile(r"(?i)\b(?:current(?:ly)?|incumbent|presently|nowadays|today|as of now)\b")


@dataclass(frozen=True, slots=True)
class LinkedArticleReader:
    """A reader that sees the title of a passage before its text; `surer` is added to the log-odds that the passages answer.

    `lead_of` gives the beginning of the article of a name, empty where there is none.
    """

    reader: Reader
    surer: float = 0.0
    lead_of: Callable[[str], str] = lambda name: ""

    @property
    def name(self) -> str:
        """The name of the reader."""
        return self.reader.name

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return the candidates, likeliest first, with their places in the texts without titles."""
        heads = [f"{passage.title}: " if passage.title else "" for passage in passages]
        titled = [replace(passage, text=head + passage.text) for head, passage in zip(heads, passages, strict=True)]
        candidates = [_placed(candidate, heads) for candidate in self.reader.read(question, titled, best)]
        null = next((item.score for item in candidates if item.kind is AnswerKind.NULL), 0.0)
        less = logistic(log_odds(null, PROBABILITY_CLIP) - self.surer) if self.surer and 0.0 < null < 1.0 else null
        rest = (1.0 - less) / (1.0 - null) if null < 1.0 else 1.0
        weighed = list(self._possible(question, passages, candidates, less, rest))
        return sorted(weighed, key=lambda item: -item.score) or [Candidate("", 1.0, AnswerKind.NULL)]

    def _possible(
        self, question: str, passages: Sequence[Passage], candidates: Sequence[Candidate], less: float, rest: float
    ) -> Iterator[Candidate]:
        """Yield the candidates with their new scores; what is left out makes "no answer" likelier."""
        lost = 0.0
        null: Candidate | None = None
        for item in candidates:
            if item.kind is AnswerKind.NULL:
                null = item
                continue
            score = item.score * rest
            share = self._share(question, item, passages) if item.kind is AnswerKind.SPAN else 1.0
            lost += score * (1.0 - share)
            if share:
                yield replace(item, score=score * share)
        if null is not None or lost:
            yield replace(null or Candidate("", 0.0, AnswerKind.NULL), score=less + lost)

    def _share(self, question: str, item: Candidate, passages: Sequence[Passage]) -> float:
        """Return which share of its score a span keeps."""
        kind = AnswerType.DATE if _WHEN.match(question) else answer_type_of(question)
        if kind in DATE_TYPES and not _NUMBER.search(item.text) and not _MONTH.search(item.text) and "century" not in item.text:
            return 0.0
        if _WHERE.match(question) and _NUMBER.match(item.text):
            return 0.0
        if kind in NUMBER_TYPES and kind is not AnswerType.RANK and _MONTH.search(item.text):
            return 0.0
        if item.passage is None or item.start is None or item.end is None:
            return 1.0
        text = passages[item.passage].text
        first, last = sentence_around(text, item.start, item.end)
        sentence = text[first:last]
        wanted = set(years_in(question))
        if wanted and kind not in DATE_TYPES and years_in(sentence) and wanted.isdisjoint(years_in(sentence)):
            return 0.0
        if _PRESENT.search(sentence) and _PAST.search(question):
            return 0.0
        which = _WHICH.match(question) if kind is AnswerType.NAME else None
        if which is None:
            return 1.0
        noun = word_lemma(which["kind"])
        if noun in lemma_set(sentence):
            return 1.0
        lead = " ".join(self.lead_of(item.text).split()[:_KIND_WORDS])
        return 1.0 if noun in lemma_set(lead) else _UNPROVED


def _placed(candidate: Candidate, heads: Sequence[str]) -> Candidate:
    if candidate.passage is None or candidate.start is None or candidate.end is None:
        return candidate
    start, end = (place - len(heads[candidate.passage]) for place in (candidate.start, candidate.end))
    return replace(candidate, start=start, end=end) if start >= 0 else replace(candidate, start=None, end=None)
