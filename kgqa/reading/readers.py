"""Every reader by the name that `--reader NAME` gives it, or `--reader NAME:MODEL`; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from kgqa.errors import ReaderUnknown
from kgqa.reading.protocols import Reader

DEFAULT = "extractive"
READERS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    DEFAULT: ("kgqa.reading.extractive", "make", {}),
    "boolean": ("kgqa.reading.boolean", "make", {}),
    "numeric": ("kgqa.reading.numeric", "make", {}),
    "cascade": ("kgqa.reading.cascade", "make", {}),
    "seq2seq": ("kgqa.reading.seq2seq", "make", {}),
    "seq2seq:closed": ("kgqa.reading.seq2seq", "make_closed", {}),
    "fid": ("kgqa.reading.fusion", "make", {}),
    "rag": ("kgqa.reading.marginal", "make", {}),
    "rag-token": ("kgqa.reading.marginal", "make_token", {}),
    **{name: ("kgqa.reading.chat.reader", "make", {"name": name}) for name in ("chat", "chat:closed", "chat:cot", "chat:reason")},
}
"""Where each reader is made: a module, its function `make(model)`, and what else that is given.

The model is a folder, a name on a hub or on a server, and empty for the usual one.
"""


def reader_of(named: str = DEFAULT) -> Reader:
    """Return the reader of a name, with its model behind a colon where one is named: "seq2seq:FOLDER".

    Raises `ReaderUnknown` for another name, and what the reader itself raises for a model that cannot be used.
    """
    name, model = parted(named)
    module, maker, given = READERS[name]
    made: Reader = getattr(import_module(module), maker)(model, **given)
    return made


def parted(named: str) -> tuple[str, str]:
    """Return the name of a reader and that of its model, empty where none is given; raises `ReaderUnknown` for another name."""
    whole = named.strip()
    name = max((one for one in READERS if f"{whole}:".startswith(f"{one}:")), key=len, default=None)
    if name is None:
        raise ReaderUnknown(whole.partition(":")[0], tuple(READERS))
    return name, whole[len(name) + 1 :]
