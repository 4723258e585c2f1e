"""The default reader: a small encoder that selects a span of a passage as the answer, or says yes, no, or "not told".

Passages are read in overlapping windows; `span_scoring` combines the scores of the windows. Where the model folder has weights
for it, `yes_no_model` decides between yes and no. Of long passages at most `READ_CHARACTERS` characters are read: the parts that
fit the question best.

The boolean reader uses the same network for yes, no or "not told" alone; a question without such an answer gets none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path

from kgqa.calibration.linear_model import LogisticModel, log_odds, logistic, softmax_array
from kgqa.questions.conditional_parser import may_suppose
from kgqa.questions.question_form import QuestionForm, asks_causally, question_form_of
from kgqa.readers.extractive.answer_lists import merge_several
from kgqa.readers.extractive.answer_support import has_asked_kind, support_log_odds
from kgqa.readers.extractive.span_network import Logits, SpanNetwork, TextWindow, load_network, read_reader_folder, reader_folder
from kgqa.readers.extractive.span_scoring import NULL_CLIP, LogitCalibration, WindowScores, likeliest_spans, rank_candidates
from kgqa.readers.extractive.yes_no_model import NETWORK_FEATURE, load_yes_no_model, shares_term, yes_no_features
from kgqa.readers.passage_parts import PART_LENGTH, PassagePart, select_parts
from kgqa.readers.reader import AnswerKind, Candidate, Passage, no_answer
from kgqa.settings import Settings

EXTRACTIVE, BOOLEAN = "extractive", "boolean"
READ_CHARACTERS = 48_000
"""The most characters that are read for one question, some forty windows, so that its time is bounded."""
SPANS_PER_WINDOW = 20
"""How many spans of a window become candidates."""
READ_AROUND = 2_000
"""How many characters before and behind an answer are compared with the question."""
_OTHER_KIND = 0.2
_WEIGHED = 5
"""How many candidates are weighed at least, so that the first is the same however many are asked for."""
PLAIN_NULL_SHARE = 0.45
"""The share of the calibration's `null` that is added to the logit of "not told" for questions without "if". It is set by hand:
the whole of it refuses plain answers. Nor are the scores of such questions mapped by the knots fitted on those with "if": on
held-out articles they are better calibrated without."""


@dataclass(frozen=True, slots=True)
class ExtractiveReader:
    """Reads with the network of a model folder, which is loaded when something is first read.

    With the name `BOOLEAN` it answers yes, no or "not told" alone; the trace has the probability of each.
    """

    folder: Path
    name: str = EXTRACTIVE

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty. Raises `ReaderInvalid` for a damaged model folder."""
        form = question_form_of(question)
        if self.name != BOOLEAN:
            return self._read_as(form, question, passages, best)
        if form is QuestionForm.OPEN:
            return (no_answer(f"{BOOLEAN}: the question does not ask whether"),)
        candidates = self._read_as(QuestionForm.WHETHER, question, passages, len(AnswerKind))
        summary = ", ".join(f"{candidate.text or 'not told'} {candidate.score:.2f}" for candidate in candidates)
        return tuple(
            replace(candidate, trace=(*candidate.trace, f"{BOOLEAN}: {summary}")) for candidate in candidates[: max(1, best)]
        )

    def _read_as(self, form: QuestionForm, question: str, passages: Sequence[Passage], best: int) -> Sequence[Candidate]:
        parts = []
        if any(map(str.isalnum, question)):
            parts = select_parts(question, passages, READ_CHARACTERS, READ_CHARACTERS // PART_LENGTH)
        if not parts:
            return (no_answer(f"{EXTRACTIVE}: nothing to read"),)
        network = self.network
        calibration = network.weights.calibration
        if not may_suppose(question):
            calibration = replace(calibration, null=calibration.null * PLAIN_NULL_SHARE, right=())
        windows = [
            score_window(window, network.logits(window), calibration, network.weights.longest)
            for part in parts
            for window in network.windows(part.of, part.start, question, part.passage.text)
        ]
        if form is QuestionForm.WHETHER and (model := load_yes_no_model(self.folder)):
            windows, calibration = _apply_yes_no_model(model, question, parts, windows), replace(calibration, right=())
        candidates = rank_candidates(windows, passages, calibration, form, max(best, _WEIGHED))
        if form is QuestionForm.OPEN:
            candidates = _weigh_kinds(candidates, question)
        if form is QuestionForm.OPEN and not (asks_causally(question) or may_suppose(question)):
            candidates = _weigh_support(candidates, question, passages)
        if form is QuestionForm.OPEN:
            candidates = merge_several(candidates, question, passages)
        trace = (_describe_windows(parts, passages, len(windows)),)
        return tuple(replace(candidate, trace=trace) for candidate in candidates[: max(1, best)])

    @property
    def network(self) -> SpanNetwork:
        """The network, loaded once for all readers that use its folder."""
        return load_network(self.folder)


def make_extractive_reader(
    model: str | None = None, settings: Settings | None = None, name: str = EXTRACTIVE
) -> ExtractiveReader:
    """Return the reader with the model folder given, else that of the settings, else the shipped one.

    Raises `ReaderInvalid` where a file of the folder is missing.
    """
    return ExtractiveReader(read_reader_folder(reader_folder(model, settings)).folder, name)


def _apply_yes_no_model(
    model: LogisticModel, question: str, parts: Sequence[PassagePart], windows: Sequence[WindowScores]
) -> list[WindowScores]:
    """Return the scores of windows with "yes" and "no" replaced by the probabilities of the yes-no model.

    It weighs what the network says of the window beside the words of the passage. A passage with no word of the question gets
    "not told"; else the probability of "not told" stays.
    """
    texts = {place: "\n".join(part.passage.text for part in parts if part.of == place) for place in {part.of for part in parts}}
    features = {place: yes_no_features(question, text) for place, text in texts.items()}
    scored = []
    for window in windows:
        yes, no = (max(NULL_CLIP, window.kinds[kind]) for kind in (AnswerKind.YES, AnswerKind.NO))
        chance = model.probability(features[window.passage] | {NETWORK_FEATURE: log(yes / no)})
        kinds = {**window.kinds, AnswerKind.YES: chance, AnswerKind.NO: 1.0 - chance}
        if not shares_term(question, texts[window.passage]):
            kinds[AnswerKind.NULL] = 1.0
        scored.append(replace(window, kinds=kinds))
    return scored


def _weigh_kinds(candidates: Sequence[Candidate], question: str) -> list[Candidate]:
    """Return candidates with those less likely that cannot be of the kind that is asked for."""
    weighed = [
        replace(item, score=item.score * _OTHER_KIND)
        if item.kind is AnswerKind.SPAN and not has_asked_kind(question, item.text)
        else item
        for item in candidates
    ]
    return sorted(weighed, key=lambda item: -item.score)


def _weigh_support(candidates: Sequence[Candidate], question: str, passages: Sequence[Passage]) -> list[Candidate]:
    """Return candidates with "not told" likelier where the words of the passage of the likeliest answer speak against it.

    That they speak for it says little: what a passage does not tell is often asked in its words.
    """
    first = next((item for item in candidates if item.start is not None and item.end is not None), None)
    null = next((item.score for item in candidates if item.kind is AnswerKind.NULL), None)
    if first is None or first.passage is None or first.start is None or first.end is None or null is None:
        return list(candidates)
    text, start, end = passages[first.passage].text, first.start, first.end
    low, high = max(0, start - READ_AROUND), end + READ_AROUND
    shift = max(0.0, support_log_odds(question, text[low:high], start - low, end - low))
    moved = logistic(log_odds(null, NULL_CLIP) + shift)
    left = (1.0 - moved) / max(NULL_CLIP, 1.0 - null)
    weighed = [replace(item, score=moved if item.kind is AnswerKind.NULL else item.score * left) for item in candidates]
    return sorted(weighed, key=lambda item: -item.score)


def _describe_windows(parts: Sequence[PassagePart], passages: Sequence[Passage], windows: int) -> str:
    whole, read = sum(len(item.text) for item in passages), sum(len(item.passage.text) for item in parts)
    count = f"{windows} window{'s' if windows != 1 else ''} of {len({item.of for item in parts})} of {len(passages)} passages"
    chosen = f"; of {whole:,} characters the {read:,} most like the question" if read < whole else ""
    return f"{EXTRACTIVE}: read {count}{chosen}"


def score_window(window: TextWindow, logits: Logits, calibration: LogitCalibration, longest: int) -> WindowScores:
    """Return the calibrated probabilities of the kinds and of the likeliest spans of a window."""
    import numpy as np

    tilt = np.array([calibration.null if kind is AnswerKind.NULL else 0.0 for kind in AnswerKind])
    kinds = softmax_array((logits.kind + tilt) / calibration.kind)
    token_spans = likeliest_spans(
        logits.start, logits.end, window.begins, window.ends, longest, calibration.span, SPANS_PER_WINDOW
    )
    places = window.places
    spans = [(places[span.first][0], places[span.last][1], span.probability) for span in token_spans]
    return WindowScores(window.passage, dict(zip(AnswerKind, map(float, kinds), strict=True)), spans)
