"""What can go wrong with a chat server, each in one line; no message holds the key.

What a server says about what went wrong, in its own words: in the shapes that servers of the chat API use.
"""

from __future__ import annotations

import json
from typing import Any

from kgqa.errors import KgqaError

SHOWN_CHARACTERS = 200
"""How many characters of what a server says are told at most."""


class ChatSettingInvalid(KgqaError):
    """A setting of the chat reader is missing or cannot be used; `variable` is where the environment sets it."""

    def __init__(self, variable: str, why: str, remedy: str = "") -> None:
        super().__init__(f"{variable} {why}", remedy)


class ChatFailed(KgqaError):
    """A chat server cannot be reached, refuses a question, or gives no answer that can be used."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"the chat server '{address}' {why}")
        self.address = address
        self.why = why


class PromptTooLong(ChatFailed):
    """The server says that a prompt does not fit into what its model can read."""


class TransientFailure(Exception):
    """A failure that may pass; `wait` is how many seconds the server asks to wait, if it does."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class PermanentFailure(Exception):
    """A failure that asking again would not mend."""


class RequestRejected(PermanentFailure):
    """The server cannot do with the request as it is: `status` of HTTP, and its own words."""

    def __init__(self, status: int, server_message: str) -> None:
        hint = "; is KGQA_CHAT_URL complete (mostly .../v1)?" if status in {404, 405} else ""
        super().__init__(f"answers with HTTP status {status}{f': {server_message}' if server_message else hint}")
        self.status = status
        self.server_message = server_message


def printable_line(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """Return what a server said as one line that can do nothing to a terminal, cut after `most` characters."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def error_text(data: bytes) -> str:
    """Return what the body of an error says; empty where it is in no known shape (a page, nothing)."""
    try:
        return error_message(json.loads(data))
    except (ValueError, RecursionError):
        return ""


def error_message(content: Any) -> str:
    """Return what is told by `{"error": {"message"}}`, `{"error": text}`, `{"message"}` or `{"detail"}`, as one short line."""
    if not isinstance(content, dict):
        return ""
    error = content.get("error", content)
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error.get("code") or ""
    return printable_line(error if isinstance(error, str) else str(error or ""))


def failure_in_reply(content: Any) -> Exception | None:
    """Return the failure that an answer tells in place of text, as some servers do with HTTP status 200."""
    if not isinstance(content, dict) or not content.get("error"):
        return None
    error = content["error"]
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) else 0
    if status == 429 or status >= 500:
        return TransientFailure(f"answers with an error: {error_message(content)}")
    return RequestRejected(status or 200, error_message(content))
