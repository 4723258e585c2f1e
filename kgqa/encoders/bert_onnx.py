"""A BERT encoder as ONNX, made in memory from the weights in which such models are published (`model.safetensors`).

The weights are a header of JSON and the bytes of the tensors (https://github.com/huggingface/safetensors); an ONNX model is a
Protocol Buffers message (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), of which the few fields used here are
written by hand, so that neither format needs a package of its own.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Tensor = NDArray[np.float32]

OPSET, IR_VERSION = 17, 8
_FLOAT, _INT64 = 1, 7
_LENGTH = struct.Struct("<Q")
_HEADER_AT_MOST = 1 << 24


class WeightsInvalid(Exception):
    """The files hold no BERT encoder with weights of 32 bits; the message says why."""


def bert_to_onnx(weights: Path, settings: Path) -> bytes:
    """Return the encoder of `model.safetensors` and `config.json` as an ONNX model, from ids and mask to the last hidden state.

    Raises `WeightsInvalid` where they hold none, `OSError` where they cannot be read.
    """
    try:
        config = json.loads(settings.read_text(encoding="utf-8"))
        shape = config["num_hidden_layers"], config["num_attention_heads"], config.get("layer_norm_eps", 1e-12)
        if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
            raise WeightsInvalid(f"'{settings.name}' describes no BERT model with the activation 'gelu'")
        tensors = {name.removeprefix("bert."): tensor for name, tensor in _read_tensors(weights).items()}
        return _OnnxWriter(tensors, *shape).message()
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsInvalid(f"'{weights.name}' and '{settings.name}' are not a BERT model: {error}") from error


def _read_tensors(path: Path) -> Mapping[str, Tensor]:
    """Return the tensors of 32 bits in a file by name; nothing is read from the disk before it is used."""
    import numpy as np

    with path.open("rb") as file:
        (length,) = _LENGTH.unpack(file.read(_LENGTH.size).ljust(_LENGTH.size, b"\xff"))
        if length > _HEADER_AT_MOST:
            raise WeightsInvalid(f"'{path.name}' is no safetensors file")
        header: dict[str, Any] = json.loads(file.read(length))
    content = np.memmap(path, np.uint8, "r", offset=_LENGTH.size + length)
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = content[start:end].view(np.float32).reshape(entry["shape"])
    return tensors


class _OnnxWriter:
    """Writes the nodes of an encoder one after the other, each with the weights that it needs."""

    def __init__(self, tensors: Mapping[str, Tensor], layers: int, heads: int, epsilon: float) -> None:
        self._tensors = tensors
        self._layers = layers
        self._heads = heads
        self._epsilon = epsilon
        self._nodes: list[bytes] = []
        self._initial: list[bytes] = []
        self._count = 0

    def message(self) -> bytes:
        """Return the whole model: a `ModelProto`."""
        result = self._encoded()
        ids, mask = (_value_info(name, _INT64) for name in ("input_ids", "attention_mask"))
        graph = (
            *(_field(1, node) for node in self._nodes),
            _field(2, b"encoder"),
            *self._initial,
            *(_field(11, value) for value in (ids, mask)),
            _field(12, _value_info(result, _FLOAT)),
        )
        return b"".join((_number(1, IR_VERSION), _field(8, _number(2, OPSET)), _field_head(7, sum(map(len, graph))), *graph))

    def _encoded(self) -> str:
        """Write the layers, and return the name of what the last one gives."""
        words = self._tensors["embeddings.word_embeddings.weight"]
        # All are of the first of two segments, so that its embedding belongs to every place.
        segment = self._tensors["embeddings.token_type_embeddings.weight"][0]
        places = self._tensors["embeddings.position_embeddings.weight"] + segment
        length = self._node("Gather", self._node("Shape", "input_ids"), self._integers([1]), axis=0)
        of_places = self._node("Slice", self._floats(places), self._integers([0]), length, self._integers([0]))
        hidden = self._node("Add", self._node("Gather", self._floats(words), "input_ids", axis=0), of_places)
        hidden = self._normalised(hidden, "embeddings.LayerNorm")
        # What only fills up a row is made so unlikely that no attention is paid to it.
        filling = self._node("Sub", self._node("Cast", "attention_mask", to=_FLOAT), self._float(1.0))
        filling = self._node("Unsqueeze", self._node("Mul", filling, self._float(10_000.0)), self._integers([1, 2]))
        for layer in range(self._layers):
            hidden = self._layer(hidden, filling, f"encoder.layer.{layer}")
        return hidden

    def _layer(self, hidden: str, filling: str, name: str) -> str:
        width = len(self._tensors["embeddings.LayerNorm.weight"])
        apart = self._integers([0, 0, self._heads, width // self._heads])
        query, key, value = (
            self._node("Reshape", self._linear(hidden, f"{name}.attention.self.{part}"), apart)
            for part in ("query", "key", "value")
        )
        query, value = (self._node("Transpose", part, perm=[0, 2, 1, 3]) for part in (query, value))
        scores = self._node("MatMul", query, self._node("Transpose", key, perm=[0, 2, 3, 1]))
        scores = self._node("Mul", scores, self._float((width // self._heads) ** -0.5))
        weighed = self._node("MatMul", self._node("Softmax", self._node("Add", scores, filling), axis=-1), value)
        joined = self._node("Reshape", self._node("Transpose", weighed, perm=[0, 2, 1, 3]), self._integers([0, 0, width]))
        attended = self._node("Add", self._linear(joined, f"{name}.attention.output.dense"), hidden)
        hidden = self._normalised(attended, f"{name}.attention.output.LayerNorm")
        inner = self._linear(hidden, f"{name}.intermediate.dense")
        inner = self._linear(self._gelu(inner), f"{name}.output.dense")
        return self._normalised(self._node("Add", inner, hidden), f"{name}.output.LayerNorm")

    def _linear(self, hidden: str, name: str) -> str:
        product = self._node("MatMul", hidden, self._floats(self._tensors[f"{name}.weight"].T))
        return self._node("Add", product, self._floats(self._tensors[f"{name}.bias"]))

    def _gelu(self, value: str) -> str:
        error = self._node("Erf", self._node("Mul", value, self._float(2**-0.5)))
        both = self._node("Mul", value, self._node("Add", error, self._float(1.0)))
        return self._node("Mul", both, self._float(0.5))

    def _normalised(self, hidden: str, name: str) -> str:
        scale, shift = (self._floats(self._tensors[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self._node("LayerNormalization", hidden, scale, shift, axis=-1, epsilon=self._epsilon)

    def _node(self, operator: str, *inputs: str, **attributes: float | list[int]) -> str:
        """Write a `NodeProto`, and return the name of what it gives."""
        name = self._fresh()
        given = (_field(5, _attribute(key, value)) for key, value in attributes.items())
        message = (
            *(_field(1, source.encode()) for source in inputs),
            _field(2, name.encode()),
            _field(4, operator.encode()),
            *given,
        )
        self._nodes.append(b"".join(message))
        return name

    def _floats(self, values: Tensor) -> str:
        return self._initialised(values.shape, _FLOAT, values.tobytes())

    def _float(self, value: float) -> str:
        return self._initialised((), _FLOAT, struct.pack("<f", value))

    def _integers(self, values: list[int]) -> str:
        return self._initialised((len(values),), _INT64, struct.pack(f"<{len(values)}q", *values))

    def _initialised(self, shape: tuple[int, ...], kind: int, content: bytes) -> str:
        """Write a `TensorProto`, and return its name."""
        name = self._fresh()
        message = (*(_number(1, size) for size in shape), _number(2, kind), _field(8, name.encode()), _field(9, content))
        self._initial.append(_field(5, b"".join(message)))
        return name

    def _fresh(self) -> str:
        self._count += 1
        return f"t{self._count}"


def _attribute(name: str, value: float | list[int]) -> bytes:
    """Return an `AttributeProto`: of a decimal, a whole number, or a list of these."""
    head = _field(1, name.encode())
    if isinstance(value, list):
        return head + b"".join(_number(8, number) for number in value) + _number(20, 7)
    if isinstance(value, int):
        return head + _number(3, value) + _number(20, 2)
    return head + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)


def _value_info(name: str, kind: int) -> bytes:
    """Return a `ValueInfoProto` of a tensor of any size."""
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind)))


def _field(number: int, content: bytes) -> bytes:
    return _field_head(number, len(content)) + content


def _field_head(number: int, length: int) -> bytes:
    """Return what stands before a text or a message of so many bytes."""
    return _varint(number << 3 | 2) + _varint(length)


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    """Return a whole number in seven bits a byte, the lowest first; a negative one as 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
