"""A store in a `with` block and in a notebook."""

from __future__ import annotations

import re
from types import TracebackType
from typing import Self

_CREDENTIALS = re.compile(r"(?<=//)[^/\s@]*@")


class ClosableStore:
    """A store that a `with` block closes and a notebook shows by its address, without user and password."""

    url: str

    def close(self) -> None:
        """Release the store."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        closed = ", closed" if getattr(self, "_open", self) is None else ""
        return f"<{type(self).__name__} '{_CREDENTIALS.sub('', self.url)}'{closed}>"
