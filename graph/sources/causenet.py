"""CauseNet: causal relations with the sentences, lists and infoboxes that they were extracted from.

Heindorf, Scholten, Wachsmuth, Ngonga Ngomo and Potthast, "CauseNet: Towards a Causality Graph Extracted from the Web", CIKM
2020. The full graph and CauseNet-Precision are JSON lines, CauseNet-Sample is one JSON array without sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.model import Claim, Evidence, Source, Statement
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input
from graph.sources.jsonl import Record, RecordInvalid, SkipTally, json_records, object_field, text_field
from graph.text.normalise import surface_name

_WIKIPEDIA = "https://en.wikipedia.org/?curid="
_PART_OF_SPEECH = re.compile(r"/[A-Z$.,:`']+$")


def read_causenet(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield one statement for each source of each relation, in the order of the file; all assert, in the word "causes".

    Concepts keep CauseNet's own names, with spaces for underscores, so that the graph has as many of them as the file. A
    relation without sources gives one statement of the kind "causenet" without text. Broken lines and sources are skipped
    and told to `on_skip`; raises the errors of `open_input`, and `FormatUnknown` where no relation is found at all.
    """
    with open_input(path) as stream:
        tally = SkipTally(on_skip)
        yield from tally.require_items(_statements(stream, tally.skip), stream.name, "CauseNet (JSON lines or a JSON array)")


def shorten_path_pattern(path_pattern: str) -> str:
    """Return a dependency path of CauseNet without its parts of speech, with spaces for its tabs.

    "[[cause]]/N -nsubj lead/VBP +nmod:to [[effect]]/N" becomes "cause -nsubj lead +nmod:to effect".
    """
    steps = (_PART_OF_SPEECH.sub("", step) for step in path_pattern.split())
    return " ".join(step.removeprefix("[[").removesuffix("]]") for step in steps)


def _statements(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    for place, record in json_records(stream, on_skip):
        try:
            claim = _claim_of_relation(record)
            sources = _sources(record)
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


def _claim_of_relation(record: Record) -> Claim:
    relation = object_field(record, "causal_relation")
    return Claim(_concept(relation, "cause"), _concept(relation, "effect"))


def _concept(relation: Record, role: str) -> str:
    name = surface_name(text_field(object_field(relation, role), "concept"))
    if not name:
        raise RecordInvalid(f"the {role} has no name")
    return name


def _sources(record: Record) -> list[object]:
    sources = record.get("sources")
    if sources is None:
        return []
    if not isinstance(sources, list):
        raise RecordInvalid("'sources' is not a list")
    return sources


def _evidence_of_source(source: object) -> Evidence:
    """Return the evidence that one of a relation's sources gives."""
    if not isinstance(source, dict):
        raise RecordInvalid("not a JSON object")
    kind = text_field(source, "type")
    payload = object_field(source, "payload")
    match kind:
        case "clueweb12_sentence":
            page = text_field(payload, "clueweb12_page_id")
            origin = Source("clueweb12", page_id=page, url=text_field(payload, "clueweb12_page_reference"))
            return _sentence_evidence(origin, payload)
        case "wikipedia_sentence":
            return _sentence_evidence(_wikipedia_source(payload), payload)
        case "wikipedia_list":
            section = text_field(payload, "list_toc_section_heading")
            return Evidence(_wikipedia_source(payload), rule="causenet:list", text=_sentence_text(payload), section=section)
        case "wikipedia_infobox":
            section = " ".join(filter(None, (text_field(payload, "infobox_template"), text_field(payload, "infobox_argument"))))
            return Evidence(_wikipedia_source(payload), rule="causenet:infobox", text=_sentence_text(payload), section=section)
        case "":
            raise RecordInvalid("no 'type'")
        case _:
            return Evidence(Source("causenet"), rule=f"causenet:{kind}", text=_sentence_text(payload))


def _sentence_evidence(source: Source, payload: Record) -> Evidence:
    pattern = shorten_path_pattern(text_field(payload, "path_pattern"))
    text = _sentence_text(payload)
    if text is None:
        raise RecordInvalid("no 'sentence'")
    section = text_field(payload, "sentence_section_heading")
    return Evidence(source, rule=f"causenet:{pattern}" if pattern else "causenet", text=text, section=section)


def _sentence_text(payload: Record) -> str | None:
    return text_field(payload, "sentence") or None


def _wikipedia_source(payload: Record) -> Source:
    page = text_field(payload, "wikipedia_page_id")
    title = text_field(payload, "wikipedia_page_title")
    revision = text_field(payload, "wikipedia_revision_id")
    return Source("wikipedia", title, page, revision, _WIKIPEDIA + page if page else "")
