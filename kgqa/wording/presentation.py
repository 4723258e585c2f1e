"""How an answer is presented: what the pragmatic type of its question asks for besides the answer itself.

Which sources speak with authority about health: a table of hosts and kinds, each with its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.text.normalise import concept_name
from kgqa.answer_model import Answer, CitedEvidence, ConfidenceSignals, MissingInformation, Route, Verdict
from kgqa.linking.mention import content_words
from kgqa.question import Intent, Pragmatic, QuestionType, Slots
from kgqa.wording.claim_clauses import count_noun


class Authority(NamedTuple):
    """A row of the table: `rank` is higher the more weight it has, 0 for no authority; `why` is the reason."""

    rank: int
    why: str


NO_AUTHORITY = Authority(0, "")


def is_about_subject(citation: CitedEvidence, subjects: frozenset[str] = frozenset()) -> bool:
    """Return whether the title of a source names the cause or the effect of its claim, or one of `subjects` (concept names)."""
    title = concept_name(citation.evidence.source.title.partition(" (")[0])
    return bool(title) and title in {concept_name(citation.claim.cause), concept_name(citation.claim.effect), *subjects}


def source_authority(citation: CitedEvidence, subjects: frozenset[str] = frozenset()) -> Authority:
    """Return with what authority a source speaks about the claim that it is cited for, in an answer about `subjects`."""
    table, source = _authority_table(), citation.evidence.source
    try:
        host = urlsplit(source.url).hostname or ""
    except ValueError:
        host = ""
    labels = host.split(".")
    hosts = (".".join(labels[place:]) for place in range(len(labels)))
    host_authority = next((row for part in hosts if (row := table.get(("host", part))) is not None), None)
    if host_authority is not None:
        return host_authority
    if is_about_subject(citation, subjects):
        return table.get(("about", source.kind), NO_AUTHORITY)
    return table.get(("kind", source.kind), NO_AUTHORITY)


@cache
def _authority_table() -> dict[tuple[str, str], Authority]:
    lines = Path(__file__).parent.joinpath("data/authorities.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith(("#", "what\t")))
    return {(what, name): Authority(int(rank), why) for what, name, rank, why in rows}


_PROFESSIONAL = "This is what sources say, not medical advice: ask a doctor or another professional about your own case."
_NO_ADVICE = "kgqa gives no medical advice: ask a doctor or another professional about your own case."
_HELP = (
    "You need not cope with this alone: a doctor, a counsellor or a helpline can help (findahelpline.com lists them by country); "
    "in an emergency call the local emergency number."
)
_ANGER = "Where it is about people you work or live with, a mediator, a works council or a counsellor can help."
_NO_OMEN = (
    "No causal claim is made: no evidence shows that dreams, omens or signs bring anything about; what they are held to mean "
    "is a matter of belief and custom."
)
_TRIVIA_FINDINGS = 3
_SURE_MEDICAL = 0.85
"""How probably a question must be meant medically whose words are not about health."""

_HEALTH = frozenset({"illness", "body", "drug", "microbe"})


def present_answer(answer: Answer, kind: QuestionType) -> Answer:
    """Return an answer as the pragmatic type of its question asks for; unchanged where that is not known."""
    if kind.semantic is None or kind.pragmatic is None:
        return answer
    how = _PRESENTATIONS.get(kind.pragmatic)
    return answer if how is None else how(answer)


def _medical(answer: Answer) -> Answer:
    """Authoritative sources first, both sides where they disagree, and the advice to ask a professional.

    A question whose words are not about health must surely be meant so.
    """
    if answer.type.pragmatic_confidence < _SURE_MEDICAL and not _is_about_health(answer.type.slots):
        return answer
    subjects = _subjects(answer)
    supporting, denying = (
        tuple(sorted(side, key=lambda citation: -source_authority(citation, subjects).rank))
        for side in (answer.evidence, answer.against)
    )
    notes = [*answer.remarks]
    if supporting and denying:
        if answer.verdict is None:
            disputed = {citation.claim for citation in denying}
            notes.append(f"Sources disagree about {len(disputed)} of the claims that this rests on.")
        else:
            notes.append(
                f"Sources disagree: {_count_sources(supporting)} for it and {_count_sources(denying)} against it are shown."
            )
    if (supporting or denying) and not any(
        source_authority(citation, subjects).rank or is_about_subject(citation, subjects) for citation in (*supporting, *denying)
    ):
        notes.append("None of the sources is a health authority, a journal, or an article about the subject itself.")
    return replace(
        answer, evidence=supporting, against=denying, remarks=(*notes, _PROFESSIONAL if supporting or denying else _NO_ADVICE)
    )


def _subjects(answer: Answer) -> frozenset[str]:
    """Return the names of what an answer is about: the phrases of the question, and the ends of its findings."""
    slots = answer.type.slots
    phrases = [" ".join(content_words(phrase)) for phrase in (slots.cause, slots.effect) if phrase]
    ends = (name for finding in answer.findings for name in (finding.path.concepts[0], finding.path.concepts[-1]))
    return frozenset(map(concept_name, (*phrases, *ends)))


def _is_about_health(slots: Slots) -> bool:
    """Return whether a phrase of the question has a word for an illness, the body, a drug or a germ."""
    from kgqa.questions.lexicon import topics_of

    words = " ".join(filter(None, (slots.cause, slots.effect))).lower().replace("-", " ").split()
    return any(not _HEALTH.isdisjoint(topics_of(word)) for word in words)


def _count_sources(side: tuple[CitedEvidence, ...]) -> str:
    sources = {
        (
            citation.evidence.source.kind,
            citation.evidence.source.page_id or citation.evidence.source.url or citation.evidence.source.title,
        )
        for citation in side
    }
    return count_noun(len(sources), "source")


def _coping(answer: Answer) -> Answer:
    """Where to find help."""
    return replace(answer, remarks=(*answer.remarks, _HELP))


def _anger(answer: Answer) -> Answer:
    """Where to find help with people."""
    return replace(answer, remarks=(*answer.remarks, _ANGER))


def _opinion(answer: Answer) -> Answer:
    """Attributed: what sources hold, never flat."""
    if answer.route is Route.NONE:
        return answer
    note = "This is what the cited sources hold; others may judge it otherwise."
    return replace(answer, conclusion=f"Sources hold this: {answer.sentence}", remarks=(*answer.remarks, note))


def _future(answer: Answer) -> Answer:
    """Conditional: what has followed before, not what will."""
    if answer.route is Route.NONE:
        return answer
    note = "It tells what has been said to follow in general; it foretells nothing."
    return replace(answer, conclusion=f"If it came about, this might follow: {answer.sentence}", remarks=(*answer.remarks, note))


def _omen(answer: Answer) -> Answer:
    """No causal claim at all, whatever the graph holds."""
    verdict = None if answer.verdict is None else Verdict.UNKNOWN
    return Answer(
        question=answer.question,
        type=answer.type,
        route=Route.NONE,
        conclusion=_NO_OMEN,
        verdict=verdict,
        interventions=answer.interventions,
        steps=("asked about what is foretold, not about what is caused",),
        gaps=(MissingInformation("a causal question", "ask about what causes it, not about what it foretells"),),
        signals=ConfidenceSignals(),
    )


def _trivia(answer: Answer) -> Answer:
    """Short."""
    findings = answer.findings[:_TRIVIA_FINDINGS]
    claims = {edge.claim for item in findings for edge in item.path.edges}
    evidence: dict[object, CitedEvidence] = {}
    for item in answer.evidence:
        if item.claim in claims:
            evidence.setdefault(item.claim, item)
    return replace(answer, findings=findings, evidence=tuple(evidence.values()), against=answer.against[:_TRIVIA_FINDINGS])


_PRESENTATIONS: dict[Pragmatic, Callable[[Answer], Answer]] = {
    Pragmatic.PROBLEM_MEDICAL: _medical,
    Pragmatic.PREVENTION_MEDICAL: _medical,
    Pragmatic.COPING_MENTAL: _coping,
    Pragmatic.COPING_ANGER: _anger,
    Pragmatic.RATIONAL_FUTURE: _future,
    Pragmatic.IRRATIONAL_FUTURE: _omen,
    Pragmatic.TRIVIA: _trivia,
    **{
        pragmatic: _opinion
        for pragmatic in Pragmatic
        if pragmatic.intent is Intent.OPINION and not pragmatic.name.endswith("FUTURE")
    },
}
