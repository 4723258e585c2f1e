"""How an answer is presented: what the pragmatic type of its question asks for besides the answer itself.

Which sources speak with authority about health: a table of hosts and kinds, each with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from graph.belief.curation import CURATION
from graph.text.normalise import concept_name, singular
from graph.text.stop_words import STOP_WORDS
from graph.text.word_lists import kind_of_noun
from kgqa.answer_model import Answer, CitedEvidence, MissingInformation, Route, Verdict
from kgqa.answering.evidence_kind import source_host
from kgqa.linking.mention import content_words
from kgqa.question import Pragmatic, QuestionType, Slots
from kgqa.wording.claim_clauses import count_noun, fixed_phrases


def is_about_subject(citation: CitedEvidence, subjects: frozenset[str] = frozenset()) -> bool:
    """Return whether the title of a source names the cause or the effect of its claim, or one of `subjects` (concept names)."""
    title = concept_name(citation.evidence.source.title.partition(" (")[0])
    return bool(title) and title in {concept_name(citation.claim.cause), concept_name(citation.claim.effect), *subjects}


def source_authority(citation: CitedEvidence, subjects: frozenset[str] = frozenset()) -> int:
    """Return the rank of a source for the claim that it is cited for, in an answer about `subjects`; 0 for no authority."""
    ranks, source = _authority_ranks(), citation.evidence.source
    labels = source_host(source).split(".")
    hosts = (("host", ".".join(labels[place:])) for place in range(len(labels)))
    kind = ("about" if is_about_subject(citation, subjects) else "kind", source.kind)
    return next((ranks[row] for row in (*hosts, kind) if row in ranks), 0)


@cache
def _authority_ranks() -> dict[tuple[str, str], int]:
    lines = Path(__file__).parent.joinpath("data/authorities.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith(("#", "what\t")))
    return {(what, name): int(rank) for what, name, rank, _ in rows}


_PROFESSIONAL = "This is what sources say, not medical advice: ask a doctor or another professional about your own case."
_NO_ADVICE = "kgqa gives no medical advice: ask a doctor or another professional about your own case."
_NO_OMEN = (
    "No causal claim is made: no evidence shows that dreams, omens or signs bring anything about; what they are held to mean "
    "is a matter of belief and custom."
)
_HELP_REMARKS, _OPINIONS, _OPINION_REMARKS = (
    {Pragmatic[name]: phrase for name, phrase in fixed_phrases(table).items()} for table in ("help", "opinion", "opinion remark")
)
"""Who can help; how an answer begins that is only what sources hold, or what may follow; and the remark that goes with it."""
_TRIVIA_FINDINGS = 3
_SURE_MEDICAL = 0.85
"""How probably a question must be meant medically whose words are not about health."""
_HEALTH = frozenset({"illness", "body", "drug", "microbe"})
_BODILY = frozenset({"illness", "body"})
_NATURE = frozenset({"substance", "phenomenon", "object", "location"})
"""Kinds of nouns that are no matter of health by themselves: rust, acid rain, a volcano."""
_EVENTS = frozenset({"event", "process"})
"""Kinds of nouns that are none even where a word may mean an illness: a volcanic eruption."""
_HAPPENINGS = _EVENTS | {"act", "group", "artifact"}
"""Kinds of nouns that are one only with a word that is: an explosion, warming."""


def present_answer(answer: Answer, kind: QuestionType) -> Answer:
    """Return an answer as the pragmatic type of its question asks for; unchanged where that is not known."""
    pragmatic = kind.pragmatic
    if kind.semantic is None or pragmatic is None:
        return answer
    if pragmatic in (Pragmatic.PROBLEM_MEDICAL, Pragmatic.PREVENTION_MEDICAL):
        return _with_medical_remarks(answer) if _is_about_health(answer) else answer
    if pragmatic in _HELP_REMARKS:
        return replace(answer, remarks=(*answer.remarks, _HELP_REMARKS[pragmatic]))
    if pragmatic is Pragmatic.IRRATIONAL_FUTURE:
        return _refuse_omen(answer)
    if pragmatic is Pragmatic.TRIVIA:
        return _shorten(answer)
    if pragmatic in _OPINIONS and answer.route not in (Route.NONE, Route.PRESUPPOSITION):
        conclusion, remark = f"{_OPINIONS[pragmatic]}: {answer.sentence}", _OPINION_REMARKS[pragmatic]
        return replace(answer, conclusion=conclusion, remarks=(*answer.remarks, remark))
    return answer


def _is_about_health(answer: Answer) -> bool:
    """Return whether a question that seems medical is: by its words, by the illnesses listed, or because it surely seems so.

    What happens in nature or society is no matter of health, but for a list of illnesses.
    """
    slots = answer.type.slots
    if _lists_illnesses(answer):
        return True
    kind = _kind_asked_about(slots)
    if kind in _NATURE:
        return False
    surely_meant = answer.type.pragmatic_confidence >= _SURE_MEDICAL and kind not in _HAPPENINGS
    return surely_meant or (kind not in _EVENTS and _names_health(slots))


def _with_medical_remarks(answer: Answer) -> Answer:
    """Return authoritative sources first, both sides where they disagree, and the advice to ask a professional."""
    subjects = _subjects(answer)
    supporting, denying = (
        tuple(sorted(side, key=lambda citation: -source_authority(citation, subjects)))
        for side in (answer.evidence, answer.against)
    )
    notes = [*answer.remarks]
    # A mark of a person is no source.
    for_it, against_it = ([item for item in side if item.evidence.source.kind != CURATION] for side in (supporting, denying))
    if for_it and against_it and answer.verdict is None:
        disputed = {citation.claim for citation in against_it}
        notes.append(f"Sources disagree about {len(disputed)} of the claims that this rests on.")
    elif for_it and against_it and answer.route is not Route.PRESUPPOSITION:
        notes.append(f"Sources disagree: {_count_sources(for_it)} for it and {_count_sources(against_it)} against it are shown.")
    cited = (*for_it, *against_it)
    if cited and not any(source_authority(item, subjects) or is_about_subject(item, subjects) for item in cited):
        notes.append("None of the sources is a health authority, a journal, or an article about the subject itself.")
    remarks = (*notes, _PROFESSIONAL if cited else _NO_ADVICE)
    return replace(answer, evidence=supporting, against=denying, remarks=remarks)


def _subjects(answer: Answer) -> frozenset[str]:
    """Return the names of what an answer is about: the phrases of the question, and the ends of its findings."""
    slots = answer.type.slots
    phrases = [" ".join(content_words(phrase)) for phrase in (slots.cause, slots.effect) if phrase]
    ends = (name for finding in answer.findings for name in (finding.path.concepts[0], finding.path.concepts[-1]))
    return frozenset(map(concept_name, (*phrases, *ends)))


def _names_health(slots: Slots) -> bool:
    """Return whether a phrase of the question names an illness, a drug or a part of the body.

    A capitalised word that is no head is part of a name ("the Cold War"), a form in -ing before its object an act.
    """
    from kgqa.questions.lexicon import topics_of

    for phrase in filter(None, (slots.cause, slots.effect)):
        words = [word for word in phrase.replace("-", " ").split() if word.lower() not in STOP_WORDS["linking"]]
        telling = [
            word for place, word in enumerate(words, 1) if place == len(words) or not (word.istitle() or word.endswith("ing"))
        ]
        if any(not _HEALTH.isdisjoint(topics_of(word.lower())) for word in telling):
            return True
    return False


def _lists_illnesses(answer: Answer) -> bool:
    """Return whether most of what an answer lists of a cause are illnesses."""
    from kgqa.questions.lexicon import topics_of

    if answer.type.slots.effect:
        return False
    heads = [finding.text.split()[-1] for finding in answer.findings if finding.text]
    ill = sum(not _BODILY.isdisjoint(topics_of(head)) for head in heads)
    return 2 * ill > len(heads)


def _kind_asked_about(slots: Slots) -> str:
    """Return the kind of the head of the effect, or of the cause without one; none where a word before it is of the body."""
    from kgqa.questions.lexicon import topics_of

    phrase = slots.effect or slots.cause
    words = content_words(phrase) if phrase else ()
    place, kind = next(
        ((place, kind) for place, word in reversed([*enumerate(words)]) if (kind := kind_of_noun(singular(word)))), (0, "")
    )
    is_drug = not slots.effect and bool(words) and "drug" in topics_of(words[place])
    return "" if is_drug or any(not _BODILY.isdisjoint(topics_of(word)) for word in words[:place]) else kind


def _count_sources(side: Sequence[CitedEvidence]) -> str:
    sources = [citation.evidence.source for citation in side]
    return count_noun(len({(source.kind, source.page_id or source.url or source.title) for source in sources}), "source")


def _refuse_omen(answer: Answer) -> Answer:
    """Return an answer without any causal claim, whatever the graph holds."""
    return Answer(
        question=answer.question,
        type=answer.type,
        route=Route.NONE,
        conclusion=_NO_OMEN,
        verdict=None if answer.verdict is None else Verdict.UNKNOWN,
        interventions=answer.interventions,
        steps=("asked about what is foretold, not about what is caused",),
        gaps=(MissingInformation("a causal question", "ask about what causes it, not about what it foretells"),),
    )


def _shorten(answer: Answer) -> Answer:
    findings = answer.findings[:_TRIVIA_FINDINGS]
    claims = {edge.claim for item in findings for edge in item.path.edges}
    evidence: dict[object, CitedEvidence] = {}
    for item in answer.evidence:
        if item.claim in claims:
            evidence.setdefault(item.claim, item)
    return replace(answer, findings=findings, evidence=tuple(evidence.values()), against=answer.against[:_TRIVIA_FINDINGS])
