"""`kgqa rate`: blind sheets for raters, their page, and what their ratings come to."""

from __future__ import annotations

import getpass
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.errors import PackageMissing
from kgqa.cli.arguments import options as cli
from kgqa.cli.commands import CommandEntry, LazyGroup
from kgqa.cli.output.terminal import count_text, note, say, say_json, say_verbatim

if TYPE_CHECKING:
    from kgqa.evaluation.metrics.human_ratings import HumanRating
    from kgqa.evaluation.rating.rating_sheet import RatedSubject, RatingKey
    from kgqa.evaluation.rating.rating_subjects import RatedRun

FORMS = ("answers", "corrections", "paths", "claims")
_NO_NAME = re.compile(r"[^\w-]+")
_LINES = re.compile(r"\.(?:jsonl?|ndjson)(?:\.(?:gz|bz2|zst))?$")

rate = LazyGroup(
    "rate",
    table={
        "sheet": CommandEntry("people.rate:sheet", "Draw a blind sheet for raters, with its key apart."),
        "serve": CommandEntry("people.rate:serve_sheet", "Serve a sheet to one rater, as pages on this machine."),
        "score": CommandEntry("people.rate:score", "Print means by system, with intervals, and how far raters agree."),
    },
    help="""Have people rate answers, paths and claims, without knowing whose they are.

    Each output is rated in four aspects, from 0 to 3; the rubric says what a value means.
    """,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="Example: kgqa rate sheet ours=A.jsonl theirs=B.jsonl -o sheet",
)


@cli.command("kgqa rate sheet ours=run/predictions.jsonl theirs=answers.jsonl -o sheet --number 100 --seed 7")
def sheet(
    context: click.Context,
    runs: Sequence[str] = cli.argument("runs", "RUN...", nargs=-1, required=True),
    out: str = cli.option("-o --out", "FOLDER", "Where the sheet goes: a new folder.", required=True),
    key: str | None = cli.option("--key", "FILE", "Where the key goes. Default: FOLDER.key.json, beside the folder."),
    form: str = cli.choice_option("--form", FORMS, "What is rated."),
    number: int = cli.number_option("--number", 1, 100_000, "How many items are drawn at most.", default=100),
    seed: int = cli.number_option("--seed", 0, None, "What the draw depends on.", metavar="S", default=0),
    show_reference: bool = cli.flag("--show-reference", "Show the reference above the outputs; else it is one of them."),
    json: bool = cli.json_option,
) -> None:
    """Draw a blind sheet for raters, with its key apart.

    RUN is NAME=FILE, the outputs of a system: lines of 'kgqa ask --batch', predictions of 'kgqa evaluate', or {"id", "question",
    "answer"}; the run named "reference" is that. For paths and claims it is a graph, or a sample in JSON lines. Items are those
    that every run has; the order of their outputs is drawn anew for each.
    """
    from kgqa.evaluation.rating.rating_form import rating_forms
    from kgqa.evaluation.rating.rating_sheet import make_sheet, write_sheet
    from kgqa.evaluation.rating.rating_subjects import answer_subjects, named_run

    wanted = list(map(named_run, runs))
    if form in ("answers", "corrections"):
        subjects = answer_subjects(wanted, shows_reference=show_reference)
    else:
        subjects = [subject for run in wanted for subject in _drawn_subjects(run, form, number, seed)]
    folder = Path(out)
    key_path = Path(key) if key else folder.with_name(f"{folder.name}.key.json")
    if key_path.resolve().is_relative_to(folder.resolve()):
        raise cli.WrongUse(
            "the key is kept apart from the sheet", f"{context.command_path} --key {folder.name}.key.json", context
        )
    drawn, whose = make_sheet(rating_forms()[form], subjects, number, seed)
    write_sheet(folder, key_path, drawn, whose)
    outputs = len(whose.systems)
    if json:
        say_json({"sheet": str(folder), "key": str(key_path), "items": len(drawn.items), "outputs": outputs})
        return
    say(f"{folder}: {count_text(len(drawn.items), 'item')}, {count_text(outputs, 'output')} to rate")
    say(f"key, not for raters: {key_path}")
    note(f"to rate: kgqa rate serve {folder} --rater NAME, or fill in {folder / 'sheet.csv'}")


def _drawn_subjects(run: RatedRun, form: str, number: int, seed: int) -> Iterator[RatedSubject]:
    from graph.stores import open_store
    from kgqa.evaluation.rating.rating_subjects import graph_chains, graph_claims, sample_subjects

    if _LINES.search(run.address):
        yield from sample_subjects(run)
        return
    with closing(open_store(run.address)) as store:
        yield from (graph_claims if form == "claims" else graph_chains)(store, run.name, number, seed)


@cli.command("kgqa rate serve sheet --rater ada", "serve")
def serve_sheet(
    folder: str = cli.argument("folder", "SHEET", callback=cli.require_argument),
    rater: str | None = cli.option("--rater", "NAME", "Who rates. Default: the name of the login."),
    port: int = cli.number_option("--port", 0, 65_535, "The port; 0 takes a free one.", default=8001, metavar="P"),
) -> None:
    """Serve a sheet to one rater, as pages on this machine.

    Prints its address, and serves until Ctrl-C or SIGTERM. Each item is stored in SHEET/ratings-NAME.csv when it is sent; served
    again, the sheet goes on where the rater stopped. Nobody but this machine is answered.
    """
    from kgqa.evaluation.rating.rating_sheet import RaterFile, read_sheet

    try:
        from kgqa.web.server import ListeningPlace, listen, run_server
    except ModuleNotFoundError as error:
        raise PackageMissing("kgqa rate serve", error.name or "starlette", "web") from None
    from kgqa.web.access_control import AccessControl
    from kgqa.web.application import create_application
    from kgqa.web.rating_desk import RATING_ENDPOINTS, RatingDesk

    name = rater or getpass.getuser()
    file_name = f"ratings-{_NO_NAME.sub('-', name)}.csv"
    desk = RatingDesk(RaterFile(read_sheet(Path(folder)), name, Path(folder) / file_name))
    listening = listen("127.0.0.1", port)

    def announce() -> None:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
        note("serving until Ctrl-C")

    access = AccessControl()
    application = create_application(desk.respond, access, endpoints=RATING_ENDPOINTS)
    run_server(application, ListeningPlace(listening, access, announce))


@cli.command("kgqa rate score sheet.key.json sheet/ratings-*.csv")
def score(
    key: str = cli.argument("key", "KEY", callback=cli.require_argument),
    files: Sequence[str] = cli.argument("files", "RATINGS...", nargs=-1, required=True),
    curations: str | None = cli.option("--curations", "FILE", "Write rated claims as marks, for 'kgqa curate --import'."),
    json: bool = cli.json_option,
) -> None:
    """Print means by system, with intervals, and how far raters agree.

    KEY is what 'kgqa rate sheet' kept apart; RATINGS are the files of raters, or a filled-in sheet.csv.
    """
    from kgqa.evaluation.metrics.human_ratings import read_ratings
    from kgqa.evaluation.rating.rating_report import human_rating_table
    from kgqa.evaluation.rating.rating_sheet import read_key

    whose = read_key(Path(key))
    ratings = [rating for file in files for rating in read_ratings(Path(file), whose.systems, whose.form.values)]
    table = human_rating_table(ratings, whose.form)
    if curations:
        _write_curations(curations, ratings, whose)
    if json:
        say_json({"form": whose.form.name, "ratings": len(ratings), "scores": table.record()})
    else:
        say_verbatim(table.markdown().rstrip("\n"))


def _write_curations(path: str, ratings: Sequence[HumanRating], key: RatingKey) -> None:
    from graph.atomic_file import write_atomically
    from graph.belief.curation import Curation, Mark
    from kgqa.curations import CuratedClaim, mark_record, time_text
    from kgqa.evaluation.rating.rating_report import judged_claims
    from kgqa.json_text import json_text

    now = time_text(datetime.now(UTC))
    with write_atomically(path) as file:
        for rating, is_right in judged_claims(ratings, key):
            reason = rating.remark or key.form.values[rating.aspect][rating.value]
            curation = Curation(Mark.RIGHT if is_right else Mark.WRONG, f"rated {rating.value} of 3: {reason}", rating.rater, now)
            file.write(json_text(mark_record(CuratedClaim(key.claims[rating.item], curation))) + "\n")
