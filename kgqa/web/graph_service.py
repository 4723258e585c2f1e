"""One graph behind the endpoints: opened once, opened again where its file was replaced, with a session a request."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.errors import StoreMissing
from graph.model import stable_hash
from kgqa import __version__
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.settings import Settings, graph_url, quotes_path
from kgqa.web.http_messages import WebRequest

if TYPE_CHECKING:
    from graph.mining.miner import Miner
    from graph.protocols import GraphStore
    from kgqa.interventions.graph_settings import GraphSetting

WARMING_QUESTION = "Does smoking cause lung cancer?"


class GraphService:
    """Gives the session that answers a request; not for several threads at a time."""

    def __init__(self, graph: str | None = None, settings: Settings | None = None) -> None:
        self._settings = settings or Settings.read()
        self.url = graph_url(graph, self._settings)
        self._root: AnswerSession | None = None
        self._file: tuple[int, int] | None = None

    def session(self, options: AnswerOptions | None = None) -> AnswerSession:
        """Return a session with these options over the graph as it is now; raises what `open_store` raises."""
        file = self._current_file()
        if self._root is not None and file != self._file:
            self.close()
        if self._root is None:
            root = AnswerSession(self.url, AnswerOptions(), self._settings)
            _ = root.store
            self._root, self._file = root, file
        return self._root.with_options(options or AnswerOptions())

    @property
    def store(self) -> GraphStore:
        """The graph as it is now."""
        return self.session().store

    @cached_property
    def miner(self) -> Miner:
        """What finds the claims of sentences, as `kgqa extract` does."""
        from graph.mining.judge.claim_judge import open_judge
        from graph.mining.miner import Miner
        from graph.mining.rules.rule_tables import load_rules

        return Miner(load_rules(None), judge=open_judge("encoder"))

    def warm(self) -> None:
        """Answer a question, so that models and index are loaded before the first request."""
        self.session().record(WARMING_QUESTION)

    def entity_tag(self, request: WebRequest, media_type: str = "") -> str:
        """Return the weak entity tag of a reply: of the version, the graph, the user's quotes, the request and the media type."""
        path = quotes_path()
        quotes = str(path.stat().st_mtime_ns) if path is not None and path.exists() else ""
        values = (*(f"{name}={value}" for name, value in (*sorted(request.path.items()), *request.query)),)
        return f'W/"{stable_hash((__version__, self.store.digest(), quotes, request.endpoint, media_type, *values))}"'

    def close(self) -> None:
        """Close the graph; the next session opens it again."""
        if self._root is not None:
            self._root.close()
        self._root = None

    def _current_file(self) -> tuple[int, int] | None:
        """Return what identifies the file of the graph, which changes where it is replaced; `None` for a server's graph."""
        if self.url == "memory:" or "://" in self.url:
            return None
        try:
            status = Path(self.url).stat()
        except OSError:
            self.close()
            raise StoreMissing(self.url) from None
        return status.st_dev, status.st_ino


def answer_options(arguments: dict[str, Any], *, lists_statements: bool = False) -> AnswerOptions:
    """Return the options of a session that a request names; raises `SettingInvalid`."""
    settings: tuple[GraphSetting, ...] = ()
    if arguments.get("do"):
        from kgqa.interventions.graph_settings import parse_settings

        settings = parse_settings(arguments["do"])
    risk = arguments.get("risk")
    return AnswerOptions(arguments.get("limit") or 5, settings, risk, lists_statements=lists_statements)
