"""Yes or no by the words and the network: a logistic regression over how a question matches the sentences of a passage.

The features are the share of the question's words that the best sentences hold, negations, words of change, exception or
likeness, numbers and opposites, the order of the words, and the form of the question, and what a reader's network says.
scripts/fit/fit_whether.py fits the weights; a reader's folder holds them beside its network.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import log
from pathlib import Path

from graph.text.segmentation import separated_spans, text_tokens
from graph.text.stems import stem
from graph.text.stop_words import STOP_WORDS
from kgqa.calibration.linear_model import LogisticModel, read_fitted_model
from kgqa.errors import FittedModelInvalid, ReaderInvalid

YES_NO_FILE = "whether.json"
NETWORK_FEATURE = "network"
"""The feature that a reader adds: the log-odds of yes, rather than no, by its network."""
_TABLES = tomllib.loads(Path(__file__).with_name("yes_no_words.toml").read_text(encoding="utf-8"))
_CUE = {name: re.compile(rf"\b(?:{words})\b") for name, words in _TABLES["cues"].items()}
_FRAME = {name: re.compile(rf"\b(?:{words})\b") for name, words in _TABLES["frames"].items()}
_FRAME_CUES = {entry: entry.split("-") for entry in _TABLES["frame_cue_pairs"].split()}
_PASSAGE_CUES, _FIRST_WORDS = _TABLES["passage_cues"].split(), _TABLES["first_words"].split()
_OPPOSITES = [entry.split() for entry in _TABLES["opposites"].split(",")]
OPPOSITE_PAIRS = {pair for first, second in _OPPOSITES for pair in ((first, second), (second, first))}
"""The words that say the opposite of one another, each pair both ways."""
_STOP_WORDS = STOP_WORDS["yes-no"]
_CLAUSE = re.compile(r"[,:(]|\b(?:but|however|although|while|whereas)\b")
_DENIES = re.compile(r"\b(?:not|never|no|neither|nor|without|cannot|none|\w+n['’]t)\b")
_DOUBTS = re.compile(
    _DENIES.pattern
    + r"|\b(?:nobody|nothing|nowhere|non|lacks?|lacked|lacking|absence|unable|fail(?:s|ed)?|rarely|seldom|hardly)\b"
    r"|\b(?:un(?!it|i|der|til|less|ion)|im(?=poss|perm)|il(?=leg)|in(?=elig|suff|comp|valid))\w{4,}"
)


@cache
def load_yes_no_model(folder: Path) -> LogisticModel | None:
    """Return the model in a reader's folder, `None` where it has none; raises `ReaderInvalid` for a damaged file.

    Over the features of `yes_no_features` it gives the probability that a passage says "yes".
    """
    path = folder / YES_NO_FILE
    if not path.exists():
        return None
    try:
        return read_fitted_model(path).logistic()
    except (FittedModelInvalid, KeyError) as error:
        raise ReaderInvalid(folder, f"{YES_NO_FILE} cannot be read ({error}); run scripts/fit/fit_whether.py") from error


def shares_term(question: str, passage: str) -> bool:
    """Return whether a passage holds any content word of a question."""
    return not set(_question_terms(compared_words(question))).isdisjoint(map(word_stem, compared_words(passage)))


def yes_no_features(question: str, passage: str) -> dict[str, float]:
    """Return the features by name; a missing feature is 0."""
    question_words, low = compared_words(question), question.lower()
    terms = _question_terms(question_words)
    texts = [text for span in separated_spans(passage, "yes-no") if (text := passage[slice(*span)].lower()).strip()] or [""]
    words = [compared_words(item) for item in texts]
    stems = [set(map(word_stem, item)) for item in words]
    known = {term: sum(term in item for item in stems) for term in terms}
    rarity = {term: log(1.0 + (len(texts) + 1.0) / (count + 0.5)) for term, count in known.items()}
    whole = sum(rarity.values()) or 1.0

    def held(present_stems: set[str]) -> float:
        return sum(value for term, value in rarity.items() if term in present_stems) / whole

    held_by = [held(item) for item in stems]
    order = sorted(range(len(texts)), key=lambda at: -held_by[at])
    top = order[0]
    denied = [at for at in order if _DENIES.search(texts[at])]
    plain = [at for at in order if not _DOUBTS.search(texts[at])]
    clauses = [part for at in order[:3] for part in _CLAUSE.split(texts[at])]
    covered = [held(set(map(word_stem, compared_words(item)))) for item in clauses]
    clause = max(range(len(clauses)), key=lambda at: covered[at])
    no, doubt = float(top in denied), float(top not in plain)
    no_clause = float(bool(_DENIES.search(clauses[clause])))
    near = [at for at in order[:3] if held_by[at] >= 0.5 * held_by[top]]
    values = {
        "best": held_by[top], "two": max(held(stems[at] | stems[top]) for at in order[:6]), "lead": held_by[0],
        "all": held(set().union(*stems)), "gone": float(sum(not item for item in known.values())),
        "full": float(held_by[top] > 0.999), "first": float(top == 0),
        "close": float(sum(item >= 0.8 * held_by[top] for item in held_by)) if held_by[top] else 0.0,
        "asks no": float(bool(_DOUBTS.search(low))), "no": no, "doubt": doubt, "no held": no * held_by[top],
        "doubt held": doubt * held_by[top], "odd": abs(float(bool(_DOUBTS.search(low))) - doubt),
        "no near": sum(at in denied for at in near) / len(near),
        "no all": min(5, len(_DENIES.findall(" ".join(texts)))) / len(texts),
        "best no": held_by[denied[0]] if denied else 0.0, "best plain": held_by[plain[0]] if plain else 0.0,
        "clause": covered[clause], "clause no": no_clause, "clause no held": no_clause * covered[clause],
        "denied": no_clause * (covered[clause] > 0.85), "said": (1 - no_clause) * (1 - doubt) * (covered[clause] > 0.85),
        "long": log(1.0 + len(question_words)), "terms": float(len(terms)), "sentences": log(len(texts)),
        "sentence": log(1.0 + len(words[top])),
        "ever": float("ever" in question_words) * no,
    }  # fmt: skip
    values["no rather"] = values["best no"] - values["best plain"]
    values |= _cue_features(low, texts[top], " ".join(texts)) | _order_features(terms, words[top])
    values |= _contrast_features(question_words, words, top)
    half = (len(terms) + 1) // 2
    values["head"] = sum(term in stems[top] for term in terms[:half]) / max(1, half)
    values["tail"] = sum(term in stems[top] for term in terms[half:]) / max(1, len(terms) - half)
    values["last"] = float(bool(terms) and terms[-1] in stems[top])
    values["last gone"] = float(bool(terms) and not known[terms[-1]])
    values["asks " + (question_words[0] if question_words and question_words[0] in _FIRST_WORDS else "otherwise")] = 1.0
    return values


def _cue_features(question: str, sentence: str, passage: str) -> dict[str, float]:
    cues = {name: float(bool(cue.search(sentence))) for name, cue in _CUE.items()}
    frames = {name: float(bool(frame.search(question))) for name, frame in _FRAME.items()}
    both = {pair: frames[frame] * cues[cue] for pair, (frame, cue) in _FRAME_CUES.items()}
    features = {f"sentence {name}": value for name, value in cues.items()} | both
    features |= {f"frame {name}": value for name, value in frames.items()}
    return features | {f"passage {name}": float(bool(_CUE[name].search(passage))) for name in _PASSAGE_CUES}


def _order_features(terms: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    stems = [word_stem(word) for word in words if word not in _STOP_WORDS]
    places = [stems.index(term) for term in terms if term in stems]
    pairs = [item < later for at, item in enumerate(places) for later in places[at + 1 :]]
    beside = set(pairwise(stems))
    joined = sum(item in beside for item in pairwise(terms)) / max(1, len(terms) - 1)
    turned = float(len(places) > 1 and places[0] > places[-1])
    spread = log(1.0 + max(places) - min(places)) if places else 0.0
    return {"order": sum(pairs) / len(pairs) - 0.5 if pairs else 0.0, "turned": turned, "joined": joined, "spread": spread}


def _contrast_features(question_words: Sequence[str], words: Sequence[Sequence[str]], top: int) -> dict[str, float]:
    every, best, of = set().union(*words), set(words[top]), set(question_words)
    numbers = [word for word in question_words if word[0].isdigit()]
    values = {"number": bool(numbers), "number gone": any(item not in every for item in numbers),
             "number elsewhere": any(item not in best for item in numbers)}  # fmt: skip
    values["opposite"] = any(item in of - best and opposite in best for item, opposite in OPPOSITE_PAIRS)
    values["opposite anywhere"] = any(item in of - every and opposite in every for item, opposite in OPPOSITE_PAIRS)
    return {name: float(value) for name, value in values.items()}


def _question_terms(question_words: Sequence[str]) -> list[str]:
    return list(
        dict.fromkeys(word_stem(word) for word in question_words if word not in _STOP_WORDS and not _DENIES.fullmatch(word))
    )


def compared_words(text: str) -> list[str]:
    """Return the words of a text in lower case, as they are compared."""
    return text_tokens(text.lower(), "yes-no")


def word_stem(word: str) -> str:
    """Return the stem by which two lower-case words are held to be the same."""
    return stem(word, "yes-no")
