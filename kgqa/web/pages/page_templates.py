"""Pages made of templates: every value is escaped; addresses of concepts, claims and sources; the style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from graph.model import Claim, Source, stable_hash
from kgqa import __version__
from kgqa.wording.claim_clauses import count_noun, written_name
from kgqa.wording.explanation import confidence_text

_HERE = Path(__file__).parent
_LONGEST_NAME = 300
"""The longest name, in characters, that an address holds beside a hash."""
_UNPRINTABLE = {
    **{code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)) if chr(code) not in "\t\n\r"},
    **dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF), ""),
}
"""What has no place on a page: controls, halves of surrogate pairs, and marks that reverse the order of a text."""


class PageContent(NamedTuple):
    """A page before it is rendered: its template, its title, what the template takes; or the address that it leads to."""

    template: str
    title: str
    values: Mapping[str, Any] = {}
    status: HTTPStatus = HTTPStatus.OK
    location: str = ""


def redirect_to(location: str) -> PageContent:
    """Return what leads a browser to another address of this server."""
    return PageContent("", "", status=HTTPStatus.SEE_OTHER, location=location)


def render_page(content: PageContent, *, has_script: bool = False) -> bytes:
    """Return a page as HTML; with `has_script`, the script that completes names is on it."""
    if content.location:
        return b""
    template = _environment().get_template(f"{content.template}.html")
    page = template.render(title=content.title, has_script=has_script, **content.values)
    return page.translate(_UNPRINTABLE).encode("utf-8", "replace")


@cache
def style_sheet() -> tuple[str, str]:
    """Return the style sheet of all pages, that of pictures with it, and its digest."""
    from graph.draw.svg import STYLE

    text = (_HERE / "static" / "style.css").read_text(encoding="utf-8") + STYLE
    return text, stable_hash((text,))[:12]


@cache
def suggest_script() -> tuple[str, str]:
    """Return the script that completes names of concepts, and its digest."""
    text = (_HERE / "static" / "suggest.js").read_text(encoding="utf-8")
    return text, stable_hash((text,))[:12]


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(_HERE / "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False
    )
    environment.filters |= {
        "written": written_name,
        "confidence": confidence_text,
        "concept_url": concept_url,
        "web_url": web_url,
        "setting": setting_phrase,
        "thousands": "{:,}".format,
        "counted": count_noun,
    }
    environment.globals |= {
        "version": __version__,
        "style_digest": style_sheet()[1],
        "script_digest": suggest_script()[1],
        "address": address,
    }
    return environment


def address(path: str, pairs: Iterable[tuple[str, object]] = ()) -> str:
    """Return an address of this server with a query; pairs without a value are left out."""
    query = urlencode([(name, str(value)) for name, value in pairs if value not in (None, "")], errors="replace")
    return f"{path}?{query}" if query else path


def setting_phrase(text: str) -> str:
    """Return a setting of the world as a phrase: "without smoking" for "smoking=absent"."""
    name, _, value = text.rpartition("=")
    plain = "->" not in name and value in ("absent", "present")
    return f"{'without' if value == 'absent' else 'with'} {written_name(name)}" if plain else f"where {text}"


def concept_url(name: str) -> str:
    """Return the address of the page of a concept; browsers take "." and ".." for folders."""
    if name in (".", "..") or not name:
        return address("/concept/", [("name", name)])
    return f"/concept/{quote(name, safe='', errors='replace')}"


def claim_url(claim: Claim) -> str:
    """Return the address of the page of a claim: its hash, and its ends, if they are short, which spare a search for it."""
    ends = (
        ("cause", claim.cause),
        ("effect", claim.effect),
        ("relation", claim.relation.value),
        ("polarity", claim.polarity.value),
    )
    return address(f"/claim/{claim.hash}", ((name, value.encode("utf-8", "replace").decode()) for name, value in ends))


def source_url(source: Source) -> str:
    """Return the address of the page of a source; empty for a source without an identity."""
    identity = source.page_id or source.url or source.title
    parts = (quote(text, safe="", errors="replace") for text in (source.kind or "-", identity))
    return f"/source/{'/'.join(parts)}" if identity else ""


def web_url(text: str | None) -> str:
    """Return an address that a link may lead to, of http or https; else an empty text."""
    try:
        parts = urlsplit(text or "")
    except ValueError:
        return ""
    return (text or "") if parts.scheme in ("http", "https") and parts.netloc else ""
