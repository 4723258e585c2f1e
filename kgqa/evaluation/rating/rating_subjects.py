"""What there is to rate: answers of systems to the same questions, claims and chains drawn from graphs or read from samples."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path as FilePath
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.belief.curation import CURATION
from graph.model import Claim, Edge, Evidence, Path, Polarity, Relation, Stance, Strength
from graph.protocols import GraphStore
from graph.sources.article import Skipped
from graph.sources.input_stream import open_input
from graph.sources.jsonl import Record, RecordInvalid, enum_field, json_records, text_field
from graph.topology import DRIVING_LINKS
from kgqa.errors import RatingsInvalid
from kgqa.evaluation.rating.rating_sheet import RatedSubject
from kgqa.wording.claim_clauses import chain_clause, claim_clause

REFERENCE = "reference"
"""The name of the run whose texts are the reference."""
NOTHING = "(no answer)"
_ANSWER_FIELDS = ("sentence", "prediction", "answer", "verdict", "presupposition")
_NO_SAMPLE = "neither a claim nor a chain"
_WALKS = 100
"""After how many walks for each wanted chain a graph has no more of them."""


class RatedRun(NamedTuple):
    """Outputs of a system: its name, and the file or the graph that they are in."""

    name: str
    address: str


def named_run(text: str) -> RatedRun:
    """Return the run of "NAME=FILE" or "FILE"; without a name it has that of the file, or that of the folder of predictions."""
    name, equals, address = text.partition("=")
    if equals and name and "/" not in name:
        return RatedRun(name, address)
    path = FilePath(text)
    if path.is_dir():
        return RatedRun(path.name, str(path / "predictions.jsonl"))
    return RatedRun(path.parent.name if path.name == "predictions.jsonl" and path.parent.name else path.name.split(".")[0], text)


def answer_subjects(runs: Sequence[RatedRun], *, shows_reference: bool) -> list[RatedSubject]:
    """Return the questions that every run answers, with what each says, and the reference: as one more output, or as a note.

    A line is one of `kgqa ask --batch`, of `predictions.jsonl`, or {"id", "question", "answer"}; the reference is the run of
    that name, else the field `gold`. Raises `RatingsInvalid`.
    """
    read = {run.name: _read_answers(run) for run in runs}
    if len(read) < len(runs):
        raise RatingsInvalid(runs[0].address, "two runs have the same name; write NAME=FILE")
    given = {name: texts for name, (texts, _, _) in read.items()}
    questions = {name: question for _, headings, _ in read.values() for name, question in headings.items()}
    golds = given.pop(REFERENCE, None) or {name: gold for _, _, golds in read.values() for name, gold in golds.items()}
    shared = [name for name in next(iter(given.values()), {}) if all(name in texts for texts in given.values())]
    if not shared:
        raise RatingsInvalid(runs[0].address, "no id is answered by every run")
    subjects = []
    for name in shared:
        texts = {system: texts[name] for system, texts in given.items()}
        gold = golds.get(name, "")
        if gold and not shows_reference:
            texts[REFERENCE] = gold
        notes = (f"Reference: {gold}",) if gold and shows_reference else ()
        subjects.append(RatedSubject(name, questions.get(name, name), texts, notes))
    return subjects


def _read_answers(run: RatedRun) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the answers of a run, the questions and the references, by id."""
    texts: dict[str, str] = {}
    questions: dict[str, str] = {}
    golds: dict[str, str] = {}
    for place, record in _records(run.address):
        name = text_field(record, "id")
        field = next((field for field in _ANSWER_FIELDS if field in record), None)
        if not name or field is None or name in texts:
            raise RatingsInvalid(f"{run.address}, {place}", "no id, no answer, or an id for the second time")
        parts = (text_field(record, part) for part in (field, "correction"))
        texts[name] = " / ".join(filter(None, parts)) or NOTHING
        questions[name] = text_field(record, "question") or name
        gold = record.get("gold")
        if isinstance(gold, list) and gold:
            golds[name] = str(gold[0])
    return texts, questions, golds


def _records(address: str) -> Iterator[tuple[str, Record]]:
    with open_input(address) as stream:
        yield from json_records(stream, partial(_refuse, address))


def _refuse(address: str, skipped: Skipped) -> None:
    raise RatingsInvalid(f"{address}, {skipped.where}", skipped.why)


def sample_subjects(run: RatedRun) -> list[RatedSubject]:
    """Return the claims or chains of a sample, in the lines of scripts/judge/sample_claims.py and sample_paths.py.

    Raises `RatingsInvalid` for a line that is neither.
    """
    subjects = []
    for place, record in _records(run.address):
        try:
            subjects.append(_sampled_claim(record, run.name) if "cause" in record else _sampled_chain(record, run.name))
        except (RecordInvalid, KeyError, TypeError) as error:
            raise RatingsInvalid(f"{run.address}, {place}", f"{_NO_SAMPLE}: {error}") from None
    return subjects


def _sampled_claim(record: Record, system: str) -> RatedSubject:
    relation, polarity = enum_field(record, "relation", Relation.CAUSES), enum_field(record, "polarity", Polarity.NONE)
    claim = Claim(text_field(record, "cause"), text_field(record, "effect"), relation, polarity)
    note = _quoted(text_field(record, "title"), text_field(record, "sentence", "text"))
    return _claim_subject(
        claim, enum_field(record, "stance", Stance.ASSERTED), Strength.CAUSES, note, system, text_field(record, "hash")
    )


def _sampled_chain(record: Record, system: str) -> RatedSubject:
    steps = [step for step in record["steps"] if isinstance(step, dict)]  # type: ignore[attr-defined]
    clauses = [f"{step['cause']} {step['verb']} {step['effect']}" for step in steps]
    notes = tuple(sentence for step in steps for sentence in step["sentences"][:1])
    return RatedSubject(
        text_field(record, "id"), f"{steps[0]['cause']} → {steps[-1]['effect']}", {system: "; ".join(clauses)}, notes
    )


def graph_claims(store: GraphStore, system: str, number: int, seed: int) -> Iterator[RatedSubject]:
    """Yield at most `number` records that assert, deny or hedge a claim of a graph, drawn by a seed."""
    stances = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)
    statements = [
        item for item in store.statements() if item.evidence.stance in stances and item.evidence.source.kind != CURATION
    ]
    statements.sort(key=lambda statement: statement.evidence.hash(statement.claim))
    for claim, record in (
        (item.claim, item.evidence) for item in random.Random(seed).sample(statements, min(number, len(statements)))
    ):
        note = _quoted(record.source.title or record.source.kind, record.text or record.source.url)
        yield _claim_subject(claim, record.stance, record.strength, note, system, record.hash(claim))


def _claim_subject(claim: Claim, stance: Stance, strength: Strength, note: str, system: str, name: str) -> RatedSubject:
    clause = claim_clause(Edge(claim, 1.0, support=1, strength=strength))
    return RatedSubject(name, f"{claim.cause} → {claim.effect}", {system: f"{clause} ({stance})"}, (note,), claim)


def _quoted(title: str, text: str) -> str:
    return f"({title}) {text}".strip() if title else text


def random_chains(store: GraphStore, chance: random.Random) -> Iterator[Path | None]:
    """Yield the best chain from the cause of a random claim to what a random walk of two or three steps leads to, without end.

    `None` stands for a walk that leads to nothing new, or to what a single claim joins with its start.
    """
    edges = sorted((edge for edge in store.edges() if DRIVING_LINKS.allow(edge)), key=lambda edge: edge.claim.hash)
    while edges:
        start = chance.choice(edges)
        place = start.effect
        for _ in range(chance.choice((1, 1, 2))):
            onward = sorted(filter(DRIVING_LINKS.allow, store.effects(place)), key=lambda edge: edge.claim.hash)
            if not onward:
                break
            place = chance.choice(onward).effect
        chains = () if place in (start.cause, start.effect) else best_paths(store, [start.cause], [place], 3, 1, DRIVING_LINKS)
        yield chains[0] if chains and len(chains[0].edges) > 1 else None


def graph_chains(store: GraphStore, system: str, number: int, seed: int) -> Iterator[RatedSubject]:
    """Yield at most `number` chains of a graph, each once, drawn by a seed."""
    seen: set[Path] = set()
    for chain in islice(random_chains(store, random.Random(seed)), _WALKS * number):
        if chain is not None and chain not in seen and len(seen) < number:
            seen.add(chain)
            notes = tuple(filter(None, (_step_note(store.evidence(edge.claim)) for edge in chain.edges)))
            name = "-".join(edge.claim.hash for edge in chain.edges)
            yield RatedSubject(name, f"{chain.concepts[0]} → {chain.concepts[-1]}", {system: chain_clause(chain)}, notes)


def _step_note(records: Iterable[Evidence]) -> str:
    asserting = [record for record in records if record.stance is Stance.ASSERTED]
    record = next((record for record in asserting if record.text), asserting[0] if asserting else None)
    return "" if record is None else _quoted(record.source.title or record.source.kind, record.text or record.source.url)
