"""Which word of a sentence an end of a claim is about: behind relative pronouns, partitives, places and coordination."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graph.mining.kinds import kind_of
from graph.mining.words import words
from graph.normalize import singular

if TYPE_CHECKING:
    from spacy.tokens import Token

LOCATIVE = frozenset({"in", "at", "near", "within", "during", "around"})
_ABOUT = LOCATIVE | {"on", "onto", "over", "under"}
_HAPPENING = frozenset({"act", "event", "state", "process", "phenomenon"})
_BYSTANDERS = frozenset({"person", "location", "group", "time", "quantity"})
_THINGS = frozenset({"artifact", "body", "object"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})


def is_agent(head: Token) -> bool:
    """Return whether the phrase names people or a body that acts, or is a proper name in title case ("Turkey", not "HIV").

    The first word of a sentence is always in title case: it counts as a name unless it ends like a thing ("Penicillin").
    """
    token = antecedent(head) or head
    if token.lower_ in words("agents") or singular(token.lower_) in words("agents"):
        return True
    if token.tag_ not in ("NNP", "NNPS") or not token.is_title:
        return False
    return token.i > 0 or not token.lower_.endswith(tuple(words("thing_endings")))


def antecedent(token: Token) -> Token | None:
    """Return what a relative pronoun stands for, the token itself for others, `None` for a pronoun."""
    if token.tag_ in ("WDT", "WP") or (token.lower_ == "that" and token.tag_ in ("IN", "DT")):
        verb = token.head
        while verb.dep_ == "conj":
            verb = verb.head
        if verb.dep_ != "relcl":
            return None
        noun = _cleft(verb.head)
        return held(noun, token.head) if noun.tag_.startswith("NN") else None
    if token.tag_ in ("PRP", "PRP$", "DT", "EX", "WP$", "WRB", "CD", "RB", "PDT", "JJ", "JJR", "JJS") and not is_joined(token):
        return token if token.lower_ in words("partitive") and of_object(token) is not None else None
    return token


def _cleft(noun: Token) -> Token:
    """Return the noun that "it was ... that" points out, where `noun` stands in its phrase: "it was the breach of the treaty"."""
    above = noun
    while above.dep_ in ("pobj", "prep", "conj"):
        above = above.head
    pointed = above.dep_ == "attr" and any(child.lower_ == "it" and child.dep_ == "nsubj" for child in above.head.lefts)
    return above if pointed else noun


def held(noun: Token, verb: Token | None = None) -> Token | None:
    """Return what a phrase behind `noun` is about: the inflammation, in "inflammation in the stomach caused by ...".

    It is about the noun above where `noun` says only where, or of what something is a condition, a change or a doing. Where
    `verb`, the verb of the phrase, does not agree with `noun` in number ("shrinks the molecules, which lowers"), or where a
    comma parts it from people, places and names ("favoured ministers, which led to"), it is about what stands above, a whole
    clause in the end; `None` where there is nothing.
    """
    for _ in range(4):
        if verb is not None and noun.tag_.startswith("NN") and not (_agrees(noun, verb) and not _stands_by(noun, verb)):
            above = _above(noun)
            while above is not None and above.lower_ in words("partitive"):
                above = _above(above)
            if above is None or above.tag_[:2] not in ("NN", "VB"):
                return None
            noun = above
            continue
        above = _above(noun) if verb is not None and _is_parted(verb) and kind_of(noun.lower_) in _THINGS else None
        if above is not None and kind_of(above.lower_) in _HAPPENING:
            noun = above
            continue
        above = _holder(noun)
        if above is noun or (verb is not None and not _agrees(above, verb)):
            return noun
        noun = above
    return noun


def _holder(noun: Token) -> Token:
    """Return the noun above where `noun` says only where it is, or of what it is a condition, a change or a doing."""
    first = noun
    while first.dep_ == "conj":
        first = first.head
    above = first.head.head
    if above.tag_ == "CD" and above.dep_ == "pobj":  # "damage to one of the rivers"
        first, above = above, above.head.head
    if first.dep_ != "pobj" or not above.tag_.startswith("NN"):
        return noun
    lower = singular(above.lower_)
    if first.head.lower_ in LOCATIVE and lower not in words("agents"):
        return above
    doing = (
        lower in words("condition")
        or lower in words("relational")
        or lower.endswith(tuple(words("nominal_endings")))
        or kind_of(lower) in _HAPPENING
    )
    if first.head.lower_ in ("on", "about", "over") and kind_of(lower) in _HAPPENING:
        return above
    if first.head.lower_ == "to" and kind_of(lower) in _HAPPENING and kind_of(noun.lower_) in _BYSTANDERS | _THINGS:
        return above
    if first.head.lower_ == "between" and not first.head.is_sent_start:
        return above
    counts = lower in words("partitive") or lower in words("vague")
    return above if first.head.lower_ == "of" and doing and not counts else noun


def _agrees(noun: Token, verb: Token) -> bool:
    """Return whether a finite verb agrees with the noun in number; always so where its form or a coordination does not tell."""
    finite = next((child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.tag_ in ("VBZ", "VBP")), verb)
    joined = noun.dep_ == "conj" or any(child.dep_ == "conj" for child in noun.children)
    if finite.tag_ == "VBZ":
        return joined or noun.tag_ not in ("NNS", "NNPS") or singular(noun.lower_) == noun.lower_
    return finite.tag_ != "VBP" or joined or noun.tag_ in ("NNS", "NNPS") or kind_of(noun.lower_) == "group"


def _stands_by(noun: Token, verb: Token) -> bool:
    """Return whether a comma or "which" parts the verb from people, places and the like, which cause nothing themselves."""
    kind = kind_of(noun.lower_)
    if noun.dep_ == "dobj" and verb.lower_ in ("resulting", "leading", "culminating") and kind in _THINGS | {"substance"}:
        return True
    if noun.dep_ in _SUBJECTS or not (_is_parted(verb) or verb.left_edge.lower_ == "which"):
        return False
    if kind == "group" and not _is_parted(verb):
        return False
    if kind in _THINGS and noun.dep_ == "pobj" and noun.head.lower_ in _ABOUT and noun.head.head.tag_.startswith("VB"):
        return True
    return kind in _BYSTANDERS or (noun.tag_ in ("NNP", "NNPS") and _is_title(noun) and kind not in _HAPPENING)


def _is_title(name: Token) -> bool:
    """Return whether a name is written like one: "Turkey", "Chiang Kai-shek", but not "HIV"."""
    return name.is_title or any(child.is_title for child in name.lefts)


def _is_parted(verb: Token) -> bool:
    """Return whether a comma stands before the verb's phrase."""
    edge = verb.left_edge.i
    return edge > 0 and verb.doc[edge - 1].text == ","


def _above(noun: Token) -> Token | None:
    """Return the noun or the verb that a noun hangs on, through its preposition; `None` for a subject."""
    while noun.dep_ in ("conj", "appos"):
        noun = noun.head
    if noun.dep_ == "pobj":
        return noun.head.head if noun.head.dep_ in ("prep", "agent") else noun.head
    return noun.head if noun.dep_ in ("dobj", "attr", "oprd", "npadvmod") else None


def what_it_says_is(token: Token, matched: frozenset[int]) -> Token:
    """Return the subject of a definition in place of its kind: malaria, in "malaria is a disease caused by parasites".

    Only where the rest of the claim stands inside the description of the kind.
    """
    inside = token.left_edge.i, token.right_edge.i
    if not any(inside[0] <= place <= inside[1] and place != token.i for place in matched):
        return token
    if token.dep_ == "attr" and token.head.lower_ in ("is", "are", "was", "were"):
        subject = next((child for child in token.head.lefts if child.dep_ == "nsubj"), None)
        return token if subject is None or not subject.tag_.startswith("NN") else subject
    if token.dep_ == "pobj" and token.head.lower_ == "as":
        subject = next((child for child in token.head.head.lefts if child.dep_ == "nsubjpass"), None)
        return token if subject is None or not subject.tag_.startswith("NN") else subject
    if (
        token.dep_ == "appos"
        and token.head.tag_.startswith("NN")
        and any(child.lower_ in ("a", "an", "the") for child in token.lefts)
    ):
        return token.head
    return token


def of_object(token: Token) -> Token | None:
    """Return the noun behind "of" after `token`, if there is one."""
    for child in token.rights:
        if child.dep_ == "prep" and child.lower_ == "of":
            return next((noun for noun in child.rights if noun.dep_ in ("pobj", "pcomp")), None)
    return None


def behind_partitive(token: Token) -> Token:
    """Return what "a number of ...", "developing ..." and "the fact that ..." are about, or the token itself.

    In "a growing number of ..." the number stays: it is what rises or falls.
    """
    for _ in range(3):
        behind = None
        if token.lower_ == "number" and any(child.lower_ == "the" for child in token.lefts) and token.dep_ in _SUBJECTS:
            return token
        if token.lower_ in words("counting") and any(child.lower_ in words("changed") for child in token.lefts):
            return token
        if token.lower_ in words("partitive") or _is_bare_effect(token):
            behind = of_object(token)
        elif token.lower_ in words("becoming"):
            behind = next((child for child in token.rights if child.dep_ == "dobj"), None)
        elif token.lower_ == "fact":
            behind = next((child for child in token.rights if child.dep_ == "acl"), None)
        if behind is None:
            return token
        token = behind
    return token


def _is_bare_effect(token: Token) -> bool:
    """Return whether the token is "effect" or "result" without a word that says which: a drug's effect is the drug at work."""
    modified = any(child.dep_ in ("amod", "compound", "nmod") and child.lower_ not in words("quantity") for child in token.lefts)
    return token.lower_ in ("effect", "effects", "result", "results") and not modified


def coordinated(token: Token) -> Iterator[Token]:
    """Yield the token, the conjuncts after it that are of its kind, and what "rather than" and "instead of" set aside.

    A verb with a subject of its own begins another clause.
    """
    yield token
    for child in token.rights:
        if child.dep_ == "cc" and child.lower_ in ("than", "of"):
            yield from (noun for noun in child.rights if noun.dep_ == "pobj" and noun.tag_[:1] == token.tag_[:1])
        apart = child.tag_.startswith("VB") and any(one.dep_ in _SUBJECTS for one in child.children)
        if child.dep_ == "conj" and child.tag_ not in ("CD", "PRP") and not apart and _is_alike(child, token):
            yield from coordinated(child)


def _is_alike(child: Token, token: Token) -> bool:
    """Return whether both are nouns, both are verbs, or one a noun and the other a bare gerund: "smoking and drink"."""
    if child.tag_[:1] == token.tag_[:1]:
        return True
    tags = {child.tag_, token.tag_}
    gerund = child if child.tag_ == "VBG" else token
    return (
        "VBG" in tags
        and bool(tags & {"NN", "NNS"})
        and not any(one.dep_ in (*_SUBJECTS, "dobj", "aux") for one in gerund.children)
    )


def instances(token: Token) -> list[Token]:
    """Return what a vague noun is followed by as its examples: "negative effects, including anxiety and insomnia"."""
    said = words("quantity") | words("judging")
    if any(child.dep_ in ("amod", "compound", "nmod") and child.lower_ not in said for child in token.lefts):
        return []
    for child in token.rights:
        such = child.lower_ == "as" and any(one.lower_ == "such" for one in child.children)
        if child.dep_ == "prep" and (such or child.lower_ == "including"):
            return [one for noun in child.rights if noun.dep_ == "pobj" for one in coordinated(noun)]
    return []


def is_joined(token: Token) -> bool:
    """Return whether a hyphen follows at once: "mosquito-borne" has a noun in front, whatever its tag."""
    return token.i + 1 < len(token.doc) and token.nbor().tag_ == "HYPH" and not token.whitespace_


def is_denied(noun: Token) -> bool:
    """Return whether "no", "few" or "little" stands before the noun."""
    return any(child.lower_ in ("no", "few", "little", "neither") for child in noun.lefts)
