"""The parser of the replies of a chat model: the short answer in a reply, its kind and its place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from kgqa.readers.reader import AnswerKind

LONGEST_ANSWER = 200
"""The length, in characters, at which an answer is cut."""
_REFUSALS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))["refusal"]
_REFUSAL = re.compile("|".join(f"(?:{row['pattern']})" for row in _REFUSALS), re.IGNORECASE | re.DOTALL)
THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.IGNORECASE | re.DOTALL)
"""What a model marks as its thoughts, before its reply."""
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
    """The answer in a reply: its kind, its short form, the span of the reply that it comes from, whether it is cut."""

    kind: AnswerKind
    text: str = ""
    start: int = 0
    end: int = 0
    is_cut: bool = False


def parse_answer(reply_text: str, *, reasons: bool = False) -> ParsedAnswer:
    """Return the answer in a reply.

    In order: the field "answer" of text like JSON; the text after the last "the answer is" or "answer:"; the last line of a
    model that `reasons`, else the first line. Marked thoughts are skipped. A refusal or an empty reply is `AnswerKind.NULL`.
    """
    masked = THOUGHT.sub(lambda match: " " * len(match.group()), reply_text)
    masked = _FENCE.sub(lambda match: " " * (len(match.group()) - 1) + "\n", masked)
    start, end, quoted = _locate_answer(masked, reasons)
    is_cut = end - start > LONGEST_ANSWER
    if is_cut:
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
    return ParsedAnswer(AnswerKind.SPAN, " ".join(text.split()), start, end, is_cut)


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
