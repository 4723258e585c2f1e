"""The action API of a wiki, by the server of `serving`: the articles that it has, and what it answers before it gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from serving import File, Server, served

PATH = "/w/api.php"


@dataclass
class Wiki(dict[str, File]):
    """Articles in wikitext by id and title; `errors` are objects that come first, one a request; `most` pages a response."""

    articles: dict[tuple[int, str], str] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    errors: list[dict[str, str]] = field(default_factory=list)
    most: int = 50
    queries: list[dict[str, str]] = field(default_factory=list)
    server: Server = field(init=False)

    @property
    def address(self) -> str:
        return self.server.address + PATH

    def get(self, path: str, default: Any = None) -> File | None:  # type: ignore[override]
        parts = urlsplit(path)
        if parts.path != PATH:
            return None
        self.queries.append(dict(parse_qsl(parts.query)))
        answer = {"error": self.errors.pop(0)} if self.errors else self._answer(self.queries[-1])
        return File(json.dumps(answer).encode(), kind="application/json")

    def _answer(self, query: dict[str, str]) -> dict[str, object]:
        begin, pages = int(query.get("rvcontinue", 0)), []
        if ids := query.get("pageids"):
            known = {str(number): (number, title) for number, title in self.articles}
            places = [known.get(number) or (int(number), "") for number in ids.split("|")]
        else:
            titles = [self.redirects.get(title, title) for title in query["titles"].split("|")]
            known = {title: (number, title) for number, title in self.articles}
            places = [known.get(title) or (0, title) for title in titles]
        for order, (number, title) in enumerate(places):
            page: dict[str, object] = {"pageid": number, "title": title}
            if (number, title) not in self.articles:
                page["missing"] = True
            elif begin <= order < begin + self.most:
                slots = {"main": {"contentmodel": "wikitext", "content": self.articles[number, title]}}
                page["revisions"] = [{"revid": 900 + number, "slots": slots}]
            pages.append(page)
        redirects = [{"from": old, "to": new} for old, new in self.redirects.items() if old in query.get("titles", "").split("|")]
        answer: dict[str, object] = {"query": {"pages": pages, "redirects": redirects}}
        if begin + self.most < len(places):
            answer["continue"] = {"rvcontinue": str(begin + self.most), "continue": "||"}
        return answer


@contextmanager
def wiki_served(articles: dict[tuple[int, str], str]) -> Iterator[Wiki]:
    """Give a wiki with some articles that is served until the block ends."""
    with served() as server:
        wiki = Wiki(articles=articles)
        wiki.server, server.files = server, wiki
        yield wiki
