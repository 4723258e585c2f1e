"""Steps and changes in words: the lines of a trace, from the question to the answer, and what another world changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kgqa.answering.findings import format_path
from kgqa.linking.concept_links import ConceptLink
from kgqa.reasons import Conclusion, Step
from kgqa.wording.claim_clauses import cause_beliefs, claim_clause, count_noun, fixed_phrases, join_phrases, mark_clause
from kgqa.wording.conclusion_sentences import (
    clause_of,
    opposite_chain_clause,
    risk_clause,
    same_thing_clause,
    undecided_clause,
    unsupported_clause,
    word_conclusion,
)

if TYPE_CHECKING:
    from graph.model import Path
    from kgqa.answer_model import AnswerChange, ChangedRoute, Presupposition
    from kgqa.answering.lists.list_ranking import OrderNote
    from kgqa.passages.edit_competition import ShownCandidates

_KINDS_SHOWN, _NAMES_SHOWN = 4, 5


def word_step(step: Step | ConceptLink | str) -> str:
    """Return a step of the reasoning as a line; how a phrase was read is a step, too."""
    if isinstance(step, str):
        return step
    if isinstance(step, ConceptLink):
        return word_link(step)
    return _STEPS[step.kind](*step.facts)


def word_link(link: ConceptLink) -> str:
    """Return how a phrase was read: "'cigs' read as 'cigarette' (synonym)"."""
    return f"'{link.phrase}' read as {join_phrases([repr(name) for name in link.concepts[:4]])} ({link.how})"


_LINK_STEPS = {"exact": "", **fixed_phrases("link")}
"""What each step of the linker did, with the words that it left out."""


def describe_link(link: ConceptLink) -> str:
    """Return how a phrase was read, in a clause: "'severe migraines' read as 'migraine' ('severe' matters little)"."""
    names = [f"'{name}'" for name in link.concepts[:3]]
    more = len(link.concepts) - len(names)
    last = f"{more} more" if more else names.pop()
    listing = f"{', '.join(names)} and {last}" if names else last
    how = _LINK_STEPS.get(link.how, link.how).format(link.constraint)
    if link.how == "acronym":
        how = "what the letters stand for" if len(link.phrase) < len(link.concepts[0]) else "its abbreviation"
    suffix = f"; it could also mean {', '.join(link.alternatives)}" if link.alternatives else ""
    return f"'{link.phrase}' read as {listing}" + (f" ({how})" if how else "") + suffix


def word_route(route: ChangedRoute) -> str:
    """Return a changed route in short: "vitamin c → scurvy (makes less of it)"."""
    return " → ".join(route.concepts) + (" (makes less of it)" if route.lessens else "")


def word_change(change: AnswerChange) -> Iterator[str]:
    """Yield lines that describe a change."""
    same = change.chances is None or change.chances.before == change.chances.after
    if same and not change.lost and not change.gained and change.surviving:
        yield "nothing is lost or gained"
    for word, names in (("lost", change.lost), ("gained", change.gained), ("left", change.surviving)):
        if names:
            yield f"{word}: {_first_names(names, _NAMES_SHOWN)}"
    if change.chances is not None:
        estimates = (change.chances.before, change.chances.after)
        before, after = (f"{item.sampled:.2f} ({item.low:.2f} to {item.high:.2f})" for item in estimates)
        given = f"{join_phrases(change.given)} alone" if change.given else "nothing else"
        yield f"probability of {change.effect}, given {given}: {before} as it is, {after} with {change.world}"
        if not change.chances.complete:
            yield f"reckoned on the best routes, of {change.chances.concepts} concepts and up to {change.chances.length} steps"


def _first_names(names: Sequence[str], limit: int) -> str:
    more = len(names) - limit
    return join_phrases(names) if more <= 0 else f"{', '.join(names[:limit])} and {more} more"


def _tier_size(tier: Any, subject: str, count: int) -> str:
    from kgqa.wording.list_sentences import TIER_HEADINGS

    return f"{TIER_HEADINGS[tier].format(subject)}: {count_noun(count, 'concept')} found"


def _order(note: OrderNote) -> str:
    from kgqa.wording.list_sentences import word_order

    return word_order(note)


def _chain_validity(path: Path, probability: float) -> str:
    return f"{format_path(path)}: valid with probability {probability:.2f}"


def _follows(cause: str, effect: str, agrees: bool | None, route: ChangedRoute | None) -> str:
    head = f"that this follows from '{cause}'"
    if route is None:
        return f"{head}: the graph knows no way from {cause} to {effect}; it was supposed as it was said"
    if agrees:
        return f"{head}: the graph knows it, too ({word_route(route)})"
    return f"{head}: the graph rather knows the opposite ({word_route(route)}); it was supposed as it was said"


def _listed(count: int, names: Sequence[str]) -> str:
    return f"{count_noun(count, 'concept')}, first {join_phrases(names)}" if count else "nothing that the graph knows"


def _linked_title(title: str, anchor: str) -> str:
    return f"“{title}”" if title == anchor else f"“{title}”, linked as “{anchor}”"


def _hop(number: int, title: str, anchor: str, sentence: int, probability: float, question: str, place: int) -> str:
    link = _linked_title(title, anchor)
    return f"hop {number}: {link} in sentence {sentence} ({probability:.2f}), asked “{question}”, from character {place:,}"


def _read_parts(parts: int, passages: int, words: int, cut: bool) -> str:
    which = f"the {count_noun(parts, 'part')} that fit best of " if cut else ""
    return f"read: {which}{count_noun(passages, 'passage')}, {count_noun(words, 'word')}"


def _listed_candidates(candidates: ShownCandidates) -> str:
    return ", ".join(f"{'no answer' if text is None else f'“{text}”'} ({score:.2f})" for text, score in candidates)


def _agreement(agrees: bool, source: str, is_verdict: bool) -> str:
    why = "a verdict rests on claims, which know cause from effect" if is_verdict else "it is surer"
    return f"they {'agree' if agrees else 'disagree'}; the {source}'s answer is given: {why}"


def _premise(presupposition: Presupposition, conclusion: Conclusion | str | None) -> str:
    probability = "" if presupposition.probability is None else f", false with probability {presupposition.probability:.2f}"
    why = f"; checked: {clause_of(conclusion)}" if conclusion is not None else ""
    why = why or "".join(
        f"; checked: {excerpt.source.title or 'the text'} has “{excerpt.text}”" for excerpt in presupposition.excerpts
    )
    claim = presupposition.text.rstrip(".")
    return f"taken for granted by “{presupposition.trigger}”: {claim}: {presupposition.status}{probability}{why}"


def _contested_premise(statement: str, *sides: tuple[str, str, str]) -> str:
    says = "; ".join(f"{title or 'a text'} says{f' ({date})' if date else ''} “{text}”" for title, date, text in sides)
    return f"Sources disagree on what the question takes for granted, “{statement.rstrip('.')}”: {says}"


_STEPS: dict[str, Callable[..., str]] = {
    **{name: phrase.format for name, phrase in fixed_phrases("step").items()},
    "of_part": lambda label, step: f"{label}: {word_step(step)}",
    "verdict": str,
    "no_direct_claim": lambda count: f"no direct claim; {count_noun(count, 'chain')} of up to 3 steps",
    "same_thing": same_thing_clause,
    "tier_size": _tier_size,
    "order": _order,
    "shared": lambda count, length: f"{count_noun(count, 'concept')} shared, within {length} steps",
    "chains": lambda count, length, likely, least: (
        f"{count_noun(count, 'chain')} of 2 to {length} steps, {likely} with a validity of {least} or more"
    ),
    "chain_validity": _chain_validity,
    "doubtful_chain": lambda path, probability, least: f"{_chain_validity(path, probability)}, {least} is asked for",
    "opposite_chain": opposite_chain_clause,
    "claims_read": lambda number, edge, share: (
        f"read {count_noun(number, 'claim')} with the question; likeliest to answer it: {claim_clause(edge)} ({share:.2f})"
    ),
    "presumed": lambda question: f"presumably this is asked: {question}",
    "supposed": lambda edit: f"supposed: '{edit.source}', {edit.operation} {edit.target} = {edit.value}",
    "kinds_removed": lambda *kinds: f"absent with it, as kinds of it: {_first_names(kinds, _KINDS_SHOWN)}",
    "causes_left": lambda name, count: f"{name}: {count_noun(count, 'other cause')} left",
    "lost": lambda route: f"lost: {word_route(route)}",
    "gained": lambda route: f"gained: {word_route(route)}",
    "follows": _follows,
    "driving_route": lambda path: f"makes more of it: {format_path(path)}",
    "hindering_route": lambda path: f"makes less of it: {format_path(path)}",
    "causes_before": lambda name, *listed: f"as it is: {name} is caused by {_listed(*listed)}",
    "causes_after": lambda world, name, *listed: f"with {world}: {name} is caused by {_listed(*listed)}",
    "cause_changes": lambda lost, left, gained: f"{count_noun(lost, 'believed cause')} lost, {left} left, {gained} new",
    "remaining_causes": lambda edges: f"left: {_first_names(cause_beliefs(edges), _NAMES_SHOWN)}",
    "indicative": lambda mood: (
        f"the 'if' takes something for so and does not only suppose it "
        f"(mood {'unknown' if mood is None else format(mood, '.2f')}): no world was set"
    ),
    "list_before": lambda *listed: f"as it is: {_listed(*listed)}",
    "list_after": lambda *listed: f"so set: {_listed(*listed)}",
    "risk_kept": lambda *facts: f"given: {risk_clause(*facts)}",
    "held_back": lambda *facts: f"held back: {risk_clause(*facts)}",
    "read": _read_parts,
    "hop": _hop,
    "corpus_read": lambda title: f"the passage has no links; the articles that fit the question best are read, first “{title}”",
    "followed": lambda hop, title, anchor, sentence: (
        f"Read for it{', then' if hop > 1 else ''}: {_linked_title(title, anchor)} in sentence {sentence}."
    ),
    "links_unweighed": lambda number: (
        f"{count_noun(number, 'link')} of the passage not weighed: their sentences share least with it"
    ),
    "broken_chain": lambda behind, before, forward, backward: (
        f"The chain breaks between '{behind}' and '{before}': {claim_clause(forward)}, and {claim_clause(backward)}."
    ),
    "marked_wrong": lambda *mark: f"T{mark_clause(*mark)[1:]}",
    "links_nowhere": lambda number, titles: (
        f"{count_noun(number, 'link')} of the passage lead{'s' if number == 1 else ''} to no article here, such as “{titles[0]}”"
    ),
    "links_ambiguous": lambda titles: f"not followed: “{titles[0]}” only lists articles of that name",
    "reader_candidates": lambda name, candidates: f"the reader {name} finds {_listed_candidates(candidates)}",
    "edit_candidates": lambda candidates, rule: f"the edits come to {_listed_candidates(candidates)}; the first by {rule}",
    "asked_again": lambda plain, candidates: (
        f"asked without its “if”, “{plain}”, the reader finds {_listed_candidates(candidates) or 'no answer'}"
    ),
    "supposed_verdict": lambda plain, candidates: (
        f"what the “if” makes otherwise, “{plain}”, the text answers the other way: {_listed_candidates(candidates)}"
    ),
    "undecided_reader": undecided_clause,
    "premise": _premise,
    "contested_premise": _contested_premise,
    "graph_refused": lambda conclusion: f"the graph gives no answer: {word_conclusion(conclusion)}",
    "reader_refused": lambda conclusion: f"the reader gives no answer: {word_conclusion(conclusion)}",
    "second_answer": lambda source, agrees, text, confidence: (
        f"The {source} says {'the same' if agrees else 'otherwise'}: {text} ({confidence:.2f})."
    ),
    "agreement": _agreement,
    "stated": lambda verdict: (
        "the text lacks too much of what the question names"
        if verdict == "unknown"
        else f"a sentence states {verdict}"
        if verdict in ("yes", "no")
        else "two sides are told"
    ),
    "unsupported_reading": lambda phrase: f"held back: {unsupported_clause(phrase)}",
}
