"""Answers from linked articles: the links that a question needs are followed, at most three in a row, and each hop is shown.

Where the passage does not answer, the links are weighed. The best windows of the linked articles are read, with the question that
names the article where the passage only describes its thing; several articles are also read together with the passage. Where that
leaves the question open, the links of what was read are weighed, for the question as it then stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.model import Source
from graph.sources.article import Article, ArticleLink
from kgqa.answer_model import Answer, Route, Verdict
from kgqa.calibration.linear_model import PROBABILITY_CLIP, load_fitted_model, log_odds
from kgqa.edits.answer_type import AnswerType, answer_type_of
from kgqa.hops.context_windows import count_tokens, rank_windows, window_size
from kgqa.hops.link_candidates import LinkCandidate, PassageLinks, passage_links
from kgqa.hops.link_identifier import LINK_CHOICE, LINK_THRESHOLD, LinkRule, ScoredLink, identify_links, links_to_follow
from kgqa.hops.linked_reader import LinkedArticleReader
from kgqa.hops.word_lemmas import lemma_set
from kgqa.passages.passage_answer import PassageInput, answer_passages
from kgqa.question import QuestionType
from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.numeric.passage_tokens import name_mentions
from kgqa.readers.passage_parts import select_parts
from kgqa.readers.reader import Passage, Reader
from kgqa.reasons import GapPlace, Missing, Refusal, Step
from kgqa.retrieval.article_lookup import ArticleLookup
from kgqa.retrieval.passage_index import title_key
from kgqa.retrieval.retrievers import BM25Retriever

if TYPE_CHECKING:
    from kgqa.linking.concept_links import ConceptLink

PASSAGE_TELLS = "passage_tells"
"""The name of the fitted model of whether a passage answers a question itself."""
MOST_HOPS = 3
MOST_FOLLOWED = 4
"""How many links of one text are followed at most, the likeliest."""
_WINDOWS_READ = 3
"""How many windows of an article are read where it alone is."""
_SPANS = 20
"""How many candidates of a reader show where it points in the passage."""


@dataclass(frozen=True, slots=True)
class LinkFollower:
    """What follows links: the articles, who classifies questions, and the reader; `gold` are the links that annotators mark."""

    lookup: ArticleLookup | None
    classify: Callable[[str], QuestionType]
    reader: Callable[[], Reader]
    rule: LinkRule = LinkRule.MODEL
    gold: Set[str] = frozenset()

    def weigh(
        self, question: str, passage: Article, seen: frozenset[str] = frozenset()
    ) -> tuple[Sequence[ScoredLink], PassageLinks]:
        """Return the links of a passage with their probabilities, the likeliest first, and those that lead nowhere."""
        links = passage_links(question, passage, self.lookup, seen)
        if not links.candidates:
            return (), links
        parts = select_parts(question, [Passage(passage.text, passage.source.title)])
        candidates = self.reader().read(question, [part.passage for part in parts], _SPANS) if parts else ()
        spans = [
            replace(item, start=item.start + parts[item.passage].start, end=item.end + parts[item.passage].start)
            if item.passage is not None and item.start is not None and item.end is not None
            else item
            for item in candidates
        ]
        text_of = self.lookup.text if self.lookup is not None else None
        return identify_links(question, passage, links.candidates, spans, text_of, self.rule, self.gold), links

    def follow(self, question: str, passage: Article, scored: Sequence[ScoredLink]) -> Answer | None:
        """Return the answer of linked articles, with the hops as steps; `None` where no link is worth following."""
        seen = {title_key(passage.source.title)} - {""}
        steps: list[Step | str] = []
        unanswered: Answer | None = None
        current = question
        for hop in range(1, MOST_HOPS + 1):
            chosen = [item for item in links_to_follow(scored) if item.link.article is not None][:MOST_FOLLOWED]
            if not chosen:
                break
            contexts = [self._contexts(current, item, len(chosen)) for item in chosen]
            for item, windows in zip(chosen, contexts, strict=True):
                steps.append(_hop_step(hop, item, current, windows[:1]))
                seen.add(title_key(item.link.title))
            answer = self._read(current, passage, chosen, contexts)
            if answer.is_decided:
                return _as_answer_to(question, answer, self.classify(question), steps)
            unanswered = unanswered or answer
            current = chosen[0].bridge.text if chosen[0].bridge is not None else current
            passage = self._linked_article(chosen[0].link, contexts[0][0]) if contexts[0] else passage
            scored, _ = self.weigh(current, passage, frozenset(seen))
        if unanswered is None:
            return None
        return _as_answer_to(question, unanswered, self.classify(question), steps)

    def retrieve(self, question: str) -> Sequence[Passage]:
        """Return the passages of the articles that fit a question best by its words."""
        return BM25Retriever(self.lookup.index).retrieve(question, _WINDOWS_READ) if self.lookup is not None else ()

    def answer_from(self, question: str, passages: Sequence[Passage]) -> Answer:
        """Return the answer of passages of articles that nothing links to."""
        return self._answer(question, passages, surer=None)

    def read_contexts(self, question: str, passage: Article, contexts: Sequence[tuple[str, str]]) -> Answer:
        """Return the answer of contexts that annotators mark: titles of articles, empty for the passage, with texts."""
        scored, _ = self.weigh(question, passage)
        chosen = links_to_follow(scored)[:MOST_FOLLOWED]
        texts = [Passage(text, title) for title, text in contexts] or [Passage(passage.text, passage.source.title)]
        if not chosen:
            return self._answer(question, texts)
        of_link = [[text for text in texts if title_key(text.title) == title_key(item.link.title)] for item in chosen]
        return self._read(
            question, Article(passage.source, " ".join(text.text for text in texts if not text.title)), chosen, of_link
        )

    def _contexts(self, question: str, item: ScoredLink, links: int) -> list[Passage]:
        """Return the windows of an article that fit best, the best first."""
        article = item.link.article
        if article is None or self.lookup is None:
            return []
        text = self.lookup.text(article.page)
        bridged = item.bridge.text if item.bridge is not None else question
        windows = rank_windows(bridged, text, window_size(count_tokens(bridged), links), _WINDOWS_READ)
        return [Passage(text[window.start : window.end], article.title, f"{article.title}@{window.start}") for window in windows]

    def _read(
        self, question: str, passage: Article, chosen: Sequence[ScoredLink], contexts: Sequence[Sequence[Passage]]
    ) -> Answer:
        """Return the surest answer: of each article alone by the question that names it, or of several with the passage."""
        bridged = [(item.bridge.text if item.bridge is not None else question) for item in chosen]
        answers = [
            self._answer(text, windows, surer=log_odds(item.probability, PROBABILITY_CLIP))
            for text, windows, item in zip(bridged, contexts, chosen, strict=True)
        ]
        own = Passage(passage.text, passage.source.title)
        firsts = [windows[0] for windows in contexts if windows]
        if len(chosen) > 1 or chosen[0].bridge is None:
            answers.append(self._answer(question, [own, *firsts]))
        return max(answers, key=lambda answer: (answer.is_decided, answer.confidence))

    def _answer(self, question: str, passages: Sequence[Passage], surer: float | None = 0.0) -> Answer:
        parameters = load_fitted_model(LINK_CHOICE).parameters
        shift = 0.0 if surer is None else float(parameters["surer"]) + float(parameters["link surer"]) * surer
        reader = LinkedArticleReader(self.reader(), shift, self._lead)
        texts = PassageInput(lambda _: passages, lambda: reader, title="linked article", is_reader_named=True)
        return answer_passages(question, self.classify(question), texts)

    def _lead(self, name: str) -> str:
        """Return the beginning of the article of a name, empty where there is none."""
        article = self.lookup.find(name) if self.lookup is not None else None
        return "" if article is None or article.disambiguates else article.lead

    def _linked_article(self, link: LinkCandidate, window: Passage) -> Article:
        """Return the window of an article that was read as a passage of its own, with its links, or names that are titles."""
        if link.article is None or self.lookup is None:
            return Article(Source("text", link.title), window.text)
        start = int(window.id.rpartition("@")[2])
        end = start + len(window.text)
        links = [
            ArticleLink(item.anchor, item.offset - start, item.target)
            for item in self.lookup.links(link.article.page)
            if start <= item.offset and item.end <= end
        ]
        if not self.lookup.index.has_links:
            links = [ArticleLink(name.text, name.start, name.text) for name in name_mentions(window.text)]
        return Article(Source("text", link.title), window.text, links=tuple(links))


def answer_with_links(question: str, read: Answer, passage: Article, follower: LinkFollower, *, follows: bool) -> Answer:
    """Return the answer `read` from a passage where it stands, else that of linked articles, or which link probably has it.

    With `follows` links are followed where the passage allows it; without, and where that finds no answer, it is said where
    what is missing probably is.
    """
    if not passage.links:
        return (
            read if read.is_decided or follower.lookup is None else _answer_by_corpus(question, read, follower, follows=follows)
        )
    scored, links = follower.weigh(question, passage)
    remarks = tuple(_link_remarks(passage, links, scored))
    likely = links_to_follow(scored)
    if not likely or passage_tells(question, passage, read, scored) >= LINK_THRESHOLD:
        return read if read.is_decided else replace(read, remarks=(*read.remarks, *remarks))
    if follows and passage.may_follow:
        answer = follower.follow(question, passage, scored)
        if answer is not None and answer.is_decided:
            return replace(answer, remarks=(*_followed(answer), *answer.remarks, *remarks))
        steps = answer.steps if answer is not None else ()
        titles = tuple(dict.fromkeys(step.facts[1] for step in steps if isinstance(step, Step) and step.kind == "hop"))
        if titles:
            refusal = Refusal("links_untold", ("passage", titles))
            return _refused(read, refusal, question, likely, (*read.steps, *steps), remarks)
    first = GapPlace("link", likely[0].link.title, likely[0].probability, likely[0].link.anchor, None, likely[0].link.ordinal)
    refusal = Refusal("linked_elsewhere", ("passage", first, follower.lookup is not None))
    return _refused(read, refusal, question, likely, read.steps, remarks)


def _answer_by_corpus(question: str, read: Answer, follower: LinkFollower, *, follows: bool) -> Answer:
    """Return the answer of the articles that fit a question best by its words, or which article that is, without any links."""
    passages = follower.retrieve(question)
    if not passages:
        return read
    answer = follower.answer_from(question, passages) if follows else None
    if answer is not None and answer.is_decided:
        steps = (*read.steps, Step("corpus_read", (passages[0].title,)), *answer.steps)
        return replace(answer, question=question, type=read.type, steps=steps)
    kind = AnswerType.WHETHER if question_form_of(question) is QuestionForm.WHETHER else answer_type_of(question)
    places = tuple(GapPlace("article", title) for title in dict.fromkeys(passage.title for passage in passages))
    gap = Missing("open_slot", (question,), "corpus_article", (places[0].text,), question, kind.value, places)
    return replace(read, gaps=(*read.gaps, gap))


def _followed(answer: Answer) -> Iterator[Step]:
    """Yield which links were followed for an answer."""
    hops = (step.facts for step in answer.steps if isinstance(step, Step) and step.kind == "hop")
    for hop, title, anchor, sentence, *_ in hops:
        yield Step("followed", (hop, title, anchor, sentence))


def passage_tells(question: str, passage: Article, read: Answer, scored: Sequence[ScoredLink]) -> float:
    """Return the probability that the answer that was read in a passage is right, given its links: 0 where there is none."""
    if not read.is_decided:
        return 0.0
    return load_fitted_model(PASSAGE_TELLS).logistic().probability(passage_tells_features(question, passage, read, scored))


def passage_tells_features(question: str, passage: Article, read: Answer, scored: Sequence[ScoredLink]) -> dict[str, float]:
    """Return the features of whether a passage answers a question itself, by name."""
    excerpt = read.read[0].excerpt if read.read else None
    start = end = -1
    if excerpt is not None and excerpt.marked is not None:
        start, end = (excerpt.start + place for place in excerpt.marked)
    wanted = lemma_set(question)
    best = scored[0] if scored else None
    at_link = any(start < mention.end and mention.offset < end for item in scored for mention in item.link.mentions)
    at_best = best is not None and any(start < mention.end and mention.offset < end for mention in best.link.mentions)
    around = lemma_set(excerpt.text) if excerpt is not None else frozenset()
    return {
        "confidence": log_odds(read.confidence, PROBABILITY_CLIP),
        "link": log_odds(best.probability, PROBABILITY_CLIP) if best is not None else 0.0,
        "at link": float(at_link),
        "best link": float(at_best),
        "untold": len(wanted - lemma_set(passage.text)) / max(1, len(wanted)),
        "beside": len(wanted & around) / max(1, len(wanted)),
        "verdict": float(read.verdict is not None),
        "graph": float(read.route is Route.GRAPH),
        "bridged": float(best is not None and best.bridge is not None),
    }


def _refused(
    read: Answer,
    refusal: Refusal,
    question: str,
    likely: Sequence[ScoredLink],
    steps: Sequence[Step | ConceptLink | str],
    remarks: tuple[Step, ...],
) -> Answer:
    """Return that a passage does not answer a question, and where the answer probably is."""
    places = tuple(
        GapPlace("link", item.link.title, item.probability, item.link.anchor, item.link.mentions[0].offset, item.link.ordinal)
        for item in likely
    )
    bridge = likely[0].bridge
    slot = bridge.text if bridge is not None else question
    gap = Missing("open_slot", (slot,), "linked_article", refusal.facts[1:] if refusal.reason == "linked_elsewhere" else ())
    whether = question_form_of(question) is QuestionForm.WHETHER
    kind = AnswerType.WHETHER if whether else answer_type_of(question)
    if not gap.details:
        gap = gap._replace(remedy="other_text", details=refusal.facts[1])
    return Answer(
        question=question,
        type=read.type,
        route=Route.NONE,
        conclusion=refusal,
        verdict=Verdict.UNKNOWN if whether else None,
        gaps=(gap._replace(slot=slot, type=kind.value, places=places),),
        steps=tuple(steps),
        remarks=remarks,
        presuppositions=read.presuppositions,
    )


def _link_remarks(passage: Article, links: PassageLinks, scored: Sequence[ScoredLink]) -> Iterator[Step]:
    """Yield what hinders following links: that it is forbidden, that they lead nowhere, or to several articles of one name."""
    if not passage.may_follow:
        yield Step("links_forbidden")
    if links.nowhere:
        yield Step("links_nowhere", (len(links.nowhere), links.nowhere))
    if links.ambiguous:
        yield Step("links_ambiguous", (links.ambiguous,))
    if links.unweighed:
        yield Step("links_unweighed", (links.unweighed,))
    for item in scored:
        if item.probability >= LINK_THRESHOLD and item.link.article is not None and item.link.article.namesakes:
            yield Step("namesakes", (item.link.title,))


def _hop_step(hop: int, item: ScoredLink, question: str, windows: Sequence[Passage]) -> Step:
    bridged = item.bridge.text if item.bridge is not None else question
    place = int(windows[0].id.rpartition("@")[2]) if windows else 0
    return Step("hop", (hop, item.link.title, item.link.anchor, item.link.ordinal, item.probability, bridged, place))


def _as_answer_to(question: str, answer: Answer, kind: QuestionType, steps: Sequence[Step | str]) -> Answer:
    return replace(answer, question=question, type=kind, steps=(*steps, *answer.steps))
