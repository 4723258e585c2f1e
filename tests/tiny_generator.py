"""A tiny T5 for tests, trained once for all of them: it answers what flooded which town, and when, from passages that tell.

Tests that read with it are skipped where torch and transformers are not installed, unless KGQA_TEST_NEURAL is 1: then they fail.
KGQA_TEST_GENERATOR names a folder to keep the trained model in between runs.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts" / "training"
WANTED, KEPT = "KGQA_TEST_NEURAL", "KGQA_TEST_GENERATOR"


def needs_torch() -> None:
    """Skip the test where there is no torch, or no transformers."""
    if os.environ.get(WANTED) != "1" and not (find_spec("torch") and find_spec("transformers")):
        pytest.skip(f"needs torch and transformers, the extra 'neural'; with {WANTED}=1 it fails without them")


def the_generator() -> str:
    """The folder of the trained model, trained by the first test that asks for it."""
    needs_torch()
    return str(_trained())


@cache
def _trained() -> Path:
    kept = os.environ.get(KEPT)
    if kept and (Path(kept) / "model.safetensors").exists():
        return Path(kept)
    folder = Path(kept or tempfile.mkdtemp(prefix="kgqa-generator-"))
    if not kept:
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    script = [sys.executable, SCRIPTS / "train_tiny_seq2seq.py", "--family", "t5", "--out", folder]
    subprocess.run(script, check=True, stdout=subprocess.DEVNULL, timeout=900)
    return folder
