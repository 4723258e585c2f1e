from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from kgqa.answer_model import Answer, MissingInformation, Route
from kgqa.question import QuestionType, Slots
from kgqa.reasons import Conclusion, Missing, Need, Reason, Refusal, Remedy, Step, StepKind
from kgqa.wording.conclusion_sentences import _FUNCTIONS, _NEEDS, _REASONS, _REMEDIES
from kgqa.wording.trace_lines import _STEPS

ROOT = Path(__file__).parents[3]
REASONING = ("answering", "passages", "hops", "interventions", "edits", "calibration", "linking", "readers")
"""The rooms of reasoning: what they conclude is data."""
WORDLESS = ("answering", "passages", "hops", "interventions", "edits")
"""The rooms that hold no English sentence."""
STILL_ENGLISH = {
    "kgqa.interventions.graph_settings": "what is wrong with a setting, which an error says",
    "kgqa.edits.plain_question": "examples of rules, and why a supposition cannot be made",
    "kgqa.edits.consequence_queries": "examples of rules, and what an edit did",
    "kgqa.edits.edit_solver": "why no edit is found",
    "kgqa.edits.order_queries": "word lists, and what an edit did",
    "kgqa.edits.prior_states": "examples of rules",
    "kgqa.edits.row_queries": "what an edit did",
    "kgqa.edits.series_queries": "what an edit did",
    "kgqa.edits.stated_outcomes": "what an edit did",
    "kgqa.edits.value_edits": "what an edit did",
    "kgqa.passages.linked_passage": "that a passage is too long, or none",
}
"""Modules of these rooms that hold English yet; the list only shrinks."""
_THREE_WORDS = re.compile(r"(?:^|\s)[a-z]+ [a-z]+ [a-z]+(?=$|[\s,.;:])")


def modules_of(rooms: tuple[str, ...]) -> Iterator[tuple[str, ast.Module]]:
    """The modules of some rooms, each with its syntax tree."""
    for room in rooms:
        for path in sorted((ROOT / "kgqa" / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def english_in(tree: ast.Module) -> list[str]:
    """The texts with three lower-case words in a row that are no docstring, pattern, word list, error or public name."""
    exempt: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            exempt.add(node.value)
        elif isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            exempt |= set(ast.walk(node)) if function.startswith("re.") or function.endswith("Error") else set()
            exempt |= set(ast.walk(node.func)) if function.endswith(".split") else set()
        elif isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases):
            exempt |= set(ast.walk(node))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in exempt)
    return [text for text in texts if isinstance(text, str) and _THREE_WORDS.search(text)]


def test_no_room_of_reasoning_imports_the_wording() -> None:
    imports = [
        (name, node.module)
        for name, tree in modules_of(REASONING)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kgqa.wording")
    ]
    assert imports == []


def test_no_room_of_reasoning_holds_an_english_sentence() -> None:
    assert {name for name, tree in modules_of(WORDLESS) if english_in(tree)} == set(STILL_ENGLISH)


def test_every_reason_gap_and_step_has_words() -> None:
    assert set(_REASONS) == set(get_args(Reason))
    assert set(_NEEDS) == set(get_args(Need))
    assert set(_REMEDIES) == set(get_args(Remedy))
    assert set(_STEPS) == set(get_args(StepKind))


def test_every_conclusion_has_words() -> None:
    conclusions = {
        node.name
        for _, tree in modules_of((".",))
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Conclusion" for base in node.bases)
    }
    assert set(_FUNCTIONS) == conclusions


def test_an_answer_is_worded_when_it_is_read() -> None:
    gap = Missing("causes", ("rust",), "near_names", ("rust", "rusty", "frost"))
    answer = Answer(
        question="What causes rust?",
        type=QuestionType(None, Slots()),
        route=Route.NONE,
        conclusion=Refusal("not_said", (gap,)),
        steps=(Step("shared", (1, 2)), "a line of a reader"),
        gaps=(gap, MissingInformation("a text", "elsewhere")),
    )
    assert answer.sentence == ("Unknown: the graph has no concept called 'rust'; near: rusty, frost.")
    assert answer.trace == ("1 concept shared, within 2 steps", "a line of a reader")
    assert answer.missing[0].what == "the causes of 'rust'"
    assert answer.missing[1] == MissingInformation("a text", "elsewhere")


@pytest.mark.parametrize("conclusion", ["As it stands.", "a text of a caller"])
def test_a_text_is_its_own_wording(conclusion: Conclusion | str) -> None:
    assert Answer("?", QuestionType(None, Slots()), Route.NONE, conclusion).sentence == conclusion
