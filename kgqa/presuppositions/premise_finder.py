"""Premises of a question that a graph can decide, without a parse: what its clauses state, and what its why or how is about.

A premise is a causal claim, read by the rules of the typology as the question whether it is so, or it is about a taxon.
data/clauses.toml has the openings of the clauses; an example a line is its test.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graph.model import Relation
from graph.text.concept_nouns import concept_noun
from graph.text.normalise import concept_name
from kgqa.answer_model import Presupposition
from kgqa.presuppositions.taxa import TaxonClaim, read_relative_clause, read_taxon_claim, taxon_clause
from kgqa.question import Attribute, QuestionType, Semantic, Slots
from kgqa.questions.classifier import classify, conditional_mood
from kgqa.questions.clause_slots import clause_slots, slots_of_clause
from kgqa.questions.conditional_parser import may_suppose
from kgqa.questions.slots import is_vague_phrase
from kgqa.questions.tokenization import question_sentences

HIGHEST_OPEN_MOOD = 0.5
"""Up to this mood an "if" states a claim that is checked; above it the claim is only supposed, and applied.

Below it the main clause is answered without the "if"; at it, where nothing tells the mood, the question may only suppose it."""
_MOST_CLAUSES = 6
_MOST_SPLITS = 8
_LONGEST_SEARCHED = 600
"""Characters of a question in which clauses are looked for."""
_MAIN_START = (
    r"(?:(?:then|so|and|but)\s+)?(?=(?:why|how|what|which|who|when|where|is|are|was|were|do|does|did|has|have|had|can|could|will|"
    r"would|should|may|might|must|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|won['’]t|shouldn['’]t|explain|tell|"
    r"in what|by what|through what)\b)"
)
_REPORTED = re.compile(
    r"^(?:it is (?:well )?(?:known|true|clear|said|a fact|proven|established|obvious) that|the fact that|"
    r"(?:we|they|i|you|doctors|scientists|people|experts|everyone|everybody|studies|research|many|most people)"
    r"(?: all| now| already| have| has)? (?:know|knows|say|says|agree|agrees|show|shows|shown|think|believe|read|hear|heard|"
    r"learned|was told|were told)(?: that)?|"
    r"(?:[\w’'-]+ ){1,4}?(?:told|tells?|taught|learned|heard|read|says?|said|claims?|claimed|believes?|thinks?|showed|proved)"
    r"(?: me| us| him| her| them| people)? that|"
    r"(?:apparently|supposedly|clearly|obviously|in fact|actually|generally),?) ",
    re.IGNORECASE,
)
"""What stands before a claim in a clause and says only that it is so."""
_MEASURED = re.compile(
    r"^how (?:\w+ly|often|fast|soon|much|long|well|badly) (?=do\b|does\b|did\b|can\b|could\b|will\b)", re.IGNORECASE
)
"""A question of how much, how fast, how often something is so takes for granted that it is."""
NEGATION = re.compile(r"\b(?:not|never|no longer|cannot)\b|n['’]t\b", re.IGNORECASE)
_ASKING = re.compile(
    r"\b(?:why|how|what|which|who|when|where)\b|^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|"
    r"explain|tell)\b",
    re.IGNORECASE,
)
_REMNANT = re.compile(rf"(?:by|that|because|possible) |{_ASKING.pattern}", re.IGNORECASE)
"""How a phrase begins that is no cause or effect, but left of a clause that was cut in the wrong place."""
_WILLED = frozenset(("why.intend", "why.agent-acts", "why.name-acts", "why.pronoun-does"))
_VERBS = {
    Relation.CAUSES: ("causes", "cause"),
    Relation.PREVENTS: ("prevents", "prevent"),
    Relation.ENABLES: ("enables", "enable"),
    Relation.MOTIVATES: ("motivates", "motivate"),
    Relation.IS_FOR: ("is for", "are for"),
    Relation.ASSOCIATED: ("is linked to", "are linked to"),
}


class PremiseClause(NamedTuple):
    """A row of data/clauses.toml: the `opening` of a clause, its `places`, what parts it from a main clause, what may follow."""

    id: str
    opening: str
    places: tuple[str, ...]
    mood: bool
    ends: str
    until: str
    examples: tuple[dict[str, str], ...]


class Premise(NamedTuple):
    """A claim that a question takes for granted: a causal one, or one about a taxon.

    `claim` is the type of the question whether it is so, or the claim about a taxon; `words` are those that the claim is read in.
    The premise is the contrary of the claim where it is `denied`. `main` is the question without the clause, empty where the
    claim is in the main clause; `supposed`: the question may only suppose it.
    """

    presupposition: Presupposition
    claim: QuestionType | TaxonClaim
    words: str
    denied: bool = False
    main: str = ""
    supposed: bool = False


@cache
def premise_clauses() -> tuple[PremiseClause, ...]:
    """Read the openings of clauses, once, in their order."""
    text = Path(__file__).with_name("data").joinpath("clauses.toml").read_text(encoding="utf-8")
    return tuple(
        PremiseClause(
            row["id"],
            row["opening"],
            tuple(row["places"]),
            row.get("mood", False),
            row.get("ends", r",\s*(?:and |then |so |but )?|\s"),
            row.get("until", ""),
            tuple(row["examples"]),
        )
        for row in tomllib.loads(text)["clause"]
    )


def find_premises(text: str, question: str, kind: QuestionType) -> tuple[Premise, ...]:
    """Return the claims that a question takes for granted, those of its clauses first.

    `question`, of the type `kind`, is the part of the `text` that is answered; both have single spaces.
    """
    premises: list[Premise] = []
    main = text
    while len(premises) < _MOST_CLAUSES and (premise := next(_clause_premises(main), None)) is not None:
        if any(before.words == premise.words for before in premises):
            break
        start, end = _place(text, premise.words)
        placed = replace(premise.presupposition, start=start, end=end)
        premises.append(premise._replace(presupposition=placed))
        main = premise.main
    premises = [premise._replace(main=main) for premise in premises]
    conditional = kind.conditional
    if not premises and conditional is not None and conditional.main and Attribute.COUNTERFACTUAL not in kind.attributes:
        states_claim = next(clause_slots(conditional.main), None) is not None
        return tuple(_predicate_premises(text, conditional.main, classify(conditional.main))) if states_claim else ()
    if not premises:
        return tuple(_predicate_premises(text, question, kind))
    return (*premises, *(_predicate_premises(text, main, classify(main)) if main != text else ()))


def _clause_premises(question: str) -> Iterator[Premise]:
    """Yield the claims that the clauses of a question state, each with the question without it."""
    text = question[:_LONGEST_SEARCHED]
    for row in premise_clauses():
        mood = conditional_mood(question) if row.mood else None
        if row.mood and (mood is None or mood > HIGHEST_OPEN_MOOD):
            continue
        for clause, main in _clause_splits(text, row):
            read = None if not row.opening and may_suppose(clause) else read_claim(clause)
            if read is not None:
                claim, words, denied = read
                presupposition = Presupposition(_sentence(words), row.id, 0, 0)
                yield Premise(presupposition, claim, words, denied, main, mood is not None and mood >= HIGHEST_OPEN_MOOD)
    relative = read_relative_clause(text)
    if relative is not None:
        claim, words, main = relative
        sentence = _sentence(taxon_clause(claim.thing, claim.taxon, denied=claim.denied))
        yield Premise(Presupposition(sentence, "which", 0, 0), claim, words, claim.denied, main)


def _clause_splits(text: str, row: PremiseClause) -> Iterator[tuple[str, str]]:
    """Yield the ways to part a question into a clause with this opening and a main clause."""
    opening = rf"(?:{row.opening})\s+" if row.opening else ""
    if "front" in row.places and (match := re.match(rf"(?:and\s+|but\s+)?{opening}", text, re.IGNORECASE)):
        rest = text[match.end() :]
        ends = list(re.finditer(rf"(?:{row.ends})\s*{_MAIN_START}", rest, re.IGNORECASE))[:_MOST_SPLITS]
        for end in ends:
            if end.start():
                yield rest[: end.start()].rstrip(" ,"), rest[end.end() :]
    for match in re.finditer(rf"(?:^|,?\s+)(?:{opening})", text, re.IGNORECASE) if row.opening else ():
        main, clause = text[: match.start()].rstrip(" ,"), text[match.end() :].rstrip(" ?.!")
        if clause and "inside" in row.places:
            behind = re.search(rf" (?:{row.until})\b", clause) if row.until else None
            if behind is not None:
                yield clause[: behind.start()], text
            yield clause, text
        elif clause and "back" in row.places and _ASKING.search(main) and len(main.split()) > 2:
            yield clause, f"{main}?"


def read_claim(clause: str) -> tuple[QuestionType | TaxonClaim, str, bool] | None:
    """Return the claim that a clause states, its words, and whether it is denied; `None` for no causal claim and none of taxa."""
    words = _REPORTED.sub("", clause.strip(" ,;:"))
    if (of_taxon := read_taxon_claim(words)) is not None:
        return of_taxon, words, of_taxon.denied
    causal = _read_causal_claim(words)
    return None if causal is None else (causal[0], words, causal[1])


def _read_causal_claim(words: str) -> tuple[QuestionType, bool] | None:
    """Return the type of the question whether a clause is so, and whether that is denied; `None` for no causal claim."""
    if len(words) > _LONGEST_SEARCHED or len(words.split()) < 3:  # a cause, a verb, an effect
        return None
    denied = NEGATION.search(words) is not None
    kind = classify(words)
    slots = kind.slots
    stated = kind.semantic is Semantic.VERIFICATION and any(rule.startswith("telegraphic.") for rule in kind.rules)
    if stated and _is_claim(slots):
        return replace(kind, slots=replace(slots, condition=None)), denied
    sentence = next(iter(question_sentences(words)), None)
    if sentence is None or denied:
        return None
    for read in slots_of_clause(words, sentence.words):
        if _is_claim(read):
            return QuestionType(Semantic.VERIFICATION, read, confidence=kind.confidence), denied
    return None


def _is_claim(slots: Slots) -> bool:
    phrases = (slots.cause, slots.effect)
    return all(phrase and not is_vague_phrase(phrase) and not _REMNANT.match(phrase) for phrase in phrases)


def _predicate_premises(question: str, main: str, kind: QuestionType) -> Sequence[Premise]:
    """Return the claim that a question of why or how is about, by each reading of its clause; none for another question."""
    if (of_taxon := read_taxon_claim(main)) is not None and main[:3].lower() in ("why", "how"):
        sentence = _sentence(taxon_clause(of_taxon.thing, of_taxon.taxon, denied=of_taxon.denied))
        presupposition = Presupposition(sentence, main[:3].lower(), *_place(question, main))
        return (Premise(presupposition, of_taxon, main, of_taxon.denied),)
    if (measured := _MEASURED.sub("how ", main)) != main:
        main, kind = measured, classify(measured)
    if kind.semantic is None or kind.semantic is Semantic.VERIFICATION or not _WILLED.isdisjoint(kind.rules):
        return ()
    if Attribute.COUNTERFACTUAL in kind.attributes or kind.slots.comparison:
        return ()
    slots, denied = kind.slots, Attribute.EXPECTATIONAL in kind.attributes
    readings: list[tuple[Slots, bool]] = []
    if slots.cause and slots.effect:
        asserts = any(rule.startswith("chain.") for rule in kind.rules) or slots.relation is Relation.PREVENTS
        readings += [(slots, denied)] if asserts else []
    elif slots.effect and (claim := _read_causal_claim(slots.effect)) is not None:
        readings.append((claim[0].slots, denied or claim[1]))
    if not denied and not (slots.cause and slots.effect):
        readings += [(read, False) for read in clause_slots(main)]
    trigger = main.split(maxsplit=1)[0].lower().rstrip(",")
    premises: dict[tuple[object, ...], Premise] = {}
    for read, denies in readings:
        if _is_claim(read):
            presupposition = Presupposition(premise_text(read, denied=denies), trigger, *_place(question, main))
            whether = replace(kind, semantic=Semantic.VERIFICATION, slots=read, attributes=())
            key = concept_name(read.cause or ""), concept_name(read.effect or ""), read.relation
            premises.setdefault(key, Premise(presupposition, whether, main, denies))
    return tuple(premises.values())


def _place(question: str, main: str) -> tuple[int, int]:
    """Return where the words of a clause begin and end in a question; the whole of it where they are parted."""
    words = main.rstrip("?")
    start = question.find(words)
    return (start, start + len(words)) if start >= 0 else (0, len(question.rstrip("?")))


def premise_text(slots: Slots, *, denied: bool = False) -> str:
    """Return what a question with these slots takes for granted as a sentence: "Smoking prevents lung cancer."."""
    cause, effect = slots.cause or "", slots.effect or ""
    plural = concept_noun(cause.lower()).plural or (
        cause.lower().endswith("s") and not cause.lower().endswith(("ss", "us", "is"))
    )
    singular_verb, plural_verb = _VERBS[slots.relation]
    if not denied:
        return _sentence(f"{cause} {plural_verb if plural else singular_verb} {effect}")
    being, _, rest = plural_verb.partition(" ")
    if being == "are":
        return _sentence(f"{cause} {'are' if plural else 'is'} not {rest} {effect}")
    return _sentence(f"{cause} {'do' if plural else 'does'} not {plural_verb} {effect}")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.?! ')}."
