"""Human ratings: M9."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa.errors import MetricInvalid, RatingsInvalid
from kgqa.evaluation.metrics.human_ratings import RUBRIC, HumanRating, blind_sheet, rater_agreement, read_ratings, rubric_means

HEADER = "item,output,rater,fluency,presupposition,correction,consistency\n"
SHEET = HEADER + "q1,A,ann,3,1,0,3\nq1,B,ann,3,3,3,\nq1,A,bob,0,1,0,3\nq1,B,bob,3,3,3,\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_means_are_over_raters_and_then_over_questions(tmp_path: Path) -> None:
    means = rubric_means(read_ratings(written(tmp_path, SHEET + "q2,A,ann,0,0,2,1\n")))
    assert means["A", "fluency"] == pytest.approx((1.5 + 0) / 2)
    assert means["A", "correction"] == 1.0
    assert means["B", "presupposition"] == 3.0
    assert ("B", "consistency") not in means


def test_raters_agree_where_they_put_two_outputs_in_the_same_order(tmp_path: Path) -> None:
    ratings = read_ratings(written(tmp_path, SHEET))
    assert rater_agreement(ratings, "presupposition") == 1.0
    assert rater_agreement(ratings, "fluency") == 0.0
    with pytest.raises(MetricInvalid, match="no two raters rated the same two outputs of a question in consistency"):
        rater_agreement(ratings, "consistency")


def test_raters_who_differ_in_level_agree_in_order() -> None:
    values = {("ann", "x"): 1, ("ann", "y"): 2, ("ann", "z"): 2, ("bob", "x"): 0, ("bob", "y"): 3, ("bob", "z"): 2}
    ratings = [HumanRating("q", output, rater, "correction", value) for (rater, output), value in values.items()]
    assert rater_agreement(ratings, "correction") == pytest.approx(2 / 3)


def test_a_blind_sheet_tells_no_names_and_its_key_does(tmp_path: Path) -> None:
    outputs = {f"q{number}": {"copy": f"copied {number}", "reference": f"wrote {number}"} for number in range(20)}
    rows, key = blind_sheet(outputs)
    assert rows == blind_sheet(outputs)[0]
    assert all(outputs[item][key[item, letter]] == text for item, letter, text in rows)
    assert {key[item, "A"] for item in outputs} == {"copy", "reference"}
    sheet = "item,output,rater,fluency\n" + "".join(f"{item},{letter},ann,3\n" for item, letter, _ in rows)
    assert rubric_means(read_ratings(written(tmp_path, sheet), key)) == {("copy", "fluency"): 3, ("reference", "fluency"): 3}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEADER + "q1,A,ann,3,2,0,3\n", r"ratings.csv, line 2: presupposition is '2', it must be one of 0, 1, 3"),
        (HEADER + "q1,A,ann,3,1,0,3\nq1,A,ann,3,1,0,3\n", r"line 3: rater 'ann' has rated this output of item 'q1' before"),
        (HEADER + "q1,,ann,3,1,0,3\n", r"line 2: the column output is empty"),
        (HEADER, r"there is no rating in it"),
        ("item,output,fluency\n", r"no column rater in its first line"),
        ("item,output,rater,charm\n", r"no column fluency or presupposition"),
        ("", r"no column item, output, rater"),
        (HEADER + "q1,A,ann\n", r"there is no rating in it"),
    ],
)
def test_a_sheet_that_is_no_sheet_is_told_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(RatingsInvalid, match=complaint):
        read_ratings(written(tmp_path, text))


def test_a_sheet_that_is_not_there_or_has_other_letters_is_told(tmp_path: Path) -> None:
    with pytest.raises(RatingsInvalid, match="No such file"):
        read_ratings(tmp_path / "none.csv")
    with pytest.raises(RatingsInvalid, match="item 'q1' has no output 'A' on the sheet"):
        read_ratings(written(tmp_path, SHEET), {})
    (tmp_path / "ratings.csv").write_bytes(b"item,output,rater,fluency\n\xff,A,ann,3\n")
    with pytest.raises(RatingsInvalid, match="cannot be read"):
        read_ratings(tmp_path / "ratings.csv")


def test_the_rubric_has_the_values_of_the_paper() -> None:
    assert {aspect: tuple(values) for aspect, values in RUBRIC.items()} == {
        "fluency": (0, 3),
        "presupposition": (0, 1, 3),
        "correction": (0, 1, 2, 3),
        "consistency": (0, 1, 3),
    }
