"""From a question to an answer over a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from graph.cached_view import CachedView
from graph.protocols import GraphStore, GraphView
from kgqa.answer_model import Answer, Route
from kgqa.answering.findings import repeats_question
from kgqa.answering.lists.listing import ListConclusion
from kgqa.errors import EvidenceModelInvalid, MatcherInvalid, QuestionInvalid
from kgqa.linking.concept_links import NEAR_CLAIM
from kgqa.linking.linker import link_phrase
from kgqa.linking.mention import expect_phrases
from kgqa.question import Attribute, QuestionType
from kgqa.questions.classifier import classify
from kgqa.questions.conditional_parser import ConditionalMood, parse_conditional
from kgqa.questions.preprocess import (
    SelectedQuestion,
    clean_question,
    contradicts_itself,
    presumed_questions,
    reword_note,
    select_question,
)
from kgqa.reasons import FirstOfSeveral, Missing, Respelling, Step
from kgqa.request import Answerer, Linker, Request, Router
from kgqa.router import route

if TYPE_CHECKING:
    from kgqa.answering.matching.claim_answers import OpenClaims
    from kgqa.answering.matching.claim_embeddings import EmbeddingIndex
    from kgqa.answering.matching.claim_matcher import ClaimMatcher
    from kgqa.interventions.graph_settings import GraphSetting
    from kgqa.passages.corpus_claims import CorpusClaims
    from kgqa.passages.passage_answer import PassageInput
    from kgqa.presuppositions.statement_check import EvidenceJudge

MAX_QUESTION = 2_000
LEAST_PRESUMED = 0.8
"""The least score of the links of an answer to what a question presumably means: no word that says something was left out."""
_SUPPOSING = "If it had not been so, {}"
"""A sentence that asks what would happen, before whose question any setting may stand."""
_OTHER_OUTCOME = "condition.wh-would"
"""The rule of a main clause that asks for something else than what would happen."""


def _open_matcher() -> ClaimMatcher | None:
    from kgqa.answering.matching.claim_matcher import shipped_matcher

    return shipped_matcher()


def _open_no_embeddings(_encoder: ClaimMatcher) -> None:
    return None


def graph_embeddings(open_graph: Callable[[], GraphStore]) -> OpenClaims:
    """Return what opens the vectors of the claims of a graph, and the graph, when they are first asked for, once an encoder."""

    @cache
    def open_claims(encoder: ClaimMatcher) -> EmbeddingIndex | None:
        from kgqa.answering.matching.claim_embeddings import open_embedding_index

        return open_embedding_index(open_graph(), encoder)

    return open_claims


def _open_evidence() -> EvidenceJudge:
    from kgqa.presuppositions.evidence_model import shipped_evidence_model

    return shipped_evidence_model()


def load_models() -> None:
    """Load the models that questions in everyday words need, so that processes that are forked from this one share them.

    Raises `MatcherInvalid` or `EvidenceModelInvalid` for a damaged model.
    """
    from graph.mining.sentence.spacy_pipeline import load_pipeline

    load_pipeline()
    matcher = _open_matcher()
    if matcher is not None:
        matcher.vectors(["smoke"])
    _open_evidence().suspicion("Does smoking cause cancer?")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answers questions over one graph; `limit` is the number of findings that an answer shows at most.

    With a `risk` of 0..1 there is an answer only where its expected error is at most that. The parts can be replaced: the
    `classifier` of questions, the `linker` of phrases to concepts, the `router` that chooses the answerer, and the `calibrator`
    that turns the signals of an answer into its confidence. `view` may be a function that opens the graph when it is first
    needed. With `texts`, those are read as well, and what is no causal question is answered from them; `fallback_texts` opens
    texts that are read only where the graph has no answer. `matcher` opens what finds the claims that answer a question whose
    phrases name nothing, `embeddings` the vectors of the claims of the graph, by which it finds those near in meaning.
    `claims` adds what a corpus says of the slots of a question to the graph. In the world of `settings`, the graph alone answers.
    `lists_statements` adds what the question takes for granted besides causes and kinds, for which it is parsed; `evidence` opens
    who judges it by the sentences of `texts`, and whether a question without an answer is suspect.
    """

    view: GraphView | Callable[[], GraphView]
    limit: int = 10
    settings: Sequence[GraphSetting] = field(default=())
    classifier: Callable[[str], QuestionType] = classify
    linker: Linker = link_phrase
    router: Router = route
    calibrator: Callable[[Answer], Answer] | None = None
    risk: float | None = None
    matcher: Callable[[], ClaimMatcher | None] = _open_matcher
    embeddings: OpenClaims = _open_no_embeddings
    texts: PassageInput | None = None
    fallback_texts: Callable[[], PassageInput] | None = None
    claims: CorpusClaims | None = None
    lists_statements: bool = False
    evidence: Callable[[], EvidenceJudge] | None = _open_evidence

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
            result = answer_graph_and_passages(
                text,
                kind,
                self.texts,
                lambda: self._answer_from_graph(whole, selected),
                premised=self._has_premise(whole, selected),
            )
            return self._finish(self._with_statements(whole, result))
        result = self._answer_from_graph(whole, selected)
        unanswered = selected.kind.semantic and not (result.answer or result.verdict)
        if self.fallback_texts is not None and not self.settings and unanswered:
            from kgqa.passages.graph_fusion import answer_from_sentences

            result = answer_from_sentences(whole, result, self.fallback_texts())
        return self._finish(self._with_statements(whole, result))

    def _answer_from_graph(self, whole: str, selected: SelectedQuestion) -> Answer:
        question, kind, number = selected
        if kind.semantic is None and not self.settings:
            presumed = next(filter(None, map(self._answer_presumed, presumed_questions(question))), None)
            if presumed is not None:
                return replace(presumed, question=whole)
        answerer: Answerer = partial(self._answer_with_premises, reword_note(whole) if number == 1 else question)
        seen = CachedView(self.view() if callable(self.view) else self.view)
        expect_phrases(seen, lambda: filter(None, (kind.slots.cause, kind.slots.effect)))
        supposed = self._suppose_settings(question) if self.settings and parse_conditional(question) is None else None
        if supposed is not None:
            request = Request(question, supposed, seen, self.limit, self.linker)
            return self._calibrate(self.router(question, supposed)(request))
        if self.claims is not None and not self.settings:
            seen = CachedView(self.claims.extend(seen, kind, self.linker))
        request = Request(question, kind, seen, self.limit, self.linker)
        answer = self._answer_request(request, answerer)
        if not self.settings:
            return _first_of_several(answer, whole, number) if number > 1 else answer
        from kgqa.answering.counterfactuals.answer_changes import compare_world_answers
        from kgqa.interventions.graph_settings import apply_settings, causes_asked_about

        among = causes_asked_about(seen, kind.slots.effect, self.linker)
        world = apply_settings(seen, self.settings, self.linker, among)
        after = answerer(replace(request, view=world.view))
        compared = self._calibrate(compare_world_answers(answer, after, request, world))
        return _first_of_several(compared, whole, number) if number > 1 else compared

    def _suppose_settings(self, question: str) -> QuestionType | None:
        """Return the type of a question for what would happen, with the settings as its "if"; `None` for any other question."""
        from kgqa.interventions.graph_settings import condition_of_settings

        condition = condition_of_settings(self.settings)
        kind = self.classifier(_SUPPOSING.format(question[:1].lower() + question[1:]))
        asks_outcome = Attribute.COUNTERFACTUAL in kind.attributes and _OTHER_OUTCOME not in kind.rules
        if condition is None or kind.slots.condition is None or not asks_outcome:
            return None
        return replace(kind, slots=replace(kind.slots, cause=condition.target, condition=condition), mood=None)

    def _answer_presumed(self, question: str) -> Answer | None:
        """Return the answer to what a question that is not causal by its form may mean; `None` unless all of it is known."""
        kind = self.classifier(question)
        answer = None if kind.semantic is None else self._answer_from_graph(question, SelectedQuestion(question, kind))
        if answer is None or not answer.is_decided or answer.signals.link < LEAST_PRESUMED:
            return None
        if isinstance(answer.conclusion, ListConclusion) and answer.conclusion.link.how == NEAR_CLAIM:
            return None
        return replace(answer, steps=(Step("presumed", (question,)), *answer.steps))

    def _presumed(self, request: Request) -> Iterator[Request]:
        """Yield a question that is not causal by its form as the causal questions that one may mean by it."""
        for question in presumed_questions(request.question):
            kind = self.classifier(question)
            if kind.semantic is not None:
                yield replace(request, kind=kind)

    def _answer_respelt(self, request: Request) -> Answer | None:
        """Return the answer to a question with its misspelt word spelt right; `None` unless one word alone gives an answer."""
        from kgqa.linking.spelling import misspelt_word

        slip = misspelt_word(request.question, request.view) if request.kind.semantic is not None else None
        wrong, rights = slip or ("", ())
        questions = {right: request.question.replace(wrong, right, 1) for right in rights}
        answers = {
            right: self._answer_from_graph(question, SelectedQuestion(question, self.classifier(question)))
            for right, question in questions.items()
        }
        decided = [(right, answer) for right, answer in answers.items() if answer.is_decided]
        if len(decided) != 1:
            return None
        right, answer = decided[0]
        return replace(answer, question=request.question, conclusion=Respelling(wrong, right, answer.conclusion))

    def _answer_request(self, request: Request, answerer: Answerer) -> Answer:
        """Return the answer of an answerer; where that is unknown, with a word spelt right, or by the claims nearest to it."""
        answer = answerer(request)
        if not self.settings:
            answer = self._answer_events(request, answer)
        if self.settings or (answer.is_decided and not (answer.is_thin or repeats_question(answer))):
            return answer
        respelt = None if answer.is_decided else self._answer_respelt(request)
        if respelt is not None:
            return respelt
        from kgqa.answering.matching.claim_answers import answer_with_claims

        looked_for = answer.type.slots
        if looked_for.cause and (request.kind.slots.effect or "").startswith(f"{looked_for.effect} "):
            request = replace(request, kind=answer.type)  # The condition of its clause, as the cause of the rest.
        presumed = () if request.kind.semantic is not None else tuple(self._presumed(request))
        try:
            for meant in (request, *presumed):
                answer = answer_with_claims(meant, answer, self.matcher, self.embeddings)
                if answer.is_decided:
                    return answer
            compared = next((meant for meant in presumed if meant.kind.slots.comparison), None)
            return answerer(compared) if compared is not None else answer
        except MatcherInvalid:  # The question is unknown without a match, too.
            return answer

    def _answer_events(self, request: Request, answer: Answer) -> Answer:
        """Return the answer to what is supposed, with further names of that where it says more."""
        matcher = self.matcher() if request.kind.slots.condition is not None else None
        index = None if matcher is None else self.embeddings(matcher)
        if matcher is None or index is None:
            return answer
        from kgqa.answering.counterfactuals.counterfactual import answer_events

        try:
            fuller = answer_events(request, answer, matcher, index)
        except MatcherInvalid:
            return answer
        return answer if fuller is answer else self._calibrate(fuller)

    def _answer_with_premises(self, text: str, request: Request) -> Answer:
        from kgqa.presuppositions.premise_answers import answer_with_premises

        # Answers of two worlds are compared first, and calibrated then.
        calibrate = (lambda answer: answer) if self.settings else self._calibrate
        return answer_with_premises(request, text, self.router, self.classifier, calibrate)

    def _has_premise(self, whole: str, selected: SelectedQuestion) -> bool:
        """Return whether a question takes a claim for granted that the graph of a passage may decide."""
        from kgqa.presuppositions.premise_finder import find_premises

        text = whole if selected.of == 1 else selected.text
        return bool(find_premises(text, selected.text, selected.kind))

    def _with_statements(self, whole: str, answer: Answer) -> Answer:
        """Return an answer with what its question takes for granted, judged where the graph has not corrected it already."""
        conditional = parse_conditional(whole)
        supposes = conditional is not None and conditional.mood is not ConditionalMood.OPEN
        evidence = None if self.settings or supposes or answer.route is Route.PRESUPPOSITION else self.evidence
        if evidence is None and not self.lists_statements:
            return answer
        from kgqa.presuppositions.statement_check import add_statements

        find = self.texts.find if self.texts is not None and not self.texts.closed else None
        try:
            return add_statements(answer, whole, find, evidence, lists=self.lists_statements)
        except EvidenceModelInvalid as error:
            unchecked = add_statements(answer, whole, lists=self.lists_statements)
            return replace(unchecked, remarks=(*unchecked.remarks, Step("unchecked_premises", (str(error),))))

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


def _first_of_several(answer: Answer, whole: str, number: int) -> Answer:
    """Return the answer to the first causal one of several questions, with what it leaves out."""
    conclusion = FirstOfSeveral(number, answer.question, answer.conclusion)
    remainder = Missing("other_questions", (str(number),), "ask_one_by_one")
    return replace(answer, question=whole, conclusion=conclusion, gaps=(*answer.gaps, remainder))


def check_question(question: str) -> str:
    """Return the question in single spaces; raises `QuestionInvalid` where there is none or it is overlong."""
    text = clean_question(question)
    if not any(character.isalnum() for character in text):
        raise QuestionInvalid("it is empty")
    if len(text) > MAX_QUESTION:
        raise QuestionInvalid(f"it has {len(text):,} characters, at most {MAX_QUESTION:,} are read")
    return text
