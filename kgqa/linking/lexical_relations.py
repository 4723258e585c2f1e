"""Lexical relations: forms of one word, directions and opposites, synonyms, and names that say nearly the same.

A phrase has signs: the directions of its words and prefixes. No loose link may cross one: "lack of sleep" is not sleep, a rise is
not a fall. Two phrases can only mean the same, or one a kind of the other, where their signs are equal and no word of one is the
opposite of a word of the other. A different number counts as an opposite: World War I is not World War II.

Synonyms are from WordNet's nouns and from articles. Alike names, such as "flood" and "flooding", are grouped, so that an answer
shows them once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from graph.text.normalise import concept_name, singular, surface_name
from graph.text.stems import regular_roots
from graph.text.stop_words import STOP_WORDS
from graph.text.word_lists import LookupTable, kind_of_noun, word_sets


@cache
def lookup_table(name: str) -> LookupTable:
    """Return a table of the folder of data, read once: "synonyms", "forms", "opposites" or "verbs"."""
    return LookupTable(Path(__file__).with_name("data").joinpath(f"{name}.tsv").read_bytes())


@cache
def word_set(name: str) -> frozenset[str]:
    """Return one of the sets of words of data/words.tsv, where the meaning of each stands."""
    return word_sets(Path(__file__).with_name("data") / "words.tsv")[name]


def is_known_word(word: str) -> bool:
    """Return whether one of the tables of words knows a lower-case word."""
    return any(lookup_table(name).get(form) for name in ("synonyms", "forms", "opposites") for form in (word, singular(word)))


@lru_cache(maxsize=20_000)
def act_verb(word: str) -> str:
    """Return the verb of a noun that names an act or a state, or of an irregular form; empty where it names none."""
    return lookup_table("forms").get(word) or lookup_table("forms").get(singular(word))


def is_only_verb(word: str) -> bool:
    """Return whether a lower-case word is the base form of a verb, or its participle, and neither a noun nor an adjective."""
    return lookup_table("verbs").get(word) != ""


@lru_cache(maxsize=50_000)
def is_related_form(first: str, second: str) -> bool:
    """Return whether two lower-case words are forms of one word: by number, by inflection, or derived from one verb."""
    if singular(first) == singular(second) or (act_verb(first) or singular(first)) == (act_verb(second) or singular(second)):
        return True
    return not word_roots(first).isdisjoint(word_roots(second))


@lru_cache(maxsize=20_000)
def word_roots(word: str) -> frozenset[str]:
    """Return a lower-case word with the words that it may be a form of, and the verbs of the acts that it may name."""
    roots = {word, singular(word), *regular_roots(word)}
    return frozenset(roots | {act for root in roots if (act := act_verb(root))})


def words_key(name: str) -> tuple[str, ...]:
    """Return the singulars of a name's words, without hyphens: names with one key differ in number at most."""
    return tuple(singular(word) for word in name.replace("-", " ").split())


def covers_words(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether the words of two names are forms of one another, one to one, in any order."""
    if len(words) != len(theirs):
        return False
    if len(words) == 1:
        return _is_same_alone(words[0], theirs[0])
    rest = list(theirs)
    for word in words:
        match = next((candidate for candidate in rest if word == candidate or is_related_form(word, candidate)), None)
        if match is None:
            return False
        rest.remove(match)
    return True


def _is_same_alone(first: str, second: str) -> bool:
    """Return whether two words that stand alone are forms of one: a thing is not what is done with it ("fish", "fishing")."""
    if singular(first) == singular(second):
        return True
    if act_verb(first) or act_verb(second) or kind_of_noun(first):
        return bool(act_verb(first)) and (act_verb(first) == act_verb(second) or act_verb(first) in word_roots(second))
    return is_related_form(first, second)


MORE = "more"
LESS = "less"
_PREFIXES = {"hyper": MORE, "hypo": LESS, "anti": LESS, "non": LESS}
_WITHOUT = frozenset(("of", "from", ""))
_LOCAL = frozenset("low lower high higher upper".split())
# What takes part in a name without saying how much: "high school", "withdrawal symptoms", "crop rotation end".
_NAMES = re.compile(
    r"\b(?:high school|high schools|high sea|high seas|high court|no one|fallout|free trade|free will|free market|free radicals?|"
    r"free time|free speech|higher education|high altitude|high tide|low tide|no man|drop out|little finger|"
    r"little toe|few minutes|few days|end stage|open end|lost in|rise to|not only|rate increase|dead end|"
    r"(?:is|are|was|were|be|became|become|made) free(?! of| from))\b"
)
_CHANGING = re.compile(
    r"\btoo (much|many|little|few)\b|\bnot enough\b|\bnot (?:getting |having |eating |drinking |doing )?enough\b"
)
_ROMAN = {word: str(number) for number, word in enumerate("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi".split(), 1)}
_NEGATIONS = ("un", "in", "im", "ir", "il", "dis", "non", "anti", "de", "mis", "mal", "counter", "under", "over", "a", "an", "re")
_OPPOSITE_PREFIXES = tuple(
    pair.split("-")
    for pair in "hyper-hypo over-under in-out pre-post pre-pro macro-micro pro-anti im-ex in-de hypo-hyper under-over out-in "
    "post-pre pro-pre micro-macro anti-pro ex-im de-in".split()
)


@cache
def polarity_words() -> Mapping[str, tuple[str, str]]:
    """Return the words that by themselves say how much there is of a thing, each with its group of one sense and its sign."""
    rows = Path(__file__).with_name("data").joinpath("polarity.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {word: (group, sign) for group, sign, words in (row.split("\t") for row in rows) for word in words.split()}


@lru_cache(maxsize=20_000)
def polarity_marks(phrase: str) -> tuple[tuple[str, str], ...]:
    """Return the directions in a phrase in order, each as its group and its sign: "lack of sleep" has ("lack", "less")."""
    text = surface_name(phrase).replace("-", " ").replace("‐", " ")
    text = _CHANGING.sub(lambda match: f"too-{match[1]}" if match[1] else "insufficient", text)
    words = [word.strip(".,;:!?\"'()") for word in _NAMES.sub(" ", text).split()]
    directions = []
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        free = word == "free" and after not in _WITHOUT
        if free and (not before or before in STOP_WORDS["linking"] or before in polarity_words()):
            continue  # Free sugar and free trade are kinds; a sugar free diet lacks sugar.
        if word in _LOCAL and after in word_set("placed"):
            continue
        if word in polarity_words():
            directions.append(polarity_words()[word])
        elif word not in word_set("not prefixed") and len(word) > 6:
            directions.extend((prefix, sign) for prefix, sign in _PREFIXES.items() if word.startswith(prefix))
    return tuple(directions)


@lru_cache(maxsize=20_000)
def polarity_signs(phrase: str) -> tuple[str, ...]:
    """Return the signs of a phrase, sorted: "more" for each word of rise and plenty, "less" for each of fall and want."""
    return tuple(sorted(sign for _, sign in polarity_marks(phrase)))


def polarity_group(word: str) -> str:
    """Return the group of a lower-case word that by itself says how much there is of a thing; empty for any other word."""
    return polarity_words().get(word, ("", ""))[0]


def changes_polarity(phrase: str, name: str) -> bool:
    """Return whether reading `phrase` as `name` would lose, gain or turn a direction, or take a word for its opposite."""
    return polarity_signs(phrase) != polarity_signs(name) or has_opposite_words(phrase, name)


def has_opposite_words(phrase: str, name: str) -> bool:
    """Return whether a word of the one is the opposite of a word of the other that the one itself does not have."""
    ours, theirs = (frozenset(surface_name(text).replace("-", " ").split()) for text in (phrase, name))
    return any(_are_opposites(word, name_word) for word in ours - theirs for name_word in theirs - ours)


def is_of_less(name: str, beside: str) -> bool:
    """Return whether a name is of less of another, or of its opposite; a high level of it is still the same thing."""
    lessened = [set(polarity_signs(text)) - {MORE} for text in (name, beside)]
    return lessened[0] != lessened[1] or has_opposite_words(name, beside)


@lru_cache(maxsize=20_000)
def is_contrary_event(phrase: str, name: str) -> bool:
    """Return whether a phrase says that a thing goes, or comes, and the name of the same thing does not: its fall, its building.

    The name of a coming is that of the thing as well.
    """
    words, own = phrase.lower().split(), name.lower().split()
    ends, comes = (not word_set(kind).isdisjoint(words) for kind in ("endings", "comings"))
    own_ends, own_comes = (not word_set(kind).isdisjoint(own) for kind in ("endings", "comings"))
    if ends == comes or (own_ends and own_comes):
        return False
    if comes and not own_ends:
        return False
    left_out = word_set("endings") | word_set("comings") | STOP_WORDS["linking"]
    things, theirs = ({singular(word) for word in each if word not in left_out} for each in (words, own))
    return own_ends is not ends and theirs <= things and 2 * len(theirs) > len(things)


def _are_opposites(first: str, second: str) -> bool:
    """Return whether two words are antonyms, or one is the other with a prefix that turns it: "stability", "instability"."""
    if second in antonyms(first) or first in antonyms(second):
        return True
    if _numeral_of(first) and _numeral_of(second):
        return _numeral_of(first) != _numeral_of(second)
    shorter, longer = sorted((first, second), key=len)
    for prefix in _NEGATIONS:
        if len(shorter) >= 4 and longer.startswith(prefix) and is_related_form(longer[len(prefix) :], shorter):
            return True
    for word, opposite in ((first, second), (second, first)):
        stem = _without_ending(word, "less")
        if stem and stem in (opposite, _without_ending(opposite, "ful")):
            return True
    return any(
        first.startswith(prefix) and singular(second) == turned + singular(first[len(prefix) :])
        for prefix, turned in _OPPOSITE_PREFIXES
    )


@lru_cache(maxsize=20_000)
def antonyms(word: str) -> frozenset[str]:
    """Return the antonyms of a lower-case word in the table."""
    return frozenset(filter(None, lookup_table("opposites").get(word).split("|")))


def _numeral_of(word: str) -> str:
    return word if word.isdecimal() else _ROMAN.get(word, "")


def _without_ending(word: str, ending: str) -> str:
    return word.removesuffix(ending) if len(word) > len(ending) + 2 and word.endswith(ending) else ""


_MOST_WORDS = 6
_AILMENTS = ("disease", "syndrome", "disorder", "problem", "condition", "issue", "trouble")


@lru_cache(maxsize=20_000)
def synonyms(name: str) -> tuple[str, ...]:
    """Return the names that say the same as a concept's name: its whole name, or else a part of it, said in another way.

    "car accident" is an "auto accident" as well. None turns a direction or a word into its opposite.
    """
    names = _table_synonyms(name) or _part_synonyms(name.split())
    return tuple(dict.fromkeys(synonym for synonym in names if synonym != name and not changes_polarity(name, synonym)))


def _table_synonyms(name: str) -> list[str]:
    return list(filter(None, lookup_table("synonyms").get(name).split("|")))


def _part_synonyms(words: list[str]) -> list[str]:
    for length in range(len(words) - 1, 0, -1) if len(words) <= _MOST_WORDS else ():
        for start in range(len(words) - length + 1):
            part = " ".join(words[start : start + length])
            if len(part) > 2 and (replacements := _table_synonyms(part)):
                return [" ".join((*words[:start], replacement, *words[start + length :])) for replacement in replacements]
    return []


_ORDINALS = dict(zip("first second third fourth fifth sixth".split(), "i ii iii iv v vi".split(), strict=True))
_CARDINALS = dict(zip("one two three four five six 1 2 3 4 5 6".split(), 2 * "i ii iii iv v vi".split(), strict=True))


def ordinal_names(name: str) -> Iterator[str]:
    """Iterate over a numbered name with its number at the other end, or in another form: "First World War" is "World War I"."""
    first, _, rest = name.partition(" ")
    before, _, last = name.rpartition(" ")
    if rest and first in _ORDINALS:
        yield f"{rest} {_ORDINALS[first]}"
    if before and last in _CARDINALS:
        yield f"{before} {_CARDINALS[last]}"
    yield from (f"{ordinal} {before}" for ordinal, number in _ORDINALS.items() if before and last == number)


def numbers_in(name: str) -> frozenset[str]:
    """Return the numbers in a name, whichever way they are written: "First World War" and "World War I" have the same."""
    numerals = _ORDINALS | _CARDINALS | {number: number for number in _ORDINALS.values()}
    return frozenset(numerals.get(word, word) for word in name.split() if word in numerals or any(map(str.isdigit, word)))


def abbreviates(short: str, long: str) -> bool:
    """Return whether a name is made of the first letters of the words of another."""
    return " " not in short and len(short) >= 2 and short == "".join(word[0] for word in long.replace("-", " ").split())


def ailment_names(name: str) -> Iterator[str]:
    """Iterate over the other ways to name an ailment: "Crohn's disease" for "crohn's", "lung disease" for "lung problem"."""
    *front, head = name.split()
    if front and head in _AILMENTS[3:]:
        yield from (" ".join((*front, alternative)) for alternative in _AILMENTS if alternative != head)
    elif head.endswith("'s") or not kind_of_noun(head):
        stem = name.removesuffix("'s")
        for form in dict.fromkeys((f"{stem}'s", stem, f"{stem[:-1]}'s" if stem.endswith("s") else stem)):
            yield from (f"{form} {ailment}" for ailment in _AILMENTS[:3])


_SAME_SENSE = frozenset({"excess", "increase", "high", "lack", "decrease", "low"})


def group_alike_names(names: Sequence[str]) -> list[list[str]]:
    """Return the names in groups that say nearly the same, in the order of their first ones, which is the one to be shown.

    Two names are alike where their words are, in the same order or turned round an "of" ("loss of hearing", "hearing loss"), in
    other numbers and forms of one verb, or where one is a synonym of the other. Neither has a word that the other lacks, so that
    a broader name is never taken for a narrower one; nor do they differ in direction.
    """
    groups: list[list[str]] = []
    groups_of_key: dict[frozenset[str], list[str]] = {}
    for name in dict.fromkeys(names):
        keys = _name_keys(name)
        alike = (groups_of_key[key] for key in keys if key in groups_of_key)
        group = next((group for group in alike if not changes_polarity(group[0], name)), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(name)
        for key in keys:
            groups_of_key.setdefault(key, group)
    return groups


@lru_cache(maxsize=20_000)
def _name_keys(name: str) -> tuple[frozenset[str], ...]:
    plain = concept_name(name) or name
    return tuple(dict.fromkeys(_name_key(variant) for variant in (plain, *synonyms(plain))))


def _name_key(name: str) -> frozenset[str]:
    """Return what the words of a name come to: acts by their verb, directions by their group, other words in the singular."""
    words = [word for word in name.replace("-", " ").split() if word not in STOP_WORDS["names"]] or [name]
    groups = [polarity_group(word) if len(words) > 1 else "" for word in words]
    verbs = [f"to {act}" if (act := act_verb(word)) else singular(word) for word in words]
    return frozenset(f"<{group}>" if group in _SAME_SENSE else verb for group, verb in zip(groups, verbs, strict=True))
