"""The readers by their names on the command line, `--reader NAME` or `--reader NAME:MODEL`; each is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from kgqa.errors import ReaderUnknown
from kgqa.readers.reader import Reader
from kgqa.settings import Settings

DEFAULT_READER = "extractive"
_GENERATIVE, _CHAT = "kgqa.readers.generative.generative_readers", "kgqa.readers.chat.chat_reader"
READERS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    DEFAULT_READER: ("kgqa.readers.extractive.extractive_reader", "make_extractive_reader", {}),
    "boolean": ("kgqa.readers.extractive.extractive_reader", "make_boolean_reader", {}),
    "numeric": ("kgqa.readers.numeric.numeric_reader", "make_numeric_reader", {}),
    "cascade": ("kgqa.router", "make_cascade_reader", {}),
    **{
        name: (_GENERATIVE, "make_generative_reader", {"name": name})
        for name in ("seq2seq", "seq2seq:closed", "fid", "rag", "rag-token")
    },
    **{name: (_CHAT, "make_chat_reader", {"name": name}) for name in ("chat", "chat:closed", "chat:cot", "chat:reason")},
}
"""Where each reader is made: a module, its function of a model and the settings, and its other arguments.

The model is a folder, a name on a hub or on a server, and empty for the usual one.
"""


def load_reader(specification: str = DEFAULT_READER, settings: Settings | None = None) -> Reader:
    """Return the reader of a name, with its model behind a colon where one is named: "seq2seq:FOLDER".

    Raises `ReaderUnknown` for another name, and what the reader itself raises for a model that cannot be used.
    """
    name, model = split_reader_name(specification)
    module, maker, options = READERS[name]
    reader: Reader = getattr(import_module(module), maker)(model, settings or Settings.read(), **options)
    return reader


def split_reader_name(specification: str) -> tuple[str, str]:
    """Return the name of a reader and that of its model, empty where none is given; raises `ReaderUnknown` for another name."""
    whole = specification.strip()
    name = max((reader_name for reader_name in READERS if f"{whole}:".startswith(f"{reader_name}:")), key=len, default=None)
    if name is None:
        raise ReaderUnknown(whole.partition(":")[0], tuple(READERS))
    return name, whole[len(name) + 1 :]
