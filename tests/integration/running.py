"""The command line in processes of its own, as a shell runs it, and the claims of a small graph to ask."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KGQA = str(Path(sys.executable).with_name("kgqa"))

CLAIMS = """\
cause,effect,relation,stance,title,page_id,url,text
smoking,lung cancer,causes,asserted,Tobacco,1,https://en.wikipedia.org/?curid=1,Smoking causes lung cancer.
smoking,lung cancer,causes,asserted,Lung cancer,2,https://en.wikipedia.org/?curid=2,Lung cancer is caused by smoking.
asbestos,lung cancer,causes,hedged,Asbestos,3,,Asbestos may cause lung cancer.
asbestos,lung cancer,causes,asserted,Lung cancer,2,https://en.wikipedia.org/?curid=2,Asbestos causes lung cancer.
lung cancer,death,causes,asserted,Lung cancer,2,https://en.wikipedia.org/?curid=2,Lung cancer leads to death.
smoking,emphysema,causes,asserted,Tobacco,1,https://en.wikipedia.org/?curid=1,Smoking causes emphysema.
coffee,heart disease,causes,asserted,Coffee,4,,Coffee causes heart disease.
coffee,heart disease,causes,negated,Heart,5,,Coffee does not cause heart disease.
vaccine,autism,causes,negated,Vaccine,6,,Vaccines do not cause autism.
vaccine,autism,causes,negated,Autism,7,,Autism is not caused by vaccines.
citrus fruit,scurvy,prevents,asserted,Scurvy,8,,Citrus fruits prevent scurvy.
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended: its exit code and what it wrote."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]
"""Runs a command with these arguments, and says how it ended."""


def clean_environment(**changes: str) -> dict[str, str]:
    """The environment without what changes how kgqa behaves."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KGQA_")}
    for name in ("NO_COLOR", "COLUMNS", "LC_ALL", "PYTHONUTF8", "PYTHONIOENCODING"):
        kept.pop(name, None)
    return {**kept, "LANG": "C.UTF-8", **changes}


def kgqa(*arguments: str | bytes | Path, stdin: str | bytes | None = None, **environment: str) -> Ended:
    """Run a command in a process of its own, as a shell would."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    ended = subprocess.run(
        [KGQA, *arguments],
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        env=clean_environment(**environment),
        timeout=60,
        check=False,
    )
    return Ended(
        ended.returncode, ended.stdout.decode("utf-8", "surrogateescape"), ended.stderr.decode("utf-8", "surrogateescape")
    )


@contextmanager
def serving_graph(
    *options: str | Path, command: str = "serve", **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Give the process of a `kgqa serve` or `kgqa mcp` and its address; the process is ended with the block."""
    workers = ("--workers", "1") if command == "serve" else ()
    with serving(command, *workers, "--timeout", "120", *options, **environment) as served:
        yield served


@contextmanager
def serving(*command_words: str | Path, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Give the process of a command that serves pages and its address; the process is ended with the block."""
    arguments = [KGQA, *map(str, command_words), "--port", "0"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(arguments, env=clean_environment(**environment), **streams) as process:  # type: ignore[call-overload]
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()
