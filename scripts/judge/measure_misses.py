"""Why yes/no questions are not answered, or wrongly: slot wrong, link wrong, not in the graph, or verdict wrong.

    python scripts/judge/measure_misses.py ../shared/data/msmarco_causal/train.json [--graph GRAPH] [--half dev|rest]

Each question that is not answered as its file says goes to the first part of kgqa that is to blame: the slots, where the spans of
the file in their place give the right answer; linking, where names of the graph hold all words of a span and it was yet not
surely read; the graph, where it has no such concept, or no claim that joins the two; else the verdict.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from share_text import share

from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answer_model import Answer
from kgqa.answering.verdicts.verification import answer_verification
from kgqa.answering.verdicts.verification_query import VerificationQuery
from kgqa.linking.linker import link_phrase
from kgqa.linking.mention import content_words
from kgqa.pipeline import Pipeline
from kgqa.question import Semantic, Slots
from kgqa.request import Request
from kgqa.settings import starter_graph

CAUSES = ("slot wrong", "link wrong", "concept not in the graph", "claim not in the graph", "verdict wrong")


def spans(row: dict[str, Any]) -> tuple[str, str]:
    """Return the cause and the effect that the file marks in a question."""
    words = [word for word, _, _ in row["question:POS"]]
    (cause, cause_end), (effect, effect_end) = row["query"]
    return " ".join(words[cause : cause_end + 1]), " ".join(words[effect : effect_end + 1])


def blamed(row: dict[str, Any], answer: Answer, view: GraphView, gold: str) -> str:
    """Return which part is to blame for an answer that is not `gold`."""
    cause, effect = spans(row)
    slots = Slots(cause, effect, answer.type.slots.relation)
    kind = replace(answer.type, semantic=Semantic.VERIFICATION, slots=slots)
    if (answer.type.slots.cause, answer.type.slots.effect) != (cause, effect):
        right = answer_verification(Request(row["question"], kind, view)).answer == gold
        if right or not (answer.type.slots.cause and answer.type.slots.effect):
            return "slot wrong"
    asked = VerificationQuery(Request(row["question"], kind, view))
    if not asked.sure:
        unread = [phrase for phrase in (cause, effect) if not surely(phrase, view)]
        held = [phrase for phrase in unread if view.search(content_words(phrase), limit=1)]
        return "link wrong" if held and len(held) == len(unread) else "concept not in the graph"
    joined = asked.direct.edges or asked.reverse.edges or asked.linked or asked.chains
    return "verdict wrong" if joined else "claim not in the graph"


def surely(phrase: str, view: GraphView) -> bool:
    """Return whether a phrase has a reading that an answer need not mention."""
    first = next(link_phrase(phrase, view), None)
    return first is not None and first.score >= 0.8


def halves(number: int, half: str) -> Sequence[int]:
    """Return the numbers of the rows of a half, the same in every run; "all" for all of them."""
    order = list(range(number))
    random.Random(6).shuffle(order)
    return sorted({"dev": order[: (number + 1) // 2], "rest": order[(number + 1) // 2 :]}.get(half, order))


def main() -> None:
    """Answer the questions of a file and print a table of what is to blame."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--graph", default=starter_graph())
    parser.add_argument("--half", choices=("dev", "rest", "all"), default="all")
    given = parser.parse_args()
    rows = json.loads(given.file.read_text(encoding="utf-8"))
    table: dict[str, Counter[str]] = {gold: Counter() for gold in ("yes", "no")}
    said: Counter[tuple[str, str]] = Counter()
    with closing(open_store(given.graph)) as store:
        pipeline = Pipeline(store)
        for number in halves(len(rows), given.half):
            row = rows[number]
            gold = row["answer:Extracted"][0].lower()
            answer = pipeline.answer(row["question"])
            said[str(answer.answer), gold] += 1
            if answer.answer != gold:
                table[gold][blamed(row, answer, store, gold)] += 1
    total = sum(said.values())
    right = sum(number for (answered, gold), number in said.items() if answered == gold)
    decided = sum(number for (answered, _), number in said.items() if answered in ("yes", "no"))
    print(f"questions {total}; always yes {share(sum(n for (_, gold), n in said.items() if gold == 'yes'), total)}")
    print(f"answered {share(decided, total)}; right of those {share(right, decided)}\n")
    print("| why not | gold yes | gold no | all | share |\n|---|---|---|---|---|")
    missed = total - right
    for cause in CAUSES:
        yes, no = table["yes"][cause], table["no"][cause]
        print(f"| {cause} | {yes} | {no} | {yes + no} | {share(yes + no, missed)} |")


if __name__ == "__main__":
    main()
