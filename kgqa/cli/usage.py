"""Wrong use of a command: what is wrong and what to try, in our own form."""

from __future__ import annotations

import click


class WrongUse(click.UsageError):
    """Arguments that a command cannot take; `remedy` is a command to try."""

    def __init__(self, fact: str, remedy: str, context: click.Context | None = None) -> None:
        super().__init__(fact, context)
        self.remedy = remedy


def usage_fact(error: click.UsageError) -> str:
    """Return what a usage error says as a fact: on one line, lower case at its start, no full stop."""
    if isinstance(error, WrongUse):
        return error.message
    text = " ".join(error.format_message().split())
    return text[:1].lower() + text[1:].rstrip(".")
