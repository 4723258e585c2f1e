"""A BERT encoder as an ONNX model, built in memory from published weights (`model.safetensors` and `config.json`).

The packages safetensors and onnx read the weights and write the model, which ONNX Runtime then runs.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Tensor = NDArray[np.float32]

OPSET, IR_VERSION = 17, 8


class WeightsInvalid(Exception):
    """The files hold no BERT encoder with 32-bit weights; the message says why."""


def bert_to_onnx(weights: Path, settings: Path) -> bytes:
    """Return a BERT encoder as a serialised ONNX model, from token ids and mask to the last hidden state.

    `weights` is a `model.safetensors`, `settings` the `config.json` beside it. Raises `WeightsInvalid` where they are no
    BERT model, `OSError` where they cannot be read.
    """
    from safetensors import SafetensorError, safe_open

    try:
        config = json.loads(settings.read_text(encoding="utf-8"))
        shape = config["num_hidden_layers"], config["num_attention_heads"], config.get("layer_norm_eps", 1e-12)
        if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
            raise WeightsInvalid(f"'{settings.name}' describes no BERT model with the activation 'gelu'")
        with safe_open(weights, framework="numpy") as tensors:
            return _BertGraph(tensors, *shape).serialised()
    except SafetensorError as error:
        raise WeightsInvalid(f"'{weights.name}' is no safetensors file: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsInvalid(f"'{weights.name}' and '{settings.name}' are not a BERT model: {error}") from error


class _BertGraph:
    """The graph of an encoder: its nodes in the order of computation, with their weights.

    `tensors` is an open safetensors file. Each tensor is read when its node is added and stored once, in the model itself, since
    the weights may be large.
    """

    def __init__(self, tensors: Any, layers: int, heads: int, epsilon: float) -> None:
        from onnx import ModelProto, helper

        self._tensors = tensors
        floats = (name for name in tensors.keys() if tensors.get_slice(name).get_dtype() == "F32")  # noqa: SIM118
        self._names = {name.removeprefix("bert."): name for name in floats}
        self._layers, self._heads, self._epsilon = layers, heads, epsilon
        self._model = ModelProto(ir_version=IR_VERSION, opset_import=[helper.make_opsetid("", OPSET)])
        self._numbers = count(1)

    def serialised(self) -> bytes:
        """Add the embeddings and all layers, and return the whole model as bytes."""
        from onnx import TensorProto, helper

        words = self._weight("embeddings.word_embeddings.weight")
        # Every token belongs to the first segment, so the embedding of that segment is added to every position.
        segment = self._weight("embeddings.token_type_embeddings.weight")[0]
        positions = self._weight("embeddings.position_embeddings.weight") + segment
        length = self._node("Gather", self._node("Shape", "input_ids"), self._number([1]), axis=0)
        of_positions = self._node("Slice", self._constant(positions), self._number([0]), length, self._number([0]))
        hidden = self._node("Add", self._node("Gather", self._constant(words), "input_ids", axis=0), of_positions)
        hidden = self._normalised(hidden, "embeddings.LayerNorm")
        # Padding gets attention scores so low that its share is 0.
        mask = self._node("Cast", "attention_mask", to=TensorProto.FLOAT)
        padding = self._node("Mul", self._node("Sub", mask, self._number(1.0)), self._number(10_000.0))
        padding = self._node("Unsqueeze", padding, self._number([1, 2]))
        for layer in range(self._layers):
            hidden = self._layer(hidden, padding, f"encoder.layer.{layer}")
        graph = self._model.graph
        graph.name = "encoder"
        for name in ("input_ids", "attention_mask"):
            graph.input.append(helper.make_tensor_value_info(name, TensorProto.INT64, (None, None)))
        graph.output.append(helper.make_tensor_value_info(hidden, TensorProto.FLOAT, (None, None, None)))
        content: bytes = self._model.SerializeToString()
        return content

    def _layer(self, hidden: str, padding: str, name: str) -> str:
        width = len(self._weight("embeddings.LayerNorm.weight"))
        by_head = self._number([0, 0, self._heads, width // self._heads])
        query, key, value = (
            self._node("Reshape", self._linear(hidden, f"{name}.attention.self.{part}"), by_head)
            for part in ("query", "key", "value")
        )
        query, value = (self._node("Transpose", part, perm=[0, 2, 1, 3]) for part in (query, value))
        scores = self._node("MatMul", query, self._node("Transpose", key, perm=[0, 2, 3, 1]))
        scores = self._node("Mul", scores, self._number((width // self._heads) ** -0.5))
        mixed = self._node("MatMul", self._node("Softmax", self._node("Add", scores, padding), axis=-1), value)
        joined = self._node("Reshape", self._node("Transpose", mixed, perm=[0, 2, 1, 3]), self._number([0, 0, width]))
        attended = self._node("Add", self._linear(joined, f"{name}.attention.output.dense"), hidden)
        hidden = self._normalised(attended, f"{name}.attention.output.LayerNorm")
        inner = self._linear(hidden, f"{name}.intermediate.dense")
        # The activation, GELU.
        error = self._node("Erf", self._node("Mul", inner, self._number(2**-0.5)))
        inner = self._node("Mul", self._node("Mul", inner, self._node("Add", error, self._number(1.0))), self._number(0.5))
        inner = self._linear(inner, f"{name}.output.dense")
        return self._normalised(self._node("Add", inner, hidden), f"{name}.output.LayerNorm")

    def _linear(self, hidden: str, name: str) -> str:
        product = self._node("MatMul", hidden, self._constant(self._weight(f"{name}.weight").T))
        return self._node("Add", product, self._constant(self._weight(f"{name}.bias")))

    def _normalised(self, hidden: str, name: str) -> str:
        scale, shift = (self._constant(self._weight(f"{name}.{part}")) for part in ("weight", "bias"))
        return self._node("LayerNormalization", hidden, scale, shift, axis=-1, epsilon=self._epsilon)

    def _node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        name = f"t{next(self._numbers)}"
        self._model.graph.node.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def _weight(self, name: str) -> Tensor:
        """Return a tensor of the file; raises `KeyError` where it has none of this name with 32 bits."""
        tensor: Tensor = self._tensors.get_tensor(self._names[name])
        return tensor

    def _number(self, value: float | list[int]) -> str:
        """Add a 32-bit number or a list of 64-bit integers and return its name."""
        import numpy as np

        return self._constant(np.array(value, np.int64 if isinstance(value, list) else np.float32))

    def _constant(self, values: Any) -> str:
        from onnx import helper

        name, tensor = f"t{next(self._numbers)}", self._model.graph.initializer.add()
        tensor.name = name
        tensor.dims.extend(values.shape)
        tensor.data_type = helper.np_dtype_to_tensor_dtype(values.dtype)
        tensor.raw_data = values.tobytes()
        return name
