"""The declarations of commands, arguments and options, those that several commands share, and the error of wrong use."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import click

from kgqa.cli.output.terminal import shell_quote
from kgqa.errors import ConceptUnknown, SettingInvalid
from kgqa.settings import MOST_FINDINGS, graph_url, variable_name

if TYPE_CHECKING:
    from graph.mining.judge.claim_judge import ClaimJudge
    from graph.protocols import GraphStore

ArgumentReader = Callable[[click.Context, click.Parameter, str], str]
Completion = Callable[[click.Context, click.Parameter, str], list[str]]
"""Returns the values of a parameter that begin with what is typed."""
MOST_COMPLETED = 50
COMPLETION_VARIABLE = "_KGQA_COMPLETE"
"""Set by the script of a shell when a word is to be completed: "bash_complete"."""


class WrongUse(click.UsageError):
    """Arguments that a command cannot take; `remedy` is a command to try."""

    def __init__(self, fact: str, remedy: str, context: click.Context | None = None) -> None:
        super().__init__(fact, context)
        self.remedy = remedy


class WholeNumber(click.IntRange):
    """A whole number within bounds."""

    name = "whole number"


class UnitInterval(click.FloatRange):
    """A share, from 0 to 1."""

    name = "number from 0 to 1"

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fails for what is none, NaN included."""
        share: float = super().convert(value, param, ctx)
        if share != share:
            self.fail("NaN is not in the range 0<=x<=1.", param, ctx)
        return share


def command(example: str, name: str | None = None) -> Callable[[Callable[..., None]], click.Command]:
    """Return what makes a command of a function, whose parameters have their declarations as defaults.

    A declaration is what `click.option` or `click.argument` returns; a parameter without one is the context.
    """

    def declare(function: Callable[..., None]) -> click.Command:
        for parameter in reversed([*inspect.signature(function).parameters.values()]):
            declaration = click.pass_context if parameter.default is parameter.empty else parameter.default
            function = declaration(function)
        return click.command(name, epilog=f"Example: {example}")(function)

    return declare


def option(names: str, metavar: str | None, text: str, **attributes: Any) -> Any:
    """Return the declaration of an option with a value, which must not be empty; `names` are separated by blanks."""
    declaration = {"callback": require_value, "show_default": "default" in attributes, **attributes}
    return click.option(*names.split(), metavar=metavar, help=text, **declaration)


def choice_option(names: str, values: Sequence[str], text: str, **attributes: Any) -> Any:
    """Return the declaration of an option for one of some values, by default the first."""
    return option(names, None, text, **{"type": click.Choice(values), "default": values[0], **attributes})


def number_option(names: str, low: int, high: int | None, text: str, *, metavar: str = "N", default: int | None = None) -> Any:
    """Return the declaration of an option for a whole number within bounds."""
    return click.option(
        *names.split(), type=WholeNumber(low, high), metavar=metavar, default=default, show_default=True, help=text
    )


def flag(names: str, text: str) -> Any:
    """Return the declaration of an option without a value."""
    return click.option(*names.split(), is_flag=True, help=text)


def argument(name: str, metavar: str, **attributes: Any) -> Any:
    """Return the declaration of an argument."""
    return click.argument(name, metavar=metavar, **attributes)


def require_value(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the value of an option; raise `WrongUse` for an empty one, which is most often a shell variable without a value."""
    texts = value if isinstance(value, tuple) else (value,)
    if any(isinstance(text, str) and not text.strip() for text in texts):
        raise WrongUse(f"--{parameter.name} is empty", f"{context.command_path} --help", context)
    return value


def require_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return an argument; raise `WrongUse` for an empty one."""
    if not value.strip():
        raise WrongUse(f"{parameter.metavar} is empty", f"{context.command_path} --help", context)
    return value


def concept_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return an argument as the name of a concept; raise `WrongUse` for an empty one."""
    return decode_argument(context, parameter, require_argument(context, parameter, value))


def decode_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return an argument as UTF-8, whatever the locale says; bytes that are none are replaced."""
    return os.fsencode(value).decode("utf-8", "replace")


def complete_names(names: Callable[[], Iterable[str]]) -> Completion:
    """Return the completion of a parameter that takes one of some names; `names` is called when a name is completed."""
    return lambda context, parameter, typed: [name for name in names() if name.startswith(typed)]


def complete_concept(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """Return names of concepts that begin with what is typed; none from a server, for which a shell would wait."""
    from graph.stores.sqlite.embedded_store import EmbeddedStore

    url = graph_url(context.params.get("graph"))
    if "://" in url or url == "memory:":
        return []
    with closing(EmbeddedStore.to_read(url)) as store:
        return [*(store.beginning_with(typed, MOST_COMPLETED) or store.beginning_with(typed.lower(), MOST_COMPLETED))]


CONCEPT: dict[str, Any] = {"callback": concept_argument, "shell_complete": complete_concept}
"""The attributes of a parameter that names a concept."""


def reader_names() -> Iterable[str]:
    """Return the names of the readers."""
    from kgqa.readers.reader import READERS

    return READERS


def phrase_argument(name: str, metavar: str, required: bool = True, of: ArgumentReader = decode_argument) -> Any:
    """Return an argument of one or more words that `of` reads; raises `WrongUse` where its quotes were forgotten."""

    def single(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
        if len(values) > 1:
            command = f"{context.command_path} {shell_quote(' '.join(values))}"
            raise WrongUse(f"{len(values)} arguments where one {metavar.strip('[]')} is needed", command, context)
        return of(context, parameter, values[0]) if values else None

    complete = complete_concept if of is concept_argument else None
    return argument(name, metavar, nargs=-1, required=required, callback=single, shell_complete=complete)


def limit_option(default: int, what: str = "answers", most: int = MOST_FINDINGS) -> Any:
    """Return the option that bounds how many of something are shown."""
    return number_option("--limit", 1, most, f"How many {what} to show at most.", default=default)


graph_option = option(
    "-g --graph",
    "URL",
    f"The graph to ask: a file, memory: or bolt://HOST. Default: {variable_name('graph')}, else the starter graph.",
)
inputs_argument = argument("inputs", "INPUT...", nargs=-1, required=True)
output_argument = argument("out", "OUT", callback=require_argument)
rules_option = option("--rules", "FILE", "A TOML file of rules of your own, used beside those that ship.")
judge_option = option(
    "--judge",
    "NAME",
    "What judges the claims that rules propose: encoder (the default), a folder with another one, chat or chat:MODEL (the server "
    f"of {variable_name('chat_url')}), or none, which takes them all.",
    default="encoder",
)
json_option = flag("--json", "Print one JSON object a line.")
escape_formulas_option: Any = click.option(
    "--escape-formulas/--no-escape-formulas",
    default=True,
    show_default=True,
    help="In CSV, put an apostrophe before each cell that a spreadsheet would compute (=, +, -, @ first).",
)
do_option = option(
    "--do",
    "SETTING",
    "Answer in a world where X=absent, X=present, X->Y=absent, X->Y=present or X->Y=0.8 (a belief); may be repeated.",
    multiple=True,
    callback=None,
)


def is_chat_judge(name: str) -> bool:
    """Return whether `judge_option` names a chat server."""
    return name.partition(":")[0] == "chat"


def open_claim_judge(name: str) -> ClaimJudge | None:
    """Return the judge that `judge_option` names; raises `JudgeInvalid` and `ChatSettingInvalid`."""
    if is_chat_judge(name):
        from kgqa.readers.chat.chat_judge import make_chat_judge

        return make_chat_judge(name.partition(":")[2])
    from graph.mining.judge.claim_judge import open_judge

    return open_judge(name)


def open_graph(graph: str | None) -> closing[GraphStore]:
    """Open the graph of `graph_option`, to be read in a `with`; raises what `open_store` raises."""
    from graph.stores import open_store

    return closing(open_store(graph_url(graph)))


def target_graph_option(need: str = "", required: bool = True) -> Any:
    """Return the option of the graph that a command writes to; `need` says where it is needed, if not everywhere."""
    text = f"The graph to write to; made if missing.{need}"
    return option("-g --graph", "FILE.kgqa", text, required=required, envvar=variable_name("graph"), show_envvar=True)


@contextmanager
def complete_setting_remedy(*command: str) -> Iterator[None]:
    """Make the option that an error about a setting advises one of a command, which is what was run but for its settings."""
    try:
        yield
    except (ConceptUnknown, SettingInvalid) as error:
        if error.remedy.startswith("--do "):
            error.remedy = " ".join(filter(None, (*command, error.remedy)))
        raise
