"""The readers over a chat server: `chat`, `chat:cot`, `chat:closed`, `chat:reason`; and the short answer in a reply."""

from __future__ import annotations

import math
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.answer_normalisation import find_words
from kgqa.readers.chat.chat_client import ChatClient, ChatReply, PromptTooLong
from kgqa.readers.chat.chat_prompts import (
    PROMPT_STYLES,
    Prompt,
    PromptStyle,
    build_prompt,
    clean_prompt_text,
    load_demonstrations,
)
from kgqa.readers.chat.chat_settings import TOKENS, ChatSettings, read_chat_settings
from kgqa.readers.chat.reply_cache import ReplyCache, reply_key
from kgqa.readers.chat.token_usage import Cost
from kgqa.readers.reader import AnswerKind, Candidate, Passage, no_answer
from kgqa.settings import Settings, user_agent

_SAMPLING_TEMPERATURE = 0.7
"""The temperature of several samples; a single sample is drawn at 0."""
_BUDGET_SHRINKAGE = 0.6
_TRIES_TO_FIT = 4
_ARTICLES = re.compile(r"\b(?:a|an|the)\b|[^\w\s]|_", re.IGNORECASE)
LONGEST_ANSWER = 200
"""The length, in characters, at which an answer is cut."""
_REFUSALS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))["refusal"]
_REFUSAL = re.compile("|".join(f"(?:{row['pattern']})" for row in _REFUSALS), re.IGNORECASE | re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.IGNORECASE | re.DOTALL)
_FENCE = re.compile(r"```[a-z]*\n?", re.IGNORECASE)
_QUOTED = r'"(?P<double>(?:[^"\\]|\\.)*)"|\'(?P<single>(?:[^\'\\]|\\.)*)\''
_FIELD = re.compile(
    rf"[\"'](?:final[_ ]?)?answer[\"']\s*:\s*(?:\[\s*)?(?:{_QUOTED}|(?P<bare>[^\s\"',}}\]][^\"',}}\]\n]*))", re.IGNORECASE
)
_PROSE = re.compile(
    r"\b(?:final |correct |short )?answer(?: to the question)?(?:\s+(?:is|would be|was|will be)\b\s*:?|\s*:)", re.IGNORECASE
)
_ESCAPED = re.compile(r"\\([\"'\\/])")
_THAT = re.compile(r"\s*that\b", re.IGNORECASE)
_END = re.compile(r"(?<![A-Z])(?<!\b[A-Z][a-z])(?<!\bNo)(?<!\bvs)\.(?=\s+[\"“‘(]?[A-Z]|\s*\Z)|\n")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]\.){2,}$|\b(?:Jr|Sr|Inc|Ltd|Co|St|a\.m|p\.m|etc)\.$")
"""An answer whose final full stop belongs to an abbreviation, as in "U.S." and "Jr."."""
_WRAPPING = " \t\r\n*_`\"'“”‘’«»"
_YES_NO = re.compile(r"(yes|no|true|false)\b(?!\.\s*[0-9])[*_`'\"]*(?:\s*[,.;:!–—-].*|\s*)", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class ParsedAnswer(NamedTuple):
    """The answer in a reply: its kind, its short form, and the span of characters of the reply that it comes from."""

    kind: AnswerKind
    text: str = ""
    start: int = 0
    end: int = 0


class _SampledAnswer(NamedTuple):
    reply: ChatReply
    parsed: ParsedAnswer


def make_chat_reader(
    model: str = "", settings: Settings | None = None, name: str = "chat", note: Callable[[str], None] | None = None
) -> ChatReader:
    """Return the reader `name` (a key of `PROMPT_STYLES`) for a model, with the other values of the settings.

    Sends no request. Raises `ChatSettingInvalid`.
    """
    chat = read_chat_settings(model, settings=settings)
    cache = ReplyCache(chat.cache, note or _to_stderr) if chat.cache is not None else None
    return ChatReader(
        chat,
        PROMPT_STYLES[name],
        ChatClient(chat.url, chat.key, chat.retry_policy, user_agent(settings), limits=chat.limits),
        cache,
    )


class ChatReader:
    """Reads answers with a chat model, in one prompt style.

    The same question, passages and settings make the same prompt, and with a cache the same answer.
    """

    def __init__(self, settings: ChatSettings, style: PromptStyle, client: ChatClient, cache: ReplyCache | None = None) -> None:
        self._settings = settings
        self._style = style
        self._client = client
        self._cache = cache
        self._cached = 0
        self._pool = load_demonstrations(settings.train, settings.seed)

    @property
    def name(self) -> str:
        """The name of the reader in `--reader`."""
        return self._style.name

    @property
    def cost(self) -> Cost:
        """The cost of the requests so far."""
        return self._client.cost + Cost(cached=self._cached)

    def cost_line(self) -> str:
        """Return the cost so far as a line of text."""
        return self.cost.line(self._settings.price)

    def cost_record(self) -> dict[str, float | int | bool | None]:
        """Return the cost so far as a JSON object."""
        return self.cost.record(self._settings.price)

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, by descending score; raise `ChatFailed` where the server fails.

        A closed-book prompt shows no passages, but an answer is still located in them.
        """
        if not any(map(str.isalnum, question)):
            return [no_answer("the question has no words")]
        if self._style.passages and not any(character.isalnum() for passage in passages for character in passage.text):
            return [no_answer("there is no passage to read")]
        budget = self._settings.budget
        tokens = min(self._settings.tokens or self._style.tokens, budget // 2)
        for left in reversed(range(_TRIES_TO_FIT)):
            prompt = build_prompt(self._style, question, passages, self._pool, self._settings.shots, budget - tokens)
            if prompt is None:
                return [no_answer("the question leaves no room in a prompt")]
            try:
                answers = [self._answer(question, prompt, tokens, sample) for sample in range(self._settings.samples)]
            except PromptTooLong:
                if not left:
                    raise
                budget = int(_BUDGET_SHRINKAGE * min(budget, prompt.tokens() + tokens))
            else:
                return self._candidates(answers, prompt, passages)[: max(best, 1)]
        raise AssertionError("every try ends above")

    def _answer(self, question: str, prompt: Prompt, tokens: int, sample: int) -> _SampledAnswer:
        body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": list(prompt.messages),
            "max_tokens": tokens,
            "temperature": 0.0 if self._settings.samples == 1 else _SAMPLING_TEMPERATURE,
            "seed": self._settings.seed + sample,
            "logprobs": True,
            "top_logprobs": 1,
        }
        key = reply_key(self._settings.url, body)
        reply = self._cache.get(key) if self._cache is not None else None
        self._cached += reply is not None
        if reply is None:
            reply = self._client.ask(body)
            if self._cache is not None:
                self._cache.put(key, reply)
        meaning = ParsedAnswer(AnswerKind.NULL) if reply.refused else parse_answer(reply.text, reasons=self._style.reasons)
        if meaning.kind in {AnswerKind.YES, AnswerKind.NO} and question_form_of(question) is QuestionForm.OPEN:
            meaning = meaning._replace(kind=AnswerKind.SPAN)
        return _SampledAnswer(reply, meaning)

    def _candidates(self, answers: Sequence[_SampledAnswer], prompt: Prompt, passages: Sequence[Passage]) -> list[Candidate]:
        groups: dict[tuple[AnswerKind, str], list[_SampledAnswer]] = defaultdict(list)
        for answer in answers:
            # Answers that differ only in articles, case and punctuation are equal.
            text = " ".join(_ARTICLES.sub(" ", answer.parsed.text.casefold()).split())
            groups[answer.parsed.kind, text].append(answer)
        candidates = [self._candidate(group, len(answers), prompt, passages) for group in groups.values()]
        return sorted(candidates, key=lambda candidate: -candidate.score)

    def _candidate(self, group: Sequence[_SampledAnswer], samples: int, prompt: Prompt, passages: Sequence[Passage]) -> Candidate:
        answer = group[0]
        score, why = self._score(group, samples)
        trace = [f"{self._settings.model}: {len(prompt.passages)} passages and {prompt.shots} demonstrations shown; {why}"]
        if answer.reply.finish == "length":
            trace.append(f"the answer was cut off; {TOKENS} lets it be longer")
        if self._style.reasons and answer.parsed.kind is not AnswerKind.NULL:
            trace.append("the model says: " + clean_prompt_text(answer.reply.text)[:500])
        for number, passage in enumerate(passages if answer.parsed.kind is AnswerKind.SPAN else ()):
            if span := find_words(answer.parsed.text, passage.text):
                return Candidate(passage.text[slice(*span)], score, AnswerKind.SPAN, number, *span, tuple(trace))
        return Candidate(answer.parsed.text, score, answer.parsed.kind, trace=tuple(trace))

    def _score(self, group: Sequence[_SampledAnswer], samples: int) -> tuple[float, str]:
        """Return the score of an answer and its explanation.

        Of several samples it is the share with the answer, counting one further sample without it. The model's own probability
        is lowered because models are overconfident: 1 becomes the mean of 1 and the accuracy of such prompts (`prior`). The
        factor is the same for all answers, so their scores add up to at most 1.
        """
        prior = self._style.prior
        if samples > 1:
            return len(group) / (samples + 1), f"{len(group)} of {samples} samples agree"
        certain = _answer_probability(group[0].reply, group[0].parsed)
        if certain is None:
            return prior, "sure as such prompts are on the whole"
        return min(max(certain, 0.0), 1.0) * (1 + prior) / 2, f"the model's own probability is {certain:.2f}"


def _to_stderr(line: str) -> None:
    print(f"kgqa: {line}", file=sys.stderr)


def parse_answer(reply_text: str, *, reasons: bool = False) -> ParsedAnswer:
    """Return the answer in a reply.

    In order: the field "answer" of text like JSON; the text after the last "the answer is" or "answer:"; the last line of a
    model that `reasons`, else the first line. Marked thoughts are skipped. A refusal or an empty reply is `AnswerKind.NULL`.
    """
    masked = _THOUGHT.sub(lambda match: " " * len(match.group()), reply_text)
    masked = _FENCE.sub(lambda match: " " * (len(match.group()) - 1) + "\n", masked)
    start, end, quoted = _locate_answer(masked, reasons)
    if end - start > LONGEST_ANSWER:
        space = masked.rfind(" ", start, start + LONGEST_ANSWER)
        end = space if space > start else start + LONGEST_ANSWER
    if not quoted:
        start, end = _trim_answer(masked, start, end)
    text = _CONTROL.sub(" ", _ESCAPED.sub(r"\1", reply_text[start:end]) if quoted else reply_text[start:end]).strip()
    if not any(character.isalnum() for character in text) or _REFUSAL.fullmatch(text.rstrip(". ")):
        return ParsedAnswer(AnswerKind.NULL, "", start, end)
    decided = _YES_NO.fullmatch(text)
    if decided is not None:
        kind = AnswerKind.YES if decided[1].lower() in ("yes", "true") else AnswerKind.NO
        return ParsedAnswer(kind, kind.value, start, start + len(decided[1]))
    return ParsedAnswer(AnswerKind.SPAN, " ".join(text.split()), start, end)


def _locate_answer(reply_text: str, reasons: bool) -> tuple[int, int, bool]:
    """Return the span of the answer, and whether it is a quoted string."""
    fields = list(_FIELD.finditer(reply_text))
    if fields:
        group = next(name for name in ("double", "single", "bare") if fields[-1][name] is not None)
        return *fields[-1].span(group), group != "bare"
    marks = [mark for mark in _PROSE.finditer(reply_text) if reply_text[mark.end() :].strip(_WRAPPING + ".")]
    if marks:
        start = marks[-1].end()
        that = _THAT.match(reply_text, start)
        return *_rest_of_sentence(reply_text, that.end() if that else start), False
    lines = [match.span() for match in re.finditer(r"[^\n]+", reply_text) if match.group().strip()]
    if not lines:
        return 0, 0, False
    return *_rest_of_sentence(reply_text, lines[-1 if reasons else 0][0]), False


def _rest_of_sentence(reply_text: str, start: int) -> tuple[int, int]:
    """Return the span from `start` to the end of the sentence or of the line."""
    while start < len(reply_text) and reply_text[start] in _WRAPPING + ":":
        start += 1
    match = _END.search(reply_text, start)
    return start, match.start() if match else len(reply_text)


def _trim_answer(reply_text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the quotation marks, marks of emphasis and full stops around it."""
    while start < end and reply_text[start] in _WRAPPING:
        start += 1
    while end > start and reply_text[end - 1] in f"{_WRAPPING}.,;":
        if reply_text[end - 1] in ".,;" and _ABBREVIATION.search(reply_text[start:end]):
            break
        end -= 1
    return start, end


def _answer_probability(reply: ChatReply, answer: ParsedAnswer) -> float | None:
    """Return the product of the probabilities of the answer's tokens; `None` where the reply has no probabilities."""
    before = "".join(token.text for token in reply.tokens).rfind(reply.text)  # thoughts may come before the text
    if before < 0:
        return None
    place, logprobs = -before, []
    for token in reply.tokens:
        end = place + len(token.text)
        if end > answer.start and place < answer.end:
            logprobs.append(token.logprob)
        place = end
    return math.exp(max(sum(logprobs), -700.0)) if logprobs else None
