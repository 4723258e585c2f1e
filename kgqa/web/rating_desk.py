"""The page of a rater: one item of a blind sheet at a time, whose form is stored when it is sent; nothing needs a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from graph.errors import Error
from kgqa.evaluation.rating.rating_sheet import REMARK, RaterFile, SheetItem
from kgqa.web.endpoints import Endpoint
from kgqa.web.http_messages import HTML, WebProblem, WebReply, WebRequest, problem_of
from kgqa.web.pages.page_templates import PageContent, redirect_to, render_page
from kgqa.web.request_parameters import FORM

RATING_ENDPOINTS = {
    "next item": Endpoint("/", "", "The first item that is not rated."),
    "item": Endpoint("/item/{item}", "", "An item of the sheet.", methods=("GET", "POST")),
}
"""The pages of a rater, by name."""
_MOST_FIELDS = 1_000
_LONGEST_REMARK = 2_000


class RatingDesk:
    """Answers the requests of one rater; what is given is written at once, so that a rater may stop at any time."""

    def __init__(self, file: RaterFile) -> None:
        self._file = file
        self._given = file.read()
        self._items = {item.item: item for item in file.sheet.items}

    async def respond(self, request: WebRequest) -> WebReply:
        """Return the reply to a request."""
        try:
            content = self._next() if request.endpoint == "next item" else self._item(request)
        except Error as error:
            problem = problem_of(error)
            values = {"problem": problem, "back": problem.remedy if problem.remedy.startswith("/") else "/"}
            content = PageContent("rating_problem", problem.status.phrase, values, problem.status)
        headers = (("Cache-Control", "no-store"), *((("Location", content.location),) if content.location else ()))
        return WebReply(content.status, HTML, render_page(content), headers)

    def _next(self) -> PageContent:
        waiting = next((item for item in self._items.values() if self._missing(item)), None)
        if waiting is not None:
            return redirect_to(f"/item/{waiting.item}")
        values = {"count": len(self._items), "first": next(iter(self._items), None), "file": self._file.path.name}
        return PageContent("rated", "All is rated", values)

    def _item(self, request: WebRequest) -> PageContent:
        item = self._items.get(request.path["item"])
        if item is None:
            raise WebProblem(HTTPStatus.NOT_FOUND, f"the sheet has no item '{request.path['item'][:80]}'", "/")
        if not request.body:
            return self._page(item)
        if request.media_type != FORM:
            raise WebProblem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a rating is sent by the form of its page", f"/item/{item.item}")
        self._store(item, request.body)
        missing = self._missing(item)
        return self._page(item, missing, HTTPStatus.UNPROCESSABLE_ENTITY) if missing else redirect_to("/")

    def _store(self, item: SheetItem, body: bytes) -> None:
        try:
            fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        except ValueError:
            raise WebProblem(HTTPStatus.BAD_REQUEST, "the form cannot be read", f"/item/{item.item}") from None
        form, given = self._file.sheet.form, {}
        for letter in item.outputs:
            texts = {aspect: fields.get(f"{letter}.{aspect}", "") for aspect in form.aspects}
            for aspect, text in texts.items():
                if text and text not in map(str, form.values[aspect]):
                    raise WebProblem(
                        HTTPStatus.BAD_REQUEST, f"{aspect} of {letter} cannot be '{text[:80]}'", f"/item/{item.item}"
                    )
            remark = " ".join(fields.get(f"{letter}.{REMARK}", "").split())[:_LONGEST_REMARK]
            given[item.item, letter] = {**texts, REMARK: remark}
        self._file.write(self._given | given)
        self._given |= given

    def _missing(self, item: SheetItem) -> list[str]:
        """Return what is not rated yet of an item: "fluency of B"."""
        aspects = self._file.sheet.form.aspects
        return [
            f"{aspect} of {letter}" for letter in item.outputs for aspect in aspects if not self._values(item, letter).get(aspect)
        ]

    def _values(self, item: SheetItem, letter: str) -> Mapping[str, str]:
        return self._given.get((item.item, letter), {})

    def _page(self, item: SheetItem, missing: Sequence[str] = (), status: HTTPStatus = HTTPStatus.OK) -> PageContent:
        names = list(self._items)
        place = names.index(item.item)
        values: dict[str, Any] = {
            "item": item,
            "form": self._file.sheet.form,
            "given": {letter: self._values(item, letter) for letter in item.outputs},
            "missing": missing,
            "place": place + 1,
            "count": len(names),
            "done": sum(not self._missing(each) for each in self._items.values()),
            "before": names[place - 1] if place else None,
            "behind": names[place + 1] if place + 1 < len(names) else None,
            "rater": self._file.rater,
        }
        return PageContent("rating", f"Item {place + 1} of {len(names)}", values, status)
