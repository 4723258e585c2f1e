"""The sentences of retrieved passages that may speak for or against a claim, most relevant first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from graph.text.segmentation import sentence_spans
from graph.text.stems import porter_stems
from kgqa.readers.reader import Passage
from kgqa.retrieval.search_terms import SEARCH_STOP_WORDS, search_words

RETRIEVED_PASSAGES = 40
"""How many passages of a corpus are split into sentences: titles put the right article first, BM25 among forty."""
EVIDENCE_SENTENCES = 5
"""How many sentences a claim is compared with."""
_TITLE_WEIGHT, _LENGTH_WEIGHT, _FIRST_WEIGHT = 0.35, 0.05, 0.1
_DISAMBIGUATION = re.compile(r"\s+\([^()]*\)$")
_SHORTEST, _LONGEST = 8, 700


class EvidenceSentence(NamedTuple):
    """A sentence with the passage that it stands in, from `start`; `share` of a claim's words are held by it or its title."""

    text: str
    passage: Passage
    start: int = 0
    share: float = 0.0

    @property
    def input(self) -> str:
        """The sentence as it is judged: behind the title of its page, which says whom a pronoun means."""
        title = _DISAMBIGUATION.sub("", self.passage.title)
        return self.text if not title or title.lower() in self.text.lower() else f"{title}: {self.text}"


def evidence_sentences(claim: str, passages: Sequence[Passage], most: int = EVIDENCE_SENTENCES) -> list[EvidenceSentence]:
    """Return at most `most` sentences of passages, the best first, each once.

    A sentence scores the share of the claim's words that it or the title of its page holds, each weighted by its rarity among
    the sentences. The words of a title that the whole of stands in the claim count once more.
    """
    claim_words = [word for word in dict.fromkeys(search_words(claim)) if word not in SEARCH_STOP_WORDS] or search_words(claim)
    sentences = [
        EvidenceSentence(passage.text[start:end], passage, start)
        for passage in passages
        for start, end in sentence_spans(passage.text)
        if _SHORTEST <= end - start <= _LONGEST
    ]
    texts = [set(search_words(f"{_DISAMBIGUATION.sub('', sentence.passage.title)} {sentence.text}")) for sentence in sentences]
    stems = porter_stems(set(claim_words).union(*texts))
    wanted = {stems[word] for word in claim_words}
    held = [wanted.intersection(map(stems.__getitem__, text)) for text in texts]
    counts = Counter(stem for stems_held in held for stem in stems_held)
    weights = {stem: log(1 + len(sentences) / (counts[stem] + 0.5)) for stem in wanted}
    whole = sum(weights.values()) or 1.0
    lowered = f" {' '.join(search_words(claim))} "
    shares = [sum(map(weights.__getitem__, stems_held)) / whole for stems_held in held]
    scores = []
    for sentence, share, text in zip(sentences, shares, texts, strict=True):
        title = " ".join(search_words(_DISAMBIGUATION.sub("", sentence.passage.title)))
        is_named = bool(title) and f" {title} " in lowered
        is_first = sentence.passage.id.endswith("#1") and sentence.passage.text.startswith(sentence.text)
        score = share + _TITLE_WEIGHT * is_named + _FIRST_WEIGHT * (is_first and is_named)
        scores.append(score - _LENGTH_WEIGHT * len(text) / 40)
    order = sorted(range(len(sentences)), key=lambda place: -scores[place])
    chosen: dict[str, EvidenceSentence] = {}
    for place in order:
        chosen.setdefault(sentences[place].text, sentences[place]._replace(share=shares[place]))
        if len(chosen) >= most:
            break
    return list(chosen.values())
