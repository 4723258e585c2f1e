"""The spaCy pipeline, loaded without what mining does not use, parses as the whole of it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, Token

from graph.mining.sentence import spacy_pipeline
from graph.mining.sentence.spacy_pipeline import PipelineMissing, installed_pipeline, load_pipeline

pytestmark = pytest.mark.slow

SENTENCES = (
    "Smoking causes lung cancer, and it doesn't spare the young.",
    "The Zyxtaran floods of 1931 were brought about by quorvic rains of 400 mm.",
    "He'd said (e.g. in Geneva) that U.S. tariffs led to a 3.5% fall in wheat-prices!",
    "Damming the river for power has been blamed for the collapse of its fisheries.",
)
NAMES = """
import sys
from kgqa.passages.passage_graph import mine_passage
assert mine_passage("Smoking causes lung cancer.").edges()
print("spacy" in sys.modules, "spacy.cli" in sys.modules, "typer" in sys.modules)
import spacy, spacy.cli
print(callable(spacy.cli.download), spacy.info(silent=True)["spacy_version"] == spacy.__version__)
"""


def told(token: Token) -> tuple[str | int, ...]:
    return (token.text, token.tag_, token.dep_, token.head.i, token.norm_, token.lower_, token.shape_)


def test_what_is_left_out_changes_no_parse() -> None:
    whole, loaded = spacy.load(installed_pipeline()), load_pipeline()
    for sentence in SENTENCES:
        assert [told(token) for token in loaded(sentence)] == [told(token) for token in whole(sentence)]


def test_special_cases_split_alike_whenever_they_are_met() -> None:
    whole, lazy = spacy.load(installed_pipeline()), load_pipeline()
    cases = list(whole.tokenizer.rules)[:: len(whole.tokenizer.rules) // 150]
    for case in cases:
        text = f"({case}, {case}s and {case.title()}-like."
        assert [token.text for token in lazy(text)] == [token.text for token in whole(text)], case


@pytest.mark.parametrize("verb", ["led", "caused", "brought", "quorvicked", "lay"])
def test_the_base_forms_of_verbs_are_those_of_the_whole_pipeline(verb: str) -> None:
    forms = []
    for nlp in (spacy.load(installed_pipeline()), load_pipeline()):
        (token,) = Doc(nlp.vocab, [verb])
        token.pos_ = "VERB"
        forms.append(nlp.get_pipe("lemmatizer").lemmatize(token))  # type: ignore[attr-defined]
    assert forms[0] == forms[1]


def test_mining_a_passage_does_not_import_the_command_line_of_spacy_and_leaves_it_as_it_is() -> None:
    done = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "False", "False", "True", "True"], done.stderr


@pytest.mark.parametrize("command", ["mine", "extract", "ask"])
def test_what_spacy_would_import_beside_itself_is_left_alone(tmp_path: Path, command: str) -> None:
    """Where torch is installed, spaCy would import it, which takes seconds and starts programs."""
    (tmp_path / "torch.py").write_text("raise SystemExit('torch was imported')", encoding="utf-8")
    (tmp_path / "text.txt").write_text("Smoking causes lung cancer.\n", encoding="utf-8")
    line = {
        "mine": ["mine", "text.txt", "-g", "g.kgqa", "--workers", "1"],
        "extract": ["extract", "text.txt"],
        "ask": ["ask", "What causes lung cancer?", "--passage", "text.txt"],
    }[command]
    started = [sys.executable, "-c", "import sys; from kgqa.cli import run; sys.exit(run(sys.argv[1:]))", *line]
    done = subprocess.run(started, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, "torch" in done.stderr) == (0, False), done.stderr


def test_a_pipeline_that_is_not_there_is_named_with_what_brings_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipeline, "PIPELINES", ("nowhere",))
    with pytest.raises(PipelineMissing, match="no spaCy pipeline called nowhere"):
        installed_pipeline()
