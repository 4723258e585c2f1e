"""The pages of `kgqa serve` in a real browser: Chromium is driven where KGQA_TEST_BROWSER is 1.

axe-core checks every page for what people with disabilities need, where npm can fetch it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import serving_graph
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from small_web_graph import HOSTILE, write_graph

from graph.model import Claim
from kgqa.web.pages.page_templates import claim_url, concept_url

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "serve"))

from axe_core import axe_source
from browser_window import BrowserWindow, browser_window

WANTED = "KGQA_TEST_BROWSER"
PAGES = (
    "",
    "ask?q=What+causes+lung+cancer%3F",
    "ask?q=What+causes+lung+cancer%3F&do=smoking%3Dabsent",
    "ask?q=Does+coffee+cause+insomnia%3F",
    "ask?q=How+does+coffee+cause+scurvy%3F",
    "concept/lung%20cancer",
    claim_url(Claim("coffee", "insomnia"))[1:],
    "path?from=smoking&to=death",
    "explore",
    "explore?at=lung+cancer&at=smoking&belief=0.1&kind=causes",
    "source/wikipedia/Tobacco",
    "passage",
    "about",
    "nothing",
)
_RUN_AXE = "const done = arguments[arguments.length - 1]; axe.run().then((found) => done(found.violations));"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if os.environ.get(WANTED) != "1":
        pytest.skip(f"drives Chromium; {WANTED}=1 does (Chromium and its driver)")
    graph = write_graph(tmp_path_factory.mktemp("pages") / "small.kgqa")
    with serving_graph("-g", graph) as (_, served):
        yield served


@pytest.fixture(scope="module")
def window(address: str) -> Iterator[BrowserWindow]:
    with browser_window() as opened:
        yield opened


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_axe_has_nothing_to_complain_of(window: BrowserWindow, address: str, page: str, dark: bool) -> None:
    script = axe_source()
    if script is None:
        pytest.skip("axe-core cannot be fetched: no npm, or no network")
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    window.driver.get(address + page)
    window.driver.execute_script(script)
    violations = window.driver.execute_async_script(_RUN_AXE)
    assert [(item["id"], [node["html"][:200] for node in item["nodes"]]) for item in violations] == []


def test_a_question_is_asked_with_the_keyboard_alone(window: BrowserWindow, address: str) -> None:
    window.driver.get(address)
    window.driver.switch_to.active_element.send_keys("What causes lung cancer?", Keys.ENTER)
    window.until("answer", lambda: "smoking" in window.find(".sentence").text)
    window.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert window.driver.switch_to.active_element.text == "Skip to the content"


def test_a_switch_shows_the_other_world(window: BrowserWindow, address: str) -> None:
    window.driver.get(f"{address}ask?q=What+causes+lung+cancer%3F")
    window.find("input[name=do][value='smoking=absent']").click()
    window.find(".switches button").click()
    window.until("worlds", lambda: len(window.all(".world")) == 2)
    assert [element.text for element in window.all(".world h3")] == ["As it is", "With smoking absent"]


def test_a_line_of_the_picture_leads_to_its_claim(window: BrowserWindow, address: str) -> None:
    window.driver.get(f"{address}path?from=smoking&to=death")
    window.find(".picture a").send_keys(Keys.ENTER)
    window.until("claim", lambda: "/claim/" in window.driver.current_url)


def test_a_concept_is_completed_expanded_and_collapsed_with_the_keyboard(window: BrowserWindow, address: str) -> None:
    window.driver.get(f"{address}explore")
    field = window.find("#at")
    field.send_keys("lun")
    window.until("names", lambda: window.driver.find_elements(By.CSS_SELECTOR, "#at-names option[value='lung cancer']"))
    field.send_keys("g cancer", Keys.ENTER)
    window.until("claims", lambda: "smoking causes lung cancer" in window.find("#claims + .table").text)
    window.find(".picture a[href*='at=smoking']").send_keys(Keys.ENTER)
    window.until("two concepts", lambda: len(window.all("input[name=at][type=checkbox]")) == 2)
    assert window.find("h1").text == "Around lung cancer and smoking"
    window.find("input[name=at][value='lung cancer']").send_keys(Keys.SPACE)
    window.find("#belief").send_keys(Keys.ENTER)
    window.until("one concept", lambda: window.find("h1").text == "Around smoking")


def test_the_pages_work_without_javascript(window: BrowserWindow, address: str) -> None:
    window.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        window.driver.get(f"{address}explore?at=lung+cancer&kind=causes")
        assert window.find("h1").text == "Around lung cancer"
        window.find("#at").send_keys("smoking", Keys.ENTER)
        window.until("two concepts", lambda: window.find("h1").text == "Around lung cancer and smoking")
    finally:
        window.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_nothing_is_as_wide_as_to_scroll_on_a_phone(window: BrowserWindow, address: str) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for page in PAGES:
            window.driver.get(address + page)
            assert window.driver.execute_script("return document.documentElement.scrollWidth") <= 360, page
    finally:
        window.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_names_run_nothing_in_a_browser(window: BrowserWindow, address: str) -> None:
    window.driver.get_log("browser")  # what earlier pages left
    for page in (concept_url(HOSTILE)[1:], claim_url(Claim("and/or", HOSTILE))[1:]):
        window.driver.get(address + page)
        assert window.all("h1")
        assert window.driver.execute_script("return document.scripts.length") == 0
        assert [entry for entry in window.driver.get_log("browser") if entry["level"] == "SEVERE"] == []
