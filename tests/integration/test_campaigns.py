"""A trial of each campaign of scripts/campaign; the long form is scripts/campaign/run.sh."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "scripts" / "campaign" / "run.py"
TRIALS = os.environ.get("KGQA_TEST_TRIALS", "1")


@pytest.mark.parametrize("name", ["kills", "faults", "corruption", "fuzzing", "loaders", "names", "chat", "concurrency"])
def test_a_trial_of_each_campaign_holds_and_the_next_run_goes_on_behind_it(name: str, tmp_path: Path) -> None:
    state = tmp_path / "state.jsonl"
    command = [sys.executable, str(RUN), name, "--seed", "11", "--state", str(state), "--trials", TRIALS]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"| {name} | {TRIALS} | {TRIALS} | 0 |" in ended.stdout
    assert [json.loads(line)["trial"] for line in state.read_text().splitlines()] == list(range(int(TRIALS)))

    again = subprocess.run([*command[:-1], "0"], capture_output=True, text=True, timeout=600, check=False)
    assert f"| {name} | {TRIALS} | {TRIALS} | 0 |" in again.stdout


def test_a_campaign_that_is_not_there_is_named() -> None:
    ended = subprocess.run([sys.executable, str(RUN), "floods"], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "no campaign floods" in ended.stderr
