"""Names that are spelt alike: the shares of letters that agree, and the nearest names first."""

from __future__ import annotations

# Shares of letters that agree, 0..1: "smokng" and "smog" agree in .67. Who mistypes the first letter has the rest right.
SAME_FIRST_LETTER = 0.65
OTHER_FIRST_LETTER = 0.75


def lengths_near(name: str, least: float) -> range:
    """Return the lengths of what can agree with `name` by a share of `least`."""
    return range(int(len(name) * least), int(len(name) / least) + 2)


def nearest_names(name: str, candidates: list[str], least: float) -> list[str]:
    """Return those of `candidates` that agree with `name` by at least a share of `least`, nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    scored = process.extract(name, candidates, scorer=OSA.normalized_similarity, score_cutoff=least, limit=None)
    return [candidate for candidate, _, _ in sorted(scored, key=lambda match: (-match[1], match[0]))]
