"""Edges of a graph as a picture: SVG that reads from left to right, on light and on dark screens, and aloud."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from graph.export.layers import layered
from graph.export.lettering import is_known, lines, shown, width
from graph.export.placing import LETTERS, LINE, SMALL, Box, Frame, Placing, Wire, placed
from graph.export.style import HINDERS, LINKED, PROMOTES, STYLE, WAYS
from graph.export.xml import markup
from graph.model import Edge, Polarity, Relation, stable_hash

MARGIN = 24.0
HEADING = 17.0
_HEADING_LINE = 22.0
_NARROWEST = 420.0
_HEADING_WEIGHT = 1.12
"""How much wider than others the letters of a heading are."""
_HEAD = 8.0
_BAR = 4.0
_APART = 3.0
"""How far a bar stands before what it bars."""
_SAMPLE = 46.0
BELIEF = "number and thickness: belief, 0 to 1"
_WORDS = {
    Relation.ENABLES: "enables",
    Relation.PREVENTS: "prevents",
    Relation.MOTIVATES: "motivates",
    Relation.IS_FOR: "is for",
    Relation.ASSOCIATED: "is linked to",
}
_POLARITY_WORDS = {Polarity.INCREASES: "increases", Polarity.DECREASES: "reduces"}


def words_of(edge: Edge) -> str:
    """Return what an edge says, as a verb."""
    relation = edge.claim.relation
    return _WORDS.get(relation) or _POLARITY_WORDS.get(edge.claim.polarity) or edge.strength.value


def way_of(edge: Edge) -> str:
    """Return which way an edge works: it promotes its effect, hinders it, or is only linked to it."""
    if edge.claim.relation is Relation.PREVENTS or edge.claim.polarity is Polarity.DECREASES:
        return HINDERS
    return LINKED if edge.claim.relation is Relation.ASSOCIATED else PROMOTES


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn and where: the heading in its lines, the edges in the order of the wires, and the legend's rows."""

    heading: tuple[str, ...]
    edges: tuple[Edge, ...]
    labels: tuple[str, ...]
    placing: Placing
    legend: tuple[tuple[str, float, float], ...]
    left: float
    top: float
    width: float
    height: float

    def frames(self) -> Sequence[Frame]:
        """Return where there is text: heading, boxes, labels and legend, in pixels of the picture."""
        heading = [
            Frame(MARGIN, MARGIN + _HEADING_LINE * row, width(line, HEADING * _HEADING_WEIGHT), _HEADING_LINE)
            for row, line in enumerate(self.heading)
        ]
        moved = [
            Frame(frame.x + self.left, frame.y + self.top, frame.width, frame.height)
            for frame in (*(box.frame for box in self.placing.boxes), *(wire.label for wire in self.placing.wires))
        ]
        legend = [
            Frame(x, y - SMALL, (_SAMPLE if text != BELIEF else 0) + width(text, SMALL), SMALL + 4) for text, x, y in self.legend
        ]
        return [*heading, *moved, *legend]


def drawn(edges: Iterable[Edge], heading: str, words: Callable[[Edge], str] = words_of) -> Drawing:
    """Return the drawing of edges, the most important first; what a concept does to itself is left out."""
    kept = tuple(dict.fromkeys(edge for edge in edges if edge.cause != edge.effect))
    labels = tuple(f"{shown(words(edge))} {edge.belief:.2f}" for edge in kept)
    layering = layered([(edge.cause, edge.effect) for edge in kept])
    placing = placed(layering, labels)
    inner = max(placing.width, _NARROWEST)
    title = lines(heading, HEADING * _HEADING_WEIGHT, inner, 3)
    top = MARGIN + _HEADING_LINE * len(title) + 18
    legend, bottom = _legend(dict.fromkeys(way_of(edge) for edge in kept), inner, top + placing.height + 34)
    left = MARGIN + (inner - placing.width) / 2
    return Drawing(title, kept, labels, placing, legend, left, top, inner + 2 * MARGIN, bottom + MARGIN - SMALL)


def svg(
    edges: Iterable[Edge],
    heading: str,
    description: str = "",
    focus: Collection[str] = (),
    words: Callable[[Edge], str] = words_of,
) -> str:
    """Return the picture of edges as an SVG document: `focus` are the concepts that stand out, `description` is read aloud.

    Width and opacity of a line tell the belief in its claim, an arrow that the cause promotes the effect, a bar that it hinders
    it, dashes a mere link. Nothing is fetched and nothing runs: no fonts, no scripts.
    """
    drawing = drawn(edges, heading, words)
    said = description or "; ".join(f"{edge.cause} {words(edge)} {edge.effect} ({edge.belief:.2f})" for edge in drawing.edges)
    mark = stable_hash((heading, said))[:8]
    size = f'width="{drawing.width:.0f}" height="{drawing.height:.0f}" viewBox="0 0 {drawing.width:.0f} {drawing.height:.0f}"'
    named = f'role="img" aria-labelledby="t{mark} d{mark}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="kgqa" {size} {named}>',
        f'<title id="t{mark}">{markup(shown(heading))}</title>',
        f'<desc id="d{mark}">{markup(shown(said))}</desc>',
        f"<style>{STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        *_heading(drawing.heading),
        f'<g transform="translate({drawing.left:.1f} {drawing.top:.1f})">',
        *(
            _wire(edge, label, wire, words)
            for edge, label, wire in zip(drawing.edges, drawing.labels, drawing.placing.wires, strict=True)
        ),
        *(_box(box, box.name in focus) for box in drawing.placing.boxes),
        "</g>",
        *(_sample(*sample) for sample in drawing.legend),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heading(heading: Sequence[str]) -> Iterable[str]:
    """Yield the lines of the heading."""
    for row, line in enumerate(heading):
        yield _text(line, MARGIN, MARGIN + _HEADING_LINE * row + HEADING, HEADING, "heading")


def _box(box: Box, stands_out: bool) -> str:
    """Return a concept in its box."""
    frame = box.frame
    rectangle = f'x="{frame.x:.1f}" y="{frame.y:.1f}" width="{frame.width:.1f}" height="{frame.height:.1f}" rx="9"'
    first = frame.y + (frame.height - LINE * len(box.lines)) / 2 + LINE - 4.5
    middle = frame.x + frame.width / 2
    texts = "".join(_text(line, middle, first + LINE * row, LETTERS, "name") for row, line in enumerate(box.lines))
    kind = "box focus" if stands_out else "box"
    return f'<g class="{kind}"><title>{markup(shown(box.name))}</title><rect {rectangle}/>{texts}</g>'


def _wire(edge: Edge, label: str, wire: Wire, words: Callable[[Edge], str]) -> str:
    """Return an edge: its line, what stands at its end, and its label."""
    way, forward = way_of(edge), wire.start == edge.cause
    belief = max(0.0, min(1.0, edge.belief))
    thick = 1.2 + 3.3 * belief
    counts = f"{edge.support} for, {edge.against} against, {edge.hedged} hedged"
    told = f"{edge.cause} {words(edge)} {edge.effect}: belief {edge.belief:.2f} ({counts})"
    line = f'<path d="{_route(wire, forward, _gap(way, thick))}" stroke-width="{thick:.2f}"/>'
    tip, direction = (wire.points[-1], 1) if forward else (wire.points[0], -1)
    clear = f'<g opacity="{0.4 + 0.6 * belief:.2f}">{line}{_end(way, tip, direction, thick)}</g>'
    text = _text(label, wire.label.x, wire.label.y + SMALL, SMALL, "label")
    return f'<g class="{way}"><title>{markup(shown(told))}</title>{clear}{text}</g>'


def _gap(way: str, thick: float) -> float:
    """Return how far before its end a line stops, where its arrow or its bar begins."""
    return _APART + _BAR if way == HINDERS else _HEAD + thick - 1


def _route(wire: Wire, forward: bool, gap: float) -> str:
    """Return the line of a wire as path data; it stops short of the end where the arrow is."""
    points = list(wire.points)
    (first_x, first_y), (last_x, last_y) = points[0], points[-1]
    points[0], points[-1] = (
        ((first_x, first_y), (last_x - gap, last_y)) if forward else ((first_x + gap, first_y), (last_x, last_y))
    )
    data = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (_, _), (x1, y1), (x2, y2), (x3, y3) in zip(*[iter(points)] * 4, strict=True):
        middle = (x1 + x2) / 2
        data.append(f"L{x1:.1f} {y1:.1f} C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f} L{x3:.1f} {y3:.1f}")
    return " ".join(data)


def _end(way: str, tip: tuple[float, float], direction: int, thick: float) -> str:
    """Return the arrow or the bar at the end of a line that runs to the right (1) or to the left (-1)."""
    x, y = tip
    if way == HINDERS:
        left = x - _APART - _BAR if direction > 0 else x + _APART
        return f'<rect class="bar" x="{left:.1f}" y="{y - 8:.1f}" width="{_BAR:.0f}" height="16"/>'
    long, half = _HEAD + thick, 4.0 + thick * 0.7
    back = x - direction * long
    return f'<polygon points="{x:.1f},{y:.1f} {back:.1f},{y - half:.1f} {back:.1f},{y + half:.1f}"/>'


def _text(text: str, x: float, y: float, size: float, kind: str) -> str:
    """Return a line of text; where no font is sure to fit, it is told how long it is."""
    fitted = "" if is_known(text) else f' textLength="{width(text, size):.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}"{fitted}>{markup(text)}</text>'


def _legend(ways: Iterable[str], inner: float, y: float) -> tuple[tuple[tuple[str, float, float], ...], float]:
    """Return the samples of the ways in which edges work, each a text and its place, in rows; and where they end."""
    rows: list[tuple[str, float, float]] = []
    x = MARGIN
    for text in (*(WAYS[way] for way in WAYS if way in set(ways)), BELIEF):
        wide = (_SAMPLE if text != BELIEF else 0) + width(text, SMALL)
        if x > MARGIN and x + wide > MARGIN + inner:
            x, y = MARGIN, y + SMALL + 10
        rows.append((text, x, y))
        x += wide + 22
    return tuple(rows), y + SMALL


def _sample(text: str, x: float, y: float) -> str:
    """Return a sample of the legend: a short edge and what it means."""
    way = next((way for way, meaning in WAYS.items() if meaning == text), None)
    if way is None:
        return _text(text, x, y, SMALL, "legend")
    end, middle, thick = x + _SAMPLE - 8, y - SMALL / 3, 2.5
    line = f'<path d="M{x:.1f} {middle:.1f} H{end - _gap(way, thick):.1f}" stroke-width="{thick}"/>'
    return f'<g class="{way}">{line}{_end(way, (end, middle), 1, thick)}</g>{_text(text, x + _SAMPLE, y, SMALL, "legend")}'
