"""Whether words can be an answer by themselves, and which question word asks for them."""

from __future__ import annotations

import re

from reader.reader_rows import found

from made_questions.english_forms import PASSIVE, is_past, is_person
from made_questions.standalone_mentions import loose

VERB_INSIDE = re.compile(
    r"\b(?:was|were|had|has|have|is|are|be|been|that|which|who|when|while|would|could|did|also|said|then|not|"
    r"because|if|although)\b"
)
_PREPOSITIONS = frozenset(
    "in on at by for from with of to into onto over under after before about against between through during "
    "without within as than like "
    "off down out up away back along across around because due if that when where how why whether".split()
)
AFTER_ANSWER = re.compile(
    r"$|[,;.:)(]|\" |[\"]?[.,]| \(| (?:"
    + "|".join(sorted(_PREPOSITIONS))
    + r"|and|but|or|who|which|while|until|since|instead|rather|so|following|despite|upon|towards|among|had|was|were|is|has|"
    r"became|succeeded|took|inherited|assumed|ascended|claimed|seized|finished|came|to|would|could|did|made|went|"
    r"began|soon|also|[a-z]+ly)\b| \d{4}| –"
)
_NO_ANSWER = re.compile(
    r"(?i)(?:part|place|later|care|advantage|war|action|steps|more|less|again|back|away|out|up|him|her|it|them|"
    r"people|things?|way|ways|a|an|the|even|not|only|in|on)"
)
_PAST_ALONE = re.compile(r"[a-z]+(?:ed|ing)")
_VAGUE = re.compile(
    r"the (?:film|album|book|team|role|band|group|game|series|show|song|first|rest|former|latter|same|city|"
    r"company|man|boy|girl|latter|two)"
)
_LOOSE_START = re.compile(r"[a-z]+ing (?:the|a|an|his|her|its|their|to|in|up|out|[a-z]+ly)\b|[a-z]+ing$|[A-Z][a-z]+ \d{1,2}$")
_ABBREVIATED = frozenset(
    "Gen Col Lt Dr St Mr Mrs Sgt Capt Maj Adm Rev Sen Rep Gov Prof Sir Lord President General Captain King".split()
)
_PLACE_WORDS = frozenset(
    "New North South East West Los Las San Santa Saint Hong Great United Sri Costa Puerto El La Soviet Central Upper".split()
)


def names_person(answer: str) -> bool:
    """Return whether an answer looks like a person, so that who asks for it."""
    words = answer.split()
    if is_person(answer) or re.match(
        r"(?:the )?(?:[A-Z]\w+ )?(?:Prince|King|Queen|Duke|Earl|Emperor|Pope|Sultan|Count|Bishop)\b", answer
    ):
        return True
    if re.fullmatch(r"[Tt]he [A-Z][a-z]+(?:[^s]s|ese|ish|[ct]ch)", answer) and not re.search(
        r"(?:lands|ines|Times|Series)$", answer
    ):
        return True
    return (
        2 <= len(words) <= 3
        and words[0] != "The"
        and all(re.fullmatch(r"[A-Z][\w.'’-]*", word) for word in words)
        and words[0] not in _PLACE_WORDS
        and not re.search(r"(?:ia|land|ese|ish)$|^[A-Z]+$", words[-1])
        and not re.match(r"(?:University|[A-Z]{2,})", words[0])
        and _ORGANISED.search(answer) is None
    )


_ORGANISED = re.compile(
    r"\b(?:University|College|School|Company|Corporation|Inc|Records|Party|Club|FC|City|Army|Navy|Empire|Kingdom|"
    r"Republic|Union|Church|"
    r"Council|Group|Association|League|Museum|Society|Institute|Street|River|Lake|Mount|Island|Islands|War|Battle|"
    r"Act|Treaty|Cup|Prize|"
    r"Award|Studios?|Pictures|Railway|Airport|Station|Hall|House|Palace|Theatre|Stadium|Park|County|Bank|Agency|"
    r"Magazine|Road|Bridge|"
    r"Center|Centre|Bay|Sea|Ocean|Beach|Valley|United|Rovers|Wanderers|Rangers|Yankees|Sox|Test|Law|System|Theory|"
    r"Effect|Day|World)\b"
)


def asked_with(answer: str, person: bool) -> str:
    """Return the words that ask for an answer: "which" with its noun, or who or what."""
    words = answer.split()
    head = re.split(r" (?:of|in|for|by|at|on|to|from|that) ", answer)[0].split()[-1]
    if words[0].lower() == "the" and head.islower() and head.isalpha() and not head.endswith("ed"):
        return f"which {head}"
    return "who" if person else "what"


def trimmed(answer: str) -> str:
    """Return an answer without a participle at its end, to which more would belong."""
    head, _, last = answer.rpartition(" ")
    return head if head and re.fullmatch(PASSIVE, last) and not re.fullmatch(r"(?:the|an?) \w+", answer) else answer


def goes_on(rest: str) -> bool:
    """Return whether words go on with "and" something of their kind, so that they are but a part."""
    match = re.match(r",? (?:and|or) (\w+)", rest)
    return rest.startswith((" of ", " & ", ", Jr")) or bool(
        match
        and not (
            is_past(match[1]) or match[1] in ("was", "were", "had", "is", "he", "she", "it", "they", "in", "then", "later", "has")
        )
    )


def explains(answer: str) -> bool:
    """Return whether the answer to a why question begins as one."""
    return len(answer.split()) >= 2 and answer.split()[0] not in ("of", "to", "and", "both", "in", "at", "as")


def stands_alone(answer: str, subject: str) -> bool:
    """Return whether an answer can stand alone."""
    bare = re.sub(r"^(?:his|her|its|their) ", "", answer)
    if (
        len(answer) < 2
        or _NO_ANSWER.fullmatch(answer)
        or answer.endswith((" either", " too", " again", " well", " first", " however", " alone", " more"))
        or loose(bare)
        or len(answer.split()) > 9
    ):
        return False
    if (
        bare.split()[0].lower() in _PREPOSITIONS
        or bare.split()[-1] in _ABBREVIATED | _PREPOSITIONS
        or _PAST_ALONE.fullmatch(bare)
        or _LOOSE_START.match(bare)
    ):
        return False
    if (
        VERB_INSIDE.search(bare)
        or re.match(r"[a-z]+ly\b", bare)
        or bare.split()[0] in ("It", "He", "She", "They", "However", "There")
    ):
        return False
    if re.search(r" to (?!the\b)[a-z]", bare):
        return False
    if re.search(r"\b[A-Z]$", bare):
        return False
    return bare != subject and not _VAGUE.fullmatch(bare)


def leaks(answer: str, question: str) -> bool:
    """Return whether a question tells its answer."""
    bare = re.sub(r"^(?:the|a|an|his|her|its|their) ", "", answer, flags=re.IGNORECASE)
    return bool(found(bare, question)) or bare.lower() in question.lower()
