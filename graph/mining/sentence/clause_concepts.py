"""A clause as a concept, in telegraphic form: "because the dam broke" gives "dam break"."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import LOCATIVE_PREPOSITIONS, is_denied_noun, skip_partitive
from graph.mining.sentence.noun_phrases import MAX_ARGUMENT_CHARACTERS, ClaimArgument, noun_phrase
from graph.text.word_lists import kind_of_noun, word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_CLAUSE_WORDS = 12

_BEHIND_OBJECT = frozenset("as to from into with of on against for".split())
_MAX_COMPLEMENT_TOKENS = 5
_NO_QUALITY = frozenset({"likely", "unlikely", "due", "able", "unable", "such", "same", "possible", "other", "worth", "part"})
_BE = frozenset({"is", "are", "was", "were"})


def is_clause(token: Token) -> bool:
    """Return whether the token is a verb with a subject, rather than the head of a noun phrase."""
    if not token.tag_.startswith("VB"):
        return False
    return _clause_subject(token) is not None or any(child.dep_ in ("expl", "csubj") for child in token.children)


def _clause_subject(verb: Token) -> Token | None:
    """Return the subject of a verb, which a finite verb may share with the first conjunct ("he fell and died")."""
    own = next((child for child in verb.lefts if child.dep_ in ("nsubj", "nsubjpass")), None)
    if any(child.dep_ == "expl" for child in verb.lefts):
        return None
    if own is None and verb.dep_ == "conj" and verb.tag_ in ("VBD", "VBZ", "VBP") and verb.head.tag_.startswith("VB"):
        return _clause_subject(verb.head)
    return own


def carried_infinitive(verb: Token) -> Token | None:
    """Return the infinitive that has the meaning of a light construction: postpone, in "they had to postpone the game"."""
    if verb.lower_ not in word_list("carrying"):
        return None
    return next((child for child in verb.rights if child.dep_ == "xcomp" and child.tag_ in ("VB", "VBG")), None)


def clause_argument(verb: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> ClaimArgument | None:
    """Return a clause as a concept: its subject, its verb, and what completes it; none if its subject is a pronoun."""
    subject = _clause_subject(verb)
    if any(child.dep_ == "neg" for governor in (verb, verb.head if verb.dep_ == "conj" else verb) for child in governor.children):
        return None
    if subject is None:
        return _existential_argument(verb, matched)
    subject = skip_partitive(subject)
    noun = noun_phrase(subject, matched)
    if noun is None:
        return None
    verb = carried_infinitive(verb) or verb
    quality = _predicate_adjective(verb, matched)
    if quality is not None:
        return _with_adjective(quality, noun)
    if is_denied_noun(subject):
        return None
    if verb.lower_ in word_list("light"):
        return None if any(_adds_to_light_verb(child, matched) for child in verb.rights) else noun
    if any(
        child.i not in matched and (child.dep_ in ("xcomp", "ccomp") or _is_infinitive_of_aim(child)) for child in verb.rights
    ):
        return None
    return None if any(child.lower_ == "only" for child in verb.children) else _predicate_argument(verb, noun, lemma, matched)


def _existential_argument(verb: Token, matched: frozenset[int]) -> ClaimArgument | None:
    """Return the thing that "there is", if it has a name and is not denied."""
    there = any(child.dep_ == "expl" for child in verb.children)
    attribute = next((child for child in verb.rights if child.dep_ == "attr"), None)
    return noun_phrase(attribute, matched) if there and attribute is not None and not is_denied_noun(attribute) else None


def _predicate_argument(
    verb: Token, noun: ClaimArgument, lemma: Callable[[Token], str], matched: frozenset[int]
) -> ClaimArgument | None:
    """Return the clause of `noun`: the subject, the verb and its complements, unless that is too long."""
    passive = any(child.dep_ in ("nsubjpass", "auxpass") for child in verb.children)
    parts, end = [noun.name, verb.lower_ if passive else lemma(verb)], verb.idx + len(verb)
    for child in verb.rights:
        added = _complement_words(child, matched)
        if added is None:
            return None
        if added:
            parts.append(added[0])
            end = added[1]
    name = " ".join(parts)
    if len(name.split()) > MAX_CLAUSE_WORDS or len(name) > MAX_ARGUMENT_CHARACTERS:
        return None
    return ClaimArgument(name, noun.start, end, noun.head)


def _predicate_adjective(verb: Token, matched: frozenset[int]) -> Token | None:
    """Return the bare adjective that a form of "be" gives its subject: scarce, in "water was scarce"."""
    if verb.lower_ not in _BE:
        return None
    if any(child.lower_ in word_list("limiting") and child.dep_ in ("advmod", "neg", "preconj") for child in verb.subtree):
        return None
    complements = [
        child for child in verb.rights if child.i not in matched and child.dep_ not in ("punct", "advmod", "prep", "advcl")
    ]
    bare = len(complements) == 1 and complements[0].dep_ == "acomp" and complements[0].tag_ in ("JJ", "JJR")
    if not bare or complements[0].lower_ in _NO_QUALITY:
        return None
    return None if any(child.dep_ in ("prep", "xcomp", "ccomp") for child in complements[0].rights) else complements[0]


def _with_adjective(quality: Token, noun: ClaimArgument) -> ClaimArgument:
    """Return a thing with its quality in front: "scarce water"."""
    return ClaimArgument(f"{quality.lower_} {noun.name}", noun.start, quality.idx + len(quality), noun.head)


def _complement_words(child: Token, matched: frozenset[int]) -> tuple[str, int] | tuple[()] | None:
    """Return the words that a child adds to its verb and their end.

    They are a particle, an adverb behind the verb, an object, a predicate, a first "to ..." and a short phrase behind the
    object. Empty for a child that adds nothing, `None` for a required one without a name.
    """
    if child.i in matched:
        return ()
    adverb = child.dep_ == "advmod" and child.i == child.head.i + 1 and child.tag_ in ("RB", "RBR", "NN", "RP")
    if child.dep_ == "prt" or adverb:
        return child.lower_, child.idx + len(child)
    if child.dep_ == "acomp":
        more = [
            token for token in child.lefts if token.dep_ == "advmod" and token.i + 1 == child.i and token.tag_ in ("RBR", "RB")
        ]
        return " ".join(token.lower_ for token in [*more, child]), child.idx + len(child)
    thing: Token | None = None
    before = ""
    if child.dep_ in ("dobj", "attr", "oprd"):
        thing = child
    elif child.dep_ == "prep" and _is_complement(child):
        thing = next((token for token in child.rights if token.dep_ == "pobj" and token.i not in matched), None)
        before = f"{child.lower_} "
        if thing is None:
            return None
        if child.lower_ in LOCATIVE_PREPOSITIONS and (kind_of_noun(thing.lower_) == "time" or thing.tag_ == "CD"):
            return ()
    if thing is None:
        return ()
    if thing.tag_.startswith("JJ"):
        return before + thing.lower_, thing.idx + len(thing)
    argument = None if is_denied_noun(thing) else noun_phrase(thing, matched)
    return None if argument is None else (before + argument.name, argument.end)


def _is_complement(preposition: Token) -> bool:
    """Return whether a phrase is a complement of its verb: right behind it and no place, or short and behind its object."""
    verb = preposition.head
    if preposition.i == verb.i + 1:
        return preposition.lower_ not in LOCATIVE_PREPOSITIONS or verb.lower_ in word_list("placing")
    thing = next((child for child in verb.rights if child.dep_ == "dobj"), None)
    if thing is None or preposition.i != thing.right_edge.i + 1 or preposition.lower_ not in _BEHIND_OBJECT:
        return False
    return preposition.right_edge.i - preposition.i < _MAX_COMPLEMENT_TOKENS


def _is_infinitive_of_aim(child: Token) -> bool:
    """Return whether "to ..." follows the verb directly; "has gone on to join" has too many verbs for a name."""
    return child.dep_ == "advcl" and child.tag_ == "VB" and child.left_edge.lower_ == "to" and child.i - child.head.i <= 3


def _adds_to_light_verb(child: Token, matched: frozenset[int]) -> bool:
    """Return whether a light verb with this child has more meaning than that its subject occurred."""
    if child.dep_ in ("acomp", "attr", "dobj", "xcomp", "ccomp"):
        return child.i not in matched and child.lower_ != "place"
    return child.dep_ == "prep" and child.head.lower_ in _BE and child.i not in matched
