"""The ends of a claim: the concepts of a word of a match, as the phrases that a reader would underline.

A noun phrase is the concept it names. A clause becomes one ("because the dam collapsed": "collapse of the dam"), and so does an
act, without its subject ("avoidance of taxes" in "to avoid taxes", "march" in "students staged a march"). "This" and "It" at the
beginning of a sentence are the main clause or the subject of the sentence before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import (
    BE_FORMS,
    LOCATIVE_PREPOSITIONS,
    antecedent,
    coordinated_tokens,
    first_labelled,
    has_label,
    is_agent,
    is_denied_noun,
    is_lack,
    listed_instances,
    skip_partitive,
    subject_of_definition,
)
from graph.mining.sentence.noun_phrases import MAX_ARGUMENT_CHARACTERS, ClaimArgument, noun_phrase, points_back
from graph.text.act_nouns import act_noun, effects_on_things
from graph.text.inflection import gerund_by_rule
from graph.text.normalise import concept_name, surface_name, without_determiners
from graph.text.word_lists import ACT_KINDS, kind_of_noun, word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ANAPHOR_SLOT = "anaphor"  # the slot of a claim's context for the word that refers back to the sentence before
MAX_CLAUSE_WORDS = 12
_MAX_COMPLEMENT_TOKENS = 5
_NOMINAL_SUBJECTS = ("nsubj", "nsubjpass")
_BEHIND_OBJECT = frozenset("as to from into with of on against for".split())
_NO_QUALITY = frozenset("likely unlikely due able unable such same possible other worth part".split())
_BE = frozenset("is are was were".split())
_PLACE_PREPOSITIONS = LOCATIVE_PREPOSITIONS | frozenset(
    "on outside inside by before after until since through along across behind beside under over".split()
)

_THING_KINDS = frozenset("artifact body animal person plant group location object substance food tops".split())
"""The kinds of nouns that name what can be acted on, and not what happens: `tops` are the most general, such as "organism"."""
_ACT_ENDINGS = ("ing", "ion", "ment", "ness", "ity", "sis")

BaseForm = Callable[["Token"], str]  # a function that returns the base form of a verb; it is called for clauses and acts only


def phrase_arguments(head: Token, lemma: BaseForm, matched: frozenset[int]) -> list[ClaimArgument]:
    """Return the concepts that a phrase names without the tokens `matched`: several for conjuncts, none if it is vague."""
    token = antecedent(head)
    if token is None:
        return []
    first = skip_partitive(subject_of_definition(token, matched))
    tokens = []
    for conjunct in coordinated_tokens(first):
        if conjunct == first or conjunct.i not in matched:
            tokens += (conjunct.lower_ in word_list("vague") and listed_instances(conjunct)) or [conjunct]
    shared = _shared_preposition(tokens)
    results = []
    for token in map(skip_partitive, tokens):
        is_clause = _clause_subject(token) is not None or has_label(token.children, "expl", "csubj")
        if token.tag_.startswith("VB") and is_clause:
            argument = clause_argument(token, lemma, matched)
        else:
            argument = noun_phrase(token, matched, shared)
            if argument is not None and points_back(token, argument.name, matched):
                argument = replace(argument, points_back=True)
        if argument is not None and is_lack(head, first):
            argument = replace(argument, name=concept_name(f"lack of {argument.name}"))
        if argument is not None and argument not in results:
            results.append(argument)
    return results


def _shared_preposition(tokens: list[Token]) -> Token | None:
    """Return the "of" behind the last of several conjuncts that belongs to all of them.

    `None` if an article or a comma separates them ("inflammation and the disruption of junctions"), or if only the last one needs
    it ("poverty and lack of education").
    """
    if len(tokens) == 1:
        return None
    last = tokens[-1].i
    if has_label(tokens[-1].lefts, "det", "poss") or any(token.text == "," for token in tokens[0].doc[tokens[0].i : last]):
        return None
    needy = tokens[-1].lower_ in word_list("vague") | word_list("relational")
    holders = tokens[:-1] if needy else tokens
    return next((child for conjunct in holders for child in conjunct.rights if child.lower_ == "of" and child.i > last), None)


def _clause_subject(verb: Token) -> Token | None:
    """Return the subject of a verb, which a finite verb may share with the first conjunct ("he fell and died")."""
    own = first_labelled(verb.lefts, *_NOMINAL_SUBJECTS)
    if has_label(verb.lefts, "expl"):
        return None
    if own is None and verb.dep_ == "conj" and verb.tag_ in ("VBD", "VBZ", "VBP") and verb.head.tag_.startswith("VB"):
        return _clause_subject(verb.head)
    return own


def carried_infinitive(verb: Token) -> Token | None:
    """Return the infinitive that has the meaning of a light construction: postpone, in "they had to postpone the game"."""
    if verb.lower_ not in word_list("carrying"):
        return None
    return next((child for child in verb.rights if child.dep_ == "xcomp" and child.tag_ in ("VB", "VBG")), None)


def clause_argument(verb: Token, lemma: BaseForm, matched: frozenset[int]) -> ClaimArgument | None:
    """Return a clause as a concept: its subject, its verb, and what completes it; none if it is not clear what its subject is."""
    subject = _clause_subject(verb)
    if has_label(verb.children, "neg") or (verb.dep_ == "conj" and has_label(verb.head.children, "neg")):
        return None
    if subject is None:
        thing = first_labelled(verb.rights, "attr") if has_label(verb.children, "expl") else None  # "there is"
        return None if thing is None or is_denied_noun(thing) else noun_phrase(thing, matched)
    subject = skip_partitive(subject)
    noun = noun_phrase(subject, matched)
    if noun is not None:
        return _clause_about(subject, noun, verb, lemma, matched)
    meant = _antecedent_subject(subject, verb)
    noun = None if meant is None else noun_phrase(meant, matched)
    argument = None if meant is None or noun is None else _clause_about(meant, noun, verb, lemma, matched)
    return None if argument is None else replace(argument, start=subject.idx, end=max(argument.end, verb.idx + len(verb)))


def _clause_about(
    subject: Token, noun: ClaimArgument, verb: Token, lemma: BaseForm, matched: frozenset[int]
) -> ClaimArgument | None:
    """Return the concept of a clause whose subject means `noun`."""
    verb = carried_infinitive(verb) or verb
    quality = _predicate_adjective(verb, matched)
    if quality is not None:
        return ClaimArgument(f"{quality.lower_} {noun.name}", noun.start, quality.idx + len(quality), noun.head)
    if is_denied_noun(subject):
        return None
    others = [child for child in verb.rights if child.i not in matched]
    if verb.lower_ in word_list("light"):  # "a war took place" means the war
        adds = any(child.dep_ in ("acomp", "attr", "dobj", "xcomp", "ccomp") and child.lower_ != "place" for child in others)
        return None if adds or (verb.lower_ in _BE and has_label(others, "prep")) else noun
    aims = (child for child in others if child.dep_ == "advcl" and child.tag_ == "VB" and child.left_edge.lower_ == "to")
    if has_label(others, "xcomp", "ccomp") or any(child.i - verb.i <= 3 for child in aims):  # "has gone on to join"
        return None
    return None if any(child.lower_ == "only" for child in verb.children) else _predicate_argument(verb, noun, lemma, matched)


def _antecedent_subject(pronoun: Token, verb: Token) -> Token | None:
    """Return what "it" or "they" as the subject of a dependent clause means: the subject of the clause above it.

    Only where that comes first and agrees in number ("the dam broke because it was old").
    """
    above = next((token for token in verb.ancestors if token.tag_.startswith("VB")), None)
    subject = None if above is None or pronoun.lower_ not in ("it", "they") else _clause_subject(above)
    if subject is None or subject.i > pronoun.i or not subject.tag_.startswith("NN"):
        return None
    is_plural = subject.tag_ in ("NNS", "NNPS") or has_label(subject.rights, "conj")
    return subject if is_plural == (pronoun.lower_ == "they") else None


def _predicate_argument(verb: Token, noun: ClaimArgument, lemma: BaseForm, matched: frozenset[int]) -> ClaimArgument | None:
    """Return a clause as a noun phrase: "collapse of the dam", "invasion of Poland by Germany", "species becoming extinct"."""
    passive = has_label(verb.children, "nsubjpass", "auxpass")
    particle, objects, qualities, phrases = "", [], [], []
    end = verb.idx + len(verb)
    for child in verb.rights:
        added = _complement_words(child, matched)
        if added is None:
            return None
        if not added:
            continue
        words, end = added
        if child.dep_ == "prt":
            particle = words
        elif child.dep_ == "dobj":
            objects.append(words)
        elif child.dep_ in ("acomp", "attr", "oprd"):
            qualities.append(words)
        elif child.dep_ == "prep":
            phrases.append(words)
    subject = surface_of(noun, verb.doc)
    base = lemma(verb)
    act = _act_phrase(base, particle, passive)
    if qualities:
        form = verb.lower_ if passive else gerund_by_rule("be" if base in BE_FORMS else base)
        name = " ".join([subject, form, *objects, *qualities])
    elif objects and not passive and base in word_list("having"):
        name = " ".join([objects[0], "of", subject, *phrases])
    elif objects and not passive:
        name = " ".join([act, objects[0], *phrases, "by", subject])
    else:
        name = " ".join([act, subject, *objects, *phrases])
    if not act or len(name.split()) > MAX_CLAUSE_WORDS or len(name) > MAX_ARGUMENT_CHARACTERS:
        return None
    return ClaimArgument(concept_name(name), noun.start, end, noun.head)


def _act_name(verb: str, particle: str = "") -> str:
    """Return the noun of an act or event: "avoidance", "outbreak" for break and out, "giving up"."""
    if not particle:
        return act_noun(verb)
    joined = (form for form in (f"{particle}{verb}", f"{verb}{particle}") if kind_of_noun(form) in ACT_KINDS)
    return next(joined, f"{gerund_by_rule(verb)} {particle}")


def _act_phrase(verb: str, particle: str = "", passive: bool = False) -> str:
    """Return the noun of an act with the preposition before its object: "avoidance of", "damage to".

    In the passive it is the effect of the act, "death of" where people were killed, and empty where that has no good name.
    """
    act, effect = _act_name(verb, particle), None if particle else effects_on_things().get(verb)
    return effect.phrase if effect is not None and (passive or effect.phrase.startswith(f"{act} ")) else f"{act} of"


def surface_of(argument: ClaimArgument, doc: Doc) -> str:
    """Return the words of an argument as they stand, without a determiner at the beginning, where its name is made of them."""
    text = doc.text[argument.start : argument.end]
    if concept_name(text) != argument.name:
        return argument.name
    return " ".join(without_determiners(surface_name(text).split()))


def _predicate_adjective(verb: Token, matched: frozenset[int]) -> Token | None:
    """Return the bare adjective that a form of "be" gives its subject: scarce, in "water was scarce"."""
    if verb.lower_ not in _BE:
        return None
    if any(child.lower_ in word_list("limiting") and child.dep_ in ("advmod", "neg", "preconj") for child in verb.subtree):
        return None
    beside = ("punct", "advmod", "prep", "advcl")
    complements = [child for child in verb.rights if child.i not in matched and child.dep_ not in beside]
    if len(complements) != 1 or complements[0].dep_ != "acomp" or complements[0].tag_ not in ("JJ", "JJR"):
        return None
    (quality,) = complements
    return None if quality.lower_ in _NO_QUALITY or has_label(quality.rights, "prep", "xcomp", "ccomp") else quality


def _complement_words(child: Token, matched: frozenset[int]) -> tuple[str, int] | tuple[()] | None:
    """Return the words that a child adds to its verb and their end: a particle, an adverb, an object, a short phrase.

    Empty for a child that adds nothing, `None` for a required one without a name.
    """
    if child.i in matched:
        return ()
    adverb = child.dep_ == "advmod" and child.i == child.head.i + 1 and child.tag_ in ("RB", "RBR", "NN", "RP")
    if child.dep_ == "prt" or adverb:
        return child.lower_, child.idx + len(child)
    if child.dep_ == "acomp":
        adverbs = (token for token in child.lefts if token.dep_ == "advmod" and token.tag_ in ("RB", "RBR"))
        more = [token.lower_ for token in adverbs if token.i + 1 == child.i]
        return " ".join([*more, child.lower_]), child.idx + len(child)
    if child.dep_ in ("dobj", "attr", "oprd"):
        thing, before = child, ""
    elif child.dep_ == "prep" and _is_complement(child):
        noun = first_labelled(child.rights, "pobj")
        if noun is None or noun.i in matched:
            return None
        if child.lower_ in LOCATIVE_PREPOSITIONS and (kind_of_noun(noun.lower_) == "time" or noun.tag_ == "CD"):
            return ()
        thing, before = noun, f"{child.lower_} "
    else:
        return ()
    if thing.tag_.startswith("JJ"):
        return before + thing.lower_, thing.idx + len(thing)
    argument = None if is_denied_noun(thing) else noun_phrase(thing, matched)
    return None if argument is None else (before + surface_of(argument, child.doc), argument.end)


def _is_complement(preposition: Token) -> bool:
    """Return whether a phrase is a complement of its verb: right behind it and no place, or short and behind its object."""
    verb = preposition.head
    if preposition.i == verb.i + 1:
        return preposition.lower_ not in LOCATIVE_PREPOSITIONS or verb.lower_ in word_list("placing")
    thing = first_labelled(verb.rights, "dobj")
    if thing is None or preposition.i != thing.right_edge.i + 1 or preposition.lower_ not in _BEHIND_OBJECT:
        return False
    return preposition.right_edge.i - preposition.i < _MAX_COMPLEMENT_TOKENS


def act_arguments(head: Token, lemma: BaseForm, matched: frozenset[int]) -> list[ClaimArgument]:
    """Return the concepts that `head` names; an act is named by its verb and its objects, without its subject.

    A verb in the passive or with a predicate keeps its subject ("wall built"). None if the act is denied or governs a clause, and
    if the verb alone is too vague ("went").
    """
    if head.tag_ in ("VBN", "VBD") and head.lower_ in word_list("staging"):  # "a march held by", "a march was held"
        is_reduced = head.dep_ == "acl" and head.head.tag_.startswith("NN")
        event = head.head if is_reduced else first_labelled(head.lefts, "nsubjpass")
        if event is not None:
            return phrase_arguments(event, lemma, matched)
    children = [child for child in head.children if child.i not in matched]
    passive = has_label(head.children, "nsubjpass", "expl", "csubj", "csubjpass")
    participle = head.tag_ == "VBN" and head.dep_ != "conj" and not has_label(head.children, "aux")
    active = head.tag_.startswith("VB") and not passive and not participle
    if not active or has_label(children, "acomp", "attr", "oprd", "auxpass"):
        is_nameable = head.tag_ != "VB" and not (active and head.tag_ == "VBG")
        return phrase_arguments(head, lemma, matched) if is_nameable else []
    if has_label(children, "ccomp", "xcomp", "neg") or any(child.lower_ == "longer" for child in children):
        return []
    thing = next((child for child in head.rights if child.dep_ == "dobj" and child.i not in matched), None)
    verb = [head.lower_ if head.tag_ in ("VB", "VBP") else lemma(head)]
    verb += [child.lower_ for child in head.rights if child.dep_ == "prt"]
    if thing is None:
        return [] if head.lower_ in BE_FORMS else list(_intransitive_act(head, verb, lemma, matched))
    if is_denied_noun(thing) or head.lower_ in word_list("ordering"):
        return []
    arguments = phrase_arguments(thing, lemma, matched)
    if not arguments and head.tag_ == "VBG":
        return [argument for argument in phrase_arguments(head, lemma, matched) if " " in argument.name]
    if head.lower_ in word_list("staging"):
        return arguments
    act = _act_phrase(verb[0], " ".join(verb[1:]))
    return [
        ClaimArgument(concept_name(f"{act} {surface_of(argument, head.doc)}"), head.idx, argument.end, verb[0])
        for argument in arguments
    ]


def _intransitive_act(verb: Token, words: list[str], lemma: BaseForm, matched: frozenset[int]) -> Iterator[ClaimArgument]:
    """Yield the act of a verb that has no object: with its direction ("flee to Egypt"), or alone if it is specific enough."""
    is_deed = words[0] in word_list("deeds")
    act = _act_name(words[0], " ".join(words[1:]))
    for child in verb.rights:
        if child.dep_ != "prep" or child.i != verb.i + len(words) or child.i in matched:
            continue
        noun = first_labelled(child.rights, "pobj", "pcomp")
        kind = "" if noun is None else kind_of_noun(noun.lower_)
        # "on Friday", "in Delhi"
        places = noun is not None and (noun.tag_ in ("NNP", "NNPS", "CD") or kind in ("time", "location", "artifact", ""))
        if noun is None or not (is_deed or places) or child.lower_ not in _PLACE_PREPOSITIONS:
            if noun is not None and noun.dep_ == "pobj" and noun.i not in matched:
                for argument in phrase_arguments(noun, lemma, matched)[:1]:
                    name = concept_name(f"{act} {child.lower_} {surface_of(argument, verb.doc)}")
                    yield ClaimArgument(name, verb.idx, argument.end, words[0])
            return
    if is_deed:
        yield ClaimArgument(concept_name(act), verb.idx, verb.idx + len(verb), words[0])


def event_argument(event: str, verb: Token, matched: frozenset[int]) -> ClaimArgument:
    """Return the event that a verb stands for, with whom or what it happens to if that is specified: "death of 95 men"."""
    bare = ClaimArgument(event, verb.idx, verb.idx + len(verb), event)
    affected = first_labelled(verb.rights, "dobj") or _clause_subject(verb) or (verb.head if verb.dep_ == "acl" else None)
    if affected is None or affected.i in matched or not affected.tag_.startswith("NN"):
        return bare
    affected = skip_partitive(affected)
    argument = noun_phrase(affected, matched)
    if argument is None or points_back(affected, argument.name, matched):
        return bare
    if " " not in argument.name and not affected.tag_.startswith("NNP"):  # "sailors", "the bank"
        return bare
    return replace(bare, name=concept_name(f"{event} of {surface_of(argument, verb.doc)}"))


def effect_on_object(argument: ClaimArgument, verb: Token) -> ClaimArgument | None:
    """Return the effect of a verb on its object: "damage to retina" for the retina that light damages.

    It is the object itself for a verb that makes it, or more or less of it, and `None` where no name says what the verb does.
    """
    effect = effects_on_things().get(verb.lower_)
    if effect is None or (effect.of_things and not _is_thing(argument.head)):
        return argument
    if not effect.phrase:
        return None
    return replace(argument, name=concept_name(f"{effect.phrase} {surface_of(argument, verb.doc)}"), is_act=True)


def _is_thing(noun: str) -> bool:
    """Return whether a noun in the singular names a thing, as proper names do, and not what happens or a quality."""
    kind = kind_of_noun(noun)
    return kind in _THING_KINDS or not (kind or noun.endswith(_ACT_ENDINGS))


def is_anaphor(token: Token) -> bool:
    """Return whether the token is "This" or "It" as the subject that begins its sentence."""
    return token.i == 0 and token.lower_ in ("this", "it") and token.dep_ in _NOMINAL_SUBJECTS


def resolve_anaphor(pointer: Token, before: Doc, lemma: BaseForm) -> ClaimArgument | None:
    """Return the antecedent of `pointer` in the sentence `before`, with the span of the pointer; `None` for one without a name.

    "This" is the main clause of that sentence and "It" its subject, a thing in the singular.
    """
    root = first_labelled(before, "ROOT")
    if root is None:
        return None
    if pointer.lower_ == "this":
        if not root.tag_.startswith("VB") or has_label(root.children, "ccomp", "xcomp"):
            return None
        argument = clause_argument(root, lemma, frozenset())
    else:
        subject = first_labelled(root.lefts, *_NOMINAL_SUBJECTS)
        if subject is None or subject.tag_ not in ("NN", "NNP") or has_label(subject.children, "conj") or is_agent(subject):
            return None
        argument = noun_phrase(subject, frozenset())
        if argument is not None and points_back(subject, argument.name, frozenset()):
            argument = replace(argument, points_back=True)
    return None if argument is None else replace(argument, start=pointer.idx, end=pointer.idx + len(pointer))
