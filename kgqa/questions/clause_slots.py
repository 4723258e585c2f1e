"""Questions of why and how read as a clause with its subject as the cause: "Why does salt raise blood pressure?".

The rules of the typology take such a clause as one phrase where its verb is not always causal, or give a phrase that nothing is
called. data/clauses.jsonl has the forms of clause with what each asks; an example a line is its test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from graph.model import Relation
from graph.text.normalise import singular
from graph.text.stop_words import PREPOSITIONS
from graph.text.word_lists import kind_of_noun
from kgqa.question import Slots
from kgqa.questions.lexicon import lexicon, read_question_rows, verb_topics
from kgqa.questions.patterns import QuestionPattern, match_pattern, parse_pattern, slot_phrase
from kgqa.questions.tokenization import QuestionWord, question_sentences

_OPENINGS = ("why", "how")
_NO_OBJECT = frozenset("so such very too when while if because as more less out up down away to".split())
"""What stands behind a verb without an object."""
_FILLERS = frozenset(("come", "exactly", "specifically", "and", "is", "it", "that"))


class ClauseRule(NamedTuple):
    """One form of clause: the relation of its subject to its effect, or `None` where the verb says it.

    The effect is what the clause says of the thing in the slot, the `of` before it ("size of"); without a slot, it is `effect`.
    """

    id: str
    pattern: QuestionPattern
    examples: tuple[Mapping[str, Any], ...]
    relation: Relation | None = None
    of: str = ""
    effect: str = ""


@cache
def clause_rules() -> tuple[ClauseRule, ...]:
    """Read the forms of clauses, once, in their order."""
    return tuple(
        ClauseRule(
            row["id"],
            parse_pattern(row["pattern"]),
            tuple(row["examples"]),
            Relation(row["relation"]) if "relation" in row else None,
            row.get("of", ""),
            row.get("effect", ""),
        )
        for row in read_question_rows("clauses.jsonl")
    )


def clause_slots(question: str) -> Iterator[Slots]:
    """Yield the cause and effect of a question of why or how by each form of clause that it has, in their order.

    `question` has single spaces. Nothing is yielded for another question, nor for one that is denied.
    """
    for sentence in question_sentences(question)[:1]:
        words = sentence.words
        if words and words[0].form in _OPENINGS and not any(word.form in ("not", "n't", "never") for word in words):
            yield from slots_of_clause(question, _without_opening(words))


def slots_of_clause(text: str, words: Sequence[QuestionWord]) -> Iterator[Slots]:
    """Yield the cause and effect of the words of a clause by each form that it has."""
    for rule in clause_rules():
        matched = match_pattern(rule.pattern, words)
        cause, effect = (slot_phrase(text, words, matched, slot) if matched else None for slot in ("cause", "effect"))
        effect = effect or rule.effect
        if matched and cause and effect:
            yield Slots(cause, f"{rule.of} {effect}".strip(), rule.relation or matched.relation or Relation.CAUSES)


def subject_and_act(clause: str) -> tuple[str, str] | None:
    """Return the subject of a clause with an object, and the rest: "a dam", "change the river"; `None` for other clauses."""
    words = clause.split()
    for place in range(1, len(words) - 1):
        noun, verb, after = (word.lower() for word in words[place - 1 : place + 2])
        many = place + 2 < len(words) and words[place + 2].lower() in ("many", "much", "a")
        if after in PREPOSITIONS["linking"] or (after in _NO_OBJECT and not many) or verb_topics(after, base=True):
            continue
        is_noun = words[place - 1][:1].isupper() or kind_of_noun(singular(noun))
        if is_noun and verb_topics(verb, base=True):
            return " ".join(words[:place]), " ".join(words[place:])
    return None


def _without_opening(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    place = 1
    while place < len(words) and words[place].form in _FILLERS:
        place += 1
    return words[place + (place < len(words) and words[place].form in lexicon().plain["aux"]) :]
