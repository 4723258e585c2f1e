"""The systems of CREPE (Yu et al. 2022, tables 3 and 4) on questions with false presuppositions and on claims.

Each gives the probability that something is false, of which .50 and more is a detection. Systems that the paper trains with a
large encoder use the evidence model that is shipped; those that learn from the training file of the set learn from `--train`.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property, partial
from itertools import pairwise

from graph.text.segmentation import sentence_spans
from kgqa.answer_model import Answer, PresuppositionStatus, Route
from kgqa.evaluation.dataset_item import CLAIM, FALSE_CLAIM, FALSE_PRESUPPOSITION, PRESUPPOSITION, DatasetItem
from kgqa.presuppositions.evidence_model import BALANCED_QUESTION, QUESTION, EvidenceModel, EvidenceVerdict
from kgqa.presuppositions.evidence_selection import EVIDENCE_SENTENCES, RETRIEVED_PASSAGES, evidence_sentences
from kgqa.presuppositions.statement_check import add_statements
from kgqa.presuppositions.statement_finder import find_statements
from kgqa.readers.reader import Passage
from kgqa.retrieval.retrievers import BM25Retriever, IndexRetriever
from kgqa.retrieval.search_terms import query_terms, search_words


class Track(StrEnum):
    """What a system may read beside the question: passages that are found, or the comment that somebody wrote to it."""

    MAIN = "main"
    GOLD_COMMENT = "gold-comment"


SUSPICION = "suspicion, most questions being sound"
QUESTION_ONLY, EVIDENCE = "question only (S22)", "max over five passages (S26)"
Chance = Callable[[DatasetItem], float | None]


class WordClassifier:
    """Naive Bayes over the words of a text and over its neighbouring ones, with Laplace's smoothing."""

    def __init__(self, texts: Sequence[str], flags: Sequence[bool]) -> None:
        self._counts = {
            flag: Counter(
                word for text, is_flagged in zip(texts, flags, strict=True) if is_flagged is flag for word in _features(text)
            )
            for flag in (True, False)
        }
        self._totals = {flag: sum(counts.values()) for flag, counts in self._counts.items()}
        self._words = len(set(self._counts[True]) | set(self._counts[False]))
        self._prior = {flag: flags.count(flag) / len(flags) for flag in (True, False)}

    def probability(self, text: str) -> float:
        """Return the probability of the flag."""
        scores = {}
        for flag, counts in self._counts.items():
            below = self._totals[flag] + self._words + 1
            scores[flag] = math.log(self._prior[flag] or 1e-9) + sum(
                math.log((counts[word] + 1) / below) for word in _features(text)
            )
        return 1 / (1 + math.exp(max(-500.0, min(500.0, scores[False] - scores[True]))))


def _features(text: str) -> list[str]:
    words = search_words(text)
    return [*words, *map(" ".join, pairwise(words))]


class NearestNeighbour:
    """The label of the training text with the highest cosine of words, weighted by rarity."""

    def __init__(self, texts: Sequence[str], flags: Sequence[bool]) -> None:
        self._flags = flags
        rows = [Counter(query_terms(text)) for text in texts]
        held = Counter(term for row in rows for term in row)
        self._idf = {term: math.log(len(rows) / count) + 1 for term, count in held.items()}
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for number, row in enumerate(rows):
            norm = math.sqrt(sum((count * self._idf[term]) ** 2 for term, count in row.items())) or 1.0
            for term, count in row.items():
                self._postings.setdefault(term, []).append((number, count * self._idf[term] / norm))

    def flag(self, text: str) -> bool:
        """Return the flag of the nearest text; of the first one where no word is shared."""
        scores: dict[int, float] = {}
        for term, count in Counter(query_terms(text)).items():
            for number, weight in self._postings.get(term, ()):
                scores[number] = scores.get(number, 0.0) + count * self._idf[term] * weight
        return self._flags[max(scores, key=lambda number: scores[number], default=0)]


class PresuppositionSystems:
    """The systems of one run, by the names of their rows; `train` are labelled items, `corpus` a place to find passages in."""

    def __init__(
        self, task: str, train: Sequence[DatasetItem] = (), corpus: IndexRetriever | None = None, track: Track = Track.MAIN
    ) -> None:
        self._task = task
        self._train = train
        self._track = track
        self._lexical = BM25Retriever(corpus.index) if corpus is not None else None

    @cached_property
    def model(self) -> EvidenceModel:
        """The evidence model that is shipped."""
        return EvidenceModel()

    @cached_property
    def _systems(self) -> Mapping[str, Chance]:
        systems: dict[str, Chance] = {"random (S20)": lambda item: float(zlib.crc32(item.id.encode()) % 2)}
        flags = [is_false(item) for item in self._train]
        if self._train:
            neighbours = NearestNeighbour([item.question for item in self._train], flags)
            words = WordClassifier([item.question for item in self._train], flags)
            systems["nearest neighbour (S21)"] = lambda item: float(neighbours.flag(item.question))
            systems["naive Bayes, question only"] = lambda item: words.probability(item.question)
        systems[QUESTION_ONLY] = self._question_only
        if self._task == PRESUPPOSITION:
            systems[SUSPICION] = lambda item: self.model.suspicion(item.question)
        if self._track is Track.GOLD_COMMENT:
            if self._train and all(item.comment for item in self._train):
                comments = WordClassifier([item.comment for item in self._train], flags)
                systems["naive Bayes, comment only (S23)"] = lambda item: comments.probability(item.comment)
            systems["question and comment (S24)"] = self._beside_comment
        else:
            systems[EVIDENCE if self._task != CLAIM else "claim and evidence (S26)"] = self._beside_passages
        return systems

    def probabilities(self, item: DatasetItem) -> dict[str, float]:
        """Return the probability of "false" of each system that can say something of an item."""
        chances = ((name, system(item)) for name, system in self._systems.items())
        return {name: round(chance, 4) for name, chance in chances if chance is not None}

    def verdict(self, item: DatasetItem) -> EvidenceVerdict | None:
        """Return what the sentences found for a claim say of it; `None` without a corpus."""
        return None if self._lexical is None else self.model.verdict(item.question, self._sentences(item))

    def falsehood(self, item: DatasetItem) -> float:
        """Return the probability that a claim is false, by what is found for it, or else by itself."""
        return (
            self.model.suspicion(item.question)
            if self._lexical is None
            else self.model.falsehood(item.question, self._sentences(item))
        )

    def presupposition(self, item: DatasetItem) -> str:
        """Return the statement of a question that comment or passages contradict most, or, with neither, the most suspect one.

        It is found by rules; a question without one is copied.
        """
        sentences = self._written_sentences(item)

        def doubt(statement: str) -> float:
            judged = self.model.judge(statement, sentences)
            return max((judgement.contradicts for judgement in judged), default=self.model.suspicion(statement))

        statements = [entry.text for entry in find_statements(item.question) if entry.critical]
        return max(statements, key=doubt, default=item.question)

    def _written_sentences(self, item: DatasetItem) -> list[str]:
        texts = item.passages[:EVIDENCE_SENTENCES] if self._track is Track.MAIN else (item.comment,)
        return [text[start:end] for text in texts for start, end in sentence_spans(text)]

    def correction(self, item: DatasetItem) -> str | None:
        """Return the sentence of the comment, or of the passages in the main track, that contradicts a question most."""
        against = self.model.judge(item.question, self._written_sentences(item))
        best = max(against, key=lambda judgement: judgement.contradicts, default=None)
        return best.evidence if best else None

    def checked(self, item: DatasetItem, answer: Answer) -> Answer:
        """Return an answer with what its question takes for granted, checked by comment or passages as `kgqa ask` does."""
        passages = [Passage(item.comment)] if self._track is Track.GOLD_COMMENT else self._passages(item, item.question)
        if not passages or answer.route is Route.PRESUPPOSITION:
            return answer
        certain = tuple(entry for entry in answer.presuppositions if entry.status is not PresuppositionStatus.SUSPECT)
        unsuspected = replace(answer, presuppositions=certain)
        find = partial(self._passages, item) if self._track is Track.MAIN else lambda query: passages
        return add_statements(unsuspected, item.question, find, lambda: self.model)

    def _passages(self, item: DatasetItem, query: str) -> Sequence[Passage]:
        if item.passages:
            return [Passage(text) for text in item.passages[:EVIDENCE_SENTENCES]]
        return self._lexical.retrieve(query, RETRIEVED_PASSAGES) if self._lexical else ()

    def _sentences(self, item: DatasetItem) -> list[str]:
        return [sentence.input for sentence in evidence_sentences(item.question, self._passages(item, item.question))]

    def _question_only(self, item: DatasetItem) -> float:
        if self._task == CLAIM:
            return self.model.suspicion(item.question)
        logit = self.model.suspicion_logit(item.question, QUESTION)
        return self.model.calibration.logistic(BALANCED_QUESTION).probability({"logit": logit})

    def _beside_passages(self, item: DatasetItem) -> float | None:
        if not item.passages and self._lexical is None:
            return None
        if self._task == CLAIM:
            return self.falsehood(item)
        # Max-pooling: the passage that speaks most against the question decides, or its own suspicion where none does.
        against = max(
            (judgement.contradicts for judgement in self.model.judge(item.question, self._sentences(item))), default=0.0
        )
        return max(against, self.model.suspicion(item.question))

    def _beside_comment(self, item: DatasetItem) -> float | None:
        return self.model.correction_chance(item.question, item.comment) if item.comment else None


def is_false(item: DatasetItem) -> bool:
    """Return whether an item is a false claim or a question with a false presupposition."""
    return item.label in (FALSE_PRESUPPOSITION, FALSE_CLAIM)
