"""From sentences to claims: parse, match the rules, read the arguments and the stance, ask the judge.

Also the check of the rules against their examples, and the versions of rules and pipeline, on which the result of a run depends.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property
from importlib import metadata
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from graph.mining.judge.claim_judge import ClaimJudge, Judgement
from graph.mining.judge.judge_input import Proposal
from graph.mining.prefilter import Prefilter
from graph.mining.rules.rule_tables import LOOSE_FAMILY, Rule, builtin_rules, with_loose_rules
from graph.mining.sentence.attachment import is_valid_match, resolve_attachment
from graph.mining.sentence.claim_arguments import (
    ANAPHOR_SLOT,
    act_arguments,
    effect_on_object,
    event_argument,
    is_anaphor,
    phrase_arguments,
    resolve_anaphor,
)
from graph.mining.sentence.head_words import first_labelled, is_agent
from graph.mining.sentence.noun_phrases import ClaimArgument
from graph.mining.sentence.parse_repair import repair_parse
from graph.mining.sentence.spacy_pipeline import import_spacy, load_pipeline
from graph.mining.stance.claim_context import context_slots
from graph.mining.stance.stance_detection import detect_stance, stance_of_pair
from graph.model import Claim, Polarity, Relation, Stance, stable_hash
from graph.onnx_session import without_surrogates
from graph.text.word_lists import word_list

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline import Lemmatizer
    from spacy.tokens import Doc, Token

MAX_SENTENCE_CHARACTERS = 1_500
SENTENCE_BATCH = 64
LEAST_RIGHT = 0.65
"""The least probability, by the judge, of the sentence stating a claim with its stance, of what is kept."""
LEAST_DENIED = 0.8
"""The same for a denial, which one sentence turns into evidence against what many say."""
LEAST_KIND = 0.6
"""The least probability of a relation, by the judge, that replaces the one of the rule."""
PARSER_BATCH = {"parser": {"batch_size": 256}}
"""The batch of the parser is larger than that of the components before it, which is a tenth faster than one size for all."""
ParsePrevious: TypeAlias = "Callable[[], Doc] | None"
"""A function that parses the sentence before, once; `None` without a sentence or for one that is too long."""


@dataclass(frozen=True, slots=True)
class MinedClaim:
    """A claim with the spans of its parts in the sentence (character offsets, end exclusive), and its judgement, if any.

    `points_back` says that only the text before tells what one of its ends means: "its effects", "the attack"; `of_act` that its
    effect is named by what is done to a thing: "damage to retina".
    """

    claim: Claim
    cause_span: tuple[int, int]
    effect_span: tuple[int, int]
    cue_span: tuple[int, int]
    stance: Stance
    rule: Rule
    context: tuple[tuple[str, str], ...] = ()
    judgement: Judgement | None = None
    points_back: bool = False
    of_act: bool = False

    def proposal(self, text: str, title: str = "", section: str = "") -> Proposal:
        """Return the claim as a judge of claims takes it, with its sentence and the title and section of the article."""
        return Proposal(
            text,
            self.cause_span,
            self.effect_span,
            self.cue_span,
            self.claim.cause,
            self.claim.effect,
            self.rule.id,
            self.stance,
            title,
            section,
            self.rule.family == LOOSE_FAMILY,
        )


class Miner:
    """Finds cause-effect claims in sentences by rules; without `prefilter` all are parsed, to measure its loss.

    `judge` is what `judged_claims` asks; without one it takes every claim. With a judge, the loose rules propose claims, too.
    """

    def __init__(self, rules: Sequence[Rule] | None = None, prefilter: bool = True, judge: ClaimJudge | None = None) -> None:
        own = builtin_rules() if rules is None else rules
        self.rules = tuple(own) if judge is None else with_loose_rules(own)
        self._judge = judge
        self._prefilter = prefilter
        self._by_cue: dict[int, list[Rule]] = {}
        import_spacy()
        from spacy.strings import get_string_id

        for rule in self.rules:
            for word in rule.cue:
                self._by_cue.setdefault(get_string_id(word), []).append(rule)
        self._filter = Prefilter(self.rules)

    @cached_property
    def nlp(self) -> Language:
        """The spaCy pipeline, loaded at first use and shared, with the components that the rules need."""
        return load_pipeline()

    @cached_property
    def _lemmatizer(self) -> Lemmatizer:
        return cast("Lemmatizer", self.nlp.get_pipe("lemmatizer"))

    def rules_for(self, sentence: str) -> frozenset[str]:
        """Return the ids of the rules that could match the sentence, judged by its words alone; all without the prefilter."""
        return self._filter.rules_for(sentence) if self._prefilter else self._filter.needed_for(sentence)

    def mine(
        self, sentences: Iterable[str], judged: Iterable[frozenset[str]] | None = None, before: Sequence[str] | None = None
    ) -> Iterator[list[MinedClaim]]:
        """Yield the claims of each sentence, in order; nothing for sentences of more than 1,500 characters.

        `judged` has the results of `rules_for`, if they are known; `before` has the sentence before each, or an empty text: the
        antecedents of "This" and "It" at the beginning of a sentence are in it.
        """
        texts = list(sentences)
        rules = [self.rules_for(text) for text in texts] if judged is None else list(judged)
        worth = [place for place, text in enumerate(texts) if len(text) <= MAX_SENTENCE_CHARACTERS and rules[place]]
        encodable = (without_surrogates(texts[place]) for place in worth)
        docs = self.nlp.pipe(encodable, batch_size=SENTENCE_BATCH, component_cfg=PARSER_BATCH)
        parsed = dict(zip(worth, docs, strict=True))
        for place in range(len(texts)):
            previous = "" if before is None else before[place]
            yield self.match(parsed[place], rules[place], previous) if place in parsed else []

    def judged_claims(self, claims: Iterable[MinedClaim], text: str, title: str = "", section: str = "") -> list[MinedClaim]:
        """Return the claims of a sentence that the judge takes for stated, each with its judgement and its stance.

        `title` and `section` are those of the article. A claim of a rule that the judge cannot read is kept as the rule has it.
        """
        if self._judge is None:
            return list(claims)
        judged = []
        for claim in claims:
            judgement = self._judge.judge(claim.proposal(text, title, section))
            if judgement is None:
                judged += [] if claim.rule.family == LOOSE_FAMILY else [claim]
            elif judgement.right >= least_right(judgement.stance):
                judged.append(replace(claim, claim=_read_claim(claim, judgement), stance=judgement.stance, judgement=judgement))
        return judged

    def unjudged(self, claims: Iterable[MinedClaim]) -> int:
        """Return how many of the claims of `judged_claims` the judge could not judge; none without a judge."""
        return 0 if self._judge is None else sum(claim.judgement is None for claim in claims)

    def match(self, doc: Doc, judged: frozenset[str] | None = None, before: str = "") -> list[MinedClaim]:
        """Return the claims that the rules propose in a parsed sentence, in the order of their cues and rules.

        `before` is the sentence before it, which is parsed only if "This" or "It" is the cause or the effect.
        """
        ids = self.rules_for(doc.text) if judged is None else judged
        repair_parse(doc)
        parsed = cache(lambda: self.nlp(before)) if 0 < len(before) <= MAX_SENTENCE_CHARACTERS else None
        claims: dict[tuple[Claim, Stance], MinedClaim] = {}
        for place, word in enumerate(doc.to_array("LOWER").tolist()):  # a `Token` is made only where there is a cue
            for rule in self._by_cue.get(word, ()):
                if rule.id not in ids:
                    continue
                for nodes in (nodes for pattern in rule.patterns for nodes in pattern.find(doc[place])):
                    for claim in self._claims(rule, nodes, parsed):
                        claims.setdefault((claim.claim, claim.stance), claim)
        strict = [claim for claim in claims.values() if claim.rule.family != LOOSE_FAMILY]
        return sorted(
            (claim for claim in claims.values() if claim.rule.family != LOOSE_FAMILY or not _is_proposed(claim, strict)),
            key=lambda mined_claim: (mined_claim.cue_span, mined_claim.cause_span, mined_claim.effect_span, mined_claim.rule.id),
        )

    def _claims(self, rule: Rule, nodes: dict[str, Token], before: ParsePrevious) -> Iterator[MinedClaim]:
        cue = nodes["cue"]
        if not rule.agents and is_agent(nodes["subject"] if rule.cause_is_subject else nodes.get("object", cue)):
            return
        resolved_nodes = resolve_attachment(rule, nodes) if is_valid_match(rule, nodes) else None
        if resolved_nodes is None:
            return
        nodes = resolved_nodes
        causes, effects = self._causes_and_effects(rule, nodes, before)
        if not causes or not effects:
            return
        # The stance of a goal is that of the act before it: "emigrated to avoid".
        act = nodes.get("object", cue) if rule.cause_is_subject else nodes["subject"]
        is_motive = rule.relation is Relation.MOTIVATES
        attitude = detect_stance(act if rule.acts and is_motive else cue, tuple(nodes.values()), is_motive)
        if rule.hedged and attitude is Stance.ASSERTED:
            attitude = Stance.HEDGED
        end_tokens = (nodes["subject"], nodes.get("object", cue)) if before is not None else ()
        pointed = [(ANAPHOR_SLOT, token.text) for token in end_tokens if is_anaphor(token)][:1]
        yield from _claims_between(causes, effects, rule, cue, tuple(nodes.values()), attitude, pointed)

    def _causes_and_effects(
        self, rule: Rule, nodes: dict[str, Token], before: ParsePrevious
    ) -> tuple[list[ClaimArgument], list[ClaimArgument]]:
        cue = nodes["cue"]
        subject, target = nodes["subject"], nodes.get("object", cue)
        cause, effect = (subject, target) if rule.cause_is_subject else (target, subject)
        matched = frozenset(token.i for token in nodes.values())
        causes = self._arguments_of_end(rule, cause, matched, before)
        causes = _with_allowed_heads(causes, rule.cause_in, rule.cause_not_in)
        if rule.relation not in (Relation.IS_FOR, Relation.MOTIVATES):
            causes = [argument for argument in causes if argument.head not in word_list("intention")]
        if not causes:
            return [], []
        if "object" not in nodes and rule.object_name is not None:
            effects = [event_argument(rule.object_name, cue, matched)]
        else:
            effects = self._arguments_of_end(rule, effect, matched, before)
        effects = _with_allowed_heads(effects, rule.effect_in, rule.effect_not_in)
        if rule.transitive and rule.cause_is_subject and not rule.acts:
            effects = [result for thing in effects if (result := effect_on_object(thing, cue)) is not None]
        return causes, effects[:1] if rule.hyphen else effects

    def _arguments_of_end(self, rule: Rule, end: Token, matched: frozenset[int], before: ParsePrevious) -> list[ClaimArgument]:
        if before is not None and is_anaphor(end):
            meant = resolve_anaphor(end, before(), self.lemma)
            return [] if meant is None else [meant]
        arguments = [] if rule.acts else phrase_arguments(end, self.lemma, matched)
        doer = first_labelled(end.lefts, "nsubj")
        is_unnamed = doer is not None and doer.lower_ in word_list("people")  # "they withdrew", "some left"
        if rule.acts or (rule.deeds and not arguments and is_unnamed):
            return act_arguments(end, self.lemma, matched)
        return arguments

    def lemma(self, verb: Token) -> str:
        """Return the base form of a verb, in lower case."""
        if verb.tag_ in ("VB", "VBP"):
            return verb.lower_
        verb.pos_ = "VERB"
        return self._lemmatizer.lemmatize(verb)[0].lower()


def _claims_between(
    causes: Sequence[ClaimArgument],
    effects: Sequence[ClaimArgument],
    rule: Rule,
    cue: Token,
    nodes: tuple[Token, ...],
    attitude: Stance,
    pointed: Sequence[tuple[str, str]] = (),
) -> Iterator[MinedClaim]:
    """Yield the claims between ends that do not overlap, with the context of each.

    An end whose words stand on both sides of what it is named by, as those of a relative clause do, has no span and no claim.
    """
    whole = ([end for end in ends if end.start < end.end] for ends in (causes, effects))
    for cause, effect in itertools.product(*whole):
        if cause.name == effect.name or spans_overlap((cause.start, cause.end), (effect.start, effect.end)):
            continue
        spans = (cue.doc.char_span(end.start, end.end, alignment_mode="expand") for end in (cause, effect))
        ends = [span for span in spans if span is not None]
        context = (*pointed, *context_slots(cue, nodes, ends))
        yield MinedClaim(
            Claim(cause.name, effect.name, *_kind_of_claim(rule.relation, rule.polarity, effect.is_act)),
            (cause.start, cause.end),
            (effect.start, effect.end),
            (cue.idx, cue.idx + len(cue)),
            stance_of_pair(attitude, ends, cue),
            rule,
            tuple(sorted(context, key=lambda slot: slot[0])),
            points_back=cause.points_back or effect.points_back,
            of_act=effect.is_act,
        )


def spans_overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Return whether two spans share a character."""
    return first[0] < second[1] and second[0] < first[1]


def _is_proposed(claim: MinedClaim, others: Iterable[MinedClaim]) -> bool:
    """Return whether one of some claims has ends that overlap those of a claim."""
    return any(
        spans_overlap(claim.cause_span, known.cause_span) and spans_overlap(claim.effect_span, known.effect_span)
        for known in others
    )


def least_right(stance: Stance) -> float:
    """Return the least probability that the judge must give to a claim of this stance."""
    return LEAST_DENIED if stance is Stance.NEGATED else LEAST_RIGHT


def _read_claim(claim: MinedClaim, judgement: Judgement) -> Claim:
    """Return a claim with the relation that the judge reads, where it is sure enough of it or no strict rule gave one."""
    if judgement.kind_chance <= (0 if claim.rule.family == LOOSE_FAMILY else LEAST_KIND):
        return claim.claim
    relation, polarity = _kind_of_claim(*judgement.kind, claim.of_act)
    return replace(claim.claim, relation=relation, polarity=polarity)


def _kind_of_claim(relation: Relation, polarity: Polarity, of_act: bool) -> tuple[Relation, Polarity]:
    """Return the relation and polarity of a claim: what makes less of a thing, or ends it, causes the act named by its effect."""
    return (Relation.CAUSES, Polarity.NONE) if of_act and polarity is not Polarity.NONE else (relation, polarity)


def _with_allowed_heads(
    arguments: Iterable[ClaimArgument], allowed: frozenset[str], excluded: frozenset[str]
) -> list[ClaimArgument]:
    return [argument for argument in arguments if (not allowed or argument.head in allowed) and argument.head not in excluded]


ClaimPairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ExampleFailure:
    """An example in which a rule does not find the expected (cause, effect) pairs; not `parsed` if the prefilter excludes it."""

    rule: Rule
    text: str
    expected: ClaimPairs
    actual: ClaimPairs
    parsed: bool


def example_failures(rules: Iterable[Rule]) -> Iterator[ExampleFailure]:
    """Yield the examples and counterexamples that a rule fails, in order."""
    for rule in rules:
        miner = Miner([rule])
        cases = [*((item.text, item.claims) for item in rule.matches), *((text, frozenset()) for text in rule.no_matches)]
        for (text, expected), claims in zip(cases, miner.mine([text for text, _ in cases]), strict=True):
            actual = frozenset((item.claim.cause, item.claim.effect) for item in claims)
            if actual != expected:
                yield ExampleFailure(rule, text, expected, actual, bool(miner.rules_for(text)))


def rules_hash(rules: Sequence[Rule]) -> str:
    """Return 32 hexadecimal digits that depend on the rules and their order, and not on the file that they come from."""
    return stable_hash(json.dumps(_json_value(rule)) for rule in rules)


def _json_value(value: Any) -> Any:
    if is_dataclass(value):
        return [_json_value(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, frozenset):
        return _hash_of_set(value)
    return [_json_value(element) for element in value] if isinstance(value, tuple) else value


@cache
def _hash_of_set(values: frozenset[object]) -> str:
    """Return the hash of a set of words or of pairs of them; many rules have the same long lists of words."""
    return stable_hash(("\n".join(sorted(map(str, values))),))


def pipeline_version(name: str) -> str:
    """Return the name and version of an installed spaCy pipeline, or the path of another one."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return name
