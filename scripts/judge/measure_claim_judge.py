"""Measure what the judge of claims adds to the rules, on labels, and on sentences that were read in full.

    python scripts/judge/measure_claim_judge.py labels LABELS.tsv ARTICLES [--judge FOLDER] [--part held-out|test]
    python scripts/judge/measure_claim_judge.py sentences SENTENCES.tsv ARTICLES [--judge FOLDER] [--part held-out|test|fresh]
    python scripts/judge/measure_claim_judge.py claims CLAIMS.tsv ARTICLES [--judge FOLDER]

SENTENCES are docs/judgements/claim-sentences.tsv, LABELS docs/judgements/claim-labels.tsv, CLAIMS claims-350-fresh.tsv beside
them: mined claims with the verdicts of two readers, whose sentences are mined and judged again. `labels` tells how right claims
of shipped rules are, how the judge ranks them, and its calibration. `sentences` tells precision and recall of pairs, at several
bounds of the judge: of the strict rules, with the loose ones, and with the looser ones of wide_net.toml. A pair is found where
both its ends share half of the shorter one with a pair of the reader, the right way round. The part "held-out" are the articles
that the judge has not learnt from, of the others.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from claim_labels import (
    are_names_good,
    is_held_out,
    is_of_strict_rule,
    is_stated,
    label_rows,
    offsets_of,
    read_proposals,
    shares_half,
    stance_of,
    wide_rules,
)

from graph.belief.priors import shipped_priors
from graph.mining.judge.claim_judge import SHIPPED_JUDGE, ClaimJudge, EncoderJudge
from graph.mining.miner import Miner, least_right
from graph.mining.rules.rule_tables import every_rule
from graph.model import Stance
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.text.segmentation import sentence_spans
from kgqa.evaluation.metrics.confidence_scores import auroc, expected_calibration_error

ASSERTED, NEGATED = Stance.ASSERTED, Stance.NEGATED
HELD_OUT = "held-out"
THRESHOLDS = (0.5, 0.7, 0.8, 0.9)

Pair = tuple[tuple[int, int], tuple[int, int]]


class Sentence(NamedTuple):
    """A sentence that was read, with the pairs that the reader marked, in offsets of the article, and its stance for each."""

    article: str
    start: int
    end: int
    pairs: Sequence[Pair]


def rows_of_part(path: Path, part: str) -> list[dict[str, str]]:
    """Return the rows of a part of a file of labels; "held-out" are the rows to learn from that training leaves out."""
    return [row for row in label_rows(path) if is_held_out(row["article"])] if part == HELD_OUT else label_rows(path, part)


def read_sentences(path: Path, part: str) -> list[Sentence]:
    """Return the sentences of a part that the judge has not learnt from."""
    pairs: defaultdict[tuple[str, str], list[Pair]] = defaultdict(list)
    for row in rows_of_part(path, part):
        found = pairs[row["article"], row["sentence"]]
        if row["relation"] != "none":
            found.append((offsets_of(row["cause_span"]), offsets_of(row["effect_span"])))
    return [Sentence(article, *offsets_of(span), found) for (article, span), found in pairs.items()]


def print_scores(name: str, found: Iterable[tuple[Sentence, Sequence[Pair]]]) -> None:
    """Print how many pairs are right, and how many of the reader's are found."""
    right = stated = gold = hit = 0
    for sentence, pairs in found:
        stated += len(pairs)
        gold += len(sentence.pairs)
        right += sum(any(_same(pair, known) for known in sentence.pairs) for pair in pairs)
        hit += sum(any(_same(pair, known) for pair in pairs) for known in sentence.pairs)
    print(f"| {name} | {stated} | {right / max(1, stated):.3f} | {hit} of {gold} | {hit / max(1, gold):.3f} |")


def _same(first: Pair, second: Pair) -> bool:
    return shares_half(first[0], second[0]) and shares_half(first[1], second[1])


class System(NamedTuple):
    """A way to propose pairs."""

    name: str
    miner: Miner


def mined_pairs(system: System, judge: ClaimJudge, sentence: Sentence, article: Article) -> list[tuple[Pair, float]]:
    """Return the pairs that a system finds in a sentence, with the probability that the judge gives to the relation."""
    text = article.text[sentence.start : sentence.end]
    made: dict[Pair, float] = {}
    for claim in next(iter(system.miner.mine([text]))):
        cause, effect = ((sentence.start + start, sentence.start + end) for start, end in (claim.cause_span, claim.effect_span))
        judgement = judge.judge(claim.proposal(text, article.source.title, article.section(sentence.start)))
        made.setdefault((cause, effect), judgement.relation if judgement else 0.0)
    return list(made.items())


def print_sentence_scores(options: argparse.Namespace) -> None:
    """Print precision and recall over sentences that were read in full."""
    by_article: defaultdict[str, list[Sentence]] = defaultdict(list)
    for sentence in read_sentences(options.sentences, options.part):
        by_article[sentence.article].append(sentence)
    judge = EncoderJudge(options.judge)
    systems = (
        System("strict rules", Miner()),
        System("strict and loose rules", Miner(judge=judge)),
        System("these and looser ones", Miner(wide_rules())),
    )
    found: defaultdict[str, list[tuple[Sentence, list[tuple[Pair, float]]]]] = defaultdict(list)
    for item in read_articles(str(options.articles), detect_format(str(options.articles)), lambda skipped: None):
        if isinstance(item, Article):
            for sentence, system in itertools.product(by_article.get(str(item.source.page_id), ()), systems):
                found[system.name].append((sentence, mined_pairs(system, judge, sentence, item)))
    print(f"{len(found[systems[0].name])} sentences\n")
    print("| | pairs stated | precision | found | recall |\n|---|---|---|---|---|")
    for system, least in itertools.product(systems, (0.0, *THRESHOLDS)):
        title = f"{system.name}, judged {least} or more" if least else system.name
        print_scores(title, ((sentence, [pair for pair, said in rows if said >= least]) for sentence, rows in found[system.name]))


def print_label_scores(options: argparse.Namespace) -> None:
    """Print how the judge does on labels of shipped rules: stances, ranking, calibration, names."""
    rows = [row for row in rows_of_part(options.labels, options.part) if is_of_strict_rule(row)]
    judge, precision = EncoderJudge(options.judge), shipped_priors().rules
    judged = [
        (row, proposal, made) for row, proposal in read_proposals(rows, options.articles) if (made := judge.judge(proposal))
    ]
    right = [is_stated(row) and made.stance is stance_of(row) for row, _, made in judged]
    rule_right = [is_stated(row) and proposal.stance is stance_of(row) for row, proposal, _ in judged]
    taken = [made.right >= least_right(made.stance) for *_, made in judged]
    print(f"{len(judged)} labels: right by the rules {mean(rule_right):.3f}, by the judge {mean(right):.3f}")
    print(f"taken {mean(taken):.3f}, right among them {mean(itertools.compress(right, taken)):.3f}")
    asserted = [
        (made.right, ok) for (*_, made), ok, take in zip(judged, right, taken, strict=True) if take and made.stance is ASSERTED
    ]
    by_rules = [ok for (_, proposal, _), ok in zip(judged, rule_right, strict=True) if proposal.stance is ASSERTED]
    right_share = mean(ok for _, ok in asserted)
    print(f"asserted and right: rules {mean(by_rules):.3f} of {len(by_rules)}, judge {right_share:.3f} of {len(asserted)}")
    for least in (0.8, 0.9, 0.95):
        high = [ok for value, ok in asserted if value >= least]
        share = sum(high) / sum(ok for _, ok in asserted)
        print(f"  at {least} or more: {mean(high):.3f} right, with {share:.3f} of the right ones")
    of_rules = [entry for entry in judged if entry[1].stance is ASSERTED]
    truth = [is_stated(row) and stance_of(row) is ASSERTED for row, _, _ in of_rules]
    shares = [precision.get(row["rule"], 0.85) for row, _, _ in of_rules]
    chances = [made.right if made.stance is ASSERTED else 1 - made.right for *_, made in of_rules]
    print(
        f"ranking of what the rules assert, AUC: share of the rule {auroc(shares, truth):.3f}, judge {auroc(chances, truth):.3f}"
    )
    kept = list(itertools.compress(judged, taken))
    print(
        f"denials that are kept: {mean(stance_of(row) is NEGATED for row, _, made in kept if made.stance is NEGATED):.3f} right"
    )
    for name, stances in (("rules", [entry[1].stance for entry in judged]), ("judge", [entry[2].stance for entry in judged])):
        denials = [stance_of(row) is NEGATED for (row, *_), stance in zip(judged, stances, strict=True) if stance is NEGATED]
        print(f"denials of the {name}: {mean(denials):.3f} of {len(denials)} right")
    good = [ok and are_names_good(row, proposal) for (row, proposal, _), ok in zip(judged, right, strict=True)]
    names = [made.names for *_, made in judged]
    print(f"ECE of judged {expected_calibration_error([made.right for *_, made in judged], right):.3f}")
    print(f"both names good {mean(good):.3f}; AUC {auroc(names, good):.3f}, ECE {expected_calibration_error(names, good):.3f}")
    for least in (0.1, 0.2, 0.3, 0.5):
        high = [ok for value, ok in zip(names, good, strict=True) if value >= least]
        print(f"  names at {least} or more: {len(high) / len(names):.3f} of all, {mean(high):.3f} good")


def print_claim_scores(options: argparse.Namespace) -> None:
    """Print how the judge does on mined claims with verdicts; what it gives another stance than the claim had is not kept."""
    rows = label_rows(options.claims, None)
    by_article: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_article[row["article"]].append(row)
    judge, miner = EncoderJudge(options.judge), Miner(every_rule())
    judged = []
    for item in read_articles(str(options.articles), detect_format(str(options.articles)), lambda skipped: None):
        if isinstance(item, Article) and (wanted := by_article.get(str(item.source.page_id))):
            before = {this[0]: item.text[slice(*last)] for last, this in itertools.pairwise(sentence_spans(item.text))}
            for row in wanted:
                start, end = offsets_of(row["sentence"])
                text = item.text[start:end]
                for claim in next(iter(miner.mine([text], None, [before.get(start, "")]))):
                    if (claim.rule.id, claim.claim.cause, claim.claim.effect) == (row["rule"], row["cause"], row["effect"]):
                        made = judge.judge(claim.proposal(text, item.source.title, item.section(start)))
                        judged += [(row, made)] if made else []
                        break
    print(f"{len(judged)} of {len(rows)} claims are proposed now")
    for stance, reader in itertools.product((ASSERTED, NEGATED), ("first", "second")):
        some = [
            (made.right if made.stance is stance else 0.0, row[f"{reader}_pair"] == row[f"{reader}_stance"] == "y")
            for row, made in judged
            if row["stance"] == stance
        ]
        kept = [(value, ok) for value, ok in some if value >= least_right(stance)]
        area = auroc([value for value, _ in some], [ok for _, ok in some])
        error = expected_calibration_error([value for value, _ in kept], [ok for _, ok in kept])
        print(f"{stance}, {reader} reader: right {mean(ok for _, ok in some):.3f} of {len(some)}, AUC {area or math.nan:.3f}")
        print(f"  kept: {mean(ok for _, ok in kept):.3f} right of {len(kept)}, ECE {error:.3f}")
        for least in (0.8, 0.9, 0.95):
            high = [ok for value, ok in kept if value >= least]
            share = sum(high) / max(1, sum(ok for _, ok in some))
            print(f"  at {least} or more: {mean(high):.3f} right of {len(high)}, with {share:.3f} of the right ones")


def mean(values: Iterable[float]) -> float:
    """Return the mean of some values, NaN of none."""
    known = list(values)
    return sum(known) / len(known) if known else math.nan


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("labels", "sentences", "claims"):
        step = steps.add_parser(name)
        for place in (name, "articles"):
            step.add_argument(place, type=Path)
        step.add_argument("--judge", type=Path, default=SHIPPED_JUDGE)
        if name != "claims":
            step.add_argument("--part", choices=(HELD_OUT, "test", "fresh"), default=HELD_OUT)
    options = parser.parse_args()
    {"labels": print_label_scores, "sentences": print_sentence_scores, "claims": print_claim_scores}[options.step](options)


if __name__ == "__main__":
    main()
