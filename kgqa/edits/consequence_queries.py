"""What depends on what an "if" takes away or sets: stated consequences, holders that keep a place, totals, and series."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage
from kgqa.edits.value_arithmetic import plain_number_text
from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_changes import parse_amount
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.questions.conditional_parser import ConditionalQuestion, TextSpan
from kgqa.readers.numeric.passage_tokens import (
    NameMention,
    content_lemmas,
    event_kinds_of,
    is_same_name,
    name_mentions,
    passage_tokens,
    verb_lemma,
)

_LEAST_SHARE = 0.6
"""The least share of the words of a condition that a clause has to hold to state it."""
_CAUSE_FIRST, _CAUSE_LAST = CUES["cause clause first"], CUES["cause clause last"]
_CAUSE_PHRASE = CUES["cause phrase first"]
_NOT_HAVE = re.compile(r"(?i)\bwhat would\b.*\bnot have (\w+)\W*$")
_HINDERED, _DID_NOT = CUES["was given up"], CUES["would not have"]
_TAKES_PLACE = re.compile(
    r"(?i)\bwould (?:then |still )?(?:have )?(?:taken place|happened|occurred|been (?:held|built|carried out))\b"
)
_LOSES, _KEEPS_PLACE, _WINS, _WAS_FIRST = CUES["loses place"], CUES["keeps place"], CUES["wins place"], CUES["was first"]
_SECOND_BEFORE, _SECOND_BEHIND, _WITHDRAWS = CUES["runner-up before"], CUES["runner-up behind"], CUES["withdraws"]
_BECOMES = re.compile(r"(?i)\bwho\s+would\s+(?:then\s+)?(?:have\s+)?(?:become|been elected|be elected)\b")
_NAMED = (AnswerType.NAME, AnswerType.RANK)  # "what would have taken place" is no place in an order
_LIGHT_VERBS = frozenset(map(verb_lemma, "happen occur exist".split()))
_LEADING = re.compile(r"(?i)^\W*(?:and |but |then |so )?(?:he|she|it|they|the \w+|(?-i:[A-Z]\w+))\s+(?=\w+)")
_EACH = CUES["of each"]


def _states(condition: str, clause: str) -> bool:
    """Return whether a clause of a passage states what a condition is about."""
    wanted, held = frozenset(content_lemmas(condition)) - _LIGHT_VERBS, frozenset(content_lemmas(clause))
    kinds = frozenset(kind for lemma in held for kind in event_kinds_of(lemma))
    stated = [lemma for lemma in wanted if lemma in held or event_kinds_of(lemma) & kinds]
    return bool(wanted) and len(stated) >= _LEAST_SHARE * len(wanted)


def _caused_clauses(problem: EditProblem) -> Iterator[tuple[ParsedPassage, TextSpan]]:
    """Yield the clauses that sentences make depend on what the "if" takes away: "when the wells ran dry, he asked for terms"."""
    clause = problem.conditional.clause
    for passage in problem.passages:
        for start, end in passage.sentences:
            for pattern in (_CAUSE_FIRST, _CAUSE_PHRASE, _CAUSE_LAST):
                match = pattern.match(passage.text[start:end])
                if match is not None and _states(clause, match["cause"]):
                    yield passage, TextSpan(start + match.start("effect"), start + match.end("effect"))


def solve_consequence(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield what would not have been done, what would have taken place, or "no", without the cause that a sentence states."""
    conditional, main = problem.conditional, problem.conditional.main
    if not conditional.negated or conditional.changes:
        return
    edits = (FactEdit(EditOperation.REMOVE, conditional.clause),)
    for passage, span in _caused_clauses(problem):
        effect = span.of(passage.text).strip(" ,.;")
        given_up = _HINDERED.match(effect)
        if problem.answer_type is AnswerType.WHETHER:
            if given_up is None and _states(re.sub(r"(?i)^would|\bstill\b", " ", main), effect):
                answer, why = "no", effect
            else:
                continue
        elif given_up is not None and _TAKES_PLACE.search(main) and problem.answer_type in _NAMED:
            answer, why = given_up["plan"].strip(" ,"), effect
        elif _DID_NOT.search(main) and given_up is None:
            answer, why = _LEADING.sub("", effect), effect
        elif (verb := _NOT_HAVE.search(main)) is not None and (patient := _object_of(verb[1], effect)):
            answer, why = patient, effect
        else:
            continue
        yield build_solution("consequence", (1.0,), answer, passage, span, edits, f"without it, not: {why}", exact=True)
        return


def _object_of(verb: str, clause: str) -> str:
    """Return what stands behind a verb in a clause; nothing where the clause has another verb."""
    end = next((word.end for word in passage_tokens(clause) if verb_lemma(word.text) == verb_lemma(verb)), len(clause))
    return clause[end:].strip(" ,.;")


def solve_kept_place(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield who keeps an office or a place that the "if" says was not lost: "who would have remained president"."""
    conditional, main = problem.conditional, problem.conditional.main
    if problem.answer_type is not AnswerType.NAME or not conditional.negated or not _LOSES.search(conditional.clause):
        return
    names = [name for name in name_mentions(conditional.clause) if name.stems]
    keeps, wins = _KEEPS_PLACE.search(main), _WINS.search(main)
    if not names or not (keeps or wins):
        return
    edits = (FactEdit(EditOperation.REMOVE, conditional.clause),)
    for passage in problem.passages:
        mentions = [name for name in name_mentions(passage.text) if is_same_name(name, names[0])]
        stated = next((name for name in mentions if keeps or _leads(passage, name)), None)
        if stated is not None:
            fullest = max(mentions, key=lambda name: (len(name.text.split()) <= 3, len(name.text), -name.start))
            consequence = f"{fullest.text} keeps the place"
            yield build_solution("kept place", (1.0,), fullest.text, passage, stated, edits, consequence, exact=True)
            return


def takes_away(conditional: ConditionalQuestion) -> bool:
    """Return whether a clause takes the one that it names out of a contest or an office: "had not stood", "had been ill"."""
    match = _WITHDRAWS.search(conditional.clause)
    return match is not None and match[0].lower().startswith(("not", "never")) is conditional.negated


def solve_runner_up(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield who was second to a winner that the "if" takes away: "Blaha lost to Karel Rys", "Rys beat Blaha"."""
    conditional, main = problem.conditional, problem.conditional.main
    names = [name for name in name_mentions(conditional.clause) if name.stems]
    contested = _WINS.search(main) or _BECOMES.search(main)
    if problem.answer_type is not AnswerType.NAME or not names or not contested or not takes_away(conditional):
        return
    edits = (FactEdit(EditOperation.REMOVE, conditional.clause),)
    for passage in problem.passages:
        mentions = [name for name in name_mentions(passage.text) if name.stems]
        for place, name in enumerate(mentions):
            start, end = passage.sentences[passage.sentence_at(name.start)]
            rivals = [rival for rival in mentions if start <= rival.start < end and not is_same_name(rival, names[0])]
            if not is_same_name(name, names[0]) or not rivals:
                continue
            ahead = [rival for rival in rivals if rival.end <= name.start]
            behind = mentions[place + 1] if place + 1 < len(mentions) and mentions[place + 1] in rivals else None
            if ahead and _SECOND_BEFORE.search(passage.text[start : name.start]):
                second = ahead[0]
            elif behind is not None and _SECOND_BEHIND.search(passage.text[name.end : behind.start]):
                second = behind
            else:
                continue
            same = [mention for mention in mentions if is_same_name(mention, second) and len(mention.text.split()) <= 3]
            fullest = max(same, key=lambda mention: (len(mention.text), -mention.start), default=second)
            consequence = f"without {name.text}, {fullest.text} is first"
            yield build_solution("runner-up", (1.0,), fullest.text, passage, second, edits, consequence)
            return


def _leads(passage: ParsedPassage, name: NameMention) -> bool:
    return _WAS_FIRST.search(passage.sentence_text(name.start)) is not None


def solve_total_of_each(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the total of things of which the "if" says how many there are, and a passage how much each is."""
    conditional, main = problem.conditional, problem.conditional.main
    counts = [item for item in parse_quantities(conditional.clause) if isinstance(item, Quantity) and item.sort is Sort.CARDINAL]
    if conditional.changes or conditional.negated or len(counts) != 1 or problem.answer_type not in _TOTALS:
        return
    counted = content_lemmas(conditional.clause[counts[0].end :])[:1]
    for passage in problem.passages:
        for match in _EACH.finditer(passage.text):
            number = parse_amount(match["each"])
            unit = frozenset(content_lemmas(match["unit"] or ""))
            speaks = not unit or unit & frozenset(content_lemmas(main)) or problem.answer_type is AnswerType.MONEY
            if number is None or not counted or counted[0] not in content_lemmas(match["noun"]) or not speaks:
                continue
            answer = plain_number_text(counts[0].value * number)
            edits = (FactEdit(EditOperation.REPLACE, f"number of: {match['noun']}", counts[0].text, match["count"]),)
            consequence = f"{counts[0].text} × {match['each']} = {answer}"
            place = TextSpan(*match.span())
            yield build_solution("total of each", (1.0,), answer, passage, place, edits, consequence, exact=True)
            return


_TOTALS = (AnswerType.NUMBER, AnswerType.MONEY)


def solve_ordinal_member(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how many there are where the "if" completes, or takes away, the next of a counted series: "his fifth opera"."""
    conditional, main = problem.conditional, problem.conditional.main
    requested = re.search(r"(?i)\bhow many\s+(\w+)", main)
    ordinals = [
        (BELOW_HUNDRED[ORDINALS[word.lower()]], noun)
        for word, noun in re.findall(r"\b([a-z]+)\s(?=([a-z]+)\b)", conditional.clause)
        if word.lower() in ORDINALS and ORDINALS[word.lower()] in BELOW_HUNDRED
    ]
    if requested is None or not ordinals or problem.answer_type is not AnswerType.NUMBER:
        return
    place, noun = ordinals[0]
    if content_lemmas(noun) != content_lemmas(requested[1]):
        return
    for passage, fact in problem.facts():
        value = fact.value
        behind = content_lemmas(passage.text[fact.end : fact.end + 30])[:1]
        if not isinstance(value, Quantity) or value.sort is not Sort.CARDINAL or behind != content_lemmas(noun):
            continue
        change = -1 if conditional.negated else 1
        if value.value + (1 if change > 0 else 0) != place:
            continue
        answer = plain_number_text(value.value + Fraction(change))
        operation = EditOperation.ADD if change > 0 else EditOperation.REMOVE
        edits = (FactEdit(operation, f"members: {fact.text} {noun}", f"the {place}.", fact.text),)
        yield build_solution("ordinal member", (1.0,), answer, passage, fact, edits, f"{fact.text} → {answer}", exact=True)
        return
