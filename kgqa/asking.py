"""What of an input is asked: clean text, one question of several, suppositions that cannot be, texts in another language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from kgqa.model import QuestionType

_STEERING = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]"
"""What steers a terminal (ECMA-48): colours, cursor movements. Patterns are compiled when a question needs them."""
_JOINERS = "\u200c\u200d"
_BEGINS = r"(?:what|which|who|why|how|when|where|does|do|did|is|are|was|were|can|could|will|would|should|has|have|if)\b"
_ENDS = rf"(?<=\?)[?!\s]*\s|:\s+(?={_BEGINS})|,?\s+and\s+(?=(?:what|which|why|how|does|do|did)\b)"
_PRONOUNS = frozenset("it they them this that these those he she him her you".split())
"""What a slot cannot be by itself: it stands for something in another question."""
_AUXILIARY = r"(?:is|are|was|were|be|do|does|did|has|have|had|can|could|will|would|should)"
_BOTH = (
    rf"\b(?P<aux>{_AUXILIARY})\s+(?:both\s+)?(?:and|yet|but)\s+(?P=aux)\s*(?:not|n['’]t)\b"
    rf"|\b(?P<not>{_AUXILIARY})\s*(?:not|n['’]t)\s+(?:and|yet|but)\s+(?P=not)\b"
    rf"|\b{_AUXILIARY}\s*(?:not|n['’]t)\s+(?P<verb>\w{{3,}}?)e?\s+(?:and|yet|but)\s+(?:it\s+)?(?P=verb)(?:s|ed|ing)?\b"
    r"|\b(?P<thing>\w+)\s+\w+\s+(?:present|absent)\s+and\s+(?:(?:it|(?P=thing))\s+\w+\s+)?(?:present|absent)\b"
    r"|\b(?:present|existing)\s+and\s+absent\b|\babsent\s+and\s+present\b"
)
_LESS = "eliminated|removed|abolished|eradicated|stopped|prevented|reduced|decreased|lowered|absent|gone|rarer"
_MORE = "increased|raised|doubled|multiplied|present|added|introduced|commoner|more common"
_OPPOSED = (
    *(
        rf"\bif\s+(?:the\s+)?(?P<what>[\w' -]+?)\s+(?:{_AUXILIARY}|had)\s+(?:been\s+)?(?:{one})\s+(?:and|but|yet)\s+"
        rf"(?:(?:the\s+)?(?P=what)|it|they)\s+(?:{_AUXILIARY}\s+)?(?:been\s+)?(?:{other})\b"
        for one, other in ((_LESS, _MORE), (_MORE, _LESS))
    ),
    r"\bif\s+there\s+\w+\s+(?:been\s+)?no\s+(?P<what>[\w' -]+?)\s+(?:and|but|yet)\s+(?:there\s+\w+\s+(?:been\s+)?)?"
    r"(?:more\s+|much\s+|many\s+|some\s+)?(?P=what)\s*(?:$|,|\?)",
)
"""Two suppositions of one thing, which is named again or meant by "it": that it is less or none, and that it is more."""
_FOREIGN = frozenset(
    "qué que por quién cómo cuál causa causan los las una porque pourquoi comment quelle quelles qui est les des une cause-t-il "
    "warum weshalb wieso wie verursacht verursachen führt und der ist nicht perché cosa causano gli della il quali "
    "quê causam wat waarom veroorzaakt het hvorfor hva varför vad orsakar och miksi mitä dlaczego powoduje co proč "
    "miért neden nedir nasıl почему".split()
)
_ENGLISH = frozenset(
    "the of what why how does do did is are was were can could will would should cause causes caused effect effects lead leads "
    "and if to in for with from by that this it which who when where prevent prevents happen happens a an".split()
)


class OneQuestion(NamedTuple):
    """The question that is answered, its type, and how many there were."""

    text: str
    kind: QuestionType
    of: int = 1


def cleaned(text: str) -> str:
    """Return text in single spaces, without what steers a terminal and without characters that show nothing."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    text = re.sub(_STEERING, "", text)
    return " ".join("".join(_shown(character) for character in text).split())


def one_question(text: str, classify: Callable[[str], QuestionType]) -> OneQuestion:
    """Return the first causal question of a text; the whole text where it holds one question only, or none that stands alone."""
    if "?" not in text[:-1] and ": " not in text and " and " not in text:
        return OneQuestion(text, classify(text))
    parts = dict.fromkeys(part.strip() for part in re.split(_ENDS, text, flags=re.IGNORECASE))
    asked = [part for part in parts if any(character.isalnum() for character in part)]
    if len(asked) > 1:
        questions = [one for one in asked if one.endswith("?") or re.match(_BEGINS, one, re.IGNORECASE)]
        for part in questions:
            kind = classify(part)
            named = {kind.slots.cause, kind.slots.effect} - {None}
            if kind.semantic is not None and named and _PRONOUNS.isdisjoint(named):
                return OneQuestion(part, kind, len(questions))
    return OneQuestion(text, classify(text))


def contradicts_itself(text: str) -> bool:
    """Return whether a question supposes that something both is and is not so."""
    found = re.search(r"\bif\b[^,?]*", text, re.IGNORECASE) if "if " in text.lower() else None
    if found and any(re.search(one, found[0], re.IGNORECASE) for one in _OPPOSED):
        return True
    said = re.search(_BOTH, found[0], re.IGNORECASE) if found else None
    if said is None:
        return False
    both = said[0].lower()
    return not (("present" in both or "absent" in both) and ("present" in both) != ("absent" in both))


def is_foreign(text: str) -> bool:
    """Return whether a text is surely not in English: other letters, or the small words of another language and none of ours."""
    letters = [character for character in text if character.isalpha()]
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    if letters and latin * 2 < len(letters):
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    others, ours = (sum(word in known for word in words) for known in (_FOREIGN, _ENGLISH))
    return others > 0 and others >= ours


def _shown(character: str) -> str:
    """Return a character that shows something, a space for one that separates, or nothing."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs", "Co", "Cn") and character not in _JOINERS else character
