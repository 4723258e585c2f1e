"""Completion of the command line by the shells: their scripts, how they are installed, and the answer to a Tab.

A script runs `kgqa` with the typed line in variables of the environment; click finds the parameter to complete, which each
command declares with its `shell_complete`. Where nothing is known to complete, the shell completes names of files.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete, split_arg_string

from graph.errors import GraphError
from kgqa.cli.arguments.options import COMPLETION_VARIABLE, WrongUse
from kgqa.cli.output.terminal import note, say_verbatim
from kgqa.errors import KgqaError

_UNSAFE = re.compile(r"[^\w@%+:,./=~-]")
_BASH_SCRIPT = """\
%(complete_func)s() {
    mapfile -t COMPREPLY < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -o default -F %(complete_func)s %(prog_name)s
"""
_ZSH_PREAMBLE = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"


class BashLine(BashComplete):
    """Completion for bash, from the line up to the cursor.

    The words that bash hands over, which click's own class reads, are cut at colons and equals signs ("chat:cot"), and what
    is put in would not be quoted ("lung cancer").
    """

    source_template = _BASH_SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the whole words behind the program, and the word at the cursor, which may be empty."""
        *words, last = split_arg_string(os.environ.get("COMP_LINE", "") + "|")  # so that there is a word at the cursor
        return words[1:], last[:-1]

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return what bash puts in place of the word, or of its part behind the last colon; empty for names of files."""
        if item.type != "plain":
            return ""
        try:
            shlex.split(os.environ.get("COMP_LINE", ""))
        except ValueError:  # a quote is open: bash keeps it, and closes it
            return item.value
        _, word = self.get_completion_args()
        if word.startswith("-"):
            word = word.partition("=")[2]
        behind = item.value.removeprefix(word[: word.rfind(":") + 1])
        return _UNSAFE.sub(r"\\\g<0>", behind)


_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashLine, "zsh": ZshComplete, "fish": FishComplete}


def answer_shell(program: click.Command, instruction: str) -> int:
    """Answer "SHELL_complete" with what the word at the cursor may become; return the exit code, 2 for another instruction.

    An error ends in no completions: its message would be put into the line that is being typed.
    """
    shell, _, action = instruction.partition("_")
    if shell not in _SHELLS or action != "complete":
        return 2
    completer = _SHELLS[shell](program, {}, "kgqa", COMPLETION_VARIABLE)
    words, typed = completer.get_completion_args()
    try:
        items = completer.get_completions(words, typed)
    except (click.ClickException, GraphError, KgqaError, OSError):
        items = []
    for item in items or [CompletionItem(typed, type="file")]:
        if line := completer.format_completion(item):
            print(line)
    return 0


def set_up_shell(shell: str, context: click.Context, *, prints: bool) -> None:
    """Install the completion script of a shell, by default the user's, or print it; raise `WrongUse` where there is none."""
    shell = shell or Path(os.environ.get("SHELL", "")).name
    if not shell:
        raise WrongUse("$SHELL does not name a shell", f"{context.command_path} --install-completion bash", context)
    if shell not in _SHELLS:
        example = f"{context.command_path} --show-completion bash"
        raise WrongUse(f"no completion for the shell '{shell}'; there is for: {', '.join(_SHELLS)}", example, context)
    completer = _SHELLS[shell](context.command, {}, "kgqa", COMPLETION_VARIABLE)
    script = (_ZSH_PREAMBLE if shell == "zsh" else "") + completer.source_template % completer.source_vars()
    if prints:
        click.echo(script, nl=False)
    else:
        _install_script(shell, script)


def _install_script(shell: str, script: str) -> None:
    """Write a script to where its shell reads it when it begins; bash and zsh get a line in their start file."""
    home = Path.home()
    if shell == "fish":
        file = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "fish" / "completions" / "kgqa.fish"
    else:
        file = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "kgqa" / f"completion.{shell}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(script, encoding="utf-8")
    say_verbatim(f"completion for {shell}: {file}")
    if shell != "fish":
        start = home / ".bashrc" if shell == "bash" else Path(os.environ.get("ZDOTDIR") or home) / ".zshrc"
        line = os.fsencode(f"source {shlex.quote(str(file))}\n")
        if not start.exists() or line not in start.read_bytes():
            with start.open("ab") as lines:
                lines.write(b"\n" + line)
        say_verbatim(f"read by: {start}")
    note("it works in the next shell that you open")
