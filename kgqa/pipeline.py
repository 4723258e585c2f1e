"""From a question to an answer over a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graph.once import Once
from graph.protocols import GraphView
from kgqa.answering.wording import sentence
from kgqa.asking import OneQuestion, cleaned, contradicts_itself, one_question
from kgqa.errors import QuestionInvalid
from kgqa.linking.linker import readings
from kgqa.model import Answer, Missing, QuestionType, Route, Slots
from kgqa.request import Answerer, Linker, Request
from kgqa.router import route
from kgqa.typology.classifier import classify

if TYPE_CHECKING:
    from kgqa.answering.passages import Texts
    from kgqa.intervention.settings import Setting

MAX_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answers questions over one graph; `limit` is the number of findings that an answer shows at most.

    With a `risk` of 0..1 there is an answer only where its expected error is at most that. Its parts can be replaced: what types
    a question (`classifier`), what reads a phrase as concepts (`linker`), what decides who answers (`router`), and what turns
    the signals of an answer into its confidence (`calibrator`). `view` may be what opens the graph, when it is first asked for.
    With `texts`, those are read as well, and what is no causal question is answered from them; what `kept` opens is read only
    where the graph does not know.
    """

    view: GraphView | Callable[[], GraphView]
    limit: int = 10
    settings: Sequence[Setting] = field(default=())
    classifier: Callable[[str], QuestionType] = classify
    linker: Linker = readings
    router: Callable[[str, QuestionType], Answerer] = route
    calibrator: Callable[[Answer], Answer] | None = None
    risk: float | None = None
    texts: Texts | None = None
    kept: Callable[[], Texts] | None = None

    def answer(self, question: str) -> Answer:
        """Return the answer to `question`, in the world that the settings make.

        Raises `QuestionInvalid` for an empty or overlong question, and what `apply` raises for settings that cannot be made.
        """
        whole = checked(question)
        if contradicts_itself(whole):
            return unanswered(whole, "this cannot be answered: it supposes that something both is and is not so")
        asked = one_question(whole, self.classifier)
        if self.texts is None or self.settings:
            found = self._of_graph(whole, asked)
            if self.kept is not None and not self.settings and asked.kind.semantic and not (found.answer or found.verdict):
                from kgqa.answering.joined import answer_from_sentences

                found = answer_from_sentences(whole, found, self.kept())
            return self._finished(found)
        from kgqa.answering.joined import answer_jointly

        read = whole if asked.kind.semantic is None or " if " in f" {whole.lower()}" else asked.text
        return self._finished(answer_jointly(read, asked.kind, self.texts, lambda: self._of_graph(whole, asked)))

    def _of_graph(self, whole: str, asked: OneQuestion) -> Answer:
        """Return what the graph says to one question of a text, with its confidence."""
        question, kind, number = asked
        answerer = self.router(question, kind)
        if number > 1:
            answerer = _of_several(answerer, whole, number)
        seen = Once(self.view() if callable(self.view) else self.view)
        request = Request(question, kind, seen, self.limit, self.linker)
        if not self.settings:
            return self._sure(answerer(request))
        from kgqa.answering.two_worlds import compared
        from kgqa.intervention.settings import apply

        world = apply(seen, self.settings, self.linker)
        before, after = (answerer(replace(request, view=view)) for view in (seen, world.view))
        return self._sure(compared(before, after, kind, seen, world, self.limit, self.linker))

    def _sure(self, answer: Answer) -> Answer:
        """Return an answer of the graph with its confidence."""
        if self.calibrator is not None:
            return self.calibrator(answer)
        if answer.answer is None and answer.confidence <= 0.0:
            return answer
        from kgqa.confidence.calibration import calibrated

        return calibrated(answer)

    def _finished(self, answer: Answer) -> Answer:
        """Return an answer held back where its confidence is too low, and as the type of its question asks for."""
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
