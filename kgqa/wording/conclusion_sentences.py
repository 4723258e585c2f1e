"""The sentence of an answer: which module words which kind of conclusion; refusals with the nearest that is known; gaps in words.

The module that words a conclusion is imported when it is needed, for a process that answers one question spends most of its time
on imports.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from kgqa.answer_model import MissingInformation
from kgqa.quantities.numbers import ordinal_words
from kgqa.reasons import Conclusion, FirstOfSeveral, GapPlace, Missing, Refusal, Respelling
from kgqa.wording.claim_clauses import (
    as_sentence,
    cause_beliefs,
    chain_clause,
    claim_clause,
    concept_phrase,
    count_noun,
    fixed_phrases,
    join_phrases,
    joint_clauses,
    mark_clause,
    written_name,
)

if TYPE_CHECKING:
    from graph.model import Edge, Path
    from kgqa.answer_model import Verdict
    from kgqa.passages.passage_answer import DisputedConclusion, PassageConclusion

_FUNCTIONS = {
    "Refusal": "conclusion_sentences:word_refusal",
    "FirstOfSeveral": "conclusion_sentences:word_first",
    "Respelling": "conclusion_sentences:word_respelling",
    "PassageConclusion": "conclusion_sentences:word_passage",
    "DisputedConclusion": "conclusion_sentences:word_dispute",
    "ListConclusion": "list_sentences:word_list",
    "SharedConclusion": "list_sentences:word_shared",
    "SidesConclusion": "list_sentences:word_sides",
    "VerdictConclusion": "verdict_sentences:word_verdict",
    "MediatedConclusion": "verdict_sentences:word_mediated",
    "ReverseConclusion": "verdict_sentences:word_reverse",
    "SupportConclusion": "verdict_sentences:word_support",
    "OptionsConclusion": "verdict_sentences:word_options",
    "ClaimsConclusion": "verdict_sentences:word_claims",
    "ComparedConclusion": "verdict_sentences:word_compared",
    "ChainConclusion": "verdict_sentences:word_chain",
    "MechanismConclusion": "verdict_sentences:word_mechanism",
    "ConnectionConclusion": "verdict_sentences:word_connections",
    "EffectConclusion": "effect_sentences:word_effect",
    "ConsequenceConclusion": "effect_sentences:word_consequences",
    "RemovedEffectConclusion": "effect_sentences:word_removed_effect",
    "AlternativesConclusion": "effect_sentences:word_alternatives",
    "WorldConclusion": "effect_sentences:word_world",
    "ClaimCorrection": "correction_sentences:word_correction",
    "TaxonCorrection": "correction_sentences:word_taxon_correction",
    "StatementCorrection": "correction_sentences:word_statement_correction",
    "CorrectedConclusion": "correction_sentences:word_corrected",
    "SetVerdictConclusion": "effect_sentences:word_set_verdict",
}
"""The function, "MODULE:FUNCTION", that words each kind of conclusion."""


def word_conclusion(conclusion: Conclusion | str) -> str:
    """Return what an answer says as a sentence; a text is its own wording."""
    if isinstance(conclusion, str):
        return conclusion
    module, _, function = _FUNCTIONS[type(conclusion).__name__].partition(":")
    text: str = getattr(import_module(f"kgqa.wording.{module}"), function)(conclusion)
    return as_sentence(text)


def clause_of(conclusion: Conclusion | str) -> str:
    """Return the sentence of a conclusion as a clause: without the capital and the full stop."""
    text = word_conclusion(conclusion)
    return text[:1].lower() + text[1:].rstrip(".")


def same_thing_clause(cause: str, effect: str, concept: str) -> str:
    """Return that two phrases name one thing."""
    thing = f"name the same thing, {concept_phrase(concept)}" if concept else "are names of the same thing"
    return f"'{cause}' and '{effect}' {thing}"


def risk_clause(confidence: float, risk: float, least: float | None) -> str:
    """Return the confidence of an answer beside the least confidence that keeps to a risk, `None` where none does."""
    needed = "no confidence is enough" if least is None else f"{least:.2f} is needed"
    return f"confidence {confidence:.2f}; for an expected error of at most {risk:g}, {needed}"


def opposite_chain_clause(path: Path) -> str:
    """Return that a claim or a chain with a decrease in it says the opposite."""
    steps = join_phrases([claim_clause(edge) for edge in path.edges])
    return f"{'the graph says' if len(path.edges) == 1 else 'rather'} the opposite: {steps}"


def undecided_clause(verdict: Verdict, score: float, opposite: Verdict, opposite_score: float) -> str:
    """Return that yes and no are nearly as likely to a reader."""
    return f"the reader cannot tell {verdict} ({score:.2f}) from {opposite} ({opposite_score:.2f})"


def unsupported_clause(phrase: str) -> str:
    """Return why a reader may not say whether one thing causes another: a phrase is not named, or a claim says the reverse."""
    return f"“{phrase}” is not named there" if phrase else "a claim says the reverse"


def word_respelling(conclusion: Respelling) -> str:
    """Return a conclusion with the word that was read as another."""
    return f"{clause_of(conclusion.conclusion)}; '{conclusion.wrong}' read as '{conclusion.right}'"


def word_first(conclusion: FirstOfSeveral) -> str:
    """Return which of several questions is answered, and its answer."""
    text = word_conclusion(conclusion.conclusion)
    return f"Of {conclusion.number} questions, the first causal one, “{conclusion.question}”: {text}"


_WORLDS = {
    "PASSAGE": "according to {}",
    "EDITED": "if that were so, going by {}",
    "UNEDITED": "according to {} as it stands: the “if” is not worked into it",
    "MODEL": "as the model has it: these words do not stand in {}",
}
"""The world that an answer holds in, by its name, with the text that it is from for "{}"."""


def word_passage(conclusion: PassageConclusion) -> str:
    """Return an answer with the text that it is from, and a hedge where it is not sure."""
    where = f"the {conclusion.title}" if conclusion.untitled else f"“{conclusion.title}”"
    hedge = "perhaps " if conclusion.hedged else ""
    return f"{hedge}{conclusion.text}, {_WORLDS[conclusion.world.name].format(where)}"


def word_dispute(conclusion: DisputedConclusion) -> str:
    """Return that a text gives two sides."""
    where = f"the {conclusion.title}" if conclusion.untitled else f"“{conclusion.title}”"
    return f"contested: {where} gives two sides"


def _not_said(missing: Missing) -> str:
    where = _REMEDIES[missing.remedy](*missing.details)
    if missing.remedy in _UNKNOWN_NAMES:
        return f"unknown: {where}"
    return f"unknown: the graph does not say {_NEEDS[missing.need](*missing.names)}; {where}"


def _doubtful_chain(missing: Missing, path: Path | None, opposite: Path | None) -> str:
    doubtful = f"; {doubtful_chain_clause(path)}" if path is not None else ""
    opposed = f"; {opposite_chain_clause(opposite)}" if opposite is not None else ""
    return f"unknown: the graph does not say {word_gap(missing).what}{doubtful}{opposed}"


def _no_causal_question(manner: bool, foreign: bool) -> str:
    why = "it asks how to do something" if manner else "it asks for no cause, effect or prevention"
    if foreign:
        why = "it seems to be in another language, and kgqa reads English"
    return f"This is not a causal question: {why}. kgqa answers causal questions only."


def _rarest(conclusion: Conclusion | str) -> str:
    why = "which is the rarest cannot be told from a graph of claims, in which what is rarely spoken of need not be rare"
    text = word_conclusion(conclusion)
    return f"unknown: {why}; {text[:1].lower()}{text[1:]}"


def _no_claim(cause: str, effect: str, nearest: tuple[Edge, ...], *known: tuple[str, int]) -> str:
    """Return that no claim joins two phrases, with the nearest, or the concept of each and how many claims are about it."""
    words = f"unknown: the graph has no claim that '{cause}' bears on '{effect}'"
    if nearest:
        return f"{words}; the nearest that it holds is that {join_phrases([claim_clause(edge) for edge in nearest])}"
    if not known:
        return words
    (first, claims), (second, others) = known
    about = f"{claims:,} claims about {concept_phrase(first)} and {others:,} about {concept_phrase(second)}"
    return f"{words}, although it has {about}"


_NAMES_BESIDE = 3


def _none_of_kind(concept: str, noun: str, names: tuple[str, ...]) -> str:
    """Return that nothing of a kind is known of a concept, with the first things that are."""
    known = join_phrases([concept_phrase(name) for name in names[:_NAMES_BESIDE]])
    return f"unknown: what the graph holds on {concept_phrase(concept)} does not look like {noun}: {known}"


def _known_claims(name: str, side: str, names: tuple[str, ...]) -> str:
    """Return what the graph does hold of a concept, none of which is asked for."""
    if not names:
        return f"it knows '{written_name(name)}', but holds no such claim"
    known = join_phrases([concept_phrase(known_name) for known_name in names[:_NAMES_BESIDE]])
    such = ", such as " if len(names) > _NAMES_BESIDE else ": "
    return f"it holds {count_noun(len(names), _NOUNS_OF_NEED[side])} of {concept_phrase(name)}{such}{known}"


def _nearest_part(phrase: str, name: str, side: str, names: tuple[str, ...]) -> str:
    return f"the graph has no concept called '{phrase}'; {_known_claims(name, side, names)}"


def _claims_of_wider(concept: str, need: str, names: tuple[str, ...], phrase: str) -> str:
    """Return how many things are known of what is wider than a phrase, with the first of them."""
    known = join_phrases([concept_phrase(name) for name in names[:_NAMES_BESIDE]])
    number = count_noun(len(names), _NOUNS_OF_NEED.get(need, "claim"))
    return f"it holds {number} of {concept_phrase(concept)}, such as {known}, and none of '{phrase}'"


def _near_claims(missing: Missing, edges: tuple[Edge, ...]) -> str:
    """Return what the graph does not say, and the claims that come nearest."""
    nearest = join_phrases([claim_clause(edge) for edge in edges])
    return f"unknown: the graph does not say {word_gap(missing).what}; the nearest that it holds is that {nearest}"


_NOUNS_OF_NEED = {"causes": "cause", "effects": "effect"}


def _nothing_left(concept: str, of_cause: bool, prevents: bool) -> str:
    does = "prevents or reduces" if prevents else "causes"
    return f"nothing that the graph knows of is left that {f'{concept} {does}' if of_cause else f'{does} {concept}'}"


def word_refusal(refusal: Refusal) -> str:
    """Return why a question has no answer."""
    return _REASONS[refusal.reason](*refusal.facts)


_REASONS: dict[str, Callable[..., str]] = {
    **{name: phrase.format for name, phrase in fixed_phrases("reason").items()},
    "invalid_question": str,
    "not_said": _not_said,
    "doubtful_chain": _doubtful_chain,
    "other_consequences": lambda missing, follows: (
        f"unknown: the graph does not say {word_gap(missing).what}; what it does say would follow: {clause_of(follows)}"
    ),
    "little_known": lambda follows: f"unknown: {clause_of(follows)}",
    "contrary_event": lambda clause, event, followed: (
        f"unknown: the graph does not say what would follow if {clause}; what followed from {concept_phrase(event)} as it was: "
        f"{join_phrases([concept_phrase(name) for name in followed])}"
    ),
    "no_causal_question": _no_causal_question,
    "rarest": _rarest,
    "held_back": lambda confidence, risk, least, conclusion: (
        f"Unknown at this risk ({risk_clause(confidence, risk, least)}). "
        f"Without a limit the answer would be: {word_conclusion(conclusion)}"
    ),
    "same_thing": lambda *facts: f"unknown: {same_thing_clause(*facts)}; ask about two different things",
    "shared_cause": lambda first, second: (
        f"unknown: no source says so; but {concept_phrase(first.cause)} may be behind both: "
        f"{claim_clause(first)} and {claim_clause(second)}"
    ),
    "other_claim": lambda edge: f"unknown: no source says so; it is only said that {claim_clause(edge)}",
    "no_claim": _no_claim,
    "none_of_kind": _none_of_kind,
    "near_claims": _near_claims,
    "claims_near": lambda *edges: f"unknown: the nearest that the graph says: {'; '.join(joint_clauses(edges))}",
    "unfamiliar": lambda missing, nearest: (
        f"unknown: the graph has no {word_gap(missing).what.removeprefix('a ')}"
        f"{f'; the nearest is that {claim_clause(nearest)}' if nearest is not None else ''}"
    ),
    "marked_wrong": lambda *marks: f"unknown: {'; '.join(mark_clause(*mark) for mark in marks)}",
    "nothing_left": _nothing_left,
    "weak_setting": lambda edge: f"unknown: that {claim_clause(edge)} was set to be believed {edge.belief:g} only",
    "no_passage": lambda title, given: f"unknown: {f'there is no {title} to read' if given else 'no sentence was found to read'}",
    "undecided_reader": lambda *facts: f"unknown: {undecided_clause(*facts)}",
    "unsupported_reading": lambda title, phrase: f"unknown: the {title} does not tell; {unsupported_clause(phrase)}",
    "linked_elsewhere": lambda title, place, at_hand: f"unknown: the {title} does not tell; {_linked_article(place, at_hand)}",
    "links_untold": lambda title, articles: (
        f"unknown: the {title} does not tell, nor {'does' if len(articles) == 1 else 'do'} what it links to: "
        f"{join_phrases([f'“{name}”' for name in articles])}"
    ),
    "not_in_passage": lambda title, given: (
        f"unknown: {f'the {title} does not tell' if given else 'the sentences that the graph keeps do not tell'}"
    ),
}


_TITLES_SHOWN = 4


def word_gap(gap: Missing | MissingInformation) -> MissingInformation:
    """Return a gap in English."""
    if isinstance(gap, MissingInformation):
        return gap
    where = _REMEDIES[gap.remedy](*gap.details)
    action = word_action(gap)
    where = f"{where}; {action}" if action and action != where else where
    return MissingInformation(_NEEDS[gap.need](*gap.names), where, gap.slot, gap.type, gap.places)


_TEXTS_ABOUT = {name: phrase for name, phrase in fixed_phrases("remedy").items() if "kgqa mine" in phrase}
"""The remedies that are texts, with the commands that read them."""
_UNKNOWN_NAMES = frozenset({"no_concept", "near_names", "nearest_part"})
"""The remedies that tell that the graph lacks a name, and what it holds nearest to it."""
_UNKNOWN_CLAIMS = frozenset({"wider_concept", "no_such_claim", "claims_of_wider"})
"""The remedies that tell what the graph holds of a name in place of what is asked for."""


def word_action(gap: Missing | MissingInformation) -> str:
    """Return what would find out what is missing: texts, and the commands that read them; empty where only words would help."""
    if isinstance(gap, MissingInformation):
        return ""
    if gap.remedy in _UNKNOWN_NAMES or gap.need == "concept":
        return _TEXTS_ABOUT["larger_graph"]
    return _TEXTS_ABOUT.get("texts_about_it" if gap.remedy in _UNKNOWN_CLAIMS else gap.remedy, "")


def doubtful_chain_clause(path: Path) -> str:
    """Return a chain that is not likely to be valid, as a clause."""
    return f"a possible chain is doubtful: {chain_clause(path)}"


def quote_names(names: tuple[str, ...]) -> str:
    """Return names in quotation marks: "'smoking' and 'radon'"."""
    return join_phrases([f"'{name}'" for name in names])


_NEEDS: dict[str, Callable[..., str]] = {
    **{name: phrase.format for name, phrase in fixed_phrases("need").items()},
    "causes_of_all": lambda *names: f"the causes of {join_phrases(names)}",
    "effects_of_all": lambda *names: f"the effects of {join_phrases(names)}",
    "common_cause": lambda *names: f"a common cause of {join_phrases(names)}",
    "common_effect": lambda *names: f"a common effect of {join_phrases(names)}",
    "dependents": lambda *names: f"what depends on {quote_names(names)}",
    "dependence": lambda effect, *names: f"that '{effect}' depends on {quote_names(names)}",
    "route": lambda effect, *names: f"a route from {quote_names(names)} to '{effect}'",
    "option_evidence": lambda *names: f"evidence about {count_noun(len(names), 'option')}: {join_phrases(names)}",
    "direction_evidence": lambda *names: f"evidence for {' or '.join(names)}",
    "concept": lambda *names: f"a concept called {join_phrases([repr(name) for name in names])}",
    "source": lambda cause, effect: f"a source that says what {concept_phrase(cause)} can do to {concept_phrase(effect)}",
    "other_questions": lambda number: f"the other{'' if number == '2' else 's'} of {number} questions",
}


def _other_causes(concept: str, edges: tuple[Edge, ...], count: int) -> str:
    examples = join_phrases(cause_beliefs(edges))
    return f"the graph knows {count_noun(count, 'cause')} of '{concept}' that this leaves as they are, such as {examples}"


def _other_text(*titles: str) -> str:
    if not titles:
        return "in another text about it"
    more = f" and {len(titles) - _TITLES_SHOWN} more" if len(titles) > _TITLES_SHOWN else ""
    return f"not in what was read: {', '.join(titles[:_TITLES_SHOWN])}{more}"


_LIKELY = 0.5


def _linked_article(place: GapPlace, at_hand: bool) -> str:
    command = f"{'' if at_hand else '--articles INDEX '}--follow reads it"
    sentence = f", linked in its {ordinal_words(place.sentence)} sentence" if place.sentence else ""
    chance = "probably" if (place.probability or 0.0) >= _LIKELY else "perhaps"
    return f"the article “{place.text}”{sentence}, {chance} does ({command})"


_REMEDIES: dict[str, Callable[..., str]] = {
    **{name: phrase.format for name, phrase in fixed_phrases("remedy").items()},
    "none": lambda: "",
    "near_names": lambda phrase, *near: f"the graph has no concept called '{phrase}'; near: {', '.join(map(written_name, near))}",
    "possible_chain": lambda path, probability: f"{doubtful_chain_clause(path)} (valid with probability {probability:.2f})",
    "other_causes": _other_causes,
    "claims_of_wider": _claims_of_wider,
    "no_such_claim": _known_claims,
    "nearest_part": _nearest_part,
    "reason": str,
    "other_text": _other_text,
    "linked_article": _linked_article,
    "broken_chain": lambda forward, backward: f"the chain breaks there: {claim_clause(forward)}, and {claim_clause(backward)}",
    "corpus_article": lambda title: f"perhaps the article “{title}”, which fits the question best (--follow reads it)",
}
