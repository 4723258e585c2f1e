"""The scoring plays of a report of a game as one table, and its queries: which plays, whose, how long, how many.

Each play is a length in yards with its kind, who threw, caught, ran or kicked the ball, and its quarter. A question selects plays
by kind, player, quarter, length and order, and asks for players, lengths, quarters, or for a count, a sum, a mean or a gap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from graph.text.segmentation import adjoining_spans
from kgqa.quantities.numbers import number_from_words
from kgqa.quantities.quantity_format import format_digits
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import NumericAnswer

PLAY_FIT = 0.6
"""The fit of an answer of the table of plays."""
_NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_GAP = r"(?:[\s–-]|&#160;)"
_MEASURE = NUMERIC_CUES["play length"]
_NAME = NUMERIC_CUES["player name"]
_POSITION, _NO_PLAYER = NUMERIC_CUES["player position"], NUMERIC_CUES["no player"]
_QUARTER = NUMERIC_CUES["quarter"]
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "final": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_QUARTER_NAMES = ("", "first", "second", "third", "fourth", "overtime")
_CHAIN = re.compile(r"[\s,-]*(?:(?:and|to|from) )?(?:an? )?")
"""What stands between two lengths of one phrase: "a 23-yard and a 46-yard field goal"."""
_JOINT = re.compile(
    r"[.;](?=\s|$)|, (?:while|but|and|as|then|yet|before|along|followed)\b| (?:while|but|before|after|as|followed by)\b"
)
_LONGEST_PLAY, _SHORTEST_KICK = 109, 17
_MISSED = NUMERIC_CUES["missed kick"]
_GIVES = NUMERIC_CUES["gives ball to"]
_SCORES = NUMERIC_CUES["scoring word"]
_NEAR_LENGTH = 60
_THROWN = re.compile(
    r"\s(?:touchdown|TD)(?: strike)?(?: from [A-Z][\w.'’-]+)? to (?!make|give|take|tie|put|cut|bring|end|win|increase|extend)"
)
_TO = re.compile(r"\bto (?:[\w.'’-]+\s){0,4}?$")
_BY = re.compile(r"\b(?:by|from|for) (?:(?!touchdown)[\w.'’-]+\s){0,4}?$")
_CATCHES = NUMERIC_CUES["catches ball"]


class PlayKind(StrEnum):
    """How a play scores."""

    KICK = "kick"
    PASS = "pass"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Play:
    """A scoring play: its length at `start` to `end`, its quarter, the `scorer`, who caught, ran or kicked, and who threw.

    A length of 0 says that the text tells none; then the word for the play stands there.
    """

    kind: PlayKind
    yards: int
    start: int
    end: int
    quarter: int
    scorer: str = ""
    thrower: str = ""


@dataclass(frozen=True, slots=True)
class PlayerMention:
    """A player at `start` to `end` of a text, by the full name that the text has."""

    name: str
    start: int
    end: int


@lru_cache(maxsize=32)
def scoring_plays(text: str) -> tuple[Play, ...]:
    """Return the scoring plays of a text in their order."""
    mentions = _player_mentions(text)
    plays: list[Play] = []
    quarter = 0
    for begin, end in adjoining_spans(text, "names"):
        measures = list(_MEASURE.finditer(text, begin, end))
        for place, match in enumerate(measures):
            low = measures[place - 1].end() if place else begin
            following = [later.start() for before, later in pairwise(measures[place:]) if not _is_chained(text, before, later)]
            high = following[0] if following else end
            quarter = _last_quarter(text[low : match.start()], quarter) or _last_quarter(text[match.end() : end], 0)
            kind = _kind_of(text, match, (low, high), plays)
            if kind is None or _is_missed(text, match, low, high):
                continue
            number = match["n"].lower()
            yards = int(number) if number.isdigit() else int(number_from_words(number) or 0)
            if yards > _LONGEST_PLAY or (kind is PlayKind.KICK and yards < _SHORTEST_KICK):
                continue
            here = [mention for mention in mentions if begin <= mention.start < end]
            play = Play(kind, yards, match.start(), match.end(), quarter)
            plays.append(_with_players(play, text, (begin, low, high), here, plays))
        plays += _without_length(text, (begin, end), mentions, [match.span() for match in measures], quarter)
        quarter = _last_quarter(text[begin:end], quarter)
        quarter += re.search(r"\bscoreless (?:first|second|third) (?:quarter|period)\b", text[begin:end]) is not None
    return tuple(sorted(plays, key=lambda play: play.start))


def _without_length(
    text: str, bounds: tuple[int, int], mentions: Sequence[PlayerMention], taken: Sequence[tuple[int, int]], quarter: int
) -> Iterator[Play]:
    """Yield the plays of a sentence whose length it does not tell: "recovered a fumble in the end zone for a touchdown"."""
    begin, end = bounds
    last = begin
    for match in _SCORES.finditer(text, begin, end):
        if any(abs(place - match.start()) < _NEAR_LENGTH for span in taken for place in span):
            continue
        ahead = [mention for mention in mentions if last <= mention.start and mention.end <= match.start()]
        behind = [mention for mention in mentions if match.end() <= mention.start < min(end, match.end() + 30)]
        behind = [mention for mention in behind if _BY.search(text[match.end() : mention.start])]
        last = match.end()
        if not (ahead or behind) or _MISSED.search(text[max(begin, match.start() - 35) : match.end() + 20]):
            continue
        kind = PlayKind.KICK if match["kick"] else PlayKind.RUN
        play = Play(kind, 0, match.start(), match.end(), _last_quarter(text[begin : match.start()], quarter))
        yield replace(play, scorer=(behind or ahead[::-1])[0].name)


def _is_missed(text: str, match: re.Match[str], low: int, high: int) -> bool:
    """Return whether the clause of a length tells of a play that failed; a conversion that failed does not count."""
    ahead = _JOINT.split(text[max(low, match.start() - 35) : match.start()])[-1]
    behind = _JOINT.split(text[match.end() : min(high, match.end() + 45)].partition("(")[0], maxsplit=1)[0]
    return _MISSED.search(f"{ahead}{match[0]}{behind}") is not None


def _last_quarter(text: str, quarter: int) -> int:
    """Return the last quarter that a text names, `quarter` where it names none; a half does not go back from its quarters."""
    for match in _QUARTER.finditer(text):
        if match["h"]:
            quarter = max(quarter, 1 if match["h"].lower() == "first" else 3)
        else:
            quarter = 5 if match["o"] else _QUARTERS[match["n"].lower()]
    return quarter


def _kind_of(text: str, match: re.Match[str], bounds: tuple[int, int], plays: Sequence[Play]) -> PlayKind | None:
    """Return the kind of play of a length, by the words behind it, else those before it; `None` where it scores nothing."""
    low, high = bounds
    own = re.split(r" \(", _JOINT.split(text[match.end() : min(high, match.end() + 90)], maxsplit=1)[0])[0]
    before = _JOINT.split(text[max(low, match.start() - 70) : match.start()])[-1]
    for wording in (own, before + own):
        is_kick = re.search(r"(?i)field goals?|\bFGs?\b", wording)
        scores = re.search(r"(?i)touchdowns?|\bTDs?\b|\bscor(?:e|ed|ing)\b|end zone", wording)
        if is_kick:
            return PlayKind.KICK
        if scores is None:
            continue
        passes = re.search(
            r"(?i)\bpass\w*\b|\bcatch\b|\bcaught\b|reception|\bstrike\b|\btoss\b|\bhit\b|\bfound\b|\bfinding\b", before + own
        )
        runs = re.search(r"(?i)\b(?:runs?|ran|rush\w*|scramble\w*|return\w*|dive|dove|plunge|sneak|carry)\b", before + own)
        if passes and runs:
            passes = re.search(r"(?i)\bpass\b|catch|reception", own)
        passes = passes or _THROWN.match(own)
        return PlayKind.PASS if passes else PlayKind.RUN
    return PlayKind.KICK if match[0].lower().endswith(("yarder", "yarders")) else None


def _is_chained(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    return _CHAIN.fullmatch(text, first.end(), second.start()) is not None


def _with_players(
    play: Play, text: str, bounds: tuple[int, int, int], here: Sequence[PlayerMention], plays: Sequence[Play]
) -> Play:
    """Return a play with its players: of a pass who threw and who caught it, else who ran or kicked."""
    begin, low, high = bounds
    previous = plays[-1] if plays and plays[-1].start >= begin else None
    caught = previous.scorer if previous is not None and previous.kind is PlayKind.PASS else ""
    ahead = [mention for mention in here if low <= mention.start and mention.end <= play.start]
    ahead = ahead[1:] if ahead and ahead[0].name == caught else ahead  # who caught the pass before
    earlier = [mention for mention in here if begin <= mention.start < low]
    clause = _JOINT.search(text, play.end, high)
    close = clause.start() if clause is not None else high
    behind = [mention for mention in here if play.end <= mention.start < close]
    if play.kind is PlayKind.PASS:
        return _with_passers(play, text, begin, (earlier, ahead, behind), previous)
    doer = next((mention for mention in behind if _BY.search(text[play.end : mention.start])), None)
    doer = doer or (ahead[-1] if ahead else None)
    if doer is not None:
        return replace(play, scorer=doer.name)
    if previous is not None:
        return replace(play, scorer=(previous.thrower if earlier else "") or previous.scorer)
    others = earlier[::-1] or behind
    return replace(play, scorer=others[0].name if others else "")


def _with_passers(play: Play, text: str, begin: int, around: tuple[Sequence[PlayerMention], ...], previous: Play | None) -> Play:
    """Return a pass with who threw and who caught it, by the players earlier in the sentence, ahead of it and behind it."""
    earlier, ahead, behind = around
    receiver = next((mention for mention in behind if _TO.search(text[play.end : mention.start])), None)
    thrower = next((mention for mention in behind if _BY.search(text[play.end : mention.start])), None)
    if thrower is not None and _CATCHES.search(text[play.end : thrower.start]):
        receiver, thrower = receiver or thrower, None  # "a 12-yard catch by Hart"
    catching = (mention for mention in reversed(ahead) if _is_receiver(text, mention, begin, play))
    receiver = receiver or next(catching, None)
    receiver = receiver or next((mention for mention in behind if _CATCHES.match(text[mention.end : mention.end + 25])), None)
    others = [mention for mention in ahead if receiver is None or mention.name != receiver.name]
    pair = next((pair for pair in pairwise(ahead) if text[pair[0].end : pair[1].start] in (" and ", " to ")), None)
    if receiver is None and thrower is None and pair is not None:
        thrower, receiver = pair  # "Young and Williams hooked up on a 41-yard pass"
    elif receiver is None and thrower is not None and (others or previous is not None):
        scorer = others[-1].name if others else previous.scorer if previous is not None else ""
        return replace(play, scorer=scorer, thrower=thrower.name)
    thrower = thrower or (others[-1] if others else None)
    if thrower is not None:
        name = thrower.name
    elif previous is not None and previous.kind is PlayKind.PASS:
        name = previous.thrower
    else:
        name = next((mention.name for mention in reversed(earlier) if receiver is None or mention.name != receiver.name), "")
    return replace(play, scorer=receiver.name if receiver is not None else "", thrower=name)


def _is_receiver(text: str, mention: PlayerMention, begin: int, play: Play) -> bool:
    """Return whether a player ahead of a pass caught it: "found Hart on a", "Hart caught a", "Hart's "."""
    given = _GIVES.search(text[max(begin, mention.start - 45) : mention.start]) is not None
    owns = re.match(r"['’]s? $", text[mention.end : play.start]) is not None
    return given or owns or _CATCHES.match(text[mention.end : mention.end + 25]) is not None


def _player_mentions(text: str) -> list[PlayerMention]:
    """Return the mentions of players, in full or by the last name; teams, places, days and leagues are none."""
    full: dict[str, str] = {}
    places: list[tuple[str, int, int]] = []
    teams = {match[1] for match in re.finditer(r"\b[Tt]he ((?:[A-Z][\w.]*[ ])*[A-Z]\w+s)\b", text)}
    team_words = {word for team in teams for word in team.split()}
    for match in _NAME.finditer(text):
        name, start = match[0], match.start()
        while True:
            position = _POSITION.match(name)
            words = name.split()
            if position is not None and position.end() < len(name):
                name, start = name[position.end() :], start + position.end()
            elif len(words) > 1 and (
                _NO_PLAYER.fullmatch(words[0])
                or words[0].removesuffix("'").removesuffix("’") in team_words
                or (words[0].endswith(("'", "’s", "'s")))
            ):
                cut = len(words[0]) + 1
                name, start = name[cut:], start + cut
            else:
                break
        for possessive in ("'s", "’s", "'", "’"):
            name = name.removesuffix(possessive)
        if _POSITION.match(text[start + len(name) :].lstrip(" ")) and text[start + len(name)] == " ":
            continue  # "Jets RB Leon Washington"
        if not name or (_NO_PLAYER.fullmatch(name) and name not in full) or _POSITION.fullmatch(f"{name} ") or name in teams:
            continue
        if re.search(r"\b(?:[Tt]he|[Aa]t|[Ii]nto|[Tt]o) $", text[max(0, start - 5) : start]) and not _GIVES.search(
            text[max(0, start - 5) : start]
        ):
            continue
        if set(name.split()) & team_words and name.split()[-1] in team_words:
            continue
        places.append((name, start, start + len(name)))
        if " " in name:
            full.setdefault(name.removesuffix(" Jr").split()[-1], name)
    players = [PlayerMention(full.get(name, name), start, end) for name, start, end in places]
    positioned = {
        player.name
        for player in players
        if re.search(rf"(?:{_POSITION.pattern})$", text[max(0, player.start - 20) : player.start])
    }
    known = {*full.values(), *positioned}
    return [player for player in players if player.name in known]


@dataclass(frozen=True, slots=True)
class PlayQuery:
    """What a question asks of plays: which it selects, and what of them is wanted."""

    text: str
    kinds: frozenset[PlayKind]
    wants: str
    throws: bool
    quarters: frozenset[int]
    low: int
    high: int
    order: str = ""
    rank: int = 1
    several: int = 1
    times: int = 0
    most: str = ""


_IN_TIME = ("", "first", "opening", "earlier", "earliest", "last", "final", "later", "latest")
_ASKS = NUMERIC_CUES["asks plays"]
_OF_TEAMS = re.compile(
    r"(?i)\bteams?\b|\bother than\b|\bfor the (?!game|first|second|third|fourth|longest|shortest|most)|\bwith [A-Z]"
)
_EXTREME = NUMERIC_CUES["play order"]
_MOST = re.compile(r"(?i)\b(most|more|highest (?:amount|number)|fewest|fewer|least|less)\b(?! than| of)")
_BOUND = NUMERIC_CUES["play bound"]
_BETWEEN = re.compile(rf"(?i)\bbetween (?P<a>{_NUMBER}) and (?P<b>{_NUMBER})\b")
_EXACT = re.compile(rf"(?i)\b(?P<n>{_NUMBER}){_GAP}?yard")
_TIMES = NUMERIC_CUES["play times"]
_SEVERAL = NUMERIC_CUES["several plays"]


def parse_play_query(question: str) -> PlayQuery | None:
    """Return what a question asks of scoring plays, `None` where it asks nothing of them."""
    text = " ".join(question.split()).rstrip(" ?./")
    match = _ASKS.match(text)
    if match is None or _OF_TEAMS.search(text):
        return None
    lower = text.lower()
    kinds: set[PlayKind] = set()
    if re.search(r"field goals?|\bfgs?\b|\bkicker|\bkick(?:ed)?\b", lower):
        kinds.add(PlayKind.KICK)
    else:
        passing = re.search(r"\bpass\w*|recept\w+|caught|catch|threw|thrown|throw|receiv\w+", lower)
        running = re.search(r"\brun\b|\bruns\b|\bran\b|rush\w*|scramble", lower)
        scoring = re.search(r"touchdown|\btds?\b", lower)
        points = re.search(r"\bpoints?\b|\bscor\w+", lower)
        if passing:
            kinds.add(PlayKind.PASS)
        elif running and scoring:
            kinds.add(PlayKind.RUN)
        elif scoring:
            kinds |= {PlayKind.PASS, PlayKind.RUN}
        elif points:
            kinds |= set(PlayKind)
        if passing and running:
            kinds = (
                {PlayKind.RUN}
                if "running back" not in lower and re.search(r"rush|\brun\b", lower) and "pass" not in lower
                else {PlayKind.PASS}
            )
    if not kinds:
        return None
    throws = (
        re.search(
            r"\bthrew\b|\bthrow\w*\b|quarterback|\bqbs?\b|\bpassed for\b|\bpassing\b|\bcompleted?\b|\bmade [\w ]*pass", lower
        )
        is not None
    )
    quarters = _asked_quarters(lower)
    low, high = 0, 999
    if bound := _BOUND.search(text):
        number = _int(bound["n"])
        word = bound["w"].lower()
        low, high = (
            (number + (word != "at least"), 999)
            if word in ("longer than", "over", "more than", "greater than", "at least")
            else (0, number - (word in ("under", "less than", "shorter than")))
        )
    elif between := _BETWEEN.search(text):
        low, high = _int(between["a"]), _int(between["b"])
    elif exact := _EXACT.search(text):
        low = high = _int(exact["n"])
    extreme = _EXTREME.search(text)
    several = _SEVERAL.search(text)
    times = _TIMES.search(text) if extreme is None else None
    most = _MOST.search(text) if extreme is None and low == 0 else None
    return PlayQuery(
        text,
        frozenset(kinds),
        next(name for name, value in match.groupdict().items() if value),
        throws,
        frozenset(quarters),
        low,
        high,
        extreme["w"].lower() if extreme else "",
        {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}.get((extreme["r"] or "").lower(), 1) if extreme else 1,
        _int(several["n"] or several["m"]) if several else 1,
        (_int(times["n"]) + bool(times["more"])) if times else 0,
        most[1].lower() if most else "",
    )


def _int(word: str) -> int:
    return int(word) if word.isdigit() else int(number_from_words(word.lower()) or 0)


def _asked_quarters(lower: str) -> set[int]:
    quarters: set[int] = set()
    if "first two quarters" in lower:
        return {1, 2}
    for match in _QUARTER.finditer(lower):
        if match["h"]:
            quarters |= {1, 2} if match["h"] == "first" else {3, 4}
        else:
            quarters.add(5 if match["o"] else _QUARTERS[match["n"]])
    return quarters


def answer_plays(question: str, text: str) -> NumericAnswer | None:
    """Return the answer of the table of plays to a question, `None` where it has none or nothing is asked of plays."""
    query = parse_play_query(question)
    plays = scoring_plays(text) if query is not None else ()
    if query is None or not plays:
        return None
    named_players = _named_players(query.text, plays)
    selected = [play for play in plays if play.kind in query.kinds and query.low <= play.yards <= query.high]
    if query.wants in ("yards", "length") or query.order not in _IN_TIME:
        selected = [play for play in selected if play.yards]
    if query.quarters:
        selected = [play for play in selected if play.quarter in query.quarters]
    is_choice = re.search(r"\bor\b", query.text) is not None
    if is_choice and len(named_players) < 2:
        return None
    if named_players and not is_choice:
        throwers = "caught" not in query.text.lower()
        selected = [play for play in selected if named_players & {play.scorer, play.thrower if throwers else ""}]
    elif is_choice:
        selected = [play for play in selected if _wanted_player(query, play) in named_players]
    if not selected:
        return None
    return _aggregate(query, selected, named_players if is_choice else frozenset())


def _named_players(text: str, plays: Sequence[Play]) -> frozenset[str]:
    words = {word.removesuffix("'s").removesuffix("’s").strip("'’,.") for word in text.split()}
    names = {name for play in plays for name in (play.scorer, play.thrower) if name}
    return frozenset(name for name in names if name.split()[-1] in words and name.split()[-1][0].isupper())


def _wanted_player(query: PlayQuery, play: Play) -> str:
    return play.thrower if query.throws and play.kind is PlayKind.PASS else play.scorer


def _ordered(query: PlayQuery, selected: Sequence[Play]) -> list[Play]:
    if query.order in ("first", "opening", "earlier", "earliest"):
        return list(selected)
    if query.order in ("last", "final", "later", "latest"):
        return list(reversed(selected))
    short = query.order.startswith("short")
    return sorted(selected, key=lambda play: (play.yards if short else -play.yards, play.start))


def _aggregate(query: PlayQuery, selected: Sequence[Play], options: frozenset[str]) -> NumericAnswer | None:
    """Return what is asked of the selected plays: players, lengths, a quarter, a count, a sum or a mean."""
    lower = query.text.lower()
    step = f"of {', '.join(f'{play.yards} yards {_wanted_player(query, play)}'.strip() for play in selected[:12])}"
    if query.wants == "count":
        return NumericAnswer(str(len(selected)), PLAY_FIT, (f"counted: {step}",))
    if re.search(r"\baverage\b", lower):
        value = Fraction(sum(play.yards for play in selected), len(selected))
        return NumericAnswer(format_digits(round(value, 2)), PLAY_FIT, (step,))
    if re.search(r"\b(?:total|combined|altogether|together)\b", lower) and query.wants == "yards":
        return NumericAnswer(str(sum(play.yards for play in selected)), PLAY_FIT, (step,))
    chosen = _ordered(query, selected) if query.order else list(selected)
    if query.order:
        if len(chosen) < query.rank:
            return None
        chosen = chosen[query.rank - 1 : query.rank - 1 + query.several]
    if query.wants in ("yards", "length"):
        if query.times > 1 and not query.order:
            counts = Counter(play.yards for play in chosen)
            repeated = [play for play in chosen if counts[play.yards] == query.times]
            chosen = repeated[:1] if repeated and query.wants == "length" else chosen
        if (
            not query.order
            and len(chosen) > 1
            and not re.search(r"\beach\b|\bwhat all\b|\bwhich\b|goals\b|touchdowns\b|passes\b|receptions\b", lower)
        ):
            return None
        lengths = list(dict.fromkeys(f"{play.yards}-yard" if query.wants == "length" else str(play.yards) for play in chosen))
        first = chosen[0]
        at = (first.start, first.end) if len(lengths) == 1 else (None, None)
        return NumericAnswer(", ".join(lengths), PLAY_FIT, (step,), *at)
    if query.wants == "quarter":
        counts = Counter(play.quarter for play in chosen if play.quarter)
        best = counts.most_common(2)
        if not best or (len(best) > 1 and best[0][1] == best[1][1]):
            return None
        return NumericAnswer(_QUARTER_NAMES[best[0][0]], PLAY_FIT, (step,))
    return _players_of(query, chosen, step, options)


def _as_asked(name: str, question: str) -> str:
    """Return a name as the question has it: in full, or the last name alone."""
    return name if name in question else name.split()[-1]


def _players_of(query: PlayQuery, chosen: Sequence[Play], step: str, options: frozenset[str]) -> NumericAnswer | None:
    """Return the players of the chosen plays: all of them, or who has most of them, or as many as the question says."""
    names = [_wanted_player(query, play) for play in chosen]
    if query.most:
        counts = Counter(filter(None, names)).most_common()
        counts = counts[::-1] if query.most in ("fewest", "fewer", "least", "less") else counts
        if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
            return None
        names = [counts[0][0]]
    elif query.times > 1 or (query.times and re.search(r"(?i)\beach\b", query.text)):
        counts_by_name = Counter(names)
        exact = re.search(r"(?i)more than|at least", query.text) is None
        names = [
            name for name in names if (counts_by_name[name] == query.times if exact else counts_by_name[name] >= query.times)
        ]
    names = list(dict.fromkeys(filter(None, names)))
    if options:
        names = [_as_asked(name, query.text) for name in names if name in options][: 1 if query.order or query.most else None]
    plural = query.several > 1 or re.search(r"(?i)\b(?:players|kickers|quarterbacks|receivers|qbs)\b|^who all\b", query.text)
    if not names or (
        len(names) > 1
        and not plural
        and not query.most
        and re.search(r"(?i)^which \w+ ", query.text) is not None
        and not query.order
    ):
        return None
    return NumericAnswer(", ".join(names), PLAY_FIT, (step,))
