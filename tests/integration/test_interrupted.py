"""What is left when mining or loading is killed or interrupted, and that running it again comes to the same end."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from running import KGQA, clean_environment, kgqa

from graph.errors import GraphError
from graph.mining.articles import ARTICLES_PER_CHUNK
from graph.stores import open_store

PATIENCE_S = 30.0
AT_ONCE_S = 5.0
ARTICLES = 400
KILLS = int(os.environ.get("KGQA_TEST_KILLS", "4"))
CLAIMS = 50_000

CAUSES = "heavy rain,smoking,obesity,poverty,an earthquake,deforestation,stress,a virus,alcohol abuse,overfishing,war".split(",")
EFFECTS = "floods,lung cancer,diabetes,crime,a tsunami,famine,insomnia,pneumonia,liver disease,crop loss,exile".split(",")
SENTENCES = (
    "{} causes {}.",
    "{} led to {}.",
    "{} may cause {}.",
    "{} does not cause {}.",
    "{} resulted in {}.",
    "In that year, {} triggered {}.",
    "There was also {} and {}.",
)


def written_articles(file: Path, number: int, sentences: int) -> Path:
    """Write a WikiExtractor file of articles of so many sentences each."""
    chance = random.Random(7)
    with file.open("w", encoding="utf-8") as out:
        for page in range(number):
            url = f"https://en.wikipedia.org/wiki?curid={page}"
            out.write(f'<doc id="{page}" url="{url}" title="Article {page}">\nArticle {page}\n\n')
            for _ in range(sentences):
                sentence = chance.choice(SENTENCES).format(chance.choice(CAUSES), chance.choice(EFFECTS))
                out.write(f"{sentence[0].upper()}{sentence[1:]} ")
            out.write("\n</doc>\n")
    return file


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WikiExtractor file of short articles, some seconds of mining."""
    return written_articles(tmp_path_factory.mktemp("articles") / "wiki_00", ARTICLES, 6)


@pytest.fixture(scope="module")
def many_articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WikiExtractor file of so many chunks of articles that mining can be killed in one after the other."""
    return written_articles(tmp_path_factory.mktemp("many") / "wiki_00", 3 * KILLS * ARTICLES_PER_CHUNK, 2)


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of claims, a second or two of loading."""
    file = tmp_path_factory.mktemp("claims") / "claims.jsonl"
    lines = (json.dumps({"cause": f"cause {number % 7_919}", "effect": f"effect {number}"}) + "\n" for number in range(CLAIMS))
    file.write_text("".join(lines))
    return file


def digest_of(graph: Path) -> str:
    """The digest of a graph that is sound."""
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        return store.digest()


def unbroken(folder: Path, *command: str | Path) -> str:
    """The digest that a command comes to when nothing stops it."""
    ended = kgqa(*command, "-g", folder / "unbroken.kgqa")
    assert ended.code == 0, ended.err
    return digest_of(folder / "unbroken.kgqa")


@pytest.fixture(scope="module")
def mined_digest(articles: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the articles, mined by one process."""
    return unbroken(tmp_path_factory.mktemp("mined"), "mine", articles, "--workers", "1")


@pytest.fixture(scope="module")
def loaded_digest(claims: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the claims."""
    return unbroken(tmp_path_factory.mktemp("loaded"), "load", "jsonl", claims)


def _heed_ctrl_c() -> None:
    """A process that was started in the background of a script is deaf to Ctrl-C, and so are those that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def begun() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Begin a command as the leader of a process group; whatever of it is left at the end of the test is killed."""
    processes: list[subprocess.Popen[str]] = []

    def begin(*command: str | Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [KGQA, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(),
            start_new_session=True,
            preexec_fn=_heed_ctrl_c,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def evidence_in(graph: Path) -> int:
    """How much a graph holds that may not be there yet."""
    try:
        with closing(open_store(str(graph))) as store:
            return store.stats().evidence
    except GraphError:
        return 0


def wait_for(happened: Callable[[], bool], what: str) -> None:
    """Wait until something has happened."""
    until = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < until, f"waited in vain: {what}"
        time.sleep(0.02)


def wait_for_evidence(graph: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a command has stored something, which it must do well before its end."""
    wait_for(lambda: evidence_in(graph) > 0, "something is stored")
    assert process.poll() is None


def group_of(leader: int) -> list[int]:
    """The processes of a group that are alive, which those that only wait to be reaped are not."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit():
                state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(group) == leader and state != "Z":
                    found.append(int(folder.name))
    return found


def workers_of(leader: int) -> list[int]:
    """The mining processes of a command."""
    spawned = [pid for pid in group_of(leader) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return [pid for pid in spawned if pid != leader]


def copied(graph: Path, name: str) -> Path:
    """Copy a graph with all that a kill left beside it, as `name`."""
    for file in graph.parent.glob(f"{graph.name}*"):
        shutil.copy(file, graph.parent / file.name.replace(graph.name, name))
    return graph.parent / name


@pytest.mark.parametrize("workers", ["2", "3"])
def test_any_number_of_workers_mines_the_same(articles: Path, mined_digest: str, tmp_path: Path, workers: str) -> None:
    assert unbroken(tmp_path, "mine", articles, "--workers", workers) == mined_digest


def test_mining_that_was_killed_can_be_finished_to_the_same_digest(
    begun: Callable[..., subprocess.Popen[str]], articles: Path, mined_digest: str, tmp_path: Path
) -> None:
    graph = tmp_path / "killed.kgqa"
    process = begun("mine", articles, "--workers", "2", "-g", graph)
    wait_for_evidence(graph, process)
    process.kill()
    process.wait()

    wait_for(lambda: not group_of(process.pid), "no process is left over")
    assert kgqa("check", "-g", copied(graph, "checked.kgqa")).out.endswith("sound\n")
    assert digest_of(copied(graph, "read.kgqa")) != mined_digest
    resumed, anew = copied(graph, "resumed.kgqa"), copied(graph, "anew.kgqa")
    ended = kgqa("mine", articles, "--workers", "1", "--resume", "-g", resumed, "--json")
    assert ended.code == 0
    assert ended.err.startswith("kgqa: going on after ")
    assert 0 < json.loads(ended.out)["articles"] < ARTICLES
    assert digest_of(resumed) == mined_digest
    ended = kgqa("mine", articles, "--workers", "1", "-g", anew, "--json")
    assert (ended.code, ended.err, json.loads(ended.out)["articles"]) == (0, "", ARTICLES)
    assert digest_of(anew) == mined_digest


def test_mining_killed_again_and_again_at_random_comes_to_the_same_digest(
    begun: Callable[..., subprocess.Popen[str]], many_articles: Path, tmp_path: Path
) -> None:
    chance = random.Random(2_026)
    graph = tmp_path / "killed.kgqa"
    stored = [0]
    for kill in range(KILLS):
        process = begun("mine", many_articles, "--workers", str(1 + kill % 2), "--resume", "-g", graph)
        wait_for(lambda: evidence_in(graph) > stored[-1], "more is stored than before")
        time.sleep(chance.uniform(0, 0.15))
        assert process.poll() is None
        process.kill()
        process.wait()
        stored.append(evidence_in(graph))

    ended = kgqa("mine", many_articles, "--workers", "1", "--resume", "-g", graph, "--json")
    assert ended.code == 0
    assert 0 < json.loads(ended.out)["articles"] < 3 * KILLS * ARTICLES_PER_CHUNK
    assert stored == sorted(set(stored))
    assert stored[-1] < evidence_in(graph)
    assert digest_of(graph) == unbroken(tmp_path, "mine", many_articles, "--workers", "1")


def test_loading_that_was_killed_can_be_finished_to_the_same_digest(
    begun: Callable[..., subprocess.Popen[str]], claims: Path, loaded_digest: str, tmp_path: Path
) -> None:
    graph = tmp_path / "killed.kgqa"
    process = begun("load", "jsonl", claims, "-g", graph)
    wait_for_evidence(graph, process)
    process.kill()
    process.wait()

    assert kgqa("check", "-g", graph).out.endswith("sound\n")
    assert 0 < evidence_in(graph) < CLAIMS
    assert kgqa("load", "jsonl", claims, "-g", graph).code == 0
    assert digest_of(graph) == loaded_digest


def test_ctrl_c_on_mining_leaves_a_sound_graph_and_no_output(
    begun: Callable[..., subprocess.Popen[str]], articles: Path, mined_digest: str, tmp_path: Path
) -> None:
    graph = tmp_path / "interrupted.kgqa"
    process = begun("mine", articles, "--workers", "2", "-g", graph, "--json")
    wait_for_evidence(graph, process)
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the workers, too
    began = time.monotonic()
    out, err = process.communicate(timeout=PATIENCE_S)

    assert time.monotonic() - began < AT_ONCE_S
    assert (process.returncode, out) == (130, "")
    assert err.splitlines() == [
        "kgqa: what was mined so far is stored; to go on, run this again with --resume",
        "kgqa: interrupted",
    ]
    wait_for(lambda: not group_of(process.pid), "no process is left over")
    assert [file.name for file in tmp_path.iterdir()] == [graph.name]
    assert kgqa("check", "-g", graph).out.endswith("sound\n")
    assert digest_of(graph) != mined_digest


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_command_leaves_no_unfinished_file(
    begun: Callable[..., subprocess.Popen[str]], tmp_path: Path, number: signal.Signals
) -> None:
    process = begun("export", "graphml", tmp_path / "starter.graphml")
    wait_for(lambda: any(tmp_path.glob(".kgqa-*.part")), "the output is begun")
    process.send_signal(number)
    process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_on_loading_leaves_a_sound_graph_and_no_output(
    begun: Callable[..., subprocess.Popen[str]], claims: Path, tmp_path: Path
) -> None:
    graph = tmp_path / "interrupted.kgqa"
    process = begun("load", "jsonl", claims, "-g", graph)
    wait_for_evidence(graph, process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)

    assert (process.returncode, out, err) == (130, "", "kgqa: interrupted\n")
    assert [file.name for file in tmp_path.iterdir()] == [graph.name]
    assert 0 < evidence_in(graph) < CLAIMS
    assert digest_of(graph)


def test_a_worker_that_is_killed_is_told(begun: Callable[..., subprocess.Popen[str]], articles: Path, tmp_path: Path) -> None:
    graph = tmp_path / "lost.kgqa"
    process = begun("mine", articles, "--workers", "2", "-g", graph)
    wait_for_evidence(graph, process)
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=PATIENCE_S)

    assert (process.returncode, out) == (1, "")
    assert err.splitlines() == [
        "kgqa: a mining process was killed, perhaps for want of memory; what was mined before is stored",
        "      try: kgqa mine ... --workers 1 --resume",
    ]
    assert digest_of(graph)
