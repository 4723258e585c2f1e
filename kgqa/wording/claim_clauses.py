"""Claims as clauses that keep their strength, stance and conditions, and the counts and sentences that answers are made of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path as File
from typing import TYPE_CHECKING

from graph.model import Edge, Evidence, Path, Polarity, Relation, Stance, Strength
from graph.text.concept_nouns import ConceptNoun, concept_noun
from graph.text.concept_nouns import concept_phrase as concept_phrase
from graph.text.concept_nouns import join_phrases as join_phrases
from graph.text.concept_nouns import written_name as written_name
from graph.text.word_lists import kind_of_noun
from kgqa.answering.contracts import is_said_to_spread, is_said_to_treat
from kgqa.questions.lexicon import topics_of

if TYPE_CHECKING:
    from kgqa.answer_model import CitedEvidence

_STRENGTH_VERBS = {
    Strength.CAUSES: ("causes", "cause"),
    Strength.LEADS_TO: ("leads to", "lead to"),
    Strength.CONTRIBUTES_TO: ("contributes to", "contribute to"),
    Strength.RISK_FACTOR: ("is a risk factor for", "are risk factors for"),
    Strength.ASSOCIATED: ("is linked to", "are linked to"),
}
_GRADED_STRENGTHS = (Strength.RISK_FACTOR, Strength.ASSOCIATED)
_RELATION_VERBS = {
    Relation.ENABLES: ("enables", "enable"),
    Relation.PREVENTS: ("prevents", "prevent"),
    Relation.MOTIVATES: ("motivates", "motivate"),
    Relation.IS_FOR: ("is for", "are for"),
    Relation.ASSOCIATED: ("is linked to", "are linked to"),
}
_POLARITY_VERBS = {Polarity.INCREASES: ("increases", "increase"), Polarity.DECREASES: ("reduces", "reduce")}
_CONDITION_SLOTS = ("population", "place", "time", "dose", "condition")
"""The slots of a context whose words can stand behind a clause as they are, in this order."""


def fixed_phrases(table: str) -> dict[str, str]:
    """Return the phrases of one table of data/phrases.tsv by their names; the facts are put in where a phrase has "{}"."""
    return {name: phrase for row, name, phrase in _phrase_rows() if row == table}


@cache
def _phrase_rows() -> list[list[str]]:
    lines = File(__file__).with_name("data").joinpath("phrases.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines]


def claim_verb(edge: Edge) -> str:
    """Return the verb of an edge, no stronger than its evidence ("may cause" where all hedge), in the number of the cause."""
    return _verb_form(edge, _subject_noun(edge).plural, "may" if _is_hedged(edge) else "")


def claim_clause(edge: Edge, records: Iterable[Evidence] = ()) -> str:
    """Return an edge as a clause: "smoking causes lung cancer".

    Of `records`, the cited evidence, the clause keeps what all of it says besides: "can" for what may happen, and the conditions
    ("in adults").
    """
    asserting = [record for record in records if record.stance is not Stance.NEGATED]
    can = bool(asserting) and all("capability" in dict(record.context) for record in asserting)
    return with_conditions(modal_clause(edge, "may" if _is_hedged(edge) else "can" if can else ""), asserting)


def joint_clauses(edges: Iterable[Edge]) -> list[str]:
    """Return edges as clauses with their sources; those of one verb and one cause, or else one effect, are one clause.

    "smoking (3 sources) and radon (1 source) cause lung cancer".
    """
    clauses, waiting = [], list(edges)
    while waiting:
        first, modal = waiting[0], "may" if _is_hedged(waiting[0]) else ""
        kind = bool(modal), _verb_form(first, True, "")
        alike = [edge for edge in waiting if (_is_hedged(edge), _verb_form(edge, True, "")) == kind]
        by_cause, by_effect = (
            [edge for edge in alike if getattr(edge, end) == getattr(first, end)] for end in ("cause", "effect")
        )
        group = max(by_cause, by_effect, key=len)
        waiting = [edge for edge in waiting if edge not in group]
        many = len(group) > 1 and group is by_effect
        subject, verb = _subject_noun(first), _verb_form(first, many or _subject_noun(first).plural, modal)
        if many:
            causes = join_phrases([f"{_subject_noun(edge).text} ({source_remark(edge)})" for edge in group])
            clauses.append(f"{causes} {verb} {_object_noun(first).text}")
        else:
            effects = join_phrases([f"{_object_noun(edge).text} ({source_remark(edge)})" for edge in group])
            clauses.append(f"{subject.text} {verb} {effects}")
    return clauses


def source_remark(edge: Edge) -> str:
    """Return what an edge rests on: "3 sources"."""
    return count_noun(edge.support, "source") if edge.support else "only with a hedge"


def chain_clause(path: Path, cited: Iterable[CitedEvidence] = ()) -> str:
    """Return the claims of a path as one clause: "obesity causes insulin resistance, which causes diabetes".

    Each keeps its strength, and the conditions on which all of the evidence in `cited` about it states it.
    """
    cited = list(cited)
    records = [[item.evidence for item in cited if item.claim == edge.claim] for edge in path.edges]
    first, *rest = zip(path.edges, records, strict=True)
    clauses = (_next_clause(before, edge, evidence) for before, (edge, evidence) in zip(path.edges, rest, strict=False))
    return ", ".join([claim_clause(*first), *clauses])


def _next_clause(before: Edge, edge: Edge, records: Iterable[Evidence]) -> str:
    """Return an edge as a clause about what was just named, "which causes diabetes", or about what says the same."""
    clause = claim_clause(edge, records)
    return f"which{clause.removeprefix(_subject_noun(edge).text)}" if before.effect == edge.cause else f"and {clause}"


def modal_clause(edge: Edge, modal: str = "") -> str:
    """Return an edge as a clause with a modal, or without any, as a denial has it: "coffee may cause cancer"."""
    cause = _subject_noun(edge)
    return f"{cause.text} {_verb_form(edge, cause.plural, modal)} {_object_noun(edge).text}"


def negated_clause(edge: Edge) -> str:
    """Return that a claim is not so: "coffee does not cause cancer"."""
    cause = _subject_noun(edge)
    verb = _verb_form(edge, True, "")
    being, _, rest = verb.partition(" ")
    denied = (
        f"{'are' if cause.plural else 'is'} not {rest}" if being == "are" else f"{'do' if cause.plural else 'does'} not {verb}"
    )
    return f"{cause.text} {denied} {_object_noun(edge).text}"


def with_conditions(clause: str, records: Iterable[Evidence]) -> str:
    """Return a clause with the conditions on which all of `records` state it: "... in adults", "... if untreated"."""
    contexts = [dict(item.context) for item in records]
    if not contexts:
        return clause
    shared = [
        words
        for slot in _CONDITION_SLOTS
        if (words := contexts[0].get(slot)) and all(item.get(slot) == words for item in contexts)
    ]
    return " ".join([clause, *(words for words in dict.fromkeys(shared) if words.lower() not in clause.lower())])


def cause_beliefs(edges: Iterable[Edge]) -> list[str]:
    """Return the causes of some edges with the beliefs in them: "radon (0.99)"."""
    return [f"{written_name(edge.cause)} ({edge.belief:.2f})" for edge in edges]


def written_path(concepts: Iterable[str]) -> str:
    """Return the concepts of a path as they are written, joined by arrows: "smoking → lung cancer"."""
    return " → ".join(map(written_name, concepts))


def has_amount(name: str) -> bool:
    """Return whether there can be a rise or a fall in something: in wages, but not in an illness or an event."""
    head = name.split()[-1]
    return "illness" not in topics_of(head) and kind_of_noun(head) not in ("event", "phenomenon")


def amount_phrase(name: str, change: str) -> str:
    """Return a change of how much there is of something: "a rise in trade barriers", "a fall in biodiversity"."""
    return f"a {change} in {concept_phrase(name) if concept_noun(name).plural else written_name(name)}"


def mark_clause(edge: Edge, curator: str, reason: str) -> str:
    """Return that a person marked a claim as wrong, in a clause with the reason."""
    return f"that {claim_clause(edge)} was marked wrong by {curator}: {reason}"


def count_noun(number: int, word: str) -> str:
    """Return a number with its noun, in the plural unless it is one: "3 sources"."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def as_sentence(text: str) -> str:
    """Return `text` with a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _subject_noun(edge: Edge) -> ConceptNoun:
    return concept_noun(edge.cause, edge.claim.relation is Relation.MOTIVATES)


def _object_noun(edge: Edge) -> ConceptNoun:
    """Return the object of the clause: an action, for what something is for, enables or motivates; X, for a cause of X."""
    name = edge.effect.removeprefix("cause of ") if edge.claim.relation is Relation.CAUSES else edge.effect
    return concept_noun(name, edge.claim.relation in (Relation.IS_FOR, Relation.ENABLES, Relation.MOTIVATES))


def _is_hedged(edge: Edge) -> bool:
    return not edge.support and edge.hedged > 0


def _verb_form(edge: Edge, many: bool, modal: str) -> str:
    """Return the verb in the number of its subject, or behind a modal ("may"); graded wordings hold "be"."""
    forms = ("treats", "treat") if is_said_to_treat(edge) else _RELATION_VERBS.get(edge.claim.relation)
    if forms is None and is_said_to_spread(edge) and any("animal" in topics_of(word) for word in edge.cause.split()):
        forms = "spreads", "spread"
    if forms is None:
        plain = _STRENGTH_VERBS[edge.strength]
        forms = plain if edge.strength in _GRADED_STRENGTHS else _POLARITY_VERBS.get(edge.claim.polarity, plain)
    if forms == _STRENGTH_VERBS[Strength.ASSOCIATED] and edge.claim.polarity is Polarity.DECREASES:
        forms = ("is linked to less", "are linked to less")
    if not modal:
        return forms[many]
    being, _, rest = forms[many].partition(" ")
    if being not in ("is", "are"):
        return f"{modal} {forms[True]}"
    return f"{modal} be {rest}"
