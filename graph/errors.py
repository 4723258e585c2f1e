"""What can go wrong with graphs and their sources, each with a message made of a fact and a remedy."""

from __future__ import annotations

import shlex
from pathlib import Path


class Error(Exception):
    """The root of the errors of both packages: a fact, and a `remedy`, which is a command to try, or empty."""

    def __init__(self, fact: str, remedy: str = "") -> None:
        super().__init__(fact)
        self.remedy = remedy


class GraphError(Error):
    """The root of the errors of `graph`."""

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error cross from a worker process to its parent as it is: its class makes its message from other facts."""
        return _restore_error, (type(self), str(self), self.remedy)


def system_error_text(error: OSError) -> str:
    """Return the reason that the system gives for an error, in lower case."""
    return (error.strerror or str(error)).lower()


def _restore_error(kind: type[GraphError], fact: str, remedy: str) -> GraphError:
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


class OutputUnwritable(GraphError):
    """A file cannot be written: no permission, no such folder, a full disk."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"cannot write '{path}': {why}")


class OutputIsGraph(GraphError):
    """A file that is to be written holds a graph already, which is never written over."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"'{path}' is a graph and is not written over; name another file, or remove it first")


class DiskFull(OutputUnwritable):
    """There is no room for a file that is fetched; what has come of it is kept."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(path, f"{why}; free some space and run the command again: it goes on where it was")


class AddressInvalid(GraphError):
    """Something is no address of a file."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"cannot fetch '{address}': {why}")


class ChecksumInvalid(GraphError):
    """Something is no checksum."""

    def __init__(self, text: str) -> None:
        super().__init__(f"'{text}' is no checksum: that is md5, sha1, sha256 or sha512, a colon, and as many hexadecimal digits")


class FetchFailed(GraphError):
    """A file cannot be had: no network, no such file, a server that refuses."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"cannot fetch '{address}': {why}")


class FetchWrong(GraphError):
    """A file that has come is not what it must be; `bare` leaves its name out of the message."""

    def __init__(self, path: str | Path, why: str, *, bare: bool = False) -> None:
        super().__init__(why if bare else f"'{path}' is not what it must be: {why}")


class FetchBusy(GraphError):
    """Another process is fetching the same file."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"'{path}' is being fetched by another process")


class FormatUnknown(GraphError):
    """A file is not in the format that was expected."""

    def __init__(self, path: str | Path, expected: str, actual: str = "") -> None:
        super().__init__(f"'{path}' is not {expected}" + (f": {actual}" if actual else ""))


class PackageMissing(GraphError):
    """A package that something needs is not installed; an `extra` of kgqa brings it, or else kgqa itself, which lacks it."""

    def __init__(self, what: str, package: str, extra: str | None = None) -> None:
        remedy = f"pip install 'kgqa[{extra}]'" if extra else f"pip install {package}"
        super().__init__(f"{what} needs {package}, which is not installed", remedy)


class StoreMissing(GraphError):
    """There is no store at the address."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no graph at '{url}'", f"kgqa mine TEXT -g {shlex.quote(url)}")


class GraphChanged(GraphError):
    """A graph was written to while it was exported, so that what was exported is no state that it ever had."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' was written to while it was exported; run the command again")


class StoreAddressUnknown(GraphError):
    """The address of a store has a form that is not known."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' is not the address of a graph (FILE.kgqa, memory: or bolt://HOST)")


class StoreVersion(GraphError):
    """A store was written by another version of this package."""

    def __init__(self, url: str, version: str, expected: str) -> None:
        newer = version.isdigit() and int(version) > int(expected)
        mended = "it needs a newer kgqa" if newer else "mine or load it again into a new file"
        super().__init__(f"'{url}' has store version {version}, this kgqa reads version {expected}; {mended}")


class StoreDamaged(GraphError):
    """A store does not hold what a store must hold."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"'{url}' is damaged or not a kgqa graph: {why}", f"kgqa check -g {shlex.quote(url)}")


class StoreUnfinished(GraphError):
    """The process that stores a new graph was killed."""

    def __init__(self, url: str) -> None:
        super().__init__(f"the process that stores '{url}' was killed, perhaps for want of memory; nothing was stored")


class StoreLocked(GraphError):
    """Another process is writing to the store."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' is being written by another process; wait until it has finished")


class StoreUnreachable(GraphError):
    """No server answers at the address of a store, or it does not speak as it must."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"no Neo4j server to be used at '{url}': {why}")


class StoreRefused(GraphError):
    """A server does not let this user in."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"'{url}' refuses: {why}", "NEO4J_USERNAME=... NEO4J_PASSWORD=... kgqa ... (the same again)")


class StoreOccupied(GraphError):
    """A database holds something else than a graph of this package."""

    def __init__(self, url: str, content: str) -> None:
        super().__init__(f"'{url}' holds something else ({content}) and no kgqa graph; name an empty database")


class StoreFailed(GraphError):
    """A server could not do what it was asked for; what was stored before is intact."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"'{url}' failed: {why}")


class CopyDiffers(GraphError):
    """What was copied is not what it was copied from."""

    def __init__(self, source: str, target: str, wanted: str, actual: str) -> None:
        super().__init__(f"'{target}' has the digest {actual}, '{source}' had {wanted}; one of them was changed meanwhile")


class StoreReadOnly(GraphError):
    """The store may be read but not written."""

    def __init__(self, url: str) -> None:
        super().__init__(f"'{url}' is read-only; name a graph that may be written with -g FILE.kgqa")


class StoreFull(GraphError):
    """There is no room left to write; what was stored before is intact."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no space left while writing '{url}'; free some space and run the command again")


class NoRoomBeside(GraphError):
    """There is no room for the temporary files of a store that is only read."""

    def __init__(self, url: str, folder: str) -> None:
        super().__init__(
            f"no space left for temporary files in '{folder}' while reading '{url}'; "
            "free some space there, or name another folder in SQLITE_TMPDIR"
        )


class RuleInvalid(GraphError):
    """A mining rule cannot be used; `place` is the file, and the line where it is known."""

    def __init__(self, rule: str, why: str, place: str = "") -> None:
        super().__init__(f"{place}: " * bool(place) + f"rule '{rule}': " * (rule != "?") + why)
