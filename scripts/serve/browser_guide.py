"""The guide page for Neo4j Browser: made from the queries of cypher/browser, and served so that Browser may read it.

    python scripts/serve/browser_guide.py build      # writes cypher/browser/guide.html
    python scripts/serve/browser_guide.py serve      # then, in Browser: :guide http://localhost:7475/guide.html

Browser reads pages of "localhost" without being told to (the setting browser.remote_content_hostname_whitelist adds others), but
asks the server of the page first whether it may, which Python's plain `http.server` does not answer: `serve` does. The standard
library alone is used.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from browser_queries import FOLDER, SavedQuery, saved_queries

PORT = 7475
GUIDE = FOLDER / "guide.html"
_PAGE = """<article class="guide">
<title>A causal graph</title>
<carousel class="deck container-fluid">
{slides}
</carousel>
</article>
"""
_FIRST = f"""<slide class="row-fluid">
<h3>What is here</h3>
<p>Concepts, joined by arrows from cause to effect. An arrow's type is its relation (causes, enables, prevents, motivates, is \
for, goes with); its number how far the claim is believed, from 0 to 1.</p>
<p>Every arrow is there a second time as a Claim, so that it can be opened: double-click a Concept, then a Claim, then an \
Evidence, and you stand on the Page that says so.</p>
<p>Colours and captions for all of this (click, then run it):</p>
<figure><pre class="pre-scrollable code runnable">:style http://localhost:{PORT}/style.grass</pre></figure>
<p>To see the arrows that a query returns and no others among the same concepts:</p>
<figure><pre class="pre-scrollable code runnable">:config autoComplete: false</pre></figure>
<p><code>kgqa ask "What causes tsunamis?" --cypher</code> prints a statement that draws an answer here.</p>
</slide>"""


class Shared(SimpleHTTPRequestHandler):
    """Serves files, and lets a page of another address read them."""

    def end_headers(self) -> None:
        """Add what lets Browser read the answer."""
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")
        super().end_headers()

    def do_OPTIONS(self) -> None:
        """Answer the question that comes before the request itself."""
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


def main() -> None:
    """Build the page, or serve it until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("doing", choices=("build", "serve"))
    parser.add_argument("--port", type=int, default=PORT, help=f"the port to serve at (default: {PORT}, which the page names)")
    given = parser.parse_args()
    if given.doing == "build":
        GUIDE.write_text(guide(), encoding="utf-8")
        return
    try:
        server = served(given.port)
    except OSError as error:
        sys.exit(f"browser_guide: cannot serve at port {given.port}: {error.strerror}; give another with --port")
    print(f":guide http://localhost:{server.server_port}/{GUIDE.name}", flush=True)
    with server, contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


def served(port: int = 0) -> ThreadingHTTPServer:
    """Return a server of the folder cypher/browser, for this machine alone; port 0 is a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Shared, directory=str(FOLDER)))


def guide() -> str:
    """Return the guide page: a first slide, and one for each query that a person fills in."""
    asked = [query for query in saved_queries() if query.examples]
    return _PAGE.format(slides="\n".join((_FIRST, *map(_slide, asked))))


def _slide(query: SavedQuery) -> str:
    """Return the slide of a query: what it asks, the commands that set its parameters, and itself."""
    blocks = [*((example, "a parameter") for example in query.examples), (query.titled, "the query")]
    figures = "\n".join(
        f'<figure><pre class="pre-scrollable code runnable">{escape(text, quote=False)}</pre>'
        f"<figcaption>{escape(caption, quote=False)}</figcaption></figure>"
        for text, caption in blocks
    )
    return f"""<slide class="row-fluid">
<h3>{escape(query.title, quote=False)}</h3>
<p>{escape(query.about, quote=False)}</p>
{figures}
</slide>"""


if __name__ == "__main__":
    main()
