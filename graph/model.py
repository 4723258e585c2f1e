"""The parts of a causal graph: concepts, claims, the evidence for and against them, edges and paths.

A claim states that one concept affects another; an evidence record is one sentence, list item or table row that asserts, denies
or doubts it. Both have a stable hash of their content, so that loading a record twice changes nothing. Belief and support follow
from the evidence and are never part of a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import hashlib


class Relation(StrEnum):
    """How a cause affects an effect."""

    CAUSES = "causes"
    ENABLES = "enables"
    PREVENTS = "prevents"
    MOTIVATES = "motivates"
    IS_FOR = "is-for"
    ASSOCIATED = "associated"


class Polarity(StrEnum):
    """Whether more of the cause makes more or less of the effect; `NONE` if the sentence does not say."""

    INCREASES = "increases"
    DECREASES = "decreases"
    NONE = "none"


class Strength(StrEnum):
    """The strength of causal wording, strongest first; answers use the same words."""

    CAUSES = "causes"
    LEADS_TO = "leads to"
    CONTRIBUTES_TO = "contributes to"
    RISK_FACTOR = "risk factor for"
    ASSOCIATED = "associated with"

    @property
    def rank(self) -> int:
        """The position among the strengths: 0 is the strongest wording."""
        return _STRENGTHS.index(self)


_STRENGTHS = tuple(Strength)


class Stance(StrEnum):
    """What a sentence does with a claim."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    HEDGED = "hedged"
    QUESTIONED = "questioned"
    HYPOTHETICAL = "hypothetical"


@cache
def _blake2b() -> Callable[..., hashlib.blake2b]:
    # Its import takes as long as that of everything else that a question needs; most questions hash nothing.
    import hashlib

    return hashlib.blake2b


def stable_hash(parts: Iterable[str]) -> str:
    """Return 32 hexadecimal digits that depend on `parts` alone (BLAKE2b, 128 bits).

    Each part is preceded by its length, so that no two different sequences share their bytes.
    """
    digest = _blake2b()(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


class _Plain:
    """A dataclass that a notebook shows as its `str`, not with every field."""

    __slots__ = ()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


@dataclass(frozen=True, slots=True)
class Concept:
    """A node of the graph: its normalised name and the other names that lead to it."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim(_Plain):
    """The claim that `cause` affects `effect`; the direction is part of it."""

    cause: str
    effect: str
    relation: Relation = Relation.CAUSES
    polarity: Polarity = Polarity.NONE

    def __str__(self) -> str:
        polarity = "" if self.polarity is Polarity.NONE else f", {self.polarity}"
        return f"{self.cause} -[{self.relation}{polarity}]-> {self.effect}"

    @property
    def hash(self) -> str:
        """The identity of the claim: 32 hexadecimal digits."""
        return _claim_hash(self.cause, self.relation, self.polarity, self.effect)


@lru_cache(maxsize=1 << 15)
def _claim_hash(cause: str, relation: str, polarity: str, effect: str) -> str:
    # Needed for the claim and for each of its records, soon after one another.
    return stable_hash((cause, relation, polarity, effect))


@dataclass(frozen=True, slots=True)
class Source:
    """The source of evidence: `kind` is "wikipedia", "clueweb12", "causenet", "conceptnet", "text" or, for a mark, "curation"."""

    kind: str
    title: str = ""
    page_id: str = ""
    revision: str = ""
    url: str = ""


JUDGED_SLOT, NAMES_SLOT, SPECIFIC_SLOT, READ_SLOT = "judged", "names", "specific", "read"
"""The slots of a context for what a judge of claims said: see `Evidence`."""
AS_CAUSE_SLOT, AS_EFFECT_SLOT = "as cause", "as effect"
"""The slots for how an editor rated the cause in a list of causes, and the effect in a list of effects."""
LIST_RATINGS = ("main", "minor", "repeat", "odd")
"""What an encyclopedia would name; right, but special or minor; another entry in other words; nothing for a list."""
PAIR_RULE = "pair.sentence"
"""The rule of evidence that no rule proposed: a sentence names both ends, and a judge reads that it states the claim."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One record that asserts, denies or doubts a claim.

    `start` and `end` are character offsets of the sentence in the text of the source, end exclusive, or `None` if unknown.
    `text` is `None` in graphs that ship facts only. `sketch` stands for the words of a record without text, in hexadecimal
    digits: see `graph.belief.independence`.

    `context` are `(slot, words)` in the order of their slots. "population", "place", "time", "dose", "condition", "attribution",
    "capability" and "anaphor" limit the claim. The others are of a judge of claims: "judged" is the probability that the
    sentence states the claim with this stance, "names" that it does so between things whose names are good for nodes,
    "specific" marks a claim of one event, and "read" one whose sentence was read and whose names were corrected. "as cause" and
    "as effect" hold one of `LIST_RATINGS` for the cause among the causes of the effect, and the reverse.
    """

    source: Source
    stance: Stance = Stance.ASSERTED
    strength: Strength = Strength.CAUSES
    rule: str = ""
    text: str | None = None
    section: str = ""
    start: int | None = None
    end: int | None = None
    context: tuple[tuple[str, str], ...] = ()
    sketch: str = ""

    def hash(self, claim: Claim) -> str:
        """Return the identity of this record as evidence for `claim`: 32 hexadecimal digits.

        A record with offsets is identified by them, so that it is the same record with and without its text.
        """
        place = self.text or "" if self.start is None else f"{self.start}-{self.end}"
        source = self.source
        return stable_hash((claim.hash, source.kind, source.page_id or source.url or source.title, place, self.rule, self.stance))

    @property
    def lacks_text(self) -> bool:
        """Whether the sentence can be looked up in its source: its place is known, and its text is not."""
        return self.text is None and self.start is not None and self.end is not None

    def slots(self) -> dict[str, str | list[str]]:
        """Return the context by slot: its words, or a list if the sentence fills a slot more than once."""
        return by_slot(self.context)


def by_slot(context: Iterable[tuple[str, str]]) -> dict[str, str | list[str]]:
    """Return a context by slot: its words, or a list if a slot is filled more than once."""
    slots: dict[str, list[str]] = {}
    for slot, words in context:
        slots.setdefault(slot, []).append(words)
    return {slot: words if len(words) > 1 else words[0] for slot, words in slots.items()}


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim together with one evidence record for or against it: what sources and the miner produce."""

    claim: Claim
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a concept, such as the title of a redirect page; `titles` are that and the one it leads to, as written."""

    name: str
    concept: str
    titles: tuple[str, str] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ground:
    """`groups` independent groups of evidence of the same stance that were extracted in the same way.

    `readings` are the pairs (kind of source, rule) that extracted the records of such a group, sorted; most groups have one.
    Behind a rule stands, after a tab, the probability that a judge gave its record.
    """

    stance: Stance
    readings: tuple[tuple[str, str], ...]
    groups: int = 1


@dataclass(frozen=True, slots=True)
class Edge(_Plain):
    """A claim with the belief of the graph in it.

    `support`, `against` and `hedged` count independent groups of evidence (the records of one page are one group); `belief` lies
    in 0..1 and follows from the `grounds`; `strength` is the wording that most groups use; `sense` is a signature of the pages
    that state the claim, 0 if unknown: see `graph.stores.claim_records`.
    """

    claim: Claim
    belief: float
    support: int = 0
    against: int = 0
    hedged: int = 0
    strength: Strength = Strength.CAUSES
    grounds: tuple[Ground, ...] = ()
    sense: int = 0

    def __str__(self) -> str:
        return f"{self.claim}  {self.belief:.2f} ({self.support} for, {self.against} against)"

    @property
    def cause(self) -> str:
        """The name of the cause."""
        return self.claim.cause

    @property
    def effect(self) -> str:
        """The name of the effect."""
        return self.claim.effect


@dataclass(frozen=True, slots=True)
class Path(_Plain):
    """A chain of edges: the effect of each edge is the cause of the next."""

    edges: tuple[Edge, ...]
    score: float = 1.0

    def __str__(self) -> str:
        steps = "".join(f" {str(edge.claim)[len(edge.cause) + 1 :]}" for edge in self.edges)
        return f"{self.score:.2f}  {self.edges[0].cause}{steps}"

    @property
    def concepts(self) -> tuple[str, ...]:
        """The names along the path, first cause to last effect."""
        return (self.edges[0].cause, *(edge.effect for edge in self.edges))
