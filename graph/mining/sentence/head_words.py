"""Head words of the ends of a claim: antecedents, partitives, places and coordination resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from graph.text.normalise import singular
from graph.text.word_lists import ACT_KINDS, kind_of_noun, word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

BE_FORMS = frozenset("is are was were be been being 's 're remains remained becomes became".split())
LOCATIVE_PREPOSITIONS = frozenset({"in", "at", "near", "within", "during", "around"})
_TOPIC_PREPOSITIONS = LOCATIVE_PREPOSITIONS | {"on", "onto", "over", "under"}
_BYSTANDER_KINDS = frozenset({"person", "location", "group", "time", "quantity"})
_THING_KINDS = frozenset({"artifact", "body", "object"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_LABELS = frozenset(
    "example examples instance instances case cases cause causes consequence consequences symptom symptoms".split()
)
_EFFECT_NOUNS = ("effect", "effects", "result", "results")
_LIGHT_VERBS = frozenset(
    "be is are was were been being am has have had having do does did make makes made take takes took taken give gives gave "
    "given get gets got become becomes became use used".split()
)
_NO_NOUN_TAGS = frozenset("PRP PRP$ DT EX WP$ WRB CD RB PDT JJ JJR JJS".split())


def first_labelled(tokens: Iterable[Token], *labels: str) -> Token | None:
    """Return the first of some tokens that has one of the dependency labels."""
    return next((token for token in tokens if token.dep_ in labels), None)


def has_label(tokens: Iterable[Token], *labels: str) -> bool:
    """Return whether one of some tokens has one of the dependency labels."""
    return any(token.dep_ in labels for token in tokens)


def is_agent(head: Token) -> bool:
    """Return whether the phrase names people or a body that acts, or is a proper name in title case ("Turkey", not "HIV")."""
    token = antecedent(head) or head
    if token.lower_ in word_list("agents") or singular(token.lower_) in word_list("agents"):
        return True
    if token.tag_ not in ("NNP", "NNPS") or not token.is_title:
        return False
    return token.i > 0 or not token.lower_.endswith(tuple(word_list("thing_endings")))


def antecedent(token: Token) -> Token | None:
    """Return the antecedent of a relative pronoun, any other token itself, and `None` for a pronoun."""
    if token.tag_ in ("WDT", "WP") or (token.lower_ == "that" and token.tag_ in ("IN", "DT")):
        verb = token.head
        while verb.dep_ == "conj":
            verb = verb.head
        if verb.dep_ != "relcl":
            return None
        noun = above = verb.head
        while above.dep_ in ("pobj", "prep", "conj"):
            above = above.head
        if above.dep_ == "attr" and any(child.lower_ == "it" and child.dep_ == "nsubj" for child in above.head.lefts):
            noun = above  # "it was the breach of the treaty that"
        return attachment_noun(noun, token.head) if noun.tag_.startswith("NN") else None
    if token.tag_ in _NO_NOUN_TAGS and not is_hyphenated(token):
        return token if token.lower_ in word_list("partitive") and of_object(token) is not None else None
    return token


def attachment_noun(noun: Token, verb: Token | None = None) -> Token | None:
    """Return the word that a phrase behind `noun` modifies: the inflammation, in "inflammation in the stomach caused by ...".

    It is the noun above if `noun` is only a place, or the object of a condition, a change or an act. It is the governor, or
    `None` without one, if the phrase's `verb` does not agree with `noun`, or a comma parts it from people, places and names.
    """
    for _ in range(4):
        above: Token | None = None
        if verb is not None and noun.tag_.startswith("NN") and (not _agrees_in_number(noun, verb) or _is_bystander(noun, verb)):
            above = _governor(noun)
            while above is not None and above.lower_ in word_list("partitive"):
                above = _governor(above)
            if above is None or above.tag_[:2] not in ("NN", "VB"):
                return None
            noun = above
            continue
        if verb is not None and _follows_comma(verb) and kind_of_noun(noun.lower_) in _THING_KINDS:
            above = _governor(noun)
        if above is None or kind_of_noun(above.lower_) not in ACT_KINDS:
            above = _containing_noun(noun)
            if above is noun or (verb is not None and not _agrees_in_number(above, verb)):
                return noun
        noun = above
    return noun


def _containing_noun(noun: Token) -> Token:
    """Return the noun above if `noun` is only its place, or the object of a condition, a change or an act."""
    first = noun
    while first.dep_ == "conj":
        first = first.head
    above = first.head.head
    if above.tag_ == "CD" and above.dep_ == "pobj":  # "damage to one of the rivers"
        first, above = above, above.head.head
    if first.dep_ != "pobj" or not above.tag_.startswith("NN"):
        return noun
    lower, preposition = singular(above.lower_), first.head.lower_
    happens = kind_of_noun(lower) in ACT_KINDS
    if preposition in LOCATIVE_PREPOSITIONS:
        contains = lower not in word_list("agents")
    elif preposition in ("on", "about", "over"):
        contains = happens
    elif preposition == "to":
        contains = happens and kind_of_noun(noun.lower_) in _BYSTANDER_KINDS | _THING_KINDS
    elif preposition == "of" and lower not in word_list("partitive") and lower not in word_list("vague"):
        changes = lower in word_list("condition") or lower in word_list("relational")
        contains = changes or happens or lower.endswith(tuple(word_list("nominal_endings")))
    else:
        contains = preposition == "between" and not first.head.is_sent_start
    return above if contains else noun


def _agrees_in_number(noun: Token, verb: Token) -> bool:
    """Return whether a finite verb agrees with the noun in number; true if its form or a coordination leaves it open."""
    finite = next((child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.tag_ in ("VBZ", "VBP")), verb)
    joined = noun.dep_ == "conj" or any(child.dep_ == "conj" for child in noun.children)
    if finite.tag_ == "VBZ":
        return joined or noun.tag_ not in ("NNS", "NNPS") or singular(noun.lower_) == noun.lower_
    return finite.tag_ != "VBP" or joined or noun.tag_ in ("NNS", "NNPS") or kind_of_noun(noun.lower_) == "group"


def _is_bystander(noun: Token, verb: Token) -> bool:
    """Return whether a comma or "which" separates the verb from people, places and the like, which are no causes."""
    kind = kind_of_noun(noun.lower_)
    if noun.dep_ == "dobj" and verb.lower_ in ("resulting", "leading", "culminating") and kind in _THING_KINDS | {"substance"}:
        return True
    if noun.dep_ in _SUBJECTS or not (_follows_comma(verb) or verb.left_edge.lower_ == "which"):
        return False
    if kind == "group" and not _follows_comma(verb):
        return False
    on_topic = noun.dep_ == "pobj" and noun.head.lower_ in _TOPIC_PREPOSITIONS and noun.head.head.tag_.startswith("VB")
    if on_topic and kind in _THING_KINDS:
        return True
    # "Turkey", "Chiang Kai-shek", but not "HIV"
    in_title_case = noun.tag_ in ("NNP", "NNPS") and (noun.is_title or any(child.is_title for child in noun.lefts))
    return kind in _BYSTANDER_KINDS or (in_title_case and kind not in ACT_KINDS)


def _follows_comma(verb: Token) -> bool:
    edge = verb.left_edge.i
    return edge > 0 and verb.doc[edge - 1].text == ","


def _governor(noun: Token) -> Token | None:
    """Return the noun or the verb that governs a noun, through its preposition; `None` for a subject."""
    while noun.dep_ in ("conj", "appos"):
        noun = noun.head
    if noun.dep_ == "pobj":
        return noun.head.head if noun.head.dep_ in ("prep", "agent") else noun.head
    return noun.head if noun.dep_ in ("dobj", "attr", "oprd", "npadvmod") else None


def subject_of_definition(token: Token, matched: frozenset[int]) -> Token:
    """Return malaria for disease, in "malaria is a disease caused by parasites"; a token that defines no kind stays itself."""
    first, last = token.left_edge.i, token.right_edge.i
    if not any(first <= place <= last and place != token.i for place in matched):
        return token
    subject = None
    if token.dep_ == "attr" and token.head.lower_ in ("is", "are", "was", "were"):
        subject = first_labelled(token.head.lefts, "nsubj")
    elif token.dep_ == "pobj" and token.head.lower_ == "as":
        subject = first_labelled(token.head.head.lefts, "nsubjpass")
    elif token.dep_ == "appos" and any(child.lower_ in ("a", "an", "the") for child in token.lefts):
        subject = token.head
    return token if subject is None or not subject.tag_.startswith("NN") or subject.lower_ in _LABELS else subject


def of_object(token: Token) -> Token | None:
    """Return the noun behind "of" after `token`, if there is one."""
    for child in token.rights:
        if child.dep_ == "prep" and child.lower_ == "of":
            return first_labelled(child.rights, "pobj", "pcomp")
    return None


def skip_partitive(token: Token) -> Token:
    """Return the content of "a number of ...", "developing ...", "... purposes" and "the fact that ...".

    "A growing number of ..." stays itself.
    """
    for _ in range(3):
        behind = None
        if token.lower_ == "number" and any(child.lower_ == "the" for child in token.lefts) and token.dep_ in _SUBJECTS:
            return token
        if token.lower_ in word_list("counting") and any(child.lower_ in word_list("changed") for child in token.lefts):
            return token
        modifiers = (child for child in token.lefts if child.lower_ not in word_list("quantity"))
        # Without a word that specifies it, a drug's effect means the drug.
        bare_effect = token.lower_ in _EFFECT_NOUNS and not has_label(modifiers, "amod", "compound", "nmod")
        if token.lower_ in ("purpose", "purposes"):
            specified = has_label(token.lefts, "amod")
            behind = (None if specified else first_labelled(token.lefts, "compound")) or of_object(token)
        elif token.lower_ in word_list("partitive") or bare_effect:
            behind = of_object(token)
        elif token.lower_ in word_list("becoming"):
            behind = first_labelled(token.rights, "dobj")
        elif token.lower_ == "fact":
            behind = first_labelled(token.rights, "acl")
        if behind is None:
            return token
        token = behind
    return token


def coordinated_tokens(token: Token) -> Iterator[Token]:
    """Yield the token, the conjuncts after it that are of its kind, and the objects of "rather than" and "instead of".

    A bare gerund is of the kind of nouns ("smoking and drink"); a verb with a subject of its own begins another clause.
    """
    yield token
    for child in token.rights:
        if child.dep_ == "cc" and child.lower_ in ("than", "of"):
            nouns = (noun for noun in child.rights if noun.dep_ == "pobj" and noun.tag_[:1] == token.tag_[:1])
            yield from (conjunct for noun in nouns for conjunct in coordinated_tokens(noun))
        apart = child.tag_.startswith("VB") and has_label(child.children, *_SUBJECTS)
        if child.dep_ == "conj" and child.tag_ not in ("CD", "PRP") and not apart:
            tags, gerund = {child.tag_, token.tag_}, child if child.tag_ == "VBG" else token
            bare = "VBG" in tags and bool(tags & {"NN", "NNS"}) and not has_label(gerund.children, *_SUBJECTS, "dobj", "aux")
            if child.tag_[:1] == token.tag_[:1] or bare:
                yield from coordinated_tokens(child)
    yield from _detached_conjuncts(token)


def _detached_conjuncts(token: Token) -> Iterator[Token]:
    """Yield conjuncts that the parser attaches to another word: denied ones, and the rest of a list behind a comma.

    They are "caused drought, but not famine", "smoking, not drinking," and "is caused by obesity, lack of exercise and age".
    """
    above = token.head if token.dep_ in ("dobj", "attr", "pobj") else token
    for child in (*token.rights, *(above.rights if above.tag_.startswith("VB") else ())):
        parted = child.dep_ == "appos" or (child.dep_ == "conj" and child.head != token)
        denied = any(word.dep_ == "neg" and word.i < child.i for word in child.lefts)
        clause = has_label(child.children, *_SUBJECTS, "aux", "dobj")
        if parted and denied and child.tag_.startswith(("NN", "VBG")) and not clause:
            yield child
    if token.dep_ != "pobj" or [word.text for word in token.doc[token.i + 1 : token.i + 2]] != [","]:
        return
    for listed in token.doc[token.i + 2 : token.i + 5]:
        inside = list(listed.subtree)
        later = [word for word in inside if word.dep_ == "conj" and any(mark.text == "," for mark in word.head.rights)]
        if (
            listed.dep_ == "appos"
            and listed.head.i < token.head.i
            and later
            and not any(word.tag_[:2] == "VB" for word in inside)
        ):
            yield listed
            yield from (conjunct for noun in later for conjunct in coordinated_tokens(noun))


def listed_instances(token: Token) -> list[Token]:
    """Return the examples that follow a vague noun: "negative effects, including anxiety and insomnia"."""
    plain_modifiers = word_list("quantity") | word_list("judging")
    if any(child.dep_ in ("amod", "compound", "nmod") and child.lower_ not in plain_modifiers for child in token.lefts):
        return []
    for child in token.rights:
        such = child.lower_ == "as" and any(word.lower_ == "such" for word in child.children)
        if child.dep_ == "prep" and (such or child.lower_ == "including"):
            return [word for noun in child.rights if noun.dep_ == "pobj" for word in coordinated_tokens(noun)]
    return []


def is_hyphenated(token: Token) -> bool:
    """Return whether a hyphen follows directly: "mosquito-borne" has a noun in front, whatever its tag."""
    return token.i + 1 < len(token.doc) and token.nbor().tag_ == "HYPH" and not token.whitespace_


def is_denied_noun(noun: Token) -> bool:
    """Return whether "no", "few" or "little" stands before the noun."""
    return any(child.lower_ in ("no", "few", "little", "neither") for child in noun.lefts)


def is_lack(pronoun: Token, noun: Token) -> bool:
    """Return whether a relative pronoun behind a comma means that there is none of its noun: "had no walls, which led to"."""
    behind_comma = pronoun.tag_ == "WDT" and pronoun.i > 0 and pronoun.nbor(-1).text == ","
    return behind_comma and any(child.dep_ == "det" and child.lower_ == "no" for child in noun.lefts)


def tree_path(start: Token, end: Token) -> list[Token]:
    """Return the tokens on the path between two through the tree; one alone if they are in different trees."""
    up, down = [start, *start.ancestors], [end, *end.ancestors]
    meeting = next((token for token in up if token in down), None)
    if meeting is None:
        return [start]
    return [*up[: up.index(meeting) + 1], *reversed(down[: down.index(meeting)])]


def joining_word(path: Sequence[Token]) -> Token | None:
    """Return the word inside a path that joins its ends: the highest content word that is not light, else preposition."""
    content = [token for token in path[1:-1] if token.tag_[:2] in ("VB", "NN", "JJ") and token.lower_ not in _LIGHT_VERBS]
    joining = [token for token in path[1:-1] if token.tag_ in ("IN", "TO")]
    return min(content or joining, key=lambda token: sum(1 for _ in token.ancestors), default=None)
