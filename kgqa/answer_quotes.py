"""The sentences behind cited records that have none: from the user's file of quotes and, asked for, from Wikipedia."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from graph.errors import GraphError
from graph.model import Source, Statement
from kgqa.answer_model import Answer, CitedEvidence
from kgqa.settings import Settings, quotes_path, user_agent

if TYPE_CHECKING:
    from graph.quotes.quote_file import Quote

MOST_PAGES = 40
"""How many articles are asked for at most for one answer."""
FRESH_DAYS = 30
"""After so many days an article that did not have a sentence word for word is asked for again."""
_WIKIPEDIA_HOST = re.compile(r"[a-z-]+\.wikipedia\.org")
_FIT_REMARKS = {
    "reworded": "Worded otherwise than when the graph was made, as Wikipedia has it now: {}.",
    "missing": "The article has changed, and the sentence is no longer in it: {}.",
}
Quotes = Mapping[CitedEvidence, "Quote"]


def quote_records(cited: Sequence[CitedEvidence]) -> tuple[CitedEvidence, ...]:
    """Return cited records, those without a sentence with that of the user's quotes. Raises `QuotesUnusable`."""
    return _with_sentences(cited, {item: quote for item, quote in _stored_quotes(cited).items() if quote.fit == "same"})


def quote_answer(answer: Answer, settings: Settings, *, online: bool = False) -> Answer:
    """Return an answer whose records have their sentences, as far as the user's quotes or, `online`, Wikipedia have them.

    What Wikipedia does not have, and why, is among the remarks of the answer; it is no error.
    """
    cited = (*answer.evidence, *answer.against)
    remarks: list[str] = []
    quotes: dict[CitedEvidence, Quote] = {}
    try:
        quotes = _stored_quotes(cited)
        waiting = _unquoted_records(cited, quotes, settings) if online else {}
        if len(waiting) > MOST_PAGES:
            remarks.append(f"Wikipedia was asked for {MOST_PAGES} of {len(waiting)} articles; asked again, it is for the next.")
        pages = list(waiting)[:MOST_PAGES]
        for address in dict.fromkeys(address for address, _ in pages):
            records = {source: waiting[address, source] for place, source in pages if place == address}
            present = _present_quotes(address, records, settings)
            quotes |= present
            if (path := quotes_path()) is not None:
                from graph.quotes.quote_file import QuoteFile

                QuoteFile(path).write({item.evidence.hash(item.claim): quote for item, quote in present.items()})
    except GraphError as error:
        remarks.append(f"No more quotes: {error}.")
    if online:
        for fit, remark in _FIT_REMARKS.items():
            numbers = [f"[{number}]" for number, item in enumerate(cited, 1) if item in quotes and quotes[item].fit == fit]
            remarks += [remark.format(", ".join(numbers))] if numbers else []
    usable = quotes if online else {item: quote for item, quote in quotes.items() if quote.fit == "same"}
    if not usable and not remarks:
        return answer
    evidence, against = (_with_sentences(side, usable) for side in (answer.evidence, answer.against))
    return replace(answer, evidence=evidence, against=against, remarks=(*answer.remarks, *remarks))


def _with_sentences(cited: Iterable[CitedEvidence], quotes: Quotes) -> tuple[CitedEvidence, ...]:
    texts = {item: quote.text for item, quote in quotes.items() if quote.text}
    return tuple(item._replace(evidence=replace(item.evidence, text=texts.get(item, item.evidence.text))) for item in cited)


def _stored_quotes(cited: Sequence[CitedEvidence]) -> dict[CitedEvidence, Quote]:
    """Return what the user's quotes have for the records without a sentence."""
    path = quotes_path()
    if path is None or not path.exists():
        return {}
    from graph.quotes.quote_file import QuoteFile

    records = {item.evidence.hash(item.claim): item for item in cited if item.evidence.lacks_text}
    return {records[key]: quote for key, quote in QuoteFile(path).read(records).items()}


def _unquoted_records(
    cited: Iterable[CitedEvidence], quotes: Quotes, settings: Settings
) -> dict[tuple[str, Source], list[CitedEvidence]]:
    """Return the records whose sentence Wikipedia is to be asked for, by the address of its API and by their article."""
    oldest = _today() - FRESH_DAYS
    records: dict[tuple[str, Source], list[CitedEvidence]] = {}
    for item in dict.fromkeys(cited):
        source = item.evidence.source
        is_known = item in quotes and (quotes[item].fit == "same" or quotes[item].day > oldest)
        if item.evidence.lacks_text and source.kind == "wikipedia" and not is_known:
            host = urlsplit(source.url).hostname or "en.wikipedia.org"
            if address := settings.wikipedia or (f"https://{host}/w/api.php" if _WIKIPEDIA_HOST.fullmatch(host) else ""):
                records.setdefault((address, source), []).append(item)
    return records


def _present_quotes(address: str, records: Mapping[Source, Sequence[CitedEvidence]], settings: Settings) -> Quotes:
    """Return a quote for each record, from the articles as a wiki has them now. Raises `WikiFailed`."""
    from graph.net.mediawiki_api import MediaWikiApi
    from graph.quotes.sentence_search import SentenceSearch
    from graph.sources.article import Article
    from graph.sources.mediawiki import article_of_page
    from graph.sources.wikitext import PageUnreadable

    pages = MediaWikiApi(address, user_agent(settings)).pages(list(records))
    quotes: dict[CitedEvidence, Quote] = {}
    for source, items in records.items():
        try:
            article = article_of_page(pages[source])
        except (KeyError, PageUnreadable):
            article = Article(source, "")
        search = SentenceSearch(article)
        quotes |= {item: search.quote(Statement(*item), _today()) for item in items}
    return quotes


def _today() -> int:
    return int(time.time() // 86_400)
