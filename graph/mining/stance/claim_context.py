"""The context of a claim in its sentence: population, place, time, dose, condition, speaker and capability.

Phrases count if they modify words of the claim's own clause (the cue, its raising verbs and conjuncts, the heads of the
arguments) and are not part of an argument. The pipeline has no recogniser of names: the slot of a phrase follows from its
preposition and the kind of its noun, in WordNet, in a list of names of places, or in the word lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import first_labelled, has_label
from graph.mining.stance.cue_scope import ScopeLevel, is_content_noun, own_clause_levels, scope_levels
from graph.mining.stance.modality import capability_words
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun, place_names, word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

MAX_SLOT_WORDS = 9  # the most words of a phrase, and of a speaker's name; clauses may have half as many more

_YEAR = re.compile(r"(?:1\d|20)\d\d(?:s|[-–/]\d+)?|\d{1,2}(?:st|nd|rd|th)")
_INSIDE = frozenset({"in", "across", "throughout", "within"})
_NEAR = frozenset({"at", "near", "around", "along", "off", "over"})
_AMONG = frozenset({"in", "among", "amongst"})
_WHILE = frozenset({"in", "during", "throughout", "since", "until", "by", "on", "at", "between", "within"})
_WHEN = frozenset({"if", "when", "whenever", "unless", "once", "provided", "until"})
_NAMES = ("NNP", "NNPS")
_PHRASE_BREAKS = frozenset({"case", "relcl", "appos", "acl", "punct", "advcl", "conj", "cc"})
_SILENT_KINDS = frozenset({"attribute", "motive", "quantity", "relation", "shape", "state", "time"})
_SPEECH_LISTS = ("reporting", "finding", "hedging", "doubting")


def context_slots(cue: Token, nodes: Iterable[Token], ends: Sequence[Span]) -> tuple[tuple[str, str], ...]:
    """Return the `(slot, words)` of a claim, in the order of the slots and then of the sentence.

    `nodes` are the tokens of the match; `ends` are the phrases of its cause and effect, which no slot overlaps. A dose
    modifies verbs only: "birds are seen in great quantities because of" has no dose.
    """
    levels = scope_levels(cue)
    inside = {token.i for token in nodes} | {token.i for end in ends for token in end}
    clause = [level.token for level in own_clause_levels(levels) if not level.takes or level.below.dep_ == "xcomp"]
    anchors = dict.fromkeys([*clause, *(token for token in nodes if not token.tag_.startswith("W"))])
    words_by_slot = {
        (slot, span.start): _one_line(span)
        for anchor in anchors
        for child in anchor.children
        for slot, span in _slots_of_phrase(child)
        if inside.isdisjoint(token.i for token in span) and (slot != "dose" or cue.tag_.startswith("VB"))
    }
    pairs = [(slot, text) for (slot, _), text in sorted(words_by_slot.items())]
    pairs += [("attribution", _one_line(span)) for span in _speaker_names(levels)]
    if capability := capability_words(levels):
        pairs.append(("capability", capability))
    return tuple(sorted(dict.fromkeys(pairs), key=lambda pair: pair[0]))


def _slots_of_phrase(child: Token) -> Iterator[tuple[str, Span]]:
    if child.dep_ == "prep" and (child.i == 0 or child.nbor(-1).dep_ != "neg"):
        noun = first_labelled(child.rights, "pobj")
        slot = "" if noun is None else _slot_of_preposition(child.lower_, noun)
        if noun is not None and slot:
            span = noun.doc[child.i : _end_of_phrase(noun, noun.right_edge.i, _PHRASE_BREAKS - {"conj", "cc"})]
            if len(span) <= MAX_SLOT_WORDS:
                yield slot, span
    elif child.dep_ == "advcl":
        yield from _condition_slot(child)


def _slot_of_preposition(preposition: str, noun: Token) -> str:
    lower = noun.lower_
    name = singular(lower)
    if preposition in _WHILE | {"during"} and _is_time(noun, name, preposition):
        return "time"
    if preposition in ("at", "in") and name in word_list("dosage"):
        return "dose" if has_label(noun.lefts, "amod", "nummod") else ""
    if _is_circumstance(preposition, name, noun):
        return "condition"
    if preposition in _AMONG and _is_population(noun, name):
        return "population"
    return "place" if preposition in _INSIDE | _NEAR and _is_place(noun, name, preposition) else ""


def _is_time(noun: Token, name: str, preposition: str) -> bool:
    """Return whether a noun is a time: a year, a month, a season, a span of time; behind "during" also an event."""
    if _YEAR.fullmatch(noun.text):
        return True
    if noun.tag_ in _NAMES and noun.is_title:
        return name in word_list("calendar") or (preposition == "during" and noun.lower_ in ("war", "revolution", "age"))
    if name in word_list("untimely"):
        return False
    if preposition == "during":
        return noun.tag_.startswith("NN") and kind_of_noun(name) not in ("person", "animal", "location", "artifact", "substance")
    dated = preposition != "by" or has_label(noun.lefts, "amod", "compound", "nummod")  # "the 19th century"
    return name in word_list("calendar") or (kind_of_noun(name) == "time" and dated)


def _is_circumstance(preposition: str, name: str, noun: Token) -> bool:
    """Return whether a phrase is a circumstance: "under stress", "at high pressure", "in the absence of light"."""
    if preposition == "under":
        return name in word_list("circumstance")
    if preposition == "at":
        return name in word_list("setting") and has_label(noun.lefts, "amod", "compound", "nummod")
    if preposition == "without":
        return noun.tag_ in ("NN", "NNS") and kind_of_noun(name) in ("act", "substance", "artifact", "food")
    return preposition == "in" and name in ("presence", "absence", "case", "event") and _has_of(noun)


def _has_of(noun: Token) -> bool:
    return any(child.dep_ == "prep" and child.lower_ == "of" for child in noun.rights)


def _is_population(noun: Token, name: str) -> bool:
    """Return whether a noun names people or animals in general: "women", "elderly patients", "cattle"."""
    if noun.tag_ in _NAMES or has_label(noun.lefts, "poss"):
        return False
    if noun.lower_ in word_list("herd"):
        return True
    return noun.tag_ == "NNS" and name not in word_list("unpeopled") and kind_of_noun(name) in ("person", "animal")


def _is_place(noun: Token, name: str, preposition: str) -> bool:
    """Return whether a noun names a place: one of the list, a direction with a name, or a kind of place with its description."""
    if noun.tag_ in _NAMES:
        full = " ".join(token.lower_ for token in [*(modifier for modifier in noun.lefts if modifier.dep_ == "compound"), noun])
        return noun.lower_ in place_names() or full in place_names() or noun.lower_ in word_list("landform")
    if name in word_list("placeless") or kind_of_noun(name) != "location" or not noun.tag_.startswith("NN"):
        return False
    if "body" in map(kind_of_noun, (child.lower_ for child in noun.lefts)):
        return False
    described = has_label(noun.lefts, "amod", "compound", "nmod") or _has_of(noun)
    return described or (preposition in _INSIDE and noun.lower_ in word_list("landform"))


def _condition_slot(clause: Token) -> Iterator[tuple[str, Span]]:
    first = clause.left_edge
    opener = next((child for child in clause.lefts if child.lower_ in _WHEN and child.dep_ in ("mark", "advmod")), None)
    left = clause.lower_ == "left" and clause.tag_ == "VBN"
    if not left and (opener is None or first.i != opener.i):
        return
    span = clause.doc[first.i : _end_of_phrase(clause, clause.right_edge.i, frozenset({"punct"}))]
    if len(span) <= MAX_SLOT_WORDS * 3 // 2:
        past = opener is not None and opener.lower_ in ("when", "once", "until") and any(token.tag_ == "VBD" for token in span)
        yield "time" if past else "condition", span


def _speaker_names(levels: Sequence[ScopeLevel]) -> Iterator[Span]:
    """Yield the names of the speakers of the claim: the subject of "claimed that", the object of "according to"."""
    for level in levels:
        for child in level.token.children:
            if child.lower_ == "according":
                to = next((token for token in child.rights if token.lower_ == "to"), child)
                yield from (_name_span(token) for token in to.rights if token.dep_ == "pobj")
            elif child.dep_ == "parataxis" and _is_speech_verb(child):
                yield from _speakers_of_verb(child)
        if level.takes and is_content_noun(level.token):
            yield from (_name_span(child) for child in level.token.lefts if child.dep_ == "poss" and child.tag_.startswith("NN"))
        elif level.takes and level.below.dep_ != "xcomp" and _is_speech_verb(level.token) and level.token.tag_ != "VB":
            yield from _speakers_of_verb(level.token)


def _is_speech_verb(verb: Token) -> bool:
    return verb.tag_.startswith("VB") and any(verb.lower_ in word_list(name) for name in _SPEECH_LISTS)


def _speakers_of_verb(verb: Token) -> Iterator[Span]:
    passive = has_label(verb.children, "auxpass")
    for child in verb.children:
        if child.dep_ == "nsubj" and not passive:
            yield from _speaker_name(child)
        elif child.dep_ == "agent":
            yield from (span for noun in child.rights if noun.dep_ == "pobj" for span in _speaker_name(noun))


def _speaker_name(noun: Token) -> Iterator[Span]:
    is_name = noun.tag_.startswith("NN") and noun.text.isalpha() and kind_of_noun(singular(noun.lower_)) not in _SILENT_KINDS
    if (is_name and noun.lower_ not in word_list("negative")) or noun.lower_ in ("some", "many", "others", "most"):
        span = _name_span(noun)
        if len(span) <= MAX_SLOT_WORDS:
            yield span


def _name_span(noun: Token) -> Span:
    """Return a noun with its modifiers before it and "of ..." after it, without articles."""
    first = noun.left_edge.i
    while first < noun.i and (noun.doc[first].dep_ == "det" or not noun.doc[first].text[0].isalpha()):
        first += 1
    return noun.doc[first : _end_of_phrase(noun, noun.right_edge.i, _PHRASE_BREAKS)]


def _end_of_phrase(head: Token, last: int, out: frozenset[str]) -> int:
    """Return the index after the last word that follows `head` without one that is `out`."""
    for place in range(head.i + 1, last + 1):
        if head.doc[place].dep_ in out or head.doc[place].is_punct or head.doc[place].tag_.startswith("W"):
            last = place - 1
            break
    return last if head.doc[last].dep_ == "cc" else last + 1


def _one_line(span: Span) -> str:
    """Return the words of a span in one line; the first word of a sentence in lower case."""
    text = " ".join(span.text.split())
    return text[:1].lower() + text[1:] if span[0].dep_ in ("prep", "mark", "advmod") else text
