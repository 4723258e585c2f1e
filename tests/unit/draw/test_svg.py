"""Pictures: nothing stands over anything else, whatever the names are; belief and polarity show; on light and dark; aloud."""

from __future__ import annotations

import itertools
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import pytest
from hostile import HOSTILE_NAMES
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.draw import svg as style
from graph.draw.picture_layout import LABEL_SIZE, NAME_SIZE, Frame, Wire, assign_layers, displayable_text, text_width, wrap_lines
from graph.draw.svg import HEADING_SIZE, Drawing, draw_svg, edge_verb, lay_out_drawing
from graph.model import Claim, Edge, Polarity, Relation, Strength
from graph.topology import EDGE_KINDS

DEJAVU = (
    *(318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636),
    *(636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787),
    *(603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635),
    *(634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838),
)
"""The widths of the characters from the space to the tilde in DejaVu Sans, the widest of the usual fonts, in thousandths."""

SVG = "{http://www.w3.org/2000/svg}"
NAMES = (
    *("rain", "flood", "deforestation", "soil erosion", "a", "loss of habitat of large mammals in the northern forests"),
    *(
        "pneumonoultramicroscopicsilicovolcanoconiosis of the longest kind",
        "大雨による洪水と土砂災害の発生",
        "🌋🌊 eruption",
        "Straße",
    ),
    *("наводнение и оползень", "ภาวะน้ำท่วมฉับพลัน", "الفيضانات المفاجئة", "WWWWWWWWWWWWWWWWWWWWWW MMMMMMMMMMMMM", "e\u0301te\u0301"),
)


def edge(
    cause: str, effect: str, belief: float = 0.9, relation: Relation = Relation.CAUSES, polarity: Polarity = Polarity.NONE
) -> Edge:
    return Edge(Claim(cause, effect, relation, polarity), belief, 2, 0, 1, Strength.LEADS_TO)


def path_set(seed: int, names: tuple[str, ...] = NAMES) -> list[Edge]:
    """Edges of random paths between two concepts, some of them other kinds of claims about the same pairs."""
    chance = random.Random(seed)
    start, end, *others = chance.sample(names, len(names))
    found = []
    for _ in range(chance.randint(1, 9)):
        way = [start, *chance.sample(others, chance.randint(0, min(4, len(others)))), end]
        for one, other in itertools.pairwise(way):
            relation, polarity = chance.choice(EDGE_KINDS)
            found.append(edge(one, other, chance.random(), relation, polarity))
    return found


def frames_of(drawing: Drawing) -> list[Frame]:
    """Where there is text: heading, boxes, labels and legend, in pixels of the picture."""
    size, line_height = HEADING_SIZE * style._HEADING_WEIGHT, style._HEADING_LINE
    heading = [
        Frame(style.MARGIN, style.MARGIN + line_height * row, text_width(line, size), line_height)
        for row, line in enumerate(drawing.heading)
    ]
    placed = [*(box.frame for box in drawing.placing.boxes), *(wire.label for wire in drawing.placing.wires)]
    moved = [Frame(frame.x + drawing.left, frame.y + drawing.top, frame.width, frame.height) for frame in placed]
    legend = [Frame(x, y - LABEL_SIZE, style.legend_width(way), LABEL_SIZE + 4) for way, x, y in drawing.legend]
    return [*heading, *moved, *legend]


def share_more_than_an_edge(one: Frame, other: Frame) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def assert_sound(drawing: Drawing) -> None:
    frames = frames_of(drawing)
    for one, other in itertools.combinations(frames, 2):
        assert not share_more_than_an_edge(one, other), (one, other)
    for frame in frames:
        assert frame.x >= 0
        assert frame.y >= 0
        assert frame.x + frame.width <= drawing.width
        assert frame.y + frame.height <= drawing.height
    for box in drawing.placing.boxes:
        assert all(text_width(line, NAME_SIZE) <= box.frame.width for line in box.lines)


def course(wire: Wire) -> Iterator[tuple[float, float]]:
    """Points along a wire, its bends included."""
    for number in range(0, len(wire.points), 4):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = wire.points[number : number + 4]
        middle = (x1 + x2) / 2
        for step in range(41):
            t = step / 40
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            yield x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
            yield (
                sum(weight * x for weight, x in zip(weights, (x1, middle, middle, x2), strict=True)),
                sum(weight * y for weight, y in zip(weights, (y1, y1, y2, y2), strict=True)),
            )
            yield x2 + (x3 - x2) * t, y2 + (y3 - y2) * t


@pytest.mark.parametrize("seed", range(150))
def test_no_text_stands_over_another(seed: int) -> None:
    assert_sound(lay_out_drawing(path_set(seed), f"How {NAMES[seed % len(NAMES)]} leads to a great many other things, {seed}"))


@pytest.mark.parametrize("seed", range(40))
def test_no_line_runs_through_a_box_or_a_label_that_is_not_its_own(seed: int) -> None:
    placing = lay_out_drawing(path_set(seed), "A heading").placing
    for wire, other in itertools.product(placing.wires, placing.wires):
        frame = other.label
        assert not any(frame.x < x < frame.x + frame.width and frame.y < y < frame.y + frame.height for x, y in course(wire))
    for wire in placing.wires:
        for box in placing.boxes:
            inner = Frame(box.frame.x + 0.5, box.frame.y, box.frame.width - 1, box.frame.height)
            assert not any(inner.x < x < inner.x + inner.width and inner.y < y < inner.y + inner.height for x, y in course(wire))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.sampled_from(EDGE_KINDS)), max_size=24))
def test_any_graph_is_drawn_with_each_claim_once(claims: list[tuple[str, str, tuple[Relation, Polarity]]]) -> None:
    edges = [edge(cause, effect, 0.5, *kind) for cause, effect, kind in claims]
    drawing = lay_out_drawing([*edges, *edges], "Any graph")
    assert set(drawing.edges) == {one for one in edges if one.cause != one.effect}
    assert len(drawing.placing.wires) == len(drawing.edges)
    assert {box.name for box in drawing.placing.boxes} == {name for one in drawing.edges for name in (one.cause, one.effect)}
    assert_sound(drawing)


def test_lines_can_be_links_in_a_page_that_has_the_style() -> None:
    edges = [Edge(Claim("rain", "flood"), 0.9), Edge(Claim("flood", "damage"), 0.8)]
    picture = draw_svg(edges, "Rain", link=lambda edge: f'/claim?cause={edge.cause}&"<' if edge.cause == "rain" else "")
    addresses = [element.get("href") for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}a")]
    assert addresses == ['/claim?cause=rain&"<']
    assert "<style>" not in picture
    assert 'role="group"' in picture


def test_edges_point_to_the_right_where_no_cycle_forbids_it() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        ranked = chance.sample("abcdefghij", 10)
        pairs = [(ranked[low], ranked[high]) for low, high in (sorted(chance.sample(range(10), 2)) for _ in range(15))]
        chains = assign_layers(pairs).chains
        assert [(chain[0], chain[-1]) for chain in chains] == pairs
    assert [chain[0] for chain in assign_layers([("a", "b"), ("b", "c"), ("c", "a")]).chains] == ["a", "b", "a"]


def test_chains_that_need_not_cross_do_not() -> None:
    ways = [["start", f"one {number}", f"two {number}", "end"] for number in (3, 1, 2, 0)]
    layering = assign_layers([pair for way in ways for pair in itertools.pairwise(way)])
    first, second = layering.layers[1], layering.layers[2]
    assert [str(name)[-1] for name in first] == [str(name)[-1] for name in second]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_names_are_drawn_and_steer_nothing(name: str) -> None:
    text = draw_svg([edge(name, "flood"), edge("rain", name, 0.3, Relation.PREVENTS)], f"How {name} leads to flood", focus={name})
    root = ElementTree.fromstring(text.encode("utf-8"))
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    assert displayable_text(name) in titles
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in "svg title desc style rect g path polygon text".split()
    }
    assert len(list(root.iter(f"{SVG}path"))) == 4  # two edges, two samples of the legend
    assert_sound(lay_out_drawing([edge(name, "flood"), edge("rain", name)], name))


def test_the_widths_are_those_of_the_widest_usual_font_at_least() -> None:
    for code, advance in enumerate(DEJAVU, 32):
        assert text_width(chr(code), 1000) >= advance, chr(code)


def test_long_names_are_broken_into_lines_that_fit() -> None:
    for name in (*NAMES, *HOSTILE_NAMES):
        found = wrap_lines(name, NAME_SIZE, 190)
        assert 1 <= len(found) <= 4
        assert all(text_width(line, NAME_SIZE) <= 190 for line in found), name
    assert wrap_lines("soil erosion", NAME_SIZE, 190) == ("soil erosion",)
    assert wrap_lines("x" * 300, NAME_SIZE, 190)[-1].endswith("…")
    assert "".join(wrap_lines("x" * 40, NAME_SIZE, 190)) == "x" * 40
    assert not any(line.startswith("\u0301") for line in wrap_lines("e\u0301" * 60, NAME_SIZE, 190))


def test_belief_shows_in_width_opacity_and_number() -> None:
    root = ElementTree.fromstring(draw_svg([edge("a", "c", 0.9), edge("b", "c", 0.2)], "Two"))
    drawn_edges = [
        group for group in root.iter(f"{SVG}g") if group.get("class") == "promotes" and group.find(f"{SVG}g") is not None
    ]
    strong, weak = drawn_edges
    thick, thin = (float(one.find(f"{SVG}g/{SVG}path").get("stroke-width", "0")) for one in drawn_edges)  # type: ignore[union-attr]
    dark, pale = (float(one.find(f"{SVG}g").get("opacity", "0")) for one in drawn_edges)  # type: ignore[union-attr]
    assert thick > 2 * thin
    assert dark > pale
    assert [one.findtext(f"{SVG}text") for one in (strong, weak)] == ["leads to 0.90", "leads to 0.20"]


def test_polarity_shows_in_arrows_bars_and_dashes() -> None:
    for relation, polarity in EDGE_KINDS:
        group = next(
            one
            for one in ElementTree.fromstring(draw_svg([edge("a", "b", 0.9, relation, polarity)], "One")).iter(f"{SVG}g")
            if one.find(f"{SVG}g") is not None and one.get("class") in style.INFLUENCES
        )
        hinders = relation is Relation.PREVENTS or polarity is Polarity.DECREASES
        expected = style.HINDERS if hinders else style.LINKED if relation is Relation.ASSOCIATED else style.PROMOTES
        assert group.get("class") == expected
        assert (group.find(f"{SVG}g/{SVG}rect") is not None) == hinders
        assert (group.find(f"{SVG}g/{SVG}polygon") is not None) != hinders


def test_an_arrow_stands_at_the_effect_also_where_it_points_back() -> None:
    drawing = lay_out_drawing([edge("a", "b"), edge("b", "a", 0.5)], "Both ways")
    assert [wire.start for wire in drawing.placing.wires] == ["a", "a"]
    root = ElementTree.fromstring(draw_svg(drawing.edges, "Both ways"))
    tips = [float((one.get("points") or "").split(",")[0]) for one in root.iter(f"{SVG}polygon")][:2]
    ends = [drawing.placing.wires[0].points[-1][0], drawing.placing.wires[1].points[0][0]]
    assert tips == pytest.approx(ends, abs=0.1)


def test_the_picture_can_be_read_aloud() -> None:
    root = ElementTree.fromstring(
        draw_svg([edge("rain", "flood", 0.8)], "How rain leads to flood", "rain leads to flood, surely")
    )
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert (title.text, description.text) == ("How rain leads to flood", "rain leads to flood, surely")
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", f"{title.get('id')} {description.get('id')}")
    assert "rain leads to flood (0.80)" in draw_svg([edge("rain", "flood", 0.8)], "x")


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [style._LIGHT, style._DARK], ids=["light", "dark"])
def test_text_and_lines_stand_out_from_the_paper(colours: dict[str, str]) -> None:
    for ground in ("paper", "box", "focus"):
        assert contrast(colours["ink"], colours[ground]) >= 7
    assert contrast(colours["quiet"], colours["paper"]) >= 4.5
    for way in style.INFLUENCES:
        assert contrast(colours[way], colours["paper"]) >= 3


def test_dark_screens_have_a_rule_for_every_colour() -> None:
    light, dark = style.STYLE.split("@media (prefers-color-scheme: dark)")
    selectors = re.findall(r"^(\.kgqa [^{\n]*) \{ (?:fill|stroke): #", light, re.MULTILINE)
    assert len(selectors) > 8
    assert [rule for rule in selectors if rule not in dark] == []


def test_the_same_edges_give_the_same_picture() -> None:
    assert draw_svg(path_set(3), "Same") == draw_svg(path_set(3), "Same")


def test_an_edge_says_what_its_relation_and_polarity_say() -> None:
    assert edge_verb(edge("a", "b")) == "leads to"
    assert edge_verb(edge("a", "b", relation=Relation.PREVENTS)) == "prevents"
    assert edge_verb(edge("a", "b", polarity=Polarity.DECREASES)) == "reduces"


def test_letters_are_of_the_sizes_that_the_layout_reckons_with() -> None:
    sizes = {
        float(one.get("font-size", "0")) for one in ElementTree.fromstring(draw_svg([edge("a", "b")], "x")).iter(f"{SVG}text")
    }
    assert sizes == {NAME_SIZE, LABEL_SIZE, HEADING_SIZE}
