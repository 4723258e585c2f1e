r"""Tune a generative reader: for one data set (S43), for several at once (S44), as Fusion-in-Decoder (S05), or as RAG (S06).

    python scripts/training/train_seq2seq.py --model allenai/unifiedqa-v2-t5-base-1363200 --out build/squad2 \
        --set causalqa=../shared/data/causalqa/squad2_train.jsonl
    python scripts/training/train_seq2seq.py --model t5-large --method fid --passages 20 --out build/ifqa-fid \
        --set ifqa=../shared/data/ifqa/full_split/train.json

What is not named is as in the papers. `seq2seq`: AdamW, rate 5e-5, two rows a step, seed 42, 6,000 steps, or 60,000 from
50,000 rows on (CausalQA). `fid`: rate 3e-5, 32 rows a step, 20,000 steps, the rate rising for 2,000 and then falling in a line
(IfQA, with T5-large). `rag` and `rag-token`: as `fid`, for the papers do not tell. --set may be given several times; all rows
together are then learnt jointly; FILE,FILE reads two. --retrieved reads a file in Fusion-in-Decoder's form, rows of {"question",
"answers", "ctxs": [{"title", "text", "score"}]}. Rows with fewer than --passages are filled up with passages of other rows, drawn
with the seed.

A checkpoint is kept every --keep-every steps; a run that was cut off goes on from it when started again with the same options.
The folder that is written is read by `--reader METHOD:FOLDER`. The model is a folder, or a name on the hub (with KGQA_HUB=1 the
first time, so that it is downloaded).
"""

from __future__ import annotations

import argparse
import sys
import time

from generative.seq2seq_rows import Row, digest_of, folder_of, of_retrieved, of_set, with_distractors
from generative.seq2seq_training import Course, Task, train, write

from graph.errors import GraphError, InputEmpty
from kgqa.errors import KgqaError
from kgqa.evaluation.datasets import DATASETS
from kgqa.readers.generative.encoder_decoder import GenerationShape, InputFormat, load_pretrained
from kgqa.readers.generative.generative_readers import USUAL_SHAPES

SEED, MANY = 42, 50_000
ALONE = Course(steps=6_000, batch=2, rate=5e-5)
TOGETHER = Course(steps=20_000, batch=32, rate=3e-5, warm_up=2_000)


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", required=True, help="a folder, or a name on the hub")
    parser.add_argument("--out", required=True, help="the folder to write the reader into")
    parser.add_argument("--method", choices=("seq2seq", "fid", "rag", "rag-token"), default="seq2seq")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=FILE,FILE", dest="sets")
    parser.add_argument("--retrieved", action="append", default=[], metavar="FILE")
    parser.add_argument("--passages", type=int, default=20, help="to each question, for fid and rag")
    for name, kind in (("steps", int), ("batch", int), ("rate", float), ("warm-up", int), ("source", int), ("target", int)):
        parser.add_argument(f"--{name}", type=kind)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--keep-every", type=int, default=1_000)
    options = parser.parse_args(arguments)
    for named in options.sets:
        if named.partition("=")[0] not in DATASETS or not named.partition("=")[2]:
            parser.error(f"--set '{named}' is not NAME=FILE with one of {', '.join(DATASETS)}")
    if not options.sets and not options.retrieved:
        parser.error("nothing to learn: give --set NAME=FILE or --retrieved FILE")
    numbers = [options.passages, options.keep_every, options.steps, options.batch, options.source, options.target]
    if any(one is not None and one < 1 for one in numbers):
        parser.error("--passages, --keep-every, --steps, --batch, --source and --target are numbers from 1 on")
    return options


def course_of(options: argparse.Namespace, rows: int) -> Course:
    """Return how a method is trained on so many rows: as the papers have it, but for what was named."""
    usual = TOGETHER if options.method != "seq2seq" else ALONE
    steps = 60_000 if options.method == "seq2seq" and rows >= MANY else usual.steps
    return Course(
        steps=options.steps or steps,
        batch=options.batch or usual.batch,
        rate=options.rate or usual.rate,
        warm_up=usual.warm_up if options.warm_up is None else options.warm_up,
        seed=options.seed,
        keep_every=options.keep_every,
    )


def shape_of(options: argparse.Namespace, kind: str) -> GenerationShape:
    """Return the form and the sizes of a method's inputs."""
    usual = USUAL_SHAPES.get(options.method, USUAL_SHAPES["rag"])
    form = InputFormat.UNIFIED if options.method.startswith("rag") and kind == "t5" else usual.form
    return GenerationShape(form, options.source or usual.source, options.target or usual.target)


def main(arguments: list[str] | None = None) -> int:
    """Read the rows, train, and write the folder; return the exit code."""
    options, began = options_of(arguments), time.perf_counter()
    try:
        rows: list[Row] = [
            row for named in options.sets for row in of_set(named.partition("=")[0], named.partition("=")[2].split(","))
        ]
        rows += [row for path in options.retrieved for row in of_retrieved(path)]
        if options.method != "seq2seq":
            rows = with_distractors([row for row in rows if row.passages], options.passages, options.seed)
        if not rows:
            raise InputEmpty(", ".join([*options.sets, *options.retrieved]))
        of = load_pretrained(options.model)
        course, shape, out = course_of(options, len(rows)), shape_of(options, of.kind), folder_of(options.out)
        print(f"{len(rows)} rows, {course.steps} steps of {course.batch} on {of.device}", file=sys.stderr)

        def tell(step: int, loss: float) -> None:
            if step % 100 == 0:
                print(f"step {step}: loss {loss:.4f}, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)

        train(of, [Task(options.method, shape, rows)], course, out, tell)
        about = {"model": options.model, "sets": options.sets, "retrieved": options.retrieved, "rows": digest_of(rows)}
        write(of, out, options.method, shape, {**about, "steps": course.steps, "seed": course.seed})
    except (KgqaError, GraphError) as error:
        print(f"train_seq2seq: {error}", file=sys.stderr)
        return 1
    print(
        f"written to {out} after {time.perf_counter() - began:.0f} s; read with it: --reader {options.method}:{out}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
