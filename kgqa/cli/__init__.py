"""The `kgqa` command: each command a thin function over the packages, in a module that is imported when it runs."""

from __future__ import annotations

import gc
import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import TextIO

import click

from graph.errors import GraphError, InputTooLong, system_error_text
from kgqa.cli.arguments.options import COMPLETION_VARIABLE, WrongUse
from kgqa.cli.commands import program
from kgqa.cli.output.terminal import note, remedy
from kgqa.errors import KgqaError, QuestionInvalid, SettingInvalid
from kgqa.settings import is_debugging, variable_name

DONE = 0
FAILED = 1
MISUSED = 2
INTERRUPTED = 130
_NO_MEMORY = re.compile("bad_alloc|failed to map segment|cannot allocate memory", re.IGNORECASE)
"""What libraries say, in errors of classes of their own, where there is no memory left."""
_MEMORY_FACT = "too little memory"
_MEMORY_REMEDY = "a smaller input, --workers 1 where there is that option, or a higher limit (ulimit -v)"


def main() -> None:
    """Run the command line and end the process with its exit code."""
    sys.excepthook = _report_unexpected
    gc.set_threshold(100_000, 20, 20)  # at the start nearly everything that is made stays: looking for garbage costs 4 % of `ask`
    _repair_streams()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads only wait for each other when sentences are parsed
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    code = run()
    gc.freeze()  # spares a last garbage collection, which takes a tenth of a second after spaCy was loaded
    sys.exit(code)


def _end(number: int, _: FrameType | None) -> None:
    """End the process by a signal as by Ctrl-C, so that unfinished files are removed; by the same signal again, at once."""
    signal.signal(number, signal.SIG_DFL)
    raise SystemExit(128 + number)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted.

    Every expected error ends here, as a fact and a remedy on stderr.
    """
    code = _run(sys.argv[1:] if arguments is None else list(arguments))
    if (error := _flush(sys.stdout)) is not None:
        code = code or _report_system_error(error)
    _flush(sys.stderr)
    return code


def _flush(stream: TextIO) -> OSError | None:
    """Flush a stream and return its error; what cannot be written is then dropped, so that the exit does not fail again."""
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    return None


def _run(arguments: list[str]) -> int:
    try:
        if instruction := os.environ.get(COMPLETION_VARIABLE):
            from kgqa.cli.arguments.completion import answer_shell

            return answer_shell(program, instruction)
        with program.make_context("kgqa", arguments) as context:
            program.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.UsageError as error:
        if isinstance(error, WrongUse):
            return _report_error(error, error.message, error.remedy, MISUSED)
        text = " ".join(error.format_message().split())
        command = f"{error.ctx.command_path if error.ctx else 'kgqa'} --help"
        return _report_error(error, text[:1].lower() + text[1:].rstrip("."), command, MISUSED)
    except (GraphError, KgqaError) as error:
        is_misuse = isinstance(error, QuestionInvalid | SettingInvalid | InputTooLong)
        return _report_error(error, str(error), error.remedy, MISUSED if is_misuse else FAILED)
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except OSError as error:
        return _report_system_error(error)
    return DONE


def _report_error(error: Exception, fact: str, command: str, code: int) -> int:
    """Print an error and what to try, with its traceback where that is wanted, and return the exit code."""
    if is_debugging():
        sys.__excepthook__(type(error), error, error.__traceback__)
    if _lacks_memory(error):
        fact, command, code = _MEMORY_FACT, _MEMORY_REMEDY, FAILED
    note(fact)
    remedy(command)
    return code


def _lacks_memory(error: BaseException | None) -> bool:
    """Return whether an error comes from a lack of memory, as it says or as the errors say that led to it."""
    while error is not None:
        is_ours = isinstance(error, GraphError | KgqaError)
        if isinstance(error, MemoryError) or (not is_ours and _NO_MEMORY.search(str(error))):
            return True
        error = error.__cause__ or error.__context__
    return False


def _report_system_error(error: OSError) -> int:
    """Print an error of the system, unless the reader of stdout has gone, and return the exit code."""
    if isinstance(error, BrokenPipeError):
        return FAILED
    place = f": '{error.filename}'" if error.filename else ""
    return _report_error(error, f"{system_error_text(error)}{place}", "", FAILED)


def _repair_streams() -> None:
    """Give closed output streams somewhere to write to, and let no character that stdout cannot show stop an answer."""
    if sys.stdout is None or sys.stderr is None:
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _report_unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an unexpected error, a bug, in a line; the process then ends with exit code 1."""
    if is_debugging():
        sys.__excepthook__(kind, error, trace)
        return
    if _lacks_memory(error):
        note(_MEMORY_FACT)
        remedy(_MEMORY_REMEDY)
        return
    note(f"internal error, a bug: {kind.__name__}: {error}")
    remedy(f"{variable_name('debug')}=1 kgqa ... (the same again, to see where)")
