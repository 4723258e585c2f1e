"""Every decision from a question to its answer, as lines for people: what `kgqa ask --explain` prints besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.answering.wording import counted, listed
from kgqa.cli.render import reasons, sureness
from kgqa.model import Answer, Condition, QuestionType, Signals

_RIVALS = 2
"""How many other classes are shown, each with what it scored."""
_LEAST = 0.005
"""The least score that is shown."""

Part = tuple[str, list[str]]


def explained(answer: Answer) -> Iterator[Part]:
    """Yield the headings of the explanation with their lines, in the order in which things were decided."""
    yield "How the question was understood", list(_understood(answer.type))
    yield "How it was answered", [f"route: {answer.route}", *answer.trace]
    edges = dict.fromkeys(edge for finding in answer.findings for edge in finding.path.edges)
    if edges:
        yield "What is believed, and why", [reasons(edge) for edge in edges]
    if answer.answer is not None or answer.confidence > 0.0:
        yield "How sure the answer is", list(_sure(answer))


def _understood(kind: QuestionType) -> Iterator[str]:
    """Yield how a question was typed and what was taken from it."""
    attributes = f", {', '.join(kind.attributes)}" if kind.attributes else ""
    rules = ", ".join(kind.rules) or "no rule"
    yield f"type: {kind.semantic or 'not causal'}{attributes} ({kind.confidence:.2f}; {rules})"
    yield from _rivals("other types", kind.scores, kind.semantic)
    if kind.pragmatic or kind.intent:
        named = " of ".join(filter(None, (kind.pragmatic, kind.intent if kind.pragmatic else None))) or str(kind.intent)
        yield f"what is wanted: {named.replace(' of ', ', ')} ({kind.pragmatic_confidence:.2f})"
        yield from _rivals("or else", kind.pragmatic_scores, kind.pragmatic)
    slots = kind.slots
    named_slots = ("cause", "effect", "population", "place", "time", "comparison")
    filled = ", ".join(f"{name} = '{value}'" for name in named_slots if (value := getattr(slots, name)))
    yield f"slots: {filled or 'none'}"
    yield f"asked for: {slots.relation}"
    if slots.options is not None:
        joined = "one of" if slots.options.joined == "or" else "all of"
        yield f"options for the {slots.options.slot}, {joined}: {listed([repr(one) for one in slots.options.phrases])}"
    if slots.condition is not None:
        yield f"if: {supposed(slots.condition)}"
    if slots.outcome is not None:
        yield f"asked of the effect: {slots.outcome}"
    if kind.mood is not None:
        yield f"mood: {kind.mood:.2f} (from 0, taken for so, to 1, only supposed)"


def supposed(condition: Condition) -> str:
    """Return what an "if" supposes: "'smoking' absent and 'radon' absent", "'coffee' → 'gout' present"."""
    parts = [f"'{one.target}'{f' → {one.effect!r}' if one.effect else ''} {one.value}" for one in condition.each]
    return f" {condition.joined} ".join(parts)


def _rivals(heading: str, scores: Sequence[tuple[str, float]], chosen: object) -> Iterator[str]:
    """Yield the classes that were not chosen, likeliest first, with their scores; nothing where there are none to speak of."""
    others = [f"{name} {score:.2f}" for name, score in scores if name != chosen and score >= _LEAST][:_RIVALS]
    if others:
        yield f"{heading}: {', '.join(others)}"


def _sure(answer: Answer) -> Iterator[str]:
    """Yield what the confidence was reckoned from."""
    yield f"confidence: {sureness(answer.confidence)}"
    found = answer.signals
    if found == Signals():
        return
    yield f"how the question was understood: {answer.type.confidence:.2f}; how its phrases were read: {found.link:.2f}"
    yield f"belief in what it rests on: {found.belief:.2f}, {_sides(found)}"
    if found.steps:
        yield f"reached in {counted(found.steps, 'step')}"
    if found.connection is not None:
        yield f"connection: {found.connection}"
    if found.agreement:
        yield f"share of the other ways to an answer that come to the same: {found.agreement:.2f}"


def _sides(found: Signals) -> str:
    """Return how many independent sources stand on each side."""
    sides = [f"{counted(found.support, 'independent source')} for it"]
    sides += [f"{found.against} against"] if found.against else []
    sides += [f"{found.hedged} hedged"] if found.hedged else []
    return ", ".join(sides)
