"""Measure how the miner names the ends of claims, against the names that readers gave (docs/judgements/claims.md).

    python scripts/judge/measure_claim_names.py LABELS.tsv ARTICLES [--half development|held-back] [--sample 6500] [--examples 5]

LABELS is docs/judgements/claim-labels.tsv. Of a seeded sample of the labels of shipped rules in part "train", the script prints
how many the mining of articles still proposes, and for those that the sentence states how many ends and pairs have the reader's
name: "equal" after `concept_name`, or of the "same words", the content words by their first letters. Then it prints the
differences by class. The halves are of articles. Some readers were shown the names of an earlier miner, so the
shares are optimistic.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from claim_labels import ENDS, LabelRow, is_of_strict_rule, is_stated, label_rows, labelled_claims

from graph.mining.judge.judge_input import Proposal
from graph.text.normalise import concept_name, singular
from graph.text.stems import prefix_stems
from graph.text.stop_words import PREPOSITIONS, STOP_WORDS

HALVES = ("development", "held-back")
_SEED = 7
_RELATIVE = frozenset({"that", "which", "who", "whose", "where", "when"})


class NamedEnd(NamedTuple):
    """One end of a stated claim: the miner's name of it and the reader's, which is empty where no name is sensible."""

    mined: str
    read: str

    @property
    def is_equal(self) -> bool:
        """Return whether both names are the same."""
        return self.mined == self.read

    @property
    def has_same_words(self) -> bool:
        """Return whether both names have the same content words, by their first letters."""
        return content_stems(self.mined) == content_stems(self.read)


def sampled_rows(labels: Path, half: str, size: int) -> list[dict[str, str]]:
    """Return a seeded sample of the labels of shipped rules in the articles of a half."""
    rows = [row for row in label_rows(labels) if is_of_strict_rule(row) and half_of(row["article"]) == half]
    rows.sort(key=lambda row: (row["article"], row["sentence"], row["cause"], row["effect"]))
    random.Random(_SEED).shuffle(rows)
    return rows[:size]


def half_of(article: str) -> str:
    """Return the half that an article is in."""
    return HALVES[int(hashlib.md5(f"names{article}".encode(), usedforsecurity=False).hexdigest(), 16) % 2]


def named_ends(row: LabelRow, proposal: Proposal) -> tuple[NamedEnd, NamedEnd]:
    """Return the ends of a proposal with both names."""
    mined = (proposal.cause_name, proposal.effect_name)
    cause, effect = (NamedEnd(name, concept_name(row[f"{end}_name"].strip("-"))) for end, name in zip(ENDS, mined, strict=True))
    return cause, effect


def content_stems(name: str) -> set[str]:
    """Return the first letters of the content words of a name."""
    return prefix_stems(singular(word) for word in name.replace("'s", " ").split() if word not in STOP_WORDS["chains"])


def class_of_difference(end: NamedEnd) -> str:
    """Return how the reader's name differs from the miner's."""
    mined, read = content_stems(end.mined), content_stems(end.read)
    if not end.read:
        return "the reader gives no name"
    if mined == read:
        return "other form of the same words"
    if not mined & read:
        return "other words, none shared"
    if mined < read:
        return f"the reader has more: {_place_of_rest(end.read, mined)}"
    if read < mined:
        return f"the reader has fewer: {_place_of_rest(end.mined, read)}"
    return "other words, some shared"


def _place_of_rest(longer: str, shared: set[str]) -> str:
    """Return where the longer name has its words that are not shared."""
    words = longer.split()
    shares = [bool(content_stems(word) & shared) for word in words]
    first, last = shares.index(True), len(shares) - 1 - shares[::-1].index(True)
    behind = words[last + 1 :]
    rest = [word for word in words[:first] if word not in STOP_WORDS["chains"]]
    if rest and behind:
        return "before and behind"
    if rest:
        return "before, up to a preposition" if words[first - 1] in PREPOSITIONS["names"] else "modifier before"
    if not behind:
        return "between"
    if _RELATIVE.intersection(behind):
        return "relative clause"
    return "preposition and noun behind" if behind[0] in PREPOSITIONS["names"] else "words behind"


def print_shares(title: str, ends: Sequence[NamedEnd]) -> None:
    """Print a row of the table: how many names are equal, and how many are of the same words."""
    count = max(1, len(ends))
    equal, same = (sum(getattr(end, test) for end in ends) / count for test in ("is_equal", "has_same_words"))
    print(f"| {title} | {len(ends)} | {equal:.3f} | {same:.3f} |")


def print_report(rows: int, found: Iterable[tuple[LabelRow, Proposal]], examples: int) -> None:
    """Print the shares of good names, and the classes of the differences with some examples."""
    proposals = list(found)
    stated = [(row, *named_ends(row, proposal)) for row, proposal in proposals if is_stated(row)]
    print(f"{rows} labels, {len(proposals)} proposed, {len(stated)} of them stated\n")
    print("| | count | equal | same words |\n|---|---|---|---|")
    print_shares("causes", [cause for _, cause, _ in stated])
    print_shares("effects", [effect for *_, effect in stated])
    pairs = [ends for _, *ends in stated]
    equal, same = (sum(all(getattr(end, test) for end in pair) for pair in pairs) / max(1, len(pairs)) for test in _TESTS)
    print(f"| pairs | {len(pairs)} | {equal:.3f} | {same:.3f} |\n")
    classes: defaultdict[str, list[tuple[str, NamedEnd]]] = defaultdict(list)
    for row, *ends in stated:
        for end in ends:
            if not end.is_equal:
                classes[class_of_difference(end)].append((row["rule"], end))
    print("| difference | ends |\n|---|---|")
    for name, count in Counter({name: len(cases) for name, cases in classes.items()}).most_common():
        print(f"| {name} | {count} |")
        for rule, end in random.Random(_SEED).sample(classes[name], min(examples, count)):
            print(f"    {rule}: {end.mined!r}, reader {end.read!r}")


_TESTS = ("is_equal", "has_same_words")


def main() -> None:
    """Read the options and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("articles", type=Path)
    parser.add_argument("--half", choices=HALVES, default=HALVES[0])
    parser.add_argument("--sample", type=int, default=6500)
    parser.add_argument("--examples", type=int, default=0)
    options = parser.parse_args()
    rows = sampled_rows(options.labels, options.half, options.sample)
    labelled = labelled_claims(rows, options.articles)
    kept = ((item.row, item.proposal()) for item in labelled if item.claim is not None and not item.claim.points_back)
    print_report(len(rows), kept, options.examples)


if __name__ == "__main__":
    main()
