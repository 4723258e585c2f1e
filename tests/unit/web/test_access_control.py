"""Who is let in: hosts, origins, tokens, token buckets; and what binds browsers."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import pytest
from small_web_graph import client_of
from starlette.testclient import TestClient

from kgqa.web.access_control import COOKIE, AccessControl, Caller
from kgqa.web.http_messages import WebProblem

TOKEN = "a token of some length"
OPEN = AccessControl(rate=0)
CLOSED = AccessControl(frozenset({"localhost", "kgqa.example"}), TOKEN, rate=0)


def status(access: AccessControl, method: str = "GET", token: str = "", **headers: str) -> int:
    sent = {"host": "localhost", **{name.replace("_", "-"): value for name, value in headers.items()}}
    try:
        access.check(Caller("1.2.3.4", method, sent, token))
    except WebProblem as problem:
        return problem.status
    return HTTPStatus.OK


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *(("localhost:8000", 200), ("127.0.0.1", 200), ("[::1]:80", 200), ("LOCALHOST", 200)),
        *(("evil.example", 421), ("", 421), ("localhost.evil.example", 421), ("[", 421), ("10.0.0.1", 421)),
    ],
)
def test_a_name_that_is_led_here_is_not_answered(host: str, expected: int) -> None:
    assert status(OPEN, host=host) == expected


def test_a_number_is_ours_where_others_may_reach_the_server() -> None:
    assert status(CLOSED, token=TOKEN, host="10.0.0.1") == 200
    assert status(CLOSED, token=TOKEN, host="other.example") == 421


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, 401),
        ({"authorization": f"Bearer {TOKEN}"}, 200),
        ({"authorization": f"Bearer {TOKEN}x"}, 401),
        ({"authorization": "Bearer é"}, 401),
        ({"authorization": TOKEN}, 401),
        ({"cookie": f"{COOKIE}={CLOSED.cookie}"}, 200),
        ({"cookie": f"{COOKIE}={TOKEN}"}, 401),
        ({"cookie": "\x00=;;;"}, 401),
    ],
)
def test_a_token_is_needed_where_there_is_one(headers: dict[str, str], expected: int) -> None:
    assert status(CLOSED, **headers) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"origin": "http://localhost"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({}, 200),
    ],
)
def test_a_form_of_another_site_is_not_answered(headers: dict[str, str], expected: int) -> None:
    assert status(OPEN, "POST", **headers) == expected


def test_a_client_that_asks_too_often_waits() -> None:
    now = [0.0]
    access = AccessControl(rate=2, burst=3, clock=lambda: now[0])
    assert [status(access) for _ in range(5)] == [200, 200, 200, 429, 429]
    now[0] = 1.0
    assert [status(access) for _ in range(3)] == [200, 200, 429]


def test_the_buckets_of_many_clients_are_bounded() -> None:
    access = AccessControl(rate=1, burst=1)
    for number in range(5_000):
        access.check(Caller(str(number), "GET", {"host": "localhost"}))
    assert len(access._buckets) <= 4_097


def test_the_token_leaves_the_address_of_a_page(graph_file: Path) -> None:
    client = client_of(graph_file, CLOSED)
    assert client.get("/").status_code == 401
    first = client.get(f"/concept/and%2For?token={TOKEN.replace(' ', '+')}&limit=3")
    assert (first.status_code, first.headers["location"]) == (303, "/concept/and/or?limit=3")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert client.get("/").status_code == 200


def test_every_reply_binds_the_browser(client: TestClient) -> None:
    with_script = ("/", "/path", "/explore")
    for address in (*with_script, "/nothing", "/api/v1/ask", "/static/style.css", "/static/suggest.js", "/concept/smoking"):
        headers = client.get(address).headers
        again = client.get(address, headers={"if-none-match": headers.get("etag", "none")})
        # A browser takes the headers of a reply that has not changed for those of the page that it has.
        assert again.headers["content-security-policy"] == headers["content-security-policy"]
        assert ("script-src 'self';" in headers["content-security-policy"]) == (address in with_script)
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
