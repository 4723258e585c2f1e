"""The reader as a torch module: the encoder with a head for spans and one for the kind of answer."""

from __future__ import annotations

import torch
from torch import nn
from transformers import BertModel

from reader.reader_features import KINDS, Batch


class Network(nn.Module):
    """Start and end logits for every token, and logits of the kinds of answer from the first and the mean of the tokens."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        self.span = nn.Linear(width, 2)
        self.kind = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Dropout(0.1), nn.Linear(width, len(KINDS)))
        for layer in (self.span, self.kind[0], self.kind[3]):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        encoder.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return start logits, end logits ([batch, tokens], low outside the passage) and kind logits ([batch, 5])."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments).last_hidden_state
        known = mask.to(hidden.dtype).unsqueeze(-1)
        mean = (hidden * known).sum(1) / known.sum(1)
        kinds = self.kind(torch.cat([hidden[:, 0], mean], dim=-1))
        logits = self.span(hidden)
        inside = (segments * mask).to(hidden.dtype).unsqueeze(-1)
        logits = logits * inside - 10000.0 * (1.0 - inside)
        return logits[..., 0], logits[..., 1], kinds


def loss_of(network: Network, batch: Batch, half: bool = False) -> torch.Tensor:
    """Return the mean loss of a batch: that of the kind, and the marginal one of all right spans (Clark and Gardner 2018).

    With `half` the network computes in bfloat16.
    """
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
        start, end, kinds = (logits.float() for logits in network(batch.ids, batch.mask, batch.segments))
    known = batch.kinds >= 0
    total = nn.functional.cross_entropy(kinds[known], batch.kinds[known], reduction="sum", label_smoothing=0.02)
    first, last = start.log_softmax(-1), end.log_softmax(-1)
    for row, spans in enumerate(batch.spans):
        if spans:
            places = torch.tensor(spans)
            total = total - torch.logsumexp(first[row, places[:, 0]] + last[row, places[:, 1]], 0)
    return total / len(batch.kinds)
