"""The settings of the chat reader, read from the environment and validated, and the error of one that is invalid."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from graph.net.retry import Fault, RetryPolicy, TimeLimits
from kgqa.errors import KgqaError
from kgqa.readers.chat.token_usage import Price
from kgqa.settings import Settings, cache_folder, variable_name

URL, MODEL, KEY, PRICE = map(variable_name, ("chat_url", "chat_model", "chat_key", "chat_price"))
TRAIN, TOKENS = map(variable_name, ("chat_train", "chat_tokens"))
CHAT_RETRY_POLICY = RetryPolicy(tries=4, longest_delay=60.0, faults=frozenset({Fault.CLOSED, Fault.CUT, Fault.REPORTED}))
CHAT_LIMITS = TimeLimits(connect=10.0, silence=60.0, total=180.0)
SHOWN_CHARACTERS = 200
"""The length at which the message of a server is cut."""
_EXAMPLE = f"export {URL}=http://127.0.0.1:8080/v1 {MODEL}=NAME"


class ChatSettingInvalid(KgqaError):
    """A setting of the chat reader, the environment variable `variable`, is missing or invalid."""

    def __init__(self, variable: str, why: str, remedy: str = "") -> None:
        super().__init__(f"{variable} {why}", remedy)


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """A chat server and the parameters of its prompts.

    `url` is the base address before `/chat/completions`. At most `shots` demonstrations are shown, drawn with `seed` from the
    file `train` in IfQA's format, or from the built-in ones where it is empty. A prompt and its answer take at most `budget`
    tokens, the answer `tokens` (0: the default of the prompt style). With several `samples` the score is their agreement.
    `cache` is the file of the cache, or `None` for no cache.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    train: str = ""
    seed: int = 0
    shots: int = 4
    samples: int = 1
    budget: int = 4096
    tokens: int = 0
    price: Price | None = None
    cache: Path | None = None
    retry_policy: RetryPolicy = CHAT_RETRY_POLICY
    limits: TimeLimits = CHAT_LIMITS


def read_chat_settings(
    model: str = "", environment: Mapping[str, str] | None = None, settings: Settings | None = None
) -> ChatSettings:
    """Return the validated settings; `model` replaces their model. Raises `ChatSettingInvalid`."""
    environment = os.environ if environment is None else environment
    given = settings or Settings.read(environment)
    total = _number(given, "chat_timeout", 180, 1, 86400)
    name = model.strip() or given.chat_model.strip()
    url = _base_address(given.chat_url.strip())
    if not name or not name.isprintable():
        raise ChatSettingInvalid(MODEL, "names no model that the chat server is to use", _EXAMPLE)
    key, cache = given.chat_key.strip(), given.chat_cache.strip()
    if not (key.isascii() and key.isprintable() and " " not in key):  # the message does not hold the key
        raise ChatSettingInvalid(KEY, "holds characters that no key has (spaces, line breaks, or letters beyond ASCII)")
    folder = cache_folder(environment)
    cache_file = Path(cache).expanduser() if cache else folder and folder / "chat.sqlite"
    return ChatSettings(
        url,
        name,
        key=key,
        train=given.chat_train,
        seed=_number(given, "chat_seed", 0, 0, 1 << 31),
        shots=_number(given, "chat_shots", 4, 0, 64),
        samples=_number(given, "chat_samples", 1, 1, 64),
        budget=_number(given, "chat_budget", 4096, 256, 1 << 24),
        tokens=_number(given, "chat_tokens", 0, 0, 1 << 20),
        price=_price(given.chat_price.strip()),
        cache=None if cache.lower() == "off" else cache_file,
        limits=replace(CHAT_LIMITS, total=total, silence=max(60.0, total / 3)),
    )


def _base_address(url: str) -> str:
    """Return the base address of the API: with a path, without the suffix of the requests."""
    if not url:
        raise ChatSettingInvalid(URL, "names no chat server", _EXAMPLE)
    printed_url = printable_line(url.rpartition("@")[2])
    invalid = ChatSettingInvalid(
        URL, f"is not the address of a chat server (https://... or http://...): '{printed_url}'", _EXAMPLE
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise invalid from None
    plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0 or not plain or parts.query or parts.fragment:
        raise invalid
    if parts.username is not None or parts.password is not None:
        raise ChatSettingInvalid(URL, f"holds a user or a password; a key belongs in {KEY}")
    path = parts.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"


def _number(given: Settings, name: str, default: int, least: int, most: int) -> int:
    text = getattr(given, name).strip()
    if not text:
        return default
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
    if not least <= number <= most:
        why = f"must be a whole number from {least} to {most}, not '{printable_line(text, 40)}'"
        raise ChatSettingInvalid(variable_name(name), why)
    return number


def _price(text: str) -> Price | None:
    """Return the prices of a million prompt tokens and a million answer tokens, written as in "0.15/0.60"."""
    if not text:
        return None
    try:
        prompt, answer = (float(part) for part in text.split("/"))
    except ValueError:
        prompt = answer = -1.0
    if not (0 <= prompt < 1e9 and 0 <= answer < 1e9):
        why = f"must be the prices of a million tokens, as in 0.15/0.60, not '{printable_line(text, 40)}'"
        raise ChatSettingInvalid(PRICE, why)
    return Price(prompt, answer)


def printable_line(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """Return a text as one printable line, cut after `most` characters."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"
