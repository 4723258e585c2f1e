"""Which links of a passage a question needs (IIRC §4.2): a probability for each, and the trivial rows first link and all links.

A logistic model (link_choice, "alone") weighs the words that question, link and the sentence around it share, where a reader
points in the passage, and whether the linked article begins with, or somewhere has, what the passage lacks; a second one
("among") weighs its log-odds with the share that the link has among all. They take the place of the paper's BERT; the threshold
is the paper's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from enum import StrEnum
from math import log
from typing import NamedTuple

from graph.sources.article import Article
from kgqa.calibration.linear_model import load_fitted_model, log_softmax
from kgqa.hops.link_candidates import LinkCandidate
from kgqa.hops.question_bridge import QuestionBridge, bridge_question, shown_title
from kgqa.hops.word_lemmas import lemma_set, word_lemma
from kgqa.readers.numeric.passage_tokens import passage_tokens
from kgqa.readers.reader import AnswerKind, Candidate
from kgqa.retrieval.passage_index import title_key

LINK_THRESHOLD = 0.5
"""From which probability on a link is followed (the paper's g)."""
LEAST_FOLLOWED = 0.2
"""The least probability of the likeliest link, which is followed where none reaches the threshold."""
LINK_CHOICE = "link_choice"
ALONE, AMONG = ("alone", "unread"), ("among", "among unread")
"""The name of the fitted model, and its outputs: where the linked articles are at hand, and where they are not."""
ARTICLE_FEATURES = frozenset({"kind", "asked kind", "lead", "best lead", "body", "best body"})
"""The features that only a linked article gives."""
_NEAR = 4.0
_KIND_WORDS = 25
"""In how many words of an article it says what its thing is."""


class LinkRule(StrEnum):
    """What chooses links: the model, the trivial rows beside it, or annotators, who mark links or contexts."""

    MODEL = "model"
    FIRST = "first"
    ALL = "all"
    GOLD = "gold"
    CONTEXTS = "contexts"


class ScoredLink(NamedTuple):
    """A link with the probability that a question needs it, and the question that names its article, where that can be asked."""

    link: LinkCandidate
    probability: float
    bridge: QuestionBridge | None


def links_to_follow(scored: Sequence[ScoredLink]) -> list[ScoredLink]:
    """Return the links that reach the threshold, or else the likeliest one where it has `LEAST_FOLLOWED`, the likeliest first."""
    likely = [item for item in scored if item.probability >= LINK_THRESHOLD]
    return likely or [item for item in scored[:1] if item.probability >= LEAST_FOLLOWED]


def identify_links(
    question: str,
    passage: Article,
    links: Sequence[LinkCandidate],
    read: Sequence[Candidate],
    text_of: Callable[[int], str] | None = None,
    rule: LinkRule = LinkRule.MODEL,
    gold: Set[str] = frozenset(),
) -> list[ScoredLink]:
    """Return links with the probability that the question needs each, the likeliest first.

    `read` are a reader's candidates with places in the passage; `text_of` gives the text of a linked article. `gold` are the keys
    of the titles that annotators mark.
    """
    rows = link_features(question, passage, links, read, text_of)
    if rule is LinkRule.MODEL:
        fitted = load_fitted_model(LINK_CHOICE)
        unread = all(link.article is None for link in links)
        alone, among = fitted.logistic(ALONE[unread]), fitted.logistic(AMONG[unread])
        chances = list(map(among.probability, link_shares([alone.log_odds(features) for features, _ in rows])))
    else:
        chances = [_certainty(link, rule, gold) for link in links]
    scored = [ScoredLink(link, chance, bridge) for link, chance, (_, bridge) in zip(links, chances, rows, strict=True)]
    return sorted(scored, key=lambda item: -item.probability)


def link_shares(scores: Sequence[float]) -> list[Mapping[str, float]]:
    """Return the features of links among each other, of the log-odds of each alone."""
    if not scores:
        return []
    best = max(scores)
    return [
        {"log odds": score, "log share": share, "best": float(score == best)}
        for score, share in zip(scores, log_softmax(scores), strict=True)
    ]


def _certainty(link: LinkCandidate, rule: LinkRule, gold: Set[str]) -> float:
    if rule in (LinkRule.GOLD, LinkRule.CONTEXTS):
        return float(title_key(link.title) in gold or title_key(link.mentions[0].target) in gold)
    return float(rule is LinkRule.ALL or link.place == 1)


def link_features(
    question: str,
    passage: Article,
    links: Sequence[LinkCandidate],
    read: Sequence[Candidate],
    text_of: Callable[[int], str] | None = None,
) -> list[tuple[Mapping[str, float], QuestionBridge | None]]:
    """Return the features of each link by name, a missing one being 0, with the question that names its article."""
    wanted, words = lemma_set(question), lemma_set(passage.text)
    untold = wanted - words
    spans = [item for item in read if item.kind is AnswerKind.SPAN and item.start is not None]
    whole = sum(item.score for item in spans) or 1.0
    rows: list[dict[str, float]] = []
    bridges: list[QuestionBridge | None] = []
    for link in links:
        around = lemma_set(link.sentence)
        names = [lemma_set(shown_title(link.title)), lemma_set(link.anchor)]
        name_share = max(_share(name, wanted) for name in names)
        bridge = bridge_question(question, shown_title(link.title), words)
        lead = lemma_set(link.article.lead) if link.article is not None else frozenset()
        kind = lemma_set(" ".join(link.article.lead.split()[:_KIND_WORDS])) if link.article is not None else frozenset()
        body = lemma_set(text_of(link.article.page)) if text_of is not None and link.article is not None else lead
        here = wanted & around
        rows.append(
            {
                "named": name_share,
                "named whole": float(name_share == 1.0),
                "pointed at": sum(item.score for item in spans if _overlaps(item, link)) / whole,
                "sentence": _share(wanted, around),
                "near": _nearness(link, here),
                "described": _share(lemma_set(question[bridge.start : bridge.end]), around) if bridge is not None else 0.0,
                "kind": float(bridge is not None and bridge.head in kind),
                "asked kind": float(not wanted.isdisjoint(kind - around)),
                "lead": _share(untold, lead),
                "body": _share(untold, body),
                "untold": 1.0 - _share(wanted, words),
                "links": log(link.links),
                "first": float(link.place == 1),
            }
        )
        bridges.append(bridge if name_share < 1.0 else None)
    for name in ("pointed at", "sentence", "near", "lead", "body"):
        best = max((row[name] for row in rows), default=0.0)
        for row in rows:
            row[f"best {name}"] = float(best > 0.0 and row[name] == best)
    return list(zip(rows, bridges, strict=True))


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    """Return which share of some words others have; 0 where there are none."""
    return len(part & whole) / len(part) if part else 0.0


def _overlaps(candidate: Candidate, link: LinkCandidate) -> bool:
    start, end = candidate.start or 0, candidate.end or 0
    return any(start < mention.end and mention.offset < end for mention in link.mentions)


def _nearness(link: LinkCandidate, here: frozenset[str]) -> float:
    """Return how near the words of a question that a sentence has stand to the link in it, on average: 1 beside it."""
    start = link.mentions[0].offset - link.sentence_start
    end = start + len(link.anchor)
    tokens = passage_tokens(link.sentence)
    inside = [place for place, token in enumerate(tokens) if token.start < end and start < token.end]
    if not inside or not here:
        return 0.0
    places = [place for place, token in enumerate(tokens) if place not in inside and word_lemma(token.text) in here]
    distances = (min(abs(place - inside[0]), abs(place - inside[-1])) for place in places)
    return sum(1.0 / (1.0 + distance / _NEAR) for distance in distances) / max(1, len(places))
