"""What a run came to: `metrics.json` for programs, `report.md` for people, and the risk-coverage picture."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kgqa.evaluation.curve import curve_svg
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import READING, DatasetItem
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.run import CURVE, METRICS, REPORT, EvaluationRun, RunSettings, json_text
from kgqa.evaluation.scoring import score_predictions
from kgqa.evaluation.scoring.confidence import answered_pairs, confidence_tables, coverage_curve
from kgqa.evaluation.scoring.errors import error_tables
from kgqa.evaluation.scoring.forced import forced_answer_tables
from kgqa.evaluation.scoring.groups import group_tables
from kgqa.evaluation.scoring.leakage import leakage_table
from kgqa.evaluation.scoring.retrieval import retrieval_tables
from kgqa.evaluation.tables import ScoreTable

COST = "Cost and latency"
_COST_NOTE = "Nothing is paid for: the cost is this time, and with a reader that asks a server what that asks for."
_INTERVAL_NOTE = (
    "Intervals are 95 % percentile intervals of a bootstrap over items (1,000 rounds unless said). Where all items of a row have "
    "the same score, the interval has no width however few they are: look at the number of items. Everything but the section "
    f'"{COST}" is the same in every run with the same settings.'
)


@dataclass(frozen=True, slots=True)
class DataSource:
    """Where the items came from: the names of the files, how many items they hold, and what was skipped, by reason.

    `graph` was asked, and of the passages of a corpus so many were `read`.
    """

    files: tuple[str, ...]
    held: int
    skipped: Mapping[str, int]
    graph: str
    read: int | None = None


@dataclass(frozen=True, slots=True)
class RunTimes:
    """The seconds of this run: of kgqa's answer to each item asked, and of everything, loading included.

    Items that were not timed one by one have their mean each (`timed`), of which no median can be told.
    """

    answers: Sequence[float]
    whole: float
    timed: bool = True
    server_cost: Mapping[str, float | int | bool | None] | None = None
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


def report_run(
    run: EvaluationRun,
    dataset: Dataset,
    items: Sequence[DatasetItem],
    predictions: Sequence[Prediction],
    train: Sequence[DatasetItem],
    data: DataSource,
    clock: RunTimes,
) -> list[ScoreTable]:
    """Score the predictions, write the files of the run, and return the tables."""
    outcome = score_predictions(dataset, items, predictions)
    tables = [*outcome.tables, *retrieval_tables(predictions, outcome)]
    if dataset.task == READING:
        tables += [*forced_answer_tables(dataset.name, items, predictions), *error_tables(items, predictions, data.read)]
    if train:
        tables.append(leakage_table(items, train, outcome))
    tables += group_tables(items, predictions, outcome)
    pairs = answered_pairs(predictions, outcome.right) if outcome.right else []
    picture = ""
    if pairs:
        points = coverage_curve(pairs, len(items))
        tables += confidence_tables(pairs, points)
        picture = f"\n![Risk and coverage]({CURVE})\n"
        run.write(CURVE, curve_svg(points, f"{dataset.name}: risk and coverage"))
    else:
        run.remove(CURVE)
    counts = {
        "items": len(items),
        "in_the_files": data.held,
        "skipped": dict(data.skipped),
        "answered": sum(prediction.answered for prediction in predictions),
    }
    write_run_report(run, tables, data, counts, clock, picture)
    return tables


def write_run_report(
    run: EvaluationRun,
    tables: Sequence[ScoreTable],
    data: DataSource,
    counts: Mapping[str, Any],
    clock: RunTimes,
    picture: str = "",
) -> None:
    """Write `metrics.json` and `report.md`; what the clock says is apart, and last."""
    seconds = clock.record()
    record = {
        "settings": asdict(run.settings),
        "data": list(data.files),
        "graph": data.graph,
        "counts": counts,
        "scores": {table.title: table.record() for table in tables},
        "seconds": {**seconds, "server": clock.server_cost},
    }
    run.write(METRICS, json_text(record))
    run.write(
        REPORT,
        "\n".join([_report_heading(run.settings, data, counts), *(score_table.markdown() for score_table in tables)])
        + picture
        + _cost_section(seconds, clock.server_cost),
    )


def _report_heading(settings: RunSettings, data: DataSource, counts: Mapping[str, Any]) -> str:
    limited = f", {settings.limit:,} drawn with seed {settings.seed}" if settings.limit else ""
    way = f" ({settings.way})" if settings.way else ""
    lines = [
        f"# kgqa evaluate {settings.name}",
        "",
        f"- data: {', '.join(data.files)}: {data.held:,} items{limited} (digest {settings.data})",
        f"- skipped: {_skipped_text(data.skipped)}",
        f"- graph: {data.graph} (digest {settings.graph})",
        f"- reader: {settings.reader}{way}; kgqa {settings.version} (digest {settings.program})",
        f"- items: {counts['items']:,}; answered: {counts['answered']:,}",
        "",
        _INTERVAL_NOTE,
        "",
    ]
    return "\n".join(lines)


def _skipped_text(skipped: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} ({reason})" for reason, number in skipped.items()) or "nothing"


def _cost_section(seconds: Mapping[str, float | int | None], server_cost: Mapping[str, float | int | bool | None] | None) -> str:
    row_titles: Iterable[tuple[str, str]] = (
        ("items asked in this run", "asked_in_this_run"),
        ("items per second of answering", "questions_per_second"),
        ("median seconds of an answer", "median"),
        ("95th percentile, seconds", "p95"),
        ("seconds of answering", "answering"),
        ("seconds of the whole run, with loading, baselines and scoring", "whole_run"),
    )
    rows = "\n".join(f"| {title} | {'–' if seconds[key] is None else seconds[key]} |" for title, key in row_titles)
    rows += "".join(
        f"\n| server: {name.replace('_', ' ')} | {'–' if value is None else value} |"
        for name, value in (server_cost or {}).items()
    )
    return f"\n## {COST}\n\n| | |\n|---|---|\n{rows}\n\n{_COST_NOTE}\n"
