"""Lists in words: the heading of each part, its first names, what each rests on, and what the order goes by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph.model import Path, Polarity, Relation
from kgqa.answering.contracts import Side, TierKind
from kgqa.answering.findings import was_set_by_hand
from kgqa.answering.lists.list_ranking import CircumstanceNote, NecessityNote, OrderNote, SelectionNote, SupportNote
from kgqa.answering.lists.listing import ListConclusion, ListEntry
from kgqa.linking.concept_links import NARROWER, NEAR_CLAIM, SURE_LINK
from kgqa.wording.claim_clauses import (
    amount_phrase,
    concept_phrase,
    count_noun,
    fixed_phrases,
    has_amount,
    join_phrases,
    written_name,
)
from kgqa.wording.conclusion_sentences import word_conclusion

if TYPE_CHECKING:
    from kgqa.answering.lists.both_sides import SidesConclusion
    from kgqa.answering.lists.shared_causes import SharedConclusion

_NAMES_FIRST, _NAMES_BEHIND, _NAMES_ALONE = 5, 3, 3
"""How many names the sentence has of the first part, of the parts behind it, and of what only one of several things has."""
_SUBJECTS = 3
"""Of how many concepts a list is said to be whose phrase names none of them; an entry of another says so."""
TIER_HEADINGS = {TierKind[name]: heading for name, heading in fixed_phrases("tier").items()}
_LACKING = {(name, side): heading for side in Side for name, heading in fixed_phrases(f"lacking {side.value}").items()}
"""How a list ends that holds nothing that fulfils its contract."""
_TIER_INSTEAD = {Side.CAUSES: TierKind.CAUSES, Side.EFFECTS: TierKind.EFFECTS}
_NOUN_HEADINGS, _THE = ("causes ", "effects ", "uses ", "reasons ", "motives "), "the "
_LESSENED = frozenset({TierKind.PREVENTED, TierKind.TREATED, TierKind.REDUCED})
_POLARITY_REMARKS = {Polarity.INCREASES: "more of it", Polarity.DECREASES: "less of it"}


def word_list(conclusion: ListConclusion) -> str:
    """Return a list in a sentence, with what its orders go by."""
    link = conclusion.link
    subjects = _list_subjects(conclusion)
    subject = join_phrases(list(map(concept_phrase, subjects)))
    loosely = f" ('{link.phrase}' was read so: {link.how})" if link.score < SURE_LINK and link.how != NEAR_CLAIM else ""
    texts = []
    for number, part in enumerate(conclusion.parts):
        most = min(part.name_count, _NAMES_BEHIND if number else _NAMES_FIRST)
        items = join_phrases(
            [
                f"{_entry_phrase(entry, part.tier, conclusion)} ({_entry_remark(entry, part.tier, conclusion, subjects)})"
                for entry in part.entries[:most]
            ]
        )
        # Causes are no aims: they come in place of them.
        tier = _TIER_INSTEAD[conclusion.side] if conclusion.lacking and not number else part.tier
        texts.append(f"{TIER_HEADINGS[tier].format(subject)}{'' if number else loosely}: {items}")
    outside = [note for note in conclusion.orders if isinstance(note, CircumstanceNote) and not note.matched]
    notes = [word_order(note) for note in conclusion.orders if note not in outside]
    # Whether somebody aimed at it is not always asked with "why": where no aim is known, the causes are the answer.
    lacking = _LACKING.get((conclusion.need, conclusion.side), "") if conclusion.lacking else ""
    text = "; ".join(filter(None, [*texts, lacking, *notes]))
    text = f"the graph knows little of {_THE if text.startswith(_NOUN_HEADINGS) else ''}{text}" if conclusion.doubtful else text
    return f"{word_order(outside[0])}; in general: {text}" if outside else text


def _list_subjects(conclusion: ListConclusion) -> list[str]:
    """Return what a list is of: the concept of its reading, or those that most of its first claims are of."""
    link, first = conclusion.link, conclusion.parts[0]
    if link.how not in (NARROWER, NEAR_CLAIM):
        return [link.concepts[0]]
    entries = first.entries[: min(first.name_count, _NAMES_FIRST)]
    listed = {entry.finding.text for entry in entries}
    concepts = [name for name, _ in Counter(_concept_of(entry, conclusion) for entry in entries).most_common()]
    # What is listed itself is on the way to the rest.
    return [name for place, name in enumerate(concepts) if not place or name not in listed][:_SUBJECTS]


def _concept_of(entry: ListEntry, conclusion: ListConclusion) -> str:
    """Return which of the concepts of a list an entry is of."""
    ends = conclusion.side.ends(entry.finding.path.edges[0])
    return next((name for name in ends if name in {*conclusion.link.concepts, *conclusion.near}), ends[0])


def _falls(entry: ListEntry, tier: TierKind, conclusion: ListConclusion) -> bool:
    """Return whether an entry is an effect that falls, for it has an amount: "a fall in wages", but less of a fever."""
    lessened = conclusion.side is Side.EFFECTS and tier not in _LESSENED and entry.finding.polarity is Polarity.DECREASES
    return lessened and has_amount(entry.finding.text)


def _entry_phrase(entry: ListEntry, tier: TierKind, conclusion: ListConclusion) -> str:
    name = entry.finding.text
    return amount_phrase(name, "fall") if _falls(entry, tier, conclusion) else concept_phrase(name)


def _entry_remark(entry: ListEntry, tier: TierKind, conclusion: ListConclusion, subjects: Sequence[str]) -> str:
    """Return what stands in brackets behind an entry: what else it is of, how an effect changes, its other names, its sources."""
    finding, edge = entry.finding, entry.finding.path.edges[0]
    concept = _concept_of(entry, conclusion)
    remarks = [f"of {concept_phrase(concept)}"] if len(subjects) == _SUBJECTS and concept not in subjects else []
    graded = conclusion.side is Side.EFFECTS and tier not in _LESSENED and finding.polarity in _POLARITY_REMARKS
    if graded and not _falls(entry, tier, conclusion):
        remarks.append(_POLARITY_REMARKS[finding.polarity])
    if conclusion.need == "prevention" and finding.relation is Relation.MOTIVATES:
        remarks.append(f"done to {edge.cause}")
    if finding.merged:
        remarks.append(f"also {join_phrases(list(map(written_name, finding.merged)))}")
    if not finding.support and was_set_by_hand(edge):
        remarks.append("as it was set")
    else:
        remarks.append(count_noun(finding.support, "source") if finding.support else "only with a hedge")
    return ", ".join(remarks)


def word_order(note: OrderNote) -> str:
    """Return what an order goes by, as a clause."""
    if isinstance(note, SupportNote):
        by_sources = "ranked by the number of independent sources in this graph, which is not how often it happens"
        if not note.stated:
            return by_sources
        which, called = ("the first stands", "it") if note.stated == 1 else (f"the first {note.stated} stand", "them")
        return f"{which} there because a sentence itself calls {called} so, the others are {by_sources}"
    if isinstance(note, SelectionNote):
        selected = f"names something of '{note.words}'" if note.topical else f"looks like one of the {note.words} asked for"
        return f"only what {selected} is listed"
    if isinstance(note, NecessityNote):
        if not note.names:
            return "other known ways lead there as well, so that none is necessary by the graph alone"
        return f"every known way there leads through {join_phrases([concept_phrase(name) for name in note.names])}"
    what = " and ".join(f"'{phrase}'" for phrase in note.phrases)
    if not note.matched:
        return f"the sources say nothing of {what} in particular"
    if note.matched == note.total:
        return f"the sources say it of {what}"
    leading = "the first is" if note.matched == 1 else f"the first {note.matched} are"
    return f"only {leading} said of {what} in particular"


def word_sides(conclusion: SidesConclusion) -> str:
    """Return the causes of a thing, and then its effects."""
    return f"{word_conclusion(conclusion.causes)} {word_conclusion(conclusion.effects)}"


def word_shared(conclusion: SharedConclusion) -> str:
    """Return what several things have in common, then what each has for itself."""
    side, singular = conclusion.side.value, conclusion.side.value.removesuffix("s")
    names = join_phrases([concept_phrase(concept) for concept in conclusion.concepts])
    parts = []
    if conclusion.shared:
        shared = join_phrases([_shared_item(paths, conclusion.side) for paths in conclusion.shared])
        parts.append(f"common {side} of {names}: {shared}")
    parts += [f"the graph has no concept called '{phrase}'" for phrase in conclusion.unlinked]
    if conclusion.lacking and not conclusion.unlinked:
        parts.append(f"no common {singular} of {names} is known to the graph")
    for concept, findings in conclusion.alone:
        items = [f"{concept_phrase(finding.text)} ({count_noun(finding.support, 'source')})" for finding in findings]
        alone = " alone" if conclusion.shared else ""
        parts.append(f"{side} of {concept_phrase(concept)}{alone}: {join_phrases(items[:_NAMES_ALONE])}")
    return "; ".join(parts)


def _shared_item(paths: Sequence[Path], side: Side) -> str:
    shared = concept_phrase(paths[0].concepts[0] if side is Side.CAUSES else paths[0].concepts[-1])
    through = dict.fromkeys(name for path in paths for name in path.concepts[1:-1])
    return f"{shared} (through {join_phrases([concept_phrase(name) for name in through])})" if through else shared
