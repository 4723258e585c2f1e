"""`kgqa fetch`: download a published graph or dump."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgqa.cli.arguments import options as cli
from kgqa.cli.output.progress import WorkProgress
from kgqa.cli.output.terminal import note, printable_text, say, say_json, shell_quote

if TYPE_CHECKING:
    from graph.net.catalogue import CatalogueOffer
    from graph.net.download import FetchedFile


def _offer_names() -> Iterable[str]:
    from graph.net.catalogue import catalogue_offers

    return catalogue_offers()


@cli.command("kgqa fetch causenet-precision")
def fetch(
    context: click.Context,
    name: str | None = cli.argument("name", "NAME", required=False, shell_complete=cli.complete_names(_offer_names)),
    out: str | None = cli.option("--out", "FILE", "Where to put it: a file, or a folder that there is."),
    checksum: str | None = cli.option("--checksum", "METHOD:HEX", "What it must be: md5, sha1, sha256 or sha512."),
    tries: int = cli.number_option("--tries", 1, 100, "How often to try in a row.", default=6),
    listing: bool = cli.flag("--list listing", "List what can be fetched by name, and fetch nothing."),
    json: bool = cli.json_option,
) -> None:
    """Download a published graph or dump.

    NAME is one of kgqa fetch --list, or NAME=URL for a file at an address of your own. What was cut off goes on where it was
    when the same command is run again; what has come is verified.
    """
    if listing:
        _print_offers(json)
        return
    if name is None:
        raise cli.WrongUse("missing argument 'NAME'", "kgqa fetch --list", context)
    from graph.errors import AddressInvalid, ChecksumInvalid
    from graph.net.download import Checksum, fetch_offer
    from graph.net.retry import RetryPolicy

    try:
        offer = _find_offer(name, context)
        expected = Checksum.parse(checksum) if checksum else None
    except (AddressInvalid, ChecksumInvalid) as error:
        raise cli.WrongUse(str(error), "kgqa fetch --help", context) from error
    bars = _DownloadProgress(offer.name)
    try:
        with bars.fetching, bars.verifying:
            fetched = fetch_offer(offer, out, expected, RetryPolicy(tries=tries), bars)
    except KeyboardInterrupt:
        note("what has come is kept; the same command goes on there")
        raise
    _print_result(offer, fetched, json)


def _find_offer(name: str, context: click.Context) -> CatalogueOffer:
    """Return the offer that NAME or NAME=URL names; raise `WrongUse` where there is none."""
    from graph.net.catalogue import catalogue_offers, offer_of_address

    own, sign, address = name.partition("=")
    if "://" in own:
        raise cli.WrongUse("an address needs a name before it", f"kgqa fetch {shell_quote(f'NAME={name}')}", context)
    if sign:
        if not own or "/" in own or own in (".", "..") or "\0" in own:
            raise cli.WrongUse(f"'{own}' is no name for a file", "kgqa fetch NAME=URL --out FOLDER", context)
        return offer_of_address(own, address)
    known = catalogue_offers()
    if name not in known:
        raise cli.WrongUse(f"no offer '{name}'; there are: {', '.join(known)}", "kgqa fetch --list", context)
    return known[name]


class _DownloadProgress:
    """A bar for the bytes received, then a bar for the bytes verified."""

    def __init__(self, name: str) -> None:
        self.fetching, self.verifying = WorkProgress(f"fetching {name}"), WorkProgress(f"verifying {name}")

    def at(self, done: int, size: int | None) -> None:
        """Show the number of bytes received."""
        self.fetching.size = size
        self.fetching.reached(done, _size_text(done) + (f" of {_size_text(size)}" if size is not None else ""))

    def checked(self, done: int, size: int) -> None:
        """Show the number of bytes verified."""
        self.fetching.stop()
        self.verifying.size = size
        self.verifying.reached(done, f"{_size_text(done)} of {_size_text(size)}")

    def note(self, text: str) -> None:
        """Print a message on stderr."""
        note(text)


def _print_result(offer: CatalogueOffer, fetched: FetchedFile, json: bool) -> None:
    next_command = _next_command(offer, fetched.path)
    if json:
        record = {"name": offer.name, "file": str(fetched.path), "bytes": fetched.size, "resumed": fetched.resumed}
        say_json({**record, "verified": fetched.verified, "next": next_command})
        return
    there = "was there already" if fetched.resumed == fetched.size else _size_text(fetched.size)
    resumed = f", {_size_text(fetched.resumed)} of it from before" if 0 < fetched.resumed < fetched.size else ""
    say(f"{fetched.path}: {there}{resumed}; {fetched.verified}")
    if offer.licence:
        say(f"licence: {offer.licence} ({offer.home})")
    print(printable_text(f"next: {next_command}"))  # whole on its line, to be copied


def _next_command(offer: CatalogueOffer, path: Path) -> str:
    if offer.next:
        return offer.next.replace("{file}", shell_quote(str(path)))
    from graph.net.catalogue import loading_command

    graph = (path.name.partition(".")[0] or "fetched") + ".kgqa"
    return f"kgqa {loading_command(path)} {shell_quote(str(path))} -g {shell_quote(graph)}"


def _print_offers(json: bool) -> None:
    from graph.net.catalogue import catalogue_offers

    for offer in catalogue_offers().values():
        if json:
            record = {name: getattr(offer, name) for name in ("name", "title", "size", "licence", "home")}
            say_json({**record, "addresses": [place.address for place in offer.places]})
            continue
        say(f"{offer.name}  ({offer.size}; {offer.licence})")
        say(offer.title, "    ")
        say(offer.home, "    ")


def _size_text(size: int) -> str:
    for unit, power in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= power:
            return f"{size / power:.1f} {unit}"
    return f"{size} bytes"
