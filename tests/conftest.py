from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data: KGQA_DATA, or shared/data beside the repository; without it the test is skipped."""
    folder = Path(os.environ.get("KGQA_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at '{folder}' (set KGQA_DATA to the folder that holds it)")
    return folder
