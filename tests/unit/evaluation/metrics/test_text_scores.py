"""Scores of one text against several: M1, M2, M5, M6, M7, M10, M11."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest
import rouge_score.rouge_scorer
import sacrebleu

from kgqa.errors import EncoderMissing, MetricInvalid
from kgqa.evaluation.metrics.text_scores import (
    PrecisionRecall,
    Vector,
    bag_overlap,
    bleu,
    cosine,
    embedding_similarity,
    exact_match,
    normalise_text,
    rouge_averages,
    rouge_l,
    token_f1,
    unigram_f1,
)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("The Cleveland  Cavaliers!", "cleveland cavaliers"),
        ("A.M.", "am"),
        ("a.", ""),
        ("an apple, a pear", "apple pear"),
        ("theatre", "theatre"),
        ("5,000 m", "5000 m"),
        ("July 24, 2020", "july 24 2020"),
        ("Δελφοί – the oracle", "δελφοί – oracle"),
    ],
)
def test_punctuation_goes_before_articles(text: str, bare: str) -> None:
    assert normalise_text(text) == bare


def test_any_acceptable_answer_is_an_exact_match() -> None:
    assert exact_match("the four", ["4 hours", "Four"]) == 1.0
    assert exact_match("five", ["Four", "4", "4 hours"]) == 0.0
    assert exact_match("Governor Arnold", ["Arnold Governor"]) == 0.0


def test_the_f1_of_words_is_that_of_the_best_answer_in_any_order() -> None:
    assert token_f1("22 countries", ["22"]) == pytest.approx(2 / 3)
    assert token_f1("22 countries", ["22", "countries 22"]) == 1.0
    assert token_f1("Cleveland", ["Cleveland Cavaliers", "Lakers"]) == pytest.approx(2 / 3)
    assert token_f1("so so", ["so"]) == pytest.approx(2 / 3)
    assert token_f1("K2", ["Everest"]) == 0.0


def test_a_text_without_words_is_like_another_and_like_nothing_else() -> None:
    assert (exact_match("the", ["a"]), token_f1("the", ["a"])) == (1.0, 1.0)
    assert token_f1("", ["K2"]) == token_f1("K2", [""]) == 0.0
    assert bag_overlap([], []) == PrecisionRecall(1.0, 1.0, 1.0)


@pytest.mark.parametrize("answers", [[], "Four"])
def test_a_prediction_needs_a_list_of_answers(answers: Sequence[str]) -> None:
    for score in (exact_match, token_f1, unigram_f1, rouge_l):
        with pytest.raises(MetricInvalid, match="a list of one or more answers"):
            score("four", answers)


def test_the_released_unigram_f1_is_lost_with_one_reference_that_shares_no_word() -> None:
    references = ["cats sleep", "dogs bark"]
    assert unigram_f1("cats sleep", references) == 1.0
    assert unigram_f1("cats sleep", references, "released") == 0.0
    assert unigram_f1("cats sleep", references[::-1], "released") == 0.0
    assert unigram_f1("cats bark", references, "released") == unigram_f1("cats bark", references) == 0.5


@pytest.mark.parametrize("score", [unigram_f1, rouge_l])
def test_a_form_is_strict_or_released(score: object) -> None:
    with pytest.raises(MetricInvalid, match="no form 'loose' of a metric"):
        score("a", ["b"], "loose")  # type: ignore[operator]


def test_rouge_counts_the_longest_common_subsequence() -> None:
    assert rouge_l("police kill the gunman", ["police killed the gunman"]) == PrecisionRecall(2 / 3, 2 / 3, pytest.approx(2 / 3))
    assert rouge_l("the gunman kill police", ["police kill gunman"]).recall == pytest.approx(1 / 3)


def test_strict_rouge_takes_each_measure_from_the_reference_that_is_best_in_it() -> None:
    prediction, references = "w1 w2 w3 w4", ["w1", "w1 w2 w3 w4 w5 w6 w7 w8"]
    strict, released = rouge_l(prediction, references), rouge_l(prediction, references, "released")
    assert strict == PrecisionRecall(1.0, 1.0, pytest.approx(2 / 3))
    assert released == PrecisionRecall(1.0, 0.5, pytest.approx(2 / 3))


def test_the_released_rouge_is_that_of_the_library_on_normalised_texts() -> None:
    prediction, references = "The rain, it causes floods.", ["A flood is caused by rain", "rain causes the floods it seems"]
    library = rouge_score.rouge_scorer.RougeScorer(["rougeL"])
    theirs = library.score_multi([normalise_text(one) for one in references], normalise_text(prediction))["rougeL"]
    ours = rouge_l(prediction, references, "released")
    assert (ours.precision, ours.recall, ours.f1) == tuple(theirs)


def test_strict_rouge_reads_every_script_and_texts_without_words() -> None:
    assert rouge_l("дождь вызывает наводнение", ["дождь вызывает наводнение"]).f1 == 1.0
    assert rouge_l("дождь", ["дождь"], "released").f1 == 0.0
    assert rouge_l("the", ["a"]).f1 == 1.0
    assert rouge_l("the", ["a"], "released").f1 == 0.0


def test_rouge_averages_are_means_and_in_the_released_form_middles_of_a_bootstrap() -> None:
    scores = [PrecisionRecall(one / 50, 0.5, 0.25) for one in range(50)]
    assert rouge_averages(scores) == PrecisionRecall(pytest.approx(0.49), 0.5, 0.25)
    middle = rouge_averages(scores, "released")
    assert middle.precision == pytest.approx(0.49, abs=0.02)
    assert middle.precision != 0.49
    assert (middle.recall, middle.f1) == (0.5, 0.25)


def test_bleu_is_that_of_sacrebleu_however_many_references_each_item_has() -> None:
    predictions = ["the cat sat on the mat today", "rain causes floods in the low valley"]
    references = [["the cat sat on the mat"], ["rain often causes floods in the valley", "floods come from the rain"]]
    columns = [["the cat sat on the mat", references[1][0]], ["the cat sat on the mat", references[1][1]]]
    assert bleu(predictions, references) == pytest.approx(sacrebleu.corpus_bleu(predictions, columns).score / 100)
    padded = [group + group[:1] * (6 - len(group)) for group in references]
    assert bleu(predictions, padded) == bleu(predictions, references)


def test_bleu_is_1_for_the_references_and_0_for_other_words() -> None:
    texts = ["smoking causes lung cancer in many people"]
    assert bleu(texts, [texts]) == pytest.approx(1.0)
    assert bleu(["xyz"], [texts]) == 0.0


def test_bleu_of_nothing_and_of_lists_that_do_not_fit_is_refused() -> None:
    with pytest.raises(MetricInvalid, match="nothing to score"):
        bleu([], [])
    with pytest.raises(MetricInvalid, match="1 and 2 items"):
        bleu(["a"], [["a"], ["b"]])


class Letters:
    """Encodes a text by how often each of three letters occurs in it."""

    name = "letters"

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        return [[float(text.count(letter)) for letter in "abc"] for text in texts]


def test_the_similarity_is_the_highest_cosine_with_a_reference() -> None:
    found = embedding_similarity(["ab", "c"], [["a", "b", "ba"], ["a"]], Letters())
    assert found == [pytest.approx(1.0), 0.0]
    assert cosine([1, 1], [1, 0]) == pytest.approx(2**-0.5)
    assert cosine([0, 0], [1, 0]) == 0.0


def test_similarity_without_an_encoder_is_refused_in_words() -> None:
    with pytest.raises(EncoderMissing, match="needs an encoder, and none was given"):
        embedding_similarity(["a"], [["a"]], None)


def test_an_encoder_that_loses_a_text_is_named() -> None:
    class Short(Letters):
        name = "short"

        def encode(self, texts: Sequence[str]) -> list[Vector]:
            return super().encode(texts)[1:]

    with pytest.raises(MetricInvalid, match="the encoder short gave 0 vectors for 1 texts"):
        embedding_similarity(["a"], [["a"]], Short())


@pytest.mark.parametrize(
    ("package", "call", "what"),
    [
        (
            "rouge_score",
            "from kgqa.evaluation.metrics.text_scores import rouge_l; rouge_l('a', ['a'])",
            "ROUGE needs rouge-score",
        ),
        ("sacrebleu", "from kgqa.evaluation.metrics.text_scores import bleu; bleu(['a'], [['a']])", "BLEU needs sacrebleu"),
    ],
)
def test_a_library_that_is_missing_is_named_with_what_to_install(package: str, call: str, what: str) -> None:
    script = (
        f"import sys; sys.modules['{package}'] = None\nfrom graph.errors import PackageMissing\n"
        f"try:\n    {call}\nexcept PackageMissing as error:\n    print(error, '/', error.remedy)"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.strip() == f"{what}, which is not installed / pip install 'kgqa[evaluate]'"


def test_no_metric_imports_anything_heavy_before_it_is_used() -> None:
    script = (
        "import pkgutil, importlib, sys, kgqa.evaluation.metrics as metrics\n"
        "for one in pkgutil.iter_modules(metrics.__path__): importlib.import_module(metrics.__name__ + '.' + one.name)\n"
        "print(*{'numpy', 'sacrebleu', 'rouge_score', 'nltk', 'scipy', 'spacy'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip() == ""
