"""The main clause of a parsed sentence as a yes/no question: the auxiliary first, "do" where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from spacy.tokens import Doc, Token

from made_questions.word_tables import REPORTING

LONGEST = 18
"""A question has at most this many words."""
_NOT_MOVED = set(
    "example instance addition result contrast fact however practice general such particular same both later".split()
)
_POINTING = set("here there this that these those such former latter same following above also thus it they he she".split())
_PARTICIPLES = {"call", "refer", "locate", "base", "situate", "describe", "know"}
"""Verbs whose "called" or "based" alone, without "was", is most often no main verb."""
_SUBJECTS = {"nsubj", "nsubjpass", "expl"}
_LOOSE = {"relcl", "appos", "advcl", "parataxis", "punct", "discourse", "meta", "dep"}
_AFTER = {"dobj", "attr", "acomp", "prep", "agent", "oprd", "xcomp", "advmod", "npadvmod", "prt", "dative", "pobj", "pcomp"}


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a question, with the token that it is from; several words where an edit put them there."""

    text: str
    token: Token | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """The parts of a main clause; `verbs` come after the subject, the auxiliary is before it and may be "did"."""

    auxiliary: str
    subject: tuple[Part, ...]
    verbs: tuple[Part, ...]
    objects: tuple[Part, ...]
    others: tuple[Part, ...]
    root: Token
    negated: bool = False

    @property
    def words(self) -> tuple[Part, ...]:
        """Return the parts as they are asked, the auxiliary left out."""
        return (*self.subject, *self.verbs, *self.objects, *self.others)

    def asked(self) -> str:
        """Return the question."""
        return question([self.auxiliary, *(part.text for part in self.words)])

    def edited(self, token: Token, text: str) -> Clause:
        """Return the clause with another text for one token."""

        def put(parts: Iterable[Part]) -> tuple[Part, ...]:
            return tuple(Part(text, None) if part.token == token else part for part in parts if part.token != token or text)

        return replace(self, subject=put(self.subject), verbs=put(self.verbs), objects=put(self.objects), others=put(self.others))


def question(words: Iterable[str]) -> str:
    """Return words as a question: lower case, no blank before a sign."""
    text = " ".join(word for word in words if word).lower().replace("’", "'")
    for sign in ("'s", ",", "%", "'", ")", "n't"):
        text = text.replace(f" {sign}", sign)
    for sign in ("$", "£", "€", "- ", " -"):
        text = text.replace(f"{sign} " if sign in "$£€" else sign, sign.strip())
    text = re.sub(r"\ba (?=[aeio])", "an ", re.sub(r"\ban (?=[bcdfgjklmnpqrstvwyz][a-z])", "a ", text))
    return " ".join(text.rstrip(" ,.").split()) + "?"


def clause(doc: Doc) -> Clause | None:  # noqa: C901
    """Return the main clause of a sentence, or `None` where it cannot be asked."""
    roots = [token for token in doc if token.dep_ == "ROOT"]
    root = roots[0]
    subjects = [child for child in root.lefts if child.dep_ in _SUBJECTS]
    if (
        len(roots) != 1
        or sum(token.like_num for token in doc) > 4
        or root.pos_ not in ("VERB", "AUX")
        or len(subjects) != 1
        or root.lemma_ in REPORTING
    ):
        return None
    if any(token.dep_ == "neg" and token.head != root for token in doc) or (root.tag_ == "VBD" and root.lemma_ in _PARTICIPLES):
        return None
    subject = subjects[0]
    named = subject.dep_ == "expl" or subject.pos_ in ("NOUN", "PROPN")
    if not named or any(child.dep_ in ("csubj", "csubjpass", "mark", "preconj") for child in root.children):
        return None
    if any(child.dep_ == "advcl" and child.i < root.i for child in root.children):
        return None
    whose = list(kept(subject))
    if subject.right_edge.nbor(1).text == ",":
        return None
    if _narrowed(subject) or subject.lower_ in ("others", "result", "case") or _wrongly_cut(subject):
        return None
    if not whose or len(whose) > 9 or any(token.tag_ in ("PRP", "PRP$", "WDT", "WP") for token in whose):
        return None
    helpers = [child for child in root.lefts if child.dep_ in ("aux", "auxpass")]
    negated = any(child.dep_ == "neg" for child in root.children)
    if helpers:
        if helpers[0].tag_ not in ("VBZ", "VBD", "VBP", "MD") or helpers[0].i < subject.i:
            return None
        first, verbs = helpers[0].text, [*(Part(one.text, one) for one in helpers[1:]), Part(root.text, root)]
    elif root.lemma_ == "be" and root.tag_ in ("VBZ", "VBD", "VBP"):
        first, verbs = root.text, []
    elif root.tag_ in ("VBZ", "VBD", "VBP"):
        first = {"VBZ": "does", "VBD": "did", "VBP": "do"}[root.tag_]
        verbs = [Part(root.lemma_, root)]
    else:
        return None
    if first.lower() not in (
        "is",
        "are",
        "was",
        "were",
        "does",
        "do",
        "did",
        "has",
        "have",
        "can",
        "will",
        "could",
        "must",
        "had",
    ):
        return None
    rest = [child for child in root.rights if child.dep_ in _AFTER]
    if any(child.dep_ == "ccomp" for child in root.rights) or not rest:
        return None
    if root.lemma_ == "be" and any(child.dep_ == "xcomp" for child in rest):
        return None
    if any(_singled_out(token) for child in rest for token in child.subtree):
        return None
    if negated and ({token.lower_ for token in doc} & {"until", "only", "necessarily"} or root.lemma_ == "confuse"):
        return None
    objects = [child for child in rest if child.dep_ in ("dobj", "attr", "acomp", "oprd", "dative", "prt", "xcomp", "agent")]
    others = [child for child in rest if child not in objects]
    if root.lemma_ == "be":
        objects, others = rest, []
    between = [child for child in root.children if child.dep_ == "advmod" and subject.i < child.i < root.i]
    front = [child for child in root.lefts if child.dep_ in ("prep", "npadvmod") and child.i < subject.i]
    front_words = [token for child in front for token in kept(child)] if len(front) == 1 else []
    if front_words and {token.lower_ for token in front_words} & _NOT_MOVED:
        front_words = []
    made = Clause(
        first,
        _parts(whose),
        (*(Part(one.text, one) for one in between if one.lower_ not in ("also", "however", "therefore", "thus", "then")), *verbs),
        _joined(objects),
        (*_joined(others), *_parts(front_words)),
        root,
        negated,
    )
    last = made.words[-1].token
    if last is not None and (last.dep_ in ("prep", "agent", "cc", "det", "mark") or last.i == subject.i):
        return None
    if any(token.lower_ == "such" for token in doc):
        return None
    pointing = {part.text.lower() for part in made.words if part.token is not None and part.token.dep_ != "expl"} & _POINTING
    if pointing or (not made.objects and not made.others):
        return None
    if any(part.token is not None and part.token.tag_ in ("PRP$", "PRP", "WDT", "WRB", "WP") for part in made.words):
        return None
    denied = [part.token for part in made.words if part.text.lower() == "no"]
    if denied:
        token = denied[0]
        if len(denied) > 1 or negated or token is None or token.dep_ != "det":
            return None
        made = replace(made.edited(token, "any"), negated=True)
    if any(part.text.lower() in ("none", "neither", "nobody", "nothing", "few", "little") for part in made.words):
        return None
    return made if 3 <= len(made.words) <= LONGEST else None


def kept(head: Token) -> list[Token]:
    """Return the words of a phrase without what only adds to it: appositions, relative clauses, further members of a list."""
    tokens = [head]
    for child in head.children:
        if child.dep_ in _LOOSE and child.text not in ("-", "%") and not (child.dep_ == "punct" and _inside(child, head)):
            continue
        if child.dep_ == "neg" or child.text in ("such", "including"):
            continue
        tokens.extend(kept(child))
    return sorted(tokens, key=lambda token: token.i)


def _narrowed(head: Token) -> bool:
    """Return whether a subject is only some of what its noun says, by a clause that is left out."""
    return any(child.dep_ in ("relcl", "acl") and child.left_edge.nbor(-1).text != "," for child in head.children)


def _wrongly_cut(subject: Token) -> bool:
    """Return whether a subject is the second half of a name: "Hitchcock, KBE was"."""
    first = subject.left_edge
    return subject.text.isupper() and first.i > 1 and first.nbor(-1).text == "," and first.nbor(-2).pos_ == "PROPN"


def _singled_out(token: Token) -> bool:
    """Return whether a noun is the only, first or most of its kind in a way that is left out."""
    single = {"only", "first", "last", "one", "second", "third"}
    ways = [child for child in token.children if child.lower_ in single or child.tag_ == "JJS" or child.lower_ == "most"]
    return bool(ways) and any(child.dep_ in ("relcl", "advcl") for child in token.children)


def _inside(sign: Token, head: Token) -> bool:
    """Return whether a sign of a phrase must stay: a hyphen, or a comma before a further member."""
    return sign.text in ("-", "–", "/") or (
        sign.text == "," and any(one.dep_ == "conj" for one in head.children) and sign.i > head.i
    )


def _parts(tokens: Sequence[Token]) -> tuple[Part, ...]:
    texts = [Part(token.text, token) for token in tokens]
    while texts and texts[-1].text in (",", "and", "or"):
        texts.pop()
    return tuple(texts)


def _joined(heads: Sequence[Token]) -> tuple[Part, ...]:
    return tuple(part for head in heads for part in _parts(kept(head)))
