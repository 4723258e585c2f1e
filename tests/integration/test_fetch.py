"""`kgqa fetch` against a real server on loopback that cuts connections, serves wrong bytes, changes files and refuses."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import json
import os
import pty
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace

import pytest
from running import KGQA, clean_environment, kgqa
from serving import File, Server, served

from graph.errors import DiskFull, FetchBusy, FetchFailed, FetchWrong, GraphError, OutputUnwritable
from graph.net.catalogue import CatalogueOffer, DownloadLocation, catalogue_offers, offer_of_address
from graph.net.download import Checksum, FetchedFile, fetch_offer, parse_checksum_list
from graph.net.partial_file import PartialFile
from graph.net.retry import RetryPolicy, TimeLimits

QUICK = RetryPolicy(tries=3, first_delay=0.01, longest_delay=2.0)
CLAIMS = "".join(
    f'{{"causal_relation": {{"cause": {{"concept": "cause {number}"}}, "effect": {{"concept": "effect"}}}}, "sources": []}}\n'
    for number in range(20_000)
).encode()
PACKED = bz2.compress(CLAIMS + random.Random(1).randbytes(400_000))
"""Some 400 kB of sound bzip2 data that begin as CauseNet does."""


@dataclass
class Told:
    """What a download tells on its way."""

    notes: list[str] = field(default_factory=list)
    seen: list[tuple[int, int | None]] = field(default_factory=list)

    def at(self, done: int, size: int | None) -> None:
        self.seen.append((done, size))

    def checked(self, done: int, size: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture
def server() -> Iterator[Server]:
    with served() as running:
        yield running


@pytest.fixture(autouse=True)
def _nothing_between(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def bring(server: Server, folder: Path, path: str = "/c.jsonl.bz2", told: Told | None = None, **given: object) -> FetchedFile:
    checksum = given.get("checksum")
    assert checksum is None or isinstance(checksum, Checksum)
    patience = given.get("patience", QUICK)
    assert isinstance(patience, RetryPolicy)
    limits = TimeLimits(silence=float(str(given.get("silence", 5.0))))
    return fetch_offer(offer_of_address("c", server.address + path), str(folder), checksum, patience, told or Told(), limits)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_comes_whole_and_leaves_nothing_beside(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED)
    fetched = bring(server, tmp_path)
    assert (fetched.size, fetched.resumed) == (len(PACKED), 0)
    assert "bzip2 data are whole" in fetched.verified
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED
    assert names(tmp_path) == ["c.jsonl.bz2"]


def test_cut_after_cut_it_goes_on_where_it_was(server: Server, tmp_path: Path) -> None:
    cuts = [100_000, 1, 50_000, 0, 7, 120_000]
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=list(cuts))
    told = Told()
    bring(server, tmp_path, told=told)
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED
    # Where a cut reply brings nothing the same rest is asked for again.
    assert server.ranges("/c.jsonl.bz2") == [
        "",
        *(f"bytes={start}-" for start in (100_000, 100_001, 150_001, 150_001, 150_008, 270_008)),
    ]
    assert "the connection was cut after byte 100,000 of" in told.notes[0]


@pytest.mark.parametrize("seed", range(8))
def test_cuts_anywhere_give_the_same_file(server: Server, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    file = File(PACKED, cuts=[chance.randrange(len(PACKED) // 3) for _ in range(6)])
    file.answers = [(503, {}), (500, {})]
    server.files["/c.jsonl.bz2"] = file
    bring(server, tmp_path)
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_another_run_goes_on_where_the_last_one_gave_up(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[200_000, 0, 0, 0, 0, 0])
    with pytest.raises(FetchFailed, match="cut after byte 200,000"):
        bring(server, tmp_path)
    assert names(tmp_path) == ["c.jsonl.bz2.part", "c.jsonl.bz2.part.json"]
    server.files["/c.jsonl.bz2"].cuts.clear()
    fetched = bring(server, tmp_path)
    assert fetched.resumed == 200_000
    assert server.ranges("/c.jsonl.bz2")[-1] == "bytes=200000-"
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED
    assert names(tmp_path) == ["c.jsonl.bz2"]


def test_a_file_that_has_changed_meanwhile_is_begun_anew(server: Server, tmp_path: Path) -> None:
    changed = bz2.compress(random.Random(2).randbytes(len(PACKED)))
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[200_000, 0, 0, 0])
    with pytest.raises(FetchFailed):
        bring(server, tmp_path)
    server.files["/c.jsonl.bz2"] = File(changed, etag='"two"')
    told = Told()
    fetched = bring(server, tmp_path, told=told)
    assert told.notes == ["the file has changed since; starting over"]
    assert fetched.resumed == 0
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == changed


def test_a_date_serves_where_there_is_no_strong_tag(server: Server, tmp_path: Path) -> None:
    when = formatdate(1_700_000_000, usegmt=True)
    server.files["/c.jsonl.bz2"] = File(PACKED, etag="", modified=when, cuts=[150_000])
    bring(server, tmp_path)
    assert [headers.get("if-range") for _, headers in server.requests] == [None, when]
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_without_tag_and_date_nothing_is_added_to_what_an_earlier_run_left(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, etag="", cuts=[150_000])
    with pytest.raises(FetchFailed):
        bring(server, tmp_path, patience=RetryPolicy(tries=1))
    bring(server, tmp_path)
    assert server.ranges("/c.jsonl.bz2") == ["", ""]
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_a_server_that_ignores_ranges_sends_all_again(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, ranges=False, cuts=[300_000, 200_000])
    told = Told()
    bring(server, tmp_path, told=told)
    assert told.notes.count("the server cannot go on; starting over") == 2
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_a_server_that_always_cuts_at_the_same_place_is_given_up(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, ranges=False, cuts=[1000] * 50)
    with pytest.raises(FetchFailed, match=r"cut after byte 1,000 of [\d,]+ \(3 tries\)"):
        bring(server, tmp_path)
    assert len(server.requests) == 3


def test_a_part_that_was_whole_is_only_verified(server: Server, tmp_path: Path) -> None:
    address = server.address + "/c.jsonl.bz2"
    with PartialFile(tmp_path / "c.jsonl.bz2") as part:
        part.restart(address, '"one"', len(PACKED))
        part.add(PACKED)
    assert bring(server, tmp_path).resumed == len(PACKED)
    assert server.requests == []
    with PartialFile(tmp_path / "d.jsonl.bz2") as part:  # of a size that nobody told
        part.restart(address, '"one"', None)
        part.add(PACKED)
    server.files["/c.jsonl.bz2"] = File(PACKED)
    fetch_offer(offer_of_address("c", address), str(tmp_path / "d.jsonl.bz2"), None, QUICK, Told())
    assert server.ranges("/c.jsonl.bz2") == [f"bytes={len(PACKED)}-"]
    assert (tmp_path / "d.jsonl.bz2").read_bytes() == PACKED


def test_a_part_of_another_address_is_not_used(server: Server, tmp_path: Path) -> None:
    with PartialFile(tmp_path / "c.jsonl.bz2") as part:
        part.restart("http://elsewhere/c.jsonl.bz2", '"one"', len(PACKED))
        part.add(b"x" * 1000)
    server.files["/c.jsonl.bz2"] = File(PACKED)
    told = Told()
    assert bring(server, tmp_path, told=told).resumed == 0
    assert "part of another file" in told.notes[0]
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


@pytest.mark.parametrize("note", ["", "{", "[]", '{"address": 1}'])
def test_a_part_that_nothing_is_known_of_is_begun_anew(server: Server, tmp_path: Path, note: str) -> None:
    (tmp_path / "c.jsonl.bz2.part").write_bytes(b"x" * 1000)
    (tmp_path / "c.jsonl.bz2.part.json").write_text(note)
    server.files["/c.jsonl.bz2"] = File(PACKED)
    bring(server, tmp_path)
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


@pytest.mark.parametrize("method", ["md5", "sha1", "sha256", "sha512"])
def test_a_checksum_is_held_to(server: Server, tmp_path: Path, method: str) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[1000])
    digits = hashlib.new(method, PACKED).hexdigest()
    assert bring(server, tmp_path, checksum=Checksum.parse(f"{method}:{digits}")).verified == f"{method} as given"


def test_wrong_bytes_are_kept_aside_and_told(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED)
    with pytest.raises(FetchWrong, match=r"its checksum is md5:\w+, md5:0+ was given; what came is kept as '.*\.wrong'$"):
        bring(server, tmp_path, checksum=Checksum.parse("0" * 32))
    assert names(tmp_path) == ["c.jsonl.bz2.wrong"]


@pytest.mark.parametrize("place", [2_000, len(PACKED) // 2, len(PACKED) - 20])
def test_an_archive_with_a_flipped_byte_is_found_without_a_checksum(server: Server, tmp_path: Path, place: int) -> None:
    damaged = bytearray(PACKED)
    damaged[place] ^= 0x10
    server.files["/c.jsonl.bz2"] = File(bytes(damaged))
    with pytest.raises(FetchWrong, match="damaged"):
        bring(server, tmp_path)
    assert names(tmp_path) == ["c.jsonl.bz2.wrong"]


def test_an_archive_cut_by_a_server_that_tells_no_length_is_found(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.gz"] = File(gzip.compress(CLAIMS)[:-100], length=False)
    with pytest.raises(FetchWrong, match="cut short"):
        bring(server, tmp_path, "/c.jsonl.gz")


def test_a_file_that_is_there_is_verified_and_not_fetched_again(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED)
    bring(server, tmp_path)
    assert bring(server, tmp_path).resumed == len(PACKED)
    assert len(server.requests) == 1
    (tmp_path / "c.jsonl.bz2").write_bytes(PACKED[:-50])
    with pytest.raises(FetchWrong, match="remove it, or name another file with --out"):
        bring(server, tmp_path)


def test_refusals_are_told_at_once(server: Server, tmp_path: Path) -> None:
    server.files["/no.bz2"] = File(answers=[(403, {})])
    server.files["/empty.bz2"] = File()
    for path, why in {"/none.bz2": "404 Not Found", "/no.bz2": "403 Forbidden", "/empty.bz2": "the file is empty"}.items():
        with pytest.raises(FetchFailed, match=why):
            bring(server, tmp_path, path)
    assert len(server.requests) == 3
    assert names(tmp_path) == []


def test_a_web_page_instead_of_the_file_is_refused(server: Server, tmp_path: Path) -> None:
    page = b"\n<!DOCTYPE html><title>Log in</title>" + b" " * 5000
    server.files["/c.jsonl.bz2"] = File(page, kind="text/html")
    server.files["/c.jsonl"] = File(page)
    server.files["/d.jsonl"] = File(b"Please log in", kind="text/html")
    for path in server.files:
        with pytest.raises(FetchFailed, match="web page instead of the file"):
            bring(server, tmp_path, path)
    server.files["/e.jsonl.bz2"] = File(b"not packed at all" * 100)
    with pytest.raises(FetchFailed, match="no bzip2 data"):
        bring(server, tmp_path, "/e.jsonl.bz2")
    assert names(tmp_path) == []


def test_a_web_page_does_not_spoil_what_has_come(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[200_000, 0, 0, 0])
    with pytest.raises(FetchFailed):
        bring(server, tmp_path)
    server.files["/c.jsonl.bz2"] = File(b"<html>" * 100, kind="text/html", etag='"page"')
    with pytest.raises(FetchFailed, match="web page"):
        bring(server, tmp_path)
    server.files["/c.jsonl.bz2"] = File(PACKED)
    assert bring(server, tmp_path).resumed == 200_000


def test_a_busy_server_is_asked_again_when_it_says(server: Server, tmp_path: Path) -> None:
    soon = formatdate(time.time() + 1.2, usegmt=True)
    file = File(PACKED, answers=[(503, {"Retry-After": "1"}), (429, {"Retry-After": soon}), (502, {"Retry-After": "soon"})])
    server.files["/c.jsonl.bz2"] = file
    began = time.monotonic()
    bring(server, tmp_path, patience=RetryPolicy(tries=4, first_delay=0.01))
    assert time.monotonic() - began >= 1.0
    server.files["/d.bz2"] = File(PACKED, answers=[(503, {"Retry-After": "3600"})])
    with pytest.raises(FetchFailed, match="asks to wait 3,600 seconds"):
        bring(server, tmp_path, "/d.bz2")


def test_a_server_that_falls_silent_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[100_000], stall=5)
    told = Told()
    bring(server, tmp_path, told=told, patience=RetryPolicy(tries=3, first_delay=0.5), silence=0.5)
    assert "does not answer in time after byte 100,000" in told.notes[0]
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_redirects_are_followed_and_secrets_stay_with_their_host(server: Server, tmp_path: Path) -> None:
    server.files["/old.bz2"] = File(answers=[(302, {"Location": f"{server.address}/new.bz2"})] * 1)
    server.files["/new.bz2"] = File(PACKED)
    address = f"{server.address}/old.bz2".replace("//", "//me:secret@")
    fetch_offer(offer_of_address("c", address), str(tmp_path), None, QUICK, Told())
    assert [headers.get("authorization") for _, headers in server.requests] == ["Basic bWU6c2VjcmV0", None]
    server.files["/round.bz2"] = File(answers=[(302, {"Location": f"{server.address}/round.bz2"})] * 30)
    with pytest.raises(FetchFailed, match="302"):
        fetch_offer(offer_of_address("round", f"{server.address}/round.bz2"), str(tmp_path), None, QUICK, Told())


def test_the_proxy_of_the_environment_is_used(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.address)
    monkeypatch.setenv("no_proxy", "")
    server.files["http://graphs.invalid/c.jsonl.bz2"] = File(PACKED)
    fetch_offer(offer_of_address("c", "http://graphs.invalid/c.jsonl.bz2"), str(tmp_path), None, QUICK, Told())
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


@pytest.fixture
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of localhost that nobody has signed but itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", path, "-out", path.with_suffix(".crt")),
        ],
        check=True,
        capture_output=True,
    )
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
    return path


def test_a_certificate_that_nobody_trusts_is_refused_at_once(certificate: Path, tmp_path: Path) -> None:
    with served(certificate) as safe:
        safe.files["/c.jsonl.bz2"] = File(PACKED)
        with pytest.raises(FetchFailed, match="the certificate of the server is not valid: self"):
            bring(safe, tmp_path)


def test_a_safe_connection_is_not_left(
    server: Server, certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    server.files["/c.jsonl.bz2"] = File(PACKED)
    with served(certificate) as safe:
        safe.files["/c.jsonl.bz2"] = File(PACKED, cuts=[1000])
        assert bring(safe, tmp_path).size == len(PACKED)
        safe.files["/d.jsonl.bz2"] = File(answers=[(302, {"Location": f"{server.address}/c.jsonl.bz2"})])
        with pytest.raises(FetchFailed, match=r"it redirects to 'http://.*', which is not https"):
            fetch_offer(offer_of_address("d", f"{safe.address}/d.jsonl.bz2"), str(tmp_path), None, QUICK, Told())
    assert server.requests == []


def test_two_at_once_do_not_mix(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED)
    with PartialFile(tmp_path / "c.jsonl.bz2"), pytest.raises(FetchBusy, match="being fetched by another process"):
        bring(server, tmp_path)


def test_folders_that_cannot_take_it_are_told(server: Server, tmp_path: Path) -> None:
    address = server.address + "/c.bz2"
    (tmp_path / "is" / "c.bz2").mkdir(parents=True)
    for out, why in ((tmp_path / "none" / "c.bz2", "no such folder"), (tmp_path / "is", "directory")):
        with pytest.raises(OutputUnwritable, match=why):
            fetch_offer(offer_of_address("c.bz2", address), str(out), None, QUICK, Told())
    assert server.requests == []


def test_too_large_a_file_is_not_begun(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED)
    monkeypatch.setattr("graph.net.partial_file.shutil.disk_usage", lambda folder: SimpleNamespace(free=100))
    with pytest.raises(DiskFull, match=r"bytes are needed, 100 are free"):
        bring(server, tmp_path)
    assert names(tmp_path) == []


def offered(server: Server, **more: str) -> CatalogueOffer:
    places = (
        DownloadLocation(f"{server.address}/first/c.jsonl.bz2", f"{server.address}/sums"),
        DownloadLocation(f"{server.address}/second/c.jsonl.bz2"),
    )
    return CatalogueOffer("c", places, home="x", **more)


def test_the_published_checksum_is_fetched_beside(server: Server, tmp_path: Path) -> None:
    server.files["/first/c.jsonl.bz2"] = File(PACKED)
    record = {"files": [{"key": "c.jsonl.bz2", "checksum": f"md5:{hashlib.md5(PACKED).hexdigest()}"}]}
    for sums in (json.dumps(record), f"{hashlib.sha1(PACKED).hexdigest()}  c.jsonl.bz2\n{'0' * 40}  other\n"):
        server.files["/sums"] = File(sums.encode())
        assert fetch_offer(offered(server), str(tmp_path), None, QUICK, Told()).verified.endswith("as published")
        (tmp_path / "c.jsonl.bz2").unlink()
    server.files["/sums"] = File(f"{'0' * 40}  c.jsonl.bz2\n".encode())
    with pytest.raises(FetchWrong, match=r"sha1:0+ was published"):
        fetch_offer(offered(server), str(tmp_path), None, QUICK, Told())


def test_the_next_place_is_tried_where_the_first_fails(server: Server, tmp_path: Path) -> None:
    server.files["/second/c.jsonl.bz2"] = File(PACKED)
    told = Told()
    fetched = fetch_offer(offered(server), str(tmp_path), None, QUICK, told)
    assert fetched.path.read_bytes() == PACKED
    assert [note.rpartition("; ")[2] for note in told.notes] == ["without the published checksum", "trying the next place"]


def test_but_not_where_a_part_has_come_from_it(server: Server, tmp_path: Path) -> None:
    server.files["/first/c.jsonl.bz2"] = File(PACKED, cuts=[1000, 0, 0, 0])
    server.files["/second/c.jsonl.bz2"] = File(PACKED)
    with pytest.raises(FetchFailed, match="first"):
        fetch_offer(offered(server), str(tmp_path), None, QUICK, Told())


def test_the_newest_of_a_list_is_fetched(server: Server, tmp_path: Path) -> None:
    listed = r"enwiki-(\d{8})-pages-articles\.xml\.bz2"
    place = DownloadLocation(f"{server.address}/{{1}}/{{file}}", f"{server.address}/sums", listed)
    offer = CatalogueOffer("enwiki", (place,), home="x")
    name = "enwiki-20260301-pages-articles.xml.bz2"
    lines = {name: PACKED, "enwiki-20260201-pages-articles.xml.bz2": b"old", "enwiki-20260301-pages-articles1.xml.bz2": b"piece"}
    server.files["/sums"] = File("".join(f"{hashlib.sha1(held).hexdigest()}  {one}\n" for one, held in lines.items()).encode())
    server.files[f"/20260301/{name}"] = File(PACKED, cuts=[1000])
    fetched = fetch_offer(offer, str(tmp_path), None, QUICK, Told())
    assert (fetched.path.name, fetched.verified) == (name, "sha1 as published")
    server.files["/sums"] = File(b"nothing of that kind")
    with pytest.raises(FetchFailed, match="does not name the file"):
        fetch_offer(offer, str(tmp_path), None, QUICK, Told())


def test_lists_of_checksums_that_are_none_are_empty() -> None:
    for text in (
        "",
        "{",
        '{"files": 1}',
        '{"files": [{"key": "a"}]}',
        "<html>",
        "zz  name",
        '{"files": [{"key":"a","checksum":"no"}]}',
    ):
        assert parse_checksum_list(text) == {}
    assert str(parse_checksum_list(f"{'A' * 64} *name with blanks \r\n")["name with blanks"]) == f"sha256:{'a' * 64}"


def test_every_offer_can_be_had_over_a_safe_connection_and_names_what_follows() -> None:
    assert list(catalogue_offers()) == ["causenet-precision", "causenet-full", "enwiki"]
    for offer in catalogue_offers().values():
        assert offer.next.startswith(("kgqa load ", "kgqa mine "))
        assert "{file}" in offer.next
        assert offer.licence
        assert offer.size
        for place in offer.places:
            assert place.address.startswith("https://")
            assert not place.sums or place.sums.startswith("https://")


# The command


def ran(server: Server, folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    ended = kgqa("fetch", *arguments, "--out", folder, no_proxy="127.0.0.1", **environment)
    return ended.code, ended.out, ended.err


def test_the_command_tells_what_came_and_what_follows(server: Server, tmp_path: Path) -> None:
    server.files["/x/c.jsonl.bz2"] = File(PACKED, cuts=[1000])
    code, out, err = ran(server, tmp_path, f"mine={server.address}/x/c.jsonl.bz2")
    assert code == 0, err
    assert out.splitlines()[-1] == f"next: kgqa load causenet {tmp_path}/mine.jsonl.bz2 -g mine.kgqa"
    assert err.startswith("kgqa: the connection was cut after byte 1,000 of")
    code, out, _ = ran(server, tmp_path, f"mine={server.address}/x/c.jsonl.bz2", "--json")
    record = json.loads(out)
    assert (code, record["bytes"], record["resumed"]) == (0, len(PACKED), len(PACKED))
    assert record["next"] == f"kgqa load causenet {tmp_path}/mine.jsonl.bz2 -g mine.kgqa"


@pytest.mark.parametrize(
    ("name", "content", "command"),
    [
        ("own.jsonl", b'{"cause": "rain", "effect": "flood"}\n', "load jsonl"),
        ("own.csv", b"cause,effect\nrain,flood\n", "load csv"),
        ("own.txt", b"Rain causes floods.\n", "mine"),
        ("own.csv.gz", gzip.compress(b"cause,effect\nrain,flood\n", mtime=0), "load csv"),
        ("own.bin", bytes(range(256)), "mine"),
    ],
)
def test_what_follows_shows_in_the_file(server: Server, tmp_path: Path, name: str, content: bytes, command: str) -> None:
    server.files[f"/{name}"] = File(content)
    code, out, err = ran(server, tmp_path, f"{name}={server.address}/{name}", "--json")
    assert code == 0, err
    assert json.loads(out)["next"].startswith(f"kgqa {command} ")


def test_wrong_use_is_told_in_a_line(server: Server, tmp_path: Path) -> None:
    for arguments, fact in {
        (): "missing argument 'NAME'",
        ("causenet",): "no offer 'causenet'; there are: causenet-precision, causenet-full, enwiki",
        ("https://host/file",): "an address needs a name before it",
        ("a=file:///etc/passwd",): "cannot fetch 'file:///etc/passwd': an address begins with https:// or http://",
        ("a=http://",): "cannot fetch 'http://': it names no host",
        ("a=http://host:port/",): "cannot fetch 'http://host:port/': port could not be cast to integer value as 'port'",
        ("a=http://host/a b",): "cannot fetch 'http://host/a b': it holds a space or a control character",
        ("../a=http://host/a",): "'../a' is no name for a file",
        ("=http://host/a",): "'' is no name for a file",
        ("enwiki", "--checksum", "abc"): "'abc' is no checksum: that is md5",
    }.items():
        ended = kgqa("fetch", *arguments)
        assert ended.code == 2, (arguments, ended)
        assert ended.err.startswith(f"kgqa: {fact}"), ended.err
        assert len(ended.err.splitlines()) == 2


def test_a_disk_without_room_leaves_a_part_that_can_be_gone_on_with(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED)
    command = [KGQA, "fetch", f"c={server.address}/c.jsonl.bz2", "--out", str(tmp_path)]
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=clean_environment(no_proxy="127.0.0.1"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert "c.jsonl.bz2.part': file too large after 100,000 bytes; free some space and run the command again" in ended.stderr
    ended = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, env=clean_environment(no_proxy="127.0.0.1"), check=True
    )
    assert json.loads(ended.stdout)["resumed"] == 100_000
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_is_gone_on_with(server: Server, tmp_path: Path, how: signal.Signals) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[123_456], stall=30)
    command = [KGQA, "fetch", f"c={server.address}/c.jsonl.bz2", "--out", str(tmp_path)]
    # An interrupt would be ignored by what is started in the background of a shell.
    start = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    with subprocess.Popen(
        [*start, *command], stderr=subprocess.PIPE, text=True, env=clean_environment(no_proxy="127.0.0.1")
    ) as run:
        part = tmp_path / "c.jsonl.bz2.part"
        deadline = time.monotonic() + 20
        while not (part.exists() and part.stat().st_size == 123_456) and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(how)
        _, err = run.communicate(timeout=20)
    if how is signal.SIGINT:
        assert run.returncode == 130
        assert err.splitlines() == ["kgqa: what has come is kept; the same command goes on there", "kgqa: interrupted"]
    assert part.stat().st_size == 123_456
    server.files["/c.jsonl.bz2"].stall = 0
    assert bring(server, tmp_path).resumed == 123_456
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_a_bar_is_shown_on_a_terminal(server: Server, tmp_path: Path) -> None:
    server.files["/c.jsonl.bz2"] = File(PACKED, cuts=[100_000], stall=2.5)
    ours, theirs = pty.openpty()
    command = [KGQA, "fetch", f"c={server.address}/c.jsonl.bz2", "--out", str(tmp_path)]
    environment = clean_environment(no_proxy="127.0.0.1", TERM="xterm", COLUMNS="100")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as run:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while block := os.read(ours, 4096):
                shown += block
        assert run.wait(timeout=20) == 0
    os.close(ours)
    assert b"fetching c" in shown
    assert b"kB of 426.2 kB" in shown
    assert (tmp_path / "c.jsonl.bz2").read_bytes() == PACKED


def test_no_network_is_told_in_a_line(tmp_path: Path) -> None:
    ended = kgqa("fetch", "c=http://127.0.0.1:9/c.bz2", "--tries", "1", "--out", tmp_path, no_proxy="127.0.0.1")
    assert (ended.code, ended.err) == (1, "kgqa: cannot fetch 'http://127.0.0.1:9/c.bz2': connection refused\n")
    assert names(tmp_path) == []


def test_a_password_is_never_printed(tmp_path: Path) -> None:
    ended = kgqa("fetch", "c=http://me:secret@127.0.0.1:9/c.bz2", "--tries", "1", "--out", tmp_path, no_proxy="127.0.0.1")
    assert ended.code == 1
    assert "secret" not in ended.err + ended.out


def test_every_error_of_fetching_is_one_of_ours() -> None:
    for kind in (DiskFull, FetchBusy, FetchFailed, FetchWrong):
        assert issubclass(kind, GraphError)
