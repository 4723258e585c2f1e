"""Whether a passage tells what is asked, by the words of question and passage and of the sentence of the likeliest answer.

Questions that were changed so that their passage does not answer them name another person or number, deny what the passage says,
or say the opposite. A logistic regression over such differences moves the network's probability of "not told";
scripts/fit/fit_support.py fits it on articles that the network was trained on, and so without its score.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log

from graph.text.segmentation import sentence_spans
from graph.text.stop_words import STOP_WORDS
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.readers.extractive.yes_no_model import OPPOSITE_PAIRS, compared_words, word_stem

ANSWER_SUPPORT = "answer_support"
"""The name of the fitted model."""
_MISMATCHES = ("gone", "capgone", "numgone", "neg q", "opp")
_DENIAL = re.compile(
    r"\b(?:not|never|no|neither|nor|without|cannot|none|nobody|nothing|few|least|rarely|unable|fail\w*|lack\w*|except|other than|"
    r"stop\w*|exclud\w*)\b|n['’]t\b|\bun(?!i|der|til|less)\w{4,}|\b(?:im|in|il)(?=poss|eligib|suffi|capab|compl|visib|activ|effec)\w+",
    re.IGNORECASE,
)
_QUESTION_WORDS = ("who", "whom", "whose", "what", "which", "when", "where", "why", "how")
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|half|third|quarter|"
    r"dozen|twice|once|first|second)\b",
    re.IGNORECASE,
)
_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|long|old|far)\b|\bwhat (?:year|percent|number|date|time|age)|\bwhich year\b|^when\b", re.IGNORECASE
)
_ASKS_AMOUNT = re.compile(
    r"\bhow (?:many|old|tall|far|high|deep|long|heavy)\b|"
    r"\b(?:what|which) (?:\w+ )?(?:year|age|date|percentage|number|decade|century)\b",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"^(?:\w+ )?(?:who|whom|whose)\b|\b(?:which|what) (?:\w+ )?(?:country|countries|city|cities|state|river|nation|town|"
    r"continent|ocean|island|person|king|queen|president|company|university|team|author|actor)\b",
    re.IGNORECASE,
)
_ASKS_THING = re.compile(r"\b(?:who|whom|which (?!is\b|was\b|were\b|of\b|reason|cause|effect|result)[a-z]+)\b", re.IGNORECASE)
_FINITE = re.compile(r"\s(?:is|are|was|were|has|had)\s")
_AMOUNT = re.compile(
    _NUMBER.pattern + r"|\b(?:zero|\w+teen|\w+ty|hundreds?|thousands?|millions?|billions?|dozens?|double|none|no|"
    r"several|many|most|few|all|both|century|(?:decade|year|month|week|day|hour|minute)s?)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=\s)[A-Z][\w'’-]+")
_FIGURE = re.compile(r"\d[\d,.]*\d|\d")


def support_log_odds(question: str, passage: str, start: int, end: int) -> float:
    """Return the log-odds by which a passage does not tell what is asked, with the likeliest answer at `start` to `end`.

    They are 0 where nothing that the question names is missing, denied or opposed.
    """
    features = support_features(question, passage, start, end)
    if not any(features[name] for name in _MISMATCHES):
        return 0.0
    return load_fitted_model(ANSWER_SUPPORT).logistic().log_odds(features)


def support_features(question: str, passage: str, start: int, end: int) -> dict[str, float]:
    """Return the features by name; a missing feature is 0."""
    spans = list(sentence_spans(passage)) or [(0, len(passage))]
    place = next((at for at, (first, last) in enumerate(spans) if first <= start < last), 0)
    sentence, near = passage[slice(*spans[place])], passage[spans[max(0, place - 1)][0] : spans[place][1]]
    words, near_words = compared_words(question), compared_words(near)
    stop_words = STOP_WORDS["yes-no"]
    terms = list(dict.fromkeys(word_stem(word) for word in words if word not in stop_words and len(word) > 1))
    known = Counter(map(word_stem, compared_words(passage)))
    in_sentence, in_near = set(map(word_stem, compared_words(sentence))), set(map(word_stem, near_words))
    weights = {term: 1.0 / (1.0 + known[term]) if known[term] else 1.0 for term in terms}
    whole, count = sum(weights.values()) or 1.0, max(1, len(terms))
    names = [word_stem(re.sub(r"['’]s$", "", name.lower())) for name in _NAME.findall(question)]
    figures, answer = _FIGURE.findall(question), passage[start:end]
    answer_terms = {word_stem(word) for word in compared_words(answer) if word not in stop_words}
    first = next((word for word in words if word in _QUESTION_WORDS), "other")
    asks_denied, says_denied = bool(_DENIAL.search(question)), bool(_DENIAL.search(sentence))
    asks_number, has_number = bool(_ASKS_NUMBER.search(question)), bool(_NUMBER.search(answer))
    asks_who, has_capital = first in ("who", "whom", "whose"), any(map(str.isupper, answer))
    features = {
        "sent": sum(weights[term] for term in terms if term in in_sentence) / whole,
        "near": sum(weights[term] for term in terms if term in in_near) / whole,
        "sentc": sum(term in in_sentence for term in terms) / count,
        "pass": sum(term in known for term in terms) / count,
        "gone": float(sum(term not in known for term in terms)),
        "goneshare": sum(weights[term] for term in terms if term not in known) / whole,
        "capgone": float(sum(name not in known for name in names)),
        "capsent": float(sum(name not in in_near for name in names)),
        "anycap": float(bool(names)),
        "numgone": float(sum(figure not in passage for figure in figures)),
        "numsent": float(sum(figure not in near for figure in figures)),
        "neg q": float(asks_denied),
        "neg s": float(says_denied),
        "neg odd": float(asks_denied is not says_denied),
        "opp": float(any(own in words and opposite in near_words and own not in near_words for own, opposite in OPPOSITE_PAIRS)),
        "hm num": float(asks_number and has_number),
        "hm nonum": float(asks_number and not has_number),
        "who cap": float(asks_who and has_capital),
        "who nocap": float(asks_who and not has_capital),
        "ans in q": len(answer_terms.intersection(terms)) / max(1, len(answer_terms)),
        "alen": log(1 + len(answer.split())),
        "qlen": log(1 + len(words)),
        "terms": log(count),
        "sents": log(len(spans)),
    }
    return features | {f"q {first}": 1.0}


def has_asked_kind(question: str, answer: str) -> bool:
    """Return whether an answer can be of the kind that a question asks for: a number for an age, a name for a country.

    No clause answers "who" or "which breed".
    """
    if _ASKS_AMOUNT.search(question):
        return _AMOUNT.search(answer) is not None
    if _ASKS_THING.search(question) and _FINITE.search(answer):
        return False
    return not (_ASKS_NAME.search(question) and _NAME.search(question)) or any(map(str.isupper, answer))
