"""A reader's model folder that needs no training: what its network says of a window is a sum over words, told by a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from kgqa.readers.reader import AnswerKind

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")

Word = Mapping[str, float]
"""What a word adds: "start" and "end" to its own logits, the name of a kind to that kind's."""


def write_reader(folder: Path, words: Mapping[str, Word], **told: object) -> Path:
    """Write a model folder whose network knows these words; `told` is what its reader.json says."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*SPECIAL, *words]
    columns = ["start", "end", *AnswerKind]
    table = np.zeros((len(vocabulary), len(columns)), np.float32)
    for place, word in enumerate(vocabulary):
        for name, value in words.get(word, {}).items():
            table[place, columns.index(name)] = value
    (folder / "model.onnx").write_bytes(network(table))
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "reader.json").write_text(json.dumps({"kinds": list(AnswerKind), **told}))
    return folder


def network(table: np.ndarray) -> bytes:
    """Return the network as ONNX: rows of the table by id; what is outside the passage starts and ends nothing."""
    kinds = [2, 2 + len(AnswerKind)]
    constants: dict[str, np.ndarray] = {"table": table, "far": np.float32(100), "one": np.float32(1)}
    constants |= {f"i{value}": np.int64(value) for value in (0, 1)}
    constants |= {f"a{value}": np.array([value], np.int64) for value in (1, 2, *kinds[1:])}
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"], axis=0),
        helper.make_node("Cast", ["token_type_ids"], ["inside"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["inside", "one"], ["outside"]),
        helper.make_node("Mul", ["outside", "far"], ["low"]),
        helper.make_node("Gather", ["rows", "i0"], ["start"], axis=2),
        helper.make_node("Gather", ["rows", "i1"], ["end"], axis=2),
        helper.make_node("Add", ["start", "low"], ["start_logits"]),
        helper.make_node("Add", ["end", "low"], ["end_logits"]),
        helper.make_node("Cast", ["attention_mask"], ["known"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["known", "a2"], ["mask"]),
        helper.make_node("Mul", ["rows", "mask"], ["there"]),
        helper.make_node("Slice", ["there", "a2", f"a{kinds[1]}", "a2"], ["ofkinds"]),
        helper.make_node("ReduceSum", ["ofkinds", "a1"], ["kind_logits"], keepdims=0),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, None) for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("start_logits", "end_logits", "kind_logits")
    ]
    weights = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, weights)
    content: bytes = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    return content
