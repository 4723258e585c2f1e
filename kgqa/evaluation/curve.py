"""The risk-coverage curve as a picture, readable on light and dark screens."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.metrics.risk import RiskPoint

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
        f'role="img"><title>{_escape_xml(title)}</title><style>{_STYLE}</style>'
        f'<rect class="back" width="{_WIDTH}" height="{_HEIGHT}"/>{marks}{dashes}<path class="curve" d="{path}"/>{dot}'
        f'<path class="axis" d="M{_LEFT},{_TOP}V{_HEIGHT - _BOTTOM}H{_WIDTH - _RIGHT}"/>'
        f'<text x="{_LEFT}" y="24">{_escape_xml(title)}</text>'
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


def _escape_xml(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
