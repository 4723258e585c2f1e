from __future__ import annotations

import pickle
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, GraphError, InputUnreadable, RuleInvalid, StoreDamaged, StoreMissing, StoreVersion
from graph.mining.sentence.spacy_pipeline import PipelineMissing
from graph.stores import open_store


@pytest.mark.parametrize(
    "error",
    [
        InputUnreadable("a.bz2", "cut short"),
        FormatUnknown("a.csv", "a table", "no header"),
        StoreVersion("a.kgqa", "7", "1"),
        RuleInvalid("cause.active", "no frame"),
        PipelineMissing(["one", "two"]),
    ],
)
def test_an_error_crosses_to_another_process_with_its_message_and_remedy(error: GraphError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), copy.remedy) == (str(error), error.remedy)


def test_a_store_is_opened_by_a_path_object_as_by_its_text(tmp_path: Path) -> None:
    open_store(tmp_path / "new.kgqa", create=True).close()
    with open_store(tmp_path / "new.kgqa") as store:
        assert store.url == str(tmp_path / "new.kgqa")


@pytest.mark.parametrize("url", ["my graph.kgqa", "it's.kgqa", "a$b.kgqa", "plain.kgqa"])
@pytest.mark.parametrize("error", [StoreMissing, lambda url: StoreDamaged(url, "cut short")])
def test_a_remedy_may_be_pasted_into_a_shell(error: Callable[[str], GraphError], url: str) -> None:
    remedy = error(url).remedy
    assert remedy is not None
    assert shlex.split(remedy)[-2:] == ["-g", url]
