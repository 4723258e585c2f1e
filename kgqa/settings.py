"""The settings of the environment: one frozen object for all `KGQA_*` variables, read at the edge and passed in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import graph

MOST_FINDINGS = 1000
"""The largest number of findings that an answer, or a list of a command, is asked to have."""


_SECRETS = frozenset({"chat_key", "serve_token"})


class Settings(NamedTuple):
    """The values of the variables as they are set, empty where they are not; whoever uses a value validates it.

    The field `chat_url` holds the variable `KGQA_CHAT_URL`, and so on. docs/commands.md has a table made of the descriptions.
    """

    graph: Annotated[str, "names the graph, where `-g` does not"] = ""
    encoder: Annotated[str, "names the folder of the encoder with which `evaluate` measures how similar two texts are"] = ""
    reader: Annotated[str, "names the model folder of the extractive reader, where `--reader extractive:FOLDER` does not"] = ""
    sentence_encoder: Annotated[
        str, "names the folder of the encoder of passages and questions, for dense retrieval ([retrieval.md](retrieval.md))"
    ] = ""
    hub: Annotated[str, "`1` lets [generative readers](reading.md#generative-readers) download a model of the hub"] = ""
    device: Annotated[str, "where a generative reader runs: `cpu`, `cuda`, `cuda:1`"] = ""
    beams: Annotated[str, "how many beams a generative reader follows"] = ""
    chat_url: Annotated[
        str, "the base address of the server of `--reader chat` ([reading.md](reading.md#chat-servers)) and `--judge chat`"
    ] = ""
    chat_model: Annotated[str, "the model of the chat server, where `--reader chat:NAME` or `--judge chat:NAME` names none"] = ""
    chat_key: Annotated[str, "the key of the chat server"] = ""
    chat_train: Annotated[str, "a file to draw demonstrations for the chat server from"] = ""
    chat_shots: Annotated[str, "how many demonstrations a prompt holds at most"] = ""
    chat_seed: Annotated[str, "the seed that draws the demonstrations"] = ""
    chat_budget: Annotated[str, "tokens for a prompt and its answer together"] = ""
    chat_tokens: Annotated[str, "tokens for an answer"] = ""
    chat_samples: Annotated[str, "how many answers are drawn for a question"] = ""
    chat_price: Annotated[str, "prices of a million tokens of prompts and answers, for the cost"] = ""
    chat_timeout: Annotated[str, "seconds for a whole answer of the chat server"] = ""
    chat_cache: Annotated[str, "the file of the cache of answers; `off` for none"] = ""
    wikipedia: Annotated[
        str, "the address of the API that `ask --quotes` asks, where it is not that of the article's own Wikipedia"
    ] = ""
    serve_token: Annotated[str, "the token of `kgqa serve`, where `--token` names none"] = ""
    debug: Annotated[str, "`1` shows the traceback of an error"] = ""
    contact: Annotated[str, "an address to write to, sent with kgqa's name by `kgqa load wikidata` and `kgqa ask --quotes`"] = ""

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings of an environment, by default that of the process."""
        variables = os.environ if environment is None else environment
        return cls(*(variables.get(variable_name(name), "") for name in cls._fields))

    def __repr__(self) -> str:
        pairs = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True) if name not in _SECRETS)
        return f"Settings({', '.join(pairs)})"


def variable_name(name: str) -> str:
    """Return the variable of a field of `Settings`: "KGQA_CHAT_URL" of "chat_url"."""
    return f"KGQA_{name.upper()}"


def starter_graph() -> str:
    """Return the path of the starter graph that ships with kgqa."""
    return str(Path(*graph.__path__) / "data" / "starter.kgqa")


def graph_url(url: str | None, settings: Settings | None = None) -> str:
    """Return the graph to open: the one given, else that of the settings, else the starter graph."""
    return url or (settings or Settings.read()).graph or starter_graph()


def cache_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the folder of kgqa in the user's cache; `None` where the environment names neither a cache nor a home."""
    variables = os.environ if environment is None else environment
    folder, home = variables.get("XDG_CACHE_HOME", ""), variables.get("HOME", "")
    # The XDG Base Directory Specification ignores relative paths.
    base = Path(folder) if folder.startswith("/") else Path(home, ".cache") if home.startswith("/") else None
    return None if base is None else base / "kgqa"


def quotes_path() -> Path | None:
    """Return the file of the user's quotes; `None` where there is no folder for it."""
    folder = cache_folder()
    return folder and folder / "quotes.sqlite"


def is_debugging() -> bool:
    """Return whether errors show their traceback."""
    return Settings.read().debug == "1"


def user_agent(settings: Settings | None = None) -> str:
    """Return the name that kgqa sends to servers: with its version, and with the contact of the settings, if there is one."""
    from kgqa import __version__

    contact = (settings or Settings.read()).contact.strip()
    return f"kgqa/{__version__} (causal question answering{f'; {contact}' if contact.isprintable() and contact else ''})"
