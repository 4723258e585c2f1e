"""Rules that a corpus suggests: the shape in which a sentence joins two nouns, a draft for a trial, and a proposal as TOML.

The shape is a frame of the tables if one fits, else the path between the nouns.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, cast

from graph.mining.rules.dependency_pattern import DEPENDENCY_LABELS, DependencyPattern, PatternInvalid, compile_pattern
from graph.mining.rules.rule_tables import Rule, frame_patterns, read_user_rules
from graph.mining.sentence.head_words import joining_word, tree_path
from graph.model import Polarity, Relation, Strength
from graph.text.inflection import regular_inflections

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline import Lemmatizer
    from spacy.tokens import Token

MAX_PATH_ARCS = 5
_PARTS_OF_SPEECH = {"V": "VERB", "N": "NOUN", "J": "ADJ"}
_PREP = re.compile(r"\bp=\{prep\}")
_OPEN_FRAMES = ("active", "passive", "prep", "stative", "noun", "noun-as", "include", "role")
_BE = "is|are|was|were|be|been|being"
_MERGED_LABELS = {"nsubj": "nsubj|csubj", "pobj": "pobj|pcomp", "nsubjpass": "nsubjpass", "agent": "agent|prep"}
_TAGGED_LABELS = frozenset({"acl", "advcl", "amod", "xcomp", "pcomp"})
_EXAMPLES_SHOWN = 3
_PAIRS_SHOWN = 8
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True, order=True)
class WordingShape:
    """A wording that joins a cause and an effect.

    `cue` is the base form of the word that anchors it and `kind` the letter of its part of speech (N, V, J, I); `frame` is a
    frame of the tables, or empty for a `pattern` of its own; `prep` fills the frame; `further_words` follow the cue in a pattern.
    """

    cue: str
    kind: str
    frame: str
    prep: str
    pattern: str
    cause_is_subject: bool
    further_words: tuple[str, ...] = ()


@cache
def _base_form(nlp: Language, word: str, kind: str) -> str:
    """Return the base form of a lower-case word, from the lemmatizer of a pipeline; `kind` is the first letter of its tag."""
    from spacy.tokens import Doc

    if kind not in _PARTS_OF_SPEECH:
        return word
    (token,) = Doc(nlp.vocab, [word])
    token.pos_ = _PARTS_OF_SPEECH[kind]
    return cast("Lemmatizer", nlp.get_pipe("lemmatizer")).lemmatize(token)[0].lower()


def wording_shapes(cause: Token, effect: Token, nlp: Language) -> Iterator[tuple[WordingShape, Token]]:
    """Yield the shape that joins two nouns, with its cue, if a short path does; a conjunct counts as the first one."""
    cause, effect = _first_conjunct(cause), _first_conjunct(effect)
    path = tree_path(cause, effect)
    if not 2 <= len(path) - 1 <= MAX_PATH_ARCS:
        return
    cue = joining_word(path)
    if cue is None or not cue.lower_.isalpha():
        return
    base = _base_form(nlp, cue.lower_, cue.tag_[0])
    shape = _frame_shape(cue, cause, effect, base) or _path_shape(path, cue, base)
    if shape is not None:
        yield shape, cue


def _first_conjunct(token: Token) -> Token:
    while token.dep_ == "conj":
        token = token.head
    return token


def _frame_shape(cue: Token, cause: Token, effect: Token, base: str) -> WordingShape | None:
    labels = {child.dep_ for child in cue.children}
    if "prt" in labels:
        return None
    for name, pattern in _open_frame_patterns():
        for nodes in pattern.find(cue):
            if "object" not in nodes or ("p" in nodes and "dobj" in labels and nodes["p"].head == cue):
                continue
            ends = _noun_of(nodes["subject"]), _noun_of(nodes["object"])
            if ends in ((cause, effect), (effect, cause)):
                prep = nodes["p"].lower_ if "p" in nodes else ""
                if not prep or prep.isalpha():
                    return WordingShape(base, cue.tag_[0], name, prep, "", ends == (cause, effect))
    return None


def _noun_of(token: Token) -> Token:
    if token.tag_ not in ("WDT", "WP") and not (token.lower_ == "that" and token.tag_ in ("IN", "DT")):
        return token
    verb = _first_conjunct(token.head)
    return verb.head if verb.dep_ == "relcl" else token


def _path_shape(path: list[Token], cue: Token, base: str) -> WordingShape | None:
    """Return the path itself as a shape with its words as literals; `None` if it cannot be written as a pattern."""
    place = path.index(cue)
    chains = (list(reversed(path[: place + 1])), path[place:])
    arcs: list[str] = []
    further_words: list[str] = []
    for chain, end in zip(chains, ("subject", "object"), strict=True):
        left = "cue"
        for number, (above, token) in enumerate(itertools.pairwise(chain), 1):
            last = number == len(chain) - 1
            up = above.head == token
            label = above.dep_ if up else token.dep_
            if label not in DEPENDENCY_LABELS or (not last and not token.lower_.isalpha()):
                return None
            tag = f"/{cue.tag_}" if above is cue and up and label in _TAGGED_LABELS else ""
            name = end if last else f"{end}{number}"
            word = "" if last else f"={_BE if token.lower_ in _BE.split('|') else token.lower_}"
            arcs.append(f"{left}{tag} {'<' if up else '>'}{_MERGED_LABELS.get(label, label)} {name}{word}")
            if not last and token.lower_ not in _BE.split("|"):
                further_words.append(token.lower_)
            left = name
    for child in cue.children:
        if child.dep_ in ("dobj", "prt") and child not in path:
            if not child.lower_.isalpha():
                return None
            arcs.append(f"cue >{child.dep_} with{child.dep_}={child.lower_}")
            further_words.append(child.lower_)
    text = ", ".join(arcs)
    try:
        compile_pattern(text)
    except PatternInvalid:
        return None
    return WordingShape(base, cue.tag_[0], "", "", text, cause_is_subject=True, further_words=tuple(further_words))


@cache
def _open_frame_patterns() -> tuple[tuple[str, DependencyPattern], ...]:
    table = tomllib.loads(resources.files("graph.mining.rules").joinpath("tables/frames.toml").read_text(encoding="utf-8"))
    patterns = []
    for name in _OPEN_FRAMES:
        texts = map(", ".join, frame_patterns(name, table["frames"][name], table["heads"]))
        patterns += [(name, compile_pattern(_PREP.sub("p", text))) for text in texts]
    return tuple(patterns)


@dataclass(slots=True)
class ShapeCounts:
    """The known pairs that one shape joined, by direction and effect, and the `sentences` with the smallest hashes."""

    causing: set[str] = field(default_factory=set)
    preventing: set[str] = field(default_factory=set)
    reversed: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    sentences: list[tuple[str, str]] = field(default_factory=list)

    @property
    def pairs(self) -> int:
        """Return the number of pairs in the right direction."""
        return len(self.causing | self.preventing)


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """A wording as a rule: the words of its cue, and how many known pairs it joined in the `right` or the `wrong` direction."""

    id: str
    shape: WordingShape
    words: frozenset[str]
    prevents: bool
    right: int
    wrong: int
    sentences: tuple[str, ...]

    def rule(self) -> Rule:
        """Return the draft as a rule without examples, for a trial."""
        (rule,) = read_user_rules(self.toml((), no_match=()), self.id)
        return rule

    def toml(self, examples: Iterable[tuple[str, str]], no_match: Iterable[str]) -> str:
        """Return the draft as a row of TOML, with its frame where it needs one of its own."""
        shape = self.shape
        relation, polarity = (Relation.PREVENTS, Polarity.DECREASES) if self.prevents else (Relation.CAUSES, Polarity.NONE)
        words = _toml_string(" ".join(sorted(self.words)))
        lines = ["[[rule]]", f"id = {_toml_string(self.id)}", 'learnt = "induced"', f"words = {words}"]
        if shape.further_words:
            lines.append(f"text = {_toml_string(self._cue_text_expression())}")
        if shape.prep:
            lines.append(f"prep = {_toml_string(shape.prep)}")
        side = "subject" if shape.cause_is_subject else "object"
        lines += [f"frame = {_toml_string(shape.frame or self.id)}", f'cause = "{side}"']
        if self.prevents:
            lines += [f'relation = "{relation}"', f'polarity = "{polarity}"']
        lines += [f'strength = "{Strength.LEADS_TO}"', "agents = false"]
        rows = [f"  [{_toml_string(text)}, {_toml_string(claims)}]," for text, claims in examples] or ['  ["?", "a -> b"],']
        lines += ["match = [", *rows, "]", "no_match = [", *(f"  {_toml_string(text)}," for text in no_match), "]"]
        if not shape.frame:
            lines += ["", f"[frames.{_toml_string(self.id)}]", f"patterns = [{_toml_string(shape.pattern)}]"]
        return "\n".join(lines) + "\n"

    def _cue_text_expression(self) -> str:
        """Return the expression for a sentence: the cue and the further words of the pattern, in the observed order."""
        cue = f"(?:{'|'.join(sorted(map(re.escape, self.words)))})"
        after = all(
            re.search(rf"\b{cue}\b.*\b{re.escape(word)}\b", text.lower())
            for text in self.sentences
            for word in self.shape.further_words
        )
        return rf"{cue}(?=\W.*\b{self.shape.further_words[-1]}\b)" if after else cue


@dataclass(frozen=True, slots=True)
class RuleProposal:
    """A draft after its trial: sentences with its pairs in them, and its pairs in a sample of the corpus.

    `known` is the share of those pairs with the head words of another known pair, smoothed; `usual` that of the built-in rules of
    plain causing. The `estimate` of the precision, 0..1, is the share of pairs in the right direction times `known` over `usual`.
    """

    draft: RuleDraft
    examples: tuple[tuple[str, str], ...]
    fillers: tuple[tuple[str, str], ...]
    known: float
    usual: float

    @property
    def estimate(self) -> float:
        """Return the estimated precision."""
        draft = self.draft
        direction = (draft.right + 1) / (draft.right + draft.wrong + 2)
        return direction * (min(1.0, self.known / self.usual) if self.usual else 1.0)

    def toml(self) -> str:
        """Return the proposal as loadable TOML, with its figures and some of its pairs as a comment."""
        draft = self.draft
        lines = [
            f"# {draft.right} known pairs the right way round, {draft.wrong} not; of {len(self.fillers)} pairs in a sample of the"
            f" corpus {self.known:.0%} are like known ones (plain causing: {self.usual:.0%}); estimate {self.estimate:.2f}",
            *(f"# {_CONTROL.sub(' ', f'{cause} -> {effect}')}" for cause, effect in self.fillers[:_PAIRS_SHOWN]),
        ]
        return "\n".join(lines) + "\n" + draft.toml(self.examples[:_EXAMPLES_SHOWN], ())


def draft_rule(shape: WordingShape, counts: ShapeCounts, taken: set[str]) -> RuleDraft:
    """Return the draft of a shape under an id that is not in `taken`, and put it there; it prevents if most of its pairs do."""
    prep = shape.prep if shape.frame else "-".join(shape.further_words)
    stem = "-".join(filter(None, (shape.cue, prep)))
    base = f"{stem}.{shape.frame or 'path'}{'' if shape.cause_is_subject else '-reverse'}"
    names = itertools.chain([base], (f"{base}-{number}" for number in itertools.count(2)))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    words = frozenset(counts.words | regular_inflections(shape.cue, shape.kind))
    contrary, right = sorted((len(counts.causing), len(counts.preventing)))
    prevents = len(counts.preventing) > len(counts.causing)
    sentences = tuple(text for _, text in counts.sentences)
    return RuleDraft(name, shape, words, prevents, right, contrary + len(counts.reversed), sentences)


def _toml_string(text: str) -> str:
    """Return a text as a string of TOML, which has the syntax of JSON's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
