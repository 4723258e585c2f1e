"""Forms of English that a question by rule needs: participles, pronouns, and whether a name is a person's."""

from __future__ import annotations

import re

_IRREGULAR = (
    "be was been,become became become,begin began begun,bear bore borne,beat beat beaten,bind bound bound,break broke broken,"
    "bring brought brought,build built built,buy bought bought,catch caught caught,choose chose chosen,come came "
    "come,cut cut cut,"
    "deal dealt dealt,do did done,draw drew drawn,drive drove driven,fall fell fallen,fight fought fought,find found found,"
    "fly flew flown,forbid forbade forbidden,get got got,give gave given,go went gone,grow grew grown,have had "
    "had,hear heard heard,"
    "hit hit hit,hold held held,keep kept kept,know knew known,lay laid laid,lead led led,leave left left,lend "
    "lent lent,let let let,"
    "lose lost lost,make made made,meet met met,overcome overcame overcome,overthrow overthrew overthrown,pay "
    "paid paid,put put put,"
    "read read read,ride rode ridden,rise rose risen,run ran run,say said said,see saw seen,sell sold sold,send "
    "sent sent,set set set,"
    "shoot shot shot,show showed shown,sing sang sung,sink sank sunk,speak spoke spoken,spend spent spent,split split split,"
    "spread spread spread,stand stood stood,steal stole stolen,strike struck struck,swear swore sworn,take took taken,"
    "teach taught taught,tell told told,think thought thought,throw threw thrown,undergo underwent undergone,win won won,"
    "withdraw withdrew withdrawn,write wrote written,seek sought sought,feed fed fed,wear wore worn,light lit lit,cast cast cast,"
    "host hosted hosted,open opened opened,enter entered entered,visit visited visited,cover covered covered,"
    "offer offered offered,"
    "order ordered ordered,edit edited edited,limit limited limited,develop developed developed,deliver delivered delivered,"
    "recover recovered recovered,consider considered considered,discover discovered discovered,conquer conquered conquered,"
    "honor honored honored,record recorded recorded,remember remembered remembered,exhibit exhibited exhibited"
)
_ROWS = [row.split() for row in _IRREGULAR.split(",")]
_PARTICIPLE = {word: row[2] for row in _ROWS for word in row[:2]} | {"were": "been"}


def _either(forms: set[str]) -> str:
    irregular = sorted((form for form in forms if not form.endswith("ed")), key=lambda form: (-len(form), form))
    return rf"(?:[a-z]+ed|{'|'.join(irregular)})"


PAST = _either({row[1] for row in _ROWS} - {"had", "did", "read", "was"})
"""A verb in the past, as a pattern."""
PASSIVE = _either({row[2] for row in _ROWS} - {"been", "had", "come", "gone"})
"""A past participle, as a pattern."""

MALE = frozenset(
    "Adam Alan Albert Alexander Alfred Allen Andrew Anthony Antonio Arnold Arthur Benjamin Bernard Bill Bob "
    "Brian Bruce Carl Carlos "
    "Charles Christopher Daniel David Dennis Donald Douglas Edgar Edmund Edward Edwin Eric Ernest Felix Ferdinand Francis Franz "
    "Fred Frederick Friedrich Gary Geoffrey George Gerald Gilbert Giovanni Gordon Gregory Gustav Hans Harold "
    "Harry Heinrich Henri "
    "Henry Herbert Howard Hugh Isaac Ivan Jack Jacob Jacques James Jan Jean Jeff Jim Jimmy Joe Johann John "
    "Johnny Jonathan Jose José "
    "Joseph Juan Karl Keith Ken Kenneth Kevin Larry Lawrence Leo Leonard Lewis Louis Luis Marcus Mark Martin Matthew Max Michael "
    "Mike Nicholas Nikolai Oliver Oscar Otto Patrick Paul Peter Philip Pierre Ralph Raymond Richard Rob Robert "
    "Roger Ron Ronald Roy "
    "Rudolf Samuel Scott Sergei Sigmund Stanley Stephen Steve Steven Theodore Thomas Tim Timothy Tom Tony Victor Vladimir Walter "
    "Wilhelm William Winston Wolfgang Alexei Ali Muhammad Mohammed Ahmed King Prince Sir Emperor Pope Lord Duke "
    "Tsar Bishop Archbishop "
    "Sultan".split()
)
FEMALE = frozenset(
    "Alice Amy Anna Anne Barbara Beatrice Betty Carol Caroline Catherine Charlotte Christine Clara Diana Dorothy "
    "Eleanor Elizabeth "
    "Ellen Emily Emma Emmy Florence Grace Hannah Helen Isabella Jane Janet Jennifer Jessica Joan Julia Julie "
    "Karen Kate Katherine "
    "Laura Linda Lisa Louise Lucy Margaret Maria Marie Mary Nancy Nicole Patricia Rachel Rebecca Rosa Ruth Sarah Sophia Susan "
    "Victoria Virginia Queen Princess Empress Lady Duchess".split()
)
TITLES = frozenset(
    "President General Admiral Captain Colonel Major Professor Dr. Senator Governor Count Cardinal Judge Lieutenant Commander "
    "Brigadier Field Saint St.".split()
)
_NOT_PERSONS = re.compile(
    r"\b(?:University|College|School|Company|Corporation|Inc|Ltd|Records|Party|Club|FC|City|Army|Navy|Empire|"
    r"Kingdom|Republic|States|"
    r"Union|Church|Council|Group|Association|League|Museum|Society|Institute|Army|Force|Press|Times|Street|River|"
    r"Lake|Mount|Island|"
    r"War|Battle|Act|Treaty|Cup|Prize|Award|Studios?|Pictures|Entertainment|Railway|Airport|Station|Hall|House|Palace|Theatre|"
    r"Theater|Stadium|Park|County|Province|Series|Stakes|Games|Committee|Commission|Department|Ministry|Bank|Agency|Bureau|"
    r"Magazine|Band|Orchestra|Network|Channel|Television|Radio|Street|Road|Bridge|Tower|Center|Centre|Hotel|Valley|Bay)\b"
)
_IT = {"he": "he his him", "she": "she her her", "it": "it its it", "they": "they their them"}


def participle(verb: str) -> str:
    """Return the past participle of a verb that stands in the past or in its base form."""
    if verb in _PARTICIPLE:
        return _PARTICIPLE[verb]
    if re.search(r"[^e]ed$|[gr]reed$", verb) and len(verb) > 3:
        return verb
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", verb) or re.search(r"(?:mit|fer|cur|trol|pel|bel|lan|gin|bat|tup)$", verb):
        return f"{verb}{verb[-1]}ed"
    return f"{verb}ed"


def is_past(verb: str) -> bool:
    """Return whether a word may be a verb in the past."""
    return bool(re.fullmatch(PAST, verb))


def pronoun_of(name: str) -> str:
    """Return he or she for a person's name, it for what is no person, and nothing where the name does not tell."""
    words = name.split()
    if name.startswith(('"', "The ", "the ")) or _NOT_PERSONS.search(name):
        return "it"
    first = next((word for word in words if word not in TITLES), "")
    return "he" if first in MALE else "she" if first in FEMALE else ""


def is_person(name: str) -> bool:
    """Return whether a name begins as a person's does."""
    return pronoun_of(name) in ("he", "she") or (name.split()[0] in TITLES and not _NOT_PERSONS.search(name))


def declined(pronoun: str) -> tuple[str, str, str]:
    """Return a pronoun as subject, as possessive and as object."""
    subject, possessive, other = _IT[pronoun].split()
    return subject, possessive, other
