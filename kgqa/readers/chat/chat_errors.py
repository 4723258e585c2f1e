"""The errors of a chat server, each in one line without the key, and the messages in its error responses."""

from __future__ import annotations

import json
from typing import Any

from graph.net.retry import Fault, HttpFailure
from kgqa.errors import KgqaError

SHOWN_CHARACTERS = 200
"""The length at which the message of a server is cut."""


class ChatSettingInvalid(KgqaError):
    """A setting of the chat reader, the environment variable `variable`, is missing or invalid."""

    def __init__(self, variable: str, why: str, remedy: str = "") -> None:
        super().__init__(f"{variable} {why}", remedy)


class ChatFailed(KgqaError):
    """A chat server cannot be reached, rejects a request, or returns no usable answer."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"the chat server '{address}' {why}")
        self.address = address
        self.why = why


class PromptTooLong(ChatFailed):
    """The server reports that a prompt exceeds the context of its model."""


class RequestRejected(HttpFailure):
    """The server rejects a request in this form; `server_message` is the message of its error response."""

    def __init__(self, status: int, server_message: str) -> None:
        hint = "; is KGQA_CHAT_URL complete (mostly .../v1)?" if status in {404, 405} else ""
        text = f"answers with HTTP status {status}{f': {server_message}' if server_message else hint}"
        super().__init__(Fault.CONTENT, text, status=status)
        self.server_message = server_message


def printable_line(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """Return a text as one printable line, cut after `most` characters."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def error_text(data: bytes) -> str:
    """Return the message in the body of an error response; empty where its form is unknown."""
    try:
        return error_message(json.loads(data))
    except (ValueError, RecursionError):
        return ""


def error_message(content: Any) -> str:
    """Return the message of `{"error": {"message"}}`, `{"error": text}`, `{"message"}` or `{"detail"}` as one short line."""
    if not isinstance(content, dict):
        return ""
    error = content.get("error", content)
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error.get("code") or ""
    return printable_line(error if isinstance(error, str) else str(error or ""))


def failure_in_reply(content: Any) -> HttpFailure | None:
    """Return the failure that a reply reports, as some servers do with HTTP status 200; `None` for a reply without one."""
    if not isinstance(content, dict) or not content.get("error"):
        return None
    error = content["error"]
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) else 0
    if status == 429 or status >= 500:
        return HttpFailure(Fault.REPORTED, f"answers with an error: {error_message(content)}")
    return RequestRejected(status or 200, error_message(content))
