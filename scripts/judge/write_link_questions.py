"""Write labelled questions over linked paragraphs in the released format of IIRC, for `kgqa evaluate iirc --articles`.

    python scripts/judge/write_link_questions.py paragraphs.jsonl questions.tsv --part development > development.json

PARAGRAPHS are those of `draw_paragraphs.py`. QUESTIONS is a table with the columns id, paragraph, kind (link, here or none),
question, answer (alternatives behind "|", spans of one answer behind ";", NONE for none), targets (titles behind ";"), evidence
(sentences behind "##", the first of the first target) and part.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from pathlib import Path
from typing import Any

NUMBER = re.compile(r"[\d,.]+")


def released_question(row: dict[str, str]) -> dict[str, Any]:
    """Return a row as the release has it; of alternatives the first, since the release has but one."""
    targets = [title.strip() for title in row["targets"].split(" ; ") if title.strip()]
    answers = [[span.strip() for span in answer.split(" ; ")] for answer in row["answer"].split(" | ")]
    spans = answers[0]
    if row["kind"] == "none":
        answer: dict[str, Any] = {"type": "none"}
    elif spans[0].lower() in ("yes", "no"):
        answer = {"type": "binary", "answer_value": spans[0].lower()}
    elif len(spans) == 1 and (number := next((text[0] for text in answers if NUMBER.fullmatch(text[0])), "")):
        answer = {"type": "value", "answer_value": number}
    else:
        answer = {"type": "span", "answer_spans": [{"text": span} for span in spans]}
    sentences = [sentence.strip() for sentence in row["evidence"].split("##") if sentence.strip()]
    titles = targets if row["kind"] == "link" else ["main"]
    context = [
        {"passage": titles[min(place, len(titles) - 1)], "text": sentence}
        for place, sentence in enumerate(sentences if row["kind"] != "none" else [])
    ]
    context += [{"passage": title, "text": ""} for title in targets if title not in {part["passage"] for part in context}]
    return {"qid": row["id"], "question": row["question"], "context": context, "answer": answer}


def main() -> None:
    """Print the paragraphs that have questions of the part, with these."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paragraphs", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--part", required=True)
    options = parser.parse_args()
    passages = {}
    for line in options.paragraphs.read_text("utf-8").splitlines():
        record = json.loads(line)
        links = [
            {"target": link["target"], "indices": [link["offset"], link["offset"] + len(link["anchor"])]}
            for link in record["links"]
        ]
        passages[record["id"]] = {"title": record["title"], "text": record["text"], "links": links, "questions": []}
    with options.questions.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["part"] == options.part:
                passages[row["paragraph"]]["questions"].append(released_question(row))
    print(json.dumps([passage for passage in passages.values() if passage["questions"]], ensure_ascii=False))


if __name__ == "__main__":
    main()
