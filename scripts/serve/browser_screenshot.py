"""A picture of Neo4j Browser that shows the paths of an answer in our style, for the docs.

    python scripts/serve/browser_screenshot.py OUT.png "What causes tsunamis?" --browser http://localhost:7474/browser/

The server holds a copy of the graph that is asked (`kgqa copy GRAPH bolt://localhost:7687`). The statement is the one that
`kgqa ask --cypher` prints or, with `--query`, a saved query. Each `--open` double-clicks the node whose caption begins so;
`--dark` uses Browser's dark theme.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from browser_queries import FOLDER, saved_queries
from browser_window import BrowserWindow, Unseen, browser_window

STYLE = FOLDER / "style.grass"


def main() -> None:
    """Ask, draw, click, and save the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the picture to write, a PNG")
    parser.add_argument("question", nargs="?", help="the question whose answer is drawn")
    parser.add_argument("--query", choices=[query.name for query in saved_queries()], help="draw this, not an answer")
    parser.add_argument("--param", action="append", default=[], metavar="NAME => 'VALUE'", help="a parameter of --query")
    parser.add_argument("-g", "--graph", help="the graph to ask (default: the starter graph)")
    parser.add_argument("--browser", default="http://localhost:7474/browser/", help="the address of Neo4j Browser")
    parser.add_argument("--password", default=os.environ.get("NEO4J_PASSWORD", ""), help="that of the user neo4j")
    parser.add_argument("--open", action="append", default=[], metavar="CAPTION", help="double-click this node; may be repeated")
    parser.add_argument("--dark", action="store_true", help="use the dark theme")
    parser.add_argument("--width", type=int, default=1400)
    parser.add_argument("--height", type=int, default=770)
    given = parser.parse_args()
    try:
        if (given.question is None) == (given.query is None):
            raise Unseen("either a question or --query is needed")
        queries = {query.name: query.titled for query in saved_queries()}
        statement = queries[given.query] if given.query else statement_for(given.question, given.graph)
        with browser_window(given.width, given.height) as window:
            window.connect(given.browser, given.password)
            for parameter in given.param:
                window.run(f":param {parameter}")
            drawn = picture(window, statement, tuple(given.open), given.dark)
            window.screenshot(given.out)
    except Unseen as error:
        sys.exit(f"browser_screenshot: {error}")
    print(f"{given.out}: {', '.join(drawn)}")


def statement_for(question: str, graph: str | None) -> str:
    """Return the statement that `kgqa ask --cypher` prints; raises `Unseen` where the answer has none."""
    command = [str(Path(sys.executable).with_name("kgqa")), "ask", question, "--json", "--cypher"]
    ended = subprocess.run([*command, *(["-g", graph] if graph else [])], capture_output=True, text=True, check=False)
    statement = json.loads(ended.stdout)["cypher"] if ended.returncode == 0 else None
    if not isinstance(statement, str):
        raise Unseen(ended.stderr.strip() or f"nothing to draw in the answer to '{question}'")
    return statement


def picture(window: BrowserWindow, statement: str, opened: tuple[str, ...] = (), dark: bool = False) -> tuple[str, ...]:
    """Draw a statement in our style, its arrows alone, open nodes in turn, and return the captions of what is seen then."""
    window.drop(STYLE)
    window.run(f":config theme: '{'dark' if dark else 'light'}'")
    window.run(":config autoComplete: false")
    window.command(":clear")
    frame = window.draw(statement)
    for caption in opened:
        window.expand(frame, caption)
    if opened:
        window.fit(frame)
    return window.drawn(frame).nodes


if __name__ == "__main__":
    main()
