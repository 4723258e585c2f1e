"""Polarity: the direction words and opposites that no loose link may cross. "Lack of sleep" is not sleep, a rise is not a fall.

A phrase has signs: the directions of its words and prefixes. Two phrases can only mean the same, or one a kind of the other,
where their signs are equal and no word of one is the opposite of a word of the other. A different number counts as an
opposite: World War I is not World War II.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graph.text.normalise import singular, surface_name
from kgqa.linking.word_forms import is_related_form, lookup_table

MORE = "more"
LESS = "less"

# What a word says of how much there is of a thing, each group with one sense; several words stand for themselves only together.
POLARITY_GROUPS = {
    "excess": (
        MORE,
        "excess excessive excessively overabundance surplus overdose overload overuse overconsumption glut toxicity "
        "too-much too-many",
    ),
    "increase": (
        MORE,
        "increase increased increases increasing rise rises rising rose growth growing grown gain gains gaining "
        "escalation surge upsurge boost enhanced enhancement elevation more greater bigger larger additional extra grow "
        "grew raise raised raises raising expansion intensification overproduction",
    ),
    "high": (MORE, "high higher highest elevated heightened abundant abundance raised"),
    "lack": (
        LESS,
        "lack lacking lacks absence absent without no not never deficiency deficient deficit shortage scarcity scarce "
        "dearth insufficient insufficiency inadequate insufficiently inadequacy none deprivation deprived too-little "
        "too-few nor non anti free little few fewer",
    ),
    "decrease": (
        LESS,
        "decrease decreased decreases decreasing reduction reduced reducing reduces fall fallen falling falls fell "
        "decline declined declines declining drop dropped dropping drops lowering lowered diminution diminished "
        "diminishing less lesser smaller cut cuts cutback shrinkage shrinking",
    ),
    "low": (LESS, "low lower lowest"),
    "loss": (LESS, "loss losses losing lose lost depletion depleted depleting disappearance extinction"),
    "end": (
        LESS,
        "cessation stopping stop stopped stops quitting quit quits withdrawal avoidance avoiding avoid abstinence "
        "abstaining removal removing removed remove elimination eliminating eliminated prevention preventing prevent "
        "prevented ban banning banned prohibition discontinuation abolition end ending treatment treating treated cure "
        "curing cured remedy failure fails failing failed refusal suppression inhibition inhibitor inhibitors blocker "
        "blockers antagonist antagonists resistance denial",
    ),
    "impairment": (LESS, "difficulty difficulties trouble inability unable impaired impairment poor bad worse"),
}
_OF_A_WORD = {word: (group, sign) for group, (sign, words) in POLARITY_GROUPS.items() for word in words.split()}
_PREFIXES = {"hyper": MORE, "hypo": LESS, "anti": LESS, "non": LESS}
_NOT_PREFIXED = frozenset(
    "hypothesis hypotheses hypocrisy hypocrite hypothalamus hypothalamic hyperbole hyperlink hyperlinks hypertext hyperion "
    "hypotenuse hypodermic anticipation anticipate antique antiquity antics antilles antigen antigens antigone antibody "
    "antibodies nonsense hypocenter hypnosis none noni anticipated antiquities hypothetical antimony".split()
)

# Where "low" and "lower" say where, not how much: the low back.
_PLACED = frozenset(
    "back limb limbs leg legs abdomen abdominal respiratory urinary extremity extremities body lip jaw eyelid intestine gi "
    "gastrointestinal tract esophageal esophagus lumbar school egypt house chamber class pelvic right left ear bowel "
    "oesophageal countries saxony court courts".split()
)
_LOCAL = frozenset("low lower high higher upper".split())
# What takes part in a name without saying how much: "high school", "withdrawal symptoms", "crop rotation end".
_NAMES = re.compile(
    r"\b(?:"
    r"high school|high schools|high sea|high seas|high court|no one|fallout|free trade|free will|free market|"
    r"free radical|free radicals|free time|higher education|high altitude|high tide|low tide|no man|free speech|"
    r"drop out|little finger|little toe|few minutes|few days|end stage|open end|lost in|rise to|not only|rate increase|"
    r"dead end"
    r")\b"
)
_CHANGING = re.compile(
    r"\btoo (much|many|little|few)\b|\bnot enough\b|\bnot (?:getting |having |eating |drinking |doing )?enough\b"
)
_ROMAN = {word: str(number) for number, word in enumerate("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi".split(), 1)}
_NEGATIONS = ("un", "in", "im", "ir", "il", "dis", "non", "anti", "de", "mis", "mal", "counter", "under", "over", "a", "an", "re")


@lru_cache(maxsize=20_000)
def polarity_marks(phrase: str) -> tuple[tuple[str, str], ...]:
    """Return the directions in a phrase in order, each as its group and its sign: "lack of sleep" has ("lack", "less")."""
    text = surface_name(phrase).replace("-", " ").replace("‐", " ")
    text = _CHANGING.sub(lambda match: f"too-{match[1]}" if match[1] else "insufficient", text)
    text = _NAMES.sub(" ", text)
    words = [word.strip(".,;:!?\"'()") for word in text.split()]
    directions = []
    for place, word in enumerate(words):
        after = words[place + 1] if place + 1 < len(words) else ""
        if word in _LOCAL and after in _PLACED:
            continue
        if word in _OF_A_WORD:
            directions.append(_OF_A_WORD[word])
        elif word not in _NOT_PREFIXED and len(word) > 6:
            directions.extend((prefix, sign) for prefix, sign in _PREFIXES.items() if word.startswith(prefix))
    return tuple(directions)


@lru_cache(maxsize=20_000)
def polarity_signs(phrase: str) -> tuple[str, ...]:
    """Return the signs of a phrase, sorted: "more" for each word of rise and plenty, "less" for each of fall and want."""
    return tuple(sorted(sign for _, sign in polarity_marks(phrase)))


def polarity_group(word: str) -> str:
    """Return the group of a lower-case word that by itself says how much there is of a thing; empty for any other word."""
    return _OF_A_WORD.get(word, ("", ""))[0]


def changes_polarity(phrase: str, name: str) -> bool:
    """Return whether reading `phrase` as `name` would lose, gain or turn a direction, or take a word for its opposite."""
    return polarity_signs(phrase) != polarity_signs(name) or has_opposite_words(phrase, name)


def has_opposite_words(phrase: str, name: str) -> bool:
    """Return whether a word of the one is the opposite of a word of the other that the one itself does not have."""
    ours, theirs = _word_set(phrase), _word_set(name)
    return any(_are_opposites(word, name_word) for word in ours - theirs for name_word in theirs - ours)


def _word_set(phrase: str) -> frozenset[str]:
    return frozenset(surface_name(phrase).replace("-", " ").split())


@lru_cache(maxsize=20_000)
def _are_opposites(first: str, second: str) -> bool:
    """Return whether two words are antonyms, or one is the other with a prefix that turns it: "stability", "instability"."""
    if second in _antonyms(first) or first in _antonyms(second):
        return True
    if _numeral_of(first) and _numeral_of(second):
        return _numeral_of(first) != _numeral_of(second)
    shorter, longer = sorted((first, second), key=len)
    for prefix in _NEGATIONS:
        if len(shorter) >= 4 and longer.startswith(prefix) and is_related_form(longer[len(prefix) :], shorter):
            return True
    if _without_ending(first, "less") and _without_ending(first, "less") in (second, _without_ending(second, "ful")):
        return True
    if _without_ending(second, "less") and _without_ending(second, "less") in (first, _without_ending(first, "ful")):
        return True
    return any(first.startswith(p) and singular(second) == q + singular(first[len(p) :]) for p, q in _PAIRS)


_TURNED = (
    ("hyper", "hypo"),
    ("over", "under"),
    ("in", "out"),
    ("pre", "post"),
    ("pre", "pro"),
    ("macro", "micro"),
    ("pro", "anti"),
    ("im", "ex"),
    ("in", "de"),
)
_PAIRS = (*_TURNED, *((after, before) for before, after in _TURNED))


@lru_cache(maxsize=20_000)
def _antonyms(word: str) -> frozenset[str]:
    return frozenset(filter(None, lookup_table("opposites").get(word).split("|")))


def _numeral_of(word: str) -> str:
    """Return the number that a word writes in digits or as a small Roman numeral; empty where it is none."""
    return word if word.isdecimal() else _ROMAN.get(word, "")


def _without_ending(word: str, ending: str) -> str:
    return word[: -len(ending)] if word.endswith(ending) and len(word) > len(ending) + 2 else ""
