"""What every chain from X to Y passes through, and what would block them all: `kgqa path --necessary`."""

from __future__ import annotations

from collections.abc import Collection

from graph.algorithms.blocking import blocking_concepts, blocking_edges
from graph.algorithms.necessity import necessary_causes
from graph.links import DRIVING_LINKS
from graph.protocols import GraphView
from kgqa.answering.wording import claim_clause
from kgqa.cli.terminal import say, say_json
from kgqa.record import edge_record


def print_necessary(view: GraphView, causes: Collection[str], effects: Collection[str], max_length: int, *, json: bool) -> None:
    """Print what chains of at most `max_length` steps depend on; without a chain an object of empty lists."""
    necessary = necessary_causes(view, causes, effects, max_length, DRIVING_LINKS)
    concepts = blocking_concepts(view, causes, effects, max_length, DRIVING_LINKS)
    claims = blocking_edges(view, causes, effects, max_length, DRIVING_LINKS)
    if json:
        say_json(
            {
                "necessary": list(necessary),
                "blocking_concepts": None if concepts is None else list(concepts),
                "blocking_claims": [edge_record(edge) for edge in claims.edges],
                "doubt": float(f"{claims.doubt:.4g}"),
            }
        )
        return
    if not claims.edges:
        say("without a chain, there is nothing to pass through and nothing to block")
        return
    through = f"every chain passes through: {', '.join(necessary)}"
    say(through if necessary else "no concept that every chain passes through", "", "      ")
    least = f"fewest concepts that would block every chain: {', '.join(concepts or ())}"
    say("no concepts would block every chain: a claim leads there straight" if concepts is None else least, "", "      ")
    say(f"least sure claims that every chain needs one of; {claims.doubt:.2g} that all are wrong:", "", "      ")
    for edge in claims.edges:
        say(f"{edge.belief:.2f}  {claim_clause(edge)}", "        ", "              ")
