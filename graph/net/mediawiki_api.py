"""The action API of a wiki, asked for pages with consideration: one request at a time, for a batch of pages."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

from graph.errors import SubjectError
from graph.model import Source
from graph.net.http import HttpClient
from graph.net.retry import Fault, HttpFailure, RetryPolicy, TimeLimits, retry_after_seconds
from graph.sources.mediawiki import DumpPage

BATCH = 20
"""The pages of a request; the API takes 50."""
_RETRY_POLICY = RetryPolicy(
    tries=3, longest_delay=20.0, faults=frozenset({Fault.TIMEOUT, Fault.CLOSED, Fault.CUT, Fault.REPORTED})
)
_LIMITS = TimeLimits(connect=10.0, silence=20.0, total=60.0)
_LONGEST_RESPONSE = 1 << 26
_REDIRECTS = 3
_BUSY = frozenset({"maxlag", "ratelimited", "readonly"})
_QUERY = dict(
    parse_qsl("action=query&format=json&formatversion=2&maxlag=5&redirects=1&prop=revisions&rvprop=ids|content&rvslots=main")
)


class WikiFailed(SubjectError):
    """A wiki cannot be reached, or does not answer with its pages."""

    message = "'{}' cannot be asked for articles: it {}"


class MediaWikiApi:
    """The API at an `address`, such as https://en.wikipedia.org/w/api.php; `agent` is our name."""

    def __init__(
        self,
        address: str,
        agent: str,
        retry_policy: RetryPolicy = _RETRY_POLICY,
        limits: TimeLimits = _LIMITS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.address = address
        self._client, self._retry_policy, self._sleep = HttpClient(agent, limits), retry_policy, sleep

    def pages(self, sources: Sequence[Source]) -> dict[Source, DumpPage]:
        """Return the present revision of the pages of some sources, by id, else by title; those that are gone are left out.

        Raises `WikiFailed`.
        """
        pages: dict[Source, DumpPage] = {}
        by_id = [source for source in sources if source.page_id.isdecimal()]
        for batch in _batches(by_id):
            answers, _ = self._query("pageids", [source.page_id for source in batch])
            pages |= {source: page for source in batch if (page := answers.get(source.page_id)) is not None}
        by_title = [source for source in sources if source not in pages and source.title and "|" not in source.title]
        for batch in _batches(by_title):
            answers, titles = self._query("titles", [source.title for source in batch])
            for source in batch:
                title = source.title
                for _ in titles:  # normalised, then redirected
                    title = titles.get(title, title)
                page = next((page for page in answers.values() if page.title == title), None)
                pages |= {} if page is None else {source: page}
        return pages

    def _query(self, field: str, values: Sequence[str]) -> tuple[dict[str, DumpPage], dict[str, str]]:
        """Return pages by their ids, and the titles that other titles lead to."""
        pages: dict[str, DumpPage] = {}
        titles: dict[str, str] = {}
        more: Mapping[str, str] | None = {}
        for _ in values:  # each response has a page at least
            if more is None:
                break
            query = {**_QUERY, field: "|".join(dict.fromkeys(values)), **more}
            try:
                result = self._retry_policy.run(partial(self._send, query), sleep=self._sleep)
                content = result.get("query", {})
                pages |= {page.page_id: page for page in map(_page, content.get("pages", ())) if page is not None}
                for step in (*content.get("normalized", ()), *content.get("redirects", ())):
                    titles[step["from"]] = step["to"]
                more = result.get("continue")
            except HttpFailure as failure:
                raise WikiFailed(self.address, str(failure)) from failure
            except (KeyError, TypeError, AttributeError, IndexError) as error:
                raise WikiFailed(self.address, "answers with something that is no list of pages") from error
        return pages, titles

    def _send(self, query: Mapping[str, str]) -> dict[str, Any]:
        address = f"{self.address}?{urlencode(query)}"
        with self._client.send("GET", address, redirects=_REDIRECTS, longest=_LONGEST_RESPONSE) as response:
            response.check()
            data, wait = response.read(), retry_after_seconds(response.headers.get("Retry-After"))
        try:
            result: dict[str, Any] = json.loads(data)
            error = result.get("error")
        except (ValueError, AttributeError) as wrong:
            raise HttpFailure(Fault.CONTENT, "answers with something that is not JSON") from wrong
        if isinstance(error, dict):
            fault = Fault.REPORTED if error.get("code") in _BUSY else Fault.CONTENT
            raise HttpFailure(fault, f"refuses: {error.get('info') or error.get('code')}", wait=wait)
        return result


def _batches(sources: Iterable[Source]) -> Iterator[Sequence[Source]]:
    """Yield sources in batches, those of one page together."""
    waiting = sorted(sources, key=lambda source: (source.page_id, source.title))
    return (waiting[start : start + BATCH] for start in range(0, len(waiting), BATCH))


def _page(record: Mapping[str, Any]) -> DumpPage | None:
    """Return a page of a response; `None` for one that is gone, or whose text is in another response."""
    if not record.get("revisions"):
        return None
    revision = record["revisions"][0]
    return DumpPage(record["title"], str(record["pageid"]), str(revision["revid"]), revision["slots"]["main"].get("content", ""))
