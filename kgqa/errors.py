"""What can go wrong with questions, each with a message made of a fact and a remedy."""

from __future__ import annotations

from collections.abc import Sequence


class KgqaError(Exception):
    """The root of all errors of this package; `remedy` is a command to try, or empty."""

    def __init__(self, fact: str, remedy: str = "") -> None:
        super().__init__(fact)
        self.remedy = remedy


class ConceptUnknown(KgqaError):
    """The graph has no concept of that name; `near` are names that are spelt like it."""

    def __init__(self, name: str, near: Sequence[str] = (), remedy: str = "") -> None:
        super().__init__(f"no concept '{name}'" + (f"; near: {', '.join(near)}" if near else ""), remedy)


class SettingInvalid(KgqaError):
    """A `--do` option cannot be read; `why` says what it may be. The remedy is an option, of whatever command was asked."""

    def __init__(self, text: str, why: str, fact: str = "") -> None:
        super().__init__(fact or f"cannot read --do '{text}': {why}", '--do "smoking=absent"')


class SettingsContradict(SettingInvalid):
    """Two `--do` options cannot both be so."""

    def __init__(self, texts: Sequence[str], why: str) -> None:
        told = " and ".join(f"--do '{text}'" for text in texts)
        super().__init__("", why, f"{told} contradict one another: {why}")


class ClaimUnknown(KgqaError):
    """The graph has no claim that one concept bears on another."""

    def __init__(self, cause: str, effect: str) -> None:
        super().__init__(f"no claim that '{cause}' bears on '{effect}' that could be taken away", f'kgqa effects "{cause}"')


class QuestionInvalid(KgqaError):
    """There is no question to answer."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no question to answer: {why}", 'kgqa ask "What causes tsunamis?"')
