"""How pictures look, on light paper and on dark: the colours tell apart for every kind of eye, and are never the only sign."""

from __future__ import annotations

PROMOTES = "promotes"
HINDERS = "hinders"
LINKED = "linked"

INFLUENCES = {PROMOTES: "brings about", HINDERS: "prevents or reduces", LINKED: "is linked to"}
"""The ways in which an edge works, as classes of the style sheet, and as the legend tells them."""

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b2733",
    "quiet": "#5b6875",
    "box": "#f3f5f7",
    "rim": "#c3ccd4",
    "focus": "#e3eefc",
    "focus rim": "#2f6fd0",
    PROMOTES: "#2f6fd0",
    HINDERS: "#c2410c",
    LINKED: "#77838f",
}
_DARK = {
    "paper": "#12171d",
    "ink": "#e8edf2",
    "quiet": "#a3afba",
    "box": "#1e262e",
    "rim": "#44515d",
    "focus": "#17304f",
    "focus rim": "#79aef5",
    PROMOTES: "#79aef5",
    HINDERS: "#ff9a62",
    LINKED: "#94a1ad",
}
_SHAPE = """
.kgqa text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
.kgqa .heading { font-weight: 600; }
.kgqa .name { text-anchor: middle; }
.kgqa path { fill: none; stroke-linecap: butt; }
.kgqa .linked path { stroke-dasharray: 6 5; }
.kgqa .box rect { stroke-width: 1.2; }
.kgqa .focus rect { stroke-width: 2; }
"""


def _colour_rules(colours: dict[str, str]) -> str:
    """Return the rules that give everything its colour."""
    fills = {".paper": "paper", ".heading, .kgqa .name": "ink", ".label, .kgqa .legend": "quiet"}
    rules = [f".kgqa {selector} {{ fill: {colours[name]}; }}" for selector, name in fills.items()]
    rules += [
        f".kgqa .{kind} rect {{ fill: {colours[kind]}; stroke: {colours[rim]}; }}"
        for kind, rim in (("box", "rim"), ("focus", "focus rim"))
    ]
    rules += [f".kgqa .{way} path {{ stroke: {colours[way]}; }}" for way in INFLUENCES]
    rules += [f".kgqa .{way} polygon, .kgqa .{way} .bar {{ fill: {colours[way]}; }}" for way in INFLUENCES]
    return "\n".join(rules)


STYLE = f"{_SHAPE}{_colour_rules(_LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_colour_rules(_DARK)}\n}}\n"
"""The style sheet of a picture."""
