"""A quantized network without what costs time and tells nothing, where windows are read one by one.

`onnxruntime` 1.31 adds and normalizes several times slower in one node than in three, masks tokens that are all there, and
takes the exact error function where its usual approximation says the same. On one core the three come to a fifth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import onnx
from onnx import NodeProto, helper

_MASK = 5
"""Which input of the quantized attention tells the tokens that are there."""


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
