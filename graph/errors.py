"""The errors of graphs and their sources, each with a message made of a fact and a remedy."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import ClassVar

_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


class Error(Exception):
    r"""The root of the errors of both packages: a fact in one line, and a `remedy`, which is a command to try, or empty.

    Line ends in the fact, such as those of a name that a file gives, are written as in Python: "\n".
    """

    def __init__(self, fact: str, remedy: str = "") -> None:
        super().__init__("".join(repr(end)[1:-1] if end in _LINE_ENDS else end for end in fact))
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        # Pickled as it is, since the constructors of subclasses take other facts than the message.
        return _restore_error, (type(self), str(self), self.remedy)


class GraphError(Error):
    """The root of the errors of `graph`."""


def _restore_error(kind: type[Error], fact: str, remedy: str) -> Error:
    error = kind.__new__(kind)
    Error.__init__(error, fact, remedy)
    return error


class SubjectError(GraphError):
    """An error about one path or address; `message` is a template for it and for the reason, if the error has one."""

    message: ClassVar[str]

    def __init__(self, subject: str | Path, why: str = "") -> None:
        super().__init__(self.message.format(subject, why))


def system_error_text(error: OSError | ValueError) -> str:
    """Return the reason that the system gives for an error, in lower case; a `ValueError` is of a name that no file can have."""
    if isinstance(error, ValueError):
        return "a file name cannot hold a NUL character or lone surrogates"
    return (error.strerror or str(error)).lower()


class InputMissing(SubjectError):
    """There is no file of this name."""

    message = "no such file: '{}'"


class InputIsDirectory(SubjectError):
    """A path names a folder, and a file is needed."""

    message = "'{}' is a directory, a file is needed"


class InputUnreadable(SubjectError):
    """A file cannot be read: no permission, a damaged or truncated archive, not text."""

    message = "cannot read '{}': {}"


class InputTooLong(InputUnreadable):
    """A text is longer, unpacked, than what is read of one."""


class InputEmpty(SubjectError):
    """A file holds nothing to read."""

    message = "'{}' is empty"


class OutputUnwritable(SubjectError):
    """A file cannot be written: no permission, no such folder, a full disk."""

    message = "cannot write '{}': {}"


class OutputIsGraph(SubjectError):
    """An output file holds a graph already, which is never overwritten."""

    message = "'{}' is a graph and is not written over; name another file, or remove it first"


class DiskFull(OutputUnwritable):
    """The disk is full while a file is fetched; the part that was fetched is kept."""

    message = "cannot write '{}': {}; free some space and run the command again: it goes on where it was"


class AddressInvalid(SubjectError):
    """A text is not the address of a file."""

    message = "cannot fetch '{}': {}"


class ChecksumInvalid(SubjectError):
    """A text is not a checksum."""

    message = "'{}' is no checksum: that is md5, sha1, sha256 or sha512, a colon, and as many hexadecimal digits"


class FetchFailed(SubjectError):
    """A file cannot be fetched: no network, no such file, a server that refuses."""

    message = "cannot fetch '{}': {}"


class FetchWrong(GraphError):
    """A fetched file is not the expected one; `bare` leaves its name out of the message."""

    def __init__(self, path: str | Path, why: str, *, bare: bool = False) -> None:
        super().__init__(why if bare else f"'{path}' is not what it must be: {why}")


class FetchBusy(SubjectError):
    """Another process is fetching the same file."""

    message = "'{}' is being fetched by another process"


class FormatUnknown(GraphError):
    """A file is not in the format that was expected."""

    def __init__(self, path: str | Path, expected: str, actual: str = "", remedy: str = "") -> None:
        super().__init__(f"'{path}' is not {expected}" + (f": {actual}" if actual else ""), remedy)


class PackageMissing(GraphError):
    """A required package is not installed; an `extra` of kgqa, or else kgqa itself, installs it."""

    def __init__(self, what: str, package: str, extra: str | None = None) -> None:
        remedy = f"pip install 'kgqa[{extra}]'" if extra else f"pip install {package}"
        super().__init__(f"{what} needs {package}, which is not installed", remedy)


class StoreMissing(GraphError):
    """There is no store at the address."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no graph at '{url}'", f"kgqa mine TEXT -g {shlex.quote(url)}")


class GraphChanged(SubjectError):
    """A graph was changed while it was exported, so that the export is no state that it ever had."""

    message = "'{}' was written to while it was exported; run the command again"


class StoreAddressUnknown(SubjectError):
    """The address of a store has a form that is not known."""

    message = "'{}' is not the address of a graph (FILE.kgqa, memory: or bolt://HOST)"


class StoreVersion(GraphError):
    """A store was written by another version of this package."""

    def __init__(self, url: str, version: str, expected: str) -> None:
        newer = version.isdigit() and int(version) > int(expected)
        mended = "it needs a newer kgqa" if newer else "mine or load it again into a new file"
        super().__init__(f"'{url}' has store version {version}, this kgqa reads version {expected}; {mended}")


class StoreDamaged(GraphError):
    """A store has no valid content."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"'{url}' is damaged or not a kgqa graph: {why}", f"kgqa check -g {shlex.quote(url)}")


class StoreUnfinished(SubjectError):
    """The process that writes a new graph was killed."""

    message = "the process that stores '{}' was killed, perhaps for want of memory; nothing was stored"


class StoreLocked(SubjectError):
    """Another process is writing to the store."""

    message = "'{}' is being written by another process; wait until it has finished"


class StoreUnreachable(SubjectError):
    """No Neo4j server answers at the address of a store."""

    message = "no Neo4j server to be used at '{}': {}"


class StoreRefused(GraphError):
    """A server does not admit this user."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"'{url}' refuses: {why}", "NEO4J_USERNAME=... NEO4J_PASSWORD=... kgqa ... (the same again)")


class StoreOccupied(SubjectError):
    """A database holds other data than a graph of this package."""

    message = "'{}' holds something else ({}) and no kgqa graph; name an empty database"


class StoreFailed(SubjectError):
    """A server failed; what was stored before is intact."""

    message = "'{}' failed: {}"


class CopyDiffers(GraphError):
    """A copy differs from its source."""

    def __init__(self, source: str, target: str, wanted: str, actual: str) -> None:
        super().__init__(f"'{target}' has the digest {actual}, '{source}' had {wanted}; one of them was changed meanwhile")


class StoreReadOnly(SubjectError):
    """The store may be read but not written."""

    message = "'{}' is read-only; name a graph that may be written with -g FILE.kgqa"


class StoreFull(SubjectError):
    """The disk is full; what was stored before is intact."""

    message = "no space left while writing '{}'; free some space and run the command again"


class NoRoomBeside(GraphError):
    """The disk is full of a folder of temporary files, which reading a store needs."""

    def __init__(self, url: str, folder: str) -> None:
        super().__init__(
            f"no space left for temporary files in '{folder}' while reading '{url}'; "
            "free some space there, or name another folder in SQLITE_TMPDIR"
        )


class RuleInvalid(GraphError):
    """A mining rule cannot be used; `place` is the file, and the line where it is known."""

    def __init__(self, rule: str, why: str, place: str = "") -> None:
        super().__init__(f"{place}: " * bool(place) + f"rule '{rule}': " * (rule != "?") + why)
