"""Edits of a clause that leave it true or make it false, each giving questions with their answers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reader.reader_rows import value_of
from spacy.tokens import Token

from made_questions.word_tables import CARDINALS, KINDS_OF, LANDS, NEIGHBOURS, ONE_WAY, OPPOSITES, PEOPLES, SAME, STAYS
from made_questions.yes_no_clauses import Clause, Part, question

DATA = Path(__file__).parents[3] / "kgqa" / "linking" / "data"
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")
_ROUGH = re.compile(
    r"\b(?:over|about|around|approximately|nearly|almost|at least|more than|up to|less than|some|roughly|average|between)\b", re.I
)
_PLACED = frozenset("bear born die locate situate headquarter base find hold bury found be".split())
_OFTEN = frozenset("usually often sometimes generally frequently typically commonly normally occasionally mostly".split())
_STATES = frozenset("be include have contain comprise become remain lack resemble cost mean weigh equal enter".split())
NOUNS = frozenset(
    "increase decrease success failure majority minority north south east west northeast "
    "northwest southeast southwest summer winter "
    "father mother son daughter brother sister husband wife king queen maximum minimum morning "
    "evening male female rise fall".split()
)
"""Nouns that are turned into their opposite; of others it is the adjective that has one."""
_SOME = frozenset("some many several most few numerous various".split())


@dataclass(frozen=True, slots=True)
class Setting:
    """What an edit may look at beside the clause: passage, names of the article by type, participles of verbs, and dice."""

    passage: str
    names: Mapping[str, list[str]]
    participles: Mapping[str, str]
    dice: random.Random


Made = tuple[str, str, str]
"""A question, its answer, and the name of the edit."""


def opposites(path: Path = DATA / "opposites.tsv") -> dict[str, str]:
    """Return the common opposites, with those of WordNet that differ by a prefix only."""
    table = dict(OPPOSITES)
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, others = line.partition("\t")
        for other in others.split("|"):
            for one, whole in ((word, other), (other, word)):
                if len(one) > 4 and any(whole == prefix + one for prefix in _PREFIXES):
                    table.setdefault(word, other)
    return table


OPPOSITE = opposites()


def plain(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Ask what is told; the answer to what is told with "not" is no."""
    words = clause.asked()
    yield (words, "no" if clause.negated else "yes", "negated" if clause.negated else "plain")
    dated = any(part.token is not None and part.token.ent_type_ == "DATE" for part in clause.words)
    past = clause.auxiliary.lower() in ("did", "has", "have")
    if past and (clause.negated or setting.dice.random() < 0.3) and clause.verbs and not dated:
        ever = question(
            [
                clause.auxiliary,
                *(one.text for one in clause.subject),
                "ever",
                *(one.text for one in clause.words[len(clause.subject) :]),
            ]
        )
        yield (ever, "no" if clause.negated else "yes", "ever")


def shorter(clause: Clause, dice: random.Random) -> Clause:
    """Return the clause without some adjectives, and, of an event, without some of what is around it."""
    if clause.negated:
        return clause
    objects = [part for part in clause.objects if not (_droppable(part.token) and dice.random() < 0.6)]
    others = list(clause.others)
    prepositions = [
        part.token
        for part in others
        if part.token is not None and part.token.dep_ in ("prep", "npadvmod") and part.token.head == clause.root
    ]
    acted_on = any(part.token is not None and part.token.dep_ == "dobj" for part in objects)
    told = clause.root.tag_ in ("VBD", "VBN")
    if prepositions and (len(prepositions) > 1 or acted_on) and told and prepositions[-1].i > clause.root.i:
        gone = set(prepositions[-1].subtree)
        others = [part for part in others if part.token not in gone]
    return replace(clause, objects=tuple(objects), others=tuple(others))


def said_otherwise(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Put synonyms, and digits for number words."""
    made = clause
    for part in clause.words:
        if part.token is None or part.token.ent_type_ in ("PERSON", "ORG", "GPE", "WORK_OF_ART", "FAC", "EVENT", "PRODUCT"):
            continue
        word = part.text.lower()
        number = value_of(word) if word.isalpha() else None
        if word in SAME and part.token.nbor(1).lower_ != "of" and part.token.pos_ in ("NOUN", "VERB", "ADJ", "ADV"):
            made = made.edited(part.token, SAME[word].replace("_", " "))
        elif (
            number is not None
            and part.token.pos_ == "NUM"
            and 1 < number <= 12
            and "-" not in (part.token.nbor(-1).text if part.token.i else "", part.token.nbor(1).text)
        ):
            made = made.edited(part.token, str(int(number)))
        elif word.isdigit() and part.token.head.pos_ != "PROPN" and 1 < int(word) < 13 and part.token.ent_type_ == "CARDINAL":
            made = made.edited(part.token, CARDINALS[int(word)])
    if made != clause:
        yield (made.asked(), "no" if clause.negated else "yes", "synonym")


def turned(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Put the opposite of a word."""
    told = {token.lower_ for token in clause.root.doc}
    for part in clause.words:
        token = part.token
        if token is None or token.ent_type_ not in ("", "ORDINAL") or token.pos_ not in ("ADJ", "ADV", "VERB", "NOUN", "ADP"):
            continue
        other = OPPOSITE.get(part.text.lower(), "")
        if (
            not other
            or other in told
            or (token.pos_ == "ADP") != (part.text.lower() in ("before", "after", "above", "below", "inside", "outside"))
        ):
            continue
        near = token.nbor(-1).lower_ if token.i else ""
        follows = token.nbor(1)
        if (
            (part.text.lower() in ("more", "less") and (follows.lower_ != "than" or near == "or"))
            or follows.pos_ == "PROPN"
            or follows.text == "-"
        ):
            continue
        if (token.pos_ == "NOUN" and part.text.lower() not in NOUNS) or follows.lower_ in ("school", "time", "schools"):
            continue
        if part.text.lower() not in OPPOSITES and token.dep_ != "acomp":
            continue
        if token.dep_ == "compound" or (
            part.text.lower() in ("left", "right", "light", "most", "least", "minor", "major") and token.dep_ != "acomp"
        ):
            continue
        close = other.endswith(part.text.lower()) or part.text.lower().endswith(other)
        if not clause.negated:
            yield (clause.edited(token, other).asked(), "no", "opposite")
        elif close and token.dep_ in ("acomp", "attr") and token.head == clause.root:
            yield (clause.edited(token, other).asked(), "yes", "opposite")


def sibling(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Put a word for another thing of the same sort."""
    told = {token.lower_ for token in clause.root.doc}
    for part in (*clause.objects, *clause.others):
        others = [one for one in KINDS_OF.get(part.text.lower(), ()) if one not in told]
        if part.token is None or not others or clause.negated or part.token.dep_ == "compound":
            continue
        if part.token.nbor(1).pos_ in ("NOUN", "PROPN") or (part.token.nbor(1).text in ("-", "of") and part.token.dep_ == "pobj"):
            continue
        if part.text.lower() in ("march", "may", "january") and part.token.ent_type_ != "DATE":
            continue
        near = [one for one in others if re.search(rf"\b{one}\b", setting.passage, re.I)]
        yield (clause.edited(part.token, setting.dice.choice(near or others)).asked(), "no", "sibling")


def other_name(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Put another country, people, person or place where only one can be meant."""
    told = {token.lower_ for token in clause.root.doc}
    held = {part.token.i: part for part in (*clause.objects, *clause.others) if part.token is not None}
    for name in clause.root.doc.ents:
        if any(token.i not in held for token in name) or clause.negated:
            continue
        first, word = name[0], name.text.lower()
        if len(name) == 1 and (word in PEOPLES or word in LANDS):
            group = sorted(PEOPLES if word in PEOPLES else set(LANDS))
            fit = [one for one in group if one not in told and not any({one, word} <= near for near in NEIGHBOURS)]
            fit = [one for one in fit if LANDS.get(one, one) not in told]
            near = [one for one in fit if re.search(rf"\b{one}\b", setting.passage, re.I)]
            if (word in PEOPLES and not _is_what(clause, first)) or (word in LANDS and clause.root.lemma_ not in _PLACED):
                continue
            yield (clause.edited(first, setting.dice.choice(near or fit)).asked(), "no", "country")
        elif name.label_ in ("PERSON", "GPE") and (name.label_ == "GPE" or _agent(name.root)):
            if (name.label_ == "GPE" and clause.root.lemma_ not in _PLACED) or name.root.dep_ != "pobj":
                continue
            fit = [one for one in setting.names.get(name.label_, []) if not {*one.lower().split()} & told and not _wide(one)]
            near = [one for one in fit if one in setting.passage]
            if fit:
                yield (_renamed(clause, list(name), setting.dice.choice(near or fit)).asked(), "no", "name")


def other_number(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Put another number or year, or ask whether it is more, less, before or after."""
    told = {token.text for token in clause.root.doc}
    found = re.findall(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w%]|[,.]\d)", setting.passage)
    tokens = [part.token for part in (*clause.objects, *clause.others) if part.token is not None]
    for token in tokens:
        text = token.text
        number = value_of(text) if re.fullmatch(r"\d[\d,]*(?:\.\d+)?|[a-z]+", text.lower()) and token.pos_ == "NUM" else None
        if (
            number is None
            or clause.negated
            or number < 2
            or token.ent_type_ in ("PERSON", "ORG", "WORK_OF_ART", "EVENT", "ORDINAL", "LAW", "PRODUCT")
        ):
            continue
        year = token.ent_type_ == "DATE" and text.isdigit() and 1000 <= number <= 2020
        if year:
            event = clause.root.tag_ in ("VBD", "VBN")
            near = [one for one in found if one.isdigit() and 1000 <= int(one) <= 2020 and one not in told]
            shift = setting.dice.choice([-20, -10, -6, -3, -2, -1, 1, 2, 3, 5, 10, 20])
            if event:
                yield (
                    clause.edited(token, setting.dice.choice(near) if near else str(int(number) + shift)).asked(),
                    "no",
                    "year",
                )
            before = token.nbor(-1) if token.i else token
            if event and before.lower_ == "in" and token.head == before:
                later = setting.dice.random() < 0.5
                limit = int(number) + setting.dice.choice([1, 2, 4, 7, 12, 25, 40]) * (1 if later else -1)
                limit = limit if setting.dice.random() < 0.5 else round(limit, -1)
                if limit == number or limit > 2015:
                    continue
                way = setting.dice.choice(("before", "after"))
                yield (
                    _renamed(clause, [before, token], f"{way} {limit}").asked(),
                    "yes" if (way == "before") == (limit > number) else "no",
                    "before",
                )
        elif token.ent_type_ != "DATE" and token.dep_ in ("nummod", "pobj", "attr", "dobj", "compound"):
            sides = {token.nbor(-1).lower_ if token.i else "", token.nbor(1).lower_}
            if sides & {"or", "to", "-", "–", "out", "and", "the", "of", "/", "number"} or token.head.pos_ == "PROPN":
                continue
            rough = bool(_ROUGH.search(clause.root.sent.text))
            near = [one for one in found if one not in told and not re.fullmatch(r"1[5-9]\d\d|20[01]\d", one)]
            other = setting.dice.choice(near) if near and setting.dice.random() < 0.7 else _like(text, number, setting.dice)
            if value_of(other) != number and text.isdigit() == other.isdigit() and not rough:
                yield (clause.edited(token, other).asked(), "no", "number")
            if (
                number > 3
                and token.dep_ == "nummod"
                and token.head.tag_ in ("NN", "NNS")
                and text[0] != "0"
                and not rough
                and not any(child.pos_ in ("ADV", "ADP") for child in token.children)
            ):
                way, up = setting.dice.choice(("more", "less", "fewer")), setting.dice.random() < 0.5
                limit = max(
                    1,
                    _round(
                        number * setting.dice.choice([1.2, 1.5, 2, 3]) if up else number / setting.dice.choice([1.25, 1.5, 2, 3])
                    ),
                )
                counted = token.head.tag_ == "NNS" and token.head.lower_ not in (
                    "percent",
                    "miles",
                    "km",
                    "metres",
                    "meters",
                    "feet",
                    "dollars",
                )
                way = {"less": "fewer", "fewer": "fewer"}.get(way, way) if counted else {"fewer": "less"}.get(way, way)
                if limit != number:
                    yield (
                        clause.edited(token, f"{way} than {limit:,}").asked(),
                        "yes" if (way == "more") == (limit < number) else "no",
                        "than",
                    )


def roles(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Change subject and object round, or active and passive, or both."""
    root = clause.root
    if clause.negated or any(part.token is not None and part.token.tag_ == "WDT" for part in clause.words):
        return
    if (
        root.tag_ in ("VBD", "VBZ", "VBP")
        and root.lemma_ not in _STATES
        and [one.token.dep_ for one in clause.objects if one.token and one.token.head == root] == ["dobj"]
    ):
        patient = clause.objects
        agent = clause.subject
    elif (
        root.tag_ == "VBN"
        and clause.auxiliary.lower() in ("was", "were", "is", "are")
        and clause.objects
        and clause.objects[0].text == "by"
    ):
        patient, agent = clause.subject, clause.objects[1:]
        if not agent or len([one for one in clause.verbs if one.token != root]) > 0:
            return
    else:
        return
    heads = [_head(agent), _head(patient)]
    if None in heads or not agent or not patient or not all(one is not None and one.pos_ in ("NOUN", "PROPN") for one in heads):
        return
    past = root.tag_ == "VBD" or clause.auxiliary.lower() in ("was", "were", "did")
    participle = setting.participles.get(root.lemma_, "")
    others = [one.text for one in clause.others]
    way = root.lemma_ in ONE_WAY and {heads[0].pos_, heads[1].pos_} != {"NOUN", "PROPN"}  # type: ignore[union-attr]
    for one, other, answer in ((agent, patient, "yes"), (patient, agent, "no")):
        if answer == "no" and not way:
            continue
        first, second = [part.text for part in one], [part.text for part in other]
        helper = "did" if past else ("do" if _many(one) else "does")
        active = question([helper, *first, root.lemma_, *second, *others])
        helper = ("were" if past else "are") if _many(other) else ("was" if past else "is")
        passive = question([helper, *second, participle, "by", *first, *others])
        same = root.tag_ == "VBN"
        if answer == "no" or same:
            yield (active, answer, "roles")
        if participle and (answer == "no" or not same):
            yield (passive, answer, "roles")


def quantifier(clause: Clause, setting: Setting) -> Iterator[Made]:
    """Put "always" for "often", "all" for "some", "only" before one of several, and what is weaker the other way."""
    if clause.negated:
        return
    for part in clause.verbs:
        if part.token is not None and part.text.lower() in _OFTEN:
            yield (clause.edited(part.token, "always").asked(), "no", "always")
            yield (clause.edited(part.token, setting.dice.choice(("sometimes", "ever"))).asked(), "yes", "always")
        elif part.token is not None and part.text.lower() == "always":
            yield (clause.asked(), "yes", "always")
    first = clause.subject[0]
    if (
        (
            (first.token is not None and first.text.lower() in _SOME and first.token.dep_ == "amod")
            or first.text.lower()
            in (
                "some",
                "most",
            )
        )
        and len(clause.subject) > 1
        and clause.subject[-1].text != first.text
        and _many(clause.subject)
    ):
        if first.text.lower() in ("some", "most", "few"):
            yield (clause.edited(first.token, "all").asked(), "no", "all")  # type: ignore[arg-type]
        yield (clause.edited(first.token, "some").asked(), "yes", "all")  # type: ignore[arg-type]
    if first.text.lower() in ("all", "every", "each"):
        yield (clause.asked(), "yes", "all")
    listed = [
        one
        for one in clause.objects
        if one.token is not None and one.token.dep_ in ("dobj", "attr") and any(c.dep_ == "conj" for c in one.token.children)
    ]
    listed = [
        one
        for one in listed
        if one.token is not None
        and not any(part.token in [c for c in one.token.children if c.dep_ == "conj"] for part in clause.objects)
    ]
    if listed and clause.objects[0].text.lower() not in ("a", "an", "the") and clause.verbs:
        yield (
            question(
                [clause.auxiliary, *(p.text for p in (*clause.subject, *clause.verbs)), "only", *(p.text for p in clause.objects)]
            ),
            "no",
            "only",
        )
    if any(part.text.lower() == "only" for part in clause.words):
        yield (clause.asked(), "yes", "only")


EDITS: tuple[Callable[[Clause, Setting], Iterator[Made]], ...] = (
    plain,
    said_otherwise,
    turned,
    sibling,
    other_name,
    other_number,
    roles,
    quantifier,
)


def _droppable(token: Token | None) -> bool:
    return (
        token is not None
        and token.dep_ == "amod"
        and token.pos_ == "ADJ"
        and token.lower_ not in STAYS
        and token.tag_ == "JJ"
        and not token.ent_type_
        and not [*token.children]
    )


def _is_what(clause: Clause, token: Token) -> bool:
    return clause.root.lemma_ == "be" and token.dep_ == "amod" and token.head.dep_ == "attr" and token.head.head == clause.root


def _agent(token: Token) -> bool:
    return token.dep_ == "pobj" and token.head.lower_ in ("by", "after") and token.head.dep_ in ("agent", "prep")


def _renamed(clause: Clause, tokens: list[Token], text: str) -> Clause:
    for token in tokens[1:]:
        clause = clause.edited(token, "")
    return clause.edited(tokens[0], text)


def _like(text: str, number: float, dice: random.Random) -> str:
    if text.isalpha():
        return dice.choice([one for place, one in enumerate(CARDINALS) if place > 1 and place != number])
    shifted = number + dice.choice([1, 2, 3]) if number < 20 else _round(number * dice.choice([0.5, 0.7, 0.9, 1.1, 1.5, 2]))
    return f"{shifted:.1f}" if "." in text else (f"{int(shifted):,}" if "," in text else str(int(shifted)))


def _round(number: float) -> int:
    digits = len(str(int(number)))
    return int(round(number, -max(0, digits - 2)))


def _head(parts: tuple[Part, ...]) -> Token | None:
    tokens = [part.token for part in parts if part.token is not None]
    return next((token for token in tokens if token.head not in tokens), None)


def _wide(name: str) -> bool:
    """Return whether a name is a country's or an area's, in which another place may lie, or is cut wrongly."""
    wide = {"uk", "us", "usa", "u.s.", "united states", "united kingdom", "europe", "asia", "africa"}
    return name.lower().removeprefix("the ") in wide | set(LANDS) or "'" in name or "’" in name or name.islower()


def _many(parts: tuple[Part, ...]) -> bool:
    head = _head(parts)
    return head is not None and (head.tag_ in ("NNS", "NNPS") or any(child.dep_ == "conj" for child in head.children))
