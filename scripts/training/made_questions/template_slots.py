"""What the slots of a template's pattern match."""

from __future__ import annotations

import re

from made_questions.english_forms import PASSIVE, PAST

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
WORD = r"(?:[A-Z]\.(?:[A-Z]\.)*|[A-ZÀ-Þ][\w’'-]*)"
NAME = (
    rf"(?:[Tt]he (?:\d{{4}} )?)?(?:\"[^\"]{{2,60}}\"|{WORD}(?: (?:(?:of|of the|de|de la|von|van|van der|du|del|della|"
    rf"da|di|al|de los|de las|el|y|zu|den|der|le|bin|ibn|&|for) )?{WORD}){{0,6}}(?: \d{{1,2}}\b)?)(?!\w)"
)
NAMES = rf"{NAME}(?:(?:, {NAME})*,? and {NAME})?"
NUMBER = (
    r"(?:\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty)(?![\w,.]*\d)"
)
_STOP = (
    r"(?=[,.;:)]|$| (?:and|but|or|in|on|at|by|from|with|after|before|when|which|who|that|as|to|because|due|until|"
    r"while|where|during|since|under|through|into|despite|instead|rather|so|for|if|following|within|between|over|"
    r"against)\b)"
)
NP = (
    rf"(?:(?:the|The|a|an|another|his|her|its|their|two|three|four|five|six|seven|eight|nine|ten|\d+) "
    rf")?(?:\"[^\"]{{2,60}}\"|(?:[\w’'-]+ ){{0,4}}?[\w’'-]+(?: of (?:the |a |an )?(?:[\w’'-]+ "
    rf"){{0,3}}?[\w’'-]+)?){_STOP}"
)
_COMMON = {
    "X": (
        rf"(?:He|She|It|They|(?:The|the) (?:[a-z0-9][\w’'-]* ){{0,3}}?[a-z][\w’'-]*(?: (?:of|for|at|in|between) (?:the "
        rf"|a )?{NAME})?|{NAME}|"
        rf"[Tt]he (?:{WORD} ){{1,3}}(?!(?:{PAST}|was|were|had|has|is|are|will|would|can|could|did|does|may|also|first|"
        rf"later|then|and|or|in|of|on|at|by|"
        rf"to|for|with|from|who|which|that|[a-z]+ly|[a-z]+s)\b)[a-z]+)"
    ),
    "name": NAME,
    "names": NAMES,
    "np": NP,
    "date": (
        rf"(?:(?:early|late|mid|the (?:spring|summer|fall|autumn|winter) of|spring|summer|autumn|fall|winter) "
        rf")?(?:\d{{1,2}} )?(?:{_MONTH} )?(?:\d{{1,2}}, )?(?:1[0-9]|20)\d\d\b"
    ),
    "year": r"(?:1[0-9]|20)\d\d\b",
    "num": NUMBER,
    "place": rf"(?:the (?:[a-z]+ )?)?{NAME}(?:, {NAME})?",
    "past": PAST,
    "passive": PASSIVE,
    "base": r"[a-z]{2,}",
    "stop": r"(?=[,.;:)]|$)",
    "gap": r"(?: [a-z]+ly| later| then| also| eventually| soon| finally| therefore| thus| subsequently)?",
}
_END = (
    r"(?=[,;.()]|$| (?:and|but|which|who|when|while|that|until|after|before|in \d{4}|on \w+ \d+|with|by|from|as|where|because)\b)"
)
SLOTS = _COMMON | {
    "called": "(?:called|named|known as|titled|entitled|dubbed)",
    "cause": "(?:because of|due to|owing to|as a result of|thanks to|as a consequence of)",
    "event": r"(?:final|[Cc]hampionships?|[Ee]lection|match|Cup|Series|Open|play-?offs?|title|Bowl|Masters|Trophy|semi-?finals?|"
    r"quarter-?finals?|tournament|[Gg]ames|primary|race|contest|fight|bout|[Bb]attle|war|War)",
    "cnp": rf"(?:the |a |an )?[^,;:.()\"]{{4,60}}?{_END}",
    "cap_np": rf"(?:[\w’'-]+ ){{0,6}}?{_COMMON['name']}",
    "event_np": (
        rf"(?:The (?:[a-z-]+ ){{0,4}}?[a-z-]+(?: (?:of|in|by|between|against|at|on|from|to) (?:the )?(?:[a-z]+ "
        rf")?{_COMMON['name']})+|{_COMMON['name']}(?:['’]s? (?:[a-z]+ ){{1,3}}?(?:of {_COMMON['name']})?)?)"
    ),
    "happening": (
        rf"(?:[\w’'-]+ ){{0,6}}?(?:War|Battle|battle|[Ff]ire|[Ee]arthquake|attacks?|Revolution|[Rr]evolution|"
        rf"[Ii]nvasion|[Mm]assacre|"
        r"crash|[Ss]iege|[Rr]aids?|[Bb]ombings?|Act|Treaty|Congress|[Ff]loods?|[Rr]evolt|[Rr]ebellion|[Uu]prising|"
        r"[Cc]rusade|[Cc]oup|[Rr]iots?|"
        r"Conquest|conquest|Reformation|Civil War|explosion|[Aa]ccident|[Ff]amine|[Ee]ruption|[Pp]lague|[Ee]pidemic|"
        r"Blitz|Holocaust|[Pp]urges?|"
        r"[Hh]urricane|[Ss]torm|[Cc]ampaign|[Ee]lections?|[Dd]epression|reforms?|Dissolution|collapse|merger|referendum)"
        rf"(?: (?:of|on|in|against|at) (?:the )?(?:{_COMMON['name']}|\d{{4}}))*"
    ),
    "quantity": rf"(?:[Tt]he (?:[a-z]+ ){{0,3}}[a-z]+ (?:of|in) {_COMMON['name']}|{_COMMON['X']})",
    "open": (
        r"(?:^(?:(?:In|On|By|During|At|Since|From) [^,\"]{3,60}, |[A-Z][a-z]+ly, |However, |Later, |Instead, |There, |"
        r"Here, |Then,? |Later |Today, )?|(?<=[,;] )(?:and|but|while|although|whereas|when|because) )"
    ),
    "open0": "^",
    "month": "(?:January|February|March|April|May|June|July|August|September|October|November|December)",
}
"""What each kind of slot matches: `{A:name}` in a pattern is a name that becomes the group `A`."""


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern with its slots filled in: `{A:name}` is a group A."""

    def filled(match: re.Match[str]) -> str:
        slot = SLOTS.get(match[2])
        return match[0] if slot is None else f"(?P<{match[1]}>{slot})" if match[1] else f"(?:{slot})"

    return re.compile(re.sub(r"\{(?:(\w+):)?(\w+)\}", filled, pattern))
