"""The sentence of a record that keeps its place and no text, looked up in its article.

The same sentence has the length and the sketch (`graph.belief.independence`) of the record, at its place or where it has moved
to. A short one has no sketch: it must hold the cue of the rule and words of an end of the claim, of both ends where it has
moved. A reworded one is a near duplicate by its sketch that still has names and cue, and denies only what the record denies.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import chain, pairwise

from graph.belief.independence import SHARED_IN_COPIES, sketch
from graph.mining.prefilter import Prefilter
from graph.mining.rules.rule_tables import load_rules
from graph.model import Claim, Source, Stance, Statement
from graph.quotes.quote_file import Quote, QuoteFit
from graph.sources.article import Article
from graph.text.normalise import singular
from graph.text.segmentation import sentence_spans, text_tokens
from graph.text.stems import PREFIX_LETTERS
from graph.text.stop_words import STOP_WORDS

_DENIAL = re.compile(r"\b(?:not?|never|nor|neither|cannot|without)\b|n['’]t\b", re.IGNORECASE)
_LEAST_OF_NAME = 0.5
"""The share of the words of a name that a reworded sentence must hold."""
_Span = tuple[int, int]
_PageKey = tuple[str, str, str]


class SentenceSearch:
    """The sentences of one article, to look up those of records in."""

    def __init__(self, article: Article) -> None:
        self._text = article.text
        sentences = list(sentence_spans(article.text))
        # A claim that refers back has the sentence before in its place, too.
        pairs = ((first[0], second[1]) for first, second in pairwise(sentences))
        entries = ((entry.start, entry.end) for entry in article.entries if entry.start is not None and entry.end is not None)
        self._spans = dict.fromkeys(chain(sentences, pairs, entries))

    @cached_property
    def _by_length(self) -> dict[int, list[_Span]]:
        spans: defaultdict[int, list[_Span]] = defaultdict(list)
        for start, end in self._spans:
            spans[end - start].append((start, end))
        return spans

    @cached_property
    def _sketches(self) -> list[tuple[_Span, frozenset[int]]]:
        return [(span, _sketch_bytes(sketch(self._text[slice(*span)]))) for span in self._spans]

    def same_sentence(self, statement: Statement) -> str | None:
        """Return the sentence of a record without text, the nearest to its place; `None` where the article does not have it."""
        record = statement.evidence
        start, end = record.start or 0, record.end or 0
        if (start, end) in self._spans and _is_same(self._text[start:end], statement, max):
            return self._text[start:end]
        moved = sorted(self._by_length.get(end - start, ()), key=lambda span: abs(span[0] - start))
        return next((text for span in moved if _is_same(text := self._text[slice(*span)], statement, min)), None)

    def quote(self, statement: Statement, day: int = 0) -> Quote:
        """Return what the article, read on a `day`, has for a record without text: the same sentence, else a reworded one."""
        if (same := self.same_sentence(statement)) is not None:
            return Quote(QuoteFit.SAME, same, day)
        reworded = self.reworded_sentence(statement)
        return Quote(QuoteFit.MISSING if reworded is None else QuoteFit.REWORDED, reworded or "", day)

    def reworded_sentence(self, statement: Statement) -> str | None:
        """Return the sentence that comes nearest to that of a record and still states its claim, or `None`."""
        record = statement.evidence
        wanted = _sketch_bytes(record.sketch)
        near = [
            (-len(wanted & words), end - start, abs(start - (record.start or 0)), self._text[start:end])
            for (start, end), words in self._sketches
            if len(wanted & words) >= SHARED_IN_COPIES
        ]
        return next((text for *_, text in sorted(near) if _still_states(text, statement)), None)


class PlaceIndex:
    """Statements that wait for their sentence, by the pages of their records."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        self._waiting: defaultdict[_PageKey, list[Statement]] = defaultdict(list)
        self._ids: dict[_PageKey, _PageKey] = {}
        self._read: set[_PageKey] = set()
        for statement in statements:
            by_title, key = _page_keys(statement.evidence.source)
            self._waiting[key].append(statement)
            self._ids[by_title] = key

    @property
    def changed(self) -> int:
        """How many statements wait although their article was read: it does not have their sentence."""
        return sum(len(self._waiting[key]) for key in self._read)

    @property
    def absent(self) -> int:
        """How many statements wait for their article."""
        return sum(map(len, self._waiting.values())) - self.changed

    def sentences_in(self, article: Article) -> Iterator[tuple[Statement, str]]:
        """Yield the statements whose sentence is in an article, each with its sentence, once."""
        by_title, key = _page_keys(article.source)
        for page in {key, self._ids.get(by_title, key)} & self._waiting.keys():
            search = SentenceSearch(article)
            sentences = [(statement, search.same_sentence(statement)) for statement in self._waiting[page]]
            self._waiting[page] = [statement for statement, text in sentences if text is None]
            self._read.add(page)
            yield from ((statement, text) for statement, text in sentences if text is not None)


def _page_keys(source: Source) -> tuple[_PageKey, _PageKey]:
    """Return the key of a page by its title, and by its id, or by its title where it has none."""
    by_title = source.kind, "title", source.title
    return by_title, (source.kind, "id", source.page_id) if source.page_id else by_title


def _sketch_bytes(digits: str) -> frozenset[int]:
    return frozenset(bytes.fromhex(digits))


def _is_same(text: str, statement: Statement, ends: Callable[[tuple[float, float]], float]) -> bool:
    """Return whether a text of the right length is the sentence of a record; `ends` says which ends must stand in a short one."""
    digits = statement.evidence.sketch
    return sketch(text) == digits and (
        bool(digits) or (ends(_name_shares(text, statement.claim)) > 0 and _has_cue(text, statement))
    )


def _still_states(text: str, statement: Statement) -> bool:
    """Return whether a near duplicate of the sentence of a record states its claim, as far as its words tell."""
    denies = _DENIAL.search(text) is not None
    states = _has_cue(text, statement) and min(_name_shares(text, statement.claim)) >= _LEAST_OF_NAME
    return states and denies is (statement.evidence.stance is Stance.NEGATED)


def _name_shares(text: str, claim: Claim) -> tuple[float, float]:
    """Return the shares of the words of cause and effect whose beginnings are in a text."""
    words, cause, effect = (
        [singular(word)[:PREFIX_LETTERS] for word in text_tokens(part.lower()) if word not in STOP_WORDS["page titles"]]
        for part in (text, claim.cause, claim.effect)
    )
    of_cause, of_effect = (sum(word in words for word in name) / len(name) if name else 1.0 for name in (cause, effect))
    return of_cause, of_effect


def _has_cue(text: str, statement: Statement) -> bool:
    """Return whether the cue of the rule that read a sentence is in a text; true for a record of no rule that ships."""
    prefilter, known = _rules()
    return statement.evidence.rule not in known or statement.evidence.rule in prefilter.rules_for(text)


@cache
def _rules() -> tuple[Prefilter, frozenset[str]]:
    rules = load_rules(None)
    return Prefilter(rules), frozenset(rule.id for rule in rules)
