"""The digest of a graph: one number for its claims, evidence and aliases, the same in every store and loading order.

Each record has a mark of 128 bits, and the digest is the sum of all marks: records may come in any order, and a record that
comes or goes changes the sum by its mark alone.
"""

from __future__ import annotations

from itertools import chain

from graph.model import Alias, Claim, Evidence, stable_hash

_MODULUS = 1 << 128


def claim_mark(claim: Claim) -> int:
    """Return the mark of a claim."""
    return int(claim.hash, 16)


def evidence_mark(identity: str, evidence: Evidence) -> int:
    """Return the mark of a record whose hash for its claim is `identity`; with it every field of both counts.

    Context and sketch count where there is any: records without them have the marks that they had before there were any.
    """
    source = evidence.source
    start = "" if evidence.start is None else str(evidence.start)
    end = "" if evidence.end is None else str(evidence.end)
    fields = (
        identity,
        source.title,
        source.page_id,
        source.revision,
        source.url,
        evidence.strength,
        evidence.section,
        start,
        end,
    )
    text = () if evidence.text is None else (evidence.text,)
    if not evidence.context and not evidence.sketch:
        return int(stable_hash((*fields, *text)), 16)
    more = (str(len(text)), *text, evidence.sketch, *chain.from_iterable(evidence.context))
    return int(stable_hash((*fields, "and", *more)), 16)


def alias_mark(alias: Alias) -> int:
    """Return the mark of an alias."""
    return int(stable_hash(("alias", alias.name, alias.concept)), 16)


def digest_after(digest: str, marks: int) -> str:
    """Return `digest` after `marks`, the sum of the marks that came less those that went."""
    return f"{(int(digest, 16) + marks) % _MODULUS:032x}"


EMPTY_DIGEST = "0" * 32
