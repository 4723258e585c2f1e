"""Mining of many articles: over several processes, in order, in constant memory, with one transaction for each chunk.

Abbreviations that a sentence explains become aliases: "human immunodeficiency virus (HIV)" (after Schwartz & Hearst 2003).
"""

from __future__ import annotations

import itertools
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from graph.mining.article_lists import entry_statements
from graph.mining.miner import MAX_SENTENCE_CHARACTERS, MinedClaim, Miner
from graph.mining.rules.rule_tables import Rule
from graph.mining.sentence.claim_arguments import ANAPHOR_SLOT
from graph.mining.stance.fiction import is_fiction
from graph.mining.workers import map_over_processes
from graph.model import Alias, Evidence, Stance, Statement
from graph.protocols import Added, GraphStore
from graph.sources.article import Article
from graph.text.normalise import concept_name
from graph.text.segmentation import sentence_spans, token_pattern

_BRACKETED_ABBREVIATION = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9})\)")


def explained_abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """Yield `(short, long)` for each abbreviation of three letters or more in brackets, most of them capitals.

    The long form has the letters in order, the first at the start of a word, in at most min(n + 5, 2 n) words for n letters.
    """
    for bracket in _BRACKETED_ABBREVIATION.finditer(text):
        short = bracket.group(1)
        letters = [letter.lower() for letter in short if letter.isalnum()]
        if len(letters) < 3 or 2 * sum(letter.isupper() for letter in short) <= len(letters):
            continue
        before = list(token_pattern("hyphenated words").finditer(text, 0, bracket.start()))
        words = before[-min(len(letters) + 5, 2 * len(letters)) :]
        start = _start_of_long_form(letters, text, words)
        if start is not None:
            yield short, text[start : bracket.start()].strip()


def _start_of_long_form(letters: list[str], text: str, words: list[re.Match[str]]) -> int | None:
    """Return the start of the long form: letters are matched from the last to the first, the first at the start of a word."""
    if not words:
        return None
    place = words[-1].end()
    starts = {word.start() for word in words}
    for number in range(len(letters) - 1, -1, -1):
        place -= 1
        while place >= words[0].start() and (text[place].lower() != letters[number] or (number == 0 and place not in starts)):
            place -= 1
        if place < words[0].start():
            return None
    return place


ARTICLES_PER_CHUNK = 40  # the articles of a chunk: a constant, so that the result does not depend on the number of workers
ALIASES_PER_TRANSACTION = 10_000


@dataclass(slots=True)
class MinedChunk:
    """The result of mining some articles."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    statements: list[Statement] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)


@dataclass(slots=True)
class MiningSummary:
    """The counts of a mining run; only a run on Spark counts `aliases` and `skipped` records, others what is `added`."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    claim_count: int = 0
    aliases: int = 0
    added: Added = field(default_factory=Added)
    skipped: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    stances: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add_claims(self, relation: str, stance: str, rule: str, number: int = 1) -> None:
        """Count claims of a relation, a stance and a rule."""
        self.claim_count += number
        self.relations[relation] += number
        self.stances[stance] += number
        self.rules[rule] += number


@dataclass(frozen=True, slots=True)
class _CuedSentence:
    article: Article
    start: int
    end: int
    rules: frozenset[str]
    before_start: int

    @property
    def text(self) -> str:
        return self.article.text[self.start : self.end]

    def statement(self, mined_claim: MinedClaim) -> Statement:
        """Return a claim with its evidence: this sentence, and the one before if the claim refers back to it."""
        start = self.before_start if any(slot == ANAPHOR_SLOT for slot, _ in mined_claim.context) else self.start
        is_story = mined_claim.stance is Stance.ASSERTED and is_fiction(self.article, start)
        stance = Stance.HYPOTHETICAL if is_story else mined_claim.stance
        evidence = Evidence(
            source=self.article.source,
            stance=stance,
            strength=mined_claim.rule.strength,
            rule=mined_claim.rule.id,
            text=self.article.text[start : self.end],
            section=self.article.section(start),
            start=start,
            end=self.end,
            context=mined_claim.context,
        )
        return Statement(mined_claim.claim, evidence)


def _cued_sentences(miner: Miner, article: Article) -> Iterator[_CuedSentence]:
    last_start, last_end = 0, 0
    for start, end in sentence_spans(article.text):
        rules = miner.rules_for(article.text[start:end])
        if rules:
            follows = last_end > 0 and "\n" not in article.text[last_end:start]
            yield _CuedSentence(article, start, end, rules, last_start if follows else start)
        last_start, last_end = start, end


def mine_chunk(miner: Miner, articles: Sequence[Article]) -> MinedChunk:
    """Return the statements of some articles; only sentences with a cue are parsed."""
    mined = MinedChunk(articles=len(articles))
    places: list[_CuedSentence] = []
    for article in articles:
        mined.statements.extend(entry_statements(article))
        for place in _cued_sentences(miner, article):
            if place.end - place.start > MAX_SENTENCE_CHARACTERS:
                mined.too_long += 1
            else:
                places.append(place)
    mined.sentences = len(places)
    before = [place.article.text[place.before_start : place.start].rstrip() for place in places]
    with miner.nlp.memory_zone():
        claims_by_sentence = miner.mine((place.text for place in places), [place.rules for place in places], before)
        for place, claims in zip(places, claims_by_sentence, strict=True):
            mined.statements.extend(place.statement(mined_claim) for mined_claim in claims)
            names = {name for mined_claim in claims for name in (mined_claim.claim.cause, mined_claim.claim.effect)}
            for short, long in explained_abbreviations(place.text) if names else ():
                if concept_name(long) in names:
                    mined.aliases.append(Alias(concept_name(short), concept_name(long)))
    return mined


def mine_articles(
    items: Iterable[Article | Alias],
    store: GraphStore,
    job: str,
    workers: int = 1,
    resume: bool = False,
    rules: Sequence[Rule] | None = None,
    on_progress: Callable[[MiningSummary], None] = lambda summary: None,
) -> MiningSummary:
    """Mine the articles among `items` into `store` and return the counts; `on_progress` is called after every chunk.

    Each chunk is one transaction, with the number of finished articles of `job`, which are skipped with `resume`. Aliases wait on
    disk until all their concepts are stored. The result is the same for any number of workers.
    """
    began = time.monotonic()
    done = store.progress(job) if resume else 0
    summary = MiningSummary()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as waiting:

        def keep_alias(alias: Alias) -> None:
            waiting.write(json.dumps([alias.name, alias.concept]) + "\n")

        chunks = article_chunks(itertools.islice(articles_among(items, keep_alias), done, None))
        with closing(map_over_processes(_mine_in_process, chunks, workers, _prepare_process, (rules,))) as mined_chunks:
            for mined in mined_chunks:
                done += mined.articles
                summary.added += store.add(mined.statements, mined.aliases, progress=(job, done))
                summary.articles += mined.articles
                summary.sentences += mined.sentences
                summary.too_long += mined.too_long
                for statement in mined.statements:
                    summary.add_claims(statement.claim.relation, statement.evidence.stance, statement.evidence.rule)
                summary.seconds = time.monotonic() - began
                on_progress(summary)
        waiting.seek(0)
        aliases = (Alias(*json.loads(line)) for line in waiting)
        while batch := list(itertools.islice(aliases, ALIASES_PER_TRANSACTION)):
            store.add((), batch)
    return summary


def articles_among(items: Iterable[Article | Alias], on_alias: Callable[[Alias], object]) -> Iterator[Article]:
    """Yield the articles among `items`, and call `on_alias` with the aliases."""
    for item in items:
        if isinstance(item, Article):
            yield item
        else:
            on_alias(item)


def article_chunks(articles: Iterator[Article]) -> Iterator[list[Article]]:
    """Yield the articles in lists of `ARTICLES_PER_CHUNK`."""
    while chunk := list(itertools.islice(articles, ARTICLES_PER_CHUNK)):
        yield chunk


_process_miner: list[Miner] = []


def _prepare_process(rules: Sequence[Rule] | None) -> None:
    _process_miner[:] = [Miner(rules)]


def _mine_in_process(articles: list[Article]) -> MinedChunk:
    return mine_chunk(_process_miner[0], articles)
