"""Questions and answers over a causal graph.

    >>> from kgqa import answer
    >>> print(answer("Does smoking cause lung cancer?"))
    Yes: ...

`answer` opens a graph, asks it and closes it, `answers` asks several questions; `Pipeline` asks an open graph, and its parts
can be replaced. Every error is an `Error`, whose message states a fact and whose `remedy` is a command to try.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.errors import Error as Error
    from kgqa.answer_model import Answer as Answer
    from kgqa.api import AnswerSession as AnswerSession
    from kgqa.api import answer as answer
    from kgqa.api import answers as answers
    from kgqa.pipeline import Pipeline as Pipeline
    from kgqa.record import answer_record as answer_record
    from kgqa.record_schema import answer_schema as answer_schema

__version__ = "0.1.0"
_PLACES = {
    "Answer": "kgqa.answer_model",
    "AnswerSession": "kgqa.api",
    "Error": "graph.errors",
    "Pipeline": "kgqa.pipeline",
    "answer": "kgqa.api",
    "answer_record": "kgqa.record",
    "answer_schema": "kgqa.record_schema",
    "answers": "kgqa.api",
}
__all__ = ["Answer", "AnswerSession", "Error", "Pipeline", "__version__", "answer", "answer_record", "answer_schema", "answers"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    # What is exported is imported when it is first needed: the command line does without most of it.
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module 'kgqa' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return value
