"""From the head of an argument to the phrase a reader would underline, and to the name of its concept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spacy.tokens import Token

from graph.mining.words import words
from graph.normalize import concept_name, singular

MAX_WORDS = 9
MAX_CLAUSE = 12
MAX_CHARACTERS = 90

_LEFT = frozenset({"amod", "compound", "nmod", "nummod", "npadvmod"})
_NO_NAME = '=<>|{}[]#\\"“”—'
_LOCATIVE = frozenset({"in", "at", "near", "within", "during", "around"})
_RIGHT_PREPOSITIONS = frozenset("of to in with between against for on from by at into over among without".split())


@dataclass(frozen=True, slots=True)
class Argument:
    """One end of a claim: the concept's name, the characters that it was read from (end exclusive) and its head, in the singular.

    The head of a clause is that of its subject: the dam, in "the dam broke".
    """

    name: str
    start: int
    end: int
    head: str


def arguments(head: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> list[Argument]:
    """Return the concepts that the phrase headed by `head` names: several where it is coordinated, none where it is vague.

    A phrase does not reach over the tokens `matched`, by index: they are the other parts of the claim. `lemma` gives the base
    form of a verb; it is asked for clauses only ("because the dam broke": "dam break").
    """
    token = _antecedent(head)
    if token is None:
        return []
    token = _what_it_says_is(token, matched)
    found = []
    for one in _coordinated(_behind_partitive(token)):
        one = _behind_partitive(one)
        argument = _clause(one, lemma, matched) if _is_clause(one) else _phrase(one, matched)
        if argument is not None and argument not in found:
            found.append(argument)
    return found


def is_agent(head: Token) -> bool:
    """Return whether the phrase names people or a body that acts, or is a proper name in title case ("Turkey", not "HIV").

    The first word of a sentence is always in title case: it counts as a name unless it ends like a thing ("Penicillin").
    """
    token = _antecedent(head) or head
    if token.lower_ in words("agents") or singular(token.lower_) in words("agents"):
        return True
    if token.tag_ not in ("NNP", "NNPS") or not token.is_title:
        return False
    return token.i > 0 or not token.lower_.endswith(tuple(words("thing_endings")))


def _antecedent(token: Token) -> Token | None:
    """Return the noun that a relative pronoun stands for, the token itself for others, `None` for a pronoun."""
    if token.tag_ in ("WDT", "WP") or (token.lower_ == "that" and token.tag_ in ("IN", "DT")):
        verb = token.head
        while verb.dep_ == "conj":
            verb = verb.head
        if verb.dep_ != "relcl":
            return None
        return held(verb.head) if verb.head.tag_.startswith("NN") else None
    if token.tag_ in ("PRP", "PRP$", "DT", "EX", "WP$", "WRB", "CD", "RB", "PDT", "JJ", "JJR", "JJS") and not _is_joined(token):
        return token if token.lower_ in words("partitive") and _of_object(token) is not None else None
    return token


def _what_it_says_is(token: Token, matched: frozenset[int]) -> Token:
    """Return the subject of a definition in place of its kind: malaria, in "malaria is a disease caused by parasites".

    Only where the rest of the claim stands inside the description of the kind.
    """
    inside = token.left_edge.i, token.right_edge.i
    if not any(inside[0] <= place <= inside[1] and place != token.i for place in matched):
        return token
    if token.dep_ == "attr" and token.head.lower_ in ("is", "are", "was", "were"):
        subject = next((child for child in token.head.lefts if child.dep_ == "nsubj"), None)
        return token if subject is None or not subject.tag_.startswith("NN") else subject
    if token.dep_ == "appos" and token.head.tag_.startswith("NN") and any(child.lower_ in ("a", "an") for child in token.lefts):
        return token.head
    return token


def _of_object(token: Token) -> Token | None:
    """Return the noun behind "of" after `token`, if there is one."""
    for child in token.rights:
        if child.dep_ == "prep" and child.lower_ == "of":
            return next((noun for noun in child.rights if noun.dep_ == "pobj"), None)
    return None


def _behind_partitive(token: Token) -> Token:
    """Return what "a number of ..." and "developing ..." and the like are about, or the token itself."""
    for _ in range(3):
        behind = None
        if token.lower_ in words("partitive"):
            behind = _of_object(token)
        elif token.lower_ in words("becoming"):
            behind = next((child for child in token.rights if child.dep_ == "dobj"), None)
        if behind is None:
            return token
        token = behind
    return token


def _coordinated(token: Token) -> Iterator[Token]:
    """Yield the token and the conjuncts after it that are of its kind (nouns with nouns, verbs with verbs)."""
    yield token
    for child in token.rights:
        if child.dep_ == "conj" and child.tag_[:1] == token.tag_[:1] and child.tag_ not in ("CD", "PRP"):
            yield from _coordinated(child)


def _is_clause(token: Token) -> bool:
    """Return whether the token is a verb with a subject of its own, rather than the head of a noun phrase."""
    return token.tag_.startswith("VB") and any(child.dep_ in ("nsubj", "nsubjpass", "expl", "csubj") for child in token.children)


def _phrase(head: Token, matched: frozenset[int]) -> Argument | None:
    """Return the noun phrase (or gerund phrase) of `head` with its restricting modifiers."""
    if head.tag_.startswith("VB") and head.tag_ not in ("VBG", "VBN"):
        return None
    if head.tag_ == "VBN" or not (head.tag_.startswith(("NN", "VBG")) or head.tag_ in ("FW", "XX") or _is_joined(head)):
        return None
    if head.lower_ in words("vague") and not _is_modified(head):
        return None
    if singular(head.lower_) in words("measure"):
        return None
    first = _left_edge(head, matched)
    if head.i - first.i >= MAX_WORDS:
        first = head
    last = [edge for edge in _right_edges(head, matched) if edge.i - first.i < MAX_WORDS][-1]
    if last is head and singular(head.lower_) in words("empty") and not _is_specified(head):
        return None
    return _argument(head, first.i, last.i)


def _is_specified(head: Token) -> bool:
    """Return whether a noun in front says of what: "population growth", but not "rapid growth"."""
    return any(child.dep_ in ("compound", "nmod", "npadvmod") for child in head.lefts)


def held(noun: Token) -> Token:
    """Return what a phrase behind `noun` is about: the inflammation, in "inflammation in the stomach caused by ...".

    It is about the noun above where `noun` says only where, or of what something is a condition, a change or a doing.
    """
    first = noun
    while first.dep_ == "conj":
        first = first.head
    above = first.head.head
    if first.dep_ != "pobj" or not above.tag_.startswith("NN"):
        return noun
    if first.head.lower_ in _LOCATIVE and singular(above.lower_) not in words("agents"):
        return above
    lower = singular(above.lower_)
    doing = lower in words("condition") or lower in words("relational") or lower.endswith(tuple(words("nominal_endings")))
    return above if first.head.lower_ == "of" and doing else noun


def _is_joined(token: Token) -> bool:
    """Return whether a hyphen follows at once: "mosquito-borne" has a noun in front, whatever its tag."""
    return token.i + 1 < len(token.doc) and token.nbor().tag_ == "HYPH" and not token.whitespace_


def _is_modified(head: Token) -> bool:
    """Return whether a modifier says which: "genetic factor", but not "several factors"."""
    return any(
        (child.dep_ in ("amod", "compound", "nmod", "npadvmod") and child.lower_ not in words("quantity"))
        or (child.dep_ == "prep" and child.lower_ == "of")
        for child in head.children
    )


def _left_edge(head: Token, matched: frozenset[int]) -> Token:
    """Return the first token of the phrase before `head`, determiners, possessives and quantities left out."""
    edge = head
    for child in reversed(list(head.lefts)):
        hyphen = child.dep_ == "punct" and child.text == "-"
        if child.right_edge.i != edge.i - 1 or not (hyphen or child.dep_ in _LEFT) or child.lower_ in words("quantity"):
            break
        if any(child.left_edge.i <= place <= child.right_edge.i for place in matched):
            break
        edge = child.left_edge
    return edge


def _right_edges(head: Token, matched: frozenset[int]) -> list[Token]:
    """Return the tokens where the phrase may end, nearest first: each adds one more phrase that restricts the head.

    These are prepositional phrases, the objects of a gerund, and what "to" introduces behind a noun that needs it ("failure").
    """
    edges = [head]
    gerund = head.tag_ == "VBG"
    for child in head.rights:
        if child.left_edge.i != edges[-1].i + 1 or child.i in matched:
            break
        if gerund and child.dep_ == "prt":
            edges.append(child)
        elif child.dep_ == "dobj" and gerund:
            edges.extend(_right_edges(child, matched))
        elif child.dep_ == "prep" and child.lower_ in _RIGHT_PREPOSITIONS:
            noun = next((one for one in child.rights if one.dep_ in ("pobj", "pcomp")), None)
            if noun is None or noun.i in matched or noun.tag_ in ("PRP", "DT", "WDT", "CD"):
                break
            edges.extend(_right_edges(noun, matched))
        elif child.dep_ == "acl" and child.tag_ == "VB" and singular(head.lower_) in words("relational"):
            edges.append(child)
            edges.extend(edge for one in child.rights if one.dep_ == "dobj" for edge in _right_edges(one, matched))
        else:
            break
    return edges


def _clause(verb: Token, lemma: Callable[[Token], str], matched: frozenset[int]) -> Argument | None:
    """Return a clause as a concept: its subject, its verb, and its object if it has one; none if its subject is a pronoun."""
    subject = next((child for child in verb.lefts if child.dep_ in ("nsubj", "nsubjpass")), None)
    if any(child.dep_ == "neg" for child in verb.children):
        return None
    if subject is None:
        there = any(child.dep_ == "expl" for child in verb.children)
        attribute = next((child for child in verb.rights if child.dep_ == "attr"), None)
        return _phrase(attribute, matched) if there and attribute is not None and not _is_denied(attribute) else None
    subject = _behind_partitive(subject)
    noun = _phrase(subject, matched)
    if noun is None:
        return None
    if verb.lower_ in words("light"):
        return None if any(_completes(child, matched) for child in verb.rights) else noun
    if any(child.dep_ in ("xcomp", "ccomp") for child in verb.rights):
        return None
    if any(child.lower_ == "only" for child in verb.children) or _is_denied(subject):
        return None
    passive = any(child.dep_ in ("nsubjpass", "auxpass") for child in verb.children)
    parts, end = [noun.name, verb.lower_ if passive else lemma(verb)], verb.idx + len(verb)
    for child in verb.rights:
        added = _complement(child, matched)
        if added is None:
            return None
        if added:
            parts.append(added[0])
            end = added[1]
    name = " ".join(parts)
    if len(name.split()) > MAX_CLAUSE or len(name) > MAX_CHARACTERS:
        return None
    return Argument(name, noun.start, end, noun.head)


def _complement(child: Token, matched: frozenset[int]) -> tuple[str, int] | tuple[()] | None:
    """Return the words that a child adds to its verb and where they end: a particle, an object, a predicate, a first "to ...".

    Empty for a child that adds nothing, `None` for one that is needed but has no name.
    """
    if child.dep_ == "prt" or (child.dep_ == "acomp" and child.i not in matched):
        return child.lower_, child.idx + len(child)
    thing: Token | None = None
    before = ""
    if child.dep_ in ("dobj", "attr", "oprd") and child.i not in matched:
        thing = child
    elif child.dep_ == "prep" and child.i == child.head.i + 1 and child.i not in matched and child.lower_ not in _LOCATIVE:
        thing = next((one for one in child.rights if one.dep_ == "pobj" and one.i not in matched), None)
        before = f"{child.lower_} "
        if thing is None:
            return None
    if thing is None:
        return ()
    if thing.tag_.startswith("JJ"):
        return before + thing.lower_, thing.idx + len(thing)
    named = None if _is_denied(thing) else _phrase(thing, matched)
    return None if named is None else (before + named.name, named.end)


def _is_denied(noun: Token) -> bool:
    """Return whether "no", "few" or "little" stands before the noun."""
    return any(child.lower_ in ("no", "few", "little", "neither") for child in noun.lefts)


def _completes(child: Token, matched: frozenset[int]) -> bool:
    """Return whether a light verb says more with this child than that its subject came about."""
    if child.dep_ in ("acomp", "attr", "dobj", "xcomp", "ccomp"):
        return child.i not in matched and child.lower_ != "place"
    return child.dep_ == "prep" and child.head.lower_ in ("is", "are", "was", "were") and child.i not in matched


def _argument(head: Token, first: int, last: int) -> Argument | None:
    """Return the argument from token `first` to token `last`, or none where its name would be empty or absurdly long."""
    span = head.doc[first : last + 1]
    name = concept_name(span.text)
    letters = sum(character.isalpha() for character in name)
    if letters < 2 or len(name) > MAX_CHARACTERS or name in words("vague") or any(sign in name for sign in _NO_NAME):
        return None
    return Argument(name, span.start_char, span.end_char, singular(head.lower_))
