from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.errors import GraphError, InputIsDirectory, InputMissing, InputUnreadable, RuleInvalid
from graph.mining.miner import Miner, example_failures
from graph.mining.rules.rule_row import line_of_rule_field
from graph.mining.rules.rule_tables import USER_FAMILY, builtin_rules, load_rules

BURN = """\
[[rule]]
id = "burn-down.active"
words = "torches torched"
frame = "active"
cause = "subject"
match = [["The lightning torched the barn.", "lightning -> barn"]]
no_match = ["The barn stood."]

[[rule]]
id = "melt.own"
words = "melted"
frame = "melting"
cause = "object"
effect_in = "condition"
match = [["The ice melted in the heat.", "heat -> ice"]]
no_match = []

[frames]
melting = { patterns = ["cue >nsubj subject, cue >prep p=in, p >pobj object"] }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(BURN, encoding="utf-8")
    return path


def test_without_a_file_there_are_the_rules_that_ship() -> None:
    assert load_rules() == builtin_rules()


def test_rules_of_a_file_follow_those_that_ship(file: Path) -> None:
    rules = load_rules(str(file))
    assert rules[: len(builtin_rules())] == builtin_rules()
    assert [(rule.id, rule.family, rule.learnt) for rule in rules[len(builtin_rules()) :]] == [
        ("burn-down.active", USER_FAMILY, USER_FAMILY),
        ("melt.own", USER_FAMILY, USER_FAMILY),
    ]


def test_rules_of_a_file_find_claims(file: Path) -> None:
    (claims,) = Miner(load_rules(str(file))).mine(["The lightning torched the barn."])
    assert [(one.claim.cause, one.claim.effect, one.rule.id) for one in claims] == [("lightning", "barn", "burn-down.active")]


def test_a_rule_of_a_file_takes_the_place_of_the_one_with_its_id(file: Path) -> None:
    file.write_text(BURN.replace("burn-down.active", "cause.active"), encoding="utf-8")
    rules = load_rules(str(file))
    assert len(rules) == len(builtin_rules()) + 1
    places = [rule.id for rule in builtin_rules()]
    assert rules[places.index("cause.active")].cue == {"torches", "torched"}


def test_examples_that_come_out_otherwise_are_told(file: Path) -> None:
    rules = [rule for rule in load_rules(str(file)) if rule.family == USER_FAMILY]
    found = list(example_failures(rules))
    assert [(one.rule.id, one.actual) for one in found] == [("melt.own", frozenset())]


@pytest.mark.parametrize(
    ("old", "new", "line", "complaint"),
    [
        ('frame = "active"', 'frame = "actve"', 4, "rule 'burn-down.active': no frame 'actve'; near: active"),
        ('frame = "active"', "", 1, "'frame' is missing"),
        ('words = "torches torched"', 'words = ""', 3, "'words' is empty"),
        ('words = "torches torched"', "words = 7", 3, "'words' is 7, a text is needed"),
        ('words = "torches torched"', 'words = "Torches"', 3, "in lower case: 'torches'"),
        ('cause = "subject"', 'casue = "subject"', 5, "no field 'casue' in a rule; near: cause"),
        ('cause = "subject"', 'cause = "both"', 5, "no cause 'both'; one of: subject, object"),
        ('effect_in = "condition"', 'effect_in = "conditions"', 14, "no word list 'conditions'; near: condition"),
        ('effect_in = "condition"', 'effect_in = "@illness"', 14, "no word list '@illness'"),
        ('effect_in = "condition"', 'relation = "makes"', 14, "no relation 'makes'; one of: causes, enables, prevents"),
        ('effect_in = "condition"', 'polarity = "up"', 14, "no polarity 'up'; one of: increases, decreases, none"),
        ('effect_in = "condition"', 'strength = "very"', 14, "no strength 'very'; one of: causes, leads to"),
        ('effect_in = "condition"', 'text = "mel(ted"', 14, "not a regular expression: missing )"),
        ('effect_in = "condition"', 'prep = "in to"', 14, "words joined by | are needed"),
        ('effect_in = "condition"', 'agents = "no"', 14, "'agents' is 'no', true or false is needed"),
        ('effect_in = "condition"', 'learnt = "hearsay"', 14, "no learnt 'hearsay'"),
        ("cue >nsubj subject", "cue >nsbj subject", 19, "the arc 'cue >nsbj subject' has no dependency 'nsbj'"),
        ("cue >nsubj subject", "cue subject", 19, "cannot read the arc 'cue subject'"),
        ("p >pobj object", "q >pobj object", 19, "starts at 'q', which no arc before it names"),
        ("cue >nsubj subject", "cue >nsubj whoever", 19, "no node of the pattern"),
        ("cue >nsubj subject", "cue >nsubj cue", 19, "binds 'cue' twice"),
        ("p=in,", "p={prep},", 12, "needs a preposition"),
        ('"heat -> ice"', '"heat ice"', 15, "write them"),
        ('match = [["The ice melted in the heat.", "heat -> ice"]]', "match = []", 15, "at least one sentence"),
        ("no_match = []", "no_match = 1", 16, "a list of texts is needed"),
        ('id = "melt.own"', 'id = "burn-down.active"', None, "the id stands twice"),
        ("[[rule]]\nid", "[[rules]]\nid", None, "no table 'rules' in a file of rules"),
        ("melting = {", "melting = 1 #", 12, "has neither patterns nor a head and tails"),
        ('id = "melt.own"', 'id = "', None, "not TOML: "),
    ],
)
def test_a_wrong_file_is_told_with_file_line_rule_and_what_would_do(
    file: Path, old: str, new: str, line: int | None, complaint: str
) -> None:
    assert old in BURN
    file.write_text(BURN.replace(old, new), encoding="utf-8")
    with pytest.raises(RuleInvalid) as caught:
        load_rules(str(file))
    told = str(caught.value)
    assert told.startswith(f"{file}, line {line}: " if line else f"{file}: "), told
    assert complaint in told
    assert "\n" not in told


@pytest.mark.parametrize("text", ["", "# nothing\n", "[frames]\n"])
def test_a_file_without_rules_is_refused(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RuleInvalid, match="holds no rule"):
        load_rules(str(file))


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputMissing):
        load_rules(str(tmp_path / "none.toml"))
    with pytest.raises(InputIsDirectory):
        load_rules(str(tmp_path))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputUnreadable):
        load_rules(str(tmp_path / "binary.toml"))


def test_a_name_with_a_line_end_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(BURN.replace('frame = "melting"', 'frame = "melt\\ning"'), encoding="utf-8")
    with pytest.raises(GraphError, match=r"no frame 'melt\\ning'"):
        load_rules(str(tmp_path / "my.toml"))


def test_the_line_of_a_field_is_that_in_its_own_rule() -> None:
    assert line_of_rule_field(BURN, 0, "frame") == 4
    assert line_of_rule_field(BURN, 1, "frame") == 12
    assert line_of_rule_field(BURN, 1, "nowhere") == 9
    assert line_of_rule_field("rule = []", 0, "frame") == 1


PIECES = (*"[]{}=|,0é\n\\'\"", "[[rule]]", "[frames]", "[heads]", " >", "cue", "true", "{prep}")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_whatever_a_file_holds_it_is_read_or_refused(chance: random.Random) -> None:
    text = BURN
    for _ in range(chance.randint(1, 4)):
        place, length = chance.randrange(len(text)), chance.choice((0, 1, 1, 3, 12, 60))
        text = text[:place] + chance.choice(("", *PIECES)) + text[place + length :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my.toml"
        path.write_text(text, encoding="utf-8")
        complaint = ""
        try:
            rules = load_rules(str(path))
        except GraphError as error:
            complaint = str(error)
        else:
            Miner(rules).rules_for("The ice melted in the heat.")
    assert "\n" not in complaint
