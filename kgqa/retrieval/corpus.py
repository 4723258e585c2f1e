"""Retrievers over a corpus path (a passage index, or a text that is indexed in memory) and over the evidence of a graph."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graph.belief.curation import CURATION
from graph.errors import InputIsDirectory, InputMissing, InputUnreadable, system_error_text
from graph.model import Alias
from graph.protocols import GraphStore
from graph.sources.article import Article
from kgqa.errors import CorpusTooLarge
from kgqa.readers.reader import Passage
from kgqa.retrieval.passage_index import PASSAGE_INDEX_MAGIC, PassageIndex
from kgqa.retrieval.search_terms import SEARCH_STOP_WORDS, search_words
from kgqa.settings import Settings

if TYPE_CHECKING:
    from kgqa.retrieval.retrievers import IndexRetriever

CORPUS_BYTE_LIMIT = 32 << 20
"""How much text is indexed on the spot at most; 5 million words take some seconds."""


class EvidenceRetriever:
    """Retrieval from the sentences that a graph's claims were read in, by the full-text search of its store."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` sentences, the best first, each once; a sentence's score is one over its rank."""
        words = [word for word in dict.fromkeys(search_words(query)) if word not in SEARCH_STOP_WORDS] or search_words(query)
        if not words or best < 1:
            return []
        passages: dict[str, Passage] = {}
        for statement in self._store.search_evidence(words, best):
            text, source, start = statement.evidence.text, statement.evidence.source, statement.evidence.start
            if text and text not in passages and source.kind != CURATION:
                name = source.page_id if start is None else f"{source.page_id or source.title}@{start}"
                passages[text] = Passage(text, source.title, name, source.url, 1 / (len(passages) + 1))
        return list(passages.values())[:best]


def open_corpus(path: str | Path, encoder: str | Path | None = None, settings: Settings | None = None) -> IndexRetriever:
    """Return what retrieves the passages of a corpus: by words and phrases, and by meaning with the encoder in a folder.

    Without a folder, the settings may name one. Raises the errors of `open_passage_index` and of the encoder.
    """
    from kgqa.encoders.text_encoders import SentenceEncoder
    from kgqa.retrieval.retrievers import RerankingRetriever

    index, folder = open_passage_index(path), encoder or (settings or Settings.read()).sentence_encoder
    return RerankingRetriever(index, SentenceEncoder(Path(folder)) if folder else None)


def open_passage_index(path: str | Path) -> PassageIndex:
    """Return the index at a path, or one that is made of the text there and kept until it is no longer used.

    A text may be plain, JSON lines, WikiExtractor's or a MediaWiki dump, and compressed. Raises the errors of its reader, and
    `CorpusTooLarge` for one of more than 32 MiB.
    """
    place = Path(path)
    try:
        with place.open("rb") as file:
            head = file.read(16)
    except (FileNotFoundError, NotADirectoryError):
        raise InputMissing(place) from None
    except IsADirectoryError:
        raise InputIsDirectory(place) from None
    except (OSError, ValueError) as error:
        raise InputUnreadable(place, system_error_text(error)) from None
    if head.startswith(PASSAGE_INDEX_MAGIC):
        return PassageIndex(place)
    from graph.sources.article_formats import detect_format, read_articles
    from kgqa.retrieval.index_builder import build_passage_index
    from kgqa.retrieval.passage_splitting import passage_pages

    articles = read_articles(str(place), detect_format(str(place)), lambda skipped: None)
    with tempfile.TemporaryDirectory(prefix="kgqa-") as folder:
        made = Path(folder) / place.name
        build_passage_index(made, passage_pages(_limit_articles(articles, place)))
        # What is mapped stays readable when its name is gone.
        return PassageIndex(made)


def _limit_articles(articles: Iterator[Article | Alias], path: Path) -> Iterator[Article | Alias]:
    size = 0
    for article in articles:
        if isinstance(article, Article):
            size += len(article.text)
            if size > CORPUS_BYTE_LIMIT:
                raise CorpusTooLarge(path, CORPUS_BYTE_LIMIT)
        yield article
