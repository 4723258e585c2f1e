"""The ends of a claim: the concepts of a word of a match, as the phrases that a reader would underline.

Also acts as concepts ("avoid tax" in "to avoid taxes", "march" in "students staged a march"), and the antecedents of "This" and
"It" at the beginning of a sentence: the main clause or the subject of the sentence before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from graph.mining.sentence.clause_concepts import clause_argument, is_clause
from graph.mining.sentence.head_words import (
    LOCATIVE_PREPOSITIONS,
    antecedent,
    coordinated_tokens,
    is_agent,
    is_denied_noun,
    listed_instances,
    skip_partitive,
    subject_of_definition,
)
from graph.mining.sentence.noun_phrases import ClaimArgument, noun_phrase
from graph.mining.stance.cue_scope import BE_FORMS
from graph.text.word_lists import kind_of_noun, word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def phrase_arguments(head: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> list[ClaimArgument]:
    """Return the concepts that the phrase headed by `head` names: several for conjuncts, none if it is vague.

    A phrase does not extend over tokens `matched`, by index, which are other parts of the claim. `lemma` returns the base form
    of a verb; it is called for clauses only ("because the dam broke": "dam break").
    """
    token = antecedent(head)
    if token is None:
        return []
    token = subject_of_definition(token, matched)
    first = skip_partitive(token)
    tokens = [conjunct for conjunct in coordinated_tokens(first) if conjunct == first or conjunct.i not in matched]
    tokens = [
        conjunct for token in tokens for conjunct in ((token.lower_ in word_list("vague") and listed_instances(token)) or [token])
    ]
    shared = _shared_preposition(tokens)
    results = []
    for conjunct in tokens:
        conjunct = skip_partitive(conjunct)
        argument = clause_argument(conjunct, lemma, matched) if is_clause(conjunct) else noun_phrase(conjunct, matched, shared)
        if argument is not None and argument not in results:
            results.append(argument)
    return results


def _shared_preposition(tokens: list[Token]) -> Token | None:
    """Return the "of" behind the last of several conjuncts, to which the parser may attach it although it belongs to all of them.

    `None` if an article or a comma separates them ("inflammation and the disruption of junctions"), or if the last one has no
    meaning without it ("poverty and lack of education").
    """
    if len(tokens) == 1:
        return None
    last = tokens[-1].i
    apart = any(child.dep_ in ("det", "poss") for child in tokens[-1].lefts)
    if apart or any(token.text == "," for token in tokens[0].doc[tokens[0].i : last]):
        return None
    needy = tokens[-1].lower_ in word_list("vague") | word_list("relational")
    holders = tokens[:-1] if needy else tokens
    return next((child for conjunct in holders for child in conjunct.rights if child.lower_ == "of" and child.i > last), None)


_NON_AGENT_SUBJECTS = frozenset({"nsubjpass", "expl", "csubj", "csubjpass"})
_PREDICATE_LABELS = frozenset({"acomp", "attr", "oprd", "auxpass"})
_COMPLEMENT_CLAUSES = frozenset({"ccomp", "xcomp"})
_PLACE_PREPOSITIONS = LOCATIVE_PREPOSITIONS | frozenset(
    "on outside inside by before after until since through along across behind beside under over".split()
)


def act_arguments(head: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> list[ClaimArgument]:
    """Return the concepts that `head` names; an act is named by its verb and its objects, without its subject.

    Goals and purposes belong to acts: "students staged a march to demand ..." is about a march, as "they marched to demand ..."
    is. A verb in the passive or with a predicate keeps its subject ("wall built"). None if the act is denied or governs a clause,
    and if the verb alone is too vague ("went").
    """
    event = _staged_event(head)
    if event is not None:
        return phrase_arguments(event, lemma, matched)
    open_ended = [child for child in head.children if child.i not in matched]
    if not _is_active_verb(head) or any(child.dep_ in _PREDICATE_LABELS for child in open_ended):
        is_nameable = head.tag_ != "VB" and (head.tag_ != "VBG" or not _is_active_verb(head))
        return phrase_arguments(head, lemma, matched) if is_nameable else []
    if any(child.dep_ in _COMPLEMENT_CLAUSES or child.dep_ == "neg" or child.lower_ == "longer" for child in open_ended):
        return []
    things = [child for child in head.rights if child.dep_ == "dobj" and child.i not in matched]
    if not things:
        return list(_intransitive_act(head, lemma, matched))
    if is_denied_noun(things[0]) or head.lower_ in word_list("ordering"):
        return []
    object_arguments = phrase_arguments(things[0], lemma, matched)
    if not object_arguments and head.tag_ == "VBG":
        return [argument for argument in phrase_arguments(head, lemma, matched) if " " in argument.name]
    if head.lower_ in word_list("staging"):
        return object_arguments
    verb = " ".join([_base_form(head, lemma), *_particles(head)])
    return [
        ClaimArgument(f"{verb} {argument.name}", head.idx, argument.end, _base_form(head, lemma)) for argument in object_arguments
    ]


def has_unnamed_doer(verb: Token) -> bool:
    """Return whether the subject is people without a name: "they withdrew", "some left"."""
    doer = next((child for child in verb.lefts if child.dep_ == "nsubj"), None)
    return doer is not None and doer.lower_ in word_list("people")


def _staged_event(verb: Token) -> Token | None:
    """Return the march, in "a march was held" and "a march held by"."""
    if verb.tag_ not in ("VBN", "VBD") or verb.lower_ not in word_list("staging"):
        return None
    if verb.dep_ == "acl" and verb.head.tag_.startswith("NN"):
        return verb.head
    return next((child for child in verb.lefts if child.dep_ == "nsubjpass"), None)


def _is_active_verb(token: Token) -> bool:
    """Return whether the token is a verb in the active voice."""
    if not token.tag_.startswith("VB") or any(child.dep_ in _NON_AGENT_SUBJECTS for child in token.children):
        return False
    return token.tag_ != "VBN" or any(child.dep_ == "aux" for child in token.children) or token.dep_ == "conj"


def _base_form(verb: Token, lemma: Callable[[Token], str]) -> str:
    """Return the base form of a verb: itself, in an infinitive."""
    return verb.lower_ if verb.tag_ in ("VB", "VBP") else lemma(verb)


def _particles(verb: Token) -> list[str]:
    """Return the particles of a phrasal verb."""
    return [child.lower_ for child in verb.rights if child.dep_ == "prt"]


def _intransitive_act(verb: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> Iterator[ClaimArgument]:
    """Yield the act of a verb that has no object: with its direction ("flee to Egypt"), or alone if it is specific enough."""
    if verb.lower_ in BE_FORMS:
        return
    parts, end = [_base_form(verb, lemma), *_particles(verb)], verb.idx + len(verb)
    for child in verb.rights:
        if child.dep_ != "prep" or child.i != verb.i + len(parts) or child.i in matched:
            continue
        noun = next((candidate for candidate in child.rights if candidate.dep_ in ("pobj", "pcomp")), None)
        if (
            noun is None
            or not (parts[0] in word_list("deeds") or _is_time_or_place(noun))
            or child.lower_ not in _PLACE_PREPOSITIONS
        ):
            noun_arguments = (
                phrase_arguments(noun, lemma, matched)
                if noun is not None and noun.dep_ == "pobj" and noun.i not in matched
                else []
            )
            if noun_arguments:
                yield ClaimArgument(
                    " ".join([*parts, child.lower_, noun_arguments[0].name]), verb.idx, noun_arguments[0].end, parts[0]
                )
            return
    if parts[0] in word_list("deeds"):
        yield ClaimArgument(" ".join(parts), verb.idx, end, parts[0])


def _is_time_or_place(noun: Token) -> bool:
    """Return whether a noun behind "on", "in" and the like only places the verb in time or space: "on Friday", "in Delhi"."""
    return noun.tag_ in ("NNP", "NNPS", "CD") or kind_of_noun(noun.lower_) in ("time", "location", "artifact", "")


ANAPHOR_SLOT = "anaphor"
"""The slot of a claim's context for the word that refers back to the sentence before."""

_NO_TOKENS: frozenset[int] = frozenset()
_NOMINAL_SUBJECTS = ("nsubj", "nsubjpass")


def is_anaphor(token: Token) -> bool:
    """Return whether the token is "This" or "It" as the subject that begins its sentence."""
    return token.i == 0 and token.lower_ in ("this", "it") and token.dep_ in _NOMINAL_SUBJECTS


def resolve_anaphor(pointer: Token, before: Doc, lemma: Callable[[Token], str]) -> ClaimArgument | None:
    """Return the antecedent of `pointer` in the sentence `before`, as an argument with the span of the pointer.

    "This" is the main clause of that sentence and "It" its subject, a thing in the singular. `None` without an antecedent, or for
    one without a name.
    """
    root = next((token for token in before if token.dep_ == "ROOT"), None)
    if root is None:
        return None
    if pointer.lower_ == "this":
        if not root.tag_.startswith("VB") or any(child.dep_ in ("ccomp", "xcomp") for child in root.children):
            return None
        argument = clause_argument(root, lemma, _NO_TOKENS)
    else:
        subject = next((child for child in root.lefts if child.dep_ in _NOMINAL_SUBJECTS), None)
        if subject is None or subject.tag_ not in ("NN", "NNP") or any(child.dep_ == "conj" for child in subject.children):
            return None
        argument = None if is_agent(subject) else noun_phrase(subject, _NO_TOKENS)
    return None if argument is None else ClaimArgument(argument.name, pointer.idx, pointer.idx + len(pointer), argument.head)
