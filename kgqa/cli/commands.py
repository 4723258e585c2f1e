"""The commands by name, and where each of them is; a command is imported when it runs or prints its own help."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kgqa import __version__
from kgqa.cli.arguments.options import WrongUse

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class CommandEntry(NamedTuple):
    """Where a command is, as "module:function" of `kgqa.cli`, and what it does in a line: the first line of its help."""

    place: str
    line: str


COMMANDS = {
    "ask": CommandEntry("ask:ask", "Answer a causal question, with its sources."),
    "replay": CommandEntry("replay:replay", "Answer the question of a receipt again, and say what has changed."),
    "type": CommandEntry("type:type_question", "Say how a question is understood."),
    "causes": CommandEntry("explore:causes", "List what causes X, most believed first."),
    "effects": CommandEntry("explore:effects", "List what X causes, most believed first."),
    "path": CommandEntry("path:path", "Show how X leads to Y, step by step."),
    "show": CommandEntry("explore:show", "Show a concept: its names, causes and effects."),
    "extract": CommandEntry("extract:extract", "Print the claims of sentences; nothing is stored."),
    "mine": CommandEntry("mine:mine", "Mine the claims of texts into a graph."),
    "rules": CommandEntry("rules:rules", "List, test and propose the rules that find claims."),
    "load": CommandEntry("load:load", "Load claims that others have gathered into a graph."),
    "copy": CommandEntry("load:copy", "Copy a graph from one store to another."),
    "export": CommandEntry("export:export", "Write a graph into a file of another format."),
    "sparql": CommandEntry("sparql:sparql", "Run a SPARQL query over a graph."),
    "quotes": CommandEntry("quotes:quotes", "Add the sentences behind a graph that keeps only their places."),
    "rate": CommandEntry("people.rate:rate", "Have people rate answers, paths and claims, without knowing whose they are."),
    "curate": CommandEntry("people.curate:curate", "Mark a claim of a graph as right or wrong, with a reason."),
    "serve": CommandEntry("serve:serve", "Serve a graph as pages and as an HTTP API."),
    "mcp": CommandEntry("serve:mcp", "Serve a graph as tools of the Model Context Protocol."),
    "fetch": CommandEntry("fetch:fetch", "Download a published graph or dump."),
    "index": CommandEntry("index:index", "Index texts as passages, for 'ask --corpus'."),
    "embed": CommandEntry("index:embed", "Make the vectors of a graph's claims, by which 'ask' finds those near to a question."),
    "evaluate": CommandEntry("evaluate:evaluate", "Score kgqa on a data set, beside plain baselines."),
    "stats": CommandEntry("check:stats", "Print counts and digest of a graph."),
    "check": CommandEntry("check:check", "Verify that a graph is sound."),
}


def print_group_help(context: click.Context) -> None:
    """Print the help of a group on stderr and end with exit code 2, where no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


class LazyGroup(click.Group):
    """A group of the commands of a table; a command is imported when it runs, and none to list them. `noun` is what they are."""

    def __init__(self, *arguments: Any, table: Mapping[str, CommandEntry], noun: str = "command", **attributes: Any) -> None:
        defaults: dict[str, Any] = {"callback": click.pass_context(print_group_help), "invoke_without_command": True}
        super().__init__(*arguments, **defaults | attributes)
        self.table, self.noun = table, noun

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now, or `None` for a name that is not in the table."""
        if cmd_name not in self.table:
            return None
        module, _, function = self.table[cmd_name].place.partition(":")
        command: click.Command = getattr(import_module(f"kgqa.cli.{module}"), function)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments begin with; raise `WrongUse` with the nearest name where there is none."""
        name = args[0]
        if name not in self.table and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, self.table, 1)
            there = "" if self.noun == "command" else f"; there are: {', '.join(self.table)}"
            raise WrongUse(f"no {self.noun} '{name}'{there}", f"{ctx.command_path} {near[0] if near else '--help'}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the commands, or the options, that begin with what is typed; no command is imported for that."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=entry.line) for name, entry in self.table.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of the commands."""
        with formatter.section(f"{self.noun.capitalize()}s"):
            formatter.write_dl([(name, entry.line) for name, entry in self.table.items()])


def _set_up_shell(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    if shell is None or context.resilient_parsing:
        return
    from kgqa.cli.arguments.completion import set_up_shell

    set_up_shell(shell, context, prints=parameter.name == "show_completion")
    context.exit(0)


_COMPLETION: dict[str, Any] = {
    "is_flag": False,
    "flag_value": "",
    "metavar": "[SHELL]",
    "is_eager": True,
    "expose_value": False,
    "callback": _set_up_shell,
}


@click.command(
    cls=LazyGroup,
    table=COMMANDS,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog='Begin with: kgqa ask "What causes tsunamis?"; kgqa COMMAND --help tells the rest.',
)
@click.version_option(__version__, message="kgqa %(version)s", help="Print the version and end.")
@click.option(
    "--install-completion",
    help="Complete commands, options and names by Tab in bash, zsh or fish. Default: the shell that $SHELL names.",
    **_COMPLETION,
)
@click.option("--show-completion", help="Print the script that does so.", **_COMPLETION)
@click.pass_context
def program(context: click.Context) -> None:
    """Answer causal questions over a graph of cause-effect claims, with the evidence for and against."""
    print_group_help(context)
