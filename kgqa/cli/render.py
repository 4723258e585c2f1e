"""Answers for people: the sentence first, then what it rests on, numbered sources, what speaks against it, what is missing."""

from __future__ import annotations

from kgqa.answering.wording import claim, counted
from kgqa.cli.terminal import bold, say
from kgqa.model import Answer, Cited, Finding

_SHOWN_SENTENCE = 400


def render(answer: Answer, explain: bool = False) -> None:
    """Print an answer; with `explain`, every decision from the question to the answer too."""
    print(bold(answer.question))
    print()
    say(answer.sentence, "  ")
    numbers = {cited: number for number, cited in enumerate((*answer.evidence, *answer.against), 1)}
    if answer.findings:
        print()
    for place, finding in enumerate(answer.findings, 1):
        _finding(place, finding, numbers)
    _sources("Sources", answer.evidence, numbers)
    _sources("Against", answer.against, numbers)
    if answer.missing:
        print("\n  Missing")
    for one in answer.missing:
        say(f"- {one.what}: {one.where}", "  ", "    ")
    if explain:
        _explain(answer)


def _finding(place: int, finding: Finding, numbers: dict[Cited, int]) -> None:
    """Print one of the answers with its path and the numbers of its sources."""
    claims = {edge.claim for edge in finding.path.edges}
    refs = [f"[{number}]" for cited, number in numbers.items() if cited.claim in claims]
    steps = "; ".join(f"{claim(edge)} ({edge.belief:.2f})" for edge in finding.path.edges)
    text = f"{place}. {finding.text}: {steps}; {counted(finding.support, 'source')} {' '.join(refs)}"
    say(text, "  ", "     ")


def _sources(heading: str, cited: tuple[Cited, ...], numbers: dict[Cited, int]) -> None:
    """Print evidence records with their numbers."""
    if cited:
        print(f"\n  {heading}")
    for one in cited:
        evidence, source = one.evidence, one.evidence.source
        title = source.title or source.kind
        place = f", characters {evidence.start} to {evidence.end}" if evidence.start is not None and evidence.text is None else ""
        section = f", section “{evidence.section}”" if evidence.section else ""
        stance = "" if evidence.stance == "asserted" else f" ({evidence.stance})"
        say(f"[{numbers[one]}] {title}{section}{place}{stance} {source.url}".rstrip(), "  ", "      ")
        if evidence.text:
            text = evidence.text if len(evidence.text) <= _SHOWN_SENTENCE else evidence.text[:_SHOWN_SENTENCE] + " …"
            say(f"“{text}”", "      ")


def _explain(answer: Answer) -> None:
    """Print how the question was understood and what was done."""
    kind = answer.type
    print("\n  How this was answered")
    attributes = f", {', '.join(kind.attributes)}" if kind.attributes else ""
    say(
        f"- type: {kind.semantic or 'not causal'}{attributes} ({kind.confidence:.2f}; {', '.join(kind.rules) or 'no rule'})",
        "  ",
        "    ",
    )
    slots = {"cause": kind.slots.cause, "effect": kind.slots.effect}
    say(f"- slots: {', '.join(f'{name} = {value!r}' for name, value in slots.items() if value) or 'none'}", "  ", "    ")
    if kind.slots.condition is not None:
        say(f"- if: {kind.slots.condition.target!r} {kind.slots.condition.presence}", "  ", "    ")
    say(f"- route: {answer.route}", "  ", "    ")
    for step in answer.trace:
        say(f"- {step}", "  ", "    ")
