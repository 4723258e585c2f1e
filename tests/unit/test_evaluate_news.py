"""What scripts/evaluate_news.py makes of the Causal News Corpus and of the answers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from graph.mining.miner import MinedClaim, Miner

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from evaluate_news import Gold, Item, Unreadable, counts, five_fold, read_items, read_relation, table, token_f1, verdict
from intervals import Table, resampled

STRIKE = "The drought caused a famine ."


def claims_of(text: str) -> list[MinedClaim]:
    (found,) = Miner().mine([text])
    return found


def item(name: str, causal: bool) -> Item:
    return Item(name, STRIKE, causal, ())


def test_tags_that_cross_each_other_give_the_spans_that_they_mark() -> None:
    gold = read_relation("<ARG0>The drought</ARG0> <SIG0>has <ARG1>made</SIG0> them hungry</ARG1> .")
    text = "The drought has made them hungry ."
    assert [text[slice(*span)] for span in (gold.cause, gold.effect, *gold.signals)] == [
        "The drought",
        "made them hungry",
        "has made",
    ]


def test_the_two_files_are_joined_by_their_text(tmp_path: Path) -> None:
    first, second = tmp_path / "1.csv", tmp_path / "2.csv"
    first.write_text(f"index,text,label\na_1_0_1,{STRIKE},1\na_1_1_2,Nothing .,0\n", encoding="utf-8-sig")
    marked = "['<ARG0>The drought</ARG0> caused <ARG1>a famine</ARG1> .']"
    second.write_text(f'text,causal_text_w_pairs\n{STRIKE},"{marked}"\n', encoding="utf-8-sig")
    one, other = read_items(first, second)
    assert (one.causal, other.causal, other.relations) == (True, False, ())
    assert one.relations == (Gold((0, 11), (19, 27), ()),)


@pytest.mark.parametrize(("content", "complaint"), [(None, "No such file"), ("index,text\n", "no column 'label'")])
def test_a_file_that_is_not_of_the_corpus_is_named(tmp_path: Path, content: str | None, complaint: str) -> None:
    path = tmp_path / "news.csv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(Unreadable, match=complaint):
        read_items(path, None)


def test_a_claim_is_right_only_in_the_annotated_direction() -> None:
    (one,) = claims_of(STRIKE)
    drought, famine = (4, 11), (19, 27)
    assert verdict(one, [Gold(drought, famine, ())]) == "right"
    assert verdict(one, [Gold(famine, drought, ())]) == "reversed"
    assert verdict(one, []) == "other"


def test_associations_and_questions_make_no_sentence_causal() -> None:
    assert [counts(one) for one in claims_of("The drought may have caused a famine.")] == [True]
    assert [counts(one) for one in claims_of("Did the drought cause a famine?")] == [False]
    assert [counts(one) for one in claims_of("Smoking is linked to cancer.")] == [False]


def test_a_rule_that_is_wrong_elsewhere_does_not_answer() -> None:
    found = claims_of(STRIKE)
    wrong = [item(f"news_{number}_0", False) for number in range(30)]
    kept = [item(f"news_{number}_0", True) for number in range(30)]
    assert {one.fold for one in wrong} == {0, 1, 2, 3, 4}
    assert five_fold(wrong, [found] * 30, keep=0.7) == [False] * 30
    assert five_fold(kept, [found] * 30, keep=0.7) == [True] * 30


def test_sentences_of_one_document_are_in_one_fold() -> None:
    assert len({item(f"train_01_17_{number}", True).fold for number in range(20)}) == 1


def test_words_shared_by_two_spans_make_their_f1() -> None:
    assert token_f1(STRIKE, (0, 11), (4, 11)) == pytest.approx(2 / 3)
    assert token_f1(STRIKE, (0, 11), (19, 27)) == 0.0


def test_always_yes_has_no_correlation() -> None:
    cells = table([item("a_1_0", True), item("a_2_0", False)], [True, True])
    assert (cells.score("MCC"), cells.score("balanced accuracy")) == (0.0, 0.5)
    assert cells.score("F1") == pytest.approx(2 / 3)


def test_an_interval_holds_its_score_and_is_the_same_in_every_run() -> None:
    cells = Table(right=40, wrong=10, missed=30, passed=60)
    assert resampled(cells, "MCC") == resampled(cells, "MCC")
    score, low, high = (float(part.strip("[],")) for part in resampled(cells, "MCC").split())
    assert low < score < high
