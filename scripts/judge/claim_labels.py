"""The labels of claims (docs/judgements/claims.md): their rows, and each as a proposal to a judge, with the names of today."""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from graph.mining.judge.claim_judge import READ_STANCES
from graph.mining.judge.judge_input import Proposal, Span
from graph.mining.miner import MinedClaim, Miner
from graph.mining.rules.rule_tables import Rule, every_rule, loose_rules
from graph.model import Stance
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.text.normalise import concept_name
from graph.text.segmentation import sentence_spans

ENDS = ("cause", "effect")
WIDE_NET = Path(__file__).with_name("wide_net.toml")
JUDGEMENTS = Path(__file__).parents[2] / "docs" / "judgements"
SENTENCES, NAME_CHECKS = JUDGEMENTS / "claim-sentences.tsv", JUDGEMENTS / "name-checks.tsv"
FOUND = "found"
"""What stands for a rule where the network of the judge proposed a pair, as it did for some of the labels."""
DROPPED = "no: name"
"""What a label says in place of "yes" where an editor dropped its names."""
LabelRow = Mapping[str, str]


def wide_rules() -> tuple[Rule, ...]:
    """Return the shipped rules, the loose ones, and the looser ones of `WIDE_NET`."""
    return every_rule(str(WIDE_NET))


def label_rows(path: Path, part: str | None = "train") -> list[dict[str, str]]:
    """Return the rows of a part of a file of labels, all of them for `None`."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if part is None or row["part"] == part]


@cache
def name_checks(path: Path = NAME_CHECKS) -> dict[tuple[str, ...], LabelRow]:
    """Return what an editor dropped or mended, by article, cause, relation as in the labels, and effect."""
    return {tuple(row[name] for name in ("article", "cause", "relation", "effect")): row for row in label_rows(path, None)}


def checked_label(row: LabelRow) -> LabelRow:
    """Return a label with its names as an editor mended them; what was dropped for its names is said with `DROPPED`."""
    check = name_checks().get((row["article"], row["cause_name"], row["relation"], row["effect_name"]))
    if check is None:
        return row
    if check["verdict"] == "drop":
        return {**row, "said": DROPPED}
    return {**row, "cause_name": check["cause_name"], "effect_name": check["effect_name"]}


def is_held_out(article: str) -> bool:
    """Return whether the training of the judge leaves the labels of an article out."""
    return int(hashlib.md5(f"judge{article}".encode(), usedforsecurity=False).hexdigest(), 16) % 10 == 0


def is_of_strict_rule(row: Mapping[str, object]) -> bool:
    """Return whether a rule that stands alone proposed a row, and not a loose one or the finder."""
    return not str(row["rule"]).startswith("net-") and row["rule"] != FOUND


def is_of_loose_rule(row: LabelRow) -> bool:
    """Return whether one of the loose rules that ship proposed a row."""
    return row["rule"] in loose_ids()


@cache
def loose_ids() -> frozenset[str]:
    """Return the ids of the loose rules that ship."""
    return frozenset(rule.id for rule in loose_rules())


def is_stated(row: LabelRow) -> bool:
    """Return whether the sentence states the relation, in the direction of the proposal."""
    return row["said"] == "yes" and row["direction"] == "right"


def stance_of(row: LabelRow) -> Stance | None:
    """Return the stance that a record of the row should have; `None` where the relation is not stated."""
    return READ_STANCES[row["stance"]] if row["said"] == "yes" else None


def are_names_good(row: LabelRow, proposal: Proposal) -> bool:
    """Return whether the reader gives both ends of what is stated the names that the miner gives them."""
    if not is_stated(row):
        return False
    return (concept_name(row["cause_name"]), concept_name(row["effect_name"])) == (proposal.cause_name, proposal.effect_name)


class LabelledClaim(NamedTuple):
    """A label with the claim that the miner makes of its proposal now, if it makes one; `start` is that of the sentence."""

    row: LabelRow
    article: Article
    start: int
    text: str
    claim: MinedClaim | None

    def proposal(self) -> Proposal:
        """Return the proposal as a judge takes it, with the names of the claim, or the words of its spans."""
        row, text, claim, source = self.row, self.text, self.claim, self.article.source
        cause, effect, cue = (_inside(row[name], self.start) for name in ("cause", "effect", "cue"))
        names = [concept_name(text[slice(*span)]) for span in (cause, effect)]
        if claim is not None:
            names = [claim.claim.cause, claim.claim.effect]
        stance = Stance.ASSERTED if claim is None else claim.stance
        section, is_loose = self.article.section(self.start), row["rule"].startswith("net-")
        return Proposal(text, cause, effect, cue, names[0], names[1], row["rule"], stance, source.title, section, is_loose)


def read_proposals(rows: Sequence[LabelRow], articles: Path) -> Iterator[tuple[LabelRow, Proposal]]:
    """Yield each label with its proposal, named as the miner names it now."""
    return ((labelled.row, labelled.proposal()) for labelled in labelled_claims(rows, articles))


def labelled_claims(rows: Sequence[LabelRow], articles: Path) -> Iterator[LabelledClaim]:
    """Yield each label with the claim that the miner makes of its proposal now."""
    by_article: defaultdict[str, defaultdict[Span, list[LabelRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_article[row["article"]][offsets_of(row["sentence"])].append(row)
    miner = Miner(wide_rules())
    for item in read_articles(str(articles), detect_format(str(articles)), lambda skipped: None):
        if not isinstance(item, Article) or str(item.source.page_id) not in by_article:
            continue
        sentences = by_article[str(item.source.page_id)]
        spans = list(sentence_spans(item.text))
        before = {this[0]: item.text[slice(*last)] for last, this in pairwise(spans)}
        texts = [item.text[slice(*span)] for span in sentences]
        mined = miner.mine(texts, None, [before.get(start, "") for start, _ in sentences])
        for (start, end), text, claims in zip(sentences, texts, mined, strict=True):
            for row in sentences[start, end]:
                yield LabelledClaim(row, item, start, text, nearest_claim(row, start, claims))


def nearest_claim(row: LabelRow, start: int, claims: Sequence[MinedClaim]) -> MinedClaim | None:
    """Return the claim whose ends are nearest to those of a row, of the same rule if any; `None` if none shares half of both."""
    cause, effect = (_inside(row[name], start) for name in ENDS)

    def distance(claim: MinedClaim) -> tuple[int, bool]:
        ends = zip((*claim.cause_span, *claim.effect_span), (*cause, *effect), strict=True)
        return sum(abs(first - second) for first, second in ends), claim.rule.id != row["rule"]

    same = [claim for claim in claims if shares_half(claim.cause_span, cause) and shares_half(claim.effect_span, effect)]
    return min(same, key=distance, default=None)


def _inside(offsets: str, start: int) -> Span:
    low, high = offsets_of(offsets)
    return low - start, high - start


def proposals_in_read_sentences(
    sentences: Path, articles: Path, is_wanted: Callable[[str], bool]
) -> Iterator[tuple[LabelRow, Proposal]]:
    """Yield what the strict and the loose rules propose in the sentences of wanted articles that were read in full, with labels.

    A proposal is stated where both its ends share half of the shorter one with those of a pair.
    """
    rows: defaultdict[str, defaultdict[Span, list[LabelRow]]] = defaultdict(lambda: defaultdict(list))
    for row in label_rows(sentences):
        if is_wanted(row["article"]):
            rows[row["article"]][offsets_of(row["sentence"])].append(row)
    miner = Miner(every_rule())
    for item in read_articles(str(articles), detect_format(str(articles)), lambda skipped: None):
        if not isinstance(item, Article) or str(item.source.page_id) not in rows:
            continue
        known = rows[str(item.source.page_id)]
        texts = [item.text[slice(*span)] for span in known]
        for (start, _), text, claims in zip(known, texts, miner.mine(texts), strict=True):
            for claim in claims:
                proposal = claim.proposal(text, item.source.title, item.section(start))
                yield _row_of_read_sentence(known[start, start + len(text)], start, proposal), proposal


def _row_of_read_sentence(read: Sequence[LabelRow], start: int, proposal: Proposal) -> LabelRow:
    """Return the label of a proposal in a sentence whose pairs are known."""
    base = {**read[0], "rule": proposal.rule, "weight": "1", "said": "no: pair", "direction": ""}
    cause, effect = ((start + low, start + high) for low, high in (proposal.cause, proposal.effect))
    for direction, ends in (("right", (cause, effect)), ("reversed", (effect, cause))):
        for row in read:
            spans = [offsets_of(row[name]) for name in ("cause_span", "effect_span") if row["relation"] != "none"]
            if spans and all(map(shares_half, spans, ends)):
                return {**base, **row, "said": "yes", "direction": direction}
    return base


def shares_half(first: Span, second: Span) -> bool:
    """Return whether two spans have half of the shorter one in common."""
    common = min(first[1], second[1]) - max(first[0], second[0])
    return 2 * common >= min(first[1] - first[0], second[1] - second[0])


def offsets_of(text: str) -> Span:
    """Return the offsets of a field of a row."""
    start, _, end = text.partition("-")
    return int(start), int(end)
