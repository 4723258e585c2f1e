"""The finder: which words of a sentence head a cause and its effect, by the encoder that judges claims.

    [CLS] sentence [SEP]

The network scores every pair of words; words that may head an end are nouns, verbs and adjectives. It draws sentences
that are worth reading; mining uses the loose rules instead, which find as much in half the time (docs/adr/0040).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.mining.judge.claim_judge import SHIPPED_JUDGE, TOKENIZER, EncoderJudge
from graph.mining.judge.judge_input import Span
from graph.onnx_session import without_surrogates

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from tokenizers import Tokenizer

FINDER_TOKENS = 160
END_TAGS = ("NN", "VB", "JJ", "WD")


def end_tokens(doc: Doc) -> list[Token]:
    """Return the words of a sentence that may head a cause or an effect."""
    return [token for token in doc if token.tag_[:2] in END_TAGS]


@dataclass(frozen=True, slots=True)
class FinderInput:
    """A sentence in tokens, and the place of the first token of each word that may head an end."""

    ids: list[int]
    words: list[int]


class FinderInputMaker:
    """Makes the inputs of sentences with the tokenizer of the encoder."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer: Any = tokenizer
        known = [tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]")]
        if None in known:
            raise ValueError("the tokenizer has not the marks of BERT")
        self._first, self._last = (int(token) for token in known if token is not None)

    def make(self, text: str, spans: Sequence[Span]) -> FinderInput | None:
        """Return the input of a sentence whose words stand at `spans`; `None` for one of more than `FINDER_TOKENS`."""
        encoded = self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)
        if len(encoded.ids) > FINDER_TOKENS:
            return None
        words, place = [], 0
        for start, _ in spans:
            while place < len(encoded.offsets) and encoded.offsets[place][1] <= start:
                place += 1
            if place == len(encoded.offsets):
                return None
            words.append(place + 1)
        return FinderInput([self._first, *encoded.ids, self._last], words)


class PairFinder:
    """Finds pairs of words that head a cause and its effect, with the network of a judge."""

    def __init__(self, folder: Path = SHIPPED_JUDGE) -> None:
        from tokenizers import Tokenizer

        self._judge = EncoderJudge(folder)
        self._maker = FinderInputMaker(Tokenizer.from_file(str(folder / TOKENIZER)))

    def find(self, text: str, words: Sequence[Span]) -> list[tuple[int, int]]:
        """Return the pairs of places of `words`, spans of characters, of even odds or more, likeliest first."""
        made = self._maker.make(text, words) if len(words) > 1 else None
        if made is None:
            return []
        arcs = self._judge.run("arcs", made.ids, (0, 0, 0))
        chosen = arcs[made.words][:, made.words].tolist()
        pairs = [(odds, i, j) for i, row in enumerate(chosen) for j, odds in enumerate(row) if i != j and odds >= 0]
        return [(cause, effect) for _, cause, effect in sorted(pairs, key=lambda pair: (-pair[0], pair[1:]))]
