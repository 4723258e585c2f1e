"""Encoder-decoder models in a folder or by their name on the hub, loaded through transformers (the extra `neural`).

`KGQA_DEVICE` names the device ("cpu", "cuda:1"); without it that is the first GPU, or the processor. Nothing is downloaded unless
`KGQA_HUB` is 1: a name on the hub is looked up among earlier downloads.

The generative readers use three operations of a model: encode passages, score the next tokens, score an answer. The beam search
over tokens works with any function that scores the next tokens.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from inspect import signature
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from graph.errors import PackageMissing
from graph.model_checksums import verify_model
from kgqa.errors import GeneratorInvalid
from kgqa.settings import Settings, variable_name

HUB, BEAMS = map(variable_name, ("hub", "beams"))
SETTINGS = "reader.json"
_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "model.safetensors.index.json", "pytorch_model.bin.index.json")
CHARACTERS_PER_TOKEN = 64
"""So many characters of an input are read for each token that it may have; no token of a text is longer on average."""
NextTokens = Sequence[tuple[int, float]]
"""Tokens that may come next with the logarithms of their probabilities, likeliest first."""
DecodingStep = Callable[[Sequence[int], Sequence[int]], Sequence[NextTokens]]
"""Takes, for each beam, the number of the beam that it goes on from and its newest token; returns what may come next in each."""
_TOKENIZERS = (("tokenizer.json",), ("spiece.model",), ("sentencepiece.bpe.model",), ("vocab.json", "merges.txt"))


class InputFormat(StrEnum):
    """In whose form a model wants its input: UnifiedQA's, Fusion-in-Decoder's or RAG's."""

    UNIFIED = "unified"
    FUSION = "fusion"
    RAG = "rag"


@dataclass(frozen=True, slots=True)
class GenerationShape:
    """How a model is asked: the form of its input, how many tokens it and an answer may have, and how many beams are followed."""

    form: InputFormat
    source: int
    target: int
    beams: int = 5


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A model with its tokenizer on a device, and the content of `reader.json` beside its weights: how it was trained."""

    name: str
    model: Any
    tokenizer: Any
    device: str
    training_settings: Mapping[str, object]

    @property
    def start(self) -> int:
        """The token before the first one of an answer."""
        config = self.model.generation_config
        return int(config.decoder_start_token_id if config.decoder_start_token_id is not None else config.bos_token_id)

    @property
    def ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        ends = self.model.generation_config.eos_token_id
        return frozenset(ends if isinstance(ends, list) else [ends])

    @property
    def forced(self) -> int | None:
        """The token that every answer begins with, where a model has one (as BART's do)."""
        forced: int | None = getattr(self.model.generation_config, "forced_bos_token_id", None)
        return forced

    @property
    def kind(self) -> str:
        """What family of models it is of: "t5", "bart"."""
        return str(self.model.config.model_type)

    def shape(self, usual: GenerationShape, settings: Settings | None = None) -> GenerationShape:
        """Return how it is asked: as its `reader.json` says, else as is usual; `KGQA_BEAMS` says how many beams are followed.

        Raises `GeneratorInvalid` for a setting that cannot be used.
        """
        sizes = {"source": usual.source, "target": usual.target, "beams": usual.beams}
        for name in sizes:
            sizes[name] = _positive_number(self.training_settings.get(name, sizes[name]), f"'{name}' in {SETTINGS}", self.name)
        sizes["beams"] = _positive_number((settings or Settings.read()).beams or sizes["beams"], BEAMS, self.name)
        form = self.training_settings.get("form", usual.form)
        if form not in list(InputFormat):
            raise GeneratorInvalid(self.name, f"'form' in {SETTINGS} is {form!r}, not one of {', '.join(InputFormat)}")
        return GenerationShape(InputFormat(str(form)), **sizes)


def load_pretrained(name: str, settings: Settings | None = None) -> Pretrained:
    """Return the model in a folder, or of a name on the hub, ready to write answers.

    Raises `PackageMissing` without transformers and torch, `GeneratorInvalid` where there is no such model, where its folder
    lacks a file, and where a file or the device cannot be used.
    """
    folder = Path(name).expanduser()
    training_settings = _read_settings(folder) if folder.exists() or name.startswith((".", "/", "~")) else {}
    try:
        import torch
        from safetensors import SafetensorError
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError:
        raise PackageMissing("a generative reader", "torch or transformers", "neural") from None
    settings = settings or Settings.read()
    if folder.is_dir():
        verify_model(folder)
    offline = settings.hub != "1" or folder.is_dir()
    where = str(folder) if folder.is_dir() else name
    device = settings.device or ("cuda" if torch.cuda.is_available() else "cpu")
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, local_files_only=offline)
        model, loaded = AutoModelForSeq2SeqLM.from_pretrained(where, local_files_only=offline, output_loading_info=True)
    except (OSError, EOFError, LookupError, TypeError, ValueError, RuntimeError, AttributeError, ImportError) as error:
        reason = f"its files cannot be used: {_first_error_line(error)}"
        if offline and not folder.is_dir() and isinstance(error, OSError | ValueError):
            reason = f"no such folder, and the hub's model of that name was not downloaded before ({HUB}=1 lets it be downloaded)"
        raise GeneratorInvalid(name, reason) from error
    except (SafetensorError, UnpicklingError) as error:
        raise GeneratorInvalid(name, f"its weights cannot be used: {_first_error_line(error)}") from error
    config = model.generation_config
    if config.eos_token_id is None or (config.decoder_start_token_id is None and config.bos_token_id is None):
        raise GeneratorInvalid(name, "its settings do not say which tokens begin and end an answer")
    if missing := loaded["missing_keys"]:
        raise GeneratorInvalid(name, f"its weights lack {len(missing)} layers, such as {min(missing)}")
    try:
        return Pretrained(name, model.float().to(device).eval(), tokenizer, device, training_settings)
    except (RuntimeError, AssertionError) as error:
        raise GeneratorInvalid(name, f"cannot use the device '{device}': {_first_error_line(error)}") from error


def _read_settings(folder: Path) -> Mapping[str, object]:
    """Return the settings in a model folder; raise `GeneratorInvalid` where it lacks a file."""
    name = str(folder)
    if not folder.is_dir():
        raise GeneratorInvalid(name, "no such folder" if not folder.exists() else "it is not a folder")
    has = {path.name for path in folder.iterdir()}
    if "config.json" not in has:
        raise GeneratorInvalid(name, "config.json is missing")
    if has.isdisjoint(_WEIGHTS):
        raise GeneratorInvalid(name, "the weights (model.safetensors) are missing")
    if not any(has.issuperset(files) for files in _TOKENIZERS):
        raise GeneratorInvalid(name, "the tokenizer (tokenizer.json) is missing")
    if SETTINGS not in has:
        return {}
    try:
        settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GeneratorInvalid(name, f"{SETTINGS} cannot be read: {_first_error_line(error)}") from error
    if not isinstance(settings, dict):
        raise GeneratorInvalid(name, f"{SETTINGS} is not an object")
    return settings


def _positive_number(value: object, what: str, name: str) -> int:
    number = int(value) if isinstance(value, str) and value.isdecimal() else value
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise GeneratorInvalid(name, f"{what} is {value!r}, not a number from 1 on")
    return number


def _first_error_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Tokens that a model may answer with, the one that ends them included, and the logarithm of their probability."""

    tokens: tuple[int, ...]
    log_probability: float

    @property
    def score(self) -> float:
        """The probability of one token of it on average (the geometric mean): 0..1, whatever its length."""
        return math.exp(self.log_probability / max(len(self.tokens), 1))


def beam_search(step: DecodingStep, start: int, ends: frozenset[int], beams: int, longest: int) -> list[Hypothesis]:
    """Return at most `beams` answers of at most `longest` tokens, likeliest first; with one beam, the greedy answer.

    The search stops when no beam can come before the last of `beams` finished ones any more: a probability only falls as a beam
    goes on. Each step must offer two tokens a beam, or all there are. Equally likely answers come in the order of their tokens.
    """
    live = [Hypothesis((), 0.0)]
    parents, newest = [0], [start]
    finished: list[Hypothesis] = []
    for _ in range(longest):
        offered = [
            (Hypothesis((*beam.tokens, token), beam.log_probability + log), place)
            for place, (beam, following) in enumerate(zip(live, step(parents, newest), strict=True))
            for token, log in following
        ]
        offered.sort(key=lambda offer: _hypothesis_rank(offer[0]))
        finished = rank_hypotheses([*finished, *(beam for beam, _ in offered[:beams] if beam.tokens[-1] in ends)])[:beams]
        going = [(beam, place) for beam, place in offered if beam.tokens[-1] not in ends][:beams]
        live = [beam for beam, _ in going]
        if (
            not live
            or (finished and beams == 1)
            or (len(finished) == beams and _hypothesis_rank(finished[-1]) <= _hypothesis_rank(live[0]))
        ):
            return finished
        parents, newest = [place for _, place in going], [beam.tokens[-1] for beam in live]
    return rank_hypotheses([*finished, *live])[:beams]


def rank_hypotheses(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return hypotheses by probability, likeliest first; equal ones by their tokens, so that the order is always the same."""
    return sorted(hypotheses, key=_hypothesis_rank)


def _hypothesis_rank(hypothesis: Hypothesis) -> tuple[float, tuple[int, ...]]:
    return -hypothesis.log_probability, hypothesis.tokens


@dataclass(frozen=True, slots=True)
class EncodedInputs:
    """Inputs after the encoder: states [inputs, tokens, width] and their mask; `cut` numbers the inputs that were too long."""

    states: Any
    mask: Any
    cut: tuple[int, ...]

    def fused(self) -> EncodedInputs:
        """Return the inputs one after the other as a single one, which a decoder reads at once (Fusion-in-Decoder)."""
        states, mask = self.states, self.mask
        return EncodedInputs(states.reshape(1, -1, states.shape[-1]), mask.reshape(1, -1), self.cut)


def encode_texts(of: Pretrained, texts: Sequence[str], longest: int) -> EncodedInputs:
    """Return texts as the encoder sees them, each by itself, cut after `longest` tokens."""
    import torch

    rows = of.tokenizer(list(texts), truncation=False, padding=False)["input_ids"]
    cut = tuple(place for place, row in enumerate(rows) if len(row) > longest)
    batch = of.tokenizer(list(texts), truncation=True, max_length=longest, padding=True, return_tensors="pt")
    ids, mask = batch["input_ids"].to(of.device), batch["attention_mask"].to(of.device)
    with torch.inference_mode():
        states = of.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
    return EncodedInputs(states, mask, cut)


def generate_hypotheses(
    of: Pretrained, read: EncodedInputs, beams: int, longest: int, weights: Sequence[float] = (0.0,)
) -> list[Hypothesis]:
    """Return the likeliest answers to what was encoded, best first.

    `weights` are the logarithms of how much each input counts: the probability of the next token is the weighted sum of what the
    inputs each say of it (RAG-token; one input has the weight 0).
    """
    return beam_search(_decoding_step(of, read, beams, weights), of.start, of.ends, beams, longest)


def _decoding_step(of: Pretrained, read: EncodedInputs, beams: int, weights: Sequence[float]) -> DecodingStep:
    """Return what offers the next tokens of beams; it keeps what the decoder computed for the tokens before."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    inputs = len(weights)
    weight = torch.tensor(weights, device=of.device)[None, :, None]
    padding = of.tokenizer.pad_token_id
    decoder_cache: Any = None
    # transformers 5.24 calls it "cache".
    cache_name = "cache" if "cache" in signature(of.model.forward).parameters else "past_key_values"

    def step(parents: Sequence[int], newest: Sequence[int]) -> Sequence[NextTokens]:
        nonlocal decoder_cache
        rows = torch.tensor([parent * inputs + item for parent in parents for item in range(inputs)], device=of.device)
        token = torch.tensor(newest, device=of.device).repeat_interleave(inputs)[:, None]
        first = decoder_cache is None
        if not first:
            decoder_cache.reorder_cache(rows)
        with torch.inference_mode():
            states, mask = (item.repeat(len(parents), *([1] * (item.dim() - 1))) for item in (read.states, read.mask))
            output = of.model(
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
                attention_mask=mask,
                decoder_input_ids=token,
                use_cache=True,
                **{cache_name: decoder_cache},
            )
            decoder_cache = getattr(output, cache_name)
            logs = torch.log_softmax(output.logits[:, -1].float(), dim=-1).view(len(parents), inputs, -1)
            mixed = torch.logsumexp(logs + weight, dim=1)
            if padding is not None:
                mixed[:, padding] = -torch.inf
            values, tokens = torch.topk(mixed, min(2 * beams, mixed.shape[-1] - 1), dim=-1)
        if first and of.forced is not None:
            return [[(of.forced, 0.0)]]
        return [list(zip(*pair, strict=True)) for pair in zip(tokens.tolist(), values.tolist(), strict=True)]

    return step


def sequence_log_probabilities(of: Pretrained, read: EncodedInputs, sequences: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return, for each sequence of tokens, the logarithm of its probability given each of the inputs."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    inputs = read.states.shape[0]
    log_probabilities = []
    for sequence in sequences:
        tokens = torch.tensor([of.start, *sequence], device=of.device).repeat(inputs, 1)
        with torch.inference_mode():
            output = of.model(
                encoder_outputs=BaseModelOutput(last_hidden_state=read.states),
                attention_mask=read.mask,
                decoder_input_ids=tokens[:, :-1],
                use_cache=False,
            )
            logs = torch.log_softmax(output.logits.float(), dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
        if of.forced is not None and tuple(sequence[:1]) == (of.forced,):
            logs = logs[:, 1:]
        log_probabilities.append([float(value) for value in logs.sum(dim=-1)])
    return log_probabilities


def decode_tokens(of: Pretrained, tokens: Sequence[int]) -> str:
    """Return the text of tokens, those left out that only mark something, such as the end."""
    return str(of.tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()


def tokenise_answer(of: Pretrained, text: str, longest: int) -> list[int]:
    """Return the tokens that a model would write a text with, the end included."""
    tokens: list[int] = of.tokenizer(text_target=text, truncation=True, max_length=longest)["input_ids"]
    return tokens
