"""Questions and answers over a causal graph.

    >>> from kgqa import answer
    >>> print(answer("Does smoking cause lung cancer?"))
    Yes: ...

`answer` opens a graph, asks it and closes it; `Pipeline` asks an open one as often as you like, and its parts can be replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgqa.answers import Answer as Answer
    from kgqa.api import answer as answer
    from kgqa.pipeline import Pipeline as Pipeline
    from kgqa.record import answer_record as answer_record

__version__ = "0.1.0"
__all__ = ["Answer", "Pipeline", "__version__", "answer", "answer_record"]
_PLACES = {"Answer": "kgqa.answers", "Pipeline": "kgqa.pipeline", "answer": "kgqa.api", "answer_record": "kgqa.record"}


def __getattr__(name: str) -> Any:
    """Return what the package exports, imported when it is first asked for: the command line does without most of it."""
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module 'kgqa' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
