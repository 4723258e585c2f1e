"""How a text may name what a phrase of a question names: in other forms of its words, and by its other names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from graph.text.segmentation import token_pattern
from graph.text.stems import porter_stems
from graph.text.stop_words import STOP_WORDS
from kgqa.linking.lexical_relations import changes_polarity, covers_words, is_related_form, synonyms, word_roots
from kgqa.linking.mention import content_words

_MOST_NAMES = 12
_MOST_BETWEEN = 2
"""How many words of function may stand between the words of a name: "gain in weight"."""


class PhraseForms:
    """The names of a phrase, its own first: those of the concepts that it surely means, and their synonyms."""

    def __init__(self, phrase: str, concepts: Collection[str] = ()) -> None:
        names = dict.fromkeys((phrase, *concepts, *(synonym for name in (phrase, *concepts) for synonym in synonyms(name))))
        alike = (name for name in names if name == phrase or not changes_polarity(phrase, name))
        words = dict.fromkeys(filter(None, (content_words(name) for name in alike)))
        self.names: Sequence[tuple[str, ...]] = tuple(words)[:_MOST_NAMES]

    def stems(self) -> list[list[Collection[str]]]:
        """Return the names as their words, and each word as the stems of its forms."""
        return [[frozenset(porter_stems(word_roots(word)).values()) for word in words] for words in self.names]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the characters of each place of a text that has all words of a name, in any order, end exclusive."""
        tokens = [(match.group().lower(), match.span()) for match in token_pattern().finditer(text)]
        places = [(word, span) for word, span in tokens if word not in STOP_WORDS["linking"]]
        numbers = {span: number for number, (_, span) in enumerate(tokens)}
        taken = -1
        for place, (word, span) in enumerate(places):
            if span[0] < taken:
                continue
            for words in self.names:
                window = places[place : place + len(words)]
                if len(window) < len(words) or not any(word == own or is_related_form(word, own) for own in words):
                    continue
                gap = numbers[window[-1][1]] - numbers[span] - len(words) + 1
                if gap <= _MOST_BETWEEN and covers_words(words, tuple(item for item, _ in window)):
                    taken = window[-1][1][1]
                    yield span[0], taken
                    break
