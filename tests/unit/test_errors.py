from __future__ import annotations

import pickle

import pytest

from graph.errors import FormatUnknown, GraphError, InputUnreadable, RuleInvalid, StoreVersion
from graph.mining.miner import PipelineMissing


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
