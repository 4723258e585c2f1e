"""A rule that a corpus suggests: first a draft for a trial, then a proposal as a row of TOML for a human reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.mining.rules.rule_tables import Rule, read_user_rules
from graph.mining.rules.wording_shape import WordingShape
from graph.model import Polarity, Relation, Strength

if TYPE_CHECKING:
    from spacy.language import Language

_PARTS = {"V": "VERB", "N": "NOUN", "J": "ADJ"}
_EXAMPLES_SHOWN = 3
_PAIRS_SHOWN = 8


class BaseForms:
    """Base forms of words, from the lemmatizer of a pipeline."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp
        self._known: dict[tuple[str, str], str] = {}

    def of(self, word: str, kind: str) -> str:
        """Return the base form of a lower-case word; `kind` is the first letter of its tag."""
        if kind not in _PARTS:
            return word
        if (word, kind) not in self._known:
            from spacy.pipeline import Lemmatizer
            from spacy.tokens import Doc

            lemmatizer = self._nlp.get_pipe("lemmatizer")
            (token,) = Doc(self._nlp.vocab, [word])
            token.pos_ = _PARTS[kind]
            base = lemmatizer.lemmatize(token)[0].lower() if isinstance(lemmatizer, Lemmatizer) else word
            self._known[word, kind] = base
        return self._known[word, kind]


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
        lines = [
            "[[rule]]",
            f"id = {_toml_string(self.id)}",
            'learnt = "induced"',
            f"words = {_toml_string(' '.join(sorted(self.words)))}",
        ]
        if shape.further_words:
            lines.append(f"text = {_toml_string(self._cue_text_expression())}")
        if shape.prep:
            lines.append(f"prep = {_toml_string(shape.prep)}")
        lines += [
            f"frame = {_toml_string(shape.frame or self.id)}",
            f'cause = "{"subject" if shape.cause_is_subject else "object"}"',
        ]
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

    `known` is the share of those pairs whose head words are those of another known pair, smoothed; `usual` is the share for the
    built-in rules of plain causing. `estimate` of the precision, 0..1: the share of known pairs in the right direction
    (one right and one wrong added), times `known` over `usual`, at most 1.
    """

    draft: RuleDraft
    examples: tuple[tuple[str, str], ...]
    fillers: tuple[tuple[str, str], ...]
    known: float
    usual: float

    @property
    def estimate(self) -> float:
        """The estimated precision."""
        draft = self.draft
        direction = (draft.right + 1) / (draft.right + draft.wrong + 2)
        return direction * (min(1.0, self.known / self.usual) if self.usual else 1.0)

    def toml(self) -> str:
        """Return the proposal as loadable TOML, with its figures and some of its pairs as a comment."""
        draft = self.draft
        lines = [
            f"# {draft.right} known pairs the right way round, {draft.wrong} not; of {len(self.fillers)} pairs in a sample of the"
            f" corpus {self.known:.0%} are like known ones (plain causing: {self.usual:.0%}); estimate {self.estimate:.2f}",
            *(f"# {_comment_text(cause)} -> {_comment_text(effect)}" for cause, effect in self.fillers[:_PAIRS_SHOWN]),
        ]
        return "\n".join(lines) + "\n" + draft.toml(self.examples[:_EXAMPLES_SHOWN], ())


def draft_rule(
    shape: WordingShape,
    words: Iterable[str],
    causing: int,
    preventing: int,
    reversed_: int,
    sentences: Iterable[str],
    taken: set[str],
) -> RuleDraft:
    """Return the draft of a shape, under an id that is not in `taken`, and put it there.

    It prevents if most of its pairs do; the other pairs and the reversed ones count as wrong.
    """
    prep = shape.prep if shape.frame else "-".join(shape.further_words)
    stem = "-".join(filter(None, (shape.cue, prep)))
    side = "" if shape.cause_is_subject else "-reverse"
    name = base = f"{stem}.{shape.frame or 'path'}{side}"
    number = 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    right, contrary = max(causing, preventing), min(causing, preventing)
    return RuleDraft(name, shape, frozenset(words), preventing > causing, right, contrary + reversed_, tuple(sentences))


def _toml_string(text: str) -> str:
    """Return a text as a string of TOML, which has the syntax of JSON's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment_text(text: str) -> str:
    """Return a text that may stand in a comment."""
    return re.sub(r"[\x00-\x1f\x7f]", " ", text)
