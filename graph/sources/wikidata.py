"""Causal statements of Wikidata, read from a SPARQL endpoint page by page; `wikidata.toml` has the properties that are read."""

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
from graph.sources.article import Skipped
from graph.sources.input_stream import OnSkip
from graph.text.normalise import concept_name

ResultRow = Mapping[str, str]
SelectQuery = Callable[[str], Sequence[ResultRow]]
"""Answers a query with its rows, as `graph.net.sparql_endpoint.SparqlEndpoint.select` does."""

_ENTITY = re.compile(r"https?://www\.wikidata\.org/entity/(Q[1-9]\d*)")
_PAGE = "https://www.wikidata.org/wiki/"
_DEPRECATED = "http://wikiba.se/ontology#DeprecatedRank"


@dataclass(frozen=True, slots=True)
class WikidataProperty:
    """A property of Wikidata and the claim that its statements make; `cause` is "item" or "value"."""

    id: str
    label: str
    cause: str
    relation: Relation
    strength: Strength
    example: tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class WikidataTable:
    """What `wikidata.toml` says."""

    endpoint: str
    items_a_page: int
    names_a_page: int
    properties: tuple[WikidataProperty, ...]
    doubts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WikidataPage:
    """What the next items say by one property; `last` is the number of the last of them, where a later page begins."""

    property: str
    last: int
    statements: Sequence[Statement]
    aliases: Sequence[Alias]


@dataclass(slots=True)
class _StatementRecord:
    item: str
    value: str
    rank: str
    doubted: bool = False
    urls: dict[str, None] = field(default_factory=dict)
    works: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ItemNames:
    # English names by item
    labels: dict[str, str] = field(default_factory=dict)
    alternatives: dict[str, list[str]] = field(default_factory=dict)


@cache
def wikidata_table() -> WikidataTable:
    """Return the table of properties, read once."""
    data = tomllib.loads(_read_data_file("wikidata.toml"))
    for row in data["property"]:
        row |= {"relation": Relation(row["relation"]), "strength": Strength(row["strength"]), "example": tuple(row["example"])}
    properties = tuple(WikidataProperty(**row) for row in data.pop("property"))
    return WikidataTable(properties=properties, **data)


def read_wikidata_pages(
    select: SelectQuery, done: Callable[[str], int], on_skip: OnSkip, size: int | None = None
) -> Iterator[WikidataPage]:
    """Yield page by page what is said by each property of the table.

    `done` returns the item behind which a property is continued, 0 for the start. Items without an English name, and statements
    whose value is unknown, are skipped and reported to `on_skip`; deprecated ones are left out. Raises what `select` raises.
    """
    for prop in wikidata_table().properties:
        after, limit = done(prop.id), size or wikidata_table().items_a_page
        while True:
            rows = select(_query_template("statements").substitute(property=prop.id, after=after, limit=limit))
            if not rows:
                break
            after = max(int(row["number"]) for row in rows)
            records = _group_rows(rows)
            names = _query_names(select, records)
            statements = [statement for record in records if (statement := _statement_of_record(prop, record, names, on_skip))]
            yield WikidataPage(prop.id, after, statements, _aliases_of_concepts(statements, names))
            if len({row["number"] for row in rows}) < limit:
                break


def _group_rows(rows: Iterable[ResultRow]) -> list[_StatementRecord]:
    records: dict[str, _StatementRecord] = {}
    for row in rows:
        item, value = _item_id(row["item"]), _item_id(row["value"])
        record = records.setdefault(row["statement"], _StatementRecord(item, value, row["rank"]))
        record.doubted = record.doubted or "disputer" in row or _item_id(row.get("doubt", "")) in wikidata_table().doubts
        if "url" in row:
            record.urls[row["url"]] = None
        if work := _item_id(row.get("work", "")):
            record.works[work] = None
    return [record for record in records.values() if record.rank != _DEPRECATED]


def _query_names(select: SelectQuery, records: Iterable[_StatementRecord]) -> _ItemNames:
    names = _ItemNames()
    items = iter(dict.fromkeys(item for record in records for item in (record.item, record.value, *record.works) if item))
    while batch := list(islice(items, wikidata_table().names_a_page)):
        query = _query_template("names").substitute(items=" ".join(f"wd:{item}" for item in batch))
        # "en" comes after "mul", and is the better one.
        for row in sorted(select(query), key=lambda row: (row["language"] == "en", row["name"])):
            item = _item_id(row["item"])
            if row["kind"] == "label":
                names.labels[item] = row["name"]
            else:
                names.alternatives.setdefault(item, []).append(row["name"])
    return names


def _statement_of_record(
    prop: WikidataProperty, record: _StatementRecord, names: _ItemNames, on_skip: OnSkip
) -> Statement | None:
    title, value = names.labels.get(record.item, ""), names.labels.get(record.value, "")
    ends = (concept_name(title), concept_name(value))
    skipped = None
    if not record.value:
        skipped = Skipped(f"{record.item} {prop.id}", "its value is no item")
    elif not all(ends):
        skipped = Skipped(record.value if ends[0] else record.item, "no English name")
    elif ends[0] == ends[1]:
        skipped = Skipped(record.item, f"'{ends[0]}' as a cause of itself")
    if skipped is not None:
        on_skip(skipped)
        return None
    cause, effect = ends if prop.cause == "item" else ends[::-1]
    works = [names.labels.get(work, work) for work in record.works]
    evidence = Evidence(
        Source("wikidata", title, record.item, url=_PAGE + record.item),
        Stance.HEDGED if record.doubted else Stance.ASSERTED,
        prop.strength,
        f"wikidata:{prop.id}",
        f"{title}, {prop.label}: {value}",
        prop.label,
        context=tuple(("attribution", reference) for reference in sorted({*works, *record.urls})),
    )
    return Statement(Claim(cause, effect, prop.relation), evidence)


def _aliases_of_concepts(statements: Iterable[Statement], names: _ItemNames) -> list[Alias]:
    concepts = {end for statement in statements for end in (statement.claim.cause, statement.claim.effect)}
    aliases: dict[Alias, None] = {}
    for item, label in names.labels.items():
        concept = concept_name(label)
        for alternative in names.alternatives.get(item, ()):
            alias = concept_name(alternative)
            if concept in concepts and alias and alias != concept:
                aliases[Alias(alias, concept)] = None
    return list(aliases)


def _item_id(address: str) -> str:
    """Return the id of an item, such as Q1; empty for anything else, such as a value that nobody knows."""
    match = _ENTITY.fullmatch(address)
    return match[1] if match else ""


@cache
def _query_template(name: str) -> Template:
    return Template(_read_data_file(f"wikidata-{name}.rq"))


def _read_data_file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
