"""A real Neo4j server for tests and trials, without Docker: Maven fetches it once, and it runs in a folder of its own.

    python scripts/serve/neo4j_server.py fetch
    python scripts/serve/neo4j_server.py run --home ~/neo4j-kgqa --password trial-password

`fetch` prints the folder of the server's parts (in ~/.cache/kgqa, or below XDG_CACHE_HOME); `run` prints the addresses of the
server and of Neo4j Browser, and goes on until Ctrl-C; `admin` passes its arguments on to `neo4j-admin`. Needs Java 17 or
later and, to fetch, Maven. The standard library alone is used.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foreground import Failed, cache, locked, running, until_ctrl_c

POM = Path(__file__).with_name("neo4j") / "pom.xml"
LOCALHOST = "127.0.0.1"
OLDEST_JAVA = 17
START_S = 300
STOP_S = 60
_HANDSHAKE = b"\x60\x60\xb0\x17" + bytes([0, 4, 4, 5]) + bytes(12)
_OPENED = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.util.concurrent")


def main() -> None:
    """Read the arguments and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    doing = parser.add_subparsers(dest="doing", required=True)
    doing.add_parser("fetch", help="fetch the server, where it is not there yet, and print its folder")
    run = doing.add_parser("run", help="run a server until Ctrl-C")
    run.add_argument("--home", type=Path, required=True, help="the folder of its data; made if missing")
    run.add_argument("--bolt", type=int, default=7687, help="the port of bolt; 0 for a free one (default: 7687)")
    run.add_argument("--http", type=int, default=7474, help="the port of Browser; 0 for a free one (default: 7474)")
    run.add_argument("--password", default="", help="that of the user neo4j, set at the first start; without it nobody is asked")
    run.add_argument("--heap", default="2g", help="the memory of its Java programs (default: 2g)")
    run.add_argument("--page-cache", default="1g", help="the memory that keeps parts of its files (default: 1g)")
    run.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of neo4j.conf")
    admin = doing.add_parser("admin", help="run neo4j-admin on the data of a server that is stopped")
    admin.add_argument("--home", type=Path, required=True)
    admin.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    try:
        if given.doing == "fetch":
            print(fetch())
        elif given.doing == "admin":
            Server(given.home, fetch()).admin(*given.arguments)
        else:
            settings = dict(pair.split("=", 1) for pair in given.set)
            memory = {"heap": given.heap, "page_cache": given.page_cache}
            _serve(Server(given.home, fetch(), given.bolt, given.http, given.password, settings, **memory))
    except Failed as failure:
        sys.exit(f"neo4j: {failure}")


def fetch() -> Path:
    """Return the folder that holds the parts of the server, fetched with Maven where they are not there yet."""
    _java()
    version = re.search(r"<neo4j.version>(.*)</neo4j.version>", POM.read_text(encoding="utf-8"))
    folder = cache() / f"neo4j-{version[1] if version else 'server'}"
    with locked("neo4j"):
        if folder.is_dir():
            return folder
        if shutil.which("mvn") is None:
            raise Failed("Maven fetches the server, and there is no 'mvn'; on Debian and Ubuntu: apt-get install maven")
        coming = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(coming, ignore_errors=True)
        command = ["mvn", "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", "-DincludeScope=runtime"]
        print("neo4j: fetching the server with Maven (130 MB, once)", file=sys.stderr)
        ended = subprocess.run([*command, f"-DoutputDirectory={coming}"], capture_output=True, text=True, check=False)
        if ended.returncode or not coming.is_dir():
            said = [line for line in f"{ended.stdout}{ended.stderr}".splitlines() if "ERROR" in line]
            shutil.rmtree(coming, ignore_errors=True)
            raise Failed(f"Maven cannot fetch the server: {said[0] if said else f'exit code {ended.returncode}'}")
        coming.rename(folder)
    return folder


def free_port() -> int:
    """Return a port that nobody listens on."""
    with contextlib.closing(socket.create_server((LOCALHOST, 0))) as server:
        return int(server.getsockname()[1])


@dataclass
class Server:
    """A server whose data are in `home`: it asks for a password where one is given, and listens on this machine alone."""

    home: Path
    parts: Path
    bolt: int = 0
    http: int = 0
    password: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    heap: str = "512m"
    page_cache: str = "256m"
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.bolt = self.bolt or free_port()
        self.http = self.http or free_port()

    @property
    def url(self) -> str:
        """The address of the server, without the password."""
        return f"bolt://{LOCALHOST}:{self.bolt}"

    @property
    def browser(self) -> str:
        """The address of Neo4j Browser."""
        return f"http://{LOCALHOST}:{self.http}/browser/"

    def start(self) -> None:
        """Start the server and wait until it answers; raises `Failed` with the end of its log where it does not."""
        first = not (self.home / "data" / "databases" / "system").is_dir()
        self._configure()
        if first and self.password:
            self.admin("dbms", "set-initial-password", self.password)
        console = (self.home / "console.log").open("ab")
        main_class = ("org.neo4j.server.CommunityEntryPoint", f"--home-dir={self.home}", f"--config-dir={self.home}/conf")
        with console:
            self.process = subprocess.Popen(
                [*self._command(), *main_class], stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True
            )
        until = time.monotonic() + START_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise Failed(f"the server does not start: {self._last_words()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Ask the server to end, and wait until it has; what it was told is on disk then."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def admin(self, *arguments: str) -> str:
        """Run `neo4j-admin` on the data of the server, which must be stopped, and return what it prints."""
        self._configure()
        environment = {**os.environ, "NEO4J_HOME": str(self.home), "NEO4J_CONF": str(self.home / "conf")}
        command = [*self._command(), "org.neo4j.cli.AdminTool", *arguments]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise Failed(f"neo4j-admin {' '.join(arguments[:3])}: {(ended.stderr or ended.stdout).strip()}")
        return ended.stdout

    def _command(self) -> list[str]:
        opened = [f"--add-opens={module}=ALL-UNNAMED" for module in _OPENED]
        memory = [f"-Xms{self.heap}", f"-Xmx{self.heap}", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"]
        return [_java(), *memory, *opened, "-Dio.netty.tryReflectionSetAccessible=true", "-cp", f"{self.parts}/*"]

    def _configure(self) -> None:
        settings = {
            "dbms.security.auth_enabled": str(bool(self.password)).lower(),
            "server.default_listen_address": LOCALHOST,
            "server.bolt.listen_address": f":{self.bolt}",
            "server.http.listen_address": f":{self.http}",
            "server.bolt.advertised_address": f"{LOCALHOST}:{self.bolt}",
            "server.http.advertised_address": f"{LOCALHOST}:{self.http}",
            "server.memory.heap.initial_size": self.heap,
            "server.memory.heap.max_size": self.heap,
            "server.memory.pagecache.size": self.page_cache,
            "dbms.usage_report.enabled": "false",
            **self.settings,
        }
        for folder in ("conf", "logs", "import"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{name}={value}\n" for name, value in settings.items())
        (self.home / "conf" / "neo4j.conf").write_text(lines, encoding="utf-8")

    def _answers(self) -> bool:
        try:
            with contextlib.closing(socket.create_connection((LOCALHOST, self.bolt), timeout=5)) as connection:
                connection.sendall(_HANDSHAKE)
                if len(connection.recv(4)) < 4:
                    return False
            with urllib.request.urlopen(f"http://{LOCALHOST}:{self.http}/", timeout=5):
                return True
        except (OSError, urllib.error.URLError):
            return False

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _last_words(self) -> str:
        logs = [path for path in (self.home / "logs" / "neo4j.log", self.home / "console.log") if path.is_file()]
        lines = [
            line for path in logs for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()
        ]
        errors = [line for line in lines if "ERROR" in line or "Exception" in line]
        return (errors or lines or ["it says nothing"])[-1]


def _serve(server: Server) -> None:
    with until_ctrl_c(), running(server) as one:
        print(f"{one.url}\n{one.browser}", flush=True)
        if one.process is not None:
            one.process.wait()
            raise Failed(f"the server has ended: {one._last_words()}")


def _java() -> str:
    """Return the command of a Java that is new enough; raises `Failed` where there is none."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or shutil.which(java) is None:
        raise Failed(
            "Java 17 or later is needed, and there is no 'java'; on Debian and Ubuntu: apt-get install default-jre-headless"
        )
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) < OLDEST_JAVA:
        raise Failed(f"Java 17 or later is needed, '{java}' is {version[1] if version else 'none'}")
    return java


if __name__ == "__main__":
    main()
