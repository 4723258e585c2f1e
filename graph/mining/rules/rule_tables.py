"""The mining rules: read from the table of each family and from files of the user, checked and compiled."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from graph.errors import InputIsDirectory, InputMissing, InputUnreadable, RuleInvalid
from graph.mining.rules.dependency_pattern import DependencyPattern, PatternInvalid, compile_pattern
from graph.mining.rules.rule_row import FieldInvalid, RuleRow, check_texts, line_of_rule_field, near_names_hint
from graph.model import Polarity, Relation, Strength
from graph.text.word_lists import word_list, word_list_names

FRAMES_TABLE = "frames"
USER_FAMILY = "user"
LOOSE_FAMILY = "loose"
"""The family of rules that propose too much to stand alone: a judge of claims decides."""
RULE_SOURCES = ("reading", "SemEval", "Causal News", "CauseNet", "induced", USER_FAMILY)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_WRITTEN_GAP = re.compile(r"\\W\+((?:\(\?![^()]*(?:\([^()]*\)[^()]*)*\))?)\(\?:\\S\+\\W\+\)\{([01]),(\d+)\}\?")
"""A gap of at most so many words in the notation of the tables, with a negative lookahead: `\\W+(?:\\S+\\W+){0,8}?`."""
_JOINED_WORD_PART = r"(?:\w++[^\w\s]++)"  # a part of a word and the hyphen or other mark that joins it to the next part
_SEPARATE_WORD = rf"(?:{_JOINED_WORD_PART}{{0,40}}?\w++[^\w\s]*+\s\W*+)"
"""A word and the characters up to the next word, white space among them."""
_NO_SUBJECT = "he she they we you i these by of for in at".split()
_NOT_BEHIND = "".join([*(rf"(?<!\b{word} )" for word in _NO_SUBJECT), r"(?<!\S this )", r"(?<!\S it )"])
TRANSITIVE_FRAMES = frozenset({"active", "passive"})
CONNECTIVE_FRAMES = frozenset({"connective", "as-noun", "owing", "preposition"})
RULE_FIELDS = frozenset(
    "id learnt words text needs prep frame cause relation polarity strength object_name agents cause_in cause_not_in effect_in "
    "effect_not_in bare hedged acts deeds match no_match".split()
)
"""The fields that a rule may have."""


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A sentence and the claims, as (cause, effect) concept names, that a rule must find in it."""

    text: str
    claims: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A wording by which a sentence states a causal claim.

    `cue` are the lower-case words that anchor it; a sentence must match the expression `text` to be parsed for this rule, and
    with `needs` to be matched by it at all. `cause_is_subject` says which argument of the frame is the cause; `object_name`
    names the effect where the cue word itself stands for it. Without `agents`, people and bodies that act are no causes. The
    heads of cause and effect must be among the nouns "in", if there are any, and not among those "not in". With `bare`, the
    cue has no direct object; a `hedged` rule reports an opinion; an `acts` rule names verbs by what is done, a `deeds` rule
    where who does it has no name; a `connective` joins clauses; in a `hyphen` rule the cue ends a compound, and in a `transitive`
    one its object is an argument.
    """

    id: str
    family: str
    learnt: str
    cue: frozenset[str]
    text: str
    needs: bool
    patterns: tuple[DependencyPattern, ...]
    cause_is_subject: bool
    relation: Relation
    polarity: Polarity
    strength: Strength
    object_name: str | None
    agents: bool
    cause_in: frozenset[str]
    cause_not_in: frozenset[str]
    effect_in: frozenset[str]
    effect_not_in: frozenset[str]
    bare: bool
    hedged: bool
    acts: bool
    deeds: bool
    connective: bool
    hyphen: bool
    transitive: bool
    matches: tuple[RuleExample, ...]
    no_matches: tuple[str, ...]


@cache
def builtin_rules() -> tuple[Rule, ...]:
    """Return the built-in rules, in table order."""
    return read_rules(_builtin_tables())


@cache
def loose_rules() -> tuple[Rule, ...]:
    """Return the rules, in table order, that are used only in front of a judge of claims."""
    text = resources.files("graph.mining.rules").joinpath("loose_rules.toml").read_text(encoding="utf-8")
    data, shipped = _parse_toml(text, LOOSE_FAMILY), _parse_toml(_builtin_tables()[FRAMES_TABLE], FRAMES_TABLE)
    frames = {**shipped["frames"], **data["frames"]}
    return _check_distinct_ids(_rules_of_table(data, text, LOOSE_FAMILY, shipped["heads"], frames, "loose_rules.toml"))


def with_loose_rules(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return some rules, and the loose ones whose ids are not among theirs."""
    ids = {rule.id for rule in rules}
    return (*rules, *(rule for rule in loose_rules() if rule.id not in ids))


def every_rule(path: str | None = None) -> tuple[Rule, ...]:
    """Return the rules of `load_rules` and the loose ones."""
    return with_loose_rules(load_rules(path))


def rules_with_cue_among(among: Set[str]) -> tuple[Rule, ...]:
    """Return the built-in rules with a cue `among` some lower-case words: few, which compile faster than all."""
    return read_rules(_builtin_tables(), among)


def load_rules(path: str | None = None) -> tuple[Rule, ...]:
    """Return the built-in rules and those of the TOML file at `path`, if one is given.

    A rule of the file replaces the built-in one with the same id; others follow, as the family "user". The file may have [heads]
    and [frames] for its own rules. Raises `InputMissing`, `InputIsDirectory`, `InputUnreadable` and `RuleInvalid`.
    """
    if path is None:
        return builtin_rules()
    own = {rule.id: rule for rule in read_user_rules(_read_rule_file(path), path)}
    builtin = {rule.id: own.get(rule.id, rule) for rule in builtin_rules()}
    return tuple({**builtin, **own}.values())


def read_rules(tables: Mapping[str, str], among: Set[str] | None = None) -> tuple[Rule, ...]:
    """Return the rules of TOML tables, by family, in the order of their families; with `among` only those with a cue in it.

    The table "frames" has the frames for all families. Raises `RuleInvalid` with the family, the line and the id of the rule.
    """
    data = {family: _parse_toml(table, family) for family, table in sorted(tables.items())}
    heads, frames = data[FRAMES_TABLE]["heads"], data[FRAMES_TABLE]["frames"]
    rules: list[Rule] = []
    for family, table in data.items():
        own = {**frames, **table.get("frames", {})}
        rules.extend(_rules_of_table(table, tables[family], family, heads, own, f"{family}.toml", among))
    return _check_distinct_ids(rules)


def _builtin_tables() -> dict[str, str]:
    files = (file for file in resources.files("graph.mining.rules").joinpath("tables").iterdir() if file.name.endswith(".toml"))
    return {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in files}


def _read_rule_file(path: str) -> str:
    file = Path(path)
    if file.is_dir():
        raise InputIsDirectory(path)
    if not file.exists():
        raise InputMissing(path)
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputUnreadable(path, str(error)) from error


def read_user_rules(text: str, path: str) -> tuple[Rule, ...]:
    """Return the rules of the text of a user's file, which messages call `path`; raises `RuleInvalid`."""
    data, shipped = _parse_toml(text, path), _parse_toml(_builtin_tables()[FRAMES_TABLE], FRAMES_TABLE)
    for field in data:
        if field not in ("rule", "heads", "frames"):
            raise RuleInvalid("?", f"no table '{field}' in a file of rules; there are: rule, heads, frames", path)
    for part in ("heads", "frames"):
        if not isinstance(data.get(part, {}), dict):
            raise RuleInvalid("?", f"'{part}' is no table; write [{part}]", path)
    heads, frames = ({**shipped[part], **data.get(part, {})} for part in ("heads", "frames"))
    rules = _rules_of_table(data, text, USER_FAMILY, heads, frames, path)
    if not rules:
        raise RuleInvalid("?", "the file holds no rule; each begins with [[rule]]", path)
    return _check_distinct_ids(rules, path)


def _parse_toml(text: str, place: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleInvalid("?", f"not TOML: {error}", place) from error


def _rules_of_table(
    data: Mapping[str, Any],
    text: str,
    family: str,
    heads: Mapping[str, Any],
    frames: Mapping[str, Any],
    place: str,
    among: Set[str] | None = None,
) -> list[Rule]:
    rules = []
    rows = data.get("rule", [])
    if not isinstance(rows, list) or not all(isinstance(values, Mapping) for values in rows):
        raise RuleInvalid("?", "a rule is a table that begins with [[rule]]", place)
    for number, values in enumerate(rows):
        try:
            row = RuleRow(values, RULE_FIELDS)
            if among is None or not among.isdisjoint(row.text("words").split()):
                rules.append(_read_rule(row, family, heads, frames))
        except FieldInvalid as error:
            where = f"{place}, line {line_of_rule_field(text, number, error.field, error.quoted)}"
            name = values.get("id")
            raise RuleInvalid(name if isinstance(name, str) and name.strip() else "?", str(error), where) from error
    return rules


def _check_distinct_ids(rules: Sequence[Rule], place: str = "") -> tuple[Rule, ...]:
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise RuleInvalid(rule.id, "the id stands twice in the table", place)
        seen.add(rule.id)
    return tuple(rules)


def _read_rule(row: RuleRow, family: str, heads: Mapping[str, Any], frames: Mapping[str, Any]) -> Rule:
    name, frame = row.text("id"), row.text("frame")
    cue = row.text("words").split()
    if any(word != word.lower() for word in cue):
        raise FieldInvalid("words", f"cue words are looked for in lower case: '{' '.join(cue).lower()}'")
    if frame not in frames:
        raise FieldInvalid("frame", f"no frame '{frame}'; {near_names_hint(frame, frames)}")
    return Rule(
        id=name,
        family=family,
        learnt=row.one_of("learnt", RULE_SOURCES, USER_FAMILY if family == USER_FAMILY else None),
        cue=frozenset(cue),
        text=_cue_expression(row, cue, frames[frame], family == USER_FAMILY),
        patterns=tuple(_compiled_patterns(row, frame, heads, frames)),
        cause_is_subject=row.one_of("cause", ("subject", "object")) == "subject",
        relation=row.member("relation", Relation, Relation.CAUSES),
        polarity=row.member("polarity", Polarity, Polarity.NONE),
        strength=row.member("strength", Strength, Strength.CAUSES),
        object_name=row.text("object_name") if row.has("object_name") else None,
        agents=row.flag("agents", True),
        cause_in=_words_of_lists(row, "cause_in"),
        cause_not_in=_words_of_lists(row, "cause_not_in"),
        effect_in=_words_of_lists(row, "effect_in"),
        effect_not_in=_words_of_lists(row, "effect_not_in"),
        bare=row.flag("bare", False),
        hedged=row.flag("hedged", False),
        needs=row.has("needs"),
        acts=row.flag("acts", False),
        deeds=row.flag("deeds", False),
        connective=frame in CONNECTIVE_FRAMES,
        hyphen=frame == "hyphen",
        transitive=frame in TRANSITIVE_FRAMES,
        matches=tuple(_parse_example(text, claims) for text, claims in row.pairs("match")),
        no_matches=row.texts("no_match"),
    )


def _compiled_patterns(
    row: RuleRow, name: str, heads: Mapping[str, Any], frames: Mapping[str, Any]
) -> Iterable[DependencyPattern]:
    prep = row.text("prep", "")
    if prep and not re.fullmatch(r"\w+(\|\w+)*", prep):
        raise FieldInvalid("prep", f"'prep' is '{prep}'; words joined by | are needed: to|with")
    for parts in frame_patterns(name, frames[name], heads):
        text = ", ".join(parts)
        if "{prep}" in text and not prep:
            raise FieldInvalid("frame", f"the frame '{name}' needs a preposition: prep = \"to\"")
        try:
            pattern = compile_pattern(text.replace("{prep}", prep))
        except PatternInvalid as error:
            wrong = next((part for part in reversed(parts) if error.arc and error.arc in part.replace("{prep}", prep)), "")
            raise FieldInvalid("frame", f"frame '{name}': {error}", wrong) from error
        if "subject" not in pattern.names:
            raise FieldInvalid("frame", f"frame '{name}': no node of the pattern '{text}' is called subject", parts[-1])
        yield pattern


def frame_patterns(name: str, frame: Any, heads: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """Yield the parts of each pattern of a frame: the pattern, or a head and a tail; raise `FieldInvalid`."""
    if not isinstance(frame, Mapping) or not ("patterns" in frame or {"head", "tails"} <= frame.keys()):
        raise FieldInvalid("frame", f"frame '{name}' has neither patterns nor a head and tails")
    for pattern in check_texts(frame.get("patterns", []), "patterns"):
        yield (pattern,)
    if "tails" not in frame:
        return
    head = frame.get("head")
    if not isinstance(head, str) or head not in heads:
        raise FieldInvalid("frame", f"frame '{name}': no head '{head}'; {near_names_hint(str(head), heads)}")
    for tail in check_texts(frame["tails"], "tails"):
        for first in check_texts(heads[head], "heads"):
            yield first, tail


def _cue_expression(row: RuleRow, cue: Iterable[str], frame: Any, checked: bool) -> str:
    """Return the regular expression of a rule; a verb right behind a pronoun or a preposition has no cause as its subject.

    Only the expressions of the user's rules are `checked` here: to compile all takes longer than to mine a page.
    """
    if row.has("needs") and row.has("text"):
        raise FieldInvalid("text", "a rule has either 'text' or 'needs'; 'needs' alone is enough")
    text = _fill_placeholders(row.text("needs" if row.has("needs") else "text", ""), cue)
    text = text or _cue_words_expression(cue, row.text("prep", "") or None)
    try:
        if checked:
            re.compile(rf"(?<!\w)(?:{text})(?!\w)")
    except (re.error, OverflowError, RecursionError) as error:
        raise FieldInvalid("text", f"not a regular expression: {error}") from error
    return _NOT_BEHIND + text if isinstance(frame, Mapping) and frame.get("head") == "verb" else text


def _fill_placeholders(text: str, cue: Iterable[str]) -> str:
    """Return a regular expression with the cue words for "{words}", and the words of a list for its name in braces."""

    def alternatives(name: re.Match[str]) -> str:
        return _cue_words_expression(cue if name[1] == "words" else _known_list(name[1], "text"), None)

    return linear_expression(_PLACEHOLDER.sub(alternatives, text))


def linear_expression(text: str) -> str:
    r"""Return a rule's regular expression with its gaps written so that there is one way to match them.

    `\S+\W+` can divide a run of marks in many ways, so that a gap of eight words takes time that grows with the eighth power of
    the run. Here a gap is matched word by word: the marks inside a word and those between words are distinct, and possessive
    quantifiers prevent backtracking.
    """

    def gap(match: re.Match[str]) -> str:
        least, most = int(match[2]), int(match[3])
        apart = f"{_SEPARATE_WORD}{{{least},{most}}}?"
        joined = f"{_SEPARATE_WORD}{{0,{most - 1}}}?{_JOINED_WORD_PART}{{1,40}}?"
        return rf"\W++{match[1]}(?:{apart}|{joined})"

    text = _WRITTEN_GAP.sub(gap, text).replace(r"[\w-]+\W", r"\w[\w-]*+\W").replace(r"[\w-]*\W", r"[\w-]*+\W")
    return re.sub(r"\\W\+(?!\+)", r"\\W++", re.sub(r"\\w\+(?=\\W)", r"\\w++", text))


def _cue_words_expression(cue_words: Iterable[str], prep: str | None) -> str:
    """Return a regular expression for the cue words, followed within three words by one of the prepositions, if any."""
    cue = rf"(?:{'|'.join(sorted(map(re.escape, cue_words)))})"
    return cue if prep is None else rf"{cue}\W++(?:\w++\W++){{0,3}}?(?:{prep})"


def _words_of_lists(row: RuleRow, field: str) -> frozenset[str]:
    names = row.text(field, "").split()
    for name in names:
        _known_list(name, field)
    return _union_of_lists(tuple(names))


def _known_list(name: str, field: str) -> frozenset[str]:
    if name not in word_list_names():
        raise FieldInvalid(field, f"no word list '{name}'; {near_names_hint(name, word_list_names())}")
    return word_list(name)


@cache
def _union_of_lists(names: tuple[str, ...]) -> frozenset[str]:
    """Return the words of some lists together: one set, which can be large, for all rules with the same lists."""
    return word_list(names[0]) if len(names) == 1 else frozenset[str]().union(*map(word_list, names))


def _parse_example(text: str, claims: str) -> RuleExample:
    pairs = [claim.split(" -> ") for claim in claims.split("; ")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise FieldInvalid("match", f"cannot read the claims '{claims}'; write them \"cause -> effect; cause -> effect\"", claims)
    return RuleExample(text, frozenset((cause, effect) for cause, effect in pairs))
