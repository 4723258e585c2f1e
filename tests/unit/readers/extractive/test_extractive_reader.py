"""The extractive reader over a network whose every logit is known."""

from __future__ import annotations

import json
import random
import sys
from itertools import pairwise
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from tiny_reader import write_reader

from kgqa.errors import ReaderInvalid
from kgqa.questions.question_form import QuestionForm
from kgqa.readers.extractive.extractive_reader import READ_CHARACTERS, make_extractive_reader
from kgqa.readers.extractive.span_network import (
    READER_VARIABLE,
    SHIPPED,
    TokenisedText,
    WindowLayout,
    read_reader_folder,
    reader_folder,
)
from kgqa.readers.extractive.span_scoring import (
    LogitCalibration,
    WindowScores,
    likeliest_spans,
    merge_candidates,
    rank_candidates,
    window_shares,
)
from kgqa.readers.reader import AnswerKind, Candidate, Passage

WORDS = {
    "paris": {"start": 9.0, "end": 9.0},
    "1889": {"start": 8.0, "end": 8.0},
    "capital": {"span": 5.0},
    "many": {"number": 6.0},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_reader(tmp_path / "reader", WORDS)


def brute(start: list[float], end: list[float], longest: int) -> dict[tuple[int, int], float]:
    """The probability of every span, computed one by one."""
    powers = {(i, j): exp(start[i] + end[j]) for i in range(len(start)) for j in range(i, min(len(end), i + longest))}
    whole = sum(powers.values())
    return {span: power / whole for span, power in powers.items()}


def test_spans_have_the_probabilities_that_counting_them_one_by_one_gives() -> None:
    chance = random.Random(3)
    for count, longest in ((1, 1), (2, 5), (7, 3), (12, 30), (40, 6)):
        start, end = ([chance.gauss(0, 2) for _ in range(count)] for _ in range(2))
        whole = brute(start, end, longest)
        found = likeliest_spans(np.float32(start), np.float32(end), [True] * count, [True] * count, longest, 1.0, 10)
        assert [one.probability for one in found] == pytest.approx(sorted(whole.values(), reverse=True)[:10], rel=1e-4)
        assert all(one.probability == pytest.approx(whole[one.first, one.last], rel=1e-4) for one in found)


def test_a_span_begins_and_ends_where_words_do() -> None:
    logits = np.float32([9, 1, 0, 9])
    found = likeliest_spans(logits, logits, [False, True, False, True], [False, False, True, True], 4, 1.0, 10)
    assert {(one.first, one.last) for one in found} == {(1, 2), (1, 3), (3, 3)}
    assert sum(one.probability for one in found) == pytest.approx(1.0)


def test_a_higher_temperature_makes_spans_more_alike() -> None:
    logits = np.float32([3, 0, 0])
    cold, warm = (likeliest_spans(logits, logits, [True] * 3, [True] * 3, 1, t, 3)[0].probability for t in (1.0, 3.0))
    assert cold > warm > 1 / 3


def test_windows_cover_a_text_and_share_as_many_tokens_as_they_should() -> None:
    tokens = TokenisedText(list(range(100, 150)), [(n, n + 1) for n in range(50)], list(range(50)))
    windows = list(WindowLayout(20, 5, 1, 2).windows(3, 1000, [7, 8], tokens))
    assert all(list(one.ids[:4]) == [1, 7, 8, 2] and one.ids[-1] == 2 and len(one.ids) == 20 for one in windows)
    read = [[place[0] - 1000 for place in one.places] for one in windows]
    assert sorted({place for places in read for place in places}) == list(range(50))
    assert all(len(set(one) & set(next_one)) >= 5 for one, next_one in pairwise(read))
    assert read[-1][-1] == 49
    assert windows[0].passage == 3


def test_a_short_text_is_one_window_and_none_is_no_window() -> None:
    layout = WindowLayout(20, 5, 1, 2)
    assert len(list(layout.windows(0, 0, [7], TokenisedText([9, 9], [(0, 1), (1, 2)], [0, 1])))) == 1
    assert list(layout.windows(0, 0, [7], TokenisedText([], [], []))) == []


def test_an_answer_stands_where_it_says_in_the_passage_as_given(folder: Path) -> None:
    text = "🗼😀 The “Paris”,\r\n\tas one says, is the capital."
    first = make_extractive_reader(str(folder)).read("Which capital?", [Passage("nothing here"), Passage(text)])[0]
    assert (first.text, first.kind, first.passage) == ("Paris", AnswerKind.SPAN, 1)
    assert text[first.start : first.end] == "Paris"


def test_an_answer_far_down_a_long_passage_is_found_in_its_window(tmp_path: Path) -> None:
    reader = make_extractive_reader(str(write_reader(tmp_path, WORDS, window=64, stride=8, question=16)))
    text = "some words of no use " * 120 + "the capital Paris " + "and more of them " * 90
    assert len(text) < READ_CHARACTERS
    first = reader.read("Which capital?", [Passage(text)])[0]
    assert text[first.start : first.end] == first.text == "Paris"


def test_what_is_remembered_of_windows_is_what_was_said(folder: Path) -> None:
    reader = make_extractive_reader(str(folder))
    passages = [Passage(f"The capital number {n} is Paris") for n in range(3)]
    once = reader.read("Which capital?", passages)
    for n in range(600):
        reader.read("Which capital?", [Passage(f"other text {n}" + " word" * (n % 50))], 1)
    assert reader.read("Which capital?", passages) == once
    assert len(reader.network._logits_by_window) <= 512


def heard(passage: int, null: float, start: int = 0, end: int = 5, yes: float = 0.0) -> WindowScores:
    kinds = {
        AnswerKind.SPAN: 1 - null - yes,
        AnswerKind.YES: yes,
        AnswerKind.NO: 0.0,
        AnswerKind.NUMBER: 0.0,
        AnswerKind.NULL: null,
    }
    return WindowScores(passage, kinds, [(start, end, 1.0)])


def test_of_one_window_the_shares_are_what_the_network_says() -> None:
    holding, none = window_shares([heard(0, 0.3)], [Passage("x")], LogitCalibration())
    assert (*holding, none) == pytest.approx((0.7, 0.3))


def test_windows_compete_and_with_not_told_make_one() -> None:
    holding, none = window_shares([heard(0, 0.3), heard(1, 0.9), heard(2, 1.0)], [Passage("x")] * 3, LogitCalibration())
    assert sum(holding) + none == pytest.approx(1.0)
    assert holding[0] > holding[1] > holding[2] > 0.0


def test_a_retrievers_scores_count_as_much_as_the_calibration_says() -> None:
    passages = [Passage("x", score=3.0), Passage("x", score=1.0)]
    alike, _ = window_shares([heard(0, 0.5), heard(1, 0.5)], passages, LogitCalibration())
    weighed, _ = window_shares([heard(0, 0.5), heard(1, 0.5)], passages, LogitCalibration(retrieval=0.5))
    assert alike[0] == pytest.approx(alike[1])
    assert weighed[0] / weighed[1] == pytest.approx(exp(1.0))


def test_the_same_answer_of_several_passages_is_one_and_counts_more() -> None:
    passages = [Passage("the Paris"), Passage("Paris."), Passage("Lyon")]
    said = [heard(0, 0.5, 0, 9), heard(1, 0.5, 0, 6), heard(2, 0.4, 0, 4)]
    found = rank_candidates(said, passages, LogitCalibration(), QuestionForm.OPEN, 5)
    assert found[0].text == "Paris"
    assert {one.text for one in found} == {"Paris", "Lyon", ""}


def test_a_kind_that_cannot_answer_leaves_its_part_to_those_that_can() -> None:
    said = [heard(0, 0.2, 0, 5, yes=0.6)]
    found = rank_candidates(said, [Passage("Paris is")], LogitCalibration(), QuestionForm.OPEN, 5)
    assert [(one.text, round(one.score, 6)) for one in found] == [("Paris", 0.8), ("", 0.2)]
    found = rank_candidates(said, [Passage("Paris is")], LogitCalibration(), QuestionForm.WHETHER, 5)
    assert [(one.text, round(one.score, 6)) for one in found] == [("yes", 0.8), ("", 0.2), ("no", 0.0)]


def test_a_number_to_reckon_from_is_a_span_that_holds_one(folder: Path) -> None:
    first = make_extractive_reader(str(folder)).read("How many?", [Passage("Paris" + " word" * 40 + " 1889")])[0]
    assert (first.kind, first.text) == (AnswerKind.NUMBER, "1889")


def test_scores_go_through_the_calibration_and_keep_their_order(tmp_path: Path) -> None:
    table = {"right": [[0.0, 0.0], [0.5, 0.1], [1.0, 0.6]], "null": 1.0, "kind": 2.0}
    plain = make_extractive_reader(str(write_reader(tmp_path / "a", WORDS))).read("Which capital?", [Passage("Paris or 1889")])
    fitted = make_extractive_reader(str(write_reader(tmp_path / "b", WORDS, calibration=table))).read(
        "Which capital?", [Passage("Paris or 1889")]
    )
    assert fitted[0].score < plain[0].score
    assert [one.score for one in fitted] == sorted((one.score for one in fitted), reverse=True)


def test_a_broken_line_is_read_between_its_knots() -> None:
    line = LogitCalibration(right=((0.2, 0.1), (0.4, 0.3), (0.8, 0.9)))
    assert [line.probability_right(score) for score in (0.0, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)] == pytest.approx(
        [0.1, 0.1, 0.2, 0.3, 0.6, 0.9, 0.9]
    )


def test_candidates_that_say_the_same_are_merged_by_kind() -> None:
    ones = [
        Candidate("The Cat", 0.2, AnswerKind.SPAN, 0, 0, 7),
        Candidate("cat", 0.3, AnswerKind.SPAN, 1, 4, 7),
        Candidate("cat", 0.1, AnswerKind.NUMBER),
    ]
    assert [(one.text, round(one.score, 6), one.passage) for one in merge_candidates(ones)] == [
        ("cat", 0.5, 1),
        ("cat", 0.1, None),
    ]


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "reader.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ReaderInvalid, match=f"no reader in '{folder}': it has no {name}"):
        make_extractive_reader(str(folder))


@pytest.mark.parametrize(
    ("name", "told"), [("model.onnx", "model.onnx is damaged"), ("tokenizer.json", "tokenizer.json is damaged")]
)
@pytest.mark.parametrize("content", [b"", b"\0\1garbage", b"{}"])
def test_a_damaged_file_is_named_in_one_line(folder: Path, name: str, told: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ReaderInvalid) as raised:
        make_extractive_reader(str(folder)).read("Which capital?", [Passage("Paris")])
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "reader.json is damaged"),
        ("[]", "it is not an object"),
        ('{"window": "wide"}', "'window' is not a whole number from 32 to 512"),
        ('{"window": 64, "question": 64}', "leaves no room"),
        ('{"kinds": ["no", "yes"]}', "the kinds of answers are not span, yes, no, number, null"),
        ('{"calibration": {"kind": 0}}', "a temperature is not above 0"),
        ('{"calibration": {"span": NaN}}', "'span' is not a number"),
        ('{"calibration": {"right": [[0, 1], [1, 0]]}}', "do not rise"),
        ('{"calibration": {"right": [[0, 2]]}}', "do not lie in 0..1"),
        ('{"calibration": {"right": [1]}}', "reader.json is damaged"),
        ('{"calibration": []}', "reader.json is damaged"),
        ('{"bytes": {"model.onnx": 7}}', "model.onnx is damaged: it has "),
        ('{"bytes": {"model.onnx": "many"}}', "reader.json is damaged"),
    ],
)
def test_damaged_settings_are_told_in_one_line(folder: Path, content: str, told: str) -> None:
    (folder / "reader.json").write_text(content)
    with pytest.raises(ReaderInvalid) as raised:
        make_extractive_reader(str(folder))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_network_that_is_another_is_refused(folder: Path) -> None:
    content = (folder / "model.onnx").read_bytes().replace(b"kind_logits", b"king_logits")
    (folder / "model.onnx").write_bytes(content)
    with pytest.raises(ReaderInvalid, match="does not take input_ids, attention_mask, token_type_ids and give start_logits"):
        make_extractive_reader(str(folder)).read("Which capital?", [Passage("Paris")])


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    folder = write_reader(tmp_path, {"paris": {"start": float("nan")}})
    with pytest.raises(ReaderInvalid, match="gives no numbers of the right shape"):
        make_extractive_reader(str(folder)).read("Which capital?", [Passage("Paris")])


def test_the_folder_is_the_one_named_then_that_of_the_environment_then_the_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(READER_VARIABLE, raising=False)
    assert reader_folder() == SHIPPED
    monkeypatch.setenv(READER_VARIABLE, "of-the-environment")
    assert reader_folder() == Path("of-the-environment")
    assert reader_folder("named") == Path("named")
    with pytest.raises(ReaderInvalid, match=r"no reader in 'of-the-environment': there is no such folder; it needs model.onnx"):
        make_extractive_reader()


def test_sizes_are_those_of_the_folder(folder: Path) -> None:
    told = json.loads((folder / "reader.json").read_text())
    (folder / "reader.json").write_text(json.dumps({**told, "window": 128, "stride": 32, "longest": 12, "later": "more"}))
    found = read_reader_folder(folder)
    assert (found.window, found.stride, found.longest, found.question) == (128, 32, 12, 64)


def test_making_a_reader_loads_nothing_heavy(folder: Path) -> None:
    import subprocess

    script = f"import sys; from kgqa.readers.reader import load_reader; load_reader('boolean:{folder}'); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numpy", "onnxruntime", "tokenizers"} & {name.partition(".")[0] for name in ended.stdout.split()}


def test_odds_are_as_the_page_says() -> None:
    holding, none = window_shares([heard(0, 0.2), heard(1, 0.5)], [Passage("x")] * 2, LogitCalibration(crowd=0.5))
    first, second = (exp(log((1 - null) / null) - 0.5 * log(2)) for null in (0.2, 0.5))
    whole = 1 + first + second
    assert (*holding, none) == pytest.approx((first / whole, second / whole, 1 / whole))
