"""From a question to an answer over a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graph.cached_view import CachedView
from graph.protocols import GraphView
from kgqa.answer_model import Answer
from kgqa.errors import QuestionInvalid
from kgqa.linking.linker import link_phrase
from kgqa.question import QuestionType
from kgqa.questions.classifier import classify
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.questions.preprocess import SelectedQuestion, clean_question, contradicts_itself, select_question
from kgqa.reasons import FirstOfSeveral, Missing
from kgqa.request import Answerer, Linker, Request, Router
from kgqa.router import route

if TYPE_CHECKING:
    from kgqa.interventions.graph_settings import GraphSetting
    from kgqa.passages.corpus_claims import CorpusClaims
    from kgqa.passages.passage_answer import PassageInput

MAX_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answers questions over one graph; `limit` is the number of findings that an answer shows at most.

    With a `risk` of 0..1 there is an answer only where its expected error is at most that. The parts can be replaced: the
    `classifier` of questions, the `linker` of phrases to concepts, the `router` that chooses the answerer, and the `calibrator`
    that turns the signals of an answer into its confidence. `view` may be a function that opens the graph when it is first
    needed. With `texts`, those are read as well, and what is no causal question is answered from them; `fallback_texts` opens
    texts that are read only where the graph has no answer. `claims` adds what a corpus says of the slots of a question to the
    graph. In the world of `settings`, the graph alone answers.
    """

    view: GraphView | Callable[[], GraphView]
    limit: int = 10
    settings: Sequence[GraphSetting] = field(default=())
    classifier: Callable[[str], QuestionType] = classify
    linker: Linker = link_phrase
    router: Router = route
    calibrator: Callable[[Answer], Answer] | None = None
    risk: float | None = None
    texts: PassageInput | None = None
    fallback_texts: Callable[[], PassageInput] | None = None
    claims: CorpusClaims | None = None

    def answer(self, question: str) -> Answer:
        """Return the answer to `question`, in the world that the settings make.

        Raises `QuestionInvalid` for an empty or overlong question, and what `apply` raises for settings that cannot be made.
        """
        whole = check_question(question)
        conditional = parse_conditional(whole)
        if conditional is not None and contradicts_itself(conditional):
            from kgqa.answering.refusals import refuse_question

            return refuse_question(whole, "this cannot be answered: it supposes that something both is and is not so")
        selected = select_question(whole, self.classifier)
        if self.texts is not None and not self.settings:
            from kgqa.passages.graph_fusion import answer_graph_and_passages

            text, kind, _ = selected
            if kind.semantic is None or (conditional is not None and conditional.main):
                text, kind = whole, replace(kind, conditional=conditional)
            result = answer_graph_and_passages(text, kind, self.texts, lambda: self._answer_from_graph(whole, selected))
            return self._finish(result)
        result = self._answer_from_graph(whole, selected)
        unanswered = selected.kind.semantic and not (result.answer or result.verdict)
        if self.fallback_texts is not None and not self.settings and unanswered:
            from kgqa.passages.graph_fusion import answer_from_sentences

            result = answer_from_sentences(whole, result, self.fallback_texts())
        return self._finish(result)

    def _answer_from_graph(self, whole: str, selected: SelectedQuestion) -> Answer:
        question, kind, number = selected
        answerer = self.router(question, kind)
        if number > 1:
            answerer = _answer_one_of_several(answerer, whole, number)
        seen = CachedView(self.view() if callable(self.view) else self.view)
        if self.claims is not None and not self.settings:
            seen = CachedView(self.claims.extend(seen, kind, self.linker))
        request = Request(question, kind, seen, self.limit, self.linker)
        if not self.settings:
            return self._calibrate(answerer(request))
        from kgqa.answering.counterfactuals.answer_changes import compare_world_answers
        from kgqa.interventions.graph_settings import apply_settings, causes_asked_about

        among = causes_asked_about(seen, kind.slots.effect, self.linker)
        world = apply_settings(seen, self.settings, self.linker, among)
        before, after = (answerer(replace(request, view=view)) for view in (seen, world.view))
        return self._calibrate(compare_world_answers(before, after, request, world))

    def _calibrate(self, answer: Answer) -> Answer:
        if self.calibrator is not None:
            return self.calibrator(answer)
        if answer.answer is None and answer.confidence <= 0.0:
            return answer
        from kgqa.calibration.answer_confidence import calibrate_answer

        return calibrate_answer(answer)

    def _finish(self, answer: Answer) -> Answer:
        """Return an answer held back where its confidence is too low, and presented as the type of its question asks for."""
        if self.risk is not None:
            from kgqa.calibration.answer_confidence import apply_risk_limit

            answer = apply_risk_limit(answer, self.risk)
        if answer.type.pragmatic is None:
            return answer
        from kgqa.wording.presentation import present_answer

        return present_answer(answer, answer.type)


def _answer_one_of_several(answerer: Answerer, whole: str, number: int) -> Answerer:
    def answer(request: Request) -> Answer:
        result = answerer(request)
        conclusion = FirstOfSeveral(number, request.question, result.conclusion)
        remainder = Missing("other_questions", (str(number),), "ask_one_by_one")
        return replace(result, question=whole, conclusion=conclusion, gaps=(*result.gaps, remainder))

    return answer


def check_question(question: str) -> str:
    """Return the question in single spaces; raises `QuestionInvalid` where there is none or it is overlong."""
    text = clean_question(question)
    if not any(character.isalnum() for character in text):
        raise QuestionInvalid("it is empty")
    if len(text) > MAX_QUESTION:
        raise QuestionInvalid(f"it has {len(text):,} characters, at most {MAX_QUESTION:,} are read")
    return text
