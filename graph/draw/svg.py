"""Edges of a graph as an SVG picture from left to right, for light and dark screens, with a description to be read aloud."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from string import Template

from graph.draw.picture_layout import (
    LABEL_SIZE,
    LINE_HEIGHT,
    NAME_SIZE,
    Box,
    Placement,
    Wire,
    assign_layers,
    displayable_text,
    has_known_width,
    place_drawing,
    text_width,
    wrap_lines,
)
from graph.model import Edge, Polarity, Relation, stable_hash
from graph.text.xml_escape import escape_markup

PROMOTES = "promotes"
HINDERS = "hinders"
LINKED = "linked"

INFLUENCES = {PROMOTES: "brings about", HINDERS: "prevents or reduces", LINKED: "is linked to"}
"""The influences of an edge on its effect: the class in the style sheet, and the words of the legend."""

# The colours are distinct for every kind of colour vision and are never the only sign.
_COLOURS = (
    ("paper", "#ffffff", "#12171d"),
    ("ink", "#1b2733", "#e8edf2"),
    ("quiet", "#5b6875", "#a3afba"),
    ("box", "#f3f5f7", "#1e262e"),
    ("rim", "#c3ccd4", "#44515d"),
    ("focus", "#e3eefc", "#17304f"),
    ("focus_rim", "#2f6fd0", "#79aef5"),
    (PROMOTES, "#2f6fd0", "#79aef5"),
    (HINDERS, "#c2410c", "#ff9a62"),
    (LINKED, "#77838f", "#94a1ad"),
)
_LIGHT = {name: light for name, light, _ in _COLOURS}
_DARK = {name: dark for name, _, dark in _COLOURS}
_RULES = Template(Path(__file__).with_name("colours.css").read_text(encoding="ascii"))
_SHAPES = Path(__file__).with_name("shapes.css").read_text(encoding="ascii")
STYLE = f"\n{_SHAPES}{_RULES.substitute(_LIGHT)}@media (prefers-color-scheme: dark) {{\n{_RULES.substitute(_DARK)}}}\n"
"""The style sheet of a picture."""

MARGIN = 24.0
HEADING_SIZE = 17.0
_HEADING_LINE = 22.0
_NARROWEST = 420.0
_HEADING_WEIGHT = 1.12  # the width of the letters of a heading, relative to others of the same size
_ARROW_LENGTH = 8.0
_BAR_WIDTH = 4.0
_BAR_DISTANCE = 3.0  # the distance of a bar from the box that it bars
_SAMPLE_WIDTH = 46.0
BELIEF_LEGEND = "number and thickness: belief, 0 to 1"
_RELATION_VERBS = {
    Relation.ENABLES: "enables",
    Relation.PREVENTS: "prevents",
    Relation.MOTIVATES: "motivates",
    Relation.IS_FOR: "is for",
    Relation.ASSOCIATED: "is linked to",
}
_POLARITY_VERBS = {Polarity.INCREASES: "increases", Polarity.DECREASES: "reduces"}


def edge_verb(edge: Edge) -> str:
    """Return what an edge says, as a verb."""
    relation = edge.claim.relation
    return _RELATION_VERBS.get(relation) or _POLARITY_VERBS.get(edge.claim.polarity) or edge.strength.value


def edge_influence(edge: Edge) -> str:
    """Return the influence of an edge: it promotes its effect, hinders it, or is only linked to it."""
    if edge.claim.relation is Relation.PREVENTS or edge.claim.polarity is Polarity.DECREASES:
        return HINDERS
    return LINKED if edge.claim.relation is Relation.ASSOCIATED else PROMOTES


@dataclass(frozen=True, slots=True)
class Drawing:
    """The content of a picture and its places: the lines of the heading, the edges in the order of the wires, and the legend."""

    heading: tuple[str, ...]
    edges: tuple[Edge, ...]
    labels: tuple[str, ...]
    placing: Placement
    legend: tuple[tuple[str, float, float], ...]  # influences, or an empty text for the belief, with their places
    left: float
    top: float
    width: float
    height: float


def lay_out_drawing(edges: Iterable[Edge], heading: str, words: Callable[[Edge], str] = edge_verb) -> Drawing:
    """Return the drawing of edges, the most important first; edges from a concept to itself are left out."""
    unique_edges = tuple(dict.fromkeys(edge for edge in edges if edge.cause != edge.effect))
    labels = tuple(f"{displayable_text(words(edge))} {edge.belief:.2f}" for edge in unique_edges)
    layering = assign_layers([(edge.cause, edge.effect) for edge in unique_edges])
    placing = place_drawing(layering, labels)
    inner = max(placing.width, _NARROWEST)
    title = wrap_lines(heading, HEADING_SIZE * _HEADING_WEIGHT, inner, 3)
    top = MARGIN + _HEADING_LINE * len(title) + 18
    legend, bottom = _legend_rows({edge_influence(edge) for edge in unique_edges}, inner, top + placing.height + 34)
    left = MARGIN + (inner - placing.width) / 2
    return Drawing(title, unique_edges, labels, placing, legend, left, top, inner + 2 * MARGIN, bottom + MARGIN - LABEL_SIZE)


class SvgPicture(str):
    """An SVG document, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw_svg(
    edges: Iterable[Edge],
    heading: str,
    description: str = "",
    focus: Collection[str] = (),
    words: Callable[[Edge], str] = edge_verb,
    link: Callable[[Edge], str] | None = None,
    box_link: Callable[[str], str] | None = None,
) -> SvgPicture:
    """Return the picture of edges as an SVG document: `focus` are the concepts that stand out, `description` is read aloud.

    With `link`, which gives the address of an edge, each line is a link, and the picture is part of a page that has its `STYLE`.
    With `box_link`, which gives the address of a concept, boxes are links, too.

    Width and opacity of a line show the belief in its claim; an arrow shows that the cause promotes the effect, a bar that it
    hinders it, dashes a mere link. The document has no fonts and no scripts.
    """
    drawing = lay_out_drawing(edges, heading, words)
    claims = (f"{edge.cause} {words(edge)} {edge.effect} ({edge.belief:.2f})" for edge in drawing.edges)
    spoken_text = description or "; ".join(claims)
    heading_lines, base = enumerate(drawing.heading), MARGIN + HEADING_SIZE
    wires = zip(drawing.edges, drawing.labels, drawing.placing.wires, strict=True)
    mark = stable_hash((heading, spoken_text))[:8]
    size = f'width="{drawing.width:.0f}" height="{drawing.height:.0f}" viewBox="0 0 {drawing.width:.0f} {drawing.height:.0f}"'
    role_attributes = f'role="{"group" if link else "img"}" aria-labelledby="t{mark} d{mark}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="kgqa" {size} {role_attributes}>',
        f'<title id="t{mark}">{escape_markup(displayable_text(heading))}</title>',
        f'<desc id="d{mark}">{escape_markup(displayable_text(spoken_text))}</desc>',
        *([] if link else [f"<style>{STYLE}</style>"]),
        '<rect class="paper" width="100%" height="100%"/>',
        *(_text_element(line, MARGIN, base + _HEADING_LINE * row, HEADING_SIZE, "heading") for row, line in heading_lines),
        f'<g transform="translate({drawing.left:.1f} {drawing.top:.1f})">',
        *(_linked_element(_wire_element(edge, label, wire, words), link and link(edge)) for edge, label, wire in wires),
        *(
            _linked_element(_box_element(box, box.name in focus), box_link and box_link(box.name))
            for box in drawing.placing.boxes
        ),
        "</g>",
        *(_legend_element(*sample) for sample in drawing.legend),
        "</svg>",
    ]
    return SvgPicture("\n".join(parts) + "\n")


def _box_element(box: Box, stands_out: bool) -> str:
    frame = box.frame
    rectangle = f'x="{frame.x:.1f}" y="{frame.y:.1f}" width="{frame.width:.1f}" height="{frame.height:.1f}" rx="9"'
    first = frame.y + (frame.height - LINE_HEIGHT * len(box.lines)) / 2 + LINE_HEIGHT - 4.5
    middle = frame.x + frame.width / 2
    lines = [_text_element(line, middle, first + LINE_HEIGHT * row, NAME_SIZE, "name") for row, line in enumerate(box.lines)]
    kind, title = "box focus" if stands_out else "box", escape_markup(displayable_text(box.name))
    return f'<g class="{kind}"><title>{title}</title><rect {rectangle}/>{"".join(lines)}</g>'


def _linked_element(element: str, address: str | None) -> str:
    return f'<a href="{escape_markup(address)}">{element}</a>' if address else element


def _wire_element(edge: Edge, label: str, wire: Wire, words: Callable[[Edge], str]) -> str:
    way, forward = edge_influence(edge), wire.start == edge.cause
    belief = max(0.0, min(1.0, edge.belief))
    thick = 1.2 + 3.3 * belief
    counts = f"{edge.support} for, {edge.against} against, {edge.hedged} hedged"
    tooltip = f"{edge.cause} {words(edge)} {edge.effect}: belief {edge.belief:.2f} ({counts})"
    line = f'<path d="{_path_data(wire, forward, _end_gap(way, thick))}" stroke-width="{thick:.2f}"/>'
    tip, direction = (wire.points[-1], 1) if forward else (wire.points[0], -1)
    clear = f'<g opacity="{0.4 + 0.6 * belief:.2f}">{line}{_end_element(way, tip, direction, thick)}</g>'
    text = _text_element(label, wire.label.x, wire.label.y + LABEL_SIZE, LABEL_SIZE, "label")
    return f'<g class="{way}"><title>{escape_markup(displayable_text(tooltip))}</title>{clear}{text}</g>'


def _end_gap(way: str, thick: float) -> float:
    """Return the distance from the end of a line at which its arrow or its bar begins."""
    return _BAR_DISTANCE + _BAR_WIDTH if way == HINDERS else _ARROW_LENGTH + thick - 1


def _path_data(wire: Wire, forward: bool, gap: float) -> str:
    """Return the line of a wire as path data; it ends `gap` before the effect."""
    points = list(wire.points)
    end = -1 if forward else 0
    points[end] = (points[end][0] - gap if forward else points[end][0] + gap, points[end][1])
    data = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (_, _), (x1, y1), (x2, y2), (x3, y3) in zip(*[iter(points)] * 4, strict=True):
        middle = (x1 + x2) / 2
        data.append(f"L{x1:.1f} {y1:.1f} C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f} L{x3:.1f} {y3:.1f}")
    return " ".join(data)


def _end_element(way: str, tip: tuple[float, float], direction: int, thick: float) -> str:
    """Return the arrow or the bar at the end of a line that runs to the right (1) or to the left (-1)."""
    x, y = tip
    if way == HINDERS:
        left = x - _BAR_DISTANCE - _BAR_WIDTH if direction > 0 else x + _BAR_DISTANCE
        return f'<rect class="bar" x="{left:.1f}" y="{y - 8:.1f}" width="{_BAR_WIDTH:.0f}" height="16"/>'
    long, half = _ARROW_LENGTH + thick, 4.0 + thick * 0.7
    back = x - direction * long
    return f'<polygon points="{x:.1f},{y:.1f} {back:.1f},{y - half:.1f} {back:.1f},{y + half:.1f}"/>'


def _text_element(text: str, x: float, y: float, size: float, kind: str) -> str:
    """Return a line of text; with its length where the width of its characters is not known."""
    fitted = "" if has_known_width(text) else f' textLength="{text_width(text, size):.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}"{fitted}>{escape_markup(text)}</text>'


def _legend_rows(ways: Collection[str], inner: float, y: float) -> tuple[tuple[tuple[str, float, float], ...], float]:
    """Return the samples of the influences, each with its place, in rows; and the height at which they end."""
    rows: list[tuple[str, float, float]] = []
    x = MARGIN
    for way in (*(way for way in INFLUENCES if way in ways), ""):
        wide = legend_width(way)
        if x > MARGIN and x + wide > MARGIN + inner:
            x, y = MARGIN, y + LABEL_SIZE + 10
        rows.append((way, x, y))
        x += wide + 22
    return tuple(rows), y + LABEL_SIZE


def legend_width(way: str) -> float:
    """Return the width of a sample of the legend."""
    return (_SAMPLE_WIDTH if way else 0) + text_width(INFLUENCES.get(way, BELIEF_LEGEND), LABEL_SIZE)


def _legend_element(way: str, x: float, y: float) -> str:
    if not way:
        return _text_element(BELIEF_LEGEND, x, y, LABEL_SIZE, "legend")
    end, middle, thick = x + _SAMPLE_WIDTH - 8, y - LABEL_SIZE / 3, 2.5
    line = f'<path d="M{x:.1f} {middle:.1f} H{end - _end_gap(way, thick):.1f}" stroke-width="{thick}"/>'
    label = _text_element(INFLUENCES[way], x + _SAMPLE_WIDTH, y, LABEL_SIZE, "legend")
    return f'<g class="{way}">{line}{_end_element(way, (end, middle), 1, thick)}</g>{label}'
