"""The training of a generative reader: AdamW, a linear schedule, fixed seeds, and a checkpoint from which it goes on."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from generative.seq2seq_losses import LOSSES, Turn
from generative.seq2seq_rows import Row, digest_of
from graph.errors import FormatUnknown
from kgqa.readers.generative.encoder_decoder import SETTINGS, GenerationShape, InputFormat, Pretrained

CHECKPOINT = "checkpoint.pt"


@dataclass(frozen=True, slots=True)
class Course:
    """How a model is trained: `steps` of `batch` rows, the rate falling in a line to 0 after rising for `warm_up` steps."""

    steps: int
    batch: int
    rate: float
    warm_up: int = 0
    decay: float = 0.0
    clip: float = 1.0
    seed: int = 42
    keep_every: int = 1000


@dataclass(frozen=True, slots=True)
class Task:
    """Rows that a model is to learn to answer in one way of reading: a name of `LOSSES`, with the form of the input."""

    method: str
    shape: GenerationShape
    rows: Sequence[Row]


def train(
    of: Pretrained, tasks: Sequence[Task], course: Course, out: Path | None, on_step: Callable[[int, float], None] | None = None
) -> None:
    """Train a model in place, the tasks in turn; with `out`, go on from the checkpoint there, and keep one now and then.

    Raises `FormatUnknown` where the checkpoint there is of other rows or settings.
    """
    torch.manual_seed(course.seed)
    optimizer = AdamW(of.model.parameters(), lr=course.rate, weight_decay=course.decay)
    schedule = LambdaLR(optimizer, lambda step: _share(step, course))
    about = json.dumps([asdict(course), [(one.method, asdict(one.shape), digest_of(one.rows)) for one in tasks]])
    done = 0
    if out is not None and (out / CHECKPOINT).exists():
        kept = torch.load(out / CHECKPOINT, map_location=of.device, weights_only=True)
        if kept["about"] != about:
            raise FormatUnknown(out / CHECKPOINT, "of these rows and settings; remove it, or write elsewhere")
        of.model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        schedule.load_state_dict(kept["schedule"])
        torch.set_rng_state(kept["chance"].cpu())
        done = kept["step"]
    of.model.train()
    for step in range(done, course.steps):
        task = tasks[step % len(tasks)]
        loss = LOSSES[task.method](of, task.shape, turns_of(task.rows, step // len(tasks), course))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(of.model.parameters(), course.clip)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if out is not None and ((step + 1) % course.keep_every == 0 or step + 1 == course.steps):
            kept = {"about": about, "step": step + 1, "model": of.model.state_dict(), "optimizer": optimizer.state_dict()}
            _keep(out, {**kept, "schedule": schedule.state_dict(), "chance": torch.get_rng_state()})
        if on_step is not None:
            on_step(step + 1, float(loss.detach()))
    of.model.eval()


def turns_of(rows: Sequence[Row], step: int, course: Course) -> list[Turn]:
    """Return the rows of a step, each with one of its answers; every epoch has an order of its own, drawn from the seed."""
    turns: list[Turn] = []
    for place in range(step * course.batch, (step + 1) * course.batch):
        epoch, number = divmod(place, len(rows))
        row = rows[_order(len(rows), course.seed, epoch)[number]]
        answer = random.Random(f"{course.seed} {place}").choice(row.answers)
        turns.append((row.question, row.passages, answer))
    return turns


def write(of: Pretrained, out: Path, method: str, shape: GenerationShape, about: dict[str, object]) -> None:
    """Write a model as a folder that the reader of that name loads."""
    of.model.save_pretrained(out)
    of.tokenizer.save_pretrained(out)
    told = {"form": InputFormat(shape.form).value, "source": shape.source, "target": shape.target, "beams": shape.beams}
    (out / SETTINGS).write_text(json.dumps({**told, "method": method, "trained": about}, indent=1) + "\n", encoding="utf-8")


_ORDERS: dict[tuple[int, int], tuple[int, list[int]]] = {}


def _order(rows: int, seed: int, epoch: int) -> list[int]:
    """Return the order of the rows in an epoch, drawn once."""
    if _ORDERS.get((rows, seed), (-1, []))[0] != epoch:
        order = list(range(rows))
        random.Random(f"{seed} {epoch}").shuffle(order)
        _ORDERS[rows, seed] = epoch, order
    return _ORDERS[rows, seed][1]


def _share(step: int, course: Course) -> float:
    if step < course.warm_up:
        return (step + 1) / course.warm_up
    return max(0.0, (course.steps - step) / max(1, course.steps - course.warm_up))


def _keep(out: Path, content: dict[str, object]) -> None:
    """Write a checkpoint whole or not at all."""
    half = out / f"{CHECKPOINT}.part"
    torch.save(content, half)
    half.replace(out / CHECKPOINT)
