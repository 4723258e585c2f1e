"""A rule that a corpus suggests: first a draft for a trial, then a proposal as a row of TOML for a human reader."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from graph.mining.rules.rule_tables import Rule, read_user_rules
from graph.mining.rules.wording_shape import WordingShape
from graph.model import Polarity, Relation, Strength
from graph.text.inflection import regular_inflections

_EXAMPLES_SHOWN = 3
_PAIRS_SHOWN = 8
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


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
