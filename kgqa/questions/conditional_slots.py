"""What the rules of the graph read of a parsed conditional: the phrases that are supposed to be present, absent, more or less.

`conditional_parser` parts the question. The clause is read by the rules of data/conditions.jsonl, the main clause by those of
data/outcomes.jsonl. Parts of a clause that "and", "or" and "but" join are read one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graph.intervene import Presence
from kgqa.question import Amount, Condition, Semantic
from kgqa.questions.conditional_parser import ClauseSplit, ConditionalQuestion, TextSpan
from kgqa.questions.lexicon import lexicon
from kgqa.questions.patterns import match_pattern, slot_phrase
from kgqa.questions.question_rules import ConditionRule, OutcomeRule, condition_rules, outcome_rules
from kgqa.questions.tokenization import (
    COMMA,
    QuestionWord,
    phrase_text,
    strip_words,
    trim_phrase,
)

_MOST_CONJUNCTS = 5
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
    commas = [place for place, word in enumerate(words) if word.form == COMMA]
    parts: list[Conjunct] = []
    start, joined, follows = 0, "and", False
    for place in (*sorted({*places, *commas}), len(words)):
        part = words[start:place]
        rest = _without_therefore(part)
        follows = follows or len(rest) < len(part)
        if rest:
            parts.append(Conjunct(rest, joined, follows))
            joined, follows = "", False
        start = place + 1
        if place in places:
            joined = _JOINING[words[place].form]
    if not places or not 0 < len(parts) <= _MOST_CONJUNCTS:
        return [Conjunct(words)]
    return [part._replace(joined=part.joined or parts[-1].joined) for part in parts]


def _joins(words: Sequence[QuestionWord], place: int) -> bool:
    forms = [word.form for word in words]
    if not 0 < place < len(words) - 1 or "between" in forms[:place]:
        return False
    after = words[place + 1 + (forms[place + 1] == "the" and place + 2 < len(words))]
    if words[place - 1].capital and after.capital:
        return False  # Names on either side may be one: "the Securities and Exchange Commission".
    pairs = (" ".join(forms[start : place + 2]) for start in range(max(0, place - 2), place))
    return lexicon().plain["fixed pair"].isdisjoint(pairs)


def _without_therefore(words: Sequence[QuestionWord]) -> Sequence[QuestionWord]:
    for length in (5, 4, 3, 2, 1):
        if len(words) >= length and " ".join(word.form for word in words[:length]) in lexicon().plain["therefore"]:
            return words[length:]
    return words


_DENYING = frozenset(("not", "n't", "never", "no", "longer", "been", "be", "ever", "even"))
_EVERY = re.compile(r"^(?:all(?: of)?|every)(?: the)? ", re.IGNORECASE)
_ANYBODY = re.compile(r"^(?:someone|somebody|a person|people|one|everyone|everybody|a patient)['’]s ", re.IGNORECASE)
_ANY_CLAUSE = "so"
"""The rule that takes any clause, whole, as supposed to be so."""
_BARE_PART = "beside"
"""The rule that takes any words behind "and" as named together with what stands before."""
_STOPS_ACTING = re.compile(
    r"^((?:the )?[A-Z][\w’'\-]*(?: [A-Z][\w’'\-]*)*|the \w+) (?:had )?(?:suddenly )?(?:stopped|stops|stop|ceased) "
    r"((?!working|existing|making|producing|releasing)\w+ing)\b$"
)
"""What a thing does that stops, and is all that is gone: "the Earth stopped rotating"."""
_PAST_PERFECT = re.compile(r"\bhad (?:\w+ly )?(?:been|won|lost|\w+(?:ed|en))\b", re.IGNORECASE)
"""A verb that says that a clause is contrary to fact: "had won"."""
_MEASURE = re.compile(r"\d|(?:at least |about )?(?:an?|one|two|three|ten) (?:third|quarter|half|factor)|half\b", re.IGNORECASE)


class ParsedCondition(NamedTuple):
    """A condition, the rule that read it, and whether its mood says that it is contrary to fact ("had not", "were to")."""

    condition: Condition
    rule: str
    counterfactual: bool


class _ConditionPart(NamedTuple):
    condition: Condition
    rule: ConditionRule


def parse_condition(question: str, words: Sequence[QuestionWord], *, denied: bool = False) -> ParsedCondition | None:
    """Return what the clause `words` supposes, without its "if"; `None` for a clause without words.

    Several suppositions that are joined are told apart, where each can be read; else the clause is read as one. What is `denied`
    ("unless") is turned round.
    """
    parts, joined = _read_joined(question, words)
    if not parts:
        part = _read_part(question, words)
        if part is None:
            return None
        parts, joined = [part], "and"
    conditions = [part.condition for part in parts]
    text = phrase_text(question, words, 0, len(words)) or ""
    if denied:
        conditions = [_opposite(condition) for condition in conditions]
        joined = "or" if joined == "and" else "and"
        text = f"unless {text}"
    whole = conditions[0]._replace(text=text, also=tuple(conditions[1:]), joined=joined if len(conditions) > 1 else "and")
    contrary = any(part.rule.counterfactual for part in parts) or _PAST_PERFECT.search(text) is not None
    return ParsedCondition(whole, f"condition.{parts[0].rule.id}", contrary)


def _read_joined(question: str, words: Sequence[QuestionWord]) -> tuple[list[_ConditionPart], str]:
    """Return the readings of the parts that a clause joins, with what joins them; none where they cannot all be read.

    "Smoking and drinking were banned": what comes first has no verb, and shares that of the next part. "Smoking were banned and
    drinking were not": what comes last takes the verb, or its opposite, from the part before.
    """
    conjuncts = split_conjuncts(words)
    if len(conjuncts) < 2:
        return [], ""
    neither = words[0].form == "neither"
    waiting: list[Conjunct] = []
    parts: list[_ConditionPart] = []
    for conjunct in conjuncts:
        bare = conjunct.words
        if len(bare) > 1 and bare[0].form in ("both", "neither", "either"):
            bare = bare[1:]
        part = _read_part(question, bare) if not neither or waiting else None
        if part is not None and part.rule.loose:
            return [], ""
        if part is None or part.rule.id == _ANY_CLAUSE:
            if not parts:
                waiting.append(conjunct._replace(words=bare))
                continue
            part = _read_beside(question, bare, parts[-1])
            if part is None:
                return [], ""
        # What begins with its target can have another subject before it.
        text, target = (phrase_text(question, bare, 0, len(bare)) or "").lower(), part.condition.target.lower()
        begins = text.startswith(tuple(f"{lead}{target}" for lead in ("", "no ", "the ", "a ", "an ", "all ", "any ")))
        if waiting and (not begins or part.condition.effect):
            return [], ""
        parts.extend(_with_shared_verb(question, before, part) for before in waiting)
        waiting = []
        parts.append(part._replace(condition=part.condition._replace(follows=conjunct.follows)))
    if waiting:
        return [], ""
    if neither:
        parts = [part._replace(condition=part.condition._replace(presence=Presence.ABSENT, amount=None)) for part in parts]
    denying = neither or parts[0].rule.negates
    either = all(conjunct.joined == "or" for conjunct in conjuncts[1:]) and not denying
    return parts, "or" if either else "and"


_MANNER = re.compile(
    r"(?:\s+(?:(?:all\s+)?(?:suddenly|abruptly|completely|entirely|totally|altogether|overnight|over\s+night|at\s+once|immediately|from\s+one\s+day\s+to\s+the\s+next|from\s+now\s+on|"
    r"forever|for\s+ever|for\s+good|cold\s+turkey|tomorrow|today|again|worldwide|globally|everywhere|"
    r"(?:all\s+)?(?:over|around|across)\s+the\s+(?:world|globe)|for\s+(?:(?:a|one|two|three|half\s+a|several|many|some)\s+)?(?:day|week|month|year|hour)s?|for\s+(?:a\s+)?long(?:\s+time)?)))+$",
    re.IGNORECASE,
)
"""Words behind a target that say how, where or for how long it is so, and are no part of its name."""
_PARTICIPLE = r"(?:been|\w+(?:ed|en|wn|un)|lost|won|come|gone|spread|met|built|left|sunk|made|had)\b"
_AUXILIARY = re.compile(rf"\s(?:(?:still|also|then|ever|even)\s)*(?:have\s(?:been\s)?(?={_PARTICIPLE})|be\s)|\sstill\s(?!have\b)")
"""What stands between the subject and the verb of a clause that is asked about: "the empire still have fallen"."""
_POSSESSION = re.compile(r"^.+?\s(?:(?:still|then|ever)\s)*have\s(?:(?:its|any|the|their)\s)?")
"""Who has what is asked about: "Earth still have seasons"."""
_WHEN = re.compile(r"\s+(?:when|while|whenever)\s.*$", re.IGNORECASE)
"""A clause that only says when: "taking insulin when you have diabetes"."""


def _read_part(question: str, words: Sequence[QuestionWord], *, beside: bool = False) -> _ConditionPart | None:
    """Return what the first rule that matches says of a clause; with `beside`, of a part that another one stands before."""
    text = phrase_text(question, words, 0, len(words))
    acting = _STOPS_ACTING.match(text or "")
    if acting is not None and not beside:
        rule = next(rule for rule in condition_rules() if rule.id == "vanishes")
        return _ConditionPart(Condition(text or "", f"{acting[1]} {acting[2]}", Presence.ABSENT), rule)
    for rule in condition_rules():
        pattern_match = match_pattern(rule.pattern, words) if bool(rule.beside) is beside else None
        target = slot_phrase(question, words, pattern_match, "target") if pattern_match else None
        if pattern_match and text and target:
            target = _without_auxiliaries(question, words) if rule.whole else _ANYBODY.sub("", _EVERY.sub("", target)) or target
            target = _MANNER.sub("", _WHEN.sub("", target)) or target
            effect = slot_phrase(question, words, pattern_match, "effect")
            if effect and _MEASURE.match(target):
                continue  # "reduced by half" is no claim.
            condition = Condition(text, target, rule.presence, rule.amount, effect)
            if effect and pattern_match.relation is not None:
                condition = condition._replace(relation=pattern_match.relation)
            return _ConditionPart(condition, rule)
    return None


def _without_auxiliaries(question: str, words: Sequence[QuestionWord]) -> str:
    """Return a clause that is denied as it would be said of what happened: "Lincoln had not been shot" is "Lincoln shot"."""
    dropped = lexicon().plain["aux"] | _DENYING
    return " ".join(question[word.start : word.end] for word in words if word.form not in dropped)


def _read_beside(question: str, words: Sequence[QuestionWord], before: _ConditionPart) -> _ConditionPart | None:
    """Return what a part without a verb of its own says, from the part before it."""
    part = _read_part(question, words, beside=True)
    if part is None or before.condition.effect:
        return None
    if part.rule.beside == "absent":
        return part
    if part.rule.id == _BARE_PART and not before.condition.text.endswith(before.condition.target):
        return None  # What stands behind a verb may be another verb: "had been replaced and continued".
    condition = part.condition._replace(presence=before.condition.presence, amount=before.condition.amount)
    return part._replace(condition=_opposite(condition) if part.rule.beside == "opposite" else condition)


def _with_shared_verb(question: str, before: Conjunct, part: _ConditionPart) -> _ConditionPart:
    words = before.words[1:] if before.words[0].form in ("no", "neither") and len(before.words) > 1 else before.words
    target = phrase_text(question, words, *trim_phrase(words, 0, len(words))) or part.condition.target
    return part._replace(condition=part.condition._replace(target=target, follows=before.follows))


def _opposite(condition: Condition) -> Condition:
    """Return the opposite of what is supposed: gone for there, more for less; what is not more stays as it is."""
    if condition.amount is not None:
        return condition._replace(amount=Amount.LESS if condition.amount is Amount.MORE else Amount.MORE)
    absent = condition.presence is Presence.ABSENT
    return condition._replace(presence=Presence.PRESENT if absent else Presence.ABSENT)


_FILLERS = frozenset(("then", "so", COMMA))
_ELLIPTIC = frozenset(("then", "next", "now"))
"""Words of a main clause that asks without a verb: "What then?"."""
_BEFORE_OPENING = frozenset(("and", "but", "even", "only", "what"))


class ConditionalReading(NamedTuple):
    """What is supposed, and the rule and effect of the main clause; no rule where the sentence only supposes something."""

    supposition: ParsedCondition
    rule: OutcomeRule | None = None
    effect: str | None = None


def read_conditional(question: str, words: Sequence[QuestionWord], conditional: ConditionalQuestion) -> ConditionalReading | None:
    """Return what the rules read of the words of a sentence; `None` where they read no condition or no "would".

    `question` has single spaces, and `words` are all its words or those of an embedded question.
    """
    readings = (_read_split(question, words, conditional, split) for split in conditional.splits())
    return next(filter(None, readings), None) or _read_alone(question, words, conditional.split)


def _read_split(
    question: str, words: Sequence[QuestionWord], conditional: ConditionalQuestion, split: ClauseSplit
) -> ConditionalReading | None:
    inside = {word for span in split[1:] for word in _words_in(span, words)}
    fillers = all(word.form in _FILLERS | _BEFORE_OPENING for word in words if word not in inside)
    if split.row.changes or not fillers or not _words_in(split.opening, words) or not _words_in(split.main, words):
        return None
    further = conditional.further_split(split.main)
    for clauses in ([split, further] if further else [], [split]):
        rule, effect = _read_main_clause(question, _words_in(clauses[-1].main, words)) if clauses else (None, None)
        conditions = [_read_clause(question, words, clause) for clause in clauses] if rule else []
        read = [condition for condition in conditions if condition is not None]
        if read and len(read) == len(conditions):
            return ConditionalReading(_join_conditions(read), rule, effect)
    return None


def _read_alone(question: str, words: Sequence[QuestionWord], split: ClauseSplit) -> ConditionalReading | None:
    """Return the reading of "What if ...?", where the clause says plainly that something is gone, more or less."""
    clause = [word for word in words if word.start >= split.clause.start]
    opening = " ".join(word.form for word in words[: len(words) - len(clause)])
    if not clause or opening not in lexicon().plain["supposing alone"]:
        return None
    condition = parse_condition(question, clause)
    return ConditionalReading(condition) if condition and condition.rule != f"condition.{_ANY_CLAUSE}" else None


def _read_clause(question: str, words: Sequence[QuestionWord], split: ClauseSplit) -> ParsedCondition | None:
    start = split.opening.start if split.row.preposition else split.clause.start
    clause = strip_words(_words_in(TextSpan(start, split.clause.end), words), _FILLERS, {COMMA})
    return parse_condition(question, clause, denied=split.row.denies) if clause else None


def _words_in(span: TextSpan, words: Sequence[QuestionWord]) -> list[QuestionWord]:
    return [word for word in words if span.start <= word.start < span.end]


def _read_main_clause(question: str, words: Sequence[QuestionWord]) -> tuple[OutcomeRule | None, str | None]:
    main = strip_words(words, _FILLERS, {COMMA})
    forms = frozenset(word.form for word in main)
    for rule in () if forms.isdisjoint(lexicon().plain["would"] | _ELLIPTIC) else outcome_rules():
        pattern_match = match_pattern(rule.pattern, main) if rule.pattern.may_match(forms) else None
        if pattern_match is not None:
            effect = _POSSESSION.sub("", _AUXILIARY.sub(" ", slot_phrase(question, main, pattern_match, "effect") or "")) or None
            is_open = rule.semantic is Semantic.RESULT and (effect or "").lower() in lexicon().plain["nothing in particular"]
            return rule, None if is_open else effect
    return None, None


def _join_conditions(conditions: Sequence[ParsedCondition]) -> ParsedCondition:
    first, *rest = conditions
    if not rest:
        return first
    also = (*first.condition.also, *(item for later in rest for item in later.condition.each))
    counterfactual = any(item.counterfactual for item in conditions)
    return first._replace(condition=first.condition._replace(also=also, joined="and"), counterfactual=counterfactual)
