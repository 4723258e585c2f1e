"""What a run came to: `metrics.json` for programs, `report.md` for people, and the risk-coverage picture."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kgqa.evaluation.curve import curve_svg
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import READING, Item
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.run import CURVE, METRICS, REPORT, Run, Settings, as_text
from kgqa.evaluation.scoring import scored
from kgqa.evaluation.scoring.confidence import answered_pairs, confidence_tables, curve
from kgqa.evaluation.scoring.errors import errors
from kgqa.evaluation.scoring.forced import forced
from kgqa.evaluation.scoring.groups import by_group
from kgqa.evaluation.scoring.leakage import by_leakage
from kgqa.evaluation.scoring.retrieval import retrieval
from kgqa.evaluation.tables import Table

COST = "Cost and latency"
_PAID = "Nothing is paid for: the cost is this time, and with a reader that asks a server what that asks for."
_ABOUT = (
    "Intervals are 95 % percentile intervals of a bootstrap over items (1,000 rounds unless said). Where all items of a row have "
    "the same score, the interval has no width however few they are: look at the number of items. Everything but the section "
    f'"{COST}" is the same in every run with the same settings.'
)


@dataclass(frozen=True, slots=True)
class Data:
    """Where the items came from: the names of the files, how many items they hold, and what was skipped, by reason.

    `graph` was asked, and of the passages of a corpus so many were `read`.
    """

    files: tuple[str, ...]
    held: int
    skipped: Mapping[str, int]
    graph: str
    read: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds of this run: of kgqa's answer to each item asked, and of everything, loading included.

    Items that were not timed one by one have their mean each (`timed`), of which no median can be told.
    """

    answers: Sequence[float]
    whole: float
    timed: bool = True
    asked: Mapping[str, float | int | bool | None] | None = None
    """What a server was asked, where a reader asks one."""

    def record(self) -> dict[str, float | int | None]:
        """Return median, 95th percentile and the like, all but the first two in seconds; `None` for what is not known."""
        ordered = sorted(self.answers)
        spread = bool(ordered) and self.timed
        busy = sum(ordered)
        return {
            "asked_in_this_run": len(ordered),
            "questions_per_second": round(len(ordered) / busy, 2) if busy else None,
            "median": round(statistics.median(ordered), 6) if spread else None,
            "p95": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 6) if spread else None,
            "answering": round(busy, 3),
            "whole_run": round(self.whole, 3),
        }


def report(
    run: Run,
    dataset: Dataset,
    items: Sequence[Item],
    predictions: Sequence[Prediction],
    train: Sequence[Item],
    data: Data,
    clock: Clock,
) -> list[Table]:
    """Score the predictions, write the files of the run, and return the tables."""
    outcome = scored(dataset, items, predictions)
    tables = [*outcome.tables, *retrieval(predictions, outcome)]
    if dataset.task == READING:
        tables += [*forced(dataset.name, items, predictions), *errors(items, predictions, data.read)]
    if train:
        tables.append(by_leakage(items, train, outcome))
    tables += by_group(items, predictions, outcome)
    pairs = answered_pairs(predictions, outcome.right) if outcome.right else []
    picture = ""
    if pairs:
        points = curve(pairs, len(items))
        tables += confidence_tables(pairs, points)
        picture = f"\n![Risk and coverage]({CURVE})\n"
        run.write(CURVE, curve_svg(points, f"{dataset.name}: risk and coverage"))
    else:
        run.remove(CURVE)
    counts = {
        "items": len(items),
        "in_the_files": data.held,
        "skipped": dict(data.skipped),
        "answered": sum(one.answered for one in predictions),
    }
    write_report(run, tables, data, counts, clock, picture)
    return tables


def write_report(
    run: Run, tables: Sequence[Table], data: Data, counts: Mapping[str, Any], clock: Clock, picture: str = ""
) -> None:
    """Write `metrics.json` and `report.md`; what the clock says is apart, and last."""
    seconds = clock.record()
    record = {
        "settings": asdict(run.settings),
        "data": list(data.files),
        "graph": data.graph,
        "counts": counts,
        "scores": {table.title: table.record() for table in tables},
        "seconds": {**seconds, "server": clock.asked},
    }
    run.write(METRICS, as_text(record))
    run.write(
        REPORT,
        "\n".join([_head(run.settings, data, counts), *(one.markdown() for one in tables)])
        + picture
        + _cost(seconds, clock.asked),
    )


def _head(settings: Settings, data: Data, counts: Mapping[str, Any]) -> str:
    limited = f", {settings.limit:,} drawn with seed {settings.seed}" if settings.limit else ""
    way = f" ({settings.way})" if settings.way else ""
    lines = [
        f"# kgqa evaluate {settings.name}",
        "",
        f"- data: {', '.join(data.files)}: {data.held:,} items{limited} (digest {settings.data})",
        f"- skipped: {_listed(data.skipped)}",
        f"- graph: {data.graph} (digest {settings.graph})",
        f"- reader: {settings.reader}{way}; kgqa {settings.version} (digest {settings.program})",
        f"- items: {counts['items']:,}; answered: {counts['answered']:,}",
        "",
        _ABOUT,
        "",
    ]
    return "\n".join(lines)


def _listed(skipped: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} ({reason})" for reason, number in skipped.items()) or "nothing"


def _cost(seconds: Mapping[str, float | int | None], asked: Mapping[str, float | int | bool | None] | None) -> str:
    named: Iterable[tuple[str, str]] = (
        ("items asked in this run", "asked_in_this_run"),
        ("items per second of answering", "questions_per_second"),
        ("median seconds of an answer", "median"),
        ("95th percentile, seconds", "p95"),
        ("seconds of answering", "answering"),
        ("seconds of the whole run, with loading, baselines and scoring", "whole_run"),
    )
    rows = "\n".join(f"| {title} | {'–' if seconds[key] is None else seconds[key]} |" for title, key in named)
    rows += "".join(
        f"\n| server: {name.replace('_', ' ')} | {'–' if value is None else value} |" for name, value in (asked or {}).items()
    )
    return f"\n## {COST}\n\n| | |\n|---|---|\n{rows}\n\n{_PAID}\n"
