"""A graph and texts asked together: what either says, whether they agree, and which of them the answer is from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graph.text.segmentation import text_tokens
from graph.text.stems import prefix_stems
from kgqa.answer_model import Answer, CausalConnection, Route, Verdict
from kgqa.linking.mention import content_words
from kgqa.passages.passage_answer import PassageInput, answer_passages
from kgqa.question import QuestionType, Semantic, Slots
from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.answer_normalisation import normalise_answer
from kgqa.reasons import Refusal, Step

READER_SURE = 0.7
"""The confidence of a reader from which on the claims of a passage are not mined as well: a set rule."""
SENTENCE_LIKELY = 0.5
"""The least confidence of what is read in the sentences that a graph keeps: none of them was chosen for the question; set."""
GRAPH_SURE = 0.5
"""The confidence of a graph from which on no reader of a corpus outranks it; set."""
CORPUS_LIKELY = 0.2
"""The least confidence of what is read in a corpus about causes; below it 1 of 58 answers was right, above it 3 of 41."""
_ALIKE = 0.5


def answer_graph_and_passages(
    question: str, kind: QuestionType, texts: PassageInput, ask_graph: Callable[[], Answer], *, premised: bool = False
) -> Answer:
    """Return the answer from texts that were given, fused with the answer of the graph where the question is causal.

    A graph that has to be mined first is not asked where the reader is sure, or no sentence promises a claim; a question that is
    `premised`, for it takes a claim for granted, is put to it in any case.
    """
    read = answer_passages(question, kind, texts)
    if kind.semantic is None and not premised:
        return read
    spared = None if premised else _why_not_mined(kind, read, texts)
    if spared is not None:
        return _withhold_unsupported(replace(read, steps=(*read.steps, spared)), kind, texts)
    graph = ask_graph()
    if graph.route is Route.PRESUPPOSITION:
        return replace(graph, steps=(*graph.steps, *read.steps))
    if kind.semantic is None:
        return replace(read, presuppositions=graph.presuppositions)
    return replace(_fuse_answers(read, graph, texts), presuppositions=graph.presuppositions)


def answer_from_sentences(question: str, graph: Answer, texts: PassageInput) -> Answer:
    """Return what a reader finds in the sentences that a graph keeps, where the graph itself does not know (`graph`).

    Whether something is so is not answered in this way: that no claim says it weighs more than what a reader takes a sentence to
    say. The answer has to be likely, and its sentence has to name what the question is about.
    """
    read = answer_passages(question, graph.type, texts)
    excerpt = read.read[0].excerpt if read.read else None
    if excerpt is None or read.verdict is not None or read.confidence < SENTENCE_LIKELY:
        return graph
    if _unnamed_phrase(graph.type.slots, excerpt.text):
        return graph
    return replace(
        read,
        remarks=(*graph.remarks, *read.remarks, Step("kept_sentence")),
        steps=(*graph.steps, Step("sentences_read"), *read.steps),
        gaps=graph.gaps,
    )


def _fuse_answers(read: Answer, graph: Answer, texts: PassageInput) -> Answer:
    """Return the answer of the two that is surer, with what the other says; on whether something is so, that of the graph."""
    if not _has_answer(graph):
        without = (*graph.steps, Step("graph_refused", (graph.conclusion,)))
        guarded = _withhold_unsupported(replace(read, steps=(*read.steps, *without)), read.type, texts, graph.connection)
        unlikely = texts.promises is None and read.verdict is None and read.confidence < CORPUS_LIKELY
        if guarded.answer is not None and not unlikely:
            return guarded
        missing = tuple(dict.fromkeys((*graph.gaps, *read.gaps)))
        if texts.promises is not None:  # the graph was made of the text alone: what is missing is missing there
            return replace(graph, conclusion=guarded.conclusion, gaps=guarded.gaps or missing, steps=guarded.steps)
        return replace(graph, steps=(*read.steps, *graph.steps), gaps=missing)
    if not _has_answer(read):
        return replace(graph, steps=(*graph.steps, *read.steps, Step("reader_refused", (read.conclusion,))))
    agree = _answers_agree(read, graph)
    whether = graph.verdict is not None
    wins = whether or graph.confidence >= (min(read.confidence, GRAPH_SURE) if texts.promises is None else read.confidence)
    first, second = (graph, read) if wins else (read, graph)
    names = ("graph", "reader") if wins else ("reader", "graph")
    confidence = first.confidence
    if agree:  # the two are not independent, so the second counts half; a set rule: 202 rows gave 4 with both, too few to fit
        low, high = sorted((first.confidence, second.confidence))
        confidence = high + (1.0 - high) * low / 2.0
    remark = Step("second_answer", (names[1], agree, second.verdict or second.answer, second.confidence))
    return replace(
        first,
        confidence=confidence,
        findings=graph.findings,
        evidence=graph.evidence,
        against=graph.against,
        read=read.read if wins else (read.read[0]._replace(confidence=confidence), *read.read[1:]),
        remarks=(*first.remarks, remark),
        steps=(
            *first.steps,
            *second.steps,
            Step("both_answers", (graph.verdict or graph.answer, graph.confidence, read.answer, read.confidence)),
            Step("agreement", (agree, names[0], whether)),
        ),
    )


def _is_stated(read: Answer) -> bool:
    """Return whether a sentence of a text states the verdict that was read."""
    stated = any(isinstance(step, Step) and step.kind == "stated" for step in read.steps)
    return stated and read.verdict not in (None, Verdict.UNKNOWN)


def _has_answer(answer: Answer) -> bool:
    return answer.answer is not None or answer.verdict is Verdict.CONTESTED


def _why_not_mined(kind: QuestionType, read: Answer, texts: PassageInput) -> Step | None:
    """Return why the claims of a passage need not be mined; `None` where they have to be, or where the graph is at hand."""
    if _is_stated(read):
        return Step("stated_verdict", (texts.title,))
    if texts.promises is None:
        return None
    if not texts.promises(_concept_phrases(kind.slots)):
        return Step("no_promise", (texts.title,))
    if kind.conditional is not None and read.answer is not None and question_form_of(read.question) is QuestionForm.OPEN:
        return Step("hypothetical", (texts.title,))
    if kind.semantic is not Semantic.VERIFICATION and read.answer is not None and read.confidence >= READER_SURE:
        return Step("reader_sure", (texts.title, read.confidence))
    return None


def _concept_phrases(slots: Slots) -> list[str]:
    target = slots.condition.target if slots.condition else None
    return [phrase for phrase in (slots.cause, slots.effect, target) if phrase]


def _unnamed_phrase(slots: Slots, text: str) -> str:
    """Return a phrase of the question of which no word stands in a text, by how words begin; empty where all are named."""
    stems = prefix_stems(text_tokens(text.lower()))
    for phrase in _concept_phrases(slots):
        words = text_tokens(" ".join(content_words(phrase)).lower())
        if stems.isdisjoint(prefix_stems(word for word in words if len(word) > 1)):
            return phrase
    return ""


def _withhold_unsupported(
    read: Answer, kind: QuestionType, texts: PassageInput, connection: CausalConnection | None = None
) -> Answer:
    """Return what a reader says to whether one thing causes another, if it may: no claim says the reverse, and both are named."""
    if kind.semantic is not Semantic.VERIFICATION or read.answer is None or texts.closed or _is_stated(read):
        return read
    unnamed = ""
    if connection is not CausalConnection.REVERSED:
        unnamed = _unnamed_phrase(kind.slots, " ".join(passage.text for passage in texts.find(read.question)))
        if not unnamed:
            return read
    return replace(
        read,
        route=Route.NONE,
        answer=None,
        verdict=Verdict.UNKNOWN,
        confidence=0.0,
        read=(),
        conclusion=Refusal("unsupported_reading", (texts.title, unnamed)),
        steps=(*read.steps, Step("unsupported_reading", (unnamed,))),
    )


def _answers_agree(read: Answer, graph: Answer) -> bool:
    """Return whether two answers say the same: one verdict, or words of which half are shared, or one holds the other.

    Words count by how they begin.
    """
    if graph.verdict is not None or read.verdict is not None:
        return graph.verdict is read.verdict
    ours = prefix_stems(normalise_answer(read.answer or "").split())
    for name in (graph.answer or "", *(finding.text for finding in graph.findings)):
        theirs = prefix_stems(normalise_answer(name).split())
        common = len(ours & theirs)
        if common > 0 and (common == min(len(ours), len(theirs)) or 2 * common >= _ALIKE * (len(ours) + len(theirs))):
            return True
    return False
