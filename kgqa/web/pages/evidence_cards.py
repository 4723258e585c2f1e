"""Parts of pages: records as cards, findings as rows, claims as a picture whose lines are links."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from graph.belief.curation import read_curation
from graph.model import JUDGED_SLOT, Claim, Edge, Evidence, Source, Stance
from kgqa.answer_model import Answer, AnswerChange, CitedEvidence, Excerpt, Finding
from kgqa.answering.findings import was_set_by_hand
from kgqa.web.pages.page_templates import claim_url, source_url, web_url
from kgqa.wording.claim_clauses import claim_clause, claim_verb, count_noun, negated_clause, written_path
from kgqa.wording.explanation import SOURCE_COLLECTIONS, context_remarks, mark_text, source_counts

_MOST_SWITCHES = 8
_LONGEST_QUOTE = 600
_SIGNS = ("->", "→", "=")
"""What parts a setting: a name with such a sign cannot be set by one."""


class EvidenceCard(NamedTuple):
    """A record as a card: what it says of which claim, its sentence in three parts or its place, and who read it."""

    clause: str
    claim_address: str
    stance: str
    quote: tuple[str, str, str] | None
    place: str
    title: str
    source_address: str
    web_address: str
    rule: str
    judged: str
    remarks: tuple[str, ...]
    date: str


class FindingRow(NamedTuple):
    """An answer as a row: its name, how sure it is, how many sources it has, and its claims with their addresses."""

    name: str
    confidence: float
    counts: str
    claims: tuple[tuple[str, float, str], ...]
    merged: tuple[str, ...]
    fate: str = ""
    """`lost` or `gained` in the other world"""


def cards_of(records: Iterable[CitedEvidence | Excerpt], *, linked: bool = True) -> list[EvidenceCard]:
    """Return records as cards, each once; those of a place before entries of collections, quotes first.

    Those of a graph that has no pages, such as that of a passage, are not `linked`.
    """
    made = (_excerpt_card(item) if isinstance(item, Excerpt) else _record_card(item) for item in records)
    cards = dict.fromkeys(made if linked else (card._replace(claim_address="", source_address="") for card in made))
    return sorted(cards, key=lambda card: (card.quote is None, not card.place))


def cited_sources(records: Iterable[CitedEvidence]) -> list[str]:
    """Return the sources of records as lines of a citation, each once: title, version, address."""
    sources = (item.evidence.source for item in records)
    lines = (
        ", ".join(filter(None, (source.title or source.kind, source.revision and f"version {source.revision}", source.url)))
        for source in sources
    )
    return list(dict.fromkeys(filter(None, lines)))


def _record_card(cited: CitedEvidence) -> EvidenceCard:
    claim, evidence = cited
    edge = Edge(claim, 1.0, support=1, strength=evidence.strength)
    judged = dict(evidence.context).get(JUDGED_SLOT, "")
    quote = None if evidence.text is None else ("", "", _shortened(evidence.text))
    card = EvidenceCard(
        clause=negated_clause(edge) if evidence.stance is Stance.NEGATED else claim_clause(edge),
        claim_address=claim_url(claim),
        stance=evidence.stance.value,
        quote=quote,
        place=_place(evidence.section, evidence.start, evidence.end),
        title=_source_title(evidence.source, has_text=evidence.text is not None),
        source_address=source_url(evidence.source),
        web_address=web_url(evidence.source.url),
        rule=evidence.rule,
        judged=judged,
        remarks=tuple(dict.fromkeys(_remarks(evidence))),
        date=evidence.source.revision,
    )
    if (curation := read_curation(evidence)) is None:
        return card
    stance, title = f"marked {curation.mark}", mark_text(evidence)
    return card._replace(clause=claim_clause(edge), stance=stance, title=title, source_address="", remarks=(), date="")


def _excerpt_card(excerpt: Excerpt) -> EvidenceCard:
    start, end = excerpt.marked or (0, 0)
    quote = excerpt.text[:start], excerpt.text[start:end], excerpt.text[end:]
    return EvidenceCard(
        clause="",
        claim_address="",
        stance=Stance.ASSERTED.value,
        quote=quote,
        place=_place("", excerpt.start, excerpt.end),
        title=excerpt.source.title or excerpt.source.kind,
        source_address="",
        web_address=web_url(excerpt.source.url),
        rule=excerpt.rule,
        judged="",
        remarks=(),
        date=excerpt.source.revision,
    )


def _remarks(evidence: Evidence) -> Iterable[str]:
    return (remark for remark in context_remarks(evidence) if not remark.startswith(f"{JUDGED_SLOT}:"))


def _place(section: str, start: int | None, end: int | None) -> str:
    characters = "" if start is None or end is None else f"characters {start:,} to {end:,}"
    return ", ".join(filter(None, (f"section “{section}”" if section else "", characters)))


def _source_title(source: Source, *, has_text: bool) -> str:
    if source.kind in SOURCE_COLLECTIONS and not has_text:
        return SOURCE_COLLECTIONS[source.kind]
    return source.title or source.kind or "a source without a name"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]} …"


def finding_rows(answer: Answer, change: AnswerChange | None = None, *, linked: bool = True) -> list[FindingRow]:
    """Return the answers of an answer as rows: findings of the graph, or else what was read in a text.

    A verdict says what its only claim says already: it has no row. `change` marks what another world loses and gains.
    """
    if answer.verdict is not None and len(answer.findings) == 1 and len(answer.findings[0].path.edges) == 1:
        return []
    fates = {name: fate for fate in ("lost", "gained") for name in (getattr(change, fate) if change else ())}
    address = claim_url if linked else _no_address
    rows = [_finding_row(finding, fates.get(finding.text, ""), address) for finding in answer.findings]
    return rows or [FindingRow(read.text, read.confidence, "", (), ()) for read in answer.read]


def _finding_row(finding: Finding, fate: str, address: Callable[[Claim], str]) -> FindingRow:
    edges = finding.path.edges
    read = [edge for edge in edges if not was_set_by_hand(edge)]
    counts = count_noun(finding.support, "source") if finding.support else source_counts(read[0]) if read else "as it was set"
    claims = tuple((claim_clause(edge), edge.belief, address(edge.claim)) for edge in edges)
    return FindingRow(written_path(finding.text.split(" → ")), finding.confidence, counts, claims, finding.merged, fate)


def edge_rows(edges: Iterable[Edge]) -> list[dict[str, Any]]:
    """Return claims as rows: each as a clause, with the counts of its sources and its address."""
    return [
        {"edge": edge, "clause": claim_clause(edge), "counts": source_counts(edge), "url": claim_url(edge.claim)}
        for edge in edges
    ]


def causes_of_answer(answer: Answer) -> list[str]:
    """Return the causes that an answer names, which can be set absent, the surest first."""
    causes = dict.fromkeys(edge.cause for finding in answer.findings for edge in finding.path.edges if edge.support)
    return [name for name in causes if not any(sign in name for sign in _SIGNS)][:_MOST_SWITCHES]


def draw_claims(
    edges: Sequence[Edge],
    heading: str,
    focus: Collection[str] = (),
    *,
    linked: bool = True,
    box_link: Callable[[str], str] | None = None,
) -> Markup:
    """Return the picture of claims as a part of a page, empty without any; with `linked`, its lines lead to their claims."""
    from graph.draw.svg import draw_svg

    if not any(edge.cause != edge.effect for edge in edges):
        return Markup("")
    # The picture escapes every name by itself.
    address = claim_url if linked else _no_address
    return Markup(
        draw_svg(edges, heading, focus=focus, words=claim_verb, link=lambda edge: address(edge.claim), box_link=box_link)
    )


def _no_address(claim: Claim) -> str:
    return ""
