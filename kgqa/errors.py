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
    """A `--do` option does not have the form CONCEPT=absent or CONCEPT=present."""

    def __init__(self, text: str) -> None:
        super().__init__(f"cannot read --do '{text}'", 'kgqa ask --do "smoking=absent" QUESTION')


class QuestionInvalid(KgqaError):
    """There is no question to answer."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no question to answer: {why}", 'kgqa ask "What causes tsunamis?"')
