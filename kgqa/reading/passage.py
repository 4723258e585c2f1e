"""A passage as a graph of its own: its claims are mined on the spot, and questions are asked of them."""

from __future__ import annotations

from graph.mining.corpus import mine_chunk
from graph.mining.miner import Miner
from graph.model import Source
from graph.protocols import GraphStore
from graph.sources.article import Article
from graph.sources.streams import open_input
from graph.stores import open_store

TITLE = "passage"
_miners: list[Miner] = []


def read_passage(path: str) -> str:
    """Return the text of a file, or of stdin for "-"; raises the errors of `open_input`."""
    with open_input(path) as stream:
        return stream.text()


def passage_graph(text: str) -> GraphStore:
    """Return a private graph of the claims of `text`, with its sentences as evidence.

    A line break inside a paragraph is a space: passages are often wrapped; an empty line ends a sentence.
    """
    if not _miners:
        _miners.append(Miner())
    article = Article(Source("text", TITLE), _unwrapped(text))
    store = open_store("memory:", write=True)
    store.add(mine_chunk(_miners[0], [article]).statements)
    return store


def _unwrapped(text: str) -> str:
    """Return the text with single line breaks as spaces, so that offsets stay what they were."""
    characters = list(text.replace("\r\n", " \n").replace("\0", " "))
    for place, character in enumerate(characters):
        alone = character == "\n" and "\n" not in (characters[place - 1 : place] + characters[place + 1 : place + 2])
        if alone:
            characters[place] = " "
    return "".join(characters)
