"""Which sources speak with authority about health: a table of hosts and kinds, each with its reason."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.normalize import concept_name
from kgqa.model import CitedEvidence


class Authority(NamedTuple):
    """A row of the table: `rank` is higher the more weight it has, 0 for no authority; `why` is the reason."""

    rank: int
    why: str


NO_AUTHORITY = Authority(0, "")


def is_about_subject(citation: CitedEvidence, subjects: frozenset[str] = frozenset()) -> bool:
    """Return whether the title of a source names the cause or the effect of its claim, or one of `subjects` (concept names)."""
    title = concept_name(citation.evidence.source.title.partition(" (")[0])
    return bool(title) and title in {concept_name(citation.claim.cause), concept_name(citation.claim.effect), *subjects}


def source_authority(citation: CitedEvidence, subjects: frozenset[str] = frozenset()) -> Authority:
    """Return with what authority a source speaks about the claim that it is cited for, in an answer about `subjects`."""
    table, source = _authority_table(), citation.evidence.source
    try:
        host = urlsplit(source.url).hostname or ""
    except ValueError:
        host = ""
    labels = host.split(".")
    hosts = (".".join(labels[place:]) for place in range(len(labels)))
    host_authority = next((row for part in hosts if (row := table.get(("host", part))) is not None), None)
    if host_authority is not None:
        return host_authority
    if is_about_subject(citation, subjects):
        return table.get(("about", source.kind), NO_AUTHORITY)
    return table.get(("kind", source.kind), NO_AUTHORITY)


@cache
def _authority_table() -> dict[tuple[str, str], Authority]:
    lines = Path(__file__).parent.joinpath("data/authorities.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith(("#", "what\t")))
    return {(what, name): Authority(int(rank), why) for what, name, rank, why in rows}
