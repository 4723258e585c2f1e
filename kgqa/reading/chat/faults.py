"""What a server says about what went wrong, in its own words: in the shapes that servers of the chat API use."""

from __future__ import annotations

import json
from typing import Any

from kgqa.reading.chat.failures import RequestRejected, TransientFailure, printable_line


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
