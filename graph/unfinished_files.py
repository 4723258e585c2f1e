"""Files and folders that are not finished: locked, named with the id of their process, and removed however it ends.

A process that is killed removes nothing; the next one that writes into the same folder removes what dead processes left there.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp, mkstemp

_NAME = re.compile(r"\.kgqa-([1-9][0-9]{0,8})-\w+\.part")


@contextmanager
def unfinished_file(folder: Path) -> Iterator[Path]:
    """Give a new, empty file in `folder`, which nobody else may read, and remove it unless the block renames it.

    Raises `OSError` where it cannot be made.
    """
    remove_leftovers(folder)
    number, name = mkstemp(prefix=f".kgqa-{os.getpid()}-", suffix=".part", dir=folder)
    with _locked_path(number, Path(name)) as part:
        yield part


@contextmanager
def unfinished_folder(folder: Path) -> Iterator[Path]:
    """Give a new, empty folder in `folder`, as `unfinished_file` gives a file."""
    remove_leftovers(folder)
    part = Path(mkdtemp(prefix=f".kgqa-{os.getpid()}-", suffix=".part", dir=folder))
    with _locked_path(os.open(part, os.O_RDONLY | os.O_CLOEXEC), part):
        yield part


def remove_leftovers(folder: Path) -> None:
    """Remove the unfinished files and folders in `folder` whose process is dead, and which are locked by nobody.

    A lock tells apart what a process of another container writes, whose ids mean nothing here.
    """
    with suppress(OSError):
        for entry in list(folder.iterdir()):
            match = _NAME.fullmatch(entry.name)
            if match and not _is_alive(int(match[1])) and not entry.is_symlink():
                with suppress(OSError):
                    number = os.open(entry, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
                    try:
                        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        _remove_path(entry)
                    finally:
                        os.close(number)


def usual_mode() -> int:
    """Return the permissions that a new file gets."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def _locked_path(number: int, part: Path) -> Iterator[Path]:
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield part
    finally:
        os.close(number)
        _remove_path(part)


def _remove_path(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it is another user's
    return True
