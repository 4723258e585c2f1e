"""Draw proposals of claims, and sentences, to be labelled by reading, and gather the labels.

    python scripts/judge/label_claims.py draw ARTICLES QUESTIONS.jsonl FOLDER [--proposals N] [--sentences N] [--seed N]
    python scripts/judge/label_claims.py gather FOLDER [FOLDER/labels] [--out docs/judgements]
    python scripts/judge/label_claims.py agree FOLDER FOLDER/labels FOLDER/second

`draw` takes articles of a WikiExtractor file, half of them about the 2,000 things that the questions (lines {"question"}) name
most, and writes sheets for readers: proposals of the shipped rules, strict and loose, and of the looser ones of wide_net.toml,
each rule in proportion to a power of what it finds (Bankier 1988); and sentences to be read in full, half at random, half with
a cue. Every twelfth article, by hash, is for testing. docs/judgements/claims.md says how a reader labels. `gather` checks the
labels and writes them as article, offsets, labels and names, without sentences. `agree` tells how far two readings agree.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from claim_labels import is_of_strict_rule, wide_rules
from sample_claims import agreement, shares

from graph.mining.miner import Miner
from graph.mining.rules.rule_tables import builtin_rules
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.text.segmentation import sentence_spans

Row = dict[str, Any]
RELATIONS = ("c", "c+", "c-", "p", "e", "m", "f", "a")
STANCES = ("asserted", "negated", "hedged", "reported", "disputed", "hypothetical", "fiction", "question")
UNSAID = ("time", "pair", "parse", "pron", "other")
ASKED = 2_000
SHEET, SENTENCE_SHEET = 225, 170
PROPOSALS, SENTENCES = "pq", "stuvwxyz"
"""The first letters of sheets of proposals and of sentences."""
POWER = 0.55
_NET_SENTENCES = 35
_WEAK = ("net-after", "net-by", "net-to.", "net-used", "net-since")
_WORD = re.compile(r"[a-z][a-z'-]+")
_POINTING = frozenset("this it he she they these that his its thus such those their both".split())
COLUMNS = (
    *(
        "article",
        "sentence",
        "rule",
        "pool",
        "weight",
        "part",
        "cause",
        "effect",
        "cue",
        "said",
        "direction",
        "relation",
        "stance",
    ),
    *("cause_span", "effect_span", "cause_name", "effect_name", "kind", "reader"),
)
READ_COLUMNS = (
    *("article", "sentence", "drawn", "pool", "part", "relation", "stance", "cause_span", "effect_span"),
    *("cause_name", "effect_name", "kind", "reader"),
)


def main() -> None:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    drawing = steps.add_parser("draw")
    drawing.add_argument("articles", type=Path)
    drawing.add_argument("questions", type=Path)
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("--articles-drawn", type=int, default=1_800)
    drawing.add_argument("--proposals", type=int, default=13_500)
    drawing.add_argument("--sentences", type=int, default=2_000)
    drawing.add_argument("--seed", type=int, default=15)
    gathering = steps.add_parser("gather")
    gathering.add_argument("folder", type=Path)
    gathering.add_argument("labels", type=Path, nargs="?")
    gathering.add_argument("--out", type=Path)
    gathering.add_argument("--append", action="store_true", help="to the files that are there")
    gathering.add_argument("--suffix", default="", help="of the names of the files, such as -second")
    agreeing = steps.add_parser("agree")
    agreeing.add_argument("folder", type=Path)
    agreeing.add_argument("first", type=Path)
    agreeing.add_argument("second", type=Path)
    options = parser.parse_args()
    if options.step == "draw":
        draw(options)
    elif options.step == "gather":
        gather(options.folder, options.labels or options.folder / "labels", options.out, options.suffix, options.append)
    else:
        agree(options.folder, options.first, options.second)


def draw(options: argparse.Namespace) -> None:
    """Write proposals.jsonl, sentences.jsonl and the sheets of both into a folder."""
    chance = random.Random(options.seed)
    articles = drawn_articles(options.articles, options.questions, options.articles_drawn, chance)
    (options.folder / "sheets").mkdir(parents=True, exist_ok=True)
    proposals = chosen_proposals(list(proposed(articles)), options.proposals, chance)
    sentences = drawn_sentences(articles, options.sentences, chance)
    for name, rows in (("proposals", proposals), ("sentences", sentences)):
        (options.folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write_sheets(options.folder / "sheets", "p", proposals, SHEET, proposal_sheet)
    write_sheets(options.folder / "sheets", "s", sentences, SENTENCE_SHEET, sentence_sheet)
    print(f"{len(articles)} articles, {len(proposals)} proposals, {len(sentences)} sentences")


def drawn_articles(path: Path, questions: Path, number: int, chance: random.Random) -> list[tuple[str, Article]]:
    """Return articles with their pool: half of them "asked", whose titles the questions name most, half "random"."""
    items = read_articles(str(path), detect_format(str(path)), lambda skipped: None)
    articles = [item for item in items if isinstance(item, Article)]
    counts = title_counts(articles, questions)
    ranked = sorted(range(len(articles)), key=lambda place: -counts[place])
    asked, others = ranked[:ASKED], sorted(ranked[ASKED:])
    drawn = [("asked", place) for place in chance.sample(asked, number // 2)]
    drawn += [("random", place) for place in chance.sample(others, number - number // 2)]
    return [(pool, articles[place]) for pool, place in drawn]


def title_counts(articles: Iterable[Article], questions: Path) -> list[int]:
    """Return how many of the questions, lines {"question"}, name the title of each article, or its plural."""
    named: Counter[str] = Counter()
    for line in questions.read_text(encoding="utf-8").splitlines():
        words = _WORD.findall(json.loads(line)["question"].lower())
        named.update({" ".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1)})
    titles = [article.source.title.lower() for article in articles]
    return [named[title] + named[f"{title}s"] for title in titles]


def proposed(articles: Iterable[tuple[str, Article]]) -> Iterator[Row]:
    """Yield what the shipped rules find in all sentences of the articles, and the loose ones in some of each."""
    rules = wide_rules()
    shipped = {rule.id for rule in builtin_rules()}
    wide, narrow = Miner(rules), Miner()
    for pool, article in articles:
        spans = [(start, end) for start, end in sentence_spans(article.text) if 25 <= end - start <= 420]
        chance = random.Random(article.source.page_id)
        some = set(chance.sample(spans, min(_NET_SENTENCES, len(spans))))
        texts = [article.text[start:end] for start, end in spans]
        judged = [(wide if span in some else narrow).rules_for(text) for text, span in zip(texts, spans, strict=True)]
        before = ["", *texts][: len(texts)]
        for span, text, previous, claims in zip(spans, texts, before, wide.mine(texts, judged, before), strict=True):
            for claim in claims:
                yield {
                    "pool": pool,
                    "article": article.source.page_id,
                    "title": article.source.title,
                    "s": span[0],
                    "e": span[1],
                    "text": text,
                    "before": previous,
                    "c": claim.cause_span,
                    "f": claim.effect_span,
                    "cue": claim.cue_span,
                    "rule": claim.rule.id,
                    "net": claim.rule.id not in shipped,
                    "cn": claim.claim.cause,
                    "en": claim.claim.effect,
                    "stance": claim.stance.value,
                }


def chosen_proposals(rows: Sequence[Row], number: int, chance: random.Random) -> list[Row]:
    """Return a sample by pool and rule, at most four of a sentence, numbered, the proposals of an article together."""
    distinct: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        key = (row["article"], row["s"], tuple(row["c"]), tuple(row["f"]))
        if key not in distinct or (distinct[key]["net"] and not row["net"]):
            distinct[key] = row
    strata: defaultdict[tuple[str, bool, str], list[Row]] = defaultdict(list)
    for row in distinct.values():
        strata[row["pool"], row["net"], row["rule"]].append(row)
    sample: list[Row] = []
    for pool in ("asked", "random"):
        for net, part in ((False, 0.55), (True, 0.45)):
            sizes = {name: len(found) for name, found in strata.items() if name[:2] == (pool, net)}
            for name, taken in shares(sizes, round(number * part / 2), POWER).items():
                sample += [row | {"weight": len(strata[name]) / taken} for row in chance.sample(strata[name], taken)]
    chance.shuffle(sample)
    of_sentence: Counter[tuple[int, int]] = Counter()
    kept = []
    for row in sample:
        of_sentence[row["article"], row["s"]] += 1
        if of_sentence[row["article"], row["s"]] <= 4:
            kept.append(row | {"test": is_for_testing(row["article"])})
    places = {article: place for place, article in enumerate(dict.fromkeys(row["article"] for row in kept))}
    kept.sort(key=lambda row: (places[row["article"]], row["s"]))
    return [row | {"id": number} for number, row in enumerate(kept, 1)]


def is_for_testing(article: object) -> bool:
    """Return whether an article is in the part that is looked at once, at the end."""
    return int(hashlib.md5(f"claims{article}".encode(), usedforsecurity=False).hexdigest(), 16) % 12 == 0


def drawn_sentences(articles: Sequence[tuple[str, Article]], number: int, chance: random.Random) -> list[Row]:
    """Return sentences to be read in full, a fifth of them from the articles for testing; half hold a cue, no weak one."""
    wide = Miner(wide_rules())
    rows: dict[tuple[Any, int], Row] = {}
    for testing, wanted in ((False, number * 4 // 5), (True, number // 5)):
        part = [pair for pair in articles if is_for_testing(pair[1].source.page_id) == testing]
        end = len(rows) + wanted
        while len(rows) < end and part:
            pool, article = chance.choice(part)
            spans = [(start, end) for start, end in sentence_spans(article.text) if 40 <= end - start <= 400]
            if not spans:
                continue
            drawn, place = "random", chance.randrange(len(spans))
            if chance.random() < 0.5:
                drawn, places = "cued", chance.sample(range(len(spans)), min(30, len(spans)))
                cued = (at for at in places if has_strong_cue(wide, article.text[slice(*spans[at])]))
                place = next(cued, place)
            start, last = spans[place]
            rows[article.source.page_id, start] = {
                "pool": pool,
                "article": article.source.page_id,
                "title": article.source.title,
                "s": start,
                "e": last,
                "text": article.text[start:last],
                "before": article.text[slice(*spans[place - 1])] if place else "",
                "drawn": drawn,
                "test": testing,
            }
    return [row | {"id": number} for number, row in enumerate(rows.values(), 1)]


def has_strong_cue(wide: Miner, text: str) -> bool:
    """Return whether a sentence has a cue of the shipped rules or of the loose ones that find more right than wrong."""
    return any(not rule.startswith(_WEAK) for rule in wide.rules_for(text))


def write_sheets(
    folder: Path, letter: str, rows: Sequence[Row], size: int, form: Callable[[Sequence[Row]], Iterator[str]]
) -> None:
    """Write the rows in sheets of so many."""
    for number, at in enumerate(range(0, len(rows), size), 1):
        (folder / f"{letter}{number:03}.txt").write_text("\n".join(form(rows[at : at + size])) + "\n", encoding="utf-8")


def proposal_sheet(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a sheet: title, sentence, and under it its proposals."""
    for _, group in groupby(rows, key=lambda row: (row["article"], row["s"])):
        proposals = list(group)
        text = proposals[0]["text"]
        yield f"\n## {proposals[0]['title']}"
        if text.split(" ")[0].lower() in _POINTING:
            yield f"before: {proposals[0]['before'][-260:]}"
        yield f"S: {text}"
        for row in proposals:
            cause, effect, cue = (text[slice(*row[end])] for end in ("c", "f", "cue"))
            yield f"{row['id']}. C: {cause} [{row['cn']}] | E: {effect} [{row['en']}] | cue: {cue}"


def sentence_sheet(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a sheet: title, names that may fit, the sentence before, and the sentence."""
    for row in rows:
        names = f"\nnames: {' | '.join(row['names'])}" if "names" in row else ""
        yield f"\n## {row['title']}{names}\nbefore: {row['before'][-200:]}\n{row['id']}. {row['text']}"


def read_labels(folder: Path, letters: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of the sheet and the fields of every line of the labels of a folder."""
    for path in sorted(folder.glob(f"[{letters}]*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, line.split("\t")


def gather(folder: Path, labels: Path, out: Path | None, suffix: str = "", append: bool = False) -> None:
    """Check the labels of a folder, print what they hold, and write them without sentences."""
    proposals, sentences = (_rows_by_id(folder / f"{name}.jsonl") for name in ("proposals", "sentences"))
    faults: list[str] = []
    labelled = {}
    for sheet, fields in read_labels(labels, PROPOSALS):
        problem = _proposal_problem(fields, proposals)
        if problem:
            faults.append(f"{sheet}: {chr(9).join(fields)[:80]}: {problem}")
        else:
            labelled[int(fields[0])] = _proposal_record(proposals[int(fields[0])], fields, sheet)
    read = []
    for sheet, fields in read_labels(labels, SENTENCES):
        problem = _sentence_problem(fields, sentences)
        if problem:
            faults.append(f"{sheet}: {chr(9).join(fields)[:80]}: {problem}")
        else:
            read.append(_sentence_record(sentences[int(fields[0])], fields, sheet))
    print("".join(f"{fault}\n" for fault in faults), end="", file=sys.stderr)
    print_counts(labelled.values(), read)
    if out is not None:
        if labelled or not read:
            _write(out / f"claim-labels{suffix}.tsv", COLUMNS, [labelled[number] for number in sorted(labelled)], append)
        if read:
            _write(out / f"claim-sentences{suffix}.tsv", READ_COLUMNS, read, append)


def _rows_by_id(path: Path) -> dict[int, Row]:
    return {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def _proposal_problem(fields: Sequence[str], rows: Mapping[int, Row]) -> str:
    if not fields[0].isdigit() or int(fields[0]) not in rows:
        return "no such proposal"
    if fields[1:2] == ["n"]:
        return "" if len(fields) == 3 and fields[2] in UNSAID else "no such reason"
    if len(fields) != 10 or fields[1] != "y" or fields[2] not in ("ok", "rev"):
        return "10 fields are needed"
    if fields[3] not in RELATIONS or fields[4] not in STANCES or fields[9] not in ("g", "s"):
        return "no such relation, stance or kind"
    row = rows[int(fields[0])]
    return "" if all(text == "=" or text in row["text"] or text in row["before"] for text in fields[5:7]) else "words not there"


def _proposal_record(row: Row, fields: Sequence[str], sheet: str) -> dict[str, object]:
    base = {
        "article": row["article"],
        "sentence": f"{row['s']}-{row['e']}",
        "rule": row["rule"],
        "pool": row["pool"],
        "weight": f"{row['weight']:.3g}",
        "part": "test" if row["test"] else "train",
        "cause": _offsets(row, row["c"]),
        "effect": _offsets(row, row["f"]),
        "cue": _offsets(row, row["cue"]),
        "reader": sheet,
    }
    if fields[1] == "n":
        return base | {"said": f"no: {fields[2]}"}
    _, said, direction, relation, stance, cause, effect, cause_name, effect_name, kind = fields
    first, second = (row["c"], row["f"]) if direction == "ok" else (row["f"], row["c"])
    names = (row["cn"], row["en"]) if direction == "ok" else (row["en"], row["cn"])
    return base | {
        "said": "yes" if said == "y" else said,
        "direction": "right" if direction == "ok" else "reversed",
        "relation": relation,
        "stance": stance,
        "cause_span": _offsets(row, _place(row, cause, first)),
        "effect_span": _offsets(row, _place(row, effect, second)),
        "cause_name": names[0] if cause_name == "=" else cause_name,
        "effect_name": names[1] if effect_name == "=" else effect_name,
        "kind": "general" if kind == "g" else "specific",
    }


def _place(row: Row, words: str, proposed_span: Sequence[int]) -> tuple[int, int] | None:
    """Return where the words stand in the sentence, nearest to the proposed ones; `None` if only in the sentence before."""
    if words == "=":
        return proposed_span[0], proposed_span[1]
    places = [match.start() for match in re.finditer(re.escape(words), row["text"])]
    if not places:
        return None
    start = min(places, key=lambda place: abs(place - proposed_span[0]))
    return start, start + len(words)


def _offsets(row: Row, span: Sequence[int] | None) -> str:
    """Return offsets in the article."""
    return "before" if span is None else f"{row['s'] + span[0]}-{row['s'] + span[1]}"


def _sentence_problem(fields: Sequence[str], rows: Mapping[int, Row]) -> str:
    if not fields[0].isdigit() or int(fields[0]) not in rows:
        return "no such sentence"
    if fields[1:] == ["n"]:
        return ""
    if (
        len(fields) != 9
        or fields[1] != "y"
        or fields[2] not in RELATIONS
        or fields[3] not in STANCES
        or fields[8] not in ("g", "s")
    ):
        return "9 valid fields are needed"
    return "" if all(text in rows[int(fields[0])]["text"] for text in fields[4:6]) else "words not there"


def _sentence_record(row: Row, fields: Sequence[str], sheet: str) -> dict[str, object]:
    base: dict[str, object] = {name: row[name] for name in ("article", "pool")}
    base |= {"sentence": f"{row['s']}-{row['e']}", "drawn": row.get("drawn", row.get("kind")), "reader": sheet}
    base["part"] = "test" if row["test"] else "train"
    if fields[1] == "n":
        return base | {"relation": "none"}
    spans = ((row["text"].index(text), row["text"].index(text) + len(text)) for text in fields[4:6])
    cause_span, effect_span = (_offsets(row, span) for span in spans)
    names = dict(zip(("cause_name", "effect_name"), fields[6:8], strict=True))
    kind = "general" if fields[8] == "g" else "specific"
    return (
        base
        | names
        | {"relation": fields[2], "stance": fields[3], "cause_span": cause_span, "effect_span": effect_span, "kind": kind}
    )


def print_counts(labelled: Iterable[Mapping[str, object]], read: Sequence[Mapping[str, object]]) -> None:
    """Print how many proposals are said and how many are right as they stand, and how many pairs the sentences hold."""
    rows = list(labelled)
    for name, some in (
        ("shipped rules", [r for r in rows if is_of_strict_rule(r)]),
        ("loose rules", [r for r in rows if not is_of_strict_rule(r)]),
    ):
        said = [row for row in some if row["said"] == "yes"]
        ends = [row["cause_span"] == row["cause"] and row["effect_span"] == row["effect"] for row in said]
        stances = Counter(str(row["stance"]) for row in said)
        print(f"{name}: {len(some)} proposals, {len(said)} said, {sum(ends)} with both ends right; {dict(stances.most_common())}")
    sentences = {(row["article"], row["sentence"]) for row in read}
    pairs = [row for row in read if row["relation"] != "none"]
    print(
        f"{len(sentences)} sentences read in full: {len({(r['article'], r['sentence']) for r in pairs})} hold {len(pairs)} pairs"
    )


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]], append: bool = False) -> None:
    with path.open("a" if append else "w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(
            lines, columns, delimiter="\t", lineterminator="\n", restval="", quoting=csv.QUOTE_NONE, escapechar="\\"
        )
        if not append:
            writer.writeheader()
        writer.writerows(rows)


def agree(folder: Path, first: Path, second: Path) -> None:
    """Print how far two readings of the same proposals agree: on what is said, its direction, relation, stance and ends."""
    proposals = _rows_by_id(folder / "proposals.jsonl")
    readings = []
    for labels in (first, second):
        valid = (fields for _, fields in read_labels(labels, PROPOSALS) if not _proposal_problem(fields, proposals))
        readings.append({int(fields[0]): fields for fields in valid})
    both = sorted(readings[0].keys() & readings[1].keys())
    pairs = [(readings[0][number], readings[1][number]) for number in both]
    print(f"{len(pairs)} proposals read twice")
    print(f"said: {agreement([left[1] == 'y' for left, _ in pairs], [right[1] == 'y' for _, right in pairs])}")
    said = [(left, right) for left, right in pairs if left[1] == right[1] == "y"]
    for name, place in (("direction", 2), ("relation", 3), ("stance", 4), ("cause", 5), ("effect", 6), ("kind", 9)):
        print(f"{name}, where both say yes: {sum(left[place] == right[place] for left, right in said) / max(1, len(said)):.3f}")


if __name__ == "__main__":
    main()
