"""Keys of names: what two names of one thing share, whatever the form, the spelling and the order of their words.

"Shortage of food" is food shortage, "survive" and "surviving" are survival, a tumour is a tumor; a rise in price is a higher
price. What says more or less of a thing, denies it or numbers it keeps its own words, so that no key turns a name into its
opposite. What says the same in other words stands in data/same_things.tsv: each pair was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from graph.text.normalise import singular
from graph.text.word_lists import ACT_KINDS, kind_of_noun
from kgqa.linking.lexical_relations import act_verb, is_known_word, lookup_table, polarity_marks, word_set

_SPELLINGS = tuple(
    (re.compile(british), american)
    for british, american in (
        (r"our(?=$|ed$|ing$|s$|able$|ful$|less$|ite$|al$|er$|ist$)", "or"),
        (r"is(?=(?:e|ed|es|ing|ation|ations|er|able)$)", "iz"),
        (r"ys(?=(?:e|ed|es|ing)$)", "yz"),
        (r"aem", "em"),
        (r"^oe(?=[sd])", "e"),
        (r"^ae(?=[st])", "e"),
        (r"paed", "ped"),
        (r"rrhoea", "rrhea"),
        (r"sulph", "sulf"),
        (r"(?<=[bt])re$", "er"),
        (r"(?<=[ef])ence$", "ense"),
        (r"gramme$", "gram"),
        (r"ll(?=(?:ed|ing|er)$)", "l"),
        (r"dgement", "dgment"),
    )
)
_BRITISH = tuple(
    (re.compile(american), british)
    for american, british in (
        ("or", "our"),
        ("iz", "is"),
        ("yz", "ys"),
        ("em", "aem"),
        ("^e", "oe"),
        ("^e", "ae"),
        ("ped", "paed"),
        ("rrhea", "rrhoea"),
        ("sulf", "sulph"),
        ("er$", "re"),
        ("ense$", "ence"),
        ("gram$", "gramme"),
        ("l(?=(?:ed|ing|er)$)", "ll"),
        ("dgment", "dgement"),
    )
)
"""What the American spellings may be in British words."""
_ACT_ENDINGS = ("tion", "sion", "ment", "al", "ing", "th")
PREPOSITIONS = frozenset(
    "of in on at to for from with by and or than as into about after before between over under against through during "
    "without".split()
)
_LETTERS_JOINED = re.compile(r"(?<=[^\W\d])[-–](?=[^\W\d])")
_DETERMINERS = frozenset(("the", "its", "their", "his", "her"))
_MOST_PART_WORDS = 5


def merge_keys(name: str) -> frozenset[str]:
    """Return the keys of a name: two names that share one are names of one thing. Of a name without letters it is the name."""
    return own_keys(name) | own_keys(_with_canonical_parts(name))


@lru_cache(maxsize=1 << 16)
def own_keys(name: str) -> frozenset[str]:
    """Return the keys of a name by its own words, without the table of same things."""
    plain = plain_words(name)
    words = _nominal_order(plain)
    if not words:
        return frozenset((name,))
    keys = {_ordered_key(words)}
    if plain[0].endswith("ing") and plain[1:2] == ["of"]:
        keys.add(_ordered_key(plain[:1] + plain[2:]))  # "playing of guitars"
    marks = len(polarity_marks(name))
    if marks == 1:
        keys.update(_amount_keys(words, "in" in plain))
    if marks <= 1 and len(words) > 2 and PREPOSITIONS.isdisjoint(words):
        keys.add(_unordered_key(words))
    return frozenset(keys)


def _with_canonical_parts(name: str) -> str:
    """Return a name with its parts, the longest first, replaced by their canonical names: "risk of heart attack"."""
    words, done = name.split(), ""
    while words:
        lengths = range(min(_MOST_PART_WORDS, len(words)), 0, -1)
        part = next((part for length in lengths if (part := tuple(map(singular, words[:length]))) in _canonical_parts()), ())
        done = f"{done} {_canonical_parts()[part] if part else words[0]}"
        del words[: len(part) or 1]
    return done.strip()


@cache
def _canonical_parts() -> dict[tuple[str, ...], str]:
    things = same_things()
    return {tuple(map(singular, name.split())): things.get(name, name) for name in (*things.values(), *things)}


def plain_words(name: str) -> list[str]:
    """Return the words of a name without the marks of possession and articles, those joined by "and" in order of the alphabet."""
    words = _LETTERS_JOINED.sub(" ", name).replace("'s ", " ").replace("’s ", " ").replace("s' ", "s ").split()
    plain = []
    for place, word in enumerate(words):
        is_behind_preposition = place > 0 and words[place - 1] in PREPOSITIONS
        is_article = word in _DETERMINERS or (word in ("a", "an") and is_behind_preposition)
        if not is_article or place == len(words) - 1:
            plain.append(word)
    for place in range(1, len(plain) - 1):
        if plain[place] in ("and", "or"):
            plain[place - 1], plain[place + 1] = sorted((plain[place - 1], plain[place + 1]))
    return plain


def _nominal_order(words: list[str]) -> list[str]:
    """Return the words with what stands behind a preposition in front, where that says the same: "food shortage"."""
    place = next((place for place, word in enumerate(words) if word in PREPOSITIONS), None)
    if not place:
        return words
    preposition, head, whose = words[place], singular(words[place - 1]), words[place + 1 :]
    if preposition != "of" and head not in _turned_by(preposition):
        return words
    whose = _nominal_order(whose)
    if not whose or not PREPOSITIONS.isdisjoint(whose):
        return [*words[:place], "of", *whose]
    is_feeling = place == 1 and head in word_set("feelings") and len(whose) == 1 and kind_of_noun(whose[0]) == "feeling"
    return whose if is_feeling else whose + words[:place]


def _turned_by(preposition: str) -> frozenset[str]:
    return word_set(f"turned by {preposition}") if preposition in ("in", "to", "with", "from", "for") else frozenset()


def _amount_keys(words: Sequence[str], has_in: bool) -> Iterator[str]:
    """Yield the key of more, less or too little of a thing, however that is said: "higher price", "price increase"."""
    for amount in ("increase", "decrease", "lack"):
        rest = list(words)
        if words[-1] in word_set(f"nouns of {amount}") or (has_in and words[-1] in word_set(f"nouns of {amount} in")):
            del rest[-1]
        elif adjective := next((word for word in words[:-1] if word in word_set(f"adjectives of {amount}")), ""):
            rest.remove(adjective)
        else:
            continue
        if rest:
            yield f"<{amount}> {_unordered_key(rest)}"


def _ordered_key(words: Sequence[str]) -> str:
    *before, last = (american_spelling(word) for word in words)
    return "".join([*map(singular, before), _head_key(last)])


def _unordered_key(words: Sequence[str]) -> str:
    """Return a key of the words before the head in any order and in the forms of one word: "climatic", "climate"."""
    *before, last = (american_spelling(word) for word in words)
    return " ".join([*sorted(_modifier_key(word) for word in before), _head_key(last)])


def _modifier_key(word: str) -> str:
    is_verb_form = word.endswith(("ed", "ing"))
    return (not is_verb_form and act_verb(word)) or singular(word)


def _head_key(word: str) -> str:
    """Return the key of the head of a name: the verb of a noun that names its act, and of a form of the verb; else the noun."""
    verb = verb_of(word)
    if verb:
        return f"<{verb}>"
    noun = singular(word)
    if noun.endswith(_ACT_ENDINGS) and kind_of_noun(noun) in ACT_KINDS:
        verb = act_verb(noun)
    return f"<{verb}>" if verb else noun


def verb_of(word: str) -> str:
    """Return the verb of its base form or its gerund; empty for a word that is also a noun ("building")."""
    verbs = lookup_table("verbs")
    if verb := verbs.get(word):
        return verb
    stem = word.removesuffix("ing") if word.endswith("ing") and not kind_of_noun(word) else ""
    return next((verb for form in (stem, f"{stem}e") if stem and (verb := verbs.get(form))), "")


@lru_cache(maxsize=1 << 14)
def american_spelling(word: str) -> str:
    """Return the American spelling of a lower-case word, if a table of words knows it; else the word."""
    for british, american in _SPELLINGS:
        spelled = british.sub(american, word, count=1)
        if spelled != word and (kind_of_noun(singular(spelled)) or is_known_word(spelled)):
            return spelled
    return word


@lru_cache(maxsize=1 << 14)
def other_spellings(word: str) -> tuple[str, ...]:
    """Return the American and British spellings of a lower-case word besides its own: "colour" for "color"."""
    british = (pattern.sub(spelling, word, count=1) for pattern, spelling in _BRITISH)
    spelled = (american_spelling(word), *(variant for variant in british if american_spelling(variant) == word))
    return tuple(dict.fromkeys(variant for variant in spelled if variant != word))


@cache
def same_things() -> dict[str, str]:
    """Return the canonical name of each name that says the same in other words, from data/same_things.tsv."""
    rows = Path(__file__).with_name("data").joinpath("same_things.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(row.split("\t") for row in rows)
