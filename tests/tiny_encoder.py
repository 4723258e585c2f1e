"""A tiny encoder for tests: real files of a BERT model, whose layers pass on what they get, so that the words alone decide."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

WIDTH, LAYERS, HEADS, INNER, PLACES = 16, 2, 4, 8, 64
Tensors = dict[str, NDArray[np.float32]]


def tensors_of(vocabulary: int, seed: int = 0) -> Tensors:
    """Random weights of a whole model, by the names that published ones have."""
    chance = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (vocabulary, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        sides = {f"{name}.attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")}
        sides |= {f"{name}.attention.output.dense": (WIDTH, WIDTH)}
        sides |= {f"{name}.intermediate.dense": (INNER, WIDTH), f"{name}.output.dense": (WIDTH, INNER)}
        for place, shape in sides.items():
            shapes |= {f"{place}.weight": shape, f"{place}.bias": shape[:1]}
        for place in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{name}.{place}.weight": (WIDTH,), f"{name}.{place}.bias": (WIDTH,)}
    return {name: chance.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def meaning(words: dict[str, list[str]]) -> tuple[list[str], Tensors]:
    """A vocabulary and weights by which the words of a group mean nearly the same, and those of two groups nothing alike."""
    vocabulary = ["[PAD]", "[UNK]", *(word for group in words.values() for word in group)]
    tensors = {name: np.zeros_like(tensor) for name, tensor in tensors_of(len(vocabulary)).items()}
    for name, tensor in tensors.items():
        if name.endswith("LayerNorm.weight"):
            tensor[:] = 1
    rows = tensors["embeddings.word_embeddings.weight"]
    place = 2
    for number, group in enumerate(words.values()):
        for shade, _ in enumerate(group):
            rows[place, number] = 1
            rows[place, WIDTH - 1] = 0.05 * shade
            place += 1
    return vocabulary, tensors


def write_encoder(folder: Path, vocabulary: list[str], tensors: Tensors) -> Path:
    """Write the files of an encoder into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tensors, folder / "model.safetensors")
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "layer_norm_eps": 1e-12,
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def computed(tensors: Tensors, ids: list[int]) -> NDArray[np.float64]:
    """The last hidden state for one row of ids, computed step by step: what a model must give."""
    from math import erf, sqrt

    def normalised(hidden: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        spread = np.sqrt(hidden.var(axis=-1, keepdims=True) + 1e-12)
        return (hidden - hidden.mean(axis=-1, keepdims=True)) / spread * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    def linear(hidden: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return hidden @ tensors[f"{name}.weight"].T.astype(np.float64) + tensors[f"{name}.bias"]

    hidden = tensors["embeddings.word_embeddings.weight"][ids].astype(np.float64)
    hidden = hidden + tensors["embeddings.position_embeddings.weight"][: len(ids)]
    hidden = normalised(hidden + tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    size = WIDTH // HEADS
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, key, value = (linear(hidden, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for head in range(HEADS):
            own = slice(head * size, (head + 1) * size)
            scores = np.exp(query[:, own] @ key[:, own].T / sqrt(size))
            heads.append(scores / scores.sum(axis=-1, keepdims=True) @ value[:, own])
        attended = linear(np.concatenate(heads, axis=1), f"{name}.attention.output.dense")
        hidden = normalised(hidden + attended, f"{name}.attention.output.LayerNorm")
        inner = linear(hidden, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(erf)(inner / sqrt(2)))
        hidden = normalised(hidden + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    return hidden
