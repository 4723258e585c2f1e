"""How often questions from a search engine are answered, and one of the first five answers stands in the gold answer.

    python scripts/judge/measure_mentions.py causalqa/msmarco_val.jsonl [--corpus wiki.passages] [--limit 300]

A name is mentioned where all its content words stand in the page by their stems, those of the question apart. Chance is how
often it is mentioned in the page of another question. Verdicts count as answered, and are left out of what is mentioned.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable
from pathlib import Path

from share_text import share

from graph.text.segmentation import text_tokens
from graph.text.stems import porter_terms
from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.errors import KgqaError
from kgqa.linking.mention import content_words

_NAMES = 5


def stems(words: Iterable[str]) -> frozenset[str]:
    """Return the Porter stems of some words."""
    return frozenset(porter_terms([" ".join(words)])[0])


def main() -> None:
    """Ask the questions and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--graph", help="by default the starter graph")
    parser.add_argument("--corpus")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--shown", type=int, default=0, help="print so many answers")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.questions.read_text("utf-8").splitlines()]
    if options.limit:
        rows = random.Random(0).sample(rows, options.limit)
    with AnswerSession(options.graph, AnswerOptions(corpus=options.corpus)) as session:
        answers = [ask(session, row["question"]) for row in rows]
    pages = [stems(text_tokens(row["answer"].lower())) for row in rows]
    others = [*pages[1:], pages[0]]
    listed = [place for place, answer in enumerate(answers) if answer and answer.verdict is None]
    for place in listed[: options.shown]:
        answer = answers[place]
        assert answer is not None
        right = mentions(answer, rows[place]["question"], pages[place])
        print(right, answer.route, f"{answer.confidence:.2f}", rows[place]["question"], "|", "; ".join(answer_names(answer)))
    print(f"answered: {share(sum(answer is not None for answer in answers), len(rows))}; with a list: {len(listed)}")
    for title, of_question in (("one of five mentioned", pages), ("the same in another page", others)):
        count = sum(mentions(answers[place], rows[place]["question"], of_question[place]) for place in listed)
        print(f"{title}: {share(count, len(listed))}")


def ask(session: AnswerSession, question: str) -> Answer | None:
    """Return the answer to a question; `None` where there is none."""
    try:
        answer = session.answer(question)
    except KgqaError:
        return None
    return answer if answer.answer is not None else None


def answer_names(answer: Answer) -> list[str]:
    """Return the first names of an answer: those of its list, or what a reader reads."""
    texts = [answer.answer, *(finding.text for finding in answer.findings)]
    return list(dict.fromkeys(text for text in texts if text))[:_NAMES]


def mentions(answer: Answer | None, question: str, page: frozenset[str]) -> bool:
    """Return whether a page mentions one of the first names of an answer."""
    own = stems(text_tokens(question.lower()))
    names = answer_names(answer) if answer else []
    words = (stems(content_words(name)) - own for name in names)
    return any(of_name and of_name <= page for of_name in words)


if __name__ == "__main__":
    main()
