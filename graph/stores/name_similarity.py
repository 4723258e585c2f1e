"""Names that are spelled alike, by the share of their letters that agree."""

from __future__ import annotations

# Least shares, 0..1: "smokng" and "smog" agree in .67. A name with a typing error in its first letter must agree in more.
SAME_FIRST_LETTER = 0.65
OTHER_FIRST_LETTER = 0.75


def near_lengths(name: str, least: float) -> range:
    """Return the lengths of the names that can agree with `name` by a share of `least`."""
    return range(int(len(name) * least), int(len(name) / least) + 2)


def nearest_names(name: str, candidates: list[str], least: float) -> list[str]:
    """Return the `candidates` that agree with `name` by a share of `least` or more, nearest first, then alphabetically."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    scored = process.extract(name, candidates, scorer=OSA.normalized_similarity, score_cutoff=least, limit=None)
    return [candidate for candidate, _, _ in sorted(scored, key=lambda match: (-match[1], match[0]))]
