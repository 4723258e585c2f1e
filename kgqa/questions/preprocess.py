"""The text of a question before it is answered: clean characters, one question of several, contradictions, both directions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from graph.text.normalise import concept_name, singular
from graph.text.word_lists import kind_of_noun, table_rows
from kgqa.question import Attribute, QuestionType, Slots
from kgqa.questions.conditional_parser import ConditionalQuestion
from kgqa.questions.lexicon import read_question_data, read_question_rows
from kgqa.questions.tokenization import foreign_language

_TERMINAL_CODES = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]"
"""What steers a terminal (ECMA-48): colours, cursor movements. Patterns are compiled when a question needs them."""
_JOINERS = "\u200c\u200d"
_SHOWN_AS = dict.fromkeys(("Cc", "Zl", "Zp"), " ") | dict.fromkeys(("Cf", "Cs", "Co", "Cn"), "")
"""What a character that shows nothing becomes, by its category."""
_QUESTION_START = r"(?:what|which|who|why|how|when|where|does|do|did|is|are|was|were|can|could|will|would|should|has|have|if)\b"
_QUESTION_BREAK = rf"(?<=\?)[?!\s]*\s|:\s+(?={_QUESTION_START})|,?\s+and\s+(?=(?:what|which|why|how|does|do|did)\b)"
_OPTIONS_FIRST = r"[^:?]* or [^:?]*:\s+(?:what|which)\b"
"""How a question begins that has its options before it: "Frost or drought: which causes more hunger?"."""
_PRONOUNS = frozenset("it they them this that these those he she him her you".split())
"""What a slot cannot be by itself: it stands for something in another question."""
_STATEMENT_MARKS = frozenset(".!,;:")
_STATEMENT_END = rf"([.!]\s+|[,;:]\s*(?:and |so |but )?)(?={_QUESTION_START})"
_BESIDE_TOPIC = (
    r"\s+(?:for (?:a |many |several |some |\w+ )?(?:years?|months?|weeks?|long|while)|at school|in class|lately|again)$"
)
_POSSESSIVE = r"\b(?:its|their|his|her) (\w+)\b"
_STANDING_FOR = r"\b(?:it|this|that|he|she|they|him|her|them)\b"
_CONTRADICTION_WORDS = {
    "AUXILIARY": "(?:is|are|was|were|be|do|does|did|has|have|had|can|could|will|would|should)",
    "LESS": "eliminated|removed|abolished|eradicated|stopped|prevented|reduced|decreased|lowered|absent|gone|rarer",
    "MORE": "increased|raised|doubled|multiplied|present|added|introduced|commoner|more common",
}


@cache
def contradiction_expressions(kind: str) -> tuple[str, ...]:
    """Return the expressions of data/contradictions.jsonl of a kind.

    "both" says that a thing is and is not so; "opposed", at the beginning of a clause, that a thing is less or none and that it
    is more, or the other way round.
    """
    expressions = [row["expression"] for row in read_question_rows("contradictions.jsonl") if row["kind"] == kind]
    for name, words in _CONTRADICTION_WORDS.items():
        expressions = [expression.replace(f"{{{name}}}", words) for expression in expressions]
    return tuple(expressions)


class SelectedQuestion(NamedTuple):
    """The question that is answered, its type, and how many there were."""

    text: str
    kind: QuestionType
    of: int = 1


def clean_question(text: str) -> str:
    """Return text in single spaces, without what steers a terminal and without characters that show nothing."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    characters = (
        character if character in _JOINERS else _SHOWN_AS.get(unicodedata.category(character), character)
        for character in re.sub(_TERMINAL_CODES, "", text)
    )
    return " ".join("".join(characters).split())


class Rewording(NamedTuple):
    """A way of asking in notes or with asides, and the plain question that is meant, as an expression and what it becomes."""

    id: str
    expression: re.Pattern[str]
    wording: str
    examples: tuple[tuple[str, str], ...]


@cache
def rewordings(file: str = "rewordings.jsonl") -> Sequence[Rewording]:
    """Return the rewordings of a file of data in their order; of rewordings.jsonl each may apply to what the one before made."""
    return [
        Rewording(row["id"], re.compile(row["expression"], re.I), row["wording"], tuple(map(tuple, row["examples"])))
        for row in read_question_rows(file)
    ]


def presumed_questions(text: str) -> Iterator[str]:
    """Yield the causal questions that one may mean which is not causal by its form: "How do you get frostbite?" asks for causes.

    They are those of data/presumptions.jsonl, and answers to them only where all that they name is known.
    """
    if len(text) <= _LONGEST_REWORDED:
        for presumption in rewordings("presumptions.jsonl"):
            if presumption.expression.match(text):
                yield presumption.expression.sub(presumption.wording, text)


_LONGEST_REWORDED = 300
_NOTE_MARKS = (
    "+|->|=>|→|⇒| i mean | then| now what|step by step|simple words|simple terms|what chain|what series|"
    "what sequence|what steps|, why|, how come|can you|could you|would you|"
    " what steps| what stages| what means|end up|ends up|ended up|wind up|winds up|wound up|finish up|"
    "what part|things |factors |stuff |ways |methods |"
    ", which|: which|; which|? which| vs|versus|which one|which of| more to | more for | most for |"
    " most to | more damage | more harm | more in |"
    "means |steps | from|harm|damage| good |short|brief|quick|please|pls|plz|it matter|"
    "connection|link|relat|they connect| to an end| to a |signs |sign |symptoms |withdrawal|and how|and why|and, how|if so|"
    "and in|and by|. why|; why|! why|. how come|fail|refuse| right| true|true or|"
    " affects| threat| danger| hazard| against| with | for |thats |whats |"
    "isn't|isn’t|correct|really|myth|huh| is she| is he|n't it|n't they| so?"
).split("|")
"""What every text has one of that a rewording applies to, but for one that asks for causes and effects."""


@cache
def _glossary() -> dict[str, dict[str, str]]:
    """Return the foreign words of data/glossary.tsv with the English ones: those that ask, and those that join what is asked."""
    words: dict[str, dict[str, str]] = {"asks": {}, "joins": {}}
    for row in table_rows(read_question_data("glossary.tsv")):
        words[row["use"]][row["words"]] = row["english"]
    return words


def ask_in_english(text: str) -> str:
    """Return a question that asks in another language about something in English in English; any other as it is.

    "Warum is the sea salty?" becomes "why is the sea salty?".
    """
    asks, joins = _glossary().values()
    plain = text.lstrip("¿¡ ")
    opening = max((words for words in asks if plain.lower().startswith(f"{words} ")), key=len, default="")
    if not opening:
        return text
    rest = " ".join(joins.get(word, word) for word in plain[len(opening) + 1 :].split())
    known = any(kind_of_noun(singular(word.strip("?!.,").lower())) for word in rest.split())
    plainly = f"{asks[opening]} {rest}"
    return plainly if known and foreign_language(plainly) is None else text


def reword_note(text: str) -> str:
    """Return a question that is asked in notes, with an aside or half in another language as a plain one, others as they are."""
    text = ask_in_english(text)
    lowered = text.lower()
    marked = ("cause" in lowered and "effect" in lowered) or any(mark in lowered for mark in _NOTE_MARKS)
    if len(text) > _LONGEST_REWORDED or not marked:
        return text
    for rewording in rewordings():
        text = rewording.expression.sub(rewording.wording, text)
    return text


def select_question(text: str, classify: Callable[[str], QuestionType]) -> SelectedQuestion:
    """Return the first causal question of a text; the whole text where it holds one question only, or none that stands alone."""
    text = reword_note(text)
    if "?" not in text[:-1] and ": " not in text and " and " not in text:
        return _select_whole(text, classify)
    if re.match(_OPTIONS_FIRST, text, re.IGNORECASE):
        return _select_whole(text, classify)
    parts = dict.fromkeys(part.strip() for part in re.split(_QUESTION_BREAK, text, flags=re.IGNORECASE))
    candidates = [part for part in parts if any(map(str.isalnum, part))]
    questions = [part for part in candidates if part.endswith("?") or re.match(_QUESTION_START, part, re.IGNORECASE)]
    for part in questions if len(candidates) > 1 else ():
        kind = classify(part)
        phrases = {kind.slots.cause, kind.slots.effect} - {None}
        if kind.semantic is not None and phrases and _PRONOUNS.isdisjoint(phrases):
            return SelectedQuestion(part, kind, len(questions))
    return _select_whole(text, classify)


def _select_whole(text: str, classify: Callable[[str], QuestionType]) -> SelectedQuestion:
    kind = classify(text)
    if _STATEMENT_MARKS.isdisjoint(text[:-1]):
        return SelectedQuestion(text, kind)
    if kind.semantic is None or not _PRONOUNS.isdisjoint((kind.slots.cause, kind.slots.effect)):
        return _with_antecedent(text, classify) or SelectedQuestion(text, kind)
    return SelectedQuestion(text, kind)


def _with_antecedent(text: str, classify: Callable[[str], QuestionType]) -> SelectedQuestion | None:
    """Return the question behind a statement with what the statement is about in the place of its pronoun; `None` for none.

    "We are doing acid rain. What are its effects?" asks for the effects of acid rain.
    """
    statement, _, question = (*re.split(_STATEMENT_END, text, maxsplit=1, flags=re.IGNORECASE), "", "")[:3]
    expressions = [row["expression"] for row in read_question_rows("introductions.jsonl")] if question else []
    match = next(filter(None, (re.search(expression, statement, re.IGNORECASE) for expression in expressions)), None)
    if match is None:
        return None
    topic = re.sub(_BESIDE_TOPIC, "", match["topic"].strip(" .,;!"), flags=re.IGNORECASE)
    resolved = re.sub(_POSSESSIVE, rf"the \1 of {topic}", question, count=1, flags=re.IGNORECASE)
    if resolved == question:
        resolved = re.sub(_STANDING_FOR, topic, question, count=1, flags=re.IGNORECASE)
    kind = classify(resolved)
    if resolved == question or kind.semantic is None or not _PRONOUNS.isdisjoint((kind.slots.cause, kind.slots.effect)):
        return None
    return SelectedQuestion(resolved, kind)


def contradicts_itself(conditional: ConditionalQuestion) -> bool:
    """Return whether a question supposes that something both is and is not so."""
    if any(re.match(expression, conditional.clause, re.IGNORECASE) for expression in contradiction_expressions("opposed")):
        return True
    contradiction = re.search("|".join(contradiction_expressions("both")), conditional.clause, re.IGNORECASE)
    if contradiction is None:
        return False
    both = contradiction[0].lower()
    return not (("present" in both or "absent" in both) and ("present" in both) != ("absent" in both))


_CONVERSE = re.compile(
    r",?\s*\bor (?:(?:is it |does it go )?(?:vice versa|the other way a?round|the reverse|the opposite way)"
    r"|(?P<question>(?:does|do|did|can|could|will|would|is|are|was|were)\b.+))\W*$",
    re.IGNORECASE,
)
"""The second half of a question that asks for both directions."""


def converse_questions(question: str, kind: QuestionType) -> tuple[QuestionType, QuestionType] | None:
    """Return the two questions, each with its slots, where a question asks for both directions, else `None`."""
    match = _CONVERSE.search(question)
    slots = kind.slots
    if match is None or not slots.cause or not slots.effect:
        return None
    effect = _CONVERSE.sub("", slots.effect).strip()
    if match["question"]:
        from kgqa.questions.classifier import classify

        converse = classify(f"{match['question']}?").slots
        names = [concept_name(name or "") for name in (slots.cause, effect, converse.cause, converse.effect)]
        if names[:2] != names[:1:-1] or converse.relation is not slots.relation:
            return None
    left = tuple(attribute for attribute in kind.attributes if attribute not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    plain = Slots(slots.cause, effect, slots.relation, population=slots.population, place=slots.place, time=slots.time)
    first = replace(kind, slots=plain, attributes=left)
    return first, replace(first, slots=replace(plain, cause=effect, effect=slots.cause))
