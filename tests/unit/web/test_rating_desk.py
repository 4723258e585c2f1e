"""The page of a rater, answered in this process: what it shows and stores, where it goes on, and whom it lets in."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest
from small_web_graph import check_safe
from starlette.testclient import TestClient

from kgqa.evaluation.rating.rating_form import rating_forms
from kgqa.evaluation.rating.rating_sheet import RatedSubject, RaterFile, make_sheet
from kgqa.web.access_control import AccessControl
from kgqa.web.application import create_application
from kgqa.web.rating_desk import RATING_ENDPOINTS, RatingDesk

FORM = rating_forms()["answers"]
HOSTILE = "</p><script>alert(1)</script>\"'><img src=x>\x00\u202e"


@pytest.fixture
def file(tmp_path: Path) -> RaterFile:
    subjects = [RatedSubject(f"q{place}", HOSTILE, {"a": HOSTILE, "b": "no"}, (HOSTILE,)) for place in range(3)]
    return RaterFile(make_sheet(FORM, subjects, 3, 0)[0], HOSTILE, tmp_path / "ratings.csv")


def client_of_rater(file: RaterFile) -> TestClient:
    application = create_application(RatingDesk(file).respond, AccessControl(rate=0), endpoints=RATING_ENDPOINTS)
    return TestClient(application, base_url="http://localhost", follow_redirects=False)


def fields(value: str = "3", **more: str) -> dict[str, str]:
    return {f"{letter}.{aspect}": value for letter in "AB" for aspect in FORM.aspects} | more


def test_a_rater_is_led_from_item_to_item_and_goes_on_where_work_stopped(file: RaterFile) -> None:
    client = client_of_rater(file)
    assert client.get("/").headers["location"] == "/item/1"
    assert client.post("/item/1", data=fields()).headers["location"] == "/"
    assert client.get("/").headers["location"] == "/item/2"

    again = client_of_rater(file)
    assert again.get("/").headers["location"] == "/item/2"
    assert again.get("/item/1").text.count(" checked") == 2 * len(FORM.aspects)
    for item in "23":
        again.post(f"/item/{item}", data=fields("0"))
    done = again.get("/")
    assert (done.status_code, "All is rated" in done.text) == (200, True)


def test_half_an_item_is_stored_and_shown_with_what_is_missing(file: RaterFile) -> None:
    client = client_of_rater(file)
    reply = client.post("/item/1", data={"A.fluency": "3", "A.remark": "=so"})
    assert reply.status_code == 422
    assert "Still to rate: correctness of A, " in reply.text
    assert file.read()["1", "A"]["remark"] == "=so"
    assert client.get("/").headers["location"] == "/item/1"


def test_no_page_names_a_system_or_runs_what_an_output_holds(file: RaterFile) -> None:
    page = client_of_rater(file).get("/item/1")
    assert "script-src" not in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    check_safe(page.text)
    assert "<img" not in page.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Content-Type": "application/json"}, 415),
        ({"Origin": "http://localhost"}, 303),
    ],
)
def test_only_the_form_of_the_page_is_stored(file: RaterFile, headers: dict[str, str], status: int) -> None:
    client = client_of_rater(file)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = client.post("/item/1", content=urlencode(fields()), headers=kind | headers)
    assert reply.status_code == status
    assert file.path.exists() is (status == 303)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/item/9", "A.fluency=3", 404),
        ("/item/1", "A.fluency=2", 400),
        ("/item/1", "A.fluency=x", 400),
        ("/item/1", "&".join(f"x{number}=1" for number in range(2_000)), 400),
        ("/item/1", b"A.remark=\xff", 400),
        ("/item/1", "A.remark=" + "x" * (2 << 20), 413),
        ("/ask", "q=Why", 404),
    ],
)
def test_a_form_that_is_none_of_this_sheet_is_a_page_with_a_remedy(
    file: RaterFile, path: str, body: str | bytes, status: int
) -> None:
    client = client_of_rater(file)
    reply = client.post(path, content=body, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert reply.status_code == status
    assert "<h1" in reply.text
    assert not file.path.exists()


def test_a_sheet_without_items_is_done() -> None:
    file = RaterFile(make_sheet(FORM, [], 3, 0)[0], "ada", Path("never-written.csv"))
    assert "All is rated" in client_of_rater(file).get("/").text
