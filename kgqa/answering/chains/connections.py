"""Answers to "How are A and B connected?" and "What is the role of A in B?": what the one does to the other, either way.

What the first does to the second comes first, then the reverse, then a mere link, then, but for a role, what causes both. It is
never "no": that nothing is known of a connection denies none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from graph.model import Relation
from kgqa.answer_model import Answer, CausalConnection, Verdict
from kgqa.answering.chains.chain_answer import answer_chain
from kgqa.answering.findings import join_answers
from kgqa.answering.lists.shared_causes import SharedConclusion, answer_shared_causes
from kgqa.answering.refusals import refuse_phrase
from kgqa.answering.verdicts.verification import VerdictConclusion, answer_verification
from kgqa.question import Semantic, SlotOptions, Slots
from kgqa.questions.lexicon import lexicon
from kgqa.reasons import Conclusion, Missing
from kgqa.request import Answerer, Request

_MOST_THINGS = 4
_STATED = 2
"""How many sources state the reverse where it is told besides."""
_SURE_PAIR = 0.7
"""The least product of two links that are both sure."""
_ROLES = frozenset(("chain.role", "chain.role-of", "chain.role-phrase"))


@dataclass(frozen=True, slots=True)
class ConnectionConclusion(Conclusion):
    """How several things are connected: the conclusions of the connections that are known, in the order of the question."""

    conclusions: tuple[Conclusion | str, ...]

    @property
    def is_thin(self) -> bool:
        """Whether one connection is all that is known, and it says little."""
        first, *others = self.conclusions
        return not others and isinstance(first, Conclusion) and first.is_thin


def answer_connection(request: Request) -> Answer:
    """Answer how the things that a question names are connected, each two of them in the direction that is known."""
    things = _things_of(request.kind.slots)
    pairs = list(combinations(things, 2))
    answers = [answer for pair in pairs for answer in _connections(request, *pair)]
    known = [answer for answer in answers if answer.answer is not None]
    if not known:
        refused = _put(request, answer_chain, Slots(things[0], things[1]))
        if refused.answer is not None:  # by an unsure reading
            return refuse_phrase(request, Missing("chain", (things[0], things[1])), things[0])
        return replace(refused, type=request.kind)
    conclusion = ConnectionConclusion(tuple(dict.fromkeys(answer.conclusion for answer in known)))
    joined = join_answers(request, tuple(answer.answer or "" for answer in known), known, conclusion)
    best = known[0]
    return replace(
        joined,
        answer=best.answer,
        findings=tuple(finding for answer in known for finding in answer.findings)[: request.limit],
        confidence=min(answer.confidence for answer in known),
        signals=best.signals,
        connection=best.connection,
        gaps=(),
    )


def _things_of(slots: Slots) -> list[str]:
    """Return what is connected, without the people that it is so for where two things are left."""
    phrases = [slots.cause or "", slots.effect or ""]
    if slots.options is not None:
        place = 0 if slots.options.slot == "cause" else 1
        phrases[place : place + 1] = slots.options.phrases
    things = [phrase for phrase in phrases if phrase.lower() not in lexicon().plain["population"]]
    return (things if len(things) > 1 else phrases)[:_MOST_THINGS]


def _connections(request: Request, first: str, second: str) -> Iterator[Answer]:
    """Yield what is known of two things: of either direction what acts, else a mere link, else what causes both.

    The reverse of what is known is told besides only where several sources state it, and not to a question for a role.
    """
    forward = _acting(request, first, second)
    if forward is not None:
        yield forward
    backward = None if forward is not None and not _ROLES.isdisjoint(request.kind.rules) else _acting(request, second, first)
    if backward is not None:
        stated = backward.connection is CausalConnection.DIRECT and backward.signals.support >= _STATED
        if forward is None or stated:
            yield backward
    if forward is not None or backward is not None:
        return
    linked = _put(request, answer_verification, Slots(first, second, Relation.ASSOCIATED), Semantic.VERIFICATION)
    if linked.answer == Verdict.YES and linked.signals.link >= _SURE_PAIR:
        yield linked
    is_role = not _ROLES.isdisjoint(request.kind.rules)
    if linked.answer == Verdict.YES or isinstance(linked.conclusion, VerdictConclusion) or is_role:
        return  # What is only hedged of the two is nearer than what causes both, which is no role of the one in the other.
    both = SlotOptions("effect", (first, second), "and")
    shared = _put(request, answer_shared_causes, Slots(None, f"{first} and {second}", options=both))
    if isinstance(shared.conclusion, SharedConclusion) and shared.conclusion.shared and not shared.conclusion.unlinked:
        yield replace(shared, conclusion=replace(shared.conclusion, alone=()))


def _acting(request: Request, cause: str, effect: str) -> Answer | None:
    """Return what a thing does to another: how it, or the lack of it, causes it, or how it prevents it; the sure first."""
    unsure: Answer | None = None
    for phrase, relation in ((cause, Relation.CAUSES), (cause, Relation.PREVENTS), (f"lack of {cause}", Relation.CAUSES)):
        answer = _put(request, answer_chain, Slots(phrase, effect, relation))
        if answer.answer is not None and answer.answer != Verdict.NO:
            if answer.signals.link >= _SURE_PAIR:
                return answer
            if answer.connection is not CausalConnection.MEDIATED:
                unsure = unsure or answer
    return unsure


def _put(request: Request, answerer: Answerer, slots: Slots, semantic: Semantic = Semantic.CAUSE) -> Answer:
    """Return the answer to the plain question that slots make."""
    question = f"{slots.cause} and {slots.effect}"
    kind = replace(request.kind, semantic=semantic, slots=slots, attributes=())
    answer = answerer(replace(request, question=question, kind=kind, premise=None))
    conclusion = answer.conclusion
    if isinstance(conclusion, VerdictConclusion):
        conclusion = replace(conclusion, explains=False, without_mechanism=False)
    return replace(answer, question=request.question, conclusion=conclusion, verdict=None)
