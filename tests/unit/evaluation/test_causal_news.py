"""What `kgqa evaluate extraction-news` makes of the Causal News Corpus and of the answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, GraphError, InputMissing
from graph.mining.miner import MinedClaim, Miner
from graph.sources.article import Skipped
from kgqa.evaluation.extraction.causal_news import (
    AnnotatedRelation,
    NewsSentence,
    counts_as_causal,
    five_fold_answers,
    parse_marked_relation,
    read_files,
    relation_verdict,
    span_f1,
    tables,
)
from kgqa.evaluation.metrics.score_intervals import Interval

STRIKE = "The drought caused a famine ."


def unskipped(file: str) -> Callable[[Skipped], None]:
    def fail(skipped: Skipped) -> None:
        raise AssertionError(f"{file}: {skipped}")

    return fail


def claims_of(text: str) -> list[MinedClaim]:
    (found,) = Miner().mine([text])
    return found


def item(name: str, causal: bool) -> NewsSentence:
    return NewsSentence(name, STRIKE, causal, ())


def test_tags_that_cross_each_other_give_the_spans_that_they_mark() -> None:
    gold = parse_marked_relation("<ARG0>The drought</ARG0> <SIG0>has <ARG1>made</SIG0> them hungry</ARG1> .")
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
    one, other = read_files([str(first), str(second)], unskipped)
    assert (one.causal, other.causal, other.relations) == (True, False, ())
    assert one.relations == (AnnotatedRelation((0, 11), (19, 27), ()),)


@pytest.mark.parametrize(
    ("content", "kind", "complaint"),
    [
        (None, InputMissing, "no such file"),
        ("index,text\na,b\n", FormatUnknown, "no 'label'"),
        ("index,text,label\na,b,2\n", FormatUnknown, "neither 0 nor 1"),
        ("text,causal_text_w_pairs\na,[]\n", FormatUnknown, "relations only"),
        ("text,causal_text_w_pairs\na,oops(\n", FormatUnknown, "no list of texts"),
    ],
)
def test_a_file_that_is_not_of_the_corpus_is_named(
    tmp_path: Path, content: str | None, kind: type[GraphError], complaint: str
) -> None:
    path = tmp_path / "news.csv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(kind, match=complaint):
        read_files([str(path)], lambda file: lambda skipped: None)


def test_a_claim_is_right_only_in_the_annotated_direction() -> None:
    (one,) = claims_of(STRIKE)
    drought, famine = (4, 11), (19, 27)
    assert relation_verdict(one, [AnnotatedRelation(drought, famine, ())]) == "right"
    assert relation_verdict(one, [AnnotatedRelation(famine, drought, ())]) == "reversed"
    assert relation_verdict(one, []) == "other"


def test_associations_and_questions_make_no_sentence_causal() -> None:
    assert [counts_as_causal(one) for one in claims_of("The drought may have caused a famine.")] == [True]
    assert [counts_as_causal(one) for one in claims_of("Did the drought cause a famine?")] == [False]
    assert [counts_as_causal(one) for one in claims_of("Smoking is linked to cancer.")] == [False]


def test_a_rule_that_is_wrong_elsewhere_does_not_answer() -> None:
    found = claims_of(STRIKE)
    wrong = [item(f"news_{number}_0", False) for number in range(30)]
    kept = [item(f"news_{number}_0", True) for number in range(30)]
    assert {one.fold for one in wrong} == {0, 1, 2, 3, 4}
    assert five_fold_answers(wrong, [found] * 30, keep=0.7) == [False] * 30
    assert five_fold_answers(kept, [found] * 30, keep=0.7) == [True] * 30


def test_sentences_of_one_document_are_in_one_fold() -> None:
    assert len({item(f"train_01_17_{number}", True).fold for number in range(20)}) == 1


def test_words_shared_by_two_spans_make_their_f1() -> None:
    assert span_f1(STRIKE, (0, 11), (4, 11)) == pytest.approx(2 / 3)
    assert span_f1(STRIKE, (0, 11), (19, 27)) == 0.0


def test_always_yes_has_no_correlation() -> None:
    sentences, *_ = tables([item("a_1_0", True), item("a_2_0", False)], [[], []])
    row = dict(zip(sentences.columns, dict(sentences.rows)["always yes"], strict=True))
    assert [cell.value for cell in (row["MCC"], row["balanced accuracy"]) if isinstance(cell, Interval)] == [0.0, 0.5]
    assert isinstance(row["F1"], Interval)
    assert row["F1"].value == pytest.approx(2 / 3)


def test_spans_are_scored_where_relations_are_annotated() -> None:
    annotated = NewsSentence("a_1_0", STRIKE, True, (AnnotatedRelation((0, 11), (19, 27), ((12, 18),)),))
    titles = [table.title for table in tables([annotated], [claims_of(STRIKE)])]
    assert titles == ["Causal sentences", "Causes, effects and signals", "By rule"]
    spans = next(table for table in tables([annotated], [claims_of(STRIKE)]) if table.title.startswith("Causes"))
    assert dict(spans.rows)["claims that are right"][:2] == (1, 1)
    assert dict(spans.rows)["cue on the signal, of right claims whose relation has one"][:2] == (1, 1)
