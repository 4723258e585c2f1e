"""Kinds of events: verbs and nouns that tell of the same thing, so that "premiered" answers to "had been released"."""

from __future__ import annotations

from functools import cache

from kgqa.intervention.passages.words import passage_stem

EVENT_KINDS = {
    "release": "release released releases releasing publish published publication premiere premiered "
    "premiering debut debuted launch launched air "
    "aired airing broadcast broadcasted broadcasting issue issued unveil unveiled introduce "
    "introduced introduction screened show shown release theatrical "
    "distributed available single hit came drop dropped",
    "beginning": "open opened opening reopened inaugurate inaugurated inauguration commence "
    "commenced start started starting begin began begun beginning "
    "establish established establishment found founded founding foundation form formed formation "
    "create created creation incorporated "
    "initiated initiate installed introduced adopted adoption launched operational operating service sign signed on",
    "building": "construct constructed construction built build building complete completed completion finish finished erected",
    "ending": "end ended ending conclude concluded close closed closing closure finish finished "
    "cease ceased expire expired disband disbanded "
    "retire retired retirement dissolve dissolved until discontinued last final dismantled dismantling",
    "birth": "born birth birthday",
    "death": "die died death killed deceased passed assassinated",
    "discovery": "discover discovered discovery invent invented invention develop developed development designed found patented",
    "play": "play played match held hold take took place happened occur occurred event contested",
    "joining": "join joined signed hire hired appointed elected election became become took entered "
    "enter arrived moved immigrated married wedding wed",
    "law": "enacted act passed signed law implemented implementation mandated ratified",
    "writing": "write wrote written composed recorded record produced production filmed filming shot",
}
"""The words of each kind."""


@cache
def _event_kinds_by_stem() -> dict[str, frozenset[str]]:
    kinds: dict[str, set[str]] = {}
    for kind, word_list in EVENT_KINDS.items():
        for word in word_list.split():
            kinds.setdefault(passage_stem(word), set()).add(kind)
    return {word: frozenset(of) for word, of in kinds.items()}


def event_kinds_of(stemmed: str) -> frozenset[str]:
    """Return the kinds of event that a stem tells of; none for most words."""
    return _event_kinds_by_stem().get(stemmed, frozenset())
