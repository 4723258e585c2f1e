"""A picture of a command in a terminal, for the docs: what it prints with its colours, in a frame, with the command above it.

    python scripts/serve/terminal_screenshot.py docs/images/ask-explain.svg ask "Does smoking cause lung cancer?" --explain

The command runs `kgqa` in a pseudo-terminal of `--columns`, so that it prints what a user sees. The picture is an SVG; where a
Chromium and selenium are there, the same picture is written as a PNG beside it.
"""

from __future__ import annotations

import argparse
import base64
import fcntl
import os
import pty
import re
import shlex
import shutil
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

_FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def main() -> None:
    """Run the command and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--lines", type=int, default=0, help="show only the first so many lines (default: all)")
    parser.add_argument("out", type=Path, help="the picture to write, an SVG")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what stands behind kgqa")
    given = parser.parse_args()
    said = in_terminal([sys.executable, "-c", "from kgqa.cli import main; main()", *given.arguments], given.columns)
    shown = said.splitlines()[: given.lines or None]
    given.out.write_text(svg(["kgqa", *given.arguments], shown, given.columns), encoding="utf-8")
    print(given.out)
    png = given.out.with_suffix(".png")
    print(png if photograph(given.out, png) else "no PNG: no Chromium here")


def in_terminal(command: Sequence[str], columns: int) -> str:
    """Return what a command prints to a terminal so wide; exits where it fails."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    surroundings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    with subprocess.Popen(
        list(command), stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env={**surroundings, "TERM": "xterm-256color"}
    ) as running:
        os.close(theirs)
        said = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:
                break  # Linux says so when the other end is closed.
            if not piece:
                break
            said += piece
    os.close(ours)
    if running.returncode:
        sys.exit(f"terminal_screenshot: the command failed: {said.decode(errors='replace')}")
    return said.decode("utf-8").replace("\r\n", "\n")


def svg(command: Sequence[str], lines: Sequence[str], columns: int) -> str:
    """Return the picture of a terminal with a command and what it printed."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=columns + 2, file=nowhere, force_terminal=True, color_system="truecolor")
        console.print(Text(f"$ {' '.join(map(shlex.quote, command))}", style="bold green"), soft_wrap=False)
        console.print(Text.from_ansi("\n".join(lines)), soft_wrap=False, highlight=False)
        picture = console.export_svg(title="kgqa", theme=DIMMED_MONOKAI, unique_id="kgqa")
    return _FONT.sub("", picture)  # Nothing is fetched by a picture: the fonts that are there will do.


def photograph(picture: Path, out: Path) -> bool:
    """Write an SVG as a PNG by Chromium; return whether there is one."""
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None or find_spec("selenium") is None:
        return False
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    window = webdriver.Chrome(options=options, service=Service(driver))
    try:
        window.get(picture.resolve().as_uri())
        width, height = window.execute_script(
            "const box = document.documentElement.viewBox.baseVal; return [box.width, box.height]"
        )
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        window.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": int(width) + 1, "height": int(height) + 1, "deviceScaleFactor": 1, "mobile": False},
        )
        shot = window.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    finally:
        window.quit()
    out.write_bytes(base64.b64decode(shot["data"]))
    return True


if __name__ == "__main__":
    main()
