"""What a generative reader's training makes small: one loss a way of reading, all the mean over an answer's tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput

from kgqa.calibration.linear_model import log_softmax
from kgqa.readers.generative.encoder_decoder import GenerationShape, Pretrained
from kgqa.readers.generative.generative_readers import format_input
from kgqa.readers.reader import Passage

Turn = tuple[str, Sequence[Passage], str]
"""A question, its passages, and the answer that is to be written this time."""
Loss = Callable[[Pretrained, GenerationShape, Sequence[Turn]], Tensor]


def single(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> Tensor:
    """Return the loss of reading all passages as one text, as UnifiedQA does."""
    texts = [
        _input(shape, question, Passage(" ".join(f"{one.title} {one.text}" for one in passages)))
        for question, passages, _ in turns
    ]
    batch = of.tokenizer(texts, truncation=True, max_length=shape.source, padding=True, return_tensors="pt").to(of.device)
    loss: Tensor = of.model(batch["input_ids"], attention_mask=batch["attention_mask"], labels=_labels(of, shape, turns)).loss
    return loss


def fusion(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> Tensor:
    """Return the loss of Fusion-in-Decoder: passages encoded one by one, the answer decoded from all; as many in each turn."""
    states, mask = _encoded(of, shape, turns)
    states, mask = states.reshape(len(turns), -1, states.shape[-1]), mask.reshape(len(turns), -1)
    labels = _labels(of, shape, turns)
    loss: Tensor = of.model(encoder_outputs=BaseModelOutput(last_hidden_state=states), attention_mask=mask, labels=labels).loss
    return loss


def rag_sequence(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> Tensor:
    """Return the loss of RAG-sequence: of the probability of the whole answer, summed over the passages."""
    logs, known, weights = _by_passage(of, shape, turns)
    return -torch.logsumexp(logs.sum(-1) + weights, dim=1).sum() / known


def rag_token(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> Tensor:
    """Return the loss of RAG-token: of the probability of each token, summed over the passages."""
    logs, known, weights = _by_passage(of, shape, turns)
    return -torch.logsumexp(logs + weights[:, :, None], dim=1).sum() / known


LOSSES: dict[str, Loss] = {"seq2seq": single, "fid": fusion, "rag": rag_sequence, "rag-token": rag_token}
"""By the name of the reader."""


def _by_passage(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> tuple[Tensor, int, Tensor]:
    """Return the logarithms [turns, passages, tokens] of the answers' tokens, their number, and the logarithms of weights.

    Tokens behind an end have probability 1, once over all passages.
    """
    states, mask = _encoded(of, shape, turns)
    passages = len(turns[0][1])
    labels = _labels(of, shape, turns).repeat_interleave(passages, dim=0)
    told = of.model(encoder_outputs=BaseModelOutput(last_hidden_state=states), attention_mask=mask, labels=labels)
    there = labels != -100
    logs = torch.log_softmax(told.logits, dim=-1).gather(-1, labels.clamp(min=0)[:, :, None]).squeeze(-1) * there
    weights = torch.tensor([log_softmax([one.score for one in found]) for _, found, _ in turns], device=of.device)
    return logs.view(len(turns), passages, -1), int(there.sum()) // passages, weights


def _encoded(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> tuple[Tensor, Tensor]:
    texts = [_input(shape, question, passage) for question, passages, _ in turns for passage in passages]
    batch = of.tokenizer(texts, truncation=True, max_length=shape.source, padding=True, return_tensors="pt").to(of.device)
    states: Tensor = of.model.get_encoder()(batch["input_ids"], attention_mask=batch["attention_mask"]).last_hidden_state
    return states, batch["attention_mask"]


def _labels(of: Pretrained, shape: GenerationShape, turns: Sequence[Turn]) -> Tensor:
    answers = [answer for _, _, answer in turns]
    batch = of.tokenizer(text_target=answers, truncation=True, max_length=shape.target, padding=True, return_tensors="pt")
    labels: Tensor = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100).to(of.device)
    return labels


def _input(shape: GenerationShape, question: str, passage: Passage) -> str:
    return format_input(shape.form, question, passage, 64 * shape.source)
