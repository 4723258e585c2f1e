"""Questions that their passage no longer answers: an answered question with a name, number or word put for another."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from made_questions.clause_edits import NOUNS
from made_questions.word_tables import OPPOSITES, RELATED
from spacy.language import Language
from spacy.tokens import Doc

from reader.reader_rows import Row, found, plain

SOURCES = ("squad2", "causalqa-squad2", "squad-why")
SHARES = {"name": 0.55, "number": 0.2, "opposite": 0.35, "relation": 0.2, "not": 0.1}
"""Which part of all rows one edit may make at most."""
SEEN = 2
"""A name is put for another only where it is found this often: what is found once is often no name."""
NAMED = ("PERSON", "GPE", "ORG", "NORP", "LOC", "EVENT")
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w%])")
_END = re.compile(r"(?<=[.!?])\s+")
_HELPERS = "is are was were does do did can could will would should has have had".split()


def unanswerable(rows: Sequence[Row], nlp: Language, count: int, seed: int = 7) -> list[Row]:
    """Return `count` rows of kind "null" at most, made of the answered ones in `rows`, one or two of each."""
    dice = random.Random(seed)
    asked = [row for row in rows if row.source in SOURCES and row.kind == "span" and row.spans]
    docs = list(nlp.pipe((row.question.strip() for row in asked), batch_size=128))
    seen = Counter((name.label_, name.text) for doc in docs for name in doc.ents)
    by_kind: defaultdict[str, set[str]] = defaultdict(set)
    near: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row, doc in zip(asked, docs, strict=True):
        for name in doc.ents:
            if seen[name.label_, name.text] < SEEN:
                continue
            by_kind[name.label_].add(name.text)
            near[row.passage[:60]][name.label_].add(name.text)
    pool = {label: sorted(names) for label, names in by_kind.items()}
    made = [
        replace(row, source="made-null", question=question, kind="null", spans=[], answers=[], id=f"{name}: {row.id}")
        for row, doc in zip(asked, docs, strict=True)
        for question, name in edits(row, doc, pool, near[row.passage[:60]], dice)
    ]
    dice.shuffle(made)
    counts: Counter[str] = Counter()
    kept: list[Row] = []
    for row in made:
        edit = row.id.partition(":")[0]
        if counts[edit] < SHARES[edit] * count and len(kept) < count:
            counts[edit] += 1
            kept.append(row)
    return kept


def edits(
    row: Row, doc: Doc, pool: Mapping[str, Sequence[str]], near: Mapping[str, set[str]], dice: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield edited questions with the name of the edit; the new words stand nowhere near the answer."""
    passage = plain(row.passage)
    told = " ".join(one for one in _END.split(row.passage) if any(found(answer, one) for answer in row.answers)) or row.passage
    close = plain(told).split()
    for name in doc.ents:
        text = name.text.removeprefix("the ").removesuffix("'s")
        if name.label_ not in NAMED or (name.root.pos_ != "PROPN" and name.label_ != "NORP") or plain(text) not in plain(told):
            continue
        beside = [
            one for one in sorted(near.get(name.label_, ())) if plain(one) in passage and not set(plain(one).split()) & set(close)
        ]
        far = [
            one
            for one in dice.sample(pool[name.label_], min(40, len(pool[name.label_])))
            if not set(plain(one).split()) & set(passage.split())
        ]
        fit = [one for one in (beside or far) if _alike(text, one)]
        if fit:
            other = dice.choice(fit).removeprefix("the ").removesuffix("'s")
            if not set(plain(other).split()) & set(plain(doc.text).split()):
                yield doc.text.replace(text, other, 1), "name"
    for token in doc:
        word = token.lower_
        if _NUMBER.fullmatch(token.text) and found(token.text, told):
            others = [one for one in _NUMBER.findall(row.passage) if len(one) == len(token.text) and one not in told]
            value = token.text
            if not others and value.isdigit():
                shifted = (
                    str(int(value) + dice.choice([-20, -11, -4, -2, 2, 3, 7, 15]))
                    if len(value) > 2
                    else str(int(value) + dice.choice([1, 2, 3]))
                )
                others = [shifted] if shifted not in passage.split() else []
            if others and not doc.text[token.idx + len(token.text) :].startswith(("-", "s", "th", "'")):
                yield _put(doc.text, token.idx, token.text, dice.choice(others)), "number"
        other = OPPOSITES.get(word, "")
        fits = token.pos_ in ("ADJ", "ADV") or token.pos_ == "VERB" or (token.pos_ == "NOUN" and word in NOUNS)
        follows = token.nbor(1).lower_ if token.i + 1 < len(doc) else ""
        stood = not token.ent_type_ and token.dep_ != "compound" and follows not in ("school", "schools", "-", "to", "time")
        if (
            other
            and fits
            and stood
            and token.i
            and doc[token.i - 1].lower_ not in ("how", "at", "or")
            and word not in ("more", "most", "least", "left", "right", "same", "first", "last", "day")
        ) and not {other, other[:-1], other[:6]} & {
            one if len(one) < 6 else cut for one in passage.split() for cut in (one, one[:6])
        }:
            yield _put(doc.text, token.idx, token.text, other), "opposite"
        related = [
            one for one in RELATED.get(word.removesuffix("s") if word not in RELATED else word, ()) if one[:5] not in passage
        ]
        if (
            related
            and not token.ent_type_
            and token.pos_ == "NOUN"
            and token.dep_ != "compound"
            and token.i
            and word[:5] in passage
        ):
            ending = "s" if word not in RELATED and word.endswith("s") else ""
            yield _put(doc.text, token.idx, token.text, dice.choice(related) + ending), "relation"
    negated = denied(doc)
    if negated and not re.search(r"\b(?:not|never|no|without|un\w+able)\b|n't\b", told + doc.text):
        yield negated, "not"


def denied(doc: Doc) -> str:
    """Return the question with "not" in its main clause; empty where it has no place."""
    roots = [token for token in doc if token.dep_ == "ROOT"]
    helpers = (
        [token for token in roots[0].lefts if token.dep_ in ("aux", "auxpass") and token.lower_ in _HELPERS] if roots else []
    )
    subjects = [token for token in roots[0].lefts if token.dep_ in ("nsubj", "nsubjpass")] if roots else []
    if not helpers or not subjects or roots[0].pos_ != "VERB":
        return ""
    place = roots[0].idx if subjects[0].i > helpers[0].i else helpers[0].idx + len(helpers[0].text) + 1
    return f"{doc.text[:place]}not {doc.text[place:]}"


def _alike(one: str, other: str) -> bool:
    """Return whether two names are cut alike: both of one word or both of several, no digits, capitals at the beginning."""
    return (
        (" " in one) == (" " in other)
        and one[0].isupper()
        and other.removeprefix("the ")[:1].isupper()
        and not re.search(r"[\d?,()]", other)
    )


def _put(text: str, start: int, old: str, new: str) -> str:
    new = new.capitalize() if old[0].isupper() else new
    return (
        re.sub(r"\b([Aa])n? (?=$)", lambda match: f"{match[1]}{'n' if new[0] in 'aeiou' else ''} ", text[:start])
        + new
        + text[start + len(old) :]
    )
