"""Induction of rules: the wordings in which the sentences of a corpus join pairs of cause and effect that a graph believes.

After Hearst (1992) and the bootstrapping of CauseNet (Heindorf et al. 2020): the paths that join known pairs are counted by
pairs and judged by the other pairs that they join. The results are proposals for a human reader.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graph.mining.miner import MAX_SENTENCE_CHARACTERS, SENTENCE_BATCH, MinedClaim, Miner
from graph.mining.rules.known_pairs import KnownPairs, PairMention
from graph.mining.rules.rule_proposal import BaseForms, RuleDraft, RuleProposal, draft_rule
from graph.mining.rules.rule_tables import Rule, builtin_rules
from graph.mining.rules.wording_shape import WordingShape, wording_shapes
from graph.mining.sentence.prefilter import Prefilter
from graph.mining.stance.stance_detection import detect_stance
from graph.model import Stance, Strength, stable_hash
from graph.text.inflection import regular_inflections
from graph.text.sentences import sentence_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

EXAMPLES_PER_SHAPE = 6
"""The sentences kept for each shape."""

SAMPLE_SENTENCES = 60
"""The sentences of the corpus in which each proposal is tried."""

PRIOR_PAIRS = 10
"""Smoothing: the pairs added to those of every trial, with half the usual share of known pairs."""

MAX_SHAPES = 100_000
"""The most shapes counted at a time; beyond that, shapes with a single pair are dropped."""

CorpusTexts = Callable[[], Iterable[str]]
"""A function that returns the texts of a corpus, from its beginning at each call."""

OnInductionProgress = Callable[[str], None]


@dataclass(slots=True)
class ShapeCounts:
    """The known pairs that one shape joined: pairs in the right direction, by whether they prevent, and reversed pairs.

    `sentences` are those with the smallest hashes, so that they do not depend on the order of the corpus.
    """

    causing: set[str] = field(default_factory=set)
    preventing: set[str] = field(default_factory=set)
    reversed: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    sentences: list[tuple[str, str]] = field(default_factory=list)

    @property
    def pairs(self) -> int:
        """The number of pairs in the right direction."""
        return len(self.causing | self.preventing)


def induce_rules(
    texts: CorpusTexts,
    known: KnownPairs,
    miner: Miner,
    minimum: int = 3,
    seed: int = 0,
    on_progress: OnInductionProgress = lambda message: None,
) -> list[RuleProposal]:
    """Return proposals of rules from a corpus, most precise first: wordings that the rules of `miner` do not cover.

    A wording is proposed where it joins at least `minimum` known pairs in the right direction. The corpus is read twice: once
    for the wordings, once for the other pairs that they join. The same corpus, pairs and seed give the same proposals.
    """
    tallies: dict[WordingShape, ShapeCounts] = {}
    forms = BaseForms(miner.nlp)
    for count, doc, mentions in _parsed_mentions(texts(), known, miner):
        _count_shapes(doc, mentions, miner, forms, tallies, seed)
        if len(tallies) > MAX_SHAPES:
            for shape in [shape for shape, tally in tallies.items() if tally.pairs + len(tally.reversed) < 2]:
                del tallies[shape]
        on_progress(f"{count:,} sentences with a known pair, {len(tallies):,} wordings")
    taken = {rule.id for rule in miner.rules}
    drafts = [
        draft_rule(
            shape,
            tally.words | regular_inflections(shape.cue, shape.kind),
            len(tally.causing),
            len(tally.preventing),
            len(tally.reversed),
            (text for _, text in tally.sentences),
            taken,
        )
        for shape, tally in sorted(tallies.items())
        if tally.pairs >= minimum and tally.pairs > len(tally.reversed)
    ]
    drafts = [draft for draft in drafts if not _is_known_wording(draft.rule(), miner.rules)]
    on_progress(f"{len(drafts):,} wordings to try")
    return _try_drafts(drafts, texts, known, seed)


def _parsed_mentions(texts: Iterable[str], known: KnownPairs, miner: Miner) -> Iterator[tuple[int, Doc, list[PairMention]]]:
    """Yield the sentences that name a known pair, numbered and parsed, with the pairs."""
    texts_with_mentions = ((text, mentions) for text in _short_sentences(texts) if (mentions := list(known.mentions(text))))
    count = 0
    while batch := list(itertools.islice(texts_with_mentions, 20 * SENTENCE_BATCH)):
        with miner.nlp.memory_zone():
            docs = miner.nlp.pipe((text for text, _ in batch), batch_size=SENTENCE_BATCH)
            for doc, (_, mentions) in zip(docs, batch, strict=True):
                count += 1
                yield count, doc, mentions


def _short_sentences(texts: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of texts that are short enough to be parsed."""
    for text in texts:
        for start, end in sentence_spans(text):
            if end - start <= MAX_SENTENCE_CHARACTERS:
                yield text[start:end]


def _count_shapes(
    doc: Doc, mentions: Iterable[PairMention], miner: Miner, forms: BaseForms, tallies: dict[WordingShape, ShapeCounts], seed: int
) -> None:
    """Add the wordings that join the pairs of a sentence, unless the rules cover them."""
    claims: list[MinedClaim] | None = None
    for mention in mentions:
        cause, effect = _head_noun(doc, mention.cause), _head_noun(doc, mention.effect)
        if cause is None or effect is None:
            continue
        joined = [(True, wording) for wording in wording_shapes(cause, effect, forms.of)]
        joined += [(False, wording) for wording in wording_shapes(effect, cause, forms.of)]
        for right, (shape, cue) in joined:
            if detect_stance(cue, (cause, effect)) is Stance.NEGATED:
                continue
            if claims is None:
                claims = miner.match(doc)
            if any(_covers_mention(claim, mention) for claim in claims):
                break
            _add_pair(tallies.setdefault(shape, ShapeCounts()), mention, right, cue, doc.text, seed)


def _add_pair(tally: ShapeCounts, mention: PairMention, right: bool, cue: Token, text: str, seed: int) -> None:
    """Add one pair to the counts of a shape."""
    pair = stable_hash(mention.pair)[:12]
    if not right:
        tally.reversed.add(pair)
        return
    (tally.preventing if mention.prevents else tally.causing).add(pair)
    tally.words.add(cue.lower_)
    tally.sentences = heapq.nsmallest(EXAMPLES_PER_SHAPE, {*tally.sentences, (stable_hash((str(seed), text)), text)})


def _covers_mention(claim: MinedClaim, mention: PairMention) -> bool:
    """Return whether a mined claim is about the two names."""
    ends = claim.cause_span, claim.effect_span
    return any(
        _spans_overlap(first, mention.cause) and _spans_overlap(second, mention.effect)
        for first, second in (ends, (ends[1], ends[0]))
    )


def _spans_overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _head_noun(doc: Doc, place: tuple[int, int]) -> Token | None:
    """Return the head noun of a name in a sentence, `None` if its words are no noun phrase."""
    span = doc.char_span(*place)
    if span is None:
        return None
    root: Token = span.root
    return root if root.tag_.startswith("NN") and root.dep_ != "compound" else None


def _is_known_wording(draft: Rule, rules: Iterable[Rule]) -> bool:
    """Return whether a rule covers the wording and only excludes its arguments."""
    patterns = {pattern.text for pattern in draft.patterns}
    return any(
        rule.cause_is_subject is draft.cause_is_subject
        and not rule.cue.isdisjoint(draft.cue)
        and not patterns.isdisjoint(pattern.text for pattern in rule.patterns)
        for rule in rules
    )


def _try_drafts(drafts: Sequence[RuleDraft], texts: CorpusTexts, known: KnownPairs, seed: int) -> list[RuleProposal]:
    """Return the proposals that match their own sentences, with their pairs in a sample of the corpus."""
    rules = {draft.id: draft.rule() for draft in drafts}
    reference = [rule for rule in builtin_rules() if rule.strength is Strength.CAUSES and rule.family == "verbs"]
    fillers = _pairs_by_rule([*rules.values(), *reference], texts, seed)
    usual = _known_share([pair for rule in reference for pair in fillers[rule.id]], known)
    prior = PRIOR_PAIRS * usual / 2
    proposals = []
    for draft in drafts:
        pairs = fillers[draft.id]
        examples = _draft_examples(rules[draft.id], draft)
        if examples:
            proposals.append(
                RuleProposal(draft, examples, tuple(sorted(pairs)), _known_share(pairs, known, prior, PRIOR_PAIRS), usual)
            )
    return sorted(proposals, key=lambda proposal: (-proposal.estimate, -proposal.draft.right, proposal.draft.id))


def _pairs_by_rule(rules: Sequence[Rule], texts: CorpusTexts, seed: int) -> dict[str, set[tuple[str, str]]]:
    """Return the pairs that each rule finds in those of its sentences with the smallest hashes, at most SAMPLE sentences."""
    prefilter = Prefilter(rules)
    chosen: dict[str, list[tuple[str, str]]] = {rule.id: [] for rule in rules}
    for text in _short_sentences(texts()):
        names = prefilter.rules_for(text)
        if names:
            order = stable_hash((str(seed), text))
            for name in names:
                heap = chosen[name]
                item = _inverted_digits(order), text
                if len(heap) < SAMPLE_SENTENCES:
                    heapq.heappush(heap, item)
                elif item > heap[0] and item not in heap:
                    heapq.heapreplace(heap, item)
    fillers: dict[str, set[tuple[str, str]]] = {rule.id: set() for rule in rules}
    trial = Miner(rules)
    sentences = sorted({text for heap in chosen.values() for _, text in heap})
    for claims in trial.mine(sentences):
        for mined_claim in claims:
            fillers[mined_claim.rule.id].add((mined_claim.claim.cause, mined_claim.claim.effect))
    return fillers


def _inverted_digits(digits: str) -> str:
    """Return hexadecimal digits in the inverse sort order, for a heap that drops its largest items."""
    return digits.translate(str.maketrans("0123456789abcdef", "fedcba9876543210"))


def _known_share(pairs: Iterable[tuple[str, str]], known: KnownPairs, added: float = 0.0, of: float = 0.0) -> float:
    """Return the share of pairs that have the heads of another known pair; 0 for no pairs.

    `added` of `of` further pairs smooth the share.
    """
    like = [known.is_like_another(cause, effect) for cause, effect in pairs]
    return (sum(like) + added) / (len(like) + of) if len(like) + of else 0.0


def _draft_examples(rule: Rule, draft: RuleDraft) -> tuple[tuple[str, str], ...]:
    """Return the draft's sentences in which the rule finds claims, with these, shortest sentences first."""
    trial = Miner([rule])
    examples = []
    for text, claims in zip(draft.sentences, trial.mine(draft.sentences), strict=True):
        if claims:
            pairs = sorted({(item.claim.cause, item.claim.effect) for item in claims})
            examples.append((text, "; ".join(f"{cause} -> {effect}" for cause, effect in pairs)))
    return tuple(sorted(examples, key=lambda item: (len(item[0]), item)))
