"""The systems of IIRC: links chosen by the model, by trivial rules or by annotators, and followed (rows S50 to S53)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from graph.model import Source
from graph.sources.article import Article
from graph.sources.input_stream import open_input
from kgqa.answering.refusals import refuse_question
from kgqa.errors import CorpusInvalid, KgqaError
from kgqa.evaluation.answer_systems import SystemAnswer, SystemSettings
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets.iirc_dataset import IIRC_ARTICLES, read_iirc_articles
from kgqa.hops.hop_answer import LinkFollower, answer_with_links
from kgqa.hops.link_identifier import LINK_THRESHOLD, LinkRule
from kgqa.passages.passage_graph import PassageGraph
from kgqa.passages.passage_source import PassageSource
from kgqa.pipeline import Pipeline
from kgqa.questions.classifier import classify
from kgqa.readers.reader import MeteredReader
from kgqa.retrieval.article_lookup import ArticleLookup
from kgqa.retrieval.corpus import open_passage_index
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex, title_key
from kgqa.retrieval.passage_splitting import passage_pages


class LinkSystem:
    """Reads the paragraph of an item, and follows its links as `kgqa ask --follow` does; closed when the run ends.

    Without the path of an index, the articles are those of the data files.
    """

    def __init__(self, setting: SystemSettings, rule: LinkRule, articles: str | None, data: tuple[str, ...]) -> None:
        self._rule = rule
        self._source = PassageSource(setting.reader)
        self._lookup = ArticleLookup(open_passage_index(articles) if articles else _index_of_data(data))

    @property
    def charged(self) -> MeteredReader | None:
        """The reader, where it asks a server."""
        return self._source.charged

    def answer(self, item: DatasetItem) -> SystemAnswer:
        """Return the answer to an item, and which links are followed for it."""
        main = item.main or Article(Source("text", item.group), item.passage)
        gold = frozenset(map(title_key, item.links or ()))
        follower = LinkFollower(self._lookup, classify, lambda: self._source.reader, self._rule, gold)
        with closing(PassageGraph(main.text, item.question)) as claims:
            try:
                texts = self._source.of_passage(main.text, claims)
                read = Pipeline(claims.store, texts=texts).answer(item.question)
                if self._rule is LinkRule.CONTEXTS:
                    return SystemAnswer(follower.read_contexts(read.question, main, item.contexts), links=tuple(item.links or ()))
                scored, _ = follower.weigh(read.question, main)
                answer = answer_with_links(read.question, read, main, follower, follows=True)
            except KgqaError as error:
                return SystemAnswer(refuse_question(item.question, str(error)), links=())
        links = tuple(item.link.title for item in scored if item.probability >= LINK_THRESHOLD)
        return SystemAnswer(answer, links=() if answer == read else links)

    def close(self) -> None:
        """Nothing is held that has to be released."""


def _index_of_data(data: tuple[str, ...]) -> PassageIndex:
    """Return an index of the articles of data files, kept until it is no longer used; raises `CorpusInvalid` for none."""

    def articles() -> Iterator[Article]:
        for path in data:
            with open_input(path) as stream:
                yield from read_iirc_articles(stream, lambda _: None)

    with tempfile.TemporaryDirectory(prefix="kgqa-") as folder:
        place = Path(folder) / "articles"
        try:
            build_passage_index(place, passage_pages(articles()))
        except CorpusInvalid:
            raise CorpusInvalid(Path(data[0]), f"no {IIRC_ARTICLES} is beside it, and no --articles is named") from None
        return PassageIndex(place)
