"""From a question to an answer over a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graph.protocols import GraphView
from kgqa.answering.wording import sentence
from kgqa.errors import QuestionInvalid
from kgqa.linking.linker import readings
from kgqa.model import Answer, Missing, QuestionType, Route, Slots
from kgqa.request import Answerer, Linker, Request
from kgqa.router import route
from kgqa.typology.classifier import classify

if TYPE_CHECKING:
    from kgqa.intervention.settings import Setting

MAX_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answers questions over one graph; `limit` is the number of findings that an answer shows at most.

    Its parts can be replaced: what types a question (`classifier`), what reads a phrase as concepts (`linker`), and what
    decides who answers (`router`).
    """

    view: GraphView
    limit: int = 10
    settings: Sequence[Setting] = field(default=())
    classifier: Callable[[str], QuestionType] = classify
    linker: Linker = readings
    router: Callable[[str, QuestionType], Answerer] = route

    def answer(self, question: str) -> Answer:
        """Return the answer to `question`, in the world that the settings make.

        Raises `QuestionInvalid` for an empty or overlong question, and what `apply` raises for settings that cannot be made.
        """
        question = checked(question)
        kind = self.classifier(question)
        answerer = self.router(question, kind)
        request = Request(question, kind, self.view, self.limit, self.linker)
        if not self.settings:
            return answerer(request)
        from kgqa.answering.two_worlds import compared
        from kgqa.intervention.settings import apply

        world = apply(self.view, self.settings)
        before, after = (answerer(replace(request, view=view)) for view in (self.view, world.view))
        return compared(before, after, kind, self.view, world, self.limit)


def checked(question: str) -> str:
    """Return the question in single spaces; raises `QuestionInvalid` where there is none or it is overlong."""
    text = " ".join(question.replace("\0", " ").split())
    if not any(character.isalnum() for character in text):
        raise QuestionInvalid("it is empty")
    if len(text) > MAX_QUESTION:
        raise QuestionInvalid(f"it has {len(text):,} characters, at most {MAX_QUESTION:,} are read")
    return text


def unanswered(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be asked of the graph, with the reason."""
    kind = QuestionType(None, Slots())
    return Answer(question=question, type=kind, route=Route.NONE, sentence=sentence(why), missing=(Missing("a question", why),))
