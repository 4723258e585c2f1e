"""Neo4j Browser driven as a person would: connect, drop a file, paste a statement, double-click a node, look at what is drawn.

Needs Chromium with its driver (on Debian and Ubuntu: `apt-get install chromium chromium-driver`) and selenium, which the extra
"dev" brings.
"""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

PATIENCE_S = 30.0
_PAUSE_S = 0.25
_LOOKS_BETWEEN_ATTEMPTS = 24
_LEFT = "does not belong to the document"
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_SWITCHES = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars")
_PASTE = """
const data = new DataTransfer();
data.setData('text/plain', arguments[1]);
arguments[0].focus();
arguments[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
"""
_DROP = """
const data = new DataTransfer();
data.items.add(new File([arguments[1]], arguments[0]));
for (const kind of ['dragenter', 'dragover', 'drop'])
  document.querySelector('.filedrop').dispatchEvent(
    new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
"""
_DRAWN = """
const text = (one) => [...one.querySelectorAll('text')].map((line) => line.textContent.trim()).join(' ').trim();
const all = (kind) => [...arguments[0].querySelectorAll('svg.neod3viz g.' + kind)];
const places = [...arguments[0].querySelectorAll('svg.neod3viz g')].map((one) => one.getAttribute('transform') || '');
return [all('node').map(text), all('relationship').map(text), places];
"""
_OF_ARROW = "Relationship properties"
_STATISTICS = "//span[contains(., 'information on product usage')]/following-sibling::span"
Found = TypeVar("Found")


class Unseen(Exception):
    """What did not appear in Browser, in one line."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a picture shows: the captions of its nodes and arrows; long ones end in "…"."""

    nodes: tuple[str, ...]
    arrows: tuple[str, ...]
    places: tuple[str, ...]


class BrowserWindow:
    """A window that shows Neo4j Browser."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def connect(self, address: str, password: str = "", user: str = "neo4j") -> None:
        """Open Browser and connect it to the server that it comes from; without a password it connects by itself."""
        self.driver.get(address)
        attempts = itertools.count()

        def is_connected() -> bool:
            # Browser may draw its form anew while it is filled in, and then a click is lost: it is filled in and sent again.
            if self._frame(":play start"):
                return True
            if password and next(attempts) % _LOOKS_BETWEEN_ATTEMPTS == 0:
                self._send_credentials(user, password)
            return False

        self.until("frame of ':play start'", is_connected)
        self.until("note on statistics", lambda: self.driver.find_elements(By.XPATH, _STATISTICS))[0].click()

    def drop(self, path: Path) -> None:
        """Drop a file on the page."""
        self.driver.execute_script(_DROP, path.name, path.read_text(encoding="utf-8"))

    def command(self, text: str) -> None:
        """Paste a statement or a command into the editor and run it."""
        self.driver.execute_script(_PASTE, self.find("#monaco-main-editor textarea"), text)
        self.until("text in the editor", lambda: self.find("#monaco-main-editor .view-lines").text.strip())
        self.find("[data-testid=editor-Run]").click()

    def run(self, text: str) -> WebElement:
        """Paste a statement or a command, run it, and return the frame of its result."""
        self.command(text)
        return self.until(f"frame of '{text[:60]}'", lambda: self._frame(text))

    def draw(self, statement: str) -> WebElement:
        """Run a statement and return the frame of its result once the picture in it has come to rest."""
        frame = self.run(statement)
        self.rest(frame)
        return frame

    def rest(self, frame: WebElement, more_than: int = 0) -> Drawn:
        """Wait until a picture has more than so many nodes and nothing in it moves, and return what it shows."""
        before: list[Drawn] = []

        def at_rest() -> bool:
            before.append(self.drawn(frame))
            return len(before[-1].nodes) > more_than and before[-2:-1] == before[-1:]

        self.until(f"picture of more than {more_than} nodes", at_rest)
        return before[-1]

    def drawn(self, frame: WebElement) -> Drawn:
        """Return what the picture in a frame shows now."""
        nodes, arrows, places = self.driver.execute_script(_DRAWN, frame)
        return Drawn(tuple(nodes), tuple(arrows), tuple(places))

    def colours(self, frame: WebElement) -> set[str]:
        """Return the colours of the nodes and arrows of a picture, such as "#d1495b"."""
        drawn = frame.find_elements(By.CSS_SELECTOR, "svg.neod3viz .b-outline")
        return {one.get_attribute("fill") or "" for one in drawn}

    def expand(self, frame: WebElement, caption: str) -> Drawn:
        """Double-click the node whose caption begins so, which shows what it is joined to, and return the new picture."""
        before = self.rest(frame)
        self.fit(frame)
        ActionChains(self.driver).double_click(self._part(frame, "node", before.nodes, caption, "circle.b-outline")).perform()
        return self.rest(frame, len(before.nodes))

    def details(self, frame: WebElement, caption: str) -> str:
        """Click the arrow whose caption begins so and return what the panel beside the picture says of it."""
        arrow = self._part(frame, "relationship", self.rest(frame).arrows, caption, "path.overlay")
        ActionChains(self.driver).click(arrow).perform()
        panel = "[data-testid=vizInspector]"
        return self.until(
            "properties of the arrow",
            lambda: next((one.text for one in frame.find_elements(By.CSS_SELECTOR, panel) if one.text.startswith(_OF_ARROW)), ""),
        )

    def fit(self, frame: WebElement) -> None:
        """Click the button that fits the picture into its frame."""
        frame.find_element(By.CSS_SELECTOR, "button[aria-label=zoom-to-fit]").click()
        self.rest(frame)

    def screenshot(self, path: Path) -> None:
        """Save what the window shows as a PNG."""
        path.write_bytes(self.driver.get_screenshot_as_png())

    def find(self, selector: str) -> WebElement:
        """Return the first element that a CSS selector matches, once there is one."""
        return self.until(f"'{selector}'", lambda: next(iter(self.all(selector)), None))

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements that a CSS selector matches now."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def until(self, what: str, look: Callable[[], Found | None]) -> Found:
        """Return what a look finds as soon as it finds anything; raises `Unseen` with what Browser shows instead."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                found = look()
            except WebDriverException as error:
                # A page that is left while it is looked at: the driver knows two words for it.
                if not isinstance(error, StaleElementReferenceException) and _LEFT not in (error.msg or ""):
                    raise
                found = None
            if found:
                return found
            if time.monotonic() > end:
                shown = " ".join(" ".join(one.text for one in self.all("[data-testid=frame]")).split())[:300]
                raise Unseen(f"no {what} in Browser within {PATIENCE_S:.0f} s; it shows: {shown}")
            time.sleep(_PAUSE_S)

    def _send_credentials(self, user: str, password: str) -> None:
        """Fill in the form of ':server connect', if it is there, and send it."""
        self.find("[data-testid=username], [data-testid=frame]")
        for field, text in (("username", user), ("password", password)):
            for one in self.all(f"[data-testid={field}]"):
                one.send_keys(Keys.CONTROL, "a")
                one.send_keys(text)
        for button in self.all("[data-testid=connect]"):
            button.click()

    def _frame(self, text: str) -> WebElement | None:
        """Return the newest frame of a statement or a command."""
        wanted = "".join(text.split())
        for frame in self.all("[data-testid=frame]"):
            shown = "".join(frame.find_element(By.CSS_SELECTOR, "[data-testid=frameCommand]").text.split())
            if shown.removeprefix("$").removeprefix("neo4j$").startswith(wanted):
                return frame
        return None

    def _part(self, frame: WebElement, kind: str, captions: tuple[str, ...], caption: str, part: str) -> WebElement:
        """Return a part of the node or arrow whose caption begins so; raises `Unseen` where none does."""
        places = [place for place, one in enumerate(captions) if one.startswith(caption)]
        if not places:
            raise Unseen(f"no {kind} '{caption}' in the picture, only {', '.join(captions)}")
        one = frame.find_elements(By.CSS_SELECTOR, f"svg.neod3viz g.{kind}")[places[0]]
        return one.find_element(By.CSS_SELECTOR, part)


@contextmanager
def browser_window(width: int = 1400, height: int = 1000) -> Iterator[BrowserWindow]:
    """Give a window of this size, closed at the end of the block; raises `Unseen` where Chromium is not there."""
    program = next((found for name in _PROGRAMS if (found := shutil.which(name))), None)
    pilot = shutil.which("chromedriver")
    if program is None or pilot is None:
        raise Unseen("Chromium and its driver are needed; on Debian and Ubuntu: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    for switch in (*_SWITCHES, f"--window-size={width},{height}"):
        options.add_argument(switch)
    options.binary_location = program
    try:
        driver = webdriver.Chrome(options=options, service=Service(pilot))
    except WebDriverException as error:
        raise Unseen(f"'{program}' does not start: {str(error.msg).splitlines()[0]}") from None
    try:
        yield BrowserWindow(driver)
    finally:
        driver.quit()
