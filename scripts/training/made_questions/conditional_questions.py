"""Questions with "if", made by rule: what a sentence says is supposed otherwise, and the passage tells what would follow.

Which sentence gives which question is a table, `suppositions.toml`. In its patterns group A is the answer (of a template with
`shift`, the number that the answer is reckoned from) and X the subject of the question; slots in braces are those of
`reader.slots.SLOTS`. In its suppositions and questions, {X} is the subject in full, {it}, {its} and {him}
its pronouns, {not_} "had not" or "hadn't", {who} who or what, as the answer is a person or not, and {v:pp} the participle of v.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from reader.reader_rows import Row, every_row

from made_questions.answer_checks import AFTER_ANSWER, explains, goes_on, leaks, stands_alone, trimmed
from made_questions.article_passages import Found, gathered, grams
from made_questions.question_phrasing import fields, phrased, shifted
from made_questions.question_templates import TABLES, Template, templates
from made_questions.standalone_mentions import named, resolved

LARGEST_SHARE = 0.06
"""Which part of the rows one template may make."""
GROUND = re.compile(
    r"riginally|nitially|ormerly|eplaced|ucceeded|nstead|ather than|efeat|unner-up|ecause|due to|result|ed by |"
    r"aused|rompted|riggered|"
    r"enam|named|[Aa]fter |ecame|in (?:1[0-9]|20)\d\d|elayed|ostponed|born|joined|moved|resign|retired|appoint|"
    r"elected|awarded|Award|"
    r"Prize|won |second|largest|population|planned|intended|refused|declined|rejected|supposed|prevented|allowed|"
    r"forced|from \w+ to|favo"
)
"""What a sentence has to have for being looked at."""


def suppositions(wiki: Path, limit: int, apart: Iterable[str], seed: int = 7, every: int = 1) -> list[Row]:
    """Return up to `limit` rows of each source from a Wikipedia file.

    None has a passage that shares a run of words with a text of `apart`.
    """
    kept_out = set().union(*map(grams, apart)) if apart else set()
    return drawn(gathered(wiki, GROUND, every), limit, kept_out, seed)


def drawn(ground: Iterable[Found], limit: int, kept_out: set[int], seed: int = 7) -> list[Row]:
    """Return up to `limit` rows of each source from sentences, none of whose templates makes more than its share."""
    made: dict[str, list[Row]] = {}
    for sentence in ground:
        for row in asked(sentence, seed):
            made.setdefault(row.id.rpartition("-")[0], []).append(row)
    rows: dict[str, list[Row]] = {source: [] for source in TABLES}
    questions: set[str] = set()
    for some in made.values():
        some.sort(key=lambda row: crc32(f"{seed} {row.question} {row.passage}".encode()))
        fresh: list[Row] = []
        for row in some:
            if len(fresh) >= LARGEST_SHARE * limit:
                break
            if row.question not in questions and not grams(row.passage) & kept_out:
                questions.add(row.question)
                fresh.append(row)
        rows[fresh[0].source if fresh else "made-if"] += fresh
    dice = random.Random(seed)
    for some in rows.values():
        dice.shuffle(some)
    return [row for some in rows.values() for row in some[:limit]]


def asked(sentence: Found, seed: int = 7) -> Iterator[Row]:
    """Yield one row of each template that a sentence fits."""
    text = sentence.text
    for template in templates():
        if not template.cue.search(text) or not (match := template.pattern.search(text)):
            continue
        dice = random.Random(f"{seed} {template.name} {text}")
        if made := _row(template, match, sentence, dice):
            yield made


def _row(template: Template, match: re.Match[str], sentence: Found, dice: random.Random) -> Row | None:
    groups = {name: words for name, words in match.groupdict().items() if words is not None}
    answer = trimmed(groups["A"].rstrip(" ,"))
    if any(goes_on(sentence.text[match.end(name) :]) for name in "ABEN" if name in groups):
        return None
    start = sentence.start + match.start("A")
    mention = None
    if match.start("A") == 0 and named(answer, sentence, dice) is None and not re.match(r"The [a-z-]+ [a-z]", answer):
        return None
    if answer.startswith('"') and template.name in ("nobody-did", "done-by", "by-whom", "who-did"):
        return None
    if "X" in groups and (mention := resolved(groups["X"], sentence, dice)) is None:
        return None
    words = fields(template, match, answer, mention, sentence, dice)
    if words is None or (
        not template.shift
        and not (explains(answer) if template.name.startswith("why") else stands_alone(answer, groups.get("X", "")))
    ):
        return None
    if not template.shift and (
        sentence.passage[start + len(answer) :][:6].startswith((" and ", " or "))
        and answer[0].isupper()
        and re.match(r" (?:and|or) (?:the )?[A-Z]", sentence.passage[start + len(answer) :])
    ):
        return None
    if (
        not template.shift
        and match.end("A") == match.end()
        and not template.name.startswith("why")
        and not AFTER_ANSWER.match(sentence.passage, start + len(answer))
    ):
        return None
    answers, kind = [answer], "span"
    if template.shift:
        amount = shifted(template.shift, answer, words, dice)
        if amount is None:
            return None
        answers, kind = [amount], "number"
    question = phrased(template, words, mention, dice)
    if question is None or (kind == "span" and leaks(answer, question)):
        return None
    span = (start, start + len(answer))
    assert sentence.passage[slice(*span)] == answer
    number = crc32(f"{question} {sentence.passage}".encode())
    return Row(
        template.source, question, sentence.passage, kind, [span], answers, "train", f"{template.source}-{template.name}-{number}"
    )


def measured(data: Path) -> Iterator[str]:
    """Yield the passages that a reader is measured or calibrated on: all of IfQA's development part, and of each set's rows."""
    with (data / "ifqa" / "full_split" / "dev.json").open(encoding="utf-8") as stream:
        items: list[dict[str, Any]] = json.load(stream)
    for item in items:
        yield from item["context"]
    for row in every_row(data):
        if row.part != "train":
            yield row.passage
