"""The words that the rules know by a name, what common words are about, and which phrases name a trouble.

data/words.jsonl has named sets of phrases, data/verbs.tsv one causal verb a line, with the relation that it expresses and the
group of rules that may use it. data/topics.tsv has the topics of words (illness, body, machine, kinds of acts), made from WordNet
by scripts/build/build_topics.py; it is searched as it stands, for no question needs more than a few dozen of its 25,000 words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from graph.model import Relation
from graph.text.stems import base_forms
from graph.text.word_lists import LookupTable, table_rows

_CONTRACTED = {"'s": "is", "'re": "are", "'d": "did", "'ll": "will"}
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}


class LexiconPhrase(NamedTuple):
    """One of the phrases of a named set, word by word, with the relation that it expresses, if any.

    A `verb` is not read as one before words of the set "follows noun": in "the cause of" it is a noun.
    """

    words: tuple[str, ...]
    relation: Relation | None = None
    verb: bool = False


class Lexicon(NamedTuple):
    """The named sets, with their phrases as plain text beside them, and the contractions.

    A contraction's form leads to its first word, its second word and the letters that the first takes.
    """

    sets: Mapping[str, tuple[LexiconPhrase, ...]]
    plain: Mapping[str, frozenset[str]]
    contractions: Mapping[str, tuple[str, str, int]]


@cache
def lexicon() -> Lexicon:
    """Read the vocabulary, once."""
    sets: dict[str, list[LexiconPhrase]] = {}
    for row in read_question_rows("words.jsonl"):
        relation = Relation(row["relation"]) if "relation" in row else None
        sets.setdefault(row["set"], []).extend(LexiconPhrase(tuple(text.split()), relation) for text in row["phrases"].split("|"))
    for name, phrase in _causal_verbs():
        sets.setdefault(name, []).append(phrase)
    plain = {name: frozenset(" ".join(phrase.words) for phrase in phrases) for name, phrases in sets.items()}
    contractions = dict(_contractions(plain["aux"], plain["contracting"]))
    return Lexicon({name: tuple(phrases) for name, phrases in sets.items()}, plain, contractions)


def read_question_data(name: str) -> str:
    """Return the text of the file `name` of this package's data."""
    return Path(__file__).with_name("data").joinpath(name).read_text(encoding="utf-8")


def read_question_rows(name: str) -> list[dict[str, Any]]:
    """Return the lines of the JSON lines file `name` of this package's data."""
    rows: list[dict[str, Any]] = json.loads(f"[{','.join(read_question_data(name).splitlines())}]")
    return rows


def _causal_verbs() -> Iterator[tuple[str, LexiconPhrase]]:
    """Yield the forms of the causal verbs with the names of the sets that they belong to.

    "causes" are the finite forms of the verbs that are causal in any question (group "any"), "affects" has also those that
    are causal next to a cause or an effect ("one"), "makes" also those that need both beside them ("both"). "caused by" has
    the passives of all, "causing" the progressive forms of the first two groups.
    """
    for row in table_rows(read_question_data("verbs.tsv")):
        relation, narrowest = Relation(row["relation"]), ("any", "one", "both").index(row["group"])
        for text in dict.fromkeys((row["base"], row["third"], row["past"])):
            phrase = LexiconPhrase(tuple(text.split()), relation, verb=True)
            yield from ((name, phrase) for name in ("causes", "affects", "makes")[narrowest:])
        if row["group"] != "both":
            yield "causing", LexiconPhrase(tuple(row["gerund"].split()), relation)
        if row["participle"] != "-":
            yield "caused by", LexiconPhrase((*row["participle"].split(), "by"), relation)
    yield "caused by", LexiconPhrase(("caused", "from"), Relation.CAUSES)


def _contractions(auxiliaries: frozenset[str], hosts: frozenset[str]) -> Iterator[tuple[str, tuple[str, str, int]]]:
    """Yield the contractions of negated auxiliaries ("doesn't", "doesnt") and of question words ("what's", "whats")."""
    for stem, auxiliary in [*((auxiliary, auxiliary) for auxiliary in auxiliaries), *_IRREGULAR.items()]:
        for ending in ("n't", "nt"):
            yield stem + ending, (auxiliary, "n't", len(stem))
    yield "cannot", ("can", "n't", 3)
    for host in hosts:
        for ending, auxiliary in _CONTRACTED.items():
            yield host + ending, (host, auxiliary, len(host))
    for host in ("what", "who", "how", "why"):
        yield host + "s", (host, "is", len(host))


@lru_cache(maxsize=8192)
def topics_of(word: str) -> tuple[str, ...]:
    """Return the topics of a word in lower case, those of its base form where it is inflected; none for a word unknown."""
    names, table = _topic_table()
    for form in base_forms(word):
        letters = table.get(form)
        if letters:
            return tuple(names[letter] for letter in letters)
    return ()


@lru_cache(maxsize=8192)
def verb_topics(word: str, *, base: bool = False) -> tuple[str, ...]:
    """Return the topics that a word has as a verb; with `base` only where it is no inflected form."""
    names, table = _topic_table()
    letters = table.get(word) if base else None
    topics = topics_of(word) if letters is None else tuple(names[letter] for letter in letters)
    return tuple(topic for topic in topics if topic.startswith("v "))


@cache
def _topic_table() -> tuple[Mapping[str, str], LookupTable]:
    header, _, lines = read_question_data("topics.tsv").partition("\n")
    return dict(part.split("=") for part in header[1:].split("|")), LookupTable(lines.encode())


_CUE_SETS = ("cause noun", "effect nouns", "effect noun", "remedy noun", "causes")
_SHORTEST_CUE = 5
_LONGEST_MENDED = 200
"""The number of characters of the longest question that is mended."""
_LEAST_LIKENESS = 0.8


def correct_cue_word(question: str) -> str | None:
    """Return a question with a misspelt word that asks ("symtoms", "concequences") spelt right; `None` where there is none."""
    if len(question) > _LONGEST_MENDED:
        return None
    sets = lexicon().plain
    cues = {phrase for name in _CUE_SETS for phrase in sets[name] if " " not in phrase and len(phrase) >= _SHORTEST_CUE}
    for place, word in enumerate(question.split()):
        form = word.strip(".,;:!?").lower()
        is_name = place > 0 and word[:1].isupper()
        if not is_name and len(form) >= _SHORTEST_CUE and form.isalpha() and form not in cues and not topics_of(form):
            from difflib import get_close_matches

            near = get_close_matches(form, sorted(cues), 1, _LEAST_LIKENESS)
            if near:
                return question.replace(word, word.lower().replace(form, near[0]), 1)
    return None


_LONGEST_TROUBLE = 4


def is_trouble(phrase: str) -> bool:
    """Say whether a short phrase names an illness or another trouble, by its head or by what is sore or upset in it."""
    words = phrase.lower().split()
    sets = lexicon().plain
    end = next((place for place, word in enumerate(words) if place and word in sets["preposition"] | {"of", "when"}), len(words))
    head = words[:end]
    if not 0 < len(head) <= _LONGEST_TROUBLE or not sets["causes"].isdisjoint(head):
        return False
    if head[-1] in sets["trouble"] or " ".join(head[-2:]) in sets["trouble"] or not sets["hurting"].isdisjoint(head[:-1]):
        return True
    return "illness" in topics_of(head[-1]) and head[-1] not in sets["no trouble"]
