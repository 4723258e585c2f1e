"""The judge of proposed claims: how surely the sentence states each, with what stance, and how good the names of its ends are.

A rule proposes a claim and stays its reason; the judge reads the sentence.
Its folder holds `model.onnx`, `tokenizer.json` and `judge.json`: the outputs of the network, what calibrates them, and the sizes
of the other two files in bytes. Nothing is downloaded. docs/judgements/claims.md says what the judge was trained on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from graph.errors import GraphError, system_error_text
from graph.mining.judge.judge_input import InputMaker, JudgeInput, Proposal
from graph.model import Polarity, Relation, Stance
from graph.model_checksums import ModelAltered, verify_model
from graph.onnx_session import SLOWER_OPTIMIZERS, first_line, onnx_session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SHIPPED_JUDGE = Path(__file__).with_name("data")
ENCODER, NO_JUDGE = "encoder", "none"
EVERY_CLAIM = f"--judge {NO_JUDGE}, which takes every claim of the rules"
"""What an error of a judge advises."""
MODEL, TOKENIZER, SETTINGS = "model.onnx", "tokenizer.json", "judge.json"
FORMAT = 3
SHIPPED, LOOSE = "rules", "loose"
"""What calibrates the probabilities, by the kind of the rule that proposes."""
_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "marks")
_CLASSES = "classes"
READ_STANCES = {
    "asserted": Stance.ASSERTED,
    "negated": Stance.NEGATED,
    "hedged": Stance.HEDGED,
    "reported": Stance.HEDGED,
    "disputed": Stance.HEDGED,
    "hypothetical": Stance.HYPOTHETICAL,
    "fiction": Stance.HYPOTHETICAL,
    "question": Stance.QUESTIONED,
}
"""The stances that readers tell apart, and the stance of a record that each of them is."""
READ_RELATIONS = {
    "c": (Relation.CAUSES, Polarity.NONE),
    "c+": (Relation.CAUSES, Polarity.INCREASES),
    "c-": (Relation.CAUSES, Polarity.DECREASES),
    "p": (Relation.PREVENTS, Polarity.DECREASES),
    "e": (Relation.ENABLES, Polarity.NONE),
    "m": (Relation.MOTIVATES, Polarity.NONE),
    "f": (Relation.IS_FOR, Polarity.NONE),
    "a": (Relation.ASSOCIATED, Polarity.NONE),
}
"""The relations that readers tell apart, and what a claim has for each."""
_SINGLE = ("said", "reversed", "specific", "cause_named", "effect_named")


class Judgement(NamedTuple):
    """What a judge says of a proposal; probabilities lie in 0..1.

    `relation` is that of the sentence stating the relation, whatever its stance, `right` that of its stating it with `stance`,
    `names` that of its stating it between two things whose names are good for nodes, `specific` that of one event, not a kind.
    `kind` is the likeliest relation and polarity, `kind_chance` its probability where the relation is stated.
    """

    relation: float
    right: float
    names: float
    specific: float
    stance: Stance
    kind: tuple[Relation, Polarity] = READ_RELATIONS["c"]
    kind_chance: float = 0.0


class ClaimJudge(Protocol):
    """Judges proposals, each by itself, so that a judgement depends on nothing else."""

    @property
    def version(self) -> str:
        """What distinguishes its judgements from those of another judge."""

    def judge(self, proposal: Proposal) -> Judgement | None:
        """Return the judgement of a proposal; `None` where there is none, which leaves the claim as the rule has it."""


OpenJudge: TypeAlias = Callable[[], ClaimJudge | None]
"""Opens a judge in each process that mines; to get there it must be picklable."""


class JudgeInvalid(GraphError):
    """The folder of a judge is missing, damaged, or of another version."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"'{folder}' holds no judge of claims: {why}", EVERY_CLAIM)


class EncoderJudge:
    """The judge in a folder, loaded at its first judgement; raises `JudgeInvalid` where a file is missing or damaged."""

    def __init__(self, folder: Path = SHIPPED_JUDGE) -> None:
        self.folder = folder
        self._settings = _read_settings(folder)
        self._stance_names: list[str] = self._settings["stances"]
        self._relation_names: list[str] = self._settings["relations"]
        self._loaded: tuple[Any, InputMaker] | None = None

    @property
    def version(self) -> str:
        """The name of the weights in `judge.json`."""
        return str(self._settings["version"])

    def judge(self, proposal: Proposal) -> Judgement | None:
        """Return the judgement of a proposal; `None` for one whose ends are too far apart to be read."""
        made = self._load()[1].make(proposal)
        if made is None:
            return None
        classes = self.classes_of(made)
        if classes.shape != (sum(self._settings["outputs"].values()),):
            raise JudgeInvalid(self.folder, f"{MODEL} gives no numbers of the right shape")
        return self._judgement(proposal, classes)

    def _load(self) -> tuple[Any, InputMaker]:
        if self._loaded is None:
            from tokenizers import Tokenizer

            try:
                verify_model(self.folder)
            except ModelAltered as error:
                error.remedy += f", or {EVERY_CLAIM}"
                raise
            # The runtime raises errors of many classes of its own, and none that they share; the tokenizers raise `Exception`.
            try:
                session = onnx_session(str(self.folder / MODEL), disabled_optimizers=SLOWER_OPTIMIZERS)
            except Exception as error:
                raise JudgeInvalid(self.folder, f"{MODEL} is damaged: {first_line(error)}") from error
            if {tensor.name for tensor in session.get_inputs()} != set(_INPUTS):
                raise JudgeInvalid(self.folder, f"{MODEL} does not take {', '.join(_INPUTS)}")
            try:
                maker = InputMaker(Tokenizer.from_file(str(self.folder / TOKENIZER)))
            except Exception as error:
                raise JudgeInvalid(self.folder, f"{TOKENIZER} is damaged: {first_line(error)}") from error
            self._loaded = session, maker
        return self._loaded

    def classes_of(self, made: JudgeInput) -> Floats:
        """Return the logits that the network gives for an input."""
        import numpy as np

        ids = np.array([made.ids], np.int64)
        values = (ids, np.ones_like(ids), np.zeros_like(ids), np.array([made.marks], np.int64))
        try:
            (batch,) = self._load()[0].run([_CLASSES], dict(zip(_INPUTS, values, strict=True)))
        except Exception as error:
            raise JudgeInvalid(self.folder, f"{MODEL} fails: {first_line(error)}") from error
        if not np.isfinite(batch).all():
            raise JudgeInvalid(self.folder, f"{MODEL} gives no numbers")
        logits: Floats = batch[0]
        return logits

    def _judgement(self, proposal: Proposal, classes: Floats) -> Judgement:
        sizes: dict[str, int] = self._settings["outputs"]
        starts = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
        relation, reverse, specific, cause_name, effect_name = (_chance(float(classes[starts[name]])) for name in _SINGLE)
        shares, kinds = (_shares(classes[starts[name] : starts[name] + sizes[name]].tolist()) for name in ("stance", "relation"))
        chances = _stance_chances(dict(zip(self._stance_names, shares, strict=True)))
        kind = max(range(len(kinds)), key=kinds.__getitem__)
        stance = self._choose_stance(proposal.stance, chances)
        calibrate = self._settings["calibration"][LOOSE if proposal.loose else SHIPPED]
        return Judgement(
            _calibrated(relation, calibrate["said"]),
            _calibrated(relation * (1 - reverse) * chances[stance], calibrate["right"]),
            _calibrated(cause_name * effect_name, calibrate["named"]),
            specific,
            stance,
            READ_RELATIONS[self._relation_names[kind]],
            kinds[kind],
        )

    def _choose_stance(self, of_rule: Stance, chances: dict[Stance, float]) -> Stance:
        """Return the likeliest stance, where that of the rule has a weight of its own."""
        weight: float = self._settings["rule_stance_weight"]
        return max(chances, key=lambda stance: chances[stance] * (weight if stance is of_rule else 1.0))


def open_judge(name: str = ENCODER) -> ClaimJudge | None:
    """Return the judge "encoder", which is shipped, that of a folder, or `None` for "none"; raises `JudgeInvalid`."""
    return None if name == NO_JUDGE else _open_folder(SHIPPED_JUDGE if name == ENCODER else Path(name))


@cache
def _open_folder(folder: Path) -> EncoderJudge:
    return EncoderJudge(folder)


def _chance(log_odds: float) -> float:
    return 0.5 * (1.0 + math.tanh(log_odds / 2))


def _shares(logits: list[float]) -> list[float]:
    """Return the probabilities of some classes."""
    highest = max(logits)
    powers = [math.exp(value - highest) for value in logits]
    return [power / sum(powers) for power in powers]


def _stance_chances(by_name: dict[str, float]) -> dict[Stance, float]:
    chances = dict.fromkeys(Stance, 0.0)
    for name, chance in by_name.items():
        chances[READ_STANCES[name]] += chance
    return chances


def _calibrated(probability: float, line: Sequence[float]) -> float:
    """Return the probability whose log-odds are those of `probability` on a line of slope and intercept (Platt 1999)."""
    return weighted_chance(((line[0], probability),), line[1])


def weighted_chance(weighted: Iterable[tuple[float, float]], shift: float, least: float = 1e-6) -> float:
    """Return the probability whose log-odds are the weighted ones of some probabilities, and a shift; `least` bounds each."""
    bounded = ((weight, min(max(probability, least), 1 - least)) for weight, probability in weighted)
    return _chance(sum(weight * math.log(probability / (1 - probability)) for weight, probability in bounded) + shift)


def _read_settings(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise JudgeInvalid(folder, "there is no such folder")
    for name in (SETTINGS, MODEL, TOKENIZER):
        if not (folder / name).is_file():
            raise JudgeInvalid(folder, f"it has no {name}")
    try:
        settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        if settings["format"] != FORMAT:
            raise JudgeInvalid(folder, f"{SETTINGS} is of format {settings['format']}, and {FORMAT} is read")
        for name, expected in settings["bytes"].items():
            size = (folder / name).stat().st_size
            if size != expected:
                raise JudgeInvalid(folder, f"{name} is damaged: it has {size:,} bytes, not {expected:,}")
        _check_numbers(settings)
    except OSError as error:
        raise JudgeInvalid(folder, system_error_text(error)) from error
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise JudgeInvalid(folder, f"{SETTINGS} is damaged: {first_line(error)}") from error
    return settings  # type: ignore[no-any-return]


def _check_numbers(settings: Mapping[str, Any]) -> None:
    """Raise an error, of one of several classes, for settings that are not those of a judge."""
    lines = [settings["calibration"][proposer][name] for proposer in (SHIPPED, LOOSE) for name in ("said", "right", "named")]
    numbers = [*(value for line in lines for value in line), settings["rule_stance_weight"]]
    sound = all(isinstance(value, int | float) and math.isfinite(value) for value in numbers)
    whole = all(isinstance(size, int) and 0 < size < 100 for size in settings["outputs"].values())
    if not sound or not whole or {len(line) for line in lines} != {2}:
        raise ValueError("a number is missing")
    if not set(settings["stances"]) <= set(READ_STANCES) or len(settings["stances"]) != settings["outputs"]["stance"]:
        raise ValueError("a stance is unknown")
    if not set(settings["relations"]) <= set(READ_RELATIONS) or len(settings["relations"]) != settings["outputs"]["relation"]:
        raise ValueError("a relation is unknown")
    if not set(_SINGLE) <= set(settings["outputs"]) or not isinstance(settings["version"], str):
        raise ValueError("an output is missing")
