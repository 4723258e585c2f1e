"""The numbers that belong to a name: those in its sentence that are not nearer to another name of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from graph.text.sentences import adjoining_spans
from kgqa.quantities.quantity import Quantity
from kgqa.readers.numeric.operands import PassageNumbers, PassageWord, operand_stem, operand_stems

CharacterSpan = tuple[int, int]
_POINTERS = frozenset(operand_stem(word) for word in ("those", "these", "that", "ones"))


def distinctive_names(phrases: Sequence[str], numbers: PassageNumbers) -> list[frozenset[str]] | None:
    """Return the words of each phrase that name its thing and no other's; `None` where not every phrase has a name.

    A name has a capital in the phrase, or wherever the passage has it, save at the beginning of a sentence. Where the thing is
    ("Poles in Riga") is not its name.
    """
    proper = _proper_stems(numbers)
    of_phrases = []
    for phrase in phrases:
        capitals = proper.union(operand_stem(word) for word in _capital().findall(phrase))
        pieces = [capitals.intersection(operand_stems(piece)) for piece in _place_words().split(phrase)]
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
    for begin, end in adjoining_spans(numbers.text, "names"):
        here = [quantity for quantity in allowed if begin <= quantity.start < end]
        if not here:
            continue
        inside = [word for word in numbers.words if begin <= word.start < end]
        marks = [_name_mentions(name, inside) for name in phrase_names]
        aligned = _listed_quantities(numbers.text[begin:end], begin, here, marks) or _adjacent_quantities(
            numbers.text, here, marks
        )
        if aligned is not None:
            ways.append([[number] for number in aligned])
        for place, own in enumerate(marks):
            rival_mentions = [word for at, several in enumerate(marks) if at != place for word in several]
            open_to = [quantity for quantity in here if any(_is_unobstructed(quantity, mark, rival_mentions) for mark in own)]
            anywhere[place] += open_to if aligned is None else [aligned[place]]
    return [*ways, anywhere]


def in_one_sentence(chosen: Sequence[Quantity], text: str) -> bool:
    """Tell whether numbers stand in one sentence."""
    return any(all(begin <= quantity.start < end for quantity in chosen) for begin, end in adjoining_spans(text, "names"))


def _name_mentions(name: frozenset[str], inside: Sequence[PassageWord]) -> list[PassageWord]:
    """Return the words of a sentence that name a thing: where most of the name's words stand together."""
    mentions = [
        (len({neighbour.stem for neighbour in inside[max(0, place - 2) : place + 3]} & name), word)
        for place, word in enumerate(inside)
        if word.stem in name
    ]
    return [word for most, word in mentions if most == max(mentions, key=lambda mention: mention[0])[0]]


def _adjacent_quantities(text: str, here: Sequence[Quantity], marks: Sequence[Sequence[PassageWord]]) -> list[Quantity] | None:
    """Return the numbers of names that each stand directly behind their number, or each before it, but not both."""
    if not all(marks):
        return None
    behind = [_adjacent_quantity(text, here, own, ahead=True) for own in marks]
    before = [_adjacent_quantity(text, here, own, ahead=False) for own in marks]
    sound = [
        way for way in (behind, before) if None not in way and len({quantity.start for quantity in way if quantity}) == len(marks)
    ]
    return [quantity for quantity in sound[0] if quantity] if len(sound) == 1 else None


def _adjacent_quantity(text: str, here: Sequence[Quantity], marks: Sequence[PassageWord], ahead: bool) -> Quantity | None:
    """Return the number that stands next to a name with no comma and no "and" between, behind it (`ahead`) or before it."""
    for mark in marks if not ahead else reversed(marks):
        if ahead:
            near = next((quantity for quantity in here if quantity.start >= mark.end), None)
        else:
            near = next((quantity for quantity in reversed(here) if quantity.end <= mark.start), None)
        if near is None:
            continue
        between = text[mark.end : near.start] if ahead else text[near.end : mark.start]
        if not _clause_break().search(between):
            return near
    return None


def _is_unobstructed(quantity: Quantity, mark: PassageWord, rivals: Sequence[PassageWord]) -> bool:
    """Tell whether no other name stands between a number and a name."""
    low, high = sorted((quantity.start, mark.start))
    return not any(low < rival.start < high for rival in rivals)


def _listed_quantities(
    sentence: str, begin: int, here: Sequence[Quantity], marks: Sequence[Sequence[PassageWord]]
) -> list[Quantity] | None:
    """Return the numbers of names that are listed like them: "A, B and C had 3, 4 and 5 respectively"."""
    if not _respectively().search(sentence) or not all(marks):
        return None
    listed = _number_rows([(quantity.start - begin, quantity.end - begin) for quantity in here], sentence)
    for row in _series().finditer(sentence):
        parts = [(begin + row.start() + start, begin + row.start() + end) for start, end in _row_pieces(row[0])]
        places = [_mention_place(own, parts) for own in marks]
        for numbers in listed:
            if len(numbers) == len(parts) and None not in places and len(set(places)) == len(places):
                return [here[numbers[place]] for place in places if place is not None]
    return None


def _mention_place(marks: Sequence[PassageWord], parts: Sequence[CharacterSpan]) -> int | None:
    return next((place for place, part in enumerate(parts) for mark in marks if part[0] <= mark.start < part[1]), None)


def _number_rows(spans: Sequence[CharacterSpan], sentence: str) -> list[list[int]]:
    """Return the places of numbers that stand in a row, with no more than commas, "and" and two words between them."""
    rows: list[list[int]] = []
    for place, span in enumerate(spans):
        joined = place and _row_joint().fullmatch(sentence, spans[place - 1][1], span[0])
        if joined:
            rows[-1].append(place)
        else:
            rows.append([place])
    return rows


def _row_pieces(row: str) -> list[CharacterSpan]:
    """Return where the things of a row stand, which commas and "and" part."""
    ends = [(match.start(), match.end()) for match in _separator().finditer(row)]
    begins = [0, *(end for _, end in ends)]
    return list(zip(begins, [*(start for start, _ in ends), len(row)], strict=True))


def _proper_stems(numbers: PassageNumbers) -> frozenset[str]:
    """Return the words that a passage writes with a capital wherever they stand within a sentence."""
    begins = {begin for begin, _ in adjoining_spans(numbers.text, "names")}
    high: set[str] = set()
    low: set[str] = set()
    for word in numbers.words:
        if word.start in begins:
            continue
        (high if numbers.text[word.start].isupper() else low).add(word.stem)
    return frozenset(high - low)


@cache
def _capital() -> re.Pattern[str]:
    return re.compile(r"\b[^\W\d_a-zß-öø-ÿ][^\W\d_]+")


@cache
def _place_words() -> re.Pattern[str]:
    return re.compile(r"\b(?:in|at|on|of|from|during|for|according)\b", re.IGNORECASE)


@cache
def _respectively() -> re.Pattern[str]:
    return re.compile(r"\brespectively\b", re.IGNORECASE)


_THING = r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}?"


@cache
def _series() -> re.Pattern[str]:
    return re.compile(rf"[A-Z][\w.'’-]*(?: [\w.'’-]+){{0,3}}?(?:, {_THING})*,? and (?:the )?[\w.'’-]+(?: [A-Z][\w.'’-]*)*")


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(r",? and |, ")


@cache
def _clause_break() -> re.Pattern[str]:
    return re.compile(r"[,;:]|\b(?:and|but|while|whereas|to|than)\b")


@cache
def _row_joint() -> re.Pattern[str]:
    return re.compile(r"(?: [\w-]+){0,2}?(?:,| and|, and)(?: [^\W\d_][\w-]*)? ?[$€£]?")
