"""Every reader of a data set, on small files of the same shape: what it makes of good rows and of broken ones."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, InputEmpty
from graph.sources.article import Skipped
from graph.sources.input_stream import open_input
from kgqa.evaluation.dataset_item import DatasetItem, items_digest, with_unique_ids
from kgqa.evaluation.datasets import DATASETS, read_set
from kgqa.evaluation.datasets.answer_datasets import guess_answer_type
from kgqa.evaluation.datasets.iirc_dataset import read_iirc_articles


def read(name: str, *paths: Path) -> tuple[list[DatasetItem], list[str]]:
    """The items of the files of a data set, and what was skipped."""
    skipped: list[str] = []

    def tell(one: Skipped) -> None:
        skipped.append(f"{one.where}: {one.why}")

    return read_set(DATASETS[name], tuple(map(str, paths)), lambda file: tell), skipped


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def lines(path: Path, *records: object) -> Path:
    return written(path, "".join(json.dumps(record) + "\n" for record in records))


def test_ifqa_has_answers_and_gold_passages(tmp_path: Path) -> None:
    rows = [
        {"idx": 7, "question": "If x, who?", "answers": ["K2", "Mount K2"], "context": ["One.", "Two."]},
        {"idx": 8, "question": "If x, when?", "answers": [], "context": []},
        "no object",
    ]
    items, skipped = read("ifqa", written(tmp_path / "dev.json", json.dumps(rows)))
    assert items == [DatasetItem("7", "If x, who?", ("K2", "Mount K2"), "One.\n\nTwo.", "other")]
    assert skipped == ["item 2: no 'answers'", "item 3: not a JSON object"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        *(
            ("2001", "date"),
            ("July 24, 2020", "date"),
            ("24 July 2020", "date"),
            ("4 hours", "number"),
            ("five billion", "number"),
        ),
        *(
            ("$3.5 million", "number"),
            ("Avengers: Infinity War", "span"),
            ("the lord of the rings", "span"),
            ("fixed rate", "other"),
            ("Yes", "yes/no"),
            ("no", "yes/no"),
        ),
    ],
)
def test_the_type_of_an_answer_is_told_by_its_look(answer: str, kind: str) -> None:
    assert guess_answer_type((answer,), "Avengers: Infinity War came out with The Lord of the Rings.") == kind


def test_causalqa_has_several_references_between_tabs_and_a_source_by_file(tmp_path: Path) -> None:
    first = lines(
        tmp_path / "squad2_val.jsonl",
        {"id": "a", "question": "why q", "answer": "one\ttwo", "passage": "P.", "passage_processed": "p"},
        {"id": "b", "question": "why r", "answer": ""},
    )
    second = written(
        tmp_path / "eli5_valid_original_split.csv",
        "question,question_processed,context,context_processed,answer\nWhy?,why,,,because\n",
    )
    items, skipped = read("causalqa", first, second)
    assert [(item.source, item.gold, item.passage, item.type) for item in items] == [
        ("squad2", ("one", "two"), "P.", "with passage"),
        ("eli5", ("because",), "", "no passage"),
    ]
    assert skipped == ["line 2: no 'answer'"]


def asked(question: str, label: str, spans: object) -> dict[str, object]:
    tokens, start = [], 0
    for word in question.split():
        tokens.append([word, "NN", str(question.index(word, start))])
        start = question.index(word, start) + len(word)
    return {"question": question, "answer:Extracted": [label], "question:POS": tokens, "query": spans}


def test_causal_ms_marco_marks_the_cause_first(tmp_path: Path) -> None:
    rows = [
        asked("can an ear infection cause dizziness", "Yes", [[2, 3], [5, 5]]),
        asked("is hypokalemia a symptom of dehydration", "No", [[5, 5], [1, 1]]),
        asked("does a cause b", "Perhaps", [[1, 1], [3, 3]]),
        asked("does a cause b", "Yes", None),
    ]
    items, skipped = read("msmarco-causal", written(tmp_path / "valid.json", json.dumps(rows)))
    assert [(item.label, item.pair) for item in items] == [
        ("yes", ("ear infection", "dizziness")),
        ("no", ("dehydration", "hypokalemia")),
        ("yes", None),
    ]
    assert skipped == ["item 3: 'answer:Extracted' is neither yes nor no"]


def test_pairs_of_semeval_become_questions(tmp_path: Path) -> None:
    path = written(tmp_path / "valid.csv", "cause,effect,causal\nembers,fire,causal\nfile,folder,non_causal\na,b,maybe\nx\n")
    items, skipped = read("semeval-pairs", path)
    assert [(item.question, item.label, item.pair) for item in items] == [
        ("Can embers cause fire?", "yes", ("embers", "fire")),
        ("Can file cause folder?", "no", ("file", "folder")),
    ]
    assert skipped == ["line 4: 'causal' is neither causal nor non_causal", "line 5: 1 values for 3 columns"]


def test_squad_has_questions_without_an_answer(tmp_path: Path) -> None:
    questions = [
        {"id": "1", "question": "Where?", "answers": [{"text": "France"}, {"text": "France"}], "is_impossible": False},
        {"id": "2", "question": "Who?", "answers": [], "is_impossible": True},
        {"id": "3", "question": "When?", "answers": [], "is_impossible": False},
    ]
    paragraph = {"context": "Normandy is in France.", "qas": questions}
    items, skipped = read("squad2", written(tmp_path / "dev.json", json.dumps({"data": [{"paragraphs": [paragraph]}]})))
    assert [(item.id, item.gold, item.type) for item in items] == [("1", ("France",), "has answer"), ("2", (), "no answer")]
    assert skipped == ["question 3: no 'answers'"]


def test_squad_may_be_a_table(tmp_path: Path) -> None:
    path = written(tmp_path / "train.csv", ',context,question,answer,start_idx,end_idx\n9,"A, b.",Why?,b,3,4\n')
    items, _ = read("squad2", path)
    assert items == [DatasetItem("2", "Why?", ("b",), "A, b.", "has answer")]


def test_drop_has_a_literal_backslash_n_between_question_and_passage(tmp_path: Path) -> None:
    items, skipped = read(
        "drop", written(tmp_path / "d.tsv", "How many? \\n In 2 years.\\nMore.\t8.9\nWho? \\n He.\tHe\nno tab\n")
    )
    assert [(item.question, item.passage, item.gold, item.type) for item in items] == [
        ("How many?", "In 2 years.\nMore.", ("8.9",), "number"),
        ("Who?", "He.", ("He",), "span"),
    ]
    assert skipped == ["line 3: not a question, \\n, a passage, a tab and an answer"]


def test_boolq_has_true_and_false_under_either_name(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "b.jsonl",
        {"idx": 4, "question": "is it", "passage": "P.", "label": False},
        {"question": "is it", "passage": "P.", "answer": True},
        {"question": "is it", "passage": "P.", "label": "yes"},
    )
    items, skipped = read("boolq", path)
    assert [(item.id, item.label) for item in items] == [("4", "no"), ("2", "yes")]
    assert skipped == ["line 3: no 'label' that is true or false"]


def test_falseqa_labels_false_premises_with_1(tmp_path: Path) -> None:
    path = written(tmp_path / "f.csv", 'question,answer,label\n"What, gas?",None,1\nBats?,No,0\nCats?,No,2\n')
    items, skipped = read("falseqa", path)
    assert [item.label for item in items] == ["false presupposition", "normal"]
    assert skipped == ["line 4: 'label' is neither 0 nor 1"]


def test_premises_of_a_graph_are_of_a_kind_and_a_form(tmp_path: Path) -> None:
    row = {"id": "denied 1", "question": "Why do vaccines cause autism?", "label": 1, "kind": "denied", "form": "why"}
    items, skipped = read("graph-premises", lines(tmp_path / "p.jsonl", row, {**row, "label": 2}))
    assert [(item.label, item.type) for item in items] == [("false presupposition", "denied, why")]
    assert [line.partition(": ")[2] for line in skipped] == ["'label' is neither 0 nor 1"]


def test_crepe_labels_are_spelt_with_a_space_or_an_underscore(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "c.jsonl",
        *(
            {"id": str(number), "question": "Why?", "labels": [label]}
            for number, label in enumerate(("false presupposition", "false_presupposition", "normal"))
        ),
        {"id": "both", "question": "Why?", "labels": ["normal", "false presupposition"]},
        {"id": "unlabelled", "question": "Why?", "comment": "So."},
        {"id": "odd", "question": "Why?", "labels": ["perhaps"]},
    )
    items, skipped = read("crepe", path)
    assert [item.label for item in items] == ["false presupposition", "false presupposition", "normal"]
    assert [line.partition(": ")[2] for line in skipped] == [
        "labelled both ways",
        "no 'labels'",
        "'labels' holds what is neither a false presupposition nor normal",
    ]


def test_iirc_reads_paragraphs_beside_their_question(tmp_path: Path) -> None:
    row = {
        "qid": "q",
        "question": "When?",
        "answer": "1882",
        "paragraphs": [{"title": "A", "text": "One."}, {"title": "B", "text": "Two."}],
    }
    items, _ = read("iirc", lines(tmp_path / "i.jsonl", row, row | {"qid": "r", "answer": "yes"}))
    assert [(item.id, item.gold, item.passage, item.type) for item in items] == [
        ("q", ("1882",), "One.\n\nTwo.", "value"),
        ("r", ("yes",), "One.\n\nTwo.", "binary"),
    ]


def released_iirc(folder: Path) -> Path:
    answers = [
        {"type": "span", "answer_spans": [{"text": "Sultans"}, {"text": "Kings"}]},
        {"type": "value", "answer_value": "36", "answer_unit": "years"},
        {"type": "binary", "answer_value": "no"},
        {"type": "none"},
        {"type": "bad"},
        {"type": "span"},
    ]
    questions = [{"qid": f"q_{number}", "question": "Who?", "answer": answer} for number, answer in enumerate(answers)]
    links = [{"target": "Bengal", "indices": [0, 3]}, {"target": "bengal"}, {"target": "Nowhere"}]
    passage = {"text": "The main text.", "links": links, "questions": questions}
    return written(folder / "dev.json", json.dumps([passage]))


def test_released_iirc_reads_the_paragraph_with_all_its_links(tmp_path: Path) -> None:
    items, skipped = read("iirc", released_iirc(tmp_path))
    assert [(item.id, item.gold, item.type, item.together) for item in items] == [
        ("q_0", ("Sultans", "Kings"), "span", True),
        ("q_1", ("36",), "value", False),
        ("q_2", ("no",), "binary", False),
        ("q_3", (), "none", False),
    ]
    assert {item.passage for item in items} == {"The main text."}
    assert [[(link.anchor, link.target) for link in item.main.links] for item in items[:1] if item.main] == [[("The", "Bengal")]]
    assert skipped == ["item 1, question 5: marked as bad", "item 1, question 6: no 'answer_spans'"]


def test_released_iirc_has_its_articles_whole_without_their_tags(tmp_path: Path) -> None:
    path = released_iirc(tmp_path)
    articles = {
        "bengal": f"<p>Bengal is “wide”, {{and}} <a href='Green'>green</a>.</p><p>{'Word. ' * 500}</p>",
        "delhi": "A city.",
    }
    written(tmp_path / "context_articles.json", json.dumps(articles, ensure_ascii=False))
    with open_input(str(path)) as stream:
        bengal, delhi = read_iirc_articles(stream, pytest.fail)
    assert (bengal.source.title, delhi.source.title, delhi.text) == ("bengal", "delhi", "A city.")
    assert bengal.text.startswith("Bengal is “wide”, {and} green.")
    assert len(bengal.text) > 2_000


def test_iirc_rows_link_to_their_other_paragraphs_where_they_name_them(tmp_path: Path) -> None:
    row = {
        "qid": "q",
        "question": "When?",
        "answer": "1882",
        "paragraphs": [
            {"title": "A", "text": "Scott was born in Cooksville."},
            {"title": "Cooksville, Illinois", "text": "Founded in 1882."},
            {"title": "Paris", "text": "Elsewhere."},
        ],
    }
    path = lines(tmp_path / "i.jsonl", row)
    (item,), _ = read("iirc", path)
    assert item.main is not None
    assert [(link.anchor, link.offset, link.target) for link in item.main.links] == [("Cooksville", 18, "Cooksville, Illinois")]
    with open_input(str(path)) as stream:
        assert [article.source.title for article in read_iirc_articles(stream, pytest.fail)] == ["Cooksville, Illinois", "Paris"]


def test_refusal_sets_tell_what_can_be_answered(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "r.jsonl", {"question": "q", "answerable": True, "kind": "claim"}, {"question": "r", "answerable": False}
    )
    items, _ = read("refusal", path)
    assert [(item.label, item.type) for item in items] == [("answerable", "claim"), ("unanswerable", "unanswerable")]


@pytest.mark.parametrize("name", sorted(DATASETS))
@pytest.mark.parametrize("content", ['{"other": 1}\n', "a,b,c\n1,2,3\n", "plain text\n", "[1, 2]"])
def test_a_file_of_another_shape_is_one_clear_error(tmp_path: Path, name: str, content: str) -> None:
    path = written(tmp_path / "other.txt", content)
    with pytest.raises((FormatUnknown, InputEmpty)) as error:
        read(name, path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_a_compressed_file_is_the_same(tmp_path: Path, suffix: str, pack: object) -> None:
    assert callable(pack)
    plain = lines(tmp_path / "squad2_val.jsonl", {"id": "a", "question": "why", "answer": "one"})
    packed = tmp_path / f"squad2_val.jsonl{suffix}"
    packed.write_bytes(pack(plain.read_bytes()))
    assert read("causalqa", packed) == read("causalqa", plain)


def test_equal_ids_get_a_number() -> None:
    items = with_unique_ids([DatasetItem("a", "q", ()), DatasetItem("a", "r", ()), DatasetItem("b", "s", ())])
    assert [item.id for item in items] == ["a", "a#2", "b"]


def test_the_digest_depends_on_content_and_order() -> None:
    one, other = DatasetItem("a", "q", ("x",)), DatasetItem("b", "q", ("x",))
    assert (
        len(
            {
                items_digest([one, other]),
                items_digest([other, one]),
                items_digest([one]),
                items_digest([DatasetItem("a", "q", ("y",))]),
            }
        )
        == 4
    )
    assert items_digest([one]) == items_digest([DatasetItem("a", "q", ("x",))])
