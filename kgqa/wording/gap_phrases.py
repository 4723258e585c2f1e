"""Gaps in words: what an answer lacks, and where it may be found."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kgqa.answer_model import MissingInformation
from kgqa.reasons import Missing, Need, Remedy
from kgqa.wording.claim_clauses import cause_beliefs, claim_clause, concept_phrase, count_noun, join_phrases

if TYPE_CHECKING:
    from graph.model import Edge, Path

_TITLES_SHOWN = 4
_EXAMPLE_CLAIM = 'for instance "Does coffee cause cancer?"'
_EXAMPLE_LIST = 'for instance "What causes tsunamis?"'


def word_gap(gap: Missing | MissingInformation) -> MissingInformation:
    """Return a gap in English."""
    if isinstance(gap, MissingInformation):
        return gap
    return MissingInformation(_NEEDS[gap.need](*gap.names), _REMEDIES[gap.remedy](*gap.details))


def doubtful_chain_clause(path: Path) -> str:
    """Return a chain that is not likely to be valid, as a clause."""
    return f"a possible chain is doubtful: {join_phrases([claim_clause(edge) for edge in path.edges])}"


def quote_names(names: tuple[str, ...]) -> str:
    """Return names in quotation marks: "'smoking' and 'radon'"."""
    return join_phrases([f"'{name}'" for name in names])


_NEEDS: dict[Need, Callable[..., str]] = {
    Need.QUESTION: lambda: "a question",
    Need.CAUSES: "the causes of '{}'".format,
    Need.EFFECTS: "the effects of '{}'".format,
    Need.AIM: "an aim or a motive behind '{}'".format,
    Need.PURPOSE: "a purpose of '{}'".format,
    Need.CONDITION: "a necessary condition of '{}'".format,
    Need.PREVENTION: "what prevents, treats or reduces '{}'".format,
    Need.PREVENTED: "what is prevented by '{}'".format,
    Need.BLOCKING: "what prevents, or is missing for, '{}'".format,
    Need.LINKED_CAUSES: "what bears on, or is linked to, '{}'".format,
    Need.LINKED_EFFECTS: "what is affected by, or linked to, '{}'".format,
    Need.CAUSES_OF_ALL: lambda *names: f"the causes of {join_phrases(names)}",
    Need.EFFECTS_OF_ALL: lambda *names: f"the effects of {join_phrases(names)}",
    Need.COMMON_CAUSE: lambda *names: f"a common cause of {join_phrases(names)}",
    Need.COMMON_EFFECT: lambda *names: f"a common effect of {join_phrases(names)}",
    Need.REFERENT: "what is meant that is '{}'".format,
    Need.CHAIN: "how '{}' leads to '{}'".format,
    Need.VALID_CHAIN: lambda: "a chain that is likely to be valid",
    Need.DEPENDENTS: lambda *names: f"what depends on {quote_names(names)}",
    Need.DEPENDENCE: lambda effect, *names: f"that '{effect}' depends on {quote_names(names)}",
    Need.ROUTE: lambda effect, *names: f"a route from {quote_names(names)} to '{effect}'",
    Need.POSSIBLE_WORLD: lambda: "a world in which it could be asked",
    Need.PREMISE: "whether it is so, as the question takes for granted: {}".format,
    Need.OPTION_EVIDENCE: lambda *names: f"evidence about {count_noun(len(names), 'option')}: {join_phrases(names)}",
    Need.DIRECTION_EVIDENCE: lambda *names: f"evidence for {' or '.join(names)}",
    Need.DIFFERENT_THINGS: lambda: "two different things",
    Need.CONCEPT: lambda *names: f"a concept called {join_phrases([repr(name) for name in names])}",
    Need.CLAIM: "a claim that '{}' bears on '{}'".format,
    Need.SOURCE: lambda cause, effect: f"a source that says what {concept_phrase(cause)} can do to {concept_phrase(effect)}",
    Need.PLAIN_EVIDENCE: lambda: "evidence that says so without a hedge",
    Need.SEPARATION: lambda: "what tells the two sides apart",
    Need.COMPARISON: lambda: "a source that compares the two",
    Need.FREQUENCY: lambda: "how often each of them happens",
    Need.MORE_SOURCES: lambda: "more independent sources for it",
    Need.SINGLE_QUESTION: lambda: "a question about one cause or effect",
    Need.OTHER_QUESTIONS: lambda number: f"the other{'' if number == '2' else 's'} of {number} questions",
    Need.CAUSAL_QUESTION: lambda: "a causal question",
    Need.SLOT: lambda: "a cause or an effect in the question",
    Need.PASSAGE: lambda: "a text about it",
    Need.ENGLISH_TEXT: "an English {}".format,
    Need.READER: lambda: "a reader",
    Need.POSSIBLE_CONDITION: lambda: "a supposition that can be made",
    Need.DECIDING_SENTENCE: lambda: "a sentence that says whether it is so",
    Need.TELLING_PASSAGE: lambda: "a passage that tells",
    Need.CALCULATION: lambda: "a number that has to be reckoned",
    Need.NUMERIC_READER: lambda: "a reader that reckons",
}


def _other_causes(concept: str, edges: tuple[Edge, ...], count: int) -> str:
    examples = join_phrases(cause_beliefs(edges))
    return f"the graph knows {count_noun(count, 'cause')} of '{concept}' that this leaves as they are, such as {examples}"


def _other_text(*titles: str) -> str:
    if not titles:
        return "in another text about it"
    more = f" and {len(titles) - _TITLES_SHOWN} more" if len(titles) > _TITLES_SHOWN else ""
    return f"not in what was read: {', '.join(titles[:_TITLES_SHOWN])}{more}"


_REMEDIES: dict[Remedy, Callable[..., str]] = {
    Remedy.NONE: lambda: "",
    Remedy.NO_CONCEPT: "no concept of the graph is called '{}'".format,
    Remedy.WIDER_CONCEPT: "it knows '{}', which is not the same; mine texts about it with kgqa mine".format,
    Remedy.NEAR_NAMES: lambda phrase, *near: f"no concept of the graph is called '{phrase}'; near: {', '.join(near)}",
    Remedy.NO_SUCH_CLAIM: "the graph knows '{}', but holds no such claim; mine texts about it with kgqa mine".format,
    Remedy.TEXTS_ABOUT_IT: lambda: "texts about it, mined with kgqa mine",
    Remedy.TEXTS_ABOUT_BOTH: lambda: "texts about both, mined with kgqa mine",
    Remedy.TEXTS_ABOUT_THEM: lambda: "texts about them, mined with kgqa mine",
    Remedy.BOTH_TEXTS: lambda: "texts about both",
    Remedy.TEXTS_STATING_IT: lambda: "texts that state it, mined with kgqa mine",
    Remedy.TEXTS_CLAIMING_IT: lambda: "texts that make that claim, mined with kgqa mine",
    Remedy.TEXTS_WITH_CONTEXT: lambda: "texts that say for whom, where, when or at what dose, mined with kgqa mine",
    Remedy.MORE_TEXTS: lambda: "more texts, mined with kgqa mine",
    Remedy.FIGURES: lambda: "figures, which a graph of claims does not hold",
    Remedy.TWO_THINGS: lambda: "ask what one thing does to another",
    Remedy.POSSIBLE_CHAIN: lambda path, probability: f"{doubtful_chain_clause(path)} (valid with probability {probability:.2f})",
    Remedy.LEFT_OUT: "{}; it was left out of what is supposed".format,
    Remedy.ONE_SUPPOSITION: lambda: "ask with one supposition of each thing",
    Remedy.ASK_SEPARATELY: lambda: "ask that by itself",
    Remedy.OTHER_CAUSES: _other_causes,
    Remedy.ASK_ONE_BY_ONE: lambda: "ask them one by one",
    Remedy.EXAMPLE_CLAIM: lambda: _EXAMPLE_CLAIM,
    Remedy.EXAMPLE_LIST: lambda: _EXAMPLE_LIST,
    Remedy.NAME_SLOT: lambda: f"name it, {_EXAMPLE_LIST}",
    Remedy.PASSAGE_WITH_WORDS: "give a {} with words in it".format,
    Remedy.TRANSLATION: lambda: "translate it",
    Remedy.READER_OPTION: lambda: "kgqa ask --reader",
    Remedy.CASCADE_OPTION: lambda: "kgqa ask --reader cascade",
    Remedy.REASON: str,
    Remedy.OTHER_TEXT: _other_text,
    Remedy.NO_RULE: "from “{}”, by no rule that is known".format,
}
