"""The `kgqa` command: one module a command, each a thin function over the packages."""

from __future__ import annotations

import os
import sys

import click
import typer

from graph.errors import GraphError
from kgqa import __version__
from kgqa.cli import ask, check, explore, extract, load, mine, path, stats
from kgqa.cli import type as type_command
from kgqa.cli.terminal import note
from kgqa.errors import KgqaError
from kgqa.settings import debugging

FAILED = 1
MISUSED = 2
INTERRUPTED = 130

app = typer.Typer(
    name="kgqa",
    help="Answers causal questions over a graph of cause-effect claims, with the evidence for and against.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("ask")(ask.ask)
app.command("type")(type_command.type_question)
app.command("causes")(explore.causes)
app.command("effects")(explore.effects)
app.command("path")(path.path)
app.command("show")(explore.show)
app.command("extract")(extract.extract)
app.command("mine")(mine.mine)
app.command("load")(load.load)
app.command("stats")(stats.stats)
app.command("check")(check.check)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Print the version and end.")) -> None:
    """Print the version where it is asked for."""
    if show:
        print(f"kgqa {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; every error ends here as one line and an exit code (1 failed, 2 wrong use, 130 interrupted)."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        return int(app(args=arguments, prog_name="kgqa", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        return MISUSED
    except click.UsageError as error:
        note(_lower(error.format_message()))
        command = error.ctx.command_path if error.ctx else "kgqa"
        _remedy(f"{command} --help")
        return MISUSED
    except (GraphError, KgqaError) as error:
        if debugging():
            raise
        note(str(error))
        _remedy(error.remedy)
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        note("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        return FAILED
    except OSError as error:
        if debugging():
            raise
        note(f"{(error.strerror or str(error)).lower()}{f': {error.filename!r}' if error.filename else ''}")
        return FAILED


def _lower(text: str) -> str:
    """Return a message of the command parser in the form of ours: lower case at its start, no full stop."""
    return text[:1].lower() + text[1:].rstrip(".")


def _remedy(command: str) -> None:
    """Print what to try, where there is something."""
    if command:
        print(f"      try: {command}", file=sys.stderr)
