"""What was said to a question of a data set: a line of `predictions.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from graph.sources.jsonl import RecordInvalid

PLAUSIBILITY = "plausibility"
"""The route of what is said of a pair of words that there is no verdict on."""

CLAIMS_ALONE = "kgqa, claims alone"
"""The row of the verdicts of a set whose undecided pairs are told by their plausibility."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What kgqa and the plain baselines say to one question; nothing in it depends on the clock.

    `said` is a verdict, a label or the answer in its short form; `None` where there is none. `semantic`, `pragmatic`, `subtype`,
    `cause` and `effect` tell how the question was understood, `link` how surely its phrases were read, `found` which of the two
    concepts that the data set marks the graph has by their names. `baselines` are what plain methods say, by name. `rank` is the
    place of the first gold passage among those retrieved, 0 for none, and `edit` how a passage was edited for the answer. `guess`
    is what a reader finds likeliest, were it not allowed to say that there is no answer.
    """

    id: str
    question: str
    response: str | None
    confidence: float
    route: str
    gold: tuple[str, ...]
    semantic: str = ""
    pragmatic: str = ""
    subtype: str = ""
    cause: str = ""
    effect: str = ""
    link: float = 0.0
    connection: str = ""
    names_found: tuple[bool, bool] | None = None
    baselines: Mapping[str, str | None] = field(default_factory=dict)
    rank: int | None = None
    edit: str = ""
    guess: str | None = None

    @property
    def answered(self) -> bool:
        """Whether there is an answer: neither nothing nor "unknown"; a contested verdict takes no side and is none."""
        return self.response not in (None, "unknown", "contested")

    def record(self, *, verdict: bool) -> dict[str, Any]:
        """Return the prediction as it is written; the answer is called "verdict" in a set of yes and no."""
        names = {"response": "verdict" if verdict else "prediction", "names_found": "found"}
        return {names.get(name, name): value for name, value in asdict(self).items()}


def read_prediction(record: Mapping[str, Any]) -> Prediction:
    """Return the prediction that a line of `predictions.jsonl` holds; raise `RecordInvalid` where it holds none."""
    try:
        concept_pair = record["found"]
        return Prediction(
            id=record["id"],
            question=record["question"],
            response=record["verdict"] if "verdict" in record else record["prediction"],
            confidence=float(record["confidence"]),
            route=record["route"],
            gold=tuple(record["gold"]),
            semantic=record["semantic"],
            pragmatic=record["pragmatic"],
            subtype=record["subtype"],
            cause=record["cause"],
            effect=record["effect"],
            link=float(record["link"]),
            connection=record["connection"],
            names_found=None if concept_pair is None else (concept_pair[0], concept_pair[1]),
            baselines=dict(record["baselines"]),
            rank=record.get("rank"),
            edit=record.get("edit", ""),
            guess=record.get("guess"),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RecordInvalid(f"no prediction: {type(error).__name__.lower()} {error}") from None
