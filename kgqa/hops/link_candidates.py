"""The links of a passage that a question may need, with the words around each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from graph.sources.article import Article, ArticleLink
from graph.text.segmentation import sentence_spans
from kgqa.hops.word_lemmas import lemma_set
from kgqa.retrieval.article_lookup import ArticleLookup, LinkedArticle
from kgqa.retrieval.passage_index import title_key

MOST_LINKS = 40
"""How many links of a passage are weighed: those whose sentences share most with the question."""


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A link of a passage: its mentions, its sentence with the number of it (from 1), and the article, where it is at hand.

    `place` is the link's number in the passage, from 1, of `links` that lead to different articles.
    """

    title: str
    mentions: tuple[ArticleLink, ...]
    sentence: str
    sentence_start: int
    ordinal: int
    place: int
    links: int
    article: LinkedArticle | None = None

    @property
    def anchor(self) -> str:
        """The words of the first mention."""
        return self.mentions[0].anchor


@dataclass(frozen=True, slots=True)
class PassageLinks:
    """The links of a passage that can be followed, and how many lead nowhere, to lists of articles, or were not weighed."""

    candidates: tuple[LinkCandidate, ...]
    nowhere: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    unweighed: int = 0


def passage_links(
    question: str, passage: Article, lookup: ArticleLookup | None, seen: frozenset[str] = frozenset()
) -> PassageLinks:
    """Return the links of a passage by the articles that they lead to, in its order, without those to articles `seen`.

    Of more than `MOST_LINKS`, those whose sentences share most words with the question are weighed. Without `lookup`, where they
    lead is not known.
    """
    mentions: dict[str, list[ArticleLink]] = {}
    own = title_key(passage.source.title)
    for link in sorted(passage.links, key=lambda link: link.offset):
        key = title_key(link.target)
        if key and key != own and key not in seen:
            mentions.setdefault(key, []).append(link)
    spans = list(sentence_spans(passage.text))
    starts = [start for start, _ in spans]
    numbers = {key: max(0, bisect_right(starts, group[0].offset) - 1) for key, group in mentions.items()}
    chosen = _fitting(question, passage.text, spans, numbers) if len(mentions) > MOST_LINKS else list(mentions)
    candidates: list[LinkCandidate] = []
    nowhere: list[str] = []
    ambiguous: list[str] = []
    for place, (key, group) in enumerate(mentions.items(), 1):
        if key not in chosen:
            continue
        article = lookup.find(group[0].target) if lookup is not None else None
        if lookup is not None and (article is None or title_key(article.title) in seen | {own}):
            nowhere += [group[0].target] if article is None else []
            continue
        if article is not None and article.disambiguates:
            ambiguous.append(group[0].target)
            continue
        start, end = spans[numbers[key]] if spans else (0, len(passage.text))
        title = article.title if article is not None else group[0].target[:1].upper() + group[0].target[1:]
        sentence = passage.text[start:end]
        candidates.append(LinkCandidate(title, tuple(group), sentence, start, numbers[key] + 1, place, len(mentions), article))
    return PassageLinks(tuple(candidates), tuple(nowhere), tuple(ambiguous), len(mentions) - len(chosen))


def _fitting(question: str, text: str, spans: Sequence[tuple[int, int]], numbers: dict[str, int]) -> list[str]:
    """Return the keys of the links whose sentences share most words with a question; of equal ones the first."""
    wanted = lemma_set(question)
    shared = {number: len(wanted & lemma_set(text[slice(*spans[number])])) for number in set(numbers.values())}
    return sorted(numbers, key=lambda key: (-len(wanted & lemma_set(key)), -shared[numbers[key]]))[:MOST_LINKS]
