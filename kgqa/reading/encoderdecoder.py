"""What the generative readers ask of a model: passages encoded, tokens offered step by step, and how likely an answer is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgqa.reading.beams import Hypothesis, Next, Step, search
from kgqa.reading.pretrained import Pretrained

CHARACTERS = 64
"""So many characters of an input are read for each token that it may have; no token of a text is longer on average."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Inputs after the encoder: states [inputs, tokens, width] and their mask; `cut` numbers the inputs that were too long."""

    states: Any
    mask: Any
    cut: tuple[int, ...]

    def fused(self) -> Encoded:
        """Return the inputs one after the other as a single one, which a decoder reads at once (Fusion-in-Decoder)."""
        states, mask = self.states, self.mask
        return Encoded(states.reshape(1, -1, states.shape[-1]), mask.reshape(1, -1), self.cut)


def encode(of: Pretrained, texts: Sequence[str], longest: int) -> Encoded:
    """Return texts as the encoder sees them, each by itself, cut after `longest` tokens."""
    import torch

    rows = of.tokenizer(list(texts), truncation=False, padding=False)["input_ids"]
    cut = tuple(place for place, row in enumerate(rows) if len(row) > longest)
    batch = of.tokenizer(list(texts), truncation=True, max_length=longest, padding=True, return_tensors="pt")
    ids, mask = batch["input_ids"].to(of.device), batch["attention_mask"].to(of.device)
    with torch.inference_mode():
        states = of.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
    return Encoded(states, mask, cut)


def answers(of: Pretrained, read: Encoded, beams: int, longest: int, weights: Sequence[float] = (0.0,)) -> list[Hypothesis]:
    """Return the likeliest answers to what was encoded, best first.

    `weights` are the logarithms of how much each input counts: the probability of the next token is the weighted sum of what the
    inputs each say of it (RAG-token; one input has the weight 0).
    """
    return search(_step(of, read, beams, weights), of.start, of.ends, beams, longest)


def _step(of: Pretrained, read: Encoded, beams: int, weights: Sequence[float]) -> Step:
    """Return what offers the next tokens of beams; it keeps what the decoder computed for the tokens before."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    inputs = len(weights)
    weight = torch.tensor(weights, device=of.device)[None, :, None]
    padding = of.tokenizer.pad_token_id
    kept: Any = None

    def step(parents: Sequence[int], newest: Sequence[int]) -> Sequence[Next]:
        nonlocal kept
        rows = torch.tensor([parent * inputs + one for parent in parents for one in range(inputs)], device=of.device)
        token = torch.tensor(newest, device=of.device).repeat_interleave(inputs)[:, None]
        first = kept is None
        if not first:
            kept.reorder_cache(rows)
        with torch.inference_mode():
            states, mask = (one.repeat(len(parents), *([1] * (one.dim() - 1))) for one in (read.states, read.mask))
            told = of.model(
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
                attention_mask=mask,
                decoder_input_ids=token,
                past_key_values=kept,
                use_cache=True,
            )
            kept = told.past_key_values
            logs = torch.log_softmax(told.logits[:, -1].float(), dim=-1).view(len(parents), inputs, -1)
            mixed = torch.logsumexp(logs + weight, dim=1)
            if padding is not None:
                mixed[:, padding] = -torch.inf
            values, tokens = torch.topk(mixed, min(2 * beams, mixed.shape[-1] - 1), dim=-1)
        if first and of.forced is not None:
            return [[(of.forced, 0.0)]]
        return [list(zip(*pair, strict=True)) for pair in zip(tokens.tolist(), values.tolist(), strict=True)]

    return step


def likelihoods(of: Pretrained, read: Encoded, sequences: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return, for each sequence of tokens, the logarithm of its probability given each of the inputs."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    inputs = read.states.shape[0]
    found = []
    for sequence in sequences:
        tokens = torch.tensor([of.start, *sequence], device=of.device).repeat(inputs, 1)
        with torch.inference_mode():
            told = of.model(
                encoder_outputs=BaseModelOutput(last_hidden_state=read.states),
                attention_mask=read.mask,
                decoder_input_ids=tokens[:, :-1],
                use_cache=False,
            )
            logs = torch.log_softmax(told.logits.float(), dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
        if of.forced is not None and tuple(sequence[:1]) == (of.forced,):
            logs = logs[:, 1:]
        found.append([float(one) for one in logs.sum(dim=-1)])
    return found


def text_of(of: Pretrained, tokens: Sequence[int]) -> str:
    """Return the text of tokens, those left out that only mark something, such as the end."""
    return str(of.tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()


def tokens_of(of: Pretrained, text: str, longest: int) -> list[int]:
    """Return the tokens that a model would write a text with, the end included."""
    found: list[int] = of.tokenizer(text_target=text, truncation=True, max_length=longest)["input_ids"]
    return found
