"""Concepts inside sentences: from the name that the graph keeps to a noun phrase with its number, determiner and spelling.

The names of the graph have no determiners, a head in the singular and no capitals. A phrase is made from what is known of its
head (`kgqa.answering.inflection`): what is counted stands in the plural ("earthquakes") or behind "a" ("a decrease in price"),
what is not stands bare ("smoking"), what a name makes particular behind "the" ("the French Revolution"). Names in telegraphic
form are actions ("avoid infection": "avoiding infection") or events ("museum built": "a museum being built"). What the tables do
not know stays as it is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from graph.normalize import concept_name
from kgqa.answering.inflection import article, forms_of, gerund, plural, spelling, spelt, words_of

_PREPOSITIONS = frozenset(
    "of in on at by for from to with without against among between during after before over under into through about as "
    "within due that which who".split()
)
"""What ends the part of a name that its head belongs to."""
_ALREADY = frozenset("people police cattle media data criteria bacteria phenomena scissors pants glasses trousers".split())
"""Heads that are plurals although their names are not."""
_AGENTS = ("er", "or", "ist", "ian", "ite")
"""How nouns end that name people; of some the sentences have only the plural ("Anabaptists")."""
_MANY = frozenset("two three four five six seven eight nine ten several many few multiple both various numerous other".split())
_UNCOUNTED = frozenset(
    "no one all too not more less much little enough most any some each every another what how whether".split()
)
_FIRST = frozenset("first second third last same best worst only main latest greatest largest biggest".split())
_NO_PARTICIPLE = frozenset("naked wicked hundred sacred kindred hatred shred united limited aged overbed".split())
_PARTICIPLES = frozenset(
    "built made taken given broken stolen sold shown born driven kept sent caught taught brought bought torn thrown".split()
)


class Noun(NamedTuple):
    """A noun phrase, and whether a verb behind it is in the plural."""

    text: str
    plural: bool = False


@lru_cache(maxsize=1 << 14)
def noun(name: str, as_action: bool = False) -> Noun:
    """Return how a concept stands inside a sentence; `as_action` where the name tells what is done, as an aim does."""
    words = name.split()
    if words[:1] == ["to"] and len(words) > 1:
        return noun(" ".join(words[1:]), True)
    told = spelling(words)
    if words and _is_action(words, as_action):
        first = words[0] if words[0] in words_of("action") else gerund(words[0])
        of_what = words[1:] and words[1] not in _PREPOSITIONS
        return Noun(" ".join([first, *([noun(" ".join(words[1:])).text] if of_what else told[1:])]))
    done = _participle(words, told)
    if done:
        being = [] if words[done - 1] == "being" else ["being"]
        return Noun(" ".join([noun(" ".join(words[:done])).text, *being, *told[done:]]))
    end = next((place for place in range(1, len(words)) if _ends_head(words, place)), len(words))
    if "and" in words[1 : end - 1]:
        return Noun(" ".join(told), plural=words[0] not in words_of("action"))
    one = _phrase(words[:end], told[:end], told[end:])
    return Noun(" ".join([one.text, *told[end:]]), one.plural)


def written(name: str) -> str:
    """Return a name as it is written, without a determiner and in its own number: "HIV/AIDS", "Pearl Harbor"."""
    return " ".join(spelling(name.split()))


def _ends_head(words: list[str], place: int) -> bool:
    """Return whether the head of a name stands before this word: a preposition, or "caused by"."""
    return words[place] in _PREPOSITIONS or (words[place] in ("caused", "induced") and words[place + 1 : place + 2] == ["by"])


def _is_action(words: list[str], as_action: bool) -> bool:
    """Return whether a name tells what is done: "avoid infection", "eating raw egg"."""
    first = words[0]
    if len(words) == 1:
        return first in words_of("verb")
    ambiguous = as_action and words[1] not in _PREPOSITIONS
    return first in words_of("action") or first in words_of("verb") or (ambiguous and first in words_of("either"))


def _participle(words: list[str], told: list[str]) -> int:
    """Return the place of the participle of a passive clause without its verb ("museum built in 1920"), 0 where there is none."""
    for place in range(1, len(words)):
        word = words[place]
        past = word in _PARTICIPLES or (word.endswith("ed") and not word.endswith("eed") and len(word) > 4)
        ends = place == len(words) - 1 or words[place + 1] in _PREPOSITIONS - {"of", "that", "which", "who"}
        if past and ends and word not in _NO_PARTICIPLE and told[place] == word and words[place - 1] not in _PREPOSITIONS:
            return place
    return 0


def _phrase(before: list[str], told: list[str], behind: list[str]) -> Noun:
    """Return a noun phrase whose head is the last word of `before`; the words `behind` it only tell whether it is particular."""
    if not before:
        return Noun("")
    head = before[-1]
    text = " ".join(told)
    if head in _ALREADY or concept_name(" ".join(before)) != " ".join(before).replace("-", " "):
        return Noun(text, plural=True)
    if before[0] in _UNCOUNTED or head in forms_of("spelt"):
        return Noun(text, plural=head.endswith(_AGENTS) and told[-1].endswith("s"))
    if before[0] in _MANY and len(before) > 1:
        return Noun(" ".join([*told[:-1], plural(told[-1])]), plural=True)
    owner = next((place for place, word in enumerate(before) if word.endswith(("'s", "’s", "s'", "s’"))), None)
    if owner is not None:
        return Noun(f"{_determined_owner(before[owner])}{text}" if owner == 0 else text)
    if len(before) == 1 and head in words_of("unique") and not behind:
        return Noun(f"the {text}")
    usual = _usual(before)
    if _is_particular(before, told, behind, usual):
        return Noun(f"the {text}")
    if usual == "plural" and told[-1] == head:
        return Noun(" ".join([*told[:-1], plural(head)]), plural=True)
    if usual == "article" and told[-1] == head:
        return Noun(f"{article(text)} {text}")
    return Noun(text)


def _usual(before: list[str]) -> str:
    """Return how the head of a phrase stands where nothing particular is meant: "plural", "article" or "bare"."""
    head = before[-1]
    known = (head,) if len(before) == 1 else (f"{before[-2]}_{head}", head)
    return next((kind for word in known for kind in ("bare", "plural", "article") if word in words_of(kind)), "bare")


def _determined_owner(owner: str) -> str:
    """Return the article of an owner that needs one ("a person's diet"), with the space behind it."""
    one = owner.rstrip("'’").removesuffix("s").rstrip("'’")
    return f"{article(one)} " if spelt(one) == one and _usual([one]) in ("plural", "article") and not owner.endswith("s'") else ""


def _is_particular(before: list[str], told: list[str], behind: list[str], usual: str) -> bool:
    """Return whether there is one such thing only: "the 1929 crash", "the fall of Rome", "the first attack"."""
    head = before[-1]
    named = any(word[:1].isupper() for word in told[:-1])
    if before[0] in _FIRST:
        return True
    if named and head in words_of("the"):
        return True
    if head != told[-1] and not (behind[:1] == ["of"] and head in words_of("the")):
        return False
    if len(before) > 1 and before[0].isdigit() and len(before[0]) == 4:
        return True
    of_name = len(behind) > 1 and behind[0] == "of" and behind[1][:1].isupper()
    return of_name and (usual != "bare" or head in words_of("event"))
