"""Answers for people: the sentence first, then what it rests on, numbered sources, what speaks against it, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph.belief.belief import ground_precision
from graph.model import Edge, Ground, Stance
from kgqa.answer_model import Answer, CitedEvidence, ContextSplit, Excerpt, Finding, PassageAnswer, Verdict
from kgqa.answering.findings import was_set_by_hand
from kgqa.cli.output.terminal import say, say_boldly
from kgqa.wording.claim_clauses import claim_clause, count_noun, join_phrases, written_name

_SHOWN_SENTENCE = 400
_AROUND = 180
_STANCE_VERBS = {Stance.ASSERTED: ("asserts", "assert"), Stance.NEGATED: ("denies", "deny"), Stance.HEDGED: ("hedges", "hedge")}
_PHRASE_SLOTS = frozenset({"population", "place", "time", "dose", "condition"})
"""Slots whose words say by themselves what they are: "in adults"."""
_SOURCE_KINDS = {"causenet": "CauseNet, a relation without a sentence", "clueweb12": "CauseNet, from a web page of ClueWeb12"}
_CONFIDENCE_WORDS = ((0.9, "very high"), (0.7, "high"), (0.4, "moderate"), (0.2, "low"), (0.0, "very low"))
_ALSO_SHOWN = 5


def render_answer(answer: Answer, explanation: Iterable[tuple[str, Sequence[str]]] = ()) -> None:
    """Print an answer, and behind it the headings of an explanation with their lines."""
    say_boldly(answer.question)
    say()
    say(answer.sentence, "  ")
    if answer.answer is not None or answer.verdict is Verdict.CONTESTED:
        say(f"Confidence: {confidence_text(answer.confidence)}", "  ")
    for remark in answer.notes:
        say(remark, "  ")
    if answer.read:
        _print_passage_answers(answer.read)
    numbers = {cited: number for number, cited in enumerate((*answer.evidence, *answer.against), 1)}
    if answer.findings:
        say()
    for place, finding in enumerate(answer.findings, 1):
        _print_finding(place, finding, answer, numbers)
    _print_standing(answer)
    _print_world_change(answer)
    _print_sources("Sources", answer.evidence, numbers)
    _print_sources("Against", answer.against, numbers)
    if answer.missing:
        _print_heading("Missing")
    for gap in answer.missing:
        say(f"- {gap.what}: {gap.where}", "  ", "    ")
    for heading, steps in explanation:
        _print_heading(heading)
        for step in steps:
            say(f"- {step}", "  ", "    ")


def confidence_text(confidence: float) -> str:
    """Return a confidence as a word and a number: "high (0.83)"."""
    word = next((word for least, word in _CONFIDENCE_WORDS if confidence >= least), _CONFIDENCE_WORDS[-1][1])
    return f"{word} ({confidence:.2f})"


def _print_finding(place: int, finding: Finding, answer: Answer, numbers: dict[CitedEvidence, int]) -> None:
    """Print one of the answers with its path and the numbers of its sources, those against apart; not every source is shown."""
    steps = "; ".join(f"{claim_clause(edge)} ({_belief_text(edge)})" for edge in finding.path.edges)
    read = [edge for edge in finding.path.edges if not was_set_by_hand(edge)]
    counts = count_noun(finding.support, "source") if finding.support else source_counts(read[0]) if read else ""
    supporting, denying = (
        _reference_numbers(finding, answer.evidence, numbers),
        _reference_numbers(finding, answer.against, numbers),
    )
    against = f"; against: {denying}" if supporting and denying else denying
    rests = f"; {counts} {supporting}{against}".rstrip() if counts else ""
    say(f"{place}. {_finding_name(finding.text)}: {steps}{rests}", "  ", "     ")
    if finding.merged:
        more = len(finding.merged) - _ALSO_SHOWN
        merged_names = [_finding_name(name) for name in finding.merged[:_ALSO_SHOWN]]
        say(f"also: {', '.join(merged_names)} and {more} more" if more > 0 else f"also: {join_phrases(merged_names)}", "     ")


def _print_passage_answers(answers: Sequence[PassageAnswer]) -> None:
    """Print what was read: each sentence with its answer marked, and where it stands; what stands nowhere in a line."""
    _print_heading("Read")
    for place, passage_answer in enumerate(answers, 1):
        where = "" if passage_answer.excerpt is None else f": {_excerpt_place(passage_answer.excerpt)}"
        say(f"{place}. {passage_answer.text} ({passage_answer.confidence:.2f}){where}", "  ", "     ")
        if passage_answer.excerpt is not None:
            say(f"“{mark_answer(passage_answer.excerpt)}”", "     ", "     ")


def _excerpt_place(excerpt: Excerpt) -> str:
    """Return where a sentence stands: its text, and from which character on to which."""
    source = excerpt.source
    return f"{source.title or source.kind}, characters {excerpt.start:,} to {excerpt.end:,} {source.url}".strip()


def mark_answer(excerpt: Excerpt) -> str:
    """Return a sentence with its answer between brackets; of a long one, what stands around the answer."""
    start, end = excerpt.marked or (0, 0)
    before, answer, after = excerpt.text[:start], excerpt.text[start:end], excerpt.text[end:]
    if len(excerpt.text) > _SHOWN_SENTENCE:
        before = f"… {before[-_AROUND:]}" if len(before) > _AROUND else before
        after = f"{after[:_AROUND]} …" if len(after) > _AROUND else after
    return f"{before}[{answer}]{after}" if answer else f"{before}{after}"


def _finding_name(text: str) -> str:
    """Return what a finding is called, as it is written: a concept, or the concepts of a chain."""
    return " → ".join(map(written_name, text.split(" → ")))


def _belief_text(edge: Edge) -> str:
    """Return the belief in a step, and that it was set where it rests on no evidence."""
    return f"{edge.belief:.2f}{', as it was set' if was_set_by_hand(edge) else ''}"


def _reference_numbers(finding: Finding, cited: Iterable[CitedEvidence], numbers: dict[CitedEvidence, int]) -> str:
    """Return the numbers of those records that bear on the path of a finding."""
    claims = {edge.claim for edge in finding.path.edges}
    return " ".join(f"[{numbers[citation]}]" for citation in cited if citation.claim in claims)


def _print_standing(answer: Answer) -> None:
    """Print how a verdict stands: how the two are connected, which sources it rests on, what tells its sides apart."""
    lines = []
    if answer.connection is not None:
        lines.append(f"How the two are connected: {answer.connection}")
    if answer.flips:
        from kgqa.wording.answer_phrases import word_flips

        rests = word_flips(answer.flips, answer.signals.support if answer.verdict is not Verdict.NO else answer.signals.against)
        lines.append(f"Rests on: {rests}")
    if answer.separation is not None:
        lines.append(f"What tells the two sides apart: {_separation_text(answer.separation)}")
    if any(lines):
        say()
    for line in lines:
        say(line, "  ", "    ")


def _separation_text(separation: ContextSplit) -> str:
    """Return what tells two sides apart: "population (for: in adults; against: in children)"."""
    sides = (("for", separation.supporting), ("against", separation.denying))
    return f"{separation.slot} ({'; '.join(f'{side}: {join_phrases(words)}' for side, words in sides if words)})"


def source_counts(edge: Edge) -> str:
    """Return how many sources say what an edge says, deny it, and hedge: "3 sources, 1 against, 2 hedged"."""
    counts = (
        (count_noun(edge.support, "source"), edge.support),
        (f"{edge.against} against", edge.against),
        (f"{edge.hedged} hedged", edge.hedged),
    )
    return ", ".join(text for text, number in counts if number) or "no source"


def print_citation(cited: CitedEvidence, number: str, indent: str) -> None:
    """Print an evidence record: its source on a line, which `number` begins, and its sentence, where it has one, on the next."""
    evidence, source = cited.evidence, cited.evidence.source
    hanging = indent + " " * (len(number) + 1 if number else 0)
    title = source.title or _SOURCE_KINDS.get(source.kind, source.kind)
    section = f", section “{evidence.section}”" if evidence.section else ""
    place = f", characters {evidence.start} to {evidence.end}" if evidence.start is not None and evidence.text is None else ""
    remarks = [str(evidence.stance)] if evidence.stance is not Stance.ASSERTED else []
    remarks += [words if slot in _PHRASE_SLOTS else f"{slot}: {words}" for slot, words in evidence.context]
    remark = f" ({'; '.join(remarks)})" if remarks else ""
    say(f"{number} {title}{section}{place}{remark} {source.url}".strip(), indent, hanging)
    if evidence.text:
        text = evidence.text if len(evidence.text) <= _SHOWN_SENTENCE else evidence.text[:_SHOWN_SENTENCE] + " …"
        say(f"“{text}”", hanging)


def _print_sources(heading: str, cited: tuple[CitedEvidence, ...], numbers: dict[CitedEvidence, int]) -> None:
    """Print evidence records with their numbers."""
    if cited:
        _print_heading(heading)
    for citation in cited:
        print_citation(citation, f"[{numbers[citation]}]", "  ")


def _print_world_change(answer: Answer) -> None:
    """Print what is different in the world that was set."""
    if answer.change is None:
        return
    from kgqa.wording.answer_phrases import word_change

    lines = list(word_change(answer.change))
    if lines:
        _print_heading("What changes")
    for line in lines:
        say(f"- {line}", "  ", "    ")


def _print_heading(text: str) -> None:
    """Print the heading of a part of an answer."""
    say()
    say_boldly(text, "  ")


def belief_reasons(edge: Edge) -> str:
    """Return what the belief in an edge rests on: "belief 0.95 that a causes b: 2 sources assert it (wikipedia, ...)"."""
    grounds = "; ".join(map(_evidence_reason, edge.grounds)) or "nothing asserts or denies it"
    return f"belief {edge.belief:.2f} that {claim_clause(edge)}: {grounds}"


def _evidence_reason(ground: Ground) -> str:
    """Return what the groups of a ground do, how they were found, and how often what is found so is right."""
    ways = " or ".join(", ".join(filter(None, pair)) for pair in ground.readings)
    manner = f"{ways}, right" if ways else "right"
    does = _STANCE_VERBS[ground.stance][ground.groups > 1]
    return f"{count_noun(ground.groups, 'source')} {does} it ({manner} in {ground_precision(ground):.2f})"
