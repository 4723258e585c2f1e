"""What `kgqa evaluate` tells of readers: retrieval, errors by kind, edits, and items that were held out of training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from graph.stores import open_store
from kgqa.evaluation.answer_systems import ForcedAnswerReader, SystemSettings, build_system, gold_passage_rank
from kgqa.evaluation.dataset_item import DatasetItem, NothingHeldOut, held_out_items
from kgqa.evaluation.datasets import DATASETS
from kgqa.evaluation.prediction import Prediction, Predictor, read_prediction
from kgqa.evaluation.score_table import ScoringOutcome
from kgqa.evaluation.scoring.error_analysis import ERROR_KINDS, RIGHT, error_kind, error_tables
from kgqa.evaluation.scoring.reading_scores import forced_answer_tables
from kgqa.evaluation.scoring.score_breakdowns import group_tables, retrieval_tables
from kgqa.passages.passage_answer import PassageMethod
from kgqa.passages.passage_source import PassageSource
from kgqa.readers.reader import READERS, AnswerKind, Candidate, Passage
from kgqa.settings import Settings

ITEM = DatasetItem("1", "Who won?", ("Ann Lee",), "Ann Lee won in 1960, and Bob Ray lost.", "span")


def said(answer: str | None, rank: int | None = None) -> Prediction:
    return Prediction("1", "Who won?", answer, 0.5, "reader", ("Ann Lee",), rank=rank)


@pytest.mark.parametrize(
    ("item", "prediction", "kind"),
    [
        (ITEM, said("ann lee"), RIGHT),
        (ITEM, said(None), "refused where there is an answer"),
        (ITEM, said("Ann Lee won"), "right place, other words"),
        (ITEM, said("Bob Ray"), "another span, the answer stands in the passage"),
        (ITEM, said("Bob Ray", rank=0), "no gold passage among those that were read"),
        (ITEM, said("Bob Ray", rank=6), "no gold passage among those that were read"),
        (ITEM, said("Bob Ray", rank=5), "another span, the answer stands in the passage"),
        (ITEM, said("Ann Lee", rank=0), RIGHT),
        (replace(ITEM, gold=("Cid Fox",)), said("Bob Ray"), "the answer does not stand in the passage"),
        (replace(ITEM, gold=("1970",), type="date"), said("1960"), "a number or date that has to be reckoned"),
        (replace(ITEM, gold=("60",)), said("61"), "a number or date that has to be reckoned"),
        (replace(ITEM, gold=("1960",), type="date"), said("1961"), "another number or date of the passage"),
        (replace(ITEM, gold=("yes",)), said("no"), "yes for no, or no for yes"),
        (replace(ITEM, gold=()), said("Ann Lee"), "answered where there is no answer"),
        (replace(ITEM, gold=()), said(None), RIGHT),
    ],
)
def test_an_error_counts_under_the_first_thing_that_is_wrong(item: DatasetItem, prediction: Prediction, kind: str) -> None:
    assert error_kind(item, prediction, 5) == kind
    assert kind in ERROR_KINDS


def test_errors_are_counted_with_their_shares() -> None:
    table = next(iter(error_tables([ITEM, ITEM], [said("Ann Lee"), said(None)]))).record()
    assert {name: row["items"] for name, row in table.items()} == {RIGHT: 1, "refused where there is an answer": 1}


def test_errors_are_counted_by_the_type_of_the_item_and_by_whether_the_passage_was_edited() -> None:
    items = [ITEM, replace(ITEM, gold=("1970",), type="date"), replace(ITEM, gold=("1960",), type="date")]
    table, by_type = error_tables(items, [said("Ann Lee"), replace(said("1961"), edit="shift by"), said("1960")])
    told = {name: (row["items"], row["by an edit of the passage"]) for name, row in table.record().items()}
    assert told == {RIGHT: (2, 0), "a number or date that has to be reckoned": (1, 1)}
    assert by_type.record() == {
        RIGHT: {"date": 1, "span": 1},
        "a number or date that has to be reckoned": {"date": 1, "span": 0},
    }


def test_numbers_and_dates_are_scored_together() -> None:
    items = [ITEM, replace(ITEM, gold=("1970",), type="date"), replace(ITEM, gold=("four",), type="number")]
    outcome = ScoringOutcome((), {"EM": [1.0, 1.0, 0.0]})
    tables = {one.title: one.record() for one in group_tables(items, [said("x")] * 3, outcome)}
    assert tables["Numbers and dates"]["number or date"]["items"] == 2
    assert tables["Numbers and dates"]["number or date"]["EM"]["value"] == 0.5


def test_what_would_be_said_without_no_answer_is_scored_on_the_questions_that_have_one() -> None:
    items = [ITEM, replace(ITEM, id="2"), replace(ITEM, id="3", gold=())]
    predictions = [replace(said(None), guess="Ann Lee"), replace(said("Bob Ray"), guess="Bob Ray"), said(None)]
    (table,) = forced_answer_tables("squad2", items, predictions)
    rows = table.record()
    assert (rows["kgqa"]["items"], rows["kgqa"]["EM"]["value"]) == (2, 0.0)
    assert rows["kgqa, made to answer"]["EM"]["value"] == 0.5
    assert list(forced_answer_tables("ifqa", items[:2], predictions[:2])) != []
    assert list(forced_answer_tables("squad2", items, [said(None)] * 3)) == []


def test_where_items_have_sources_what_would_be_said_is_scored_by_source() -> None:
    items = [replace(ITEM, source="squad2"), replace(ITEM, id="2", source="hotpotqa")]
    predictions = [replace(said(None), guess="Ann Lee"), replace(said(None), guess="Bob Ray")]
    _, table = forced_answer_tables("causalqa", items, predictions)
    rows = table.record()
    assert [rows[name]["EM"]["value"] for name in ("hotpotqa", "squad2", "kgqa, made to answer: macro")] == [0.0, 1.0, 0.5]
    assert rows["kgqa, made to answer: micro"]["EM"] == 0.5


class Fixed:
    """Finds the same to one question, and another answer to any other."""

    name = "fixed"
    found = (Candidate("", 0.9, AnswerKind.NULL), Candidate("1960", 0.05, AnswerKind.NUMBER), Candidate("Ann Lee ", 0.04))

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        return self.found if question == "Who?" else [Candidate("Bob", 1.0)]


def fixed(model: str, settings: Settings) -> Fixed:
    return Fixed()


def test_a_reader_is_overheard_when_it_is_first_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, "fixed", (__name__, "fixed", {}))
    heard = ForcedAnswerReader(PassageSource("fixed"))
    assert heard.guess is None
    reader = heard.opened()
    assert (reader.name, reader.read("Who?", []), heard.guess) == ("fixed", Fixed.found, "Ann Lee")
    assert (reader.read("When?", [])[0].text, heard.guess) == ("Bob", "Ann Lee")


def test_recall_is_at_one_five_twenty_and_a_hundred_places() -> None:
    predictions = [said("x", rank) for rank in (1, 4, 20, 0)]
    tables = list(retrieval_tables(predictions, ScoringOutcome((), {"EM": [1.0, 1.0, 0.0, 0.0]})))
    (row,) = tables[0].record().values()
    assert [row[name]["value"] for name in ("R@1", "R@5", "R@20", "R@100")] == [0.25, 0.5, 0.75, 0.75]
    assert set(tables[1].record()) == {"1", "2 to 5", "6 to 20", "not found"}
    assert list(retrieval_tables([said("x")], ScoringOutcome((), {}))) == []


def test_a_gold_passage_is_known_by_its_words() -> None:
    found = [Passage("Another."), Passage("Ann  Lee won\nin 1960, AND Bob Ray lost.")]
    assert gold_passage_rank(ITEM, found) == 2
    assert gold_passage_rank(ITEM, found[:1]) == 0
    assert gold_passage_rank(replace(ITEM, passage=f"First.\n\n{ITEM.passage}"), found) == 2


def test_only_what_was_held_out_is_kept(tmp_path: Path) -> None:
    (tmp_path / "reader.json").write_text(json.dumps({"held_out_articles": ["Normandy"], "held_out_rows": ["7", 9]}))
    items = [replace(ITEM, id=str(place), group=title) for place, title in enumerate(("Normandy", "Paris", "Normandy"))]
    assert [one.id for one in held_out_items("squad2", items, tmp_path)] == ["0", "2"]
    rows = [replace(ITEM, id=name) for name in ("7", "8", "9")]
    assert [one.id for one in held_out_items("boolq", rows, tmp_path)] == ["7", "9"]
    with pytest.raises(NothingHeldOut, match="none of the 1 items"):
        held_out_items("squad2", [replace(ITEM, group="Rome")], tmp_path)


def test_the_ids_of_one_set_hold_back_no_items_of_another(tmp_path: Path) -> None:
    (tmp_path / "reader.json").write_text(json.dumps({"held_out_rows": ["7"]}))
    with pytest.raises(NothingHeldOut, match="not of drop"):
        held_out_items("drop", [replace(ITEM, id="7")], tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"held_out_articles": 3}'])
def test_a_model_that_does_not_tell_what_was_held_out_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "reader.json").write_text(content)
    with pytest.raises(NothingHeldOut) as told:
        held_out_items("squad2", [replace(ITEM, group="Rome")], tmp_path)
    assert len(str(told.value).splitlines()) == 1


def test_the_edits_alone_answer_without_a_model_and_say_how(tmp_path: Path) -> None:
    question = "If the dam at Elmstead had been built ten years later, in which year would it have been built?"
    item = DatasetItem("1", question, ("1970",), "The dam at Elmstead was built in 1960 by four hundred workers.", "date")
    with open_store("memory:", write=True) as store:
        who = build_system(SystemSettings("extractive", PassageMethod.EDITS), store, pairs=False)
        with Predictor(DATASETS["ifqa"], [item], store, who) as asker:
            prediction, _ = asker.ask(item)
    assert (prediction.response, prediction.route, prediction.edit) == ("1970", "intervention-passage", "shift by")
    assert read_prediction(json.loads(json.dumps(prediction.record(verdict=False)))) == prediction


def test_a_corpus_is_searched_and_the_place_of_the_gold_passage_kept(tmp_path: Path) -> None:
    question = "If the dam at Elmstead had been built ten years later, in which year would it have been built?"
    item = DatasetItem("1", question, ("1970",), "The dam at Elmstead was built in 1960 by four hundred workers.", "date")
    corpus = tmp_path / "corpus.jsonl"
    texts = ["The harbour of Utrecht is old.", item.passage, "Nothing is known of the mill."]
    corpus.write_text(
        "".join(json.dumps({"id": str(place), "title": f"t{place}", "text": text}) + "\n" for place, text in enumerate(texts))
    )
    with open_store("memory:", write=True) as store:
        found = build_system(SystemSettings("extractive", PassageMethod.EDITS, str(corpus)), store, pairs=False).answer(item)
        closed = build_system(SystemSettings("extractive", PassageMethod.EDITS, closed=True), store, pairs=False).answer(item)
    assert (found.answer.answer, found.rank) == ("1970", 1)
    assert (closed.answer.answer, closed.rank) == (None, None)
