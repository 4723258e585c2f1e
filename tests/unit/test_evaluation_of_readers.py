"""What `kgqa evaluate` tells of readers: retrieval, errors by kind, edits, and items that were held out of training."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graph.stores import open_store
from kgqa.answering.passages import Way
from kgqa.evaluation.asking import Asker
from kgqa.evaluation.datasets import DATASETS
from kgqa.evaluation.heldout import NothingHeldOut, held_out
from kgqa.evaluation.item import Item
from kgqa.evaluation.prediction import Prediction, read_prediction
from kgqa.evaluation.respondents import Setting, gold_rank, respondent
from kgqa.evaluation.scoring.errors import KINDS, RIGHT, error_of, errors
from kgqa.evaluation.scoring.outcome import Outcome
from kgqa.evaluation.scoring.retrieval import retrieval
from kgqa.reading.model import Passage

ITEM = Item("1", "Who won?", ("Ann Lee",), "Ann Lee won in 1960, and Bob Ray lost.", "span")


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
        (replace(ITEM, gold=("1970",), type="date"), said("1960"), "another number or date"),
        (replace(ITEM, gold=("yes",)), said("no"), "yes for no, or no for yes"),
        (replace(ITEM, gold=()), said("Ann Lee"), "answered where there is no answer"),
        (replace(ITEM, gold=()), said(None), RIGHT),
    ],
)
def test_an_error_counts_under_the_first_thing_that_is_wrong(item: Item, prediction: Prediction, kind: str) -> None:
    assert error_of(item, prediction, 5) == kind
    assert kind in KINDS


def test_errors_are_counted_with_their_shares() -> None:
    table = errors([ITEM, ITEM], [said("Ann Lee"), said(None)]).record()
    assert {name: row["items"] for name, row in table.items()} == {RIGHT: 1, "refused where there is an answer": 1}


def test_recall_is_at_one_five_twenty_and_a_hundred_places() -> None:
    predictions = [said("x", rank) for rank in (1, 4, 20, 0)]
    tables = list(retrieval(predictions, Outcome((), {"EM": [1.0, 1.0, 0.0, 0.0]})))
    (row,) = tables[0].record().values()
    assert [row[name]["value"] for name in ("R@1", "R@5", "R@20", "R@100")] == [0.25, 0.5, 0.75, 0.75]
    assert set(tables[1].record()) == {"1", "2 to 5", "6 to 20", "not found"}
    assert list(retrieval([said("x")], Outcome((), {}))) == []


def test_a_gold_passage_is_known_by_its_words() -> None:
    found = [Passage("Another."), Passage("Ann  Lee won\nin 1960, AND Bob Ray lost.")]
    assert gold_rank(ITEM, found) == 2
    assert gold_rank(ITEM, found[:1]) == 0
    assert gold_rank(replace(ITEM, passage=f"First.\n\n{ITEM.passage}"), found) == 2


def test_only_what_was_held_out_is_kept(tmp_path: Path) -> None:
    (tmp_path / "reader.json").write_text(json.dumps({"held_out_articles": ["Normandy"], "held_out_rows": ["7", 9]}))
    items = [replace(ITEM, id=str(place), group=title) for place, title in enumerate(("Normandy", "Paris", "Normandy"))]
    assert [one.id for one in held_out(items, tmp_path)] == ["0", "2"]
    assert [one.id for one in held_out([replace(ITEM, id=name) for name in ("7", "8", "9")], tmp_path)] == ["7", "9"]
    with pytest.raises(NothingHeldOut, match="none of the 1 items"):
        held_out([replace(ITEM, group="Rome")], tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"held_out_articles": 3}'])
def test_a_model_that_does_not_tell_what_was_held_out_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "reader.json").write_text(content)
    with pytest.raises(NothingHeldOut) as told:
        held_out([ITEM], tmp_path)
    assert len(str(told.value).splitlines()) == 1


def test_the_edits_alone_answer_without_a_model_and_say_how(tmp_path: Path) -> None:
    question = "If the dam at Elmstead had been built ten years later, in which year would it have been built?"
    item = Item("1", question, ("1970",), "The dam at Elmstead was built in 1960 by four hundred workers.", "date")
    with open_store("memory:", write=True) as store:
        who = respondent(Setting("extractive", Way.EDITS), store, pairs=False)
        with Asker(DATASETS["ifqa"], [item], store, who) as asker:
            prediction, _ = asker.ask(item)
    assert (prediction.said, prediction.route, prediction.edit) == ("1970", "intervention-passage", "shift by")
    assert read_prediction(json.loads(json.dumps(prediction.record(verdict=False)))) == prediction


def test_a_corpus_is_searched_and_the_place_of_the_gold_passage_kept(tmp_path: Path) -> None:
    question = "If the dam at Elmstead had been built ten years later, in which year would it have been built?"
    item = Item("1", question, ("1970",), "The dam at Elmstead was built in 1960 by four hundred workers.", "date")
    corpus = tmp_path / "corpus.jsonl"
    texts = ["The harbour of Utrecht is old.", item.passage, "Nothing is known of the mill."]
    corpus.write_text(
        "".join(json.dumps({"id": str(place), "title": f"t{place}", "text": text}) + "\n" for place, text in enumerate(texts))
    )
    with open_store("memory:", write=True) as store:
        found = respondent(Setting("extractive", Way.EDITS, str(corpus)), store, pairs=False).answer(item)
        closed = respondent(Setting("extractive", Way.EDITS, closed=True), store, pairs=False).answer(item)
    assert (found.answer.answer, found.rank) == ("1970", 1)
    assert (closed.answer.answer, closed.rank) == (None, None)
