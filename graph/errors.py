"""What can go wrong with graphs and their sources, each with a message made of a fact and a remedy."""

from __future__ import annotations

from pathlib import Path


class GraphError(Exception):
    """The root of all errors of this package; `remedy` is a command to try, or empty."""

    def __init__(self, fact: str, remedy: str = "") -> None:
        super().__init__(fact)
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error cross from a worker process to its parent as it is: its class makes its message from other facts."""
        return _restored, (type(self), str(self), self.remedy)


def _restored(kind: type[GraphError], fact: str, remedy: str) -> GraphError:
    """Return an error of `kind` with the message that it had."""
    error = kind.__new__(kind)
    Exception.__init__(error, fact)
    error.remedy = remedy
    return error


class InputMissing(GraphError):
    """There is no file where one was named."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"no such file: '{path}'")


class InputIsDirectory(GraphError):
    """A folder stands where a file was expected."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"'{path}' is a directory, a file is needed")


class InputUnreadable(GraphError):
    """A file cannot be read: no permission, a damaged or truncated archive, not text."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"cannot read '{path}': {why}")


class InputEmpty(GraphError):
    """A file holds nothing to read."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"'{path}' is empty")


class FormatUnknown(GraphError):
    """A file is not in the format that was expected."""

    def __init__(self, path: str | Path, expected: str, found: str = "") -> None:
        super().__init__(f"'{path}' is not {expected}" + (f": {found}" if found else ""))


class StoreMissing(GraphError):
    """There is no store at the address."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no graph at '{url}'", f"kgqa mine TEXT -g {url}")


class StoreAddressUnknown(GraphError):
    """The address of a store has a form that is not known."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' is not the address of a graph (FILE.kgqa or memory:)")


class StoreVersion(GraphError):
    """A store was written by another version of this package."""

    def __init__(self, url: str, found: str, expected: str) -> None:
        super().__init__(
            f"'{url}' has store version {found}, this kgqa reads version {expected}; mine or load it again into a new file"
        )


class StoreDamaged(GraphError):
    """A store does not hold what a store must hold."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"'{url}' is damaged or not a kgqa graph: {why}", f"kgqa check -g {url}")


class StoreLocked(GraphError):
    """Another process is writing to the store."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' is being written by another process; wait until it has finished")


class StoreReadOnly(GraphError):
    """The store may be read but not written."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' is read-only; name a graph that may be written with -g FILE.kgqa")


class StoreFull(GraphError):
    """There is no room left to write; what was stored before is intact."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no space left while writing '{url}'; free some space and run the command again")


class RuleInvalid(GraphError):
    """A mining rule cannot be used; `place` is the file, and the line where it is known."""

    def __init__(self, rule: str, why: str, place: str = "") -> None:
        super().__init__(f"{place}: " * bool(place) + f"rule '{rule}': " * (rule != "?") + why)
