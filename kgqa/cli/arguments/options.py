"""The arguments and options that several commands share.

Wrong use of a command: what is wrong and what to try, in our own form.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from kgqa.cli.output.terminal import shell_quote
from kgqa.errors import ConceptUnknown, SettingInvalid
from kgqa.settings import variable_name


class WrongUse(click.UsageError):
    """Arguments that a command cannot take; `remedy` is a command to try."""

    def __init__(self, fact: str, remedy: str, context: click.Context | None = None) -> None:
        super().__init__(fact, context)
        self.remedy = remedy


def usage_fact(error: click.UsageError) -> str:
    """Return what a usage error says as a fact: on one line, lower case at its start, no full stop."""
    if isinstance(error, WrongUse):
        return error.message
    text = " ".join(error.format_message().split())
    return text[:1].lower() + text[1:].rstrip(".")


Function = TypeVar("Function", bound=Callable[..., Any])
ArgumentReader = Callable[[click.Context, click.Parameter, str], str]
Completion = Callable[[click.Context, click.Parameter, str], list[str]]
"""Returns the values of a parameter that begin with what is typed."""
MOST_COMPLETED = 50
COMPLETION_VARIABLE = "_KGQA_COMPLETE"
"""Set by the script of a shell when a word is to be completed: "bash_complete"."""


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


def require_value(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the value of an option; raise `WrongUse` for an empty one, which is most often a shell variable without a value."""
    if value is not None and not value.strip():
        raise WrongUse(f"--{parameter.name} is empty", f"{context.command_path} --help", context)
    return value


def require_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return an argument; raise `WrongUse` for an empty one."""
    if not value.strip():
        raise WrongUse(f"{parameter.metavar} is empty", f"{context.command_path} --help", context)
    return value


def complete_names(names: Callable[[], Iterable[str]]) -> Completion:
    """Return the completion of a parameter that takes one of some names; `names` is called when a name is completed."""
    return lambda context, parameter, typed: [name for name in names() if name.startswith(typed)]


def complete_concept(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """Return names of concepts that begin with what is typed; none from a server, for which a shell would wait."""
    from contextlib import closing

    from graph.stores.sqlite.embedded_store import EmbeddedStore
    from kgqa.settings import graph_url

    url = graph_url(context.params.get("graph"))
    if "://" in url or url == "memory:":
        return []
    with closing(EmbeddedStore.to_read(url)) as store:
        return [*(store.beginning_with(typed, MOST_COMPLETED) or store.beginning_with(typed.lower(), MOST_COMPLETED))]


def reader_names() -> Iterable[str]:
    """Return the names of the readers."""
    from kgqa.readers.registry import READERS

    return READERS


graph_option = click.option(
    "-g",
    "--graph",
    metavar="URL",
    callback=require_value,
    help=f"The graph to ask: a file, memory: or bolt://HOST. Default: {variable_name('graph')}, else the starter graph.",
)
target_graph_option = click.option(
    "-g",
    "--graph",
    metavar="FILE.kgqa",
    required=True,
    callback=require_value,
    envvar=variable_name("graph"),
    show_envvar=True,
    help="The graph to write to; made if missing.",
)
output_argument = click.argument("out", metavar="OUT", callback=require_argument)
rules_option = click.option(
    "--rules",
    "rules",
    metavar="FILE",
    callback=require_value,
    help="A TOML file of rules of your own, used beside those that ship.",
)
json_option = click.option("--json", is_flag=True, help="Print one JSON object a line.")
do_option = click.option(
    "--do",
    multiple=True,
    metavar="SETTING",
    help="Answer in a world where X=absent, X=present, X->Y=absent, X->Y=present or X->Y=0.8 (a belief); may be repeated.",
)


@contextmanager
def complete_setting_remedy(*command: str) -> Iterator[None]:
    """Make the option that an error about a setting advises one of a command, which is what was run but for its settings."""
    try:
        yield
    except (ConceptUnknown, SettingInvalid) as error:
        if error.remedy.startswith("--do "):
            error.remedy = " ".join(filter(None, (*command, error.remedy)))
        raise


def limit_option(default: int, what: str = "answers", most: int = 1000) -> Callable[[Function], Function]:
    """Return the option that bounds how many of something are shown."""
    return click.option(
        "--limit",
        type=WholeNumber(1, most),
        metavar="N",
        default=default,
        show_default=True,
        help=f"How many {what} to show at most.",
    )


def concept_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return an argument as the name of a concept; raise `WrongUse` for an empty one."""
    if not value.strip():
        raise WrongUse(f"{parameter.metavar} is empty", f"{context.command_path} --help", context)
    return decode_argument(context, parameter, value)


def decode_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return an argument as UTF-8, whatever the locale says; bytes that are none are replaced."""
    return os.fsencode(value).decode("utf-8", "replace")


def phrase_argument(
    name: str, metavar: str, required: bool = True, of: ArgumentReader = decode_argument
) -> Callable[[Function], Function]:
    """Return an argument of one or more words that `of` reads; raises `WrongUse` where its quotes were forgotten."""

    def single(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
        if len(values) > 1:
            command = f"{context.command_path} {shell_quote(' '.join(values))}"
            raise WrongUse(f"{len(values)} arguments where one {metavar.strip('[]')} is needed", command, context)
        return of(context, parameter, values[0]) if values else None

    complete = complete_concept if of is concept_argument else None
    return click.argument(name, nargs=-1, required=required, metavar=metavar, callback=single, shell_complete=complete)
