"""The sentences of retrieved passages that may speak for or against a claim, most relevant first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from graph.text.segmentation import sentence_spans
from graph.text.stems import porter_stems
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.readers.reader import Passage
from kgqa.retrieval.search_terms import SEARCH_STOP_WORDS, search_words

RETRIEVED_PASSAGES = 40
"""How many passages of a corpus are split into sentences: titles put the right article first, BM25 among forty."""
EVIDENCE_SENTENCES = 5
"""How many sentences a claim is compared with."""
EVIDENCE_RANKING = "evidence_ranking"
"""The fitted model of which sentences are evidence of a claim."""
_DISAMBIGUATION = re.compile(r"\s+\([^()]*\)$")
_SHORTEST, _LONGEST = 8, 700
_NAME = re.compile(r"\b[A-Z][\w'-]+")
_NUMBER = re.compile(r"\d+")
_LATER = 10
"""From this place in a passage on sentences are alike."""


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
    """Return at most `most` sentences of passages, the likeliest to be evidence of a claim first, each once."""
    ranking = load_fitted_model(EVIDENCE_RANKING).logistic()
    ranked = sorted(sentence_features(claim, passages), key=lambda pair: -ranking.log_odds(pair[1]))
    chosen: dict[str, EvidenceSentence] = {}
    for sentence, _ in ranked:
        chosen.setdefault(sentence.text, sentence)
        if len(chosen) >= most:
            break
    return list(chosen.values())


def sentence_features(claim: str, passages: Sequence[Passage]) -> list[tuple[EvidenceSentence, dict[str, float]]]:
    """Return the sentences of passages, which stand in the order of their retrieval, with what tells whether they are evidence.

    `share` is that of the claim's words which a sentence or the title of its page holds, each weighted by its rarity among the
    sentences, and `rest` that of the words which the title does not hold. `named`: the claim holds the title, and `begins`, it
    begins with it; `opening`: the passage is the first of its page.
    """
    claim_words = [word for word in dict.fromkeys(search_words(claim)) if word not in SEARCH_STOP_WORDS] or search_words(claim)
    sentences = [
        (EvidenceSentence(passage.text[start:end], passage, start), rank, place)
        for rank, passage in enumerate(passages)
        for place, (start, end) in enumerate(sentence_spans(passage.text))
        if _SHORTEST <= end - start <= _LONGEST
    ]
    titles = {passage.title: search_words(_DISAMBIGUATION.sub("", passage.title)) for passage in passages}
    texts = [search_words(sentence.text) for sentence, _, _ in sentences]
    stems = porter_stems(set(claim_words).union(*texts, *titles.values()))
    wanted = {stems[word] for word in claim_words}
    by_title = {title: wanted.intersection(map(stems.__getitem__, words)) for title, words in titles.items()}
    held = [wanted.intersection(map(stems.__getitem__, text)) for text in texts]
    counts = Counter(
        stem for (sentence, _, _), own in zip(sentences, held, strict=True) for stem in own | by_title[sentence.passage.title]
    )
    weights = {stem: log(1 + len(sentences) / (counts[stem] + 0.5)) for stem in wanted}

    def share(own: set[str], whole: set[str]) -> float:
        return sum(map(weights.__getitem__, own)) / (sum(map(weights.__getitem__, whole)) or 1.0)

    lowered = f"{' '.join(search_words(claim))} "
    names = {name.lower() for name in _NAME.findall(claim)[1:]}
    numbers = set(_NUMBER.findall(claim))
    featured = []
    for (sentence, rank, place), text, own in zip(sentences, texts, held, strict=True):
        title = " ".join(titles[sentence.passage.title])
        rest = wanted - by_title[sentence.passage.title]
        of_rest = share(own & rest, rest)
        is_named = float(bool(title) and f" {title} " in f" {lowered}")
        is_opening = float(sentence.passage.id.endswith("#1"))
        of_all = share(own | by_title[sentence.passage.title], wanted)
        features = {
            "share": of_all,
            "rest": of_rest,
            "named": is_named,
            "begins": float(bool(title) and lowered.removeprefix("the ").startswith(f"{title} ")),
            "opening": is_opening,
            "opening named": is_opening * is_named,
            "rest named": is_named * of_rest,
            "opening place": is_opening * min(place, _LATER) / _LATER,
            "rank": log(2 + rank),
            "length": len(text) / 40,
            "names": len(names.intersection(text)) / max(1, len(names)),
            "numbers": len(numbers.intersection(_NUMBER.findall(sentence.text))) / max(1, len(numbers)),
        }
        featured.append((sentence._replace(share=of_all), features))
    return featured
