"""ConceptNet 5: its causal relations, from the released assertions or from a list of effects for each cause.

Speer, Chin and Havasi, "ConceptNet 5.5: An Open Multilingual Graph of General Knowledge", AAAI 2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input
from graph.sources.jsonl import RecordInvalid, SkipTally, json_record, text_field
from graph.text.normalise import concept_name


@dataclass(frozen=True, slots=True)
class CausalRelation:
    """A relation of ConceptNet that bears on causes: what it becomes, with an example and the claim it makes.

    `cause_first` says whether the first of its two terms is the cause.
    """

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
_EXPECTED = 'ConceptNet: lines of CAUSE,["EFFECT", ...] or of its assertions'


def read_conceptnet(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield a statement for each pair, its concepts under their concept names, of the kind "conceptnet".

    Two shapes are known by the first line: `CAUSE,["EFFECT", ...]`, and the released assertions (five values between tabs), of
    which the English ones with one of `CAUSAL_RELATIONS` are read, with their sentence as text. Broken lines are skipped
    and told to `on_skip`; raises the errors of `open_input`, and `FormatUnknown` where no pair is found at all.
    """
    with open_input(path) as stream:
        tally = SkipTally(on_skip)
        read = _statements_of_assertions if stream.peek(3).startswith(b"/a/") else _statements_of_lists
        yield from tally.require_items(read(stream, tally.skip), stream.name, _EXPECTED)


def _statements_of_lists(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    for number, line in stream.lines(on_skip):
        if not line.strip():
            continue
        try:
            cause, effects = _parse_effect_list(line)
            claims = [_claim(_BY_NAME["/r/Causes"], cause, effect) for effect in effects]
        except RecordInvalid as error:
            on_skip(Skipped(f"line {number}", str(error)))
            continue
        for claim in claims:
            yield Statement(claim, Evidence(Source("conceptnet"), rule="conceptnet:Causes"))


def _parse_effect_list(line: str) -> tuple[str, list[str]]:
    """Return the cause and the effects that a line lists."""
    cause, bracket, rest = line.partition(",[")
    if not bracket:
        raise RecordInvalid("no list of effects")
    effects = json_record('{"effects": [' + rest + "}")["effects"]
    if not isinstance(effects, list) or not all(isinstance(effect, str) for effect in effects):
        raise RecordInvalid("an effect that is not text")
    return cause.strip().strip('"'), effects


def _statements_of_assertions(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    for number, line in stream.lines(on_skip):
        values = line.split("\t")
        try:
            if len(values) != 5:
                raise RecordInvalid(f"{len(values)} values, not 5")
            _, name, first, second, details = values
            relation = _BY_NAME.get(name)
            if relation is None or not first.startswith(_ENGLISH) or not second.startswith(_ENGLISH):
                continue
            claim = _claim(relation, _term_words(first), _term_words(second))
            text = text_field(json_record(details), "surfaceText")
        except RecordInvalid as error:
            on_skip(Skipped(f"line {number}", str(error)))
            continue
        surface_text = text.replace("[[", "").replace("]]", "") or None
        yield Statement(claim, Evidence(Source("conceptnet"), rule=f"conceptnet:{relation.name}", text=surface_text))


def _term_words(uri: str) -> str:
    """Return the words of a term such as "/c/en/acute_pain/n"."""
    return uri.removeprefix(_ENGLISH).partition("/")[0]


def _claim(relation: CausalRelation, first: str, second: str) -> Claim:
    names = (concept_name(first), concept_name(second))
    if not all(names):
        raise RecordInvalid(f"no name in '{first}' or '{second}'")
    cause, effect = names if relation.cause_first else names[::-1]
    return Claim(cause, effect, relation.relation)
