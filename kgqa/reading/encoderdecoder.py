"""What the generative readers ask of a model: passages encoded, tokens offered step by step, and how likely an answer is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgqa.reading.beams import DecodingStep, Hypothesis, NextTokens, beam_search
from kgqa.reading.pretrained import Pretrained

CHARACTERS_PER_TOKEN = 64
"""So many characters of an input are read for each token that it may have; no token of a text is longer on average."""


@dataclass(frozen=True, slots=True)
class EncodedInputs:
    """Inputs after the encoder: states [inputs, tokens, width] and their mask; `cut` numbers the inputs that were too long."""

    states: Any
    mask: Any
    cut: tuple[int, ...]

    def fused(self) -> EncodedInputs:
        """Return the inputs one after the other as a single one, which a decoder reads at once (Fusion-in-Decoder)."""
        states, mask = self.states, self.mask
        return EncodedInputs(states.reshape(1, -1, states.shape[-1]), mask.reshape(1, -1), self.cut)


def encode_texts(of: Pretrained, texts: Sequence[str], longest: int) -> EncodedInputs:
    """Return texts as the encoder sees them, each by itself, cut after `longest` tokens."""
    import torch

    rows = of.tokenizer(list(texts), truncation=False, padding=False)["input_ids"]
    cut = tuple(place for place, row in enumerate(rows) if len(row) > longest)
    batch = of.tokenizer(list(texts), truncation=True, max_length=longest, padding=True, return_tensors="pt")
    ids, mask = batch["input_ids"].to(of.device), batch["attention_mask"].to(of.device)
    with torch.inference_mode():
        states = of.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
    return EncodedInputs(states, mask, cut)


def generate_hypotheses(
    of: Pretrained, read: EncodedInputs, beams: int, longest: int, weights: Sequence[float] = (0.0,)
) -> list[Hypothesis]:
    """Return the likeliest answers to what was encoded, best first.

    `weights` are the logarithms of how much each input counts: the probability of the next token is the weighted sum of what the
    inputs each say of it (RAG-token; one input has the weight 0).
    """
    return beam_search(_decoding_step(of, read, beams, weights), of.start, of.ends, beams, longest)


def _decoding_step(of: Pretrained, read: EncodedInputs, beams: int, weights: Sequence[float]) -> DecodingStep:
    """Return what offers the next tokens of beams; it keeps what the decoder computed for the tokens before."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    inputs = len(weights)
    weight = torch.tensor(weights, device=of.device)[None, :, None]
    padding = of.tokenizer.pad_token_id
    decoder_cache: Any = None

    def step(parents: Sequence[int], newest: Sequence[int]) -> Sequence[NextTokens]:
        nonlocal decoder_cache
        rows = torch.tensor([parent * inputs + item for parent in parents for item in range(inputs)], device=of.device)
        token = torch.tensor(newest, device=of.device).repeat_interleave(inputs)[:, None]
        first = decoder_cache is None
        if not first:
            decoder_cache.reorder_cache(rows)
        with torch.inference_mode():
            states, mask = (item.repeat(len(parents), *([1] * (item.dim() - 1))) for item in (read.states, read.mask))
            output = of.model(
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
                attention_mask=mask,
                decoder_input_ids=token,
                past_key_values=decoder_cache,
                use_cache=True,
            )
            decoder_cache = output.past_key_values
            logs = torch.log_softmax(output.logits[:, -1].float(), dim=-1).view(len(parents), inputs, -1)
            mixed = torch.logsumexp(logs + weight, dim=1)
            if padding is not None:
                mixed[:, padding] = -torch.inf
            values, tokens = torch.topk(mixed, min(2 * beams, mixed.shape[-1] - 1), dim=-1)
        if first and of.forced is not None:
            return [[(of.forced, 0.0)]]
        return [list(zip(*pair, strict=True)) for pair in zip(tokens.tolist(), values.tolist(), strict=True)]

    return step


def sequence_log_probabilities(of: Pretrained, read: EncodedInputs, sequences: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return, for each sequence of tokens, the logarithm of its probability given each of the inputs."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    inputs = read.states.shape[0]
    log_probabilities = []
    for sequence in sequences:
        tokens = torch.tensor([of.start, *sequence], device=of.device).repeat(inputs, 1)
        with torch.inference_mode():
            output = of.model(
                encoder_outputs=BaseModelOutput(last_hidden_state=read.states),
                attention_mask=read.mask,
                decoder_input_ids=tokens[:, :-1],
                use_cache=False,
            )
            logs = torch.log_softmax(output.logits.float(), dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
        if of.forced is not None and tuple(sequence[:1]) == (of.forced,):
            logs = logs[:, 1:]
        log_probabilities.append([float(value) for value in logs.sum(dim=-1)])
    return log_probabilities


def decode_tokens(of: Pretrained, tokens: Sequence[int]) -> str:
    """Return the text of tokens, those left out that only mark something, such as the end."""
    return str(of.tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()


def tokenise_answer(of: Pretrained, text: str, longest: int) -> list[int]:
    """Return the tokens that a model would write a text with, the end included."""
    tokens: list[int] = of.tokenizer(text_target=text, truncation=True, max_length=longest)["input_ids"]
    return tokens
