"""Sheets for raters: what they show and hide, their key, the files of raters, and what ratings come to."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.errors import OutputUnwritable
from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.errors import RatingsInvalid
from kgqa.evaluation.metrics.human_ratings import HumanRating, read_ratings
from kgqa.evaluation.rating.rating_form import rating_forms
from kgqa.evaluation.rating.rating_report import human_rating_table, judged_claims
from kgqa.evaluation.rating.rating_sheet import (
    REMARK,
    RatedSubject,
    RaterFile,
    make_sheet,
    read_key,
    read_sheet,
    sheet_table,
    write_sheet,
)
from kgqa.evaluation.rating.rating_subjects import (
    NOTHING,
    RatedRun,
    answer_subjects,
    graph_chains,
    graph_claims,
    named_run,
    random_chains,
    sample_subjects,
)

ANSWERS = rating_forms()["answers"]
CLAIMS = rating_forms()["claims"]
SUBJECTS = [RatedSubject(f"q{place}", "Why?", {"ours": f"=ours {place}", "theirs": f"theirs {place}"}) for place in range(20)]


@pytest.fixture
def store() -> Iterator[GraphStore]:
    claims = [Claim("rain", "flood"), Claim("flood", "famine"), Claim("famine", "war"), Claim("war", "famine")]
    with open_store("memory:") as opened:
        for place, claim in enumerate(claims):
            source = Source("wikipedia", f"Page {place}", str(place))
            opened.add([Statement(claim, Evidence(source, text=f"{claim.cause} brings {claim.effect}.", start=0, end=9))])
        opened.add([Statement(claims[0], Evidence(Source("wikipedia", "Rain", "9"), Stance.QUESTIONED, start=0, end=9))])
        yield opened


def lines(path: Path, *records: object) -> RatedRun:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return RatedRun(path.stem, str(path))


@pytest.mark.parametrize("name", rating_forms())
def test_every_form_has_four_aspects_whose_best_value_is_three(name: str) -> None:
    form = rating_forms()[name]
    assert len(form.aspects) == 4
    assert all(min(values) == 0 and max(values) == 3 and list(values) == sorted(values) for values in form.values.values())
    assert all(meaning in form.rubric() for values in form.values.values() for meaning in values.values())


def test_a_seed_draws_the_same_sheet_and_another_seed_another() -> None:
    assert make_sheet(ANSWERS, SUBJECTS, 5, 1) == make_sheet(ANSWERS, SUBJECTS[::-1], 5, 1)
    assert make_sheet(ANSWERS, SUBJECTS, 5, 1) != make_sheet(ANSWERS, SUBJECTS, 5, 2)
    assert len(make_sheet(ANSWERS, SUBJECTS, 50, 1)[0].items) == len(SUBJECTS)


def test_a_sheet_names_no_system_and_its_key_every_one(tmp_path: Path) -> None:
    sheet, key = make_sheet(ANSWERS, SUBJECTS, 20, 3)
    write_sheet(tmp_path / "sheet", tmp_path / "key.json", sheet, key)
    assert (read_sheet(tmp_path / "sheet"), read_key(tmp_path / "key.json")) == (sheet, key)
    for item in sheet.items:
        assert {key.systems[item.item, letter]: text for letter, text in item.outputs.items()} == dict(
            next(subject for subject in SUBJECTS if subject.id == key.ids[item.item]).texts
        )
    assert {key.systems[item, "A"] for item, _ in key.systems} == {"ours", "theirs"}
    files = sorted(path.name for path in (tmp_path / "sheet").iterdir())
    assert files == ["rubric.md", "sheet.csv", "sheet.json"]
    assert '"ours"' not in "".join(path.read_text() for path in (tmp_path / "sheet").iterdir())
    with pytest.raises(OutputUnwritable, match="perhaps with ratings"):
        write_sheet(tmp_path / "sheet", tmp_path / "other.json", sheet, key)


def test_a_spreadsheet_computes_no_output(tmp_path: Path) -> None:
    rows = list(csv.reader(sheet_table([("1", "A", "Why?", "", "=1+1")], ANSWERS.aspects).splitlines()))
    assert rows[1][:5] == ["1", "A", "Why?", "", "'=1+1"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"form": "answers"}', '{"form": "none", "items": []}'])
def test_what_is_no_sheet_and_no_key_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "sheet.json").write_text(text)
    for read, path in ((read_sheet, tmp_path), (read_key, tmp_path / "sheet.json"), (read_sheet, tmp_path / "none")):
        with pytest.raises(RatingsInvalid):
            read(path)


def test_what_a_rater_gave_is_read_again_and_scored(tmp_path: Path) -> None:
    sheet, key = make_sheet(ANSWERS, SUBJECTS, 2, 3)
    file = RaterFile(sheet, "=Ada", tmp_path / "ratings-ada.csv")
    assert file.read() == {}
    given = {("1", "A"): {**dict.fromkeys(ANSWERS.aspects, "3"), REMARK: "=good"}, ("2", "B"): {"fluency": "1"}}
    file.write(given)
    read = file.read()
    assert read["1", "A"] == given["1", "A"]
    assert read["2", "B"]["fluency"] == "1"
    ratings = read_ratings(file.path, key.systems, ANSWERS.values)
    assert len(ratings) == 5
    assert {(rating.rater, rating.remark) for rating in ratings if rating.item == "1"} == {("=Ada", "=good")}


def test_rows_that_are_not_rated_yet_count_for_nothing(tmp_path: Path) -> None:
    sheet, key = make_sheet(ANSWERS, SUBJECTS, 2, 3)
    write_sheet(tmp_path / "sheet", tmp_path / "key.json", sheet, key)
    with pytest.raises(RatingsInvalid, match="no rating"):
        read_ratings(tmp_path / "sheet" / "sheet.csv", key.systems, ANSWERS.values)


def test_answers_of_several_systems_are_put_beside_each_other_by_id(tmp_path: Path) -> None:
    ours = lines(
        tmp_path / "ours.jsonl",
        {"id": 1, "question": "Why?", "prediction": "rain", "gold": ["much rain", "rain"]},
        {"id": "2", "question": "How?", "verdict": None, "gold": []},
        {"id": 3, "question": "Who?", "prediction": "Ada"},
    )
    theirs = lines(
        tmp_path / "theirs.jsonl",
        {"id": "1", "question": "Why?", "sentence": "Rain causes floods."},
        {"id": 2, "question": "How?", "presupposition": "It is so", "correction": "It is not"},
    )
    subjects = {subject.id: subject for subject in answer_subjects([ours, theirs], shows_reference=False)}
    assert subjects["1"].texts == {"ours": "rain", "theirs": "Rain causes floods.", "reference": "much rain"}
    assert subjects["2"].texts == {"ours": NOTHING, "theirs": "It is so / It is not"}
    assert set(subjects) == {"1", "2"}
    (shown,) = [subject for subject in answer_subjects([ours, theirs], shows_reference=True) if subject.id == "1"]
    assert (set(shown.texts), shown.notes) == ({"ours", "theirs"}, ("Reference: much rain",))
    reference = RatedRun("reference", theirs.address)
    (first, *_) = answer_subjects([ours, reference], shows_reference=False)
    assert first.texts == {"ours": "rain", "reference": "Rain causes floods."}


@pytest.mark.parametrize(
    "records", [({"question": "no id", "answer": "x"},), ({"id": 1},), ({"id": 1, "answer": "x"}, {"id": 1, "answer": "y"})]
)
def test_a_line_that_is_no_answer_is_told_with_its_place(tmp_path: Path, records: tuple[dict[str, object], ...]) -> None:
    with pytest.raises(RatingsInvalid, match=r"run.jsonl, line \d"):
        answer_subjects([lines(tmp_path / "run.jsonl", *records)], shows_reference=False)


def test_runs_without_a_question_in_common_and_of_one_name_are_refused(tmp_path: Path) -> None:
    first, second = (lines(tmp_path / f"{name}.jsonl", {"id": name, "answer": "x"}) for name in "ab")
    with pytest.raises(RatingsInvalid, match="no id is answered by every run"):
        answer_subjects([first, second], shows_reference=False)
    with pytest.raises(RatingsInvalid, match="the same name"):
        answer_subjects([first, second._replace(name="a")], shows_reference=False)


@pytest.mark.parametrize(
    ("text", "name"),
    [("ours=a/b.jsonl", "ours"), ("a/b.jsonl.gz", "b"), ("a/run-7/predictions.jsonl", "run-7"), ("bolt://host", "host")],
)
def test_a_run_has_the_name_of_its_file_where_it_has_no_other(text: str, name: str) -> None:
    assert named_run(text).name == name


def test_claims_and_chains_are_drawn_from_a_graph(store: GraphStore) -> None:
    claims = list(graph_claims(store, "mine", 10, 1))
    assert len(claims) == 4
    assert list(graph_claims(store, "mine", 2, 1)) == list(graph_claims(store, "mine", 2, 1))
    (rain,) = [subject for subject in claims if subject.claim == Claim("rain", "flood")]
    assert rain.texts == {"mine": "rain causes floods (asserted)"}
    assert rain.notes == ("(Page 0) rain brings flood.",)
    chains = list(graph_chains(store, "mine", 10, 1))
    assert {subject.heading for subject in chains} == {"rain → famine", "rain → war", "flood → war"}
    with open_store("memory:") as empty:
        assert list(random_chains(empty, random.Random(1))) == list(graph_claims(empty, "mine", 3, 1)) == []


def test_claims_and_chains_are_read_from_a_sample(tmp_path: Path) -> None:
    step = {"cause": "rain", "verb": "causes", "effect": "flood", "sentences": ["(Rain) Rain floods."]}
    claim = {"hash": "h", "cause": "rain", "effect": "flood", "stance": "hedged", "sentence": "It may flood.", "title": "Rain"}
    chain, single = sample_subjects(lines(tmp_path / "s.jsonl", {"id": "x", "steps": [step, {**step, "cause": "flood"}]}, claim))
    assert chain.texts == {"s": "rain causes flood; flood causes flood"}
    assert chain.notes == ("(Rain) Rain floods.",) * 2
    assert (single.id, single.texts, single.notes) == ("h", {"s": "rain causes floods (hedged)"}, ("(Rain) It may flood.",))
    with pytest.raises(RatingsInvalid, match="neither a claim nor a chain"):
        sample_subjects(lines(tmp_path / "none.jsonl", {"id": "x"}))


def rating(item: str, output: str, rater: str, value: int, aspect: str = "fluency") -> HumanRating:
    return HumanRating(item, output, rater, aspect, value)


def test_means_are_over_raters_first_and_agreement_is_over_what_both_rated() -> None:
    ratings = [
        *(rating("1", "ours", "ada", 3), rating("1", "ours", "grace", 1), rating("2", "ours", "ada", 0)),
        *(rating("1", "theirs", "ada", 0), rating("1", "theirs", "grace", 0)),
    ]
    rows = dict(human_rating_table(ratings, ANSWERS).rows)
    place = ANSWERS.aspects.index("fluency")
    assert str(rows["ours"][place]) == "1.000 [0.000, 2.000]"
    assert rows["ours"][0] is None
    assert [rows[f"raters, {name}"][place] for name in ("order alike", "value alike")] == [1.0, 0.5]
    assert rows["raters, kappa"][place] == pytest.approx(1 / 3)


def test_a_rated_claim_is_right_from_the_value_on_that_the_form_names() -> None:
    subject = RatedSubject("h", "rain → flood", {"mine": "rain causes flood"}, claim=Claim("rain", "flood"))
    _, key = make_sheet(CLAIMS, [subject], 1, 0)
    ratings = [rating("1", "mine", f"rater {value}", value, "claim") for value in range(4)]
    assert [is_right for _, is_right in judged_claims([*ratings, rating("1", "mine", "ada", 3, "names")], key)] == [
        *(False, False, True, True)
    ]
    assert list(judged_claims(ratings, make_sheet(ANSWERS, SUBJECTS, 1, 0)[1])) == []
