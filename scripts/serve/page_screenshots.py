"""Screenshots of the pages of `kgqa serve` in Chromium: python scripts/serve/page_screenshots.py ADDRESS FOLDER.

Each page is taken on a desktop; the answer also on a phone and on a dark screen.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from browser_window import BrowserWindow, browser_window


class Screen(NamedTuple):
    """The size of a screen, in pixels of style sheets, and its colours."""

    width: int
    height: int
    dark: bool = False


DESKTOP, TALL, PHONE, DARK = Screen(1200, 900), Screen(1200, 1250), Screen(390, 844), Screen(1200, 900, dark=True)
SHOTS = {
    "serve-answer": ("/ask?q=Do+benzodiazepines+prevent+insomnia%3F", DESKTOP),
    "serve-worlds": ("/ask?q=What+causes+lung+cancer%3F&do=smoking%3Dabsent", DARK),
    "serve-explore": ("/explore?at=lung+cancer&at=smoking&kind=causes&belief=0.97&limit=9", TALL),
    "serve-phone": ("/ask?q=How+do+vaccines+cause+autism%3F", PHONE),
}
"""The pictures of the documentation."""


def take_screenshot(window: BrowserWindow, address: str, screen: Screen, whole: bool = False) -> bytes:
    """Return a page as a PNG: what the screen shows, or the `whole` page."""
    size = {"width": screen.width, "height": screen.height, "deviceScaleFactor": 1, "mobile": screen.width < 600}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if screen.dark else "light"}
    window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    window.driver.get(address)
    taken = window.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": whole})
    return base64.b64decode(taken["data"])


def main() -> None:
    """Save the pictures of the documentation."""
    address, folder = sys.argv[1], Path(sys.argv[2])
    with browser_window() as window:
        for name, (path, screen) in SHOTS.items():
            (folder / f"{name}.png").write_bytes(take_screenshot(window, urljoin(address, path), screen))


if __name__ == "__main__":
    main()
