"""The variables of the environment as one frozen object."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa.readers.chat.chat_settings import read_chat_settings
from kgqa.readers.extractive.span_network import reader_folder
from kgqa.settings import Settings, graph_url, starter_graph, user_agent, variable_name


def test_every_field_holds_its_variable() -> None:
    environment = {variable_name(name): name for name in Settings._fields}
    settings = Settings.read(environment)
    assert all(getattr(settings, name) == name for name in Settings._fields)
    assert (settings.chat_url, variable_name("chat_url")) == ("chat_url", "KGQA_CHAT_URL")
    assert Settings.read({}) == Settings()


def test_settings_cannot_be_changed_and_do_not_show_the_key() -> None:
    settings = Settings(chat_key="s3cret")
    with pytest.raises(AttributeError):
        settings.graph = "another"  # type: ignore[misc]
    assert "s3cret" not in repr(settings)


def test_settings_that_are_handed_in_go_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("graph", "reader", "contact", "chat_model"):
        monkeypatch.setenv(variable_name(name), "of-the-environment")
    settings = Settings(graph="mine.kgqa", reader="mine", contact="me@example.org", chat_url="http://a/v1", chat_model="small")
    assert (graph_url(None), graph_url(None, settings), graph_url("given", settings)) == (
        *("of-the-environment", "mine.kgqa"),
        "given",
    )
    assert (reader_folder(), reader_folder(None, settings)) == (Path("of-the-environment"), Path("mine"))
    assert "me@example.org" in user_agent(settings)
    assert read_chat_settings(settings=settings).model == "small"
    assert graph_url(None, Settings()) == starter_graph()
