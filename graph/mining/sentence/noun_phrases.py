"""From the head of a noun phrase to the phrase that a reader would underline, and to the name of its concept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import first_labelled, has_label, is_agent, is_hyphenated
from graph.text.normalise import concept_name, singular
from graph.text.stop_words import PREPOSITIONS
from graph.text.word_lists import kind_of_noun, word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_PHRASE_WORDS = 10
MAX_BETWEEN_WORDS = 14
MAX_ARGUMENT_CHARACTERS = 90

_SPECIFIERS = ("compound", "nmod", "npadvmod")
_LEFT_MODIFIERS = frozenset({"amod", "nummod", *_SPECIFIERS})
_NO_NAME = '=<>|{}[]#\\"“”—'
_JOINING_NOUNS = frozenset({"combination", "mixture", "mix", "interaction", "union", "balance"})
_DATED = frozenset("ad bc ce bce century centuries decade decades year years day days month months".split())
_DESIGNATED = frozenset({"vitamin", "hepatitis", "type", "section", "article", "phase", "stage", "influenza"})
_DESIGNATION = re.compile(r"[A-Z]\d*|\d+[a-z]?")
_FOOTNOTE = re.compile(r"\.?:\d[\d–-]*")
_BRACKETS = re.compile(r"\([^()]*\)")
_PRONOUNS = frozenset({"PRP", "DT", "WDT", "WP", "EX"})
_SHORT = 5
_INTO = frozenset({"to", "in", "of", "from"})
_CONCRETE = frozenset({"animal", "person", "artifact", "body", "group", "location", "object", "plant"})

_POSSESSIVES = frozenset("its his her their my".split())
_DEMONSTRATIVES = frozenset("this these that those such".split())
_PARTICULAR_KINDS = frozenset(
    "act communication group cognition attribute event possession location person relation time quantity".split()
)
"""The kinds of nouns of which "the" means a particular one: "the attack", but not "the brain", "the sun", "the transistor"."""


@dataclass(frozen=True, slots=True)
class ClaimArgument:
    """One end of a claim: the concept's name, its character span (end exclusive) and its head, in the singular.

    The head of a clause is that of its subject: the dam, in "the dam broke". `points_back` says that only the text before tells
    what it means: "its effects", "the attack"; `is_act` that the name adds what is done to it: "damage to retina".
    """

    name: str
    start: int
    end: int
    head: str
    points_back: bool = False
    is_act: bool = False


def noun_phrase(head: Token, matched: frozenset[int], shared: Token | None = None) -> ClaimArgument | None:
    """Return the noun or gerund phrase of `head` with its restricting modifiers, without the tokens `matched`, by index.

    `shared` is a preposition of a later conjunct that belongs to this one too: "of caves" in "formation and growth of caves".
    """
    is_nominal = head.tag_.startswith(("NN", "VBG")) or head.tag_ in ("FW", "XX") or is_hyphenated(head)
    if not is_nominal or (head.tag_.startswith("VB") and head.tag_ != "VBG"):
        return None
    if head.lower_ in word_list("vague") and not _is_modified(head):
        return None
    if singular(head.lower_) in word_list("measure") or head.text in ("March", "May", "August"):
        return None
    clauses = (child for child in head.rights if child.dep_ == "acl")
    if any(marker.dep_ == "mark" and marker.lower_ == "that" for clause in clauses for marker in clause.lefts):
        return None  # "the misconception that spiders bite"
    first = _left_edge(head, matched)
    if head.i - first.i >= MAX_PHRASE_WORDS:
        first = head
    edges = _right_edges(head, matched)
    last = [edge for edge in edges if edge.i - first.i < MAX_PHRASE_WORDS][-1]
    between = any(child.i == last.i + 1 and child.lower_ == "between" for child in last.rights)
    if between and edges[-1].i - first.i < MAX_BETWEEN_WORDS:
        last = edges[-1]
    if _lacks_predicate(head, last, matched):
        return None
    needed = (child for child in head.rights if child.dep_ in ("dobj", "ccomp", "xcomp", "dative", "prt"))
    if head.tag_ == "VBG" and any(child.i > last.i or child.tag_ in _PRONOUNS for child in needed):
        return None  # "getting", in "getting them interested"
    if last is head and shared is not None:
        ends = [edge for edge in _right_edges(head, matched, shared)[1:] if edge.i - shared.i < MAX_PHRASE_WORDS]
        if ends:
            return _argument_of_tokens(head, first.i, head.i, matched, head.doc[shared.i : ends[-1].i + 1].text)
    if last is head and singular(head.lower_) in word_list("empty") and not has_label(head.lefts, *_SPECIFIERS):
        return None  # "growth", but not "population growth"
    return _argument_of_tokens(head, first.i, last.i, matched)


def _argument_of_tokens(head: Token, first: int, last: int, matched: frozenset[int], more: str = "") -> ClaimArgument | None:
    """Return the argument from token `first` to `last` and `more` words; `None` if its name is empty, vague or too long."""
    doc = head.doc
    while first > 1 and first - 2 not in matched and _is_joining_hyphen(doc, first - 1):
        first -= 2  # "re-opened" is one word
    while last + 2 < len(doc) and last + 2 not in matched and _is_joining_hyphen(doc, last + 1):
        last += 2
    if last + 1 < len(doc) and last + 1 not in matched and _is_designation(doc[last], doc[last + 1]):
        last += 1
    span = doc[first : last + 1]
    name = concept_name(f"{_FOOTNOTE.sub('', _BRACKETS.sub(' ', span.text))} {more}")
    if sum(character.isalpha() for character in name) < 2 or name[0] in "%$€£" or any(sign in name for sign in _NO_NAME):
        return None
    if len(name) > MAX_ARGUMENT_CHARACTERS or name in word_list("vague"):
        return None
    return ClaimArgument(name, span.start_char, span.end_char, singular(head.lower_))


def _is_designation(noun: Token, mark: Token) -> bool:
    """Return whether a letter or number behind a noun is part of its name: "vitamin C", "chromosome 22"."""
    numbers = mark.dep_ == "nummod" and mark.head == noun and mark.text.isdigit() and len(mark) < _SHORT - 1
    return numbers or (noun.lower_ in _DESIGNATED and _DESIGNATION.fullmatch(mark.text) is not None)


def _is_joining_hyphen(doc: Doc, place: int) -> bool:
    return doc[place].text in "-–‐‑" and not doc[place - 1].whitespace_ and not doc[place].whitespace_


def _is_modified(head: Token) -> bool:
    """Return whether a modifier specifies it: "genetic factor", but not "several factors"."""
    return any(
        (child.dep_ in ("amod", *_SPECIFIERS) and child.lower_ not in word_list("quantity"))
        or (child.dep_ == "prep" and child.lower_ == "of")
        for child in head.children
    )


def points_back(head: Token, name: str, matched: frozenset[int]) -> bool:
    """Return whether a name of `head` is only clear from the text before: "its effects", "the attack", but not "the sun"."""
    if any(child.lower_ in _POSSESSIVES for child in head.lefts):
        return True
    determiner = first_labelled(head.lefts, "det")
    if determiner is not None and determiner.lower_ in ("this", "such") and not has_label(head.rights, "prep"):
        return True
    if determiner is None or " " in name or head.tag_.startswith("NNP") or any(child.i in matched for child in head.children):
        return False
    is_particular = determiner.lower_ == "the" and kind_of_noun(singular(head.lower_)) in _PARTICULAR_KINDS
    return is_particular or determiner.lower_ in _DEMONSTRATIVES


def _lacks_predicate(head: Token, last: Token, matched: frozenset[int]) -> bool:
    """Return whether the phrase has a subject but its predicate is cut off: "led to members being arrested"."""
    behind = head.doc[head.i + 1] if head.i + 1 < len(head.doc) else head
    doing = next((child for child in head.rights if child.dep_ == "acl" and child.tag_ == "VBG"), None)
    doing = behind if doing is None and behind.tag_ == "VBG" and head.dep_ == "pobj" else doing
    if doing is None or doing.i in matched or last.i >= doing.i:
        return False
    if any(child.lower_ == "being" for child in (doing, *doing.lefts)):
        return True
    if head.dep_ == "pobj" and head.head.lower_ in _INTO:
        return kind_of_noun(head.lower_) in _CONCRETE or is_agent(head)
    return head.dep_ in ("pobj", "dobj", "conj") and is_agent(head)


def _left_edge(head: Token, matched: frozenset[int]) -> Token:
    """Return the first token of the phrase before `head`, determiners, possessives and quantities left out."""
    edge = head
    remark = False
    for child in reversed(list(head.lefts)):
        if remark or child.text == ")":
            remark = child.left_edge.text != "("
            continue
        if child.lower_ in ("little", "small") and child.i > 0 and child.nbor(-1).lower_ == "no":
            break  # "no little pain"
        hyphen = child.dep_ == "punct" and child.text in "-–"
        owner = child.dep_ == "poss" and child.tag_.startswith("NN") and child.right_edge.i - child.left_edge.i < _SHORT
        if not (hyphen or owner or child.dep_ in _LEFT_MODIFIERS) or _only_counts(child):
            break
        if child.dep_ == "nummod" and any(token.lower_ in ("than", "least", "about", "over") for token in child.subtree):
            break
        if any(child.left_edge.i <= place <= child.right_edge.i for place in matched):
            break
        edge = child.left_edge
    return edge


def _only_counts(modifier: Token) -> bool:
    """Return whether a modifier says how many or which, and is no part of a proper name as in "First World War"."""
    in_name = modifier.is_title and modifier.i > 0 and modifier.head.tag_.startswith("NNP")
    return modifier.lower_ in word_list("quantity") and not in_name


def _right_edges(head: Token, matched: frozenset[int], only: Token | None = None) -> list[Token]:
    """Return the tokens where the phrase may end, nearest first: each adds one more phrase that restricts the head.

    These are prepositional phrases (with `only`, that one alone), the objects of a gerund, short participles, and what "to"
    introduces behind a noun that needs it ("failure").
    """
    edges = [head]
    gerund = head.tag_ == "VBG"
    for child in head.rights if only is None else (only,):
        if only is None and (child.left_edge.i != edges[-1].i + 1 or child.i in matched):
            break
        if gerund and child.dep_ == "prt":
            edges.append(child)
        elif child.dep_ == "dobj" and gerund:
            edges.extend(_right_edges(child, matched))
        elif child.dep_ == "prep" and child.lower_ in PREPOSITIONS["noun phrases"]:
            noun = first_labelled(child.rights, "pobj", "pcomp")
            such = child.lower_ == "as" and any(token.lower_ == "such" for token in child.lefts)
            clause = noun is not None and noun.tag_.startswith("VB") and noun.tag_ != "VBG"
            if such or noun is None or clause or noun.i in matched or noun.tag_ in ("PRP", "DT", "WDT", "CD"):
                break
            if noun.lower_ in _DATED and child.lower_ in ("in", "at", "on", "by", "from", "to"):
                break
            behind = _last_of_pair(noun) if child.lower_ == "between" else noun
            if child.lower_ == "of" and head.lower_ in _JOINING_NOUNS:
                behind = _last_of_pair(noun) or noun
            if behind is None:
                break
            edges.extend(_right_edges(behind, matched))
        elif child.dep_ == "acl" and _is_short_participle(child, head, matched):
            edges.append(child.right_edge)
        elif child.dep_ == "acl" and child.tag_ == "VB" and singular(head.lower_) in word_list("relational"):
            things = [token for token in child.rights if token.dep_ == "dobj"]
            edges.extend([edge for token in things for edge in _right_edges(token, matched)] or [child])
        else:
            break
    return edges


def _last_of_pair(noun: Token) -> Token | None:
    """Return the last of the nouns behind "between", or a single one in the plural; `None` without one."""
    last = noun
    while (conjunct := first_labelled(last.rights, "conj")) is not None:
        last = conjunct
    return last if last is not noun or noun.tag_ in ("NNS", "NNPS") else None


def _is_short_participle(participle: Token, head: Token, matched: frozenset[int]) -> bool:
    """Return whether a participle behind a noun is short enough to be part of its name: "water containing bacteria"."""
    inside = list(participle.subtree)
    if participle.tag_ not in ("VBG", "VBN") or inside[0].i != head.i + 1 or len(inside) > _SHORT:
        return False
    return not any(token.i in matched or token.tag_ in _PRONOUNS or token.is_punct or token.dep_ == "conj" for token in inside)
