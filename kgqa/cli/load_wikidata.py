"""`kgqa load wikidata`: causal statements of Wikidata, or of any SPARQL endpoint with data in its shape."""

from __future__ import annotations

from contextlib import closing

from graph.protocols import Added
from graph.sources.sparql import Endpoint
from graph.sources.wikidata import pages, table
from graph.stores import open_store
from kgqa.cli.added import added_record, added_text
from kgqa.cli.progress import Progress, Skips, Tally
from kgqa.cli.terminal import note, number_of, say, say_json
from kgqa.settings import agent


def load_wikidata(address: str | None, graph: str, json: bool) -> None:
    """Load what an endpoint says into a graph; a run that was stopped goes on behind the last page that it added.

    When all is read the places are forgotten, so that the next run sees what has changed since.
    """
    address = address or table().endpoint
    skips = Skips()
    endpoint = Endpoint(address, agent(), on_wait=_waiting)
    endpoint.check()  # before a graph is made
    added, seen, properties = Added(), 0, [prop.id for prop in table().properties]
    with closing(open_store(graph, write=True, create=True)) as store:
        behind = {prop: store.progress(_job(address, prop)) for prop in properties}
        if any(behind.values()):
            note(f"goes on where it was stopped: {', '.join(f'{prop} behind Q{item}' for prop, item in behind.items() if item)}")
        tally = Tally(len(properties))
        with Progress(f"loading {address}", tally) as bar:
            for page in pages(endpoint.select, behind.__getitem__, skips):
                added += store.add(page.statements, page.aliases, (_job(address, page.property), page.last))
                seen += len(page.statements)
                tally.reached(properties.index(page.property))
                bar.show(f"{page.property}, {number_of(seen, 'statement')}")
        for prop in properties:
            store.add((), (), (_job(address, prop), 0))
    skips.report()
    if json:
        say_json({"input": address, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)})
    else:
        say(f"{address}: {number_of(seen, 'statement')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")


def _job(address: str, prop: str) -> str:
    """Return the name under which a graph remembers how far a property was read."""
    return f"wikidata {address} {prop}"


def _waiting(why: str, seconds: float) -> None:
    note(f"the endpoint {why}; asking again in {number_of(round(seconds), 'second')}")
