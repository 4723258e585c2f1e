"""The input of the encoder that judges claims: a proposal in tokens, with marks before and behind its ends and its cue.

    [CLS] title [SEP] heading [SEP] rule and stance [SEP] name of the cause [SEP] name of the effect [SEP] sentence [SEP]

The network and its training use the same function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graph.model import Stance
from graph.onnx_session import without_surrogates

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Span = tuple[int, int]
MARKS = tuple(f"[unused{number}]" for number in range(1, 7))
"""They stand before and behind the proposed cause, the proposed effect and the cue."""
SENTENCE_TOKENS = 200
_TITLE_TOKENS, _HEADING_TOKENS, _RULE_TOKENS, _NAME_TOKENS = 12, 8, 12, 14
_RULE_PUNCTUATION = re.compile(r"[-.]+")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim that a rule proposes: the sentence, where it stands, the ends and the cue in it, their names, the rule, its stance.

    Spans are characters of the sentence, end exclusive. A `loose` rule proposes more than is stated.
    """

    text: str
    cause: Span
    effect: Span
    cue: Span
    cause_name: str
    effect_name: str
    rule: str
    stance: Stance = Stance.ASSERTED
    title: str = ""
    section: str = ""
    loose: bool = False


@dataclass(frozen=True, slots=True)
class JudgeInput:
    """A proposal in tokens: `marks` are the places of the marks before cause, effect and cue."""

    ids: list[int]
    marks: tuple[int, int, int]


class InputMaker:
    """Makes the inputs of proposals with the tokenizer of the encoder."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer: Any = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        known = [self._tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", *MARKS)]
        if None in known:
            raise ValueError("the tokenizer has not the marks of BERT")
        self._first, self._between, *self._marks = (int(token) for token in known if token is not None)
        self._tokenizer.encode_special_tokens = True

    def make(self, proposal: Proposal) -> JudgeInput | None:
        """Return the input of a proposal; `None` where its ends and its cue are further apart than `SENTENCE_TOKENS`."""
        encoded = self._tokenizer.encode(without_surrogates(proposal.text), add_special_tokens=False)
        tokens = [_tokens_of(encoded.offsets, span) for span in (proposal.cause, proposal.effect, proposal.cue)]
        known = [pair for pair in tokens if pair is not None]
        if len(known) < len(tokens):
            return None
        low, high = min(start for start, _ in known), max(end for _, end in known)
        if high - low >= SENTENCE_TOKENS:
            return None
        begin = max(0, min((low + high - SENTENCE_TOKENS) // 2, len(encoded.ids) - SENTENCE_TOKENS))
        rule = f"{_RULE_PUNCTUATION.sub(' ', proposal.rule)}, {proposal.stance}"
        ids = [self._first]
        for text, most in (
            (proposal.title, _TITLE_TOKENS),
            (proposal.section, _HEADING_TOKENS),
            (rule, _RULE_TOKENS),
            (proposal.cause_name, _NAME_TOKENS),
            (proposal.effect_name, _NAME_TOKENS),
        ):
            ids += [*self._tokenizer.encode(text, add_special_tokens=False).ids[:most], self._between]
        opened = [0, 0, 0]
        end = min(len(encoded.ids), begin + SENTENCE_TOKENS)
        for place in range(begin, end + 1):
            for number, (start, last) in enumerate(known):
                if place == last + 1:
                    ids.append(self._marks[2 * number + 1])
                if place == start:
                    opened[number] = len(ids)
                    ids.append(self._marks[2 * number])
            if place < end:
                ids.append(encoded.ids[place])
        ids.append(self._between)
        return JudgeInput(ids, (opened[0], opened[1], opened[2]))


def _tokens_of(offsets: Sequence[Span], span: Span) -> tuple[int, int] | None:
    """Return the places of the first and the last token of some characters, given the characters of each token."""
    inside = [place for place, (start, end) in enumerate(offsets) if start < span[1] and end > span[0]]
    return (inside[0], inside[-1]) if inside else None
