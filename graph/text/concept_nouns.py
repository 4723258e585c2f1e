"""Concepts inside sentences: from the name that the graph keeps to a noun phrase with its number, determiner and spelling.

The names of the graph have no determiners, a head in the singular and no capitals. What is counted stands in the plural
("earthquakes") or behind "a" ("a decrease in price"), what is not stands bare ("smoking"), what is particular behind "the" ("the
French Revolution"); names in telegraphic form are actions ("avoiding infection") or events ("a museum being built").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from graph.text.act_nouns import is_act_noun
from graph.text.inflection import forms_of_kind, gerund_of, indefinite_article, plural_of, spell_word, spell_words, words_of_kind
from graph.text.normalise import concept_name
from graph.text.stop_words import PREPOSITIONS

_PREPOSITIONS = PREPOSITIONS["wording"]
_CAUSED_BY = (["caused", "by"], ["induced", "by"])
_PLURAL_HEADS = frozenset("people police cattle media data criteria bacteria phenomena scissors pants glasses trousers".split())
"""Heads that are plurals although their names are not."""
_AGENTS = ("er", "or", "ist", "ian", "ite")
_OWNER_ENDINGS = ("'s", "’s", "s'", "s’")
_PLURAL_QUANTIFIERS = "two three four five six seven eight nine ten several many few multiple both various numerous other".split()
_BARE_DETERMINERS = "no one all too not more less much little enough most any some each every another what how whether".split()
_UNIQUE_ADJECTIVES = frozenset("first second third last same best worst only main latest greatest largest biggest".split())
_NO_PARTICIPLE = frozenset("naked wicked hundred sacred kindred hatred shred united limited aged overbed".split())
_IRREGULAR_PARTICIPLES = frozenset(
    "built made taken given broken stolen sold shown born driven kept sent caught taught brought bought torn thrown".split()
)


class ConceptNoun(NamedTuple):
    """A noun phrase, and whether a verb behind it is in the plural."""

    text: str
    plural: bool = False


@lru_cache(maxsize=1 << 14)
def concept_noun(name: str, as_action: bool = False) -> ConceptNoun:
    """Return how a concept stands inside a sentence; `as_action` where the name tells what is done, as an aim does."""
    words = name.split()
    if words[:1] == ["to"] and len(words) > 1:
        return concept_noun(" ".join(words[1:]), True)
    spellings = spell_words(words)
    if words and _is_action(words, as_action):
        first = words[0] if words[0] in words_of_kind("action") else gerund_of(words[0])
        of_what = words[1:] and words[1] not in _PREPOSITIONS
        return ConceptNoun(" ".join([first, *([concept_noun(" ".join(words[1:])).text] if of_what else spellings[1:])]))
    done = _participle_place(words, spellings)
    if done:
        being = [] if words[done - 1] == "being" else ["being"]
        return ConceptNoun(" ".join([concept_noun(" ".join(words[:done])).text, *being, *spellings[done:]]))
    behind = (place for place in range(1, len(words)) if words[place] in _PREPOSITIONS or words[place : place + 2] in _CAUSED_BY)
    end = next(behind, len(words))
    if "and" in words[1 : end - 1]:
        return ConceptNoun(" ".join(spellings), plural=words[0] not in words_of_kind("action"))
    phrase = _determined_phrase(words[:end], spellings[:end], spellings[end:])
    return ConceptNoun(" ".join([phrase.text, *spellings[end:]]), phrase.plural)


def written_name(name: str) -> str:
    """Return a name as it is written, without a determiner and in its own number: "HIV/AIDS", "Pearl Harbor"."""
    return " ".join(spell_words(name.split()))


def _is_action(words: list[str], as_action: bool) -> bool:
    """Return whether a name tells what is done: "avoid infection", "eating raw egg"."""
    first = words[0]
    if len(words) == 1:
        return first in words_of_kind("verb")
    ambiguous = as_action and words[1] not in _PREPOSITIONS
    return first in words_of_kind("action") or first in words_of_kind("verb") or (ambiguous and first in words_of_kind("either"))


def _participle_place(words: list[str], spellings: list[str]) -> int:
    """Return the place of the participle of a passive clause without its verb ("museum built in 1920"), 0 where there is none.

    Behind a preposition a participle belongs to the noun there ("wages of workers employed abroad").
    """
    for place in range(1, len(words)):
        word = words[place]
        if word in _PREPOSITIONS:
            return 0
        past = word in _IRREGULAR_PARTICIPLES or (word.endswith("ed") and not word.endswith("eed") and len(word) > 4)
        ends = place == len(words) - 1 or words[place + 1] in _PREPOSITIONS - {"of", "that", "which", "who"}
        if past and ends and word not in _NO_PARTICIPLE and spellings[place] == word:
            return place
    return 0


def _determined_phrase(before: list[str], spellings: list[str], behind: list[str]) -> ConceptNoun:
    """Return a noun phrase whose head is the last word of `before`; the words `behind` it only tell whether it is particular."""
    if not before:
        return ConceptNoun("")
    head = before[-1]
    text = " ".join(spellings)
    if head in _PLURAL_HEADS or concept_name(" ".join(before)) != " ".join(before).replace("-", " "):
        return ConceptNoun(text, plural=True)
    if before[0] in _BARE_DETERMINERS or head in forms_of_kind("spelt"):
        return ConceptNoun(text, plural=head.endswith(_AGENTS) and spellings[-1].endswith("s"))
    if before[0] in _PLURAL_QUANTIFIERS and len(before) > 1 and spellings[-1] == head:
        return ConceptNoun(" ".join([*spellings[:-1], plural_of(spellings[-1])]), plural=True)
    if before[0].endswith(_OWNER_ENDINGS):  # "a person's diet"
        owner = before[0].rstrip("'’").removesuffix("s").rstrip("'’")
        counted = spell_word(owner) == owner and _usual_form([owner]) != "bare" and not before[0].endswith("s'")
        return ConceptNoun(f"{indefinite_article(owner)} {text}" if counted else text)
    if any(word.endswith(_OWNER_ENDINGS) for word in before):
        return ConceptNoun(text)
    if "_".join(before) in words_of_kind("unique") and not (behind and len(before) == 1):
        return ConceptNoun(f"the {text}")
    usual = _usual_form(before)
    if _is_particular(before, spellings, behind, usual):
        return ConceptNoun(f"the {text}")
    if behind[:1] == ["of"] and is_act_noun(head):  # "invention of the printing press"
        return ConceptNoun(text)
    if usual == "plural" and spellings[-1] == head:
        return ConceptNoun(" ".join([*spellings[:-1], plural_of(head)]), plural=True)
    if usual == "article" and spellings[-1] == head:
        return ConceptNoun(f"{indefinite_article(text)} {text}")
    return ConceptNoun(text)


def _usual_form(before: list[str]) -> str:
    head = before[-1]
    known = (head,) if len(before) == 1 else (f"{before[-2]}_{head}", head)
    return next((kind for word in known for kind in ("bare", "plural", "article") if word in words_of_kind(kind)), "bare")


def _is_particular(before: list[str], spellings: list[str], behind: list[str], usual: str) -> bool:
    """Return whether there is one such thing only: "the 1929 crash", "the fall of Rome", "the first attack"."""
    head = before[-1]
    has_name = any(word[:1].isupper() for word in spellings[:-1])
    if before[0] in _UNIQUE_ADJECTIVES or (has_name and head in words_of_kind("the")):
        return True
    if head != spellings[-1] and not (behind[:1] == ["of"] and head in words_of_kind("the")):
        return False
    if len(before) > 1 and before[0].isdigit() and len(before[0]) == 4:
        return True
    owner = behind[2:3] if behind[1:2] == ["the"] else behind[1:2]
    of_name = behind[:1] == ["of"] and bool(owner) and owner[0][:1].isupper()
    return of_name and (usual != "bare" or head in words_of_kind("event"))


def concept_phrase(name: str) -> str:
    """Return a concept as it stands inside a sentence: "earthquakes", "a decrease in price", "the French Revolution"."""
    return concept_noun(name).text


def join_phrases(names: Sequence[str]) -> str:
    """Return names as "a, b and c"; names that have a comma of their own are separated by semicolons."""
    if len(names) < 2:
        return "".join(names)
    mark = ";" if len(names) > 2 and any(", " in name for name in names) else ","
    return f"{f'{mark} '.join(names[:-1])}{mark if mark == ';' else ''} and {names[-1]}"
