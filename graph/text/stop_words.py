"""Function words: stop words, prepositions, determiners, auxiliaries and particles of names, with a row for every use.

Rows differ by a few words because scores were measured, and models fitted, with exactly these words.
"""

from __future__ import annotations


def _words(*groups: str) -> frozenset[str]:
    return frozenset(" ".join(groups).split())


_CORE = "a an the of in to for from by with and"
_SMALL = f"{_CORE} at on or"
_BE = "is are was were"
_HAVE_AND_DO = "has have had do does did"
_VERBS = f"{_BE} be been {_HAVE_AND_DO}"
_MODALS = "can could will would"
_MORE_MODALS = "may might shall should must"
_DEMONSTRATIVES = "this that these those"
_QUESTION_WORDS = "what which who how when where"
_POSSESSIVES = "his her their"
_PRONOUNS = f"he she they it its {_POSSESSIVES}"
_PERSONS = "i we you him them your our"
_PREPOSITIONS = "of in on at by for from to with against among between during after before over under into through about within"

PREPOSITIONS = {
    "list items": _words(_PREPOSITIONS),
    "chains": _words(_PREPOSITIONS, "without"),
    "names": _words(_PREPOSITIONS, "without due caused induced"),
    "linking": _words(_PREPOSITIONS, "without due caused induced that which when while if because as than"),
    "wording": _words(_PREPOSITIONS, "without due as that which who"),
    "noun phrases": _words(
        "of to in with between against for on from by at into over among without about around as toward towards within"
    ),
}
"""The words that end the part of a name in which its head stands; "noun phrases": the prepositions that a concept may contain."""

STOP_WORDS = {
    "names": _words(_SMALL, _POSSESSIVES, "its"),
    "linking": _words(
        *(_SMALL, _VERBS, _MODALS, _PRONOUNS),
        "may might being become becomes get gets got i you we your my our there there's person",
    ),
    "chains": PREPOSITIONS["chains"] | _words("a an the and or is are be being"),
    "claim context": _words(
        *(_SMALL, _BE, _DEMONSTRATIVES, _POSSESSIVES),
        "its among between during since throughout under until within if unless when whenever once only very most many some",
    ),
    "page titles": _words("article articles disambiguation from history list lists with"),
    "English": _words(
        *(_CORE, _BE, "do does did", _MODALS, _QUESTION_WORDS),
        "should why if it this that cause causes caused effect effects lead leads happen happens prevent prevents",
    ),
    "question features": _words(
        *(_SMALL, _VERBS, _MODALS, _MORE_MODALS, _DEMONSTRATIVES),
        "what which who how when why it its not n't no any all some more most very so as than about into there if but united",
    ),
    "operands": _words(
        *(_SMALL, _VERBS, _DEMONSTRATIVES, _PRONOUNS, _QUESTION_WORDS),
        "whom whose while being having could will would not n't them as about among between during into out over per but if "
        "than there all any each some such one other same many much more most less least fewer higher lower larger smaller "
        "number total percent percentage point points s t terms census according combined compared live lived living reside "
        "resided residing come came get gets got make made",
    ),
    "passage graph": _words(_SMALL, _BE, "it its"),
    "passage parts": _words(
        *(_SMALL, _VERBS, _MODALS, _QUESTION_WORDS), "whom whose why may might should that this they their it its as if there"
    ),
    "yes-no": _words(
        *(_SMALL, _VERBS, _MODALS, _MORE_MODALS, _DEMONSTRATIVES, _PRONOUNS, _PERSONS, _QUESTION_WORDS),
        "am being done get got about into as if so than then there also any some one very d ll re s t ve",
    ),
    "facts": _words(
        *(_SMALL, _VERBS, _MODALS, _MORE_MODALS, _DEMONSTRATIVES, _PRONOUNS, _PERSONS, _QUESTION_WORDS),
        "whom whose why while hers us am being done having about according after before during into onto out over per under "
        "until up as but if instead nor so such than then there also just only less fewer many more much no not new one total "
        "s t couldn't didn't doesn't don't hadn't hasn't haven't isn't wasn't weren't wouldn't",
    ),
    "retrieval": _words(
        *(_SMALL, _VERBS, _MODALS, _MORE_MODALS, _DEMONSTRATIVES, _PRONOUNS, _PERSONS, _QUESTION_WORDS),
        "whom whose why while whatever whether me us my hers itself am being doing having about above after against before "
        "below between down during into off out over through under until up upon without again all any as because both "
        "but each either else few further here if instead just like more most never no nor not now once only other otherwise "
        "own rather same so some still such than then there too very yet aren couldn didn doesn don hadn hasn haven isn "
        "shouldn wasn weren won wouldn d ll m re s t ve",
    ),
    "baselines": _words(
        *(_SMALL, _VERBS, _MODALS, _DEMONSTRATIVES, _QUESTION_WORDS),
        "whom whose why may might should it its as because due if not than there cause causes caused causing effect effects "
        "affect affects lead leads happen happens result results",
    ),
}
"""The words that say nothing about what a text is about."""

DETERMINERS = {
    "names": _words(
        "a an the this that these those its their his her our my your some any such both each every certain various many several "
        "numerous most much more other another"
    ),
    "clauses": _words("the a an his her its their my your our this that these those"),
    "before nouns": _words("a an the of in on at for from with by and or this that these those my your his her its their our"),
    "before no head": _words("and or the his her their its my your a an this that is are was to one two three four"),
}
"""The words before a noun that belong to no name; "before nouns" and "before no head" have other words that stand there too."""

AUXILIARIES = {
    "be": _words(_BE, "be been"),
    "support": _words("do does did", _MODALS, _MORE_MODALS),
    "question features": _words(_BE, _HAVE_AND_DO, _MODALS, _MORE_MODALS, "n't not"),
    "openings": _words(
        *(_BE, _HAVE_AND_DO, _MODALS, _MORE_MODALS),
        "am be isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt shouldnt hasnt havent hadnt",
    ),
    "weak openings": _words(_BE, _HAVE_AND_DO, "wasnt werent didnt hasnt havent hadnt"),
    "counted nouns": _words(_VERBS, "could should will would he she it they"),
}
"""The auxiliary verbs; "openings": of a clause that asks, "weak openings": of one that may continue an "if", "counted nouns": the
words that end the noun behind "how many", some pronouns among them.
"""

NAME_PARTICLES = {
    "questions": _words("of the de von van der la le du da"),
    "titles": _words("of the and in de von van for on la le du di a to"),
}
"""The words in lower case inside a proper name."""
