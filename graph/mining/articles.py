"""Mining of many articles: over several processes, in order, in constant memory, with one transaction for each chunk."""

from __future__ import annotations

import itertools
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from operator import itemgetter

from graph.mining.abbreviations import explained_abbreviations
from graph.mining.article_lists import entry_statements
from graph.mining.judge.claim_judge import Judgement, OpenJudge, open_judge
from graph.mining.miner import MAX_SENTENCE_CHARACTERS, MinedClaim, Miner
from graph.mining.rules.rule_tables import Rule
from graph.mining.sentence.claim_arguments import ANAPHOR_SLOT
from graph.mining.stance.fiction import is_fiction
from graph.mining.workers import map_over_processes
from graph.model import JUDGED_SLOT, NAMES_SLOT, SPECIFIC_SLOT, Alias, Evidence, Stance, Statement
from graph.protocols import Added, GraphStore
from graph.sources.article import Article
from graph.text.normalise import concept_name
from graph.text.segmentation import sentence_spans

ARTICLES_PER_CHUNK = 40  # the articles of a chunk: a constant, so that the result does not depend on the number of workers
ALIASES_PER_TRANSACTION = 10_000


@dataclass(slots=True)
class MinedChunk:
    """The result of mining some articles; `unjudged` claims have no judgement, though there is a judge."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    unjudged: int = 0
    statements: list[Statement] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)


@dataclass(slots=True)
class MiningSummary:
    """The counts of a mining run; only a run on Spark counts `aliases` and `skipped` records, others what is `added`."""

    articles: int = 0
    sentences: int = 0
    too_long: int = 0
    unjudged: int = 0
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
class CuedSentence:
    """A sentence of an article from `start` to `end`, the rules that may match it, and where the sentence before it starts."""

    article: Article
    start: int
    end: int
    rules: frozenset[str]
    before_start: int

    @property
    def text(self) -> str:
        """The sentence."""
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
            context=tuple(sorted([*mined_claim.context, *_judgement_slots(mined_claim.judgement)], key=itemgetter(0))),
        )
        return Statement(mined_claim.claim, evidence)


def _judgement_slots(judgement: Judgement | None) -> Iterator[tuple[str, str]]:
    """Yield what a judgement adds to the context of a record."""
    if judgement is not None:
        yield JUDGED_SLOT, f"{judgement.right:.2f}"
        yield NAMES_SLOT, f"{judgement.names:.2f}"
        if judgement.specific > 0.5:
            yield SPECIFIC_SLOT, "one event"


def _cued_sentences(miner: Miner, article: Article) -> Iterator[CuedSentence]:
    last_start, last_end = 0, 0
    for start, end in sentence_spans(article.text):
        rules = miner.rules_for(article.text[start:end])
        if rules:
            follows = last_end > 0 and "\n" not in article.text[last_end:start]
            yield CuedSentence(article, start, end, rules, last_start if follows else start)
        last_start, last_end = start, end


def mine_chunk(miner: Miner, articles: Sequence[Article], within_text: bool = False) -> MinedChunk:
    """Return the statements of some articles; only sentences with a cue are parsed.

    Claims whose ends only the text before explains ("the attack") are left out, but for a graph that stays `within_text`.
    """
    mined = MinedChunk(articles=len(articles))
    places: list[CuedSentence] = []
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
        for place, proposed in zip(places, claims_by_sentence, strict=True):
            title, section = place.article.source.title, place.article.section(place.start)
            clear_claims = (claim for claim in proposed if within_text or not claim.points_back)
            claims = miner.judged_claims(clear_claims, place.text, title, section)
            mined.unjudged += miner.unjudged(claims)
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
    judge: OpenJudge = open_judge,
    on_progress: Callable[[MiningSummary], None] = lambda summary: None,
) -> MiningSummary:
    """Mine the articles among `items` into `store` and return the counts; `on_progress` is called after every chunk.

    Each chunk is one transaction, with the number of finished articles of `job`, which are skipped with `resume`. Aliases wait on
    disk until all their concepts are stored. `judge` opens the judge of the claims in each process. The result is the same for
    any number of workers.
    """
    began = time.monotonic()
    done = store.progress(job) if resume else 0
    summary = MiningSummary()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as waiting:

        def keep_alias(alias: Alias) -> None:
            waiting.write(json.dumps([alias.name, alias.concept]) + "\n")

        chunks = article_chunks(itertools.islice(articles_among(items, keep_alias), done, None))
        with closing(map_over_processes(_mine_in_process, chunks, workers, _prepare_process, (rules, judge))) as mined_chunks:
            for mined in mined_chunks:
                done += mined.articles
                summary.added += store.add(mined.statements, mined.aliases, progress=(job, done))
                summary.articles += mined.articles
                summary.sentences += mined.sentences
                summary.too_long += mined.too_long
                summary.unjudged += mined.unjudged
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


def _prepare_process(rules: Sequence[Rule] | None, judge: OpenJudge) -> None:
    _process_miner[:] = [Miner(rules, judge=judge())]


def _mine_in_process(articles: list[Article]) -> MinedChunk:
    return mine_chunk(_process_miner[0], articles)
