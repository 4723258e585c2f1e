"""docs/notebook.ipynb, run cell by cell as Jupyter would: what it shows is what comes out now.

Where that was changed on purpose, `python tests/golden/test_notebook.py` writes the notebook anew; then read the diff.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from small_web_graph import check_safe

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
_VIEWS = {"_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cells(cells: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Run cells one after the other; yield the outputs of each: what it prints, then its last expression as it shows itself."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number}", "exec"), names)
            value = None if last is None else eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        outputs: list[dict[str, Any]] = []
        if printed.getvalue():
            outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
        if value is not None:
            data = {kind: getattr(value, view)() for view, kind in _VIEWS.items() if hasattr(value, view)}
            plain = str(value) if hasattr(value, "_repr_pretty_") else repr(value)
            data["text/plain"] = f"<{type(value).__name__}>" if data else plain
            shown = {kind: text.splitlines(keepends=True) for kind, text in data.items()}
            outputs.append({"data": shown, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
        yield outputs


def test_every_cell_shows_what_the_notebook_says() -> None:
    cells = code_cells(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    assert len(cells) >= 10
    for number, (cell, outputs) in enumerate(zip(cells, run_cells(cells), strict=True), 1):
        assert outputs == cell["outputs"], f"cell {number}: {cell['source'][0]}"


def test_the_views_of_the_notebook_are_whole_and_run_nothing() -> None:
    cells = code_cells(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    data = [output.get("data", {}) for cell in cells for output in cell["outputs"]]
    views = ["".join(item[kind]) for item in data for kind in _VIEWS.values() if kind in item]
    assert len(views) >= 3
    for view in views:
        assert "<svg" in view
        check_safe(view)


def rewrite() -> None:
    """Write what the cells show now into the notebook."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), run_cells(code_cells(notebook)), strict=True), 1):
        cell["outputs"], cell["execution_count"] = outputs, number
    NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    rewrite()
