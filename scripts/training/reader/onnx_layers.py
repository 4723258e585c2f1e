"""A quantized network without what costs time and tells nothing, where windows are read one by one.

`onnxruntime` 1.31 adds and normalizes several times slower in one node than in three, masks tokens that are all there, and
takes the exact error function where its usual approximation says the same. On one core the three come to a fifth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, helper, numpy_helper

from reader.base_encoder import HEADS, WIDTH

_MASK = 5
"""Which input of the quantized attention tells the tokens that are there."""


def export_int8(
    network: torch.nn.Module, path: Path, outputs: Sequence[str], inputs: Mapping[str, torch.Tensor] | None = None
) -> None:
    """Write a network over tokens, their mask and types, and further inputs, with its attention fused and int8 weights."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model

    ids = torch.randint(1000, 20000, (2, 24))
    tokens = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": torch.zeros_like(ids)}
    further = dict(inputs or {})
    axes = {name: {0: "batch", 1: "tokens"} for name in tokens} | {name: {0: "batch"} for name in (*further, *outputs)}
    whole, fused_file = (path.with_name(name) for name in ("whole.onnx", "fused.onnx"))
    torch.onnx.export(
        network,
        (*tokens.values(), *further.values()),
        str(whole),
        input_names=[*tokens, *further],
        output_names=list(outputs),
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    fused = optimize_model(
        str(whole), "bert", num_heads=HEADS, hidden_size=WIDTH, opt_level=0, optimization_options=FusionOptions("bert")
    )
    fused.save_model_to_file(str(fused_file))
    typed = {"DefaultTensorType": onnx.TensorProto.FLOAT}
    quantize_dynamic(fused_file, path, weight_type=QuantType.QInt8, per_channel=True, extra_options=typed)
    whole.unlink()
    fused_file.unlink()


def lean(path: Path) -> None:
    """Write the network of a file anew for windows that come one by one, and whole: others it refuses by their shape."""
    model = onnx.load(path)
    nodes = [changed for node in model.graph.node for changed in _changed(node)]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_value = 1
    onnx.save(model, path)


def _changed(node: NodeProto) -> Iterator[NodeProto]:
    if node.op_type == "SkipLayerNormalization":
        read, skipped, scale, shift, bias = node.input
        (said,) = (one for one in node.output if one)
        (epsilon,) = (helper.get_attribute_value(one) for one in node.attribute if one.name == "epsilon")
        yield helper.make_node("Add", [read, bias], [f"{said}_biased"])
        yield helper.make_node("Add", [f"{said}_biased", skipped], [f"{said}_added"])
        yield helper.make_node("LayerNormalization", [f"{said}_added", scale, shift], [said], axis=-1, epsilon=epsilon)
        return
    if node.op_type == "QAttention":
        node.input[_MASK] = ""
    elif node.op_type == "BiasGelu":
        node.op_type = "FastGelu"
    yield node


def restored(path: Path) -> dict[str, torch.Tensor]:
    """Return the weights of a reader's network as its int8 file has them, by the names of the network that was exported."""
    graph = onnx.load(path).graph
    values = {value.name: numpy_helper.to_array(value) for value in graph.initializer}
    weights = {name: value for name, value in values.items() if name.startswith(("encoder.", "kind.", "span."))}

    def floats(name: str) -> NDArray[np.float32]:
        name = name.removesuffix("_quantized")
        whole = values[f"{name}_quantized"].astype(np.float32) - values[f"{name}_zero_point"].astype(np.float32)
        found: NDArray[np.float32] = whole * values[f"{name}_scale"]
        return found

    weights |= {name.removesuffix("_quantized"): floats(name) for name in weights if name.endswith("_quantized")}
    matrices = [floats(node.input[1]).T for node in graph.node if node.op_type == "MatMulInteger"]
    dense = ("attention.output.dense", "intermediate.dense", "output.dense")
    attention = [node for node in graph.node if node.op_type == "QAttention"]
    for layer, node in enumerate(attention):
        of = f"encoder.encoder.layer.{layer}"
        parts = zip(np.split(floats(node.input[1]), 3, axis=1), np.split(values[node.input[2]], 3), strict=True)
        for name, (matrix, bias) in zip(("query", "key", "value"), parts, strict=True):
            weights[f"{of}.attention.self.{name}.weight"], weights[f"{of}.attention.self.{name}.bias"] = matrix.T, bias
        weights |= {f"{of}.{name}.weight": matrices[3 * layer + place] for place, name in enumerate(dense)}
    heads = {(2, WIDTH): "span", (WIDTH, 2 * WIDTH): "kind.0", (5, WIDTH): "kind.3"}
    weights |= {f"{heads[matrix.shape]}.weight": matrix for matrix in matrices[3 * len(attention) :]}
    return {
        name: torch.from_numpy(value.copy())
        for name, value in weights.items()
        if not name.endswith(("_quantized", "_scale", "_zero_point"))
    }
