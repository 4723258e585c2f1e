"""Completion by the shells: what a typed line may become, the scripts, and how they are installed."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from running import KGQA, Run, clean_environment, kgqa

from graph.mining.rules.rule_tables import load_rules
from kgqa.cli.commands import COMMANDS
from kgqa.evaluation.datasets import DATASETS
from kgqa.evaluation.extraction import EXTRACTIONS
from kgqa.readers.reader import READERS

COMPLETIONS = {
    "kgqa ": list(COMMANDS),
    "kgqa ev": ["evaluate"],
    "kgqa ca": ["causes"],
    "kgqa --sh": ["--show-completion"],
    "kgqa ask --exp": ["--explain"],
    "kgqa export ": ["csv", "graphml", "rdf", "svg"],
    "kgqa rules ": ["list", "show", "test", "induce"],
    "kgqa load c": ["causenet", "conceptnet", "csv"],
    "kgqa type --lexical r": ["released"],
    "kgqa ask --reader ": list(READERS),
    "kgqa ask --reader=bo": ["boolean"],
    "kgqa ask --reader chat:c": ["closed", "cot"],  # bash replaces what is behind the colon
    "kgqa ask --reader=chat:r": ["reason"],
    'kgqa ask --reader "chat:r': ["chat:reason"],
    "kgqa evaluate ": [*DATASETS, *EXTRACTIONS, "compare"],
    "kgqa evaluate ifqa --reader g": ["graph"],
    "kgqa rules show cause.a": [rule.id for rule in load_rules(None) if rule.id.startswith("cause.a")],
    "kgqa rules list --family prev": ["prevention"],
    "kgqa fetch causenet-p": ["causenet-precision"],
    "kgqa causes s": ["smoking", "scurvy"],  # two claims, one claim
    "kgqa effects SMO": ["smoking"],
    "kgqa show lu": ["lung\\ cancer"],
    "kgqa show lung\\ c": ["lung\\ cancer"],
    'kgqa show "lung ': ["lung cancer"],
    "kgqa path smoking em": ["emphysema"],
    "kgqa export svg out.svg --around cit": ["citrus\\ fruit"],
    "kgqa sparql --around em": ["emphysema"],
    "kgqa path smoking nothing": [],
    "kgqa ask --passage ": [],
    "kgqa nonsense ": [],
    "kgqa causes -g missing.kgqa s": [],
    "kgqa causes -g bolt://localhost:1 s": [],
    "kgqa causes -g memory: s": [],
}


@pytest.mark.parametrize("line", COMPLETIONS)
def test_what_a_line_may_become(here: Run, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setenv("_KGQA_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_LINE", line)
    ended = here()
    assert (ended.code, ended.out.splitlines(), ended.err) == (0, COMPLETIONS[line], "")


@pytest.mark.parametrize(("shell", "file"), [("zsh", "file\n\n_\n"), ("fish", "file,\n")])
def test_other_shells_are_answered_in_their_form(here: Run, monkeypatch: pytest.MonkeyPatch, shell: str, file: str) -> None:
    monkeypatch.setenv("_KGQA_COMPLETE", f"{shell}_complete")
    for line, word, expected in (("kgqa causes lu", "lu", "lung cancer"), ("kgqa ask --passage ", "", file)):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", word if shell == "fish" else str(len(line.split(" ")) - 1))
        ended = here()
        assert ended.code == 0
        assert expected in ended.out


@pytest.mark.parametrize("instruction", ["bash_dance", "dash_complete", "1"])
def test_an_instruction_that_is_none_is_wrong_use(here: Run, monkeypatch: pytest.MonkeyPatch, instruction: str) -> None:
    monkeypatch.setenv("_KGQA_COMPLETE", instruction)
    assert here("stats").code == 2


def test_bash_completes_by_the_script(small: Path) -> None:
    script = kgqa("--show-completion", "bash").out
    typed = shlex.quote("kgqa show lung\\ c")
    call = f"COMP_LINE={typed}; COMP_POINT=${{#COMP_LINE}}; _kgqa_completion {KGQA}; printf '%s|' \"${{COMPREPLY[@]}}\""
    ended = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{call}"],
        capture_output=True,
        text=True,
        env=clean_environment(KGQA_GRAPH=str(small)),
        check=False,
    )
    assert (ended.stdout, ended.stderr) == ("lung\\ cancer|", "")


@pytest.mark.parametrize(
    ("shell", "script", "start"),
    [
        ("bash", ".local/share/kgqa/completion.bash", ".bashrc"),
        ("zsh", ".local/share/kgqa/completion.zsh", ".zshrc"),
        ("fish", ".config/fish/completions/kgqa.fish", None),
    ],
)
def test_a_script_is_installed_once(tmp_path: Path, shell: str, script: str, start: str | None) -> None:
    home = {"HOME": str(tmp_path), "SHELL": f"/bin/{shell}", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "ZDOTDIR": ""}
    if start is not None:
        (tmp_path / start).write_text("alias l=ls")
    for _ in range(2):
        ended = kgqa("--install-completion", **home)
        assert ended.code == 0, ended.err
    assert f"completion for {shell}: {tmp_path / script}\n" in ended.out
    assert (tmp_path / script).read_text() == kgqa("--show-completion", shell).out
    if start is not None:
        assert (tmp_path / start).read_text() == f"alias l=ls\nsource {tmp_path / script}\n"


def test_a_shell_without_a_script_is_wrong_use(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = here("--show-completion", "dash")
    assert ended.code == 2
    assert ended.err == (
        "kgqa: no completion for the shell 'dash'; there is for: bash, zsh, fish\n      try: kgqa --show-completion bash\n"
    )
    monkeypatch.delenv("SHELL", raising=False)
    assert here("--install-completion").err.startswith("kgqa: $SHELL does not name a shell\n")
