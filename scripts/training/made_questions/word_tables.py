"""Tables of words for questions made by rule: words that may stand for one another, and words that shut each other out."""

from __future__ import annotations

SAME = {
    word: other
    for pair in (
        "situated:located found:discovered famous:well-known begin:start began:started large:big "
        "built:constructed several:multiple "
        "primarily:mainly mainly:primarily commonly:often approximately:about almost:nearly nearly:almost currently:now "
        "also: chiefly:mainly movie:film film:movie physician:doctor purchase:buy purchased:bought acquire:buy acquired:bought "
        "founded:established established:founded created:made obtain:get obtained:got receive:get received:got attend:go_to "
        "attended:went_to utilize:use utilized:used manufacture:make manufactured:made produced:made produce:make "
        "require:need required:needed require:need contain:include demonstrate:show permit:allow permitted:allowed "
        "forbidden:banned prohibited:banned defeat:beat relocate:move vehicle:car automobile:car assist:help assisted:helped "
        "award:prize prizes:awards conflict:war numerous:many illness:disease difficult:hard rapidly:quickly quick:fast "
        "wealthy:rich principal:main primary:main crucial:key essential:necessary occur:happen occurred:happened "
        "perish:die wed:marry reside:live resided:lived dwell:live comprise:include comprises:includes assassinated:killed "
        "murdered:killed slain:killed nation:country country:nation university:college nearby:near "
        "attorney:lawyer lawyer:attorney "
        "author:writer writer:author novel:book actress:performer singer:vocalist musician:artist "
        "town:settlement village:settlement "
        "footballer:player stadium:venue monarch:ruler king:ruler physicist:scientist chemist:scientist biologist:scientist "
        "bird:animal mammal:animal fish:animal oak:tree sparrow:bird shrub:plant"
    ).split()
    for word, _, other in [pair.partition(":")]
}
"""What may stand for a word, or what it is a kind of; "_" is a space."""

OPPOSITE_PAIRS = (
    "large:small largest:smallest larger:smaller big:small bigger:smaller high:low "
    "higher:lower highest:lowest long:short longer:shorter "
    "longest:shortest old:new older:newer oldest:newest early:late earlier:later earliest:latest northern:southern north:south "
    "eastern:western east:west northeast:southwest northwest:southeast "
    "northeastern:southwestern northwestern:southeastern upper:lower "
    "public:private rural:urban male:female legal:illegal domestic:foreign increase:decrease increased:decreased "
    "increases:decreases increasing:decreasing rise:fall rose:fell win:lose won:lost "
    "before:after first:last more:fewer most:least "
    "fast:slow faster:slower strong:weak stronger:weaker common:rare commonly:rarely "
    "often:seldom hot:cold warm:cold warmer:colder "
    "wet:dry deep:shallow wide:narrow rich:poor cheap:expensive open:closed opened:closed begin:end begins:ends began:ended "
    "start:end started:ended success:failure successful:unsuccessful successfully:unsuccessfully positive:negative "
    "major:minor majority:minority maximum:minimum above:below inside:outside internal:external permanent:temporary "
    "active:inactive popular:unpopular support:oppose supported:opposed supports:opposes "
    "accept:reject accepted:rejected allow:forbid "
    "allowed:forbidden allows:forbids include:exclude included:excluded includes:excludes "
    "inhabited:uninhabited conservative:liberal "
    "important:unimportant possible:impossible hard:soft heavy:light light:dark full:empty left:right arrive:depart live:dead "
    "living:extinct alive:dead modern:ancient similar:different same:different together:apart indoor:outdoor edible:inedible "
    "gained:lost gain:lose improve:worsen improved:worsened improves:worsens native:foreign formal:informal regular:irregular "
    "dependent:independent toxic:harmless fictional:real ascending:descending import:export imported:exported "
    "buy:sell bought:sold enter:leave entered:left expand:shrink expanded:shrank rising:falling superior:inferior senior:junior "
    "younger:older youngest:oldest youngest:eldest summer:winter spring:autumn morning:evening "
    "day:night father:mother son:daughter "
    "brother:sister husband:wife king:queen actor:actress coastal:inland "
    "left-handed:right-handed visible:invisible offensive:defensive "
    "professional:amateur simple:complex solid:liquid voluntary:compulsory mandatory:optional direct:indirect directly:indirectly"
)


def both_ways(pairs: str) -> dict[str, str]:
    """Return a table that leads from either word of each pair to the other, where a word has several to the first."""
    table: dict[str, str] = {}
    for pair in pairs.split():
        one, _, other = pair.partition(":")
        table.setdefault(one, other)
        table.setdefault(other, one)
    return table


OPPOSITES = both_ways(OPPOSITE_PAIRS)
"""Common words with their opposites, to which `opposites.tsv` adds where both words are common enough."""

SIBLINGS = (
    "city mountain river lake island country",
    "film novel album band magazine song",
    "footballer politician painter physicist composer actor",
    "genus city language religion disease",
    "mother father brother sister uncle grandfather",
    "guitarist drummer pianist",
    "battle treaty election festival",
    "monday tuesday wednesday thursday friday saturday sunday",
    "january february march april may june july august september october november december",
    "hydrogen oxygen nitrogen carbon helium",
    "football baseball cricket basketball hockey rugby tennis",
    "catholic protestant muslim jewish buddhist hindu",
)
"""Words that name different things of a like sort: what is the one is not the other."""

RELATIONS = (
    "mother father brother sister wife husband son daughter uncle cousin",
    "author director producer composer editor publisher illustrator",
    "president king queen governor mayor chancellor emperor",
    "population area climate elevation economy",
    "founder owner chairman rival successor predecessor",
    "cause effect cure",
    "advantage disadvantage",
    "origin end purpose",
    "birthplace grave",
    "capital harbor airport border",
    "river lake mountain island desert forest",
    "university school hospital library museum church",
    "army navy police",
    "religion language currency flag",
    "book song film play poem painting",
    "teacher student",
    "winner loser",
    "increase decrease",
    "war treaty election revolution famine",
    "teachers doctors lawyers farmers",
    "bacteria viruses fungi insects",
    "cells organs bones muscles",
    "students workers soldiers prisoners",
    "company government church",
    "water oil gold iron",
)
"""Nouns that stand in the same place of a question, yet ask for something else."""

KINDS_OF = {one: group.split() for group in SIBLINGS for one in group.split()}
RELATED = {one: group.split() for group in RELATIONS for one in group.split()}

ONE_WAY = frozenset(
    "defeat succeed precede replace kill acquire invade contain cause found write direct "
    "influence conquer contain discover invent "
    "produce buy purchase own destroy attack capture publish create design build teach sign "
    "follow outnumber surround govern rule "
    "beat cover compose paint develop protect eat feed nominate elect appoint host sponsor finance overthrow assassinate murder "
    "sue inspire succeed inherit operate translate edit illustrate narrate oppose support arrest accuse".split()
)
"""Verbs whose subject and object cannot be changed round."""

REPORTING = frozenset(
    "say claim believe argue suggest think report state allege consider suppose propose assume "
    "seem appear predict expect hope deny "
    "estimate try attempt refuse fail want plan intend begin start continue tend need".split()
)
"""Verbs after which it is not said that the rest is so."""

CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve".split()

LANDS = dict(
    pair.split(":")
    for pair in (
        "france:french germany:german italy:italian spain:spanish england:english scotland:scottish ireland:irish wales:welsh "
        "russia:russian china:chinese japan:japanese india:indian brazil:brazilian canada:canadian "
        "australia:australian mexico:mexican "
        "egypt:egyptian greece:greek turkey:turkish poland:polish sweden:swedish norway:norwegian denmark:danish finland:finnish "
        "portugal:portuguese hungary:hungarian romania:romanian ukraine:ukrainian austria:austrian "
        "belgium:belgian israel:israeli "
        "iran:iranian iraq:iraqi pakistan:pakistani indonesia:indonesian argentina:argentine chile:chilean peru:peruvian "
        "cuba:cuban nigeria:nigerian kenya:kenyan vietnam:vietnamese thailand:thai korea:korean "
        "bulgaria:bulgarian serbia:serbian "
        "croatia:croatian iceland:icelandic america:american britain:british"
    ).split()
)
"""Countries with the word for what is from there."""
PEOPLES = frozenset(LANDS.values())
NEIGHBOURS = (
    {"english", "scottish", "welsh", "irish", "british", "england", "scotland", "wales", "ireland", "britain"},
    {"german", "austrian", "germany", "austria"},
    {"russian", "ukrainian", "russia", "ukraine"},
    {"indian", "pakistani", "india", "pakistan"},
)
"""Countries and peoples of which one may be said for the other."""
STAYS = frozenset(
    "former fictional proposed extinct defunct false fake planned alleged only same first last "
    "second third next previous current "
    "potential possible largest smallest main few such different other various own similar so-called ancient".split()
)
"""Adjectives without which the sentence would say something else."""
