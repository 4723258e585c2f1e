"""The chat server of the settings with the cache of its replies, for whatever asks it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from kgqa.readers.chat.chat_client import ChatClient, ChatReply, RequestBody
from kgqa.readers.chat.chat_settings import ChatSettings
from kgqa.readers.chat.reply_cache import ReplyCache, reply_key
from kgqa.readers.chat.token_usage import Cost
from kgqa.settings import Settings, user_agent


class ChatExchange(NamedTuple):
    """A request to the server at an address, and its reply."""

    url: str
    request: RequestBody
    reply: ChatReply


_EXCHANGES: ContextVar[list[ChatExchange] | None] = ContextVar("exchanges", default=None)


@contextmanager
def record_exchanges() -> Iterator[list[ChatExchange]]:
    """Yield the list that every exchange is added to until the block ends, whether the cache or the server replies."""
    exchanges: list[ChatExchange] = []
    token = _EXCHANGES.set(exchanges)
    try:
        yield exchanges
    finally:
        _EXCHANGES.reset(token)


class CachedChat:
    """Returns replies from the cache, where there is one that holds them, else from the server."""

    def __init__(self, client: ChatClient, cache: ReplyCache | None = None) -> None:
        self._client = client
        self._cache = cache
        self._cached = 0

    @property
    def cost(self) -> Cost:
        """The cost of the requests so far."""
        return self._client.cost + Cost(cached=self._cached)

    def ask(self, body: RequestBody) -> ChatReply:
        """Return the reply to a request; raise `ChatFailed` where the server fails."""
        key = reply_key(self._client.url, body)
        reply = self._cache.get(key) if self._cache is not None else None
        self._cached += reply is not None
        if reply is None:
            reply = self._client.ask(body)
            if self._cache is not None:
                self._cache.put(key, reply)
        if (exchanges := _EXCHANGES.get()) is not None:
            exchanges.append(ChatExchange(self._client.url, body, reply))
        return reply


def open_chat(chat: ChatSettings, settings: Settings | None = None, note: Callable[[str], None] | None = None) -> CachedChat:
    """Return the server and the cache of the settings; `note` receives what is wrong with the cache. Sends no request."""
    client = ChatClient(chat.url, chat.key, chat.retry_policy, user_agent(settings), limits=chat.limits)
    return CachedChat(client, None if chat.cache is None else ReplyCache(chat.cache, note or _to_stderr))


def _to_stderr(line: str) -> None:
    print(f"kgqa: {line}", file=sys.stderr)
