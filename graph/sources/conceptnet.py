"""ConceptNet 5: its causal relations, from the released assertions or from a list of effects for each cause.

Speer, Chin and Havasi, "ConceptNet 5.5: An Open Multilingual Graph of General Knowledge", AAAI 2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, read_items
from graph.sources.jsonl import RecordInvalid, json_record, parse_records, text_field
from graph.text.normalise import concept_name


@dataclass(frozen=True, slots=True)
class CausalRelation:
    """A causal relation of ConceptNet, with an example and its claim; `cause_first` says whether the first term is the cause."""

    name: str
    relation: Relation
    cause_first: bool
    example: tuple[str, str]
    claim: Claim


CAUSAL_RELATIONS = (
    CausalRelation("Causes", Relation.CAUSES, True, ("virus", "disease"), Claim("virus", "disease")),
    CausalRelation("CausesDesire", Relation.MOTIVATES, True, ("hunger", "eat"), Claim("hunger", "eat", Relation.MOTIVATES)),
    CausalRelation("MotivatedByGoal", Relation.MOTIVATES, False, ("compete", "win"), Claim("win", "compete", Relation.MOTIVATES)),
    CausalRelation("HasPrerequisite", Relation.ENABLES, False, ("dream", "sleep"), Claim("sleep", "dream", Relation.ENABLES)),
    CausalRelation("ObstructedBy", Relation.PREVENTS, False, ("sleep", "noise"), Claim("noise", "sleep", Relation.PREVENTS)),
    CausalRelation("UsedFor", Relation.IS_FOR, True, ("bridge", "cross water"), Claim("bridge", "cross water", Relation.IS_FOR)),
)
"""The relations that are read from the assertions; all others say nothing of causes."""

_BY_NAME = {f"/r/{relation.name}": relation for relation in CAUSAL_RELATIONS}
_ENGLISH = "/c/en/"


def read_conceptnet(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield a statement for each pair, its concepts under their concept names, of the kind "conceptnet".

    The first line tells the shape: `CAUSE,["EFFECT", ...]`, or the released assertions (five values between tabs), of which the
    English ones with one of `CAUSAL_RELATIONS` are read, with their sentence. Raises the errors of `read_items`.
    """
    return read_items(path, _statements, 'ConceptNet: lines of CAUSE,["EFFECT", ...] or of its assertions', on_skip)


def _statements(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    parse = _statements_of_assertion if stream.peek(3).startswith(b"/a/") else _statements_of_list
    lines = ((f"line {number}", line) for number, line in stream.lines(on_skip))
    return chain.from_iterable(parse_records(lines, parse, on_skip))


def _statements_of_list(line: str, _: str) -> list[Statement]:
    if not line.strip():
        return []
    cause, bracket, rest = line.partition(",[")
    if not bracket:
        raise RecordInvalid("no list of effects")
    effects = json_record('{"effects": [' + rest + "}")["effects"]
    if not isinstance(effects, list) or not all(isinstance(effect, str) for effect in effects):
        raise RecordInvalid("an effect that is not text")
    claims = [_claim(_BY_NAME["/r/Causes"], cause.strip().strip('"'), effect) for effect in effects]
    return [Statement(claim, Evidence(Source("conceptnet"), rule="conceptnet:Causes")) for claim in claims]


def _statements_of_assertion(line: str, _: str) -> list[Statement]:
    values = line.split("\t")
    if len(values) != 5:
        raise RecordInvalid(f"{len(values)} values, not 5")
    _, name, first, second, details = values
    relation = _BY_NAME.get(name)
    if relation is None or not first.startswith(_ENGLISH) or not second.startswith(_ENGLISH):
        return []
    # The words of a term such as "/c/en/acute_pain/n" end at the next slash.
    first_words, second_words = (term.removeprefix(_ENGLISH).partition("/")[0] for term in (first, second))
    claim = _claim(relation, first_words, second_words)
    text = text_field(json_record(details), "surfaceText").replace("[[", "").replace("]]", "") or None
    return [Statement(claim, Evidence(Source("conceptnet"), rule=f"conceptnet:{relation.name}", text=text))]


def _claim(relation: CausalRelation, first: str, second: str) -> Claim:
    names = (concept_name(first), concept_name(second))
    if not all(names):
        raise RecordInvalid(f"no name in '{first}' or '{second}'")
    cause, effect = names if relation.cause_first else names[::-1]
    return Claim(cause, effect, relation.relation)
