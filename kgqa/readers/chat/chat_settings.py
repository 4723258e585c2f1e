"""The settings of the chat reader, read from the environment and validated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from graph.net.retry import Fault, RetryPolicy, TimeLimits
from kgqa.readers.chat.chat_errors import ChatSettingInvalid, printable_line
from kgqa.readers.chat.token_usage import Price
from kgqa.settings import Settings, cache_folder, variable_name

URL, MODEL, KEY, PRICE = map(variable_name, ("chat_url", "chat_model", "chat_key", "chat_price"))
TRAIN, TOKENS = map(variable_name, ("chat_train", "chat_tokens"))
CHAT_RETRY_POLICY = RetryPolicy(tries=4, longest_delay=60.0, faults=frozenset({Fault.CLOSED, Fault.CUT, Fault.REPORTED}))
CHAT_LIMITS = TimeLimits(connect=10.0, silence=60.0, total=180.0)
_EXAMPLE = f"export {URL}=http://127.0.0.1:8080/v1 {MODEL}=NAME"


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
    url = _base(given.chat_url.strip())
    if not name or not name.isprintable():
        raise ChatSettingInvalid(MODEL, "names no model that the chat server is to use", _EXAMPLE)
    return ChatSettings(
        url,
        name,
        key=_key(given.chat_key.strip()),
        train=given.chat_train,
        seed=_number(given, "chat_seed", 0, 0, 1 << 31),
        shots=_number(given, "chat_shots", 4, 0, 64),
        samples=_number(given, "chat_samples", 1, 1, 64),
        budget=_number(given, "chat_budget", 4096, 256, 1 << 24),
        tokens=_number(given, "chat_tokens", 0, 0, 1 << 20),
        price=_price(given.chat_price.strip()),
        cache=_cache(given.chat_cache.strip(), environment),
        limits=replace(CHAT_LIMITS, total=total, silence=max(60.0, total / 3)),
    )


def _base(url: str) -> str:
    """Return the base address of the API: with a path, without the suffix of the requests."""
    if not url:
        raise ChatSettingInvalid(URL, "names no chat server", _EXAMPLE)
    parts = _split(url)
    if parts.username is not None or parts.password is not None:
        raise ChatSettingInvalid(URL, f"holds a user or a password; a key belongs in {KEY}")
    path = parts.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"


def _split(url: str) -> SplitResult:
    """Return the parts of an address; raise `ChatSettingInvalid` where it is not valid."""
    printed_url = printable_line(url.rpartition("@")[2] if "@" in url else url)
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
    return parts


def _key(key: str) -> str:
    """Return a key that is valid in a header; raise `ChatSettingInvalid`, whose message does not hold the key."""
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ChatSettingInvalid(KEY, "holds characters that no key has (spaces, line breaks, or letters beyond ASCII)")
    return key


def _number(given: Settings, name: str, default: int, least: int, most: int) -> int:
    """Return a setting that is an integer between `least` and `most`."""
    text = getattr(given, name).strip()
    if not text:
        return default
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
    if not least <= number <= most:
        variable, printed = variable_name(name), printable_line(text, 40)
        raise ChatSettingInvalid(variable, f"must be a whole number from {least} to {most}, not '{printed}'")
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
        printed_text = printable_line(text, 40)
        raise ChatSettingInvalid(PRICE, f"must be the prices of a million tokens, as in 0.15/0.60, not '{printed_text}'")
    return Price(prompt, answer)


def _cache(file_name: str, environment: Mapping[str, str]) -> Path | None:
    """Return the file of the cache: that of the settings ("off" for none), else one in the cache folder of the user."""
    if file_name:
        return None if file_name.lower() == "off" else Path(file_name).expanduser()
    folder = cache_folder(environment)
    return None if folder is None else folder / "chat.sqlite"
