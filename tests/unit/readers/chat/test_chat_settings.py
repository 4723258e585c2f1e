"""What the environment says about the chat server, and what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa.readers.chat.chat_settings import ChatSettingInvalid, ChatSettings, printable_line, read_chat_settings
from kgqa.readers.chat.token_usage import Cost, Price

GIVEN = {"KGQA_CHAT_URL": "http://127.0.0.1:8080/v1", "KGQA_CHAT_MODEL": "small", "HOME": "/home/anna"}


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("https://api.example.org/v1/", "https://api.example.org/v1"),
        ("https://example.org/openai/v1/chat/completions", "https://example.org/openai/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_the_base_of_the_address_is_found(url: str, base: str) -> None:
    assert read_chat_settings(environment={**GIVEN, "KGQA_CHAT_URL": url}).url == base


def test_the_model_that_is_named_comes_before_that_of_the_environment() -> None:
    assert read_chat_settings("large", GIVEN).model == "large"
    assert read_chat_settings("", GIVEN).model == "small"


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("KGQA_CHAT_URL", "", "names no chat server"),
        ("KGQA_CHAT_URL", "localhost:8080", "is not the address of a chat server (https://... or http://...): 'localhost:8080'"),
        ("KGQA_CHAT_URL", "http://", "is not the address of a chat server (https://... or http://...): 'http://'"),
        ("KGQA_CHAT_URL", "http://a:b/", "is not the address of a chat server (https://... or http://...): 'http://a:b/'"),
        ("KGQA_CHAT_URL", "file:///etc", "is not the address of a chat server (https://... or http://...): 'file:///etc'"),
        ("KGQA_CHAT_URL", "http://u:pass@host/v1", "holds a user or a password; a key belongs in KGQA_CHAT_KEY"),
        ("KGQA_CHAT_MODEL", " ", "names no model that the chat server is to use"),
        ("KGQA_CHAT_KEY", "a\nb", "holds characters that no key has (spaces, line breaks, or letters beyond ASCII)"),
        ("KGQA_CHAT_KEY", "schlüssel", "holds characters that no key has (spaces, line breaks, or letters beyond ASCII)"),
        ("KGQA_CHAT_SAMPLES", "0", "must be a whole number from 1 to 64, not '0'"),
        ("KGQA_CHAT_BUDGET", "many", "must be a whole number from 256 to 16777216, not 'many'"),
        ("KGQA_CHAT_SHOTS", "²", "must be a whole number from 0 to 64, not '²'"),
        ("KGQA_CHAT_PRICE", "cheap", "must be the prices of a million tokens, as in 0.15/0.60, not 'cheap'"),
        ("KGQA_CHAT_PRICE", "nan/1", "must be the prices of a million tokens, as in 0.15/0.60, not 'nan/1'"),
        ("KGQA_CHAT_PRICE", "-1/1", "must be the prices of a million tokens, as in 0.15/0.60, not '-1/1'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_told(variable: str, value: str, told: str) -> None:
    with pytest.raises(ChatSettingInvalid) as caught:
        read_chat_settings(environment={**GIVEN, variable: value})
    assert str(caught.value) == f"{variable} {told}"
    assert "pass" not in str(caught.value.remedy) + str(caught.value).replace("password", "")


def test_the_cache_lies_in_the_users_cache_unless_it_is_named_or_off() -> None:
    assert read_chat_settings(environment=GIVEN).cache == Path("/home/anna/.cache/kgqa/chat.sqlite")
    assert read_chat_settings(environment={**GIVEN, "XDG_CACHE_HOME": "/cache"}).cache == Path("/cache/kgqa/chat.sqlite")
    assert read_chat_settings(environment={**GIVEN, "KGQA_CHAT_CACHE": "/tmp/a.sqlite"}).cache == Path("/tmp/a.sqlite")
    assert read_chat_settings(environment={**GIVEN, "KGQA_CHAT_CACHE": "OFF"}).cache is None
    assert read_chat_settings(environment={**GIVEN, "HOME": ""}).cache is None


def test_the_key_is_not_shown() -> None:
    assert "secret" not in repr(ChatSettings("u", "m", key="secret"))


def test_costs_add_up_and_are_told_in_a_line() -> None:
    cost = Cost(1, 0, 2_000_000, 500_000, 1.25) + Cost(1, 2, 0, 0, 0.25, estimated=True)
    assert cost.record(Price(0.15, 0.6)) == {
        "requests": 2,
        "cached": 2,
        "prompt_tokens": 2_000_000,
        "completion_tokens": 500_000,
        "tokens_estimated": True,
        "seconds": 1.5,
        "money": 0.6,
    }
    assert cost.line() == "chat: 2 requests, 2 from the cache; about 2,000,000 + 500,000 tokens; 1.5 s"
    assert Cost(1, 0, 100, 10, 0.5).line(Price(1, 2)) == (
        "chat: 1 request, 0 from the cache; 100 + 10 tokens; 0.5 s; 0.0001 at 1/2 a million tokens"
    )


def test_what_a_server_says_is_one_short_line() -> None:
    assert printable_line("a\n\x1b[31mb\u202ec") == "a [31mb c"
    assert len(printable_line("x" * 5000)) == 200
