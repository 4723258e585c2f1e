"""One evaluation run: its settings, and the predictions in its folder, to which a stopped run goes on adding."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from graph.atomic_file import write_atomically
from graph.errors import OutputUnwritable, system_error_text
from graph.sources.jsonl import RecordInvalid, json_record
from kgqa.errors import KgqaError
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.prediction import Prediction, Predictor, read_prediction

Drawn = TypeVar("Drawn")

PREDICTIONS = "predictions.jsonl"
SETTINGS = "settings.json"
METRICS = "metrics.json"
REPORT = "report.md"
CURVE = "risk-coverage.svg"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """All that decides what the predictions of a run are; `data`, `graph` and `program` are digests of content.

    `way` tells how a reader is asked: what answers, from which passages, and by which queries they are found.
    """

    name: str
    data: str
    graph: str
    reader: str
    seed: int
    limit: int | None
    version: str
    program: str
    way: str = ""


class RunDiffers(KgqaError):
    """The folder holds the predictions of another run."""

    def __init__(self, folder: str | Path, what: Sequence[str]) -> None:
        difference = f"of a run with another {' and another '.join(what)}" if what else "but no settings that tell of which run"
        super().__init__(f"'{folder}' holds predictions {difference}", "kgqa evaluate ... --restart, or another --out")


class PredictionsDamaged(KgqaError):
    """A line of the predictions is not what was written there."""

    def __init__(self, path: str | Path, line: int, why: str) -> None:
        super().__init__(f"line {line:,} of '{path}' is not what was written there: {why}", "kgqa evaluate ... --restart")


def sample_items(items: Sequence[Drawn], limit: int | None, seed: int) -> list[Drawn]:
    """Return `limit` of the items, drawn by chance with this seed, in the order of the file; all where there are no more."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), limit))]


class EvaluationRun:
    """The folder of a run.

    Raises `RunDiffers` where it holds another one, unless that is to be thrown away (`restart`), and `OutputUnwritable` where it
    cannot be made.
    """

    def __init__(self, folder: str | Path, settings: RunSettings, *, restart: bool = False) -> None:
        self.folder = Path(folder)
        self.settings = settings
        self._path = self.folder / PREDICTIONS
        make_folder(self.folder)
        if restart or not self._path.exists():
            self._path.unlink(missing_ok=True)
            self.write(SETTINGS, json_text(asdict(settings)))
        else:
            self._check()

    def done(self, items: Sequence[DatasetItem]) -> list[Prediction]:
        """Return the predictions that are there, and cut off half a line that a killed run has left.

        Raises `PredictionsDamaged` where one is not about the item that it stands for.
        """
        if not self._path.exists():
            return []
        whole, _, half = self._path.read_bytes().rpartition(b"\n")
        if half:
            with self._path.open("r+b") as file:
                file.truncate(len(whole) + 1 if whole else 0)
        lines = whole.decode("utf-8", "replace").split("\n") if whole else []
        if len(lines) > len(items):
            raise PredictionsDamaged(self._path, len(items) + 1, f"there are {len(items):,} items")
        return [self._read(number, line, item) for number, (line, item) in enumerate(zip(lines, items, strict=False), 1)]

    def ask(self, items: Sequence[DatasetItem], asker: Predictor, *, verdict: bool) -> Iterator[tuple[Prediction, float]]:
        """Ask the items, and yield each prediction, which is on disk by then, with the seconds that kgqa took."""
        with self._path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
            for item in items:
                prediction, seconds = asker.ask(item)
                file.write(json.dumps(prediction.record(verdict=verdict), ensure_ascii=False) + "\n")
                file.flush()
                yield prediction, seconds

    def write_predictions(self, records: Iterable[Mapping[str, object]]) -> None:
        """Write all predictions at once, whole or not at all."""
        self.write(PREDICTIONS, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))

    def write(self, name: str, text: str) -> None:
        """Write a file of the folder, whole or not at all."""
        with write_atomically(self.folder / name) as file:
            file.write(text)

    def remove(self, name: str) -> None:
        """Remove a file of the folder where it is there."""
        (self.folder / name).unlink(missing_ok=True)

    def _check(self) -> None:
        """Raise `RunDiffers` where the settings beside the predictions are not ours."""
        try:
            there = json.loads((self.folder / SETTINGS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            there = None
        if not isinstance(there, dict):
            raise RunDiffers(self.folder, ())
        ours = asdict(self.settings)
        differing = [name for name in ours if there.get(name) != ours[name]]
        if differing:
            raise RunDiffers(self.folder, differing)

    def _read(self, number: int, line: str, item: DatasetItem) -> Prediction:
        try:
            prediction = read_prediction(json_record(line))
        except RecordInvalid as error:
            raise PredictionsDamaged(self._path, number, str(error)) from None
        if prediction.id != item.id:
            raise PredictionsDamaged(self._path, number, f"it is about '{prediction.id}', not '{item.id}'")
        return prediction


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there; raises `OutputUnwritable`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise OutputUnwritable(folder, "a file is in the place of a folder") from None
    except OSError as error:
        raise OutputUnwritable(folder, system_error_text(error)) from error


def json_text(record: object) -> str:
    """Return a record as JSON that people can read, too."""
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"
