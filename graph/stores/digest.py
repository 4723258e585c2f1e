"""The digest of a graph: one number for its claims, evidence and aliases, independent of the store and the loading order.

Each record has a mark of 128 bits, and the digest is the sum of all marks: adding or removing a record changes the sum by the
mark of that record alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from graph.model import Claim, Evidence, stable_hash

EMPTY_DIGEST = "0" * 32


def claim_mark(claim: Claim) -> int:
    """Return the mark of a claim."""
    return int(claim.hash, 16)


def evidence_mark(identity: str, evidence: Evidence) -> int:
    """Return the mark of a record whose hash for its claim is `identity`; it depends on that and on the other fields.

    Context and sketch count only if there are any, so that records without them keep the marks of earlier versions.
    """
    source = evidence.source
    start = "" if evidence.start is None else str(evidence.start)
    end = "" if evidence.end is None else str(evidence.end)
    fields = identity, source.title, source.page_id, source.revision, source.url, evidence.strength, evidence.section, start, end
    text = () if evidence.text is None else (evidence.text,)
    if not evidence.context and not evidence.sketch:
        return int(stable_hash((*fields, *text)), 16)
    more = (str(len(text)), *text, evidence.sketch, *chain.from_iterable(evidence.context))
    return int(stable_hash((*fields, "and", *more)), 16)


def alias_marks(aliases: Iterable[tuple[str, str]]) -> int:
    """Return the sum of the marks of aliases, each a name and its concept."""
    return sum(int(stable_hash(("alias", name, concept)), 16) for name, concept in aliases)


def digest_after(digest: str, marks: int) -> str:
    """Return `digest` after `marks`: the sum of the marks that were added less those that were removed."""
    return f"{(int(digest, 16) + marks) % (1 << 128):032x}"
