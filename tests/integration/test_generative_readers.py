"""Readers that write their answers, with a tiny T5 that a script trains: it must find its answers in the passages."""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tiny_generator import SCRIPTS, needs_torch, the_generator

from graph.errors import FormatUnknown
from kgqa.errors import GeneratorInvalid
from kgqa.readers.reader import AnswerKind, Passage, load_reader

ARDEN = Passage("In July heavy rain flooded the town of Arden.", "Arden", score=1.0)
BEXLEY = Passage("In March a broken dam flooded the town of Bexley.", "Bexley", score=1.0)
CORBY = Passage("In May melting snow flooded the town of Corby.", "Corby", score=1.0)
ALL = [ARDEN, BEXLEY, CORBY]
TOLD = {"Arden": ("heavy rain", "July", 0), "Bexley": ("a broken dam", "March", 1), "Corby": ("melting snow", "May", 2)}


@pytest.fixture(scope="module")
def model() -> str:
    return the_generator()


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What trains models, to be imported."""
    needs_torch()
    monkeypatch.syspath_prepend(str(SCRIPTS))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] in {"generative", "train_seq2seq", "train_tiny_seq2seq"}]:
        del sys.modules[name]


def test_one_passage_answers_what_and_when(model: str) -> None:
    reader = load_reader(f"seq2seq:{model}")
    for town, (cause, month, place) in TOLD.items():
        for question, answer in ((f"What flooded {town}?", cause), (f"When was {town} flooded?", month)):
            first = reader.read(question, [ALL[place]])[0]
            assert (first.text, first.kind, first.passage) == (answer, AnswerKind.SPAN, 0)
            assert first.start is not None
            assert ALL[place].text[first.start : first.end] == answer
            assert first.score > 0.5


def test_the_passage_decides_not_the_question(model: str) -> None:
    reader = load_reader(f"seq2seq:{model}")
    for cause in ("heavy rain", "the storm surge", "a burst canal"):
        passage = Passage(f"In October {cause} flooded the town of Arden.", "Arden")
        assert reader.read("What flooded Arden?", [passage])[0].text == cause


def test_yes_no_and_nothing_told(model: str) -> None:
    reader = load_reader(f"seq2seq:{model}")
    assert reader.read("Did heavy rain flood Arden?", [ARDEN])[0].kind is AnswerKind.YES
    assert reader.read("Did melting snow flood Arden?", [ARDEN])[0].kind is AnswerKind.NO
    assert reader.read("What flooded Bexley?", [ARDEN])[0].kind is AnswerKind.NULL


def test_fusion_finds_the_answer_in_the_one_passage_that_tells(model: str) -> None:
    reader = load_reader(f"fid:{model}")
    for town, (cause, month, place) in TOLD.items():
        for question, answer in ((f"What flooded {town}?", cause), (f"When was {town} flooded?", month)):
            first = reader.read(question, ALL)[0]
            assert (first.text, first.passage) == (answer, place)
    assert reader.read("What flooded Dunmore?", ALL)[0].kind is AnswerKind.NULL


def test_fusion_without_the_passage_that_tells_has_another_answer(model: str) -> None:
    reader = load_reader(f"fid:{model}")
    assert reader.read("What flooded Bexley?", ALL)[0].text == "a broken dam"
    assert reader.read("What flooded Bexley?", [ARDEN, CORBY])[0].text != "a broken dam"


def test_fusion_decodes_from_the_states_of_each_passage_encoded_alone(model: str) -> None:
    import torch

    from kgqa.readers.generative.generative_readers import encode_separately, make_generative_reader

    reader = make_generative_reader(model, name="fid")
    together = encode_separately(reader.of, reader.shape, "What flooded Bexley?", ALL)
    for place, passage in enumerate(ALL):
        alone = encode_separately(reader.of, reader.shape, "What flooded Bexley?", [passage])
        tokens = int(alone.mask.sum())
        assert torch.allclose(together.states[place, :tokens], alone.states[0, :tokens], atol=1e-5)
    fused = together.fused()
    assert fused.states.shape[:2] == (1, together.states.shape[0] * together.states.shape[1])
    assert int(fused.mask.sum()) == int(together.mask.sum())


@pytest.mark.parametrize("name", ["rag", "rag-token"])
def test_rag_takes_the_answer_of_the_passage_that_was_retrieved_best(model: str, name: str) -> None:
    reader = load_reader(f"{name}:{model}")
    for cause, other in (("heavy rain", "the storm surge"), ("the storm surge", "heavy rain")):
        passages = [
            Passage(f"In July {one} flooded the town of Arden.", "Arden", score=score)
            for one, score in ((other, 0.0), (cause, 3.0))
        ]
        first = reader.read("What flooded Arden?", passages)[0]
        assert (first.text, first.passage) == (cause, 1)
        assert any("passage 2 of 2 gives" in line for line in first.trace)


def test_rag_sums_an_answer_over_the_passages_that_give_it(model: str) -> None:
    reader = load_reader(f"rag:{model}")
    twice = [Passage(f"In {month} heavy rain flooded the town of Arden.", "Arden", score=1.0) for month in ("July", "March")]
    against = Passage("In May melting snow flooded the town of Arden.", "Arden", score=1.4)
    assert reader.read("What flooded Arden?", [against, twice[0]])[0].text == "melting snow"
    assert reader.read("What flooded Arden?", [against, *twice])[0].text == "heavy rain"


def test_rag_of_one_passage_reads_as_the_reader_of_one(model: str) -> None:
    alone = load_reader(f"seq2seq:{model}").read("What flooded Arden?", [ARDEN])[0]
    for name in ("rag", "rag-token"):
        first = load_reader(f"{name}:{model}").read("What flooded Arden?", [ARDEN])[0]
        assert (first.text, first.start) == (alone.text, alone.start)
        assert first.score == pytest.approx(alone.score, abs=1e-4)


def test_the_beams_are_those_of_transformers(model: str) -> None:
    from kgqa.readers.generative.encoder_decoder import encode_texts, generate_hypotheses, load_pretrained

    of = load_pretrained(model)
    for text in (
        "what flooded arden? \\n arden in july heavy rain flooded the town of arden.",
        "when was corby flooded? \\n corby",
    ):
        batch = of.tokenizer([text], return_tensors="pt")
        for beams in (1, 4):
            theirs = of.model.generate(
                **batch,
                num_beams=beams,
                num_return_sequences=beams,
                do_sample=False,
                max_new_tokens=12,
                length_penalty=0.0,
                early_stopping=False,
                output_scores=True,
                return_dict_in_generate=True,
            )
            ours = generate_hypotheses(of, encode_texts(of, [text], 64), beams, 12)
            assert list(ours[0].tokens) == [int(token) for token in theirs.sequences[0][1:]][: len(ours[0].tokens)]
            if beams > 1:
                found = [one.log_probability for one in ours]
                assert found == pytest.approx([float(one) for one in theirs.sequences_scores], abs=1e-3)


def test_the_likelihood_of_an_answer_is_what_the_search_says(model: str) -> None:
    from kgqa.readers.generative.encoder_decoder import (
        encode_texts,
        generate_hypotheses,
        load_pretrained,
        sequence_log_probabilities,
    )

    of = load_pretrained(model)
    read = encode_texts(
        of, ["what flooded arden? \\n arden in july heavy rain flooded the town of arden.", "what flooded arden? \\n corby"], 64
    )
    weights = [math.log(0.7), math.log(0.3)]
    for one in generate_hypotheses(of, read, 1, 12, weights):
        whole = sequence_log_probabilities(of, read, [one.tokens])[0]
        assert len(whole) == 2
    alone = encode_texts(of, ["what flooded arden? \\n arden in july heavy rain flooded the town of arden."], 64)
    for one in generate_hypotheses(of, alone, 3, 12):
        assert sequence_log_probabilities(of, alone, [one.tokens])[0][0] == pytest.approx(one.log_probability, abs=1e-3)


def test_choices_are_the_only_answers(model: str) -> None:
    found = load_reader(f"seq2seq:{model}").read("What flooded Arden? (a) melting snow (b) heavy rain (c) a comet", [ARDEN])
    assert sorted(one.text for one in found) == ["a comet", "heavy rain", "melting snow"]


def test_without_a_passage_only_the_closed_book_answers(model: str) -> None:
    assert [one.kind for one in load_reader(f"seq2seq:{model}").read("What flooded Arden?", [])] == [AnswerKind.NULL]
    closed = load_reader(f"seq2seq:closed:{model}")
    assert closed.read("What flooded Arden?", [])[0].trace[0].startswith("written by seq2seq:closed")
    assert closed.read("What flooded Arden?", [ARDEN])[0].text == "heavy rain"


def test_a_passage_that_is_too_long_is_said_to_be_cut(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filling = Passage("The river was wide. " * 2000)
    for name in ("seq2seq", "fid", "rag"):
        assert any(
            "only the first" in line for line in load_reader(f"{name}:{model}").read("What flooded Arden?", [filling])[0].trace
        )


def test_fewer_beams_are_followed_where_the_environment_says_so(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_BEAMS", "1")
    assert len(load_reader(f"seq2seq:{model}").read("What flooded Arden?", [ARDEN])) == 1
    monkeypatch.setenv("KGQA_BEAMS", "none")
    with pytest.raises(GeneratorInvalid, match="KGQA_BEAMS is 'none', not a number from 1 on"):
        load_reader(f"seq2seq:{model}")


def test_a_device_that_is_not_there_is_said_not_to_be(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_DEVICE", "abacus")
    with pytest.raises(GeneratorInvalid, match="cannot use the device 'abacus'"):
        load_reader(f"seq2seq:{model}")


def test_a_name_that_was_never_downloaded_is_refused_without_asking_anybody() -> None:
    needs_torch()
    with pytest.raises(GeneratorInvalid, match="was not downloaded before"):
        load_reader("seq2seq:nobody/has-this-model")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.safetensors", b"\x00" * 40),
        ("model.safetensors", b""),
        ("config.json", b"{"),
        ("config.json", b'{"model_type": "unheard-of"}'),
        ("config.json", b'{"model_type": "bert"}'),
        ("tokenizer.json", b"{}"),
        ("tokenizer.json", b"\xff\xfe"),
        ("reader.json", b'{"form": "unheard-of"}'),
        ("reader.json", b'{"source": 0}'),
    ],
)
def test_a_broken_file_is_one_line(model: str, tmp_path: Path, name: str, content: bytes) -> None:
    folder = Path(shutil.copytree(model, tmp_path / "broken"))
    (folder / name).write_bytes(content)
    with pytest.raises(GeneratorInvalid, match=r"^no generative model in '[^\n]*$"):
        load_reader(f"seq2seq:{folder}")


def test_weights_cut_short_or_without_a_layer_are_refused(model: str, tmp_path: Path) -> None:
    from safetensors.torch import load, save

    folder = Path(shutil.copytree(model, tmp_path / "cut"))
    weights = folder / "model.safetensors"
    tensors = load(weights.read_bytes())
    weights.write_bytes(weights.read_bytes()[:-1000])
    with pytest.raises(GeneratorInvalid, match="cannot be used"):
        load_reader(f"seq2seq:{folder}")
    del tensors["decoder.final_layer_norm.weight"]
    weights.write_bytes(save(tensors, {"format": "pt"}))
    with pytest.raises(GeneratorInvalid, match=r"its weights lack 1 layers, such as decoder\.final_layer_norm\.weight"):
        load_reader(f"seq2seq:{folder}")


def test_a_bart_begins_its_answers_as_it_must(scripts: None) -> None:
    import torch
    from train_tiny_seq2seq import untrained

    from kgqa.readers.generative.encoder_decoder import encode_texts, generate_hypotheses, sequence_log_probabilities

    of = untrained("bart")
    of.model.eval()
    text = "Arden / In July heavy rain flooded the town of Arden. // What flooded Arden?"
    read = encode_texts(of, [text], 64)
    found = generate_hypotheses(of, read, 3, 8)
    assert {one.tokens[0] for one in found} == {of.tokenizer.bos_token_id}
    for one in found:
        assert sequence_log_probabilities(of, read, [one.tokens])[0][0] == pytest.approx(one.log_probability, abs=1e-3)
    with torch.inference_mode():
        theirs = of.model.generate(**of.tokenizer([text], return_tensors="pt"), num_beams=1, do_sample=False, max_new_tokens=8)
    (greedy,) = generate_hypotheses(of, read, 1, 8)
    unforced = [int(token) for token in theirs[0][1:-1]]  # transformers makes the last token that a BART may write the end
    assert list(greedy.tokens)[: len(unforced)] == unforced


def test_the_losses_of_rag_are_those_of_its_definition(scripts: None, model: str) -> None:
    from generative.seq2seq_losses import fusion, rag_sequence, rag_token, single

    from kgqa.calibration.linear_model import log_softmax
    from kgqa.readers.generative.encoder_decoder import (
        GenerationShape,
        InputFormat,
        encode_texts,
        load_pretrained,
        sequence_log_probabilities,
        tokenise_answer,
    )
    from kgqa.readers.generative.generative_readers import format_input, log_marginal

    of, shape = load_pretrained(model), GenerationShape(InputFormat.UNIFIED, 64, 12)
    passages = [Passage(ARDEN.text, "Arden", score=2.0), Passage(BEXLEY.text, "Bexley", score=0.5)]
    turns = [("What flooded Arden?", passages, "heavy rain"), ("When was Bexley flooded?", passages, "march")]
    total, by_token, known, weights = 0.0, 0.0, 0, log_softmax([2.0, 0.5])
    for question, _, answer in turns:
        tokens = tokenise_answer(of, answer, 12)
        read = encode_texts(of, [format_input(InputFormat.UNIFIED, question, one, 4096) for one in passages], 64)
        total, known = total - log_marginal(sequence_log_probabilities(of, read, [tokens])[0], weights), known + len(tokens)
        begun = [[0.0, 0.0], *sequence_log_probabilities(of, read, [tokens[: length + 1] for length in range(len(tokens))])]
        for before, after in pairwise(begun):
            by_token -= log_marginal([more - less for less, more in zip(before, after, strict=True)], weights)
    assert rag_sequence(of, shape, turns).item() == pytest.approx(total / known, abs=1e-4)
    assert rag_token(of, shape, turns).item() == pytest.approx(by_token / known, abs=1e-4)
    alone = [(question, [passage], answer) for (question, _, answer), passage in zip(turns, passages, strict=True)]
    losses = [one(of, shape, alone).item() for one in (single, fusion, rag_sequence, rag_token)]
    assert losses == pytest.approx([losses[0]] * 4, abs=1e-4)


def test_training_that_was_cut_off_goes_on_to_the_same_weights(scripts: None, tmp_path: Path) -> None:
    import torch
    from generative.seq2seq_training import Course, Task, train
    from train_tiny_seq2seq import UNIFIED, rows, untrained

    tasks, course = [Task("seq2seq", UNIFIED, rows(20, 1, 7))], Course(steps=6, batch=4, rate=1e-3, warm_up=2, keep_every=2)
    straight = untrained("t5")
    train(straight, tasks, course, None)

    def stop(step: int, loss: float) -> None:
        assert math.isfinite(loss)
        if step == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(untrained("t5"), tasks, course, tmp_path, stop)
    steps: list[int] = []
    resumed = untrained("t5")
    train(resumed, tasks, course, tmp_path, lambda step, _: steps.append(step))
    assert steps == [5, 6]
    other = resumed.model.state_dict()
    assert all(torch.equal(weight, other[name]) for name, weight in straight.model.state_dict().items())
    with pytest.raises(FormatUnknown, match="these rows and settings"):
        train(untrained("t5"), tasks, Course(steps=7, batch=4, rate=1e-3), tmp_path)


def test_a_model_is_tuned_by_the_script_and_read_with(scripts: None, model: str, tmp_path: Path) -> None:
    from train_seq2seq import main

    data, out = tmp_path / "train.jsonl", tmp_path / "tuned"
    row = {
        "question": "Why did the mill burn?",
        "answer": "heavy rain",
        "passage": "In July heavy rain flooded the mill of Arden.",
    }
    data.write_text("\n".join(json.dumps(row | {"id": str(number)}) for number in range(4)))
    options = ["--model", model, "--set", f"causalqa={data}", "--steps", "30", "--rate", "1e-3", "--source", "64"]
    assert main([*options, "--out", str(out)]) == 0
    told = json.loads((out / "reader.json").read_text())
    assert (told["form"], told["source"], told["target"], told["method"]) == ("unified", 64, 100, "seq2seq")
    first = load_reader(f"seq2seq:{out}").read(row["question"], [Passage(row["passage"])])[0]
    assert first.text == "heavy rain"
    retrieved = tmp_path / "retrieved.json"
    found = [{"title": one.title, "text": one.text, "score": one.score} for one in ALL]
    retrieved.write_text(json.dumps([{"question": "What flooded Corby?", "answers": ["melting snow"], "ctxs": found}]))
    for method, form in (("fid", "fusion"), ("rag", "unified"), ("rag-token", "unified")):
        options = ["--model", model, "--retrieved", str(retrieved), "--method", method, "--steps", "2", "--batch", "2"]
        assert main([*options, "--passages", "4", "--out", str(tmp_path / method)]) == 0
        assert json.loads((tmp_path / method / "reader.json").read_text())["form"] == form
        assert load_reader(f"{method}:{tmp_path / method}").name == method


@pytest.mark.parametrize("content", ["", "[1]", '{"question": "Why?"}', "{"])
def test_what_cannot_be_learnt_from_is_said_in_a_line(
    scripts: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    from train_seq2seq import main

    (tmp_path / "rows.json").write_text(content)
    assert main(["--model", "none", "--retrieved", str(tmp_path / "rows.json"), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
