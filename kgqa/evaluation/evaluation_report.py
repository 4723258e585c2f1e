"""The files of a finished run: `metrics.json` for programs, `report.md` for people, and the risk-coverage picture."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

from kgqa.evaluation.dataset_item import READING, WRITING, DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.evaluation_run import CURVE, METRICS, REPORT, EvaluationRun, RunSettings, json_text
from kgqa.evaluation.metrics.confidence_scores import RiskPoint
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.run_comparison import SCORES, item_scores_of, score_lines
from kgqa.evaluation.score_table import ScoreTable
from kgqa.evaluation.scoring import LINKS_FOR, score_predictions
from kgqa.evaluation.scoring.confidence_tables import answered_pairs, confidence_tables, coverage_curve
from kgqa.evaluation.scoring.error_analysis import error_tables
from kgqa.evaluation.scoring.reading_scores import forced_answer_tables
from kgqa.evaluation.scoring.score_breakdowns import (
    group_tables,
    leakage_table,
    link_tables,
    retrieval_tables,
    support_table,
)

_WIDTH, _HEIGHT = 560, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 20, 40, 56
_ENDS = (0.04, 0.08, 0.12, 0.2, 0.4, 0.6, 0.8, 1.0)
_STYLE = (
    "text{font:13px 'DejaVu Sans',Verdana,sans-serif;fill:#222}.axis{stroke:#555;fill:none}.grid{stroke:#ddd}"
    ".curve{stroke:#1f5fa8;stroke-width:2.5;fill:none}.all{stroke:#b3541e;stroke-dasharray:6 4;fill:none}.back{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.axis{stroke:#aaa}.grid{stroke:#3a3a3a}.curve{stroke:#7fb2ee}"
    ".all{stroke:#f0a070}.back{fill:#161616}}"
)


def curve_svg(points: Sequence[RiskPoint], title: str) -> str:
    """Return the curve over the share of all questions that is answered; the dashed line is the risk of answering all of them."""
    wide = _axis_end(max((point.coverage for point in points), default=1.0))
    high = _axis_end(max((point.risk for point in points), default=1.0))
    steps = [_curve_position(point, wide, high) for point in points]
    path = "".join(f"{'L' if place else 'M'}{x:.1f},{y:.1f}" for place, (x, y) in enumerate(steps))
    dashes = f'<path class="all" d="M{_LEFT},{steps[-1][1]:.1f}H{_WIDTH - _RIGHT}"/>' if steps else ""
    marks = "".join(_grid_line(part / 4, wide, high) for part in range(5))
    dot = f'<circle class="curve" cx="{steps[0][0]:.1f}" cy="{steps[0][1]:.1f}" r="2.5"/>' if steps else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'role="img"><title>{escape(title, quote=False)}</title><style>{_STYLE}</style>'
        f'<rect class="back" width="{_WIDTH}" height="{_HEIGHT}"/>{marks}{dashes}<path class="curve" d="{path}"/>{dot}'
        f'<path class="axis" d="M{_LEFT},{_TOP}V{_HEIGHT - _BOTTOM}H{_WIDTH - _RIGHT}"/>'
        f'<text x="{_LEFT}" y="24">{escape(title, quote=False)}</text>'
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.0f}" y="{_HEIGHT - 12}" text-anchor="middle">'
        "coverage: share of all questions that is answered</text>"
        f'<text transform="translate(16,{(_TOP + _HEIGHT - _BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        "risk: share of answers that is wrong</text></svg>\n"
    )


def _axis_end(most: float) -> float:
    """Return where an axis ends that has to hold `most`, 0..1: its quarters are round numbers."""
    return next((end for end in _ENDS if end >= most), 1.0)


def _curve_position(point: RiskPoint, wide: float, high: float) -> tuple[float, float]:
    across = _LEFT + point.coverage / wide * (_WIDTH - _LEFT - _RIGHT)
    return across, _HEIGHT - _BOTTOM - point.risk / high * (_HEIGHT - _TOP - _BOTTOM)


def _grid_line(part: float, wide: float, high: float) -> str:
    """Return a line across at a quarter of the height, with the numbers of both axes there."""
    x, y = _curve_position(RiskPoint(0.0, part * wide, part * high), wide, high)
    return (
        f'<path class="grid" d="M{_LEFT},{y:.1f}H{_WIDTH - _RIGHT}"/>'
        f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{part * high:.2f}</text>'
        f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{part * wide:.2f}</text>'
    )


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


@dataclass(frozen=True, slots=True)
class PredictionSystem:
    """Who made predictions that were read from a file, by name, and whether they have confidences (`is_confident`)."""

    name: str
    is_confident: bool


def report_run(
    run: EvaluationRun,
    dataset: Dataset,
    items: Sequence[DatasetItem],
    predictions: Sequence[Prediction],
    train: Sequence[DatasetItem],
    data: DataSource,
    clock: RunTimes,
    system: PredictionSystem | None = None,
    ratings: Path | None = None,
) -> list[ScoreTable]:
    """Score the predictions, write the files of the run, and return the tables.

    `system` is who made them, if not kgqa, and `ratings` the sheet of a run of written presuppositions as raters filled it in.
    """
    outcome = score_predictions(dataset, items, predictions)
    confident = system is None or system.is_confident
    run.write(SCORES, "".join(score_lines(item_scores_of(items, predictions, outcome, confident=confident))))
    tables = [*outcome.tables, *retrieval_tables(predictions, outcome), *support_table(predictions)]
    if dataset.name == LINKS_FOR:
        tables += link_tables(items, predictions, outcome)
    if dataset.task == READING:
        tables += [*forced_answer_tables(dataset.name, items, predictions), *error_tables(items, predictions, data.read)]
    if dataset.task == WRITING:
        from kgqa.evaluation.scoring.writing_scores import SHEET, rating_sheet, rating_table

        run.write(SHEET, rating_sheet(items, predictions))
        tables += [rating_table(ratings, items, predictions)] if ratings else []
    if train:
        tables.append(leakage_table(items, train, outcome))
    tables += group_tables(items, predictions, outcome)
    pairs = answered_pairs(predictions, outcome.right) if outcome.right and confident else []
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
    tables = [table if system is None else table.for_system(system.name) for table in tables]
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
    skipped = ", ".join(f"{number:,} ({reason})" for reason, number in data.skipped.items())
    lines = [
        f"# kgqa evaluate {settings.name}",
        "",
        f"- data: {', '.join(data.files)}: {data.held:,} items{limited} (digest {settings.data})",
        f"- skipped: {skipped or 'nothing'}",
        f"- graph: {data.graph} (digest {settings.graph})",
        f"- reader: {settings.reader}{way}; kgqa {settings.version} (digest {settings.program})",
        f"- items: {counts['items']:,}; answered: {counts['answered']:,}",
        "",
        _INTERVAL_NOTE,
        "",
    ]
    return "\n".join(lines)


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
