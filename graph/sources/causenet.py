"""CauseNet: causal relations with the sentences, lists and infoboxes that they were extracted from.

Heindorf et al., "CauseNet: Towards a Causality Graph Extracted from the Web", CIKM 2020. The full graph and CauseNet-Precision
are JSON lines, CauseNet-Sample is one JSON array without sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.model import Claim, Evidence, Source, Statement
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, read_items
from graph.sources.jsonl import Record, RecordInvalid, json_records, object_field, text_field
from graph.text.normalise import surface_name

_WIKIPEDIA = "https://en.wikipedia.org/?curid="
_PART_OF_SPEECH = re.compile(r"/[A-Z$.,:`']+$")


def read_causenet(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield one statement for each source of each relation, in the order of the file; all assert, in the word "causes".

    Concepts keep CauseNet's own names, with spaces for underscores. A relation without sources gives one statement of the kind
    "causenet" without text. Broken lines and sources are skipped and reported to `on_skip`; raises the errors of `read_items`.
    """
    return read_items(path, _statements, "CauseNet (JSON lines or a JSON array)", on_skip)


def shorten_path_pattern(path_pattern: str) -> str:
    """Return a path without tags: "cause -nsubj lead +nmod:to effect" of "[[cause]]/N -nsubj lead/VBP +nmod:to [[effect]]/N"."""
    steps = (_PART_OF_SPEECH.sub("", step) for step in path_pattern.split())
    return " ".join(step.removeprefix("[[").removesuffix("]]") for step in steps)


def _statements(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    for place, record in json_records(stream, on_skip):
        try:
            relation = object_field(record, "causal_relation")
            claim = Claim(_concept_name(relation, "cause"), _concept_name(relation, "effect"))
            sources = [] if record.get("sources") is None else record["sources"]
            if not isinstance(sources, list):
                raise RecordInvalid("'sources' is not a list")
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))
            continue
        if not sources:
            yield Statement(claim, Evidence(Source("causenet"), rule="causenet"))
        for number, source in enumerate(sources, 1):
            try:
                evidence = _evidence_of_source(source)
            except RecordInvalid as error:
                on_skip(Skipped(f"{place}, source {number}", str(error)))
                continue
            yield Statement(claim, evidence)


def _concept_name(relation: Record, role: str) -> str:
    name = surface_name(text_field(object_field(relation, role), "concept"))
    if not name:
        raise RecordInvalid(f"the {role} has no name")
    return name


def _evidence_of_source(record: object) -> Evidence:
    if not isinstance(record, dict):
        raise RecordInvalid("not a JSON object")
    kind = text_field(record, "type")
    payload = object_field(record, "payload")
    if not kind:
        raise RecordInvalid("no 'type'")
    source, rule, section = Source("causenet"), f"causenet:{kind}", ""
    if kind == "clueweb12_sentence":
        page, url = text_field(payload, "clueweb12_page_id"), text_field(payload, "clueweb12_page_reference")
        source = Source("clueweb12", page_id=page, url=url)
    elif kind in ("wikipedia_sentence", "wikipedia_list", "wikipedia_infobox"):
        page, title, revision = (text_field(payload, f"wikipedia_{name}") for name in ("page_id", "page_title", "revision_id"))
        source = Source("wikipedia", title, page, revision, _WIKIPEDIA + page if page else "")
    text = text_field(payload, "sentence") or None
    if kind in ("clueweb12_sentence", "wikipedia_sentence"):
        pattern = shorten_path_pattern(text_field(payload, "path_pattern"))
        if text is None:
            raise RecordInvalid("no 'sentence'")
        rule, section = f"causenet:{pattern}" if pattern else "causenet", text_field(payload, "sentence_section_heading")
    elif kind == "wikipedia_list":
        rule, section = "causenet:list", text_field(payload, "list_toc_section_heading")
    elif kind == "wikipedia_infobox":
        rule = "causenet:infobox"
        section = " ".join(filter(None, (text_field(payload, "infobox_template"), text_field(payload, "infobox_argument"))))
    return Evidence(source, rule=rule, text=text, section=section)
