"""The words that the rules speak of by a name: question words, auxiliaries, causal verbs in all their forms, and more.

They are kept in data/words.jsonl (named sets of phrases) and data/verbs.tsv (one causal verb a line, with the relation that
it expresses and the group of rules that may use it).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from graph.model import Relation

_FORMS = ("base", "third", "past", "participle", "gerund")
_CONTRACTED = {"'s": "is", "'re": "are", "'d": "did", "'ll": "will"}
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One of the phrases of a named set, word by word, with the relation that it expresses, if any.

    A `verb` is not read as one before "of", where it is a noun.
    """

    words: tuple[str, ...]
    relation: Relation | None = None
    verb: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The named sets, the contractions (form: first word, second word, letters of the first) and the abbreviations."""

    sets: Mapping[str, tuple[Phrase, ...]]
    contractions: Mapping[str, tuple[str, str, int]]
    abbreviations: frozenset[str]

    def words(self, name: str) -> frozenset[str]:
        """Return the phrases of the set `name` as plain text."""
        return frozenset(" ".join(phrase.words) for phrase in self.sets[name])


@cache
def vocabulary() -> Vocabulary:
    """Read the vocabulary, once."""
    sets: dict[str, list[Phrase]] = {}
    for line in read("words.jsonl").splitlines():
        row = json.loads(line)
        relation = Relation(row["relation"]) if "relation" in row else None
        sets.setdefault(row["set"], []).extend(Phrase(tuple(text.split()), relation) for text in row["phrases"].split("|"))
    for name, phrase in _verbs():
        sets.setdefault(name, []).append(phrase)
    plain = {name: frozenset(" ".join(phrase.words) for phrase in phrases) for name, phrases in sets.items()}
    return Vocabulary(
        sets={name: tuple(phrases) for name, phrases in sets.items()},
        contractions=dict(_contractions(plain["aux"], plain["contracting"])),
        abbreviations=plain["abbreviation"],
    )


def read(name: str) -> str:
    """Return the text of the file `name` of this package's data."""
    return resources.files("kgqa.typology").joinpath("data", name).read_text(encoding="utf-8")


def _verbs() -> Iterator[tuple[str, Phrase]]:
    """Yield the forms of the causal verbs with the names of the sets that they belong to.

    "causes" are the finite forms of the verbs that are causal in any question, "affects" those of the verbs that are causal
    next to a cause or an effect, "makes" those that need both; each set contains the one before. "caused by" and "causing"
    are the passive and the progressive, "prevents" and "prevent" the forms of what hinders.
    """
    header, *lines = read("verbs.tsv").splitlines()
    for line in lines:
        row = dict(zip(header.split("\t"), line.split("\t"), strict=True))
        relation, tier = Relation(row["relation"]), ("any", "one", "both").index(row["group"])
        finite = [row[form] for form in ("base", "third", "past")]
        for text in dict.fromkeys(finite):
            phrase = Phrase(tuple(text.split()), relation, verb=True)
            yield from ((name, phrase) for name in ("causes", "affects", "makes")[tier:])
            if relation is Relation.PREVENTS:
                yield "prevents", phrase
        if relation is Relation.PREVENTS:
            yield "prevent", Phrase(tuple(row["base"].split()), relation, verb=True)
            yield "preventing", Phrase(tuple(row["gerund"].split()), relation)
        yield "causing", Phrase(tuple(row["gerund"].split()), relation)
        if row["participle"] != "-":
            yield "caused", Phrase(tuple(row["participle"].split()), relation)
            yield from (("caused by", Phrase((*row["participle"].split(), word), relation)) for word in ("by", "from"))


def _contractions(auxiliaries: frozenset[str], hosts: frozenset[str]) -> Iterator[tuple[str, tuple[str, str, int]]]:
    """Yield the contractions of negated auxiliaries ("doesn't", "doesnt") and of question words ("what's", "whats")."""
    for auxiliary in auxiliaries:
        stem = next((short for short, full in _NEGATED.items() if full == auxiliary and short != "ai"), auxiliary)
        for stem_form in {stem} | ({"ai"} if auxiliary == "is" else set()):
            length = len(stem_form)
            yield stem_form + "n't", (auxiliary, "not", length)
            yield stem_form + "nt", (auxiliary, "not", length)
    yield "cannot", ("can", "not", 3)
    for host in hosts:
        for ending, auxiliary in _CONTRACTED.items():
            yield host + ending, (host, auxiliary, len(host))
    for host in ("what", "who", "how", "why"):
        yield host + "s", (host, "is", len(host))
