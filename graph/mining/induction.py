"""Induction of rules: the wordings in which the sentences of a corpus join pairs of cause and effect that a graph believes.

After Hearst (1992) and the bootstrapping of CauseNet (Heindorf et al. 2020): the paths that join known pairs are counted by
pairs and judged by the other pairs that they join. The results are proposals for a human reader.
"""

from __future__ import annotations

import bisect
import heapq
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from graph.mining.miner import MAX_SENTENCE_CHARACTERS, SENTENCE_BATCH, MinedClaim, Miner
from graph.mining.prefilter import Prefilter
from graph.mining.rules.rule_proposal import RuleDraft, RuleProposal, ShapeCounts, WordingShape, draft_rule, wording_shapes
from graph.mining.rules.rule_tables import Rule, builtin_rules
from graph.mining.stance.stance_detection import detect_stance
from graph.model import Polarity, Relation, Stance, Statement, Strength, stable_hash
from graph.text.normalise import singular
from graph.text.segmentation import sentence_spans, text_tokens, token_pattern
from graph.text.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_KNOWN_NAME_WORDS = 4
ASSERTIONS_PER_DENIAL = 3  # of a claim that is believed, at least
EXAMPLES_PER_SHAPE = 6
SAMPLE_SENTENCES = 60  # in which each proposal is tried
PRIOR_PAIRS = 10  # added to those of every trial, with half the usual share of known pairs
MAX_SHAPES = 100_000  # beyond that, shapes with a single pair are dropped
_BEHIND_HEAD = re.compile(r" (?:of|in|on|at|by|for|from|to|with|without|against|between|during|due) ")

CorpusTexts = Callable[[], Iterable[str]]  # a function that returns the texts of a corpus, from its beginning at each call


@dataclass(frozen=True, slots=True)
class PairMention:
    """A believed pair in a sentence: the character spans of cause and effect (end exclusive), and whether it prevents."""

    cause: tuple[int, int]
    effect: tuple[int, int]
    pair: tuple[str, str]
    prevents: bool


class KnownPairs:
    """Believed pairs of names, which cause or prevent."""

    def __init__(self, pairs: Iterable[tuple[str, str, bool]]) -> None:
        self._prevents: dict[tuple[str, str], bool] = {}
        self._heads: Counter[tuple[str, str]] = Counter()
        for cause, effect, prevents in pairs:
            pair = name_key(cause), name_key(effect)
            lengths = [len(name.split()) if len(name) > 2 and name not in _vague_words() else 0 for name in pair]
            if pair[0] != pair[1] and min(lengths) > 0 and max(lengths) <= MAX_KNOWN_NAME_WORDS:
                if pair not in self._prevents:
                    self._heads[_head_words(pair)] += 1
                self._prevents[pair] = prevents
        self._names = {name for pair in self._prevents for name in pair}
        self._first = {name.split()[0] for name in self._names}

    def __len__(self) -> int:
        return len(self._prevents)

    def mentions(self, sentence: str) -> Iterator[PairMention]:
        """Yield the pairs with both names in the sentence, in the singular or plural; of overlapping names the longest counts."""
        words = list(token_pattern().finditer(sentence))
        keys = [_word_key(word[0]) for word in words]
        occurrences: list[tuple[tuple[int, int], str]] = []
        place = 0
        while place < len(keys):
            lengths = range(MAX_KNOWN_NAME_WORDS, 0, -1) if keys[place] in self._first else ()
            names = (" ".join(keys[place : place + length]) for length in lengths)
            name = next((name for name in names if name in self._names), "")
            after = place + max(1, len(name.split()))
            if name:
                occurrences.append(((words[place].start(), words[after - 1].end()), name))
            place = after
        for (cause_span, cause), (effect_span, effect) in itertools.permutations(occurrences, 2):
            prevents = self._prevents.get((cause, effect))
            if prevents is not None:
                yield PairMention(cause_span, effect_span, (cause, effect), prevents)

    def is_like_another(self, cause: str, effect: str) -> bool:
        """Return whether another known pair has the same head words; the pair itself would only confirm itself."""
        pair = name_key(cause), name_key(effect)
        return self._heads[_head_words(pair)] > (pair in self._prevents)


def believed_pairs(statements: Iterable[Statement]) -> Iterator[tuple[str, str, bool]]:
    """Yield `(cause, effect, prevents)` of the believed claims of a graph but associations; records of a claim are adjacent."""
    for claim, group in itertools.groupby(statements, key=lambda statement: statement.claim):
        if claim.relation is Relation.ASSOCIATED:
            continue
        stances = Counter(statement.evidence.stance for statement in group)
        if stances[Stance.ASSERTED] > ASSERTIONS_PER_DENIAL * stances[Stance.NEGATED]:
            yield claim.cause, claim.effect, Polarity.DECREASES is claim.polarity or Relation.PREVENTS is claim.relation


def name_key(name: str) -> str:
    """Return the search key of a name: its words in lower case, each in the singular."""
    return " ".join(map(_word_key, text_tokens(name)))


@cache
def _vague_words() -> frozenset[str]:
    return frozenset(map(_word_key, word_list("vague") | word_list("partitive") | word_list("empty") | word_list("measure")))


@lru_cache(1 << 17)
def _word_key(word: str) -> str:
    return singular(word.lower())


def head_word_of_name(name: str) -> str:
    """Return the head word of a name: the last before the first preposition; empty for an empty name."""
    return (_BEHIND_HEAD.split(name, maxsplit=1)[0].split() or [""])[-1]


def _head_words(pair: tuple[str, str]) -> tuple[str, str]:
    return head_word_of_name(pair[0]), head_word_of_name(pair[1])


def induce_rules(
    texts: CorpusTexts,
    known: KnownPairs,
    miner: Miner,
    minimum: int = 3,
    seed: int = 0,
    on_progress: Callable[[str], None] = lambda message: None,
) -> list[RuleProposal]:
    """Return proposals of rules from a corpus, most precise first: wordings that the rules of `miner` do not cover.

    A wording is proposed where it joins at least `minimum` known pairs in the right direction. The corpus is read twice: once
    for the wordings, once for the other pairs that they join. The same corpus, pairs and seed give the same proposals.
    """
    tallies: dict[WordingShape, ShapeCounts] = {}
    for count, doc, mentions in _parsed_mentions(texts(), known, miner):
        _count_shapes(doc, mentions, miner, tallies, seed)
        if len(tallies) > MAX_SHAPES:
            for shape in [shape for shape, tally in tallies.items() if tally.pairs + len(tally.reversed) < 2]:
                del tallies[shape]
        on_progress(f"{count:,} sentences with a known pair, {len(tallies):,} wordings")
    taken = {rule.id for rule in miner.rules}
    drafts = [
        draft_rule(shape, tally, taken)
        for shape, tally in sorted(tallies.items())
        if tally.pairs >= minimum and tally.pairs > len(tally.reversed)
    ]
    covered = {wording for rule in miner.rules for wording in _wordings(rule)}
    drafts = [draft for draft in drafts if covered.isdisjoint(_wordings(draft.rule()))]
    on_progress(f"{len(drafts):,} wordings to try")
    return _try_drafts(drafts, texts, known, seed)


def _parsed_mentions(texts: Iterable[str], known: KnownPairs, miner: Miner) -> Iterator[tuple[int, Doc, list[PairMention]]]:
    texts_with_mentions = ((text, mentions) for text in _short_sentences(texts) if (mentions := list(known.mentions(text))))
    count = 0
    while batch := list(itertools.islice(texts_with_mentions, 20 * SENTENCE_BATCH)):
        with miner.nlp.memory_zone():
            docs = miner.nlp.pipe((text for text, _ in batch), batch_size=SENTENCE_BATCH)
            for doc, (_, mentions) in zip(docs, batch, strict=True):
                count += 1
                yield count, doc, mentions


def _short_sentences(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for start, end in sentence_spans(text):
            if end - start <= MAX_SENTENCE_CHARACTERS:
                yield text[start:end]


def _count_shapes(
    doc: Doc, mentions: Iterable[PairMention], miner: Miner, tallies: dict[WordingShape, ShapeCounts], seed: int
) -> None:
    claims: list[MinedClaim] | None = None
    for mention in mentions:
        cause, effect = _head_noun(doc, mention.cause), _head_noun(doc, mention.effect)
        if cause is None or effect is None:
            continue
        joined = [(True, wording) for wording in wording_shapes(cause, effect, miner.nlp)]
        joined += [(False, wording) for wording in wording_shapes(effect, cause, miner.nlp)]
        for right, (shape, cue) in joined:
            if detect_stance(cue, (cause, effect)) is Stance.NEGATED:
                continue
            if claims is None:
                claims = miner.match(doc)
            if any(_covers_mention(claim, mention) for claim in claims):
                break
            tally = tallies.setdefault(shape, ShapeCounts())
            pair = stable_hash(mention.pair)[:12]
            if not right:
                tally.reversed.add(pair)
                continue
            (tally.preventing if mention.prevents else tally.causing).add(pair)
            tally.words.add(cue.lower_)
            sentence = stable_hash((str(seed), doc.text)), doc.text
            tally.sentences = heapq.nsmallest(EXAMPLES_PER_SHAPE, {*tally.sentences, sentence})


def _covers_mention(claim: MinedClaim, mention: PairMention) -> bool:
    def overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
        return first[0] < second[1] and second[0] < first[1]

    cause, effect = claim.cause_span, claim.effect_span
    forward = overlap(cause, mention.cause) and overlap(effect, mention.effect)
    return forward or (overlap(effect, mention.cause) and overlap(cause, mention.effect))


def _head_noun(doc: Doc, place: tuple[int, int]) -> Token | None:
    span = doc.char_span(*place)
    if span is None:
        return None
    root: Token = span.root
    return root if root.tag_.startswith("NN") and root.dep_ != "compound" else None


def _wordings(rule: Rule) -> Iterator[tuple[bool, str, str]]:
    yield from ((rule.cause_is_subject, word, pattern.text) for word in rule.cue for pattern in rule.patterns)


def _try_drafts(drafts: Sequence[RuleDraft], texts: CorpusTexts, known: KnownPairs, seed: int) -> list[RuleProposal]:
    rules = {draft.id: draft.rule() for draft in drafts}
    reference = [rule for rule in builtin_rules() if rule.strength is Strength.CAUSES and rule.family == "verbs"]
    fillers = _pairs_by_rule([*rules.values(), *reference], texts, seed)
    usual = _known_share([pair for rule in reference for pair in fillers[rule.id]], known)
    proposals = []
    for draft in drafts:
        pairs = fillers[draft.id]
        examples = []
        for text, claims in zip(draft.sentences, Miner([rules[draft.id]]).mine(draft.sentences), strict=True):
            ends = sorted({(item.claim.cause, item.claim.effect) for item in claims})
            if ends:
                examples.append((text, "; ".join(f"{cause} -> {effect}" for cause, effect in ends)))
        examples.sort(key=lambda item: (len(item[0]), item))
        if examples:
            share = _known_share(pairs, known, PRIOR_PAIRS * usual / 2, PRIOR_PAIRS)
            proposals.append(RuleProposal(draft, tuple(examples), tuple(sorted(pairs)), share, usual))
    return sorted(proposals, key=lambda proposal: (-proposal.estimate, -proposal.draft.right, proposal.draft.id))


def _pairs_by_rule(rules: Sequence[Rule], texts: CorpusTexts, seed: int) -> dict[str, set[tuple[str, str]]]:
    """Return the pairs that each rule finds in `SAMPLE_SENTENCES` of its sentences, those with the smallest hashes."""
    prefilter = Prefilter(rules)
    chosen: dict[str, list[tuple[str, str]]] = {rule.id: [] for rule in rules}
    for text in _short_sentences(texts()):
        names = prefilter.rules_for(text)
        item = (stable_hash((str(seed), text)), text) if names else ("", "")
        for name in names:
            sample = chosen[name]
            if len(sample) < SAMPLE_SENTENCES or (item < sample[-1] and item not in sample):
                bisect.insort(sample, item)
                del sample[SAMPLE_SENTENCES:]
    fillers: dict[str, set[tuple[str, str]]] = {rule.id: set() for rule in rules}
    trial = Miner(rules)
    sentences = sorted({text for sample in chosen.values() for _, text in sample})
    for claims in trial.mine(sentences):
        for mined_claim in claims:
            fillers[mined_claim.rule.id].add((mined_claim.claim.cause, mined_claim.claim.effect))
    return fillers


def _known_share(pairs: Iterable[tuple[str, str]], known: KnownPairs, added: float = 0.0, of: float = 0.0) -> float:
    """Return the share of pairs that have the heads of another known pair, smoothed by `added` of `of` further pairs; else 0."""
    like = [known.is_like_another(cause, effect) for cause, effect in pairs]
    return (sum(like) + added) / (len(like) + of) if len(like) + of else 0.0
