"""What the rules of the graph read of a conditional: the phrases that are supposed to be present, absent, more or less.

The clause is read by the rules of data/conditions.jsonl, the main clause by those of data/outcomes.jsonl. Parts of a clause that
"and", "or" and "but" join are read one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graph.intervene import Presence
from kgqa.question import Amount, Condition
from kgqa.questions.conditional import ClauseSplit, ConditionalQuestion, TextSpan
from kgqa.questions.lexicon import lexicon
from kgqa.questions.patterns import PatternMatch, match_pattern
from kgqa.questions.question_rules import ConditionRule, OutcomeRule, condition_rules, outcome_rules
from kgqa.questions.tokenization import COMMA, QuestionSentence, QuestionWord, phrase_text, trim_phrase

MOST_CONJUNCTS = 5
"""So many parts at most are told apart."""

_JOINING = {"and": "and", "but": "and", "yet": "and", "while": "and", "whereas": "and", "or": "or", "nor": "or"}


class Conjunct(NamedTuple):
    """The words of one part, what joins it to the part before, and whether it is said to follow from that part."""

    words: Sequence[QuestionWord]
    joined: str = "and"
    follows: bool = False


def split_conjuncts(words: Sequence[QuestionWord]) -> list[Conjunct]:
    """Return the parts of a clause; the clause alone where nothing joins it, and where there are too many.

    A comma joins where there is an "and" or "or", too. What two words name together ("supply and demand") is one, and so is
    what stands behind "between".
    """
    places = [place for place, word in enumerate(words) if word.form in _JOINING and _joins(words, place)]
    if not places:
        return [Conjunct(words)]
    parts: list[Conjunct] = []
    start, joined = 0, "and"
    follows = False
    for place in (*(place for place, word in enumerate(words) if word.form == COMMA or place in places), len(words)):
        part = words[start:place]
        rest = _without_therefore(part)
        follows = follows or len(rest) < len(part)
        if rest:
            parts.append(Conjunct(rest, joined, follows))
            joined, follows = "", False
        start = place + 1
        if place < len(words) and words[place].form != COMMA:
            joined = _JOINING[words[place].form]
    last = parts[-1].joined if parts else "and"
    return (
        [conjunct._replace(joined=conjunct.joined or last) for conjunct in parts]
        if 0 < len(parts) <= MOST_CONJUNCTS
        else [Conjunct(words)]
    )


def _joins(words: Sequence[QuestionWord], place: int) -> bool:
    """Say whether the word at `place` joins parts that can be told apart."""
    forms = [word.form for word in words]
    if not 0 < place < len(words) - 1 or "between" in forms[:place] or _is_in_a_name(words, place):
        return False
    pairs = (" ".join(forms[start : place + 2]) for start in range(max(0, place - 2), place))
    return lexicon().plain["fixed pair"].isdisjoint(pairs)


def _is_in_a_name(words: Sequence[QuestionWord], place: int) -> bool:
    """Say whether names stand on either side, which may be one: "the Securities and Exchange Commission"."""
    after = words[place + 1 + (words[place + 1].form == "the" and place + 2 < len(words))]
    return words[place - 1].capital and after.capital


def _without_therefore(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    """Return words without what says, in front of them, that they follow from what stands before."""
    for length in (5, 4, 3, 2, 1):
        if len(words) >= length and " ".join(word.form for word in words[:length]) in lexicon().plain["therefore"]:
            return words[length:]
    return words


ANY_CLAUSE = "so"
"""The rule that takes any clause, whole, as supposed to be so."""

BARE_PART = "beside"
"""The rule that takes any words behind "and" as named together with what stands before."""

_MEASURE = re.compile(r"\d|(?:at least |about )?(?:an?|one|two|three|ten) (?:third|quarter|half|factor)|half\b", re.IGNORECASE)
_MORE_THAN_ONE = ("both", "neither", "either")


class ParsedCondition(NamedTuple):
    """A condition, the rule that read it, and whether its mood says that it is contrary to fact ("had not", "were to")."""

    condition: Condition
    rule: str
    counterfactual: bool


class _ConditionPart(NamedTuple):
    """One part of a clause that was read."""

    condition: Condition
    rule: ConditionRule


def parse_condition(question: str, words: Sequence[QuestionWord], *, denied: bool = False) -> ParsedCondition | None:
    """Return what the clause `words` supposes, without its "if"; `None` for a clause without words.

    Several suppositions that are joined are told apart, where each can be read; else the clause is read as one. What is `denied`
    ("unless") is turned round.
    """
    parts = _read_joined(question, words) or _read_single(question, words)
    if parts is None:
        return None
    read, joined = parts
    conditions = [item.condition for item in read]
    if denied:
        conditions = [_opposite(item) for item in conditions]
        joined = "or" if joined == "and" else "and"
    text = f"{'unless ' if denied else ''}{phrase_text(question, words, 0, len(words)) or ''}"
    whole = conditions[0]._replace(text=text, also=tuple(conditions[1:]), joined=joined if len(conditions) > 1 else "and")
    return ParsedCondition(whole, f"condition.{read[0].rule.id}", any(item.rule.counterfactual for item in read))


def _read_single(question: str, words: Sequence[QuestionWord]) -> tuple[list[_ConditionPart], str] | None:
    """Return the reading of a clause as one supposition."""
    part = _read_part(question, words, beside=False)
    return ([part], "and") if part else None


def _read_joined(question: str, words: Sequence[QuestionWord]) -> tuple[list[_ConditionPart], str] | None:
    """Return the readings of the parts that a clause joins, with what joins them; `None` where they cannot all be read.

    "Smoking and drinking were banned": what comes first has no verb, and shares that of the next part. "Smoking were banned and
    drinking were not": what comes last takes the verb, or its opposite, from the part before.
    """
    some = split_conjuncts(words)
    if len(some) < 2:
        return None
    neither = words[0].form == "neither"
    waiting: list[Conjunct] = []
    read: list[_ConditionPart] = []
    for conjunct in some:
        bare = _without_both(conjunct.words)
        part = _read_part(question, bare, beside=False) if not neither or waiting else None
        if part is not None and part.rule.loose:
            return None
        whole = part is not None and part.rule.id != ANY_CLAUSE
        if part is None or not whole:
            if not read:
                waiting.append(conjunct._replace(words=bare))
                continue
            part = _read_beside(question, bare, read[-1])
            if part is None:
                return None
        if waiting and (not _begins_with_target(question, bare, part) or part.condition.effect):
            return None
        read.extend(_with_shared_verb(question, before, part) for before in waiting)
        waiting = []
        read.append(part._replace(condition=part.condition._replace(follows=conjunct.follows)))
    if waiting:
        return None
    if neither:
        read = [part._replace(condition=_as_absent(part.condition)) for part in read]
    denying = neither or read[0].rule.negates
    either = all(conjunct.joined == "or" for conjunct in some[1:]) and not denying
    return read, "or" if either else "and"


def _read_part(question: str, words: Sequence[QuestionWord], *, beside: bool) -> _ConditionPart | None:
    """Return what the first rule that matches says of a clause; with `beside`, of a part that another one stands before."""
    text = phrase_text(question, words, 0, len(words))
    for rule in condition_rules():
        if bool(rule.beside) is not beside:
            continue
        pattern_match = match_pattern(rule.pattern, words)
        target = _slot_phrase(question, words, pattern_match, "target") if pattern_match else None
        if pattern_match and text and target:
            effect = _slot_phrase(question, words, pattern_match, "effect")
            if effect and _MEASURE.match(target):
                continue  # "reduced by half" is no claim.
            condition = Condition(text, target, rule.presence, rule.amount, effect)
            if effect and pattern_match.relation is not None:
                condition = condition._replace(relation=pattern_match.relation)
            return _ConditionPart(condition, rule)
    return None


def _slot_phrase(question: str, words: Sequence[QuestionWord], pattern_match: PatternMatch, slot: str) -> str | None:
    """Return the phrase of a slot of a match."""
    if slot not in pattern_match.slots:
        return None
    return phrase_text(question, words, *trim_phrase(words, *pattern_match.slots[slot]))


def _read_beside(question: str, words: Sequence[QuestionWord], before: _ConditionPart) -> _ConditionPart | None:
    """Return what a part without a verb of its own says, from the part before it."""
    part = _read_part(question, words, beside=True)
    if part is None or before.condition.effect:
        return None
    if part.rule.beside == "absent":
        return part
    if part.rule.id == BARE_PART and not before.condition.text.endswith(before.condition.target):
        return None  # What stands behind a verb may be another verb: "had been replaced and continued".
    condition = part.condition._replace(presence=before.condition.presence, amount=before.condition.amount)
    return part._replace(condition=_opposite(condition) if part.rule.beside == "opposite" else condition)


def _with_shared_verb(question: str, before: Conjunct, part: _ConditionPart) -> _ConditionPart:
    """Return what a part without a verb says whose verb is that of a later part."""
    words = before.words[1:] if before.words[0].form in ("no", "neither") and len(before.words) > 1 else before.words
    target = phrase_text(question, words, *trim_phrase(words, 0, len(words))) or part.condition.target
    return part._replace(condition=part.condition._replace(target=target, follows=before.follows))


def _begins_with_target(question: str, words: Sequence[QuestionWord], part: _ConditionPart) -> bool:
    """Say whether a part begins with its target, so that what stands before it can be another subject of its verb."""
    text = (phrase_text(question, words, 0, len(words)) or "").lower()
    target = part.condition.target.lower()
    return any(text.startswith(f"{lead}{target}") for lead in ("", "no ", "the ", "a ", "an ", "all ", "any "))


def _without_both(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    """Return words without a leading "both", "neither" or "either"."""
    return words[1:] if len(words) > 1 and words[0].form in _MORE_THAN_ONE else words


def _opposite(condition: Condition) -> Condition:
    """Return the opposite of what is supposed: gone for there, more for less; what is not more stays as it is."""
    if condition.amount is not None:
        return condition._replace(amount=Amount.LESS if condition.amount is Amount.MORE else Amount.MORE)
    there = condition.presence is Presence.ABSENT
    return condition._replace(presence=Presence.PRESENT if there else Presence.ABSENT)


def _as_absent(condition: Condition) -> Condition:
    """Return the supposition that a thing is not there, as after "neither"."""
    return condition._replace(presence=Presence.ABSENT, amount=None)


_FILLERS = frozenset(("then", "so", COMMA))
_BEFORE_OPENING = frozenset(("and", "but", "even", "only", "what"))


class MainClause(NamedTuple):
    """The main clause of a conditional: the rule that matched, its match, and the words."""

    rule: OutcomeRule
    pattern_match: PatternMatch
    words: Sequence[QuestionWord]


class ConditionalReading(NamedTuple):
    """What is supposed, and the main clause; that is `None` where the sentence only supposes something ("What if ...?")."""

    supposition: ParsedCondition
    main_clause: MainClause | None


def read_conditional(question: str, words: Sequence[QuestionWord], conditional: ConditionalQuestion) -> ConditionalReading | None:
    """Return what the rules read of the words of a sentence; `None` where they read no condition or no "would".

    `question` has single spaces, and `words` are all its words or those of an embedded question.
    """
    for split in conditional.splits():
        reading = _read_split(question, words, conditional, split)
        if reading is not None:
            return reading
    return _read_alone(question, words, conditional.split)


def join_suppositions(sentences: Sequence[QuestionSentence]) -> list[QuestionSentence]:
    """Return sentences; one that only supposes something ("Suppose X had never existed.") is joined to the question behind it."""
    result: list[QuestionSentence] = []
    for sentence in sentences:
        before = result[-1] if result else None
        if before and not before.asks and sentence.asks and _supposes_alone(before.words):
            end = before.words[-1].end
            result[-1] = QuestionSentence((*before.words, QuestionWord(COMMA, end, end), *sentence.words), asks=True)
        else:
            result.append(sentence)
    return result


def _supposes_alone(words: Sequence[QuestionWord]) -> bool:
    """Return whether a sentence begins with an opening that needs no main clause."""
    openings = lexicon().plain["supposing alone"]
    return any(" ".join(word.form for word in words[:length]) in openings for length in range(1, min(5, len(words) - 1) + 1))


def _read_split(
    question: str, words: Sequence[QuestionWord], conditional: ConditionalQuestion, split: ClauseSplit
) -> ConditionalReading | None:
    """Return what the rules read of one split; a clause at the end of the main clause is a further condition."""
    rest = [word for word in words if not any(_holds(span, word) for span in split[1:])]
    main = [word for word in words if _holds(split.main, word)]
    opened = any(_holds(split.opening, word) for word in words)
    if split.row.changes or not opened or not main or any(word.form not in _FILLERS | _BEFORE_OPENING for word in rest):
        return None
    further = conditional.further_split(split.main)
    for splits in ([split, further], [split]):
        clauses = [item for item in splits if item is not None]
        main_clause = _parse_main_clause([word for word in words if _holds(clauses[-1].main, word)])
        read = [_read_clause(question, words, item) for item in clauses] if main_clause else []
        conditions = [condition for condition in read if condition is not None]
        if conditions and len(conditions) == len(read):
            return ConditionalReading(_join_conditions(conditions), main_clause)
    return None


def _read_alone(question: str, words: Sequence[QuestionWord], split: ClauseSplit) -> ConditionalReading | None:
    """Return the reading of "What if ...?", where the clause says plainly that something is gone, more or less."""
    clause = [word for word in words if word.start >= split.clause.start]
    opening = " ".join(word.form for word in words[: len(words) - len(clause)])
    if not clause or opening not in lexicon().plain["supposing alone"]:
        return None
    condition = parse_condition(question, clause)
    if condition is None or condition.rule == f"condition.{ANY_CLAUSE}":
        return None
    return ConditionalReading(condition, None)


def _read_clause(question: str, words: Sequence[QuestionWord], split: ClauseSplit) -> ParsedCondition | None:
    """Return what the clause of a split supposes; a preposition ("without") says what, and is a part of it."""
    start = split.opening.start if split.row.preposition else split.clause.start
    clause = _strip_fillers([word for word in words if _holds(TextSpan(start, split.clause.end), word)])
    return parse_condition(question, clause, denied=split.row.denies) if clause else None


def _holds(span: TextSpan, word: QuestionWord) -> bool:
    """Return whether a word begins in a span."""
    return span.start <= word.start < span.end


def _strip_fillers(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    """Return words without commas at their ends, and without a "then" in front."""
    start, end = 0, len(words)
    while start < end and words[start].form in _FILLERS:
        start += 1
    while start < end and words[end - 1].form == COMMA:
        end -= 1
    return words[start:end]


def _parse_main_clause(words: Sequence[QuestionWord]) -> MainClause | None:
    """Return what a main clause with a "would" asks, by the first rule that matches it."""
    main = _strip_fillers(words)
    forms = frozenset(word.form for word in main)
    if forms.isdisjoint(lexicon().plain["would"]):
        return None
    for rule in outcome_rules():
        pattern_match = match_pattern(rule.pattern, main) if rule.pattern.may_match(forms) else None
        if pattern_match is not None:
            return MainClause(rule, pattern_match, main)
    return None


def _join_conditions(conditions: Sequence[ParsedCondition]) -> ParsedCondition:
    """Return several clauses as one supposition: all of it is supposed."""
    first, *rest = conditions
    if not rest:
        return first
    also: list[Condition] = [*first.condition.also, *(item for later in rest for item in later.condition.each)]
    return first._replace(
        condition=first.condition._replace(also=tuple(also), joined="and"),
        counterfactual=any(item.counterfactual for item in conditions),
    )
