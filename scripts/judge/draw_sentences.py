"""Draw sentences of the articles that people ask about most, to be read in full for the starter graph.

    python scripts/judge/draw_sentences.py ARTICLES QUESTIONS.jsonl FOLDER [--drawn-articles N] [--sentences N]

Articles are ranked by how often the questions (lines {"question"}) name their titles and how many claims of the starter graph do;
those for testing are left out. Of their sentences with a cue of the shipped or the loose rules, and that were not read in full,
those are drawn first in which these rules and those of wide_net.toml propose most pairs, with a greater weight in articles with
many, where the title stands in the sentence, and under headings about causes and effects. `label_claims.py gather` reads the
labels.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from claim_labels import SENTENCES, label_rows, wide_rules
from label_claims import Row, has_strong_cue, is_for_testing, sentence_sheet, title_counts, write_sheets

from graph.mining.miner import MinedClaim, Miner
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.stores import open_store
from graph.text.normalise import concept_name
from graph.text.segmentation import sentence_spans
from graph.text.word_lists import word_list
from kgqa.settings import starter_graph

SHEET = 100
MOST_OF_ARTICLE = 20
MOST_QUESTIONS = 30
"""What an article counts at most for the questions that name it: many titles are common words."""
_CAUSAL_SECTION = re.compile(
    r"cause|effect|etiolog|aetiolog|risk|symptom|sign|complication|prevent|treatment|consequence|impact|mechanism|origin"
    r"|background|aftermath|pathophysiolog|factor|health|use|benefit|prelude|outbreak|reason|influence|hazard|damage|decline",
    re.IGNORECASE,
)


def main() -> None:
    """Write sentences.jsonl and its sheets into a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--drawn-articles", type=int, default=2_500)
    parser.add_argument("--sentences", type=int, default=8_000)
    parser.add_argument("--known", type=Path, nargs="*", default=[SENTENCES], help="sentences that were read in full before")
    options = parser.parse_args()
    known = {(row["article"], row["sentence"]) for path in options.known for row in label_rows(path, None)}
    rows = sorted(
        scored_sentences(asked_articles(options.articles, options.questions, options.drawn_articles), known),
        key=lambda row: -row["score"],
    )[: options.sentences]
    numbered = [row | {"id": number} for number, row in enumerate(rows, 1)]
    (options.folder / "sheets").mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row) + "\n" for row in numbered)
    (options.folder / "sentences.jsonl").write_text("".join(lines), encoding="utf-8")
    write_sheets(options.folder / "sheets", "r", numbered, SHEET, sentence_sheet)
    print(f"{len(numbered)} sentences of {len({row['article'] for row in numbered})} articles")


def asked_articles(path: Path, questions: Path, number: int) -> list[tuple[int, Article]]:
    """Return the articles whose titles the questions name most, each with how often, without those for testing."""
    items = read_articles(str(path), detect_format(str(path)), lambda skipped: None)
    articles = [item for item in items if isinstance(item, Article) and not is_for_testing(item.source.page_id)]
    graph = open_store(starter_graph())
    counted = []
    for count, article in zip(title_counts(articles, questions), articles, strict=True):
        name = concept_name(article.source.title)
        claims = len(graph.causes(name)) + len(graph.effects(name))
        if claims and name not in word_list("vague"):
            counted.append((min(count, MOST_QUESTIONS) + claims, article))
    return sorted(counted, key=lambda pair: -pair[0])[:number]


def scored_sentences(articles: list[tuple[int, Article]], known: set[tuple[str, str]]) -> Iterator[Row]:
    """Yield the sentences of the articles that were not read, at most `MOST_OF_ARTICLE` each, with how much they promise."""
    wide = Miner(wide_rules())
    for count, article in articles:
        title, page = article.source.title, str(article.source.page_id)
        spans = [span for span in sentence_spans(article.text) if 40 <= span[1] - span[0] <= 400]
        rows = []
        for place, (start, end) in enumerate(spans):
            text = article.text[start:end]
            if (page, f"{start}-{end}") in known or not has_strong_cue(wide, text):
                continue
            weight = math.log1p(count)
            weight *= 1.6 if title.lower() in text.lower() else 1.0
            weight *= 1.5 if start < 1_500 or _CAUSAL_SECTION.search(article.section(start) or "") else 1.0
            before = article.text[slice(*spans[place - 1])] if place else ""
            rows.append((weight, start, end, text, before))
        rows = sorted(rows, key=lambda row: -row[0])[: 2 * MOST_OF_ARTICLE]
        mined = zip(rows, wide.mine([row[3] for row in rows]), strict=True)
        promising = sorted(((row[0] * expected_pairs(claims), *row[1:]) for row, claims in mined), reverse=True)
        density = sum(row[0] for row in promising) / max(1, len(promising))
        for score, start, end, text, before in promising[:MOST_OF_ARTICLE]:
            yield {
                "pool": "asked",
                "article": article.source.page_id,
                "title": title,
                "s": start,
                "e": end,
                "text": text,
                "before": before,
                "drawn": "asked",
                "test": False,
                "score": score * density,
            }


def expected_pairs(claims: Sequence[MinedClaim]) -> float:
    """Return how many pairs are expected in a sentence in which the rules propose some claims, between .3 and 4."""
    return max(0.3, min(4.0, len({(claim.cause_span, claim.effect_span) for claim in claims})))


if __name__ == "__main__":
    main()
