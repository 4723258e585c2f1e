"""Try to break kgqa: seeded campaigns of kills, faults, damage, odd input, hostile names, lying servers and concurrent use.

    python scripts/campaign/run.py --hours 2 --state campaign.jsonl
    python scripts/campaign/run.py kills faults --trials 50
    python scripts/campaign/run.py corruption --only 17 --seed 3

Campaigns take turns, a trial each, until the time or the trials are over. Each trial draws everything from the seed, the name of
its campaign and its number, so `--only` tries one again. `--state` keeps a line a trial; a run with the same file and seed goes
on behind the last one. In the end a table tells how many were tried, held and failed, and how each failure is tried again. The
exit code is 1 where one failed. `neo4j_kills` runs where it is named.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO, cast

from trials import Campaign, NotHeld

CAMPAIGNS = ("kills", "faults", "corruption", "fuzzing", "loaders", "names", "chat", "concurrency")
ON_REQUEST = ("neo4j_kills",)


def one_trial(name: str, seed: int, number: int, given: Path) -> dict[str, object]:
    """Try once, and return the line that is kept of it."""
    campaign = cast(Campaign, importlib.import_module(name))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"kgqa-{name}-") as place:
        try:
            told = campaign.trial(random.Random(f"{seed} {name} {number}"), given, Path(place))
            held = True
        except NotHeld as failure:
            told, held = str(failure), False
    took = round(time.monotonic() - began, 1)
    return {"campaign": name, "seed": seed, "trial": number, "held": held, "told": told, "seconds": took}


def earlier_trials(state: Path | None, seed: int) -> list[dict[str, object]]:
    """Return the lines of earlier runs with this seed."""
    if state is None or not state.exists():
        return []
    lines = map(json.loads, state.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["seed"] == seed]


def turns(names: list[str], done: list[dict[str, object]], only: int | None, trials: int | None) -> Iterator[tuple[str, int]]:
    """Yield the campaign and the number of each trial, in turns."""
    if only is not None:
        yield from ((name, only) for name in names)
        return
    first = {name: max((cast(int, line["trial"]) + 1 for line in done if line["campaign"] == name), default=0) for name in names}
    number = 0
    while trials is None or number < trials:
        yield from ((name, first[name] + number) for name in names)
        number += 1


def table(lines: list[dict[str, object]]) -> str:
    """Return what was tried, as a Markdown table, and how each failure is tried again."""
    rows = ["| campaign | tried | held | failed | minutes |", "|---|---|---|---|---|"]
    for name in dict.fromkeys(str(line["campaign"]) for line in lines):
        of = [line for line in lines if line["campaign"] == name]
        held = sum(bool(line["held"]) for line in of)
        minutes = sum(cast(float, line["seconds"]) for line in of) / 60
        rows.append(f"| {name} | {len(of)} | {held} | {len(of) - held} | {minutes:.1f} |")
    for line in lines:
        if not line["held"]:
            again = f"python scripts/campaign/run.py {line['campaign']} --seed {line['seed']} --only {line['trial']}"
            rows.append(f"\n{again}\n    {line['told']}")
    return "\n".join(rows)


def campaign_run(names: list[str], given: argparse.Namespace, state: TextIO | None) -> list[dict[str, object]]:
    """Prepare each campaign where its first turn comes, and try until the end."""
    until = time.monotonic() + given.hours * 3600
    lines = earlier_trials(given.state, given.seed) if given.only is None else []
    folders: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="kgqa-campaign-") as folder:
        for name, number in turns(names, lines, given.only, given.trials):
            if given.trials is None and given.only is None and time.monotonic() > until:
                break
            if name not in folders:
                folders[name] = Path(folder) / name
                folders[name].mkdir()
                cast(Campaign, importlib.import_module(name)).prepare(folders[name])
            line = one_trial(name, given.seed, number, folders[name])
            lines.append(line)
            if state is not None:
                print(json.dumps(line), file=state, flush=True)
            print(f"{name} {number}: {'held' if line['held'] else 'FAILED'}: {line['told']}", file=sys.stderr, flush=True)
    return lines


def main() -> None:
    """Read the arguments, and run the campaigns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "campaigns", nargs="*", metavar="CAMPAIGN", help=f"of {', '.join((*CAMPAIGNS, *ON_REQUEST))}; default: the first eight"
    )
    parser.add_argument("--hours", type=float, default=0.1, help="how long (default: 0.1)")
    parser.add_argument("--trials", type=int, help="how many of each, in place of --hours")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="the one trial of this number")
    parser.add_argument("--state", type=Path, help="keeps the trials; a later run goes on behind them")
    given = parser.parse_args()
    if unknown := set(given.campaigns) - {*CAMPAIGNS, *ON_REQUEST}:
        parser.error(f"no campaign {', '.join(sorted(unknown))}")
    names = given.campaigns or list(CAMPAIGNS)
    if given.state is None:
        lines = campaign_run(names, given, None)
    else:
        with given.state.open("a", encoding="utf-8") as state:
            lines = campaign_run(names, given, state)
    print(table(lines))
    sys.exit(not all(line["held"] for line in lines))


if __name__ == "__main__":
    main()
