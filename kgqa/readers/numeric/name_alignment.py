"""The numbers that belong to a name: those in its sentence that are not nearer to another name of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.text.segmentation import adjoining_spans
from kgqa.quantities.quantity import Quantity
from kgqa.readers.numeric.operands import PassageNumbers, PassageWord, operand_stem, operand_stems

_POINTERS = frozenset(operand_stem(word) for word in ("those", "these", "that", "ones"))
_THING = r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}?"
_CAPITAL = re.compile(r"\b[^\W\d_a-zß-öø-ÿ][^\W\d_]+")
_PLACE_WORDS = re.compile(r"\b(?:in|at|on|of|from|during|for|according)\b", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_SERIES = re.compile(rf"[A-Z][\w.'’-]*(?: [\w.'’-]+){{0,3}}?(?:, {_THING})*,? and (?:the )?[\w.'’-]+(?: [A-Z][\w.'’-]*)*")
_SEPARATOR = re.compile(r",? and |, ")
_CLAUSE_BREAK = re.compile(r"[,;:]|\b(?:and|but|while|whereas|to|than)\b")
_PRONOUN = re.compile(r"\s*(?:It|He|She|They|Its|His|Her|Their)\b")
_CLAUSE_JOINT = re.compile(r"[;:]|, (?:and|but|while|whereas)\b")
_ROW_JOINT = re.compile(r"(?: [\w-]+){0,2}?(?:,| and|, and)(?: [^\W\d_][\w-]*)? ?[$€£]?")


def distinctive_names(phrases: Sequence[str], numbers: PassageNumbers) -> list[frozenset[str]] | None:
    """Return the words of each phrase that name its thing and no other's; `None` where not every phrase has a name.

    A name has a capital in the phrase, or wherever the passage has it, save at the beginning of a sentence. Where the thing is
    ("Poles in Riga") is not its name.
    """
    proper = _proper_stems(numbers)
    of_phrases = []
    for phrase in phrases:
        capitals = proper.union(operand_stem(word) for word in _CAPITAL.findall(phrase))
        pieces = [capitals.intersection(operand_stems(piece)) for piece in _PLACE_WORDS.split(phrase)]
        of_phrases.append(next((piece for piece in pieces if piece), frozenset()))
    own = [
        of_phrase.difference(*(rival for place, rival in enumerate(of_phrases) if place != at))
        for at, of_phrase in enumerate(of_phrases)
    ]
    return own if len(own) > 1 and all(own) else None


def reduce_to_names(phrases: Sequence[str], phrase_names: Sequence[frozenset[str]], shared: str) -> tuple[list[str], str]:
    """Return the phrases and what they share: names only, where one of them is a name and nothing more ("votes for A than B")."""
    if not any(name.issuperset({*operand_stems(phrase)} - _POINTERS) for phrase, name in zip(phrases, phrase_names, strict=True)):
        return list(phrases), shared
    name_stems = frozenset[str]().union(*phrase_names)
    common = " ".join(
        word for phrase in (shared, *phrases) for word in phrase.split() if not name_stems & set(operand_stems(word))
    )
    return [" ".join(sorted(name)) for name in phrase_names], common


def quantities_by_name(
    phrase_names: Sequence[frozenset[str]], allowed: Sequence[Quantity], numbers: PassageNumbers
) -> list[list[list[Quantity]]]:
    """Return the ways in which numbers can stand with names, each with the numbers of every name.

    A sentence that gives all names in one construction ("A got 271 and B 266", "A and B got 271 and 266 respectively") is a way
    of its own; the last way is all the numbers that stand in a sentence with a name, and with no other name between.
    """
    ways: list[list[list[Quantity]]] = []
    anywhere: list[list[Quantity]] = [[] for _ in phrase_names]
    told_of: list[int] = []
    for begin, end in adjoining_spans(numbers.text, "names"):
        here = [quantity for quantity in allowed if begin <= quantity.start < end]
        inside = [word for word in numbers.words if begin <= word.start < end]
        marks = [_name_mentions(name, inside) for name in phrase_names]
        if not any(marks) and len(told_of) == 1 and _PRONOUN.match(numbers.text, begin):
            anywhere[told_of[0]] += here  # "It is 96 metres deep" goes on about the thing before
            continue
        told_of = [place for place, own in enumerate(marks) if own]
        if not here:
            continue
        aligned = None
        if all(marks):
            aligned = _listed_quantities(numbers.text[begin:end], begin, here, marks)
            aligned = aligned or _adjacent_quantities(numbers.text, here, marks)
        if aligned is not None:
            ways.append([[number] for number in aligned])
        for place, own in enumerate(marks):
            rivals = [word.start for at, several in enumerate(marks) if at != place for word in several]
            open_to = [quantity for quantity in here if any(_is_unobstructed(quantity, word, rivals) for word in own)]
            behind = [quantity for quantity in open_to if own and quantity.start > own[0].start]
            if behind and any(_CLAUSE_JOINT.search(numbers.text, quantity.end, own[0].start) for quantity in open_to):
                open_to = behind  # the number before the name ends the clause of another one
            anywhere[place] += open_to if aligned is None else [aligned[place]]
    return [*ways, anywhere]


def in_one_sentence(chosen: Sequence[Quantity], text: str) -> bool:
    """Tell whether numbers stand in one sentence."""
    return any(all(begin <= quantity.start < end for quantity in chosen) for begin, end in adjoining_spans(text, "names"))


def _is_unobstructed(quantity: Quantity, word: PassageWord, rivals: Sequence[int]) -> bool:
    low, high = sorted((quantity.start, word.start))
    return not any(low < rival < high for rival in rivals)


def _name_mentions(name: frozenset[str], inside: Sequence[PassageWord]) -> list[PassageWord]:
    """Return the words of a sentence that name a thing: where most of the name's words stand together."""
    mentions = [
        (len({neighbour.stem for neighbour in inside[max(0, place - 2) : place + 3]} & name), word)
        for place, word in enumerate(inside)
        if word.stem in name
    ]
    most = max((count for count, _ in mentions), default=0)
    return [word for count, word in mentions if count == most]


def _adjacent_quantities(text: str, here: Sequence[Quantity], marks: Sequence[Sequence[PassageWord]]) -> list[Quantity] | None:
    """Return the numbers of names that each stand directly behind their number, or each before it, but not both."""
    for strict in (True, False):
        ways = []
        for behind in (True, False):
            nearest = (_adjacent_quantity(text, here, mentions, behind, strict) for mentions in marks)
            way = [quantity for quantity in nearest if quantity is not None]
            if len({quantity.start for quantity in way}) == len(marks):
                ways.append(way)
        if ways:
            return ways[0] if len(ways) == 1 else None
    return None


def _adjacent_quantity(
    text: str, here: Sequence[Quantity], mentions: Sequence[PassageWord], behind: bool, strict: bool
) -> Quantity | None:
    """Return the number that stands next to a name, behind it or before it; if `strict`, with no comma and no "and" between."""
    for word in reversed(mentions) if behind else mentions:
        if behind:
            near = next((quantity for quantity in here if quantity.start >= word.end), None)
        else:
            near = next((quantity for quantity in reversed(here) if quantity.end <= word.start), None)
        between = text[min(word.end, near.end) : max(word.start, near.start)] if near is not None else ""
        if near is not None and not (strict and _CLAUSE_BREAK.search(between)):
            return near
    return None


def _listed_quantities(
    sentence: str, begin: int, here: Sequence[Quantity], marks: Sequence[Sequence[PassageWord]]
) -> list[Quantity] | None:
    """Return the numbers of names that are listed like them: "A, B and C had 3, 4 and 5 respectively"."""
    if not _RESPECTIVELY.search(sentence):
        return None
    number_rows = _number_rows(sentence, begin, here)
    for row in _SERIES.finditer(sentence):
        separators = (edge for match in _SEPARATOR.finditer(row[0]) for edge in match.span())
        edges = [begin + row.start() + edge for edge in (0, *separators, len(row[0]))]
        parts = list(zip(edges[::2], edges[1::2], strict=True))
        places = [
            next((place for place, (start, end) in enumerate(parts) for word in mentions if start <= word.start < end), None)
            for mentions in marks
        ]
        for numbers in number_rows:
            if len(numbers) == len(parts) and None not in places and len(set(places)) == len(places):
                return [numbers[place] for place in places if place is not None]
    return None


def _number_rows(sentence: str, begin: int, here: Sequence[Quantity]) -> list[list[Quantity]]:
    """Return the numbers that stand in rows, with no more than commas, "and" and two words between them."""
    rows: list[list[Quantity]] = []
    for quantity in here:
        if rows and _ROW_JOINT.fullmatch(sentence, rows[-1][-1].end - begin, quantity.start - begin):
            rows[-1].append(quantity)
        else:
            rows.append([quantity])
    return rows


def _proper_stems(numbers: PassageNumbers) -> frozenset[str]:
    """Return the words that a passage writes with a capital wherever they stand within a sentence."""
    begins = {begin for begin, _ in adjoining_spans(numbers.text, "names")}
    inner = [word for word in numbers.words if word.start not in begins]
    capitals = {word.stem for word in inner if numbers.text[word.start].isupper()}
    return frozenset(capitals.difference(word.stem for word in inner if not numbers.text[word.start].isupper()))
