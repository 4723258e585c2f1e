"""The page of `kgqa rate serve` in a real browser, where KGQA_TEST_BROWSER is 1: by keyboard alone, and checked by axe-core."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import serving
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from kgqa.evaluation.rating.rating_form import rating_forms
from kgqa.evaluation.rating.rating_sheet import RatedSubject, make_sheet, write_sheet

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "serve"))

from axe_core import axe_source
from browser_window import BrowserWindow, browser_window

FORM = rating_forms()["answers"]
_RUN_AXE = "const done = arguments[arguments.length - 1]; axe.run().then((found) => done(found.violations));"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    subjects = [RatedSubject(f"q{place}", "What causes floods?", {"a": "rain", "b": "snow"}) for place in (1, 2)]
    write_sheet(tmp_path / "sheet", tmp_path / "key.json", *make_sheet(FORM, subjects, 2, 0))
    return tmp_path / "sheet"


@pytest.fixture
def window(folder: Path) -> Iterator[tuple[BrowserWindow, str]]:
    if os.environ.get("KGQA_TEST_BROWSER") != "1":
        pytest.skip("drives Chromium; KGQA_TEST_BROWSER=1 does (Chromium and its driver)")
    with serving("rate", "serve", folder, "--rater", "ada") as (_, address), browser_window() as opened:
        yield opened, address


def test_an_item_is_rated_by_the_keyboard_alone(window: tuple[BrowserWindow, str], folder: Path) -> None:
    driver = window[0].driver
    driver.get(window[1])
    assert driver.current_url.endswith("/item/1")
    keys = ActionChains(driver)
    window[0].find("input[type=radio]").send_keys("")  # the first control, as Tab would reach it
    for place in range(2 * len(FORM.aspects)):
        # A space takes the first value of an aspect; Tab goes on, over the remark behind the last aspect of an output.
        keys.send_keys(Keys.SPACE, Keys.TAB)
        if place % len(FORM.aspects) == len(FORM.aspects) - 1:
            keys.send_keys("so", Keys.TAB)
    keys.send_keys(Keys.ENTER).perform()
    window[0].until("next item", lambda: driver.current_url.endswith("/item/2"))
    (sheet,) = [path for path in folder.iterdir() if path.name == "ratings-ada.csv"]
    assert sheet.read_text().count(",ada,0,0,0,0,so") == 2


@pytest.mark.parametrize("dark", [False, True])
def test_axe_has_nothing_to_complain_of_on_the_page_of_a_rater(window: tuple[BrowserWindow, str], dark: bool) -> None:
    script, driver = axe_source(), window[0].driver
    if script is None:
        pytest.skip("axe-core cannot be fetched: no npm, or no network")
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    for page in ("", "item/9"):
        driver.get(window[1] + page)
        driver.execute_script(script)
        violations = driver.execute_async_script(_RUN_AXE)
        assert [(item["id"], [node["html"][:200] for node in item["nodes"]]) for item in violations] == []
