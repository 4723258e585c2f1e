"""A reader's model folder that needs no training: what its network says of a window is a sum over words, told by a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from kgqa.encoders.bert_onnx import _attribute, _field, _number, _value_info
from kgqa.readers.reader import AnswerKind

FLOAT, INT64 = 1, 7
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
    initial = [
        _tensor("table", FLOAT, table.shape, table.tobytes()),
        _tensor("far", FLOAT, (), np.float32(100).tobytes()),
        _tensor("one", FLOAT, (), np.float32(1).tobytes()),
        *(_tensor(f"i{value}", INT64, (), np.int64(value).tobytes()) for value in (0, 1)),
        *(_tensor(f"a{value}", INT64, (1,), np.int64(value).tobytes()) for value in (1, 2, *kinds[1:])),
    ]
    nodes = [
        _node("Gather", ["table", "input_ids"], "rows", axis=0),
        _node("Cast", ["token_type_ids"], "inside", to=FLOAT),
        _node("Sub", ["inside", "one"], "outside"),
        _node("Mul", ["outside", "far"], "low"),
        _node("Gather", ["rows", "i0"], "start", axis=2),
        _node("Gather", ["rows", "i1"], "end", axis=2),
        _node("Add", ["start", "low"], "start_logits"),
        _node("Add", ["end", "low"], "end_logits"),
        _node("Cast", ["attention_mask"], "known", to=FLOAT),
        _node("Unsqueeze", ["known", "a2"], "mask"),
        _node("Mul", ["rows", "mask"], "there"),
        _node("Slice", ["there", "a2", f"a{kinds[1]}", "a2"], "ofkinds"),
        _node("ReduceSum", ["ofkinds", "a1"], "kind_logits", keepdims=0),
    ]
    inputs = [_field(11, _value_info(name, INT64)) for name in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [_field(12, _value_info(name, FLOAT)) for name in ("start_logits", "end_logits", "kind_logits")]
    graph = b"".join([*(_field(1, node) for node in nodes), _field(2, b"tiny"), *initial, *inputs, *outputs])
    return _number(1, 8) + _field(8, _number(2, 17)) + _field(7, graph)


def _node(operator: str, inputs: list[str], output: str, **attributes: int) -> bytes:
    told = [_field(1, name.encode()) for name in inputs] + [_field(2, output.encode()), _field(4, operator.encode())]
    return b"".join(told + [_field(5, _attribute(name, value)) for name, value in attributes.items()])


def _tensor(name: str, kind: int, shape: tuple[int, ...], content: bytes) -> bytes:
    told = [_number(1, size) for size in shape] + [_number(2, kind), _field(8, name.encode()), _field(9, content)]
    return _field(5, b"".join(told))
