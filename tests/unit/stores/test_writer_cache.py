"""What a writer of a graph in Neo4j remembers of what it wrote, and when it forgets it."""

from __future__ import annotations

from graph.model import Claim
from graph.stores.digest import EMPTY_DIGEST
from graph.stores.neo4j.write_transaction import WriterCache

ONE, OTHER = Claim("rain", "flood"), Claim("flood", "loss")


def remembering() -> WriterCache:
    """A memory of one claim, which a transaction put into an empty graph and left the digest 'a'."""
    memory = WriterCache()
    memory.recall(EMPTY_DIGEST)
    memory.concepts.update(("rain", "flood"))
    memory.add_claims([ONE])
    memory.keep("a")
    return memory


def test_what_it_did_not_write_need_not_be_looked_for_while_the_digest_is_its_own() -> None:
    memory = remembering()
    memory.recall("a")
    assert memory.complete
    assert memory.maybe_claims([ONE, OTHER]) == [ONE]


def test_it_forgets_all_when_the_digest_is_of_somebody_else() -> None:
    memory = remembering()
    memory.recall("b")
    assert not memory.complete
    assert not memory.concepts
    assert memory.maybe_claims([ONE, OTHER]) == [ONE, OTHER]


def test_it_forgets_what_a_transaction_wrote_that_did_not_come_to_its_end() -> None:
    memory = remembering()
    memory.recall("a")
    memory.add_claims([OTHER])
    memory.recall("a")
    assert not memory.complete
    assert memory.maybe_claims([OTHER]) == [OTHER]


def test_it_begins_anew_when_the_graph_is_empty_again() -> None:
    memory = remembering()
    memory.recall(EMPTY_DIGEST)
    assert memory.complete
    assert not memory.concepts
    assert memory.maybe_claims([ONE, OTHER]) == []
