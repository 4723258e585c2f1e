"""An answer as HTML, for notebooks."""

from __future__ import annotations

from html import escape

from graph.draw.svg import draw_svg
from kgqa.answers import Answer

_DRAWN = 12
"""So many claims at most are drawn."""


def answer_html(answer: Answer) -> str:
    """Return an answer as an HTML fragment: question, sentence, confidence, findings and their claims drawn, escaped."""
    rows = "".join(
        f"<tr><td>{escape(finding.text)}</td><td>{finding.confidence:.2f}</td><td>{finding.support}</td></tr>"
        for finding in answer.findings
    )
    table = f"<table><tr><th>answer</th><th>confidence</th><th>sources</th></tr>{rows}</table>" if rows else ""
    excerpts = "".join(
        f"<blockquote>{escape(read.excerpt.text)}</blockquote>" for read in answer.read if read.excerpt is not None
    )
    edges = list(dict.fromkeys(edge for finding in answer.findings for edge in finding.path.edges))[:_DRAWN]
    picture = draw_svg(edges, answer.question) if edges else ""
    missing = "".join(f"<li>{escape(item.what)}: {escape(item.where)}</li>" for item in answer.missing)
    return (
        f"<div><p><b>{escape(answer.question)}</b></p><p>{escape(answer.sentence)} ({answer.confidence:.2f})</p>"
        f"{table}{excerpts}{picture}{f'<ul>{missing}</ul>' if missing else ''}</div>"
    )
