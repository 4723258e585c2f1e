"""From a question to an answer over a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graph.once import Once
from graph.protocols import GraphView
from kgqa.answering.wording import sentence
from kgqa.asking import cleaned, contradicts_itself, one_question
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

    With a `risk` of 0..1 there is an answer only where its expected error is at most that. Its parts can be replaced: what types
    a question (`classifier`), what reads a phrase as concepts (`linker`), what decides who answers (`router`), and what turns
    the signals of an answer into its confidence (`calibrator`).
    """

    view: GraphView
    limit: int = 10
    settings: Sequence[Setting] = field(default=())
    classifier: Callable[[str], QuestionType] = classify
    linker: Linker = readings
    router: Callable[[str, QuestionType], Answerer] = route
    calibrator: Callable[[Answer], Answer] | None = None
    risk: float | None = None

    def answer(self, question: str) -> Answer:
        """Return the answer to `question`, in the world that the settings make.

        Raises `QuestionInvalid` for an empty or overlong question, and what `apply` raises for settings that cannot be made.
        """
        whole = checked(question)
        if contradicts_itself(whole):
            return unanswered(whole, "this cannot be answered: it supposes that something both is and is not so")
        question, kind, number = one_question(whole, self.classifier)
        answerer = self.router(question, kind)
        if number > 1:
            answerer = _of_several(answerer, whole, number)
        seen = Once(self.view)
        request = Request(question, kind, seen, self.limit, self.linker)
        if not self.settings:
            return self._finished(answerer(request))
        from kgqa.answering.two_worlds import compared
        from kgqa.intervention.settings import apply

        world = apply(seen, self.settings)
        before, after = (answerer(replace(request, view=view)) for view in (seen, world.view))
        return self._finished(compared(before, after, kind, seen, world, self.limit))

    def _finished(self, answer: Answer) -> Answer:
        """Return an answer with its confidence, held back where that is too low, and as the type of its question asks for."""
        if self.calibrator is not None:
            answer = self.calibrator(answer)
        elif answer.answer is not None or answer.confidence > 0.0:
            from kgqa.confidence.calibration import calibrated

            answer = calibrated(answer)
        if self.risk is not None:
            from kgqa.confidence.risk import cautious

            answer = cautious(answer, self.risk)
        return _presented(answer)


def _presented(answer: Answer) -> Answer:
    """Return an answer as the pragmatic type of its question asks for."""
    if answer.type.pragmatic is None:
        return answer
    from kgqa.answering.presentation import presented

    return presented(answer, answer.type)


def _of_several(answerer: Answerer, whole: str, number: int) -> Answerer:
    """Return what answers one of several questions, and says which."""

    def answer(request: Request) -> Answer:
        found = answerer(request)
        said = f"Of {number} questions, the first causal one, “{request.question}”: {found.sentence}"
        others = Missing(f"the other{'s' if number > 2 else ''} of {number} questions", "ask them one by one")
        return replace(found, question=whole, sentence=said, missing=(*found.missing, others))

    return answer


def checked(question: str) -> str:
    """Return the question in single spaces; raises `QuestionInvalid` where there is none or it is overlong."""
    text = cleaned(question)
    if not any(character.isalnum() for character in text):
        raise QuestionInvalid("it is empty")
    if len(text) > MAX_QUESTION:
        raise QuestionInvalid(f"it has {len(text):,} characters, at most {MAX_QUESTION:,} are read")
    return text


def unanswered(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be asked of the graph, with the reason."""
    kind = QuestionType(None, Slots())
    return Answer(question=question, type=kind, route=Route.NONE, sentence=sentence(why), missing=(Missing("a question", why),))
