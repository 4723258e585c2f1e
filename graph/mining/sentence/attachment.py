"""Checks of a match against its context in the sentence, and corrections of the attachment of its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.mining.rules.rule_tables import Rule
from graph.mining.sentence.claim_arguments import carried_infinitive
from graph.mining.sentence.head_words import LOCATIVE_PREPOSITIONS, attachment_noun, has_label, is_denied_noun
from graph.text.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

_WHEN_AND_WHERE = LOCATIVE_PREPOSITIONS | {"after", "before", "since", "until", "on", "throughout", "by"}
_MOTIVES = frozenset({"motivation", "motive", "idea", "plan", "intention", "goal", "aim"})
_FINITE = frozenset({"VBD", "VBZ", "VBP"})


def resolve_attachment(rule: Rule, nodes: dict[str, Token]) -> dict[str, Token] | None:
    """Return the nodes of a match with their subject and object corrected; `None` if there is none.

    The word before a participle ("inflammation in the stomach causing ...") or a connective ("due to") may be only the nearest
    noun; a participle that continues a sentence ("fell, exposing ... and causing ...") is about the whole clause.
    """
    cue = nodes["cue"]
    subject, target = nodes["subject"], nodes.get("object", cue)
    if cue.dep_ == "acl" or rule.connective:
        participle = cue if cue.dep_ == "acl" else None
        about: list[Token] = []
        for token in (subject, target):
            attached = token == cue.head or (cue.dep_ == "pobj" and not cue.is_ancestor(token))
            noun = attachment_noun(token, participle) if attached else token
            if noun is None:
                return None
            about.append(noun)
        subject, target = about
    if rule.connective:
        target = _clause_of_connective(target, cue)
    if cue.tag_ == "VBG" and cue.dep_ == "ccomp" and subject.head == cue and cue.head.tag_.startswith("VB"):
        subject = cue.head  # "reduces recoil allowing ...": the parser takes the object for the subject of what follows
    if "first" in nodes and cue.tag_ == "VBG" and nodes["first"].tag_ in _FINITE and subject.dep_ in ("nsubj", "nsubjpass"):
        subject = nodes["first"]
    return {**nodes, "subject": subject, **({"object": target} if "object" in nodes else {})}


def _clause_of_connective(target: Token, cue: Token) -> Token:
    """Return the verb of the clause that a connective modifies, if the parser attaches it to another word.

    That is a noun before a comma (", mainly due to ..."), a noun of time or place ("after the season due to ..."), or a clause
    before the main one ("Although it rained, due to ..., the game ...").
    """
    if target.tag_.startswith("VB"):
        target = target.head if carried_infinitive(target.head) == target else target
        nearer = next((child for child in target.lefts if child.dep_ == "ccomp" and child.tag_ in _FINITE), None)
        if nearer is not None and (cue.i < nearer.i or (nearer.i < cue.i < target.i and not _comma_before(cue))):
            return nearer
        main = target.head
        parted = target.i < cue.i < main.i and target.dep_ == "advcl" and _comma_before(cue)
        return main if parted and main.tag_.startswith("VB") else target
    if not target.tag_.startswith("NN") or target.dep_ in ("nsubj", "nsubjpass"):
        return target
    preposition = target.head
    if preposition.dep_ == "prep" and preposition.lower_ in _WHEN_AND_WHERE and preposition.head.tag_.startswith("VB"):
        return preposition.head if target.i < cue.i else target
    if not _comma_before(cue, target.i):
        return target
    above = target.head
    while above.dep_ != "ROOT" and not above.tag_.startswith("VB"):
        above = above.head
    return above if above.tag_.startswith("VB") else target


def _comma_before(cue: Token, after: int = -1) -> bool:
    return any(token.text == "," and token.i > after for token in cue.doc[max(0, cue.i - 3) : cue.i])


def is_valid_match(rule: Rule, nodes: dict[str, Token]) -> bool:
    """Return whether a match is valid in its context.

    A coordinated verb with a subject of its own does not share that of the first verb; a `bare` cue has no direct object; the
    first "to" introduces the effect; an apposition has an article, or it is one more item of a list.
    """
    cue, target, preposition = nodes["cue"], nodes.get("object"), nodes.get("p")
    if "first" in nodes and has_label(cue.children, "nsubj", "nsubjpass"):
        return False
    aimed = cue.tag_ == "VB" and cue.dep_ == "xcomp" and nodes["subject"].lower_ in _MOTIVES  # "the motive was to prevent"
    if aimed or (rule.bare and has_label(cue.children, "dobj")):
        return False
    if preposition is not None:
        earlier = [child for child in preposition.head.rights if child.dep_ == "prep" and child.i < preposition.i]
        is_repeated = preposition.lower_ in [child.lower_ for child in earlier]
        if is_repeated or (preposition.i < cue.i and cue.tag_.startswith("VB")):
            return False
    if cue.dep_ == "appos" and not has_label(cue.lefts, "det"):
        return False
    if target is None:
        return cue.head.lower_ not in word_list("withstanding")
    if rule.hyphen and not _is_compound(nodes["subject"], cue):
        return False
    if any(child.dep_ == "xcomp" and child.i > target.i and child != nodes["subject"] for child in cue.children):
        return False
    behind = [right for head in (target, cue) for right in head.rights if right.i > target.i and right != cue]
    if target.dep_ == "dobj" and any(child.tag_ == "TO" for right in behind for child in right.lefts):
        return False  # "enabled the church to grow"
    if target.dep_ == "pobj" and target.head.lower_ == "for" and target.i + 2 < len(cue.doc) and target.nbor().tag_ == "TO":
        return False  # "required for a cell to become an erythrocyte": not the cell, but what it does
    return not rule.connective or _is_connected(cue, target)


def _is_compound(cause: Token, cue: Token) -> bool:
    """Return whether a hyphen joins the cause to the cue ("smoking-induced"), and no "non" comes before it."""
    before = [token.lower_ for token in cue.doc[max(0, cause.i - 2) : cause.i]]
    return cause.i == cue.i - 2 and cue.nbor(-1).text in "-‐‑" and before != ["non", "-"]


def _is_connected(cue: Token, target: Token) -> bool:
    """Return whether "due to" and the like are attached to a clause or noun that they can modify, not to a participle phrase."""
    is_participle_phrase = target.tag_ in ("VBG", "VB") and target.dep_ in ("acl", "advcl", "pcomp", "xcomp", "prep")
    if is_participle_phrase and carried_infinitive(target.head) != target:
        return False
    above = target
    while above.tag_.startswith("NN") and above.dep_ != "ROOT":
        above = above.head
    if target.dep_ in ("dobj", "pobj", "conj") and has_label(above.children, "neg"):
        return False
    if is_denied_noun(target) or (target.tag_.startswith("NN") and target.i > cue.i):
        return False
    # "a credit which was never paid, due to war"
    clauses = [token for token in cue.doc[target.i + 1 : cue.i] if token.dep_ == "relcl" and token.right_edge.i >= cue.i - 3]
    if clauses and target.tag_.startswith("VB") and _comma_before(cue):
        return False
    first = cue if cue.dep_ != "pobj" else cue.head
    if first.i > target.i or first.i == 0:
        return True
    before = cue.doc[first.i - 1]
    return before.is_punct or before.tag_ in ("CC", "RB", "IN")
