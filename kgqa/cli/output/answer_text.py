"""Answers for people: the sentence first, then what it rests on, numbered sources, what speaks against it, what is missing.

With an explanation, every decision from the question to the answer follows: what `kgqa ask --explain` adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graph.model import (
    Stance,
)
from kgqa.answer_model import (
    Answer,
    CausalConnection,
    CitedEvidence,
    Excerpt,
    Finding,
    PassageAnswer,
    Route,
    Verdict,
)
from kgqa.answering.findings import was_set_by_hand
from kgqa.cli.output.terminal import say, say_boldly
from kgqa.wording.claim_clauses import claim_clause, count_noun, join_phrases, modal_clause, written_name
from kgqa.wording.explanation import (
    SOURCE_COLLECTIONS,
    ExplanationPart,
    confidence_text,
    context_remarks,
    mark_text,
    source_counts,
)

_SHOWN_SENTENCE = 400
_AROUND = 180
_SAID_CONNECTIONS = frozenset({CausalConnection.NONE, CausalConnection.REVERSED})
"""What the sentence of an unknown verdict says already."""
_ALSO_SHOWN = 5


def render_answer(answer: Answer, explanation: Iterable[ExplanationPart] = ()) -> None:
    """Print an answer, and behind it the parts of an explanation."""
    say_boldly(answer.question)
    say()
    numbers = _number_sources(answer)
    findings = () if _repeats_verdict(answer) else answer.findings
    unlisted = [
        [citation for citation in cited if not any(_rests_on(finding, citation) for finding in findings)]
        for cited in (answer.evidence, answer.against)
    ]
    for sentence, references in _cited_sentences(answer, numbers, *unlisted):
        say(f"{sentence} {references}".rstrip(), "  ")
    if answer.answer is not None or answer.verdict is Verdict.CONTESTED:
        say(f"Confidence: {confidence_text(answer.confidence)}", "  ")
    for remark in answer.notes:
        say(remark, "  ")
    _print_passage_answers(answer.read)
    if findings:
        say()
    for place, finding in enumerate(findings, 1):
        _print_finding(place, finding, answer, numbers)
    _print_standing(answer)
    if answer.change is not None:
        from kgqa.wording.trace_lines import word_change

        _print_items("What changes", list(word_change(answer.change)))
    for heading, cited in (("Sources", answer.evidence), ("Against", answer.against)):
        if cited:
            _print_heading(heading)
        folded: dict[int, list[CitedEvidence]] = {}
        for citation in cited:
            folded.setdefault(numbers[citation], []).append(citation)
        for number, citations in sorted(folded.items()):
            _print_source(citations, f"[{number}]", "  ")
    _print_missing(answer)
    for heading, steps in explanation:
        _print_items(heading, steps)


def _cited_sentences(
    answer: Answer, numbers: dict[CitedEvidence, int], supporting: Sequence[CitedEvidence], denying: Sequence[CitedEvidence]
) -> Iterator[tuple[str, str]]:
    """Yield what an answer says with the numbers of its sources: a correction with its own, then the rest."""
    sentence = answer.sentence
    for item in answer.presuppositions:
        correction = item.correction_sentence
        if answer.route is Route.PRESUPPOSITION and correction and sentence.startswith(correction):
            yield correction, _reference_numbers(numbers, item.evidence, ())
            sentence = sentence.removeprefix(correction).strip()
            supporting = [citation for citation in supporting if citation not in item.evidence]
    if sentence:
        yield sentence, _reference_numbers(numbers, supporting, denying)


def _rests_on(finding: Finding, citation: CitedEvidence) -> bool:
    """Return whether a finding, or what was merged with it, rests on a cited record."""
    claim = citation.claim
    return any(edge.claim == claim for edge in finding.path.edges) or not {claim.cause, claim.effect}.isdisjoint(finding.merged)


def _reference_numbers(
    numbers: dict[CitedEvidence, int], supporting: Sequence[CitedEvidence], denying: Sequence[CitedEvidence]
) -> str:
    """Return the numbers of cited records, those against apart: "[1] [2]; against: [3]"."""
    sides = (
        " ".join(f"[{number}]" for number in sorted({numbers[citation] for citation in cited})) for cited in (supporting, denying)
    )
    return "; against: ".join(filter(None, sides))


def _repeats_verdict(answer: Answer) -> bool:
    """Return whether all that an answer lists is the claim that its verdict states in the sentence already."""
    if answer.route is Route.PRESUPPOSITION and answer.verdict is not None:
        return True
    if answer.verdict is None or len(answer.findings) != 1 or len(answer.findings[0].path.edges) != 1:
        return False
    edge = answer.findings[0].path.edges[0]
    clauses = (claim_clause(edge), modal_clause(edge), modal_clause(edge, "may"), modal_clause(edge, "can"))
    return not was_set_by_hand(edge) and any(clause in answer.sentence for clause in clauses)


def _number_sources(answer: Answer) -> dict[CitedEvidence, int]:
    """Return the number of the source of each cited record: those of one place, and entries of one collection, share one."""
    places: dict[object, int] = {}
    sides = ((side, citation) for side, cited in enumerate((answer.evidence, answer.against)) for citation in cited)
    return {citation: places.setdefault((side, *_source_place(citation)), len(places) + 1) for side, citation in sides}


def _source_place(citation: CitedEvidence) -> tuple[object, ...]:
    evidence, source = citation.evidence, citation.evidence.source
    if source.kind in SOURCE_COLLECTIONS and evidence.text is None:
        return (SOURCE_COLLECTIONS[source.kind], evidence.stance)
    place = (source.kind, source.title, source.page_id, source.url, evidence.section)
    return (*place, evidence.start, evidence.end, evidence.text, evidence.stance)


def _print_missing(answer: Answer) -> None:
    """Print what would find out what is unknown, in a line; else what is missing, unless the sentence says so already."""
    from kgqa.wording.conclusion_sentences import word_action

    actions = dict.fromkeys(filter(None, map(word_action, answer.gaps)))
    if actions and not answer.is_decided:
        say()
        say(f"To find out: {'; '.join(actions)}.", "  ", "    ")
        return
    unsaid = (gap for gap in answer.missing if not ((gap.places or gap.what in answer.sentence) and gap.where in answer.sentence))
    _print_items("Missing", [f"{gap.what}: {gap.where}" for gap in unsaid])


def _print_heading(text: str) -> None:
    say()
    say_boldly(text, "  ")


def _print_items(heading: str, items: Sequence[str]) -> None:
    """Print the items of a list under their heading; nothing where there are none."""
    if items:
        _print_heading(heading)
    for item in items:
        say(f"- {item}", "  ", "    ")


def _print_finding(place: int, finding: Finding, answer: Answer, numbers: dict[CitedEvidence, int]) -> None:
    """Print one of the answers with its path and the numbers of its sources, those against apart; not every source is shown."""
    edges = finding.path.edges
    read = [edge for edge in edges if not was_set_by_hand(edge)]
    steps = "; ".join(f"{claim_clause(edge)} ({edge.belief:.2f}{'' if edge in read else ', as it was set'})" for edge in edges)
    counts = count_noun(finding.support, "source") if finding.support else source_counts(read[0]) if read else ""
    sides = ([citation for citation in cited if _rests_on(finding, citation)] for cited in (answer.evidence, answer.against))
    references = _reference_numbers(numbers, *sides)
    rests = f"; {counts} {references}".rstrip() if counts else ""
    say(f"{place}. {_finding_name(finding.text)}: {steps}{rests}", "  ", "     ")
    if finding.merged:
        more = len(finding.merged) - _ALSO_SHOWN
        merged_names = [_finding_name(name) for name in finding.merged[:_ALSO_SHOWN]]
        say(f"also: {', '.join(merged_names)} and {more} more" if more > 0 else f"also: {join_phrases(merged_names)}", "     ")


def _print_passage_answers(answers: Sequence[PassageAnswer]) -> None:
    """Print what was read: each sentence with its answer marked, and where it stands; what stands nowhere in a line."""
    if answers:
        _print_heading("Read")
    for place, read in enumerate(answers, 1):
        title = f"{place}. {read.text} ({read.confidence:.2f})"
        if read.excerpt is None:
            say(title, "  ", "     ")
            continue
        excerpt, source = read.excerpt, read.excerpt.source
        characters = f"characters {excerpt.start:,} to {excerpt.end:,}"
        say(f"{title}: {source.title or source.kind}, {characters} {source.url}".strip(), "  ", "     ")
        say(f"“{mark_answer(excerpt)}”", "     ", "     ")


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


def _print_standing(answer: Answer) -> None:
    """Print how a verdict stands: how the two are connected, which sources it rests on, what separates its sides."""
    lines = []
    if answer.connection is not None and not (answer.verdict is Verdict.UNKNOWN and answer.connection in _SAID_CONNECTIONS):
        lines.append(f"How the two are connected: {answer.connection}")
    if answer.flips:
        from kgqa.wording.verdict_sentences import word_flips

        rests = word_flips(answer.flips, answer.signals.support if answer.verdict is not Verdict.NO else answer.signals.against)
        lines.append(f"Rests on: {rests}")
    if answer.separation is not None:
        split = answer.separation
        sides = (("for", split.supporting), ("against", split.denying))
        contexts = "; ".join(f"{side}: {join_phrases(words)}" for side, words in sides if words)
        lines.append(f"What tells the two sides apart: {split.slot} ({contexts})")
    if lines:
        say()
    for line in lines:
        say(line, "  ", "    ")


def print_citation(cited: CitedEvidence, number: str, indent: str) -> None:
    """Print an evidence record: its source on a line, which `number` begins, and its sentence, where it has one, on the next."""
    _print_source([cited], number, indent)


def _print_source(citations: Sequence[CitedEvidence], number: str, indent: str) -> None:
    """Print the source of records of one place; entries of a collection have no remarks and no address of their own."""
    evidence, source = citations[0].evidence, citations[0].evidence.source
    hanging = indent + " " * (len(number) + 1 if number else 0)
    bare = source.kind in SOURCE_COLLECTIONS and evidence.text is None
    mark = mark_text(evidence)
    title = mark or (SOURCE_COLLECTIONS[source.kind] if bare else source.title or source.kind)
    section = f", section “{evidence.section}”" if evidence.section else ""
    place = f", characters {evidence.start} to {evidence.end}" if evidence.start is not None and evidence.text is None else ""
    stance = [] if mark or evidence.stance is Stance.ASSERTED else [str(evidence.stance)]
    remarks = [] if bare else list(dict.fromkeys(remark for cited in citations for remark in context_remarks(cited.evidence)))
    remark = f" ({'; '.join([*stance, *remarks])})" if stance or remarks else ""
    address = "" if bare and len(citations) > 1 else source.url
    say(f"{number} {title}{section}{place}{remark} {address}".strip(), indent, hanging)
    if evidence.text:
        text = evidence.text if len(evidence.text) <= _SHOWN_SENTENCE else evidence.text[:_SHOWN_SENTENCE] + " …"
        say(f"“{text}”", hanging)
