"""The table of forms in which an "if" changes an amount: by how much, of what, and which way, each with an example.

What an "if" changes: amounts, by how much, of what, and which way, as the table of forms reads them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache

from kgqa.quantities.number_words import BELOW_HUNDRED, ORDINALS, SCALES, number_from_words


class ChangeKind(StrEnum):
    """How a change works on the amount that it finds."""

    LATER = "later"
    """A date is moved by a span of time, on (+) or back (-)."""
    MORE = "more"
    """An amount grows (+) or shrinks (-)."""
    TIMES = "times"
    """An amount is multiplied."""
    PLACES = "places"
    """A place in an order is moved: on (+) or towards the first (-)."""


@dataclass(frozen=True, slots=True)
class ChangePattern:
    """One form: a pattern with the groups n (the amount) and u (its unit), what it does, its sign or factor, and an example."""

    how: ChangeKind
    sign: Fraction
    pattern: str
    example: str


_SPELT = "|".join(sorted((*BELOW_HUNDRED, *SCALES), key=len, reverse=True))
_NUMERAL = (
    r"(?:[$€£¥]\s?)?(?:\d[\d,]*(?:\.\d+)?)(?:[\s-](?:hundred|thousand|million|billion|trillion)\b)?"
    rf"|(?:(?:a(?=\s(?:hundred|thousand|million|billion))|{_SPELT})\b(?:[\s-](?:and\s)?(?:{_SPELT})\b)"
    rf"+|(?:{_SPELT})\b)(?:\sand\sa\shalf\b)?"
    r"|half\san?\b|a\shalf\b|an?\b(?=\s(?:\w+\s)?\w)|another\b|an\s(?:additional|extra)\b|a\s(?:couple|dozen)\b(?:\sof)?|one\b"
)
_N = rf"(?<!\w)(?P<n>{_NUMERAL})"
_SPAN = r"(?P<u>second|minute|hour|day|week|fortnight|month|year|decade|centur(?:y|ie)|millenni(?:um|a)|season|semester)s?"
_PLACE = (
    r"(?P<u>spot|place|position|rank|ranking|notch|slot|pick|round|seed|episode|issue|volume|"
    r"edition|season|channel(?: number)?|number|level|step|generation|chapter|series|grade)s?"
)
_UNIT = r"(?P<u>[^\W\d_][\w’'\-/]*(?:\s(?:of\s)?[^\W\d_][\w’'\-]*){0,2}?)"
_EXACT = r"(?:\s?-?\s?(?:full|whole|exact|entire|calendar|complete))?"
_POSS = r"(?:['’]s?)?"
_OF = r"(?:\s(?:of\s)?(?:its|their|his|her|the|that|as|this|what)\b)?"
_ONE = Fraction(1)

CHANGE_PATTERNS = (
    # Places in an order come before spans of time and plain amounts: "one spot higher", "a season later" in "which season".
    ChangePattern(
        ChangeKind.PLACES,
        -_ONE,
        rf"{_N}\s{_PLACE}\s(?:higher|better|above|ahead|earlier|sooner|before|prior|previous(?:ly)?|up)\b",
        "charted one spot higher",
    ),
    ChangePattern(
        ChangeKind.PLACES, _ONE, rf"{_N}\s{_PLACE}\s(?:lower|worse|below|behind|later|after|down)\b", "finished two places lower"
    ),
    ChangePattern(
        ChangeKind.LATER,
        -_ONE,
        rf"{_N}{_EXACT}[\s-]{_SPAN}{_POSS}\s(?:earlier|prior|before|sooner|ahead|previous(?:ly)?|in advance|early|preceding)\b",
        "had been released a year earlier",
    ),
    ChangePattern(
        ChangeKind.LATER,
        _ONE,
        rf"{_N}{_EXACT}[\s-]{_SPAN}{_POSS}\s(?:later|after|afterwards?|late|behind|past|following|beyond|from)\b",
        "had opened five years later",
    ),
    ChangePattern(
        ChangeKind.LATER,
        _ONE,
        rf"\b(?:delay|postpon|defer|push|put|held|set|move|reschedul|slip|stall|late\b)\w*\b.*?\b(?:by|"
        rf"for|back)\s(?:exactly\s|about\s|only\s|just\s)?{_N}{_EXACT}[\s-]{_SPAN}\b",
        "had been postponed by two weeks",
    ),
    ChangePattern(
        ChangeKind.LATER,
        -_ONE,
        rf"\b(?:advanc|brought|bring|mov|hasten|expedit|accelerat|shift)\w*\b[^,]*?\b(?:forward|up|"
        rf"earlier|ahead|advanced|expedited|hastened|accelerated)\b[^,]*?\bby\s{_N}{_EXACT}[\s-]{_SPAN}\b",
        "had been brought forward by three days",
    ),
    ChangePattern(
        ChangeKind.LATER,
        -_ONE,
        rf"\b(?:advanced|hastened|expedited|accelerated|cut short|shortened)\b[^,]*?\bby\s{_N}{_EXACT}[\s-]{_SPAN}\b",
        "had advanced their wedding by one week",
    ),
    ChangePattern(
        ChangeKind.LATER,
        _ONE,
        rf"\b{_N}{_EXACT}-{_SPAN}\s(?:delay|postponement|extension|wait|setback)\b",
        "had experienced a one-year delay",
    ),
    ChangePattern(
        ChangeKind.LATER,
        -_ONE,
        rf"\bthe\s(?:previous|preceding)\s{_SPAN}\b|\bthe\s(?P<u2>day|week|month|year|decade)\sbefore\b",
        "had been released the previous year",
    ),
    ChangePattern(
        ChangeKind.LATER,
        _ONE,
        rf"\bthe\s(?:next|following|subsequent)\s{_SPAN}\b|\bthe\s(?P<u2>day|week|month|year|decade)\safter\b",
        "had been released the following year",
    ),
    # Factors.
    ChangePattern(
        ChangeKind.TIMES,
        _ONE,
        r"\b(?:increas|rais|grow|grew|expand|rose|risen|boost|improv|up|higher|inflat)"
        r"\w*\b[^,]*?\bby\s(?:an additional\s)?(?P<percent>[\d.,]+|\w+(?:-\w+)?)\s?(?:%|percent\b|per cent\b)",
        "were increased by 10%",
    ),
    ChangePattern(
        ChangeKind.TIMES,
        -_ONE,
        r"\b(?:reduc|decreas|cut|lower|drop|fell|fallen|shrink|shrunk|declin|down|short|slash|"
        r"diminish)\w*\b[^,]*?\bby\s(?P<percent>[\d.,]+|\w+(?:-\w+)?)\s?(?:%|percent\b|per cent\b)",
        "were reduced by 20 percent",
    ),
    ChangePattern(
        ChangeKind.TIMES,
        _ONE,
        r"(?P<percent>[\d.,]+|\w+(?:-\w+)?)\s?(?:%|percent|per cent)\s(?:more|higher|larger|greater|"
        r"longer|bigger|increase|additional|taller|faster|heavier|extra|growth|rise)\b",
        "had achieved a 50% higher audience",
    ),
    ChangePattern(
        ChangeKind.TIMES,
        -_ONE,
        r"(?P<percent>[\d.,]+|\w+(?:-\w+)?)\s?(?:%|percent|per cent)\s(?:less|lower|smaller|shorter|"
        r"fewer|decrease|reduction|slower|lighter|cheaper)\b",
        "were 10% shorter",
    ),
    ChangePattern(
        ChangeKind.TIMES,
        _ONE,
        r"\b(?:reduc|decreas|cut|lower|drop|shrink|shrunk|shorten|declin|slash)\w*\b[^,]*?\b(?:by|in|"
        r"to)\s(?:a\s|one\s)?(?P<part>half|third|quarter)\b",
        "was reduced by half",
    ),
    ChangePattern(ChangeKind.TIMES, _ONE, r"\bhalv(?P<halved>e|ed|es|ing)\b", "were halved"),
    ChangePattern(
        ChangeKind.TIMES,
        _ONE,
        r"\b(?P<multiple>doubl|tripl|trebl|quadrupl|quintupl)(?:ed|es|e|ing)\b",
        "had doubled its donation",
    ),
    ChangePattern(
        ChangeKind.TIMES, _ONE, rf"\b(?P<multiple>twice|thrice|twofold|threefold|fourfold)\b{_OF}", "were twice its original size"
    ),
    ChangePattern(ChangeKind.TIMES, _ONE, rf"{_N}\stimes\b(?!\s(?:in|at|zone|during|between))", "were three times as long"),
    ChangePattern(
        ChangeKind.TIMES,
        _ONE,
        r"\b(?:only\s|just\s)?(?:a\s|one[\s-])?(?P<part>half|third|quarter)(?:\sof)?\s(?:of\b|the\b|"
        r"its\b|their\b|his\b|her\b|that\b|as\b|this\b|what\b)",
        "only half of its actual workforce",
    ),
    # Amounts of something.
    ChangePattern(
        ChangeKind.MORE, _ONE, rf"\b(?:an\s)?(?:additional|extra)\s{_N}\s{_UNIT}?\b", "had won an additional 10 medals"
    ),
    ChangePattern(ChangeKind.MORE, -_ONE, rf"{_N}(?:\s{_UNIT})?\s(?:fewer|less)\b(?:\s(?P<u3>\w+))?", "had 15 fewer tracks"),
    ChangePattern(
        ChangeKind.MORE,
        _ONE,
        rf"{_N}\s(?:more|additional|extra|further|supplementary)\s(?:of\s(?:the|its|their)\s)?{_UNIT}",
        "two more drivers had taken part",
    ),
    ChangePattern(ChangeKind.MORE, _ONE, rf"\b(?P<n>another|an\sadditional|an\sextra)\s{_UNIT}", "had won another title"),
    ChangePattern(
        ChangeKind.MORE,
        _ONE,
        rf"{_N}[\s-]?{_UNIT}\s(?:more|taller|higher|longer|wider|heavier|deeper|larger|bigger|older|"
        rf"farther|further|greater|thicker|faster|hotter|warmer|above)\b",
        "were 300 metres taller",
    ),
    ChangePattern(
        ChangeKind.MORE,
        -_ONE,
        rf"{_N}[\s-]?{_UNIT}\s(?:less|fewer|shorter|lower|narrower|lighter|smaller|younger|closer|"
        rf"nearer|shallower|slower|thinner|cheaper|colder|cooler|below|under)\b",
        "were 300 metres shorter",
    ),
    ChangePattern(
        ChangeKind.MORE,
        _ONE,
        rf"\b(?:increas|rais|expand|extend|ris|rose|grow|grew|add|boost|lengthen|enlarg|prolong|exceed|"
        rf"widen|heighten|improv|rais|continu)\w*\b[^,]*?\b(?:by|for|with|to|of)\s(?:an\sadditional\s|"
        rf"an\sextra\s|another\s|up to\s)?{_N}(?:\s(?:more|additional|extra))?(?:[\s-]{_UNIT})?(?:$|\b)",
        "were extended by 4 episodes",
    ),
    ChangePattern(
        ChangeKind.MORE,
        -_ONE,
        rf"\b(?:reduc|decreas|lower|cut|drop|shrink|shrunk|shorten|fall|fell|fallen|los[te]|remov|"
        rf"declin|subtract|diminish|narrow|trim)\w*\b[^,]*?\bby\s{_N}(?:[\s-]{_UNIT})?(?:$|\b)",
        "was reduced by a week",
    ),
    ChangePattern(
        ChangeKind.MORE,
        _ONE,
        rf"\b(?:add(?:ed|s|ing)?|gain(?:ed)?|acquir\w*|includ\w*)\s{_N}\s{_UNIT}(?:$|\b)",
        "had added three stations",
    ),
    ChangePattern(
        ChangeKind.MORE,
        -_ONE,
        rf"\b(?:stop\w*|clos\w*|ceas\w*|end\w*|withdr\w*|pull\w*)\b[^,]*?\b(?:in|from|of)\s{_N}\s{_UNIT}(?:$|\b)",
        "were to stop its operations in 10 countries",
    ),
    ChangePattern(
        ChangeKind.MORE,
        -_ONE,
        rf"{_N}\s{_UNIT}\s(?:had\s|were\sto\s)?(?:been\s)?(?:depart|left|leav|died|mov\w*\saway|resign|withdr|"
        rf"dropp?\w*\sout|clos|remov|cancel)\w*",
        "8000 people had departed",
    ),
    ChangePattern(
        ChangeKind.MORE,
        _ONE,
        rf"\b{_N}\s{_UNIT}\s(?:had\s|were\sto\s)?(?:been\s)?(?:join|add)\w*",
        "three countries had joined",
    ),
    ChangePattern(
        ChangeKind.MORE,
        -_ONE,
        rf"\b(?:remov\w*|los[te]|subtract\w*|dropp?\w*|eliminat\w*|exclud\w*)\s{_N}\s{_UNIT}(?:$|\b)",
        "had lost two members",
    ),
)
"""Forms of change; where two fit at the same place the earlier row is meant."""


@dataclass(frozen=True, slots=True)
class QuantityChange:
    """A change: by `amount` (signed; a factor for `How.TIMES`) of `unit`, the noun that follows; `text` is how it is said."""

    how: ChangeKind
    amount: Fraction
    unit: str
    text: str
    start: int = 0
    end: int = 0


_FRACTIONS = {
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "fourth": Fraction(1, 4),
    "fifth": Fraction(1, 5),
    "tenth": Fraction(1, 10),
}
_MULTIPLES = {
    "double": 2,
    "twice": 2,
    "twofold": 2,
    "triple": 3,
    "thrice": 3,
    "threefold": 3,
    "treble": 3,
    "quadruple": 4,
    "fourfold": 4,
    "quintuple": 5,
}
MONEY_PATTERN = re.compile(r"[$€£¥]|\b(?:dollar|euro|pound|cent|yen|rupee|mark|franc|shilling|RMB|yuan)s?\b", re.IGNORECASE)
"""What says that an amount is one of money."""
_LARGE = re.compile(r"\d{4}|thousand|million|billion|trillion|\d,\d", re.IGNORECASE)


def is_large_amount(text: str) -> bool:
    """Tell whether an amount is said with its thousands or millions."""
    return _LARGE.search(text) is not None


TIME_UNITS = frozenset(
    {
        "second",
        "minute",
        "hour",
        "day",
        "week",
        "fortnight",
        "month",
        "year",
        "decade",
        "century",
        "millennium",
        "season",
        "semester",
    }
)
"""The units that a date can be moved by."""


@cache
def _compiled_change_patterns() -> tuple[tuple[ChangePattern, re.Pattern[str]], ...]:
    return tuple((form, re.compile(form.pattern, re.IGNORECASE)) for form in CHANGE_PATTERNS)


def find_changes(clause: str) -> tuple[QuantityChange, ...]:
    """Return the changes that a clause makes, in the order of the table; one that lies in another is left out."""
    results: list[QuantityChange] = []
    for form, pattern in _compiled_change_patterns():
        for match in pattern.finditer(clause):
            made = _change_of_match(form, match)
            if made is not None and not any(
                made.start < earlier_change.end and earlier_change.start < made.end for earlier_change in results
            ):
                results.append(made)
    return tuple(results)


def _change_of_match(form: ChangePattern, match: re.Match[str]) -> QuantityChange | None:
    groups = match.groupdict()
    amount = form.sign
    if groups.get("percent"):
        share = parse_amount(groups["percent"])
        if share is None:
            return None
        amount = 1 + form.sign * share / 100
    elif groups.get("part"):
        amount = _FRACTIONS[groups["part"].lower()]
    elif groups.get("halved"):
        amount = Fraction(1, 2)
    elif groups.get("multiple"):
        multiple_word = groups["multiple"].lower()
        amount = Fraction(next(number for word, number in _MULTIPLES.items() if word.startswith(multiple_word)))
    elif groups.get("n"):
        number = parse_amount(groups["n"])
        if number is None:
            return None
        amount = form.sign * number
    unit = next((groups[name] for name in ("u", "u2", "u3") if groups.get(name)), "").strip()
    unit = re.sub(r"(?i)^centurie$", "century", unit)
    if form.how is ChangeKind.LATER:
        unit = "season" if unit.lower() == "season" else unit.lower().replace("millennia", "millennium")
    return QuantityChange(form.how, amount, unit, match[0].strip(), match.start(), match.end())


def parse_amount(text: str) -> Fraction | None:
    """Return the number of an amount: "1,500", "twenty-five", "a", "another", "half a", "2.5 million"; `None` for no number."""
    small = " ".join(text.lower().split()).strip("$€£¥ ").removesuffix(" of")
    if small in ("a", "an", "one", "another", "an additional", "an extra"):
        return Fraction(1)
    if small in ("half a", "half an", "a half"):
        return Fraction(1, 2)
    if small in ("a couple", "a dozen"):
        return Fraction(2 if small == "a couple" else 12)
    half = small.endswith(" and a half")
    small = small.removesuffix(" and a half")
    figures = re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)(?:[ -](\w+))?", small)
    if figures is not None:
        digits = figures[1].replace(",", "")
        if len(digits) > 30 or (figures[2] and figures[2] not in SCALES):
            return None
        return Fraction(digits) * Fraction(10) ** int(SCALES.get(figures[2] or "", 0))
    if small in ORDINALS:
        return None
    number = number_from_words(small)
    return None if number is None else number + (Fraction(1, 2) if half else 0)
