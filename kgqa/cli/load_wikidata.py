"""`kgqa load wikidata`: causal statements of Wikidata, or of any SPARQL endpoint with data in its shape."""

from __future__ import annotations

from contextlib import closing

from graph.protocols import Added
from graph.sources.sparql import SparqlEndpoint
from graph.sources.wikidata import read_wikidata_pages, wikidata_table
from graph.stores import open_store
from kgqa.cli.added import added_record, added_text
from kgqa.cli.progress import Progress, SkipCounter, WorkCounter
from kgqa.cli.terminal import count_text, note, say, say_json
from kgqa.settings import user_agent


def load_wikidata(address: str | None, graph: str, json: bool) -> None:
    """Load what an endpoint says into a graph; a run that was stopped goes on behind the last page that it added.

    When all is read the places are forgotten, so that the next run sees what has changed since.
    """
    address = address or wikidata_table().endpoint
    skips = SkipCounter()
    endpoint = SparqlEndpoint(address, user_agent(), on_wait=_note_wait)
    endpoint.check()  # before a graph is made
    added, seen, properties = Added(), 0, [prop.id for prop in wikidata_table().properties]
    with closing(open_store(graph, write=True, create=True)) as store:
        behind = {prop: store.progress(_progress_key(address, prop)) for prop in properties}
        if any(behind.values()):
            note(f"goes on where it was stopped: {', '.join(f'{prop} behind Q{item}' for prop, item in behind.items() if item)}")
        tally = WorkCounter(len(properties))
        with Progress(f"loading {address}", tally) as bar:
            for page in read_wikidata_pages(endpoint.select, behind.__getitem__, skips):
                added += store.add(page.statements, page.aliases, (_progress_key(address, page.property), page.last))
                seen += len(page.statements)
                tally.reached(properties.index(page.property))
                bar.show(f"{page.property}, {count_text(seen, 'statement')}")
        for prop in properties:
            store.add((), (), (_progress_key(address, prop), 0))
    skips.report()
    if json:
        say_json({"input": address, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)})
    else:
        say(f"{address}: {count_text(seen, 'statement')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")


def _progress_key(address: str, prop: str) -> str:
    """Return the name under which a graph remembers how far a property was read."""
    return f"wikidata {address} {prop}"


def _note_wait(why: str, seconds: float) -> None:
    note(f"the endpoint {why}; asking again in {count_text(round(seconds), 'second')}")
