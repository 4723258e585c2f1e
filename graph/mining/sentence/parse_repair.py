"""Repairs of parses that take the end of a clause for the beginning of the next one (garden paths).

"The claim that vaccines cause autism is false": the parser reads "autism is false" as what is caused, so that the sentence is
left without a verb. "Neither smoking nor drinking causes acne": it reads "smoking" as a clause of its own. Where the root shows
the error, the arcs are put right.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from graph.mining.sentence.head_words import first_labelled, has_label

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_OPENERS = frozenset({"that", "whether"})
_MAY_NEED_REPAIR = re.compile(r"\b(?:that|whether|nor|and|or)\b", re.IGNORECASE)
_SUBJECTS = ("nsubj", "nsubjpass")

Arcs = dict[int, tuple[int, str]]  # the new head and label of tokens, by index


def repair_parse(doc: Doc) -> None:
    """Correct the arcs of a parsed sentence where its root cannot be one."""
    if _MAY_NEED_REPAIR.search(doc.text) is None:
        return
    for root in [token for token in doc if token.dep_ == "ROOT"]:
        arcs = _content_clause_arcs(root) or _coordinated_subject_arcs(root)
        if arcs:
            _set_arcs(doc, arcs)


def _content_clause_arcs(root: Token) -> Arcs:
    """Return the arcs of a clause that is the subject, or the content of the subject: "that vaccines cause autism is false"."""
    noun = root if root.tag_.startswith("NN") else None
    clause = root if noun is None else first_labelled(root.rights, "acl", "relcl")
    if clause is None or not clause.tag_.startswith("VB") or has_label(clause.rights, "dobj"):
        return {}
    opener = clause.left_edge
    predicate = first_labelled(clause.rights, "ccomp")
    thing = None if predicate is None else first_labelled(predicate.lefts, *_SUBJECTS)
    if opener.lower_ not in _OPENERS or predicate is None or thing is None or thing.left_edge.i != clause.i + 1:
        return {}
    passive = "pass" if thing.dep_ == "nsubjpass" else ""
    arcs = {predicate.i: (predicate.i, "ROOT"), thing.i: (clause.i, "dobj")}
    if noun is None:
        arcs |= {clause.i: (predicate.i, f"csubj{passive}")}
    else:
        arcs |= {noun.i: (predicate.i, f"nsubj{passive}"), clause.i: (noun.i, "acl" if opener.dep_ not in _SUBJECTS else "relcl")}
    if opener.dep_ not in _SUBJECTS:  # "drugs that cause nausea are" have a relative clause
        arcs |= {opener.i: (clause.i, "mark")}
    return arcs | {token.i: (predicate.i, token.dep_) for token in root.rights if token.i > predicate.i}


def _coordinated_subject_arcs(root: Token) -> Arcs:
    """Return the arcs of a gerund that is the first of two subjects: "neither smoking nor drinking causes acne"."""
    verb = first_labelled(root.rights, "conj")
    joint = first_labelled(root.rights, "cc")
    if root.tag_ not in ("VBG", "NN") or verb is None or joint is None or verb.tag_ not in ("VBZ", "VBP", "VBD"):
        return {}
    subject = first_labelled(verb.lefts, *_SUBJECTS)
    own = has_label(root.children, *_SUBJECTS, "aux", "auxpass", "dobj", "attr", "acomp", "ccomp")
    if own or subject is None or subject.left_edge.i != joint.i + 1:
        return {}
    arcs = {verb.i: (verb.i, "ROOT"), root.i: (verb.i, subject.dep_), subject.i: (root.i, "conj")}
    return arcs | {token.i: (verb.i, token.dep_) for token in root.rights if token.i > verb.i}


def _set_arcs(doc: Doc, arcs: Arcs) -> None:
    """Give tokens new heads and labels."""
    table = doc.to_array(["HEAD", "DEP"])
    for place, (head, label) in arcs.items():
        table[place] = (head - place) % 2**64, doc.vocab.strings.add(label)
    doc.from_array(["HEAD", "DEP"], cast("Any", table))
