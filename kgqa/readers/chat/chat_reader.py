"""The readers over a chat server: `chat`, `chat:cot`, `chat:closed`, `chat:reason`."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.answer_normalisation import find_words
from kgqa.readers.chat.cached_chat import CachedChat, open_chat
from kgqa.readers.chat.chat_client import ChatReply, PromptTooLong
from kgqa.readers.chat.chat_prompts import (
    PROMPT_STYLES,
    Prompt,
    PromptStyle,
    build_prompt,
    clean_prompt_text,
    load_demonstrations,
)
from kgqa.readers.chat.chat_settings import TOKENS, ChatSettings, read_chat_settings
from kgqa.readers.chat.reply_parsing import LONGEST_ANSWER, ParsedAnswer, parse_answer
from kgqa.readers.chat.token_usage import Cost
from kgqa.readers.reader import AnswerKind, Candidate, Passage, no_answer
from kgqa.settings import Settings

_SAMPLING_TEMPERATURE = 0.7
"""The temperature of several samples; a single sample is drawn at 0."""
_BUDGET_SHRINKAGE = 0.6
_TRIES_TO_FIT = 4
_ARTICLES = re.compile(r"\b(?:a|an|the)\b|[^\w\s]|_", re.IGNORECASE)


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
    return ChatReader(chat, PROMPT_STYLES[name], open_chat(chat, settings, note))


class ChatReader:
    """Reads answers with a chat model, in one prompt style.

    The same question, passages and settings make the same prompt, and with a cache the same answer.
    """

    def __init__(self, settings: ChatSettings, style: PromptStyle, chat: CachedChat) -> None:
        self._settings = settings
        self._style = style
        self._chat = chat
        self._pool = load_demonstrations(settings.train, settings.seed)

    @property
    def name(self) -> str:
        """The name of the reader in `--reader`."""
        return self._style.name

    @property
    def cost(self) -> Cost:
        """The cost of the requests so far."""
        return self._chat.cost

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
        reply = self._chat.ask(body)
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
        if answer.parsed.is_cut:
            trace.append(f"the answer was cut to {LONGEST_ANSWER} characters; the reply has {len(answer.reply.text):,}")
        if self._style.reasons and answer.parsed.kind is not AnswerKind.NULL:
            trace.append("the model says: " + clean_prompt_text(answer.reply.text)[:500])
        for number, passage in enumerate(passages if answer.parsed.kind is AnswerKind.SPAN else ()):
            if span := find_words(answer.parsed.text, passage.text):
                return Candidate(passage.text[slice(*span)], score, AnswerKind.SPAN, number, *span, tuple(trace))
        text = f"{answer.parsed.text} …" if answer.parsed.is_cut else answer.parsed.text
        return Candidate(text, score, answer.parsed.kind, trace=tuple(trace), is_written=answer.parsed.kind is AnswerKind.SPAN)

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
