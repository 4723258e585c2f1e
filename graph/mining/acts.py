"""What somebody does, as a concept: "avoid tax" in "to avoid taxes", "march" in "students staged a march"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from graph.mining.heads import LOCATIVE, is_denied
from graph.mining.kinds import kind_of
from graph.mining.phrases import Argument
from graph.mining.scope import BE
from graph.mining.spans import arguments
from graph.mining.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

_SUBJECTS = frozenset({"nsubjpass", "expl", "csubj", "csubjpass"})
_PREDICATES = frozenset({"acomp", "attr", "oprd", "auxpass"})
_CLAUSES = frozenset({"ccomp", "xcomp"})
_PLACES = LOCATIVE | frozenset(
    "on outside inside by before after until since through along across behind beside under over".split()
)


def acts(head: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> list[Argument]:
    """Return the concepts that `head` names, an act being named by its verb and its objects, whoever does it.

    Goals and purposes bear on what is done, so "students staged a march to demand ..." is about a march, as "they marched to
    demand ..." is. A verb in the passive or with a predicate keeps its subject ("wall built"), and nouns are named as
    everywhere. None where the act is denied, where it governs a clause, and where the verb alone tells too little ("went").
    """
    event = _event_held(head)
    if event is not None:
        return arguments(event, lemma, matched)
    open_ended = [child for child in head.children if child.i not in matched]
    if not _is_active(head) or any(child.dep_ in _PREDICATES for child in open_ended):
        told = head.tag_ != "VB" and (head.tag_ != "VBG" or not _is_active(head))
        return arguments(head, lemma, matched) if told else []
    if any(child.dep_ in _CLAUSES or child.dep_ == "neg" or child.lower_ == "longer" for child in open_ended):
        return []
    things = [child for child in head.rights if child.dep_ == "dobj" and child.i not in matched]
    if not things:
        return list(_without_object(head, lemma, matched))
    if is_denied(things[0]) or head.lower_ in words("ordering"):
        return []
    named = arguments(things[0], lemma, matched)
    if not named and head.tag_ == "VBG":
        return [one for one in arguments(head, lemma, matched) if " " in one.name]
    if head.lower_ in words("staging"):
        return named
    verb = " ".join([_base(head, lemma), *_particles(head)])
    return [Argument(f"{verb} {one.name}", head.idx, one.end, _base(head, lemma)) for one in named]


def is_deed(verb: Token) -> bool:
    """Return whether people do it who have no name here: "they withdrew", "some left"."""
    doer = next((child for child in verb.lefts if child.dep_ == "nsubj"), None)
    return doer is not None and doer.lower_ in words("people")


def _event_held(verb: Token) -> Token | None:
    """Return the march, in "a march was held" and "a march held by"."""
    if verb.tag_ not in ("VBN", "VBD") or verb.lower_ not in words("staging"):
        return None
    if verb.dep_ == "acl" and verb.head.tag_.startswith("NN"):
        return verb.head
    return next((child for child in verb.lefts if child.dep_ == "nsubjpass"), None)


def _is_active(token: Token) -> bool:
    """Return whether the token is a verb in the active voice."""
    if not token.tag_.startswith("VB") or any(child.dep_ in _SUBJECTS for child in token.children):
        return False
    return token.tag_ != "VBN" or any(child.dep_ == "aux" for child in token.children) or token.dep_ == "conj"


def _base(verb: Token, lemma: Callable[[Token], str]) -> str:
    """Return the base form of a verb: itself, in an infinitive."""
    return verb.lower_ if verb.tag_ in ("VB", "VBP") else lemma(verb)


def _particles(verb: Token) -> list[str]:
    """Return the particles of a phrasal verb."""
    return [child.lower_ for child in verb.rights if child.dep_ == "prt"]


def _without_object(verb: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> Iterator[Argument]:
    """Yield the act of a verb that has no object: with what it is directed at ("flee to Egypt"), or alone if it tells enough."""
    if verb.lower_ in BE:
        return
    parts, end = [_base(verb, lemma), *_particles(verb)], verb.idx + len(verb)
    for child in verb.rights:
        if child.dep_ != "prep" or child.i != verb.i + len(parts) or child.i in matched:
            continue
        noun = next((one for one in child.rights if one.dep_ in ("pobj", "pcomp")), None)
        if noun is None or not (parts[0] in words("deeds") or _says_when_or_where(noun)) or child.lower_ not in _PLACES:
            named = arguments(noun, lemma, matched) if noun is not None and noun.dep_ == "pobj" and noun.i not in matched else []
            if named:
                yield Argument(" ".join([*parts, child.lower_, named[0].name]), verb.idx, named[0].end, parts[0])
            return
    if parts[0] in words("deeds"):
        yield Argument(" ".join(parts), verb.idx, end, parts[0])


def _says_when_or_where(noun: Token) -> bool:
    """Return whether a noun behind "on", "in" and the like only places the verb in time or space: "on Friday", "in Delhi"."""
    return noun.tag_ in ("NNP", "NNPS", "CD") or kind_of(noun.lower_) in ("time", "location", "artifact", "")
