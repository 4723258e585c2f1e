"""Causal statements of Wikidata, read from a SPARQL endpoint page by page.

Which properties are read, and how, stands in `wikidata.toml`. The queries are plain SPARQL 1.1, so that any server with data in
Wikidata's shape will do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from string import Template

from graph.model import Alias, Claim, Evidence, Relation, Source, Stance, Statement, Strength
from graph.normalize import concept_name
from graph.sources.article import Skipped
from graph.sources.streams import OnSkip

Row = Mapping[str, str]
Select = Callable[[str], Sequence[Row]]
"""Answers a query with its rows, as `graph.sources.sparql.Endpoint.select` does."""

_ENTITY = re.compile(r"https?://www\.wikidata\.org/entity/(Q[1-9]\d*)")
_PAGE = "https://www.wikidata.org/wiki/"
_DEPRECATED = "http://wikiba.se/ontology#DeprecatedRank"


@dataclass(frozen=True, slots=True)
class Property:
    """A property of Wikidata and the claim that its statements make; `cause` is "item" or "value"."""

    id: str
    label: str
    cause: str
    relation: Relation
    strength: Strength
    example: tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """What `wikidata.toml` says."""

    endpoint: str
    items_a_page: int
    names_a_page: int
    properties: tuple[Property, ...]
    doubts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Page:
    """What the next items say by one property; `last` is the number of the last of them, where a later page begins."""

    property: str
    last: int
    statements: Sequence[Statement]
    aliases: Sequence[Alias]


@dataclass(slots=True)
class _Found:
    """A statement of Wikidata, gathered from its rows."""

    item: str
    value: str
    rank: str
    doubted: bool = False
    urls: dict[str, None] = field(default_factory=dict)
    works: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Names:
    """The English names of items: a label, and others."""

    labels: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)


@cache
def table() -> Table:
    """Return the table of properties, read once."""
    data = tomllib.loads(_beside("wikidata.toml"))
    properties = (
        Property(
            row["id"], row["label"], row["cause"], Relation(row["relation"]), Strength(row["strength"]), tuple(row["example"])
        )
        for row in data["property"]
    )
    return Table(data["endpoint"], data["items_a_page"], data["names_a_page"], tuple(properties), data["doubts"])


def pages(select: Select, done: Callable[[str], int], on_skip: OnSkip, size: int | None = None) -> Iterator[Page]:
    """Yield page by page what is said by each property of the table.

    `done` tells behind which item to go on with a property, 0 from the start. Items without an English name, and statements
    whose value is unknown, are skipped and told to `on_skip`; deprecated statements are left out. Raises what `select` raises.
    """
    for prop in table().properties:
        after, limit = done(prop.id), size or table().items_a_page
        while True:
            query = _query("statements").substitute(property=prop.id, after=after, limit=limit)
            rows = select(query)
            if not rows:
                break
            after = max(int(row["number"]) for row in rows)
            found = _found(rows)
            names = _names(select, found)
            statements = [statement for one in found if (statement := _statement(prop, one, names, on_skip))]
            yield Page(prop.id, after, statements, _aliases(statements, names))
            if len({row["number"] for row in rows}) < limit:
                break


def _found(rows: Iterable[Row]) -> list[_Found]:
    """Return the statements that rows are about, without deprecated ones."""
    found: dict[str, _Found] = {}
    for row in rows:
        one = found.setdefault(row["statement"], _Found(_item(row["item"]), _item(row["value"]), row["rank"]))
        one.doubted = one.doubted or "disputer" in row or _item(row.get("doubt", "")) in table().doubts
        if "url" in row:
            one.urls[row["url"]] = None
        if work := _item(row.get("work", "")):
            one.works[work] = None
    return [one for one in found.values() if one.rank != _DEPRECATED]


def _names(select: Select, found: Iterable[_Found]) -> _Names:
    """Return the names of all items that statements are about or refer to."""
    names = _Names()
    items = iter(dict.fromkeys(item for one in found for item in (one.item, one.value, *one.works) if item))
    while batch := list(islice(items, table().names_a_page)):
        query = _query("names").substitute(items=" ".join(f"wd:{item}" for item in batch))
        # "en" comes after "mul", and is the better one.
        for row in sorted(select(query), key=lambda row: (row["language"] == "en", row["name"])):
            item = _item(row["item"])
            if row["kind"] == "label":
                names.labels[item] = row["name"]
            else:
                names.others.setdefault(item, []).append(row["name"])
    return names


def _statement(prop: Property, found: _Found, names: _Names, on_skip: OnSkip) -> Statement | None:
    """Return what a statement claims, `None` where one of its ends has no English name."""
    if not found.value:
        on_skip(Skipped(f"{found.item} {prop.id}", "its value is no item"))
        return None
    for item in (found.item, found.value):
        if not concept_name(names.labels.get(item, "")):
            on_skip(Skipped(item, "no English name"))
            return None
    title, value = names.labels[found.item], names.labels[found.value]
    ends = (concept_name(title), concept_name(value))
    if ends[0] == ends[1]:
        on_skip(Skipped(found.item, f"'{ends[0]}' as a cause of itself"))
        return None
    cause, effect = ends if prop.cause == "item" else ends[::-1]
    works = [names.labels.get(work, work) for work in found.works]
    evidence = Evidence(
        Source("wikidata", title, found.item, url=_PAGE + found.item),
        Stance.HEDGED if found.doubted else Stance.ASSERTED,
        prop.strength,
        f"wikidata:{prop.id}",
        f"{title}, {prop.label}: {value}",
        prop.label,
        context=tuple(("attribution", reference) for reference in sorted({*works, *found.urls})),
    )
    return Statement(Claim(cause, effect, prop.relation), evidence)


def _aliases(statements: Iterable[Statement], names: _Names) -> list[Alias]:
    """Return the other English names of the concepts of statements."""
    concepts = {end for statement in statements for end in (statement.claim.cause, statement.claim.effect)}
    aliases: dict[Alias, None] = {}
    for item, label in names.labels.items():
        concept = concept_name(label)
        for other in names.others.get(item, ()):
            alias = concept_name(other)
            if concept in concepts and alias and alias != concept:
                aliases[Alias(alias, concept)] = None
    return list(aliases)


def _item(address: str) -> str:
    """Return the id of an item, such as Q1; empty for anything else, such as a value that nobody knows."""
    match = _ENTITY.fullmatch(address)
    return match[1] if match else ""


@cache
def _query(name: str) -> Template:
    return Template(_beside(f"wikidata-{name}.rq"))


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
