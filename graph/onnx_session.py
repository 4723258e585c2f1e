"""Sessions of ONNX Runtime, the texts that its tokenizers take, and the messages of its errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SLOWER_OPTIMIZERS = ("SkipLayerNormFusion",)
"""What of its optimizations the runtime shall leave: one node in place of two that takes several times as long."""


def onnx_session(model: str | bytes, threads: int = 1, disabled_optimizers: Sequence[str] = ()) -> Any:
    """Return the session of an ONNX model, a file name or its bytes; raises errors that share no class but `Exception`."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False  # it would keep the memory of the longest text for good; costs 3 % of the time
    providers = ["CPUExecutionProvider"]
    return onnxruntime.InferenceSession(model, options, providers=providers, disabled_optimizers=list(disabled_optimizers))


def without_surrogates(text: str) -> str:
    """Return a text of as many characters with question marks for lone surrogates, which no encoding has."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its class where it has none."""
    return next(iter(str(error).splitlines()), type(error).__name__)
