"""The "if" of a question is parsed once, from whatever sources it is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgqa.cli.ask import ask
from kgqa.questions import conditional_parser as conditional

PASSAGE = "The dam at Elmstead was built in 1960 by four hundred workers from Harrow. It has kept Harrow dry since."
QUESTIONS = (
    "If the dam at Elmstead had been built ten years later, in which year would it have been built?",
    "If the dam at Elmstead had not been built, who would have lost work?",
    "Would Harrow be dry if the dam at Elmstead were gone?",
    "What would happen to floods if rainfall increased?",
    "What if there were no smoking?",
    "Why is the sky dark at night if there are so many stars?",
)


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each text is parsed for its clauses."""
    texts: Counter[str] = Counter()
    splits = conditional._clause_splits

    def counted(text: str) -> Iterator[conditional.ClauseSplit]:
        texts[text] += 1
        yield from splits(text)

    conditional.parse_conditional.cache_clear()
    monkeypatch.setattr(conditional, "_clause_splits", counted)
    return texts


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("source", ["graph", "passage"])
def test_a_question_is_parsed_once(question: str, source: str, parses: Counter[str], tmp_path: Path) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text(PASSAGE, encoding="utf-8")
    arguments = [question, "--json", *(["--passage", str(passage)] if source == "passage" else [])]

    result = CliRunner().invoke(ask, arguments)

    assert result.exit_code in (0, 1), result.output
    assert parses[question] == 1
    assert set(parses.values()) == {1}
