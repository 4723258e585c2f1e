"""How many of the MS MARCO yes/no questions could be answered from a corpus at all: where one sentence names both things.

    python scripts/judge/mentioned_together.py msmarco_causal/train.json enwiki-2015-30k.wikiextractor.txt.bz2

A sentence names both where it has the stems of all words of the marked cause and effect, articles and the like apart, whatever it
says of them: an upper bound for what sentences can tell of the two directly. Takes a few minutes.
"""

from __future__ import annotations

import argparse
import bz2
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from share_text import share

_PLAIN = frozenset("a an the of in your my to and or for with on too much be you".split())
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[a-z]+")
_ENDINGS = ("ies", "es", "s", "ing", "ed")
_SHORTEST = 40


def stem(word: str) -> str:
    """Return a word without a common ending that leaves four letters."""
    return next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 4), word)


def stems(row: dict[str, Any], end: int) -> frozenset[str]:
    """Return the stems of the words of the marked cause (0) or effect (1)."""
    first, last = row["query"][end]
    words = (word[0].lower() for word in row["question:POS"][first : last + 1])
    return frozenset(stem(word) for text in words for word in _WORD.findall(text) if word not in _PLAIN)


def main() -> None:
    """Count the questions whose two things stand together in one sentence, and in three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("corpus", type=Path)
    options = parser.parse_args()
    rows = json.loads(options.questions.read_text("utf-8"))
    wanted: dict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for number, row in enumerate(rows):
        both = stems(row, 0), stems(row, 1)
        if all(both):
            wanted[max(both[0] | both[1], key=len)].append((number, both[0] | both[1]))
    known = frozenset(word for pairs in wanted.values() for _, words in pairs for word in words)
    found: Counter[int] = Counter()
    with bz2.open(options.corpus, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            for sentence in _SENTENCE.split(line.lower()) if len(line) >= _SHORTEST else ():
                here = {stem(word) for word in _WORD.findall(sentence)} & known
                for word in here & wanted.keys():
                    found.update(number for number, words in wanted[word] if words <= here)
    print(f"one sentence names both: {share(sum(count >= 1 for count in found.values()), len(rows))}")
    print(f"three sentences do: {share(sum(count >= 3 for count in found.values()), len(rows))}")


if __name__ == "__main__":
    main()
