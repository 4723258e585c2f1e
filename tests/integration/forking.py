"""Commands that start at once, as forks of a process that has imported all they need: made to be killed in great numbers."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from running import clean_environment

# Forks a child for each line of arguments, tells its process id, and then how it ended.
_FORKING = """
import importlib, json, os, sys
for name in sys.argv[1].split():
    module, _, prepared = name.partition(":")
    found = importlib.import_module(module)
    setting, _, number = prepared.partition("=")
    if number:
        setattr(found, setting, int(number))
    elif setting:
        getattr(found, setting)()
from kgqa.cli import run
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        os.setsid()
        os._exit(run(json.loads(line)))
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Forks:
    """A process that forks."""

    process: subprocess.Popen[str]

    def begin(self, *arguments: str | Path) -> int:
        """Begin a command and return the id of its process, which leads a group of its own."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([str(argument) for argument in arguments]) + "\n")
        self.process.stdin.flush()
        return self._number()

    def end(self) -> int:
        """Wait for the end of the command and return its exit code: negative for a signal."""
        return self._number()

    def ends_within(self, seconds: float) -> bool:
        """Wait for the end of the command, so many seconds at most, and return whether it has come."""
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def _number(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())


@contextmanager
def forks(*modules: str) -> Iterator[Forks]:
    """Give a process that has imported `modules`; it is ended with the block.

    After a colon may stand a function of the module to call first, or a number to set in it: "module:function",
    "module:NUMBER=7".
    """
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", _FORKING, " ".join(modules)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )
    try:
        yield Forks(process)
    finally:
        process.kill()
        process.communicate()
